"""The tag scanner finds the tags of each revision, as the exact matcher does."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile_texts import Kind, kinds, slow
from matchers import FRAGMENTS, MATCHERS, TAGSETS, in_xml
from wikibias.dumps.xml import patterns
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


def follow(scanner: TagScanner, text: str) -> None:
    """Scan a text, one with a word more in the middle, and one with a tag more at the end."""
    scanner.begin_page()
    middle = len(text) // 2
    for each in (text, f"{text[:middle]} word {text[middle:]}", text + "\n{{POV}}\n"):
        chunk = in_xml(each)
        stop = len(chunk) - len(b"</text>")
        hit = scanner.next_hit(chunk, 0, len(chunk))
        if hit < stop:
            scanner.tags(chunk, 0, stop, hit)


@pytest.mark.parametrize("library", ["re2", "re"])
def test_no_text_takes_more_than_its_share_of_time(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if library == "re":
        monkeypatch.setattr(patterns, "re2", None)
    else:
        pytest.importorskip("re2")
    wrapper = "{{Multiple issues|"
    names = [
        Kind("wrappers, nested", wrapper, close="}}"),
        Kind("wrappers with calls, nested", wrapper + "{{a}}", close="}}"),
        Kind("tags on lines", "{{POV}}\n"),
        Kind("a name of colons", ":", before="{{"),
        Kind("a name of prefixes", "Template: ", before="{{"),
        Kind("a name of spaces", " ", before="{{POV", after="x}}"),
        Kind("a name of words", "POV ", before="{{"),
        Kind("a name of quotation marks", '"', before="{{"),
        Kind("odd letters", "{{\u0130"),
        Kind("braces and comments", "{<!-- -->"),
    ]
    # No dump contains control characters.
    possible = [kind for kind in kinds() if "{{" in kind.text(100) and "\0" not in kind.open]
    scan = partial(follow, TagScanner(TAGSETS["en"], MATCHERS["en"]))
    assert slow(scan, possible) == {}
    assert slow(scan, names, 5000) == {}
