"""Files on a server as streams; `tests/cli/test_fetch.py` extracts from them."""

from __future__ import annotations

from collections import deque

from server import flooding, serving
from wikibias.dumps.web.download import RemoteStream


def test_it_ends_where_the_server_said_that_the_file_ends() -> None:
    with serving() as server:
        server.files["/a.xml"] = b"x" * 1000
        server.answers["/a.xml"] = deque([flooding()])
        with RemoteStream(f"{server.url}/a.xml") as stream:
            assert stream.readable()
            assert stream.read() == b"x" * 1000
