"""The script that compares both readers says what they find, and where they differ."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from exports import Page, Revision, export
from paths import SCRIPTS


def test_it_says_that_both_readers_find_the_same(tmp_path: Path) -> None:
    texts = ["A mill.", "{{POV}} A fine mill.", "A mill."]
    dump = tmp_path / "mill.xml"
    dump.write_bytes(export([Page("Mill", [Revision(text) for text in texts])]))
    command = [sys.executable, str(SCRIPTS / "compare_readers.py"), str(dump)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split("\t")[:3] == ["mill.xml", "en", "equal"]
    assert "0 transitions" not in done.stdout
