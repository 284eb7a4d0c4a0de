"""Topic 4: nothing outside of the result is touched, and nothing in it that is somebody else's."""

import bz2
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from fault_checks.checks import Check, Place, Try
from fault_checks.commands import EXTRACT, Ended, Words, wikibias
from fault_checks.results import RESULTS, manifest, wiki
from fault_checks.servers import STATUS, listed, serving

TOPIC = "4 folders"
_MINE = b"this belongs to somebody else"
_NAMES = (
    *("../../victim", "../victim", "a/../../../victim", "..", "", "x\x00y", "x\ny", "/etc/victim"),
    *("~/victim", "CON", "a" * 300, ".hidden", "-rf"),
)


def _made(folder: Path) -> tuple[Path, Path]:
    """Make a result of one part in `folder/deep/out`; return it and the dump."""
    out, dump = folder / "deep" / "out", folder / "a.xml"
    folder.mkdir(exist_ok=True)
    dump.write_bytes(wiki(1, pages=2))
    wikibias(*EXTRACT, "-o", out, dump)
    return out, dump


def _kept(victims: list[Path], ended: Ended) -> tuple[str, bool]:
    lost = [path for path in victims if not path.is_file() or path.read_bytes() != _MINE]
    if lost:
        return f"{len(lost)} of {len(victims)} files are gone or changed", False
    problem = ended.problem((0, 1, 2))
    return problem or "untouched", not problem


def manifests(place: Place) -> Iterator[Try]:
    """A manifest that names parts elsewhere, in each command that reads one."""
    out, dump = _made(place.folder / "result")
    # What a part of this name would be called from the folder of a table.
    victims = [
        out.parent / "victim.parquet",
        out / "victim.parquet",
        out.parent.parent / "victim.parquet",
        out / "transitions" / "..parquet",
    ]
    good = json.dumps(manifest(out))
    commands: dict[str, Words] = {
        "extract": (*EXTRACT, "-o", out, dump),
        "filter": ("filter", "-q", "--restart", "--workers", 1, out),
        "build": ("build", "-q", "--restart", out),
        "status": ("status", out),
    }
    names = _NAMES[:2] if place.quick else _NAMES
    for name in names:
        for command, words in commands.items():
            if place.quick and command != "extract":
                continue
            changed = json.loads(good)
            changed["inputs"].append(dict(changed["inputs"][0], part=name, error="is damaged"))
            (out / "manifest.json").write_text(json.dumps(changed), encoding="utf-8")
            for path in victims:
                path.write_bytes(_MINE)
            yield Try(f"{name[:20]!a}, {command}", *_kept(victims, wikibias(*words)))
    (out / "manifest.json").write_text(good, encoding="utf-8")


def others(place: Place) -> Iterator[Try]:
    """Files of other programs in a result folder: hidden ones, and Parquet files."""
    out, dump = _made(place.folder / "result")
    names = [".notes.tmp", ".x.other.123.tmp", ".manifest.json.other.123.tmp", "mine.parquet"]
    victims = [folder / name for folder in (out, *map(out.joinpath, RESULTS)) for name in names]
    victims += [out / "corpus" / "mine.tsv", out / "mine.txt", out / "transitions" / "mine.txt"]
    words = (*EXTRACT, "-o", out, dump)
    tried: dict[str, Words] = {
        "extract again": words,
        "extract --restart": (*words, "--restart"),
        "filter --restart": ("filter", "-q", "--restart", "--workers", 1, out),
        "build --restart": ("build", "-q", "--restart", out),
        "shard": ("detect", *words[1:], "--shard", "1/1"),
    }
    for name, command in tried.items():
        for path in victims:
            path.write_bytes(_MINE)
        ended = wikibias(*command)
        # A name that begins as our own unfinished files do may be taken for one.
        foreign = [path for path in victims if not path.name.startswith(".manifest.json.")]
        yield Try(name, *_kept(foreign, ended))


def counts(place: Place) -> Iterator[Try]:
    """The same in a folder of template counts."""
    dump, out = place.folder / "a.xml", place.folder / "counts"
    dump.write_bytes(wiki(1, pages=2))
    wikibias("tags", "count", "-q", "--workers", 1, "-o", out, dump)
    victims = [out / folder / ".x.other.123.tmp" for folder in ("", "parts")]
    for path in victims:
        path.write_bytes(_MINE)
    ended = wikibias("tags", "count", "-q", "--workers", 1, "-o", out, dump)
    yield Try("tags count again", *_kept(victims, ended))


def foreign(place: Place) -> Iterator[Try]:
    """A folder that is not ours is refused unless it is empty, but for hidden files; these stay."""
    dump = place.folder / "a.xml"
    dump.write_bytes(wiki(1, pages=2))
    for name in ("notes.txt", ".config/other/.x.other.12.tmp", "transitions/mine.parquet"):
        home = place.folder / f"home{len(name)}"
        victim = home / name
        victim.parent.mkdir(parents=True)
        victim.write_bytes(_MINE)
        for restart in ((), ("--restart",)):
            ended = wikibias(*EXTRACT, *restart, "-o", ".", dump, cwd=home)
            came, held = _kept([victim], ended)
            inside = sorted(path.name for path in home.iterdir())
            if held and ended.code != 2 and not name.startswith("."):
                came, held = f"not refused; now there are {', '.join(inside)}", False
            yield Try(f"-o . beside {name} {' '.join(restart)}", came, held)


def links(place: Place) -> Iterator[Try]:
    """Planted links are not written through."""
    content = bz2.compress(wiki(1))
    sha1 = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    answers = {STATUS: listed("bz2", content, sha1), "/enwiki/20260101/d.xml.bz2": content}
    victim = place.folder / "victim"
    for name in ("d.xml.bz2.part", "d.xml.bz2"):
        out = place.folder / f"out{len(name)}"
        out.mkdir()
        victim.write_bytes(_MINE)
        (out / name).symlink_to(victim)
        with serving(answers) as url:
            words = ("fetch", "--lang", "en", "--date", "20260101", "--base-url", url, "-o", out)
            ended = wikibias(*words, seconds=60)
        yield Try(f"fetch, {name} is a link", *_kept([victim], ended))
    out, dump = _made(place.folder / "result")
    for name in ("manifest.json", "text/train.tsv", "transitions/a.xml.parquet"):
        victim.write_bytes(_MINE)
        (out / name).unlink()
        (out / name).symlink_to(victim)
        ended = wikibias(*EXTRACT, "--restart", "-o", out, dump)
        yield Try(f"extract, {name} is a link", *_kept([victim], ended))


CHECKS = [
    Check(TOPIC, "a manifest that names files elsewhere", manifests, quick=True),
    Check(TOPIC, "other people's files in a result", others),
    Check(TOPIC, "other people's files in counts", counts),
    Check(TOPIC, "a folder that is not ours", foreign),
    Check(TOPIC, "planted links", links),
]
