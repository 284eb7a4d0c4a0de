"""Runs the grid search of `wikibias classify` under a progress bar, and says what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikibias.kits.command import warn
from wikibias.kits.document import number
from wikibias.kits.terminal import echo
from wikibias.messages import counted, printable

if TYPE_CHECKING:
    from wikibias.models.grid_search import Grid, Parameters
    from wikibias.models.training import GridResult, Task


def search(task: Task, options: dict[str, Any]) -> GridResult:
    """Find the best parameters on dev, by the options of the command.

    Raises:
        UsageError: see `read_grid` and `run_grid`.
    """
    from wikibias.models.grid_search import read_grid

    grid = read_grid(options["name"], options["grid_file"], options["choose"])
    combinations = (
        grid.sample(options["sample"], task.seed) if options["sample"] else grid.combinations()
    )
    found = _searched(grid, combinations, task, options["jobs"])
    value = found.best[grid.choose]
    chosen = ", ".join(f"{name}={setting}" for name, setting in found.parameters.items())
    echo(
        f"Best {grid.choose} on dev of {counted(len(combinations), 'parameter combination')}: "
        f"{number(value)} with {chosen}"
    )
    if found.too_few:
        warn(f"dev: too few sentences to choose parameters by ({found.too_few})")
    if value is not None and found.constant is not None and value <= found.constant:
        warn(
            f"none has a better {grid.choose} on dev than calling everything biased "
            f"({number(found.constant)}); --choose mcc does not reward that"
        )
    return found


def _searched(
    grid: Grid, combinations: list[Parameters], task: Task, jobs: int | None
) -> GridResult:
    """Run a grid search under a progress bar; without a terminal, say only how much there is."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from wikibias.kits.console import Console
    from wikibias.models.training import run_grid

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal
    ) as bars:
        bar = bars.add_task(printable(f"{grid.model} grid"), total=len(combinations))
        tried = f"Trying {len(combinations):,} of {counted(grid.size, 'parameter combination')}"
        started = False

        def progress(done: int) -> None:
            nonlocal started
            if not started:
                known = f"; {done:,} already done" if done else ""
                bars.console.print(f"{tried} on dev{known}", soft_wrap=True)
                started = True
            bars.update(bar, completed=done)

        return run_grid(grid, combinations, task, jobs=jobs or -1, progress=progress)
