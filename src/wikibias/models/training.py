"""Training and evaluation of one model, a grid search, several models, or several labels.

What comes of it is a folder: description, card, page, scores, predictions, grid tables.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from wikibias.config.thresholds import load_config
from wikibias.errors import UsageError, WikibiasError, nearest
from wikibias.kits import document, folders, hub
from wikibias.kits.evaluation import always_biased, score
from wikibias.kits.files import disk_errors, read_json, to_json, write_json, write_text
from wikibias.kits.html import html
from wikibias.kits.tables import one_line, write_rows
from wikibias.models import grid_search, model_folder, report
from wikibias.models.estimators import label_models, registry
from wikibias.models.evaluation import experiment as experiments
from wikibias.models.evaluation.experiment import Comparison, Experiment, Outcome
from wikibias.models.examples import Examples, Splits, warn_of_shared_pages
from wikibias.models.grid_search import Grid, GridResult, Parameters, Row, is_journal

# Of a shared model: sentences of others, and pages for people, stay where they are.
_LEFT_OUT = ("predictions-*", "report.html", "grid.*", "cv-*", "*.md", registry.MODEL.description)


def check_folder(out: Path) -> None:
    """Make sure that a folder is empty, or holds what an earlier experiment left.

    Raises:
        UsageError: it holds something else, or a link to another place.
        DiskError: it cannot be looked into.
    """
    folders.refuse_foreign(out, _is_experiment)
    folders.refuse_links(out, ["figures"])


def _is_experiment(folder: Path) -> bool:
    # A comparison has a folder for each model.
    below = folder.glob(f"*/{registry.MODEL.description}")
    return is_journal(folder / model_folder.JOURNAL) or any(
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
        WikibiasError: a model of another package is not the same once it is read back.
    """
    facts = {**facts, "versions": model_folder.versions(model_folder.OF_CLASSIFIERS)}
    card = partial(report.card, experiment)
    described = registry.CLASSIFIERS.save(experiment.model, out, facts, card)
    _check_read_back(experiment, out)
    write_json(out / "scores.json", experiment.as_dict())
    if found is not None:
        write_grid(found, out)
    for name, outcome in experiment.outcomes.items():
        write_text(out / f"predictions-{name}.tsv", predictions(outcome))
    older = [*model_folder.of_older_corpora(out, described)]
    _write_page(out, report.model_page(experiment, described, found, older, of_edits=of_edits))


def _check_read_back(experiment: Experiment, out: Path) -> None:
    """Check that a model of another package says of some sentences what it said before."""
    model, several = experiment.model, bool(experiment.labels)
    if model.name in registry.OWN:
        return
    what = f"the model {model.name!r} is not the same once it is read back: mend its save and load"
    try:
        again, _ = label_models.load(out)
    except WikibiasError as error:
        raise WikibiasError(f"{what} ({error})") from error
    texts = [text for each in experiment.outcomes.values() for text in each.examples.texts[:20]]
    said = [registry.probabilities(of, texts, several=several) for of in (model, again) if texts]
    if said and not np.allclose(said[0], said[1], atol=1e-3):
        raise WikibiasError(what)


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


def _write_page(out: Path, page: document.Document) -> None:
    for drawing in document.drawings(page.sections):
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
    if isinstance(outcome, experiments.LabelOutcome):
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
        registry.MODEL.description: to_json(described, indent=2) + "\n",
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
        for metric in registry.METRICS if isinstance(of, dict) else ():
            value = (of or {}).get(metric, {}).get("value")
            if isinstance(value, (int, float)):
                size = described["data"][split]["sentences"]
                yield {
                    "dataset_name": f"a corpus of wikibias ({size} sentences)",
                    "dataset_split": split,
                    "metric_type": metric,
                    "metric_value": value,
                }


