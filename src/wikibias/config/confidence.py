"""The model of confidence, from `configs/confidence.toml`: words that tell, features, weights."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from wikibias.config.resources import folder
from wikibias.kits.checked import TomlFile, conform_file

OTHER = "other"
"""The model of languages that have none of their own: it looks at no word."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What a feature adds to the log-odds.

    Attributes:
        biased: of "the sentence is biased".
        less_neutral: of "the sentence is less neutral than its other side".
    """

    biased: float = 0.0
    less_neutral: float = 0.0


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """Two logistic regressions over the same features.

    Attributes:
        families: of each word, in lower case, what it may tell: praise, doubt, attribution, ...
        weights: of each feature, by its name; of one that is missing, none.
    """

    families: Mapping[str, tuple[str, ...]]
    weights: Mapping[str, Weights]


@dataclass(frozen=True, slots=True)
class _Fitted:
    families: dict[str, str] = field(default_factory=dict)
    weights: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _File:
    fitted: dict[str, str]
    model: dict[str, _Fitted]


@cache
def load_confidence(lang: str) -> ConfidenceModel:
    """Return the model of a language, or that of all `OTHER` languages.

    Raises:
        UsageError: the file is damaged; one line that names file, line and key.
    """
    file = TomlFile.read(folder("configs") / "confidence.toml")
    models = conform_file(_File, file.table, file).model
    fitted = models.get(lang) or models[OTHER]
    families: dict[str, tuple[str, ...]] = {}
    for family, words in fitted.families.items():
        for word in words.split():
            families[word] = (*families.get(word, ()), family)
    weights = {name: Weights(*both) for name, both in fitted.weights.items()}
    return ConfidenceModel(families, weights)
