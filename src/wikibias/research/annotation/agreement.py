"""Inter-annotator agreement on one question: all that `annotate agree` reports.

All coefficients have intervals over the items.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError, counted
from wikibias.kits import evaluation
from wikibias.research.annotation import answers
from wikibias.research.annotation.answers import KNOWN, NOT_GIVEN, Answers, label_choices
from wikibias.research.annotation.tasks import Task, listed, read_table, read_tasks
from wikibias.research.annotation.votes import nothing_in_common
from wikibias.research.spans.labels import Span, labelled, split_words
from wikibias.research.spans.labels import spans as spans_of
from wikibias.research.spans.training import SpanCounts

if TYPE_CHECKING:
    import pandas as pd

NOTHING = "[]"
"""The answer that no choice applies."""
MOST_LABELS = 500
"""More different answers than these are no labels: a comment, or a column that was not meant."""
LEVELS: tuple[evaluation.Level, ...] = ("nominal", "ordinal", "interval")
ONE_ANNOTATOR = "one annotator; agreement needs two"
NOTHING_SHARED = "no sentence was judged by two annotators"
ONE_VALUE = "all answers are the same, so that chance alone would agree as much"
NO_NUMBERS = "the labels are no numbers"
PAIR_APART = "no sentence was judged by both"
PAIR_CONSTANT = "both always gave one and the same answer, so that chance alone would agree as much"
WHOLE_ANSWERS = "answers are lists of choices, compared whole; see the categories for each choice"
_NUMBER = re.compile(r"\d+")
_Times = NDArray[np.int64]


def check_labels(found: Answers) -> None:
    """Make sure that answers can be compared.

    Raises:
        UsageError: there are too many labels, or an annotator's name holds a bar.
    """
    if len(found.labels) > MOST_LABELS:
        raise UsageError(
            f"{len(found.labels):,} different answers; name the column of the labels with --label "
            "or --annotator-columns"
        )
    for name in found.annotators:
        if "|" in name:  # a pair is called a|b
            raise UsageError(f"annotator {name[:40]!r}: no name may hold a bar; rename it")


def several(found: Answers) -> bool:
    """Return whether an answer is a list of choices, such as of check boxes."""
    return any(label_choices(label) is not None for label in found.labels)


def categories(found: Answers) -> dict[str, NDArray[np.int64]]:
    """Return for each category the code of each label: 1 where it holds the category, or 0.

    The categories are the choices where an answer is a list, else the labels themselves.
    """
    lists = several(found)
    held = [(label_choices(label) if lists else None) or [label] for label in found.labels]
    held = [[] if of == [NOTHING] else of for of in held]
    names = dict.fromkeys(name for of in held for name in of)
    return {name: np.array([int(name in of) for of in held]) for name in names}


def patterns_of(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], _Times]:
    """Return the different rows of codes, and how many items have each."""
    found, times = np.unique(np.where(codes < 0, NOT_GIVEN, codes), axis=0, return_counts=True)
    return found, times


def measured(found: Answers, *, resamples: int, seed: int = 0) -> dict[str, Any]:
    """Return all coefficients of agreement, as plain values for JSON.

    Args:
        found: the answers.
        resamples: of the bootstrap over the items.
        seed: of it.

    Returns:
        `items`, `answers`, `compared` (items with two answers or more), `krippendorff` by level,
        `fleiss`, `percentage` (a fraction), `cohen` by pair, and `notes`: a sentence for what is
        None.
    """
    patterns, times = patterns_of(found.codes)
    return coefficients(replace(found, codes=patterns), times, resamples=resamples, seed=seed)


def coefficients(found: Answers, times: _Times, *, resamples: int, seed: int = 0) -> dict[str, Any]:
    """Return what `measured` does of patterns of answers, each of which so many items have."""
    counts, codes = found.counts, found.codes
    each = counts.sum(axis=1)
    full = _full(each, times, len(found.annotators))
    levels = LEVELS if found.numbers else LEVELS[:1]
    statistics: dict[str, evaluation.Statistic] = {
        f"krippendorff.{level}": partial(
            evaluation.alpha, counts=counts, level=level, numbers=found.numbers
        )
        for level in levels
    }
    statistics["percentage"] = partial(evaluation.percentage, counts=counts)
    if full:
        statistics["fleiss"] = partial(evaluation.fleiss, counts=counts, answers=full)
    for name, (one, other) in found.pairs().items():
        statistics[f"cohen.{name}"] = partial(
            evaluation.cohen, one=codes[:, one], other=codes[:, other], values=len(found.labels)
        )
    computed = evaluation.bootstrap(
        lambda weights: {name: of(weights) for name, of in statistics.items()},
        times,
        resamples=resamples,
        seed=seed,
    )
    result: dict[str, Any] = {
        "items": int(times.sum()),
        "answers": int(each @ times),
        "compared": int(times[each > 1].sum()),
        "krippendorff": {
            level: computed.get(f"krippendorff.{level}", dict(evaluation.UNDEFINED))
            for level in LEVELS
        },
        "fleiss": {
            **computed.get("fleiss", evaluation.UNDEFINED),
            "answers": full or None,
            "items": int(times[each == full].sum()) if full else 0,
            "left_out": int(times[each != full].sum() if full else times.sum()),
        },
        "percentage": computed["percentage"],
        "cohen": {name: computed[f"cohen.{name}"] for name in found.pairs()},
    }
    return {**result, "notes": _notes(found, result)}


def _full(each: NDArray[np.float64], times: _Times, annotators: int) -> int:
    """Return how many answers an item needs for Fleiss' kappa, or 0 where none will do.

    As many as there are annotators; where no item has all, as many as most items have.
    """
    if annotators > 1 and (each == annotators).any():
        return annotators
    items = {int(size): int(times[each == size].sum()) for size in np.unique(each) if size > 1}
    return max(items, key=lambda size: (items[size], size), default=0)


def _notes(found: Answers, result: Mapping[str, Any]) -> dict[str, str]:
    """Return a sentence for each coefficient that is None or asks for one."""
    why = ONE_VALUE if result["compared"] else NOTHING_SHARED
    why = why if len(found.annotators) > 1 else ONE_ANNOTATOR
    notes = {} if result["cohen"] or why != ONE_ANNOTATOR else {"cohen": why}
    unordered = why == ONE_VALUE and found.numbers is None
    for level, entry in result["krippendorff"].items():
        if entry["value"] is None:
            notes[f"krippendorff.{level}"] = NO_NUMBERS if unordered and level != "nominal" else why
    if result["percentage"]["value"] is None:
        notes["percentage"] = why
    if fleiss_note := _fleiss_note(len(found.annotators), result["fleiss"], why):
        notes["fleiss"] = fleiss_note
    given = (found.codes >= 0).astype(int)
    shared = given.T @ given
    for name, pair in found.pairs().items():
        if result["cohen"][name]["value"] is None:
            notes[f"cohen.{name}"] = PAIR_CONSTANT if shared[pair] else PAIR_APART
    if several(found):
        notes["krippendorff.nominal"] = WHOLE_ANSWERS
    return notes


def in_order(group: str) -> tuple[bool, int, str]:
    """Return a key by which a group called 3-6 comes before 15-."""
    number = _NUMBER.search(group)
    return (number is None, int(number[0]) if number else 0, group)


def _fleiss_note(annotators: int, entry: Mapping[str, Any], why: str) -> str | None:
    if entry["value"] is None:
        return why
    left = f"{counted(entry['left_out'], 'sentence')} left out"
    if entry["answers"] < annotators:
        return (
            f"no sentence was judged by all {annotators}; taken over the "
            f"{counted(entry['items'], 'sentence')} with {entry['answers']} answers, whoever gave "
            f"them (Fleiss 1971 asks for equal numbers, not for the same people); {left}"
        )
    return f"{left}: not judged by all" if entry["left_out"] else None


_MATCHES = ("exact", "overlap")
_MOST_CATEGORIES = 30
MOST_SHOWN = 20
ANY = "any"
"""What the figures are called that do not ask for the label of a span."""
NO_TEXTS = "spans are compared by words: give the sentences with --tasks"
NOT_TICKED = frozenset({*(word for word, biased in KNOWN.items() if not biased), "[]", "none"})
"""Answers, in small letters, that find nothing wrong with a sentence."""
Spans = Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
"""The spans that an annotator (second) marked in an item (first)."""
Warn = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Compared:
    """What is compared.

    Attributes:
        answers: who said what of which item.
        texts: the sentences of the items, where they are known.
        tasks: the tasks by item; empty without a task file.
        spans: see `Spans`; an item without marks has an empty list.
    """

    answers: Answers
    texts: Mapping[str, str]
    tasks: Mapping[str, Task]
    spans: Spans


def read_compared(
    paths: Sequence[Path],
    *,
    columns: str | None = None,
    label: str | None = None,
    tasks: Path | None = None,
) -> Compared:
    """Read answers, and what else is known of their items.

    Args:
        paths: see `answers.table_answers`, as are the next two.
        columns: see there.
        label: see there.
        tasks: the task file.

    Raises:
        UsageError: there is no such column.
        WikibiasError: a file cannot be read, or the answers are to other tasks.
    """
    tables = [read_table(path) for path in paths]
    found = answers.table_answers(tables, columns, label).raters()
    asked = {} if tasks is None else {task.item: task for task in read_tasks(tasks)}
    texts = answers.item_texts(tables, None if columns is None else found.items)
    texts |= {task.item: task.text for task in asked.values()}
    return Compared(found, texts, asked, {} if columns is not None else _marked(tables))


def _marked(tables: Iterable[pd.DataFrame]) -> Spans:
    """Return the spans of long tables."""
    found = {}
    for table in tables:
        cells = table.get("spans", ())
        who = answers.answerers(table) if len(cells) else ()
        for line, each, cell in zip(table.index, who, cells, strict=False):
            if cell is None or cell == "":
                continue
            place = f"{table.attrs['path']}:{line}"
            found[each] = listed(cell, f"{place}: spans")
            for mark in found[each]:
                of = mark if isinstance(mark, dict) else {}
                start, end = of.get("start"), of.get("end")
                if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end):
                    raise WikibiasError(f"{place}: a span without start and end, in characters")
    return found


def agreement(given: Compared, *, resamples: int, warn: Warn) -> dict[str, Any]:
    """Return all that is known of how far annotators agree, as plain values for JSON.

    With tasks only the sample counts for agreement: what is shown again tells of each annotator,
    unchanged sentences of who ticks everything, and practice of nothing.

    Args:
        given: the answers and what is known of their items.
        resamples: of each bootstrap.
        warn: told of answers to items that the tasks lack, and of labels that never meet.

    Raises:
        UsageError: see `coefficients.check_labels`.
    """
    everything, tasks = given.answers, given.tasks.values()
    sample = answers.of_kind(everything, tasks)
    check_labels(everything)
    if given.tasks and (unknown := [one for one in everything.items if one not in given.tasks]):
        left_out = counted(len(unknown), "sentence")
        warn(f"{left_out} left out that the tasks lack, such as {unknown[0][:40]!r}")
    # Two lists of choices are seldom the same.
    if not several(sample) and (apart := nothing_in_common(everything)):
        warn(f"{apart}; where these mean the same, write them alike")
    result: dict[str, Any] = {
        **measured(sample, resamples=resamples),
        "annotators": _annotators(sample),
        "values": list(sample.labels),
        "by": by_group(sample, given.tasks, resamples=resamples),
        "categories": by_category(sample, resamples=resamples),
        "apart": outlier(sample, resamples=resamples),
        "confusion": confusion(sample),
        "disagreed": most_disagreed(sample, given.texts),
        "spans": span_agreement(given.spans, given.texts, sample.items, resamples=resamples),
    }
    if given.tasks:
        result["repeats"] = repeats(everything, given.tasks, resamples=resamples)
        result["controls"] = controls(sample, answers.of_kind(everything, tasks, "control"))
    return {**result, "resamples": resamples, "seed": 0}


def _annotators(sample: Answers) -> dict[str, Any]:
    """Return of each annotator how many answers, of which value, and how many cannot be read."""
    return {
        name: {
            "answers": int((codes >= 0).sum()),
            "unparsed": sample.unparsed[name],
            "values": {
                label: int((codes == code).sum()) for code, label in enumerate(sample.labels)
            },
        }
        for name, codes in zip(sample.annotators, sample.codes.T, strict=True)
    }


def controls(sample: Answers, checked: Answers) -> dict[str, Any]:
    """Return how often each annotator ticks unchanged sentences, and the others.

    Args:
        sample: answers to the sentences of the sample.
        checked: answers to unchanged sentences.

    Returns:
        `items`; by annotator (`annotators`) `answers`, `values` (how often each), `ticked` (a
        share, with its 95 % interval by Wilson) and `ticked_of_sample`; None where no answer is
        known to find nothing wrong.
    """
    clean = np.array([label.lower() in NOT_TICKED for label in sample.labels], dtype=bool)
    result: dict[str, Any] = {"items": len(checked.items), "annotators": {}, "notes": {}}
    if not clean.any():
        result["notes"]["ticked"] = "no answer is called neutral, no, none or 0"
    of_sample = dict(zip(sample.annotators, sample.codes.T, strict=True))
    for name, of in _annotators(checked).items():
        codes = checked.of([name]).codes[:, 0]
        result["annotators"][name] = {
            "answers": of["answers"],
            "values": {label: number for label, number in of["values"].items() if number},
            "ticked": _ticked(codes, clean),
            "ticked_of_sample": _ticked(of_sample[name], clean),
        }
    return result


def _ticked(codes: Any, clean: Any) -> dict[str, float | None]:
    said = codes[codes >= 0]
    if not clean.any() or not len(said):
        return dict(evaluation.UNDEFINED)
    share = float((~clean[said]).mean())
    low, high = evaluation.wilson(share, len(said))
    return {"value": share, "low": low, "high": high}


def repeats(found: Answers, tasks: Mapping[str, Task], *, resamples: int) -> dict[str, Any]:
    """Return how far each annotator says the same of a sentence that is shown again.

    Returns:
        By annotator: `items` judged both times, `percentage` (a fraction) and `cohen` between the
        two times, with intervals.
    """
    place_of = {item: place for place, item in enumerate(found.items)}
    again = [
        (place_of[task.repeat_of], place_of[task.item])
        for task in tasks.values()
        if task.kind == "repeat" and task.item in place_of and task.repeat_of in place_of
    ]
    result = {}
    for place, name in enumerate(found.annotators) if again else ():
        codes = found.codes[np.array(again), place]
        codes = codes[(codes >= 0).all(axis=1)]
        twice = Answers([""] * len(codes), ("first", "second"), found.labels, codes)
        figures = measured(twice, resamples=resamples)
        result[name] = {
            "items": len(codes),
            "percentage": figures["percentage"],
            "cohen": figures["cohen"]["first|second"],
        }
    return result


def outlier(found: Answers, *, resamples: int) -> dict[str, Any]:
    """Return the annotator who stands apart, as the 2019 paper leaves one out.

    Returns:
        `without`, by annotator: `krippendorff`, nominal alpha of all others, and `gain`, by how
        much it is higher than that of all, with intervals; `annotator`, without whom it gains
        most, where all of the interval is above 0, else None.
    """
    if len(found.annotators) < 3:
        return {"annotator": None, "without": {}}
    patterns, times = patterns_of(found.codes)
    everyone = replace(found, codes=patterns)
    others = {
        name: everyone.of([other for other in found.annotators if other != name]).counts
        for name in found.annotators
    }

    def alphas(weights: evaluation.Weights) -> dict[tuple[str, str], evaluation.Values]:
        of_all, values = evaluation.alpha(weights, everyone.counts), {}
        for name, counts in others.items():
            values[name, "krippendorff"] = evaluation.alpha(weights, counts)
            values[name, "gain"] = values[name, "krippendorff"] - of_all
        return values

    drawn = evaluation.bootstrap(alphas, times, resamples=resamples)
    without = {
        name: {figure: drawn[name, figure] for figure in ("krippendorff", "gain")}
        for name in others
    }
    gains = {
        name: of["gain"]["value"] or 0
        for name, of in without.items()
        if (of["gain"]["low"] or 0) > 0
    }
    return {"annotator": max(gains, key=gains.__getitem__, default=None), "without": without}


def confusion(found: Answers) -> dict[str, dict[str, dict[str, int]]]:
    """Return for each pair what the first said (outer), what the second (inner), how often."""
    tables = {}
    for name, pair in found.pairs().items():
        codes = found.codes[:, pair]
        table: dict[str, dict[str, int]] = {}
        times = Counter(map(tuple, codes[(codes >= 0).all(axis=1)].tolist()))
        for (first, second), number in sorted(times.items()):
            table.setdefault(found.labels[first], {})[found.labels[second]] = number
        tables[name] = table
    return tables


def most_disagreed(found: Answers, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the items on which most pairs of annotators differ; of equal ones, the largest share.

    Each has `item`, `text` where it is known, `differing` (a share of the pairs) and `answers`.
    """
    counts = found.counts
    each = counts.sum(axis=1)
    all_pairs = each * (each - 1)
    unequal = all_pairs - (counts**2).sum(axis=1) + each
    differing = unequal / np.maximum(all_pairs, 1)
    order = np.lexsort((-differing, -unequal))[:MOST_SHOWN]
    return [
        {
            "item": found.items[place],
            **({"text": texts[found.items[place]]} if found.items[place] in texts else {}),
            "differing": float(differing[place]),
            "answers": {
                name: found.labels[code]
                for name, code in zip(found.annotators, found.codes[place], strict=True)
                if code >= 0
            },
        }
        for place in order
        if differing[place] > 0
    ]


