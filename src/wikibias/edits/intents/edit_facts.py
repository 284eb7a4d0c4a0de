"""The facts of an edit that the rules of intents are written over.

An edit has lines, a line has segments: `Edit`, `Line` and `Segment`. Each fact is one of an edit,
of a line or of a segment: `FACTS` names them all, with their scope and type. `value(name, thing)`
reads one, where `thing` is of the scope of the fact:

    facts = facts_of(before, after, summary)
    value("changed_lines", facts)
    for line in facts.lines:
        value("line_kind", line)
        for segment in line.segments:
            value("words_in", segment)

Nothing is worked out before it is asked for, and what costs time is kept. So ask for facts of the
edit first, then for those of each line, then for those of its segments, and stop at the first that
decides: a rule that fails early saves the rest.

A line that was inserted or deleted whole has one segment. One that was edited has a segment for
each run of words and marks that changed. Blank lines are left out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from wikibias.edits.intents.changed_lines import region_between, region_of
from wikibias.edits.intents.edit_parts import Edit, Line, Segment, sentences, words
from wikibias.edits.intents.markup_elements import LineKind, MarkupNames, Open
from wikibias.records import Revision

Scope = Literal["edit", "line", "segment"]
Value = bool | int | float | str
NAMES = MarkupNames()
LINE_KINDS: tuple[str, ...] = get_args(LineKind)
OPEN_MARKUP: tuple[str, ...] = get_args(Open)

# Table 2 of the paper, as it stands there.
_CITATION = re.compile(r"<ref>|\{\{Cite")
_TEMPLATE = re.compile(r"\{\{[^{]+\}\}")
_WIKILINK = re.compile(r"\[\[[^\[]+\]\]")
_WORD = re.compile(r"\w")
_INFOBOX_LINE = re.compile(r"^\|[a-zA-Z0-9 ]+=")
# The released code.
_ANY_CITATION = re.compile(r"<ref>|\{\{cite", re.IGNORECASE)
_CODED_CITATION = re.compile(r"<ref|\{\{cite", re.IGNORECASE)
# Any sign of markup, also of one that goes on beyond the segment.
_MARKUP = re.compile(r"<ref|\{\{|\}\}|\[\[|\]\]|^\|[a-zA-Z0-9 ]+=", re.IGNORECASE)


def facts_of(before: str, after: str, summary: str = "", names: MarkupNames = NAMES) -> Edit:
    """Return the facts of an edit that made `after` of `before`."""
    return Edit(region_of(before, after), lambda: summary, names)


def facts_between(before: Revision, after: Revision, names: MarkupNames = NAMES) -> Edit | None:
    """Return the facts of the edit that made one revision of another.

    None where both texts are the same, or one of them is not known. Of two revisions that the fast
    reader has read only what differs is decoded.

    Raises:
        DumpError: a text is not well-formed.
    """
    region = region_between(before, after)
    return None if region is None else Edit(region, lambda: after.comment, names)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that rules may name: what it is a fact of, its type, and what it tells."""

    scope: Scope
    type: type[bool] | type[int] | type[float] | type[str]
    about: str
    read: Callable[[Any], Value]


def value(name: str, thing: Edit | Line | Segment) -> Value:
    """Return a fact of an edit, a line or a segment, whichever the fact is of.

    Raises:
        KeyError: there is no such fact.
    """
    return FACTS[name].read(thing)


