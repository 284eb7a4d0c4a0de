"""Trains a tagger, chooses its settings on dev, and writes it with its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import write_text
from wikibias.kits.folders import refuse_foreign
from wikibias.messages import counted
from wikibias.models.examples import Warn
from wikibias.models.model_folder import CARD, versions
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans import registry
from wikibias.research.spans.card import card
from wikibias.research.spans.decoding import best_threshold, quality
from wikibias.research.spans.evaluation import evaluate
from wikibias.research.spans.overlaps import without
from wikibias.research.spans.registry import Tagger
from wikibias.research.spans.sentences import Tagged
from wikibias.research.spans.training_data import Examples, Source, named, read_examples, texts

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
    registry.installed(task.tagger)
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
    registry.FOLDER.clear(task.out)
    registry.save(tagger, task.out, facts)
    described = registry.FOLDER.describe(task.out)
    write_text(task.out / CARD, card(described))
    return described


def _check_folder(task: Task) -> None:
    refuse_foreign(task.out, registry.FOLDER.holds)
    if registry.FOLDER.holds(task.out) and not task.overwrite:
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
    settings = registry.installed(task.tagger).settings
    judged = examples.dev
    if not any(sentence.biased for sentence in judged):
        judged, settings = examples.train, [given]
    if given:
        settings = [given]
    best: tuple[float, Tagger, float] | None = None
    tried = []
    words = [sentence.words for sentence in judged]
    for setting in settings:
        tagger = registry.create(
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
