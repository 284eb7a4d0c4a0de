"""The section of a corpus's page on its sentences with several labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.kits.document import Table
from wikibias.kits.schemas import LABELLED_TABLE
from wikibias.messages import counted
from wikibias.reports.reading import Reservoir, at, numbers, rows, section, texts
from wikibias.reports.sections import Section

_EXAMPLES = 3
_COLUMNS = ["text", "relation", "counterpart"]
_LONGEST = 300
Samples = dict[str, list[Mapping[str, Any]]]


def examples(folder: Path, seed: int) -> Samples:
    """Return some positives of each label, drawn with a seed; empty where there is no such table.

    Raises:
        WikibiasError: the table is damaged.
    """
    drawn: dict[str, Reservoir] = {}
    for place, row in rows(folder, LABELLED_TABLE.name, ["labels"]):
        for label in texts(row.get("labels")):
            drawn.setdefault(label, Reservoir(_EXAMPLES, f"{seed} {label}")).add(place)
    return {label: [*at(drawn[label].found, _COLUMNS)] for label in sorted(drawn)}


def labelled(
    corpus: Mapping[str, Any], found: Samples, quality: Sequence[str] = ()
) -> Section | None:
    """Which labels the sentences have, against which negatives; None where there are none.

    Args:
        corpus: what the manifest says of it.
        found: examples of each label.
        quality: how right the labels are, as measured.
    """
    made = section(corpus, "labelled")
    if not made:
        return None
    of_labels, against = section(made, "labels"), section(made, "negatives")
    kinds, days = [*numbers(made.get("kinds"))], section(made, "median_days")
    cells = []
    for label in of_labels:
        of, others = numbers(of_labels.get(label)), numbers(against.get(label))
        median = days.get(label)
        cells.append(
            [
                label,
                *(f"{of.get(split, 0):,}" for split in SPLITS),
                *(f"{others.get(kind, 0):,}" for kind in kinds),
                *([f"{median:,.1f}" if isinstance(median, int | float) else "–"] if days else []),
            ]
        )
    header = ["label", *SPLITS, *(f"not, {kind}" for kind in kinds)]
    header += ["median days"] if days else []
    became = [[name, f"{number:,}"] for name, number in numbers(made.get("relations")).items()]
    counts = numbers(made)
    says = [
        f"{counted(counts.get('sentences', 0), 'sentence')}, {counts.get('positives', 0):,} of "
        f"them with labels by {made.get('by')}. A negative counts for each label that it is judged "
        "for, and a sentence of a featured article so for nearly every label."
    ]
    if days:
        says.append("The days are those that tags stood, where that is known.")
    shown = [
        [label, *(_cut(row[name]) for name in ("text", "relation", "counterpart"))]
        for label, drawn in found.items()
        for row in drawn
    ]
    return Section(
        "labels",
        "Sentences with labels",
        says,
        tables=[
            Table(header, cells, title="Labels"),
            Table(["what it became", "sentences"], became, title="What became of the sentences"),
        ],
        folded={
            "Examples": Table(["label", "sentence", "became", "that is"], shown, text_columns=4)
        }
        if shown
        else {},
        notes=[*quality],
    )


def _cut(text: str | None) -> str:
    text = text or "–"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
