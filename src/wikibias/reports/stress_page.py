"""Writes the page of stress tests: figures of each test, models side by side, and the failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wikibias.messages import counted
from wikibias.models.stress.answers import Answer, Answers
from wikibias.models.stress.scoring import tests_of
from wikibias.rendering.dot_charts import Dot, dots
from wikibias.rendering.html import Table, render
from wikibias.rendering.numbers import number, p_value, with_interval
from wikibias.rendering.svg import Drawing
from wikibias.reports.stress_failures import failures, sentences, words

GENERATOR = "wikibias stress"
_KINDS = {
    "MFT": "Minimum functionality: what a model must be able to do at all.",
    "INV": "Invariance: the answer must not change with what was swapped.",
    "DIR": "Direction: what was put in must turn the answer from neutral to biased.",
    "": "The file does not say what kind of test this is.",
}


def page(result: Mapping[str, Any], answers: Answers) -> str:
    """Return the page of the figures of `models.stress.scoring.score` and the answers."""
    tests = tests_of(answers)
    filters = [
        said
        for key, said in (
            ("only_neutral_templates", "only templates and originals that are neutral"),
            ("only_changed", "only cases that differ from their original"),
        )
        if result[key]
    ]
    context = {
        "generator": GENERATOR,
        "title": f"Stress tests of {', '.join(answers)}"[:200],
        "lead": (
            f"{counted(len(tests), 'test')} after CheckList (Ribeiro et al. 2020); "
            f"{'; '.join(filters) + '; ' if filters else ''}95 % intervals by a bootstrap of "
            "templates or originals, with all their cases."
        ),
        "overview": _overview(result, tests),
        "notes": result["notes"],
        "tests": [_test(result, answers, test) for test in tests],
    }
    return render(__package__, "stress.html.j2", context)


def _main(found: Mapping[str, Any]) -> Mapping[str, float | None]:
    """Return the figure that the paper gives: of right originals, or of all rows without any."""
    chosen: Mapping[str, float | None] = found["of_right_originals"] or found["as_expected"]
    return chosen


def _overview(result: Mapping[str, Any], tests: Sequence[str]) -> Drawing:
    models = result["models"]
    rows = {
        test: [
            Dot(**_main(found[test])) if test in found else Dot(None) for found in models.values()
        ]
        for test in tests
    }
    best = "; ".join(
        f"{test}: "
        + ", ".join(
            f"{name} {number(_main(found[test])['value'])}"
            for name, found in models.items()
            if test in found
        )
        for test in tests
    )
    return dots(
        rows,
        title="Share as expected, of right originals where these are known",
        alt=best,
        series=list(models),
    )


def _test(result: Mapping[str, Any], answers: Answers, test: str) -> dict[str, Any]:
    models = {name: found[test] for name, found in result["models"].items() if test in found}
    kind = next(iter(models.values()))["kind"]
    return {
        "id": f"t{list(tests_of(answers)).index(test) + 1}",
        "name": test,
        "kind": kind,
        "about": _KINDS[kind],
        "tables": [_figures(models), *_categories(models), *_common(result["common"].get(test))],
        "models": [
            _failed(name, [each for each in given if each.case.test == test])
            for name, given in answers.items()
            if name in models
        ],
    }


def _failed(name: str, given: Sequence[Answer]) -> dict[str, Any]:
    tables = [sentences(given), words(given)]
    return {"name": name, "failures": failures(given), "tables": [each for each in tables if each]}


def _figures(models: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = [[name, *_cells(found), _same(found)] for name, found in models.items()]
    header = [
        *("model", "rows", "as expected [95 %]", "right originals", "of these [95 %]"),
        "same answer [95 %]",
    ]
    if all(found["same_answer"] is None for found in models.values()):
        header, rows = header[:-1], [row[:-1] for row in rows]
    if all(found["right_originals"] is None for found in models.values()):
        header, rows = header[:3], [row[:3] for row in rows]
    return Table(header, rows, title="All cases", stacks=True)


def _cells(found: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{found['rows']:,}", with_interval(found["as_expected"]))
    known = found["right_originals"] is not None
    yield f"{found['right_originals']:,}" if known else "–"
    yield with_interval(found["of_right_originals"]) if known else "–"


def _same(found: Mapping[str, Any]) -> str:
    same = found["same_answer"]
    return "–" if same is None else with_interval(same)


def _categories(models: Mapping[str, Mapping[str, Any]]) -> Iterator[Table]:
    names = list(dict.fromkeys(part for found in models.values() for part in found["categories"]))
    if len(names) < 2:
        return
    rows = [
        [
            name,
            *(
                with_interval(_main(found["categories"][name]))
                if name in found["categories"]
                else "–"
                for found in models.values()
            ),
        ]
        for name in names
    ]
    some = any(found["right_originals"] is not None for found in models.values())
    title = f"As expected by category{', of originals judged right' if some else ''}"
    yield Table(["category", *models], rows, title=title, stacks=True)


def _common(found: Mapping[str, Any] | None) -> Iterator[Table]:
    if found is None or not found["rows"]:
        return
    rows = [[name, with_interval(share)] for name, share in found["models"].items()]
    title = f"As expected on the {found['rows']:,} rows that all models have"
    yield Table(["model", "as expected [95 %]"], rows, title=title, stacks=True)
    rows = [
        [
            *(each["first"], each["second"], f"{each['only_first']:,}", f"{each['only_second']:,}"),
            *(p_value(each["p"]), p_value(each["p_holm"]), with_interval(each["difference"])),
            each["better"] or "neither",
        ]
        for each in found["mcnemar"]
    ]
    header = [
        *("first", "second", "only first", "only second", "p", "p (Holm)"),
        *("difference [95 %]", "better"),
    ]
    yield Table(
        header,
        rows,
        2,
        title="As expected by only one of two, on these rows: McNemar's exact test",
        stacks=True,
    )
