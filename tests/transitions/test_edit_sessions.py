"""Where the edit session of a revision began."""

from __future__ import annotations

from histories import revisions
from wikibias.transitions.page_tracker import EditSessions


def bases(editors: list[str | None]) -> list[int | None]:
    """Return, for each revision, the one before its session."""
    sessions, found = EditSessions(), []
    for revision in revisions(["x"] * len(editors), editors=editors):
        base = sessions.base(revision)
        found.append(base.id if base else None)
        sessions.follow(revision)
    return found


def test_a_session_is_consecutive_edits_of_one_editor() -> None:
    assert bases(["E", "E", "F", "E", "E", "E"]) == [None, None, 2, 3, 3, 3]


def test_each_edit_of_a_hidden_editor_is_a_session() -> None:
    assert bases(["E", None, None, "E"]) == [None, 1, 2, 3]
