"""What the documentation tells to type gives what it shows."""

import bz2
from collections import Counter
from pathlib import Path

import pytest

import demo
from command_server import PLACE, asking, forks
from doc_pages import PAGES, blocks, commands, prepare, run_page
from exports import Page, Revision, export, wikibias
from server import serving

BLOCKS = [block for page in PAGES for block in blocks(page)]
LANGUAGES = {"console", "python", "toml", "xml", "json", "text", "bash", "yaml", "csv"}
RUN = [page for page in PAGES if any(b.page == page and b.lang != "text" for b in BLOCKS)]
# Blocks that need the network, a cluster or hours. Each says so above it.
NOT_RUN = {
    "README.md": 1,
    "docs/classify.md": 3,
    "docs/cluster.md": 7,
    "docs/how-to/annotate.md": 1,
    "docs/how-to/intents.md": 1,
    "docs/how-to/look-at-a-corpus.md": 1,
    "docs/how-to/more-runs.md": 3,
    "docs/how-to/sentence-pairs.md": 2,
    "docs/how-to/twenty-languages.md": 1,
    "docs/performance.md": 1,
    "docs/quality.md": 2,
    "docs/tutorial.md": 3,
}


@pytest.mark.parametrize("page", RUN)
def test_a_page_shows_what_its_commands_print(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(page, tmp_path)
    monkeypatch.setenv(PLACE, forks())
    for command in ("wikibias", "python"):
        asking(tmp_path / ".venv/bin", command)
    problems, _ = run_page(page, tmp_path)
    hint = f"\n\nIf that is right now: python scripts/doc_pages.py --update {page}"
    assert not problems, "\n\n".join(problems) + hint


def test_blocks_that_are_not_run_are_counted_and_give_a_reason() -> None:
    reasons = {block.where: block.not_run for block in BLOCKS if block.not_run}
    assert Counter(where.partition(":")[0] for where in reasons) == NOT_RUN
    assert [where for where, reason in reasons.items() if len(reason.split()) < 2] == []


def test_what_is_to_be_typed_stands_in_console_blocks() -> None:
    for block in BLOCKS:
        assert block.lang in LANGUAGES, f"{block.where}: a block of {sorted(LANGUAGES)}"
        if block.lang == "console":
            assert block.text.startswith("$ "), f"{block.where}: begins with no `$ `"
            assert list(commands(block)), block.where
        if block.lang == "bash":
            assert block.not_run or block.file, f"{block.where}: a file, or say why it is not run"


PROSE = "Мелницата стои до стария път към града и още се вижда отдалече от всички страни. " * 9
WIKI = [Page("Мелница", [Revision("{{POV}} Най-хубавата. " + PROSE), Revision(PROSE)])]


def test_extract_finds_what_fetch_downloaded(cwd: Path) -> None:
    """The steps of the tutorial that need Wikimedia's server, one after the other."""
    dump = export(WIKI).replace(b"enwiki", b"bgwiki").replace(b'lang="en"', b'lang="bg"')
    files = {"bgwiki-20260101-pages-meta-history.xml.bz2": bz2.compress(dump)}
    typed = [
        command.typed.split()[1:]
        for block in blocks("docs/tutorial.md")
        if block.lang == "console"
        for command in commands(block)
        if command.typed.startswith("wikibias ") and "bg" in command.typed.split()
    ]
    fetch, extract = typed
    with serving() as server:
        server.add_history("bgwiki", "20260101", files, form="bz2")
        fetched = wikibias(*fetch, "--base-url", server.url).well()
    assert "Next: wikibias extract --lang bg dumps/bgwiki-20260101" in fetched.out
    assert "1 part, 1 page, 2 revisions: 1 tag removal" in wikibias(*extract).well().out


def test_the_demo_builds_both_corpora_and_shows_edits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(PLACE, forks())
    monkeypatch.setattr("sys.executable", asking(tmp_path))
    demo.main()
    shown = capfd.readouterr().out
    assert shown.count("Table 3. The corpus") == 2
    assert shown.count("Some kept edits") == 2
