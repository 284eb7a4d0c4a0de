"""Prints the paper's Table 7 for Bulgarian, and our results on the same files."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from wikibias.config.languages import load_language
from wikibias.kits.evaluation import Predictions, always_biased, score
from wikibias.models.estimators import registry
from wikibias.models.estimators.registry import METRICS
from wikibias.models.reading import parse_labels, read_files

SHARED = Path(
    os.environ.get("WIKIBIAS_SHARED", Path(__file__).resolve().parents[2] / "shared" / "data")
)
SEEDS = 20
PAPER = {
    ("sgd", "dev"): (0.5387, 0.4318, 0.4794),
    ("sgd", "test"): (0.5886, 0.5049, 0.5435),
    ("fasttext", "dev"): (0.5324, 0.4752, 0.5022),
    ("fasttext", "test"): (0.5330, 0.4937, 0.5126),
    ("lr", "dev"): (0.5182, 0.6219, 0.5653),
    ("lr", "test"): (0.5032, 0.6303, 0.5596),
}


def main() -> int:
    """Print the table and return the exit code."""
    folder = SHARED / "wiki-bias"
    if not folder.is_dir():
        print(f"no data at {folder} (set WIKIBIAS_SHARED)")
        return 1
    labels, stopwords = parse_labels("rem=biased,add=neutral"), load_language("bg").stopwords
    files = {n: folder / f"BG-xx-{n}.txt" for n in ("train", "dev", "test")}
    splits = read_files(files, labels, print)
    print(f"{'':28}  P      R      F1     acc    MCC    AUC    AP     Brier")
    for name in ("sgd", "fasttext", "lr"):
        models = [
            registry.create(name, stopwords=stopwords, seed=seed).fit(
                splits.train.texts, splits.train.biased
            )
            for seed in range(1 if name == "lr" else SEEDS)
        ]
        for split, part in splits.held_out():
            print(line(f"{name} {split}, paper", PAPER[name, split]))
            found = [
                score(part.biased, Predictions.of(model.predict_proba(part.texts)))
                for model in models
            ]
            print(line(f"{name} {split}, seed 0", list(found[0].values())))
            if len(models) > 1:
                means = [fmean(each[metric] or 0.0 for each in found) for metric in METRICS]
                print(line(f"{name} {split}, mean of {SEEDS} seeds", means))
    for split, part in splits.held_out():
        constant = always_biased(part.biased, float(splits.train.biased.mean()))
        print(line(f"always biased {split}", list(score(part.biased, constant).values())))
    return 0


def line(name: str, values: Sequence[float | None]) -> str:
    """Return one line of the table."""
    return f"{name:28}" + "".join("      –" if v is None else f"{v:7.4f}" for v in values)


if __name__ == "__main__":
    sys.exit(main())
