"""What the documentation tells to type gives what it shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from paths import ROOT

_FILE = re.compile(r"`([\w/.]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def test_a_language_is_added_as_the_guide_says(tmp_path: Path) -> None:
    """In a copy of the checkout, because files of its own are added to configs/ and tagsets/."""
    checkout, commands = tmp_path / "checkout", tmp_path / "bin"
    for folder in ("configs", "tagsets", "src/wikibias"):
        shutil.copytree(ROOT / folder, checkout / folder)
    commands.mkdir()
    for name, call in (("python", ""), ("wikibias", "-m wikibias")):
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n')
        (commands / name).chmod(0o755)
    guide = (ROOT / "docs/how-to/add-a-language.md").read_text(encoding="utf-8")
    for name, content in _FILE.findall(guide):
        assert not (checkout / name).exists(), f"{name} is there already: take another language"
        (checkout / name).write_text(content, encoding="utf-8")
    for typed, shown in _typed_and_shown(guide):
        done = subprocess.run(
            ["sh", "-c", typed],
            cwd=checkout,
            env={**os.environ, "PATH": f"{commands}:/usr/bin:/bin", "PYTHONPATH": "src"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            text=True,
        )
        assert (done.returncode, done.stdout) == (0, shown), typed


def _typed_and_shown(guide: str) -> list[tuple[str, str]]:
    found = []
    for block in _CONSOLE.findall(guide):
        for command in block.removeprefix("$ ").split("\n$ "):
            typed, _, shown = command.partition("\n")
            found.append((typed, shown if shown.endswith("\n") else shown + "\n"))
    return found
