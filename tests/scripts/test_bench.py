"""The bench: its parts on small dumps, what it counts, and how it compares with a commit."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bench
import bench_against
from bench_against import Case, cases, change, describe, earlier_version, is_changed, report
from bench_dumps import Bench
from command_costs import Command, Cost, in_turn, measure, middle, ratio, table
from command_server import PLACE, asking, forks

NUMBER = re.compile(r"[\d,.]+%?")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the dumps, which are made once."""
    return tmp_path_factory.mktemp("bench")


def tables(printed: str) -> dict[str, list[list[str]]]:
    """Return the rows of the tables below each heading."""
    found: dict[str, list[list[str]]] = {}
    heading = ""
    for line in printed.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("|") and not line.startswith(("| --- ", "|  |", "| step", "| what")):
            found.setdefault(heading, []).append([cell.strip() for cell in line.split("|")[1:-1]])
    return found


def test_all_sections_on_small_dumps(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its commands are forks of a process."""
    monkeypatch.setenv(PLACE, forks())
    monkeypatch.setattr("sys.executable", asking(data))
    monkeypatch.setattr("sys.argv", ["bench.py", "--quick", "--data", str(data)])
    assert bench.main() == 0
    found = tables(capsys.readouterr().out)
    assert len(found["Memory"]) == 2
    assert all(NUMBER.fullmatch(row[3]) for row in found["Memory"])
    rows = found["Goals for speed"]
    goals = [row for row in rows if len(row) == 5 and "÷" in row[0]]
    # The ratio to another program is there where one that unpacks 7z is installed.
    has_tool = any(shutil.which(name) for name in ("7z", "7zz", "7za"))
    for wanted in ("`wikibias --help`", "`tags count`", "`extract"):
        assert any(row[0].startswith(wanted) for row in goals), wanted
    assert any("x -so` to" in row[0] for row in goals) == has_tool
    assert {row[1] for row in goals} >= {"at most 0.5", "at most 1.5", ""}
    assert ("at most 1.7" in {row[1] for row in goals}) == has_tool
    assert all(NUMBER.fullmatch(row[2]) for row in goals)
    assert all(re.fullmatch(r"[\d.]+–[\d.]+", row[3]) for row in goals)
    assert any(row[0].endswith("without re2") for row in rows if row[1] != "at most 1.7")


def test_an_unknown_section_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["bench.py", "raeding"])
    with pytest.raises(SystemExit, match="2"):
        bench.main()
    assert "unknown section raeding" in capsys.readouterr().err


def test_ratios_are_of_the_same_round() -> None:
    slow = [Cost(cpu, cpu, 1) for cpu in (2.0, 40.0, 3.0)]
    fast = [Cost(cpu, cpu, 1) for cpu in (1.0, 20.0, 1.0)]
    assert ratio(slow, fast) == 2
    assert middle(slow, lambda cost: cost.cpu) == 3


def test_commands_run_in_turn(tmp_path: Path) -> None:
    log = tmp_path / "log"
    say = {name: Command(["sh", "-c", f"echo {name} >> {log}"]) for name in ("one", "two")}
    costs = in_turn(say, 2)
    assert log.read_text().split() == ["one", "two", "one", "two"]
    assert [len(spent) for spent in costs.values()] == [2, 2]


def test_the_piping_command_is_not_counted_and_a_failure_exits() -> None:
    # A process is said to have had, before it began, the memory of the one that started it.
    least = measure(Command(["cat"])).memory
    large = [sys.executable, "-c", "print('x' * (300 << 20))"]
    assert measure(Command(["cat"], input_from=large)).memory < least + 200
    with pytest.raises(SystemExit, match="failed with 1"):
        measure(Command(["false"]))


def test_the_memory_of_children_counts() -> None:
    child = f"{sys.executable} -c 'import time; x = bytearray(100 << 20); time.sleep(0.5)'"
    cost = measure(Command(["sh", "-c", f"{child} & {child} & wait"], total_memory=True))
    assert cost.memory > 100
    if cost.total_memory is not None:
        assert cost.total_memory > 200


def test_a_markdown_table() -> None:
    assert table(["a", "b"], [["x", "1"]]) == "| a | b |\n| --- | ---: |\n| x | 1 |"


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


def test_what_fails_only_now_and_needs_too_much_memory_is_named_but_no_small_growth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = Case("`detect`", [], failed="failed with 1", broken=True)
    assert report([broken]) == ["`detect`: failed with 1"]
    assert report([case([1, 1], [1, 1], [1, 1], memory=53)]) == []
    report([case([1], [1], [1], memory=301)])
    assert "Over 300 MB:\n\n- `detect`: 301 MB" in capsys.readouterr().out


def test_commands_are_those_of_both_versions(data: Path, tmp_path: Path) -> None:
    names = [each.name for each in cases(Bench(data, tmp_path / "out", 1, small=True))]
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
        bench_against.run(found, before, before, tmp_path / "scratch", rounds=2)
    assert (len(found[0].before), len(found[0].after), len(found[0].again)) == (2, 2, 2)
    assert found[1].failed.startswith("failed with 3")
    assert not list(data.glob("against-*"))
    assert len(git(root, "worktree", "list").splitlines()) == 1
    (root / "Makefile").write_text("install:\n", encoding="utf-8")
    assert is_changed(root)
    with pytest.raises(SystemExit, match="no commit nowhere"):
        describe("nowhere", root)
