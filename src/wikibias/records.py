"""The data model. A record is complete when it is made; what is learnt later stands beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Annotated, Literal, NamedTuple, Protocol

Kind = Literal["removed", "added"]
# What an edit did with a sentence; "featured" is one of a featured article.
Role = Literal["removed", "added", "unchanged", "featured"]
Label = Literal["biased", "neutral"]
KEPT = "kept"
"""The verdict on an edit that no filter drops."""
TagPairing = Literal["removal-edit", "addition-edit", "tagged-span"]
Pairing = Literal[
    "removal-edit", "addition-edit", "tagged-span", "summary-edit", "intent-edit", "featured-span"
]
# What an edit of a corpus of biased sentences was found by: a change of tags, or its summary.
BiasSignal = Literal["tag", "summary"]
# One of these, "featured", or the name of an intent; see `config.signals`.
Signal = str
EditorKind = Literal["registered", "ip", "temporary", "bot", "hidden"]
Tier = Literal["high", "medium", "low"]
# What a line of an article is, apart from running text.
Block = Literal[
    "paragraph",
    "list",
    "hatnote",
    "caption",
    "quotation",
    "references",
    "see_also",
    "external_links",
]
# How a sentence relates to the sentences on the other side of an edit.
# "same_text": what changed shows no words, as a reference that was added.
Relation = Literal[
    "rewritten", "split", "merged", "moved", "number_only", "deleted", "inserted", "same_text"
]
# What a sentence that needs nothing is taken from: what an edit made, a featured article, what an
# edit left alone.
NegativeKind = Literal["edited", "featured", "unchanged"]
# What an editor did to a piece of a sentence (WIKIBIAS, appendix C).
EditType = Literal["substitution", "deletion", "addition"]
# How a field is stored, where its type does not tell; see `kits.schemas`.
Int32 = Annotated[int, "int32"]
OnRequest = Annotated[str | None, "on request"]
NotStored = Annotated[str | None, "not stored"]


@dataclass(frozen=True, slots=True)
class Prefix:
    """What the names of the columns of a list of tuples begin with, instead of the field's."""

    text: str


# MediaWiki saves no more than 2 MB by default. What is far longer is no page that anybody wrote,
# and comparing it takes twenty times its size in memory.
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

    @property
    def language(self) -> str:
        """The code of the language without its variant, such as pt; "" where it is not told."""
        return (self.lang or "").partition("-")[0]


class Revision(Protocol):
    """One revision of a page, as a reader gives it; its text may not be decoded until asked for.

    A text is not known where it was suppressed, lost by the dump, or too long to be one that a
    wiki saved; a blanked page has the text "". Tags come with the name as written.
    """

    @property
    def id(self) -> int:
        """Its number on the wiki."""

    @property
    def parent_id(self) -> int | None:
        """The id of its parent revision, 0 for none; None where the dump does not tell."""

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
    def raw_text(self) -> bytes | None:
        """The text in UTF-8 with the five escapes of XML, where the reader has kept it so."""

    @property
    def checksum(self) -> str | None:
        """The checksum of the text by MediaWiki, in base 36, where the dump holds one."""

    @property
    def text_key(self) -> str | int | None:
        """What costs nothing and tells texts apart: where keys of one type differ, texts do.

        Texts with the same key may differ all the same. None where nothing tells.
        """

    @property
    def size(self) -> int | None:
        """The number of bytes of the text, where the dump tells."""

    @property
    def comment(self) -> str:
        """The summary."""

    @property
    def raw_comment(self) -> bytes:
        """The summary in UTF-8, perhaps with the five escapes of XML; it costs nothing."""

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
        """Return whether both texts are known and the same, by their checksums if both have one.

        Raises:
            DumpError: a text that must be compared is not well-formed.
        """

    def holds(self, words: str) -> bool:
        """Return whether the text, if it is known, has these words in it; it is not decoded."""

    def peek(self) -> str | None:
        """Return the text as `text` does, without keeping what is decoded.

        Raises:
            DumpError: the text is not well-formed.
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
    size: int | None = None
    parent_id: int | None = None
    # The text is held as it reads.
    raw_text: None = None

    @property
    def has_text(self) -> bool:
        """Return whether the text is known."""
        return self.text is not None

    @property
    def text_key(self) -> str | None:
        """Return the checksum, where the dump holds one."""
        return self.checksum or None

    @property
    def raw_comment(self) -> bytes:
        """Return the summary in UTF-8."""
        return self.comment.encode(errors="surrogatepass")

    def repeats(self, other: Revision) -> bool:
        """Return whether both texts are known and are the same."""
        return same_text(self, other)

    def holds(self, words: str) -> bool:
        """Return whether the text is known and has these words in it."""
        return self.text is not None and words in self.text

    def peek(self) -> str | None:
        """Return the text."""
        return self.text


def same_text(one: Revision, other: Revision) -> bool:
    """Return whether the texts of both are known and are the same."""
    if not (one.has_text and other.has_text):
        return False
    if one.checksum and other.checksum:
        return one.checksum == other.checksum
    return one.text == other.text


MOST_NAMED = 100
"""Of what may come a million times, so many are named in a manifest."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What could not be worked out of a dump, and why: a revision, or with None a whole page."""

    page: str
    page_id: int | None
    revision: int | None
    cause: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its revisions, oldest first, to be read once and before the next page."""

    id: int
    title: str
    namespace: int
    revisions: Iterator[Revision]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a row comes from: enough to open the very diff on the wiki. Complete at birth.

    `before_*` are None where the newer revision is the first of its page. `aliases` holds, for
    each of `tags`, the name as the editor wrote it; an edit found by its summary has none.
    `pairing` says which two revisions these are, `signal` what they were found by.
    `days_tagged` and `revisions_tagged` are the tag duration (see `TagDuration`); None where that
    is not known.
    """

    wiki: str
    lang: str
    part: str
    page_id: int
    page_title: str
    namespace: Int32
    kind: Kind
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    before_rev_id: int | None
    after_rev_id: int
    before_timestamp: datetime | None
    after_timestamp: datetime
    comment: str
    editor_kind: EditorKind
    reverted: bool
    diff_url: str
    tagset_version: str
    pairing: Pairing
    signal: Signal
    days_tagged: float | None
    revisions_tagged: int | None
    by_bot: bool
    editor: OnRequest


