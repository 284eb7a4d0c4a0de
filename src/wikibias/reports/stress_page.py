"""Writes the page of stress tests: figures of each test, models side by side, and the failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wikibias.kits.charts import Dot, Drawing, dots
from wikibias.kits.document import Table, number, p_value, with_interval
from wikibias.kits.html import render
from wikibias.messages import counted
from wikibias.reports.stress_failures import failures, sentences, words
from wikibias.research.stress.answers import Answer, Answers
from wikibias.research.stress.scoring import considered, tests_of

GENERATOR = "wikibias stress"
_KINDS = {
    "MFT": "Minimum functionality: what a model must be able to do at all.",
    "INV": "Invariance: the answer must not change with what was swapped.",
    "DIR": "Direction: what was put in must turn the answer from neutral to biased.",
    "": "The file does not say what kind of test this is.",
}
_HEADER = ("rows", "as expected [95 %]", "right originals", "of these [95 %]")
_SAME = "same answer [95 %]"
_NO_FIGURE: Mapping[str, float | None] = {"value": None}


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
        "charts": list(_charts(result["models"], tests)),
        "notes": result["notes"],
        "tests": [_test(result, answers, test) for test in tests],
    }
    return render(__package__, "stress.html.j2", context)


def _charts(models: Mapping[str, Any], tests: Sequence[str]) -> Iterator[Drawing]:
    """Yield a chart of all cases, and one of those whose original was judged right, if known."""
    yield _chart("Share of all cases as expected", "as_expected", models, tests)
    known = [
        test
        for test in tests
        if any(
            found[test]["right_originals"] is not None for found in models.values() if test in found
        )
    ]
    if known:
        title = "Share of cases with a right original as expected"
        yield _chart(title, "of_right_originals", models, known)


def _chart(title: str, key: str, models: Mapping[str, Any], tests: Sequence[str]) -> Drawing:
    rows = {
        test: [Dot(**(found.get(test, {}).get(key) or _NO_FIGURE)) for found in models.values()]
        for test in tests
    }
    alt = "; ".join(
        f"{test}: "
        + ", ".join(f"{name} {number(dot.value)}" for name, dot in zip(models, of, strict=True))
        for test, of in rows.items()
    )
    return dots(rows, title=title, alt=alt, series=list(models))


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
    return {
        "name": name,
        "considered": bool(considered(given)),
        "failures": failures(given),
        "tables": [each for each in tables if each],
    }


def _figures(models: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = [[name, *_cells(found), _same(found)] for name, found in models.items()]
    header = ["model", *_HEADER, _SAME]
    return Table(*_known(header, rows, models), title="All cases", stacks=True)


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
    several = len(models) > 1
    rows = [
        [category, *([name] if several else []), *_cells(found["categories"][category])]
        for category in names
        for name, found in models.items()
        if category in found["categories"]
    ]
    header = ["category", *(["model"] if several else []), *_HEADER]
    yield Table(*_known(header, rows, models), 1 + several, title="Cases by category", stacks=True)


def _known(
    header: list[str], rows: list[list[str]], models: Mapping[str, Mapping[str, Any]]
) -> tuple[list[str], list[list[str]]]:
    """Return a table without the columns that hold a figure of no model."""
    empty = set()
    if all(found["same_answer"] is None for found in models.values()):
        empty.add(_SAME)
    if all(found["right_originals"] is None for found in models.values()):
        empty |= {_SAME, *_HEADER[2:]}
    kept = [place for place, name in enumerate(header) if name not in empty]
    return [header[place] for place in kept], [[row[place] for place in kept] for row in rows]


def _common(found: Mapping[str, Any] | None) -> Iterator[Table]:
    if found is None or not found["pairs"]:
        return
    if found["rows"]:
        rows = [[name, with_interval(share)] for name, share in found["models"].items()]
        title = f"As expected on the {found['rows']:,} rows that all models have"
        yield Table(["model", "as expected [95 %]"], rows, title=title, stacks=True)
    rows = [
        [
            *(each["first"], each["second"], f"{each['rows']:,}"),
            *(f"{each['only_first']:,}", f"{each['only_second']:,}"),
            *(p_value(each["p"]), p_value(each["p_holm"]), with_interval(each["difference"])),
            _better(each),
        ]
        for each in found["pairs"]
    ]
    header = [
        *("first", "second", "rows", "only first", "only second", "p", "p (Holm)"),
        *("difference [95 %]", "better"),
    ]
    title = "As expected by only one of two, of the rows that both have: McNemar's exact test"
    yield Table(header, rows, 2, title=title, stacks=True)


def _better(pair: Mapping[str, Any]) -> str:
    """Return which of two was as expected more often, so that a column needs no third name."""
    sides = {pair["first"]: "first", pair["second"]: "second"}
    return sides.get(pair["better"], "neither")
