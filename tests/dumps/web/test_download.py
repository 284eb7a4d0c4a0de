"""Downloads from a real server; `tests/cli/test_fetch.py` makes them to one that misbehaves."""

import hashlib
import os
from collections import deque
from pathlib import Path

import pytest

from server import flooding, saying, serving
from wikibias.dumps.web.catalogue import RemoteStream, checksum, download
from wikibias.dumps.web.http import Web
from wikibias.dumps.web.remote import Remote
from wikibias.errors import FetchError

BODY = b"0123456789" * 9


def remote(url: str) -> Remote:
    """Return what a list would say of the file."""
    return Remote("a.7z", url, len(BODY), "sha1", hashlib.sha1(BODY).hexdigest())


def test_the_rest_of_an_earlier_run_is_used(tmp_path: Path) -> None:
    (tmp_path / "a.7z.part").write_bytes(BODY[:40])
    with serving() as server:
        server.files["/a.7z"] = BODY
        seen: list[int] = []
        download(Web(), remote(f"{server.url}/a.7z"), tmp_path / "a.7z", seen.append)
        assert server.gets("a.7z") == ["bytes=40-"]
    assert (tmp_path / "a.7z").read_bytes() == BODY
    assert (seen[0], seen[-1]) == (40, 90)
    assert checksum(tmp_path / "a.7z", "sha1") == hashlib.sha1(BODY).hexdigest()


def test_other_bytes_than_those_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.7z.part").write_bytes(BODY[:40])
    other = b"HTTP/1.1 206 OK\r\nContent-Length: 70\r\nContent-Range: bytes 20-89/90\r\n\r\n"
    with serving() as server:
        server.answers["/a.7z"] = deque([saying(other + BODY[20:])])
        with pytest.raises(FetchError, match="other bytes than it was asked for"):
            download(Web(), remote(f"{server.url}/a.7z"), tmp_path / "a.7z", lambda size: None)


def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Name and size are all that a later run looks at, which a power failure may leave alone."""
    target, kept = tmp_path / "a.7z", list[bool]()

    def keep(number: int) -> None:
        kept.append(os.fstat(number).st_size == len(BODY) and not target.exists())

    monkeypatch.setattr(os, "fsync", keep)
    with serving() as server:
        server.files["/a.7z"] = BODY
        download(Web(), remote(f"{server.url}/a.7z"), target, lambda size: None)
    assert kept == [True]


def test_it_ends_where_the_server_said_that_the_file_ends() -> None:
    with serving() as server:
        server.files["/a.xml"] = b"x" * 1000
        server.answers["/a.xml"] = deque([flooding()])
        with RemoteStream(f"{server.url}/a.xml") as stream:
            assert stream.readable()
            assert stream.read() == b"x" * 1000
