"""The page on selection bias, made of what `selection_bias.json` holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikibias.kits.html import render
from wikibias.messages import counted
from wikibias.research.reports.selection_bias import (
    closing,
    drift,
    grid,
    groups,
    leakage,
    overview,
    topics,
)
from wikibias.research.reports.selection_bias.result import Result, short
from wikibias.research.reports.selection_bias.shape import checked

GENERATOR = "wikibias report"
"""What the page says that it is: any page of `wikibias report` may replace it."""
_NAMED = 3


def page(result: Mapping[str, Any]) -> str:
    """Return the page of a result (Ousidhoum, Song and Yeung, 2020).

    Args:
        result: what `selection_bias.json` holds.

    Raises:
        WikibiasError: it has another shape; the line says where.
    """
    checked(result)
    found = Result(result)
    names = [short(name, 40) for name in found.corpora]
    who = ", ".join(names[:_NAMED])
    if len(names) > _NAMED:
        who += f" and {len(names) - _NAMED} more"
    lists = list(dict.fromkeys(short(pair.keywords, 40) for pair in found.pairs))
    sentences = sum(each["documents"] for each in result["corpora"])
    parts = [
        overview.overview(found),
        topics.topics(found),
        topics.heat_maps(found),
        grid.curves(found),
        grid.sizes(found),
        groups.groups(found),
        grid.side_by_side(found),
        drift.drift(found),
        leakage.leakage(found),
        closing.correlations(found),
        closing.provenance(found),
    ]
    context = {
        "generator": GENERATOR,
        "title": f"Selection bias of {who}",
        "lead": (
            f"How near the topics of {counted(sentences, 'sentence')} are to keywords "
            f"({', '.join(lists[:_NAMED])}{' and others' if lists[_NAMED:] else ''}), after "
            "Ousidhoum, Song and Yeung (2020). Similarity: "
            f"{short(result['similarity']['title'], 120)}."
        ),
        "parts": [part for part in parts if part is not None],
    }
    return render(__package__, "selection_bias.html.j2", context)
