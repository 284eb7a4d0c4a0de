"""Inter-annotator agreement on one question: all that `annotate agree` reports."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import agreement as coefficients
from wikibias.kits.agreement import GAP, Level, Statistic, entries, less
from wikibias.kits.evaluation import UNDEFINED, Values, bootstrap, wilson
from wikibias.messages import counted, nearest
from wikibias.research.annotation.answers import (
    KNOWN,
    Answers,
    answerers,
    cell_label,
    table_answers,
)
from wikibias.research.annotation.ratings import (
    Ratings,
    measured,
    measured_each,
    ratings,
    value_counts,
)
from wikibias.research.annotation.tables import Table, listed, read_table
from wikibias.research.annotation.tasks import Task, read_tasks
from wikibias.research.annotation.votes import nothing_in_common
from wikibias.research.spans.labels import Span, labelled, split_words
from wikibias.research.spans.labels import spans as spans_of
from wikibias.research.spans.scores import SpanCounts

_PART = re.compile(r"(\w+)=(.*?)(?=\s+\w+=|$)")

Given = Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
"""The spans that an annotator (second) marked in an item (first)."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What is compared.

    Attributes:
        answers: who said what of which item.
        texts: the sentences of the items, where they are known.
        tasks: the tasks by item; empty without a task file.
        groups: by the name of what groups the items: the group of each item.
        spans: see `Given`; an item without marks has an empty list.
    """

    answers: Answers
    texts: Mapping[str, str]
    tasks: Mapping[str, Task]
    groups: Mapping[str, Mapping[str, str]]
    spans: Given


def read_compared(
    paths: Sequence[Path],
    *,
    columns: str | None = None,
    item: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    tasks: Path | None = None,
    by: str | None = None,
) -> Compared:
    """Read answers, and what else is known of their items.

    Args:
        paths: see `answers.table_answers`, as are the next four.
        columns: see there.
        item: see there.
        annotator: see there.
        label: see there.
        tasks: the task file.
        by: what groups the items: a column of the answers or the tasks, or a part of the stratum
            such as `bin`; None for all parts of the stratum.

    Raises:
        UsageError: there is no such column.
        WikibiasError: a file cannot be read, or the answers are to other tasks.
    """
    tables = [read_table(path) for path in paths]
    answers = table_answers(tables, columns=columns, item=item, annotator=annotator, label=label)
    if columns is not None:
        rows = [[(one, "") for one in answers.items]]
    else:
        rows = [answerers(table, item, annotator) for table in tables]
    asked = {} if tasks is None else {task.item: task for task in read_tasks(tasks)}
    if asked and not any(one in asked for one in answers.items):
        raise WikibiasError(f"{tasks}: none of its items is among the answers; give their tasks")
    texts = _column(tables, rows, "text")
    texts |= {task.item: task.text for task in asked.values()}
    return Compared(
        answers,
        texts,
        asked,
        _groups(by, tables, rows, asked),
        {} if columns is not None else _spans(tables, rows),
    )


_Rows = Sequence[Sequence[tuple[str, str]]]


def _column(tables: Sequence[Table], rows: _Rows, name: str) -> dict[str, str]:
    """Return what a column says of each item, where the tables have it; the first word counts."""
    found: dict[str, str] = {}
    for table, of in zip(tables, rows, strict=True):
        for (one, _), cell in zip(of, table.columns.get(name, ()), strict=False):
            said = cell_label(cell)
            if said is not None:
                found.setdefault(one, said)
    return found


def _groups(
    by: str | None, tables: Sequence[Table], rows: _Rows, tasks: Mapping[str, Task]
) -> dict[str, dict[str, str]]:
    parts: dict[str, dict[str, str]] = {}
    for one, task in tasks.items():
        for name, value in _PART.findall(task.stratum or ""):
            parts.setdefault(name, {})[one] = value
    if by is None:
        return parts
    if by in parts:
        return {by: parts[by]}
    if any(by in table.columns for table in tables):
        return {by: _column(tables, rows, by)}
    of_task = {one: cell_label(getattr(task, by, None)) for one, task in tasks.items()}
    told = {one: value for one, value in of_task.items() if value is not None}
    if not told:
        known = {name for table in tables for name in table.columns} | set(parts)
        known |= {field.name for field in fields(Task)} if tasks else set()
        raise UsageError(f"--by: no column {by!r}{nearest(by, known)}")
    return {by: told}


def _spans(tables: Sequence[Table], rows: _Rows) -> dict[tuple[str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for table, of in zip(tables, rows, strict=True):
        for number, (who, cell) in enumerate(zip(of, table.columns.get("spans", ()), strict=False)):
            if cell is not None and cell != "":
                found[who] = _marks(table.place(number), cell)
    return found


def _marks(where: str, cell: Any) -> list[dict[str, Any]]:
    marks = listed(cell, f"{where}: spans")
    for mark in marks:
        start, end = (
            (mark.get("start"), mark.get("end")) if isinstance(mark, dict) else (None, None)
        )
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end):
            raise WikibiasError(f"{where}: a span without start and end, in characters")
    return marks


NOT_TICKED = frozenset({*(word for word, biased in KNOWN.items() if not biased), "[]", "none"})
"""Answers, in small letters, that find nothing wrong with a sentence."""


def controls(found: Ratings, checked: Ratings) -> dict[str, Any]:
    """Return how often each annotator ticks unchanged sentences, and the others.

    Args:
        found: answers to the sentences of the sample.
        checked: answers to unchanged sentences.

    Returns:
        `items`; by annotator (`annotators`) `answers`, `values` (how often each), `ticked` (a
        share, with its 95 % interval by Wilson) and `ticked_of_sample`; None where no answer is
        known to find nothing wrong.
    """
    clean = np.array([value.lower() in NOT_TICKED for value in found.values], dtype=bool)
    result: dict[str, Any] = {"items": len(checked.items), "annotators": {}, "notes": {}}
    if not clean.any():
        result["notes"]["ticked"] = "no answer is called neutral, no, none or 0"
    for place, name in enumerate(found.annotators):
        codes = checked.codes[:, place]
        said = codes[codes != GAP]
        result["annotators"][name] = {
            "answers": len(said),
            "values": {
                value: int((said == code).sum())
                for code, value in enumerate(found.values)
                if (said == code).any()
            },
            "ticked": _ticked(said, clean),
            "ticked_of_sample": _ticked(found.codes[found.codes[:, place] != GAP, place], clean),
        }
    return result


def repeats(
    found: Ratings, tasks: Mapping[str, Task], *, resamples: int, seed: int
) -> dict[str, Any]:
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
    if not again:
        return {}
    first, second = np.array(again).T
    result = {}
    for place, name in enumerate(found.annotators):
        codes = np.column_stack([found.codes[first, place], found.codes[second, place]])
        codes = codes[(codes != GAP).all(axis=1)]
        twice = replace(
            found, items=("",) * len(codes), annotators=("first", "second"), codes=codes
        )
        patterns, times = twice.patterns()
        size = len(found.values)
        figures = entries(
            {
                "percentage": coefficients.percentage(value_counts(patterns, size)),
                "cohen": coefficients.cohen(patterns[:, 0], patterns[:, 1], values=size),
            },
            times,
            resamples=resamples,
            seed=seed,
        )
        result[name] = {"items": len(codes), **figures}
    return result


def _ticked(said: Any, clean: Any) -> dict[str, float | None]:
    if not clean.any() or not len(said):
        return dict(UNDEFINED)
    share = float((~clean[said]).mean())
    low, high = wilson(share, len(said))
    return {"value": share, "low": low, "high": high}


MOST_SHOWN = 20


def standing_apart(found: Ratings, level: Level, *, resamples: int, seed: int) -> dict[str, Any]:
    """Return Krippendorff's alpha without each annotator, and who stands apart.

    Args:
        found: the answers.
        level: of the alpha.
        resamples: of the bootstrap over the items.
        seed: of it.

    Returns:
        `level`; `without`, by annotator: `krippendorff`, and `gain`, what alpha gains without that
        annotator, both with intervals; `annotator`, without whom it gains most, where all of the
        interval is above 0, else None.
    """
    result: dict[str, Any] = {"annotator": None, "level": level, "without": {}}
    if len(found.annotators) < 3:
        return result
    patterns, times = found.patterns()
    size = len(found.values)
    everyone = coefficients.alpha(value_counts(patterns, size), level, found.numbers)
    statistics: dict[tuple[str, str], Statistic] = {}
    for place, name in enumerate(found.annotators):
        others = value_counts(np.delete(patterns, place, axis=1), size)
        without = coefficients.alpha(others, level, found.numbers)
        statistics[name, "krippendorff"] = without
        statistics[name, "gain"] = less(without, everyone)
    for (name, figure), entry in entries(statistics, times, resamples=resamples, seed=seed).items():
        result["without"].setdefault(name, {})[figure] = entry
    apart = {
        name: entry["gain"]["value"]
        for name, entry in result["without"].items()
        if (entry["gain"]["low"] or 0) > 0
    }
    result["annotator"] = max(apart, key=lambda name: apart[name], default=None)
    return result


def confusion(found: Ratings) -> dict[str, dict[str, dict[str, int]]]:
    """Return for each pair what the first said (outer), what the second (inner), how often."""
    tables = {}
    for name, (one, other) in found.pairs().items():
        a, b = found.codes[:, one], found.codes[:, other]
        both = (a != GAP) & (b != GAP)
        seen, times = np.unique(np.column_stack([a[both], b[both]]), axis=0, return_counts=True)
        table: dict[str, dict[str, int]] = {}
        for (first, second), count in zip(seen, times, strict=True):
            table.setdefault(found.values[first], {})[found.values[second]] = int(count)
        tables[name] = table
    return tables


def most_disagreed(found: Ratings, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the items on which most pairs of annotators differ; of equal ones, the largest share.

    Each has `item`, `text` where it is known, `differing` (a share of the pairs) and `answers`.
    """
    counts = value_counts(found.codes, len(found.values))
    each = counts.sum(axis=1)
    all_pairs = each * (each - 1)
    unequal = all_pairs - (counts**2).sum(axis=1) + each
    differing = unequal / np.maximum(all_pairs, 1)
    order = np.lexsort((-differing, -unequal))
    shown = []
    for place in order[:MOST_SHOWN]:
        if differing[place] <= 0:
            break
        item = found.items[place]
        answers = {
            name: found.values[code]
            for name, code in zip(found.annotators, found.codes[place], strict=True)
            if code != GAP
        }
        known = {"text": texts[item]} if item in texts else {}
        shown.append(
            {"item": item, **known, "differing": float(differing[place]), "answers": answers}
        )
    return shown


