"""Pages of classifiers: of one with its grid search, of several, and of several labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wikibias.kits import evaluation
from wikibias.kits.charts import Dot, Drawing, dots, matrix
from wikibias.kits.document import (
    Block,
    Cell,
    Document,
    Facts,
    Inline,
    Link,
    Section,
    Styled,
    Table,
    Text,
    number,
    p_value,
    with_interval,
)
from wikibias.kits.files import write_text
from wikibias.kits.html import html
from wikibias.messages import counted
from wikibias.models.constants import METRIC_TITLES, METRICS, ORDER_ONLY
from wikibias.models.estimators.registry import Attentive
from wikibias.models.evaluation.experiment import (
    Experiment,
    LabelOutcome,
    Outcome,
    co_occurrence,
    sides,
)
from wikibias.models.examples import Examples, Splits
from wikibias.models.results import data, label_table
from wikibias.models.training import (
    Comparison,
    GridResult,
    LabelExperiment,
    LabelTask,
    by_score,
)
from wikibias.models.training import data as label_data
from wikibias.reports.classifier_figures import (
    CONSTANT,
    SHORT_TITLES,
    of_comparison,
    of_grid,
    of_outcome,
)

_MOST_ERRORS = 8
_LONGEST = 300
# Two tables, since one with eight intervals in a row is wider than a page.
_FIRST = ("mcc", "f1", "precision", "recall")
_SECOND = tuple(metric for metric in METRICS if metric not in _FIRST)
_MOST_IN_MATRIX = 12
_SHADES = 5
_ATTENDED, _LONGEST_ATTENDED = 4, 400  # sentences of each decision; characters
_CROSS_VALIDATED = ("test", "dev", "cv")
_ONLY_AN_ORDER = (
    "The scores of single sentences put them in an order; they are no probabilities. The model "
    "learnt what differs between the two sides of an edit, so there is no calibration curve and no "
    "Brier score."
)


def write_experiment(
    experiment: Experiment, splits: Splits, out: Path, found: GridResult | None = None
) -> None:
    """Write `report.html` and the figures of one model, and of the grid search that chose it.

    Raises:
        DiskError: the folder cannot be written.
    """
    model = experiment.model
    is_order = model.name in ORDER_ONLY and splits.train.edits is not None
    shown = [metric for metric in METRICS if not (is_order and metric == "brier")]
    sections: list[Block] = [
        *_warnings(experiment.warnings(), experiment.leaks),
        *(_judged_edits(split, experiment) for split in experiment.details.get("pairs", {})),
        *([Text(_ONLY_AN_ORDER, "note")] if is_order else []),
        *(
            Section(
                f"{name}: {counted(len(outcome.examples), 'sentence')}",
                [
                    *_few(outcome.too_few),
                    _scores(name, outcome, shown),
                    *_written(out, name, of_outcome(name, outcome, shown)),
                    _wrong(_errors(name, outcome, "score" if is_order else "P(biased)")),
                ],
            )
            for name, outcome in experiment.outcomes.items()
        ),
    ]
    if not experiment.outcomes:
        sections.append(
            "Not evaluated: nothing was held out. To cross-validate, add `--cv near-duplicate` to "
            f"the command: `wikibias classify --model {model.name} --cv near-duplicate …`"
        )
    sections += attention_section(experiment)
    if found is not None:
        sections.append(_grid(found, out))
    elif model.parameters:
        sections.append(Section("Parameters", [Facts(_texts(model.parameters))]))
    sections.append(_data(splits.corpus, data(splits), "biased"))
    title = f"wikibias classify: {model.name}"
    lead = (
        f"Seed {model.seed}; 95 % bootstrap intervals. F1 alone proves nothing: compare with the "
        "constant classifier, and look at MCC, which is 0 for any constant."
    )
    write_text(out / "report.html", html(Document(title, lead, sections)))


def write_comparison(found: Comparison, splits: Splits, out: Path) -> None:
    """Write `report.html` and the figures of several models.

    Raises:
        DiskError: the folder cannot be written.
    """
    first = found.experiments[0]
    sections = _warnings(first.warnings(), first.leaks)
    for split in first.details.get("pairs", {}):
        scores = {e.model.name: e.details["pairs"][split] for e in by_score(found, split)}
        sections.append(
            Section("Which side of an edit is biased", [side_accuracies(split, scores)])
        )
    for split, outcome in first.outcomes.items():
        models = by_score(found, split)
        tables = {e.model.name: e.outcomes[split].scores for e in models}
        tables[CONSTANT] = outcome.constant
        tests = found.mcnemar[split]
        chance = f"p (Holm) is corrected for the {counted(len(tests), 'test')} on these sentences."
        sections.append(
            Section(
                f"{split}: {counted(len(outcome.examples), 'sentence')}",
                [
                    *_few(outcome.too_few),
                    *(_models(split, tables, metrics) for metrics in (_FIRST, _SECOND)),
                    *_written(
                        out, f"{split}-comparison", of_comparison(split, models, outcome.constant)
                    ),
                    Section(
                        "Which differences are more than chance?", [chance, _mcnemar(split, tests)]
                    ),
                ],
            )
        )
    sections.append(_data(splits.corpus, data(splits), "biased"))
    lead = "Same training data, same held-out sentences; 95 % bootstrap intervals."
    write_text(out / "report.html", html(Document("wikibias classify: models", lead, sections)))


def write_label_page(experiment: LabelExperiment, task: LabelTask) -> None:
    """Write `report.html` and the figures of a model of several labels.

    Raises:
        DiskError: the folder cannot be written.
    """
    model = experiment.model
    sections = _warnings(experiment.warnings(), experiment.leaks)
    for split, outcome in experiment.outcomes.items():
        header, rows = label_table(outcome)
        subset = with_interval(outcome.subset_accuracy)
        sections.append(
            Section(
                f"{split}: {counted(len(outcome.sentences), 'sentence')}",
                [
                    Table(header, rows, title=f"Scores on {split}", stacks=True),
                    f"All judged labels of a sentence right: {subset}.",
                    *_written(task.out, split, _label_figures(split, outcome)),
                    _wrong(_label_errors(split, outcome)),
                ],
            )
        )
    if not experiment.outcomes:
        sections.append(
            "Not evaluated: nothing was held out. `--cv near-duplicate` cross-validates."
        )
    training = experiment.as_dict().get("training", {})
    if model.parameters or training:
        parameters = Facts(_texts(model.parameters)) if model.parameters else "The defaults."
        trained = f"Trained on {training['device']} in {training['precision']}." if training else ""
        sections.append(Section("Parameters", [parameters, *([trained] if trained else [])]))
    parts = label_data({**task.splits.by_name, **({"first": task.first} if task.first else {})})
    sections.append(_data(task.splits.corpus, parts, "with a label"))
    lead = (
        f"Seed {model.seed}; 95 % bootstrap intervals. Each label is scored on the sentences that "
        "are judged by it."
    )
    title = f"wikibias classify: {model.name}, several labels"
    write_text(task.out / "report.html", html(Document(title, lead, sections)))


def _warnings(warnings: Sequence[str], leaks: Sequence[str]) -> list[Block]:
    found: list[Block] = []
    if warnings:
        told = f" {'. '.join(warnings)}. The scores below may be chance."
        found.append(Text([Styled("No verdict.", "strong"), told], "note"))
    if leaks:
        found.append(
            Text([Styled("Not apart from train.", "strong"), f" {'. '.join(leaks)}."], "note")
        )
    return found


def _few(too_few: object) -> list[Block]:
    return [Text("Too few to judge by.", "note")] if too_few else []


def _wrong(errors: Table) -> Section:
    return Section("Most confident errors", [errors if errors.rows else "None."])


def _written(out: Path, name: str, drawings: Mapping[str, Drawing]) -> list[Drawing]:
    """Write each figure to a file of its own, too; return them for the page."""
    for place, (kind, drawing) in enumerate(drawings.items(), 1):
        ending = kind if kind.isidentifier() else f"{place}"
        write_text(out / "figures" / f"{name}-{ending}.svg", drawing.file())
    return list(drawings.values())


def _texts(values: Mapping[str, Any]) -> list[tuple[str, Cell]]:
    return [(name, f"{value}") for name, value in values.items()]


def _data(
    facts: Mapping[str, Any], parts: Mapping[str, Mapping[str, Any]], positives: str
) -> Section:
    rows = [
        [
            *(name, part["source"], part["sha256"][:16]),
            *(f"{part['sentences']:,}", f"{part['biased']:,}"),
        ]
        for name, part in parts.items()
    ]
    header = ["split", "file", "SHA-256 of sentences and labels", "sentences", positives]
    table = Table(header, rows, 3, title="Sentences and labels", stacks=True)
    return Section("Data", [*([Facts(_texts(facts))] if facts else []), table])


def _grid(found: GridResult, out: Path) -> Section:
    chosen, constant = found.grid.choose, number(found.constant)
    lead = (
        f"{counted(len(found.rows), 'combination')} tried on dev, the best by "
        f"{METRIC_TITLES[chosen]}: {number(found.best[chosen])} ({CONSTANT}: {constant})."
    )
    best = Section("Chosen", [Facts(_texts(found.parameters))])
    figures = _written(out, "grid", of_grid(found))
    return Section("Grid search", [lead, *_few(found.too_few), best, *figures])


def _scores(split: str, outcome: Outcome, shown: Sequence[str]) -> Table:
    rows = [
        [METRIC_TITLES[m], with_interval(outcome.scores[m]), with_interval(outcome.constant[m])]
        for m in shown
    ]
    header = ["score", "model [95 %]", f"{CONSTANT} [95 %]"]
    return Table(header, rows, title=f"Scores on {split}", stacks=True)


def _models(split: str, tables: Mapping[str, evaluation.Table], shown: Sequence[str]) -> Table:
    rows = [
        [name, *(with_interval(scores[metric]) for metric in shown)]
        for name, scores in tables.items()
    ]
    titles = [SHORT_TITLES[metric] for metric in shown]
    title = f"{', '.join(titles)} on {split}; the best MCC first"
    return Table(["model", *titles], rows, title=title, stacks=True)


def _mcnemar(split: str, tests: Iterable[Mapping[str, Any]]) -> Table:
    rows = [
        [
            *(t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}"),
            *(p_value(t["p"]), p_value(t["p_holm"])),
        ]
        for t in tests
    ]
    header = ["first", "second", "only first right", "only second right", "p", "p (Holm)"]
    title = f"McNemar's exact test between each two models on {split}"
    return Table(header, rows, 2, title=title, stacks=True)


def _errors(split: str, outcome: Outcome, score: str) -> Table:
    """Return the wrongly classified sentences with the most confident predictions."""
    examples, probabilities = outcome.examples, outcome.predicted.probabilities
    decisions = outcome.predicted.decisions
    wrong = [i for i, biased in enumerate(examples.biased) if decisions[i] != biased]
    wrong.sort(key=lambda i: (-abs(probabilities[i] - 0.5), i))
    rows = [
        [
            examples.texts[i][:_LONGEST],
            _place(examples, i),
            "biased" if examples.biased[i] else "neutral",
            number(float(probabilities[i])),
        ]
        for i in wrong[:_MOST_ERRORS]
    ]
    where = "row" if examples.ids is None else "sentence id"
    return _wrong_table(["sentence", where, "label", score], rows, split)


def _label_errors(split: str, outcome: LabelOutcome) -> Table:
    """Return the labels that were decided wrongly with the most confident predictions."""
    found = []
    for name, of in outcome.by_label.items():
        for i, held in enumerate(of.examples.biased):
            if of.predicted.decisions[i] != held:
                probability = float(of.predicted.probabilities[i])
                found.append((-abs(probability - 0.5), name, i, bool(held), probability))
    rows = [
        [
            outcome.by_label[name].examples.texts[i][:_LONGEST],
            name,
            "yes" if held else "no",
            number(probability),
        ]
        for _, name, i, held, probability in sorted(found)[:_MOST_ERRORS]
    ]
    return _wrong_table(["sentence", "label", "has it", "P"], rows, split)


def _wrong_table(header: list[str], rows: Sequence[Sequence[Cell]], split: str) -> Table:
    title = f"Wrong on {split}, the surest first"
    return Table(header, rows, 3, prose=True, title=title, stacks=True)


def _place(examples: Examples, i: int) -> Cell:
    """Return what names a sentence, as a link to its edit where there is one."""
    name = f"{examples.rows[i]}" if examples.ids is None else examples.ids[i]
    return Link(name, examples.urls[i]) if examples.urls is not None else name


def _judged_edits(split: str, experiment: Experiment) -> Section:
    """Return the accuracy by pairs of a split, and the sides that were mistaken."""
    found = experiment.details["pairs"][split]
    errors = _mistaken_sides(split, experiment.outcomes[split])
    return Section(
        f"{split}: which side of {counted(found['edits'], 'edit')} is biased",
        [side_accuracies(split, {"model": found}), *([errors] if errors.rows else [])],
    )


def side_accuracies(split: str, found: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return the accuracy of models, by name, beside the longer side and a random guess."""
    rows = [[name, with_interval(scores["accuracy"])] for name, scores in found.items()]
    longer = next(iter(found.values()))["longer_side"]
    rows += [["the longer side", with_interval(longer)], ["random guess", number(0.5)]]
    title = f"The biased side on {split}; a tie counts half"
    return Table(["", "accuracy [95 %]"], rows, title=title, stacks=True)