FACTS: Mapping[str, Fact] = {
    # Of an edit.
    "summary": Fact("edit", str, "the edit summary", lambda e: e.summary),
    "changed_lines": Fact("edit", int, "changed lines, blank ones apart", lambda e: len(e.lines)),
    "edited_lines": Fact("edit", int, "lines of both texts", lambda e: e.lines_with("edited")),
    "inserted_lines": Fact("edit", int, "lines inserted whole", lambda e: e.lines_with("inserted")),
    "deleted_lines": Fact("edit", int, "lines deleted whole", lambda e: e.lines_with("deleted")),
    "changed_segments": Fact(
        "edit", int, "segments of all lines", lambda e: sum(len(one.segments) for one in e.lines)
    ),
    "page_references_added": Fact(
        "edit",
        int,
        "how many more references and citation templates the page has; below 0 for fewer",
        lambda e: e.references[1] - e.references[0],
    ),
    "page_references_removed": Fact(
        "edit", int, "the same, how many fewer", lambda e: e.references[0] - e.references[1]
    ),
    # Of a line.
    "line_action": Fact("line", str, "edited, inserted or deleted", lambda x: x.action),
    "line_kind": Fact(
        "line",
        str,
        f"how the older line begins, or the newer where there is none: {', '.join(LINE_KINDS)}",
        lambda x: x.kind,
    ),
    "line_before": Fact("line", str, "the older line", lambda x: x.before),
    "line_after": Fact("line", str, "the newer line", lambda x: x.after),
    "line_words_before": Fact("line", int, "words of the older line", lambda x: words(x.before)),
    "line_words_after": Fact("line", int, "words of the newer line", lambda x: words(x.after)),
    "line_sentences_before": Fact(
        "line", int, "sentences of the older line", lambda x: sentences(x.before)
    ),
    "line_sentences_after": Fact(
        "line", int, "sentences of the newer line", lambda x: sentences(x.after)
    ),
    "line_references_before": Fact(
        "line",
        int,
        "references and citation templates that begin in the older line; tags that close "
        "themselves, and templates that ask for a citation, do not count",
        lambda x: x.references[0],
    ),
    "line_references_after": Fact(
        "line", int, "the same of the newer line", lambda x: x.references[1]
    ),
    "line_references_added": Fact(
        "line",
        int,
        "how many more the newer line has; below 0 for fewer",
        lambda x: x.references[1] - x.references[0],
    ),
    "line_templates_added": Fact(
        "line",
        int,
        "how many more templates begin in the newer line",
        lambda x: x.after.count("{{") - x.before.count("{{"),
    ),
    "line_wikilinks_added": Fact(
        "line",
        int,
        "how many more wikilinks begin in the newer line",
        lambda x: x.after.count("[[") - x.before.count("[["),
    ),
    "line_segments": Fact("line", int, "segments of the line", lambda x: len(x.segments)),
    "line_has_word_changed": Fact(
        "line",
        bool,
        "whether more than marks and white space changed",
        lambda x: any(segment.is_word_changed for segment in x.segments),
    ),
    # Of a segment.
    "inserted": Fact("segment", str, "the inserted text", lambda s: s.inserted),
    "deleted": Fact("segment", str, "the deleted text", lambda s: s.deleted),
    "words_in": Fact(
        "segment", int, "inserted words, cut at white space", lambda s: words(s.inserted)
    ),
    "words_out": Fact("segment", int, "deleted words", lambda s: words(s.deleted)),
    "words_gained": Fact(
        "segment",
        int,
        "inserted words less deleted ones",
        lambda s: words(s.inserted) - words(s.deleted),
    ),
    "content_words_in": Fact(
        "segment",
        int,
        "inserted words that are no stop words",
        lambda s: s.content_words(s.inserted),
    ),
    "content_words_out": Fact(
        "segment", int, "deleted words that are no stop words", lambda s: s.content_words(s.deleted)
    ),
    "content_words_gained": Fact(
        "segment",
        int,
        "inserted words less deleted ones, without stop words",
        lambda s: s.content_words(s.inserted) - s.content_words(s.deleted),
    ),
    "changes_words": Fact(
        "segment",
        bool,
        "whether more than marks and white space changed",
        lambda s: s.is_word_changed,
    ),
    "inserts_words": Fact(
        "segment", bool, "whether a word was inserted", lambda s: bool(_WORD.search(s.inserted))
    ),
    "inserts_citation": Fact(
        "segment",
        bool,
        "<ref> or {{Cite in the insertion, as the paper prints it",
        lambda s: bool(_CITATION.search(s.inserted)),
    ),
    "inserts_any_reference": Fact(
        "segment",
        bool,
        "<ref or {{cite in the insertion, in any letter case, as the released code has it",
        lambda s: bool(_CODED_CITATION.search(s.inserted)),
    ),
    "has_citation": Fact(
        "segment",
        bool,
        "<ref> or {{Cite on either side, in any letter case",
        lambda s: s.matches(_ANY_CITATION),
    ),
    "has_template": Fact(
        "segment", bool, "a whole template on either side", lambda s: s.matches(_TEMPLATE)
    ),
    "has_wikilink": Fact(
        "segment", bool, "a whole wikilink on either side", lambda s: s.matches(_WIKILINK)
    ),
    "has_infobox_line": Fact(
        "segment",
        bool,
        "a side begins as a line of an infobox does",
        lambda s: s.matches(_INFOBOX_LINE),
    ),
    "has_markup": Fact(
        "segment",
        bool,
        "any of these, or a bracket of one, on either side",
        lambda s: s.matches(_MARKUP),
    ),
    "open_markup": Fact(
        "segment",
        str,
        f"what is open where it stands: {', '.join(OPEN_MARKUP)}, or nothing",
        lambda s: s.open or "",
    ),
    "in_open_markup": Fact(
        "segment",
        bool,
        "whether it stands inside a link, a template, a reference or a comment",
        lambda s: s.open is not None,
    ),
    "in_brackets": Fact(
        "segment",
        bool,
        "whether it stands inside a link or a template",
        lambda s: s.open in ("link", "template"),
    ),
    "sentences_in": Fact(
        "segment", int, "sentences that end in the insertion", lambda s: sentences(s.inserted)
    ),
    "sentences_out": Fact(
        "segment", int, "sentences that end in the deletion", lambda s: sentences(s.deleted)
    ),
    "inserts_full_stop": Fact(
        "segment", bool, "whether the insertion has a full stop", lambda s: "." in s.inserted
    ),
    "share_of_sentence": Fact(
        "segment",
        float,
        "words inserted or deleted, the larger number, to those of the older sentence",
        lambda s: max(words(s.inserted), words(s.deleted)) / max(s.sentence_words, 1),
    ),
    "proper_noun_share": Fact(
        "segment",
        float,
        "share of the words that begin with a capital and no sentence; no tagger is asked",
        lambda s: s.proper_nouns,
    ),
}
"""All facts, by name: those of an edit, then of a line, then of a segment."""