MOST_GROUPS = 200
_MOST_CATEGORIES = 30
_NUMBER = re.compile(r"\d+")


def by_group(
    found: Ratings,
    columns: Mapping[str, Mapping[str, str]],
    *,
    weighted: bool,
    resamples: int,
    seed: int,
) -> dict[str, dict[str, Any]]:
    """Return the coefficients of each group of items; see `measures.measured`.

    Args:
        found: the answers.
        columns: what tells the groups: the group of each item that is in one.
        weighted: see `measured`.
        resamples: see `measured`.
        seed: see `measured`.

    Raises:
        UsageError: a column tells more groups than one would read.
    """
    result: dict[str, dict[str, Any]] = {}
    for name, group_of in columns.items():
        places: dict[str, list[int]] = {}
        for place, item in enumerate(found.items):
            if item in group_of:
                places.setdefault(group_of[item], []).append(place)
        if len(places) > MOST_GROUPS:
            raise UsageError(
                f"--by {name}: {len(places):,} different values; choose a column of groups"
            )
        result[name] = {
            group: measured(
                found.rows(places[group]), weighted=weighted, resamples=resamples, seed=seed
            )
            for group in sorted(places, key=_in_order)
        }
    return result


def by_category(found: Ratings, *, resamples: int, seed: int) -> dict[str, Any]:
    """Return for each category how far annotators agree whether it applies.

    A question with two answers has no categories of its own, nor has one with very many.

    Returns:
        By category what `measured` returns, less what asks for an order; and `chosen`, in how many
        answers it is.
    """
    of_value = found.categories()
    if len(of_value) > _MOST_CATEGORIES or (len(of_value) < 3 and not found.several()):
        return {}
    codes = {
        name: np.where(found.codes == GAP, GAP, holds[found.codes])
        for name, holds in of_value.items()
    }
    yes_or_no = replace(found, values=("no", "yes"), ordered=False, numbers=None)
    alone = {name: replace(yes_or_no, codes=of) for name, of in codes.items()}
    result = {}
    for name, figures in measured_each(alone, resamples=resamples, seed=seed).items():
        figures["krippendorff"] = {"nominal": figures["krippendorff"]["nominal"]}
        for level in ("ordinal", "interval"):
            figures["notes"].pop(f"krippendorff.{level}", None)
        result[name] = {"chosen": int((codes[name] == 1).sum()), **figures}
    return result


