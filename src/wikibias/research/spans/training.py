"""Training of a tagger: sentences, the choice of settings on dev, the folder and its card."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikibias.corpus import near_duplicates
from wikibias.corpus.sentence_pairs.reading import read_pairs
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import document, markdown
from wikibias.messages import counted
from wikibias.models.examples import LONGEST as LONGEST_TEXT
from wikibias.models.examples import Warn
from wikibias.models.lexicons import Lexicon
from wikibias.models.package_versions import versions
from wikibias.models.trained_folders import CARD
from wikibias.research.spans import labels, taggers
from wikibias.research.spans.labels import Tagged, key, of_neutral, of_pair
from wikibias.research.spans.scores import MATCHES, RATES, best_threshold, evaluate, quality
from wikibias.research.spans.taggers import Tagger
from wikibias.storage.atomic import write_text
from wikibias.storage.folders import refuse_foreign

TABLES = (".tsv", ".csv", ".jsonl", ".ndjson", ".json", ".parquet", ".gz")
"""Endings of files of pairs; a file with another one has a word and its labels a line."""
MOST = 50_000
"""Biased sentences that are learnt from at most, and as many without a span; chosen by the seed."""
_DEV = 0.1


@dataclass(slots=True)
class Examples:
    """Sentences to learn from, and those of dev, by which settings are chosen."""

    train: list[Tagged] = field(default_factory=list)
    dev: list[Tagged] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Source:
    """Where sentences come from, and how to read them.

    Attributes:
        path: a folder that `wikibias pairs` made, a file of pairs, or one of words and labels.
        source: column of the biased sentences of a file of pairs.
        target: that of the neutral ones.
        columns: what the columns of a file of words hold; see `conll.read`.
    """

    path: Path
    source: str | None = None
    target: str | None = None
    columns: tuple[str, ...] | None = None

    @property
    def holds_pairs(self) -> bool:
        """Whether it is of pairs."""
        return self.path.is_dir() or self.path.suffix.lower() in TABLES


def named(sources: Sequence[Source]) -> str:
    """Return what messages and cards call files together."""
    return " + ".join(str(source.path) for source in sources)


def read_examples(sources: Sequence[Source], *, neutral: float, seed: int, warn: Warn) -> Examples:
    """Read the sentences of files; a tenth becomes dev unless the pairs have a split dev.

    The source side of a pair has as spans what the edit took out or replaced; one whose edit only
    added words is left out. Sentences without a span come from neutral pairs and from target
    sides, `neutral` for each with one. A sentence that stands in several places counts once. Pairs
    of the split test are left out.

    Raises:
        UsageError: the file cannot be read, or lacks a column.
        WikibiasError: it has a line that cannot be read, or no span at all.
    """
    biased, plain = _Sample(MOST, seed), _Sample(MOST, seed + 1)
    for source in sources:
        for split, sentence in _labelled(source, warn):
            (biased if sentence.biased else plain).add(split, sentence)
    if not biased.kept:
        raise WikibiasError(f"{named(sources)}: no biased span to learn from")
    if any(source.holds_pairs for source in sources):
        plain.shrink(round(neutral * len(biased.kept)))
    for sample in (biased, plain):
        if sample.seen > MOST:
            warn(
                f"{named(sources)}: learns from {MOST:,} of {sample.seen:,} sentences, by the seed"
            )
    rows = [*biased.kept, *plain.kept]
    has_dev = any(split == "dev" for split, _ in rows)
    found = Examples()
    for split, sentence in rows:
        is_dev = split == "dev" if has_dev else _in_dev(sentence, seed)
        (found.dev if is_dev else found.train).append(sentence)
    return found


def texts(source: Source, warn: Warn) -> Iterator[tuple[str, ...]]:
    """Yield the words of all sentences of a file, of both sides where it holds pairs."""
    if source.holds_pairs:
        for pair in read_pairs(
            source.path, source=source.source, target=source.target, neutral=True
        ):
            yield of_neutral(pair.source).words
            yield of_neutral(pair.target).words
    else:
        for sentence in labels.read(source.path, source.columns, warn):
            yield tuple(_needed(source, sentence.words, "word"))


def labelled_sentences(source: Source, warn: Warn) -> Iterator[Tagged]:
    """Yield the sentences to score on: biased sides of pairs, or all of a file of words."""
    if source.holds_pairs:
        for pair in read_pairs(source.path, source=source.source, target=source.target, warn=warn):
            yield of_pair(pair.source, pair.target, pair.group)
    else:
        yield from (sentence for _, sentence in _of_words(source, warn, learn=False))


def _labelled(source: Source, warn: Warn) -> Iterator[tuple[str | None, Tagged]]:
    if not source.holds_pairs:
        yield from _of_words(source, warn, learn=True)
        return
    added = long = held = 0
    pairs = read_pairs(
        source.path, source=source.source, target=source.target, neutral=True, warn=warn
    )
    for pair in pairs:
        if pair.split == "test":
            held += 1
            continue
        if max(len(pair.source), len(pair.target)) > LONGEST_TEXT:
            long += 1
            continue
        sentence = of_pair(pair.source, pair.target, pair.group)
        if sentence.biased:
            yield pair.split, sentence
        elif pair.label == "biased" and pair.source != pair.target:
            added += 1
        yield pair.split, of_neutral(pair.target, pair.group)
    for number, why in (
        (held, "of the split test"),
        (added, "whose edit only added words"),
        (long, f"of over {LONGEST_TEXT:,} characters"),
    ):
        if number:
            warn(f"{source.path}: left out {counted(number, 'pair')} {why}")


def _of_words(source: Source, warn: Warn, *, learn: bool) -> Iterator[tuple[None, Tagged]]:
    for sentence in labels.read(source.path, source.columns, warn):
        words = _needed(source, sentence.words, "word")
        gold = _needed(source, sentence.gold, "gold")
        if not learn or len(words) <= labels.LONGEST:
            yield None, Tagged(tuple(words), tuple(_plain(label) for label in gold))


def _needed(source: Source, column: Sequence[str] | None, name: str) -> Sequence[str]:
    if column is None:
        raise WikibiasError(f"{source.path}: no column {name}; name the columns with --columns")
    return column


def _plain(label: str) -> str:
    return label if label == "O" else f"{label[0]}-bias"


def _in_dev(sentence: Tagged, seed: int) -> bool:
    """Decide by what a sentence shares with those that must stay with it."""
    shared = sentence.group or key(sentence.words)
    digest = sha256(f"{seed}\0{shared}".encode()).digest()
    return int.from_bytes(digest[:4], "big") < _DEV * 2**32


class _Sample:
    """A sample of different sentences in the order of the file, each as likely as any other."""

    def __init__(self, most: int, seed: int) -> None:
        self._most, self._random = most, random.Random(seed)  # noqa: S311 (no secret)
        self._keys = set[bytes]()
        self.kept: list[tuple[str | None, Tagged]] = []
        self.seen = 0

    def add(self, split: str | None, sentence: Tagged) -> None:
        digest = sha256(key(sentence.words).encode()).digest()[:8]
        if digest in self._keys:
            return
        if len(self._keys) < 10 * self._most:
            self._keys.add(digest)
        self.seen += 1
        if len(self.kept) < self._most:
            self.kept.append((split, sentence))
        elif (place := self._random.randrange(self.seen)) < self._most:
            self.kept[place] = (split, sentence)

    def shrink(self, most: int) -> None:
        if len(self.kept) > most:
            chosen = sorted(self._random.sample(range(len(self.kept)), most))
            self.kept = [self.kept[place] for place in chosen]


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of sentences, and how many were the same or nearly the same."""

    sentences: list[Tagged]
    same: int
    near: int


