"""Generates a synthetic export with full history, schema 0.11, of any size; seeded.

Pages grow, and successive revisions share nearly all of their text. The number of revisions, the
length of pages and the size of edits are skewed, as on a real wiki. Vandalism is reverted, and on
some pages editors add and remove neutrality tags.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
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

from synthetic_wikitext import TAG_INTERVAL, Article, Author, Fragment, Stub
from synthetic_xml import NAMESPACES, Edit, head, page_head, revision

EXAMPLES = """examples:
  python scripts/make_synthetic_dump.py --pages 200 --seed 7 -o synthetic.xml.7z
  python scripts/make_synthetic_dump.py --fixed --pages 1 --revisions 50000 --tagged 1"""
_FIRST_EDIT = datetime(2006, 1, 1, tzinfo=UTC)
_TEN_YEARS = 10 * 365 * 86_400  # seconds
_OTHER_NAMESPACES = (1, 1, 1, 2, 3, 3, 4, 10, 14)  # by frequency
_SUMMARIES = (
    "", "", "", "copyedit", "/* {0} */", "/* {0} */ more on {1}", "typo", "ref added", "see talk",
    "rm unsourced claim", "[[WP:NPOV]]: {0} & {1}", "{0} {1} {2}", "fmt",
)  # fmt: skip
_REVERTED = "Reverted edits by [[Special:Contributions/{0}|{0}]] to last version by {1}"


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a dump: pages, mean revisions of a page, mean bytes of a revision.

    `fixed`: all pages and revisions have the mean size. `tagged`: share of the articles with tags.
    `giant`: length in bytes of one long revision of the first page; 0 for none. `stubs`: the pages
    are a few sentences.
    """

    pages: int
    revisions: int
    bytes: int
    tagged: float
    fixed: bool
    giant: int
    seed: int
    stubs: bool = False


class Wiki:
    """Generates the pages of one export in order; revision ids increase from page to page."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._rng = random.Random(size.seed)
        self._author = Author(self._rng)
        self._accounts = [(f"{self._author.name()} {n}", n) for n in range(1, 800)]
        self._revision = 0

    def export(self) -> Iterator[bytes]:
        """Yield the export as bytes; no item is longer than a revision."""
        yield head()
        for number in range(1, self._size.pages + 1):
            yield from self._page(number)
        yield b"</mediawiki>\n"

    def _page(self, number: int) -> Iterator[bytes]:
        rng, fixed = self._rng, self._size.fixed
        namespace = 0 if fixed or rng.random() < 0.75 else rng.choice(_OTHER_NAMESPACES)
        name = f"{self._author.name()} {number}"
        title = f"{NAMESPACES[namespace]}:{name}" if namespace else name
        target = None
        if not (fixed or namespace) and rng.random() < 0.15:
            target = self._author.name()
        yield page_head(title, namespace, number, target)
        parent: int | None = None
        # Not far into the future, however many revisions there are.
        interval = min(40_000, _TEN_YEARS / self._size.revisions)
        time = _FIRST_EDIT + timedelta(seconds=0 if fixed else rng.randrange(10**8))
        edits = self._redirects(target) if target else self._edits(name, number, namespace)
        for edit in edits:
            self._revision += 1
            time += timedelta(seconds=60 + int(rng.expovariate(1 / interval)))
            yield revision(edit, self._revision, parent, time)
            parent = self._revision
        yield b"  </page>\n"

    def _redirects(self, target: str) -> Iterator[Edit]:
        for _ in range(self._rng.choice((1, 1, 1, 2, 3))):
            name, number = self._rng.choice(self._accounts)
            yield Edit([Fragment.of(f"#REDIRECT [[{target}]]")], name, number, f"to [[{target}]]")

    def _edits(self, title: str, number: int, namespace: int) -> Iterator[Edit]:
        """Yield the history of a page that is no redirect."""
        rng, fixed = self._rng, self._size.fixed
        count, size = self._size.revisions, self._size.bytes
        if not fixed:
            count = 1 + int(rng.lognormvariate(0, 1.2) / 2.05 * count)
            size = 50 + int(rng.lognormvariate(0, 0.9) / 1.5 * size)
        tagged = self._has_tags(number, namespace)
        article: Article | Stub = (
            Stub(self._author, title, tagged_every=tagged * min(TAG_INTERVAL, 1 + count // 4))
            if self._size.stubs
            else Article(self._author, title, fixed=fixed, tagged=tagged)
        )
        for n in range(count):
            article.edit(size if fixed else int(size * (0.2 + 1.6 * n / count)))
            edit = self._by_random_author(article.fragments)
            if self._size.giant and number == 1 and n == count // 2:
                edit = replace(edit, fragments=article.enlarged(self._size.giant))
            yield edit
            if not fixed and rng.random() < 0.05:
                yield from self._vandalism(article, edit.name)

    def _has_tags(self, number: int, namespace: int) -> bool:
        share = self._size.tagged
        return namespace == 0 and int(number * share) > int((number - 1) * share)

    def _by_random_author(self, fragments: list[Fragment]) -> Edit:
        rng = self._rng
        summary = rng.choice(_SUMMARIES).format(*self._author.words(3))
        if rng.random() < 0.3:
            return Edit(fragments, _ip_address(rng), None, summary, hidden=rng.random() < 0.005)
        # Few accounts make most of the edits, some of them bots.
        place = min(int(rng.paretovariate(0.7)) - 1, len(self._accounts) - 1)
        name, number = self._accounts[place]
        if place % 10 == 3:
            return Edit(fragments, f"{name.split()[0]}Bot", number, "bot: fixing links", minor=True)
        return Edit(fragments, name, number, summary, minor=rng.random() < 0.25)

    def _vandalism(self, article: Article | Stub, last: str) -> Iterator[Edit]:
        rng, vandal = self._rng, _ip_address(self._rng)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            yield Edit(article.vandalised(), vandal, None, "")
        name, number = rng.choice(self._accounts)
        yield Edit(article.fragments, name, number, _REVERTED.format(vandal, last), minor=True)


def _ip_address(rng: random.Random) -> str:
    return ".".join(str(rng.randrange(1, 255)) for _ in range(4))


@contextmanager
def open_target(path: Path | None) -> Iterator[IO[bytes]]:
    """Open the file to write, compressed according to its extension; None is standard output."""
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
    """Write the export."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--revisions", type=int, default=50, help="mean number per page")
    parser.add_argument(
        "--size", type=int, dest="bytes", default=10_000, help="mean bytes per revision"
    )
    parser.add_argument("--tagged", type=float, default=0.1, help="share of articles with tags")
    parser.add_argument(
        "--fixed", action="store_true", help="give all pages and revisions the mean size"
    )
    parser.add_argument(
        "--giant", type=int, default=0, help="bytes of one long revision of the first page"
    )
    parser.add_argument(
        "--stubs", action="store_true", help="pages of a few sentences, of 200 bytes or more"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--out", type=Path, help=".xml, .xml.bz2, .7z, .gz, .xz or .zst")
    options = vars(parser.parse_args())
    try:
        with open_target(options.pop("out")) as file:
            for content in Wiki(Size(**options)).export():
                file.write(content)
    except BrokenPipeError:
        # The reading program has ended.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