def by_group(
    found: Answers, tasks: Mapping[str, Task], *, resamples: int
) -> dict[str, dict[str, Any]]:
    """Return the coefficients of each group of items, by each part of the stratum such as `bin`."""
    places: dict[str, dict[str, list[int]]] = {}
    for place, item in enumerate(found.items):
        for name, value in tasks[item].parts.items() if item in tasks else ():
            places.setdefault(name, {}).setdefault(value, []).append(place)
    return {
        name: {
            group: measured(found.rows(groups[group]), resamples=resamples)
            for group in sorted(groups, key=in_order)
        }
        for name, groups in places.items()
    }


def by_category(found: Answers, *, resamples: int) -> dict[str, Any]:
    """Return for each category how far annotators agree whether it applies.

    A question with two answers has no categories of its own, nor has one with very many.

    Returns:
        By category what `measured` returns, less what asks for an order; and `chosen`, in how many
        answers it is.
    """
    of_label = categories(found)
    if len(of_label) > _MOST_CATEGORIES or (len(of_label) < 3 and not several(found)):
        return {}
    each = [
        np.where(found.codes < 0, found.codes, holds[found.codes]) for holds in of_label.values()
    ]
    # All categories are measured on the same draws.
    patterns, times = patterns_of(np.concatenate(each, axis=1))
    result = {}
    for name, codes, own in zip(of_label, each, np.split(patterns, len(each), axis=1), strict=True):
        alone = replace(found, labels=("no", "yes"), codes=own)
        figures = coefficients(alone, times, resamples=resamples)
        figures["krippendorff"] = {"nominal": figures["krippendorff"]["nominal"]}
        for level in ("ordinal", "interval"):
            figures["notes"].pop(f"krippendorff.{level}", None)
        result[name] = {"chosen": int((codes == 1).sum()), **figures}
    return result


