"""Engines by name: of our own, of another package, and what a user may get wrong."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clusters import alive, forking_workers, wait_for, write_parts, writer
from exports import Files, Outcome, export, files, run_process, start, temporary_files, wikibias
from outside import install
from results import extract
from wikibias.execution import engines
from wikibias.kits.plugins import how_to_install


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Files]:
    """A folder with four parts, and the files of their result, made by this process."""
    folder = tmp_path_factory.mktemp("parts")
    write_parts(folder)
    out = tmp_path_factory.mktemp("sound")
    assert extract(out, folder).code == 0
    return folder, files(out)


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package with an engine that works in threads, and return its folder."""
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "def engine(workers, folder, scheduler):\n"
        "    (folder / 'asked.txt').write_text(f'{workers} {scheduler}')\n"
        "    return ThreadPoolExecutor(workers)\n"
    )
    return install(tmp_path, monkeypatch, code, "[wikibias.engines]\nthreads = outside:engine\n")


def test_an_engine_from_outside(outside: Path, made: tuple[Path, Files], tmp_path: Path) -> None:
    folder, sound = made
    out = tmp_path / "o"
    options = ("--engine", "threads", "--scheduler", "here", "--workers", 2)
    assert extract(out, *options, folder).code == 0
    assert (out / "asked.txt").read_text() == "2 here"
    (out / "asked.txt").unlink()
    assert files(out) == sound
    assert "local|dask|slurm|threads" in wikibias("extract", "--help-all").out


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
    options: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "a.xml").write_bytes(export([]))
    extract(tmp_path / "o", *options, tmp_path / "a.xml").refused(said)


