"""Random lists of words that are as frequent, and as known, as the keywords in their place."""

from __future__ import annotations

from wikibias.research.selection_bias.random_lists import RandomLists, drawn

FREQUENT = {f"often{number:02}": 900 + number for number in range(40)}
RARE = {f"rarely{number:02}": 1 + number % 3 for number in range(60)}
NAMES = {f"name{number:02}": 2 for number in range(30)}
FREQUENCIES = {**FREQUENT, **RARE, **NAMES}
KNOWN = {*FREQUENT, *RARE, "keyword", "absent"}


def lists(keywords: dict[str, int], seed: int = 0, number: int = 50) -> RandomLists:
    found = drawn(keywords, FREQUENCIES, KNOWN, number=number, seed=seed)
    assert found is not None
    return found


def words_of(found: RandomLists, column: int) -> set[str]:
    return {found.words[place] for place in found.places[:, column].tolist()}


def test_each_place_has_words_of_its_frequency_and_kind() -> None:
    found = lists({"keyword": 920, "absent": 0, "unknown": 2})
    assert found.places.shape == (50, 3)
    assert words_of(found, 0) <= set(FREQUENT)
    assert all(abs(FREQUENCIES[word] - 920) <= 6 for word in words_of(found, 0))
    assert {FREQUENCIES[word] for word in words_of(found, 1)} == {1}
    assert words_of(found, 1) <= set(RARE)
    assert words_of(found, 2) <= set(NAMES)
    assert len(words_of(found, 2)) == 10


def test_no_keyword_is_drawn_in_any_case_or_with_its_mark() -> None:
    words = dict.fromkeys(["tax", "faith", "race", "gender"], 5)
    found = drawn({"Tax": 5, "#faith": 5, "race": 5}, words, words, number=9, seed=0)
    assert found is not None
    assert found.words == ["gender"]


def test_no_word_stands_twice_in_a_list() -> None:
    found = lists({f"keyword{number}": 2 for number in range(12)})
    assert all(len(set(row)) == 12 for row in found.places.tolist())


def test_too_few_words_are_drawn_again() -> None:
    found = drawn(
        {f"k{number}": 1 for number in range(5)}, {"one": 1, "two": 1}, (), number=3, seed=0
    )
    assert found is not None
    assert found.places.shape == (3, 5)
    assert drawn({"k": 1}, {"k": 4}, (), number=3, seed=0) is None


def test_a_seed_draws_the_same_whatever_the_order_of_the_words() -> None:
    keywords = {"keyword": 920, "unknown": 2}
    first = lists(keywords)
    turned = drawn(keywords, dict(reversed(FREQUENCIES.items())), KNOWN, number=50, seed=0)
    assert turned is not None
    assert first.words == turned.words
    assert first.places.tolist() == turned.places.tolist()
    assert lists(keywords, seed=1).places.tolist() != first.places.tolist()
