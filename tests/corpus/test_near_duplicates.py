"""Near-duplicates, exactly and by groups, and the words that tell the classes apart."""

import math
import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile_texts import Kind, slow
from wikibias.corpus import near_duplicates
from wikibias.corpus.log_odds import WordCounts, contrasts, tokens
from wikibias.corpus.splits import SIMILARITY, minhash_groups
from wikibias.errors import UsageError

COMMON = st.sampled_from("red green blue old new fox dog cat".split())
SENTENCES = st.lists(st.lists(COMMON, min_size=1, max_size=7), min_size=1, max_size=25)


@settings(max_examples=30, deadline=None)
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
    texts = variants(200, 1)
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
@settings(max_examples=50)
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

    assert slow(all_alike, [Kind("lines", "x")], 1_500) == {}


def test_the_score_of_a_worked_example() -> None:
    """Worked by hand: of 100 words in each class "finest" is 8 and 2, with a prior of 40 words."""
    (found,) = contrasts({"finest": (8, 2)}, (100, 100), prior=40)
    # The prior gives it 40 * 10 / 200 = 2: ln(10 / 130) - ln(4 / 136), and sqrt(1/10 + 1/4).
    assert found.log_odds == pytest.approx(math.log(10 / 130) - math.log(4 / 136))
    assert found.log_odds == pytest.approx(0.9614, abs=1e-4)
    assert found.z == pytest.approx(0.9614 / 0.5916, abs=1e-3)


def test_the_words_of_each_class_stand_at_its_end() -> None:
    found = contrasts({"the": (50, 50), "finest": (9, 0), "largest": (0, 9)}, (59, 59))
    assert [each.word for each in found] == ["finest", "the", "largest"]
    assert found[1].z == 0
    assert found[0].z == pytest.approx(-found[2].z)


def test_a_frequent_difference_counts_more_than_a_rare_one() -> None:
    found = contrasts({"often": (40, 10), "once": (1, 0), "rest": (959, 990)}, (1000, 1000))
    assert [each.word for each in found[:2]] == ["often", "once"]
    assert found[0].z > 1.96 > found[1].z
    assert contrasts({}, (0, 0)) == []


@given(st.dictionaries(st.text(min_size=1), st.tuples(st.integers(0, 99), st.integers(0, 99))))
def test_any_counts_have_a_finite_score(counts: dict[str, tuple[int, int]]) -> None:
    counts = {word: of for word, of in counts.items() if sum(of)}
    sizes = (sum(of[0] for of in counts.values()), sum(of[1] for of in counts.values()))
    assert all(math.isfinite(each.z) for each in contrasts(counts, sizes))


@pytest.mark.parametrize(
    ("norm", "expected"),
    [
        ("the finest dairy", ["the", "finest", "dairy"]),
        ("この神社は古い", ["この", "の神", "神社", "社は", "は古", "古い"]),
        ("jr 線", ["jr", "線"]),
        ("", []),
    ],
)
def test_words_of_a_script_without_spaces_are_two_letters(norm: str, expected: list[str]) -> None:
    assert list(tokens(norm)) == expected


def test_the_rarest_words_are_forgotten_when_there_are_too_many() -> None:
    counts = WordCounts(most=4)
    counts.add(["often"] * 5 + ["seldom", "more", "more", "one", "two", "often"], 0)
    assert counts.forgotten == 1
    assert counts.of["often"] == [6, 0]
    assert "seldom" not in counts.of
    assert counts.sizes == [11, 0]
