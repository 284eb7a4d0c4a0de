"""A made-up export with full history, schema 0.11, of any size; the same for the same seed.

Pages grow, and neighbouring revisions share nearly all of their text. How many revisions a page
has, how long it is and how much an edit changes are skewed, as on a wiki. Vandals come and are
undone; on some pages neutrality tags come and go.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import hashlib
import lzma
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any, cast

import py7zr
import zstandard

from synthetic_wikitext import Article, Author, Block, escaped, length

EXAMPLES = """examples:
  python scripts/make_synthetic_dump.py --pages 200 --seed 7 -o synthetic.xml.7z
  python scripts/make_synthetic_dump.py --fixed --pages 1 --revisions 50000 --tagged 1"""
_BEGAN = datetime(2006, 1, 1, tzinfo=UTC)
_SPACES = {
    -2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Project",
    5: "Project talk", 6: "File", 10: "Template", 11: "Template talk", 14: "Category",
}  # fmt: skip
_ELSEWHERE = (1, 1, 1, 2, 3, 3, 4, 10, 14)
_SUMMARIES = (
    "", "", "", "copyedit", "/* {0} */", "/* {0} */ more on {1}", "typo", "ref added", "see talk",
    "rm unsourced claim", "[[WP:NPOV]]: {0} & {1}", "{0} {1} {2}", "fmt",
)  # fmt: skip
_REVERTED = "Reverted edits by [[Special:Contributions/{0}|{0}]] to last version by {1}"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to make: so many pages, of so many revisions of so many bytes in the mean.

    `fixed`: all pages and revisions alike. `tagged`: share of the articles that tags come to.
    `giant`: length in bytes of the one long revision of the first page; 0 for none.
    """

    pages: int
    revisions: int
    size: int
    tagged: float
    fixed: bool
    giant: int
    seed: int


@dataclass(frozen=True, slots=True)
class Edit:
    """One revision to be: its blocks, by whom, and why. An account without a number is an IP."""

    blocks: list[Block]
    name: str
    number: int | None
    summary: str
    minor: bool = False
    hidden: bool = False


