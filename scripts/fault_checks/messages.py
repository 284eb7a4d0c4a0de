"""Topic 8: a user's fault is told in one line, and is not called a fault of wikibias."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import EXTRACT, Ended, Running, Words, each, wikibias
from fault_checks.results import wiki
from fault_checks.servers import STATUS, serving

TOPIC = "8 messages"
_FETCH = ("fetch", "--lang", "en", "--base-url")
_DEEP = 100_000
# Contents of a file of settings.
_SETTINGS = {
    "days = nan": b"[reverts]\ndays = nan\n",
    "days = inf": b"[reverts]\ndays = inf\n",
    "days = 1e308": b"[reverts]\ndays = 1e308\n",
    "[build] train = nan": b"[build]\ntrain = nan\n",
    "all shares are nan": b"[build]\ntrain = nan\ndev = nan\ntest = nan\n",
    "shares below 0": b"[build]\ntrain = 2.0\ndev = -0.5\ntest = -0.5\n",
    "a number of 5,000 digits": b"[text]\nmin_tokens = " + b"9" * 5000 + b"\n",
    "a number of 20 digits": b"[text]\nmax_wikitext = " + b"9" * 20 + b"\n",
    "deep settings": b"a = " + b"[" * _DEEP + b"]" * _DEEP + b"\n",
    "deep keys": b"a" + b".a" * 5000 + b" = 1\n",
    "no UTF-8": b"[text]\n# \xff\xfe\nmin_tokens = 6\n",
    "a byte order mark": b"\xef\xbb\xbf[text]\nmin_tokens = 6\n",
    "NUL": b"[text]\0\n",
    "empty": b"",
}
_JSON = {
    "deep": b"[" * _DEEP + b"]" * _DEEP,
    "no JSON": b"{",
    "no UTF-8": b'{"a": "\xff"}',
    "a list": b"[]",
    "a number of 5,000 digits": b'{"settings": ' + b"9" * 5000 + b', "inputs": []}',
    "other types": b'{"settings": [], "inputs": 3, "model": [], "labels": 1}',
    "parts that are numbers": b'{"settings": {}, "inputs": [1, 2]}',
    "parts without a name": b'{"settings": {}, "inputs": [{}]}',
    "empty": b"",
}


def told(ended: Ended) -> tuple[str, bool]:
    """Say whether a user's fault was told in a line, or did no harm."""
    problem = ended.problem((0, 1, 2))
    lines = ended.err.strip().splitlines()
    if problem is None and ended.code and not lines:
        problem = f"exit code {ended.code}, and not a word"
    if problem is None and len([line for line in lines if line.startswith("Error")]) > 1:
        problem = f"{len(lines)} lines of errors"
    return problem or ("one line" if ended.code else "did no harm"), not problem


def settings(place: Place) -> Iterator[Try]:
    """Files of settings with values that are none."""
    dump, file = place.folder / "a.xml", place.folder / "my.toml"
    dump.write_bytes(wiki(1, pages=2))
    names = ("days = nan", "[build] train = nan") if place.quick else tuple(_SETTINGS)
    for number, name in enumerate(names):
        file.write_bytes(_SETTINGS[name])
        out = place.folder / f"out{number}"
        ended = wikibias(*EXTRACT, "--config", file, "-o", out, dump, seconds=60)
        came, fine = told(ended)
        if fine and ended.code == 0 and "nan" in name:
            came, fine = "taken as it is", False
        yield Try(name, came, fine)


def files(place: Place) -> Iterator[Try]:
    """Manifests, models and tables of other people that hold something else."""
    dump, out, model = place.folder / "a.xml", place.folder / "out", place.folder / "model"
    dump.write_bytes(wiki(1, pages=2))
    wikibias(*EXTRACT, "-o", out, dump)
    again = (*EXTRACT, "-o", out, dump)
    good = (out / "manifest.json").read_bytes()
    model.mkdir()
    for name, content in _JSON.items():
        (model / "model.json").write_bytes(content)
        ended = wikibias("predict", model, stdin=dump, seconds=60)
        yield Try(f"model.json: {name}", *told(ended))
        (out / "manifest.json").write_bytes(content)
        yield from _told_by(f"manifest.json: {name}", ("status", out), ("filter", "-q", out), again)
    (out / "manifest.json").write_bytes(good)
    for table in ("transitions", "diffs", "edits"):
        wikibias(*again)
        path = out / table / "a.xml.parquet"
        path.write_bytes(b"PAR1" + b"\0" * 100 + b"PAR1")
        restarted = ("filter", "-q", "--restart", out)
        yield from _told_by(f"{table} is junk", ("status", out), restarted, ("build", "-q", out))
        path.unlink(missing_ok=True)
    junk, counts = place.folder / "junk.tsv", place.folder / "counts"
    junk.write_bytes(b"\xff\xfe\0 no table\n" * 20)
    count = ("tags", "count", "-q", "-o", counts, dump)
    wikibias(*count)
    (counts / "parts" / "a.xml.sqlite").write_bytes(b"SQLite format 3\0" + b"\xff" * 500)
    yield from _told_by(
        "a table is junk",
        ("audit-split", junk, junk),
        ("classify", "--train", junk, "--test", junk, "-o", place.folder / "m"),
        ("tags", "apply", "--lang", "en", junk, "-o", place.folder / "t.toml"),
        ("tags", "suggest", "--lang", "en", "--seed", "POV", place.folder),
        count,
    )


