"""Documents of trained classifiers, of one label or several: page, card and terminal tables."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import median
from typing import Any

from wikibias.errors import counted
from wikibias.kits import document, evaluation
from wikibias.kits.charts import Drawing, curves, matrix
from wikibias.kits.document import Block, Section, Table, number, with_interval
from wikibias.models import grid_search, model_folder
from wikibias.models.estimators.registry import METRIC_TITLES, METRICS, ORDER_ONLY, Neural
from wikibias.models.evaluation import experiment as experiments
from wikibias.models.evaluation.experiment import Comparison, Experiment, LabelOutcome, Outcome
from wikibias.models.examples import Examples

CONSTANT = "always “biased”"
SHORT_TITLES = {metric: METRIC_TITLES[metric].split(" (")[0] for metric in METRICS}
# Two tables, since one with eight intervals in a row is wider than a page.
_HALVES = (
    ("mcc", "f1", "precision", "recall"),
    ("accuracy", "roc_auc", "average_precision", "brier"),
)
_LABEL_METRICS = ("precision", "recall", "f1", "mcc", "roc_auc")
_MOST_ERRORS = 8
_LONGEST_ERROR = 300
_MOST_IN_MATRIX = 12
_OF_EDITS = (
    "Labels come from edits, not from annotators: in the 2019 paper people found about half of the "
    "removed sentences biased."
)
_OF_FILES = "Labels are those of the files above, and mean what they mean there."
_LIMITS = (
    "Use the model to rank sentences for review. Do not use it to judge a sentence, and never its "
    "author."
)
_ORDER = (
    "The scores of single sentences put them in an order; they are no probabilities. The model "
    "learnt what differs between the two sides of an edit, so there is no calibration curve and no "
    "Brier score."
)
Described = Mapping[str, Any]
"""The description of a model, as its folder has it."""


def model_page(
    experiment: Experiment,
    described: Described,
    found: grid_search.GridResult | None = None,
    older: Iterable[str] = (),
    *,
    of_edits: bool = False,
) -> document.Document:
    """Return the page of one model.

    Args:
        experiment: the model.
        described: its description.
        found: the grid search that chose its parameters.
        older: models beside it that learnt from an older state of its corpus.
        of_edits: whether the edits of its sentences were known in training.
    """
    blocks = _caveats(experiment, older)
    name = experiment.model.name
    lead = f"Seed {experiment.model.seed}; 95 % bootstrap intervals. "
    is_order = of_edits and name in ORDER_ONLY and not experiment.labels
    if experiment.labels:
        title = f"wikibias classify: {name}, several labels"
        lead += "Each label is scored on the sentences that are judged by it."
    else:
        title = f"wikibias classify: {name}"
        lead += (
            "F1 alone proves nothing: compare with the constant classifier, and look at MCC, which "
            "is 0 for any constant."
        )
        blocks += _sides_sections(experiment)
        blocks += [document.Text(_ORDER, "note")] if is_order else []
    for split, outcome in experiment.outcomes.items():
        if isinstance(outcome, LabelOutcome):
            blocks.append(_labels_section(split, outcome))
        else:
            blocks.append(_split_section(split, outcome, is_order=is_order))
    if not experiment.outcomes:
        blocks.append(
            "Not evaluated: nothing was held out. To cross-validate, add `--cv near-duplicate` to "
            f"the command: `wikibias classify --model {name} --cv near-duplicate …`"
        )
    blocks += [_grid(found)] if found else _parameters(experiment)
    return document.Document(title, lead, [*blocks, Section("Data", _data(described))])


def comparison_page(found: Comparison, described: Described) -> document.Document:
    """Return the page of several models judged on the same sentences."""
    first = found.experiments[0]
    blocks = _caveats(first)
    for split in first.details.get("pairs", {}):
        in_order = experiments.by_score(found, split)
        sides = {each.model.name: each.details["pairs"][split] for each in in_order}
        blocks.append(Section("Which side of an edit is biased", [_accuracies(split, sides)]))
    for split, outcome in first.outcomes.items():
        title = f"{split}: {counted(len(outcome.examples), 'sentence')}"
        tables = comparison_tables(found, split)
        blocks.append(Section(title, [*_few(outcome.too_few), *tables]))
    lead = "Same training data, same held-out sentences; 95 % bootstrap intervals."
    return document.Document(
        "wikibias classify: models", lead, [*blocks, Section("Data", _data(described))]
    )


def card(experiment: Experiment, described: Described) -> document.Document:
    """Return the card of a classifier."""
    name, corpus = experiment.model.name, described.get("corpus") or {}
    use = "Trained by `wikibias classify`; use it with `wikibias predict`."
    several = bool(experiment.labels)
    if several:
        labels = ", ".join(f"`{label}`" for label in experiment.labels)
        lead = f"Predicts the probability of each of these labels of a sentence: {labels}. {use}"
    else:
        lead = f"{_predicts(corpus)} {use}"
    settings = [
        ("language", described["lang"] or "none"),
        ("stop words", described["stopwords"] or "none"),
        *([("weights of sentences", "their confidence")] if described.get("weights") else []),
        ("training", _trained_on(experiment.model)),
    ]
    limits = (
        "Of each sentence some labels are judged; of the others nothing is learnt, and none of the "
        "scores counts them. Labels of a corpus come from edits and tags, not from annotators."
        if several
        else _OF_EDITS
        if corpus
        else _OF_FILES
    )
    return model_folder.card(
        described,
        f"Model card: {name}{', several labels' * several}",
        lead,
        data=_data(described),
        settings=settings,
        limits=f"{limits} {_LIMITS}",
        scores=_card_scores(experiment),
    )


def score_tables(experiment: Experiment, *, brief: bool = False) -> list[Block]:
    """Return the scores of every split, as a card and the terminal show them.

    Args:
        experiment: the model.
        brief: leave out most intervals of single labels.
    """
    blocks: list[Block] = []
    name = experiment.model.name
    for split, outcome in experiment.outcomes.items():
        few = ", too few to judge by" if outcome.too_few else ""
        few += f", all of them called {outcome.only}" if outcome.only else ""
        title = f"{name} on {split} ({counted(len(outcome.examples), 'sentence')}{few})"
        if isinstance(outcome, LabelOutcome):
            blocks += [_label_table(outcome, title, brief=brief), _all_right(outcome)]
        else:
            blocks.append(_score_table(outcome, title))
    for split, scores in experiment.details.get("pairs", {}).items():
        blocks.append(_accuracies(split, {"model": scores}))
    return blocks


def comparison_tables(found: Comparison, split: str) -> list[Block]:
    """Return the scores of each model on a split, the best MCC first, and McNemar's tests."""
    constant = found.experiments[0].outcomes[split].constant
    scores = {e.model.name: e.outcomes[split].scores for e in experiments.by_score(found, split)}
    tables = []
    for half in _HALVES:
        rows = [
            [name, *(with_interval(of[metric]) for metric in half)]
            for name, of in {**scores, CONSTANT: constant}.items()
        ]
        titles = [SHORT_TITLES[metric] for metric in half]
        title = f"{', '.join(titles)} on {split}; the best MCC first"
        tables.append(Table(["model", *titles], rows, title=title, stacks=True))
    return [*tables, _mcnemar_table(split, found.mcnemar[split])]


