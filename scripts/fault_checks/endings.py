"""Topic 6: things end, whatever they read from and whoever else is at work."""

import bz2
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from io import BytesIO
from pathlib import Path

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import DETECT, Ended, Running, Words, each, wikibias
from fault_checks.results import states, tree, wiki
from fault_checks.servers import STATUS, dripping, endless, serving
from labelling_server import serving as at_labelling
from make_stub_dump import stub_pieces
from wikibias.research.annotation.tasks import load_guidelines

TOPIC = "6 endings"
_JUNK = b"no dump at all, and no end of it either " * 1000


@contextmanager
def _fed(path: Path, block: bytes) -> Iterator[Path]:
    """Make a pipe with a name, into which a thread writes without end while the block lasts."""
    os.mkfifo(path)

    def feed() -> None:
        with suppress(OSError), path.open("wb", buffering=0) as pipe:
            while True:
                pipe.write(block)

    threading.Thread(target=feed, daemon=True).start()
    yield path


def _ended(ended: Ended, codes: tuple[int, ...] = (1, 2)) -> tuple[str, bool]:
    problem = ended.problem(codes)
    if problem is None and ended.memory > 1000:
        problem = f"{ended.memory:.0f} MB"
    return problem or "ended", not problem


def devices(place: Place) -> Iterator[Try]:
    """Pipes with junk, empty pipes' names, and devices that never end, wherever a file is read."""
    out = place.folder / "out"
    read = (*DETECT, "--restart", "-o", out)
    number = 0
    for form in ("xml",) if place.quick else ("xml", "xml.bz2", "xml.gz", "xml.7z", "xml.zst"):
        for reader in ("fast",) if place.quick else ("fast", "mwxml"):
            number += 1
            with _fed(place.folder / f"junk{number}.{form}", _JUNK) as pipe:
                ended = wikibias(*read, "--reader", reader, pipe, seconds=60, addresses=3000)
            yield Try(f"junk from a pipe, {form}, {reader}", *_ended(ended))
    ended = wikibias(*read, "-", stdin=Path("/dev/zero"), seconds=60, addresses=3000)
    yield Try("/dev/zero at standard input", *_ended(ended))
    if place.quick:
        return
    model = place.folder / "m"
    zero = "/dev/zero"
    corpus = place.folder / "c.tsv"
    corpus.write_text("biased\tone\nneutral\ttwo\n")
    tried: dict[str, Words] = {
        "detect": (*read, zero),
        "tags count": ("tags", "count", "-q", "-o", place.folder / "n", zero),
        "--config": ("extract", "--lang", "en", "--config", zero, place.folder),
        "classify --train": ("classify", "--train", zero, "--test", corpus, "-o", model),
        "audit-split": ("audit-split", zero, corpus),
        "tags apply": ("tags", "apply", zero, "-o", place.folder / "t.toml"),
    }
    for name, words in tried.items():
        ended = wikibias(*words, seconds=60, addresses=3000, cwd=place.folder)
        # Where nothing is decided, nothing is to be done.
        codes = (0, 1, 2) if name == "tags apply" else (1, 2)
        yield Try(f"/dev/zero for {name}", *_ended(ended, codes))


def labelling(place: Place) -> Iterator[Try]:
    """Other hosts, senseless answers and half a request at the labelling server: none is kept."""
    tasks = place.folder / "tasks.jsonl"
    tasks.write_text('{"item": "s1", "text": "The mill is fine."}\n')
    own = {"Host": "localhost", "X-Wikibias": "1", "Content-Type": "application/json"}
    places = range(len(load_guidelines("bias").practice) + 1)
    *learning, said = (b'{"place": %d, "answers": {"bias": "biased"}}' % at for at in places)
    tried: dict[str, tuple[dict[str, str], bytes]] = {
        **{f"our practice {number}": ({}, each) for number, each in enumerate(learning)},
        "another host": ({"Host": "evil.example"}, said),
        "a host behind ours": ({"Host": "localhost:1@evil.example"}, said),
        "another site": ({"Origin": "http://evil.example"}, said),
        "a form": ({"Content-Type": "text/plain"}, said),
        "no JSON": ({}, b"{"),
        "deep": ({}, b"[" * 50_000),
        "a list": ({}, b"[]"),
        "another item": ({}, said.replace(b'e": ', b'e": 9')),
        "another answer": ({}, said.replace(b"biased", b"x")),
        "half a character": ({}, said.replace(b"biased", rb"\ud800")),
        "our page": ({}, said),
    }
    with at_labelling(place.folder, tasks.name, "--port", "0") as server:
        where = ("127.0.0.1", int(server.port))
        left = list[socket.socket]()
        for _ in range(10 if place.quick else 300):
            silent = socket.create_connection(where)
            silent.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n")
            left.append(silent)
        for name, (headers, body) in tried.items():
            connection = HTTPConnection(*where, timeout=20)
            connection.request("POST", "/api/answer?as=a", body, {**own, **headers})
            status = connection.getresponse().status
            held = status == 200 if name.startswith("our ") else 400 <= status < 500
            yield Try(name, f"status {status}", held)
        code, shown = server.end(signal.SIGINT)
    held = code == 0 and "\n1 answer by 1 annotator" in shown and "Traceback" not in shown
    yield Try("the end of it", "one answer" if held else shown[-200:], held)


