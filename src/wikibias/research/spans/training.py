"""Training of a tagger: sentences, the choice of settings on dev, the folder and its card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits.document import Document, Table, number
from wikibias.messages import counted
from wikibias.models import model_folder
from wikibias.models.examples import Warn
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans.examples import (
    Examples,
    Source,
    names_of_sources,
    read_examples,
    texts,
    without_near_duplicates,
)
from wikibias.research.spans.labels import Tagged
from wikibias.research.spans.scores import MATCHES, RATES, best_threshold, evaluate, quality
from wikibias.research.spans.taggers import TAGGERS, Tagger


def card(described: Mapping[str, Any]) -> Document:
    """Return the card of a tagger, by its description."""
    rows = [
        [split, f"{of['sentences']:,}", f"{of['biased']:,}", of["source"], of["sha256"][:16]]
        for split, of in described["data"].items()
    ]
    dev = [
        [title, *(number(described["dev"][name][rate]) for rate in RATES)]
        for name, title in MATCHES.items()
    ]
    left_out = [
        f"Left out because {each['source']} holds them: {each['same']:,} sentences, and "
        f"{each['near']:,} that are nearly the same."
        for each in described["left_out"]
    ]
    header = ["split", "sentences", "with a span", "source", "SHA-256 of words and labels"]
    chosen = (
        f"{described['threshold']:.4f}, from which on a word is marked; it and the parameters are "
        f"the best of {len(described['tried'])} tried, by the mean F1 of the four matches on "
        f"{described['chosen_on']}"
    )
    return model_folder.card(
        described,
        f"Tagger of biased words: {described['tagger']}",
        "Marks words that an editor is likely to change for neutrality. Trained by `wikibias spans "
        "train`; use it with `wikibias spans predict`.",
        data=[Table(header, rows), *left_out],
        settings=[("threshold", chosen)],
        scores=[
            "These are of dev. Take scores for a report from other sentences: where dev has a "
            "span, it chose the settings.",
            Table(["match", *RATES[:2], "F1"], dev),
        ],
        limits="Labels come from edits, not from annotators: what an editor changed need not be "
        "biased, and what nobody changed need not be neutral. Use it to find words to look at. Do "
        "not use it to judge a sentence, and never its author.",
    )


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
    settings: Sequence[Mapping[str, Any]] = TAGGERS.installed(task.tagger).settings
    TAGGERS.folder.refuse(task.out, overwrite=task.overwrite)
    name = names_of_sources(task.sources)
    parts = read_examples(task.sources, neutral=task.neutral, seed=task.seed, warn=warn)
    left_out = _leave_out(parts, task.excluded, warn)
    biased = {split: sum(each.biased for each in part) for split, part in parts.items()}
    if not biased["train"]:
        raise WikibiasError(f"{name}: no biased span is left to learn from")
    if biased["train"] < ENOUGH:
        warn(
            f"{name}: learns from {counted(biased['train'], 'sentence')} with a span; under "
            f"{ENOUGH} a tagger says little"
        )
    chosen_on = "dev" if biased["dev"] else "train"
    if chosen_on == "train":
        warn(f"{name}: too few sentences for dev; the threshold is chosen on train")
        settings = [{}]
    if task.parameters:
        settings = [task.parameters]
    tagger, threshold, tried = _best(task, settings, parts, chosen_on)
    facts = {
        "threshold": threshold,
        "chosen_on": chosen_on,
        "data": {split: _data(part, name) for split, part in parts.items()},
        "left_out": left_out,
        "neutral": task.neutral,
        "tried": tried,
        "dev": evaluate(tagger, threshold, parts["dev"], seed=task.seed),
        "versions": model_folder.versions(_PACKAGES),
    }
    return TAGGERS.save(tagger, task.out, facts, card)


def _leave_out(parts: Examples, excluded: Sequence[Source], warn: Warn) -> list[dict[str, Any]]:
    """Take what the excluded files hold out of train and dev; return how many there were."""
    found = []
    for source in excluded:
        held, same, near = list(texts(source, warn)), 0, 0
        for split, part in parts.items():
            parts[split], as_same, as_near = without_near_duplicates(part, held)
            same, near = same + as_same, near + as_near
        found.append({"source": str(source.path), "same": same, "near": near})
        warn(
            f"{source.path}: left out {counted(same + near, 'sentence')} to learn from that "
            f"it holds, {near:,} of them nearly the same"
        )
    return found


def _best(
    task: Task, settings: Sequence[Mapping[str, Any]], parts: Examples, chosen_on: str
) -> tuple[Tagger, float, list[dict[str, Any]]]:
    """Return the tagger with the best `quality` of all settings, its threshold, and all tried."""
    judged = parts[chosen_on]
    found: list[tuple[float, Tagger, float]] = []
    for setting in settings:
        tagger = TAGGERS.create(task.tagger, seed=task.seed, lexicons=task.lexicons, **setting)
        tagger.fit(parts["train"], parts["dev"])
        likely = tagger.probabilities([sentence.words for sentence in judged])
        threshold, scores = best_threshold(judged, likely)
        found.append((quality(scores), tagger, threshold))
    if not found:
        raise WikibiasError(f"the tagger {task.tagger!r} names no settings to try")
    _, best, threshold = max(found, key=lambda each: each[0])
    tried = [{**tagger.parameters, "mean_f1": f1, "threshold": t} for f1, tagger, t in found]
    return best, threshold, tried


def _data(sentences: Sequence[Tagged], source: str) -> dict[str, Any]:
    lines = "\n".join(" ".join((*each.words, *each.labels)) for each in sentences)
    return {
        "source": source,
        "sentences": len(sentences),
        "biased": sum(each.biased for each in sentences),
        "sha256": sha256(lines.encode()).hexdigest(),
    }