def _score_table(outcome: Outcome, title: str, metrics: Sequence[str] = METRICS) -> Table:
    """Return the scores of a model beside those of the constant classifier."""
    rows = [
        [METRIC_TITLES[m], with_interval(outcome.scores[m]), with_interval(outcome.constant[m])]
        for m in metrics
    ]
    return Table(["", "model [95 %]", "always biased [95 %]"], rows, title=title, stacks=True)


def _label_table(outcome: LabelOutcome, title: str, *, brief: bool = False) -> Table:
    """Return the scores of each label and of all; with `brief` only F1 and MCC have intervals."""

    def cells(scores: evaluation.Table) -> list[str]:
        return [
            number(scores[metric]["value"])
            if brief and metric not in ("f1", "mcc")
            else with_interval(scores[metric])
            for metric in _LABEL_METRICS
        ]

    rows = [
        [name, f"{int(of.examples.biased.sum()):,} of {len(of.examples):,}", *cells(of.scores)]
        for name, of in outcome.by_label.items()
    ]
    rows += [["all, micro", "", *cells(outcome.scores)], ["all, macro", "", *cells(outcome.macro)]]
    header = ["label", "has it", "precision", "recall", "F1", "MCC", "ROC-AUC"]
    return Table(header, rows, title=title, stacks=True)


