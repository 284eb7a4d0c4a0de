"""Writes small synthetic MediaWiki exports, compresses them, and runs the command line on them.

Words, names and articles are synthetic. A `Revision` is written in export schema 0.3, 0.4, 0.10 or
0.11, with the elements of that schema. A `history` is a page to which a tag is added and removed
several times, with enough text for its edits to be kept.
"""

import bz2
import contextlib
import gzip
import hashlib
import io
import lzma
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch
from xml.sax.saxutils import escape

import py7zr
import pyarrow.parquet as pq
import zstandard

from wikibias.cli import main
from wikibias.mediawiki import base36_sha1

SCHEMAS = ("0.3", "0.4", "0.10", "0.11")
FORMS = ("xml", "bz2", "bz2-multi", "7z", "gz", "xz", "lzma", "zst")
_NAMESPACES = {
    "en": {-1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 10: "Template"},
    "fr": {
        -1: "Spécial",
        0: "",
        1: "Discussion",
        2: "Utilisateur",
        3: "Discussion utilisateur",
        10: "Modèle",
    },
    "ja": {0: "", 1: "ノート", 2: "利用者", 10: "Template"},
    "zh": {0: "", 1: "Talk", 2: "User", 10: "Template"},
    "id": {0: "", 2: "Pengguna", 10: "Templat"},
    "pl": {0: "", 2: "Wikipedysta", 10: "Szablon"},
    "tr": {0: "", 2: "Kullanıcı", 10: "Şablon"},
}
_FIRST_EDIT = datetime(2019, 3, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision to write. `hidden` names what is suppressed: text, user, comment.

    `slots` are further content slots (role -> text), written from schema 0.11 on. A `lost` text is
    an empty element whose checksum is not that of an empty text, as in old dumps.
    """

    text: str
    user: str = "Orla Fenwick"
    comment: str = "copy-edit"
    hidden: frozenset[str] = frozenset()
    slots: Mapping[str, str] = field(default_factory=dict)
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page to write. The title goes without its namespace's name."""

    title: str
    revisions: Sequence[Revision]
    namespace: int = 0


def export(
    pages: Iterable[Page] = (),
    *,
    schema: str = "0.11",
    lang: str = "en",
    first_id: int = 1,
    sha1: bool = True,
    ns: bool = True,
) -> bytes:
    """Return an export of the pages. Ids count up from `first_id`, a revision every ten days."""
    return b"".join(export_pieces(pages, schema, lang, first_id, sha1=sha1, ns=ns))


def dumped(folder: Path, pages: Iterable[Page], name: str = "a.xml", **options: Any) -> Path:
    """Write an export of the pages into a folder and return its path."""
    path = folder / name
    path.write_bytes(export(pages, **options))
    return path


def export_pieces(
    pages: Iterable[Page], schema: str, lang: str, first_id: int, *, sha1: bool, ns: bool
) -> Iterator[bytes]:
    """Yield the head of an export, each of its pages, and its end."""
    yield _head(schema, lang).encode()
    modern = schema in ("0.10", "0.11")
    number = first_id
    for page_number, page in enumerate(pages, first_id):
        prefix = _namespaces(lang)[page.namespace]
        title = f"{prefix}:{page.title}" if prefix else page.title
        lines = ["  <page>", f"    <title>{escape(title)}</title>"]
        if modern and ns:
            lines.append(f"    <ns>{page.namespace}</ns>")
        lines.append(f"    <id>{page_number}</id>")
        parent = None
        for revision in page.revisions:
            lines += _revision(revision, number, parent, schema, number - first_id, sha1=sha1)
            parent, number = number, number + 1
        lines.append("  </page>\n")
        yield "\n".join(lines).encode()
    yield b"</mediawiki>\n"


def _namespaces(lang: str) -> dict[int, str]:
    return _NAMESPACES.get(lang, _NAMESPACES["en"])


def _head(schema: str, lang: str) -> str:
    namespaces = "\n".join(
        f'      <namespace key="{number}" />'
        if not name
        else f'      <namespace key="{number}">{name}</namespace>'
        for number, name in _namespaces(lang).items()
    )
    dbname = f"    <dbname>invented{lang}wiki</dbname>\n" if schema in ("0.10", "0.11") else ""
    return (
        f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-{schema}/" '
        f'version="{schema}" xml:lang="{lang}">\n'
        f"  <siteinfo>\n    <sitename>Invented</sitename>\n{dbname}"
        f"    <base>https://{lang}.invented.example/wiki/Main_Page</base>\n"
        "    <generator>exports.py</generator>\n    <case>first-letter</case>\n"
        f"    <namespaces>\n{namespaces}\n    </namespaces>\n  </siteinfo>\n"
    )


def _revision(
    revision: Revision, number: int, parent: int | None, schema: str, age: int, *, sha1: bool
) -> list[str]:
    modern, slotted = schema in ("0.10", "0.11"), schema == "0.11"
    time = (_FIRST_EDIT + age * timedelta(days=10)).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = ["    <revision>", f"      <id>{number}</id>"]
    if modern and parent is not None:
        lines.append(f"      <parentid>{parent}</parentid>")
    lines.append(f"      <timestamp>{time}</timestamp>")
    if "user" in revision.hidden:
        lines.append('      <contributor deleted="deleted" />')
    elif _is_address(revision.user):
        lines.append(f"      <contributor><ip>{revision.user}</ip></contributor>")
    else:
        lines.append(
            f"      <contributor><username>{escape(revision.user)}</username>"
            f"<id>{len(revision.user)}</id></contributor>"
        )
    if "comment" in revision.hidden:
        lines.append('      <comment deleted="deleted" />')
    elif revision.comment:
        lines.append(f"      <comment>{escape(revision.comment)}</comment>")
    form = ["      <model>wikitext</model>", "      <format>text/x-wiki</format>"]
    if slotted:
        lines += [f"      <origin>{number}</origin>", *form]
    checksum = base36_sha1(revision.text)
    lines.append("      " + _text(revision, checksum, schema))
    if slotted:
        for role, text in revision.slots.items():
            lines.append(
                f"      <content><role>{role}</role><origin>{number}</origin>"
                "<model>json</model><format>application/json</format>"
                f'<text bytes="{len(text.encode())}" sha1="{base36_sha1(text)}" '
                f'xml:space="preserve">{escape(text)}</text></content>'
            )
    if modern and sha1:
        hidden = "text" in revision.hidden
        lines.append("      <sha1 />" if hidden else f"      <sha1>{checksum}</sha1>")
    if modern and not slotted:
        lines += form
    lines.append("    </revision>")
    return lines


def _text(revision: Revision, checksum: str, schema: str) -> str:
    size = f' bytes="{len(revision.text.encode())}"' if schema in ("0.10", "0.11") else ""
    # Where the text is suppressed the wiki may withhold its checksum too.
    if "text" in revision.hidden:
        return f'<text{size} deleted="deleted" />'
    if schema == "0.11":
        size += f' sha1="{checksum}"'
    if revision.lost:
        return f'<text{size} xml:space="preserve" />'
    return f'<text{size} xml:space="preserve">{escape(revision.text)}</text>'


def _is_address(name: str) -> bool:
    return name.replace(".", "").isdigit() or "::" in name


# Synthetic text ------------------------------------------------------------------------------

_SYLLABLES = "ba ke di fo gu lai me nor pi quen ru sa tor vel wi zan hep jol mur cas".split()


def word(number: int) -> str:
    """Return a synthetic word, a different one for each number."""
    pieces = []
    while True:
        number, digit = divmod(number, len(_SYLLABLES))
        pieces.append(_SYLLABLES[digit])
        if not number:
            return "".join(pieces) + "eth"


def words(number: int) -> Iterator[str]:
    """Yield synthetic words of some length that have little in common with those of others."""
    for place in range(1, 5):
        digest = hashlib.sha256(f"{number} {place}".encode()).digest()
        yield word(int.from_bytes(digest[:4], "big"))


def praise(number: int) -> list[str]:
    """Return two biased sentences; those of other numbers are no near-duplicates of them."""
    mill, valley, builder, house = words(number)
    return [
        f"The {mill} mill is without any doubt the finest of {valley} and of {house}.",
        f"Only a fool could fail to admire {mill} mill and its glorious builder {builder}.",
    ]


def report(number: int) -> list[str]:
    """Return two neutral sentences on the same topic."""
    mill, valley, builder, house = words(number)
    return [
        f"The {mill} mill is one of nine that a survey of {valley} lists for {house}.",
        f"A guide book of {valley} gives the {mill} mill of {builder} a short entry.",
    ]


def body(topic: int) -> str:
    """Return the part of an article that its edits do not change, over 400 characters."""
    name = word(topic + 7919)
    return (
        f"'''{name.title()}''' is a village on the left bank of the river in the lower valley. "
        f"The people of {name} have lived from flax, from barley and from their mills.\n\n"
        "== History ==\n"
        f"A charter names {name} for the first time in the year of the second flood. "
        f"Its chapel of {name} was built by masons who came over the eastern pass. "
        f"After the great fire the council of {name} had every roof covered with slate.\n\n"
        f"The railway reached {name} late and was taken up again within one generation.\n"
    )


def tagged(number: int, topic: int, tag: str = "POV") -> str:
    """Return an article with the tag and two sentences of praise."""
    return f"{{{{{tag}|date=May 2019}}}}\n{body(topic)}\n{' '.join(praise(number))}\n"


def mended(number: int, topic: int) -> str:
    """Return the same article without the tag, and the praise rewritten or half removed."""
    return f"{body(topic)}\n{' '.join(report(number)[: 1 + number % 2])}\n"


def history(
    title: str,
    removals: int,
    *,
    topic: int = 0,
    users: Sequence[str] = ("Orla Fenwick", "Tam Brightwater"),
    namespace: int = 0,
    tag: str = "POV",
) -> Page:
    """Return a page whose tag is added and removed `removals` times, with different sentences."""
    revisions = []
    for number in range(topic * 1000, topic * 1000 + removals):
        revisions.append(Revision(tagged(number, topic, tag), users[0], "this reads like praise"))
        revisions.append(Revision(mended(number, topic), users[-1], "reworded"))
    return Page(title, revisions, namespace)


# Compression ----------------------------------------------------------------------------------


def packed(xml: bytes, form: str) -> bytes:
    """Return an export in one of FORMS."""
    if form == "xml":
        return xml
    if form == "bz2-multi":
        # As in Wikimedia's multistream dumps, the head, each page and the end are streams.
        pieces = [piece + b"</page>\n" for piece in xml.split(b"</page>\n")]
        pieces[-1] = pieces[-1].removesuffix(b"</page>\n")
        return b"".join(bz2.compress(piece) for piece in pieces)
    if form == "7z":
        target = io.BytesIO()
        with py7zr.SevenZipFile(target, "w") as archive:
            archive.writestr(xml, "dump.xml")
        return target.getvalue()
    if form == "zst":
        return zstandard.ZstdCompressor(write_checksum=True).compress(xml)
    if form == "lzma":
        return lzma.compress(xml, lzma.FORMAT_ALONE)
    if form == "bz2":
        return bz2.compress(xml, 1)  # blocks of 100 kB, so that damage affects only one of many
    return gzip.compress(xml) if form == "gz" else lzma.compress(xml)


def split_page(xml: bytes, owners: Sequence[int], form: str = "bz2") -> dict[str, bytes]:
    """Split an export of one page over files, as the Content File Exports do: name -> content.

    Revision n goes to file number `owners[n]`; a file name gives its first and last revision.
    """
    opening, closing, number = b"    <revision>\n", b"    </revision>\n", re.compile(rb"<id>(\d+)<")
    head, *rest = xml.split(opening)
    tail = rest[-1].partition(closing)[2]
    revisions = [opening + each.partition(closing)[0] + closing for each in rest]
    page = number.findall(head)[-1].decode()
    found = {}
    for owner in sorted(set(owners)):
        mine = [each for each, its in zip(revisions, owners, strict=True) if its == owner]
        first, last = (number.findall(each)[0].decode() for each in (mine[0], mine[-1]))
        name = f"enwiki-2026-01-01-p{page}r{first}r{last}.xml{'' if form == 'xml' else '.' + form}"
        found[name] = packed(head + b"".join(mine) + tail, form)
    return found


# Running --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """Exit code and output of a run of the command line."""

    code: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        """The lines that start with `Error`."""
        return [line for line in self.err.splitlines() if line.startswith("Error")]

    def well(self) -> Self:
        """Check that it ended well, and return it."""
        assert self.code == 0, self.err
        return self

    def silent(self) -> Self:
        """Check that it ended well without a word on stderr, and return it."""
        assert (self.code, self.err) == (0, "")
        return self

    def refused(self, *said: str, code: int = 2, alone: bool = False) -> str:
        """Check that there is one line of error, alone on stderr or not, that says all this."""
        assert self.code == code, self.err
        assert not alone or len(self.err.splitlines()) == 1, self.err
        (line,) = self.errors
        assert [each for each in said if each not in line] == [], line
        return line


def wikibias(*arguments: object, stdin: bytes = b"") -> Outcome:
    """Run the command line in this process, with one worker where no other number is given.

    More would be processes, and to start them costs more than a small dump.
    """
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        patch.object(os, "cpu_count", lambda: 1),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(end.code or 0)
    return Outcome(code, out.getvalue(), err.getvalue())


def result_of(folder: Path, pages: Iterable[Page], *words: object) -> Path:
    """Return the result, `o` in a folder, that a command of a stage makes of English pages."""
    dump, out = dumped(folder, pages), folder / "o"
    wikibias(*words, "--lang", "en", "--workers", 1, "-o", out, dump).well()
    return out


def _hear_signals() -> None:
    """Undo what tests in the background of a script, or under nohup, hand down: ignored signals."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """Start the command line in a new process and process group."""
    return subprocess.Popen(
        [sys.executable, "-m", "wikibias", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_hear_signals,  # noqa: PLW1509
        env={**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "100"},
        **options,
    )


def run_process(*arguments: object, timeout: float = 60, **options: object) -> Outcome:
    """Run the command line in a new process."""
    process = start(*arguments, **options)
    try:
        out, err = process.communicate(timeout=timeout)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return Outcome(process.returncode, out, err)


# Looking at results ---------------------------------------------------------------------------

Files = dict[str, bytes]
"""The bytes of the files of a result, by their paths in it."""
RESULTS = ("transitions", "diffs", "edits", "rejects", "corpus", "text", "aligned", "README.md")


def files(folder: Path, *kinds: str) -> Files:
    """Return the bytes of every file of a result: relative path -> content."""
    roots = [folder / kind for kind in kinds or RESULTS]
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for root in roots
        for path in (root, *sorted(root.rglob("*")))
        if path.is_file()
    }


def rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Return the rows of all tables of one kind."""
    found: list[dict[str, object]] = []
    for path in sorted((folder / kind).glob("*.parquet")):
        found += pq.read_table(path).to_pylist()
    return found


def temporary_files(folder: Path) -> list[Path]:
    """Return the incomplete files that an interrupted run left."""
    return [path for path in folder.rglob("*") if path.name.endswith(".tmp")]


def sha256(path: Path) -> str:
    """Return the checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
