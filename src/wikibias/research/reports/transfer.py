"""The document of a cross table: models trained on each of several sets, tested on each."""

from collections.abc import Iterator, Mapping, Sequence

from wikibias.kits.charts import Drawing, curves, matrix
from wikibias.kits.document import Block, Document, Section, Table, number, with_interval
from wikibias.models.constants import METRIC_TITLES
from wikibias.research.transfer import Cell, Curves, LabelledSet, length_only

# Two tables, since one with five intervals in a row is wider than a page.
_SHOWN = (("precision", "recall", "f1"), ("mcc", "roc_auc", "accuracy"))


def summary(
    name: str, sets: Sequence[LabelledSet], cells: Sequence[Cell], learning: Curves
) -> Iterator[Block]:
    """Yield what the terminal shows of a model: F1 of each pair of sets, and learning curves."""
    f1 = {(cell.train, cell.test): with_interval(cell.scores["f1"]) for cell in cells}
    names = [each.name for each in sets]
    rows = [[row, *(f1[row, column] for column in names)] for row in names]
    title = f"{name}: F1 [95 %]; trained on (down), tested on (across)"
    yield Table(["", *names], rows, title=title)
    for which, points in learning.items():
        rows = [
            [f"{size:,}", with_interval(scores["f1"]), number(scores["mcc"]["value"])]
            for size, scores in points
        ]
        title = f"{name} on {which}: learning curve"
        yield Table(["trained on", "F1 [95 %]", "MCC"], rows, title=title)


def page(
    sets: Sequence[LabelledSet],
    cells: Mapping[str, Sequence[Cell]],
    learning: Mapping[str, Curves],
) -> Document:
    """Return the page: for each model the cross table and, where there are any, the curves."""
    sections = [
        Section(
            name,
            [
                _matrix(name, sets, found),
                *_curves(name, learning.get(name, {})),
                *(_scores(found, metrics) for metrics in _SHOWN),
            ],
        )
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


def _matrix(name: str, sets: Sequence[LabelledSet], found: Sequence[Cell]) -> Drawing:
    names = [each.name for each in sets]
    found_at = {(cell.train, cell.test): cell.scores for cell in found}
    mcc = {place: scores["mcc"]["value"] or 0.0 for place, scores in found_at.items()}

    def cell(row: str, column: str) -> tuple[str, float]:
        f1 = number(found_at[row, column]["f1"]["value"])
        return f"F1 {f1}\nMCC {number(mcc[row, column])}", max(0.0, mcc[row, column])

    row, column = max(mcc, key=lambda place: mcc[place])
    return matrix(
        [[cell(row, column) for column in names] for row in names],
        names,
        names,
        title=f"{name}: F1 and MCC, shaded by MCC",
        alt=f"F1 and MCC of {name}; the best MCC, {number(mcc[row, column])}, of {row} on {column}",
        axes=("train", "test"),
    )


def _curves(name: str, learning: Curves) -> Iterator[Drawing]:
    series = {
        which: [(float(size), scores["f1"]["value"] or 0.0) for size, scores in points]
        for which, points in learning.items()
        if points
    }
    if series:
        yield curves(
            series,
            title=f"F1 of {name} by the number of training sentences",
            alt="; ".join(
                f"{which}: {number(points[-1][1])} at the end" for which, points in series.items()
            ),
            axis="training sentences",
            most=(max(point[0] for points in series.values() for point in points), 1.0),
        )


def _scores(found: Sequence[Cell], metrics: Sequence[str]) -> Table:
    rows = [
        [
            f"{cell.train} on {cell.test}",
            *(f"{count:,}" for count in (cell.trained_on, cell.tested_on, cell.shared)),
            *(with_interval(cell.scores[metric]) for metric in metrics),
        ]
        for cell in found
    ]
    titles = [METRIC_TITLES[metric] for metric in metrics]
    header = ["train on test", "trained on", "tested on", "shared", *titles]
    return Table(header, rows, title=", ".join(titles), stacks=True)


def _sets(sets: Sequence[LabelledSet]) -> Table:
    rows = [
        [
            each.name,
            f"{len(each.train):,}",
            f"{int(each.train.biased.sum()):,}",
            "folds" if each.test is None else f"{len(each.test):,}",
            number(length_only(each.train)),
        ]
        for each in sets
    ]
    header = ["set", "sentences to train on", "positive", "to test on", "length alone"]
    return Table(header, rows, title="Sentences", stacks=True)
