"""The templates that a wikitext calls, by title."""

import io
from contextlib import suppress
from itertools import cycle, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import Page, Revision, export
from hostile_texts import kinds, slow
from matchers import FRAGMENTS
from paths import cases
from wikibias.curation.template_counts import CalledNames, TemplateNames
from wikibias.dumps.xml import fast_reader
from wikibias.errors import DumpError
from wikibias.mediawiki import TEMPLATE, Namespaces

NAMES = TemplateNames(Namespaces.of({TEMPLATE: "Modèle", 100: "Portail"}))


@pytest.mark.parametrize("case", cases("names"))
def test_names_that_a_wikitext_calls(case: dict[str, Any]) -> None:
    assert sorted(NAMES.of(case["text"])) == sorted(case["names"])


# What may stand in a name, or end it, or make another name of it.
SIGNS = "{{ { }} } [[ ]] [ ] | # : < > &#35; &lt a Template: safesubst: #if: DEFAULTSORT:".split()
WORDS = st.sampled_from([*FRAGMENTS, *SIGNS, *SIGNS, "\n", " ", "a" * 99, "\n" + " " * 198])
TEXTS = st.lists(WORDS, max_size=20).map("".join)


@given(TEXTS)
def test_names_are_those_that_the_parser_finds(text: str) -> None:
    assert NAMES.of(text) == NAMES.parsed(text)


@given(TEXTS, TEXTS)
def test_a_piece_that_can_tell_calls_the_same_whatever_follows(piece: str, rest: str) -> None:
    piece += "\n"
    told = NAMES.of_piece(piece, is_last=False)
    if told is not None:
        assert told == NAMES.parsed(piece)
        assert told | NAMES.parsed(rest) == NAMES.parsed(piece + rest)


@given(TEXTS)
def test_the_last_piece_calls_what_the_parser_finds(piece: str) -> None:
    assert NAMES.of_piece(piece, is_last=True) in (None, NAMES.parsed(piece))


@pytest.mark.parametrize(
    "text",
    [
        "{{POV}} {{cite|title=[[Mill]]}} {{{1|x}}} {{DEFAULTSORT:{{PAGENAME}}}} {{a[[b]]|c}}\n",
        "{{Infobox\n| name = Mill <ref>{{cite}}</ref>\n",
    ],
)
def test_usual_pieces_can_tell(text: str) -> None:
    assert NAMES.of_piece(text, is_last=False) == NAMES.parsed(text)


def test_names_are_told_where_a_namespace_has_an_impossible_name() -> None:
    names = TemplateNames(Namespaces.of({TEMPLATE: "a[b", 100: "#if"}))
    for text in ("{{a[b:POV}}", "{{a[b:#x", "{{#if:POV|x}}"):
        assert names.of(text) == names.parsed(text)


CALLED_NAMES = TemplateNames(Namespaces.of({TEMPLATE: "Template"}))
LINES = ["A mill.\n", "{{Infobox mill\n", "|built=1850\n", "}}\n", "{{a|{{b}}}}\n", "<!-- {{c}}\n"]
CALLED_WORDS = st.sampled_from(
    [*FRAGMENTS, *LINES, "#", "{{#if:", "{{d#", "</nowiki>\n", "'", '"', "é"]
)
CALLED_TEXTS = st.lists(CALLED_WORDS, max_size=30)
# Where a text is changed, how much of it goes, and what comes.
EDITS = st.tuples(st.integers(0, 30), st.integers(0, 6), st.lists(CALLED_WORDS, max_size=4))


def told(texts: list[str], size: int) -> list[frozenset[str]]:
    """Return what each of the texts calls, which follow one another in a page."""
    dump = fast_reader.read(io.BytesIO(export([Page("Mill", [Revision(text) for text in texts])])))
    called = CalledNames(CALLED_NAMES, size)
    return [called.of(revision) for page in dump.pages for revision in page.revisions]


@given(CALLED_TEXTS, st.lists(EDITS, max_size=5), st.integers(1, 40))
def test_each_text_calls_what_the_parser_finds_in_it(
    words: list[str], edits: list[tuple[int, int, list[str]]], size: int
) -> None:
    texts = ["".join(words)]
    for at, gone, new in edits:
        words = [*words[:at], *new, *words[at + gone :]]
        texts.append("".join(words))
    texts += texts[::-2]
    assert told(texts, size) == [CALLED_NAMES.parsed(text) for text in texts]


def test_a_revert_to_an_earlier_text_calls_what_that_did() -> None:
    page = "{{Infobox mill\n|built=1850\n}}\n" + "A mill on the river.\n" * 50 + "{{Stub}}"
    texts = list(islice(cycle([page, "", page + "{{POV}}", page.replace("river", "lake")]), 12))
    assert told(texts, 20) == [CALLED_NAMES.parsed(text) for text in texts]


@pytest.mark.parametrize("damage", [b"\xff", b"\x01"])
def test_damage_in_what_changed_is_told_and_elsewhere_was_told_before(damage: bytes) -> None:
    texts = [f"{{{{Stub}}}}\nA mill.\n{'A farm. ' * n}\nA hill.\n" for n in range(4)]
    xml = export([Page("Mill", [Revision(text) for text in texts])])
    xml = xml.replace(b"A farm. A farm. A", b"A farm. A farm. %bA" % damage)
    called = CalledNames(CALLED_NAMES, 5)
    page = next(fast_reader.read(io.BytesIO(xml)).pages)
    assert [called.of(revision) for revision in islice(page.revisions, 3)] == [{"Stub"}] * 3
    with pytest.raises(DumpError, match="in page 'Mill' in revision 4"):
        called.of(next(page.revisions))


def test_no_text_takes_more_than_its_share_of_time() -> None:
    def count(text: str) -> None:
        with suppress(DumpError):  # characters that no export can hold
            told([text, text + "\nA mill.", "A farm.\n" + text], 400)

    assert slow(count, kinds()) == {}
