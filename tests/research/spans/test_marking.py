"""Marks in new sentences."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tagged_pairs import trained
from wikibias.errors import WikibiasError
from wikibias.models.examples import LONGEST
from wikibias.research.spans import registry
from wikibias.research.spans.marking import Marker, marked_lines


@pytest.fixture
def marker(tmp_path: Path) -> Marker:
    return Marker(trained(tmp_path))


def test_spans_are_places_in_the_text(marker: Marker) -> None:
    (found,) = marker.mark(["“The Truly old, glorious mill” stood."])
    shown = found.as_dict()
    assert [each["text"] for each in shown["spans"]] == ["Truly", "glorious"]
    for each in shown["spans"]:
        assert shown["text"][each["start"] : each["end"]] == each["text"]
    assert shown["top"]["text"] in ("Truly", "glorious")


def test_a_line_out_for_each_line_in(marker: Marker) -> None:
    said: list[str] = []
    lines = io.BytesIO(b"the truly old mill\n\n" + b"x " * LONGEST + b"\n")
    found = [*marked_lines(marker, lines, said.append)]
    assert [len(each.spans) for each in found] == [1, 0, 0]
    assert found[1].as_dict() == {"text": "", "spans": [], "top": None}
    assert said == ["read only the first 20,000 characters of 1 longer line"]


def test_a_description_without_a_threshold(tmp_path: Path) -> None:
    folder = trained(tmp_path)
    path = folder / registry.FOLDER.description
    path.write_text(json.dumps({**json.loads(path.read_text()), "threshold": "x"}))
    with pytest.raises(WikibiasError, match="damaged"):
        Marker(folder)
