"""`wikibias plan`: tables and JSON from a status file, by path, by address and by language."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from exports import wikibias
from server import Server, serving
from status_files import status_file

SIZES = {"7z": [900_000_000, 600_000_000], "bz2": [6_000_000_000, 3_000_000_000]}
STATUS = status_file(sizes=SIZES, stubs=1_000_000_000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A status file."""
    path = tmp_path / "dumpstatus.json"
    path.write_text(STATUS, encoding="utf-8")
    return path


@pytest.fixture
def server() -> Iterator[Server]:
    """A server with a dump of the Bulgarian Wikipedia, and one just begun."""
    with serving() as running:
        files = {f"bgwiki-20260101-pages-meta-history{n}.xml.7z": b"x" * n for n in (10, 20)}
        running.add_history("bgwiki", "20260101", files)
        running.add_history("bgwiki", "20260201", {}, status="waiting")
        yield running


class TestTables:
    def test_what_a_dump_would_cost(self, path: Path) -> None:
        ended = wikibias("plan", "--speed", "1", path)
        assert (ended.code, ended.err) == (0, "")
        assert "bgwiki of 20260101, from " in ended.out
        for word in ("detect", "extract", "tags count", "7z", "bz2", "1.5 GB", "9 GB", "256"):
            assert word in ended.out
        assert "Best form: 7z." in ended.out
        assert "Next: wikibias fetch --lang bg --date 20260101 --format 7z" in ended.out

    def test_the_workers_asked_for(self, path: Path) -> None:
        ended = wikibias("plan", "--speed", "1", "--workers", "3", "--workers", "3", path)
        assert ended.code == 0
        assert "3 workers" in ended.out
        assert "256" not in ended.out

    def test_another_project_has_no_next_command(self, tmp_path: Path) -> None:
        path = tmp_path / "status.json"
        path.write_text(status_file("bgwiktionary", sizes=SIZES), encoding="utf-8")
        ended = wikibias("plan", "--speed", "1", path)
        assert ended.code == 0
        assert "Next:" not in ended.out


class TestJson:
    def test_one_object(self, path: Path) -> None:
        ended = wikibias("plan", "--json", "--speed", "1", path)
        assert (ended.code, ended.err) == (0, "")
        found = json.loads(ended.out)
        assert (found["wiki"], found["date"], found["best_form"]) == ("bgwiki", "20260101", "7z")
        assert found["forms"]["7z"]["bytes"] == sum(SIZES["7z"])
        assert found["forms"]["bz2"]["largest_part"] == max(SIZES["bz2"])
        assert found["revisions"]["mid"] == pytest.approx(1e9 / 84, rel=0.001)

    def test_the_speed_is_measured_here(self, path: Path) -> None:
        found = json.loads(wikibias("plan", "--json", path).out)
        assert 0.001 < found["speed"] < 1000

    def test_the_same_from_a_server(self, server: Server, path: Path) -> None:
        address = f"{server.url}/some/dumpstatus.json"
        server.files["/some/dumpstatus.json"] = STATUS.encode()
        one, other = (
            json.loads(wikibias("plan", "--json", "--speed", "1", where).out)
            for where in (path, address)
        )
        assert one | {"source": address} == other

    def test_by_language_the_newest_complete_dump(self, server: Server) -> None:
        command = ("plan", "--json", "--speed", "1", "--lang", "bg", "--base-url", server.url)
        for options in ((), ("--date", "2026-01-01")):
            found = json.loads(wikibias(*command, *options).out)
            assert (found["date"], found["forms"]["7z"]["bytes"]) == ("20260101", 30)
            assert set(found["forms"]) == {"7z"}


class TestErrors:
    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ([], "give either --lang"),
            (["--lang", "bg", "x.json"], "give either --lang"),
            (["x.json"], "no such file"),
            (["--date", "20260101", "x.json"], "--date and --family go with --lang"),
            (["--family", "content", "x.json"], "--date and --family go with --lang"),
            (["--lang", "bulgarian"], "unknown language 'bulgarian'"),
            (["--workers", "0", "x.json"], "--workers"),
            (["--speed", "0", "x.json"], "--speed"),
            (["--speed", "nan", "x.json"], "--speed must be a number"),
        ],
        ids=" ".join,
    )
    def test_wrong_usage(self, options: list[str], said: str) -> None:
        ended = wikibias("plan", *options)
        assert (ended.code, ended.out) == (2, "")
        assert said in ended.err

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (STATUS[: len(STATUS) // 2], "download dumpstatus.json again"),
            ("<html></html>", "a web page"),
            (status_file(state="in-progress"), "not complete (7z: in-progress"),
            (status_file(sizes={"7z": [0]}), "is empty"),
        ],
        ids=["half", "page", "begun", "empty"],
    )
    def test_no_status_file_of_a_whole_dump(self, content: str, said: str, tmp_path: Path) -> None:
        path = tmp_path / "s.json"
        path.write_text(content, encoding="utf-8")
        ended = wikibias("plan", path)
        assert (ended.code, ended.out) == (2, "")
        (line,) = ended.errors
        assert said in line
        assert str(path) in line

    def test_a_file_that_may_not_be_read(self, path: Path, tmp_path: Path) -> None:
        path.chmod(0)
        if os.access(path, os.R_OK):
            pytest.skip("the user of this test may read everything")
        ended = wikibias("plan", path)
        assert ended.code == 2
        assert "Permission denied" in ended.errors[0]

    def test_a_folder_and_a_lost_address(self, tmp_path: Path, server: Server) -> None:
        for where in (tmp_path, f"{server.url}/nowhere.json"):
            ended = wikibias("plan", where)
            assert ended.code == 2
            assert str(where) in ended.errors[0]

    def test_a_dump_that_the_server_has_not(self, server: Server) -> None:
        for language in ("bg", "fr"):
            options = ("--lang", language, "--date", "20250101", "--base-url", server.url)
            ended = wikibias("plan", *options)
            assert ended.code == 2
            assert f"no complete history dump of {language}wiki" in ended.errors[0]


def test_a_binary_file_is_no_status_file(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    ended = wikibias("plan", tmp_path / "binary")
    assert ended.code == 2
    assert "it is no status file of a dump; give its dumpstatus.json" in ended.err


def test_a_wiki_whose_language_is_not_configured(tmp_path: Path) -> None:
    """The Simple English Wikipedia is one."""
    path = tmp_path / "status.json"
    path.write_text(status_file("simplewiki", sizes=SIZES), encoding="utf-8")
    said = wikibias("plan", "--speed", "1", path).out.splitlines()[-1]
    assert said.startswith(
        "Next: wikibias has no language 'simple'; if this is a Wikipedia, add it"
    )
    assert "then: wikibias fetch --lang simple --date 20260101 --format 7z" in said
