"""Survival curves of tags, by what they are compared by."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from histories import START
from made_transitions import Told, transitions_of, write_transitions
from wikibias.curation.tag_lives import By, Group, group_lives
from wikibias.curation.tag_spells import spells

PAGES = (
    Told(1, "Mill", ["a", "{{POV}} a", "b"], [0, 24, 72]),
    Told(2, "Weir", ["a", "{{POV}} a"], [0, 24]),
    Told(3, "Lock", ["a", "{{Weasel}} a", "b"], [0, 24, 48], namespace=4),
    Told(4, "Dam", ["{{POV}} a", "b"], [0, 24], first_parent=3),
)
FAMILIES = {("enwiki", "POV"): "pov"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_transitions(
        tmp_path, "p", transitions_of(PAGES), newest=START + timedelta(days=101)
    )


def groups(folder: Path, by: By) -> dict[str, Group]:
    found, left_out = group_lives(spells(folder), by, FAMILIES)
    assert left_out == 1
    assert found[0].name == "all"
    return {group.name: group for group in found}


def test_tags(folder: Path) -> None:
    found = groups(folder, "tag")
    assert list(found) == ["all", "POV", "Weasel"]
    assert (found["all"].lives, found["all"].taken_out, found["all"].median) == (3, 2, 2)
    assert (found["POV"].lives, found["POV"].taken_out, found["POV"].longest) == (2, 1, 100)
    assert found["POV"].after_month == found["POV"].after_year == 0.5
    (step,) = found["POV"].steps
    assert (step.wiki, step.by, step.group) == ("enwiki", "tag", "POV")
    assert (step.days, step.at_risk, step.taken_out, step.share) == (2, 2, 1, 0.5)


@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("family", ["all", "pov", "unknown"]),
        ("namespace", ["all", "namespace 0", "namespace 4"]),
        ("period", ["all", "2016-2020"]),
    ],
)
def test_groups(by: By, names: list[str], folder: Path) -> None:
    assert list(groups(folder, by)) == names
