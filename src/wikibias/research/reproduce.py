"""Published figures computed again: the cells of papers, the commands, how near each must come.

`configs/published/figures.toml` holds the cells. A measurement runs commands of wikibias, or one of
`FUNCTIONS`, and its cells are values of the JSON that these give, with the intervals there.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

from wikibias.config import resources
from wikibias.errors import UsageError, WikibiasError, nearest
from wikibias.kits.checked import ConflictError, Meta, NonEmpty, read_toml
from wikibias.kits.evaluation import UNDEFINED, Interval, share_with_interval, wilson
from wikibias.kits.files import read_json

FILE = "published/figures.toml"
Tolerance = Literal["exact", "half", "printed", "same", "part", "other"]
"""How far ours may lie from a published figure.

`exact` counts are equal; `half` counts are twice those of every second row, so one more or less;
`printed` figures come from the authors' own data, so they may differ by one unit of the last digit,
as some papers round and others cut off. The others may differ by what sampling explains (95 %):
`same` is measured on the rows of the paper, `part` on some of them, `other` on other rows.
"""
Verdict = Literal["met", "missed", "no data", "failed"]
_NEEDED = re.compile(r"\{data\}/([^\s+]+)")
_FILLED = re.compile(r"\{(?:data|out|docs|seed)\}")
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Cell:
    """A published figure.

    Attributes:
        row: of the table, or what is counted.
        column: of the table.
        at: the keys, parted by `/`, that lead to it in the JSON; of several that a pattern fits it
            is the mean.
        of: the keys of a count of which `at` is a share.
        published: the figure, in the unit of the paper.
        total: several are summed up instead.
    """

    row: NonEmpty
    at: NonEmpty
    published: float
    column: str = ""
    of: str = ""
    total: bool = False


@dataclass(frozen=True, slots=True)
class Measurement:
    """Cells that come from the same commands.

    Attributes:
        table: of the paper, with what its cells are.
        run: commands, without `wikibias`; `{data}`, `{out}`, `{docs}` and `{seed}` are filled in.
        tolerance: see `Tolerance`.
        cells: in the order of the table.
        read: the JSON that the last command writes to `{out}`.
        digits: printed behind the point.
        times: what ours is multiplied with, to be in the unit of the paper.
        rows: how many ours is measured on, and how many the paper's; for `part` and `other`.
        seeds: how often the commands run, with 0, 1, ...; ours is the mean.
        modules: Python modules that are needed.
        source: where the data come from.
        note: what one should know of the figures.
    """

    table: NonEmpty
    run: Annotated[tuple[NonEmpty, ...], Meta(min_length=1)]
    tolerance: Tolerance
    cells: Annotated[tuple[Cell, ...], Meta(min_length=1)]
    read: str = ""
    digits: int = 3
    times: float = 1.0
    rows: tuple[int, ...] = ()
    seeds: int = 1
    modules: tuple[NonEmpty, ...] = ()
    source: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.tolerance in ("part", "other") and len(self.rows) != 2:
            raise ConflictError(("rows",), "rows must be two numbers: of ours, and of the paper")

    @property
    def needed(self) -> list[str]:
        """The files that it reads, as they lie in the folder of the data."""
        return list(dict.fromkeys(each for line in self.run for each in _NEEDED.findall(line)))

    def missing(self, data: Path | None) -> list[str]:
        """Return which of its files and modules are not there."""
        files = [each for each in self.needed if data is None or not (data / each).is_file()]
        return files + [f"Python's {each}" for each in self.modules if find_spec(each) is None]


@dataclass(frozen=True, slots=True)
class Absent:
    """Published figures that nobody can compute again, how many, and why."""

    table: NonEmpty
    cells: Annotated[int, Meta(ge=1)]
    why: NonEmpty


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: what `--paper` calls it, what it is, and its figures."""

    name: NonEmpty
    title: NonEmpty
    measurement: tuple[Measurement, ...]
    absent: tuple[Absent, ...] = ()


@dataclass(frozen=True, slots=True)
class _Matrix:
    paper: tuple[Paper, ...]


def load_papers(names: Sequence[str]) -> list[Paper]:
    """Return papers of `configs/published/figures.toml`, a user's own or ours; all by default.

    Raises:
        UsageError: the file is broken, which names file, line and key; or lacks a name.
    """
    path = resources.find("configs", FILE) or resources.folder("configs") / FILE
    papers = read_toml(path, _Matrix)[0].paper
    known = [each.name for each in papers]
    for name in names:
        if name not in known:
            raise UsageError(f"--paper: no paper {name[:60]!r}{nearest(name, known)}")
    return [each for each in papers if each.name in (names or known)]


