"""The bench: its parts run on small dumps, and what it counts."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command_costs import Command, Cost, in_turn, measure, middle, ratio, table
from paths import SCRIPTS

NUMBER = re.compile(r"[\d,.]+%?")


def run(folder: Path, *arguments: str) -> dict[str, list[list[str]]]:
    """Run the bench on small dumps, and return the rows of its tables below each heading."""
    command = [sys.executable, str(SCRIPTS / "bench.py"), "--quick", "--data", str(folder)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[list[str]]] = {}
    heading = ""
    for line in done.stdout.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("|") and not line.startswith(("| --- ", "|  |", "| step", "| what")):
            found.setdefault(heading, []).append([cell.strip() for cell in line.split("|")[1:-1]])
    return found


def test_the_section_goals(tmp_path: Path) -> None:
    tables = run(tmp_path, "goals")["Goals for speed"]
    goals = [row for row in tables if len(row) == 5 and "÷" in row[0]]
    # The ratio to another program is there where one that unpacks 7z is installed.
    has_tool = any(shutil.which(name) for name in ("7z", "7zz", "7za"))
    for wanted in ("`wikibias --help`", "`tags count`", "`extract"):
        assert any(row[0].startswith(wanted) for row in goals), wanted
    assert any(row[0].startswith("`detect --lang ja`") for row in goals) == has_tool
    assert {row[1] for row in goals} >= {"at most 0.5", "at most 1.5", ""}
    assert ("at most 1.7" in {row[1] for row in goals}) == has_tool
    assert all(NUMBER.fullmatch(row[2]) for row in goals)
    assert all(re.fullmatch(r"[\d.]+–[\d.]+", row[3]) for row in goals)
    assert any(row[0].endswith("without re2") for row in tables if row[1] != "at most 1.7")


def test_the_section_memory(tmp_path: Path) -> None:
    tables = run(tmp_path, "memory")
    assert len(tables["Memory"]) == 8
    assert all(NUMBER.fullmatch(row[3]) for row in tables["Memory"])


def test_an_unknown_section_is_refused() -> None:
    command = [sys.executable, str(SCRIPTS / "bench.py"), "raeding"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "unknown section raeding" in done.stderr


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
