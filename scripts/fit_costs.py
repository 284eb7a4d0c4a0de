"""Fits the cost model of `wikibias plan` on this machine, and checks it on other dumps.

    python scripts/fit_costs.py [--rounds 1] [--write]

Measures the CPU of unpacking, `detect`, `extract` and `tags count` on the dumps of
scripts/fit_dumps.py, each in a process of its own; the costs are those that make the relative
errors least, none below 0 (non-negative least squares). Prints the costs, and the predicted and the
measured seconds of all dumps, as Markdown for docs/scale.md. With `--write`, they replace
those of configs/planning/costs.toml and of the page. Takes five to eight minutes; run nothing else
meanwhile.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import Any

from command_costs import Command, Cost, measure, table
from fit_dumps import Sample, rows, samples
from page_sections import replace_section
from wikibias.planning.calibration import measured_seconds
from wikibias.planning.cost_model import (
    TASKS,
    CostModel,
    Fitted,
    Form,
    Task,
    TaskCosts,
    Unpacking,
    Work,
    amounts_of,
    written,
)

ROOT = Path(__file__).resolve().parents[1]
_FAST = ("re2", "isal")
_UNPACK = """
import sys
from wikibias.dumps.compression.streams import open_part
with open_part(sys.argv[1]) as (stream, _):
    while stream.read(1 << 18):
        pass
