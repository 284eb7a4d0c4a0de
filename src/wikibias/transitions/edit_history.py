"""What the history of a page tells of an edit that changed tags; see `records.History`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wikibias.records import History, Revision
from wikibias.transitions.restores import Restores


@dataclass(frozen=True, slots=True)
class State:
    """A revision whose text is known, and the tags in it."""

    revision: Revision
    tags: Mapping[str, str]


class EditHistories:
    """Follows the edits of one page that change tags.

    `settled` holds what is known in the end of the removals that were settled last, by the newer
    revision: the history of a tagged span is that of the edit that ended it.
    """

    def __init__(self) -> None:
        self.settled: dict[int, History] = {}
        self._restores = Restores()

    def of_edit(
        self, before: State | None, after: State, between: int, earlier: Iterable[Revision]
    ) -> History:
        """Return what is known of an edit but for what follows it.

        Args:
            before: the revision before, None for the first one of the page.
            after: the revision that the edit made.
            between: how many revisions without a known text lie between the two.
            earlier: the last revisions of the page, newest first, which the edit may restore.

        Raises:
            DumpError: a text of the two is not well-formed.
        """
        old: Mapping[str, str] = before.tags if before else {}
        gone, new = sorted(old.keys() - after.tags.keys()), sorted(after.tags.keys() - old.keys())
        restored = None
        if before is not None:
            restored = self._restores.restored_by(after.revision, before.revision, gone, earlier)
            self._restores.follow(before.revision, gone, new)
        return History(
            parent_rev_id=after.revision.parent_id,
            restores_rev_id=restored,
            revisions_between=between,
            tags_left=tuple(sorted(old.keys() & after.tags.keys())),
            tags_swapped_in=tuple(new),
        )