class Wiki:
    """Pages of one export, one after the other; revision ids count on from page to page."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._rng = random.Random(wanted.seed)
        self._author = Author(self._rng)
        self._accounts = [(f"{self._author.name()} {n}", n) for n in range(1, 800)]
        self._revision = 0

    def export(self) -> Iterator[bytes]:
        """Yield the export piece by piece; none is longer than a revision."""
        yield _head()
        for number in range(1, self._wanted.pages + 1):
            yield from self._page(number)
        yield b"</mediawiki>\n"

    def _page(self, number: int) -> Iterator[bytes]:
        rng, wanted = self._rng, self._wanted
        space = 0 if wanted.fixed or rng.random() < 0.75 else rng.choice(_ELSEWHERE)
        name = f"{self._author.name()} {number}"
        title = f"{_SPACES[space]}:{name}" if space else name
        target = None
        if not (wanted.fixed or space) and rng.random() < 0.15:
            target = self._author.name()
        yield _page_head(title, space, number, target)
        parent = None
        time = _BEGAN + timedelta(seconds=0 if wanted.fixed else rng.randrange(10**8))
        edits = self._redirects(target) if target else self._edits(name, number, space)
        for edit in edits:
            self._revision += 1
            time += timedelta(seconds=60 + int(rng.expovariate(1 / 40_000)))
            yield _revision(edit, self._revision, parent, time)
            parent = self._revision
        yield b"  </page>\n"

    def _redirects(self, target: str) -> Iterator[Edit]:
        for _ in range(self._rng.choice((1, 1, 1, 2, 3))):
            name, number = self._rng.choice(self._accounts)
            yield Edit([Block.of(f"#REDIRECT [[{target}]]")], name, number, f"to [[{target}]]")

    def _edits(self, title: str, number: int, space: int) -> Iterator[Edit]:
        """Yield the history of a page that is no redirect."""
        rng, wanted = self._rng, self._wanted
        count, size = wanted.revisions, wanted.size
        if not wanted.fixed:
            count = 1 + int(rng.lognormvariate(0, 1.2) / 2.05 * count)
            size = 50 + int(rng.lognormvariate(0, 0.9) / 1.5 * size)
        tagged = space == 0 and int(number * wanted.tagged) > int((number - 1) * wanted.tagged)
        article = Article(self._author, title, fixed=wanted.fixed, tagged=tagged)
        for n in range(count):
            article.edit(size if wanted.fixed else int(size * (0.2 + 1.6 * n / count)))
            edit = self._by_somebody(article.blocks)
            if wanted.giant and number == 1 and n == count // 2:
                edit = replace(edit, blocks=article.enlarged(wanted.giant))
            yield edit
            if not wanted.fixed and rng.random() < 0.05:
                yield from self._vandalism(article, edit.name)

    def _by_somebody(self, blocks: list[Block]) -> Edit:
        rng = self._rng
        summary = rng.choice(_SUMMARIES).format(*self._author.words(3))
        if rng.random() < 0.3:
            return Edit(blocks, _address(rng), None, summary, hidden=rng.random() < 0.005)
        # Few accounts make most of the edits, some of them bots.
        place = min(int(rng.paretovariate(0.7)) - 1, len(self._accounts) - 1)
        name, number = self._accounts[place]
        if place % 10 == 3:
            return Edit(blocks, f"{name.split()[0]}Bot", number, "bot: fixing links", minor=True)
        return Edit(blocks, name, number, summary, minor=rng.random() < 0.25)

    def _vandalism(self, article: Article, last: str) -> Iterator[Edit]:
        rng, vandal = self._rng, _address(self._rng)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            yield Edit(article.vandalised(), vandal, None, "")
        name, number = rng.choice(self._accounts)
        yield Edit(article.blocks, name, number, _REVERTED.format(vandal, last), minor=True)


def _address(rng: random.Random) -> str:
    return ".".join(str(rng.randrange(1, 255)) for _ in range(4))


def _head() -> bytes:
    ends = ((key, f">{name}</namespace>" if name else " />") for key, name in _SPACES.items())
    spaces = "".join(
        f'      <namespace key="{key}" case="first-letter"{end}\n' for key, end in ends
    )
    schema = "http://www.mediawiki.org/xml/export-0.11"
    return (
        f'<mediawiki xmlns="{schema}/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{schema}/ {schema}.xsd" version="0.11" xml:lang="en">\n'
        "  <siteinfo>\n    <sitename>Made up</sitename>\n    <dbname>madeupwiki</dbname>\n"
        "    <base>https://en.madeup.example/wiki/Main_Page</base>\n"
        "    <generator>MediaWiki 1.45.0</generator>\n    <case>first-letter</case>\n"
        f"    <namespaces>\n{spaces}    </namespaces>\n  </siteinfo>\n"
    ).encode()


def _page_head(title: str, space: int, number: int, target: str | None) -> bytes:
    redirect = f'    <redirect title="{escaped(target)}" />\n' if target else ""
    return (
        f"  <page>\n    <title>{escaped(title)}</title>\n    <ns>{space}</ns>\n"
        f"    <id>{number}</id>\n{redirect}"
    ).encode()


def _revision(edit: Edit, number: int, parent: int | None, time: datetime) -> bytes:
    sha1 = _base36_sha1(b"".join([block.plain for block in edit.blocks]))
    size = length(edit.blocks)
    head = (
        f"    <revision>\n      <id>{number}</id>\n"
        f"{f'      <parentid>{parent}</parentid>{chr(10)}' if parent else ''}"
        f"      <timestamp>{time:%Y-%m-%dT%H:%M:%SZ}</timestamp>\n"
        f"{_contributor(edit)}{_about(edit)}      <origin>{number}</origin>\n"
        "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
        f'      <text bytes="{size}" sha1="{sha1}"'
    )
    content = [block.escaped for block in edit.blocks]
    if edit.hidden:
        head, content = head + ' deleted="deleted" />', []
    else:
        head += ' xml:space="preserve">' if content else " />"
    end = "</text>" if content else ""
    end += f"\n      <sha1>{sha1}</sha1>\n    </revision>\n"
    return b"".join([head.encode(), *content, end.encode()])


def _contributor(edit: Edit) -> str:
    if edit.hidden:
        return '      <contributor deleted="deleted" />\n'
    who = f"        <ip>{edit.name}</ip>\n"
    if edit.number is not None:
        who = f"        <username>{escaped(edit.name)}</username>\n        <id>{edit.number}</id>\n"
    return f"      <contributor>\n{who}      </contributor>\n"


def _about(edit: Edit) -> str:
    minor = "      <minor />\n" if edit.minor else ""
    if edit.hidden:
        return f'{minor}      <comment deleted="deleted" />\n'
    said = f"      <comment>{escaped(edit.summary)}</comment>\n" if edit.summary else ""
    return minor + said


def _base36_sha1(text: bytes) -> str:
    number = int.from_bytes(hashlib.sha1(text, usedforsecurity=False).digest())
    digits = []
    for _ in range(31):
        number, digit = divmod(number, 36)
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))


@contextmanager
def target(path: Path | None) -> Iterator[IO[bytes]]:
    """Give the file to write to, packed as its name says; standard output for None."""
    if path is None:
        yield sys.stdout.buffer
    elif path.suffix == ".7z":
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".xml") as plain:
            yield cast(IO[bytes], plain)
            plain.flush()
            with py7zr.SevenZipFile(path, "w") as archive:
                archive.write(plain.name, path.stem)
    else:
        with _OPEN.get(path.suffix, open)(str(path), "wb") as file:
            yield file


_OPEN: dict[str, Callable[[str, str], Any]] = {
    ".bz2": bz2.open,
    ".gz": gzip.open,
    ".xz": lzma.open,
    ".zst": zstandard.open,
}


def main() -> None:
    """Write the export that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--revisions", type=int, default=50, help="of a page, in the mean")
    parser.add_argument("--size", type=int, default=10_000, help="of a text in bytes, in the mean")
    parser.add_argument(
        "--tagged", type=float, default=0.1, help="share of the articles that tags come to"
    )
    parser.add_argument("--fixed", action="store_true", help="all pages and revisions alike")
    parser.add_argument(
        "--giant", type=int, default=0, help="bytes of one long revision, in the first page"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--out", type=Path, help="x.xml, or packed: .bz2 .7z .gz .xz .zst")
    asked = vars(parser.parse_args())
    try:
        with target(asked.pop("out")) as file:
            for piece in Wiki(Wanted(**asked)).export():
                file.write(piece)
    except BrokenPipeError:
        # Whoever reads has had enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
