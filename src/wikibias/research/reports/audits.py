"""Documents of stress tests with their failures, and of cross tables of several sets."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wikibias.edits.word_diff import gaps, spans_in_words
from wikibias.errors import counted
from wikibias.kits import document
from wikibias.kits.charts import Dot, Drawing, dots, matrix
from wikibias.models.estimators.registry import METRIC_TITLES
from wikibias.research.audits import Cell, LabelledSet
from wikibias.research.stress import Answer, Answers, considered, label, tests_of

GENERATOR = "wikibias stress"
_KINDS = {
    "MFT": "Minimum functionality: what a model must be able to do at all.",
    "INV": "Invariance: the answer must not change with what was swapped.",
    "DIR": "Direction: what was put in must turn the answer from neutral to biased.",
    "": "The file does not say what kind of test this is.",
}
_FILTERS = {
    "neutral-templates": "only templates and originals that are neutral",
    "changed": "only cases that differ from their original",
}
_HEADER = ("rows", "as expected [95 %]", "right originals", "of these [95 %]")
_SAME = "same answer [95 %]"
_READING = (
    "Right originals: rows whose original the model called what it is, so that a failure is due to "
    "the change. Same answer: rows called what their original was called, right or wrong; a model "
    "that calls all sentences biased keeps every answer. Neither figure says much without the "
    "other, nor without that of all rows.",
    "A model has no dot in the second chart where it called no original what it is.",
)
_WORD = re.compile(r"\w+|[^\w\s]")
_NONE = "–"
_SHOWN = 5
_LONGEST = 600
"""Characters of a sentence that are shown and compared."""


def stress_summary(result: Mapping[str, Any]) -> Iterator[document.Block]:
    """Yield what the terminal shows: for each test its tables, of all models."""
    for test in dict.fromkeys(test for found in result["models"].values() for test in found):
        models = {name: found[test] for name, found in result["models"].items() if test in found}
        yield from _tables(test, models, result["common"].get(test))


def stress_page(result: Mapping[str, Any], answers: Answers) -> document.Document:
    """Return the page of the figures of `stress.score` and the answers."""
    tests = tests_of(answers)
    filters = "".join(f"{_FILTERS[choice]}; " for choice in result["only"])
    charts = [*_charts(result["models"], tests)]
    blocks: list[document.Block] = [*charts, document.Notes(_READING[: len(charts)])]
    if result["notes"]:
        blocks.append(document.Notes(result["notes"], boxed=True))
    return document.Document(
        title=f"Stress tests of {', '.join(answers)}"[:200],
        lead=(
            f"{counted(len(tests), 'test')} after CheckList (Ribeiro et al. 2020); {filters}95 % "
            "intervals by a bootstrap of templates or originals, with all their cases."
        ),
        sections=[
            document.Section("All tests", blocks, "all"),
            *(_test(result, answers, test) for test in tests),
        ],
        contents=True,
        generator=GENERATOR,
    )


def _charts(models: Mapping[str, Any], tests: Sequence[str]) -> Iterator[Drawing]:
    """Yield a chart of all cases, and one of those whose original was judged right, if known."""
    known = [
        test
        for test in tests
        if any(of.get(test, {}).get("right_originals") is not None for of in models.values())
    ]
    for title, key, shown in (
        ("Share of all cases as expected", "as_expected", tests),
        ("Share of cases with a right original as expected", "of_right_originals", known),
    ):
        rows = {
            test: [
                Dot(**(found.get(test, {}).get(key) or {"value": None}))
                for found in models.values()
            ]
            for test in shown
        }
        alt = "; ".join(
            f"{test}: "
            + ", ".join(
                f"{name} {document.number(dot.value)}" for name, dot in zip(models, of, strict=True)
            )
            for test, of in rows.items()
        )
        if rows:
            yield dots(rows, title=title, alt=alt, series=list(models))


def _test(result: Mapping[str, Any], answers: Answers, test: str) -> document.Section:
    models = {name: found[test] for name, found in result["models"].items() if test in found}
    kind = next(iter(models.values()))["kind"]
    blocks: list[document.Block] = [_KINDS[kind], *_tables("", models, result["common"].get(test))]
    for name, given in answers.items():
        if name in models:
            failed = [*_failed([each for each in given if each.case.test == test])]
            blocks.append(document.Section(f"Failures of {name}", failed))
    return document.Section(test, blocks, aside=f"({kind})" if kind else "")


def _tables(
    test: str, models: Mapping[str, Mapping[str, Any]], common: Mapping[str, Any] | None
) -> Iterator[document.Table]:
    """Yield the tables of a test: all cases, categories, and rows that models share."""
    of = f"{test}, " if test else ""
    kind = next(iter(models.values()))["kind"]
    rows = [[name, *_cells(found)] for name, found in models.items()]
    title = f"{test} {kind}".rstrip() if test else "All cases"
    yield _known_columns(["model", *_HEADER, _SAME], rows, 1, title)
    names = dict.fromkeys(part for found in models.values() for part in found["categories"])
    if len(names) > 1 and not test:  # a terminal has no room for them
        rows = [
            [category, name, *_cells(found["categories"][category])]
            for category in names
            for name, found in models.items()
            if category in found["categories"]
        ]
        yield _known_columns(["category", "model", *_HEADER], rows, 2, "Cases by category")
    if common is None or not common["pairs"]:
        return
    if common["rows"]:
        rows = [[name, document.with_interval(share)] for name, share in common["models"].items()]
        title = f"{of}as expected on the {common['rows']:,} rows that all models have"
        yield document.Table(["model", "as expected [95 %]"], rows, title=title, stacks=True)
    rows = [
        [
            *(each["first"], each["second"]),
            *(f"{each[name]:,}" for name in ("rows", "only_first", "only_second")),
            *(document.p_value(each[name]) for name in ("p", "p_holm")),
            document.with_interval(each["difference"]),
            {each["first"]: "first", each["second"]: "second"}.get(each["better"], "neither"),
        ]
        for each in common["pairs"]
    ]
    header = [
        *("first", "second", "rows", "only first", "only second", "p", "p (Holm)"),
        *("difference [95 %]", "better"),
    ]
    title = f"{of}as expected by one of two, of the rows that both have: McNemar's exact test"
    yield document.Table(header, rows, 2, title=title, stacks=True)


def _cells(found: Mapping[str, Any]) -> Iterator[str]:
    right = found["right_originals"]
    yield from (f"{found['rows']:,}", document.with_interval(found["as_expected"]))
    yield _NONE if right is None else f"{right:,}"
    for name in ("of_right_originals", "same_answer"):
        if name in found:
            yield _NONE if found[name] is None else document.with_interval(found[name])


def _known_columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int, title: str
) -> document.Table:
    """Return a table without the columns that hold a figure of no model."""
    kept = [place for place, cells in enumerate(zip(*rows, strict=True)) if {*cells} != {_NONE}]
    cells = [[row[place] for place in kept] for row in rows]
    names = [header[place] for place in kept]
    return document.Table(names, cells, text_columns, title=title, stacks=True)


def _failed(given: Sequence[Answer]) -> Iterator[document.Block]:
    """Yield the templates or originals with most failures, with an example of each."""
    rows = considered(given)
    of = Counter(each.case.cluster for each in rows)
    failed: dict[str, list[Answer]] = {}
    for each in rows:
        if not each.right:
            failed.setdefault(each.case.cluster, []).append(each)
    if not failed:
        yield (
            "None."
            if rows
            else "No original was called what it is, so that no failure is due to a change."
        )
    for cluster, found in sorted(failed.items(), key=lambda item: -len(item[1]))[:_SHOWN]:
        # Where nothing was put in, there is nothing to see.
        shown = next((each for each in found if not each.case.only_spacing), found[0])
        share = f"{len(found):,} of {counted(of[cluster], 'case')} failed"
        called = "neither (?)" if shown.predicted == "?" else shown.predicted
        says = f"expected {label(shown.case.expected)}, called {called}"
        yield document.Text(" · ".join(filter(None, [shown.case.category, share, says])), "quiet")
        yield document.Quote(
            [change_of(shown.case.original, shown.case.text)], sides=("original", "changed")
        )


def change_of(original: str, text: str) -> document.Change:
    """Return a case with what was swapped or put in marked; long texts cut.

    Each mark counts as a word, so that the spaces that a tokeniser leaves about it are no change.
    Of a case without an original nothing is marked.
    """
    sides = (original[:_LONGEST], text[:_LONGEST])
    places = [[found.span() for found in _WORD.finditer(side)] for side in sides]
    keys = [
        [side[start:end].casefold() for start, end in own]
        for side, own in zip(sides, places, strict=True)
    ]
    found = gaps(*keys) if original else []
    of_sides = ([gap.source for gap in found], [gap.target for gap in found])
    marked = []
    for side, own, runs in zip(sides, places, of_sides, strict=True):
        spans = [(own[start][0], own[end - 1][1]) for start, end in runs if start < end]
        marked.append(document.pieces(side, spans_in_words(spans)))
    return document.change(marked[0], marked[1])


# Two tables, since one with five intervals in a row is wider than a page.
_METRICS = (("precision", "recall", "f1"), ("mcc", "roc_auc", "accuracy"))


def f1_table(model: str, cells: Sequence[Cell]) -> document.Table:
    """Return what the terminal shows of a model: F1 of each pair of sets."""
    f1 = {(cell.train, cell.test): document.with_interval(cell.scores["f1"]) for cell in cells}
    names = list(dict.fromkeys(cell.train for cell in cells))
    rows = [[row, *(f1[row, column] for column in names)] for row in names]
    title = f"{model}: F1 [95 %]; trained on (down), tested on (across)"
    return document.Table(["", *names], rows, title=title)


def transfer_page(
    sets: Sequence[LabelledSet], cells: Mapping[str, Sequence[Cell]]
) -> document.Document:
    """Return the page: for each model the cross table."""
    sections = [
        document.Section(
            name, [_matrix(name, found), *(_scores(found, metrics) for metrics in _METRICS)]
        )
        for name, found in cells.items()
    ]
    says = (
        "Length alone: the ROC-AUC of the number of words of a sentence. What is far over .500 "
        "lets a classifier win without reading a word."
    )
    return document.Document(
        title="wikibias audit transfer",
        lead=(
            "Rows: what a model was trained on; columns: what it was tested on. No model is tested "
            "on a sentence that it was trained on. 95 % bootstrap intervals."
        ),
        sections=[*sections, document.Section("The sets", [says, _sets(sets)])],
    )


def _matrix(model: str, cells: Sequence[Cell]) -> Drawing:
    names = list(dict.fromkeys(cell.train for cell in cells))
    shown: dict[tuple[str, str], tuple[str, float]] = {}
    for cell in cells:
        f1, mcc = cell.scores["f1"]["value"], cell.scores["mcc"]["value"]
        text = f"F1 {document.number(f1)}\nMCC {document.number(mcc)}"
        shown[cell.train, cell.test] = text, max(0.0, mcc or 0.0)
    best = max(cells, key=lambda cell: cell.scores["mcc"]["value"] or 0.0)
    return matrix(
        [[shown[row, column] for column in names] for row in names],
        names,
        names,
        title=f"{model}: F1 and MCC, shaded by MCC",
        alt=(
            f"F1 and MCC of {model}; the best MCC, "
            f"{document.number(best.scores['mcc']['value'])}, of {best.train} on {best.test}"
        ),
        axes=("train", "test"),
    )


def _scores(cells: Sequence[Cell], metrics: Sequence[str]) -> document.Table:
    rows = [
        [
            f"{cell.train} on {cell.test}",
            *(f"{count:,}" for count in (cell.trained_on, cell.tested_on, cell.shared)),
            *(document.with_interval(cell.scores[metric]) for metric in metrics),
        ]
        for cell in cells
    ]
    titles = [METRIC_TITLES[metric] for metric in metrics]
    header = ["train on test", "trained on", "tested on", "shared", *titles]
    return document.Table(header, rows, title=", ".join(titles), stacks=True)


def _sets(sets: Sequence[LabelledSet]) -> document.Table:
    rows = []
    for each in sets:
        found = each.described()
        tested = "folds" if found["test"] is None else f"{found['test']:,}"
        counts = (f"{found[name]:,}" for name in ("sentences", "positive"))
        rows.append([each.name, *counts, tested, document.number(found["length_only_roc_auc"])])
    header = ["set", "sentences to train on", "positive", "to test on", "length alone"]
    return document.Table(header, rows, title="Sentences", stacks=True)
