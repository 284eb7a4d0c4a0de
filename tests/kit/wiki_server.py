"""A wiki's action API on loopback, which serves the texts of a dump or those that a result lost."""

import gzip
import hashlib
import json
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from exports import Outcome, rows, wikibias
from made_edits import DUMPS, corpus
from server import Loopback, Quiet, running
from wikibias.dumps.compression.streams import open_part
from wikibias.dumps.web.http import Web
from wikibias.dumps.xml import mwxml_reader
from wikibias.kits import parquet
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.mediawiki import base36_sha1

PATH = "/w/api.php"
# Writes the whole of an answer to a question; the revisions that were asked for are given.
Misbehaviour = Callable[["_Handler", list[int]], None]


@dataclass(slots=True)
class Known:
    """A revision that the wiki knows: of which page, and its text."""

    page: int
    title: str
    text: str


class Wiki(Loopback):
    """A wiki with the revisions of a dump.

    Attributes:
        known: by their ids.
        hidden: revisions whose text is suppressed; a deleted one is not in `known`.
        untold: revisions of which nothing is said.
        longest: characters of text in one answer; more is cut off, with a mark to go on from.
        answers: what to answer to the next questions, in place of the truth.
        asked: the revisions of each question that was answered.
        most_open: the number of questions at a time, at most.
    """

    def __init__(self, known: Mapping[int, Known]) -> None:
        super().__init__(_Handler)
        self.known = dict(known)
        self.hidden: set[int] = set()
        self.untold: set[int] = set()
        self.longest = 8_000_000
        self.answers: deque[Misbehaviour] = deque()
        self.asked: list[list[int]] = []
        self.queries: list[dict[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.open = self.most_open = 0

    @property
    def api(self) -> str:
        return f"{self.url}{PATH}"

    def told(self, query: Mapping[str, str], ids: list[int]) -> dict[str, Any]:
        """Return what the API answers, in the form of version 2."""
        ids = [number for number in ids if number not in self.untold]
        bad = {str(i): {"revid": i, "missing": True} for i in ids if i not in self.known}
        pages: dict[int, dict[str, Any]] = {}
        start, length = int(query.get("rvcontinue", "0|0").partition("|")[2]), 0
        found: dict[str, Any] = {}
        for number in sorted(i for i in ids if i in self.known and i >= start):
            one = self.known[number]
            if length and length + len(one.text) > self.longest:
                found["continue"] = {"rvcontinue": f"{one.page}|{number}", "continue": "||"}
                break
            length += len(one.text)
            page = pages.setdefault(one.page, {"pageid": one.page, "ns": 0, "title": one.title})
            page.setdefault("revisions", []).append(self._revision(number, one.text))
        if "continue" not in found:
            found["batchcomplete"] = True
        query_ = {"badrevids": bad} if bad and not start else {}
        return {**found, "query": {**query_, "pages": list(pages.values())}}

    def _revision(self, number: int, text: str) -> dict[str, Any]:
        about: dict[str, Any] = {"revid": number, "timestamp": "2020-01-01T00:00:00Z"}
        if number in self.hidden:
            return {**about, "sha1hidden": True, "slots": {"main": {"texthidden": True}}}
        main = {"contentmodel": "wikitext", "contentformat": "text/x-wiki", "content": text}
        return {**about, "sha1": hashlib.sha1(text.encode()).hexdigest(), "slots": {"main": main}}


class _Handler(Quiet):
    server: Wiki
    wbufsize = -1  # head and body in one piece

    def do_GET(self) -> None:
        wiki = self.server
        query = {k: v[0] for k, v in parse_qs(urlsplit(self.path).query).items()}
        ids = [int(i) for i in query.get("revids", "").split("|") if i]
        with wiki.lock:
            wiki.open += 1
            wiki.most_open = max(wiki.most_open, wiki.open)
            wiki.queries.append(query)
            wiki.headers.append(dict(self.headers))
            wanted = wiki.answers.popleft() if wiki.answers else None
        try:
            if wanted is not None:
                wanted(self, ids)
            elif urlsplit(self.path).path != PATH:
                self.say(b"<html>Not found</html>", status=404)
            else:
                wiki.asked.append(ids)
                self.tell(wiki.told(query, ids))
        finally:
            with wiki.lock:
                wiki.open -= 1

    def tell(self, answer: object, headers: Mapping[str, str] | None = None) -> None:
        """Answer with an object, packed if the client takes that."""
        body, more = json.dumps(answer, ensure_ascii=False).encode(), dict(headers or {})
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            body, more["Content-Encoding"] = gzip.compress(body, mtime=0), "gzip"
        self.say(body, headers=more)

    def say(self, body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Answer with these bytes."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def refusing(status: int, headers: Mapping[str, str] | None = None) -> Misbehaviour:
    """Answer with a status, such as 429."""
    return lambda handler, ids: handler.say(b"", status, headers)


def telling(answer: object, headers: Mapping[str, str] | None = None) -> Misbehaviour:
    """Answer with this object."""
    return lambda handler, ids: handler.tell(answer, headers)


def saying(body: bytes) -> Misbehaviour:
    """Answer with these bytes."""
    return lambda handler, ids: handler.say(body)


def lagging(seconds: int) -> Misbehaviour:
    """Answer as a wiki whose copies are behind."""
    error = {"code": "maxlag", "info": "Waiting for 10.0.0.1: 7.2 seconds lagged.", "lag": 7.2}
    return telling({"error": error}, {"Retry-After": str(seconds)})


def cut(handler: _Handler, ids: list[int]) -> None:
    """Break the connection in the middle of the answer."""
    handler.close_connection = True
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"batchcomplete"')


def revisions_of(paths: Iterable[Path]) -> dict[int, Known]:
    """Return the revisions of dumps whose texts are known."""
    found: dict[int, Known] = {}
    for path in paths:
        with open_part(str(path)) as (stream, _):
            for page in mwxml_reader.read(stream).pages:
                for revision in page.revisions:
                    if revision.text is not None:
                        found[revision.id] = Known(page.id, page.title, revision.text)
    return found


def wiki_of(known: Mapping[int, Known]) -> AbstractContextManager[Wiki]:
    """Run a wiki during the `with` block."""
    return running(Wiki(known))


LANG = "fr"


@pytest.fixture
def result(tmp_path: Path) -> Path:
    """A result of the French sample whose transitions have lost their texts."""
    out = tmp_path / "r"
    shutil.copytree(corpus(LANG), out)
    for path in (out / "transitions").iterdir():
        without_texts(path)
    return out


@pytest.fixture(scope="module")
def wiki() -> Iterator[Wiki]:
    """The wiki that the sample is a dump of."""
    with wiki_of(revisions_of([DUMPS[LANG]])) as running:
        yield running


@pytest.fixture(autouse=True)
def as_new(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let nothing be really waited, and the wiki be as it was at first."""
    monkeypatch.setattr(Web, "pause", lambda self, seconds: None)
    known = dict(wiki.known)
    for listed in (wiki.asked, wiki.queries, wiki.headers, wiki.answers):
        listed.clear()
    yield
    wiki.known, wiki.hidden, wiki.untold, wiki.most_open = known, set(), set(), 0


def without_texts(path: Path) -> None:
    """Take the texts out of a table, as if it were of a stub dump."""
    meta = parquet.read_meta(path) or {}
    with parquet.writing(path, TRANSITIONS_TABLE, lambda: meta) as writer:
        for row in parquet.read_records(path, TRANSITIONS_TABLE):
            before = row.before_text or ""
            is_first = row.provenance.before_rev_id is None
            writer.write(
                replace(
                    row,
                    before_text="" if is_first else None,
                    after_text=None,
                    before_sha1=None if is_first else base36_sha1(before),
                    after_sha1=base36_sha1(row.after_text or ""),
                )
            )


def fill(result: Path, wiki: Wiki, *options: object) -> Outcome:
    """Run `wikibias fetch --revisions`."""
    return wikibias("fetch", "--revisions", result, "--api", wiki.api, *options)


def ids(result: Path) -> list[int]:
    """Return the revisions of all rows, each once."""
    found = rows(result, "transitions")
    both = [row[side] for row in found for side in ("before_rev_id", "after_rev_id")]
    return sorted({number for number in both if number is not None})
