"""`wikibias fetch --revisions`: what it says, and how it ends; see also `pipeline`."""

import json
import shutil
import signal
import threading
from pathlib import Path

import pytest

from exports import files, rows, start, wikibias
from made_edits import corpus
from wiki_server import LANG, Wiki, as_new, fill, ids, result, wiki

__all__ = ["as_new", "result", "wiki"]


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_stopped_goes_on(ending: signal.Signals, result: Path, wiki: Wiki) -> None:
    waits, goes_on = threading.Event(), threading.Event()

    def never(handler: object, asked: list[int]) -> None:
        waits.set()
        goes_on.wait(30)

    wiki.answers.extend([lambda handler, asked: handler.tell(wiki.told({}, asked)), never])
    before = files(result)
    process = start("fetch", "--revisions", result, "--api", wiki.api)
    assert waits.wait(20)
    process.send_signal(ending)
    _, err = process.communicate(timeout=20)
    goes_on.set()
    if ending == signal.SIGINT:
        assert process.returncode == 130
        assert err.splitlines()[-1].startswith("Interrupted. The same command does what is left")
    assert files(result) == before
    wiki.asked.clear()
    fill(result, wiki).well()
    assert wiki.asked == [ids(result)[50:]]
    assert rows(result, "transitions") == rows(corpus(LANG), "transitions")


def test_a_dry_run_writes_and_asks_nothing(result: Path, wiki: Wiki) -> None:
    before = {path: path.stat().st_mtime_ns for path in result.rglob("*")}
    ended = fill(result, wiki, "--dry-run")
    assert ended.out.splitlines() == [
        "Dry run: nothing is asked for, and nothing is written.",
        "71 revisions without a text.",
        f"Asks for 71, in 2 requests: {wiki.api}",
    ]
    assert {path: path.stat().st_mtime_ns for path in result.rglob("*")} == before
    assert wiki.queries == []
    # Without --api it is that of the wiki that the dump names.
    assert (
        "https://fr.demo.example/w/api.php"
        in wikibias("fetch", "--revisions", result, "--dry-run").out
    )


def test_nothing_is_missing(tmp_path: Path) -> None:
    shutil.copytree(corpus(LANG), tmp_path / "r")
    before = files(tmp_path / "r")
    assert "Nothing to do" in wikibias("fetch", "--revisions", tmp_path / "r").silent().out
    assert files(tmp_path / "r") == before
    assert json.loads((tmp_path / "r" / "manifest.json").read_text())["corpus"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--api", "http://["], "https://WIKI/w/api.php"),
        (["--lang", "fr"], "--lang does not go with --revisions"),
        (["--out", "x"], "--out does not go with --revisions"),
        (["--since", "20260101"], "--since does not go with --revisions"),
        (["--family", "stubs"], "--family does not go with --revisions"),
        (["--base-url", "https://dumps.example"], "--base-url does not go with --revisions"),
    ],
)
def test_wrong_usage_is_one_line(options: list[str], said: str, result: Path) -> None:
    wikibias("fetch", "--revisions", result, *options).refused(said)


def test_a_folder_that_is_no_result(tmp_path: Path, wiki: Wiki) -> None:
    (tmp_path / "empty").mkdir()
    for folder, said in ((tmp_path / "gone", "no such folder"), (tmp_path / "empty", "no result")):
        fill(folder, wiki).refused(said)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]
    assert not [*(tmp_path / "empty").iterdir()]