def _mistaken_sides(split: str, outcome: Outcome) -> Table:
    """Return the edits of which the wrong side is called biased, the surest first."""
    examples, probabilities = outcome.examples, outcome.predicted.probabilities
    both = sides(examples)
    leads = [
        (float(probabilities[added].mean() - probabilities[removed].mean()), removed, added)
        for removed, added in zip(both.removed, both.added, strict=True)
    ]
    wrong = sorted((lead for lead in leads if lead[0] > 0), key=lambda lead: -lead[0])
    rows = [
        [*(" ".join(examples.texts[i] for i in side)[:_LONGEST] for side in pair), number(lead)]
        for lead, *pair in wrong[:_MOST_ERRORS]
    ]
    header = ["biased side", "neutral side", "score higher by"]
    title = f"Sides mistaken on {split}, the surest first"
    return Table(header, rows, 2, prose=True, title=title, stacks=True)


def attention_section(experiment: Experiment) -> list[Section]:
    """Return the sentences of test, else of dev, that a model with attention is surest about.

    Where there is only cross-validation, they are of all data, which the model has learnt.
    Nothing for a model without attention, and without held-out sentences.
    """
    model = experiment.model
    split = next((name for name in _CROSS_VALIDATED if name in experiment.outcomes), None)
    if split is None or not isinstance(model, Attentive):
        return []
    examples = experiment.outcomes[split].examples
    predicted = experiment.outcomes[split].predicted
    probabilities, names = predicted.probabilities, ("neutral", "biased")
    order = sorted(range(len(examples)), key=lambda i: (-probabilities[i], i))
    few = len(order) <= 2 * _ATTENDED
    chosen = order if few else [*order[:_ATTENDED], *order[-_ATTENDED:]]
    texts = [examples.texts[i][:_LONGEST_ATTENDED] for i in chosen]
    of_folds = (
        " The probabilities come from models of the folds, which did not know the sentence; the "
        "shades from the model in this folder, which has learnt it."
    )
    blocks: list[Block] = [
        f"Sentences of {split}: those called biased and those called neutral with the most "
        "certainty. The stronger a word is shaded, the more of the model's attention it has. "
        "That is where the model looked, not why people find a sentence biased."
        f"{of_folds if split == 'cv' else ''}"
    ]
    for i, text, shares in zip(chosen, texts, model.attention(texts), strict=True):
        label, called = names[bool(examples.biased[i])], names[bool(predicted.decisions[i])]
        told = f"labelled {label}, called {called} (P(biased) {number(float(probabilities[i]))})"
        blocks += [Text(told, "quiet"), Text(_shaded(text, shares))]
    return [Section("Attention", blocks)]


