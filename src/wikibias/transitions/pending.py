"""Pending transitions, and what follows an edit: later tags, identity reverts, near-reverts."""

from __future__ import annotations

import re
from array import array
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Reversible
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple

from wikibias import records
from wikibias.config.thresholds import Reverts
from wikibias.errors import DumpError
from wikibias.mediawiki import Namespaces, base36_sha1, diff_url
from wikibias.text.similarity import changed_lines

DAY = 86400.0  # seconds


@dataclass(frozen=True, slots=True)
class TagDuration:
    """How long the tag stood, in days and in revisions; of several tags, the longest.

    None where the revision that added the tag has not been seen.
    """

    days: float | None
    revisions: int | None


class TagDurations:
    """Remembers since when each tag of a page stands; sees the known revisions, oldest first."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[datetime, int]] = {}

    def follow(self, revision: records.Revision, position: int, tags: Collection[str]) -> None:
        """Take the next revision and its tags; `position` counts revisions without text too."""
        if not tags and not self._since:
            return
        for tag in [tag for tag in self._since if tag not in tags]:
            del self._since[tag]
        for tag in tags:
            self._since.setdefault(tag, (revision.timestamp, position))

    def of(
        self, revision: records.Revision, position: int, removed: Collection[str]
    ) -> TagDuration:
        """Return how long the tags that `revision` removes have stood; ask before `follow`."""
        stood = [self._since[tag] for tag in removed if tag in self._since]
        seconds = [(revision.timestamp - since).total_seconds() for since, _ in stood]
        revisions = max((position - n for _, n in stood), default=None)
        return TagDuration(max(seconds) / DAY if seconds else None, revisions)


@dataclass(slots=True)
class Followup:
    """Watches what follows an edit of this time that added or removed these tags.

    `reverted` says that an identity revert undid it, `tag_back` when a removed tag was back, and
    `ended` when the edit was taken back in either way; an addition, by the removal of a tag.
    """

    kind: records.Kind
    tags: tuple[str, ...]
    time: datetime
    reverted: bool = False
    tag_back: datetime | None = None
    ended: datetime | None = None

    def undo(self, time: datetime) -> None:
        """Note that a revision of this time undid the edit."""
        self.reverted = True
        self.ended = self.ended or time

    def see(self, tags: Collection[str], time: datetime) -> None:
        """Take the tags of a later revision."""
        if self.kind == "added":
            is_back = not all(tag in tags for tag in self.tags)
        else:
            is_back = any(tag in tags for tag in self.tags)
            if is_back:
                self.tag_back = self.tag_back or time
        if is_back:
            self.ended = self.ended or time

    def added_to(self, history: records.History, last: datetime | None) -> records.History:
        """Return the history of the edit with what followed it.

        `last` is the time of the last later revision that was seen, None without one.
        """
        back, survived = self._days(self.tag_back), self._days(self.ended or last)
        return replace(history, tag_back_days=back, survived_days=survived)

    def _days(self, until: datetime | None) -> float | None:
        # The clock of a wiki may have gone back.
        return None if until is None else max(0.0, (until - self.time).total_seconds() / DAY)


@dataclass(frozen=True, slots=True)
class Origin:
    """What all transitions of one part share.

    Tags are looked for in the pages of `tag_namespaces`; None for all pages. Where revisions count
    only up to some time, that is `end`.
    """

    site: records.Site
    lang: str
    part: str
    tagset_version: str
    namespaces: Namespaces
    with_editors: bool = False
    tag_namespaces: tuple[int, ...] | None = None
    end: datetime | None = None

    def looks_for_tags_in(self, page: records.Page) -> bool:
        """Return whether tags are looked for in a page."""
        return self.tag_namespaces is None or page.namespace in self.tag_namespaces

    def provenance(
        self, page: records.Page, revision: records.Revision, older: int | None, **facts: Any
    ) -> records.Provenance:
        """Return the provenance of a transition whose newer revision is given.

        `older` is the other revision of its diff; `facts` are the fields that tell of the edit.
        """
        return records.Provenance(
            wiki=self.site.wiki,
            lang=self.lang,
            part=self.part,
            page_id=page.id,
            page_title=page.title,
            namespace=page.namespace,
            after_rev_id=revision.id,
            after_timestamp=revision.timestamp,
            editor_kind=revision.editor_kind,
            diff_url=diff_url(self.site.base, older, revision.id),
            tagset_version=self.tagset_version,
            by_bot=revision.editor_kind == "bot",
            editor=revision.editor if self.with_editors else None,
            **facts,
        )


@dataclass(slots=True)
class PendingTransition:
    """A transition of which all is known but what follows its edit.

    `after` is the revision that the edit made, `position` its place among those of the page.
    """

    transition: records.Transition
    after: records.Revision
    position: int
    aftermath: Followup = field(init=False)

    def __post_init__(self) -> None:
        made = self.transition.provenance
        self.aftermath = Followup(made.kind, made.tags, made.after_timestamp)

    def settled(self, history: records.History) -> records.Transition:
        """Return the transition, with what the history of the page tells in the end."""
        provenance = replace(self.transition.provenance, reverted=self.aftermath.reverted)
        return replace(self.transition, provenance=provenance, history=history)


# A text that the dump lost may have the checksum of nothing.
_OF_NOTHING = base36_sha1("")


class RevertDetector:
    """Watches the revisions of one page, oldest first, and tells which ones are undone.

    The window is `radius` revisions back, and `days` after the revision that is undone: what
    stood longer than that was accepted before somebody changed their mind.
    """

    def __init__(self, limits: Reverts) -> None:
        self._window: deque[records.Revision] = deque(maxlen=limits.radius + 1)
        self._reach = timedelta(days=limits.days)
        # Those of the window, once they were asked for.
        self._keys: deque[str | int | None] = deque(maxlen=limits.radius + 1)

    @property
    def window(self) -> Reversible[records.Revision]:
        """The last revisions taken, oldest first."""
        return self._window

    def pass_by(self, revision: records.Revision) -> None:
        """Take the next revision where nobody asks what it undoes."""
        self._window.append(revision)
        self._keys.clear()

    def undone_by(self, revision: records.Revision) -> list[int]:
        """Take the next revision; return the ids of the earlier ones it undoes, oldest first.

        A revision of which neither text nor checksum is known undoes nothing, and is undone with
        those around it. One with the same text as the restored one is not undone.
        """
        key = revision.text_key
        found = self._undone(revision) if _is_known(revision) and self._may_hold(key) else []
        self._window.append(revision)
        self._keys.append(key)
        return found

    def _may_hold(self, key: str | int | None) -> bool:
        """Return whether a text with this key may be in the window.

        To compare two revisions takes as long as looking for a key among all.
        """
        if len(self._keys) < len(self._window):
            self._keys.clear()
            self._keys.extend(earlier.text_key for earlier in self._window)
        others = self._keys
        return key is None or key in others or any(type(other) is not type(key) for other in others)

    def _undone(self, revision: records.Revision) -> list[int]:
        for place, earlier in enumerate(reversed(self._window)):
            if _is_same(revision, earlier):
                later = islice(self._window, len(self._window) - place, None)
                return [r.id for r in later if revision.timestamp - r.timestamp <= self._reach]
        return []


@dataclass(slots=True)
class Seen:
    """A known revision, the tags in it, its place among all, and how long it stood."""

    revision: records.Revision
    tags: Mapping[str, str]
    position: int
    stood: timedelta = timedelta(0)
    undone: bool = False


class Revertible:
    """The last revisions of a page, oldest first, which an identity revert may still undo."""

    def __init__(self, radius: int) -> None:
        self.waiting: deque[Seen] = deque()
        self._radius = radius

    def undo(self, revisions: Collection[int]) -> None:
        """Mark the revisions with these ids as undone."""
        for seen in self.waiting if revisions else ():
            seen.undone = seen.undone or seen.revision.id in revisions

    def settled(self, position: int | None = None) -> Iterator[Seen]:
        """Yield those that no revert can reach any more at a `position`, or all at the end."""
        while self.waiting and (
            position is None or self.waiting[0].position < position - self._radius
        ):
            yield self.waiting.popleft()


def restored_by(revision: records.Revision, earlier: Reversible[records.Revision]) -> int | None:
    """Return the id of the newest of the earlier revisions that has the text of `revision`.

    The earlier ones are the last of the page, `revision` itself the last of them. One that has the
    text of the revision just before it restores nothing.
    """
    others = list(islice(reversed(earlier), 1, None))
    if not others or _is_same(revision, others[0]):
        return None
    return next((other.id for other in others if _is_same(revision, other)), None)


def _is_known(revision: records.Revision) -> bool:
    return revision.has_text or revision.checksum not in (None, "", _OF_NOTHING)


def _is_same(one: records.Revision, other: records.Revision) -> bool:
    """Return whether two revisions have the same text; checksums tell where texts are missing."""
    if one.has_text and other.has_text:
        return one.repeats(other)
    return _is_known(one) and _is_known(other) and one.checksum == other.checksum


# What may separate a revision from the one that it restores: as a share of what separates it from
# the revision that it replaces, and as a share of its own length.
_SHARE_OF_CHANGE, _SHARE_OF_TEXT = 0.1, 0.05
# Where less than this may separate them, a tag more or less is too much: only equal texts count.
_LEAST = 20  # characters
# How many lines to look for in an earlier text before it is compared as a whole.
_LANDMARKS = 10
# Letters that the XML of a dump may hold in more than one form.
_ESCAPED = re.compile(r"[&<>\"']+")


class Restored(NamedTuple):
    """An earlier revision that a revision restores, and whether only nearly."""

    rev_id: int
    nearly: bool


@dataclass(frozen=True, slots=True)
class _Untagged:
    """The last revision without a tag: its id, its length, and the hashes of its lines.

    Beside each hash stand the characters of these lines. Arrays take a tenth of a dictionary.
    """

    id: int
    chars: int
    hashes: array[int]
    of_line: array[int]

    @classmethod
    def of(cls, revision: records.Revision) -> _Untagged:
        """Return what is kept of a revision."""
        text = revision.text or ""
        lines = _lines(text)
        return cls(revision.id, _chars(text), array("q", lines), array("q", lines.values()))

    @property
    def lines(self) -> Mapping[int, int]:
        """The hashes of the lines -> characters."""
        return dict(zip(self.hashes, self.of_line, strict=True))


@dataclass(frozen=True, slots=True)
class _Change:
    """How many characters the lines have that a revision put in and took out.

    `put_in` and `taken_out` are the longest of them, as what to look for, and their lengths.
    """

    chars: int
    put_in: tuple[tuple[str, int], ...]
    taken_out: tuple[tuple[str, int], ...]


class Restores:
    """Finds the earlier revision that a revision of one page restores.

    Of the revision before each tag of the page it keeps hashes of lines, no text.
    """

    def __init__(self) -> None:
        self._untagged: dict[str, _Untagged] = {}

    def follow(self, before: records.Revision, gone: Collection[str], new: Collection[str]) -> None:
        """Take an edit that changed tags: the revision before it, which tags went, which came."""
        for tag in gone:
            self._untagged.pop(tag, None)
        if new:
            self._untagged.update(dict.fromkeys(new, _Untagged.of(before)))

    def restored_by(
        self,
        revision: records.Revision,
        before: records.Revision,
        gone: Collection[str],
        earlier: Iterable[records.Revision],
    ) -> Restored | None:
        """Return the revision that `revision` restores; ask before `follow`.

        Looked at are the last revision before each of the tags that are gone, and the `earlier`
        ones, newest first. `before` is the revision that is replaced. Where no tag is gone, only an
        equal text counts.

        Raises:
            DumpError: the text of `revision` or `before` is not well-formed.
        """
        others = [r for r in earlier if r.has_text and r is not revision and r is not before]
        for other in others:
            if revision.repeats(other):
                return Restored(other.id, nearly=False)
        if not gone:
            return None
        text = revision.text or ""
        change = _change(before.text or "", text)
        limit = min(_SHARE_OF_CHANGE * change.chars, _SHARE_OF_TEXT * len(text))
        found = self._untagged_near(text, gone, limit)
        if found is None and limit >= _LEAST:
            for other in others:
                if _may_be_near(other, change, limit) and _is_near(other, text, limit):
                    return Restored(other.id, nearly=True)
        return found

    def _untagged_near(self, text: str, gone: Collection[str], limit: float) -> Restored | None:
        lines: Mapping[int, int] | None = None
        for tag in gone:
            untagged = self._untagged.get(tag)
            if untagged is None or abs(untagged.chars - _chars(text)) > limit:
                continue
            lines = _lines(text) if lines is None else lines
            distance = _distance(untagged.lines, lines)
            if distance <= limit:
                return Restored(untagged.id, nearly=distance > 0)
        return None


def _chars(text: str) -> int:
    """Return the characters of all lines of a text."""
    return len(text) - text.count("\n")


def _lines(text: str) -> Mapping[int, int]:
    """Return the hashes of the lines of a text, and how many characters each has in all."""
    found: dict[int, int] = {}
    for line in text.split("\n"):
        number = hash(line)
        found[number] = found.get(number, 0) + len(line)
    return found


def _distance(old: Mapping[int, int], new: Mapping[int, int]) -> int:
    differing = {number for number, _ in old.items() ^ new.items()}
    return sum(abs(old.get(number, 0) - new.get(number, 0)) for number in differing)


def _change(old: str, new: str) -> _Change:
    """Return the lines that differ, as multisets."""
    start, old_end, new_end = changed_lines(old, new, "\n")
    before = Counter(old[start:old_end].split("\n"))
    after = Counter(new[start:new_end].split("\n"))
    put_in, taken_out = after - before, before - after
    return _Change(
        chars=sum(
            len(line) * number for lines in (put_in, taken_out) for line, number in lines.items()
        ),
        # The longest piece without an escape, as it is in any dump that has the line.
        put_in=tuple((max(_ESCAPED.split(line), key=len), len(line)) for line in _longest(put_in)),
        taken_out=tuple((f"\n{line}\n", len(line)) for line in _longest(taken_out)),
    )


def _longest(lines: Iterable[str]) -> list[str]:
    return sorted(lines, key=len, reverse=True)[:_LANDMARKS]


def _may_be_near(other: records.Revision, change: _Change, limit: float) -> bool:
    """Return False if lines tell, without decoding the text, that it is too far away."""
    missed = 0
    for landmarks, belongs in ((change.put_in, True), (change.taken_out, False)):
        for landmark, chars in landmarks:
            missed += chars if other.holds(landmark) != belongs else 0
            if missed > limit:
                return False
    return True


def _is_near(other: records.Revision, text: str, limit: float) -> bool:
    try:
        return _change(other.peek() or "", text).chars <= limit
    except DumpError:  # nobody needs this text, so that its damage is no damage of the part
        return False