@dataclass(frozen=True, slots=True)
class Result:
    """What came out for a cell.

    Attributes:
        cell: which.
        ours: with its interval.
        tolerance: how far the published figure may be; None where that is not known.
        verdict: whether it is as near.
    """

    cell: Cell
    ours: Interval
    tolerance: float | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Measured:
    """The results of a measurement; `why` says why there are none."""

    measurement: Measurement
    results: Sequence[Result]
    why: str = ""


def reproduce(
    papers: Sequence[Paper], data: Path | None, *, workers: int, tell: Callable[[str], None]
) -> list[list[Measured]]:
    """Run all measurements whose data are there, several at once, and judge their cells, by paper.

    Args:
        papers: what to measure.
        data: the folder of the data.
        workers: how many commands run at once.
        tell: gets a line for each measurement that is waited for.
    """
    with ThreadPoolExecutor(workers) as pool, TemporaryDirectory(prefix="wikibias-") as folder:
        jobs: dict[int, list[Future[Any]]] = {}
        for paper in papers:
            for about in paper.measurement:
                for seed in range(0 if about.missing(data) else about.seeds):
                    out = Path(folder, f"{sum(map(len, jobs.values()))}")
                    job = pool.submit(_run, about, data, out, seed)
                    jobs.setdefault(id(about), []).append(job)

        def measured(name: str, about: Measurement) -> Measured:
            if id(about) not in jobs:
                return _none(about, "no data", f"missing: {', '.join(about.missing(data))}")
            tell(f"{name}, {about.table}")
            return _judged(about, [job.result() for job in jobs[id(about)]])

        try:
            return [[measured(each.name, about) for about in each.measurement] for each in papers]
        finally:
            pool.shutdown(cancel_futures=True)


def _none(measurement: Measurement, verdict: Verdict, why: str) -> Measured:
    results = [Result(cell, dict(UNDEFINED), None, verdict) for cell in measurement.cells]
    return Measured(measurement, results, why)


def _run(measurement: Measurement, data: Path | None, out: Path, seed: int) -> Any:
    """Return the JSON that the commands of a measurement give; a text where one failed."""
    out.mkdir()
    try:
        docs = resources.folder("docs")
        fill = {"{data}": data, "{out}": out, "{docs}": docs, "{seed}": seed}
        for line in measurement.run:
            words = [_FILLED.sub(lambda found: str(fill[found[0]]), w) for w in shlex.split(line)]
            if words[0] in FUNCTIONS:
                options = dict(word.split("=", 1) for word in words[2:])
                return FUNCTIONS[words[0]](Path(words[1]), **options)
            # The commands are those of a file of ours or the user's, and no shell sees them.
            done = subprocess.run(  # noqa: S603
                [sys.executable, "-m", "wikibias", "-q", *words],
                capture_output=True, text=True, encoding="utf-8", errors="replace", check=False,
                env={**os.environ, "OMP_NUM_THREADS": "1"}, stdin=subprocess.DEVNULL,
            )  # fmt: skip
            if done.returncode:
                last = (done.stderr.strip() or "no message").splitlines()[-1]
                return f"`{line}` ended with {done.returncode}: {last[:300]}"
        return read_json(out / measurement.read)
    except (OSError, ValueError, TypeError, LookupError, WikibiasError) as error:
        return f"`{measurement.run[-1]}`: {error}"


def count(file: Path) -> Any:
    """Return how many `items` a text has, a sentence a line; of JSON the length of each list."""
    if file.suffix == ".json":
        return _lengths(read_json(file))
    from wikibias.kits.tables import text_lines

    return {"items": sum(bool(line.strip()) for _, line in text_lines(file))}


def _lengths(found: Any) -> Any:
    if isinstance(found, Mapping):
        return {name: _lengths(each) for name, each in found.items()}
    return len(found) if isinstance(found, list) else None


def mean(
    file: Path, column: str, what: str, equal: str = "", other: str = "", where: str = ""
) -> dict[str, Interval]:
    """Return the `mean` over the rows of a table, with its interval.

    Args:
        file: the table.
        column: whose cells are looked at.
        what: "words", how many a cell has; "equal", whether it is `equal`; "marked", whether the
            character at the place that the column `other` says is 1.
        equal: see there.
        other: see there.
        where: "COLUMN:VALUE" of the rows that count; all by default.
    """
    from wikibias.kits.tables import read_frame

    key, _, value = where.partition(":")
    values = []
    for row in read_frame(file).to_dict("records"):
        cell = row[column]
        if cell is None or (key and str(row[key]) != value):
            continue
        if what == "words":
            values.append(float(len(str(cell).split())))
        else:
            yes = cell[int(row[other])] == "1" if what == "marked" else str(cell) == equal
            values.append(float(yes))
    return {"mean": share_with_interval(values, range(len(values)))}


