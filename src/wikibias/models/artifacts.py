"""Writes what an experiment leaves in its folder: model, card, scores, predictions, grid tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd

from wikibias.kits.cells import harmless
from wikibias.kits.files import atomic_file, write_json, write_text
from wikibias.kits.folders import refuse_foreign, refuse_links
from wikibias.messages import printable
from wikibias.models.card import card
from wikibias.models.estimators import registry
from wikibias.models.evaluation.experiment import Experiment, Outcome
from wikibias.models.examples import Splits, sharing_pages_with_train
from wikibias.models.package_versions import OF_CLASSIFIERS, versions
from wikibias.models.search.journal import NAME, Row, is_journal


def check_folder(out: Path) -> None:
    """Make sure that a folder is empty, or holds what an earlier experiment left.

    Raises:
        UsageError: it holds something else, or a link to another place.
        DiskError: it cannot be looked into.
    """
    refuse_foreign(out, _is_experiment)
    refuse_links(out, ["figures"])


def _is_experiment(folder: Path) -> bool:
    if registry.is_model(folder) or is_journal(folder / NAME):
        return True
    # A comparison has a folder for each model.
    return any(registry.is_model(path.parent) for path in folder.glob(f"*/{registry.DESCRIPTION}"))


def write_experiment(
    experiment: Experiment, splits: Splits, out: Path, facts: Mapping[str, Any]
) -> None:
    """Write one trained model, its card, scores and predictions; replaces files of the same name.

    `facts` (such as language, stop words and `data`) go into the model's description and its card.

    Raises:
        DiskError: the folder cannot be written.
    """
    described = {**facts, "versions": versions(OF_CLASSIFIERS)}
    shared = sharing_pages_with_train(splits)
    registry.save(experiment.model, out, described)
    write_json(out / "scores.json", experiment.as_dict())
    write_text(out / "README.md", card(experiment, described, shared))
    for name, outcome in experiment.outcomes.items():
        write_text(out / f"predictions-{name}.tsv", predictions(outcome))


def write_grid(rows: Sequence[Row], summary: Mapping[str, Any], out: Path) -> None:
    """Write the table of a grid search as Parquet and CSV, and its summary as JSON.

    Raises:
        DiskError: the folder cannot be written.
    """
    table = pd.DataFrame(list(rows))
    with atomic_file(out / "grid.parquet") as path:
        table.to_parquet(path, index=False)
    with atomic_file(out / "grid.csv") as path:
        for name in table.select_dtypes(exclude="number"):
            table[name] = [
                harmless(cell) if isinstance(cell, str) else cell for cell in table[name]
            ]
        table.to_csv(path, index=False, lineterminator="\n")
    write_json(out / "grid.json", summary)


def predictions(outcome: Outcome) -> str:
    """Return a TSV table: row in the file, label, decision, probability of bias, sentence.

    Of a corpus, also `sentence_id` and `diff_url`. A cell that a spreadsheet would take for a
    formula begins with an apostrophe, and control characters are shown escaped.
    """
    examples, predicted = outcome.examples, outcome.predicted
    names = {True: "biased", False: "neutral"}
    more = {"sentence_id": examples.ids, "diff_url": examples.urls}
    known = {name: cells for name, cells in more.items() if cells is not None}
    lines = ["\t".join(["row", "label", "decision", "probability", "sentence", *known])]
    for i, text in enumerate(examples.texts):
        label, decision = names[bool(examples.biased[i])], names[bool(predicted.decisions[i])]
        texts = (text, *(cells[i] for cells in known.values()))
        shown = (harmless(printable(" ".join(cell.split()))) for cell in texts)
        row = (f"{examples.rows[i]}", label, decision, f"{predicted.probabilities[i]:.6f}", *shown)
        lines.append("\t".join(row))
    return "\n".join(lines) + "\n"


def data(splits: Splits) -> dict[str, dict[str, Any]]:
    """Return each split's source, size and digest of sentences and labels."""
    return {
        name: {
            "source": part.name,
            "sentences": len(part),
            "biased": int(part.biased.sum()),
            "sha256": sha256("\n".join(part.texts).encode() + part.biased.tobytes()).hexdigest(),
        }
        for name, part in splits.by_name.items()
    }
