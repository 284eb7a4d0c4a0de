"""The cost model: CPU seconds as a sum of what a run has to do, fitted by scripts/fit_costs.py.

    start + parts * part + unpacking + scanning + matching + transitions

Unpacking takes so much per MB as packed and per MB of XML, for each form. The rest takes so much
per MB of XML and per revision, per revision that may hold a tag, per exact match, per transition
and per MB of the revisions that a transition compares; the census, per call of a template. An MB is
a million bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Literal

from wikibias.config.declaration import Ge, NonEmpty
from wikibias.config.resources import folder
from wikibias.config.toml_file import TomlFile
from wikibias.config.validation import conform_file

Task = Literal["detect", "extract", "tags count"]
Form = Literal["7z", "bz2", "gz", "zst", "xz", "xml"]
TASKS: tuple[Task, ...] = ("detect", "extract", "tags count")
NotNegative = Annotated[float, Ge(0)]


@dataclass(frozen=True, slots=True)
class Work:
    """What dumps hold, as far as it costs something.

    Args:
        form: how the parts are packed.
        parts: their number.
        packed_mb: their size as files.
        mb: the size of their XML.
        revisions: in all namespaces.
        article_share: how much of the text is that of articles, 0 to 1.
        hits: revisions in which the prefilter finds that there may be a tag.
        matches: how often the exact matcher is called for them.
        transitions: edits that add or remove a tag.
        tagged_parts: parts with any.
        calls: of templates in all revisions of articles, which `tags count` looks at.
    """

    form: Form
    parts: int
    packed_mb: float
    mb: float
    revisions: float
    article_share: float = 1.0
    hits: float = 0.0
    matches: float = 0.0
    transitions: float = 0.0
    tagged_parts: float = 0.0
    calls: float = 0.0

    @property
    def mb_of_a_revision(self) -> float:
        """The mean size of a revision."""
        return self.mb / self.revisions if self.revisions else 0.0


@dataclass(frozen=True, slots=True)
class Unpacking:
    """CPU seconds of unpacking one form: once, per MB as packed, and per MB of XML."""

    start: NotNegative
    packed_mb: NotNegative
    mb: NotNegative

    def seconds(self, work: Work) -> float:
        """Return the CPU seconds of unpacking."""
        return self.start + self.packed_mb * work.packed_mb + self.mb * work.mb


@dataclass(frozen=True, slots=True)
class TaskCosts:
    """CPU seconds of one command without unpacking, then its memory and what it writes.

    `hit_mb` is for each MB of the revisions that may hold a tag, `transition_mb` for each MB of
    those that a transition compares, `article_mb` for each MB of XML of articles, `tagged_start`
    once where there is a transition at all. Memory is that of the largest process, in MB; the bytes
    are those of a result folder.
    """

    start: NotNegative
    tagged_start: NotNegative
    part: NotNegative
    tagged_part: NotNegative
    mb: NotNegative
    article_mb: NotNegative
    revision: NotNegative
    article_revision: NotNegative
    call: NotNegative
    hit: NotNegative
    hit_mb: NotNegative
    match: NotNegative
    transition: NotNegative
    transition_mb: NotNegative
    memory_mb: NotNegative
    bytes_part: NotNegative
    bytes_transition: NotNegative
    bytes_transition_mb: NotNegative
    bytes_revision: NotNegative

    def seconds(self, work: Work) -> float:
        """Return the CPU seconds of what is not unpacking."""
        amounts = amounts_of(work)
        return float(sum(getattr(self, name) * amount for name, amount in amounts.items()))

    def bytes_written(self, work: Work) -> float:
        """Return the size of the result folder."""
        return (
            self.bytes_part * work.parts
            + self.bytes_transition * work.transitions
            + self.bytes_transition_mb * work.transitions * work.mb_of_a_revision
            + self.bytes_revision * work.revisions
        )


@dataclass(frozen=True, slots=True)
class Fitted:
    """Where, when and on what code the costs were measured, and how well they were met.

    `calibration` is what `calibration.measured_seconds` gave there. `error` is the mean, and
    `worst` the largest, of |predicted / measured - 1| on the dumps that were not used for the fit.
    """

    date: NonEmpty
    commit: NonEmpty
    python: NonEmpty
    machine: NonEmpty
    libraries: tuple[NonEmpty, ...]
    calibration: Annotated[float, Ge(1e-6)]
    error: NotNegative
    worst: NotNegative


@dataclass(frozen=True, slots=True)
class CostModel:
    """All costs, as in `configs/planning/costs.toml`."""

    fitted: Fitted
    unpacking: Mapping[Form, Unpacking]
    tasks: Mapping[Task, TaskCosts]

    def seconds(self, task: Task, work: Work) -> float:
        """Return the CPU seconds of a command, on the core on which the costs were measured."""
        return self.unpacking[work.form].seconds(work) + self.tasks[task].seconds(work)


def amounts_of(work: Work) -> dict[str, float]:
    """Return how much there is of all that has a cost beside unpacking, by its name there."""
    each = work.mb_of_a_revision
    return {
        "start": 1.0,
        "tagged_start": min(1.0, work.transitions),
        "part": float(work.parts),
        "tagged_part": work.tagged_parts,
        "mb": work.mb,
        "article_mb": work.mb * work.article_share,
        "revision": work.revisions,
        "article_revision": work.revisions * work.article_share,
        "call": work.calls,
        "hit": work.hits,
        "hit_mb": work.hits * each,
        "match": work.matches,
        "transition": work.transitions,
        "transition_mb": work.transitions * each,
    }


def load_costs() -> CostModel:
    """Read `configs/planning/costs.toml`.

    Raises:
        UsageError: the file is broken; names file, line and key.
    """
    file = TomlFile.read(folder("configs") / "planning" / "costs.toml")
    return conform_file(CostModel, file.table, file)


def written(model: CostModel) -> str:
    """Return a model as the file that `load_costs` reads."""
    lines = [
        "# What wikibias costs: CPU seconds, MB of memory, bytes written. See docs/scale.md.",
        "# Made by scripts/fit_costs.py; do not edit.",
    ]
    sections: dict[str, Fitted | Unpacking | TaskCosts] = {
        "fitted": model.fitted,
        **{f"unpacking.{form}": model.unpacking[form] for form in model.unpacking},
        **{f'tasks."{task}"': model.tasks[task] for task in model.tasks},
    }
    for name, section in sections.items():
        lines += ["", f"[{name}]"]
        lines += [f"{f.name} = {_toml(getattr(section, f.name))}" for f in fields(section)]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f"{value:.4g}" if isinstance(value, float) else f'"{value}"'
