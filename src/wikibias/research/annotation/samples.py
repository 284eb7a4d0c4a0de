"""Samples by strata: removed sentences as tasks for annotators, and sentences that are balanced."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import even_shares
from wikibias.research.annotation import population
from wikibias.research.annotation.answers import UNPARSED, cell_label, is_biased
from wikibias.research.annotation.population import Corpus, EditKey, Removed, Sides
from wikibias.research.annotation.tasks import Task, ordered, random_number
from wikibias.text.segmentation import words

if TYPE_CHECKING:
    import pandas as pd

StratumKey = tuple[str, ...]
LEVEL = 0.5
"""A larger probability counts as biased."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a stratum had and gave: how many biased and neutral sentences."""

    stratum: StratumKey
    biased: int
    neutral: int
    taken: int
    """Of each of the two."""


@dataclass(frozen=True, slots=True)
class Balanced:
    """A balanced choice of rows.

    Attributes:
        rows: their numbers, in order.
        parts: the strata, in the order in which they first occur.
        unlabelled: how many rows were left out because they have no label.
    """

    rows: Sequence[int]
    parts: Sequence[Part]
    unlabelled: int


def balanced(
    strata: Sequence[StratumKey],
    biased: Sequence[bool | None],
    *,
    equal: bool = False,
    seed: int = 0,
) -> Balanced:
    """Choose rows at random so that in each stratum half are biased.

    Horych et al. (2025, sections 5.1 and 5.2) balance twice. Before annotation, by an estimate:
    each part of the political spectrum gives equally many sentences, half of which a classifier
    holds for biased, so that annotation is not spent on neutral ones, of which there are many more.
    After it, by the label: in each part, the larger class is drawn down to the smaller. A corpus in
    which all bias came from one outlet would teach its style.

    Args:
        strata: the stratum of each row.
        biased: whether each is biased, by label or by estimate; None leaves it out.
        equal: take equally many from each stratum, so many as the smallest can give. A stratum that
            lacks one of the classes gives nothing, and does not count.
        seed: of the draws.

    Raises:
        WikibiasError: no stratum has both classes.
    """
    members: dict[StratumKey, tuple[list[int], list[int]]] = {}
    for row, (stratum, is_it) in enumerate(zip(strata, biased, strict=True)):
        classes = members.setdefault(stratum, ([], []))
        if is_it is not None:
            classes[is_it].append(row)
    able = [min(map(len, classes)) for classes in members.values()]
    if not any(able):
        raise WikibiasError("no stratum has both biased and neutral sentences; nothing is balanced")
    least = min(filter(None, able))
    rng = np.random.default_rng(seed)
    rows: list[int] = []
    parts = []
    for (stratum, (neutral, positive)), most in zip(members.items(), able, strict=True):
        number = min(most, least) if equal else most
        for of_class in (neutral, positive):
            rows += rng.permutation(np.array(of_class, np.int64))[:number].tolist()
        parts.append(Part(stratum, len(positive), len(neutral), number))
    return Balanced(sorted(rows), parts, sum(one is None for one in biased))


def judged(cells: Sequence[Any], labels: Mapping[str, bool], place: str) -> list[bool | None]:
    """Return whether cells say biased: labels, or probabilities of bias; None of "?" and blanks.

    Args:
        cells: the cells of a column.
        labels: what labels mean.
        place: names the column in messages.

    Raises:
        WikibiasError: a cell is neither a label nor a number from 0 to 1.
    """
    found: list[bool | None] = []
    for row, cell in enumerate(cells):
        label = cell_label(cell)
        if label is None or label == UNPARSED:
            found.append(None)
            continue
        if (meaning := is_biased(label, labels)) is None:
            share = -1.0
            with suppress(ValueError):
                share = float(label)
            if not 0 <= share <= 1:
                raise WikibiasError(
                    f"{place}: row {row + 1}: {label[:40]!r} is no known label and no probability; "
                    "name labels with --label-names NAME=biased,NAME=neutral"
                )
            meaning = share > LEVEL
        found.append(meaning)
    return found


