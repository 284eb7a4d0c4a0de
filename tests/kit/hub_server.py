"""A stand-in for the Hugging Face hub on loopback: it takes repositories and commits."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from server import Loopback, Quiet, running

TOKEN = "hf_of_the_tests"


class Hub(Loopback):
    """Keeps what is uploaded, by repository and file name.

    `refuse` maps the end of a path to a status with which it is answered.
    """

    def __init__(self) -> None:
        super().__init__(Handler)
        self.files: dict[str, dict[str, bytes]] = {}
        self.private: dict[str, bool] = {}
        self.commits: list[str] = []
        self.refuse: dict[str, int] = {}


class Handler(Quiet):
    """Answers one request as the hub does, as far as uploads need it."""

    server: Hub

    def do_GET(self) -> None:
        self._answer(b"")

    def do_HEAD(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b"".join(self._chunks())
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._answer(body)

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _answer(self, body: bytes) -> None:
        hub, path = self.server, self.path.split("?")[0]
        for end, status in hub.refuse.items():
            if path.endswith(end):
                return self._send(status, {"error": "not \x1b[31mtoday"})
        if path == "/api/validate-yaml":
            return self._send(200, {"errors": [], "warnings": []})
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self._send(401, {"error": "Invalid username or password."})
        if path == "/api/whoami-v2":
            return self._send(200, {"name": "me", "type": "user", "auth": {}, "orgs": []})
        if path == "/api/repos/create":
            return self._create(json.loads(body))
        found = re.fullmatch(r"/api/(datasets|models)/([^/]+/[^/]+)(/.*)?", path)
        if not found or found[2] not in hub.files:
            return self._send(404, {"error": "Repository not found"})
        return self._of_repository(found[2], found[3] or "", body)

    def _create(self, asked: dict[str, Any]) -> None:
        name = f"{asked.get('organization') or 'me'}/{asked['name']}"
        kind = "datasets/" if asked.get("type") == "dataset" else ""
        if name in self.server.files:
            return self._send(409, {"error": "exists", "url": f"{self.server.url}/{kind}{name}"})
        self.server.files[name] = {}
        self.server.private[name] = bool(
            asked.get("private") or asked.get("visibility") == "private"
        )
        return self._send(200, {"url": f"{self.server.url}/{kind}{name}", "name": name, "id": name})

    def _of_repository(self, name: str, path: str, body: bytes) -> None:
        if path.startswith("/preupload/"):
            here, modes = self.server.files[name], []
            for file in json.loads(body)["files"]:
                content = here.get(file["path"])
                blob = None if content is None else b"blob %d\0%b" % (len(content), content)
                oid = None if blob is None else hashlib.sha1(blob).hexdigest()
                told = {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False}
                modes.append({**told, "oid": oid})
            return self._send(200, {"files": modes})
        if path.startswith("/commit/"):
            for line in body.splitlines():
                entry = json.loads(line)
                if entry["key"] == "file":
                    content = base64.b64decode(entry["value"]["content"])
                    self.server.files[name][entry["value"]["path"]] = content
            self.server.commits.append(name)
            told = {"commitUrl": f"{self.server.url}/{name}/commit/1", "commitOid": "1" * 40}
            return self._send(200, {**told, "success": True, "hookOutput": ""})
        facts = {"id": name, "private": self.server.private[name], "sha": "0" * 40, "siblings": []}
        return self._send(200, {**facts, "tags": [], "downloads": 0, "likes": 0})

    def _send(self, status: int, told: dict[str, Any]) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """Serve, with a token for it in the environment."""
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with running(Hub()) as serving:
        monkeypatch.setenv("HF_ENDPOINT", serving.url)
        yield serving
