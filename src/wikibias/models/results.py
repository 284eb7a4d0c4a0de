"""Folders of trained classifiers: description, card, page, scores, predictions, grid tables."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits import hub
from wikibias.kits.document import Document, drawings
from wikibias.kits.files import read_json, write_json, write_text
from wikibias.kits.folders import refuse_foreign, refuse_links
from wikibias.kits.html import html
from wikibias.kits.tables import one_line, write_rows
from wikibias.models import report
from wikibias.models.estimators import registry
from wikibias.models.estimators.registry import METRICS
from wikibias.models.evaluation.experiment import Comparison, Experiment, LabelOutcome, Outcome
from wikibias.models.grid_search import GridResult, is_journal
from wikibias.models.model_folder import JOURNAL, OF_CLASSIFIERS, versions

# Of a shared model: sentences of others, and pages for people, stay where they are.
_LEFT_OUT = ("predictions-*", "report.html", "grid.*", "cv-*", "*.md", registry.MODEL.description)


def check_folder(out: Path) -> None:
    """Make sure that a folder is empty, or holds what an earlier experiment left.

    Raises:
        UsageError: it holds something else, or a link to another place.
        DiskError: it cannot be looked into.
    """
    refuse_foreign(out, _is_experiment)
    refuse_links(out, ["figures"])


def _is_experiment(folder: Path) -> bool:
    # A comparison has a folder for each model.
    below = folder.glob(f"*/{registry.MODEL.description}")
    return is_journal(folder / JOURNAL) or any(
        map(registry.MODEL.is_ours, [folder, *(path.parent for path in below)])
    )


def write_experiment(
    experiment: Experiment,
    out: Path,
    facts: Mapping[str, Any],
    found: GridResult | None = None,
    *,
    of_edits: bool = False,
) -> None:
    """Write one trained model, its card, page, scores and predictions; replaces such files.

    Args:
        experiment: the model.
        out: the folder.
        facts: such as language, stop words and `data`, for its description, card and page.
        found: the grid search that chose its parameters.
        of_edits: whether the edits of its sentences were known in training.

    Raises:
        DiskError: the folder cannot be written.
    """
    facts = {**facts, "versions": versions(OF_CLASSIFIERS)}
    card = partial(report.card, experiment)
    described = registry.CLASSIFIERS.save(experiment.model, out, facts, card)
    write_json(out / "scores.json", experiment.as_dict())
    if found is not None:
        write_grid(found, out)
    for name, outcome in experiment.outcomes.items():
        write_text(out / f"predictions-{name}.tsv", predictions(outcome))
    _write_page(out, report.model_page(experiment, described, found, of_edits=of_edits))


def write_comparison(found: Comparison, out: Path, facts: Mapping[str, Any]) -> None:
    """Write scores and page of several models.

    Raises:
        DiskError: the folder cannot be written.
    """
    first = found.experiments[0]
    scores = {
        "models": {e.model.name: e.as_dict() for e in found.experiments},
        "mcnemar": found.mcnemar,
        "warnings": [*first.leaks, *first.warnings()],
    }
    write_json(out / "scores.json", scores)
    _write_page(out, report.comparison_page(found, facts))


def write_grid(found: GridResult, out: Path) -> None:
    """Write the table of a grid search as CSV, and its summary as JSON.

    Raises:
        DiskError: the folder cannot be written.
    """
    write_rows(out / "grid.csv", found.rows)
    summary = {"chosen_by": found.grid.choose, "winner": found.best, "constant": found.constant}
    write_json(out / "grid.json", summary)


def _write_page(out: Path, page: Document) -> None:
    for drawing in drawings(page.sections):
        name = re.sub(r"[^a-z0-9]+", "-", drawing.title.lower()).strip("-")
        write_text(out / "figures" / f"{name}.svg", drawing.file())
    write_text(out / "report.html", html(page))


def predictions(outcome: Outcome) -> str:
    """Return a TSV table: row in the file, labels, decision, probabilities, sentence.

    Of several labels, with commas between them, there is also `judged`, and a probability for each.
    Of a corpus there are `sentence_id` and `diff_url`. A cell that a spreadsheet would take for a
    formula begins with an apostrophe, and control characters are escaped.
    """
    examples, decisions = outcome.examples, outcome.predicted.decisions
    likely = outcome.predicted.probabilities.reshape(len(examples), -1)
    if isinstance(outcome, LabelOutcome):
        names = [one_line(name) for name in examples.names]
        header = ["labels", "judged", "decision", *names]
        flags = (examples.labels, examples.judged, decisions)
        cells = [
            [",".join(compress(names, row)) for row in rows] for rows in zip(*flags, strict=True)
        ]
    else:
        called = ("neutral", "biased")
        header = ["label", "decision", "probability"]
        pairs = zip(examples.biased, decisions, strict=True)
        cells = [[called[int(flag)] for flag in pair] for pair in pairs]
    texts = {"sentence": examples.texts, "sentence_id": examples.ids, "diff_url": examples.urls}
    known = {name: column for name, column in texts.items() if column is not None}
    lines = ["\t".join(["row", *header, *known])]
    for i, row in enumerate(cells):
        figures = (f"{each:.6f}" for each in likely[i])
        last = (one_line(column[i]) for column in known.values())
        lines.append("\t".join([f"{examples.rows[i]}", *row, *figures, *last]))
    return "\n".join(lines) + "\n"


def files_of(folder: Path, scratch: Path) -> dict[str, Path]:
    """Return what of a model's folder is shared, by name: the model, its scores, and the card.

    Args:
        folder: of the model.
        scratch: where to write what is not as it lies in the folder; addresses of files on this
            machine are left out there.

    Raises:
        WikibiasError: the folder holds no whole model.
    """
    described = registry.MODEL.describe(folder)
    try:
        scores = read_json(folder / "scores.json")
        text = (folder / "README.md").read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise WikibiasError(
            f"{folder}: scores or card missing or damaged; train the model again with `wikibias "
            "classify`"
        ) from error
    files = {
        path.name: path
        for path in sorted(folder.iterdir())
        if path.is_file()
        and not path.name.startswith(".")
        and not any(path.match(pattern) for pattern in _LEFT_OUT)
    }
    sources = [Path(str(of["source"])) for of in described.get("data", {}).values()]
    places = {f"{path.parent}/" for path in sources if path.is_absolute()}
    written = {
        "README.md": hub.model_card(metadata(described), [*_scores(described, scores)], text),
        registry.MODEL.description: json.dumps(described, ensure_ascii=False, indent=2) + "\n",
    }
    for name, content in written.items():
        for place in sorted(places, key=len, reverse=True):
            content = content.replace(place, "")  # noqa: PLW2901
        write_text(scratch / name, content)
        files[name] = scratch / name
    return dict(sorted(files.items()))


def metadata(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the YAML block of a model's card says, without the scores."""
    lang = described.get("lang")
    known = isinstance(lang, str) and lang.isascii() and lang.isalpha() and len(lang) in (2, 3)
    return {
        "model_name": f"wikibias {described['model']}",
        **({"language": lang} if known else {}),
        "library_name": "wikibias",
        "pipeline_tag": "text-classification",
        "tags": ["wikipedia", "text-classification"],
    }


def _scores(described: Mapping[str, Any], scores: Any) -> Iterator[dict[str, Any]]:
    """Yield the scores on dev and test, where these are large enough; undefined ones are none."""
    scores = scores if isinstance(scores, dict) else {}
    warned = [str(each) for each in scores.get("warnings", ())]
    for split in ("dev", "test"):
        # Tables of the hub show no warnings beside a score.
        if any(each.startswith(f"{split}:") for each in warned):
            continue
        of = scores.get(split)
        for metric in METRICS if isinstance(of, dict) else ():
            value = (of or {}).get(metric, {}).get("value")
            if isinstance(value, (int, float)):
                size = described["data"][split]["sentences"]
                yield {
                    "dataset_name": f"a corpus of wikibias ({size} sentences)",
                    "dataset_split": split,
                    "metric_type": metric,
                    "metric_value": value,
                }