def strata_of(table: pd.DataFrame, names: Sequence[str]) -> list[StratumKey]:
    """Return the stratum of each row: what it has in some columns."""
    cells = [[cell_label(cell) or "" for cell in table[name]] for name in names]
    return list(zip(*cells, strict=True))


PAPER_BINS = "1-2,3-6,7-15,16-"
EXPECTED = 0.48
"""Share judged biased, that of the 2019 paper, for which the width of an interval is planned."""
_Ranked = tuple[int, str, int, Removed]
"""A sentence behind its random number, its name, and the number of its corpus."""
_Stratum = tuple[int, str]
"""The place of its bin, and its name."""
_BIN = re.compile(r"\s*(\d{1,9})(?:\s*(-)\s*(\d{1,9})?)?\s*")


Bins = Mapping[str, range]
"""Bins of edits: for the name of each how many sentences they removed."""
_NO_LIMIT = 10**10


def read_bins(text: str) -> Bins:
    """Return the bins that `1-2,3-6,7-15,16-` names, in order.

    Raises:
        UsageError: a part is no range, or two bins share a number.
    """
    bins = []
    for part in text.split(","):
        found = _BIN.fullmatch(part)
        if found is None:
            raise UsageError(f"--bins: {part!r} is no range; write {PAPER_BINS}, or 1- for one bin")
        first = int(found[1])
        last = _NO_LIMIT if found[2] and not found[3] else int(found[3] or found[1])
        if first < 1 or last < first:
            raise UsageError(f"--bins: {part.strip()} holds no number; the smaller comes first")
        bins.append((first, last, "".join(part.split())))
    bins.sort()
    for (_, last, one), (first, _, other) in pairwise(bins):
        if last >= first:
            raise UsageError(f"--bins: {one} and {other} share a number; part them")
    return {name: range(first, last + 1) for first, last, name in bins}