@dataclass(frozen=True, slots=True)
class History:
    """What the history of the page tells of a transition; beside `Provenance`.

    Attributes:
        parent_rev_id: the parent revision of the newer one; None where the dump does not tell.
        restores_rev_id: an earlier revision whose text the newer one has, or nearly.
        restores_nearly: whether only nearly.
        revisions_between: how many revisions without a known text lie between the two.
        tags_left: tags of the set that the newer revision still has.
        tags_swapped_in: tags that the same edit put in.
        tag_back_days: days until one of the tags was back, where that was seen.
        survived_days: days that the newer text is known to have stood.
    """

    parent_rev_id: int | None = None
    restores_rev_id: int | None = None
    restores_nearly: bool = False
    revisions_between: Int32 = 0
    tags_left: tuple[str, ...] = ()
    tags_swapped_in: tuple[str, ...] = ()
    tag_back_days: float | None = None
    survived_days: float | None = None


NO_HISTORY = History()


@dataclass(frozen=True, slots=True)
class TagContext:
    """What the wikitext tells of the tags of a transition, and of the edit; beside `Provenance`.

    `scope`, `section` and `pointed_at` hold, for each tag, its target (see `TagTargets`).
    `edited_text` and `only_tags` are the edit scope (see `EditScope`), None for a tagged span.
    """

    scope: tuple[str, ...]
    section: tuple[str, ...]
    pointed_at: tuple[str, ...]
    edited_text: bool | None
    only_tags: bool | None


class ChangedLine(NamedTuple):
    """A line of wikitext that an edit changed; an empty side where it was inserted or deleted.

    `section` is the heading that it stands under, in the newer text if it stands there.
    """

    before: str
    after: str
    section: str = ""


class EditFact(NamedTuple):
    """How many elements of a kind an edit inserted, removed, changed or moved.

    `element` is what was changed (text, reference, wikilink, template, table, section, ...),
    `action` what was done to it.
    """

    element: str
    action: str
    number: int


@dataclass(frozen=True, slots=True)
class IntentsFound:
    """The intents of one edit, in order, each with the changed lines that tell it; its facts."""

    intents: Mapping[str, tuple[ChangedLine, ...]]
    facts: tuple[EditFact, ...]


