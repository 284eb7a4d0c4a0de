"""The tag scanner finds the tags of each revision, as the exact matcher does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from matchers import FRAGMENTS, MATCHERS, TAGSETS, in_xml
from wikibias.tags.scanner import TagScanner


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=25),
    st.lists(
        st.tuples(
            st.integers(0, 25), st.integers(0, 4), st.lists(st.sampled_from(FRAGMENTS), max_size=4)
        ),
        max_size=8,
    ),
)
def test_every_revision_gets_the_tags_of_the_exact_matcher(
    fragments: list[str], edits: list[tuple[int, int, list[str]]]
) -> None:
    """Edit after edit, whatever the scanner remembers of earlier texts."""
    scanner = TagScanner(TAGSETS["en"], MATCHERS["en"])
    for at, removed, new in [(0, 0, list[str]()), *edits]:
        fragments[at : at + removed] = new
        chunk = in_xml("".join(fragments))
        stop = len(chunk) - len(b"</text>")
        hit = scanner.next_hit(chunk, 0, len(chunk))
        found = scanner.tags(chunk, 0, stop, hit) if hit < stop else {}
        assert found == MATCHERS["en"].tags("".join(fragments))
