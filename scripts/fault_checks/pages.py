"""Topic 1: one bad page is one bad page, and a part that cannot be read is one part."""

import re
from collections.abc import Iterator
from pathlib import Path

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import EXTRACT, Ended, wikibias
from fault_checks.results import corpus, manifest, states, transition, wiki, with_page

TOPIC = "1 pages"
_ENGINES = {
    "1 worker": ("--workers", "1"),
    "2 workers": ("--workers", "2"),
    "Dask": ("--engine", "dask", "--workers", "2"),
}
# Pages that stopped a run of all parts, by what is wrong with them.
PAGES = {
    "lone surrogates": transition("x", "&#xD83D;&#xDE00; &#xDC00; smiling"),
    "a page id of 2^63": transition("x", number=1 << 63),
    "a revision id of 2^63": transition("x", first=1 << 63),
    "an id of 5,000 digits": transition("x", number="9" * 5000),
    "a year before 1000": transition("x", year="0999"),
    "a year that is none": transition("x", year="0000"),
    "=a=a=a, 180 KB in a line": transition("=a" * 90_000),
    "{{a| 180 KB": transition("{{a|" * 45_000),
}
_HUGE = transition("{{x|y=z}}\n" * 150_000)
# Megabytes of addresses in which a good page has room, and 150,000 calls have not.
_LITTLE = 2500


def _broken_base(dump: bytes) -> bytes:
    start, end = dump.index(b"<base>"), dump.index(b"</base>")
    return dump[:start] + b"<base>https://[::1/wiki" + dump[end:]


# Parts of which nothing can be read, or that are odd as a whole.
PARTS = {
    "<base> is no URL": _broken_base(wiki(2)),
    "an unknown encoding": b'<?xml version="1.0" encoding="klingon"?>\n' + wiki(2),
    "no XML": b"Not found.\n" * 50,
}


def _others(seed: int) -> bytes:
    """Return a dump of pages of its own: of the same, only those of the newest part count."""
    return re.sub(rb"(<(id|parentid|origin)>)", rb"\g<1>%d000" % seed, wiki(seed))


def written(folder: Path, middle: bytes | None) -> Path:
    """Write three parts, or two, and return their folder."""
    folder.mkdir(parents=True)
    for name, content in zip("abc", (_others(1), middle, _others(3)), strict=True):
        if content is not None:
            (folder / f"{name}.xml").write_bytes(content)
    return folder


def extract(out: Path, parts: Path, *options: object, addresses: int = 6000) -> Ended:
    """Extract three parts."""
    return wikibias(*EXTRACT[:-2], *options, "-o", out, parts, seconds=120, addresses=addresses)


def judged(ended: Ended, out: Path, wanted: dict[str, bytes]) -> tuple[str, bool]:
    """Say what came out of a run whose part `b` is hostile; `wanted` is the corpus without that."""
    problem = ended.problem()
    if problem:
        return problem, False
    found = states(out)
    if found["a.xml"] != "whole" or found["c.xml"] != "whole":
        return f"the good parts are {found['a.xml']} and {found['c.xml']}", False
    if ended.code == 0:
        return "read like any other", found["b.xml"] == "whole"
    bad = next(entry for entry in manifest(out)["inputs"] if entry["part"] == "b.xml")
    named = bad["error"] or bad.get("unreadable")
    if not named:
        return f"exit code 1, but nothing is named: {ended.error}", False
    if corpus(out) != wanted:
        return "named, but another corpus than without it", False
    return ("the part is named" if bad["error"] else "the page is named"), True


def _each(place: Place, hostile: dict[str, tuple[bytes, bytes | None]]) -> Iterator[Try]:
    """Try hostile middle parts on each engine; each comes with the part as it is without fault."""
    wanted: dict[bytes | None, dict[str, bytes]] = {}
    for number, (name, (middle, without)) in enumerate(hostile.items()):
        if without not in wanted:
            good = place.folder / f"good{number}"
            extract(good / "out", written(good / "parts", without), "--workers", 1)
            wanted[without] = corpus(good / "out")
        bad = place.folder / f"bad{number}"
        parts = written(bad / "parts", middle)
        for engine, options in _ENGINES.items():
            if place.quick and engine != "1 worker":
                continue
            little = _LITTLE if middle is _LITTLE_PART and engine == "1 worker" else 6000
            ended = extract(bad / engine, parts, *options, addresses=little)
            came, held = judged(ended, bad / engine, wanted[without])
            yield Try(f"{name}, {engine}", came, held)


_READABLE = "lone surrogates"
_LITTLE_PART = with_page(wiki(2), _HUGE)


def pages(place: Place) -> Iterator[Try]:
    """Three parts, one bad page in the middle one: the rest is done, and the same corpus built."""
    good = wiki(2)
    if place.quick:
        middle = good
        for number, (name, content) in enumerate(PAGES.items()):
            own = content.replace(b"<id>900<", b"<id>%d<" % (900 + number))
            middle = with_page(middle, own)
            # Its sentences can be read, and go into the corpus.
            good = with_page(good, own) if name == _READABLE else good
        yield from _each(place, {"all of them in one part": (middle, good)})
        return
    hostile = {name: (with_page(good, content), good) for name, content in PAGES.items()}
    yield from _each(place, {**hostile, "a page beyond the memory": (_LITTLE_PART, good)})


def parts(place: Place) -> Iterator[Try]:
    """Three parts, the middle one unreadable as a whole."""
    chosen = dict(list(PARTS.items())[:1]) if place.quick else PARTS
    hostile: dict[str, tuple[bytes, bytes | None]] = {n: (c, None) for n, c in chosen.items()}
    yield from _each(place, hostile)


def again(place: Place) -> Iterator[Try]:
    """What cannot be read does not stop the run that goes on, either."""
    folder = written(place.folder / "parts", with_page(wiki(2), PAGES["=a=a=a, 180 KB in a line"]))
    for name in ("first", "second"):
        ended = extract(place.folder / "out", folder, "--workers", 2)
        problem = ended.problem()
        advice = "--workers" in ended.err and "fewer" in ended.err
        came = problem or ("advises fewer --workers" if advice else "ended as the first did")
        yield Try(f"{name} run", came, not problem and not advice)


CHECKS = [
    Check(TOPIC, "a bad page in one of three parts", pages, quick=True),
    Check(TOPIC, "a bad part among three", parts, quick=True),
    Check(TOPIC, "a bad page, and the same command again", again),
]
