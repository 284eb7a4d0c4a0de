"""Some edits with intents of a result folder."""

from pathlib import Path

from exports import rows
from wikibias.reports.explanations import MOST, some_edits


def test_an_edit_stands_once_with_its_intents(intents: Path) -> None:
    names = ("citation", "clarification", "point-of-view")
    found, number = some_edits(intents, names)
    of_intents = {r["after_rev_id"] for r in rows(intents, "transitions") if r["signal"] in names}
    assert number == len(of_intents)
    assert len(found) == min(MOST, number)
    assert len({edit.revision for edit in found}) == len(found)
    (both,) = [edit for edit in some_edits(intents, ["point-of-view"])[0] if edit.revision == 16]
    assert (both.page, both.intents, both.summary) == ("Edda Rosk", ("point-of-view",), "pointy")


def test_no_such_intent(intents: Path) -> None:
    assert some_edits(intents, ["copy-edit"]) == ([], 0)
