"""Compares the tables of `wikibias tags count` with a plain count: mwxml, and a parse of each text.

Usage: python scripts/plain_census.py COUNTS DUMP...

COUNTS is the output folder of `wikibias tags count DUMP...`, of articles and without --latest. Ends
with 1 if a table differs. Takes minutes for a dump that `tags count` counts in seconds.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import mwxml
import pyarrow.parquet as pq

from wikibias.curation.template_names import TemplateNames
from wikibias.dumps.compression.streams import open_part
from wikibias.mediawiki.namespaces import Namespaces

# Revisions by name and year, and pages by name and None.
Counts = Counter[tuple[str, int | None]]


def plain(dumps: Iterable[Path]) -> Counts:
    """Return how many revisions call each name in each year, and how many pages."""
    found = Counts()
    for dump in dumps:
        with open_part(str(dump)) as (stream, _):
            read = mwxml.Dump.from_file(stream)
            spaces = {space.id: space.name for space in read.site_info.namespaces}
            names = TemplateNames(Namespaces.of(spaces))
            for page in read:
                if page.namespace == 0:
                    called = set[str]()
                    for revision in page:
                        now = names.parsed(revision.text or "")
                        found.update((name, int(str(revision.timestamp)[:4])) for name in now)
                        called |= now
                    found.update((name, None) for name in called)
    return found


def differences(folder: Path, counts: Counts) -> Iterator[str]:
    """Yield where the tables in a folder say something else than `counts`."""
    told = Counts()
    for row in pq.read_table(folder / "years.parquet").to_pylist():
        told[row["name"], row["year"]] = row["revisions"]
    sums = Counter[str]()
    for (name, year), revisions in counts.items():
        sums[name] += revisions if year is not None else 0
    for row in pq.read_table(folder / "counts.parquet").to_pylist():
        told[row["name"], None] = row["pages"]
        if row["revisions"] != sums[row["name"]]:
            yield f"{row['name']}: {row['revisions']} revisions, not {sums[row['name']]}"
    for name, year in sorted(told.keys() | counts.keys(), key=str):
        if told[name, year] != counts[name, year]:
            yield f"{name} {year or 'pages'}: {told[name, year]}, not {counts[name, year]}"


def main(folder: str, *dumps: str) -> int:
    """Print what differs."""
    counts = plain(map(Path, dumps))
    found = list(differences(Path(folder), counts))
    print("\n".join(found) or f"{len(counts):,} counts are equal.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
