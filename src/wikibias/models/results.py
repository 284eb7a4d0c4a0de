"""Results of training in a folder: model card, scores, predictions, grid tables, shared files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd

from wikibias.corpus.description import NEUTRALITY, meaning, pairings_of
from wikibias.errors import WikibiasError
from wikibias.kits import document, hub, markdown
from wikibias.kits.cells import harmless
from wikibias.kits.evaluation import Table
from wikibias.kits.files import atomic_file, read_json, write_json, write_text
from wikibias.kits.folders import refuse_foreign, refuse_links
from wikibias.messages import printable
from wikibias.models import model_folder
from wikibias.models.constants import METRIC_TITLES, METRICS
from wikibias.models.estimators import registry
from wikibias.models.estimators.registry import LabelModel, Neural
from wikibias.models.evaluation.experiment import Experiment, LabelOutcome, Outcome
from wikibias.models.examples import Splits, sharing_pages_with_train
from wikibias.models.model_folder import JOURNAL, OF_CLASSIFIERS, Row, is_journal, versions

_OF_EDITS = (
    "Labels come from edits, not from annotators: in the 2019 paper people found about half of the "
    "removed sentences biased."
)
_OF_FILES = "Labels are those of the files above, and mean what they mean there."


def card(
    experiment: Experiment, described: Mapping[str, Any], sharing_pages: Sequence[str] = ()
) -> str:
    """Return the model card in Markdown; `sharing_pages` names the splits with pages of train."""
    model = experiment.model
    chosen = ", ".join(markdown.code(f"{k}={v}") for k, v in model.parameters.items())
    lang, stopwords = (markdown.text(described[key] or "none") for key in ("lang", "stopwords"))
    lines = [
        f"# Model card: {markdown.text(model.name)}",
        "",
        f"{_predicts(described.get('corpus') or {})} Trained by `wikibias classify`; use it with "
        "`wikibias predict`.",
        "",
        "## Data",
        "",
        *_corpus(described.get("corpus") or {}),
        *_markdown_card(
            ["split", "sentences", "biased", "source", "SHA-256 of sentences and labels"],
            [
                [
                    *(name, f"{data['sentences']:,}", f"{data['biased']:,}"),
                    *(markdown.code(f"{data['source']}"), data["sha256"][:16]),
                ]
                for name, data in described["data"].items()
            ],
        ),
        "",
        "## Configuration",
        "",
        f"Parameters: {chosen or 'the defaults'}. Seed: {model.seed}. Language: {lang}; "
        f"stop words: {stopwords}.{trained_on(model)}",
        "",
        "## Scores",
        "",
        *_score_lines(experiment, sharing_pages),
        "",
        "## Limits",
        "",
        f"{_OF_EDITS if described.get('corpus') else _OF_FILES} Use the model to rank sentences "
        "for review. Do not use it to judge a sentence, and never its author.",
        "",
        *model_folder.section(described["versions"]),
    ]
    return "\n".join(lines) + "\n"


def trained_on(model: object) -> str:
    """Return a sentence on the device and the precision of a neural model; none of others."""
    told = dict(model.trained) if isinstance(model, Neural) else {}
    if not told:
        return ""
    vectors = ""
    if "words_with_vector" in told:
        covered, words = told["words_with_vector"], told["words"]
        vectors = f" {covered:,} of {words:,} words of train have a vector."
    device, precision = markdown.text(told["device"]), markdown.text(told["precision"])
    return f" Trained on {device} in {precision}.{vectors}"


def _predicts(corpus: Mapping[str, str]) -> str:
    """Return what the probability is of, by tag set and pairing of the corpus, if these are known.

    With the default tags and pairing it is what the 2019 paper asks.
    """
    tagset, _, _ = corpus.get("tag set", "").partition(" ")
    pairings = [each for each in corpus.get("pairing", "").split(", ") if each]
    if not (tagset and pairings):
        return "Predicts the probability that a sentence is of those labelled biased in its data."
    if tagset in NEUTRALITY and pairings == ["removal-edit"]:
        return (
            "Predicts the probability that Wikipedia's editors would remove a sentence to restore "
            "a neutral point of view."
        )
    told = " ".join(meaning(name, {}).biased for name in pairings_of({"pairing": pairings}))
    about = "" if tagset in NEUTRALITY else " It says nothing about neutrality."
    return (
        "Predicts the probability that a sentence is of those labelled biased in its data: tag set "
        f"{markdown.text(tagset)}, pairing {markdown.text(', '.join(pairings))}. There that means: "
        f"{told}{about}"
    )


def _score_lines(experiment: Experiment, sharing_pages: Sequence[str]) -> list[str]:
    names = list(experiment.outcomes)
    if not names:
        return ["Not evaluated: nothing was held out."]
    notes = [
        "95 % bootstrap confidence intervals. The constant classifier calls every sentence biased."
    ]
    notes += [f"**Too few to judge by**: {markdown.text(w)}." for w in experiment.warnings()]
    if sharing_pages:
        notes.append(f"Pages of train are also in: {', '.join(sharing_pages)}; see audit-split.")
    if chance := [name for name, o in experiment.outcomes.items() if _close_to_chance(o)]:
        notes.append(
            f"Close to chance on: {', '.join(chance)} (the interval of MCC is not wholly above 0)."
        )
    header = ["", *(cell for name in names for cell in (name, f"{name}, constant"))]
    rows = []
    for metric in METRICS:
        row = [METRIC_TITLES[metric]]
        for outcome in experiment.outcomes.values():
            row += [
                document.with_interval(outcome.scores[metric]),
                document.number(outcome.constant[metric]["value"]),
            ]
        rows.append(row)
    return [" ".join(notes), "", *_markdown_card(header, rows), *_side_lines(experiment)]


def _side_lines(experiment: Experiment) -> list[str]:
    """Return which side of edits the model calls biased, where that was asked for."""
    found = [
        [
            name,
            f"{scores['edits']:,}",
            document.with_interval(scores["accuracy"]),
            document.with_interval(scores["longer_side"]),
        ]
        for name, scores in experiment.details.get("pairs", {}).items()
    ]
    header = ["which side of an edit is biased", "edits", "right", "the longer side is right"]
    return ["", *_markdown_card(header, found)] if found else []


def _close_to_chance(outcome: Outcome) -> bool:
    """Say whether the interval of MCC includes 0, lies below it, or is not defined.

    On too few sentences nothing can be said.
    """
    low = outcome.scores["mcc"]["low"]
    return not outcome.too_few and (low is None or low <= 0)


def _corpus(facts: Mapping[str, str]) -> list[str]:
    """Return a line for each of what is known of the corpus."""
    lines = [f"- {name}: {markdown.text(value)}" for name, value in facts.items()]
    return [*lines, ""] if lines else []


def _markdown_card(header: list[str], rows: list[list[str]]) -> list[str]:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    return [line(header), line(["---"] * len(header)), *map(line, rows)]


def check_folder(out: Path) -> None:
    """Make sure that a folder is empty, or holds what an earlier experiment left.

    Raises:
        UsageError: it holds something else, or a link to another place.
        DiskError: it cannot be looked into.
    """
    refuse_foreign(out, _is_experiment)
    refuse_links(out, ["figures"])


def _is_experiment(folder: Path) -> bool:
    if registry.is_model(folder) or is_journal(folder / JOURNAL):
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


LABEL_METRICS = ("precision", "recall", "f1", "mcc", "roc_auc")
"""The metrics that tables of several labels show."""
_WITH_INTERVAL = ("f1", "mcc")


def write_labels(
    model: LabelModel,
    scores: Mapping[str, Any],
    outcomes: Mapping[str, LabelOutcome],
    out: Path,
    facts: Mapping[str, Any],
) -> None:
    """Write the folder of a model of several labels.

    Raises:
        DiskError: the folder cannot be written.
    """
    described = {**facts, "versions": model_folder.versions(model_folder.OF_CLASSIFIERS)}
    registry.save(model, out, described)
    write_json(out / "scores.json", scores)
    write_text(out / "README.md", label_card(model, scores, outcomes, described))
    for name, outcome in outcomes.items():
        write_text(out / f"predictions-{name}.tsv", label_predictions(outcome))


def label_predictions(outcome: LabelOutcome) -> str:
    """Return a TSV table: row, labels, judged, decision, a probability for each label, sentence.

    Labels have commas between them. Of a corpus there are `sentence_id` and `diff_url`, too. A cell
    that a spreadsheet would take for a formula begins with an apostrophe.
    """
    names, sentences = outcome.names, outcome.sentences
    examples = sentences.examples
    more = {"sentence_id": examples.ids, "diff_url": examples.urls}
    known = {name: cells for name, cells in more.items() if cells is not None}
    shown = [_shown(name) for name in names]
    header = ["row", "labels", "judged", "decision", *shown, "sentence", *known]
    lines = ["\t".join(header)]
    for i, text in enumerate(examples.texts):
        chosen = (sentences.labels[i], sentences.judged[i], outcome.probabilities[i] > 0.5)
        cells = [
            f"{examples.rows[i]}",
            *(
                ",".join(n for n, is_one in zip(shown, row, strict=True) if is_one)
                for row in chosen
            ),
            *(f"{probability:.6f}" for probability in outcome.probabilities[i]),
            *(_shown(cell) for cell in (text, *(of[i] for of in known.values()))),
        ]
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


def label_table(outcome: LabelOutcome, *, brief: bool = False) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the scores of a split, for people: a row for each label.

    With `brief` only F1 and MCC have their intervals.
    """

    def cells(scores: Table) -> list[str]:
        return [
            document.number(scores[metric]["value"])
            if brief and metric not in _WITH_INTERVAL
            else document.with_interval(scores[metric])
            for metric in LABEL_METRICS
        ]

    rows = [
        [name, f"{int(of.examples.biased.sum()):,} of {len(of.examples):,}", *cells(of.scores)]
        for name, of in outcome.by_label.items()
    ]
    rows += [
        [name, "", *cells(scores)]
        for name, scores in (("all, micro", outcome.micro), ("all, macro", outcome.macro))
    ]
    return ["label", "has it", "precision", "recall", "F1", "MCC", "ROC-AUC"], rows


