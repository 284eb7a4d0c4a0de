from __future__ import annotations

import numpy as np

from sample_examples import examples
from wikibias.research.neural.encoder import without_doubtful

TRAIN = examples("train", 200, 1)
LABELS = TRAIN.biased.reshape(-1, 1)
JUDGED = np.ones_like(LABELS)


def test_wrong_labels_go_first() -> None:
    words = ["splendid", "plain"]
    texts = [f"The {words[row % 2]} mill of village {row}" for row in range(100)]
    noisy = np.array([[row % 2 == 0 or row in (11, 51, 71)] for row in range(100)])
    kept = without_doubtful(texts, noisy, JUDGED[:100], 3 / 53 + 1e-9)
    assert np.flatnonzero(~kept).tolist() == [11, 51, 71]


def test_of_both_classes_a_share_of_all_goes() -> None:
    kept = without_doubtful(TRAIN.texts, LABELS, JUDGED, 0.1, of="both", seed=4)
    assert int((~kept).sum()) == 20
    assert np.array_equal(
        kept, without_doubtful(TRAIN.texts, LABELS, JUDGED, 0.1, of="both", seed=4)
    )


def test_a_label_of_three_sentences_keeps_them() -> None:
    few = np.zeros_like(LABELS)
    few[:3] = True
    assert without_doubtful(TRAIN.texts, few, JUDGED, 0.5).all()
