"""What the documentation tells to type gives what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT, SAMPLES

_FILE = re.compile(r"`([\w/.]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("name", ["add-a-language", "add-a-tag-set"])
def test_a_guide_works_without_a_checkout(name: str, tmp_path: Path) -> None:
    """In an empty folder but for the sample dumps, which come with the source code."""
    here, commands = tmp_path / "here", tmp_path / "bin"
    here.mkdir()
    (here / "samples").symlink_to(SAMPLES)
    commands.mkdir()
    for command, call in (("python", ""), ("wikibias", "-m wikibias")):
        (commands / command).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n')
        (commands / command).chmod(0o755)
    guide = (ROOT / "docs" / "how-to" / f"{name}.md").read_text(encoding="utf-8")
    for path, content in _FILE.findall(guide):
        assert not (ROOT / path).exists(), f"{path} is there already: take another"
        (here / path).parent.mkdir(parents=True, exist_ok=True)
        (here / path).write_text(content, encoding="utf-8")
    paths = {"PATH": f"{commands}:/usr/bin:/bin", "PYTHONPATH": str(ROOT / "src")}
    for typed, shown in _typed_and_shown(guide):
        done = subprocess.run(
            ["sh", "-c", typed],
            cwd=here,
            env=os.environ | paths | {"XDG_CONFIG_HOME": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            text=True,
        )
        assert (done.returncode, done.stdout) == (int(shown.startswith("Error: ")), shown), typed


def _typed_and_shown(guide: str) -> list[tuple[str, str]]:
    found = []
    for block in _CONSOLE.findall(guide):
        for command in block.removeprefix("$ ").split("\n$ "):
            typed, _, shown = command.partition("\n")
            found.append((typed, shown if not shown or shown.endswith("\n") else shown + "\n"))
    return found
