"""Which split each page was dealt to, so that last month's test set is still last month's.

The file lies beside the corpus, which is written anew, and outlasts a kill between the two. Its
first line tells the seed, the shares and the parts of the last build; then there is a line for each
page: the wiki, the id, the split, and in which build, counted from 1, it was dealt. A build of the
same parts again, or after one of which a part was damaged, does the last deal over.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.corpus.splits import Dealt, PageSplits
from wikibias.kits.files import disk_errors, write_text
from wikibias.kits.parquet import read_table
from wikibias.kits.schemas import CORPUS_TABLE
from wikibias.pipeline.outputs import PAGE_SPLITS
from wikibias.pipeline.settings import Build

_MOST_BUILDS = 1 << 31


def read_splits(folder: Path, build: Build, inputs: Sequence[Mapping[str, Any]]) -> PageSplits:
    """Return the splits that stay; none where they were dealt with other shares or another seed.

    Where the file is gone, or damaged by a power failure, the corpus tells.
    """
    if build.split != "page":
        return {}
    path = folder / PAGE_SPLITS
    # A pipe of this name would be waited for.
    if not path.is_file():
        return {} if path.exists() else _written(folder)
    try:
        with path.open(encoding="utf-8") as lines:
            head, now = json.loads(next(lines, "")), _head(build, inputs)
            if any(head[name] != now[name] for name in ("seed", "shares")):
                return {}
            found = dict(map(_page, lines))
            is_binding = head["whole"] and head["parts"] != now["parts"]
    except (OSError, KeyError, TypeError, ValueError, OverflowError, RecursionError):
        return _written(folder)
    last = max((dealt.build for dealt in found.values()), default=0)
    return {page: dealt for page, dealt in found.items() if is_binding or dealt.build < last}


def write_page_splits(
    folder: Path, splits: PageSplits, build: Build, inputs: Sequence[Mapping[str, Any]]
) -> None:
    """Record the splits, in the order of wikis and page ids; nothing where there are none.

    Raises:
        DiskError: the folder cannot be written to.
    """
    if not splits:
        with disk_errors(folder):
            (folder / PAGE_SPLITS).unlink(missing_ok=True)
        return
    pages = (
        [wiki, page, SPLITS[dealt.split], dealt.build]
        for (wiki, page), dealt in sorted(splits.items())
    )
    lines: Iterable[object] = (_head(build, inputs), *pages)
    write_text(folder / PAGE_SPLITS, "".join(f"{json.dumps(line)}\n" for line in lines))


def _head(build: Build, inputs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "seed": build.seed,
        "shares": asdict(build.shares),
        "whole": not any(entry["error"] for entry in inputs),
        "parts": [entry["part"] for entry in inputs],
    }


def _page(line: str) -> tuple[tuple[str, int], Dealt]:
    wiki, page, split, build = json.loads(line)
    if not 0 < build < _MOST_BUILDS:
        raise ValueError("no number of a build")
    return (str(wiki), int(page)), Dealt(SPLITS.index(split), int(build))


def _written(folder: Path) -> PageSplits:
    """Return the splits of a corpus without a record of them; earlier versions wrote none."""
    paths = [folder / CORPUS_TABLE.name / f"{split}.parquet" for split in SPLITS]
    if not all(path.is_file() for path in paths):
        return {}
    return {
        (row["wiki"], row["page_id"]): Dealt(number, 1)
        for number, path in enumerate(paths)
        for row in read_table(path, ["wiki", "page_id"])
    }
