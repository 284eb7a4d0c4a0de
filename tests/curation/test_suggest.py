"""Suggestions: look-alikes. tests/cli/test_tags.py checks names, reasons and seeds."""

from __future__ import annotations

from typing import Any

import pytest

from casefiles import cases
from wikibias.curation.suggest import look_alike


@pytest.mark.parametrize("case", cases("look_alikes"))
def test_a_name_about_another_topic_is_a_look_alike(case: dict[str, Any]) -> None:
    assert (look_alike(case["name"], case["seed"]) != "") is case["strange"]


def test_words_of_other_names_in_the_set_are_no_other_topic() -> None:
    assert look_alike("POV map", "POV") == "also says 'map'"
    assert look_alike("POV map", "POV", frozenset({"map"})) == ""
