"""Loads a classifier that `wikibias classify` saved, and predicts with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wikibias.models.estimators.registry import Model


@dataclass(frozen=True, slots=True)
class Classifier:
    """A trained classifier of biased sentences; `load_classifier` gives one.

    Attributes:
        name: of the kind of model, such as "nb-lr".
        lang: the code of the language of the training data, where that is known.
    """

    name: str
    lang: str | None
    _model: Model = field(repr=False)
    _read: Callable[[str], str] = field(repr=False)

    def predict(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence is biased; over 0.5 means biased.

        Args:
            sentences: as people write them; those for a model of a corpus are normalised as the
                corpus was. Only the first 20,000 characters of one are read.

        Returns:
            A number from 0 to 1 for each sentence, in order; NaN for a blank one.
        """
        import numpy as np  # noqa: PLC0415 (takes longer than all other imports of `wikibias`)

        from wikibias.models.examples import LONGEST  # noqa: PLC0415 (loads scikit-learn)

        found = np.full(len(sentences), np.nan)
        wanted = [number for number, text in enumerate(sentences) if text.strip()]
        if wanted:
            texts = [self._read(sentences[number][:LONGEST]) for number in wanted]
            found[wanted] = self._model.predict_proba(texts)
        return found


def load_classifier(folder: str | os.PathLike[str]) -> Classifier:
    """Load a classifier.

    Args:
        folder: what `wikibias classify` made, such as `corpora/en/models/nb-lr`.

    Raises:
        WikibiasError: the folder holds no model, a damaged one, or one of another version.

    Examples:
        >>> classifier = load_classifier("corpora/en/models/sgd")
        >>> probabilities = classifier.predict(["It is truly the finest of all.", ""])
        >>> probabilities.shape
        (2,)
    """
    from wikibias.models import prediction  # noqa: PLC0415 (loads scikit-learn)
    from wikibias.models.estimators import registry  # noqa: PLC0415

    path = Path(folder)
    described = registry.describe(path)
    return Classifier(
        name=str(described["model"]),
        lang=described.get("lang"),
        _model=registry.load(path),
        _read=prediction.reader(described),
    )
