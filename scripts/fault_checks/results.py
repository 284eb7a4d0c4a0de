"""Dumps to try, and what a result folder holds."""

import json
from pathlib import Path
from typing import Any

from make_synthetic_dump import Size, Wiki, escaped
from wikibias.mediawiki import base36_sha1

RESULTS = ("transitions", "diffs", "edits", "rejects", "corpus")
END = b"</mediawiki>\n"
_PAGE = b"  <page>\n"
_WORDS = "The village lies on the left bank of the river, below the pass and its two chapels. "


def wiki(seed: int, pages: int = 4, revisions: int = 45) -> bytes:
    """Return a dump with pages on which a tag comes and goes; a tenth of a second to read."""
    size = Size(pages, revisions, 3000, tagged=1, fixed=True, giant=0, seed=seed)
    return b"".join(Wiki(size).export())


def with_page(dump: bytes, page: bytes) -> bytes:
    """Return a dump with one more page, in the middle of its pages."""
    pages = dump.split(_PAGE)
    pages.insert(len(pages) // 2, page.removeprefix(_PAGE))
    return _PAGE.join(pages)


def page(
    *texts: str,
    number: object = 900,
    first: int = 9_000_000,
    year: str = "2015",
    title: str = "Bad",
) -> bytes:
    """Return a page with these wikitexts, with true checksums."""
    lines = [f"  <page>\n    <title>{escaped(title)}</title>\n    <ns>0</ns>"]
    lines.append(f"    <id>{number}</id>")
    for revision, text in enumerate(texts, first):
        sha1 = base36_sha1(text)
        lines.append(
            f"    <revision>\n      <id>{revision}</id>\n"
            f"      <timestamp>{year}-01-01T00:00:{revision % 60:02d}Z</timestamp>\n"
            "      <contributor><username>Orla</username><id>5</id></contributor>\n"
            f"      <comment>x</comment>\n      <origin>{revision}</origin>\n"
            "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
            f'      <text bytes="{len(text.encode())}" sha1="{sha1}" xml:space="preserve">'
            f"{escaped(text)}</text>\n      <sha1>{sha1}</sha1>\n    </revision>"
        )
    return "\n".join([*lines, "  </page>\n"]).encode()


def transition(hostile: str, removed: str = "", **about: Any) -> bytes:
    """Return a page that loses its tag and a sentence; hostile wikitext follows both times.

    `removed` is more hostile wikitext, in the sentence that is removed.
    """
    best = f"It is the very best {removed} of all that are known in the valley."
    before = f"{{{{POV}}}}\n{_WORDS * 6}{best}\n\n{hostile}\n"
    after = f"{_WORDS * 6}It is one of nine.\n\n{hostile}\n"
    return page(before, after, **about)


def manifest(out: Path) -> dict[str, Any]:
    """Return the manifest of a result."""
    return dict(json.loads((out / "manifest.json").read_text(encoding="utf-8")))


def states(out: Path) -> dict[str, str]:
    """Return the state of each part of a result."""
    return {entry["part"]: entry["state"] for entry in manifest(out)["inputs"]}


def tree(out: Path, kinds: tuple[str, ...] = RESULTS) -> dict[str, bytes]:
    """Return all files of a result by name, except the manifest, which contains times."""
    paths = [path for kind in kinds for path in sorted((out / kind).rglob("*"))]
    return {str(path.relative_to(out)): path.read_bytes() for path in paths if path.is_file()}


def corpus(out: Path) -> dict[str, bytes]:
    """Return the files of a corpus by name, except the card, which lists the parts."""
    return {name: body for name, body in tree(out, ("corpus",)).items() if name[-3:] != ".md"}
