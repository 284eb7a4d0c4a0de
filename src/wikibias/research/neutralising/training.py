"""Trains a rewriter on sentence pairs, without those of a test set, and writes its folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from wikibias.corpus.sentence_pairs.reading import read_pairs
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import write_text
from wikibias.kits.folders import refuse_foreign
from wikibias.messages import counted
from wikibias.models.examples import LONGEST
from wikibias.models.model_folder import CARD, versions
from wikibias.research.neutralising import rewriters
from wikibias.research.neutralising.card import card
from wikibias.research.neutralising.rewriters import Pair, Rewriter
from wikibias.research.neutralising.words import is_letter, words

Warn = Callable[[str], None]
_PACKAGES = ("numpy", "scipy", "python-crfsuite", "torch", "transformers")


class File(NamedTuple):
    """A file or folder of pairs, and its columns, if they are named."""

    path: Path
    source: str | None = None
    target: str | None = None


class Data(NamedTuple):
    """Pairs to learn from, and what is to be said of them, as JSON."""

    pairs: list[Pair]
    facts: dict[str, Any]


def files(
    paths: Sequence[Path], sources: Sequence[str], targets: Sequence[str]
) -> tuple[File, ...]:
    """Return files with their columns, which are given once for all, or once for each.

    Raises:
        UsageError: there are neither none, nor one, nor as many columns as files.
    """
    named: list[Sequence[str | None]] = []
    for option, given in (("--source", sources), ("--target", targets)):
        if len(given) not in (0, 1, len(paths)):
            raise UsageError(
                f"{option} is given {len(given)} times for {counted(len(paths), 'file')}; give it "
                "once for all of them, or once for each"
            )
        named.append(list(given or (None,)) * (1 if len(given) == len(paths) else len(paths)))
    return tuple(File(*each) for each in zip(paths, *named, strict=True))


def read_data(given: Sequence[File], exclude: Sequence[File], warn: Warn) -> Data:
    """Read pairs, less those of which a side is a sentence of the files to exclude.

    A file to exclude whose columns cannot be told has those of the first of the others. Sentences
    are the same where their words are, however they are written down and whatever marks stand
    between them.

    Raises:
        UsageError: a file or a column is not there.
        WikibiasError: a row cannot be read, or no pair is left.
    """
    named = [_named_like(each, given[0]) for each in exclude]
    held_out = {_key(side) for pair in _all(named, warn) for side in (pair.source, pair.target)}
    pairs: list[Pair] = []
    left_out = long = 0
    for pair in _all(given, warn):
        if max(len(pair.source), len(pair.target)) > LONGEST:
            long += 1
        elif held_out and not held_out.isdisjoint((_key(pair.source), _key(pair.target))):
            left_out += 1
        else:
            pairs.append(pair)
    if long:
        warn(f"left out {counted(long, 'pair')} of more than {LONGEST:,} characters")
    if left_out:
        warn(f"left out {counted(left_out, 'pair')} with a sentence of the files to exclude")
    if not pairs:
        raise WikibiasError("no pair is left to learn from; give more PAIRS, or exclude less")
    mark = sha256()
    for pair in pairs:
        mark.update(f"{pair.source}\t{pair.target}\n".encode("utf-8", "surrogatepass"))
    facts = {
        "files": [each.path.name for each in given],
        "excluded_files": [each.path.name for each in exclude],
        "excluded": left_out,
        "pairs": len(pairs),
        "changed": sum(pair.source != pair.target for pair in pairs),
        "sha256": mark.hexdigest(),
    }
    return Data(pairs, facts)


def mark_of(lexicons: Iterable[Iterable[str]], *folders: str | None) -> str:
    """Return a digest of what a rewriter is made of beside pairs and parameters.

    Args:
        lexicons: their words.
        folders: of models to begin with, or None.
    """
    made_of = [[*map(sorted, lexicons)], [*folders]]
    return sha256(json.dumps(made_of).encode()).hexdigest()


def train(model: Rewriter, data: Data, out: Path, *, overwrite: bool = False) -> None:
    """Train a rewriter and write its folder, with a card.

    Raises:
        UsageError: the folder holds something else, or a rewriter of other data or settings that
            may not be replaced.
        WikibiasError: nothing can be learnt from the pairs.
        DiskError: the folder cannot be written.
    """
    check_folder(model, data, out, overwrite=overwrite)
    model.fit(data.pairs)
    rewriters.FOLDER.clear(out)
    rewriters.save(model, out, {"data": data.facts, "versions": versions(_PACKAGES)})
    write_text(out / CARD, card(rewriters.FOLDER.describe(out)))


def check_folder(model: Rewriter, data: Data, out: Path, *, overwrite: bool) -> None:
    """Make sure that a folder is empty, or holds the same rewriter, or one that may be replaced.

    Raises:
        UsageError: it is not so.
    """
    refuse_foreign(out, rewriters.FOLDER.holds)
    if overwrite or not rewriters.FOLDER.holds(out):
        return
    described = rewriters.FOLDER.describe(out)
    wanted = (model.name, model.seed, model.lang, model.parameters)
    same = tuple(described.get(key) for key in ("rewriter", "seed", "lang", "parameters")) == wanted
    facts = described.get("data")
    known = facts if isinstance(facts, dict) else {}
    if not same or any(known.get(key) != data.facts.get(key) for key in ("sha256", "made_of")):
        raise UsageError(
            f"{out} holds a rewriter of other data or settings; --overwrite replaces it, --out "
            "names another folder"
        )


def _all(given: Sequence[File], warn: Warn) -> Iterator[Pair]:
    for path, source, target in given:
        found = read_pairs(path, source=source, target=target, neutral=True, warn=warn)
        yield from (Pair(pair.source, pair.target, pair.group) for pair in found)


def _named_like(file: File, other: File) -> File:
    """Return a file with the columns of another where its own cannot be told."""
    try:
        next(read_pairs(file.path), None)
    except UsageError:
        return File(file.path, other.source, other.target)
    return file


def _key(text: str) -> bytes:
    """Return what sentences of the same words have in common; marks do not count."""
    keys = (word.key for word in words(text) if is_letter(word.key[0]))
    return sha256(" ".join(keys).encode("utf-8", "replace")).digest()
