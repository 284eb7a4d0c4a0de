"""Damages dumps and kills runs at random, checks the results, and prints them as a table.

    python scripts/faults.py [--damages 200] [--kills 20] [--seed 0]

A damaged part must be marked failed, or be marked whole with exactly the rows of the intact dump.
The rows of a failed part are compared too; they may differ if the archive has a checksum only at
its end. A killed run that is resumed must give the same bytes as an undisturbed run.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import py7zr
import pyarrow.parquet as pq

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
SAMPLE = SAMPLES / "demoenwiki-20260101-pages-meta-history.xml.7z"
FORMS = ("bz2", "7z", "gz")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
RESULTS = ("transitions", "diffs", "edits", "rejects", "corpus")
Row = tuple[object, ...]


def sample() -> bytes:
    """Return the XML of the English sample dump."""
    with py7zr.SevenZipFile(SAMPLE) as archive, tempfile.TemporaryDirectory() as folder:
        archive.extractall(folder)
        return next(Path(folder).iterdir()).read_bytes()


def compressed(xml: bytes, form: str) -> bytes:
    """Return compressed XML; bz2 in small blocks, so that intact blocks precede damaged ones."""
    if form == "bz2":
        return bz2.compress(xml, 1)
    if form == "gz":
        return gzip.compress(xml, mtime=0)
    target = io.BytesIO()
    with py7zr.SevenZipFile(target, "w") as archive:
        archive.writestr(xml, "dump.xml")
    return target.getvalue()


def damaged(content: bytes, number: int, chance: random.Random) -> tuple[str, bytes]:
    """Return content truncated at random if `number` is odd, else with 1 to 3 bits flipped."""
    if number % 2:
        return "truncated", content[: chance.randrange(len(content))]
    body = bytearray(content)
    for _ in range(chance.randint(1, 3)):
        body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
    return "bits flipped", bytes(body)


def transitions(out: Path, part: str) -> list[Row]:
    """Return the transitions of a part without its name; `reverted` comes last."""
    path = out / "transitions" / f"{part}.parquet"
    rows = pq.read_table(path, partitioning=None).drop_columns(["part"]).to_pylist()
    return [
        (*(str(row[name]) for name in row if name != "reverted"), row["reverted"]) for row in rows
    ]


def verdict_on(found: list[Row], intact: list[Row], error: str | None) -> str:
    """Return a verdict on the rows of one damaged part; it starts with WRONG if there is a bug."""
    if len({row[:-1] for row in found}) < len(found):
        return "WRONG: a duplicate row"
    if not error:
        return "whole" if found == intact else "WRONG: marked whole, but other rows"
    if not found:
        return "failed, no rows"
    if set(found) <= set(intact):
        return "failed, correct rows before the damage"
    if {row[:-1] for row in found} <= {row[:-1] for row in intact}:
        return "failed, a revert on the last page not seen"
    return "failed, altered rows"


def read(out: Path, parts: Path) -> dict[str, str | None]:
    """Read a folder of parts and return the error of each."""
    command = [sys.executable, "-m", "wikibias", "detect", "--quiet", "--lang", "en"]
    ended = subprocess.run(
        [*command, "-o", str(out), str(parts)], capture_output=True, text=True, check=False
    )
    if ended.returncode not in (0, 1) or "unexpected" in ended.stderr:
        raise SystemExit(f"the run failed:\n{ended.stderr}")
    inputs = json.loads((out / "manifest.json").read_text())["inputs"]
    return {entry["part"]: entry["error"] for entry in inputs}


def damage(folder: Path, count: int, seed: int) -> Iterator[tuple[str, str, str, str]]:
    """Yield form, damage, verdict and name of each of `count` damaged parts of every form."""
    xml, kinds = sample(), {}
    parts = folder / "parts"
    parts.mkdir()
    (parts / "intact.xml").write_bytes(xml)
    for form in FORMS:
        chance = random.Random(f"{seed} {form}")
        content = compressed(xml, form)
        for number in range(count):
            name = f"{form}-{number:03d}.xml.{form}"
            kinds[name], body = damaged(content, number, chance)
            (parts / name).write_bytes(body)
    errors = read(folder / "out", parts)
    intact = transitions(folder / "out", "intact.xml")
    for name, kind in kinds.items():
        verdict = verdict_on(transitions(folder / "out", name), intact, errors[name])
        yield name.split("-", maxsplit=1)[0], kind, verdict, name


def tree(out: Path) -> dict[str, bytes]:
    """Return all files of a result except the manifest, which contains times."""
    paths = [path for kind in RESULTS for path in sorted((out / kind).rglob("*"))]
    return {str(path.relative_to(out)): path.read_bytes() for path in paths if path.is_file()}


def run(out: Path, parts: Path, workers: int) -> subprocess.Popen[bytes]:
    """Start an extraction."""
    command = [sys.executable, "-m", "wikibias", "extract", "--quiet", "--lang", "en"]
    return subprocess.Popen(
        [*command, "--workers", str(workers), "-o", str(out), str(parts)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def kill(folder: Path, count: int, seed: int, workers: int = 2) -> Iterator[tuple[str, str]]:
    """Yield signal and verdict of each of `count` runs killed at random moments, then resumed."""
    chance, xml = random.Random(f"{seed} kill"), sample()
    parts = folder / "killed"
    parts.mkdir()
    for number in range(3):
        (parts / f"part{number}.xml.bz2").write_bytes(compressed(xml, "bz2"))
    durations = []
    for name in ("first", "whole"):
        began = time.monotonic()
        if run(folder / name, parts, workers).wait():
            raise SystemExit("the undisturbed run failed")
        durations.append(time.monotonic() - began)
    # The first run takes longer, because nothing is in the file cache yet.
    lasted, expected = min(durations), tree(folder / "whole")
    for number in range(count):
        out, how = folder / "resumed", SIGNALS[number % len(SIGNALS)]
        # One random moment in each of `count` equal parts of the duration.
        moment = lasted * (number + chance.random()) / count
        process = run(out, parts, workers)
        time.sleep(moment)
        process.send_signal(how)
        status = process.wait()
        broken = bad_tables(out)
        again = run(out, parts, workers).wait()
        same = not again and tree(out) == expected and not list(out.rglob("*.tmp"))
        ended = "had ended" if status == 0 else "stopped"
        verdict = f"{ended}, then the same bytes" if same else "WRONG: other bytes after resuming"
        yield how.name, "WRONG: an incomplete table" if broken else verdict
        shutil.rmtree(out)


def bad_tables(out: Path) -> list[str]:
    """Return the tables of a stopped run that cannot be read."""
    bad = []
    for path in out.rglob("*.parquet"):
        if path.name.startswith("."):
            continue
        try:
            pq.read_metadata(path)
        except (OSError, ValueError):
            bad.append(path.name)
    return bad


def table(title: str, counts: Counter[tuple[str, str, str]]) -> None:
    """Print counts as a Markdown table."""
    print(f"\n| {title} | fault | verdict | |\n| --- | --- | --- | ---: |")
    for (form, kind, verdict), count in sorted(counts.items()):
        print(f"| {form} | {kind} | {verdict} | {count} |")


def main() -> int:
    """Run the checks that the command line asks for; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--damages", type=int, default=200, help="of each form")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    os.environ["PYTHONHASHSEED"] = "0"
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        counts: Counter[tuple[str, str, str]] = Counter()
        for form, kind, verdict, part in damage(Path(name), asked.damages, asked.seed):
            counts[form, kind, verdict] += 1
            wrong += [f"{part}: {verdict}"] if verdict.startswith("WRONG") else []
        table("form", counts)
        counts = Counter()
        for number, (how, verdict) in enumerate(kill(Path(name), asked.kills, asked.seed)):
            counts[how, "killed and resumed", verdict] += 1
            wrong += [f"kill {number}: {verdict}"] if verdict.startswith("WRONG") else []
        table("signal", counts)
    print("\n" + ("\n".join(wrong) or "Nothing wrong."))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
