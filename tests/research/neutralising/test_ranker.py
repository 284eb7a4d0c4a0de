"""A linear model that ranks the candidates of each group."""

from __future__ import annotations

import numpy as np
import pytest

from wikibias.research.neutralising.ranker import Ranker, fit_ranker


def test_the_right_candidates_come_first_and_the_model_survives_json() -> None:
    rng = np.random.default_rng(0)
    groups = []
    for _ in range(60):
        features = rng.normal(size=(5, 3))
        groups.append((features, (features[:, 1] == features[:, 1].max()).astype(float)))
    ranker = fit_ranker(groups)
    again = Ranker.of(ranker.as_dict())
    right = sum(int(again.probabilities(f).argmax() == m.argmax()) for f, m in groups)
    assert right > 50
    assert again.probabilities(groups[0][0]).sum() == pytest.approx(1.0)


def test_weights_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="unequal"):
        Ranker.of({"weights": [1.0], "means": [], "deviations": [1.0]})
