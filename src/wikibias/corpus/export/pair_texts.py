"""Sentence pairs in the files of others: those of WNC and of WIKIBIAS, and words with labels.

Words are separated by spaces, as `edits.word_diff` finds them. Nothing is put in front of cells
that a spreadsheet would calculate: the published readers would take it for a part of the sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from wikibias.config.choices import SPLITS
from wikibias.edits.word_diff import tokens
from wikibias.records import SentencePair

OUTSIDE, BEGIN, INSIDE = "O", "B-bias", "I-bias"
# What the readers of WNC put where a file has no tags, and WIKIBIAS has for what is none of its.
_NO_TAG, _OTHER = "<UNK>", "X"
Write = Callable[[str, str], object]
"""Takes the name of a file, and lines for it."""


def words(text: str) -> list[str]:
    """Return the words and marks of a sentence."""
    return [text[start:end] for start, end in tokens(text)]


def labels(pair: SentencePair) -> list[str]:
    """Return a label for each word of the source: whether it begins or goes on with an edit."""
    found: list[str] = []
    spans = [
        (int(start), int(end))
        for edit in pair.edits
        for start, _, end in (span.partition(":") for span in edit.source.split())
    ]
    before = None
    for start, _ in tokens(pair.source):
        within = next((span for span in spans if span[0] <= start < span[1]), None)
        found.append(OUTSIDE if within is None else INSIDE if within == before else BEGIN)
        before = within
    return found


def write_wnc(folder: Path, pairs: Iterable[SentencePair]) -> None:
    """Write the files of the Wiki Neutrality Corpus (Pryzant et al. 2020).

    Seven columns with tabs between them: the newer revision, source and target as words in lower
    case, both as they are, and for each word of the source a part of speech and a relation, which
    nobody has found here: `<UNK>`, as the authors' reader has it for a file without them.
    """

    def lines(pair: SentencePair, write: Write) -> None:
        source, target = (" ".join(words(side)).lower() for side in (pair.source, pair.target))
        unknown = " ".join([_NO_TAG] * len(source.split(" ")))
        raw = _line(pair.source), _line(pair.target)
        row = "\t".join((_revision(pair), source, target, *raw, unknown, unknown)) + "\n"
        if pair.label == "neutral":
            write("neutral", row)
            return
        write("biased.full", row)
        if pair.single_word:
            write(f"biased.word.{pair.split}", row)

    names = ("biased.full", *(f"biased.word.{split}" for split in SPLITS), "neutral")
    _write(folder, names, pairs, lines)


def write_wikibias(folder: Path, pairs: Iterable[SentencePair]) -> None:
    """Write the files of WIKIBIAS (Zhong et al. 2021), as its readers read them.

    In `class_binary` a sentence, two tabs, and 1 for a source or 0 for a target. In `tag_binary`,
    of the sources, words with labels, and the same in blocks of five lines: the sentence and 1, two
    lines of parts of speech (`X`, as nobody has found any), the labels, an empty line.
    """

    def lines(pair: SentencePair, write: Write) -> None:
        if pair.label == "neutral":
            return
        found, split = labels(pair), pair.split
        source, target = words(pair.source), words(pair.target)
        write(f"class_binary/{split}.tsv", f"{' '.join(source)}\t\t1\n")
        write(f"class_binary/{split}.tsv", f"{' '.join(target)}\t\t0\n")
        write(f"tag_binary/{split}_conll.txt", _conll(source, found))
        write(f"tag_binary/tag_{split}.tsv", _block(source, found, "1", "Original"))
        outside = [OUTSIDE] * len(target)
        write(f"tag_binary/tag_{split}_neg.tsv", _block(target, outside, "0", "Neutral"))

    names = [
        name.format(split)
        for name in (
            "class_binary/{}.tsv",
            "tag_binary/{}_conll.txt",
            "tag_binary/tag_{}.tsv",
            "tag_binary/tag_{}_neg.tsv",
        )
        for split in SPLITS
    ]
    _write(folder, names, pairs, lines)


def write_bio(folder: Path, pairs: Iterable[SentencePair]) -> None:
    """Write a file a split of words and labels: of sources, and of neutral sentences all O."""

    def lines(pair: SentencePair, write: Write) -> None:
        write(f"{pair.split}.bio", _conll(words(pair.source), labels(pair)))

    _write(folder, [f"{split}.bio" for split in SPLITS], pairs, lines)


def _write(
    folder: Path,
    names: Sequence[str],
    pairs: Iterable[SentencePair],
    lines: Callable[[SentencePair, Write], None],
) -> None:
    """Write files side by side, so that the pairs are read once."""
    with ExitStack() as stack:
        files: dict[str, IO[str]] = {}
        for name in names:
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            files[name] = stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
        for pair in pairs:
            if tokens(pair.source) and tokens(pair.target):
                lines(pair, lambda name, text: files[name].write(text))


def _conll(found: Sequence[str], tags: Sequence[str]) -> str:
    rows = (f"{word} {tag}\n" for word, tag in zip(found, tags, strict=True))
    return f"{''.join(rows)}\n"


def _block(found: Sequence[str], tags: Sequence[str], label: str, side: str) -> str:
    speech = " ".join([_OTHER] * len(found))
    parts = ((" ".join(found), label), (speech, side), (speech, side), (" ".join(tags), side))
    return "".join(f"{text} ||| {what}\n" for text, what in parts) + "\n"


def _revision(pair: SentencePair) -> str:
    known = pair.provenance.after_rev_id
    return _line(pair.pair_id) if known is None else str(known)


def _line(text: str) -> str:
    return " ".join(text.split())
