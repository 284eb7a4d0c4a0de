"""Topic 6: things end, whatever they read from and whoever else is at work."""

import bz2
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import Ended, Running, wikibias
from fault_checks.results import states, tree, wiki
from fault_checks.servers import dripping, endless, serving

TOPIC = "6 endings"
_JUNK = b"no dump at all, and no end of it either " * 1000
# A file system that knows no locks, in the words of portalocker.
_NO_LOCKS = """
class LockException(Exception): ...
class AlreadyLocked(LockException): ...
class LockFlags:
    SHARED, EXCLUSIVE, NON_BLOCKING = 1, 2, 4
def lock(file, flags):
    raise LockException("no locks here")
def unlock(file): ...
"""


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
    read = ("detect", "-q", "--restart", "--lang", "en", "--workers", 1, "-o", out)
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
    tried: dict[str, tuple[object, ...]] = {
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


def servers(place: Place) -> Iterator[Try]:
    """A server that sends a byte a second, or never ends."""
    dump = bz2.compress(wiki(1))
    slow = {
        "/slow.xml.bz2": dripping(dump),
        "/enwiki/20260101/dumpstatus.json": dripping(b'{"version": "0.8", "jobs": {}}' * 20),
        "/endless.xml": endless(b"", _JUNK),
    }
    with serving(slow) as url:
        out = place.folder / "out"
        read = ("detect", "-q", "--lang", "en", "--workers", 1, "-o", out)
        fetch = ("fetch", "--lang", "en", "--date", "20260101", "--base-url", url)
        tried: dict[str, tuple[object, ...]] = {
            "a dump, a byte a second": (*read, f"{url}/slow.xml.bz2"),
            "a status, a byte a second": (*fetch, "-o", place.folder / "f"),
            "a dump without a size that never ends": (*read, f"{url}/endless.xml"),
        }
        for name, words in tried.items():
            ended = wikibias(*words, seconds=400, addresses=3000)
            yield Try(name, *_ended(ended))


def workers(place: Place) -> Iterator[Try]:
    """Workers that are stopped or killed."""
    parts = place.folder / "parts"
    parts.mkdir()
    for number in range(4):
        (parts / f"{number}.xml").write_bytes(wiki(number, pages=60))
    words = ("extract", "-q", "--lang", "en", "--workers", 2)
    good = place.folder / "good"
    wikibias(*words, "-o", good, parts)
    for how in (signal.SIGSTOP, signal.SIGKILL):
        out = place.folder / how.name
        running = Running(*words, "-o", out, parts)
        found = running.workers(2)
        time.sleep(0.5)
        if found:
            with suppress(ProcessLookupError):
                os.kill(found[0], how)
        if how is signal.SIGSTOP:
            # A worker that stands still is waited for, but not when the run is to end.
            time.sleep(2)
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
    Check(TOPIC, "workers that are stopped or killed", workers),
]
