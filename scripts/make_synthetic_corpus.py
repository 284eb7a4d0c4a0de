"""Makes a corpus of any number of labelled sentences by recombining those of published ones.

Each sentence is put together of phrases of two to six words from sentences of one language and
label, so that classifiers find something to learn. Some words are new, put together of the
beginning of one and the end of another: the vocabulary of a real corpus never ends. A few sentences
are repeated, and a few again with one word changed, as templates and copied paragraphs are.

    scripts/make_synthetic_corpus.py FOLDER --sentences 1000000

Writes `train.tsv` (80 %), `dev.tsv`, `test.tsv` (10 % each; `label<TAB>sentence`), and
`sentences.txt` without labels. The same sources, number and seed give the same bytes.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

SHARED = Path(
    os.environ.get("WIKIBIAS_SHARED", Path(__file__).resolve().parents[2] / "shared" / "data")
)
_SPLITS = {"train": 8, "dev": 1, "test": 1}
# Files of a biased and a neutral sentence each: the columns of the two.
_PAIRS = {
    "en": {"early_pairs.train.tsv": (0, 1), "wnc_word_test.even.tsv": (1, 2)},
    "fr": {"fr_word_pairs.train.tsv": (1, 2), "fr_word_pairs.dev.tsv": (1, 2)},
    "pl": {"pl_pairs.even.tsv": (1, 2)},
}
_LABELS = {"rem": "biased", "add": "neutral"}
_NEW_WORDS, _REPEATED, _NEARLY_REPEATED = 0.02, 0.01, 0.02
_REMEMBERED = 2_000
Sources = dict[tuple[str, str], list[list[str]]]
"""Language and label -> the words of each sentence."""


def main() -> int:
    """Write the corpus and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = sources(SHARED)
    if not found:
        print(f"no published corpora at {SHARED} (set WIKIBIAS_SHARED)", file=sys.stderr)
        return 1
    write(options.folder, found, options.sentences, options.seed)
    return 0


def sources(shared: Path) -> Sources:
    """Return the sentences of the published corpora; empty where there are none."""
    found: Sources = {}
    for path in sorted((shared / "wiki-bias").glob("BG-xx-*.txt")):
        for label, text in _rows(path):
            found.setdefault(("bg", _LABELS[label]), []).append(text.split())
    for lang, files in _PAIRS.items():
        for name, columns in files.items():
            path = shared / "pairs" / name
            for row in _rows(path) if path.is_file() else ():
                for label, column in zip(_LABELS.values(), columns, strict=True):
                    if column < len(row) and len(row[column].split()) > 3:
                        found.setdefault((lang, label), []).append(row[column].split())
    return found


def write(folder: Path, found: Sources, count: int, seed: int) -> None:
    """Write the splits, and the sentences without labels."""
    folder.mkdir(parents=True, exist_ok=True)
    made = recombined(found, seed)
    with (folder / "sentences.txt").open("w", encoding="utf-8", newline="\n") as bare:
        for name, tenths in _SPLITS.items():
            with (folder / f"{name}.tsv").open("w", encoding="utf-8", newline="\n") as lines:
                for label, text in islice(made, count * tenths // 10):
                    lines.write(f"{label}\t{text}\n")
                    bare.write(f"{text}\n")


def recombined(found: Sources, seed: int) -> Iterator[tuple[str, str]]:
    """Yield labels and sentences without end. Sentences of one language come in their share."""
    rng = random.Random(seed)
    kinds = sorted(found)
    sizes = [len(found[kind]) for kind in kinds]
    last: list[tuple[str, list[str]]] = []
    while True:
        draw = rng.random()
        if last and draw < _REPEATED + _NEARLY_REPEATED:
            label, words = rng.choice(last)
            if draw < _NEARLY_REPEATED:
                words = list(words)
                words[rng.randrange(len(words))] = _new_word(rng, words, words)
        else:
            kind = rng.choices(kinds, sizes)[0]
            label, words = kind[1], _sentence(rng, found[kind])
        if len(last) < _REMEMBERED:
            last.append((label, words))
        else:
            last[rng.randrange(_REMEMBERED)] = (label, words)
        yield label, " ".join(words)


def _sentence(rng: random.Random, pool: Sequence[list[str]]) -> list[str]:
    length, words = len(rng.choice(pool)), list[str]()
    while len(words) < length:
        origin = rng.choice(pool)
        start = rng.randrange(len(origin))
        words += origin[start : start + rng.randint(2, 6)]
    return [
        _new_word(rng, words, rng.choice(pool)) if rng.random() < _NEW_WORDS else word
        for word in words
    ]


def _new_word(rng: random.Random, some: Sequence[str], others: Sequence[str]) -> str:
    first, second = rng.choice(some), rng.choice(others)
    return first[: len(first) // 2 + 1] + second[len(second) // 2 :]


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            yield line.rstrip("\r\n").split("\t")


if __name__ == "__main__":
    sys.exit(main())
