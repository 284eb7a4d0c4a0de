"""What other tag sets know of a name."""

from __future__ import annotations

from wikibias.curation.known_elsewhere import KnownElsewhere
from wikibias.tags.tagset import load_tagset

SETS = [load_tagset("peacock", "en"), load_tagset("npov", "en")]


def test_names_of_one_tag_belong_to_a_seed_that_is_one_of_them() -> None:
    known = KnownElsewhere(SETS)
    assert known.seed("NPOV", ["Weasel", "POV"]) == ("POV", "a name of POV in npov")
    assert known.seed("POV", ["NPOV"]) == ("NPOV", "a name of NPOV in npov")
    assert known.seed("NPOV", ["Weasel"]) is None
    assert known.seed("Stub", ["Stub"]) is None


def test_a_tag_is_that_of_the_first_set_that_has_it() -> None:
    tag = KnownElsewhere(SETS).tag("peacock")
    assert tag is not None
    assert (tag.name, tag.family) == ("Peacock", "peacock")
    assert KnownElsewhere([]).tag("POV") is None
