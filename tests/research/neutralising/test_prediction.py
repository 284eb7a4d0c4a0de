"""Rewrites of lines."""

from __future__ import annotations

import io

from rewriting import pairs
from wikibias.research.neutralising.prediction import rewrites
from wikibias.research.neutralising.rewriters import create


def test_each_line_has_an_answer_with_its_edits() -> None:
    model = create("edit-table").fit(pairs())
    long = "mill " * 5000
    text = f"The notorious mill.\n\nThe mill.\n{long}\n"
    told: list[str] = []
    found = list(rewrites(model, io.BytesIO(text.encode()), "-", told.append))
    assert [answer["rewrite"] for answer in found] == ["The mill.", "", "The mill.", long]
    (edit,) = found[0]["edits"]
    assert edit == {
        "type": "deletion",
        "source": "4:13",
        "target": "",
        "before": "notorious",
        "after": "",
    }
    assert [answer["edits"] for answer in found[1:]] == [[], [], []]
    assert told == ["left 1 line of more than 20,000 characters as they are"]
