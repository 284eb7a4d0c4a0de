"""Answers to the cases of stress tests: of a model, or of a table of predictions."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from wikibias.errors import WikibiasError
from wikibias.kits.tables import Columns, read_rows
from wikibias.models.prediction import bias_of
from wikibias.research.stress.cases import Case

Label = Literal["biased", "neutral", "?", ""]
"""What was said of a sentence: "?" is an answer that says neither, "" none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said of a case, and of its original; "" of that where it is not known."""

    case: Case
    predicted: Label
    original: Label = ""

    @property
    def right(self) -> bool:
        """Whether the case was called what is expected of it."""
        return self.predicted == label(self.case.expected)

    @property
    def original_right(self) -> bool | None:
        """Whether the original was called what it is; None where nobody says."""
        return self.original == label(self.case.original_biased) if self.original else None


Answers = Mapping[str, Sequence[Answer]]
"""Answers by the name of the model."""


def label(biased: bool) -> Label:
    """Return a truth in words."""
    return "biased" if biased else "neutral"


def answer(folder: Path, cases: Sequence[Case]) -> list[Answer]:
    """Return what a model that `wikibias classify` made says of cases; each sentence once.

    Raises:
        UsageError: a library that the model needs is missing.
        WikibiasError: the folder holds no model of one label, or a damaged one.
    """
    bias = bias_of(folder)
    texts = list(dict.fromkeys(t for case in cases for t in (case.original, case.text) if t))
    called = (label(bool(each > 0.5)) for each in bias(texts))
    said: dict[str, Label] = {"": "", **dict(zip(texts, called, strict=True))}
    return [Answer(case, said[case.text], said[case.original]) for case in cases]


Only = Literal["neutral-templates", "changed"]
"""Which cases count alone: whose original, or template, is neutral; that differ from theirs."""


def only(
    answers: Sequence[Answer], choices: Collection[Only], tests: Collection[str] = ()
) -> list[Answer]:
    """Return the answers of a model to the cases of some tests, or all, that all choices leave."""
    return [
        each
        for each in answers
        if not (tests and each.case.test not in tests)
        and not ("neutral-templates" in choices and each.case.original_biased)
        and not ("changed" in choices and not each.case.changed)
    ]


ORIGINAL, CASE = "original", "case"
"""The role of a row: an original to predict, or the sentence of a case."""
_KINDS = {
    **dict.fromkeys(("locations", "pronouns", "prejudice"), "INV"),
    "factual": "MFT",
    "loaded": "DIR",
}
_LABELS: Mapping[str, Label] = {
    **dict.fromkeys(("biased", "1", "1.0", "true"), "biased"),
    **dict.fromkeys(("neutral", "0", "0.0", "false"), "neutral"),
    **dict.fromkeys(("?", ""), "?"),
}
_TEXTS = {"text": ("changed", "text"), "expected": ("expected", "label")}
_SAID = {"predicted": ("predicted", "bias")}
_OPTIONAL = {
    name: name
    for name in ("model", "test", "test_type", "role", "category", "template", "original")
}


def rows(answers: Iterable[Answer], **head: str) -> list[dict[str, Any]]:
    """Return the sentences of answers as rows of a table, each original once.

    `read_answers` reads those that have a column `predicted`: what was answered, or what whoever
    the sentences are written for adds.

    Args:
        answers: of a model; without predictions, to be predicted.
        head: further cells of each row, such as the name of the model.
    """
    found: list[dict[str, Any]] = []
    seen: set[tuple[str, str]] = set()
    for each in answers:
        case = each.case
        sides = [(CASE, case.original, case.text, case.expected, each.predicted)]
        if case.original and (case.test, case.original) not in seen:
            seen.add((case.test, case.original))
            sides.insert(0, (ORIGINAL, "", case.original, case.original_biased, each.original))
        for role, original, text, biased, predicted in sides:
            row = {
                **head,
                "item": f"s{len(found) + 1}",
                "test": case.test,
                "test_type": case.kind,
                "role": role,
                "category": case.category,
                "template": case.cluster,
                "original": original,
                "text": text,
                "expected": label(biased),
            }
            found.append({**row, "predicted": predicted} if predicted else row)
    return found


def answered_rows(answers: Answers) -> list[dict[str, Any]]:
    """Return the answers of models as rows of a table that `read_answers` reads again.

    Of a file that does not say what the originals were called, those are left out.
    """
    return [
        row
        for name, given in answers.items()
        for row in rows(given, model=name)
        if "predicted" in row
    ]


def read_answers(path: Path, sentences: Path | None = None, default: str = "") -> Answers:
    """Return the answers of a table, by model.

    It has `predicted` (or `bias`), `expected` (or `label`) and `text` (or `changed`), each label
    as biased or neutral, 1 or 0, or `?`. It may have `original`, `model`, `test` (both else the
    name of the file), `category`, `template`, `test_type` and `role`.

    Args:
        path: of the table.
        sentences: the table of `rows`, where this one has no more than the `item` there, the
            `annotator` who answered, and the answer.
        default: name of the model, where no column names it; that of the file by default.

    Raises:
        UsageError: a column is missing.
        WikibiasError: a row cannot be read; the message names it.
    """
    of_originals: dict[tuple[str, str, str], Label] = {}
    found: dict[str, list[Answer]] = {}
    for number, cells in _cells(path, sentences):
        place = f"{path}:{number}"
        model, test = cells.get("model") or default or path.stem, cells.get("test") or path.stem
        predicted = _label(f"{place}: predicted", cells["predicted"])
        expected = _label(f"{place}: expected", cells["expected"])
        if expected == "?":
            raise WikibiasError(f"{place}: expected is neither biased nor neutral")
        if cells.get("role") == ORIGINAL:
            of_originals[model, test, cells["text"]] = predicted
        else:
            answer = Answer(_case(cells, test, expected == "biased"), predicted)
            found.setdefault(model, []).append(answer)
    if not found:
        raise WikibiasError(f"{path}: no case in it, only originals")
    return {
        model: [
            replace(
                each, original=of_originals.get((model, each.case.test, each.case.original), "")
            )
            for each in answers
        ]
        for model, answers in found.items()
    }


def _cells(path: Path, sentences: Path | None) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the cells of each answer, with those of the sentence that its item names."""
    needed = ("text", "expected", "predicted")
    columns = Columns(needed=needed, **_TEXTS, **_SAID, **_OPTIONAL)
    written: dict[str, dict[str, Any]] = {}
    if sentences is not None:
        of_sentences = Columns(needed=("item", *needed[:2]), item="item", **_TEXTS, **_OPTIONAL)
        written = {_text_of(row["item"]): row for _, row in read_rows(sentences, of_sentences)}
        model = ("annotator", "model")
        columns = Columns(needed=("item", "predicted"), item="item", **_SAID, model=model)
    for number, row in read_rows(path, columns):
        cells = row
        if sentences is not None:
            if (item := _text_of(row["item"])) not in written:
                place = f"{path}:{number}"
                raise WikibiasError(f"{place}: no item {item[:40]!r} in the file of sentences")
            # The model of the file of sentences is who would answer, not who did.
            cells = {**written[item], "model": None, **row}
        yield number, {name: _text_of(cell) for name, cell in cells.items()}


def _case(cells: Mapping[str, str], test: str, expected: bool) -> Case:
    original, text = cells.get("original", ""), cells["text"]
    kind = cells.get("test_type") or _KINDS.get(test, "")
    return Case(
        test=test,
        kind=kind,
        category=cells.get("category", ""),
        cluster=cells.get("template") or original or text,
        original=original,
        text=text,
        expected=expected,
        original_biased=expected and kind != "DIR",
    )


def _text_of(cell: Any) -> str:
    return "" if cell is None or cell != cell else str(cell)  # noqa: PLR0124 (a gap of Parquet)


def _label(place: str, cell: str) -> Label:
    found = _LABELS.get(cell.strip().lower())
    if found is None:
        raise WikibiasError(f"{place} must be biased or neutral, 1 or 0, or ?, not {cell[:40]!r}")
    return found