@dataclass(frozen=True, slots=True)
class Transition:
    """A tag that was added or removed, or a summary that names the policy; a row of `transitions`.

    `context` is None until the wikitexts have been searched for it. Of an edit with an intent, the
    lines that it changed and its facts stand in place of the texts.

    A text is None where it is not known, and "" where there is no such revision; of one that is not
    known, `before_sha1` and `after_sha1` are MediaWiki's checksum, where the dump holds it.
    `session_base_text` is the wikitext before the edit session that ends with this transition;
    None if that is `before_text`. The edit scope is computed from it, and it is not stored.
    """

    provenance: Provenance
    context: TagContext | None
    before_text: str | None
    after_text: str | None
    session_base_text: NotStored = None
    history: History = NO_HISTORY
    before_sha1: str | None = None
    after_sha1: str | None = None
    lines: Annotated[tuple[ChangedLine, ...], Prefix("line_")] = ()
    facts: Annotated[tuple[EditFact, ...], Prefix("fact_")] = ()

    def __repr__(self) -> str:
        """Return what a person wants to see of it in a list; the texts are long."""
        of = self.provenance
        what = " ".join([of.kind, *of.tags])
        return f"<Transition {of.page_title!r} {of.after_rev_id} {of.after_timestamp:%F}: {what}>"

    def _repr_html_(self) -> str:
        """Return the same for a notebook, as a table with a link to the diff."""
        of = self.provenance
        facts = {
            "page": of.page_title,
            of.kind: ", ".join(of.tags) or of.signal,
            "saved": f"{of.after_timestamp:%F %R}, {of.editor_kind}",
            "summary": of.comment,
            "diff": of.diff_url,
        }
        cells = {name: escape(value) for name, value in facts.items()}
        if of.diff_url.startswith(("https://", "http://")):
            cells["diff"] = f'<a href="{cells["diff"]}" rel="noreferrer">{of.after_rev_id}</a>'
        rows = (f"<tr><th>{name}</th><td>{cell}</td></tr>" for name, cell in cells.items())
        return f"<table>{''.join(rows)}</table>"


class Paragraph(NamedTuple):
    """One line of an article as a reader sees it.

    `gaps` are the places in `text`, in characters, where a template vanished that may have shown
    something.
    """

    text: str
    block: Block = "paragraph"
    gaps: tuple[int, ...] = ()


class Sentence(NamedTuple):
    """One sentence: as a reader sees it, and in the normal form (2019 paper, section 3.3).

    `block` is the kind of line it stands in. `has_gap` says that a template vanished inside.
    A tuple, because there are millions.
    """

    text: str
    norm: str
    block: Block = "paragraph"
    has_gap: bool = False


class Link(NamedTuple):
    """What became of a sentence, or what it was made from, on the other side of an edit.

    Attributes:
        pair_id: the number of its pair in the edit; "" without a counterpart.
        counterpart: the text of the sentence, or sentences, on the other side.
        relation: how the two sides of the pair relate.
        similarity: of the two sides, 0 to 100.
        changed_spans: where this sentence's text changed, in characters, as "12:18 30:34".
    """

    pair_id: str
    counterpart: str
    relation: Relation
    similarity: float
    changed_spans: str


class SentenceContext(NamedTuple):
    """What stands around a sentence.

    Attributes:
        section: the heading that it stands under; "" in the lead.
        previous: the sentence before it in its paragraph; "" for the first.
        next: the sentence after it in its paragraph; "" for the last.
        has_reference: whether a reference stands in it or right behind it.
        follows_reference: whether the sentence before it in its paragraph has a reference.
    """

    section: str
    previous: str
    next: str
    has_reference: bool
    follows_reference: bool


@dataclass(frozen=True, slots=True)
class Edit:
    """The sentence-level difference of one transition; a row of `diffs`.

    `same_text` says that no visible sentence changed at all, not even in case or punctuation.
    `after_chars` is the length of the newer revision's wikitext, `readable` whether both
    revisions could be cleaned, `texts_missing` whether the dump lacks one of the two texts, as it
    may of an edit found by its summary. `share_of_page` is the share of the characters of the
    tagged revision's sentences that were removed. `policy_words` are words of the edit summary that
    name the neutrality policy; `summary_reverts` says that it calls the edit a revert. `links`
    holds one entry for each removed sentence, `added_links` one for each added one.

    Of an edit with an intent, `removed` are the positive sentences: those before the edit in which
    something changed; `unchanged` are the others of the changed lines. Of a featured article all
    its sentences are `unchanged`. `contexts` holds one entry for each removed sentence of the
    first, and one for each unchanged sentence of the second; otherwise none.
    """

    provenance: Provenance
    context: TagContext
    removed: tuple[Sentence, ...]
    added: tuple[Sentence, ...]
    unchanged: tuple[Sentence, ...]
    same_text: bool
    after_redirect: bool
    after_chars: int
    readable: bool
    history: History = NO_HISTORY
    share_of_page: float | None = None
    policy_words: tuple[str, ...] = ()
    summary_reverts: bool = False
    links: Annotated[tuple[Link, ...], Prefix("")] = ()
    added_links: Annotated[tuple[Link, ...], Prefix("added_")] = ()
    texts_missing: bool = False
    contexts: Annotated[tuple[SentenceContext, ...], Prefix("context_")] = ()


