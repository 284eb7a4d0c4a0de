"""The engine of SLURM, with real Dask workers; four scripts stand for SLURM's own programs."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from clusters import extract, wait_for, writer
from exports import files, start

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
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose scripts are found before SLURM's programs, and where they keep their jobs."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name, script in {"sbatch": SBATCH, "scancel": SCANCEL, "squeue": SQUEUE}.items():
        write_script(folder / name, script.format(folder=folder))
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.setenv("DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT", "100ms")
    return folder


def write_script(path: Path, script: str) -> None:
    """Write a program for the shell."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def jobs(site: Path) -> list[int]:
    """Return the jobs that were submitted."""
    return [int(job) for job in (site / "jobs").read_text().split()]


def alive(job: int) -> bool:
    """Tell whether a job runs."""
    try:
        os.killpg(job, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_job_that_is_killed_has_a_successor(
    site: Path, made: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    """Its part is done again, by a job that is submitted in its place."""
    folder, sound = made
    out = tmp_path / "o"
    command = ("extract", "--lang", "en", "--engine", "slurm", "--workers", 1, "-o", out, folder)
    with start(*command) as run:
        os.killpg(os.getpgid(writer(out)), signal.SIGKILL)
        _, err = run.communicate(timeout=90)
    assert (run.returncode, err) == (0, "")
    assert files(out) == sound
    assert len(jobs(site)) == 2
    wait_for(lambda: not any(map(alive, jobs(site))))
    assert (out / "slurm").stat().st_mode & 0o777 == 0o700
    script = (site / "tested").read_text()
    for directive in ("-J wikibias", "-t 24:00:00", "--cpus-per-task=1", f"{out}/slurm/wikibias-"):
        assert directive in script


def test_an_interrupt_cancels_the_jobs(
    site: Path, made: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    folder, sound = made
    out = tmp_path / "o"
    options = ("--engine", "slurm", "--workers", 2)
    with start("extract", "--lang", "en", *options, "-o", out, folder) as run:
        writer(out)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert err.startswith("Interrupted.")
    wait_for(lambda: not any(map(alive, jobs(site))))
    assert extract(out, folder, *options).code == 0
    assert files(out) == sound


def test_what_slurm_refuses(
    site: Path, made: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    write_script(site / "sbatch", "echo 'sbatch: error: no such partition' >&2; exit 1")
    ended = extract(tmp_path / "o", made[0], "--engine", "slurm")
    assert ended.code == 1
    (line,) = ended.errors
    assert "no such partition" in line
    assert "SBATCH_" in line


def test_jobs_that_end_before_they_connect(
    site: Path, made: tuple[Path, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_JOBQUEUE__SLURM__PYTHON", "/bin/false")
    with start(
        "extract", "--lang", "en", "--engine", "slurm", "-o", tmp_path / "o", made[0]
    ) as run:
        _, err = run.communicate(timeout=60)
    assert run.returncode == 1
    assert "ended before they reached this machine" in err


def test_logs_are_not_written_where_a_link_leads(
    site: Path, made: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    (tmp_path / "o").mkdir()
    (tmp_path / "o/slurm").symlink_to(tmp_path / "elsewhere")
    ended = extract(tmp_path / "o", made[0], "--engine", "slurm")
    assert ended.code == 2
    assert "slurm" in ended.errors[0]
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o755
