"""Work on parts, by any number of workers, some of which raise, end or are killed."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from exports import export, files, history, wikibias
from results import write_parts
from wikibias.dumps.parts import Part
from wikibias.errors import DumpError, UsageError, WikibiasError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.processes import ProgressCallback, no_progress
from wikibias.pipeline.dispatch import Failed, PartTask, Work, Workers, run_tasks

PARTS = ("a", "b", "c")


class TestWorkers:
    def test_their_number_is_no_matter(self, tmp_path: Path) -> None:
        inputs = write_parts(tmp_path / "in", 5)
        # Of unlike sizes, so that they end in another order than they began.
        inputs[0].write_bytes(export([history("Village 0", 30)]))
        results = []
        for workers in (1, 3):
            folder = tmp_path / str(workers)
            ended = wikibias(
                *("extract", "--lang", "en", "--workers", workers, "-o", folder), *inputs
            )
            assert (ended.code, ended.err) == (0, "")
            results.append((files(folder), ended.out.replace(str(folder), "")))
        assert results[0] == results[1]
        kinds = {name.split("/")[0] for name in results[0][0]}
        assert kinds == {"transitions", "diffs", "edits", "rejects", "corpus"}


def done(folder: Path, work: Work, workers: int) -> dict[str, Any]:
    """Do some work on three parts; return what came of each."""
    tasks = [PartTask(folder, Part(name, (f"{name}.xml",)), work) for name in PARTS]
    found = {part.name: result for part, result in run_tasks(tasks, Workers(workers), no_progress)}
    assert sorted(found) == list(PARTS)
    assert list(folder.glob(".*.trace")) == []
    return found


def raising(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    if part.name == "b":
        raise ZeroDivisionError("by nought")
    return part.name


def damaged(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    if part.name == "b":
        raise DumpError("is cut off")
    return part.name


def misused(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    raise UsageError("no such thing")


def counting(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> list[int]:
    """Work on pages 1 to 4, of which 3 kills the worker of part b."""
    counted = []
    for number in (1, 2, 3, 4):
        if pool.trace.at(f"page {number}"):
            if (part.name, number) == ("b", 3):
                os.kill(os.getpid(), signal.SIGKILL)
            counted.append(number)
    return counted


def killed_once(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> list[int]:
    """Work on pages 1 to 4; the worker of each part is killed once."""
    for number in (1, 2, 3, 4):
        assert pool.trace.at(f"page {number}")
        mark = folder / f"{part.name}.killed"
        if number == 2 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return [1, 2, 3, 4]


def hopeless(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    """End the worker of part b outside of any page."""
    if part.name == "b":
        os.kill(os.getpid(), int((folder / "signal").read_text()))
    return part.name


def noted(folder: Path, part: Part, post: ProgressCallback, pool: WorkerPool) -> str:
    """Note that the part has begun, and wait until all workers have a part."""
    with (folder / "begun").open("a") as file:
        file.write(f"{part.name}\n")
    while len((folder / "begun").read_text().split()) < 2:
        time.sleep(0.01)
    return part.name


class TestOrder:
    @pytest.mark.parametrize(("workers", "first"), [(1, ["a", "b"]), (2, ["b", "c"])])
    def test_several_workers_begin_with_the_largest_parts(
        self, workers: int, first: list[str], tmp_path: Path
    ) -> None:
        (tmp_path / "begun").write_text("x\n" if workers == 1 else "")
        tasks = []
        for name, size in zip(PARTS, (1, 3, 2), strict=True):
            (tmp_path / name).write_bytes(b"x" * size)
            tasks.append(PartTask(tmp_path, Part(name, (str(tmp_path / name),)), noted))
        ended = [part.name for part, _ in run_tasks(tasks, Workers(workers), no_progress)]
        begun = [name for name in (tmp_path / "begun").read_text().split() if name != "x"]
        assert sorted(begun[:2]) == first
        assert sorted(ended) == list(PARTS)


class TestFaults:
    @pytest.mark.parametrize("workers", [1, 2])
    @pytest.mark.parametrize(
        ("work", "said"),
        [
            (raising, "failed: ZeroDivisionError: by nought (test_dispatch.py:"),
            (damaged, "failed: is cut off"),
        ],
        ids=["raising", "damaged"],
    )
    def test_an_error_fails_its_part_only(
        self, work: Work, said: str, workers: int, tmp_path: Path
    ) -> None:
        found = done(tmp_path, work, workers)
        assert (found["a"], found["c"]) == ("a", "c")
        assert isinstance(found["b"], Failed)
        assert found["b"].reason.startswith(said)
        assert ("a bug in wikibias" in found["b"].reason) == (work is raising)

    @pytest.mark.parametrize("workers", [1, 2])
    def test_wrong_usage_ends_the_run(self, workers: int, tmp_path: Path) -> None:
        with pytest.raises(UsageError):
            done(tmp_path, misused, workers)

    def test_what_kills_its_worker_twice_is_passed_over(self, tmp_path: Path) -> None:
        assert done(tmp_path, counting, 2) == {"a": [1, 2, 3, 4], "b": [1, 2, 4], "c": [1, 2, 3, 4]}

    def test_a_worker_killed_once_costs_time_only(self, tmp_path: Path) -> None:
        assert done(tmp_path, killed_once, 2) == {part: [1, 2, 3, 4] for part in PARTS}

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
    def test_it_gives_up_in_the_end(self, number: signal.Signals, tmp_path: Path) -> None:
        """Fewer workers help against a want of memory, and against nothing else."""
        (tmp_path / "signal").write_text(str(int(number)))
        found = done(tmp_path, hopeless, 2)
        assert (found["a"], found["c"]) == ("a", "c")
        assert found["b"].reason.startswith("failed: its worker process ended 2 times")
        assert ("fewer --workers" in found["b"].reason) == (number == signal.SIGKILL)


@pytest.fixture
def broken_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every process that is started end at once."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text("import os; os._exit(3)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))


@pytest.mark.usefixtures("broken_python")
def test_workers_that_cannot_start_end_the_run(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="before they begin to work"):
        done(tmp_path, raising, 2)
