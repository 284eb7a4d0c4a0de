"""Fetching dumps: from a real server on loopback, which serves both families and misbehaves."""

import gzip
import hashlib
import json
import os
import random
import shutil
import signal
import threading
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from clusters import wait_for
from command_to_kill import forked
from exports import Outcome, dumped, export, files, history, packed, rows, start, wikibias
from made_edits import corpus
from results import extract
from server import HEAD, Misbehaviour, Server, dribbling, flooding, saying, serving, silent
from wiki_server import LANG, Wiki, as_new, fill, ids, result, wiki
from wikibias.dumps.web import http
from wikibias.dumps.web.http import USER_AGENT, Web
from wikibias.kits.folders import locked
from wikibias.mediawiki import AT_A_TIME

__all__ = ["as_new", "result", "wiki"]
NAMES = [f"frwiki-20260101-pages-meta-history{n}.xml-p{n}p{n + 9}.7z" for n in range(1, 6)]
FOLDER = "/frwiki/20260101"
CONTENT = "/other/mediawiki_content_history/frwiki/2026-02-01/xml/bzip2"


def content(number: int, size: int = 700_000) -> bytes:
    """Return bytes that stand for a file."""
    return random.Random(number).randbytes(size)


@pytest.fixture
def server() -> Iterator[Server]:
    """A server with the dump of a wiki in five files, in both compressions, and an older one."""
    with serving() as running:
        running.add_history("frwiki", "20260101", {n: content(i) for i, n in enumerate(NAMES)})
        bz2 = {name.replace(".7z", ".bz2"): content(i, 9) for i, name in enumerate(NAMES)}
        running.add_history("frwiki", "20260101", bz2, form="bz2")
        running.add_history("frwiki", "20251201", {"frwiki-20251201-old.xml.7z": b"old"})
        yield running


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What is waited between tries; nothing is really waited, and no server is known before."""
    waited: list[float] = []
    monkeypatch.setattr(http, "_reached", set())  # a closed one's port may have been another's
    monkeypatch.setattr(Web, "pause", lambda self, seconds: waited.append(seconds))
    return waited


def command(server: Server) -> tuple[str, ...]:
    return ("fetch", "--lang", "fr", "--base-url", server.url)


def fetch(server: Server, out: Path, *options: object, stdin: bytes = b"") -> Outcome:
    """Fetch the French dump into `out`."""
    return wikibias(*command(server), "-o", out, *options, stdin=stdin)


def here(out: Path) -> dict[str, bytes]:
    """Return the files in a folder."""
    return {p.name: p.read_bytes() for p in out.iterdir() if p.name != ".lock"}


def whole(server: Server, folder: str = FOLDER, end: str = ".7z") -> dict[str, bytes]:
    """Return what a folder of the server holds, by name."""
    return {
        path.removeprefix(f"{folder}/"): body
        for path, body in server.files.items()
        if path.startswith(f"{folder}/") and path.endswith(end)
    }


def test_history_downloads_the_7z_of_the_newest_dump(server: Server, tmp_path: Path) -> None:
    ended = fetch(server, tmp_path).silent()
    assert here(tmp_path) == whole(server)
    assert "frwiki of 20260101: 5 files, 3.5 MB." in ended.out
    assert f"wikibias extract --lang fr {tmp_path}" in ended.out
    assert server.agents == {USER_AGENT}
    assert "wikibias" in USER_AGENT
    assert server.most_open <= AT_A_TIME
    server.asked.clear()
    assert fetch(server, tmp_path, "--quiet").out == ""
    assert server.gets(".7z") == []


def test_the_folder_is_named_after_wiki_and_date(server: Server, cwd: Path) -> None:
    wikibias("fetch", "--lang", "fr", "--base-url", server.url + "/", "--date", "20251201").well()
    assert here(cwd / "dumps/frwiki-20251201") == {"frwiki-20251201-old.xml.7z": b"old"}


def test_bz2_is_downloaded_on_request_or_without_a_7z(server: Server, tmp_path: Path) -> None:
    fetch(server, tmp_path / "a", "--format", "bz2").well()
    assert here(tmp_path / "a") == whole(server, end=".bz2")
    server.add_history("frwiki", "20260101", {}, status="in-progress")
    fetch(server, tmp_path / "b").well()
    assert here(tmp_path / "b") == here(tmp_path / "a")


def test_content_downloads_the_newest_complete_dump(server: Server, tmp_path: Path) -> None:
    name = "frwiki-2026-0{}-01-p{}p{}.xml.bz2"
    new = {name.format(2, n, n + 9): content(n, 5000) for n in range(4)}
    server.add_content("frwiki", "2026-02-01", new)
    server.add_content("frwiki", "2026-01-01", {name.format(1, 1, 9): b"old"})
    server.add_content("frwiki", "2026-03-01", {name.format(3, 1, 9): b"?"}, success=False)
    fetch(server, tmp_path / "a", "--kind", "content").silent()
    assert here(tmp_path / "a") == new
    for date in ("20260101", "2026-01-01"):
        out = tmp_path / date
        fetch(server, out, "--kind", "content", "--date", date).well()
        assert list(here(out).values()) == [b"old"]


def test_stubs_are_those_of_the_whole_history(server: Server, cwd: Path) -> None:
    kinds = ("meta-history1", "meta-history2", "meta-current", "articles")
    job = {f"frwiki-20260101-stub-{kind}.xml.gz": kind.encode() for kind in kinds}
    server.add_history("frwiki", "20260101", job, job="xmlstubsdump")
    wanted = {name: content for name, content in job.items() if "history" in name}
    stubs = (*command(server), "--kind", "stubs")
    plan = wikibias(*stubs, "--dry-run").silent().out
    assert f"  {server.url}{FOLDER}/frwiki-20260101-stub-meta-history2.xml.gz (0." in plan
    assert "Writes 2 files into dumps/frwiki-20260101-stubs/." in plan
    assert (server.gets(".gz"), [*cwd.iterdir()]) == ([], [])
    ended = wikibias(*stubs)
    # Apart from the history itself, which a run on the folder would read as well.
    assert here(cwd / "dumps/frwiki-20260101-stubs") == wanted
    assert "wikibias detect --signal summary --lang fr dumps/frwiki-20260101-stubs" in ended.out
    assert "2 files" in ended.out
    assert "Nothing to do" in wikibias(*stubs, "--since", "20260101").out
    assert "2 downloaded already" in wikibias(*stubs).out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--date", "20240101"], "no complete history dump of frwiki"),
        (["--date", "newest"], "20260101 or 2026-01-01"),
        (["--date", "2026-13-01"], "--date 2026-13-01: no such day, such as 20260101"),
        (["--since", "20261301"], "neither a date nor a folder; write a date as 20260101"),
        (["--since", "/dev"], "/dev holds no dump of frwiki with a date in its"),
        (["--kind", "content"], "--kind history"),
        (["--kind", "content", "--format", "7z"], "bz2 alone"),
        (["--kind", "stubs", "--format", "bz2"], "gz alone"),
        (["--kind", "stubs"], "no complete stubs dump of frwiki"),
        (["--lang", "bg"], "bgwiki"),
        (["--lang", "frr"], "North Frisian"),
        (["--lang", "enn"], "'en'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_missing_dump_is_an_error_that_names_it(
    options: list[str], said: str, server: Server, tmp_path: Path
) -> None:
    server.add_history("frwiki", "20260101", {}, status="waiting", job="xmlstubsdump")
    language = () if "--lang" in options else ("--lang", "fr")
    out = ("--base-url", server.url, "-o", tmp_path / "o")
    wikibias("fetch", *language, *options, *out).refused(said)
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("address", "said"),
    [("{closed}", "Connection refused"), ("http://no-such-server.invalid", "no-such-server.inv")],
)
def test_without_a_network(address: str, said: str, tmp_path: Path, pauses: list[float]) -> None:
    with serving() as gone:
        pass
    url = address.format(closed=gone.url)
    ended = wikibias("fetch", "--lang", "fr", "--base-url", url)
    reached = f"{url.removeprefix('http://')} cannot be reached ("
    assert "goes on where" not in ended.refused(reached, said, "--base-url", code=1)
    assert ended.err.startswith("Waits 1 s, then tries again (2 of 2): ")
    assert pauses == [1]
    wikibias("-q", "fetch", "--lang", "fr", "--base-url", url).refused(said, code=1, alone=True)


def test_a_server_that_drops_each_connection_is_waited_for(
    server: Server, tmp_path: Path, pauses: list[float]
) -> None:
    server.answers["/frwiki/"] = deque([saying(b"")] * 2)
    ended = fetch(server, tmp_path).well()
    assert pauses == [1, 2]
    assert ended.err.count("Waits ") == 2


def test_a_server_that_was_there_is_waited_for(tmp_path: Path, pauses: list[float]) -> None:
    with serving() as gone:
        gone.files["/a"] = b"here"
        assert Web().text(f"{gone.url}/a") == "here"
    assert fetch(gone, tmp_path / "o").code == 1
    assert len(pauses) == 7


# Only what is new.
def test_a_date_takes_the_newest_finished_dump_after_it_if_there_is_one(
    server: Server, tmp_path: Path
) -> None:
    server.add_history("frwiki", "20260201", {"frwiki-20260201-x.7z": b"x"}, status="waiting")
    server.files["/frwiki/20260301/index.html"] = b""
    for since in ("20260101", "2027-01-01"):
        said = fetch(server, tmp_path / "o", "--since", since).silent().out
        newer = f"is newer than {since.replace('-', '')}.\n"
        assert said == f"Nothing to do: no complete history dump of frwiki {newer}"
    assert not (tmp_path / "o").exists()
    fetch(server, tmp_path / "o", "--since", "2025-12-01").well()
    assert here(tmp_path / "o") == whole(server)


def test_a_folder_of_dumps_or_a_result_gives_the_date(server: Server, tmp_path: Path) -> None:
    dumps, out = tmp_path / "dumps", tmp_path / "out"
    dumps.mkdir()
    pages = [history("Moulin", 1, tag="Non neutre")]
    last = dumped(dumps, pages, "frwiki-20251201-pages-meta-history.xml", lang="fr")
    wikibias("extract", "--lang", "fr", "-q", "-o", out, last).well()
    for number, folder in enumerate((dumps, out)):
        ended = fetch(server, tmp_path / str(number), "--since", folder).well()
        assert here(tmp_path / str(number)) == whole(server)
    assert f"Next: wikibias extract --lang fr -o {out} {tmp_path / '1'}\n" in ended.out
    # What was fetched is not fetched again.
    ended = fetch(server, tmp_path / "1", "--since", tmp_path / "1")
    assert ended.out.startswith("Nothing to do")
    assert "5 downloaded already" in fetch(server, tmp_path / "1", "--since", out).out


@pytest.fixture
def large(server: Server) -> Server:
    """A dump that says it is of 2 GB."""
    path = f"{FOLDER}/dumpstatus.json"
    listed = json.loads(server.files[path])
    for facts in listed["jobs"]["metahistory7zdump"]["files"].values():
        facts["size"] = 400_000_000
    server.files[path] = json.dumps(listed).encode()
    return server


def test_answering_no_downloads_nothing(large: Server, tmp_path: Path) -> None:
    fetch(large, tmp_path / "o").refused("--yes")
    ended = fetch(large, tmp_path / "o", stdin=b"n\n")
    assert ended.code == 1
    assert "Download 2.0 GB to" in ended.out
    assert not (tmp_path / "o").exists()
    assert large.gets(".7z") == []


@pytest.mark.parametrize(("options", "stdin"), [(["--yes"], b""), ([], b"y\n")])
def test_a_yes_starts_it(options: list[str], stdin: bytes, large: Server, tmp_path: Path) -> None:
    """The server holds less than it says, and so none becomes whole."""
    ended = fetch(large, tmp_path / "o", *options, stdin=stdin)
    assert ended.code == 1
    assert len(ended.errors) == 5
    assert len({name for name in NAMES if large.gets(name)}) == 5
    assert not [name for name in here(tmp_path / "o") if name.endswith(".7z")]


def test_too_little_room(large: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = SimpleNamespace(free=1_500_000_000)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    ended = fetch(large, tmp_path / "o", "--yes")
    ended.refused("room for 1.5 GB, but the rest of the dump needs 2.0 GB", code=1)
    assert large.gets(".7z") == []


def test_a_broken_connection_is_resumed(server: Server, tmp_path: Path) -> None:
    server.answers[f"{FOLDER}/{NAMES[1]}"] = deque(["cut", "cut", "cut"])
    waits = fetch(server, tmp_path).well().err.splitlines()
    url = f"{server.url}{FOLDER}/{NAMES[1]}"
    broke = f"Waits 1 s, then tries again (2 of 8): {url}: the connection broke off"
    assert (len(waits), waits[0]) == (3, broke)
    assert here(tmp_path) == whole(server)
    first, *others = server.gets(NAMES[1])
    assert first is None
    starts = [int(str(span).removeprefix("bytes=").removesuffix("-")) for span in others]
    assert len(starts) == 3
    assert 0 < starts[0] < starts[1] < starts[2] < 700_000


def test_repeated_broken_connections_are_an_error(server: Server, tmp_path: Path) -> None:
    """Also where it brings the same half again and again; the other files are fetched."""
    server.ranges = False  # so that it starts over
    server.answers[f"{FOLDER}/{NAMES[2]}"] = deque(["cut", "cut"])
    server.answers[f"{FOLDER}/{NAMES[1]}"] = deque(["cut"] * 100)
    fetch(server, tmp_path).refused(NAMES[1], "same command", code=1)
    assert len(server.gets(NAMES[1])) < 20
    left = here(tmp_path)
    assert left.pop(NAMES[1] + ".part", None) is not None
    assert left == {n: b for n, b in whole(server).items() if n != NAMES[1]}
    # Once it is well again, only that one is fetched.
    del server.answers[f"{FOLDER}/{NAMES[1]}"]
    server.asked.clear()
    server.ranges = True
    assert "4 downloaded already" in fetch(server, tmp_path).well().out
    assert here(tmp_path) == whole(server)
    (span,) = server.gets(".7z")
    assert span is not None


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server(status: int, server: Server, tmp_path: Path, pauses: list[float]) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=500), usegmt=True)
    answers = [(status, {"Retry-After": after}) for after in ("77", later, "soon", "0")]
    server.answers[f"{FOLDER}/{NAMES[0]}"] = deque([(status, {}), *answers])
    server.answers[f"{FOLDER}/dumpstatus.json"] = deque([(status, {})])
    fetch(server, tmp_path).well()
    assert here(tmp_path) == whole(server)
    assert 300 < pauses.pop(3) <= 500
    assert pauses == [1, 1, 77, 8, 16]


def test_a_wrong_checksum_is_retried_once_and_then_an_error(server: Server, tmp_path: Path) -> None:
    body = bytearray(server.files[f"{FOLDER}/{NAMES[2]}"])
    body[1000] ^= 1
    server.files[f"{FOLDER}/{NAMES[2]}"] = bytes(body)
    fetch(server, tmp_path).refused(NAMES[2], "sha1", code=1)
    assert server.gets(NAMES[2]) == [None, None]
    assert here(tmp_path).keys() == set(NAMES) - {NAMES[2]}


def test_a_file_that_is_gone_or_another_is_an_error(server: Server, tmp_path: Path) -> None:
    del server.files[f"{FOLDER}/{NAMES[4]}"]
    fetch(server, tmp_path).refused(f"{NAMES[4]}: the server answers 404", code=1)
    assert len([name for name in here(tmp_path) if name.endswith(".7z")]) == 4
    name = "frwiki-2026-02-01-p1p9.xml.bz2"
    server.add_content("frwiki", "2026-02-01", {name: content(1)})
    server.files[f"{CONTENT}/{name}"] = content(2)
    fetch(server, tmp_path / "c", "--kind", "content").refused("sha256", code=1)
    assert here(tmp_path / "c") == {}


def test_the_rest_of_another_download_is_not_used(server: Server, tmp_path: Path) -> None:
    (tmp_path / f"{NAMES[0]}.part").write_bytes(b"x" * 1000)
    (tmp_path / f"{NAMES[1]}.part").write_bytes(b"x" * 1_000_000)
    (tmp_path / NAMES[2]).write_bytes(b"cut off")
    fetch(server, tmp_path).well()
    assert here(tmp_path) == whole(server)
    assert server.gets(NAMES[0]) == ["bytes=1000-", None]


def test_a_killed_one_is_resumed(server: Server, tmp_path: Path) -> None:
    server.slow = 0.5
    with forked(*command(server), "-o", tmp_path / "o"):
        wait_for(lambda: any(server.gets(name) for name in NAMES))
    for name, body in here(tmp_path / "o").items():
        if name.endswith(".7z"):
            assert body == whole(server)[name]
    server.slow = 0
    fetch(server, tmp_path / "o").well()
    assert here(tmp_path / "o") == whole(server)


def test_a_folder_that_is_in_use_or_cannot_be_made(server: Server, tmp_path: Path) -> None:
    with locked(tmp_path):
        fetch(server, tmp_path).refused("another run")
    (tmp_path / "o").write_text("a file")
    fetch(server, tmp_path / "o" / "dumps").refused("cannot write", code=1)


STATUS = f"{FOLDER}/dumpstatus.json"
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
TO_ITSELF = f"HTTP/1.1 302 Found\r\nLocation: {STATUS}\r\n\r\n".encode()
BOMB = OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(10_000_000))
NO_FILES = b'{"jobs": {"metahistory7zdump": {"status": "done"}}}'
# What a server that means harm answers to a request for a list, and what is said of it.
HOSTILE_LISTS = {
    "a byte now and then": (dribbling(), "; try again later"),
    "chunks of a byte": (dribbling(CHUNKED, b"1\r\nx\r\n"), "; try again later"),
    "a chunk whose size never ends": (dribbling(CHUNKED, b"0"), "; try again later"),
    "a list without end": (flooding(), "which no list of a dump has"),
    "a list without end or length": (flooding(OK + b"\r\n"), "which no list of a dump has"),
    "a head without end": (flooding(OK, b"X-a: b\r\n"), "headers"),
    "a head that comes slowly": (dribbling(OK, b"X"), "takes more than"),
    "go on, go on": (flooding(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "takes more than"),
    "nothing": (silent, "takes more than"),
    "a redirect to itself": ((302, {"Location": STATUS}), "redirects more than 5 times"),
    "a redirect with a body without end": (flooding(TO_ITSELF), "redirects more than 5 times"),
    "a redirect to a file": ((302, {"Location": "file:///etc/passwd"}), "which is not followed"),
    "a redirect to nowhere": ((302, {"Location": "http://[::1/"}), "which is not followed"),
    "a wait of thirty years": ((503, {"Retry-After": "1000000000"}), "asks to wait"),
    "a wait of many digits": ((503, {"Retry-After": "9" * 5000}), "answers 503"),
    "a long reason": (saying(b"HTTP/1.1 500 " + b"n" * 60_000 + b"\r\n\r\n"), "answers 500 nnn"),
    "a web page": (saying(OK + b"\r\n<html><p>Log in"), "a web page"),
    "the half of a list": ("cut", "broke off"),
    "brackets": (saying(OK + b"\r\n" + b"[" * 90_000), "dumpstatus.json is"),
    "an answer in no form": (saying(b"220 mail.example.org ESMTP\r\n"), "220 mail"),
    "compressed without end": (saying(BOMB), "is not as expected"),
}


class TestHostileServers:
    """Whatever a server does, a fetch ends, with one line that says why."""

    @pytest.fixture(autouse=True)
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Wait a fraction of a second where a user waits a minute."""
        monkeypatch.setattr(http, "WINDOW", 0.2)
        monkeypatch.setattr(http, "TIME_OF_A_LIST", 0.4)
        monkeypatch.setattr(http, "_TIMEOUT", 0.5)

    @pytest.mark.parametrize("kind", HOSTILE_LISTS)
    def test_a_list(
        self, kind: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answer, said = HOSTILE_LISTS[kind]
        if said not in ("takes more than", "; try again later"):
            # It ends by itself, however busy the machine is.
            monkeypatch.setattr(http, "TIME_OF_A_LIST", 60)
        server.answers[STATUS] = deque([answer] * 20)  # type: ignore[list-item]
        ended = fetch(server, tmp_path / "o", "--date", "20260101")
        line = ended.refused(f"Error: {server.url}{STATUS}", said, code=1)
        assert len(line) < 600
        assert "bug" not in line
        assert not (tmp_path / "o").exists()

    @pytest.mark.parametrize(
        "answer",
        [dribbling(), dribbling(OK + b"\r\n"), silent],
        ids=["a byte now and then", "without a length", "nothing"],
    )
    def test_a_file_comes_too_slowly(
        self, answer: Misbehaviour, server: Server, tmp_path: Path
    ) -> None:
        """It is an error after some tries; the other files are fetched."""
        server.answers[f"{FOLDER}/{NAMES[1]}"] = deque([answer] * 20)
        line = fetch(server, tmp_path).refused(NAMES[1], code=1)
        assert "bytes a second" in line or "takes more than" in line
        assert len(server.gets(NAMES[1])) == 8
        assert {n for n in here(tmp_path) if n.endswith(".7z")} == set(NAMES) - {NAMES[1]}

    def test_no_more_is_written_than_the_list_says(self, server: Server, tmp_path: Path) -> None:
        server.answers[f"{FOLDER}/{NAMES[1]}"] = deque([flooding(), flooding()])
        fetch(server, tmp_path).refused("checksum is wrong", code=1)
        body = whole(server)[NAMES[2]]
        server.answers[f"{FOLDER}/{NAMES[2]}"] = deque([flooding(HEAD + body)])
        (tmp_path / NAMES[2]).unlink()
        fetch(server, tmp_path).well()
        assert here(tmp_path) == whole(server)

    @pytest.mark.parametrize(
        "name",
        [
            *("../evil.7z", "/etc/evil.7z", ".evil.7z", "a/b.7z", "", "CON"),
            *("frwiki-" + "x" * 300 + ".7z", "frwiki-\x1b]0;evil\x07.7z"),
            *("frwiki-a.7z.part", "Makefile", "frwiki-a.py", "dewiki-a.7z", "frwiki-a/../b.7z"),
            *("http://169.254.169.254/frwiki-a.7z", "frwiki-\u202ea.7z", "C:frwiki-a.7z"),
        ],
        ids=ascii,
    )
    def test_a_name_that_no_dump_has(self, name: str, server: Server, tmp_path: Path) -> None:
        server.add_history("frwiki", "20260101", {name: b"evil"})
        line = fetch(server, tmp_path / "o").refused("not the name of a dump file", code=1)
        assert line.isprintable()
        assert not list(tmp_path.rglob("*evil*"))
        assert not (tmp_path / "o").exists()

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            *(("size", value) for value in (-1, 1e999, 10**40, "9", True, None)),
            *(("sha1", value) for value in ("../../etc/passwd", 5)),
            *((None, status) for status in (b"no json", b"[]", NO_FILES)),
        ],
    )
    def test_a_list_that_is_not_as_expected(
        self, key: str | None, value: Any, server: Server, tmp_path: Path
    ) -> None:
        listed = json.loads(server.files[STATUS])
        if key is not None:
            listed["jobs"]["metahistory7zdump"]["files"][NAMES[0]][key] = value
        server.files[STATUS] = json.dumps(listed).encode() if key else value
        fetch(server, tmp_path / "o").refused("dumpstatus.json is not as expected", code=1)

    def test_two_names_that_differ_by_capitals_alone(self, server: Server, tmp_path: Path) -> None:
        server.add_history("frwiki", "20260101", {"frwiki-a.7z": b"1", "frwiki-A.7z": b"2"})
        fetch(server, tmp_path / "o").refused("twice", code=1)

    @pytest.mark.parametrize("cut", [20, 75], ids=["in a checksum", "in a name"])
    def test_a_list_of_checksums_cut_off(self, cut: int, server: Server, tmp_path: Path) -> None:
        """Or the files after the cut would be missed, and nobody would know."""
        names = [f"frwiki-2026-02-01-p{n}p{n}.xml.bz2" for n in range(3)]
        server.add_content("frwiki", "2026-02-01", dict.fromkeys(names, b"x"))
        sums = f"{CONTENT}/SHA256SUMS"
        server.files[sums] = server.files[sums][:-cut]
        ended = fetch(server, tmp_path / "o", "--kind", "content")
        ended.refused("SHA256SUMS is not as expected (its last line is cut off)", code=1)

    def test_many_dates_cost_few_requests(self, server: Server, tmp_path: Path) -> None:
        links = "".join(f'<a href="{date}/">' for date in range(20260202, 20269999))
        server.files["/frwiki/"] = links.encode()
        assert fetch(server, tmp_path / "o").code == 2
        assert len(server.asked) < 50

    @pytest.mark.parametrize("length", ["-1", "²", "9" * 5000, "a lot"])
    def test_a_url_without_a_size(self, length: str, server: Server, tmp_path: Path) -> None:
        answer = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode("latin-1")
        server.answers["HEAD /a.xml"] = deque([saying(answer)])
        ended = extract(tmp_path / "o", f"{server.url}/a.xml")
        ended.refused("does not tell the size", code=1)

    @pytest.mark.parametrize("kind", ["link", "dangling link", "pipe", "folder"])
    def test_what_lies_there_is_left_alone(self, kind: str, server: Server, tmp_path: Path) -> None:
        victim, folder = tmp_path / "victim", tmp_path / "o"
        folder.mkdir()
        if kind != "dangling link":
            victim.write_text("precious")
        planted = folder / f"{NAMES[0]}.part"
        plant = {"pipe": os.mkfifo, "folder": os.mkdir}
        plant.get(kind, lambda place: place.symlink_to(victim))(planted)
        line = fetch(server, folder).refused(planted.name, code=1)
        assert ("a link, a pipe or a device" in line) == (kind != "folder")
        assert victim.exists() == (kind != "dangling link")
        assert not victim.exists() or victim.read_text() == "precious"

    @pytest.mark.parametrize("family", ["history", "content"])
    def test_an_interrupt_ends_a_slow_fetch(
        self, family: str, server: Server, tmp_path: Path
    ) -> None:
        names = [f"frwiki-2026-02-01-p{n}p{n}.xml.bz2" for n in range(9)]
        server.add_content("frwiki", "2026-02-01", dict.fromkeys(names, b"x"))
        server.answers |= {f"HEAD {CONTENT}/{name}": deque([silent]) for name in names}
        server.answers |= {f"{FOLDER}/{name}": deque([dribbling()]) for name in NAMES}
        process = start(*command(server), "--kind", family, "-o", tmp_path / "o")
        wait_for(lambda: server.open >= AT_A_TIME)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert (process.returncode, "Traceback" in err) == (130, False), err