def without(sentences: Sequence[Tagged], held: Iterable[Sequence[str]]) -> Kept:
    """Return sentences that are not among those held out, nor near-duplicates of one.

    The same means the same letters and digits. Near-duplicates are those of `audit-split`: a cosine
    of character 5-grams of at least 0.5.
    """
    words = [tuple(each) for each in held]
    keys = {key(each) for each in words}
    different = [each for each in sentences if key(each.words) not in keys]
    same = len(sentences) - len(different)
    if not words or not different:
        return Kept(different, same, 0)
    ours, theirs = near_duplicates.vectors(
        "char", [_text(each.words) for each in different], [_text(each) for each in words]
    )
    near = set(near_duplicates.similar(ours, theirs).left.tolist())
    kept = [each for number, each in enumerate(different) if number not in near]
    return Kept(kept, same, len(near))


def _text(words: Sequence[str]) -> str:
    return " ".join(words).lower()


def card(described: Mapping[str, Any]) -> str:
    """Return the card of a tagger, by its description."""
    parameters = ", ".join(f"{name}={value}" for name, value in described["parameters"].items())
    lines = [
        f"# Tagger of biased words: {markdown.text(described['tagger'])}",
        "",
        "Marks words that an editor is likely to change for neutrality. Trained by `wikibias spans "
        "train`; use it with `wikibias spans predict`.",
        "",
        "## Data",
        "",
        "| split | sentences | with a span | source | SHA-256 of words and labels |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {name} | {data['sentences']:,} | {data['biased']:,} | "
            f"{markdown.code(data['source'])} | {data['sha256'][:16]} |"
            for name, data in described["data"].items()
        ),
        "",
        *(
            f"Left out because {markdown.code(each['source'])} holds them: {each['same']:,} "
            f"sentences, and {each['near']:,} that are nearly the same."
            for each in described["left_out"]
        ),
        "",
        "## Configuration",
        "",
        f"Parameters: {markdown.text(parameters or 'none')}. Seed: {described['seed']}. A word is "
        f"marked from a probability of {described['threshold']:.4f} on; threshold and parameters "
        f"are the best of {len(described['tried'])} tried, by the mean F1 of the four matches on "
        f"{described['chosen_on']}.",
        "",
        "## Scores on dev",
        "",
        "Take scores for a report from other sentences: where dev has a span, it chose the "
        "settings.",
        "",
        "| match | precision | recall | F1 |",
        "| --- | --- | --- | --- |",
        *(
            f"| {title} | "
            + " | ".join(document.number(described["dev"][name][rate]) for rate in RATES)
            + " |"
            for name, title in MATCHES.items()
        ),
        "",
        "## Limits",
        "",
        "Labels come from edits, not from annotators: what an editor changed need not be biased, "
        "and what nobody changed need not be neutral. Use it to find words to look at. Do not use "
        "it to judge a sentence, and never its author.",
        "",
    ]
    return "\n".join(lines)


