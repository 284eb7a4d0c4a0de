"""Near-duplicates: the exact search, and groups by MinHash."""

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile_texts import cost
from wikibias.corpus import near_duplicates
from wikibias.corpus.splits import SIMILARITY, minhash_groups
from wikibias.errors import UsageError

SENTENCES = st.lists(
    st.lists(
        st.sampled_from(["red", "green", "blue", "old", "new", "fox", "dog", "cat"]),
        min_size=1,
        max_size=7,
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(SENTENCES, SENTENCES, st.sampled_from(["word", "char"]), st.sampled_from([0.3, 0.5, 0.9]))
def test_no_pair_is_missed_and_none_invented(
    left: list[list[str]], right: list[list[str]], kind: str, threshold: float
) -> None:
    a, b = near_duplicates.vectors(kind, *([" ".join(s) for s in part] for part in (left, right)))
    found = near_duplicates.similar(a, b, threshold)
    everything = (a @ b.T).toarray()
    sure = np.abs(everything - threshold) > 1e-6  # on the border rounding decides
    wanted = set(zip(*np.nonzero((everything >= threshold) & sure), strict=True))
    pairs = list(zip(*found, strict=True))
    assert {pair for pair in pairs if sure[pair]} == wanted
    assert pairs == sorted(pairs)


def test_groups_are_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_duplicates, "NEAR_DUPLICATE_COSINE", 0.3)
    texts = [
        "a b c d e f".replace(" ", "x "),
        "a b c d e g".replace(" ", "x "),
        "something else altogether here",
    ]
    groups = near_duplicates.groups(texts, "word")
    assert groups[0] == groups[1] != groups[2]


def test_an_unknown_kind_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="did you mean 'word'"):
        near_duplicates.vectors("words", ["a"])


WORDS = "mill river stone bridge county old built town church owner water wheel road field".split()


def grouped(texts: Sequence[str]) -> list[int]:
    return list(minhash_groups(texts, len(texts)))


def variants(count: int, seed: int) -> list[str]:
    """Return texts, some of which are others with a few words replaced."""
    rng = random.Random(seed)
    texts: list[str] = []
    while len(texts) < count:
        words = [f"{rng.choice(WORDS)}{rng.choice(WORDS)}" for _ in range(18)]
        for changes in range(5):
            changed = [*words]
            for place in rng.sample(range(18), changes):
                changed[place] = rng.choice(WORDS)
            texts.append(" ".join(changed))
    return texts


def test_pairs_well_above_the_threshold_are_found_and_those_below_are_not() -> None:
    texts = variants(250, 1)
    found = grouped(texts)
    runs = [{text[n : n + 5] for n in range(max(1, len(text) - 4))} for text in texts]
    pairs = [
        (len(runs[a] & runs[b]) / len(runs[a] | runs[b]), a, b)
        for a, b in combinations(range(len(texts)), 2)
    ]
    close = [found[a] == found[b] for likeness, a, b in pairs if likeness >= SIMILARITY + 0.15]
    assert len(close) > 100
    assert np.mean(close) > 0.99
    far = [found[a] == found[b] for likeness, a, b in pairs if likeness <= SIMILARITY - 0.3]
    assert np.mean(far) < 0.001


def test_a_group_is_named_after_its_first_text() -> None:
    text = "the old mill at the river was built by the owner of the stone bridge"
    other = "a church in the next town has a wheel of water on its field road"
    assert grouped([other, text, text + "s", other]) == [0, 1, 1, 0]


@given(st.lists(st.text(max_size=40), max_size=30))
@settings(max_examples=100)
def test_any_texts_have_groups_and_the_same_ones_share_theirs(texts: list[str]) -> None:
    found = grouped([*texts, *texts])
    assert found[len(texts) :] == found[: len(texts)]
    assert all(found[first] == first <= number for number, first in enumerate(found))


@pytest.mark.parametrize("texts", [[], [""], ["\ud800 half a character"]])
def test_little_or_odd_text(texts: list[str]) -> None:
    assert grouped(texts) == list(range(len(texts)))


def test_where_all_texts_are_alike_the_cost_is_a_straight_line() -> None:
    text = "the same sentence stands on every page of this wiki again and again"

    def all_alike(line: str) -> None:
        assert set(grouped([text] * len(line))) == {0}

    assert cost(all_alike, "x" * 20_000) < 8 * max(0.05, cost(all_alike, "x" * 5_000))
