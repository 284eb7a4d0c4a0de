"""Edits with an intent and featured articles, from their rows to their sentences."""

from __future__ import annotations

from dataclasses import replace

from histories import history
from wikibias.edits.positives import featured_sentences, positive_sentences
from wikibias.edits.sentence_diff import Comparison
from wikibias.records import ChangedLine, TagContext, Transition
from wikis import finder, rules, segmenter

CONTEXT = TagContext((), (), (), edited_text=None, only_tags=None)
HOW = rules("en"), segmenter("en"), finder("en")
MADE = replace(
    history(["a", "b {{POV}}"])[0].provenance,
    signal="citation",
    pairing="intent-edit",
    kind="removed",
    tags=(),
    aliases=(),
)


def edit(*lines: ChangedLine) -> Comparison:
    return positive_sentences(
        Transition(MADE, None, None, lines=lines), CONTEXT, "referenced", *HOW
    )


def test_an_edit_has_its_positive_sentences_and_their_contexts() -> None:
    found = edit(ChangedLine("It is old. It burnt.", "It is old.<ref>a</ref> It burnt.", "Fire"))
    assert (found.edit.readable, found.edit.texts_missing, found.cause) == (True, False, None)
    assert [s.text for s in found.edit.removed] == ["It is old."]
    assert [c.section for c in found.edit.contexts] == ["Fire"]
    assert found.edit.after_chars == len("It is old.<ref>a</ref> It burnt.")


def test_lines_that_cannot_be_cleaned_make_it_unreadable() -> None:
    nested = "<b>" * 100_000
    found = edit(ChangedLine("It is old.", f"It is old.<ref>a</ref> {nested}"))
    assert (found.edit.readable, found.edit.removed, found.edit.contexts) == (False, (), ())
    assert found.cause is not None
    # Longer than a setting allows is no fault of ours.
    assert edit(ChangedLine("a " * 1_000_000, "b")).cause is None


def test_all_sentences_of_a_featured_article_are_unchanged() -> None:
    made = replace(MADE, signal="featured", pairing="featured-span", kind="added")
    text = "The mill is old.<ref>a</ref> It burnt.\n\n== Fire ==\nNobody was hurt."
    found = featured_sentences(Transition(made, "", text), CONTEXT, *HOW).edit
    assert [s.text for s in found.unchanged] == [
        "The mill is old.",
        "It burnt.",
        "Nobody was hurt.",
    ]
    assert [c.has_reference for c in found.contexts] == [True, False, False]
    assert (found.removed, found.added, found.readable) == ((), (), True)
    assert found.after_chars == len(text)


def test_a_featured_article_may_be_unknown_or_unreadable() -> None:
    made = replace(MADE, signal="featured", pairing="featured-span", kind="added")
    unknown = featured_sentences(Transition(made, "", None), CONTEXT, *HOW)
    assert unknown.edit.texts_missing
    broken = featured_sentences(Transition(made, "", "<b>" * 100_000), CONTEXT, *HOW)
    assert not broken.edit.readable
    assert broken.cause