def _told_by(name: str, *commands: Words) -> Iterator[Try]:
    said = {" ".join(map(str, w[: 1 + (w[0] == "tags")])): w for w in commands}
    yield from each({f"{name}, {what}": words for what, words in said.items()}, told, seconds=60)


def names(place: Place) -> Iterator[Try]:
    """Names that are too long, no UTF-8, or no names at all."""
    content = wiki(1, pages=1)
    for length in (225, 215, 240, 251):
        dump = place.folder / f"{'a' * (length - 4)}.xml"
        dump.write_bytes(content)
        out = place.folder / f"out{length}"
        yield Try(f"a name of {length} bytes", *told(wikibias(*EXTRACT, "-o", out, dump)))
        ended = wikibias("tags", "count", "-q", "-o", place.folder / f"n{length}", dump)
        yield Try(f"a name of {length} bytes, tags count", *told(ended))
        if place.quick:
            return
    dump = place.folder / "a.xml"
    dump.write_bytes(content)
    odd = place.folder / os.fsdecode(b"out\xff\xfe")
    strange = place.folder / os.fsdecode(b"d\xff.xml")
    strange.write_bytes(content)
    (place.folder / "folder.xml").mkdir()
    tried: dict[str, Words] = {
        "--out is no UTF-8": (*EXTRACT, "-o", odd, dump),
        "a dump's name is no UTF-8": (*EXTRACT, "-o", place.folder / "o", strange),
        "a folder named as a dump": (
            *EXTRACT,
            "-o",
            place.folder / "p",
            place.folder / "folder.xml",
        ),
        "--out is a file": (*EXTRACT, "-o", dump, dump),
        "--out in /proc": (*EXTRACT, "-o", "/proc/out", dump),
        "--out of 5,000 letters": (*EXTRACT, "-o", place.folder / ("o" * 5000), dump),
        "--lang ../../x": ("extract", "--lang", "../../x", dump),
        "--tagset ../x": (*EXTRACT, "--tagset", "../x", dump),
        "--tagset with NUL": (*EXTRACT, "--tagset", "x\ny", dump),
        "a URL without a host": (*EXTRACT, "-o", place.folder / "u", "http://[::1/x.xml"),
        "a URL of a port": (*EXTRACT, "-o", place.folder / "v", "http://localhost:99999/x.xml"),
        "--base-url is no URL": (*_FETCH, "http://[::1"),
        "--base-url of a file": (*_FETCH, "file:///etc"),
        "--date of letters": (*_FETCH, "http://x.invalid", "--date", "../.."),
        "--limit of 30 digits": (*EXTRACT, "--limit", 10**30, "-o", place.folder / "w", dump),
        "--seed of 30 digits": (*EXTRACT, "--seed", 10**30, "-o", place.folder / "x", dump),
        "--namespace of 30 digits": (
            *EXTRACT,
            "--namespace",
            10**30,
            "-o",
            place.folder / "y",
            dump,
        ),
        "--shard 1/10^30": (*EXTRACT[:1], *EXTRACT[2:], "--shard", f"1/{10**30}", "-o", odd, dump),
    }
    yield from each(tried, told, cwd=place.folder, seconds=60)


def lists(place: Place) -> Iterator[Try]:
    """Lists of a server that are cut, or hold something else."""
    whole = json.dumps({"version": "0.8", "jobs": {"metahistory7zdump": {"status": "done"}}})
    tried = {
        "cut in the middle": whole[:40].encode(),
        "deep": b"[" * _DEEP,
        "a list": b"[]",
        "no files": whole.encode(),
        "files that are numbers": whole.replace('"done"', '"done", "files": 5').encode(),
        "no UTF-8": b"\xff\xfe",
        "empty": b"",
    }
    for name, content in tried.items():
        with serving({STATUS: content}) as url:
            words = ("fetch", "--lang", "en", "--date", "20260101", "--base-url", url)
            ended = wikibias(*words, "-o", place.folder / "f", seconds=60)
        yield Try(f"a status that is {name}", *told(ended))


def killed(place: Place) -> Iterator[Try]:
    """A worker of `tags count` that is killed, as for want of memory."""
    parts = place.folder / "parts"
    parts.mkdir()
    for number in range(4):
        (parts / f"{number}.xml").write_bytes(wiki(number, pages=80))
    running = Running("tags", "count", "-q", "--workers", 2, "-o", place.folder / "out", parts)
    found = running.workers(2)
    time.sleep(0.6)
    if found:
        with suppress(ProcessLookupError):
            os.kill(found[0], signal.SIGKILL)
    came, held = told(running.wait(60))
    yield Try(
        "a worker of tags count", came if found else "no worker was seen", held and bool(found)
    )


CHECKS = [
    Check(TOPIC, "values of settings", settings, quick=True),
    Check(TOPIC, "files that hold something else", files),
    Check(TOPIC, "names and options", names, quick=True),
    Check(TOPIC, "lists of a server", lists),
    Check(TOPIC, "a killed worker of tags count", killed),
]
