"""What an experiment leaves in its folder: model, card, scores, predictions, figures, page."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from wikibias.files import disk_errors, whole_file, write_text
from wikibias.models import figures, registry, report
from wikibias.models.examples import Splits
from wikibias.models.experiment import Experiment, Outcome
from wikibias.models.figures import TITLES
from wikibias.models.names import METRICS
from wikibias.models.scores import confusion, reliability

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
    write_text(out / "report.html", report.experiment_page(experiment, pictures))
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


def card(experiment: Experiment, described: Mapping[str, Any]) -> str:
    """Return the model card in Markdown."""
    model = experiment.model
    parameters = ", ".join(f"`{k}={v}`" for k, v in model.parameters.items()) or "the defaults"
    lines = [
        f"# Model card: {model.name}",
        "",
        "Gives the probability that a sentence is one that Wikipedia's editors would remove to "
        "restore a neutral point of view. Made by `wikibias classify`; use it with "
        "`wikibias predict`.",
        "",
        "## Data",
        "",
        *_markdown(
            ["split", "sentences", "biased", "source", "SHA-256 of sentences and labels"],
            [
                [n, f"{d['sentences']:,}", f"{d['biased']:,}", f"{d['source']}", d["sha256"][:16]]
                for n, d in described["data"].items()
            ],
        ),
        "",
        "## Configuration",
        "",
        f"Parameters: {parameters}. Seed: {model.seed}. Language: {described['lang'] or 'none'}; "
        f"stop words: {described['stopwords'] or 'none'}.",
        "",
        "## Scores",
        "",
        "95 % bootstrap intervals. The constant classifier calls every sentence biased.",
        "",
        *_score_lines(experiment),
        "",
        "## Limits",
        "",
        "Labels come from edits, not from judges: in the 2019 study people found about half of "
        "the removed sentences biased. Scores this close to chance make the model a help for "
        "sorting, not a judge of a sentence, and never of its author.",
        "",
        "## Versions",
        "",
        ", ".join(f"{name} {number}" for name, number in described["versions"].items()) + ".",
    ]
    return "\n".join(lines) + "\n"


def _score_lines(experiment: Experiment) -> list[str]:
    names = list(experiment.outcomes)
    header = ["", *(cell for name in names for cell in (name, f"{name}, constant"))]
    rows = []
    for metric in METRICS:
        row = [TITLES[metric]]
        for outcome in experiment.outcomes.values():
            row += [
                report.with_interval(outcome.scores[metric]),
                report.number(outcome.constant[metric]["value"]),
            ]
        rows.append(row)
    return _markdown(header, rows)


def _markdown(header: list[str], rows: list[list[str]]) -> list[str]:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return [line(header), line(["---"] * len(header)), *map(line, rows)]
