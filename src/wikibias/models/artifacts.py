"""What an experiment leaves in its folder: model, card, scores, predictions, figures, page."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from wikibias.models.card import card
from wikibias.models.estimators import registry
from wikibias.models.evaluation.experiment import Experiment, Outcome
from wikibias.models.evaluation.metrics import confusion, reliability
from wikibias.models.examples import Splits
from wikibias.rendering import figures
from wikibias.reports import classifier_page
from wikibias.storage.atomic import disk_errors, whole_file, write_text

_PACKAGES = ("wikibias", "scikit-learn", "numpy", "scipy", "skops", "fasttext-community")


def write(experiment: Experiment, splits: Splits, out: Path, facts: Mapping[str, Any]) -> None:
    """Write everything about one trained model to a folder; files of the same name are replaced.

    `facts` (such as language and stop words) go into the model's description and its card.

    Raises:
        DiskError: the folder cannot be written.
    """
    pictures = {name: draw(name, outcome) for name, outcome in experiment.outcomes.items()}
    described = {**facts, "versions": versions(), "data": data(splits)}
    with disk_errors(out):
        out.mkdir(parents=True, exist_ok=True)
        registry.save(experiment.model, out, described)
    write_json(out / "scores.json", experiment.as_dict())
    write_text(out / "README.md", card(experiment, described))
    write_text(out / "report.html", classifier_page.experiment_page(experiment, pictures))
    for name, outcome in experiment.outcomes.items():
        write_text(out / f"predictions-{name}.tsv", predictions(outcome))
        for kind, png in pictures[name].items():
            write_png(out / "figures" / f"{name}-{kind}.png", png)


def write_json(path: Path, content: Any) -> None:
    """Write JSON that people can read."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def read_json(path: Path) -> Any:
    """Read what `write_json` wrote."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_png(path: Path, png: bytes) -> None:
    """Write a figure, making its folder."""
    with whole_file(path) as temporary:
        temporary.write_bytes(png)


def draw(name: str, outcome: Outcome) -> dict[str, bytes]:
    """Return the figures of one split, by kind."""
    truth = outcome.examples.biased
    return {
        "scores": figures.metrics(outcome.scores, outcome.constant, f"{name}: scores, 95 %"),
        "confusion": figures.confusion(confusion(truth, outcome.said), f"{name}: confusion"),
        "reliability": figures.reliability(
            reliability(truth, outcome.said.chances), f"{name}: reliability"
        ),
    }


def predictions(outcome: Outcome) -> str:
    """Return a TSV table: row in the file, label, decision, probability of bias, sentence."""
    examples, said = outcome.examples, outcome.said
    names = {True: "biased", False: "neutral"}
    lines = ["row\tlabel\tdecision\tprobability\tsentence"]
    for i, text in enumerate(examples.texts):
        label, decision = names[bool(examples.biased[i])], names[bool(said.decisions[i])]
        sentence = " ".join(text.split())
        lines.append(f"{examples.rows[i]}\t{label}\t{decision}\t{said.chances[i]:.6f}\t{sentence}")
    return "\n".join(lines) + "\n"


def versions() -> dict[str, str]:
    """Return the versions of what made the model; packages that are not installed are left out."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def data(splits: Splits) -> dict[str, dict[str, Any]]:
    """Return for each split where it came from, how large it is, and a digest of its content."""
    return {
        name: {
            "source": part.name,
            "sentences": len(part),
            "biased": int(part.biased.sum()),
            "sha256": sha256("\n".join(part.texts).encode() + part.biased.tobytes()).hexdigest(),
        }
        for name, part in splits.by_name.items()
    }
