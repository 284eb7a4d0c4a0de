"""Topic 5: what is marked whole is whole."""

import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import py7zr
import pyarrow.parquet as pq
import zstandard

from exports import packed
from fault_checks.checks import Check, Place, Try
from fault_checks.commands import DETECT, EXTRACT, wikibias
from fault_checks.results import manifest, tree

TOPIC = "5 whole"
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SAMPLE = SAMPLES / "demoenwiki-20260101-pages-meta-history.xml.7z"
# Of plain XML and of zst without its checksum, only the dump's own sha1 of each text tells.
UNCHECKED = ("xml", "zst-plain")
FORMS = ("xml", "bz2", "7z", "gz", "xz", "zst", "zst-plain")
Row = tuple[object, ...]


def sample() -> bytes:
    """Return the XML of the English sample dump, schema 0.11 with the sha1 of each text."""
    with py7zr.SevenZipFile(SAMPLE) as archive, tempfile.TemporaryDirectory() as folder:
        archive.extractall(folder)
        return next(Path(folder).iterdir()).read_bytes()


def compressed(xml: bytes, form: str) -> bytes:
    """Return compressed XML."""
    if form == "zst-plain":
        return zstandard.ZstdCompressor(write_checksum=False).compress(xml)
    return packed(xml, form)


def damaged(content: bytes, number: int, chance: random.Random) -> tuple[str, bytes]:
    """Return content truncated at random if `number` is odd, else with 1 to 3 bits flipped."""
    if number % 2:
        return "truncated", content[: chance.randrange(len(content))]
    body = bytearray(content)
    for _ in range(chance.randint(1, 3)):
        body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
    return "bits flipped", bytes(body)


def transitions(out: Path, part: str) -> tuple[list[Row], list[Row]]:
    """Return the transitions of a part, without its name and wiki, and their texts alone."""
    path = out / "transitions" / f"{part}.parquet"
    rows = pq.read_table(path, partitioning=None).drop_columns(["part", "wiki"]).to_pylist()
    kept = [
        (*(str(row[name]) for name in row if name != "reverted"), row["reverted"]) for row in rows
    ]
    return kept, [(row["before_text"], row["after_text"]) for row in rows]


def verdict_on(
    found: Sequence[Row],
    intact: Sequence[Row],
    error: str | None,
    *,
    texts_are_intact: bool = False,
    checked: bool = True,
) -> tuple[str, bool]:
    """Return what came out of one damaged part, and whether that is right.

    Args:
        found: its rows; `reverted` comes last.
        intact: those of the intact part.
        error: what is said of it; None where it is marked whole.
        texts_are_intact: all texts in `found` are among those of the intact part.
        checked: its form has a checksum of everything.
    """
    if len({row[:-1] for row in found}) < len(found):
        return "a duplicate row", False
    if not error:
        if list(found) == list(intact):
            return "whole, the same rows", True
        if not checked and texts_are_intact:
            return (
                "whole, but a name, an id or a time is altered, of which no checksum exists",
                True,
            )
        return "marked whole, but other rows", False
    came = "failed, altered rows"
    if {row[:-1] for row in found} <= {row[:-1] for row in intact}:
        came = "failed, a revert on the last page not seen"
    if set(found) <= set(intact):
        came = "failed, correct rows before the damage"
    return came if found else "failed, no rows", True