def _mcnemar_table(split: str, tests: Sequence[Mapping[str, Any]]) -> Table:
    """Return McNemar's tests between each two models."""
    rows = [
        [
            *(t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}"),
            *(document.p_value(t["p"]), document.p_value(t["p_holm"])),
        ]
        for t in tests
    ]
    header = ["first", "second", "only first right", "only second right", "p", "p (Holm)"]
    title = f"McNemar on {split}; Holm corrects for {counted(len(tests), 'test')}"
    return Table(header, rows, 2, title=title, stacks=True)


def _split_section(split: str, outcome: Outcome, *, is_order: bool) -> Section:
    examples, probabilities = outcome.examples, outcome.predicted.probabilities
    labels = ("neutral", "biased")
    wrong = [
        (
            abs(float(probabilities[i]) - 0.5),
            [
                examples.texts[i][:_LONGEST_ERROR],
                _place(examples, i),
                labels[bool(examples.biased[i])],
                number(float(probabilities[i])),
            ],
        )
        for i, is_one in enumerate(outcome.predicted.decisions)
        if is_one != examples.biased[i]
    ]
    where = "row" if examples.ids is None else "sentence id"
    header = ["sentence", where, "label", "score" if is_order else "P(biased)"]
    metrics = [metric for metric in METRICS if not (is_order and metric == "brier")]
    figures = [_confusion_figure(split, outcome)]
    figures += [] if is_order else [_reliability_figure(split, outcome)]
    return Section(
        f"{split}: {counted(len(examples), 'sentence')}",
        [
            *_few(outcome.too_few),
            _score_table(outcome, f"Scores on {split}", metrics),
            *figures,
            _errors(split, header, wrong),
        ],
    )


def _labels_section(split: str, outcome: LabelOutcome) -> Section:
    wrong: list[tuple[float, list[document.Cell]]] = []
    for name, of in outcome.by_label.items():
        for i, has_it in enumerate(of.examples.biased):
            if of.predicted.decisions[i] != has_it:
                p, text = float(of.predicted.probabilities[i]), of.examples.texts[i]
                row = [text[:_LONGEST_ERROR], name, "yes" if has_it else "no", number(p)]
                wrong.append((abs(p - 0.5), [*row]))
    return Section(
        f"{split}: {counted(len(outcome.examples), 'sentence')}",
        [
            _label_table(outcome, f"Scores on {split}"),
            _all_right(outcome),
            *_together_figures(split, outcome),
            _errors(split, ["sentence", "label", "has it", "P"], wrong),
        ],
    )


def _all_right(outcome: LabelOutcome) -> str:
    return f"All judged labels of a sentence right: {with_interval(outcome.subset_accuracy)}"


def _errors(
    split: str, header: Sequence[str], wrong: Iterable[tuple[float, Sequence[document.Cell]]]
) -> Block:
    """Return the rows of which a model was surest, each given with how sure it was."""
    rows = [row for _, row in sorted(wrong, key=lambda each: -each[0])[:_MOST_ERRORS]]
    title = f"Wrong on {split}, the surest first"
    table = Table(header, rows, 3, prose=True, title=title, stacks=True)
    return table if rows else f"None is wrong on {split}."


def _place(examples: Examples, i: int) -> document.Cell:
    """Return what names a sentence, as a link to its edit where there is one."""
    name = f"{examples.rows[i]}" if examples.ids is None else examples.ids[i]
    return document.Link(name, examples.urls[i]) if examples.urls is not None else name


def _caveats(experiment: Experiment, older: Iterable[str] = ()) -> list[Block]:
    lines = [f"No verdict. {line}" for line in experiment.warnings()]
    lines += [f"Not apart from train. {line}" for line in experiment.leaks]
    lines += [
        f"Not to be compared: {name}, beside this model, is of an older corpus, which was built "
        "anew since; train it again with --overwrite."
        for name in older
    ]
    return [document.Notes(lines, boxed=True)] if lines else []


def _few(too_few: str | None) -> list[Block]:
    return [document.Text(f"Too few to judge by: {too_few}.", "note")] if too_few else []