def span_agreement(
    given: Spans, texts: Mapping[str, str], items: Iterable[str], *, resamples: int
) -> dict[str, Any]:
    """Return by pair and label how far two annotators mark the same words.

    Args:
        given: what they marked.
        texts: the sentences, by item.
        items: those that count.
        resamples: of the bootstrap over the items.

    Returns:
        By pair `a|b`, by label (`any` whatever the label): `items` that both looked at, `spans` of
        each, `exact` and `overlap`, the F1 of spans that are the same or share a word, and
        `token_kappa`, Cohen's kappa of words inside and outside; each with its interval. And
        `notes`. Empty where nobody marked anything.
    """
    if not any(given.values()):
        return {}
    names = list(dict.fromkeys(who for _, who in given))
    labels = sorted({str(mark.get("label")) for marks in given.values() for mark in marks})
    notes: dict[str, str] = {}
    result: dict[str, Any] = {"pairs": {}, "notes": notes}
    places = {item: split_words(texts[item])[1] for item in items if item in texts}
    if not places:
        return {**result, "notes": {"spans": NO_TEXTS}}
    for one, other in combinations(names, 2):
        both = [item for item in places if (item, one) in given and (item, other) in given]
        result["pairs"][f"{one}|{other}"] = {
            label or ANY: _span_figures(
                [
                    [_word_labels(given[item, who], places[item], label) for who in (one, other)]
                    for item in both
                ],
                resamples,
            )
            for label in (None, *(labels if len(labels) > 1 else ()))
        }
        if not both:
            notes[f"{one}|{other}"] = "no sentence in which both looked for spans"
    if len(names) < 2:
        notes["spans"] = "one annotator marked spans; agreement needs two"
    if unknown := sum(item not in texts for item in items):
        notes["texts"] = f"{counted(unknown, 'sentence')} of unknown text left out"
    return result