class TestStreaming:
    def test_a_url_that_comes_too_slowly_is_damage(
        self, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(http, "WINDOW", 0.2)
        server.files["/a.xml"] = export([history("Mill", 2)])
        server.answers["/a.xml"] = deque([silent] * 20)
        ended = extract(tmp_path / "o", f"{server.url}/a.xml")
        line = ended.refused("takes more than", code=1)
        assert "fetch it again" not in line

    def test_a_url_is_as_good_as_a_file(self, server: Server, tmp_path: Path) -> None:
        body = packed(export([history(f"Village {n}", 12, topic=n) for n in range(4)]), "bz2")
        (tmp_path / "a.xml.bz2").write_bytes(body)
        extract(tmp_path / "sound", tmp_path / "a.xml.bz2").well()
        server.files["/en/a.xml.bz2"] = body
        server.answers["/en/a.xml.bz2"] = deque(["cut", (503, {}), "cut"])
        url = f"{server.url}/en/a.xml.bz2"
        ended = extract(tmp_path / "o", url).well()
        assert [line for line in ended.err.splitlines() if not line.startswith("Waits ")] == []
        kinds = ("corpus", "edits")
        assert files(tmp_path / "o", *kinds) == files(tmp_path / "sound", *kinds)
        assert len(rows(tmp_path / "o", "corpus")) > 0
        (entry,) = json.loads((tmp_path / "o/manifest.json").read_text())["inputs"]
        assert (entry["path"], entry["part"]) == (url, "a.xml.bz2")
        assert (entry["size"], entry["sha256"]) == (len(body), hashlib.sha256(body).hexdigest())
        # The same again reads nothing; and no copy is anywhere.
        server.asked.clear()
        extract(tmp_path / "o", url).well()
        assert server.asked == []
        assert [path.name for path in tmp_path.rglob("*.bz2")] == ["a.xml.bz2"]

    def test_a_7z_url_and_a_missing_one_are_refused(self, server: Server, tmp_path: Path) -> None:
        server.files["/en/a.xml.7z"] = packed(export([]), "7z")
        ended = extract(tmp_path / "o", f"{server.url}/en/a.xml.7z")
        ended.refused("is a 7z on a server", "wikibias fetch", code=1)
        extract(tmp_path / "o", f"{server.url}/en/a.xml.bz2").refused("404", code=1)

    def test_a_broken_stream_without_ranges_is_damage(self, server: Server, tmp_path: Path) -> None:
        """What came before stays, and the part is marked failed."""
        server.ranges = False
        server.files["/a.xml"] = export([history(f"Village {n}", 20, topic=n) for n in range(9)])
        server.answers["/a.xml"] = deque(["cut"])
        ended = extract(tmp_path / "o", f"{server.url}/a.xml")
        ended.refused("broke off in page 'Village", "cannot go on", code=1)
        assert "fetch it again" not in ended.errors[0]
        assert {row["page_title"] for row in rows(tmp_path / "o", "transitions")} >= {"Village 0"}

    def test_no_more_connections_than_allowed(self, server: Server, tmp_path: Path) -> None:
        server.slow = 0.3
        mill = packed(export([history("Mill", 1)]), "bz2")
        server.files |= {f"/{number}.xml.bz2": mill for number in range(4)}
        urls = [f"{server.url}/{number}.xml.bz2" for number in range(4)]
        wikibias("detect", "--lang", "en", "--workers", 4, "-o", tmp_path / "o", *urls).well()
        assert server.most_open <= AT_A_TIME


# `fetch --revisions`: what it says, and how it ends; see also `pipeline`.
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
    ended = wikibias("fetch", "--revisions", result, "--dry-run")
    assert "https://fr.demo.example/w/api.php" in ended.out


def test_nothing_is_missing(tmp_path: Path) -> None:
    shutil.copytree(corpus(LANG), tmp_path / "r")
    before = files(tmp_path / "r")
    assert "Nothing to do" in wikibias("fetch", "--revisions", tmp_path / "r").silent().out
    assert files(tmp_path / "r") == before
    assert json.loads((tmp_path / "r" / "manifest.json").read_text())["corpus"]


def test_a_folder_that_is_no_result(tmp_path: Path, wiki: Wiki) -> None:
    fill(tmp_path / "gone", wiki).refused("no such folder")
    fill(tmp_path, wiki).refused("no result")
    assert not [*tmp_path.iterdir()]
