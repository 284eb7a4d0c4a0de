"""Failures of stress tests as a page shows them: where they gather, an example, and the words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikibias.edits.word_diff import Span, gaps, written
from wikibias.kits.charts import Dot, Drawing, dots
from wikibias.kits.document import Change, Table, number, p_value, pieces, with_interval
from wikibias.kits.html import render
from wikibias.messages import counted
from wikibias.research.stress.answers import Answer, Answers, label
from wikibias.research.stress.scoring import considered, tests_of

_WORD = re.compile(r"\w+|[^\w\s]")
_SHOWN = 5
_WORDS = 10
_FEWEST = 5
"""Rows that a word must have before its failures say anything."""
_LONGEST = 600
"""Characters of a sentence that are shown and compared."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One of the cases that failed of a template or an original, and how many others did."""

    says: str
    change: Change


def failures(given: Sequence[Answer]) -> list[Failure]:
    """Return the templates, or originals, with the most failures, an example of each.

    Counts the rows whose original was called what it is, where that is known; leaves out cases
    without an original, of which `sentences` makes a table.
    """
    shown = []
    for found, rows in _gathered([each for each in given if each.case.original]):
        says = f"{_where(found[0], len(found), rows)} · {_said(found[0])}"
        shown.append(Failure(says, _clearest(found)))
    return shown


def sentences(given: Sequence[Answer]) -> Table | None:
    """Return the same of cases without an original, as a table; None where none failed."""
    found = _gathered([each for each in given if not each.case.original])
    if not found:
        return None
    rows = [
        [failed[0].case.text[:_LONGEST], _where(failed[0], len(failed), rows), _said(failed[0])]
        for failed, rows in found
    ]
    return Table(["sentence", "where", "answer"], rows, 3, prose=True, stacks=True)


def _gathered(given: Sequence[Answer]) -> list[tuple[list[Answer], int]]:
    """Return the failed of each cluster, the most first, and the number of its rows."""
    rows = considered(given)
    of = Counter(each.case.cluster for each in rows)
    failed: dict[str, list[Answer]] = {}
    for each in rows:
        if not each.right:
            failed.setdefault(each.case.cluster, []).append(each)
    most = sorted(failed.items(), key=lambda item: -len(item[1]))[:_SHOWN]
    return [(found, of[cluster]) for cluster, found in most]


def _clearest(found: Sequence[Answer]) -> Change:
    """Return the first case in which a word changed, else the first."""
    changes = (change_of(each.case.original, each.case.text) for each in found)
    with_words = (each for each in changes if any(piece.changed for piece in each.after))
    first = found[0].case
    return next(with_words, None) or change_of(first.original, first.text)


def _where(example: Answer, failed: int, rows: int) -> str:
    share = f"{failed:,} of {counted(rows, 'case')} failed"
    return " · ".join(filter(None, [example.case.category, share]))


def _said(example: Answer) -> str:
    said = {"?": "neither (?)"}.get(example.predicted, example.predicted)
    return f"expected {label(example.case.expected)}, called {said}"


def change_of(original: str, text: str) -> Change:
    """Return a case with what was swapped or put in marked; long texts cut.

    Each mark counts as a word, so that the spaces that a tokeniser leaves about it are no change.
    """
    sides = original[:_LONGEST], text[:_LONGEST]
    places = [[found.span() for found in _WORD.finditer(side)] for side in sides]
    keys = [
        [side[start:end].casefold() for start, end in found]
        for side, found in zip(sides, places, strict=True)
    ]
    found = gaps(*keys)
    left = [_span(places[0], gap.source) for gap in found if gap.source[0] < gap.source[1]]
    right = [_span(places[1], gap.target) for gap in found if gap.target[0] < gap.target[1]]
    return Change(pieces(sides[0], written(left)), pieces(sides[1], written(right)))


def _span(places: Sequence[Span], words_: Span) -> Span:
    return places[words_[0]][0], places[words_[1] - 1][1]


def words(given: Iterable[Answer]) -> Table | None:
    """Return which words fail most often where they are swapped or put in; None of too few."""
    rows, failed = Counter[str](), Counter[str]()
    spelt: dict[str, str] = {}
    for each in considered(list(given)):
        if not each.case.original:
            continue
        after = change_of(each.case.original, each.case.text).after
        put_in = {piece.text.casefold(): piece.text for piece in after if piece.changed}
        for word, written_so in put_in.items():
            spelt.setdefault(word, written_so)
        rows.update(put_in.keys())
        if not each.right:
            failed.update(put_in.keys())
    enough = [word for word in failed if rows[word] >= _FEWEST]
    enough.sort(key=lambda word: (-failed[word] / rows[word], -rows[word], word))
    if not enough:
        return None
    shares = {word: f"{failed[word] / rows[word]:.0%}" for word in enough[:_WORDS]}
    cells = [
        [spelt[word][:60], f"{failed[word]:,}", f"{rows[word]:,}", share]
        for word, share in shares.items()
    ]
    title = f"Words swapped in or put in that fail most often, of those in {_FEWEST} cases or more"
    return Table(["word", "failed", "cases", "share"], cells, title=title)


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
    return render("wikibias.reports", "stress.html.j2", context)


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