def _shaded(text: str, shares: Sequence[tuple[tuple[int, int], float]]) -> list[Inline]:
    most = max((share for _, share in shares), default=0.0)
    found: list[Inline] = []
    at = 0
    for (start, end), share in shares:
        shade = round(_SHADES * share / most) if most else 0
        word = text[start:end]
        found += [Styled(text[at:start], ""), Styled(word, f"w{shade}" if shade else "")]
        at = end
    return [*found, Styled(text[at:], "")]


def _label_figures(split: str, outcome: LabelOutcome) -> dict[str, Drawing]:
    names = [*outcome.by_label]
    f1 = {name: of.scores["f1"] for name, of in outcome.by_label.items()}
    constant = {name: of.constant["f1"] for name, of in outcome.by_label.items()}
    told = ", ".join(
        f"{name} {number(f1[name]['value'])} ({number(constant[name]['value'])})" for name in names
    )
    found = {
        "labels": dots(
            {
                name: [Dot(of["value"], of["low"], of["high"]) for of in (f1[name], constant[name])]
                for name in names
            },
            title=f"{split}: F1 of each label, 95 % intervals",
            alt=f"Of the model, and in brackets with the label given to all: {told}.",
            series=("model", CONSTANT.replace("biased", "has it")),
        )
    }
    if 1 < len(names) <= _MOST_IN_MATRIX:
        found["together"] = _together(split, outcome, names)
    return found


def _together(split: str, outcome: LabelOutcome, names: Sequence[str]) -> Drawing:
    counts = co_occurrence(outcome.sentences, names)
    cells = []
    for first in names:
        whole = max(1, counts[first][first])
        cells.append(
            [(f"{counts[first][other]:,}", counts[first][other] / whole) for other in names]
        )
    pairs = [
        f"{counts[one][other]:,} have {one} and {other}"
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        if counts[one][other]
    ]
    return matrix(
        cells,
        names,
        names,
        title=f"{split}: sentences with both labels",
        alt=f"Of the sentences {'; '.join(pairs) or 'none has two labels'}.",
        axes=("label", "and"),
    )
