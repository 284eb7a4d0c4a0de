"""Held-out sentences whose words are shaded by how much a model attends to each."""

from __future__ import annotations

from typing import NamedTuple

from wikibias.kits.document import number
from wikibias.models.estimators.registry import Attentive
from wikibias.models.evaluation.experiment import Experiment

_MOST = 4  # sentences of each decision
_LONGEST = 400
_SHADES = 5
_FIRST = ("test", "dev", "cv")


class ShadedWord(NamedTuple):
    """A piece of a sentence, and how strongly it is shaded: 0, not at all, to 5."""

    text: str
    shade: int


class ShadedSentence(NamedTuple):
    """A sentence in pieces, its label, what the model calls it, and its probability of bias."""

    pieces: list[ShadedWord]
    label: str
    called: str
    probability: str


class Attention(NamedTuple):
    """What the page shows of a model's attention: a sentence about the choice, and sentences."""

    lead: str
    sentences: list[ShadedSentence]


def shaded(experiment: Experiment) -> Attention | None:
    """Return the sentences of test, else of dev, that a model with attention is surest about.

    Where there is only cross-validation, they are of all data, which the model has learnt.
    None for a model without attention, and without held-out sentences.
    """
    model = experiment.model
    split = next((name for name in _FIRST if name in experiment.outcomes), None)
    if split is None or not isinstance(model, Attentive):
        return None
    examples = experiment.outcomes[split].examples
    predicted = experiment.outcomes[split].predicted
    probabilities, names = predicted.probabilities, ("neutral", "biased")
    order = sorted(range(len(examples)), key=lambda i: (-probabilities[i], i))
    chosen = order if len(order) <= 2 * _MOST else [*order[:_MOST], *order[-_MOST:]]
    texts = [examples.texts[i][:_LONGEST] for i in chosen]
    found = [
        ShadedSentence(
            _pieces(text, shares),
            names[bool(examples.biased[i])],
            names[bool(predicted.decisions[i])],
            number(float(probabilities[i])),
        )
        for i, text, shares in zip(chosen, texts, model.attention(texts), strict=True)
    ]
    of_folds = (
        " The probabilities come from models of the folds, which did not know the sentence; the "
        "shades from the model in this folder, which has learnt it."
    )
    lead = (
        f"Sentences of {split}: those called biased and those called neutral with the most "
        "certainty. The stronger a word is shaded, the more of the model's attention it has. "
        "That is where the model looked, not why people find a sentence biased."
        f"{of_folds if split == 'cv' else ''}"
    )
    return Attention(lead, found)


def _pieces(text: str, shares: list[tuple[tuple[int, int], float]]) -> list[ShadedWord]:
    most = max((share for _, share in shares), default=0.0)
    found, at = [], 0
    for (start, end), share in shares:
        found.append(ShadedWord(text[at:start], 0))
        found.append(ShadedWord(text[start:end], round(_SHADES * share / most) if most else 0))
        at = end
    return [piece for piece in [*found, ShadedWord(text[at:], 0)] if piece.text]
