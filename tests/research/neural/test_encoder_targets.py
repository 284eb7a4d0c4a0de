"""What an encoder learns: targets of types, weights, and labels that are left out."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from sample_sentences import examples
from wikibias.research.neural.encoder import fitted, joined, targets, without_doubtful


def test_types_are_learnt_where_there_is_any() -> None:
    labels = np.array([[True, False], [False, False], [False, False], [True, True]])
    judged = np.array([[True, True], [True, True], [True, False], [False, True]])
    any_first, known = targets(labels, judged)
    assert any_first.tolist() == [
        [True, True, False],
        [False, False, False],
        [False, False, False],
        [True, False, True],
    ]
    assert known.tolist() == [
        [True, True, True],
        [True, False, False],
        [False, False, False],  # it has none that is known, and not all are judged
        [True, False, True],
    ]


def test_a_type_is_as_likely_as_any_and_it() -> None:
    assert joined(np.array([[0.5, 0.5, 1.0]])).tolist() == [[0.25, 0.5]]


TRAIN = examples("train", 200, 1)
LABELS = TRAIN.biased.reshape(-1, 1)
JUDGED = np.ones_like(LABELS)


def test_wrong_labels_go_first() -> None:
    words = ["splendid", "plain"]
    texts = [f"The {words[row % 2]} mill of village {row}" for row in range(100)]
    noisy = np.array([[row % 2 == 0 or row in (11, 51, 71)] for row in range(100)])
    kept = without_doubtful(texts, noisy, JUDGED[:100], 3 / 53 + 1e-9)
    assert np.flatnonzero(~kept).tolist() == [11, 51, 71]


def test_a_label_of_three_sentences_keeps_them() -> None:
    few = np.zeros_like(LABELS)
    few[:3] = True
    assert without_doubtful(TRAIN.texts, few, JUDGED, 0.5).all()


RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(300, 6))
TRUTH = ROWS @ RNG.normal(size=6) + RNG.normal(size=300) > 0.3


@pytest.mark.parametrize("c", [0.01, 1.0])
def test_it_is_that_of_scikit_learn(c: float) -> None:
    known = LogisticRegression(C=c, max_iter=1000, tol=1e-8).fit(ROWS, TRUTH)
    found = fitted(ROWS, TRUTH, c)
    assert found[:-1] == pytest.approx(known.coef_[0], abs=1e-3)
    assert found[-1] == pytest.approx(known.intercept_[0], abs=1e-3)


def test_a_start_is_left_only_for_good_reasons() -> None:
    start = np.arange(7, dtype=float)
    assert fitted(ROWS, TRUTH, 1e-9, start)[:-1] == pytest.approx(start[:-1], abs=1e-2)
    near_zero, near_start = fitted(ROWS, TRUTH, 0.1), fitted(ROWS, TRUTH, 0.1, start)
    assert np.linalg.norm(near_start - start) < np.linalg.norm(near_zero - start)
