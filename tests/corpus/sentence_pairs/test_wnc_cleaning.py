"""A line of wikitext to the text that WNC keeps."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.corpus.sentence_pairs.wnc_cleaning import cleaned


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("'''Elm''' is a [[market town|town]].", "Elm is a town."),
        ("Elm<ref>Fenwick 1901</ref> is a town<ref name=x>The mill", "Elm is a town"),
        ("The caf\u00e9 of \u00c9lm", "The caf of lm"),
        ("* [http://elm.example The mill] of Elm", "The mill of Elm"),
        ("Elm (\u03b5\u03bb\u03bc) lies here", "Elm lies here"),
        ("[[Image:Elm.jpg|right|200px|The mill]]", "The mill"),
        ("<blockquote>Elm &lt;b&gt;rose&lt;/b&gt;</blockquote>", "Elm rose"),
        ("Elm * and [the] mill", "Elm and the mill"),
        ("Elm,   the\tmill", "Elm, themill"),
        ("{{POV}}", ""),
        ("| name = Elm", ""),
        ("?What", ""),
        ("----", ""),
        ("Elm Gazette, retrieved on 3 May", ""),
        ('Elm rose.<ref name="Fenwick"/> It fell.', ""),
        ("x" * 100_001, ""),
        ("{{" * 1000 + "Elm", ""),
    ],
)
def test_case(line: str, text: str) -> None:
    assert cleaned(line) == text


@given(st.text(st.sampled_from("[]{}|<>/='&;#ab* ?ref()é\u0394http:"), max_size=300))
def test_it_gives_a_text_of_one_line_whatever_the_line_is(line: str) -> None:
    text = cleaned(line)
    assert text == " ".join(text.split())
    assert not set("[]*") & set(text)


@pytest.mark.parametrize(
    "piece", ["<ref>", "<ref name=", "(", "<del ", "http:", "&lt;", "''", "[[", "9", "9px"]
)
def test_hostile_lines_take_seconds_at_most(piece: str) -> None:
    began = time.process_time()
    cleaned((piece * 100_000)[:99_999])
    assert time.process_time() - began < 10