def _in_order(group: str) -> tuple[bool, int, str]:
    """Return a key by which 3-6 comes before 15-."""
    number = _NUMBER.search(group)
    return (number is None, int(number[0]) if number else 0, group)


ANY = "any"
"""What the figures are called that do not ask for the label of a span."""
NO_TEXTS = "spans are compared by words: give the sentences with --tasks"
_MATCHES = ("exact", "overlap")


def span_agreement(
    given: Given,
    texts: Mapping[str, str],
    items: Iterable[str],
    *,
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    """Return by pair and label how far two annotators mark the same words.

    Args:
        given: what they marked.
        texts: the sentences, by item.
        items: those that count.
        resamples: of the bootstrap over the items.
        seed: of it.

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
    result: dict[str, Any] = {"pairs": {}, "notes": {}}
    known = [item for item in items if item in texts]
    if not known:
        result["notes"]["spans"] = NO_TEXTS
        return result
    places = {item: split_words(texts[item])[1] for item in known}
    for one, other in combinations(names, 2):
        both = [item for item in known if (item, one) in given and (item, other) in given]
        result["pairs"][f"{one}|{other}"] = {
            label or ANY: _compared(
                [
                    [_labels(given[item, who], places[item], label) for who in (one, other)]
                    for item in both
                ],
                resamples,
                seed,
            )
            for label in (None, *(labels if len(labels) > 1 else ()))
        }
        if not both:
            result["notes"][f"{one}|{other}"] = "no sentence in which both looked for spans"
    if len(names) < 2:
        result["notes"]["spans"] = "one annotator marked spans; agreement needs two"
    unknown = sum(item not in texts for item in items)
    if unknown:
        result["notes"]["texts"] = f"{counted(unknown, 'sentence')} of unknown text left out"
    return result


def _labels(marks: Sequence[Mapping[str, Any]], places: Sequence[Span], label: str | None) -> Any:
    """Return the labels of words of a sentence; spans that overlap become one."""
    touched = sorted(
        found
        for mark in marks
        if label is None or str(mark.get("label")) == label
        if (found := _touched(places, mark["start"], mark["end"])) is not None
    )
    merged: list[Span] = []
    for start, end in touched:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return labelled(len(places), merged)


def _touched(places: Sequence[Span], start: int, end: int) -> Span | None:
    inside = [number for number, (at, to) in enumerate(places) if at < end and start < to]
    return (inside[0], inside[-1] + 1) if inside else None


def _compared(sentences: Sequence[Sequence[Sequence[str]]], resamples: int, seed: int) -> Any:
    counts = SpanCounts()
    words = np.zeros((len(sentences), 4))
    for row, (one, other) in enumerate(sentences):
        counts.add(one, other)
        inside = np.array([[label != "O" for label in of] for of in (one, other)])
        words[row] = (
            (inside[0] & inside[1]).sum(),
            (inside[0] & ~inside[1]).sum(),
            (~inside[0] & inside[1]).sum(),
            (~inside[0] & ~inside[1]).sum(),
        )
    scores = counts.scores(resamples=resamples, seed=seed)
    result: dict[str, Any] = {
        "items": len(sentences),
        "spans": [sum(len(spans_of(of[side])) for of in sentences) for side in (0, 1)],
    }
    for match in _MATCHES:
        low, high = scores["intervals"].get(match, {}).get("f1", (None, None))
        result[match] = {"value": scores[match]["f1"], "low": low, "high": high}
    kappa = bootstrap(
        lambda weights: {"": _kappa(weights @ words)}, len(words), resamples=resamples, seed=seed
    )
    result["token_kappa"] = kappa[""]
    return result


def _kappa(sums: Values) -> Values:
    """Return Cohen's kappa from words that both, the first, the second and nobody marked."""
    both, first, second, nobody = sums.T
    total = both + first + second + nobody
    chance = (both + first) * (both + second) + (second + nobody) * (first + nobody)
    room = total**2 - chance
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Values = np.where(room > 0, ((both + nobody) * total - chance) / room, np.nan)
    return found


Warn = Callable[[str], None]


def agreement(
    given: Compared, *, order: Sequence[str] | None, resamples: int, seed: int, warn: Warn
) -> dict[str, Any]:
    """Return all that is known of how far annotators agree, as plain values for JSON.

    With tasks only the sample counts for agreement: what is shown again tells of each annotator,
    unchanged sentences of who ticks everything, and practice of nothing.

    Args:
        given: the answers and what is known of their items.
        order: the values from the least to the most, for ordinal figures.
        resamples: of each bootstrap.
        seed: of each.
        warn: told of answers to items that the tasks lack, and of labels that never meet.

    Raises:
        UsageError: see `ratings` and `by_group`.
    """
    everything = ratings(given.answers, order)
    sample = _ratings_of_kind(everything, given, "sample", warn)
    # Two lists of choices are seldom the same.
    if not sample.several() and (apart := nothing_in_common(given.answers)):
        warn(f"{apart}; where these mean the same, write them alike")
    draws = {"resamples": resamples, "seed": seed}
    weighted = order is not None
    result: dict[str, Any] = {
        **measured(sample, weighted=weighted, **draws),
        "annotators": _annotators(sample, given),
        "values": list(sample.values),
        "by": by_group(sample, given.groups, weighted=weighted, **draws),
        "categories": by_category(sample, **draws),
        "apart": standing_apart(sample, "ordinal" if weighted else "nominal", **draws),
        "confusion": confusion(sample),
        "disagreed": most_disagreed(sample, given.texts),
        "spans": span_agreement(given.spans, given.texts, sample.items, **draws),
    }
    if given.tasks:
        result["repeats"] = repeats(everything, given.tasks, **draws)
        result["controls"] = controls(sample, _ratings_of_kind(everything, given, "control"))
    return {**result, **draws}


def _ratings_of_kind(
    found: Ratings, given: Compared, kind: str, warn: Warn | None = None
) -> Ratings:
    if not given.tasks:
        return found
    unknown = [item for item in found.items if item not in given.tasks]
    if unknown and warn is not None:
        warn(
            f"{counted(len(unknown), 'sentence')} left out that the tasks lack, such as "
            f"{unknown[0][:40]!r}"
        )
    return found.rows(
        [
            place
            for place, item in enumerate(found.items)
            if item in given.tasks and given.tasks[item].kind == kind
        ]
    )


def _annotators(sample: Ratings, given: Compared) -> dict[str, Any]:
    """Return of each annotator how many answers, of which value, and how many cannot be read."""
    result = {}
    for place, name in enumerate(sample.annotators):
        codes = sample.codes[:, place]
        result[name] = {
            "answers": int((codes != GAP).sum()),
            "unparsed": given.answers.unparsed[name],
            "values": {
                value: int((codes == code).sum()) for code, value in enumerate(sample.values)
            },
        }
    return result
