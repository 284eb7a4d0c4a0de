"""The data model. Each record is made once and carried unchanged down the pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

Kind = Literal["removed", "added"]
Role = Literal["removed", "added", "unchanged"]
Label = Literal["biased", "neutral"]
Pairing = Literal["removal-edit", "addition-edit", "tagged-span"]
EditorKind = Literal["registered", "ip", "temporary", "bot", "hidden"]
# MediaWiki saves no more than 2 MB unless it is told to. What is longer by far is no page that
# anybody wrote, and to compare it takes twenty times its size in memory.
LONGEST_TEXT = 5_000_000  # characters


@dataclass(frozen=True, slots=True)
class Site:
    """What a dump says of its wiki.

    `namespaces` maps a number to the local name. `lang` is None where the dump does not tell.
    """

    wiki: str
    base: str
    lang: str | None
    namespaces: Mapping[int, str]


class Revision(Protocol):
    """One revision of a page, as a reader gives it; its text may not be decoded until asked for.

    A text is not known where it was suppressed, lost by the dump, or too long to be one that a
    wiki saved; a blanked page has the text "". Tags come with the name as written.
    """

    @property
    def id(self) -> int:
        """Its number on the wiki."""

    @property
    def timestamp(self) -> datetime:
        """When it was saved, in UTC."""

    @property
    def has_text(self) -> bool:
        """Whether its text is known; telling costs nothing."""

    @property
    def is_too_long(self) -> bool:
        """Whether its text is not known because it is longer than LONGEST_TEXT."""

    @property
    def text(self) -> str | None:
        """The wikitext, or None when it is not known."""

    @property
    def checksum(self) -> str | None:
        """The checksum of the text by MediaWiki, in base 36, where the dump holds one."""

    @property
    def comment(self) -> str:
        """The summary."""

    @property
    def editor(self) -> str | None:
        """The name of the account or the address; None when hidden."""

    @property
    def editor_kind(self) -> EditorKind:
        """The kind of account."""

    @property
    def tags(self) -> Mapping[str, str] | None:
        """The tags in it, if the reader has looked for them."""

    def repeats(self, other: Revision) -> bool:
        """Tell whether both texts are known and are the same, by their checksums if both have one.

        Raises:
            DumpError: a text that must be compared is not well-formed.
        """


@dataclass(frozen=True, slots=True)
class ReadRevision:
    """A revision that has been read whole."""

    id: int
    timestamp: datetime
    text: str | None
    checksum: str | None
    comment: str
    editor: str | None
    editor_kind: EditorKind
    tags: Mapping[str, str] | None = None
    is_too_long: bool = False

    @property
    def has_text(self) -> bool:
        """Return whether the text is known."""
        return self.text is not None

    def repeats(self, other: Revision) -> bool:
        """Return whether both texts are known and are the same."""
        return same_text(self, other)


def same_text(one: Revision, other: Revision) -> bool:
    """Return whether the texts of both are known and are the same."""
    if not (one.has_text and other.has_text):
        return False
    if one.checksum and other.checksum:
        return one.checksum == other.checksum
    return one.text == other.text


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its revisions, oldest first, to be read once and before the next page."""

    id: int
    title: str
    namespace: int
    revisions: Iterator[Revision]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a row comes from: enough to open the very diff on the wiki.

    `before_*` are None for a page that was tagged from its first revision on. `aliases` holds,
    for each of `tags`, the name as the editor wrote it. `editor` is kept only on request.

    `pairing` says which two revisions these are. `scope`, `section` and `pointed_at` tell, for
    each of `tags`, where it stood (see `pointing.Pointed`). The columns after them tell for how
    long (see `standing.Stood`) and what the newer revision did beside (see `deeds.Deed`); they are
    None where that is not known.
    """

    wiki: str
    lang: str
    part: str
    page_id: int
    page_title: str
    namespace: int
    kind: Kind
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    before_rev_id: int | None
    after_rev_id: int
    before_timestamp: datetime | None
    after_timestamp: datetime
    comment: str
    editor_kind: EditorKind
    editor: str | None
    reverted: bool
    diff_url: str
    tagset_version: str
    pairing: Pairing = "removal-edit"
    scope: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    pointed_at: tuple[str, ...] = ()
    days_tagged: float | None = None
    revisions_tagged: int | None = None
    edited_text: bool | None = None
    only_tags: bool | None = None
    by_bot: bool = False


@dataclass(frozen=True, slots=True)
class Transition:
    """A tag that came or went, with the wikitext of the two revisions.

    `row_text` is that of the revision before the row of edits, by one editor, that ends with this
    one; None if that is the one before. It is wanted while a dump is read, and is not kept.
    """

    provenance: Provenance
    before_text: str
    after_text: str
    row_text: str | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """The sentence-level difference of one transition; sentences as a reader sees them.

    `same_text` says that no visible sentence changed at all, not even in case or punctuation.
    `after_chars` is the length of the newer revision's wikitext, `readable` whether both
    revisions could be cleaned.
    """

    provenance: Provenance
    removed: tuple[str, ...]
    added: tuple[str, ...]
    unchanged: tuple[str, ...]
    same_text: bool
    after_redirect: bool
    after_chars: int
    readable: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """One row of the corpus."""

    sentence_id: str
    text: str
    norm: str
    label: Label
    role: Role
    split: str
    provenance: Provenance
