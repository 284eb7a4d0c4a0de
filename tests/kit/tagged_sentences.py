"""A dump in which inline tags come, are answered and go; one page for each number."""

import random
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from exports import Page, Revision, export, wikibias, word


def sentence(page: int, number: int) -> str:
    """Return a sentence that no other page has."""
    rng = random.Random(page * 100 + number)
    words = " ".join(word(rng.randrange(8000)) for _ in range(9))
    return f"{words.capitalize()}."


def _page(page: int) -> Page:
    text = [sentence(page, number) for number in range(30)]
    plain = "\n\n".join(" ".join(text[at : at + 5]) for at in range(0, 30, 5))

    def tagged(tag: str) -> str:
        return plain.replace(text[7], f"{text[7]}{{{{{tag}|date=May 2019}}}}")

    answered = plain.replace(text[7], f"{text[7]}<ref>A history of the town, 1990.</ref>")
    new = answered.replace(text[12], f"{text[12]}{{{{weasel inline}}}}")
    mended = answered.replace(text[12], text[12].replace(".", f" in {word(page)} and {word(3)}."))
    return Page(
        f"Village {page}",
        [
            Revision(plain),
            Revision(tagged("citation needed")),
            Revision(answered, comment="add a source"),
            Revision(new),
            Revision(mended, comment="say who"),
        ],
    )


def write_dump(path: Path, pages: int = 12) -> Path:
    """Write the dump."""
    path.write_bytes(export([_page(page) for page in range(1, pages + 1)]))
    return path


@cache
def labelled() -> Path:
    """Return the result of such a dump, with labels; tests must leave it as it is."""
    out = Path(mkdtemp(prefix="wikibias-")) / "out"
    dump = write_dump(out.with_name("dump.xml"))
    words = ("--lang", "en", "--tagset", "inline-cleanup", "--workers", 1, "-q")
    wikibias("extract", *words, "--labels", "tags", "-o", out, dump).well()
    return out
