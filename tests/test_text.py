"""Wikitext to text, text to sentences, sentences to the form that is compared."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casefiles import cases
from wikibias.config import Text, load_config, load_language, load_mediawiki
from wikibias.details import cleaning_rules
from wikibias.sentences import Segmenter, normalise
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset
from wikibias.titles import Namespaces
from wikibias.wikitext import (
    Rules,
    UnreadableError,
    _cleaned,
    redirect_pattern,
    stretches,
    visible_text,
)


@cache
def rules(lang: str) -> Rules:
    language = load_language(lang)
    namespaces = Namespaces.of({}, language.namespaces)
    return cleaning_rules(language, namespaces, load_tagset("npov", lang), 2_500_000)


@cache
def segmenter(lang: str) -> Segmenter:
    return Segmenter(load_language(lang), Text(min_tokens=0, max_tokens=10_000))


@pytest.mark.parametrize("case", cases("visible_text"))
def test_visible_text(case):
    assert visible_text(case["wikitext"], rules(case.get("lang", "en"))) == case["text"]


@pytest.mark.parametrize("case", cases("sentences"))
def test_sentences(case):
    found = [s.text for s in segmenter(case["lang"]).split(case["text"])]
    assert found == case["sentences"]


@pytest.mark.parametrize("case", cases("norm"))
def test_norm(case):
    assert segmenter(case["lang"]).normalise(case["text"]) == case["norm"]


@given(st.text(), st.booleans())
def test_norm_is_stable(text, keep):
    once = normalise(text, keep_apostrophes=keep)
    assert normalise(once, keep_apostrophes=keep) == once
    assert once == once.strip()
    assert "  " not in once
    assert "\t" not in once
    assert "\n" not in once


MARKUP = (
    "'' ''' [[ ]] {{ }} | = * # : ; <b> </b> <ref> </ref> {| |} <!-- --> &amp; x \n A."
).split(" ")


@given(st.lists(st.sampled_from(MARKUP)))
@settings(max_examples=300)
def test_any_markup_gives_clean_paragraphs(pieces):
    text = visible_text(" ".join(pieces), rules("en"))
    for line in text.split("\n"):
        assert line == line.strip()
        assert "<!--" not in line


MARKUP = [
    *"{{a|b}} {{POV| }} {| |- | |} [[x|y]] [[File:x.png|thumb| ]] [http://x y] [ ] < > { }".split(),
    *"<ref> </ref> <b> </b> <ref/> <br> <li> <nowiki> </nowiki> '' &amp; __TOC__ </br>".split(),
    *"<http://x.org/a> <a:b c> </a:b> <me@x.org> ]] }} </i> </p>".split(),
    *["\n", "\n", "\n\n", "\n* item ", "\n== Head ==\n", "\n;term : said ", "\n----\n"],
    *['<ref name="a/>b">', "<ref name=O'Neil>", "<a ", "\n{|\n| cell\n|}\n", "\n: said "],
    *["Some words. "] * 6,
]


@given(st.lists(st.sampled_from(MARKUP), max_size=40).map("".join))
@settings(max_examples=500, deadline=None)
def test_stretches_mean_the_same_by_themselves(text):
    found = list(stretches(text, 1))
    assert "".join(found) == text
    by_themselves = "".join(_cleaned(stretch, rules("en")) for stretch in found)
    assert by_themselves == _cleaned(text, rules("en"))


def test_most_of_an_article_is_in_short_stretches():
    line = 'A [[mill]] stood {{where|here}}.<ref name="a">Said <b>so</b></ref>\n{|\n|x\n|}\n'
    assert max(map(len, stretches(line * 200))) < 1000


def test_sentence_length_limits():
    language = load_language("en")
    limits = load_config().text
    split = Segmenter(language, limits).split
    assert split("One two three four five.") == []
    assert len(split("One two three four five six.")) == 1
    assert len(split(" ".join(["word"] * 299) + ".")) == 1
    assert split(" ".join(["word"] * 300) + ".") == []


def test_sentences_lose_no_text():
    text = 'He left. "I go," she said (ca. 1990). Then... nothing. what? Ah! «So» it is.'
    found = [s.text for s in segmenter("en").split(text)]
    assert "".join("".join(found).split()) == "".join(text.split())


def test_words_are_forgotten_in_time():
    """Memory does not grow with the words of a wiki, and nothing is split otherwise after that."""
    fresh = Segmenter(load_language("en"), Text(min_tokens=0, max_tokens=10_000))
    asked = "Dr. Smith came at 5 p.m. on foot. He went on."
    before = fresh.split(asked)
    most = 0
    for number in range(2000):
        words = " ".join(f"word{number}x{n}" for n in range(100))
        fresh.sentences(f"Seen: {words}.")
        most = max(most, len(fresh._nlp.vocab.strings))
    assert 100_000 < most < 160_000
    assert len(fresh._nlp.vocab.strings) < most
    assert fresh.split(asked) == before == segmenter("en").split(asked)


def test_too_long_or_too_broken_is_unreadable():
    with pytest.raises(UnreadableError, match="longer"):
        visible_text("x" * 2_500_001, rules("en"))
    with pytest.raises(UnreadableError, match="unclosed"):
        visible_text("<b>" * 100_000, rules("en"))
    with pytest.raises(UnreadableError, match="unclosed"):
        visible_text("[http://x " * 100_000, rules("en"))


HOSTILE = [
    "{{",
    "[[",
    "''",
    "'",
    "{|\n",
    "{{{",
    "&#",
    "(",
    "_",
    "<!--",
    "<nowiki>",
    "<b>",
    "[http:",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_ends(piece):
    """Each of these once cost minutes or a crash, in mwparserfromhell or in the tokenizer."""
    hostile = piece * 30_000 + "}}" * 9_999
    with suppress(UnreadableError):
        segmenter("en").split(visible_text(hostile, rules("en")))
    assert Matcher(load_tagset("npov", "en"), Namespaces.of({})).tags(hostile) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#REDIRECT [[A]]", True),
        ("  #redirect:[[A#b]]\n{{R from merge}}", True),
        ("#REDIRECTION [[A]]", True),
        ("#виж [[А]]", True),
        ("#пренасочване [[А]]", True),
        ("#WEITERLEITUNG [[A]]", True),
        ("# REDIRECT [[A]]", False),
        ("Text #REDIRECT [[A]]", False),
        ("#REDIRECT A", False),
    ],
)
def test_redirects_of_any_language(text, expected):
    pattern = redirect_pattern(load_mediawiki().redirect_words)
    assert bool(pattern.match(text)) is expected
