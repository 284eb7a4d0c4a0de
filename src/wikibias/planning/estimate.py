"""What commands would cost on a dump that nobody has downloaded yet, as ranges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1

from wikibias.dumps.web.remote import AT_A_TIME
from wikibias.planning.cost_model import TASKS, CostModel, Task, Work
from wikibias.planning.inventory import FetchedForm, Inventory
from wikibias.planning.ratios import Range, Ratios, WikiRatios
from wikibias.planning.schedule import longest_first, makespan

_MB, _HOUR = 1e6, 3600.0
# A manifest holds so much of each part (docs/performance.md).
_MANIFEST_MB = 0.01


@dataclass(frozen=True, slots=True)
class TaskEstimate:
    """The cost of a command: hours of CPU, hours by the clock by number of workers, MB, bytes.

    `memory_mb` is that of all workers together, `worker_memory_mb` that of one; `output_bytes` is
    the size of the result folder.
    """

    task: Task
    core_hours: Range
    hours: dict[int, Range]
    worker_memory_mb: float
    memory_mb: dict[int, float]
    output_bytes: Range


@dataclass(frozen=True, slots=True)
class FormEstimate:
    """What a dump holds in one form, what its download takes, and the cost of each command."""

    form: FetchedForm
    parts: int
    bytes: int
    largest: int
    download_hours: Range
    tasks: dict[Task, TaskEstimate]

    def disk_bytes(self, task: Task) -> Range:
        """Return the disk that a command needs: the dump, and the result."""
        written = self.tasks[task].output_bytes
        return Range.of(lambda end: self.bytes + written.at(end))


@dataclass(frozen=True, slots=True)
class Estimate:
    """All that can be said of a dump before it is there."""

    inventory: Inventory
    workers: tuple[int, ...]
    speed: float
    xml_bytes: Range
    revisions: Range
    transitions: Range
    forms: dict[FetchedForm, FormEstimate]

    def best(self) -> tuple[FetchedForm, dict[FetchedForm, float]]:
        """Return the form to fetch, and of each the hours of download and `extract`.

        With the most workers asked for: there the download counts most.
        """
        hours = {
            form: found.download_hours.mid + found.tasks["extract"].hours[max(self.workers)].mid
            for form, found in self.forms.items()
        }
        return min(hours, key=lambda form: hours[form]), hours


def estimate(
    inventory: Inventory,
    model: CostModel,
    ratios: Ratios,
    *,
    workers: Sequence[int],
    speed: float,
) -> Estimate:
    """Estimate the costs of all commands on a dump in all its forms.

    Args:
        inventory: the parts of the dump.
        model: the costs.
        ratios: what the inventory does not tell.
        workers: numbers of workers to say hours for.
        speed: how many times faster a core is than that on which the costs were measured.
    """
    gb = sum(inventory.parts.get("7z", ())) / 1e9 or sum(inventory.parts.get("bz2", ())) / 6e9
    facts = ratios.wikis["large" if gb >= ratios.large_from_gb else "small"]
    works = {
        form: {end: work_of(inventory, form, facts, end) for end in ("low", "mid", "high")}
        for form in inventory.parts
    }
    any_form = next(iter(works.values()))
    forms = {}
    for form, sizes in inventory.parts.items():
        tasks = {task: _task(task, sizes, works[form], model, workers, speed) for task in TASKS}
        download = _download(sum(sizes), ratios)
        forms[form] = FormEstimate(form, len(sizes), sum(sizes), max(sizes), download, tasks)
    return Estimate(
        inventory,
        tuple(workers),
        speed,
        Range.of(lambda end: any_form[end].mb * _MB),
        Range.of(lambda end: any_form[end].revisions),
        Range.of(lambda end: any_form[end].transitions),
        forms,
    )


def _download(size: int, ratios: Ratios) -> Range:
    """Return the hours that so many bytes take over as many connections as Wikimedia allows."""
    rate = ratios.connection_mb_s
    return Range.of(lambda end: size / _MB / AT_A_TIME / rate.at(end) / _HOUR)


def work_of(inventory: Inventory, form: FetchedForm, facts: WikiRatios, end: str) -> Work:
    """Return what a dump holds at one end of all ratios."""
    # The XML is the same in both forms; the 7z tells more of it.
    known: FetchedForm = "7z" if "7z" in inventory.parts else "bz2"
    ratio = facts.xml_per_7z if known == "7z" else facts.xml_per_bz2
    mb = sum(inventory.parts[known]) * ratio.at(end) / _MB
    other = {"low": "high", "mid": "mid", "high": "low"}[end]
    if inventory.stub_bytes:
        revisions = inventory.stub_bytes / facts.stub_bytes.at(other)
    else:
        revisions = mb * _MB / facts.revision_bytes.at(other)
    hits, parts = revisions * facts.hit_share.at(end), len(inventory.parts[form])
    transitions = revisions * facts.transitions.at(end)
    return Work(
        form=form,
        parts=parts,
        packed_mb=sum(inventory.parts[form]) / _MB,
        mb=mb,
        revisions=revisions,
        article_share=facts.article_share.at(end),
        hits=hits,
        matches=hits * facts.match_share.at(end),
        transitions=transitions,
        # As if each part were as likely to get one.
        tagged_parts=parts * -expm1(-transitions / parts),
        calls=revisions * facts.calls.at(end),
    )


def _task(
    task: Task,
    sizes: Sequence[int],
    works: dict[str, Work],
    model: CostModel,
    workers: Sequence[int],
    speed: float,
) -> TaskEstimate:
    costs = model.tasks[task]
    at_once = {number: min(number, len(sizes)) for number in workers}
    # The model itself errs, too.
    speeds = {"low": speed / (1 - min(model.fitted.worst, 0.5)), "mid": speed}
    speeds["high"] = speed / (1 + model.fitted.worst)
    parts = {
        end: longest_first(part_seconds(sizes, model, task, work, speeds[end]))
        for end, work in works.items()
    }
    start = costs.start + model.unpacking[works["mid"].form].start
    return TaskEstimate(
        task,
        Range.of(lambda end: model.seconds(task, works[end]) / speeds[end] / _HOUR),
        {
            number: Range.of(
                lambda end: (start / speeds[end] + makespan(parts[end], number)) / _HOUR  # noqa: B023
            )
            for number in workers
        },
        costs.memory_mb,
        {
            number: costs.memory_mb * (n + (n > 1)) + _MANIFEST_MB * len(sizes)
            for number, n in at_once.items()
        },
        Range.of(lambda end: costs.bytes_written(works[end])),
    )


def part_seconds(
    sizes: Sequence[int], model: CostModel, task: Task, work: Work, speed: float
) -> list[float]:
    """Return the CPU seconds of each part: its own share of all, by its size as a file."""
    costs = model.tasks[task]
    once = model.unpacking[work.form].start + costs.start
    shared = model.seconds(task, work) - once - costs.part * work.parts
    total = sum(sizes)
    return [(costs.part + shared * size / total) / speed for size in sizes]
