"""Topic 3: memory is bounded before it is taken, not after."""

import bz2
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import DETECT, Ended, Words, each, wikibias
from fault_checks.results import END, manifest, page, transition, wiki
from fault_checks.servers import STATUS, Answer, endless, listed, serving

TOPIC = "3 memory"
_MB = 1_000_000
_OPEN = b"<page><title>Long</title><ns>0</ns><id>77</id><revision><id>7000</id>"
_TIME = b"<timestamp>2015-01-01T00:00:00Z</timestamp><contributor><ip>1.2.3.4</ip></contributor>"
_SHUT = b"</text></revision></page>\n"


def bomb(megabytes: int) -> bytes:
    """Return a small bz2 file with a revision of so many megabytes, and a page behind it."""
    head = wiki(1, pages=1).removesuffix(END) + _OPEN + _TIME + b'<text xml:space="preserve">'
    block = bz2.compress(b"a" * 25 * _MB)
    pieces = [bz2.compress(head), *[block] * (megabytes // 25), bz2.compress(_SHUT)]
    return b"".join([*pieces, bz2.compress(transition("x") + END)])


def _judged(ended: Ended, most_memory: float, most_cpu: float) -> tuple[str, bool]:
    problem = ended.problem()
    if problem is None and ended.memory > most_memory:
        problem = f"{ended.memory:.0f} MB, over {most_memory:.0f}"
    if problem is None and ended.cpu > most_cpu:
        problem = f"{ended.cpu:.0f} s of CPU, over {most_cpu:.0f}"
    return problem or "bounded", not problem


def revisions(place: Place) -> Iterator[Try]:
    """A revision that never ends is cut off, and the page behind it is read."""
    for megabytes, most in ((200, 300),) if place.quick else ((1000, 400), (4600, 400)):
        dump = place.folder / f"{megabytes}.xml.bz2"
        dump.write_bytes(bomb(megabytes))
        for reader in ("fast",) if place.quick else ("fast", "mwxml"):
            out = place.folder / f"{reader}{megabytes}"
            words = (*DETECT, "--reader", reader, "-o", out, dump)
            ended = wikibias(*words, seconds=400, addresses=3000)
            came, held = _judged(ended, most, 60 + megabytes / 20)
            if held and manifest(out)["counts"]["pages"] != 3:
                came, held = "bounded, but the page behind it is not read", False
            yield Try(f"{megabytes} MB in {dump.stat().st_size:,} bytes, {reader}", came, held)


# What is long, and where: text to find in a dump, what to put before it, the piece that is
# repeated, and what to put behind.
_MARKUP = {
    "an attribute of a text": (b'xml:space="', b'b="', b"x", b'" xml:space="'),
    "an attribute of a page": (b"<page>", b'<page a="', b"x", b'">'),
    "a comment": (b"<revision>", b"<!--", b"x", b"--><revision>"),
    "an instruction": (b"<revision>", b"<?x ", b"x", b"?><revision>"),
    "a title": (b"<title>", b"<title>", b"x", b""),
    "a summary": (b"<comment>", b"<comment>", b"x", b""),
    "an editor's name": (b"<username>", b"<username>", b"x", b""),
    "the name of an element": (b"<ns>", b"<x", b"x", b"/><ns>"),
    "small elements": (b"<ns>", b"", b"<a/>", b"<ns>"),
    "attributes": (b"<page>", b"<page ", b'a%d="" ', b">"),
    "references": (b"two", b"", b"&#x41;", b""),
    "a comment in the head": (b"<siteinfo>", b"<!--", b"x", b"--><siteinfo>"),
    "an attribute in the head": (b"<siteinfo>", b'<siteinfo a="', b"x", b'">'),
    "a name in the head": (b"<sitename>", b"<sitename>", b"x", b""),
}


def _write(dump: Path, name: str, size: int) -> None:
    """Write a dump with one kind of long markup; in pieces, because our memory counts as theirs."""
    find, before, piece, behind = _MARKUP[name]
    hostile = page("{{POV}} one", "two")
    whole = wiki(1, pages=1).replace(END, hostile + END)
    # In the head, or in the last page.
    at = whole.index(find, 0 if find.startswith(b"<site") else whole.index(hostile))
    with dump.open("wb") as file:
        file.write(whole[:at] + before)
        if b"%d" in piece:
            for number in range(size // 12):
                file.write(piece % number)
        else:
            for _ in range(size // _MB):
                file.write(piece * (_MB // len(piece)))
        file.write(behind + whole[at + len(find) :])


def markup(place: Place) -> Iterator[Try]:
    """Attributes, comments and instructions of 40 MB, which are quadratic in expat."""
    size = (10 if place.quick else 40) * _MB
    for number, name in enumerate(("a comment",) if place.quick else _MARKUP):
        dump = place.folder / f"{number}.xml"
        _write(dump, name, size)
        for reader in ("fast",) if place.quick else ("fast", "mwxml"):
            words = (*DETECT, "--reader", reader, "-o", place.folder / f"{number}{reader}", dump)
            ended = wikibias(*words, seconds=90, addresses=3000)
            yield Try(f"{name}, {reader}", *_judged(ended, 500, 15))
        dump.unlink()


def many(place: Place) -> Iterator[Try]:
    """Things without number in one page or part: tags, namespaces, editors, faults."""
    number = 200_000
    spaces = b"".join(b'<namespace key="%d">N%d</namespace>' % (n, n) for n in range(5000, 105_000))
    bad = b"".join(page("x", number="x", first=8 * 10**6 + n) for n in range(number // 4))
    tried = {
        "namespaces in the head": wiki(1, pages=1).replace(
            b"<namespaces>", b"<namespaces>" + spaces
        ),
        "pages that cannot be read": wiki(1, pages=1).replace(END, bad + END),
    }
    for name, content in tried.items():
        dump = place.folder / "many.xml"
        dump.write_bytes(content)
        words = (*DETECT, "--restart", "-o", place.folder / "out", dump)
        ended = wikibias(*words, seconds=90, addresses=3000)
        yield Try(f"{name}, {len(content) // _MB} MB", *_judged(ended, 700, 60))


def lists(place: Place) -> Iterator[Try]:
    """Lists of a server that never end, and files that are longer than was listed."""
    dump = bz2.compress(wiki(1))
    endless_json = endless(b'{"version": "', b" " * 65536)
    content = "/other/mediawiki_content_history/enwiki"
    tried: dict[str, tuple[dict[str, Answer | bytes], tuple[str, ...]]] = {
        "a status that never ends": ({STATUS: endless_json}, ("--date", "20260101")),
        "an index that never ends": ({"/enwiki/": endless(b"<a>", b"x" * 65536)}, ()),
        "checksums that never end": (
            {
                f"{content}/2026-01-01/xml/bzip2/SHA256SUMS": endless(b"", b"0" * 64 + b"  x\n"),
                f"{content}/2026-01-01/xml/bzip2/_SUCCESS": b"",
            },
            ("--family", "content", "--date", "2026-01-01"),
        ),
        "a file that never ends": (
            {
                STATUS: listed("7z", dump, "0" * 40),
                "/enwiki/20260101/d.xml.7z": endless(dump, b"x" * 65536),
            },
            ("--date", "20260101"),
        ),
    }
    for number, (name, (answers, options)) in enumerate(tried.items()):
        out = place.folder / str(number)
        with serving(answers) as url:
            words = ("fetch", "--lang", "en", "--yes", "--base-url", url, *options, "-o", out)
            ended = wikibias(*words, seconds=60, addresses=3000)
        came, held = _judged(ended, 500, 30)
        size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
        if held and size > 10 * _MB:
            came, held = f"{size // _MB} MB on the disk, of {len(dump):,} bytes listed", False
        yield Try(name, came if not held else "ended with an error", held and ended.code != 0)


def settings(place: Place) -> Iterator[Try]:
    """Settings, tag sets and grids of 60 MB are refused before they are read."""
    long = "# " + "x" * 78 + "\n"
    size = 750_000
    folder = place.folder / "mine"
    for name in ("tagsets/npov/en", "configs/en", "configs/grids/sgd", "big"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.toml").write_text(long * size)
    (folder / "a.tsv").write_text("biased\tone is best\nneutral\ttwo is so\n" * 20)
    (folder / "d.xml").write_bytes(wiki(1, pages=1))
    data = ("--train", folder / "a.tsv", "--test", folder / "a.tsv", "-o", folder / "m")
    tried: dict[str, Words] = {
        "a tag set": ("tags", "show", "--lang", "en", "--config-dir", folder),
        "a configuration": ("extract", "--lang", "fr", "--config", folder / "big.toml", folder),
        "a grid": ("classify", "--model", "sgd", "--grid", "--config-dir", folder, *data),
    }
    yield from each(tried, _refused, seconds=60, addresses=3000, cwd=place.folder)


def _refused(ended: Ended) -> tuple[str, bool]:
    came, held = _judged(ended, 700, 10)
    return ("refused", ended.memory < 400) if "exit code 2" in came else (came, held)


_ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)"
_SEEN = "SELECT x AS id, x AS item, x AS annotator, '{}' AS said, 1 AS counts, 0 AS undone FROM n"
_KEYS = b",".join(b'"k%d":1' % number for number in range(9_000))


def tables(place: Place) -> Iterator[Try]:
    """Tables and answers of strangers that would take all the time, or all the memory."""
    tried = {
        "keys.jsonl": b"".join(b"{%b}\n" % _KEYS.replace(b"k", b"k%d" % n) for n in range(50)),
        "gaps.jsonl": b"{%b}\n" % _KEYS + b"{}\n" * 500_000,
        "wide.json": b'[{"a":[%b1]}]' % (b"[]," * 5 * _MB),
        "wide.csv": b",".join(b"c%d" % number for number in range(_MB)),
    }
    for name, content in tried.items():
        (place.folder / name).write_bytes(content)
    repeated = pa.DictionaryArray.from_arrays(pa.array([0] * 200_000), pa.array(["x" * _MB]))
    pq.write_table(pa.table({"item": repeated}), place.folder / "repeated.parquet")
    wide = pa.table({f"c{number}": [1] for number in range(100_000)})
    pq.write_table(wide, place.folder / "wide.parquet")
    with closing(sqlite3.connect(place.folder / "view.db")) as answers:
        answers.execute("PRAGMA application_id = 0x776B626C")
        answers.execute(f"CREATE VIEW answers AS {_ENDLESS} {_SEEN}")
    files = sorted(place.folder.iterdir())
    yield from each({p.name: ("annotate", "agree", p) for p in files}, _refused, seconds=60)


CHECKS = [
    Check(TOPIC, "a revision that never ends", revisions, quick=True),
    Check(TOPIC, "markup of 40 MB", markup, quick=True),
    Check(TOPIC, "things without number", many),
    Check(TOPIC, "lists and files that never end", lists),
    Check(TOPIC, "settings of 60 MB", settings),
    Check(TOPIC, "tables and answers of strangers", tables, quick=True),
]
