"""The comparison with an earlier commit: what it runs, calls slower, and leaves behind."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench_against import Case, cases, change, describe, earlier_version, is_changed, report, run
from bench_dumps import Bench
from command_costs import Cost

# A `wikibias` of a few lines. The earlier one knows no `tags`.
_VERSION = "import sys\nsys.exit('tags' in sys.argv and {fails})\n"
_MAKEFILE = """install:
\tmkdir -p .venv/bin
\tprintf '#!/bin/sh\\nPYTHONPATH={src} exec {python} -S "$$@"\\n' > .venv/bin/python
\tchmod +x .venv/bin/python
"""


def case(before: list[float], after: list[float], again: list[float], memory: float = 50) -> Case:
    """Return a command with these CPU seconds; `memory` is that of the later version."""
    return Case(
        "`detect`",
        [],
        [Cost(cpu, cpu, 50) for cpu in before],
        [Cost(cpu, cpu, memory) for cpu in after],
        [Cost(cpu, cpu, memory) for cpu in again],
    )


@pytest.mark.parametrize(
    ("before", "after", "again", "verdict"),
    [
        ([1, 1, 1], [1.5, 1.5, 1.5], [1.5, 1.5, 1.5], 1),
        ([1, 1, 1], [0.5, 0.5, 0.5], [0.5, 0.5, 0.5], -1),
        ([1, 1, 1], [1.01, 1.01, 1.01], [1.01, 1.01, 1.01], 0),  # less than 2 %
        ([1, 1, 1], [1.2, 1.2, 0.9], [1.2, 1.2, 0.9], 0),  # a round says otherwise
        ([1, 1, 1], [1.0, 1.2, 1.2], [1.2, 1.2, 1.2], 0),  # it differs from itself as much
        ([1, 10, 1], [1.1, 11, 1.1], [1.1, 11, 1.1], 1),  # the machine was slower for a while
        ([0.05], [0.055], [0.055], 0),  # less than a hundredth of a second
        ([30, 30, 30], [40, 40, 40], [], 1),  # too long to be repeated
    ],
)
def test_what_is_slower_beyond_noise(
    before: list[float], after: list[float], again: list[float], verdict: int
) -> None:
    found = case(before, after, again)
    assert change(found, [found], lambda cost: cost.cpu, 0.01).verdict == verdict


def test_the_noise_of_the_other_commands_counts_too() -> None:
    calm = case([1, 1], [1.1, 1.1], [1.1, 1.1])
    noisy = [case([1, 1], [1, 1], [1.2, 1.2]) for _ in range(2)]
    assert change(calm, [calm, *noisy], lambda cost: cost.cpu, 0.01).verdict == 0
    assert change(calm, [calm], lambda cost: cost.cpu, 0.01).verdict == 1


def test_the_report_names_what_got_worse(capsys: pytest.CaptureFixture[str]) -> None:
    failed = Case("`tags count`", [], failed="failed with 2")
    worse = report([case([1, 1], [2, 2], [2, 2], memory=80), failed])
    assert [line.split(" (")[0] for line in worse] == [
        "`detect`: 2.00 times",
        "`detect`: 1.60 times",
    ]
    said = capsys.readouterr().out
    assert "| slower, larger |" in said
    assert "Left out, because the earlier version fails:\n\n- `tags count`" in said


def test_what_fails_only_now_is_worse() -> None:
    broken = Case("`detect`", [], failed="failed with 1", broken=True)
    assert report([broken]) == ["`detect`: failed with 1"]


def test_what_needs_too_much_memory_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    report([case([1], [1], [1], memory=301)])
    assert "Over 300 MB:\n\n- `detect`: 301 MB" in capsys.readouterr().out


def test_small_growth_of_memory_is_not_named() -> None:
    assert report([case([1, 1], [1, 1], [1, 1], memory=53)]) == []


def test_commands_are_those_of_both_versions(tmp_path: Path) -> None:
    names = [each.name for each in cases(Bench(tmp_path, tmp_path / "out", 1, small=True))]
    assert names[:2] == ["`--help`", "`--version`"]
    assert "`tags count`, synthetic dump, 7z" in names
    assert len(names) == len(set(names))


def repository(folder: Path) -> Path:
    """Make a repository of two commits, the first of which knows no `tags`."""
    source = folder / "src" / "wikibias"
    source.mkdir(parents=True)
    makefile = _MAKEFILE.format(src="$(CURDIR)/src", python=sys.executable)
    (folder / "Makefile").write_text(makefile, encoding="utf-8")
    (folder / ".gitignore").write_text(".venv\n__pycache__\n", encoding="utf-8")
    git(folder, "init", "-q")
    for fails in (3, 0):
        text = _VERSION.format(fails=fails)
        (source / "__main__.py").write_text(text, encoding="utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "A version")
    return folder


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_an_earlier_version_is_installed_compared_and_removed(tmp_path: Path) -> None:
    root, data = repository(tmp_path / "root"), tmp_path / "data"
    found = [Case("`--help`", ["--help"]), Case("`tags count`", ["tags", "count", "-o", "OUT"])]
    with earlier_version("HEAD~1", data, root) as before:
        assert is_changed(root) is False
        run(found, before, before, tmp_path / "scratch", rounds=2)
    assert (len(found[0].before), len(found[0].after), len(found[0].again)) == (2, 2, 2)
    assert found[1].failed.startswith("failed with 3")
    assert not list(data.glob("against-*"))
    assert len(git(root, "worktree", "list").splitlines()) == 1
    (root / "Makefile").write_text("install:\n", encoding="utf-8")
    assert is_changed(root)


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_a_commit_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    root = repository(tmp_path)
    with pytest.raises(SystemExit, match="no commit nowhere"):
        describe("nowhere", root)
