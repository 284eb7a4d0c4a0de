"""What the edit that removes a tag changed apart from it, alone and in its edit session."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from histories import MATCHER, history
from wikibias.records import Transition
from wikibias.tags.template_parser import parse
from wikibias.transitions.tag_targets import EditScope, edit_scope

PIECES = ["{{POV}}", "{{stub}}", "{{Multiple issues|{{POV}}}}", "a", "bc", " ", "\n", "<!-- b -->"]


def scopes(texts: list[str], editors: str) -> list[EditScope]:
    """Return the scopes of the edits that removed tags."""
    found = history(texts, editors=editors)
    return [scope_of(t) for t in found if t.provenance.kind == "removed"]


def scope_of(found: Transition) -> EditScope:
    base = found.session_base_text
    return edit_scope(
        parse(found.before_text),
        parse(found.after_text),
        MATCHER,
        None if base is None else parse(base),
    )


@pytest.mark.parametrize(
    ("texts", "editors", "expected"),
    [
        (["{{POV}} a", "a"], "EF", (False, True)),
        (["{{POV}} a", "b"], "EF", (True, False)),
        (["{{POV}} a", "{{POV}} b", "b"], "EFF", (True, True)),
        (["{{POV}} a", "{{POV}} b", "b"], "EFG", (False, True)),
        (["{{POV}}\n\n a", "<!-- done -->a"], "EF", (False, True)),
        (["{{Article issues|POV=May}} {{stub}} a", "{{stub}} a"], "EF", (False, True)),
        (["{{Multiple issues|{{POV}}{{cn}}}} a", "{{cn}} a"], "EF", (False, True)),
        (["{{POV}} {{stub}} a", "a"], "EF", (True, False)),
    ],
)
def test_scope_of_the_edit_that_removes_a_tag(
    texts: list[str], editors: str, expected: tuple[bool, bool]
) -> None:
    assert scopes(texts, editors) == [EditScope(*expected)]


@given(
    st.lists(st.lists(st.sampled_from(PIECES)).map("".join), min_size=2, max_size=4),
    st.text("EF", min_size=4, max_size=4),
)
def test_scope_agrees_with_comparing_all_words(texts: list[str], editors: str) -> None:
    def words(text: str) -> list[str]:
        return MATCHER.without_tags(parse(text)).split()

    expected = []
    for n in range(1, len(texts)):
        if MATCHER.tags(texts[n - 1]).keys() - MATCHER.tags(texts[n]).keys():
            first = n
            while first and editors[first - 1] == editors[n]:
                first -= 1
            before = words(texts[first - 1]) if first else []
            after = words(texts[n])
            expected.append(EditScope(before != after, words(texts[n - 1]) == after))
    assert scopes(texts, editors[: len(texts)]) == expected
