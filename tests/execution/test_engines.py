"""Clusters: Dask with real processes on loopback, SLURM by submitit's executor of this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from exports import (
    Outcome,
    export,
    files,
    history,
    split_page,
    start,
    temporary_files,
    wikibias,
)
from wikibias.config.languages import load_language
from wikibias.errors import UsageError
from wikibias.execution import dask_engine, engines, slurm_engine

PARTS = 4


def extract(out: Path, folder: Path, *options: object) -> Outcome:
    """Extract the parts in a folder."""
    return wikibias("extract", "--lang", "en", "-o", out, *options, folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A folder with four parts, and the files of their result, made by this process."""
    folder = tmp_path_factory.mktemp("parts")
    for part in range(PARTS):
        page = history(f"Village {part}", 100, topic=part)
        path = folder / f"part{part}.xml"
        path.write_bytes(export([page], first_id=1 + 10_000 * part))
    out = tmp_path_factory.mktemp("sound")
    assert extract(out, folder, "--workers", 1).code == 0
    return folder, files(out)


class TestDask:
    @pytest.fixture(autouse=True)
    def installed(self) -> None:
        """Skip where the extra is not installed."""
        pytest.importorskip("distributed", reason="the extra [dask] is not installed")

    @staticmethod
    @contextmanager
    def process(*arguments: object) -> Iterator[subprocess.Popen[bytes]]:
        """Run one of Dask's commands while the block lasts."""
        command = [sys.executable, "-m", "dask", *map(str, arguments)]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as running:
            try:
                yield running
            finally:
                running.kill()

    def test_a_worker_killed_in_the_middle(
        self, made: tuple[Path, dict[str, bytes]], tmp_path: Path
    ) -> None:
        """Its part is done again by the other, and nothing is there twice."""
        folder, sound = made
        told = tmp_path / "scheduler.json"
        at = ("--host", "127.0.0.1", "--scheduler-file", told)
        with ExitStack() as stack:
            stack.enter_context(self.process("scheduler", "--no-dashboard", "--port", 0, *at))
            wait_for(told.exists)
            worker = ("worker", "--no-dashboard", "--no-nanny", "--nthreads", 1, *at[2:])
            workers = [stack.enter_context(self.process(*worker)) for _ in range(2)]
            address = told.read_text().split('"address": "')[1].split('"')[0]
            out = tmp_path / "o"
            command = ("extract", "--lang", "en", "--engine", "dask", "--scheduler", address)
            run = stack.enter_context(start(*command, "-o", out, folder))
            victim = workers[0]
            wait_for(lambda: any(f".{victim.pid}." in f.name for f in temporary_files(out)))
            victim.kill()
            stdout, stderr = run.communicate(timeout=60)
            assert (run.returncode, stderr) == (0, "")
            assert "Table 3" in stdout
        assert files(out) == sound
        assert temporary_files(out) == []

    def test_without_a_scheduler_one_is_started(
        self, made: tuple[Path, dict[str, bytes]], tmp_path: Path
    ) -> None:
        folder, sound = made
        process = start(
            *("extract", "--lang", "en", "--engine", "dask", "--workers", 2),
            *("-o", tmp_path / "o", folder),
        )
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
        assert files(tmp_path / "o") == sound

    def test_the_files_of_a_split_page_named_from_here(self, tmp_path: Path) -> None:
        """Workers in another folder find them, as one part."""
        xml = export([history("Mill", 4)], first_id=50)
        for name, content in split_page(xml, [0, 0, 0, 1, 1, 1, 2, 2]).items():
            (tmp_path / name).write_bytes(content)
        names = sorted(path.name for path in tmp_path.iterdir())
        assert wikibias("extract", "--lang", "en", "-o", tmp_path / "sound", tmp_path).code == 0
        told = tmp_path / "scheduler.json"
        at = ("--host", "127.0.0.1", "--scheduler-file", told)
        with ExitStack() as stack:
            stack.enter_context(self.process("scheduler", "--no-dashboard", "--port", 0, *at))
            wait_for(told.exists)
            worker = ("worker", "--no-dashboard", "--no-nanny", "--nthreads", 1, *at[2:])
            stack.enter_context(self.process(*worker))
            address = told.read_text().split('"address": "')[1].split('"')[0]
            command = ("extract", "--lang", "en", "--engine", "dask", "--scheduler", address)
            run = stack.enter_context(start(*command, "-o", "o", *names, cwd=tmp_path))
            _, err = run.communicate(timeout=60)
            assert (run.returncode, err) == (0, "")
        assert files(tmp_path / "o") == files(tmp_path / "sound")

    def test_nobody_at_the_address(
        self,
        made: tuple[Path, dict[str, bytes]],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(dask_engine, "_CONNECT", "1s")
        at = ("--engine", "dask", "--scheduler", "tcp://127.0.0.1:9")
        ended = extract(tmp_path / "o", made[0], *at)
        assert ended.code == 2
        (line,) = ended.errors
        assert "no Dask scheduler answers at tcp://127.0.0.1:9" in line


class TestSlurm:
    @pytest.fixture(autouse=True)
    def local(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let submitit run the jobs on this machine, in arrays of three."""
        pytest.importorskip("submitit", reason="the extra [slurm] is not installed")
        monkeypatch.setitem(
            engines.ELSEWHERE,
            "slurm",
            lambda workers, jobs, folder, scheduler: slurm_engine.submitted(
                "local", workers, jobs, folder, 3
            ),
        )
        monkeypatch.setattr(slurm_engine, "_POLL", 0.1)

    def test_more_jobs_than_an_array_may_have_and_one_of_them_killed(
        self, made: tuple[Path, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The others are done, one line says so, and the same command does the rest."""
        arrays: list[int] = []
        submitted = slurm_engine._Arrays._submitted

        def counted(self: slurm_engine._Arrays, calls: tuple[object, ...]) -> list[object]:
            arrays.append(len(calls))
            return submitted(self, calls)

        monkeypatch.setattr(slurm_engine._Arrays, "_submitted", counted)
        folder, sound = made
        out = tmp_path / "o"
        killer = threading.Thread(target=kill_a_writer, args=(out,))
        killer.start()
        ended = extract(out, folder, "--engine", "slurm")
        killer.join()
        assert ended.code == 1
        (line,) = ended.errors
        assert "1 of 4 parts failed" in line
        assert "same command" in line
        assert arrays == [3, 1]
        assert len(list((out / "edits").iterdir())) == PARTS - 1
        assert extract(out, folder, "--engine", "slurm").code == 0
        assert arrays == [3, 1, 1]
        assert files(out) == sound

    def test_an_error_that_the_user_can_mend_comes_home_as_it_is(self, tmp_path: Path) -> None:
        with slurm_engine.submitted("local", 1, 1, tmp_path, 10) as executor:
            error = executor.submit(load_language, "xx").exception(30)
        assert isinstance(error, UsageError)
        assert str(error).startswith("unknown language 'xx'")

    def test_the_limit_of_the_site(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        assert slurm_engine.array_limit() == 1000
        scontrol = tmp_path / "scontrol"
        scontrol.write_text("#!/bin/sh\necho 'MaxArraySize            = 4001'\n")
        scontrol.chmod(0o755)
        assert slurm_engine.array_limit() == 4001


class TestSbatch:
    def test_what_is_submitted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Five jobs, of which an array may have three and two at a time are asked for."""
        pytest.importorskip("submitit", reason="the extra [slurm] is not installed")
        scripts = {
            "sbatch": f'cat "$1" >> {tmp_path}/submitted; echo "Submitted batch job 12"',
            "srun": "exit 1",
            "scontrol": "echo 'MaxArraySize = 3'",
            "scancel": f'echo "$1" >> {tmp_path}/cancelled',
            "sacct": "echo 'JobID|State'",
        }
        stand_in(scripts, tmp_path, monkeypatch)
        with engines.elsewhere("slurm", 2, 5, tmp_path / "o", None) as executor:
            futures = [executor.submit(len, "abc") for _ in range(5)]
        submitted = (tmp_path / "submitted").read_text()
        arrays = [line for line in submitted.splitlines() if "--array=" in line]
        assert arrays == ["#SBATCH --array=0-2%1", "#SBATCH --array=0-1%1"]
        assert "#SBATCH --mem=4GB" in submitted
        assert "#SBATCH --time=1440" in submitted
        assert "#SBATCH --cpus-per-task=1" in submitted
        # Nobody has done them; they are cancelled when the block is left.
        assert all(future.cancelled() for future in futures)
        cancelled = (tmp_path / "cancelled").read_text().split()
        assert cancelled == ["12_0", "12_1", "12_2", "12_0", "12_1"]

    def test_a_job_that_the_queue_has_lost(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of three jobs one leaves a result, one stays in the queue, one is never seen again."""
        submitit = pytest.importorskip("submitit", reason="the extra [slurm] is not installed")
        scripts = {
            "sbatch": 'echo "Submitted batch job 12"',
            "srun": "exit 1",
            "scontrol": "exit 1",
            "scancel": "exit 0",
            "squeue": "echo 12_1; echo 99",
        }
        stand_in(scripts, tmp_path, monkeypatch)
        monkeypatch.setattr(slurm_engine, "_POLL", 0.1)
        monkeypatch.setattr(slurm_engine, "_LOOK", 0.3)
        with engines.elsewhere("slurm", 2, 3, tmp_path / "o", None) as executor:
            done, waiting, lost = [executor.submit(len, "abc") for _ in range(3)]
            result = tmp_path / "o/slurm/12_0_0_result.pkl"
            submitit.core.utils.cloudpickle_dump(("success", 3), result)
            assert done.result(30) == 3
            assert "job 12_2: ended without a result" in str(lost.exception(30))
            assert not waiting.done()


class TestMistakes:
    @pytest.mark.parametrize(
        ("options", "said"),
        [
            (["--engine", "slurm"], "`sbatch`"),
            (["--scheduler", "tcp://127.0.0.1:1"], "--engine dask"),
            (["--engine", "slurm", "--scheduler", "x"], "--engine dask"),
            (["--engine", "spark"], "spark"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_wrong_usage(
        self, options: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        (tmp_path / "a.xml").write_bytes(export([]))
        ended = extract(tmp_path / "o", tmp_path / "a.xml", *options)
        assert ended.code == 2
        (line,) = ended.errors
        assert said in line

    @pytest.mark.parametrize(
        ("engine", "library"), [("dask", "distributed"), ("slurm", "submitit")]
    )
    def test_a_missing_extra(
        self, engine: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, library, None)
        monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
        (tmp_path / "a.xml").write_bytes(export([]))
        ended = extract(tmp_path / "o", tmp_path / "a.xml", "--engine", engine)
        assert ended.code == 2
        (line,) = ended.errors
        assert f"pip install 'wikibias[{engine}]'" in line

    def test_standard_input(self, tmp_path: Path) -> None:
        command = ("extract", "--lang", "en", "-o", tmp_path / "o", "--engine", "dask", "-")
        ended = wikibias(*command, stdin=export([]))
        assert ended.code == 2
        assert "standard input" in ended.errors[0]


def stand_in(scripts: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put scripts where programs of SLURM are looked for first."""
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


def kill_a_writer(out: Path) -> None:
    """Kill the first process that writes a table into a result."""

    def writers() -> list[Path]:
        return [path for path in temporary_files(out) if path.parent.name == "transitions"]

    wait_for(writers)
    os.kill(int(writers()[0].name.split(".")[-2]), signal.SIGKILL)


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)
