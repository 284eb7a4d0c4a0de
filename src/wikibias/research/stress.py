"""Stress tests: cases from templates and lists of words, answers to them, and their scores."""

import math
import random
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import numpy as np

from wikibias.config.stress_tests import SLOT, StressTest, StressTests, TemplateSet, slots
from wikibias.errors import WikibiasError, counted
from wikibias.kits import RESAMPLES, even_shares
from wikibias.kits.evaluation import Interval, group_numbers, holm, mcnemar, share_with_interval
from wikibias.kits.tables import Columns, read_rows
from wikibias.models.prediction import bias_of

_PUT_IN = re.compile(r"<[^<>]*> | ?<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence to judge, with the one that it was made of.

    Attributes:
        test: its name.
        kind: MFT, INV or DIR; "" where that is not known.
        category: of the test; "" for none.
        cluster: what several cases share: the template, else the original, else the sentence.
        original: the sentence before the change; "" of a test without one.
        text: the sentence.
        expected: whether it should be called biased.
        original_biased: likewise of the original; of a test without one, as `expected`.
    """

    test: str
    kind: str
    category: str
    cluster: str
    original: str
    text: str
    expected: bool
    original_biased: bool

    @property
    def changed(self) -> bool:
        """Whether it differs from its original; a sentence without one counts as changed."""
        return self.text != self.original

    @property
    def only_spacing(self) -> bool:
        """Whether it differs from its original in spaces alone, so that nothing was put in."""
        plain, original = ("".join(each.split()) for each in (self.text, self.original))
        return bool(self.original) and self.changed and plain == original


def draw(tests: StressTests, wanted: Sequence[str] = (), *, count: int, seed: int) -> list[Case]:
    """Return cases of tests: of each the same number from every template, as far as they go.

    Args:
        tests: of a language.
        wanted: names of those to draw from; all by default.
        count: of cases of a test; fewer where the words give no more.
        seed: of the draw. Each template has a draw of its own, so that another template added to
            a file changes no case of the others but their number.
    """
    return [
        case
        for test in tests.test
        if not wanted or test.name in wanted
        for case in _cases_of(tests, test, count, seed)
    ]


def _cases_of(tests: StressTests, test: StressTest, count: int, seed: int) -> Iterator[Case]:
    found = [
        (each, template, biased)
        for each in test.templates
        for biased, templates in ((False, each.neutral), (True, each.biased))
        for template in templates
    ]
    sizes = [_combinations(tests, each, template) for each, template, _ in found]
    for (each, template, biased), size, share in zip(
        found, sizes, even_shares(sizes, count), strict=True
    ):
        rng = random.Random(f"{seed} {test.name} {template}")  # noqa: S311 (a draw, no secret)
        for number in _sample(rng, size, share):
            original, text = _filled(tests, each, template, number)
            expected = biased or test.kind == "DIR"
            yield Case(
                test.name, test.kind, each.category, template, original, text, expected, biased
            )


def _sample(rng: random.Random, size: int, share: int) -> list[int]:
    """Return so many different numbers below a size; of a larger share those of a smaller too."""
    if share == size:
        return list(range(size))
    found: set[int] = set()
    while len(found) < share:
        found.add(rng.randrange(size))
    return sorted(found)


def _lists(template: str) -> list[str]:
    return list(dict.fromkeys(name for _, name, _ in slots(template)))


def _combinations(tests: StressTests, templates: TemplateSet, template: str) -> int:
    sizes = [len(tests.words[name].words) for name in _lists(template)]
    swapped = len(tests.words[templates.swap].words) - 1 if templates.swap else 1
    return math.prod(sizes) * swapped


def _filled(
    tests: StressTests, templates: TemplateSet, template: str, number: int
) -> tuple[str, str]:
    """Return the original, "" of a test without, and the sentence of a combination of words."""
    chosen: dict[str, int] = {}
    for name in _lists(template):
        number, chosen[name] = divmod(number, len(tests.words[name].words))
    text = _sentence(tests, template, chosen)
    if templates.swap:
        size = len(tests.words[templates.swap].words)
        other = (chosen[templates.swap] + 1 + number) % size
        return text, _sentence(tests, template, {**chosen, templates.swap: other})
    if "<" in template:
        return _sentence(tests, _PUT_IN.sub("", template), chosen), text
    return "", text


def _sentence(tests: StressTests, template: str, chosen: Mapping[str, int]) -> str:
    text = SLOT.sub(lambda slot: tests.words[slot[2]].word(chosen[slot[2]], slot[3]), template)
    return text[:1].upper() + text[1:]


Label = Literal["biased", "neutral", "?", ""]
"""What was said of a sentence: "?" is an answer that says neither, "" none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model, or a table of predictions, said of a case, and of its original.

    "" stands where it is not known what was said of the original.
    """

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


def only(
    answers: Sequence[Answer], choices: Collection[str], tests: Collection[str] = ()
) -> list[Answer]:
    """Return the answers of a model to the cases of some tests, or all, that all choices leave.

    Choices are "neutral-templates", cases whose original or template is neutral, and "changed",
    those that differ from their original.
    """
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
    found: dict[str, list[tuple[Case, Label]]] = {}
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
            case = _case(cells, test, expected == "biased")
            found.setdefault(model, []).append((case, predicted))
    if not found:
        raise WikibiasError(f"{path}: no case in it, only originals")
    return {
        model: [
            Answer(case, said, of_originals.get((model, case.test, case.original), ""))
            for case, said in answered
        ]
        for model, answered in found.items()
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


Share = Callable[..., Interval]
"""Returns the share of answers that are right, or the mean of values of them; see `_share`."""


def tests_of(answers: Answers) -> list[str]:
    """Return the names of the tests that any model answered, in order."""
    return list(dict.fromkeys(each.case.test for given in answers.values() for each in given))


def score(answers: Answers, *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
    """Return the figures of every model on every test, and those on common rows.

    `as_expected` is over all rows. `of_right_originals` is over those whose original the model
    called what it is (Ribeiro et al. 2020 test what a model can do at all; Horych et al. 2025
    kept only these), null where that is not known. `same_answer` is the share of an INV test's
    rows that were called what their original was called, right or wrong; an answer that says
    neither never counts as the same. Intervals resample templates, or originals, with all their
    cases.
    """
    shares = partial(_share, resamples=resamples, seed=seed)
    by_test = {name: _parted(given, lambda each: each.case.test) for name, given in answers.items()}
    models = {
        name: {test: _figures(found, shares) for test, found in parts.items()}
        for name, parts in by_test.items()
    }
    common = {
        test: _common({n: part[test] for n, part in by_test.items() if test in part}, shares)
        for test in tests_of(answers)
    }
    return {"models": models, "common": {test: each for test, each in common.items() if each}}


def _parted(given: Sequence[Answer], key: Callable[[Answer], str]) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = {}
    for each in given:
        found.setdefault(key(each), []).append(each)
    return found


def _figures(given: Sequence[Answer], share: Share) -> dict[str, Any]:
    kinds = {each.case.kind for each in given}
    categories = _parted(given, lambda each: each.case.category)
    labels = _parted(given, lambda each: label(each.case.original_biased))
    known = [each for each in given if each.case.kind == "INV" and each.original]
    same = [each.predicted == each.original != "?" for each in known]
    return {
        "kind": next(iter(kinds)) if len(kinds) == 1 else "",
        **_shares(given, share),
        "same_answer": share(known, same) if known else None,
        "unparsed": sum(each.predicted == "?" for each in given),
        "called_biased": sum(each.predicted == "biased" for each in given),
        "originals": len({each.case.original for each in given if each.case.original}),
        "clusters": len({each.case.cluster for each in given}),
        "changed": sum(each.case.changed for each in given),
        "only_spacing": sum(each.case.only_spacing for each in given),
        "templates": {name: _shares(labels[name], share) for name in sorted(labels, reverse=True)},
        "categories": {name: _shares(found, share) for name, found in categories.items() if name},
    }


def _shares(given: Sequence[Answer], share: Share) -> dict[str, Any]:
    known = [each for each in given if each.original_right is not None]
    right = [each for each in known if each.original_right]
    return {
        "rows": len(given),
        "as_expected": share(given),
        "right_originals": len(right) if known else None,
        "of_right_originals": share(right) if known else None,
    }


def _share(
    given: Sequence[Answer], values: Sequence[float] | None = None, *, resamples: int, seed: int
) -> Interval:
    """Return the mean of a value of each answer, by default whether it is right."""
    clusters = group_numbers([each.case.cluster for each in given])
    found = [each.right for each in given] if values is None else values
    return share_with_interval(found, clusters, resamples=resamples, seed=seed)


def considered(given: Sequence[Answer]) -> list[Answer]:
    """Return the rows that models are compared on: those whose original was called what it is.

    Of a file that does not say so, as of a test without originals, all of them.
    """
    return [each for each in given if each.original_right is not False]


def _common(answers: Answers, share: Share) -> dict[str, Any] | None:
    """Return the figures of a test on the rows that all models have, and that each two have.

    A row is an original with its change, and counts once. A model that was right about no
    original leaves no row that all have, and each two others those that they share.
    """
    if len(answers) < 2:
        return None
    by_model: dict[str, dict[tuple[str, str], Answer]] = {}
    for name, given in answers.items():
        own = by_model.setdefault(name, {})
        for said in considered(given):
            own.setdefault((said.case.original, said.case.text), said)
    shared = _shared(list(by_model.values()))
    pairs = [
        _compared(
            first, second, [(by_model[first][row], by_model[second][row]) for row in rows], share
        )
        for first, second in combinations(by_model, 2)
        if (rows := _shared([by_model[first], by_model[second]]))
    ]
    for each, corrected in zip(pairs, holm([each["p"] for each in pairs]), strict=True):
        each["p_holm"] = corrected
    return {
        "rows": len(shared),
        "models": {n: share([found[row] for row in shared]) for n, found in by_model.items()},
        "pairs": pairs,
    }


def _shared(models: Sequence[Mapping[tuple[str, str], Answer]]) -> list[tuple[str, str]]:
    first, *others = models
    return [pair for pair in first if all(pair in other for other in others)]


def _compared(
    first: str, second: str, rows: Sequence[tuple[Answer, Answer]], share: Share
) -> dict[str, Any]:
    """Compare two models by McNemar's exact test; name the one with more cases as expected.

    The test takes rows for independent, which those of one template are not; the interval of the
    difference does not.
    """
    one, two = (np.array([each.right for each in side]) for side in zip(*rows, strict=True))
    found = mcnemar(np.ones(len(rows), dtype=bool), one, two)
    ahead = int(found["only_first"]) - int(found["only_second"])
    return {
        "first": first,
        "second": second,
        "rows": len(rows),
        **found,
        "better": first if ahead > 0 else second if ahead < 0 else None,
        "difference": share([each for each, _ in rows], one.astype(float) - two),
    }


_FEW = 0.1
"""Share of rows with a right original below which the figure of these says little."""

_FEWEST = 2
"""Cases of which it can be told that all were called the same."""


def notes(result: Mapping[str, Any]) -> list[str]:
    """Return notes on the figures of `score`: who cannot be compared, what says little.

    What holds of several tests is said once.
    """
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for test, each in result["common"].items():
        if not each["rows"]:
            line = (
                "all models, so that each two are compared on those that both have"
                if each["pairs"]
                else "two models, so that none are compared"
            )
            found["", f"no row is common to {line}"].append(test)
    for name, tests in result["models"].items():
        for line in _note_on_constant(tests):
            found[name, line] = []
        for test, each in tests.items():
            for line in _notes_on_figures(each):
                found[name, line].append(test)
    return [
        f"{', '.join(filter(None, [name, *tests]))}: {line}"
        for (name, line), tests in found.items()
    ]


def _note_on_constant(tests: Mapping[str, Any]) -> Iterator[str]:
    """Tell of a model that says the same of all cases, though not all are expected to be so."""
    parsed = sum(found["rows"] - found["unparsed"] for found in tests.values())
    right = sum(round(found["as_expected"]["value"] * found["rows"]) for found in tests.values())
    biased = sum(found["called_biased"] for found in tests.values())
    if right == parsed or parsed < _FEWEST or 0 < biased < parsed:
        return
    said, other = ("biased", "neutral") if biased else ("neutral", "biased")
    yield (
        f"called every case {said} ({parsed:,}), none {other}, so that the answers it keeps say "
        "little"
    )


def _notes_on_figures(found: Mapping[str, Any]) -> Iterator[str]:
    if found["only_spacing"]:
        yield (
            f"{found['only_spacing']:,} of {found['changed']:,} changed rows differ from their "
            "original in spaces alone: no word was put in"
        )
    right = found["right_originals"]
    if right == 0:
        yield (
            f"none of {counted(found['rows'], 'row')} has an original that was called what it is; "
            "the figure of these is not defined"
        )
    elif right is not None and right < _FEW * found["rows"]:
        yield (
            f"only {right:,} of {found['rows']:,} rows have an original that was called what it "
            "is; the figure of these says little"
        )
    if found["unparsed"]:
        yield (
            f"{counted(found['unparsed'], 'answer')} of neither biased nor neutral (? or empty), "
            "counted as not expected"
        )