_CHECKPOINTS = ".checkpoints"  # hidden: a folder with nothing else in it counts as empty


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with a model.

    Attributes:
        splits: the sentences, with one label or several.
        out: the folder of the result.
        lang: of the sentences.
        stopwords: of this language.
        seed: of training, folds and intervals.
        cv: one of `registry.GROUPINGS`, or None.
        folds: of it.
        pairs: also evaluate which side of an edit the model calls biased.
        overwrite: whether a model of other data or settings may be replaced.
        parameters: of each model, by its name.
        first: sentences with noisier labels, to be learnt before those of train.
        run: where to train.
    """

    splits: Splits
    out: Path
    lang: str | None = None
    stopwords: Sequence[str] = ()
    seed: int = 0
    cv: str | None = None
    folds: int = 5
    pairs: bool = False
    overwrite: bool = False
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    first: Examples | None = None
    run: registry.Run = registry.HERE


def run_model(
    name: str, task: Task, found: GridResult | None = None, out: Path | None = None
) -> Experiment:
    """Train one model, evaluate it on dev and test, and write its folder.

    Args:
        name: of the estimator.
        task: what to do.
        found: the grid search that chose the parameters.
        out: the folder, where it is not that of the task.

    Raises:
        UsageError: unknown model or parameter, an evaluation that does not fit the data, or the
            folder holds another model.
        WikibiasError: the model cannot learn from the data.
        DiskError: the folder cannot be written.
    """
    out = out or task.out
    models = _Models(name, task, out, found.parameters if found else None)
    facts = _checked(models, searched=found is not None)
    leaks: list[str] = []
    warn_of_shared_pages(task.splits, leaks.append)
    experiment = experiments.train_and_evaluate(
        models.make, task.splits, cv=task.cv, count=task.folds, leaks=leaks, seed=task.seed
    )
    if task.pairs and not experiment.labels:
        experiment.details["pairs"] = experiments.pairwise_accuracy(experiment, seed=task.seed)
    of_edits = task.splits.train.edits is not None
    write_experiment(experiment, out, facts, found, of_edits=of_edits)
    with disk_errors(out):  # a finished result needs no checkpoints
        if (out / _CHECKPOINTS).is_dir():
            shutil.rmtree(out / _CHECKPOINTS)
    return experiment


def data(parts: Mapping[str, Examples]) -> dict[str, dict[str, Any]]:
    """Return each split's source, size and digest of sentences and labels."""
    found = {}
    for name, part in parts.items():
        digest = sha256("\n".join(part.texts).encode("utf-8", "surrogatepass"))
        for truth in (part.labels, part.judged) if part.names else (part.biased,):
            digest.update(truth.tobytes())
        if part.weights is not None:
            digest.update(part.weights.tobytes())
        found[name] = {
            "source": part.name,
            "sentences": len(part),
            "biased": int(part.biased.sum()),
            "sha256": digest.hexdigest(),
        }
    return found


def _checked(models: _Models, *, searched: bool = False) -> dict[str, Any]:
    """Return what the description of a model says beside itself; make sure that it may be written.

    Raises:
        UsageError: unknown model or parameter, or the folder holds another model or something else.
    """
    task, out, splits = models.task, models.out, models.task.splits
    check_folder(out)
    model = models.make_one()
    models.made = 0  # that one was not to be trained
    if splits.train.weights is not None and not isinstance(model, registry.WeightedLearner):
        raise UsageError(
            f"--weighted: {model.name} cannot weigh sentences; leave the option out, or take sgd "
            "or lr"
        )
    first = {} if task.first is None else {"first": task.first}
    facts = {
        **({"labels": list(splits.names)} if splits.names else {}),
        "lang": task.lang,
        "stopwords": f"{len(task.stopwords)} of {task.lang}" if task.stopwords else None,
        "normalised": splits.train.normalised,
        **({"weights": "confidence"} if splits.train.weights is not None else {}),
        "corpus": dict(splits.corpus),
        "data": data({**splits.by_name, **first}),
        "evaluation": {
            "cv": f"{task.cv}, {task.folds} folds" if task.cv else None,
            "task": "labels" if splits.names else "pairs" if task.pairs else None,
        },
    }
    own = {"model": model.name, "seed": model.seed}
    if not searched:  # else any that the search finds may take the place of others
        own["parameters"] = dict(model.parameters)
    model_folder.check_model(out, {**facts, **own}, overwrite=task.overwrite, searched=searched)
    return facts


class _Models:
    """Makes untrained models of one kind, each with a checkpoint of its own.

    The same command makes them in the same order, and so finds the checkpoints of a killed one.
    """

    def __init__(
        self, name: str, task: Task, out: Path, parameters: Mapping[str, Any] | None = None
    ) -> None:
        self.name, self.task, self.out, self.made = name, task, out, 0
        self._parameters = task.parameters.get(name, {}) if parameters is None else parameters

    def make(self) -> registry.AnyModel:
        """Return an untrained model of one label, or of several.

        Raises:
            UsageError: see `registry.create`; or the model learns in one stage, not in two.
        """
        like = self._create()
        if self.task.splits.names and not isinstance(like, registry.LabelLearner):
            return label_models.OneByOne(like, self.make_one)
        return self._prepared(like)

    def make_one(self) -> registry.Model:
        """Return an untrained model, placed, and with what it is to learn first."""
        return self._prepared(self._create())

    def _create(self) -> registry.Model:
        task = self.task
        return registry.create(
            self.name, stopwords=task.stopwords, seed=task.seed, **self._parameters
        )

    def _prepared(self, model: registry.Model) -> registry.Model:
        checkpoint = self.out / _CHECKPOINTS / f"{self.made}"
        run = replace(self.task.run, checkpoint=checkpoint, overwrite=self.task.overwrite)
        placed(model, run if self.made == 0 else replace(run, say=registry.HERE.say))
        self.made += 1
        if (first := self.task.first) is None:
            return model
        if not isinstance(model, registry.TwoStageLearner):
            raise UsageError(
                f"--train-first: {model.name} learns in one stage; leave the option out"
            )
        if first.names:
            return model.begin_with(first.texts, first.labels, first.judged)
        labels = first.biased.reshape(-1, 1)
        return model.begin_with(first.texts, labels, np.ones_like(labels))


