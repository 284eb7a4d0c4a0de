"""Incremental matching: revisions that it calls equal have the same tags."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from growth import slow
from hostile_texts import Kind, kinds
from matchers import FRAGMENTS, MATCHERS, PATTERNS, WRAPPERS, in_xml
from wikibias.tags.template_parser import same_tags

_END = len(b"</text>")


def decides(old: str, new: str) -> bool:
    """Return whether incremental matching decides that two texts have the same tags."""
    return same_tags(in_xml(old)[:-_END], in_xml(new)[:-_END], PATTERNS["en"], WRAPPERS["en"])


@settings(max_examples=1000, deadline=None)
@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=10),
    st.lists(st.sampled_from(FRAGMENTS), max_size=5),
    st.lists(st.sampled_from(FRAGMENTS), max_size=5),
    st.lists(st.sampled_from(FRAGMENTS), max_size=10),
)
def test_texts_that_it_calls_equal_have_the_same_tags(
    before: list[str], old: list[str], new: list[str], after: list[str]
) -> None:
    one, other = ("".join([*before, *change, *after]) for change in (old, new))
    if decides(one, other):
        assert MATCHERS["en"].tags(one) == MATCHERS["en"].tags(other)


def test_changed_words_and_whole_templates_need_no_exact_matcher() -> None:
    text = "{{POV}}\nA village on the [[left bank]] of the river.\n"
    assert decides(text, text.replace("left", "right"))
    assert decides(text, text.replace("river", "river {{cite web|url=x}}"))


def test_a_changed_tag_or_an_unclosed_comment_needs_the_exact_matcher() -> None:
    text = "{{POV}}\nA village.\n"
    assert not decides(text, text.replace("{{POV}}", "{{Weasel}}"))
    assert not decides(text, text.replace("A village", "<!-- A village"))


def change(text: str) -> bool:
    """Compare a text with one that has a word more at its end."""
    return decides(text + "\n{{x}} of the mill\n", text + "\n{{x}} of the river mill\n")


def test_no_text_takes_more_than_its_share_of_time() -> None:
    wrapper = "{{Multiple issues|"
    wrappers = [
        Kind("wrappers, nested", wrapper, close="}} "),
        Kind("wrappers with calls, nested", wrapper + "{{a}}", close="}}\n"),
        Kind("wrappers in a row", wrapper + "}}"),
        Kind("wrappers, open", wrapper),
        Kind("wrappers, closed but the first", wrapper, before=wrapper, close="}}"),
    ]
    assert slow(change, kinds()) == {}
    assert slow(change, wrappers, 8000) == {}
