"""Edit sessions: consecutive edits of one editor."""

from __future__ import annotations

from wikibias.records import Revision


class EditSessions:
    """Follows the edit sessions of a page; sees the known revisions, oldest first.

    Each revision of a hidden editor is a session of its own.
    """

    def __init__(self) -> None:
        self._editor: str | None = None
        # Revisions and not their texts, which are decoded only if a tag changes.
        self._last: Revision | None = None
        self._base: Revision | None = None

    def follow(self, revision: Revision) -> None:
        """Take the next revision."""
        editor = revision.editor
        if editor is None or editor != self._editor:
            self._base = self._last
            self._editor = editor
        self._last = revision

    def base(self, revision: Revision) -> Revision | None:
        """Return the revision before the session that the next `revision` belongs to."""
        same = revision.editor is not None and revision.editor == self._editor
        return self._base if same else self._last