ENOUGH = 50
"""Sentences with a span, under which a tagger says little, as `classify` says of each class."""
_PACKAGES = ("python-crfsuite", "torch", "transformers")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be trained, on what, and where to.

    Attributes:
        tagger: its name.
        sources: what to learn from.
        out: the folder of the tagger.
        excluded: files whose sentences must not be learnt from: those it is scored on.
        neutral: sentences without a span for each with one.
        lexicons: lists of words that the tagger may use.
        parameters: of the tagger, which are then not tried.
        seed: of dev, of what is chosen at random, and of the tagger.
        overwrite: whether a tagger in the folder may be replaced.
    """

    tagger: str
    sources: Sequence[Source]
    out: Path
    excluded: Sequence[Source] = ()
    neutral: float = 1.0
    lexicons: Sequence[Lexicon] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    overwrite: bool = False


def train(task: Task, warn: Warn) -> dict[str, Any]:
    """Train a tagger and write it; return its description.

    Raises:
        UsageError: no such tagger or file, or the folder holds something else.
        WikibiasError: the data cannot be read, or nothing is left to learn from.
        DiskError: the folder cannot be written.
    """
    taggers.installed(task.tagger)
    _check_folder(task)
    examples = read_examples(task.sources, neutral=task.neutral, seed=task.seed, warn=warn)
    left_out = _leave_out(task, examples, warn)
    if not any(sentence.biased for sentence in examples.train):
        raise WikibiasError(f"{named(task.sources)}: no biased span is left to learn from")
    if (number := sum(sentence.biased for sentence in examples.train)) < ENOUGH:
        warn(
            f"{named(task.sources)}: learns from {counted(number, 'sentence')} with a span; "
            f"under {ENOUGH} a tagger says little"
        )
    chosen_on = "dev" if any(sentence.biased for sentence in examples.dev) else "train"
    if chosen_on == "train":
        warn(f"{named(task.sources)}: too few sentences for dev; the threshold is chosen on train")
    tagger, threshold, tried = _best(task, examples)
    scores = evaluate(tagger, threshold, examples.dev, seed=task.seed)
    facts = {
        "threshold": threshold,
        "chosen_on": chosen_on,
        "data": {
            name: _data(part, task.sources)
            for name, part in (("train", examples.train), ("dev", examples.dev))
        },
        "left_out": left_out,
        "neutral": task.neutral,
        "tried": tried,
        "dev": scores,
        "versions": versions(_PACKAGES),
    }
    taggers.FOLDER.clear(task.out)
    taggers.save(tagger, task.out, facts)
    described = taggers.FOLDER.describe(task.out)
    write_text(task.out / CARD, card(described))
    return described


def _check_folder(task: Task) -> None:
    refuse_foreign(task.out, taggers.FOLDER.holds)
    if taggers.FOLDER.holds(task.out) and not task.overwrite:
        raise UsageError(
            f"{task.out} holds a tagger; --overwrite replaces it, --out names another folder"
        )


def _leave_out(task: Task, examples: Examples, warn: Warn) -> list[dict[str, Any]]:
    """Take what is in the excluded files out of train and dev; return how many were there."""
    found = []
    for source in task.excluded:
        held = list(texts(source, warn))
        train, dev = without(examples.train, held), without(examples.dev, held)
        examples.train, examples.dev = train.sentences, dev.sentences
        same, near = train.same + dev.same, train.near + dev.near
        found.append({"source": str(source.path), "same": same, "near": near})
        warn(
            f"{source.path}: left out {counted(same + near, 'sentence')} to learn from that "
            f"it holds, {near:,} of them nearly the same"
        )
    return found


def _best(task: Task, examples: Examples) -> tuple[Tagger, float, list[dict[str, Any]]]:
    """Return the tagger with the best `quality` on dev, of all settings."""
    given = dict(task.parameters)
    settings = taggers.installed(task.tagger).settings
    judged = examples.dev
    if not any(sentence.biased for sentence in judged):
        judged, settings = examples.train, [given]
    if given:
        settings = [given]
    best: tuple[float, Tagger, float] | None = None
    tried = []
    words = [sentence.words for sentence in judged]
    for setting in settings:
        tagger = taggers.create(
            task.tagger, seed=task.seed, lexicons=task.lexicons, **{**setting, **given}
        )
        tagger.fit(examples.train, examples.dev)
        threshold, scores = best_threshold(judged, tagger.probabilities(words))
        value = quality(scores)
        tried.append({**tagger.parameters, "mean_f1": value, "threshold": threshold})
        if best is None or value > best[0]:
            best = (value, tagger, threshold)
    if best is None:
        raise WikibiasError(f"the tagger {task.tagger!r} names no settings to try")
    return best[1], best[2], tried


def _data(sentences: Sequence[Tagged], sources: Sequence[Source]) -> dict[str, Any]:
    lines = "\n".join(" ".join((*each.words, *each.labels)) for each in sentences)
    return {
        "source": named(sources),
        "sentences": len(sentences),
        "biased": sum(each.biased for each in sentences),
        "sha256": sha256(lines.encode()).hexdigest(),
    }
