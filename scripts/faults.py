"""Tries hostile input on the real command line, and prints a table: tried, held, what came out.

    python scripts/faults.py [--only TOPIC] [--quick] [--damages 150] [--kills 20] [--seed 0]

Ends with 1 if anything fell. `--quick` takes less of each. Works on Linux.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from fault_checks import (
    damages,
    endings,
    folders,
    kills,
    many,
    memory,
    messages,
    outputs,
    pages,
    texts,
)
from fault_checks.checks import Check, Place, Row, rows, table

_TOPICS = (pages, texts, memory, folders, damages, kills, endings, outputs, messages, many)
CHECKS: list[Check] = [check for topic in _TOPICS for check in topic.CHECKS]


def tried(checks: Sequence[Check], place: Place) -> list[Row]:
    """Do the checks, and say on standard error what fell as soon as it has."""
    found = []
    for row in rows(checks, place):
        found.append(row)
        print(f"{row.check.topic}: {row.check.name}: {row.seconds:.0f} s", file=sys.stderr)
        for each in row.fallen:
            print(f"  fell: {each.what}: {each.came}"[:300], file=sys.stderr, flush=True)
    return found


def main() -> int:
    """Do the checks that the command line asks for; return 1 if anything fell."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    topics = sorted({check.topic for check in CHECKS})
    parser.add_argument("--only", metavar="TOPIC", help=f"begins one of: {', '.join(topics)}")
    parser.add_argument("--quick", action="store_true", help="less of each, and no long ones")
    parser.add_argument("--damages", type=int, default=150, help="of each form")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    os.environ["PYTHONHASHSEED"] = "0"
    chosen = [
        check
        for check in CHECKS
        if check.topic.startswith(asked.only or "") and (check.quick or not asked.quick)
    ]
    if not chosen:
        parser.error(f"--only {asked.only}: no such topic; there are {', '.join(topics)}")
    with tempfile.TemporaryDirectory() as name:
        place = Place(Path(name), asked.quick, asked.seed, asked.damages, asked.kills)
        found = tried(chosen, place)
    print("\n".join(table(found)))
    fallen = sum(len(row.fallen) for row in found)
    print(f"\n{f'{fallen} fell.' if fallen else 'Nothing fell.'}")
    return 1 if fallen else 0


if __name__ == "__main__":
    raise SystemExit(main())
