"""The demo, and the steps of the tutorial that need Wikimedia's server, one after the other."""

import bz2
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from doc_pages import blocks, commands
from exports import Page, Revision, export, wikibias
from paths import ROOT
from server import Server, serving

PROSE = "Мелницата стои до стария път към града и още се вижда отдалече от всички страни. " * 9
PAGES = [Page("Мелница", [Revision("{{POV}} Най-хубавата. " + PROSE), Revision(PROSE)])]


@pytest.fixture
def server() -> Iterator[Server]:
    """A server with a dump of the Bulgarian Wikipedia."""
    with serving() as running:
        dump = export(PAGES).replace(b"enwiki", b"bgwiki").replace(b'lang="en"', b'lang="bg"')
        files = {"bgwiki-20260101-pages-meta-history.xml.bz2": bz2.compress(dump)}
        running.add_history("bgwiki", "20260101", files, form="bz2")
        yield running


def test_extract_finds_what_fetch_downloaded(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = [
        command.typed.split()[1:]
        for block in blocks("docs/tutorial.md")
        if block.lang == "console"
        for command in commands(block)
        if command.typed.startswith("wikibias ") and "bg" in command.typed.split()
    ]
    fetch, extract = typed
    fetched = wikibias(*fetch, "--base-url", server.url)
    assert fetched.code == 0
    assert "Next: wikibias extract --lang bg dumps/bgwiki-20260101" in fetched.out
    ended = wikibias(*extract)
    assert ended.code == 0
    assert "1 part, 1 page, 2 revisions: 1 tag removal" in ended.out


def test_it_builds_both_corpora_and_shows_edits() -> None:
    demo = [sys.executable, str(ROOT / "scripts" / "demo.py")]
    done = subprocess.run(demo, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Table 3. The corpus") == 2
    assert done.stdout.count("Some kept edits") == 2