def allocated(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Return how many sentences to draw of each stratum: as many of each as can be.

    What a small stratum lacks the others give; what does not divide goes to the first ones.

    Args:
        sizes: how many sentences each has, in order.
        wanted: how many to draw in all.

    Raises:
        UsageError: there are fewer than strata, so that one would stand for nothing.
    """
    if wanted < len([name for name, size in sizes.items() if size]):
        raise UsageError(
            f"-n {wanted} is fewer than the {len(sizes)} strata, some of which nothing would stand "
            "for; draw more, or part them less (--bins, --by)"
        )
    return dict(zip(sizes, even_shares([*sizes.values()], wanted), strict=True))


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the population: how many sentences it has, and those drawn of them, at random."""

    name: str
    size: int
    drawn: tuple[Removed, ...]

    @property
    def probability(self) -> float:
        """How likely each sentence of it was to be drawn."""
        return len(self.drawn) / self.size


@dataclass(frozen=True, slots=True)
class Drawn:
    """A sample by strata, and how many sentences lie in no bin."""

    strata: tuple[Stratum, ...]
    outside: int

    @property
    def sentences(self) -> list[Removed]:
        """The sentences drawn."""
        return [one for stratum in self.strata for one in stratum.drawn]


def draw(
    sentences: Iterable[Removed], wanted: int, bins: Bins, by: Sequence[str] = (), seed: int = 0
) -> Drawn:
    """Draw sentences, as many of each stratum as can be.

    Memory: no more than twice `wanted` sentences of each stratum.

    Args:
        sentences: the sentences, in any order.
        wanted: how many to draw.
        bins: of edits, by how many sentences they removed.
        by: what parts the bins: `tag`, `tier`, `language`.
        seed: of the choice.

    Raises:
        UsageError: there is no sentence in any bin, fewer are wanted than there are strata, or a
            sentence is in two corpora.
    """
    sizes: Counter[_Stratum] = Counter()
    smallest: dict[str, list[_Ranked]] = {}
    outside = 0
    for sentence in sentences:
        stratum = _stratum_of(sentence, bins, by)
        if stratum is None:
            outside += 1
            continue
        sizes[stratum] += 1
        kept = smallest.setdefault(stratum[1], [])
        rank = random_number(str(seed), sentence.name)
        kept.append((rank, sentence.name, sentence.corpus, sentence))
        if len(kept) == 2 * wanted:
            kept[:] = _first(kept, wanted)
    if not sizes:
        raise UsageError(
            "the corpus has no removed sentence in these bins; widen --bins, unless it is empty"
        )
    in_order = _in_order(sizes)
    numbers = allocated(in_order, wanted)
    strata = tuple(
        Stratum(name, size, tuple(entry[3] for entry in _first(smallest[name], numbers[name])))
        for name, size in in_order.items()
    )
    drawn = Drawn(strata, outside)
    # Corpora may overlap; their sentences would count, and be shown, twice.
    times = Counter(one.name for one in drawn.sentences)
    if twice := [name for name, number in times.items() if number > 1]:
        raise UsageError(f"{twice[0]} is in two of the corpora; draw from one of them")
    return drawn


def _stratum_of(sentence: Removed, bins: Bins, by: Sequence[str]) -> _Stratum | None:
    """Return the stratum of a sentence; None where no bin holds its edit."""
    for place, (name, held) in enumerate(bins.items()):
        if sentence.removed in held:
            return place, " ".join([f"bin={name}", *(f"{key}={sentence.value(key)}" for key in by)])
    return None


def _in_order(sizes: Mapping[_Stratum, int]) -> dict[str, int]:
    """Return the sizes of strata by name, in the order of their bins."""
    return {name: sizes[place, name] for place, name in sorted(sizes)}


def _first(ranked: list[_Ranked], number: int) -> list[_Ranked]:
    """Return the sentences with the smallest numbers."""
    return sorted(ranked, key=lambda entry: entry[:3])[:number]


_COPIED = ("wiki", "page_id", "before_rev_id", "after_rev_id", "diff_url")
# No digits, which spreadsheets take for numbers, and no vowels, which make words.
_LETTERS = "bcdfghjklmnpqrstvwxz"
_LENGTH = 10
SHARED = 0.24
"""The share of what each annotator has that all are given, where no number is: 72 of 296."""


def item_name(seed: int, *words: str) -> str:
    """Return what names an item: letters that tell nothing of it."""
    number, letters = random_number("item", str(seed), *words), []
    for _ in range(_LENGTH):
        number, place = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[place])
    return "".join(letters)


def dealt(tasks: Sequence[Task], annotators: Sequence[str], shared: int | None) -> list[Task]:
    """Return the tasks, each with the annotators who are to judge it.

    Some are for all, the others for one each, in each stratum alike (2019 paper, section 4.1: 72
    of the 296 sentences of each annotator were shared). As large a part of the controls, which
    come last, are for all. A repeat goes where its original goes.

    Args:
        tasks: in a random order.
        annotators: their names.
        shared: how many of the sample are for all; None for as large a share as in the paper.

    Raises:
        UsageError: more are to be shared than there are.
    """
    total = sum(task.kind == "sample" for task in tasks)
    whole = _shared_number(total, len(annotators), shared)
    strata: dict[tuple[bool, str], list[Task]] = {}
    for task in tasks:
        if task.kind != "repeat":
            strata.setdefault((task.kind != "sample", str(task.stratum)), []).append(task)
    given: dict[str, tuple[str, ...]] = {}
    seen = turn = 0
    for _, of in sorted(strata.items()):
        # So many of all strata up to this one that rounding never adds up.
        before, seen = seen, seen + len(of)
        for_all = round(whole * seen / (total or 1)) - round(whole * before / (total or 1))
        for place, task in enumerate(of):
            if place < for_all:
                given[task.item] = tuple(annotators)
            else:
                given[task.item] = (annotators[turn % len(annotators)],)
                turn += 1
    return [replace(task, annotators=given[task.repeat_of or task.item]) for task in tasks]