def archives(place: Place, forms: Sequence[str] = FORMS, reader: str = "fast") -> Iterator[Try]:
    """Damage every form at random, and compare what is marked whole with the intact dump."""
    xml, kinds, parts = sample(), dict[str, str](), place.folder / "parts"
    count = 2 if place.quick else 6 if len(forms) > 1 else place.damages
    parts.mkdir()
    (parts / "intact.xml").write_bytes(xml)
    for form in forms:
        chance = random.Random(f"{place.seed} {form}")
        for number in range(count):
            # Of another wiki, or what stands in several parts would count once.
            wiki = f"demo{len(kinds):06}"
            content = compressed(xml.replace(b"demoenwiki", wiki.encode()), form)
            name = f"{form}-{number:03d}.xml{'' if form == 'xml' else '.' + form.split('-')[0]}"
            kinds[name], body = damaged(content, number, chance)
            (parts / name).write_bytes(body)
    out = place.folder / "out"
    workers = 1 if place.quick else 2
    words = (*DETECT[:-2], "--reader", reader, "--workers", workers, "-o", out, parts)
    ended = wikibias(*words, seconds=1500)
    problem = ended.problem()
    if problem:
        yield Try("the whole run", problem, held=False)
        return
    errors = {
        entry["part"]: entry["error"] or entry.get("unreadable")
        for entry in manifest(out)["inputs"]
    }
    intact, texts = transitions(out, "intact.xml")
    for name, kind in kinds.items():
        found, its_texts = transitions(out, name)
        form = re.split(r"-\d", name)[0]
        came, held = verdict_on(
            found,
            intact,
            errors[name],
            texts_are_intact=set(its_texts) <= set(texts),
            checked=form not in UNCHECKED,
        )
        yield Try(f"{form}, {kind}", came, held)


def _of(form: str, reader: str = "fast") -> Check:
    named = {"zst": "zst with checksum", "zst-plain": "zst without checksum", "xml": "plain XML"}
    name = f"damages of {named.get(form, form)}"
    if reader != "fast":
        name += f", read by {reader}"
    return Check(TOPIC, name, lambda place: archives(place, (form,), reader))


def texts(place: Place) -> Iterator[Try]:
    """One letter of a text that a transition uses is another one: its sha1 tells."""
    xml = sample()
    sites = [m.start() for m in re.finditer(rb"\{\{(?:POV|NPOV|Advert|Peacock)", xml)]
    for number, site in enumerate(sites[:: max(1, len(sites) // (3 if place.quick else 12))]):
        at = xml.index(b" ", site + 200) + 1
        changed = b"Q" if xml[at : at + 1] != b"Q" else b"Z"
        for form in ("xml", "zst-plain"):
            for reader in ("fast",) if place.quick else ("fast", "mwxml"):
                name = f"{number}.xml{'' if form == 'xml' else '.zst'}"
                dump = place.folder / name
                dump.write_bytes(compressed(xml[:at] + changed + xml[at + 1 :], form))
                out = place.folder / f"{name}-{reader}"
                ended = wikibias(*DETECT, "--reader", reader, "-o", out, dump)
                problem = ended.problem()
                if not problem and ended.code == 0:
                    problem = "marked whole, with another text"
                yield Try(f"text {number}, {form}, {reader}", problem or "named", not problem)
        if place.quick:
            return


def power(place: Place) -> Iterator[Try]:
    """After power loss a table is zeros, or empty, or cut: the same command redoes that part."""
    parts, out = place.folder / "parts", place.folder / "out"
    parts.mkdir()
    for name in ("a", "b"):
        (parts / f"{name}.xml").write_bytes(sample())
    words = (*EXTRACT, "-o", out, parts)
    wikibias(*words)
    wanted = tree(out)
    tables = [out / table / "b.xml.parquet" for table in ("transitions", "diffs", "edits")]
    tables += [out / "corpus" / "train.parquet", out / "manifest.json"]
    for path in tables[:1] if place.quick else tables:
        good = path.read_bytes()
        forms = {"zeros": b"\0" * len(good), "empty": b"", "cut": good[: len(good) // 2]}
        for name, content in dict(list(forms.items())[: 1 if place.quick else 3]).items():
            path.write_bytes(content)
            ended = wikibias(*words)
            problem = ended.problem((0,))
            if not problem and tree(out) != wanted:
                problem = "other bytes than before"
            what = f"{path.relative_to(out).parts[0]}, {name}"
            yield Try(what, problem or "done again, the same bytes", not problem)
            path.write_bytes(good)


CHECKS = [
    Check(TOPIC, "a few damages of every form", archives, quick=True),
    *map(_of, FORMS),
    _of("xml", "mwxml"),
    Check(TOPIC, "another letter in a text", texts, quick=True),
    Check(TOPIC, "tables that are zeros after power loss", power, quick=True),
]