def _sides_sections(experiment: Experiment) -> list[Block]:
    """Return, for each split judged by pairs, accuracies, and the edits with the sides mistaken."""
    sections: list[Block] = []
    for split, found in experiment.details.get("pairs", {}).items():
        examples = experiment.outcomes[split].examples
        probabilities = experiment.outcomes[split].predicted.probabilities
        leads = [
            (float(probabilities[added].mean() - probabilities[removed].mean()), removed, added)
            for removed, added in experiments.sides(examples)
        ]
        wrong = sorted((lead for lead in leads if lead[0] > 0), key=lambda lead: -lead[0])
        rows = [
            [_joined(examples, removed), _joined(examples, added), number(lead)]
            for lead, removed, added in wrong[:_MOST_ERRORS]
        ]
        header = ["biased side", "neutral side", "score higher by"]
        title = f"Sides mistaken on {split}, the surest first"
        errors = [Table(header, rows, 2, prose=True, title=title, stacks=True)] if rows else []
        heading = f"{split}: which side of {counted(found['edits'], 'edit')} is biased"
        sections.append(Section(heading, [_accuracies(split, {"model": found}), *errors]))
    return sections


def _joined(examples: Examples, members: Iterable[int]) -> str:
    return " ".join(examples.texts[i] for i in members)[:_LONGEST_ERROR]


