"""Training of a rewriter on sentence pairs, its card, and its rewrites of lines of text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from wikibias.corpus.sentence_pairs.reading import read_pairs
from wikibias.edits.edited_spans import edited_spans
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import markdown
from wikibias.kits.files import write_text
from wikibias.kits.folders import CARD, refuse_foreign
from wikibias.kits.tables import given_sentences
from wikibias.messages import counted
from wikibias.models import package_versions
from wikibias.models.examples import LONGEST, Warn
from wikibias.models.package_versions import versions
from wikibias.records import EditedSpan
from wikibias.research.neutralising import rewriters
from wikibias.research.neutralising.rewriters import Pair, Rewriter
from wikibias.research.neutralising.words import is_letter, words

_KINDS = {
    "copy": "leaves every sentence as it is, as a baseline",
    "edit-table": "deletes or replaces one word, by what editors did to words of each kind",
    "seq2seq": "writes the sentence anew with a sequence-to-sequence model",
}


def card(described: Mapping[str, Any]) -> str:
    """Return the card of a rewriter, given its description."""
    data = described["data"]
    name = str(described["rewriter"])
    settings = ", ".join(markdown.code(f"{k}={v}") for k, v in described["parameters"].items())
    lists = described.get("lexicons") or []
    lines = [
        f"# Rewriter: {markdown.text(name)}",
        "",
        f"This model {_KINDS.get(name, 'rewrites sentences')}. Trained by `wikibias neutralise "
        "train`; use it with `wikibias neutralise predict`.",
        "",
        "## Data",
        "",
        f"{data['pairs']:,} sentence pairs, {data['changed']:,} of them changed by an editor, from "
        f"{_names(data['files'])}. {data['excluded']:,} pairs were left out because "
        f"{_names(data['excluded_files']) or 'no test set'} has a sentence of theirs. SHA-256 of "
        f"the pairs: {data['sha256'][:16]}.",
        "",
        "## Configuration",
        "",
        f"Parameters: {settings or 'the defaults'}. Seed: {described['seed']}. Language: "
        f"{markdown.text(described['lang'] or 'not given')}.",
    ]
    if "least" in described:
        lines += [
            "",
            f"It edits from a probability of an edit of {described['least']:.3f} on.",
        ]
    if lists:
        lines += [
            "",
            f"The folder holds the words of these lists: {_names(lists)}. Their licences apply to "
            "whoever passes the folder on.",
        ]
    lines += [
        "",
        "## Limits",
        "",
        "It has learnt what editors did, not what is true: a rewrite may drop what matters, say "
        "something else, or leave the bias. An editor must read each one. Do not let it edit "
        "Wikipedia by itself, and judge no author by it. Scores are those of `wikibias neutralise "
        "score`, beside a copy and on the same rows.",
        "",
        *package_versions.section(described["versions"]),
    ]
    return "\n".join(lines) + "\n"


def _names(given: list[str]) -> str:
    return ", ".join(markdown.code(name) for name in given)


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
    refuse_foreign(out, rewriters.FOLDER.is_ours)
    if overwrite or not rewriters.FOLDER.is_ours(out):
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


_AT_ONCE = 32


def rewrites(model: Rewriter, lines: BinaryIO, name: str, warn: Warn) -> Iterator[dict[str, Any]]:
    """Yield an answer for each line: `text`, `rewrite` and `edits`, in order; a few at a time.

    A blank line, or one of more characters than a sentence has, stays as it is. Each edit has its
    `type`, the spans of both texts in characters, and what stood and stands there.

    Raises:
        WikibiasError: a line is not text.
    """
    numbered = given_sentences(lines, name)
    long = 0
    while texts := [text for _, text in islice(numbered, _AT_ONCE)]:
        some = [text for text in texts if text.strip() and len(text) <= LONGEST]
        long += sum(len(text) > LONGEST for text in texts)
        made = iter(model.rewrite(some))
        for text in texts:
            new = next(made) if text.strip() and len(text) <= LONGEST else text
            yield {"text": text, "rewrite": new, "edits": [*_edits(text, new)]}
    if long:
        warn(f"left {counted(long, 'line')} of more than {LONGEST:,} characters as they are")


def _edits(text: str, new: str) -> Iterator[dict[str, str]]:
    for edit in edited_spans(text, new) if text != new else ():
        yield {
            "type": edit.type,
            "source": edit.source,
            "target": edit.target,
            **_shown(edit, text, new),
        }


def _shown(edit: EditedSpan, text: str, new: str) -> dict[str, str]:
    return {"before": _at(text, edit.source), "after": _at(new, edit.target)}


def _at(text: str, spans: str) -> str:
    """Return what stands at spans such as "12:18 30:34"."""
    places = (tuple(map(int, span.split(":"))) for span in spans.split())
    return " … ".join(text[start:end] for start, end in places)
