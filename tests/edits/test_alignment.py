"""Which removed sentence became which added one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment_scores import Scores, groups, read, score
from paths import CASES
from wikibias.edits.alignment import align, places
from wikibias.edits.word_diff import words
from wikibias.records import Link, Sentence
from wikibias.text.normalisation import normalise
from wikis import segmenter

MIRRORED = {
    "split": "merged",
    "merged": "split",
    "deleted": "inserted",
    "inserted": "deleted",
}
WORDS = "the a mill stood by old river Stone bridges bridge, (three) 1850 1,850 水車 café".split()
SENTENCES = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), max_size=8, unique=True
)


def sentences(texts: list[str], lang: str = "en") -> list[Sentence]:
    return [Sentence(text, segmenter(lang).normalise(text)) for text in texts]


def spans(link: Link) -> list[tuple[int, int]]:
    found = [tuple(map(int, span.split(":"))) for span in link.changed_spans.split()]
    return [(start, end) for start, end in found]


@pytest.mark.parametrize("edit", list(read([CASES / "alignment.toml"])))
def test_cases(edit: dict[str, Any]) -> None:
    removed, added = (sentences(edit[side], edit["lang"]) for side in ("removed", "added"))
    links, added_links = align(removed, added)
    gold = {(tuple(left), tuple(right), name) for left, right, name in edit["links"]}
    assert groups(links, added_links) == gold
    for text, link, gone in zip(edit["removed"], links, edit.get("spans", ()), strict=False):
        assert "|".join(text[start:end] for start, end in spans(link)) == gone


def test_agreement_with_the_gold_does_not_fall() -> None:
    scores = Scores()
    for edit in read([CASES / "alignment_dev.toml"]):
        score(edit, scores)
    assert scores.links.right / scores.links.found > 0.94
    assert scores.links.right / scores.links.gold > 0.90


@given(SENTENCES, SENTENCES)
def test_every_sentence_has_one_link(left: list[str], right: list[str]) -> None:
    removed, added = sentences(left), sentences(right)
    links, added_links = align(removed, added)
    assert (len(links), len(added_links)) == (len(removed), len(added))
    pairs = {link.pair_id for link in links if link.pair_id}
    assert pairs == {link.pair_id for link in added_links if link.pair_id}
    assert pairs == {str(number) for number in range(len(pairs))}
    for pair in pairs:
        sides = [
            [(s.text, link) for s, link in zip(side, found, strict=True) if link.pair_id == pair]
            for side, found in ((removed, links), (added, added_links))
        ]
        assert 1 in map(len, sides)
        for side, other in (sides, sides[::-1]):
            assert {link.counterpart for _, link in side} == {" ".join(text for text, _ in other)}
        assert len({(link.relation, link.similarity) for side in sides for _, link in side}) == 1


@given(SENTENCES, SENTENCES)
def test_spans_are_of_whole_words(left: list[str], right: list[str]) -> None:
    removed, added = sentences(left), sentences(right)
    for side, links in zip((removed, added), align(removed, added), strict=True):
        for sentence, link in zip(side, links, strict=True):
            found = list(words(sentence.text))
            starts, ends = (set(places) for places in zip(*found, strict=True))
            last = -1
            for start, end in spans(link):
                assert last < start < end <= len(sentence.text)
                assert start in starts
                assert end in ends
                last = end


@given(SENTENCES, SENTENCES)
def test_the_mirrored_edit_has_the_mirrored_links(left: list[str], right: list[str]) -> None:
    removed, added = sentences(left), sentences(right)
    if {normalise(text) for text in left} & {normalise(text) for text in right}:
        return  # then they are no removed and added sentences
    forth, back = groups(*align(removed, added)), groups(*align(added, removed))
    assert {(b, a, MIRRORED.get(name, name)) for a, b, name in back} == forth


def test_where_sentences_stand_tells_equals_apart() -> None:
    """Two removed sentences are as near to an added one; it takes the place of the second."""
    old, new = (sentences([f"The {which} hall was built of stone."]) for which in ("old", "new"))
    same = sentences([f"Line {word} of the page stays." for word in ("one", "two", "three")])
    (added,) = sentences(["The hall was built of stone."])
    before, after = [*old, *same, *new], [*same, added]
    here = [None, 0, 1, 2, None]
    there = [1, 2, 3, None]
    links, _ = align(
        [before[0], before[-1]], [after[-1]], (places(here, len(after)), places(there, len(before)))
    )
    assert [link.relation for link in links] == ["deleted", "rewritten"]


def test_thousands_of_sentences_that_are_nearly_the_same_are_aligned() -> None:
    rows = [f"The village of Northdale{number} lies in the county." for number in range(3000)]
    links, _ = align(sentences(rows), sentences([f"{row[:-1]} of Pell." for row in rows]))
    assert all(link.relation == "rewritten" for link in links)
    assert all(f"Northdale{n} " in link.counterpart for n, link in enumerate(links))


@pytest.mark.parametrize(
    "text", ["a b " * 100_000, "水車" * 100_000, "1 " * 200_000, "x" * 500_000]
)
def test_endless_sentences_are_aligned(text: str) -> None:
    links, _ = align(sentences([text]), sentences([f"{text} end."]))
    assert links[0].relation == "rewritten" or text[0] == "x"


def test_a_repeated_alignment_is_the_same() -> None:
    left, right = ["The mill stood by the river."], ["The old mill stood by a river."]
    assert align(sentences(left), sentences(right)) == align(sentences(left), sentences(right))
