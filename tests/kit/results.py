"""Four parts of a dump, and what tests of running and resuming ask of their result."""

import json
from pathlib import Path
from typing import Any

from exports import Outcome, export, files, history, rows, wikibias

PARTS = 4


def write_parts(folder: Path, removals: int, pages: int = 2) -> list[Path]:
    """Write four parts of a dump."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for part in range(PARTS):
        topics = range(part * pages, (part + 1) * pages)
        content = [history(f"Village {topic}", removals, topic=topic) for topic in topics]
        paths.append(folder / f"part{part + 1}.xml")
        paths[-1].write_bytes(export(content, first_id=1 + part * 100_000))
    return paths


def extract(out: Path, *arguments: object, command: str = "extract") -> Outcome:
    """Extract English into `out`, where no other language is said."""
    lang = () if "--lang" in arguments else ("--lang", "en")
    return wikibias(command, *lang, "-o", out, *arguments)


def detect(out: Path, *arguments: object) -> Outcome:
    """Do the same with the first stage alone."""
    return extract(out, *arguments, command="detect")


def transitions(out: Path, *arguments: object) -> list[dict[str, Any]]:
    """Return the rows that the first stage writes into `out`."""
    detect(out, *arguments).well()
    return rows(out, "transitions")


def told(found: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    """Return what rows of transitions are about."""
    names = ("signal", "kind", "pairing", "page_title", "before_rev_id", "after_rev_id", "reverted")
    return [tuple(row[name] for name in names) for row in found]


def manifest_of(out: Path) -> dict[str, Any]:
    """Return the manifest of a result."""
    return dict(json.loads((out / "manifest.json").read_text(encoding="utf-8")))


def times(folder: Path, *kinds: str) -> dict[str, int]:
    """Return when each file of a result was written."""
    return {name: (folder / name).stat().st_mtime_ns for name in files(folder, *kinds)}


def without_splits(folder: Path) -> list[dict[str, Any]]:
    """Return the sorted rows of a corpus, but for what splits decide."""
    found = [{k: v for k, v in row.items() if k != "split"} for row in rows(folder, "corpus")]
    return sorted(found, key=lambda row: str(row["sentence_id"]))


def check_refused(ended: Outcome, *said: str) -> None:
    """Check that a run was refused, and said nothing but why."""
    assert ended.refused(*said) == ended.err.rstrip("\n")


def untouched(before: dict[str, int], after: dict[str, int], part: str) -> bool:
    """Tell whether the files of all parts but one are as they were."""
    others = {n for n in before if n.endswith(".xml.parquet") and part not in n}
    return all(after.get(name) == before[name] for name in others)
