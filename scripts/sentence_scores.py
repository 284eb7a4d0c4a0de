#!/usr/bin/env python3
"""Scores segmenters on texts with gold sentences, language by language.

Prints two tables in Markdown. The first holds, for each language, how many texts each segmenter
splits as the gold does, to the last boundary. The second holds, for each segmenter, precision and
recall of the boundaries within texts, and characters per CPU second on the same texts joined to
paragraphs of ordinary length.

The texts are those of tests/cases/sentence_texts/<half>/<language>.toml: `dev` was seen while the
rules were made; on the others, see docs/quality.md. Each [[text]] has `tests` (what for),
`joined_by` (what stands between two sentences) and `sentences`.

    .venv/bin/python scripts/sentence_scores.py --half held --segmenter rules --wrong
"""

import argparse
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from time import process_time

from alignment_scores import Count
from wikibias.config.languages import load_language
from wikibias.text.segmentation import SEGMENTERS, Splitter

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ROOT / "tests" / "cases" / "sentence_texts"
HALVES = ("dev", "held", "unseen")
PARAGRAPH = 600  # characters
LEAST_SECONDS = 0.3


@dataclass(frozen=True)
class Text:
    """A text of one language, its gold sentences, and what it tests."""

    lang: str
    tests: str
    joined_by: str
    sentences: tuple[str, ...]

    @property
    def paragraph(self) -> str:
        """The text as a segmenter gets it."""
        return self.joined_by.join(self.sentences)


@dataclass
class Score:
    """Texts that are right, of all; and the boundaries within them."""

    right: int = 0
    texts: int = 0
    ends: Count = field(default_factory=Count)

    def add(self, text: Text, found: Iterable[str]) -> bool:
        """Count a text; return whether it is right."""
        ours, gold = _ends(found), _ends(text.sentences)
        self.texts += 1
        self.right += ours == gold
        self.ends.add(ours, gold)
        return ours == gold


def _ends(sentences: Iterable[str]) -> set[int]:
    """Return the places of the boundaries within a text, counted without white space."""
    ends, so_far = [], 0
    for sentence in sentences:
        so_far += len("".join(sentence.split()))
        ends.append(so_far)
    return set(ends[:-1])


def read(half: str, folder: Path = TEXTS) -> Iterator[Text]:
    """Yield the texts of one half, language by language."""
    for path in sorted((folder / half).glob("*.toml")):
        for text in tomllib.loads(path.read_text(encoding="utf-8"))["text"]:
            yield Text(path.stem, text["tests"], text["joined_by"], tuple(text["sentences"]))


@cache
def splitter(segmenter: str, lang: str) -> Splitter:
    """Return what splits the paragraphs of a language."""
    return SEGMENTERS[segmenter](replace(load_language(lang), segmenter=segmenter))


def scores(segmenter: str, texts: Iterable[Text], wrong: list[str]) -> dict[str, Score]:
    """Return the score of each language; what is wrong goes into a list, as lines."""
    found: dict[str, Score] = {}
    for text in texts:
        sentences = list(splitter(segmenter, text.lang)(text.paragraph))
        if not found.setdefault(text.lang, Score()).add(text, sentences):
            wrong.append(f"{segmenter} {text.lang} ({text.tests}): " + " | ".join(sentences))
    return found


def speed(segmenter: str, texts: Iterable[Text]) -> float:
    """Return characters per CPU second; what a language takes to load does not count."""
    paragraphs: list[tuple[str, str]] = []
    for text in texts:
        last = paragraphs[-1] if paragraphs else ("", "")
        if last[0] == text.lang and len(last[1]) < PARAGRAPH:
            paragraphs[-1] = (text.lang, last[1] + text.joined_by + text.paragraph)
        else:
            paragraphs.append((text.lang, text.paragraph))
    chars, seconds = 0, 0.0
    while seconds < LEAST_SECONDS:
        for lang, paragraph in paragraphs:
            split = splitter(segmenter, lang)
            begin = process_time()
            for _ in split(paragraph):
                pass
            seconds += process_time() - begin
            chars += len(paragraph)
    return chars / seconds


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--half", choices=HALVES, help="only these texts")
    parser.add_argument("--segmenter", action="append", help="only this one; may be given again")
    parser.add_argument("--wrong", action="store_true", help="show what was split otherwise")
    arguments = parser.parse_args()
    texts = [t for half in HALVES if arguments.half in (None, half) for t in read(half)]
    if not texts:
        sys.exit(f"no texts in {TEXTS}")
    names = arguments.segmenter or SEGMENTERS.names()
    wrong: list[str] = []
    found = {name: scores(name, texts, wrong) for name in names}
    print(f"| language | texts | {' | '.join(names)} |")
    print("| --- | ---: |" + " ---: |" * len(names))
    for lang in sorted({text.lang for text in texts}):
        row = [found[name][lang] for name in names]
        print(f"| {lang} | {row[0].texts} | {' | '.join(str(score.right) for score in row)} |")
    all_of = {name: sum(score.right for score in found[name].values()) for name in names}
    print(f"| all | {len(texts)} | {' | '.join(str(all_of[name]) for name in names)} |")
    print("\n| segmenter | precision | recall | characters per CPU second |")
    print("| --- | ---: | ---: | ---: |")
    for name in names:
        hits, ours, gold = (
            sum(getattr(score.ends, what) for score in found[name].values())
            for what in ("right", "found", "gold")
        )
        quick = speed(name, texts)
        print(f"| {name} | {hits / max(1, ours):.3f} | {hits / gold:.3f} | {quick:,.0f} |")
    if arguments.wrong:
        print("", *wrong, sep="\n")


if __name__ == "__main__":
    main()
