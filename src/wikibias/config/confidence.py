"""The model of confidence: `configs/confidence.toml`, and the words of a language that tell."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from wikibias.config.resources import find, folder, is_name
from wikibias.kits.checked import TomlFile, conform_file, read_text

OTHER, ANY_WORDS = "other", "families"
"""The models of languages of which no sentence has been judged: without words, and with them."""
PREFIXES = ("has ", "summary ", "lost ~", "lost ", "gained ")
"""How the names of features begin that are single words, or letters of one."""
Family = Literal[
    "strong_praise",
    "praise",
    "strong_blame",
    "blame",
    "loaded",
    "doubt",
    "factive",
    "attribution",
    "hedge",
    "intensifier",
    "certainty",
    "comment",
    "reader",
    "gender",
    "vague_number",
    "dramatic",
    "promotion",
    "emotion",
]
"""What a word may tell; the folder of the families says what each means."""


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
        families: of each word, in lower case, what it may tell.
        weights: of each feature, by its name; of one that is missing, none.
        by_prefix: the same by how the names begin, "" or one of PREFIXES, and how they go on.
        weighs_words: whether single words have weights, beside their families.
    """

    families: Mapping[str, tuple[Family, ...]]
    weights: Mapping[str, Weights]
    by_prefix: Mapping[str, Mapping[str, Weights]]
    weighs_words: bool = False


@dataclass(frozen=True, slots=True)
class _File:
    fitted: dict[str, str]
    weights: dict[str, dict[str, list[float]]]


@cache
def load_confidence(lang: str) -> ConfidenceModel:
    """Return the model of a language, read once in a process.

    Its words are those of `configs/word_families/<lang>.toml`, a user's own or the shipped.

    Raises:
        UsageError: a file is damaged; one line that names file, line and key.
    """
    file = TomlFile.read(_weights_file())
    fitted, families = conform_file(_File, file.table, file).weights, _word_families(lang)
    weights = fitted.get(lang) or fitted[ANY_WORDS if families else OTHER]
    of_features = {name: Weights(*both) for name, both in weights.items()}
    by_prefix: dict[str, dict[str, Weights]] = {prefix: {} for prefix in ("", *PREFIXES)}
    for name, weight in of_features.items():
        prefix = next(filter(name.startswith, PREFIXES), "")
        by_prefix[prefix][name.removeprefix(prefix)] = weight
    weighs_words = bool(families) and lang in fitted
    return ConfidenceModel(families, of_features, by_prefix, weighs_words=weighs_words)


def confidence_version(lang: str) -> str:
    """Return a hash of the files that the model of a language is read from.

    Their texts, comments and all: to parse them takes some fifty times as long.

    Raises:
        UsageError: one cannot be read.
    """
    texts = [read_text(path) for path in (_weights_file(), _families_file(lang)) if path]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def _weights_file() -> Path:
    return folder("configs") / "confidence.toml"


def _families_file(lang: str) -> Path | None:
    return find("configs", f"word_families/{lang}.toml") if is_name(lang) else None


def _word_families(lang: str) -> dict[str, tuple[Family, ...]]:
    path = _families_file(lang)
    if path is None:
        return {}
    file, found = TomlFile.read(path), dict[str, tuple[Family, ...]]()
    for family, words in conform_file(dict[Family, str], file.table, file).items():
        for word in words.split():
            found[word] = (*found.get(word, ()), family)
    return found
