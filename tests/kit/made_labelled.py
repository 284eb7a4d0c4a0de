"""Edits with an intent, of featured articles and of inline tags, for tests of several labels."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from made_edits import edit, whole
from wikibias.corpus.candidates import Choice
from wikibias.corpus.composition import LabelledComposition
from wikibias.corpus.evidence import InlineTags, LabelEvidence
from wikibias.corpus.rows import Chosen
from wikibias.corpus.several_labels import build_labelled
from wikibias.records import Edit, History, LabelledSentence, Link, SentenceContext, TagContext

INTENTS = ("citation", "clarification", "point-of-view")
TAGS = InlineTags(
    {"Citation needed": "citation", "Clarify": "clarification", "Who": "clarification"}
)
BARE = SentenceContext("Life", "", "", has_reference=False, follows_reference=False)
CITED = BARE._replace(has_reference=True)
REWRITTEN = Link("0", "", "rewritten", 80.0, "0:4")


def intent_edit(
    intent: str,
    page: int = 1,
    removed: Sequence[str] = (),
    became: Sequence[str] = (),
    unchanged: Sequence[str] = (),
    number: int = 2,
) -> Edit:
    """Return an edit with an intent, in which each removed sentence was rewritten."""
    made = edit(page, removed, became, unchanged, number)
    links = tuple(
        replace_link(REWRITTEN, str(at), text) for at, text in enumerate(became[: len(removed)])
    )
    source = replace(made.provenance, signal=intent, pairing="intent-edit", tags=(), aliases=())
    return replace(made, provenance=source, links=links, contexts=(BARE,) * len(removed))


def replace_link(link: Link, pair_id: str, counterpart: str) -> Link:
    """Return a link to another sentence."""
    return link._replace(pair_id=pair_id, counterpart=counterpart)


def featured(page: int, sentences: Sequence[str], contexts: Sequence[SentenceContext] = ()) -> Edit:
    """Return the sentences of a featured article, without references where nothing is said."""
    made = edit(page, unchanged=sentences, number=900 + page)
    source = replace(made.provenance, signal="featured", pairing="featured-span", kind="added")
    around = tuple(contexts) or (BARE,) * len(sentences)
    return replace(made, provenance=source, contexts=around)


def tag_edit(
    tags: dict[str, str],
    page: int = 1,
    number: int = 2,
    *,
    left: Sequence[str] = (),
    scope: str = "inline",
    days: float | None = 5.0,
    **sides: Any,
) -> Edit:
    """Return the removal of tags, each with what it pointed at."""
    made = edit(page, number=number, **sides)
    source = replace(
        made.provenance, tags=tuple(tags), aliases=tuple(tags), days_tagged=days, signal="tag"
    )
    context = TagContext(
        (scope,) * len(tags),
        ("Life",) * len(tags),
        tuple(tags.values()),
        edited_text=True,
        only_tags=False,
    )
    return replace(made, provenance=source, context=context, history=History(tags_left=tuple(left)))


def added(made: Edit) -> Edit:
    """Return the addition of the tags of an edit instead."""
    source = replace(made.provenance, kind="added", pairing="addition-edit", days_tagged=None)
    return replace(made, provenance=source)


def chosen(
    evidence: Iterable[LabelEvidence], labels: Sequence[str] = INTENTS, **choices: Any
) -> Chosen[LabelledComposition, LabelledSentence]:
    """Return the corpus that evidence gives."""
    known, found = choices.pop("known", None), list(evidence)
    choice = Choice(lengths=range(1, 300), **choices)
    return build_labelled(lambda: found, tuple(labels), choice, "intents", known)


__all__ = [
    "BARE", "CITED", "INTENTS", "TAGS", "added", "chosen", "featured", "intent_edit", "tag_edit",
    "whole",
]  # fmt: skip
