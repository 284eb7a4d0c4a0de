"""Topic 7: nothing is executed, and nothing that a stranger wrote is drawn."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import DETECT, EXTRACT, Ended, wikibias
from fault_checks.results import END, manifest, page, transition, wiki, with_page
from fault_checks.servers import refusing, serving

TOPIC = "7 outputs"
_SOURCE = Path(__file__).resolve().parents[2] / "src"
# Clears the screen, sets its title, rings, and turns the direction of what follows.
_DRAWN = "\x1b[2J\x1b]0;owned\x07\u202egnorw\x9b31m"
_HTML = "<script>alert(1)</script><img src=x onerror=alert(1)>](http://evil.example)`|\n# x"


def _undrawn(ended: Ended) -> tuple[str, bool]:
    problem = ended.problem((0, 1, 2)) or ended.drawn()
    return problem or "escaped", not problem


def terminal(place: Place) -> Iterator[Try]:
    """Terminal escapes in names of files, in manifests, in reasons of servers, in a dump's head."""
    name = f"{_DRAWN}.xml"
    broken = place.folder / name
    broken.write_bytes(wiki(1, pages=1)[:3000])
    out = place.folder / "out"
    yield Try("name of a damaged file", *_undrawn(wikibias(*DETECT, "-o", out, broken)))
    yield Try("status of it", *_undrawn(wikibias("status", out)))
    if place.quick:
        return
    yield Try("name of a file that is not there", *_undrawn(wikibias(*DETECT, f"no{name}")))
    (place.folder / f"{_DRAWN}.txt").write_bytes(b"x")
    ended = wikibias(*DETECT, "-o", place.folder / "odd", place.folder)
    yield Try("name of a file that is no dump", *_undrawn(ended))
    out = place.folder / _DRAWN
    yield Try("name of --out", *_undrawn(wikibias(*DETECT[:1], *DETECT[2:], "-o", out, broken)))
    # XML forbids most control characters, but not the C1 ones, nor those of direction.
    shown = "\x9b2J\x9d0;owned\x9c\u202egnorw"
    dump = place.folder / "head.xml"
    head = wiki(1, pages=1).replace(b"syntheticwiki", shown.encode())
    dump.write_bytes(head.replace(b'xml:lang="en"', f'xml:lang="{shown}"'.encode(), 1))
    for reader in ("fast", "mwxml"):
        out = place.folder / reader
        ended = wikibias("extract", "--lang", "en", "--reader", reader, "-o", out, dump)
        yield Try(f"<dbname> and language, {reader}", *_undrawn(ended))
    bad = place.folder / "bad.xml"
    surrogates = transition("=a" * 90_000, title=f"Bad {shown}")
    bad.write_bytes(with_page(wiki(1), surrogates))
    ended = wikibias("extract", "--lang", "en", "--workers", 1, "-o", place.folder / "b", bad)
    yield Try("title of a page that is named", *_undrawn(ended))
    counted = place.folder / "counts"
    templates = f"{{{{pov{shown}}}}} {{{{pov x}}}}" * 3
    bad.write_bytes(with_page(wiki(1), page(templates)))
    ended = wikibias("tags", "count", "--like", "pov", "-o", counted, bad)
    yield Try("name of a template in tags count", *_undrawn(ended))
    for status in (404, 403, 302):
        with serving({"/enwiki/": refusing(status, _DRAWN)}) as url:
            ended = wikibias("fetch", "--lang", "en", "--base-url", url, "-o", place.folder / "f")
        yield Try(f"reason of a server, {status}", *_undrawn(ended))
    yield from _manifests(place)