@dataclass(frozen=True, slots=True)
class KeptEdit:
    """A row of `edits`: an edit without the unchanged sentences, which stay in `diffs`."""

    provenance: Provenance
    context: TagContext
    removed: tuple[Sentence, ...]
    added: tuple[Sentence, ...]
    same_text: bool
    after_redirect: bool
    after_chars: int
    readable: bool
    verdict: str
    history: History = NO_HISTORY
    share_of_page: float | None = None
    policy_words: tuple[str, ...] = ()
    summary_reverts: bool = False
    links: Annotated[tuple[Link, ...], Prefix("")] = ()
    added_links: Annotated[tuple[Link, ...], Prefix("added_")] = ()


@dataclass(frozen=True, slots=True)
class RejectedEdit:
    """A row of `rejects`."""

    provenance: Provenance
    context: TagContext
    verdict: str
    removed: tuple[str, ...]
    added: tuple[str, ...]
    history: History = NO_HISTORY
    share_of_page: float | None = None
    policy_words: tuple[str, ...] = ()
    summary_reverts: bool = False


@dataclass(frozen=True, slots=True)
class CorpusSentence:
    """A row of the corpus.

    `confidence` is the probability that a careful editor would give it the same label, `tier` the
    same in three steps, and `tier_reasons` what the edit and the sentence tell. The columns from
    `pair_id` on are those of its `Link`, None for an unchanged sentence; `near_duplicates` names
    the group of sentences of other pages that are nearly the same.
    """

    sentence_id: str
    text: str
    norm: str
    label: Label
    role: Role
    split: str
    provenance: Provenance
    context: TagContext
    block: Block = "paragraph"
    has_gap: bool = False
    confidence: float | None = None
    tier: Tier = "low"
    tier_reasons: tuple[str, ...] = ()
    pair_id: str | None = None
    counterpart: str | None = None
    relation: Relation | None = None
    similarity: float | None = None
    changed_spans: str | None = None
    near_duplicates: str | None = None
    history: History = NO_HISTORY
    share_of_page: float | None = None
    policy_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A row of the file of pairs: removed sentences in the corpus, and what became of them.

    The spans are those of `Link`, in the texts of this row. `confidence` and `tier` are the lowest
    of the removed sentences in the corpus, and `sentence_ids` name these.
    """

    pair_id: str
    removed: str
    added: str
    relation: Relation
    similarity: float
    removed_spans: str
    added_spans: str
    confidence: float
    tier: Tier
    split: str
    sentence_ids: tuple[str, ...]
    provenance: Provenance


class EditedSpan(NamedTuple):
    """One thing that an editor did to a sentence, and where.

    `source` and `target` are spans of the two texts in characters, as "12:18"; "" on the side that
    has nothing of it. A span that was in several pieces has them all, as "12:18 30:34".
    """

    type: EditType
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A row of a set of sentence pairs: a sentence, and what an edit for neutrality made of it.

    Attributes:
        pair_id: names the pair; begins with the wiki and the newer revision.
        source: the sentence before the edit, or sentences joined with spaces.
        target: what it became; the same text where the label is neutral.
        label: biased where the edit changed the source, neutral where it left it alone.
        single_word: whether one word was taken out or replaced in one place (WNC's word set).
        relation: how the two sides relate; None where both are the same.
        similarity: of the two sides, 0 to 100.
        edits: what was done to the source, in document order.
        confidence: of a biased pair the probability that the source is less neutral than the
            target, of a neutral one that it is neutral; None where nothing tells.
        tier: the same in three steps; `tier_reasons` are what the edit and the sentence tell.
    """

    pair_id: str
    source: str
    target: str
    label: Label
    single_word: bool
    relation: Relation | None
    similarity: float
    edits: Annotated[tuple[EditedSpan, ...], Prefix("edit_")]
    split: str
    confidence: float | None
    tier: Tier | None
    tier_reasons: tuple[str, ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A row of a corpus with several labels: a sentence, and what editors found wanting in it.

    Attributes:
        sentence_id: names the sentence; begins with the wiki and the revision.
        labels: intents of the edits that changed it, or families of the tags that pointed at it;
            none of a negative.
        judged: the labels of which anything is known; the others are neither there nor absent.
        negative: what a negative was taken from; None for a positive.
        counterpart: what it became; "" where it was deleted, None where that is not known.
        relation: how it relates to that; None where that is not known.
        changed_spans: where it changed, in characters, as "12:18 30:34".
        days_stood: how long the tag stood; None where there was none, or that is not known.
        near_duplicates: the group of sentences of other pages that are nearly the same.
    """

    sentence_id: str
    text: str
    norm: str
    labels: tuple[str, ...]
    judged: tuple[str, ...]
    negative: NegativeKind | None
    split: str
    section: str
    previous: str
    next: str
    has_reference: bool
    follows_reference: bool
    counterpart: str | None
    relation: Relation | None
    changed_spans: str | None
    days_stood: float | None
    near_duplicates: str | None
    provenance: Provenance
