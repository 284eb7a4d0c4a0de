"""The document of a cross table: models trained on each of several sets, tested on each."""

from collections.abc import Mapping, Sequence

from wikibias.kits.charts import Drawing, matrix
from wikibias.kits.document import Document, Section, Table, number, with_interval
from wikibias.models.constants import METRIC_TITLES
from wikibias.research.transfer import Cell, LabelledSet

# Two tables, since one with five intervals in a row is wider than a page.
_SHOWN = (("precision", "recall", "f1"), ("mcc", "roc_auc", "accuracy"))


def f1_table(model: str, cells: Sequence[Cell]) -> Table:
    """Return what the terminal shows of a model: F1 of each pair of sets."""
    f1 = {(cell.train, cell.test): with_interval(cell.scores["f1"]) for cell in cells}
    names = list(dict.fromkeys(cell.train for cell in cells))
    rows = [[row, *(f1[row, column] for column in names)] for row in names]
    title = f"{model}: F1 [95 %]; trained on (down), tested on (across)"
    return Table(["", *names], rows, title=title)


def page(sets: Sequence[LabelledSet], cells: Mapping[str, Sequence[Cell]]) -> Document:
    """Return the page: for each model the cross table."""
    sections = [
        Section(name, [_matrix(name, found), *(_scores(found, metrics) for metrics in _SHOWN)])
        for name, found in cells.items()
    ]
    says = (
        "Length alone: the ROC-AUC of the number of words of a sentence. What is far over .500 "
        "lets a classifier win without reading a word."
    )
    return Document(
        title="wikibias audit transfer",
        lead=(
            "Rows: what a model was trained on; columns: what it was tested on. No model is tested "
            "on a sentence that it was trained on. 95 % bootstrap intervals."
        ),
        sections=[*sections, Section("The sets", [says, _sets(sets)])],
    )


def _matrix(model: str, cells: Sequence[Cell]) -> Drawing:
    names = list(dict.fromkeys(cell.train for cell in cells))
    shown = {
        (cell.train, cell.test): (
            f"F1 {number(cell.scores['f1']['value'])}\nMCC {number(cell.scores['mcc']['value'])}",
            max(0.0, cell.scores["mcc"]["value"] or 0.0),
        )
        for cell in cells
    }
    best = max(cells, key=lambda cell: cell.scores["mcc"]["value"] or 0.0)
    return matrix(
        [[shown[row, column] for column in names] for row in names],
        names,
        names,
        title=f"{model}: F1 and MCC, shaded by MCC",
        alt=(
            f"F1 and MCC of {model}; the best MCC, {number(best.scores['mcc']['value'])}, of "
            f"{best.train} on {best.test}"
        ),
        axes=("train", "test"),
    )


def _scores(cells: Sequence[Cell], metrics: Sequence[str]) -> Table:
    rows = [
        [
            f"{cell.train} on {cell.test}",
            *(f"{count:,}" for count in (cell.trained_on, cell.tested_on, cell.shared)),
            *(with_interval(cell.scores[metric]) for metric in metrics),
        ]
        for cell in cells
    ]
    titles = [METRIC_TITLES[metric] for metric in metrics]
    header = ["train on test", "trained on", "tested on", "shared", *titles]
    return Table(header, rows, title=", ".join(titles), stacks=True)


def _sets(sets: Sequence[LabelledSet]) -> Table:
    rows = []
    for each in sets:
        found = each.described()
        tested = "folds" if found["test"] is None else f"{found['test']:,}"
        counts = (f"{found[name]:,}" for name in ("sentences", "positive"))
        rows.append([each.name, *counts, tested, number(found["length_only_roc_auc"])])
    header = ["set", "sentences to train on", "positive", "to test on", "length alone"]
    return Table(header, rows, title="Sentences", stacks=True)
