"""A mistake of the user's is one line in the user's terms, whatever the command and the option."""

import os
import re
import shlex
import shutil
import signal
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import click
import pytest

from exports import Outcome, dumped, export, files, history, wikibias
from paths import CASES
from sample_sentences import made_up
from wikibias.kits.command import typed

TRIED: dict[str, Any] = tomllib.loads((CASES / "bad_arguments.toml").read_text("utf-8"))
REFUSED = tomllib.loads((CASES / "refusals.toml").read_text("utf-8"))["command"]
# Whatever is tried ends within this many seconds.
LONGEST = 8


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what the names in the cases stand for."""
    folder = tmp_path_factory.mktemp("things")
    xml = export([history("Mill", 3), history("Hill", 3, topic=1)])
    found = {
        "dump": (folder / "a.xml", xml),
        "config": (folder / "c.toml", b"[reverts]\nradius = 15\n"),
        "empty": (folder / "empty", b""),
        "binary": (folder / "binary", bytes(range(256)) * 40),
        "zeroed": (folder / "zeroed", bytes(5000)),
        "deep_json": (folder / "deep.json", b"[" * 100_000),
        "deep_toml": (folder / "deep.toml", b"a = " + b"[" * 100_000),
        "latin1": (folder / "latin1", "name = 'é'\nbiased\té\n".encode("latin-1")),
        "one_line": (folder / "one_line", b"biased " * 20_000),
        "train": (folder / "t.tsv", "".join(f"{a}\t{b}\n" for a, b in made_up(60, 1)).encode()),
    }
    for path, content in found.values():
        path.write_bytes(content)
    names = {name: str(path) for name, (path, _) in found.items()}
    for name in ("folder", "foreign"):
        (folder / name).mkdir()
        names[name] = str(folder / name)
    (folder / "folder/tagsets").mkdir()
    (folder / "foreign/thesis.tex").touch()
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "dangling").symlink_to(folder / "nowhere/at/all")
    names |= {
        **{name: str(folder / name) for name in ("missing", "pipe", "loop", "dangling", "result")},
        "below_a_file": str(folder / "empty/x"),
        "zeros": "/dev/zero",
        "nul": "a\0b",
        "not_utf8": os.fsdecode(b"\xff\xfe"),
        "long": "x" * 300,
        "counts": str(folder / "counts"),
        "model": str(folder / "model"),
        "suggested": str(folder / "counts/suggested-npov-en.tsv"),
    }
    made = [
        ("extract", "--lang", "en", "-o", names["result"], names["dump"]),
        ("tags", "count", "-o", names["counts"], names["dump"]),
        ("tags", "suggest", "--lang", "en", "--seed", "POV", names["counts"]),
        *[("tags", "apply", "-o", str(folder / "en.toml"), names["suggested"])],
        ("classify", "--model", "majority", "-o", names["model"], "--train", names["train"]),
    ]
    for line in made:
        wikibias(*line).well()
    names["tagset"] = str(folder / "en.toml")
    names["parquet"] = str(folder / "foreign.parquet")
    shutil.copy(folder / "counts/aliases.parquet", names["parquet"])
    return names


def filled(word: str, names: Mapping[str, str]) -> str:
    """Return a word of a case with what a {name} in it stands for."""
    return re.sub(r"\{(\w+)\}", lambda found: names[found[1]], word)


@pytest.fixture
def names(things: dict[str, str], cwd: Path) -> dict[str, str]:
    """Return the same, and a folder for results that is not there yet."""
    return {**things, "new": str(cwd / "new")}


def within(run: Callable[[], Outcome]) -> Outcome:
    """Return how a command ended, interrupted where it does not end by itself."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, LONGEST, 1)
    try:
        return run()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def wrong(ended: Outcome) -> str:
    """Return what is wrong with how a command ended, or ""."""
    if re.search("bug in wikibias|Traceback|unexpected", ended.err):
        return "a fault of wikibias"
    if ended.code not in (0, 1, 2):
        return f"exit code {ended.code}"
    if ended.code and len(ended.errors) != 1:
        return f"{len(ended.errors)} lines of errors"
    return ""


def tried(command: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the line of a command with each value in each of its places."""
    for place, kind in command["places"].items():
        for value in TRIED["values"][kind]:
            yield [*command["line"][: int(place)], value, *command["line"][int(place) + 1 :]]


@pytest.mark.parametrize("command", TRIED["command"], ids=lambda command: command["line"][0])
def test_a_mistake_is_one_line(command: dict[str, Any], names: dict[str, str]) -> None:
    said = []
    for line in tried(command):
        ended = within(lambda: wikibias(*(filled(word, names) for word in line)))  # noqa: B023
        said += [(line, wrong(ended), ended.err)] if wrong(ended) else []
    assert said == []


@pytest.mark.parametrize("command", REFUSED, ids=lambda command: command["line"])
def test_what_is_refused_is_said_and_nothing_written(
    command: dict[str, Any], names: dict[str, str], cwd: Path
) -> None:
    for name, content in command.get("files", {}).items():
        (cwd / name).write_text(content, encoding="utf-8")
    before, allowed, failed = files(cwd, "."), command.get("leaves", ()), []
    for words, *said in command["cases"]:
        code = said.pop() if isinstance(said[-1], int) else 2
        line = shlex.split(command["line"].replace("{words}", words))
        ended = within(lambda: wikibias(*(filled(word, names) for word in line)))  # noqa: B023
        told = (ended.code, len(ended.errors), "\x1b" in ended.err) == (code, 1, False)
        told &= all(each in line for line in ended.errors for each in said)
        left = [name for name in files(cwd, ".") if name not in (*before, *allowed)]
        failed += [] if told and not left else [(words, said, ended.code, ended.err, left)]
    assert failed == []
    assert before.items() <= files(cwd, ".").items()


def test_the_same_twice_is_no_mistake_nor_what_may_be_given_again(tmp_path: Path) -> None:
    dump = dumped(tmp_path, [history("Mill", 2)], name="d.xml")
    line = "detect --lang en --lang en --workers 1 --workers=1 --namespace 0 --namespace 4 -q -q"
    wikibias(*line.split(), "-o", tmp_path / "o", dump).silent()


LINE = ["extract", "--shard", "1/2", "--restart", "--shard=2/2", "a dump.xml", "--quiet"]


@pytest.mark.parametrize(
    ("values", "flags", "kept"),
    [
        ((), (), LINE),
        (("--shard",), ("--restart",), ["extract", "a dump.xml", "--quiet"]),
        (("--shar",), ("--rest",), LINE),
    ],
)
def test_options_are_left_out_with_their_values(
    values: tuple[str, ...], flags: tuple[str, ...], kept: list[str]
) -> None:
    with click.Context(click.Command("wikibias"), obj={"arguments": LINE}):
        assert typed(values=values, flags=flags) == ["wikibias", *kept]