"""
# Below this the start of Python is all: measured more often, because it is short.
_SHORT_MB, _MORE_ROUNDS = 30.0, 3
# What each command can depend on. The census matches nothing, and counts in articles alone.
_READ = ("start", "part", "mb", "article_mb", "revision", "article_revision")
_RUN = (*_READ, "tagged_start", "tagged_part", "hit", "hit_mb", "match")
_COLUMNS = {
    "detect": (*_RUN, "transition", "transition_mb"),
    # Beside what `detect` takes, which it does as well.
    "extract": ("start", "tagged_start", "part", "tagged_part", "transition", "transition_mb"),
    "tags count": ("start", "part", "mb", "article_mb", "article_revision", "call"),
}
_BYTES = {
    "detect": ("bytes_part", "bytes_transition", "bytes_transition_mb"),
    "extract": ("bytes_part", "bytes_transition", "bytes_transition_mb"),
    "tags count": ("bytes_part", "bytes_revision"),
}


@dataclass(slots=True)
class Measured:
    """A dump with the CPU seconds of unpacking it (of one file) and of each command, and the rest.

    That is the memory of the largest process in MB, and the bytes written.
    """

    sample: Sample
    unpacking: float | None = None
    cpu: dict[Task, float] = field(default_factory=dict)
    memory: dict[Task, float] = field(default_factory=dict)
    written: dict[Task, float] = field(default_factory=dict)


def measured(sample: Sample, scratch: Path, rounds: int) -> Measured:
    """Measure all commands on a dump; the least CPU of some rounds, since noise only adds."""
    found, path = Measured(sample), str(sample.path)
    times = rounds if sample.work.mb > _SHORT_MB else max(rounds, _MORE_ROUNDS)
    if sample.path.is_file():
        found.unpacking = least([sys.executable, "-c", _UNPACK, path], scratch, times).cpu
    common = ["--workers", "1", "-q", "-o", str(scratch)]
    for task in TASKS:
        words = [*task.split(), *([] if task == "tags count" else ["--lang", "en"])]
        cost = least([sys.executable, "-m", "wikibias", *words, *common, path], scratch, times)
        found.cpu[task], found.memory[task] = cost.cpu, cost.memory
        files = (file for file in scratch.rglob("*") if file.is_file())
        found.written[task] = sum(file.stat().st_size for file in files)
    say = ", ".join(f"{task} {found.cpu[task]:.2f} s" for task in TASKS)
    print(
        f"{sample.name}: unpacking {found.unpacking or 0:.2f} s, {say}", file=sys.stderr, flush=True
    )
    return found


def least(words: Sequence[str], scratch: Path, rounds: int) -> Cost:
    """Return the cost of the cheapest of some runs, each into an empty folder."""
    costs = []
    for _ in range(rounds):
        shutil.rmtree(scratch, ignore_errors=True)
        costs.append(measure(Command(words)))
    return min(costs, key=lambda cost: cost.cpu)


def solved(
    columns: Sequence[Sequence[float]],
    seconds: Sequence[float],
    wholes: Sequence[float] | None = None,
) -> list[float]:
    """Return costs of at least 0 that make the squares of the relative errors least.

    Where the seconds are a part of `wholes`, the errors are relative to these.
    """
    import numpy as np  # noqa: PLC0415 (commands show no less memory than their parent has)
    from scipy.optimize import nnls  # noqa: PLC0415

    weights = np.array(wholes or seconds)
    matrix = np.array(columns, dtype=float) / weights[:, None]
    # The columns differ by nine orders of magnitude.
    scale = np.abs(matrix).max(axis=0)
    scale[scale == 0] = 1.0
    found, _ = nnls(matrix / scale, np.array(seconds) / weights)
    return [float(cost) for cost in found / scale]


def unpacking_of(found: Sequence[Measured]) -> dict[Form, Unpacking]:
    """Return the costs of each form; the start of the process that unpacks is taken off."""
    read = [(each.sample.work, each.unpacking) for each in found if each.unpacking is not None]
    forms = list(dict.fromkeys(work.form for work, _ in read))
    columns = []
    for work, _ in read:
        row = [1.0]
        for form in forms:
            # Plain XML is as large as a file as it is inside, and needs no library.
            packed = form != "xml"
            amounts = [1.0 * packed, work.packed_mb * packed, work.mb]
            row += amounts if form == work.form else [0.0] * len(amounts)
        columns.append(row)
    _, *costs = solved(columns, [seconds for _, seconds in read])
    by_form = zip(costs[::3], costs[1::3], costs[2::3], strict=True)
    return {form: Unpacking(*each) for form, each in zip(forms, by_form, strict=True)}


def costs_of(
    task: Task,
    found: Sequence[Measured],
    unpacking: dict[Form, Unpacking],
    within: TaskCosts | None = None,
) -> TaskCosts:
    """Return the costs of a command, where those of unpacking are known.

    `within` are the costs of `detect`, for a command that does the same and more: then the fit is
    that of what it takes longer.
    """
    names, columns, targets = _COLUMNS[task], [], []
    for each in found:
        amounts = amounts_of(each.sample.work)
        columns.append([amounts[name] for name in names])
        reading = unpacking[each.sample.work.form].seconds(each.sample.work)
        targets.append(each.cpu[task] - (each.cpu["detect"] if within else reading))
    costs = dict(zip(names, solved(columns, targets, [e.cpu[task] for e in found]), strict=True))
    if within is not None:
        costs = {n: getattr(within, n) + costs.get(n, 0.0) for n in _COLUMNS["detect"]}
    amounts_written: dict[str, Callable[[Measured], float]] = {
        "bytes_part": lambda m: m.sample.work.parts,
        "bytes_transition": lambda m: m.sample.work.transitions,
        "bytes_transition_mb": lambda m: amounts_of(m.sample.work)["transition_mb"],
        "bytes_revision": lambda m: m.sample.work.revisions,
    }
    sizes = solved(
        [[amounts_written[name](each) for name in _BYTES[task]] for each in found],
        [each.written[task] for each in found],
    )
    costs |= dict(zip(_BYTES[task], sizes, strict=True))
    costs["memory_mb"] = max(each.memory[task] for each in found)
    return TaskCosts(**{f.name: costs.get(f.name, 0.0) for f in fields(TaskCosts)})


def fitted(found: Sequence[Measured], check: Sequence[Measured], calibration: float) -> CostModel:
    """Return the model that fits some dumps, with its errors on others."""
    unpacking = unpacking_of(found)
    detect = costs_of("detect", found, unpacking)
    tasks: dict[Task, TaskCosts] = {
        "detect": detect,
        "extract": costs_of("extract", found, unpacking, detect),
        "tags count": costs_of("tags count", found, unpacking),
    }
    about = Fitted(
        f"{datetime.now(UTC):%Y-%m-%d}",
        _commit(),
        platform.python_version(),
        machine(),
        tuple(name for name in _FAST if importlib.util.find_spec(name)),
        calibration,
        0.0,
        0.0,
    )
    model = CostModel(about, unpacking, tasks)
    misses = [abs(miss(model, task, each)) for each in check for task in TASKS]
    about = replace(about, error=mean(misses), worst=max(misses))
    return CostModel(about, unpacking, tasks)


def miss(model: CostModel, task: Task, each: Measured) -> float:
    """Return by which share the prediction is too high."""
    return model.seconds(task, each.sample.work) / each.cpu[task] - 1


def machine() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _commit() -> str:
    words = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def report(model: CostModel, fit: Sequence[Measured], check: Sequence[Measured]) -> str:
    """Return the tables for docs/scale.md."""
    about = model.fitted
    head = ["dump", "packed, MB", "XML, MB", "revisions", "may hold a tag", "matches", "calls",
            "transitions"]  # fmt: skip
    costs = ["cost", *(f"`{task}`" for task in TASKS)]
    names = [f.name for f in fields(TaskCosts)]
    lines = [
        f"Fitted on {about.date} at commit {about.commit} with Python {about.python} on one core "
        f"of {about.machine}, with {', '.join(about.libraries) or 'nothing of [fast]'}; the piece "
        f"of work for calibration took {about.calibration:.4f} s.\n",
        table(head, rows([each.sample for each in [*fit, *check]])),
        "",
        table(
            ["unpacking, ms", "once", "per MB packed", "per MB of XML"],
            [
                [
                    form,
                    f"{1e3 * cost.start:.0f}",
                    f"{1e3 * cost.packed_mb:.1f}",
                    f"{1e3 * cost.mb:.3f}",
                ]
                for form, cost in model.unpacking.items()
            ],
        ),
        "",
        table(
            costs,
            [[n, *(f"{getattr(model.tasks[task], n):.3g}" for task in TASKS)] for n in names],
        ),
        "",
        misses_of("used for the fit", model, fit),
        "",
        misses_of("**not used for the fit**", model, check),
        "",
        f"Of those not used, the mean of the errors is {about.error:.0%}, the worst "
        f"{about.worst:.0%}.",
    ]
    return "\n".join(lines)


def misses_of(what: str, model: CostModel, found: Sequence[Measured]) -> str:
    """Return the measured seconds of each dump, and by how much each prediction is off."""
    lines = []
    for each in found:
        cells = [
            cell
            for task in TASKS
            for cell in (f"{each.cpu[task]:.2f}", f"{miss(model, task, each):+.0%}")
        ]
        lines.append([each.sample.name, *cells])
    return table([what, *(c for task in TASKS for c in (f"`{task}`, s", "off by"))], lines)


def _measure(asked: argparse.Namespace) -> dict[str, Any]:
    """Measure all dumps, and the piece of work by which machines are compared."""
    asked.data.mkdir(parents=True, exist_ok=True)
    calibration, sets = measured_seconds(), []
    with tempfile.TemporaryDirectory() as folder:
        for found in samples(asked.data, small=asked.small):
            out = Path(folder) / "out"
            sets.append([asdict(measured(each, out, asked.rounds)) for each in found])
    return {"calibration": min(calibration, measured_seconds()), "sets": sets}


def _read(kept: dict[str, Any]) -> Measured:
    sample = kept["sample"]
    return Measured(**kept | {"sample": Sample(**sample | {"work": Work(**sample["work"])})})


def main() -> None:
    """Measure, fit, and print the tables."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1, help="of the large dumps")
    parser.add_argument("--again", action="store_true", help="fit what was measured the last time")
    parser.add_argument("--small", action="store_true", help="few small dumps, as a test")
    parser.add_argument(
        "--write", action="store_true", help="replace the costs in configs/ and docs/"
    )
    parser.add_argument("--data", type=Path, default=ROOT / "bench-data", help="folder for dumps")
    asked = parser.parse_args()
    kept = asked.data / "measured.json"
    if not asked.again:
        kept.write_text(json.dumps(_measure(asked), default=str), encoding="utf-8")
    raw = json.loads(kept.read_text(encoding="utf-8"))
    sets = [[_read(each) for each in found] for found in raw["sets"]]
    model = fitted(sets[0], sets[1], raw["calibration"])
    print(report(model, *sets))
    if asked.write:
        replace_section("scripts/fit_costs.py", report(model, *sets))
        target = ROOT / "configs" / "planning" / "costs.toml"
        target.parent.mkdir(exist_ok=True)
        target.write_text(written(model), encoding="utf-8")


if __name__ == "__main__":
    main()