def label_card(
    model: LabelModel,
    scores: Mapping[str, Any],
    outcomes: Mapping[str, LabelOutcome],
    described: Mapping[str, Any],
) -> str:
    """Return the model card in Markdown."""
    chosen = ", ".join(markdown.code(f"{k}={v}") for k, v in model.parameters.items())
    labels = ", ".join(markdown.code(name) for name in described["labels"])
    lines = [
        f"# Model card: {markdown.text(model.name)}, several labels",
        "",
        f"Predicts the probability of each of these labels of a sentence: {labels}. Trained by "
        "`wikibias classify --task labels`; use it with `wikibias predict`.",
        "",
        "## Data",
        "",
        *(
            f"- {name}: {part['sentences']:,} sentences, {part['biased']:,} with a label; "
            f"{markdown.code(part['source'])}, SHA-256 {part['sha256'][:16]}"
            for name, part in described["data"].items()
        ),
        "",
        "Of each sentence some labels are judged; of the others nothing is learnt, and none of the "
        "scores counts them.",
        "",
        "## Configuration",
        "",
        f"Parameters: {chosen or 'the defaults'}. Seed: {model.seed}.{trained_on(model)}",
        "",
        "## Scores",
        "",
        "95 % bootstrap confidence intervals.",
        *(f"**Too few**: {markdown.text(line)}." for line in scores["warnings"]),
        "",
    ]
    for split, outcome in outcomes.items():
        header, rows = label_table(outcome)
        subset = document.with_interval(outcome.subset_accuracy)
        lines += [
            f"### {split}",
            "",
            *_markdown(header, rows),
            "",
            f"All judged labels of a sentence right: {subset}.",
            "",
        ]
    lines += [
        "## Limits",
        "",
        "Labels of a corpus come from edits and tags, not from annotators. Use the model to rank "
        "sentences for review. Do not use it to judge a sentence, and never its author.",
        "",
        *model_folder.section(described["versions"]),
    ]
    return "\n".join(lines) + "\n"