def _word_labels(
    marks: Sequence[Mapping[str, Any]], places: Sequence[Span], label: str | None
) -> list[str]:
    """Return the labels of words of a sentence; spans that overlap become one."""
    touched = []
    for mark in marks:
        start, end = mark["start"], mark["end"]
        inside = [number for number, (at, to) in enumerate(places) if at < end and start < to]
        if inside and (label is None or str(mark.get("label")) == label):
            touched.append((inside[0], inside[-1] + 1))
    merged: list[Span] = []
    for start, end in sorted(touched):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return labelled(len(places), merged)


def _span_figures(sentences: Sequence[Sequence[Sequence[str]]], resamples: int) -> dict[str, Any]:
    counts = SpanCounts()
    for one, other in sentences:
        counts.add(one, other)
    marked, by_other = (
        np.array([label != "O" for pair in sentences for label in pair[side]], np.int64)
        for side in (0, 1)
    )
    of_word = np.repeat(np.arange(len(sentences)), [len(one) for one, _ in sentences])
    scores = counts.scores(resamples=resamples)
    result: dict[str, Any] = {
        "items": len(sentences),
        "spans": [sum(len(spans_of(of[side])) for of in sentences) for side in (0, 1)],
    }
    for match in _MATCHES:
        low, high = scores["intervals"].get(match, {}).get("f1", (None, None))
        result[match] = {"value": scores[match]["f1"], "low": low, "high": high}
    kappas = evaluation.bootstrap(
        lambda weights: {"token_kappa": evaluation.cohen(weights, marked, by_other, 2)},
        len(of_word),
        groups=of_word,
        resamples=resamples,
    )
    return {**result, **kappas}
