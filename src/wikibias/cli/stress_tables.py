"""Prints the figures of stress tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wikibias.kits.document import p_value, with_interval
from wikibias.kits.terminal import show_table

_OF_ORIGINALS = ("right originals", "of these [95 %]")


def show(result: Mapping[str, Any]) -> None:
    """Print a table of each model, of the categories, and of the rows that models share."""
    header = [
        "",
        "kind",
        "rows",
        "as expected [95 %]",
        "right originals",
        "of these [95 %]",
        "same",
    ]
    for name, tests in result["models"].items():
        rows = [list(_row(test, found)) for test, found in tests.items()]
        show_table(name, header, rows)
        parts = [row for test, found in tests.items() for row in _categories(test, found)]
        if parts:
            part_header = ["", "rows", "as expected [95 %]", *_OF_ORIGINALS]
            show_table(f"{name}, by category", part_header, parts)
    for test, found in result["common"].items():
        if found["rows"]:
            rows = [[model, with_interval(share)] for model, share in found["models"].items()]
            title = f"{test}: the {found['rows']:,} rows that all have"
            show_table(title, ["", "as expected [95 %]"], rows)
        if found["pairs"]:
            _show_pairs(test, found["pairs"])


def _row(test: str, found: Mapping[str, Any]) -> Iterator[str]:
    yield from (test, found["kind"] or "–")
    yield from _figures(found)
    same = found["same_answer"]
    yield "–" if same is None else f"{same['value']:.3f}"


def _figures(found: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{found['rows']:,}", with_interval(found["as_expected"]))
    known = found["right_originals"] is not None
    yield f"{found['right_originals']:,}" if known else "–"
    yield with_interval(found["of_right_originals"]) if known else "–"


def _categories(test: str, found: Mapping[str, Any]) -> Iterator[list[str]]:
    by_category = found["categories"]
    if len(by_category) > 1:
        for name, part in by_category.items():
            yield [f"{test}: {name}", *_figures(part)]


def _show_pairs(test: str, pairs: Sequence[Mapping[str, Any]]) -> None:
    rows = [
        [
            *(f"{each['first']}, {each['second']}", f"{each['rows']:,}", f"{each['only_first']:,}"),
            *(f"{each['only_second']:,}", p_value(each["p"]), p_value(each["p_holm"])),
            each["better"] or "neither",
        ]
        for each in pairs
    ]
    header = ["McNemar", "rows", "only first", "only second", "p", "p (Holm)", "better"]
    show_table(f"{test}: as expected by one of two, of the rows that both have", header, rows)
