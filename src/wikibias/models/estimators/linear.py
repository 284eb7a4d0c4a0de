"""Models that are scikit-learn pipelines, saved with skops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import skops.io
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import Pipeline

from wikibias.errors import WikibiasError
from wikibias.models.estimators.pipelines import RECIPES, check_parameters, patience
from wikibias.text.unsegmented import is_unspaced

FILE = "model.skops"
# Beyond what skops trusts by itself. Reviewed: containers of numbers, and our own transformer.
_TRUSTED = (
    "scipy.sparse._csr.csr_matrix",
    "scipy.sparse._csr.csr_array",
    "wikibias.models.estimators.nb_ratio.LogCountRatio",
)
_GENTLEST_SLOPE = 1e-3


class Linear:
    """One of `pipelines.RECIPES`, behind the protocol of `registry.Model`."""

    def __init__(
        self, name: str, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any
    ) -> None:
        check_parameters(name, RECIPES[name], parameters)
        self.name, self.seed, self.parameters = name, seed, parameters
        self.pipeline: Pipeline = RECIPES[name](stopwords, seed, **parameters)
        self.slope: float | None = None

    def fit(self, texts: Sequence[str], biased: NDArray[np.bool_]) -> Self:
        """Learn from sentences and whether each is biased; fits a slope where there is a margin.

        Raises:
            WikibiasError: there is nothing to learn from, such as no word that occurs twice.
        """
        try:
            with patience():
                self.pipeline.fit(texts, biased)
        except ValueError as error:
            remedy = ""
            if any(is_unspaced(text) for text in texts):
                remedy = " (text without spaces has no words to count; try --model char-lr)"
            raise WikibiasError(
                f"{self.name} cannot learn from these {len(texts)} sentences: {error}{remedy}"
            ) from error
        if not hasattr(self.pipeline, "predict_proba"):
            self.slope = _slope(self.pipeline, texts, biased, self.seed)
        return self

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence is biased; over 0.5 is the decision."""
        if not len(texts):
            return np.zeros(0)
        if self.slope is not None:
            return np.asarray(expit(self.slope * self.pipeline.decision_function(texts)))
        column = list(self.pipeline.classes_).index(True)
        return np.asarray(self.pipeline.predict_proba(texts)[:, column])

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the pipeline; return what else `load` needs, for the model's description."""
        skops.io.dump(self.pipeline, folder / FILE)
        return {"slope": self.slope}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read a pipeline, of known and harmless types only.

        Raises:
            WikibiasError: the file is missing, damaged, or holds a type that is not trusted.
        """
        path = folder / FILE
        try:
            strange = set(skops.io.get_untrusted_types(file=path)) - set(_TRUSTED)
            if strange:
                raise WikibiasError(f"{path}: holds types not to be trusted: {sorted(strange)}")
            pipeline = skops.io.load(path, trusted=list(_TRUSTED))
        except FileNotFoundError as error:
            raise WikibiasError(f"{path}: no such file") from error
        except WikibiasError:
            raise
        except Exception as error:  # skops raises what zipfile, json and numpy raise
            raise WikibiasError(f"{path}: not a model that can be read ({error})") from error
        model = cls(str(described["model"]), seed=int(described["seed"]))
        model.parameters = dict(described["parameters"])
        model.pipeline = pipeline
        model.slope = described["slope"]
        return model


def _slope(pipeline: Pipeline, texts: Sequence[str], biased: NDArray[np.bool_], seed: int) -> float:
    """Return how steeply the chance of bias rises with the margin, measured on held-out folds.

    A support vector machine gives a distance, not a probability. One slope and no intercept
    turn it into one and leave every decision as the paper's model makes it.
    """
    parts = min(3, int(biased.sum()), int((~biased).sum()))
    if parts < 2:
        return 1.0
    folds = StratifiedKFold(parts, shuffle=True, random_state=seed)
    margins = cross_val_predict(pipeline, texts, biased, cv=folds, method="decision_function")
    line = LogisticRegression(C=1e6, fit_intercept=False).fit(margins.reshape(-1, 1), biased)
    return max(float(line.coef_[0, 0]), _GENTLEST_SLOPE)
