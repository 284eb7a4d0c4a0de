"""The difference of two revisions, sentence by sentence."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import body
from histories import history
from wikibias.edits.sentence_diff import compare, difference, matched, matches
from wikibias.records import Sentence, TagContext
from wikibias.text.cleaning import plain_visible_paragraphs
from wikis import rules, segmenter

# Far beyond any budget.
NESTED = "<b>" * 100_000
SENTENCES = st.lists(st.sampled_from("abcdef").map(lambda t: Sentence(t.upper(), t)), max_size=12)


@given(SENTENCES, SENTENCES)
def test_difference_agrees_with_taking_away_one_by_one(
    left: list[Sentence], right: list[Sentence]
) -> None:
    lacking, shared = difference(left, right)
    rest = [s.norm for s in right]
    expected = []
    for sentence in left:
        if sentence.norm in rest:
            rest.remove(sentence.norm)
        else:
            expected.append(sentence)
    assert lacking == expected
    assert len(lacking) + len(shared) == len(left)
    assert len(shared) == len(difference(right, left)[1])


KEYS = st.lists(st.sampled_from("abcdef"), max_size=8)


@given(KEYS, KEYS, KEYS, KEYS)
def test_both_ways_are_matched_as_each_way(
    first: list[str], left: list[str], right: list[str], last: list[str]
) -> None:
    both = first + left + last, first + right + last
    assert matched(*both) == (matches(*both), matches(*both[::-1]))


CONTEXT = TagContext(("article",), ("",), ("",), edited_text=None, only_tags=None)
GOOD = f"{{{{POV}}}} {body(1)}"


@pytest.mark.parametrize("texts", [(GOOD, NESTED), (f"{{{{POV}}}} {NESTED}", body(1))])
def test_where_one_text_is_unreadable_both_are_cleaned_plainly(texts: tuple[str, str]) -> None:
    """So that the difference is not one of two ways of cleaning."""
    (removed,) = (t for t in history(texts) if t.provenance.kind == "removed")
    found = compare(removed, CONTEXT, rules("en"), segmenter("en"), re.compile("#R"))
    assert found.cause
    assert not found.edit.readable
    shown = [plain_visible_paragraphs(text, rules("en")) for text in texts]
    sentences = [segmenter("en").split(text) for text in shown]
    assert list(found.edit.removed) == difference(*sentences)[0]


def test_a_text_longer_than_a_setting_allows_is_no_fault() -> None:
    (removed,) = (t for t in history([GOOD, body(1)]) if t.provenance.kind == "removed")
    short = replace(rules("en"), max_chars=10)
    found = compare(removed, CONTEXT, short, segmenter("en"), re.compile("#R"))
    assert found.cause is None
    assert not found.edit.readable
    assert (found.edit.removed, found.edit.added, found.edit.unchanged) == ((), (), ())


PRAISE = "The mill is the finest of all mills in the valley. Only fools would doubt it."
REPORT = "The mill is one of nine mills in the valley."


def test_sentences_of_the_edit_are_paired() -> None:
    texts = (f"{{{{POV}}}} {body(1)} {PRAISE}", f"{body(1)} {REPORT}")
    (removed,) = (t for t in history(texts) if t.provenance.kind == "removed")
    edit = compare(removed, CONTEXT, rules("en"), segmenter("en"), re.compile("#R")).edit
    assert [link.relation for link in edit.links] == ["rewritten", "deleted"]
    assert [link.pair_id for link in edit.added_links] == ["0"]
    assert edit.share_of_page == pytest.approx(
        (len(PRAISE) - 1) / (len(PRAISE) - 1 + sum(len(s.text) for s in edit.unchanged))
    )


def test_links_are_those_of_the_sentences_that_the_tags_are_about() -> None:
    texts = (f"{{{{POV}}}} {body(1)} {PRAISE}", f"{body(1)} {REPORT}")
    (removed,) = (t for t in history(texts) if t.provenance.kind == "removed")
    edit = compare(
        removed, CONTEXT, rules("en"), segmenter("en"), re.compile("#R"), lambda some: some[1:]
    ).edit
    assert [s.text for s in edit.removed] == ["Only fools would doubt it."]
    assert [link.relation for link in edit.links] == ["deleted"]
    assert edit.added_links[0].counterpart.startswith("The mill is the finest")
