"""Training of a tagger: sentences, the choice of settings on dev, the folder and its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits import document, markdown
from wikibias.kits.files import write_text
from wikibias.kits.folders import CARD
from wikibias.messages import counted
from wikibias.models.examples import Warn
from wikibias.models.package_versions import versions
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans import taggers
from wikibias.research.spans.labels import Tagged
from wikibias.research.spans.scores import MATCHES, RATES, best_threshold, evaluate, quality
from wikibias.research.spans.taggers import Tagger
from wikibias.research.spans.training_data import (
    Examples,
    Source,
    named,
    read_examples,
    texts,
    without,
)


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
    taggers.FOLDER.refuse(task.out, overwrite=task.overwrite)
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
