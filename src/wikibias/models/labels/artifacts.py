"""Writes what is left of training several labels: model, card, scores, predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wikibias.kits import document, markdown
from wikibias.kits.cells import harmless
from wikibias.kits.evaluation import Table
from wikibias.kits.files import write_json, write_text
from wikibias.messages import printable
from wikibias.models import model_folder
from wikibias.models.estimators import registry
from wikibias.models.estimators.registry import LabelModel
from wikibias.models.evaluation.experiment import LabelOutcome
from wikibias.models.results import trained_on

SHOWN = ("precision", "recall", "f1", "mcc", "roc_auc")
"""The metrics that tables of several labels show."""
_WITH_INTERVAL = ("f1", "mcc")


def write(
    model: LabelModel,
    scores: Mapping[str, Any],
    outcomes: Mapping[str, LabelOutcome],
    out: Path,
    facts: Mapping[str, Any],
) -> None:
    """Write the folder of a model of several labels.

    Raises:
        DiskError: the folder cannot be written.
    """
    described = {**facts, "versions": model_folder.versions(model_folder.OF_CLASSIFIERS)}
    registry.save(model, out, described)
    write_json(out / "scores.json", scores)
    write_text(out / "README.md", card(model, scores, outcomes, described))
    for name, outcome in outcomes.items():
        write_text(out / f"predictions-{name}.tsv", predictions(outcome))


def predictions(outcome: LabelOutcome) -> str:
    """Return a TSV table: row, labels, judged, decision, a probability for each label, sentence.

    Labels have commas between them. Of a corpus there are `sentence_id` and `diff_url`, too. A cell
    that a spreadsheet would take for a formula begins with an apostrophe.
    """
    names, sentences = outcome.names, outcome.sentences
    examples = sentences.examples
    more = {"sentence_id": examples.ids, "diff_url": examples.urls}
    known = {name: cells for name, cells in more.items() if cells is not None}
    shown = [_shown(name) for name in names]
    header = ["row", "labels", "judged", "decision", *shown, "sentence", *known]
    lines = ["\t".join(header)]
    for i, text in enumerate(examples.texts):
        chosen = (sentences.labels[i], sentences.judged[i], outcome.probabilities[i] > 0.5)
        cells = [
            f"{examples.rows[i]}",
            *(
                ",".join(n for n, is_one in zip(shown, row, strict=True) if is_one)
                for row in chosen
            ),
            *(f"{probability:.6f}" for probability in outcome.probabilities[i]),
            *(_shown(cell) for cell in (text, *(of[i] for of in known.values()))),
        ]
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


def table(outcome: LabelOutcome, *, brief: bool = False) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the scores of a split, for people: a row for each label.

    With `brief` only F1 and MCC have their intervals.
    """

    def cells(scores: Table) -> list[str]:
        return [
            document.number(scores[metric]["value"])
            if brief and metric not in _WITH_INTERVAL
            else document.with_interval(scores[metric])
            for metric in SHOWN
        ]

    rows = [
        [name, f"{int(of.examples.biased.sum()):,} of {len(of.examples):,}", *cells(of.scores)]
        for name, of in outcome.by_label.items()
    ]
    rows += [
        [name, "", *cells(scores)]
        for name, scores in (("all, micro", outcome.micro), ("all, macro", outcome.macro))
    ]
    return ["label", "has it", "precision", "recall", "F1", "MCC", "ROC-AUC"], rows


def card(
    model: LabelModel,
    scores: Mapping[str, Any],
    outcomes: Mapping[str, LabelOutcome],
    described: Mapping[str, Any],
) -> str:
    """Return the model card in Markdown."""
    chosen = ", ".join(markdown.code(f"{k}={v}") for k, v in model.parameters.items())
    labels = ", ".join(markdown.code(name) for name in described["labels"])
    lines = [
        f"# Model card: {markdown.text(model.name)}, several labels",
        "",
        f"Predicts the probability of each of these labels of a sentence: {labels}. Trained by "
        "`wikibias classify --task labels`; use it with `wikibias predict`.",
        "",
        "## Data",
        "",
        *(
            f"- {name}: {part['sentences']:,} sentences, {part['biased']:,} with a label; "
            f"{markdown.code(part['source'])}, SHA-256 {part['sha256'][:16]}"
            for name, part in described["data"].items()
        ),
        "",
        "Of each sentence some labels are judged; of the others nothing is learnt, and none of the "
        "scores counts them.",
        "",
        "## Configuration",
        "",
        f"Parameters: {chosen or 'the defaults'}. Seed: {model.seed}.{trained_on(model)}",
        "",
        "## Scores",
        "",
        "95 % bootstrap confidence intervals.",
        *(f"**Too few**: {markdown.text(line)}." for line in scores["warnings"]),
        "",
    ]
    for split, outcome in outcomes.items():
        header, rows = table(outcome)
        subset = document.with_interval(outcome.subset_accuracy)
        lines += [
            f"### {split}",
            "",
            *_markdown(header, rows),
            "",
            f"All judged labels of a sentence right: {subset}.",
            "",
        ]
    lines += [
        "## Limits",
        "",
        "Labels of a corpus come from edits and tags, not from annotators. Use the model to rank "
        "sentences for review. Do not use it to judge a sentence, and never its author.",
        "",
        *model_folder.section(described["versions"]),
    ]
    return "\n".join(lines) + "\n"


def _shown(cell: str) -> str:
    return harmless(printable(" ".join(cell.split())))


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    shown = [header, ["---"] * len(header), *([markdown.text(r[0]), *r[1:]] for r in rows)]
    return ["| " + " | ".join(row) + " |" for row in shown]
