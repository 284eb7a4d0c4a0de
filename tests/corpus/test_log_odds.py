import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.corpus.log_odds import WordCounts, contrasts, tokens


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


def test_no_words_have_no_contrast() -> None:
    assert contrasts({}, (0, 0)) == []


@given(
    st.dictionaries(st.text(min_size=1), st.tuples(st.integers(0, 99), st.integers(0, 99))),
)
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