def _accuracies(split: str, found: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return the accuracy of models beside the longer side and a random guess."""
    first = next(iter(found.values()))
    rows = [[name, with_interval(scores["accuracy"])] for name, scores in found.items()]
    rows += [
        ["the longer side", with_interval(first["longer_side"])],
        ["random guess", number(0.5)],
    ]
    title = f"{split}: which side of {counted(first['edits'], 'edit')} is biased; a tie counts half"
    return Table(["", "accuracy [95 %]"], rows, title=title, stacks=True)


def _parameters(experiment: Experiment) -> list[Block]:
    pairs = [(name, f"{value}") for name, value in experiment.model.parameters.items()]
    trained = _trained_on(experiment.model)
    pairs += [("training", trained)] if trained else []
    return [Section("Parameters", [document.Facts(pairs)])] if pairs else []


def _trained_on(model: object) -> str:
    """Return device and precision of a neural model, and how many words have a vector."""
    trained = dict(model.trained) if isinstance(model, Neural) else {}
    if not trained:
        return ""
    vectors = ""
    if "words_with_vector" in trained:
        covered, words = trained["words_with_vector"], trained["words"]
        vectors = f"; {covered:,} of {words:,} words of train have a vector"
    return f"on {trained['device']} in {trained['precision']}{vectors}"


def _grid(found: grid_search.GridResult) -> Section:
    """How each value of each parameter did, and which were chosen."""
    choose = found.grid.choose
    lead = (
        f"{counted(len(found.rows), 'combination')} tried on dev, the best by "
        f"{METRIC_TITLES[choose]}: {number(found.best[choose])} ({CONSTANT}: "
        f"{number(found.constant)}). Chosen:"
    )
    facts = document.Facts([(name, f"{value}") for name, value in found.parameters.items()])
    rows = []
    for name, values in found.grid.space.items():
        for value in dict.fromkeys(values):
            scores = [row[choose] for row in found.rows if row[name] == value]
            known = [score for score in scores if score is not None]
            if known:
                label = f"{value}{' (chosen)' if value == found.best[name] else ''}"
                rows.append([name, label, *map(number, (min(known), median(known), max(known)))])
    header = ["parameter", "value", "least", "median", "most"]
    table = Table(header, rows, 2, title=f"{SHORT_TITLES[choose]} on dev by value", stacks=True)
    return Section("Grid search", [lead, *_few(found.too_few), facts, table])


def _data(described: Described) -> list[Block]:
    several = "labels" in described
    rows = [
        [
            *(name, part["source"], part["sha256"][:16]),
            *(f"{part['sentences']:,}", f"{part['biased']:,}"),
        ]
        for name, part in described["data"].items()
    ]
    last = "with a label" if several else "biased"
    header = ["split", "file", "SHA-256 of sentences and labels", "sentences", last]
    facts = [(name, f"{value}") for name, value in (described.get("corpus") or {}).items()]
    table = Table(header, rows, 3, title="Sentences and labels", stacks=True)
    return [*([document.Facts(facts)] if facts else []), table]


def _card_scores(experiment: Experiment) -> list[Block]:
    if not experiment.outcomes:
        return ["Not evaluated: nothing was held out."]
    notes = [f"Too few to judge by: {line}." for line in experiment.warnings()]
    notes += experiment.leaks
    lead = "95 % bootstrap confidence intervals."
    if not experiment.labels:
        lead += " The constant classifier calls every sentence biased."
        chance = [name for name, of in experiment.outcomes.items() if _is_close_to_chance(of)]
        if chance:
            notes.append(f"Close to chance on {', '.join(chance)}: the interval of MCC reaches 0.")
    return [lead, *([document.Notes(notes)] if notes else []), *score_tables(experiment)]


def _is_close_to_chance(outcome: Outcome) -> bool:
    """Return whether the interval of MCC reaches 0 or is not defined, where there is enough."""
    low = outcome.scores["mcc"]["low"]
    return not outcome.too_few and (low is None or low <= 0)


def _predicts(corpus: Mapping[str, str]) -> str:
    """Return what the probability is of, by tag set and pairing of the corpus, if these are known.

    With the default tags and pairing it is what the 2019 paper asks.
    """
    tagset, _, _ = corpus.get("tag set", "").partition(" ")
    pairings = [each for each in corpus.get("pairing", "").split(", ") if each]
    if not (tagset and pairings):
        return "Predicts the probability that a sentence is of those labelled biased in its data."
    # Files need nothing of what corpora are made of.
    from wikibias.corpus.description import NEUTRALITY, meaning, pairings_of

    if tagset in NEUTRALITY and pairings == ["removal-edit"]:
        return (
            "Predicts the probability that Wikipedia's editors would remove a sentence to restore "
            "a neutral point of view."
        )
    meant = " ".join(meaning(name, {}).biased for name in pairings_of({"pairing": pairings}))
    about = "" if tagset in NEUTRALITY else " It says nothing about neutrality."
    return (
        "Predicts the probability that a sentence is of those labelled biased in its data: tag set "
        f"{tagset}, pairing {', '.join(pairings)}. There that means: {meant}{about}"
    )


def _confusion_figure(split: str, outcome: Outcome) -> Drawing:
    counts = evaluation.confusion(outcome.examples.biased, outcome.predicted)
    hit, missed = counts["true_positive"], counts["false_negative"]
    alarm, left = counts["false_positive"], counts["true_negative"]

    def cells(*row: int) -> list[tuple[str, float]]:
        shares = [value / max(1, sum(row)) for value in row]
        return [(f"{n:,}\n{share:.0%}", share) for n, share in zip(row, shares, strict=True)]

    return matrix(
        [cells(hit, missed), cells(alarm, left)],
        ["biased", "neutral"],
        ["biased", "neutral"],
        title=f"{split}: confusion matrix",
        alt=(
            f"Of {hit + missed:,} sentences labelled biased the model calls {hit:,} biased; of "
            f"{alarm + left:,} labelled neutral it calls {left:,} neutral."
        ),
        axes=("label", "predicted"),
    )


def _reliability_figure(split: str, outcome: Outcome) -> Drawing:
    bins = evaluation.reliability(outcome.examples.biased, outcome.predicted.probabilities)
    points = [(mean, share) for mean, share, _ in bins]
    seen = "; ".join(f"{share:.0%} where it says {mean:.2f}" for mean, share in points)
    return curves(
        {f"model, {len(bins)} bins": points, "perfect": [(0, 0), (1, 1)]},
        title=f"{split}: share labelled biased (calibration curve)",
        alt=f"The share labelled biased is {seen or 'not known'}.",
        axis="predicted probability",
    )


def _together_figures(split: str, outcome: LabelOutcome) -> list[Drawing]:
    """Return how many sentences have each two labels; of too many labels nothing."""
    counts, names = experiments.co_occurrence(outcome.examples), [*outcome.by_label]
    if not 1 < len(names) <= _MOST_IN_MATRIX:
        return []
    pairs = [
        f"{counts[one][other]:,} have {one} and {other}"
        for one, other in combinations(names, 2)
        if counts[one][other]
    ]
    cells = [
        [(f"{counts[a][b]:,}", counts[a][b] / max(1, counts[a][a])) for b in names] for a in names
    ]
    return [
        matrix(
            cells,
            names,
            names,
            title=f"{split}: sentences with both labels",
            alt=f"Of the sentences {'; '.join(pairs) or 'none has two labels'}.",
            axes=("label", "and"),
        )
    ]
