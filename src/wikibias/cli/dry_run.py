"""`--dry-run`: what a command would read and write."""

from collections.abc import Sequence
from pathlib import Path

from wikibias.dumps.compression.streams import STDIN
from wikibias.dumps.parts import Part, local_size
from wikibias.dumps.web.remote import Remote, is_url
from wikibias.kits.folders import busy
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.pipeline.dispatch import Workers
from wikibias.pipeline.plan import Plan, Request, plan_run, refuse_request

_MOST_SHOWN = 20
# What is smaller is done before one has read how long it takes.
_ESTIMATED_FROM_GB = 0.05
# What a large wiki costs, by GB of the dump as packed (docs/performance.md).
_CORE_SECONDS_PER_GB = {"7z": 170, "bz2": 290}
_RESULT_MB_PER_GB = {"7z": 14, "bz2": 2}
_WORKER_GB = 0.21


def show(asked: Request, workers: Workers) -> int:
    """Show the plan of a run, and return the exit code.

    Raises:
        UsageError: the run would refuse it.
    """
    refuse_request(asked, workers)
    plan = plan_run(asked)
    todo = [part for part in asked.own if part.name in plan.todo]
    # Where only later stages are missing, the dump is not read again.
    sizes = {p.name: 0 if plan.todo[p.name][0].reads else _bytes_of(p) for p in todo}
    total = sum(sizes[part.name] for part in todo)
    of_them = f" ({_size(total)})" if total else ""
    echo("Dry run: nothing is written.")
    echo(
        f"{counted(len(asked.own), 'part')}: {len(asked.own) - len(todo):,} done already, "
        f"{len(todo):,} to do{of_them}."
    )
    for part in todo[:_MOST_SHOWN]:
        names = ", ".join(stage.name for stage in plan.todo[part.name])
        echo(f"  {_part_line(part, sizes[part.name]) if asked.reads_dumps else part.name}: {names}")
    if len(todo) > _MOST_SHOWN:
        echo(f"  and {len(todo) - _MOST_SHOWN:,} more")
    _show_folder(asked.folder, plan)
    if asked.reads_dumps:
        _show_estimate(todo, sizes, workers)
    return 0


def _show_folder(folder: Path, plan: Plan) -> None:
    if plan.removes:
        echo(f"Removes what is in {_folders(folder, plan.removes)}.")
    if plan.tables:
        echo(f"Writes a table for each of these parts into {_folders(folder, plan.tables)}.")
    if plan.builds:
        echo(f"Builds the corpus in {folder / 'corpus'}.")
    if not plan.tables and not plan.builds:
        echo(f"{folder} is complete; only its manifest.json would be written again.")
    elif plan.is_new:
        echo(f"{folder} is new.")
    if busy(folder):
        echo(f"A run is at work in {folder} now; this one would be refused.")


def _folders(folder: Path, names: Sequence[str]) -> str:
    return ", ".join(f"{folder / name}/" for name in dict.fromkeys(names))


def _show_estimate(todo: Sequence[Part], sizes: dict[str, int], workers: Workers) -> None:
    """Show hours, memory and disk of a long run over 7z or bz2."""
    sizes_gb = {
        form: sum(sizes[p.name] for p in todo if p.files[0].endswith(f".{form}")) / 1e9
        for form in _CORE_SECONDS_PER_GB
    }
    known = sum(sizes_gb.values())
    if known < _ESTIMATED_FROM_GB or known * 1e9 < sum(sizes.values()):
        return
    at_once = min(workers.number, len(todo))
    seconds = sum(_CORE_SECONDS_PER_GB[form] * gb for form, gb in sizes_gb.items()) / at_once
    result_mb = sum(_RESULT_MB_PER_GB[form] * gb for form, gb in sizes_gb.items())
    echo(
        f"About {seconds / 3600:,.2f} hours with {counted(workers.number, 'worker')}, "
        f"{at_once * _WORKER_GB:,.1f} GB of memory, {result_mb / 1000:,.2f} GB of result; a third "
        "to three times as much, by the wiki and the machine (wikibias docs performance)."
    )


def show_downloads(files: Sequence[Remote], folder: Path) -> None:
    """Show what a fetch would download."""
    echo("Dry run: nothing is downloaded.")
    for file in files[:_MOST_SHOWN]:
        echo(f"  {file.url} ({_size(file.size)})")
    if len(files) > _MOST_SHOWN:
        echo(f"  and {len(files) - _MOST_SHOWN:,} more")
    echo(f"Writes {counted(len(files), 'file')} into {folder}/.")


def _bytes_of(part: Part) -> int:
    return sum(local_size(Part(part.name, (path,))) for path in part.files if _is_local(path))


def _is_local(path: str) -> bool:
    return path != STDIN and not is_url(path) and Path(path).is_file()


def _part_line(part: Part, size: int) -> str:
    path = part.files[0]
    if path == STDIN:
        return "standard input"
    if not is_url(path) and not Path(path).exists():
        return f"{path} (no such file)"
    many = f" and {counted(len(part.files) - 1, 'more file')}" if len(part.files) > 1 else ""
    return f"{path}{many}{f' ({_size(size)})' if size else ''}"


def _size(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.2f} MB"
