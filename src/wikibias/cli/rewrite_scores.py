"""Prints the scores of rewrites, and how measures agree with people."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from wikibias.cli.score_tables import WIDTH, show
from wikibias.kits.document import with_interval
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.research.neutralising.agreement import MEASURES as JUDGED
from wikibias.research.neutralising.measures import MEASURES


def show_scores(name: str, scores: Mapping[str, Any]) -> None:
    """Print each measure with its interval, what the rows come to, and what exact match is not."""
    rows = []
    for key, title in MEASURES.items():
        if scores[key] is not None:
            low, high = scores["intervals"].get(key, (None, None))
            between = "" if low is None else f"[{low:g}, {high:g}]"
            rows.append([title, f"{scores[key]:g}", between])
    show(f"{name} ({counted(scores['n'], 'rewrite')})", ["", "score", "95 %"], rows)
    echo(f"{scores['exact']:,} are the editor's own words; {scores['unchanged']:,} are unchanged.")
    for line in textwrap.wrap(scores["note"], WIDTH):
        echo(line)


def show_agreement(found: Mapping[str, Any]) -> None:
    """Print accuracy, MCC and AUC of each measure against the verdicts."""
    rows = [
        [JUDGED[name], *(with_interval(table[key]) for key in ("accuracy", "mcc", "roc_auc"))]
        for name, table in found.items()
        if name in JUDGED
    ]
    title = f"Beside people, who passed {found['success']:,} of {found['n']:,} [95 %]"
    echo("")
    show(title, ["", "accuracy", "MCC", "AUC"], rows)
