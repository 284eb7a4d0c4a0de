"""Writes the page of how far annotators agree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError
from wikibias.kits.charts import Drawing, matrix
from wikibias.kits.document import Table, number
from wikibias.kits.files import write_text
from wikibias.kits.html import is_page, render
from wikibias.research.reports.agreement_page import (
    Shown,
    confusion_tables,
    notes,
    overview,
    tables,
)

_MOST_ANNOTATORS = 12
_MOST_VALUES = 8


def write_agreement_page(title: str, found: Mapping[str, Any], out: Path) -> None:
    """Write what `annotate agree` found: the tables, who confuses what, and where they differ most.

    Raises:
        UsageError: the file is there and no page of ours, or cannot be looked at.
        DiskError: it cannot be written.
    """
    try:
        foreign = out.exists() and not is_page(out)
    except OSError as error:
        raise UsageError(f"{out} cannot be read ({error.strerror}); give another --page") from error
    if foreign:
        raise UsageError(f"{out} is no page of ours, and is not replaced; give another --page")
    names, values = list(found["annotators"]), found["values"]
    drawn = 2 < len(names) <= _MOST_ANNOTATORS
    few = 1 < len(values) <= _MOST_VALUES
    disagreed = [
        [sentence.get("text", ""), _said(sentence["answers"]), sentence["item"]]
        for sentence in found["disagreed"]
    ]
    context = {
        "title": "wikibias annotate agree",
        "lead": (
            "How far annotators agree: 1 is always, 0 no more than by chance; equal pairs take no "
            f"account of chance. 95 % intervals of {found['resamples']:,} resamples."
        ),
        "tables": [_table(overview(title, found)), *map(_table, tables(found))],
        "figures_drawn": [_kappas(names, found["cohen"])] if drawn else [],
        "notes": notes(found),
        "confusion": [_table(shown) for shown in confusion_tables(found)] if few else [],
        "disagreed": Table(
            ["sentence", "answers", "item"], disagreed, text_columns=3, prose=True, stacks=True
        ),
    }
    write_text(out, render(__package__, "agreement.html.j2", context))


def _table(shown: Shown) -> Table:
    return Table(shown.header, shown.rows, shown.left, title=shown.title, stacks=True)


def _said(answers: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in answers.items())


def _kappas(names: list[str], cohen: Mapping[str, Any]) -> Drawing:
    def cell(one: str, other: str) -> tuple[str, float]:
        entry = cohen.get(f"{one}|{other}") or cohen.get(f"{other}|{one}")
        value = None if entry is None else entry["value"]
        return ("" if entry is None else number(value), max(0.0, value or 0.0))

    values = [entry["value"] for entry in cohen.values() if entry["value"] is not None]
    seen = f"from {number(min(values))} to {number(max(values))}" if values else "undefined"
    return matrix(
        [[cell(one, other) for other in names] for one in names],
        names,
        names,
        title="Cohen's kappa of each two",
        alt=f"Cohen's kappa of each two annotators, {seen}",
    )
