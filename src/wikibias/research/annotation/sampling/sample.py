"""Makes tasks of a sample: drawn sentences, controls and repeats, in the order they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wikibias.research.annotation.sampling.drawing import Drawn, draw, rank
from wikibias.research.annotation.sampling.edit_sides import Sides, sides_of
from wikibias.research.annotation.sampling.order import Shared, dealt, item_name, shuffled
from wikibias.research.annotation.sampling.population import (
    Corpus,
    EditKey,
    Removed,
    open_corpus,
    removed_sentences,
)
from wikibias.research.annotation.sampling.strata import Bin
from wikibias.research.annotation.tasks import Task
from wikibias.text.unsegmented import words

_Edits = dict[tuple[int, EditKey], Sides]


@dataclass(frozen=True, slots=True)
class Design:
    """How to draw.

    Attributes:
        sentences: how many removed sentences.
        bins: of edits, by how many sentences they removed.
        by: what parts the bins: `tag`, `tier`, `language`.
        with_pair: show both sides of the edit.
        with_context: show the sentences before and behind, and the heading.
        controls: unchanged sentences of the same edits, as a share of those drawn.
        repeats: sentences shown again, as a share of those drawn.
        annotators: who is to judge; empty where everybody judges all.
        shared: how many sentences all annotators judge.
        seed: of all choices.
    """

    sentences: int
    bins: Sequence[Bin]
    by: Sequence[str] = ()
    with_pair: bool = True
    with_context: bool = True
    controls: float = 0.1
    repeats: float = 0.1
    annotators: Sequence[str] = ()
    shared: Shared = field(default_factory=Shared)
    seed: int = 0


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
    corpora = [open_corpus(folder) for folder in folders]
    population = removed_sentences(corpora)
    drawn = draw(population, design.sentences, design.bins, design.by, design.seed)
    sides = _sides(corpora, drawn, design)
    tasks = list(_sampled(corpora, drawn, sides, design))
    tasks += _controls(corpora, drawn, sides, design)
    tasks += _repeats(tasks, design)
    tasks = shuffled(tasks, f"order {design.seed}")
    if design.annotators:
        tasks = dealt(tasks, design.annotators, design.shared)
    return Sample(tasks, drawn)


def _sides(corpora: Sequence[Corpus], drawn: Drawn, design: Design) -> _Edits:
    keys: dict[int, dict[EditKey, None]] = {}
    for stratum in drawn.strata:
        for one in stratum.drawn:
            keys.setdefault(one.corpus, {})[one.key] = None
    return {
        (number, key): sides
        for number, of in sorted(keys.items())
        for key, sides in sides_of(corpora[number], of, with_context=design.with_context).items()
    }


def _sampled(
    corpora: Sequence[Corpus], drawn: Drawn, sides: _Edits, design: Design
) -> Iterator[Task]:
    for stratum in drawn.strata:
        for one in stratum.drawn:
            name = str(one.row["sentence_id"])
            yield replace(
                _task(corpora, one, str(one.row["text"]), sides, design),
                item=item_name(design.seed, str(one.corpus), name),
                counterpart=one.row["counterpart"] if design.with_pair else None,
                stratum=stratum.name,
                probability=stratum.probability,
                sentence_id=name,
                role="removed",
                tier=one.row["tier"],
            )


def _task(
    corpora: Sequence[Corpus], one: Removed, text: str, sides: _Edits, design: Design
) -> Task:
    """Return a task of the edit that a sentence was drawn of."""
    row: Mapping[str, Any] = one.row
    found = sides.get((one.corpus, one.key), Sides((), (), ()))
    around = found.context(text)
    return Task(
        item="",
        text=text,
        previous=around.previous or None,
        next=around.next or None,
        section=around.section or None,
        before=found.removed if design.with_pair else (),
        after=found.added if design.with_pair else (),
        corpus=corpora[one.corpus].name,
        removed=one.removed,
        tag=one.tag,
        wiki=row["wiki"],
        language=row["lang"],
        page_id=row["page_id"],
        title=row["page_title"],
        before_rev_id=row["before_rev_id"],
        after_rev_id=row["after_rev_id"],
        diff_url=row["diff_url"],
    )


def _controls(
    corpora: Sequence[Corpus], drawn: Drawn, sides: _Edits, design: Design
) -> Iterator[Task]:
    """Yield sentences that the edits of the sample left alone, each of another edit if possible.

    With the pair shown, such a sentence stands on both sides of it.
    """
    wanted = round(design.controls * drawn.number)
    seen: set[str] = set()
    for one, (place, text, norm) in _unchanged(corpora, drawn, sides, design.seed):
        if len(seen) == wanted:
            return
        if norm in seen:
            continue
        seen.add(norm)
        named = str(one.row["sentence_id"]).rpartition("-removed-")[0] + f"-unchanged-{place}"
        task = _task(corpora, one, text, sides, design)
        if design.with_pair:
            at = rank(design.seed, "place", named)
            task = replace(
                task, before=_with(task.before, text, at), after=_with(task.after, text, at)
            )
        yield replace(
            task,
            item=item_name(design.seed, str(one.corpus), named),
            kind="control",
            sentence_id=named,
            role="unchanged",
        )


def _unchanged(
    corpora: Sequence[Corpus], drawn: Drawn, sides: _Edits, seed: int
) -> Iterator[tuple[Removed, tuple[int, str, str]]]:
    """Yield the unchanged sentences of the drawn edits at random, the first of each edit first."""
    of_edits: dict[tuple[int, EditKey], Removed] = {}
    for stratum in drawn.strata:
        for one in stratum.drawn:
            of_edits.setdefault((one.corpus, one.key), one)
    found = []
    for key, one in of_edits.items():
        build = corpora[one.corpus].settings.build
        lengths = range(build.min_tokens, build.max_tokens + 1)
        edit = str(one.row["sentence_id"]).rpartition("-removed-")[0]
        fitting = sorted(
            (rank(seed, "control", edit, str(each[0])), each)
            for each in sides.get(key, Sides((), (), ())).unchanged
            if words(each[2]) in lengths
        )
        found += [(place, number, one, each) for place, (number, each) in enumerate(fitting)]
    for _, _, one, each in sorted(found, key=lambda entry: entry[:2]):
        yield one, each


def _with(sentences: Sequence[str], text: str, at: int) -> tuple[str, ...]:
    """Return sentences with one more among them."""
    place = at % (len(sentences) + 1)
    return (*sentences[:place], text, *sentences[place:])


def _repeats(tasks: Sequence[Task], design: Design) -> list[Task]:
    """Return some drawn sentences once more, chosen at random."""
    drawn = [task for task in tasks if task.kind == "sample"]
    drawn.sort(key=lambda task: rank(design.seed, "repeat", task.item))
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
