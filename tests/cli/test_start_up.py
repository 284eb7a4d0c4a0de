"""What a command loads before it does anything: only what it needs."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from paths import CASES, ROOT
from wikibias.cli import COMMANDS, cli

EMPTY = ROOT / "tests/fixtures/dumps/empty-wiki.xml"
SAMPLE = ROOT / "samples/demoenwiki-20260101-pages-meta-history.xml.7z"
TEXT = ROOT / "README.md"
PROCESSES = tomllib.loads((CASES / "start_up.toml").read_text("utf-8"))["process"]
_ASK = """
import gc, json, sys
from wikibias.cli import main
told, commands = sys.argv[1], json.load(sys.stdin)
for words in commands:
    sys.argv = ["wikibias", *words]
    try:
        main()
    except SystemExit as ended:
        assert ended.code in (None, 0), (words, ended.code)
    with open(told, "a") as file:
        print(json.dumps(sorted(sys.modules)), file=file)
assert gc.isenabled()  # only what is imported is not looked through
"""


def loaded(commands: Sequence[str], folder: Path, demo: Path) -> Iterator[set[str]]:
    """Yield the names of all modules that a new Python has loaded when each command has ended."""
    names = {"dump": EMPTY, "sample": SAMPLE, "text": TEXT, "demo": demo}
    names |= {"labels": folder / "p.conll", "tasks": folder / "tasks.jsonl"}
    names["labels"].write_text("fine B O\nmill O O\n")
    names["tasks"].write_text('{"text": "A mill stood here."}\n')
    words = [
        [word.format(**names, out=folder / f"out{number}") for word in command.split()]
        for number, command in enumerate(commands)
    ]
    told = folder / "modules.jsonl"
    asked = [sys.executable, "-c", _ASK, str(told)]
    given = json.dumps(words).encode()
    subprocess.run(asked, input=given, check=True, capture_output=True, timeout=120)
    for line in told.read_text().splitlines():
        yield set(json.loads(line))


@pytest.mark.parametrize("process", PROCESSES)
def test_only_what_is_needed_is_loaded(process: dict[str, Any], tmp_path: Path, demo: Path) -> None:
    found = loaded([case["command"] for case in process["case"]], tmp_path, demo)
    for case, modules in zip(process["case"], found, strict=True):
        assert (case["why"], sorted(modules & {*case["not"]})) == (case["why"], [])


def test_help_lists_what_the_commands_say_of_themselves() -> None:
    """The list is made without them, so a command without text of its own must not differ."""
    context = click.Context(cli)
    names = cli.list_commands(context)
    assert names[names.index("detect") + 1 : names.index("sentences")] == [
        "diff",
        "filter",
        "build",
    ]
    for name in names:
        command = cli.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.short_help
        first = " ".join((command.help or "").split("\n\n")[0].split())
        assert name not in ("fetch", "status") or first.startswith(COMMANDS[name])


@pytest.mark.parametrize(("name", "threads"), [("detect", "1"), ("predict", None)])
def test_only_classifiers_use_all_cores_for_linear_algebra(
    name: str, threads: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")  # so that it is put back at the end
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    cli.get_command(click.Context(cli), name)
    assert os.environ.get("OPENBLAS_NUM_THREADS") == threads