def _manifests(place: Place) -> Iterator[Try]:
    out, dump = place.folder / "result", place.folder / "good.xml"
    dump.write_bytes(wiki(1, pages=2))
    wikibias("extract", "-q", "--lang", "en", "-o", out, dump)
    found = manifest(out)
    entry = dict(found["inputs"][0], part=_DRAWN, path=_DRAWN, error=_DRAWN, warnings=[_DRAWN])
    commands = {name: [_DRAWN] for name in found["commands"]}
    tried: dict[str, dict[str, object]] = {
        "inputs": {"inputs": [entry]},
        "commands": {"commands": commands, "corpus": None},
        "settings": {"settings": {_DRAWN: {_DRAWN: _DRAWN}}},
        "setting of a stage": {"settings": {**found["settings"], "build": {"seed": _DRAWN}}},
        "corpus": {"corpus": {_DRAWN: _DRAWN}},
    }
    for name, change in tried.items():
        (out / "manifest.json").write_text(json.dumps({**found, **change}), encoding="utf-8")
        for words in (
            ("status", out),
            ("filter", out),
            ("extract", "--lang", "en", "-o", out, dump),
        ):
            yield Try(f"{name} of a manifest, {words[0]}", *_undrawn(wikibias(*words)))
    (out / "manifest.json").write_text(json.dumps(found), encoding="utf-8")


def card(place: Place) -> Iterator[Try]:
    """The card of a corpus escapes what a dump says of itself."""
    escaped = _HTML.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    dump, out = place.folder / "a.xml", place.folder / "out"
    dump.write_bytes(wiki(1).replace(b"syntheticwiki", escaped.encode()))
    ended = wikibias(*EXTRACT, "-o", out, dump)
    problem = ended.problem()
    text = "" if problem else (out / "README.md").read_text(encoding="utf-8")
    for raw in ("<script", "<img", "](http://evil", "\n# x"):
        bad = problem or (f"{raw.strip()!a} stands in the card" if raw in text else None)
        yield Try(f"{raw.strip()} in <dbname>", bad or "escaped", not bad)


def cells(place: Place) -> Iterator[Try]:
    """No cell of a table for a spreadsheet begins as a formula does, but for numbers."""
    names = ("=cmd!calc", "+1+1", "-2+3", "@SUM(A1)", "=1+1", "-", "+x", "\t=1", "＝1")
    calls = "".join(f"{{{{{name}}}}}" for name in names)
    dump, out = place.folder / "a.xml", place.folder / "counts"
    redirects = b"".join(
        page(
            f"#REDIRECT [[Template:{name}]]",
            number=10_000 + n,
            first=10**7 + n,
            title=f"Template:{name}",
        )
        for n, name in enumerate(names)
    ).replace(b"<ns>0</ns>", b"<ns>10</ns>")
    dump.write_bytes(with_page(wiki(1), page(calls)).replace(END, redirects + END))
    ended = wikibias("tags", "count", "-q", "--workers", 1, "-o", out, dump)
    problem = ended.problem((0,))
    if problem:
        yield Try("tags count", problem, held=False)
    for path in sorted(out.glob("*.tsv")):
        lines = path.read_text(encoding="utf-8").splitlines()
        bad = [cell for line in lines for cell in line.split("\t") if is_formula(cell)]
        came = f"{len(bad)} cells, such as {bad[0]!a}" if bad else "harmless"
        yield Try(path.name, came, not bad)


def is_formula(cell: str) -> bool:
    """Tell whether a spreadsheet would work out a cell."""
    return cell[:1] in tuple("=+-@\t\r") and not cell.lstrip("+-").replace(".", "", 1).isdigit()


def pickles(place: Place) -> Iterator[Try]:
    """No module imports what runs code that somebody else may write."""
    bad = {"pickle", "cloudpickle", "dill", "shelve", "marshal", "submitit"}
    for path in sorted(_SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        names |= {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        found = sorted({name.partition(".")[0] for name in names} & bad)
        if found:
            yield Try(str(path.relative_to(_SOURCE)), f"imports {', '.join(found)}", held=False)
    yield Try("pickle, submitit and the like in src", "imported nowhere", held=True)
    out, dump = place.folder / "out", place.folder / "a.xml"
    dump.write_bytes(wiki(1, pages=1))
    ended = wikibias(*DETECT[:-2], "--engine", "dask", "--workers", 2, "-o", out, dump)
    left = [path.name for path in out.rglob("*") if path.suffix in (".pkl", ".pickle")]
    problem = ended.problem((0,)) or ("leaves " + left[0] if left else None)
    yield Try("files of the cluster engine", problem or "no pickles", not problem)


CHECKS = [
    Check(TOPIC, "terminal escapes", terminal, quick=True),
    Check(TOPIC, "the card of a corpus", card, quick=True),
    Check(TOPIC, "cells that are formulas", cells, quick=True),
    Check(TOPIC, "pickles", pickles),
]
