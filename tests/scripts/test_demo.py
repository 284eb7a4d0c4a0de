"""`make demo`: what the README has a newcomer run first."""

import subprocess
import sys

from paths import ROOT


def test_it_builds_both_corpora_and_shows_edits() -> None:
    demo = [sys.executable, str(ROOT / "scripts" / "demo.py")]
    done = subprocess.run(demo, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Table 3. The corpus") == 2
    assert done.stdout.count("Some kept edits") == 2