def servers(place: Place) -> Iterator[Try]:
    """A server that sends a byte a second, or never ends."""
    dump = bz2.compress(wiki(1))
    slow = {
        "/slow.xml.bz2": dripping(dump),
        STATUS: dripping(b'{"version": "0.8", "jobs": {}}' * 20),
        "/endless.xml": endless(b"", _JUNK),
        "/w/api.php": dripping(b'{"query": {"pages": []}}' * 20),
    }
    stubs, bare = place.folder / "stubs.xml", place.folder / "bare"
    stubs.write_bytes(b"".join(stub_pieces(BytesIO(wiki(1)))))
    wikibias(*DETECT, "--signal", "summary", "-o", bare, stubs)
    with serving(slow) as url:
        out = place.folder / "out"
        read = (*DETECT, "-o", out)
        fetch = ("fetch", "--lang", "en", "--date", "20260101", "--base-url", url)
        tried: dict[str, Words] = {
            "a dump, a byte a second": (*read, f"{url}/slow.xml.bz2"),
            "a status, a byte a second": (*fetch, "-o", place.folder / "f"),
            "a dump without a size that never ends": (*read, f"{url}/endless.xml"),
            "an API, a byte a second": ("fetch", "--revisions", bare, "--api", f"{url}/w/api.php"),
        }
        yield from each(tried, _ended, seconds=600, addresses=3000)


def workers(place: Place) -> Iterator[Try]:
    """Workers that are stopped or killed."""
    parts = place.folder / "parts"
    parts.mkdir()
    for number in range(4):
        (parts / f"{number}.xml").write_bytes(wiki(number, pages=60))
    words = ("extract", "-q", "--lang", "en", "--workers", 2)
    good = place.folder / "good"
    wikibias(*words, "-o", good, parts)
    # At once, the command may not know yet that it has a second worker.
    for how, wait in ((signal.SIGSTOP, 0), (signal.SIGSTOP, 0.5), (signal.SIGKILL, 0.5)):
        out = place.folder / f"{how.name} {wait}"
        running = Running(*words, "-o", out, parts)
        found = running.workers(2)
        time.sleep(wait)
        for pid in found if wait == 0 else found[:1]:
            with suppress(ProcessLookupError):
                os.kill(pid, how)
        if how is signal.SIGSTOP:
            # A worker that stands still is waited for, but not when the run is to end.
            time.sleep(4 * wait)
            os.kill(running.process.pid, signal.SIGINT)
            ended = running.wait(30)
            problem = "did not end" if ended.code is None else None
            left = [pid for pid in found if Path(f"/proc/{pid}/cmdline").exists()]
            time.sleep(1)
            left = [pid for pid in left if _is_alive(pid)]
            problem = problem or ("a worker is left behind" if left else None)
            yield Try("a worker is stopped, then Ctrl-C", problem or "ended", not problem)
        else:
            ended = running.wait(120)
            problem = ended.problem((0,))
            if not problem and set(states(out).values()) != {"whole"}:
                problem = "a part is missing"
            yield Try("a worker is killed", problem or "done by another", not problem)
        again = wikibias(*words, "-o", out, parts)
        problem = again.problem((0,))
        if not problem and tree(out) != tree(good):
            problem = "other bytes than an undisturbed run"
        yield Try(f"{how.name}, then again", problem or "the same bytes", not problem)


def _is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


CHECKS = [
    Check(TOPIC, "junk without end, and devices", devices, quick=True),
    Check(TOPIC, "servers without end", servers),
    Check(TOPIC, "strangers at the labelling server", labelling, quick=True),
    Check(TOPIC, "workers that are stopped or killed", workers),
]