@pytest.mark.parametrize(
    ("engine", "library"), [("dask", "distributed"), ("slurm", "dask_jobqueue")]
)
def test_a_missing_extra(
    engine: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    (tmp_path / "a.xml").write_bytes(export([]))
    ended = extract(tmp_path / "o", "--engine", engine, tmp_path / "a.xml")
    assert ended.refused().endswith(f"run: {how_to_install(engine)}")


def test_standard_input(tmp_path: Path) -> None:
    command = ("extract", "--lang", "en", "-o", tmp_path / "o", "--engine", "dask", "-")
    wikibias(*command, stdin=export([])).refused("standard input")


distributed = pytest.importorskip("distributed", reason="the extra [dask] is not installed")
dask = pytest.importorskip("dask")
psutil = pytest.importorskip("psutil")  # comes with it


def extract_while(does: Callable[[], object], out: Path, *words: object) -> Outcome:
    """Extract while something is done to the workers."""
    with ThreadPoolExecutor(1) as thread:
        doing = thread.submit(does)
        ended = extract(out, *words)
        doing.result()
    return ended


def test_a_worker_killed_in_the_middle(
    made: tuple[Path, Files], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its part is done again by the other, and nothing is there twice.

    Workers in another folder find the files that were named from here, those of a split page too.
    """
    folder, sound = made
    out = tmp_path / "o"
    names = sorted(path.name for path in folder.iterdir())
    monkeypatch.chdir(tmp_path)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    quiet = {"silence_logs": logging.CRITICAL}
    with forking_workers(), distributed.LocalCluster(**options, **quiet) as cluster:
        monkeypatch.chdir(folder)
        words = ("--engine", "dask", "--scheduler", cluster.scheduler_address, *names)
        ended = extract_while(lambda: os.kill(writer(out), signal.SIGKILL), out, *words)
    assert "Table 3" in ended.silent().out
    assert files(out) == sound
    assert temporary_files(out) == []


def test_without_a_scheduler_one_is_started(made: tuple[Path, Files], tmp_path: Path) -> None:
    """What its workers log reaches the log file."""
    folder, sound = made
    log = tmp_path / "run.log"
    options = ("--engine", "dask", "--workers", 1, "--log-file", log)
    run_process("extract", "--lang", "en", *options, "-o", tmp_path / "o", folder).silent()
    assert files(tmp_path / "o") == sound
    assert "INFO wikibias.pipeline.dispatch: begins part0.xml" in log.read_text("utf-8")


@pytest.mark.parametrize(
    ("address", "said"),
    [("tcp://127.0.0.1:9", ""), ("tls://127.0.0.1:9", " (TLS expects")],
    ids=["nobody there", "keys that we do not have"],
)
def test_an_address_where_nobody_answers(
    address: str,
    said: str,
    made: tuple[Path, Files],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines, "_CONNECT", "1s")
    ended = extract(tmp_path / "o", "--engine", "dask", "--scheduler", address, made[0])
    ended.refused(f"no Dask scheduler answers at {address}{said}")


def test_a_cluster_on_this_machine_listens_to_this_machine_only(tmp_path: Path) -> None:
    """Dask runs what it is sent by whoever can connect."""
    with forking_workers(), engines.dask(1, tmp_path, None) as executor:
        pids = {os.getpid(), executor.submit(os.getpid).result()}
        assert len(pids) == 2
        sockets = [each for pid in pids for each in psutil.Process(pid).net_connections()]
    assert {each.laddr.ip for each in sockets if each.status == "LISTEN"} == {"127.0.0.1"}


pytest.importorskip("dask_jobqueue", reason="the extra [slurm] is not installed")

# A job is a process group of its own; its number is that of the group.
SBATCH = """
[ "$1" = --test-only ] && exec cat > {folder}/tested
cp "$1" {folder}/script.$$
setsid sh {folder}/script.$$ > {folder}/output.$$ 2>&1 &
echo $! >> {folder}/jobs
echo "Submitted batch job $!"
"""
SCANCEL = 'kill -KILL -- "-$1" 2> /dev/null'
SQUEUE = (
    'while read job; do kill -0 "-$job" 2> /dev/null && echo $job; done < {folder}/jobs; exit 0'
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose scripts are found before SLURM's programs, and where they keep their jobs."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name, script in {"sbatch": SBATCH, "scancel": SCANCEL, "squeue": SQUEUE}.items():
        write_script(folder / name, script.format(folder=folder))
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.setattr(engines, "_PAUSE", 0.05)
    often = {"distributed.deploy.lost-worker-timeout": "100ms"}
    with dask.config.set(often | {"distributed.adaptive.interval": "100ms"}):
        yield folder


def write_script(path: Path, script: str) -> None:
    """Write a program for the shell."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def jobs(site: Path) -> list[int]:
    """Return the jobs that were submitted."""
    return [int(job) for job in (site / "jobs").read_text().split()]


def test_a_killed_job_has_a_successor(site: Path, made: tuple[Path, Files], tmp_path: Path) -> None:
    """Its part is done again, by a job that is submitted in its place."""
    folder, sound = made
    out = tmp_path / "o"

    def kill() -> None:
        os.killpg(os.getpgid(writer(out)), signal.SIGKILL)

    extract_while(kill, out, "--engine", "slurm", "--workers", 1, folder).silent()
    assert files(out) == sound
    assert len(jobs(site)) == 2
    wait_for(lambda: not any(map(alive, jobs(site))))
    assert (out / "slurm").stat().st_mode & 0o777 == 0o700
    script = (site / "tested").read_text()
    for directive in ("-J wikibias", "-t 24:00:00", "--cpus-per-task=1", f"{out}/slurm/wikibias-"):
        assert directive in script


def test_an_interrupt_cancels_jobs(site: Path, made: tuple[Path, Files], tmp_path: Path) -> None:
    folder, sound = made
    out = tmp_path / "o"
    command = ("extract", "--lang", "en", "--engine", "slurm", "--workers", 1, "-o", out, folder)
    with start(*command) as run:
        writer(out)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert err.startswith("Interrupted.")
    wait_for(lambda: not any(map(alive, jobs(site))))
    # What is left may be done by any engine.
    assert extract(out, folder).code == 0
    assert files(out) == sound


def test_what_slurm_refuses(site: Path, made: tuple[Path, Files], tmp_path: Path) -> None:
    write_script(site / "sbatch", "echo 'sbatch: error: no such partition' >&2; exit 1")
    ended = extract(tmp_path / "o", "--engine", "slurm", made[0])
    ended.refused("no such partition", "SBATCH_", code=1)


def test_jobs_that_end_before_they_connect(
    site: Path, made: tuple[Path, Files], tmp_path: Path
) -> None:
    with dask.config.set({"jobqueue.slurm.python": "/bin/false"}):
        ended = extract(tmp_path / "o", "--engine", "slurm", made[0])
    ended.refused("ended before they reached this machine", code=1)


def test_no_logs_where_a_link_leads(site: Path, made: tuple[Path, Files], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    (tmp_path / "o").mkdir()
    (tmp_path / "o/slurm").symlink_to(tmp_path / "elsewhere")
    extract(tmp_path / "o", "--engine", "slurm", made[0]).refused("slurm")
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o755
