"""The server: where it listens, what it shows, and how it ends."""

from __future__ import annotations

import http.client
import os
import signal
import socket
from pathlib import Path

import pytest

from labelling_server import serving
from wikibias.errors import UsageError
from wikibias.research.annotation.labelling.server import Guard, address_of, listening


def test_any_free_port_is_found_for_0() -> None:
    with listening("127.0.0.1", 0) as found:
        port = found.getsockname()[1]
        assert address_of(found, Guard("127.0.0.1")) == f"http://127.0.0.1:{port}/"


def test_the_address_holds_the_token() -> None:
    with listening("127.0.0.1", 0) as found:
        port = found.getsockname()[1]
        shown = address_of(found, Guard("0.0.0.0", "secret"))
        assert shown == f"http://{socket.gethostname()}:{port}/?token=secret"


def test_a_port_that_is_taken_is_said_in_a_line() -> None:
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match="give another --port"), listening("127.0.0.1", port):
            pass


def test_a_host_of_another_machine_is_said_in_a_line() -> None:
    with pytest.raises(UsageError, match="cannot listen on"), listening("192.0.2.1", 0):
        pass


def write_tasks(folder: Path) -> None:
    (folder / "tasks.jsonl").write_text('{"item": "s1", "text": "The mill is fine."}\n')


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_and_ends_with_one_line(tmp_path: Path, how: signal.Signals) -> None:
    write_tasks(tmp_path)
    with serving(tmp_path, "tasks.jsonl", "--port", "0") as server:
        connection = http.client.HTTPConnection("127.0.0.1", int(server.port), timeout=10)
        connection.request("GET", "/")
        reply = connection.getresponse()
        assert reply.status == 200
        assert reply.getheader("server") is None
        code, said = server.end(how)  # with the connection still open
        connection.close()
    assert code == 0
    assert said.splitlines() == [
        "Answers go to tasks.db at once. Ctrl-C ends.",
        "0 answers by 0 annotators in tasks.db.",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tasks.db", "tasks.jsonl"]
