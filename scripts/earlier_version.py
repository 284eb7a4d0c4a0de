"""Installs an earlier commit beside this checkout, to compare with: for `bench.py --against`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench_dumps import ROOT

# What the make that called this one has set must not reach the one in the other checkout.
_FROM_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")


@contextmanager
def earlier_version(commit: str, data: Path, root: Path = ROOT) -> Iterator[Path]:
    """Yield the Python of a commit, in a worktree that is removed at the end.

    The checkout installs itself with its own `make install`, so it has the packages that it names.

    Raises:
        SystemExit: There is no such commit, or it cannot be installed.
    """
    name = describe(commit, root)
    folder = data.resolve() / f"against-{name}"
    _remove(folder, root)  # left by a run that was killed
    _run(["git", "worktree", "add", "--detach", "--force", str(folder), name], root)
    try:
        print(f"installing {name} in {folder}", file=sys.stderr, flush=True)
        python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
        chosen = [f"PYTHON={python}"] if python.is_file() else []
        _run(["make", "install", *chosen], folder)
        yield compiled(folder / ".venv" / "bin" / "python", folder)
    finally:
        _remove(folder, root)


def describe(commit: str, root: Path = ROOT) -> str:
    """Return the short name of a commit.

    Raises:
        SystemExit: There is no such commit.
    """
    words = ["git", "rev-parse", "--short", "--verify", "--quiet", f"{commit}^{{commit}}"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"no commit {commit} in {root}; fetch it, or name another")
    return done.stdout.strip()


def is_changed(root: Path = ROOT) -> bool:
    """Say whether tracked files differ from the last commit."""
    words = ["git", "status", "--porcelain", "--untracked-files=no"]
    return bool(subprocess.run(words, cwd=root, capture_output=True, check=True).stdout.strip())


def compiled(python: Path, root: Path) -> Path:
    """Compile the sources of a checkout, so that the first run costs what the others do."""
    _run([str(python), "-m", "compileall", "-q", "src"], root)
    return python


def _remove(folder: Path, root: Path) -> None:
    words = ["git", "worktree", "remove", "--force", "--force", str(folder)]
    subprocess.run(words, cwd=root, capture_output=True, check=False)


def _run(words: list[str], folder: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in _FROM_MAKE}
    done = subprocess.run(words, cwd=folder, env=environment, stdout=sys.stderr, check=False)
    if done.returncode:
        sys.exit(f"failed with {done.returncode} in {folder}: {' '.join(words)}")