def _shared_number(sentences: int, annotators: int, shared: int | None) -> int:
    """Return how many sentences all annotators have, of so many in all."""
    if shared is None:
        # Each has L: the shared ones, SHARED * L, and its own, (1 - SHARED) * L.
        load = sentences / (SHARED + annotators * (1 - SHARED))
        return min(sentences, round(SHARED * load))
    if shared > sentences:
        raise UsageError(f"--shared {shared} is more than the {sentences} sentences")
    return shared


@dataclass(frozen=True, slots=True)
class Design:
    """How to draw.

    Attributes:
        sentences: how many removed sentences.
        bins: of edits, by how many sentences they removed.
        by: what parts the bins: `tag`, `tier`, `language`.
        controls: unchanged sentences of the same edits, as a share of those drawn.
        repeats: sentences shown again, as a share of those drawn.
        annotators: who is to judge; empty where everybody judges all.
        shared: how many sentences all annotators judge; None for those of the 2019 paper.
        seed: of all choices.
        width: draw instead as many as give a 95 % interval no wider than this.
    """

    sentences: int
    bins: Bins
    by: Sequence[str] = ()
    controls: float = 0.1
    repeats: float = 0.1
    annotators: Sequence[str] = ()
    shared: int | None = None
    seed: int = 0
    width: float | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """Tasks in the order they are shown, and what they were drawn from."""

    tasks: list[Task]
    drawn: Drawn

    def count(self, kind: str) -> int:
        """Return how many tasks are of a kind."""
        return sum(task.kind == kind for task in self.tasks)


def sample(folders: Sequence[Path], design: Design) -> Sample:
    """Draw a sample of the removed sentences of corpora.

    The same corpora, design and seed give the same tasks.

    Raises:
        UsageError: a folder holds no corpus, or the design cannot be filled.
        WikibiasError: a table is damaged.
    """
    corpora = [population.open_corpus(folder) for folder in folders]
    sentences = design.sentences
    if design.width is not None:
        every = population.removed_sentences(corpora)
        strata = (_stratum_of(each, design.bins, design.by) for each in every)
        sentences = needed(design.width, _in_order(Counter(filter(None, strata))))
    every = population.removed_sentences(corpora)
    drawn = draw(every, sentences, design.bins, design.by, design.seed)
    maker = _TaskMaker(corpora, drawn, design)
    tasks = [*maker.sampled(), *maker.controls()]
    tasks += _repeats(tasks, design)
    tasks = ordered(tasks, f"order {design.seed}")
    if design.annotators:
        tasks = dealt(tasks, design.annotators, design.shared)
    return Sample(tasks, drawn)


def stratified_width(sizes: Mapping[str, int], sentences: int) -> float:
    """Return the width of the 95 % interval over all strata, with the share of the 2019 paper.

    The share is taken to be the same in all strata, which is the worst case. The number drawn
    counts by the design effect (Kish 1965) and the finite population correction (Cochran 1977,
    section 2.6).
    """
    from wikibias.kits.evaluation import wilson  # scikit-learn, and only for --width

    drawn, whole, error = allocated(sizes, sentences), sum(sizes.values()), 0.0
    for name, size in sizes.items():
        if drawn[name] < size:
            error += (size / whole) ** 2 * (size - drawn[name]) / (drawn[name] * (size - 1))
    low, high = wilson(EXPECTED, 1 / error if error else math.inf)
    return high - low


def needed(width: float, sizes: Mapping[str, int]) -> int:
    """Return how many sentences of all strata give an interval no wider than this."""
    numbers = range(len(sizes), sum(sizes.values()))
    place = bisect_left(numbers, True, key=lambda number: stratified_width(sizes, number) <= width)
    return len(sizes) + place