def placed(model: registry.Model, run: registry.Run) -> registry.Model:
    """Say where a model is to be trained, if it trains as neural ones do.

    Raises:
        UsageError: a device is named, and the model knows none.
    """
    if isinstance(model, registry.Neural):
        model.run = run
    elif run.device != registry.HERE.device:
        raise UsageError(
            f"--device {run.device}: {model.name} knows no devices; leave the option out"
        )
    return model


def run_grid(
    grid: Grid,
    combinations: Sequence[Parameters],
    task: Task,
    *,
    track: Callable[[Iterator[list[Row]], int], Iterable[list[Row]]] = lambda rows, _: rows,
    jobs: int = -1,
) -> GridResult:
    """Score parameter combinations on dev; return their scores, which `run_model` writes.

    `track` may show how the search goes on, and takes how many combinations an interrupted one has
    done; `jobs` is how many processes (-1: one for each core).

    Raises:
        UsageError: there is no dev split to choose on, the space has a wrong parameter, or the
            folder holds another model or search.
        WikibiasError: train lacks a class.
    """
    splits = task.splits
    if "dev" not in splits.by_name:
        raise UsageError(
            "a grid search chooses on dev, and there is none; give --dev FILE, or a corpus whose "
            "dev is not empty"
        )
    train, dev = splits.train, splits.by_name["dev"]
    train.need_both_labels()
    model_folder.check_search(task.out, overwrite=task.overwrite)
    _checked(_Models(grid.model, task, task.out, combinations[0]), searched=True)
    some: dict[str, Any] = {"stopwords": [*task.stopwords], "seed": task.seed}
    digests = [part["sha256"] for part in data({"train": train, "dev": dev}).values()]
    facts = {"model": grid.model, "combinations": combinations, "data": digests, **some}
    journal = grid_search.Journal(task.out / model_folder.JOURNAL, facts)
    some |= {"jobs": jobs, "done": {*journal.rows}}
    finished = grid_search.search(grid, combinations, train, dev, **some)
    for found in track(finished, len(journal.rows)):
        journal.add(found)
    rows = [journal.rows[number] for number in sorted(journal.rows)]
    share = float(train.biased.mean())
    constant = score(dev.biased, always_biased(dev.biased, share))[grid.choose]
    best = grid_search.winner(rows, grid.choose)
    return GridResult(grid, rows, best, constant, experiments.shortage(dev, load_config().scores))


def run_comparison(names: Sequence[str], task: Task, progress: Callable[[str], None]) -> Comparison:
    """Train and judge several models, each in a folder of its own, and write the scores of all.

    `progress` takes the name of each model as soon as its folder is complete.

    Raises:
        UsageError: a model is unknown or not installed.
        WikibiasError: there is nothing to compare on.
    """
    if task.cv is None and not any(task.splits.held_out()):
        raise WikibiasError(
            "there is no dev or test to compare the models on; give --test FILE, a corpus where "
            "they are not empty, or --cv near-duplicate"
        )
    for name in names:
        if missing := registry.ESTIMATORS[name].missing():
            others = ",".join(other for other in names if other != name)
            raise UsageError(f"{missing} (or leave it out: --model {others})")
    check_folder(task.out)
    model_folder.check_comparison(task.out, names, overwrite=task.overwrite)
    for name in names:  # before hours of training
        facts = _checked(_Models(name, task, task.out / name))
    finished = []
    for name in names:
        finished.append(run_model(name, task, out=task.out / name))
        progress(name)
    tests = {split: experiments.compared(finished, split) for split in finished[0].outcomes}
    found = Comparison(finished, tests)
    write_comparison(found, task.out, facts)
    return found


def parse_settings(given: Sequence[str]) -> dict[str, Any]:
    """Parse `name=value` texts: true, false, numbers and quoted texts as in TOML, else plain texts.

    Raises:
        UsageError: one is not NAME=VALUE, or a name is given twice.
    """
    found: dict[str, Any] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set: {each[:60]!r} is not NAME=VALUE, such as rate=2e-5")
        if name.strip() in found:
            raise UsageError(f"--set: {name.strip()[:60]!r} is given twice")
        found[name.strip()] = _value(value.strip())
    return found


def _value(text: str) -> Any:
    try:
        found = tomllib.loads(f"value = {text}")["value"] if "\n" not in text else text
    except tomllib.TOMLDecodeError:
        return text
    return found if isinstance(found, (bool, int, float, str)) else text


def of_models(settings: Mapping[str, Any], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the parameters of each model; of several they are given as MODEL.NAME.

    Raises:
        UsageError: one names no model of them.
    """
    if len(names) == 1:
        return {names[0]: dict(settings)}
    found: dict[str, dict[str, Any]] = {}
    for key, value in settings.items():
        model, dot, name = key.partition(".")
        if not dot or model not in names:
            raise UsageError(
                f"--set {key[:60]}: of several models give MODEL.NAME=VALUE{nearest(model, names)}"
            )
        found.setdefault(model, {})[name] = value
    return found