def _shown(cell: str) -> str:
    return harmless(printable(" ".join(cell.split())))


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    shown = [header, ["---"] * len(header), *([markdown.text(r[0]), *r[1:]] for r in rows)]
    return ["| " + " | ".join(row) + " |" for row in shown]


# Sentences of others, and pages for people, stay where they are.
_LEFT_OUT = ("predictions-*", "report.html", "grid.*", "cv-*", "*.md", registry.DESCRIPTION)
_SPLITS = ("dev", "test")


def files_of(folder: Path, scratch: Path) -> dict[str, Path]:
    """Return what of a model's folder is shared, by name: the model, its scores, and the card.

    Args:
        folder: of the model.
        scratch: where to write what is not as it lies in the folder; addresses of files on this
            machine are left out there.

    Raises:
        WikibiasError: the folder holds no whole model.
    """
    described = registry.describe(folder)
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
    places = sorted(_places(described), key=len, reverse=True)
    written = {
        "README.md": hub.model_card(metadata(described), _scores(described, scores), text),
        registry.DESCRIPTION: json.dumps(described, ensure_ascii=False, indent=2) + "\n",
    }
    for name, content in written.items():
        write_text(scratch / name, _without(places, content))
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


def _scores(described: Mapping[str, Any], scores: Any) -> list[hub.Score]:
    """Return the scores on dev and test, where these are large enough; undefined ones are none."""
    found = []
    scores = scores if isinstance(scores, dict) else {}
    warned = [str(each) for each in scores.get("warnings", ())]
    for split in _SPLITS:
        # Tables of the hub show no warnings beside a score.
        if any(each.startswith(f"{split}:") for each in warned):
            continue
        of = scores.get(split)
        for metric in METRICS if isinstance(of, dict) else ():
            value = (of or {}).get(metric, {}).get("value")
            if isinstance(value, (int, float)):
                size = described["data"][split]["sentences"]
                data = f"a corpus of wikibias ({size} sentences)"
                found.append(hub.Score(data, split, metric, value))
    return found


def _without(places: Sequence[str], content: str) -> str:
    for place in places:
        content = content.replace(place, "")
    return content


def _places(described: Mapping[str, Any]) -> set[str]:
    """Return the folders of this machine that a description names."""
    sources = [Path(str(of["source"])) for of in described.get("data", {}).values()]
    return {f"{path.parent}/" for path in sources if path.is_absolute()}