class _TaskMaker:
    """Makes tasks of sentences that were drawn, and of others of their edits."""

    def __init__(self, corpora: Sequence[Corpus], drawn: Drawn, design: Design) -> None:
        self._corpora, self._drawn, self._design = corpora, drawn, design
        # By corpus and edit, the first sentence drawn of it.
        self._edits: dict[tuple[int, EditKey], Removed] = {}
        for one in drawn.sentences:
            self._edits.setdefault((one.corpus, one.key), one)
        self._sides: dict[tuple[int, EditKey], Sides] = {}
        for number, corpus in enumerate(corpora):
            edits = [edit for at, edit in self._edits if at == number]
            found = population.sides_of(corpus, edits)
            self._sides |= {(number, edit): sides for edit, sides in found.items()}

    def sampled(self) -> Iterator[Task]:
        """Yield the tasks of the sentences drawn."""
        for stratum in self._drawn.strata:
            for one in stratum.drawn:
                yield replace(
                    self._task(one, str(one.row["text"]), one.name),
                    counterpart=one.row["counterpart"],
                    stratum=stratum.name,
                    probability=stratum.probability,
                    role="removed",
                    confidence=one.row["confidence"],
                    tier=one.row["tier"],
                )

    def controls(self) -> Iterator[Task]:
        """Yield sentences that the edits of the sample left alone, each of another if possible.

        With the pair shown, such a sentence stands on both sides of it.
        """
        wanted = round(self._design.controls * len(self._drawn.sentences))
        seen: set[str] = set()
        for one, place, text, norm in self._unchanged():
            if len(seen) == wanted:
                return
            if norm in seen:
                continue
            seen.add(norm)
            named = f"{one.edit}-unchanged-{place}"
            task = self._task(one, text, named)
            at = random_number(str(self._design.seed), "place", named)
            before, after = (_with(side, text, at) for side in (task.before, task.after))
            yield replace(task, before=before, after=after, kind="control", role="unchanged")

    def _task(self, one: Removed, text: str, name: str) -> Task:
        """Return a task of the edit that a sentence was drawn of."""
        row: Mapping[str, Any] = one.row
        found = self._sides.get((one.corpus, one.key), Sides((), (), ()))
        around = found.context(text)
        return Task(
            item=item_name(self._design.seed, str(one.corpus), name),
            text=text,
            previous=around.previous or None,
            next=around.next or None,
            section=around.section or None,
            before=found.removed,
            after=found.added,
            corpus=self._corpora[one.corpus].name,
            sentence_id=name,
            removed=one.removed,
            tag=one.tag,
            language=row["lang"],
            title=row["page_title"],
            **{name: row[name] for name in _COPIED},
        )

    def _unchanged(self) -> Iterator[tuple[Removed, int, str, str]]:
        """Yield the unchanged sentences of the edits at random, the first of each edit first."""
        found = []
        for key, one in self._edits.items():
            build = self._corpora[one.corpus].settings.build
            lengths = range(build.min_tokens, build.max_tokens + 1)
            fitting = sorted(
                (random_number(str(self._design.seed), "control", one.edit, str(each[0])), each)
                for each in self._sides.get(key, Sides((), (), ())).unchanged
                if words(each[2]) in lengths
            )
            found += [(place, number, one, each) for place, (number, each) in enumerate(fitting)]
        for _, _, one, each in sorted(found, key=lambda entry: entry[:2]):
            yield one, *each


def _with(sentences: Sequence[str], text: str, at: int) -> tuple[str, ...]:
    """Return sentences with one more among them."""
    place = at % (len(sentences) + 1)
    return (*sentences[:place], text, *sentences[place:])


def _repeats(tasks: Sequence[Task], design: Design) -> list[Task]:
    """Return some drawn sentences once more, chosen at random."""
    drawn = [task for task in tasks if task.kind == "sample"]
    drawn.sort(key=lambda task: random_number(str(design.seed), "repeat", task.item))
    return [
        replace(
            task,
            item=item_name(design.seed, "again", task.item),
            kind="repeat",
            repeat_of=task.item,
            probability=None,
        )
        for task in drawn[: round(design.repeats * len(drawn))]
    ]
