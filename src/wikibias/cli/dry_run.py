"""`--dry-run`: what a command would read and write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from wikibias.dumps.compression.streams import STDIN
from wikibias.dumps.parts import Part, local_size
from wikibias.dumps.web.remote import Remote, is_url
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.pipeline.dispatch import Workers
from wikibias.pipeline.rehearsal import Rehearsal, rehearse
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.shard import Shard
from wikibias.pipeline.stage import Stage
from wikibias.storage.locks import busy

_MOST_SHOWN = 20
# Bytes of dumps; what is smaller is done before one has read how long it takes.
_ESTIMATED_FROM = 50_000_000


def is_wanted() -> bool:
    """Return whether the command that runs was given --dry-run."""
    return bool(click.get_current_context().find_root().obj.get("dry_run"))


def show(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    chosen: Sequence[Stage],
    *,
    restart: bool,
    shard: Shard | None,
    workers: Workers,
) -> int:
    """Show what a run would do, and return the exit code.

    Raises:
        UsageError: the run would refuse it.
    """
    found = rehearse(folder, parts, settings, chosen, restart=restart, shard=shard, workers=workers)
    reads_dumps = not chosen[0].reads
    todo = [part for part in found.parts if part.name in found.todo]
    # Where only later stages are missing, the dump is not read again.
    sizes = {p.name: 0 if found.todo[p.name][0].reads else _bytes_of(p) for p in todo}
    total = sum(sizes[part.name] for part in todo)
    of_them = f" ({_size(total)})" if total else ""
    echo("Dry run: nothing is written.")
    echo(
        f"{counted(len(found.parts), 'part')}: {len(found.parts) - len(todo):,} done already, "
        f"{len(todo):,} to do{of_them}."
    )
    for part in todo[:_MOST_SHOWN]:
        names = ", ".join(stage.name for stage in found.todo[part.name])
        echo(f"  {_shown(part, sizes[part.name]) if reads_dumps else part.name}: {names}")
    if len(todo) > _MOST_SHOWN:
        echo(f"  and {len(todo) - _MOST_SHOWN:,} more")
    _show_folder(folder, found)
    if reads_dumps:
        _show_estimate(todo, sizes, chosen, workers)
    return 0


def _show_folder(folder: Path, found: Rehearsal) -> None:
    if found.removes:
        echo(f"Removes what is in {_folders(folder, found.removes)}.")
    if found.tables:
        echo(f"Writes a table for each of these parts into {_folders(folder, found.tables)}.")
    if found.builds:
        echo(f"Builds the corpus in {folder / 'corpus'}.")
    if not found.tables and not found.builds:
        echo(f"{folder} is complete; only its manifest.json would be written again.")
    elif not found.exists:
        echo(f"{folder} is new.")
    if busy(folder):
        echo(f"A run is at work in {folder} now; this one would be refused.")


def _folders(folder: Path, names: Sequence[str]) -> str:
    return ", ".join(f"{folder / name}/" for name in dict.fromkeys(names))


def _show_estimate(
    todo: Sequence[Part], sizes: dict[str, int], chosen: Sequence[Stage], workers: Workers
) -> None:
    """Say how long it takes, where it takes long and the costs of the form are known."""
    from wikibias.cli.plan import bytes_in_words, hours_in_words
    from wikibias.planning.calibration import measured_seconds
    from wikibias.planning.cost_model import load_costs
    from wikibias.planning.estimate import estimate
    from wikibias.planning.inventory import FetchedForm, Inventory
    from wikibias.planning.ratios import load_ratios

    forms: dict[FetchedForm, list[int]] = {}
    for part in todo:
        for form in ("7z", "bz2"):
            if part.files[0].endswith(f".{form}") and sizes[part.name]:
                forms.setdefault(form, []).append(sizes[part.name])
    # Parts of several forms, or others among them, are seldom.
    if len(forms) != 1 or sum(map(sum, forms.values())) < _ESTIMATED_FROM:
        return
    ((form, known),) = forms.items()
    if len(known) < len(todo):
        return
    model = load_costs()
    made = estimate(
        Inventory("", "", "", forms),
        model,
        load_ratios(),
        workers=(workers.number,),
        speed=model.fitted.calibration / measured_seconds(),
    )
    task = made.forms[form].tasks["detect" if len(chosen) == 1 else "extract"]
    echo(
        f"About {hours_in_words(task.hours[workers.number])} with "
        f"{counted(workers.number, 'worker')}, {task.memory_mb[workers.number] / 1000:,.1f} GB of "
        f"memory, {bytes_in_words(task.output_bytes)} of result; on the whole of a wiki's history, "
        "as `wikibias plan` estimates it."
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


def _shown(part: Part, size: int) -> str:
    path = part.files[0]
    if path == STDIN:
        return "standard input"
    if not is_url(path) and not Path(path).exists():
        return f"{path} (no such file)"
    many = f" and {counted(len(part.files) - 1, 'more file')}" if len(part.files) > 1 else ""
    return f"{path}{many}{f' ({_size(size)})' if size else ''}"


def _size(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.2f} MB"
