"""Writes the model card in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.corpus.description import NEUTRALITY, meaning, pairings_of
from wikibias.kits import document, markdown
from wikibias.models import model_folder
from wikibias.models.constants import METRIC_TITLES, METRICS
from wikibias.models.estimators.registry import Neural
from wikibias.models.evaluation.experiment import Experiment, Outcome

_OF_EDITS = (
    "Labels come from edits, not from annotators: in the 2019 paper people found about half of the "
    "removed sentences biased."
)
_OF_FILES = "Labels are those of the files above, and mean what they mean there."


def card(
    experiment: Experiment, described: Mapping[str, Any], sharing_pages: Sequence[str] = ()
) -> str:
    """Return the model card in Markdown; `sharing_pages` names the splits with pages of train."""
    model = experiment.model
    chosen = ", ".join(markdown.code(f"{k}={v}") for k, v in model.parameters.items())
    lang, stopwords = (markdown.text(described[key] or "none") for key in ("lang", "stopwords"))
    lines = [
        f"# Model card: {markdown.text(model.name)}",
        "",
        f"{_predicts(described.get('corpus') or {})} Trained by `wikibias classify`; use it with "
        "`wikibias predict`.",
        "",
        "## Data",
        "",
        *_corpus(described.get("corpus") or {}),
        *_markdown(
            ["split", "sentences", "biased", "source", "SHA-256 of sentences and labels"],
            [
                [
                    *(name, f"{data['sentences']:,}", f"{data['biased']:,}"),
                    *(markdown.code(f"{data['source']}"), data["sha256"][:16]),
                ]
                for name, data in described["data"].items()
            ],
        ),
        "",
        "## Configuration",
        "",
        f"Parameters: {chosen or 'the defaults'}. Seed: {model.seed}. Language: {lang}; "
        f"stop words: {stopwords}.{trained_on(model)}",
        "",
        "## Scores",
        "",
        *_score_lines(experiment, sharing_pages),
        "",
        "## Limits",
        "",
        f"{_OF_EDITS if described.get('corpus') else _OF_FILES} Use the model to rank sentences "
        "for review. Do not use it to judge a sentence, and never its author.",
        "",
        *model_folder.section(described["versions"]),
    ]
    return "\n".join(lines) + "\n"


def trained_on(model: object) -> str:
    """Return a sentence on the device and the precision of a neural model; none of others."""
    told = dict(model.trained) if isinstance(model, Neural) else {}
    if not told:
        return ""
    vectors = ""
    if "words_with_vector" in told:
        covered, words = told["words_with_vector"], told["words"]
        vectors = f" {covered:,} of {words:,} words of train have a vector."
    device, precision = markdown.text(told["device"]), markdown.text(told["precision"])
    return f" Trained on {device} in {precision}.{vectors}"


def _predicts(corpus: Mapping[str, str]) -> str:
    """Return what the probability is of, by tag set and pairing of the corpus, if these are known.

    With the default tags and pairing it is what the 2019 paper asks.
    """
    tagset, _, _ = corpus.get("tag set", "").partition(" ")
    pairings = [each for each in corpus.get("pairing", "").split(", ") if each]
    if not (tagset and pairings):
        return "Predicts the probability that a sentence is of those labelled biased in its data."
    if tagset in NEUTRALITY and pairings == ["removal-edit"]:
        return (
            "Predicts the probability that Wikipedia's editors would remove a sentence to restore "
            "a neutral point of view."
        )
    told = " ".join(meaning(name, {}).biased for name in pairings_of({"pairing": pairings}))
    about = "" if tagset in NEUTRALITY else " It says nothing about neutrality."
    return (
        "Predicts the probability that a sentence is of those labelled biased in its data: tag set "
        f"{markdown.text(tagset)}, pairing {markdown.text(', '.join(pairings))}. There that means: "
        f"{told}{about}"
    )


def _score_lines(experiment: Experiment, sharing_pages: Sequence[str]) -> list[str]:
    names = list(experiment.outcomes)
    if not names:
        return ["Not evaluated: nothing was held out."]
    notes = [
        "95 % bootstrap confidence intervals. The constant classifier calls every sentence biased."
    ]
    notes += [f"**Too few to judge by**: {markdown.text(w)}." for w in experiment.warnings()]
    if sharing_pages:
        notes.append(f"Pages of train are also in: {', '.join(sharing_pages)}; see audit-split.")
    if chance := [name for name, o in experiment.outcomes.items() if _close_to_chance(o)]:
        notes.append(
            f"Close to chance on: {', '.join(chance)} (the interval of MCC is not wholly above 0)."
        )
    header = ["", *(cell for name in names for cell in (name, f"{name}, constant"))]
    rows = []
    for metric in METRICS:
        row = [METRIC_TITLES[metric]]
        for outcome in experiment.outcomes.values():
            row += [
                document.with_interval(outcome.scores[metric]),
                document.number(outcome.constant[metric]["value"]),
            ]
        rows.append(row)
    return [" ".join(notes), "", *_markdown(header, rows), *_side_lines(experiment)]


def _side_lines(experiment: Experiment) -> list[str]:
    """Return which side of edits the model calls biased, where that was asked for."""
    found = [
        [
            name,
            f"{scores['edits']:,}",
            document.with_interval(scores["accuracy"]),
            document.with_interval(scores["longer_side"]),
        ]
        for name, scores in experiment.details.get("pairs", {}).items()
    ]
    header = ["which side of an edit is biased", "edits", "right", "the longer side is right"]
    return ["", *_markdown(header, found)] if found else []


def _close_to_chance(outcome: Outcome) -> bool:
    """Say whether the interval of MCC includes 0, lies below it, or is not defined.

    On too few sentences nothing can be said.
    """
    low = outcome.scores["mcc"]["low"]
    return not outcome.too_few and (low is None or low <= 0)


def _corpus(facts: Mapping[str, str]) -> list[str]:
    """Return a line for each of what is known of the corpus."""
    lines = [f"- {name}: {markdown.text(value)}" for name, value in facts.items()]
    return [*lines, ""] if lines else []


def _markdown(header: list[str], rows: list[list[str]]) -> list[str]:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    return [line(header), line(["---"] * len(header)), *map(line, rows)]
