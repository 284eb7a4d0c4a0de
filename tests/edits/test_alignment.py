"""Which removed sentence became which added one."""

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignment_scores import Scores, groups, read, score
from paths import CASES
from wikibias.edits.alignment import Side, Weights, align, assign, best, gains_of, greedy, places
from wikibias.edits.word_diff import words
from wikibias.records import Link, Sentence
from wikibias.text.segmentation import normalise
from wikis import segmenter

MIRRORED = {"split": "merged", "merged": "split", "deleted": "inserted", "inserted": "deleted"}
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


@settings(max_examples=50)
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


@settings(max_examples=50)
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
    rows = [f"The village of Northdale{number} lies in the county." for number in range(1000)]
    links, _ = align(sentences(rows), sentences([f"{row[:-1]} of Pell." for row in rows]))
    assert all(link.relation == "rewritten" for link in links)
    assert all(f"Northdale{n} " in link.counterpart for n, link in enumerate(links))


@pytest.mark.parametrize("text", ["a b " * 20_000, "水車" * 20_000, "1 " * 20_000, "x" * 250_000])
def test_endless_sentences_are_aligned(text: str) -> None:
    links, _ = align(sentences([text]), sentences([f"{text} end."]))
    assert links[0].relation == "rewritten" or text[0] == "x"


Gains = dict[tuple[int, int], int]
GAINS = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 5)), st.integers(1, 1000), max_size=20
)


def highest(gains: Gains) -> int:
    """Return the highest sum, by trying all permutations."""
    size = 1 + max((max(pair) for pair in gains), default=0)
    return max(
        sum(gains.get((row, column), 0) for row, column in enumerate(columns))
        for columns in permutations(range(size))
    )


def total(pairs: list[tuple[int, int]], gains: Gains) -> int:
    for side in (0, 1):
        assert len({pair[side] for pair in pairs}) == len(pairs)
    return sum(gains[pair] for pair in pairs)


@given(GAINS)
def test_the_sum_is_the_highest(gains: Gains) -> None:
    assert total(assign(gains), gains) == highest(gains)


@given(GAINS)
def test_a_greedy_choice_is_at_least_half_of_it(gains: Gains) -> None:
    assert 2 * total(greedy(gains), gains) >= highest(gains)


def test_a_greedy_choice_is_mostly_near_to_the_best() -> None:
    """Gains like those of sentences: one likely partner each, and a dozen others."""
    rng = random.Random(7)
    shares = []
    for _ in range(20):
        gains = {(n, rng.randrange(40)): rng.randint(1, 6000) for n in range(40) for _ in range(12)}
        gains |= {(n, n): rng.randint(3000, 10_000) for n in range(40)}
        shares.append(total(greedy(gains), gains) / total(best(gains), gains))
    assert min(shares) > 0.9
    assert sum(shares) / len(shares) > 0.96


def test_a_large_group_is_assigned_soon() -> None:
    gains = {(n, (n + step) % 2000): 1 + step * n % 97 for n in range(2000) for step in range(12)}
    assert len(assign(gains)) > 1800


TEXTS = st.lists(
    st.lists(st.sampled_from("a bb mill stone 1850 1851".split())).map(" ".join), max_size=12
)


def side(texts: list[str]) -> Side:
    return Side.of([Sentence(text, normalise(text)) for text in texts])


def gains(left: list[str], right: list[str]) -> Gains:
    removed, added = side(left), side(right)
    stand = places([None] * len(left), len(right)), places([None] * len(right), len(left))
    return gains_of((removed, added), Weights((removed, added)), stand)


def test_words_that_many_sentences_have_count_less() -> None:
    names = ("Osgood", "Pell", "Marlow", "Hale")
    left = [f"The band's song {name} is the best of all." for name in names]
    found = gains(left, [f"The band's song {name} was sung by a choir." for name in names[::-1]])
    assert max(found, key=lambda pair: (pair[0] == 0, found[pair])) == (0, 3)
    assert max(found, key=lambda pair: (pair[0] == 3, found[pair])) == (3, 0)


@pytest.mark.parametrize(
    ("removed", "added", "is_pair"),
    [
        ("Osgood sang in a choir each winter.", "The quarry of Osgood gave work to all.", False),
        # Other endings of words make no difference.
        ("Мостът е построен от занаятчии.", "Мостовете са построени от занаятчиите.", True),
        # Letters of a script without spaces count two by two.
        ("この水車は谷で最も美しい。", "この水車は谷で古い。", True),
        ("この水車は谷で最も美しい。", "鉄道が廃止された。", False),
    ],
)
def test_what_makes_a_pair(removed: str, added: str, is_pair: bool) -> None:
    assert bool(gains([removed], [added])) == is_pair


@given(TEXTS, TEXTS)
def test_the_sides_count_alike(left: list[str], right: list[str]) -> None:
    swapped = {(b, a): gain for (a, b), gain in gains(right, left).items()}
    assert gains(left, right) == swapped


def test_places_lie_between_those_of_the_neighbours() -> None:
    found = places([None, 0, None, None, 4, None], 6)
    assert list(found.own) == [0, 2, 3, 5]
    assert list(found.other) == pytest.approx([-0.5, 4 / 3, 8 / 3, 5])