def tagged(file: Path, columns: str = "") -> dict[str, Any]:
    """Return what a file of words and labels holds by its gold labels.

    These are its `sentences`, twice as many with their neutral sides (`both_sides`), how many are
    `biased` and how many of both sides `neutral`, the spans `per_sentence` that has one, and their
    mean `length` in words.
    """
    from wikibias.research.spans.labels import parse_columns, read_labelled, spans

    rows = read_labelled(file, parse_columns(columns or None), lambda _: None)
    found = [spans(row.gold or ()) for row in rows]
    numbers = [len(each) for each in found if each]
    lengths = [end - start for each in found for start, end in each]
    groups = [place for place, each in enumerate(found) for _ in each]
    return {
        "sentences": len(found),
        "both_sides": 2 * len(found),
        "biased": len(numbers),
        "neutral": 2 * len(found) - len(numbers),
        "per_sentence": share_with_interval(numbers, range(len(numbers))),
        "length": share_with_interval(lengths, groups),
    }


FUNCTIONS: Mapping[str, Callable[..., Any]] = {"count": count, "mean": mean, "tagged": tagged}
"""What measures where no command does: its name, the file, and NAME=VALUE for the rest."""


def _judged(measurement: Measurement, given: Sequence[Any]) -> Measured:
    for each in given:
        if isinstance(each, str):
            return _none(measurement, "failed", each)
    return Measured(measurement, [_result(measurement, each, given) for each in measurement.cells])


def _result(measurement: Measurement, cell: Cell, given: Sequence[Any]) -> Result:
    ours = _mean([_taken(each, cell, measurement.times) for each in given])
    value, low, high = ours["value"], ours["low"], ours["high"]
    allowed = {"exact": 0.0, "half": 1.0, "printed": 10.0**-measurement.digits}.get(
        measurement.tolerance
    )
    if allowed is None and low is not None and high is not None:
        allowed = (high - low) / 2 * _widened(measurement)
    if value is None or allowed is None:
        return Result(cell, ours, None, "failed")
    near = abs(value - cell.published) <= allowed + _ROUNDING
    return Result(cell, ours, allowed, "met" if near else "missed")


def _widened(measurement: Measurement) -> float:
    """Return how much wider the interval of a difference is than that of ours.

    On the same rows ours is as uncertain as the published figure is. A part of n of N rows differs
    from all of them by chance with a variance of 1/n - 1/N; other rows with one of 1/n + 1/N.
    """
    if measurement.tolerance == "same":
        return 1.0
    own, published = measurement.rows
    ratio = own / published
    return float((1 - ratio if measurement.tolerance == "part" else 1 + ratio) ** 0.5)


def _taken(result: Any, cell: Cell, times: float) -> Interval:
    """Return a cell's value from a JSON; None where it is not there."""
    parts = [*_intervals(result, cell.at)]
    values = [part["value"] for part in parts]
    if not parts or None in values:
        return dict(UNDEFINED)
    total = sum(value or 0.0 for value in values)
    if cell.of:
        whole = sum(part["value"] or 0.0 for part in _intervals(result, cell.of))
        if not whole:
            return dict(UNDEFINED)
        low, high = wilson(total / whole, whole)
        found: Interval = {"value": total / whole, "low": low, "high": high}
    elif cell.total:
        found = {"value": total, "low": None, "high": None}
    else:
        found = _mean(parts)
    return {end: None if value is None else value * times for end, value in found.items()}


def _mean(parts: Sequence[Interval]) -> Interval:
    """Return the mean of values, with the mean ends of their intervals where each has them."""
    found: Interval = {}
    for end in ("value", "low", "high"):
        ends = [part[end] for part in parts]
        known = [each for each in ends if each is not None]
        found[end] = sum(known) / len(known) if known and len(known) == len(ends) else None
    return found


def _intervals(result: Any, path: str) -> Iterator[Interval]:
    """Yield what stands at a path with its interval, which some commands write apart."""
    ends = [*_at(result, f"intervals/{path}")]
    for place, found in enumerate(_at(result, path)):
        if isinstance(found, Mapping) and found.keys() >= UNDEFINED.keys():
            yield {end: found[end] for end in UNDEFINED}
        elif isinstance(found, int | float):
            low, high = ends[place] if place < len(ends) else (None, None)
            yield {"value": float(found), "low": low, "high": high}
        else:
            yield dict(UNDEFINED)


def _at(result: Any, path: str) -> Iterator[Any]:
    """Yield the values at a path, whose keys are patterns; of a list its places are keys."""
    key, _, rest = path.partition("/")
    if isinstance(result, list):
        result = {str(place): each for place, each in enumerate(result)}
    for name, value in result.items() if isinstance(result, Mapping) else ():
        if fnmatchcase(name, key):
            yield from _at(value, rest) if rest else [value]
