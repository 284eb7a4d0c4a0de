"""Many wikis from one file: the loop of the page, killed, resumed, and what stops a wiki."""

import bz2
import os
import signal
from collections import deque
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from clusters import wait_for
from command_to_kill import Forked, forked
from doc_pages import blocks, commands
from exports import Outcome, export, files, history, result_of, wikibias
from hub_server import Hub, hub
from months import moments, until
from server import HEAD, Handler, Server, serving

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
__all__ = ["hub"]
PAGE = "docs/how-to/twenty-languages.md"
TAGS = {"en": "POV", "fr": "Non neutre", "de": "Neutralität"}
DUMP = "/{0}wiki/{1}/{0}wiki-{1}-pages-meta-history.xml.bz2"


def add_month(server: Server, date: str, share: float) -> None:
    """Add a dump of each wiki, with the first revisions of its pages."""
    for lang, tag in TAGS.items():
        pages = [history(f"Mill {topic}", 4, topic=topic, tag=tag) for topic in range(2)]
        xml = export(pages).replace(b'"en"', f'"{lang}"'.encode())
        xml = xml.replace(b"enwiki", f"{lang}wiki".encode())
        times = moments(xml)
        part = until(xml, times[int(share * len(times)) - 1])
        name = DUMP.format(lang, date).rpartition("/")[2]
        server.add_history(f"{lang}wiki", date, {name: bz2.compress(part)}, form="bz2")


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the cells of tables in one line."""
    monkeypatch.setenv("COLUMNS", "140")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        add_month(running, "20260101", 0.7)
        yield running


def written(folder: Path, server: Server) -> Path:
    """Write the file of the page, for another server, and with one folder for all dumps.

    A result holds the times of its dumps.
    """
    (text,) = (block.text for block in blocks(PAGE) if block.file == "runs.toml")
    folder.mkdir()
    path = folder / "runs.toml"
    text = text.replace(
        "[defaults]", f'[defaults]\nworkers = 1\ndownloads = "../dumps"\nbase_url = "{server.url}"'
    )
    path.write_text(text, encoding="utf-8")
    return path


def update(path: Path, *options: object) -> Outcome:
    """Run what the page tells to type each month, in the folder of the file."""
    (typed,) = (c.typed for b in blocks(PAGE) if b.not_run for c in commands(b))
    with chdir(path.parent):
        return wikibias(*typed.split()[1:-1], *options, path)


def killed_in_a_download(server: Server, path: Path, lang: str) -> None:
    """Update, and be killed when half of a dump has come."""
    name, started = DUMP.format(lang, "20260101"), list[Forked]()

    def half(handler: Handler) -> None:
        content = server.files[name]
        handler.wfile.write(HEAD + content[: len(content) // 2])
        started[0].signal(signal.SIGKILL)

    server.answers[name] = deque([half])
    with forked("update", "--yes", path) as run:
        started.append(run)
        assert run.ended() == -signal.SIGKILL


def killed_while_extracting(path: Path, lang: str) -> None:
    """Update, and be killed when something of the second month has been read."""
    found = path.parent / f"corpora/{lang}/transitions"
    with forked("update", "--yes", path) as run:
        wait_for(lambda: len([*found.glob("*.parquet")]) == 2)
        run.signal(signal.SIGKILL)
        assert run.ended() == -signal.SIGKILL


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_two_months_killed_and_resumed_give_the_same_bytes(
    server: Server, hub: Hub, tmp_path: Path
) -> None:
    killed, calm = (written(tmp_path / name, server) for name in ("killed", "calm"))
    killed_in_a_download(server, killed, "fr")
    assert (killed.parent / "corpora/en/corpus/train.parquet").is_file()
    assert not (killed.parent / "corpora/fr").exists()
    assert update(killed).well().out.count("; uploaded to me/not-neutral") == 3
    assert update(calm).well().out.count("corpus built; me/not-neutral has it") == 3
    add_month(server, "20260201", 1)
    killed_while_extracting(killed, "fr")
    assert not (tmp_path / "dumps/dewiki-20260201").exists()
    update(killed).well()
    update(calm).well()
    for lang in TAGS:
        made = files(killed.parent / "corpora" / lang)
        assert made == files(calm.parent / "corpora" / lang)
        assert len([name for name in made if name.startswith("transitions/")]) == 2
    # What the server has is not uploaded again.
    assert hub.commits == ["me/not-neutral"] * 2
    card = hub.files["me/not-neutral"]["README.md"].decode()
    assert [name for name in TAGS if f"- config_name: {name}\n  data_files:" in card] == [*TAGS]


def test_without_a_token_nothing_is_fetched(
    server: Server, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setenv("HF_TOKEN_PATH", str(tmp_path / "none"))
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "none"))
    update(written(tmp_path / "a", server)).refused(
        "no token; run `hf auth login`, or set HF_TOKEN"
    )
    assert server.asked == []
    assert hub.commits == []


def test_a_wiki_that_fails_stops_no_other(server: Server, hub: Hub, tmp_path: Path) -> None:
    path, before = written(tmp_path / "a", server), dict(server.files)
    server.files = {name: of for name, of in before.items() if not name.startswith("/dewiki")}
    first = update(path)
    assert "corpora/de: no complete history dump of dewiki" in first.refused("dewiki", code=1)
    assert [line.split()[:3] for line in first.out.splitlines() if " failed: " in line] == [
        ["de", "none", "failed:"]
    ]
    card = hub.files["me/not-neutral"]["README.md"].decode()
    assert [f"`{name}`" in card for name in TAGS] == [True, True, False]
    # Of what cannot be fetched now, the last corpus goes along.
    server.files = {name: of for name, of in before.items() if not name.startswith("/enwiki")}
    update(path).refused("corpora/en: no complete", code=1)
    card = hub.files["me/not-neutral"]["README.md"].decode()
    assert [f"`{name}`" in card for name in TAGS] == [True, True, True]
    # Other settings than those of the folders: nothing is fetched for them.
    server.asked.clear()
    path.write_text(path.read_text("utf-8").replace("min_tokens = 7", "min_tokens = 9"), "utf-8")
    (path.parent / "corpora/de").rename(tmp_path / "de")
    refused = update(path)
    assert (refused.code, refused.err.count("min_tokens: 7 -> 9")) == (1, 2)
    assert {name for _, name, _ in server.asked if "enwiki" in name or "frwiki" in name} == set()
    assert update(path, "--dry-run").code == 1


def test_a_dry_run_asks_nobody_and_writes_nothing(server: Server, tmp_path: Path) -> None:
    path = written(tmp_path / "a", server)
    plan = update(path, "--dry-run").silent().out
    assert plan.count("fetch the newest dump; extract to ") == 3
    assert server.asked == []
    assert [each.name for each in path.parent.iterdir()] == ["runs.toml"]


def test_without_a_repository_the_export_stays_here(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "runs.toml"
    run = f'[[run]]\nlang = "en"\nworkers = 1\nbase_url = "{server.url}"\nformat = "csv"'
    path.write_text(f'{run}\nout = "o"\ndownloads = "d"\n', encoding="utf-8")
    table = update(path).well().out
    assert " inventedenwiki (o)  20260101 " in table
    assert (tmp_path / "o/export/csv/train.csv").is_file()
    server.asked.clear()
    assert "no newer dump; corpus as before" in update(path).well().out
    assert server.gets(".bz2") == []
    assert {each.name for each in tmp_path.iterdir()} == {"runs.toml", "o", "d"}


def test_a_folder_of_dumps_without_a_date_says_what_to_do(tmp_path: Path) -> None:
    result_of(tmp_path, [history("Mill", 2)], "extract", "-q")
    path = tmp_path / "runs.toml"
    path.write_text('[[run]]\nlang = "en"\nout = "o"\nworkers = 1\n', encoding="utf-8")
    said = update(path).refused("holds no dump of enwiki with a date", "another out", code=1)
    assert "--since o" not in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[[run]]\nlang = "en"\n[[run]]\nlang = "en"\nout = "b/o"\nbefor = 2022-11-30',
            ":6: [[run]] 2 'b/o': unknown key befor; did you mean 'before'?",
        ),
        (
            '[[run]]\nlang = "en"\nbefore = 2022-11-30\n'
            '[[run]]\nlang = "fr"\nbefore = "2022-13-01"',
            ":6: [[run]] 2 'fr': before '2022-13-01': write a day",
        ),
        (
            '[[run]]\nlang = "en"\nnegatives = "featured"',
            "[[run]] 1 'en': negatives featured needs featured articles, and nobody has looked for "
            "any; run `wikibias detect --signal tag",
        ),
        ('[defaults]\npreset = "tone"\n[[run]]\nlang = "en"', "no preset 'tone'"),
        (
            '[[run]]\nlang = "en"\ntagset = "no"',
            ":3: [[run]] 1 'en': unknown tag set 'no'; did you",
        ),
        ('[[run]]\ntagset = "npov"', ":1: [[run]] 1 '?': lang is missing"),
        ('[defaults]\nworkers = 0\n[[run]]\nlang = "en"', ":2: defaults.workers must be a whole"),
        (
            '[defaults]\nrepository = "a/b"\n[[run]]\nlang = "en"\nout = "x/o"\n'
            '[[run]]\nlang = "fr"\nout = "y/o"',
            ":6: [[run]] 2 'y/o': two folders for a/b are called o",
        ),
        (
            '[[run]]\nlang = "en"\nrepository = "a b"',
            ":3: [[run]] 1 'en': 'a b': no name of a repository",
        ),
        (
            '[[run]]\nlang = "en"\nout = "o"\n[[run]]\nlang = "fr"\nout = "o/fr"',
            "o/fr is, or shares,",
        ),
        (
            '[[run]]\nlang = "en"\nrepository = "a/b"\nprivate = true\n'
            '[[run]]\nlang = "fr"\nrepository = "a/b"\nprivate = false',
            ":7: [[run]] 2 'fr': 'a/b' is private for one run, public for another",
        ),
        ('[[run]]\nlang = "en"\nformat = "wnc"', ":3: [[run]] 1 'en': unknown format 'wnc'"),
        ('[[run]]\nlang = "en"\nkind = "stubs"', ":3: [[run]] 1 'en': unknown kind 'stubs'"),
        (
            '[defaults.signal]\na = 1\n[[run]]\nlang = "en"',
            "defaults.signal must be a list of texts",
        ),
        ('[run]\nlang = "en"', ":1: [run] must be [[run]], as one of several"),
        ('[defaults]\nlang = "en"\n[[run]]\nlang = "en"', ":2: unknown key defaults.lang"),
        ('[[run]]\nlang = "en"\n[text]\nmin_tokns = 1', ":4: unknown key text.min_tokns"),
        ("", "run is missing"),
    ],
)
def test_a_mistake_is_found_before_anything_is_done(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "runs.toml").write_text(text, encoding="utf-8")
    update(tmp_path / "runs.toml").refused(f"{tmp_path}/runs.toml", said, alone=True)
