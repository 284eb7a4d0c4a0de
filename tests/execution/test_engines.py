"""Engines by name: of our own, of another package, and what a user may get wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from clusters import extract
from exports import export, files, wikibias
from outside import install
from wikibias.kits.plugins import how_to_install


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


def test_an_engine_of_another_package(
    outside: Path, made: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    folder, sound = made
    out = tmp_path / "o"
    options = ("--engine", "threads", "--scheduler", "here", "--workers", 2)
    assert extract(out, folder, *options).code == 0
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
    ended = extract(tmp_path / "o", tmp_path / "a.xml", *options)
    assert ended.code == 2
    (line,) = ended.errors
    assert said in line


@pytest.mark.parametrize(
    ("engine", "library"), [("dask", "distributed"), ("slurm", "dask_jobqueue")]
)
def test_a_missing_extra(
    engine: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    (tmp_path / "a.xml").write_bytes(export([]))
    ended = extract(tmp_path / "o", tmp_path / "a.xml", "--engine", engine)
    assert ended.code == 2
    (line,) = ended.errors
    assert line.endswith(f"run: {how_to_install(engine)}")


def test_standard_input(tmp_path: Path) -> None:
    command = ("extract", "--lang", "en", "-o", tmp_path / "o", "--engine", "dask", "-")
    ended = wikibias(*command, stdin=export([]))
    assert ended.code == 2
    assert "standard input" in ended.errors[0]
