"""Compare the transitions that both readers find, on every dump, and those of another version.

Prints a line for each dump and language, and exits with 1 if any two tables differ:

    python scripts/compare_readers.py FOLDER --lang en --lang ja
    python scripts/compare_readers.py FOLDER --against ../other/.venv/bin/wikibias --reader fast
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

READERS = ("fast", "mwxml")


def dumps_in(paths: list[Path]) -> Iterator[Path]:
    """Yield the dumps among files and folders, sorted."""
    for path in paths:
        yield from sorted(path.rglob("*.xml*")) if path.is_dir() else [path]


def transitions(command: str, reader: str, lang: str, dump: Path, folder: Path) -> pa.Table | str:
    """Return the transitions that `wikibias detect` writes; its last line if it writes none."""
    options = ["--lang", lang, "--reader", reader, "--workers", "1", "--quiet", "-o", str(folder)]
    options += [
        "--pairing",
        "removal-edit",
        "--pairing",
        "addition-edit",
        "--pairing",
        "tagged-span",
    ]
    done = subprocess.run(
        [command, "detect", *options, str(dump)], capture_output=True, text=True, check=False
    )
    files = sorted(folder.rglob("transitions*/*.parquet"))
    if not files:
        return done.stderr.strip().rpartition("\n")[2].replace(str(folder), "")
    # The settings in the metadata name the reader.
    return pa.concat_tables(pq.read_table(file) for file in files).replace_schema_metadata()


def main() -> int:
    """Compare them all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("dumps", nargs="+", type=Path, help="dumps, or folders with dumps")
    parser.add_argument("--lang", action="append", help="[default: en]")
    parser.add_argument("--reader", action="append", choices=READERS, help="[default: both]")
    parser.add_argument("--against", help="the command wikibias of another version")
    given = parser.parse_args()
    here = str(Path(sys.executable).with_name("wikibias"))
    ways = [(here, reader) for reader in given.reader or READERS]
    ways += [(given.against, reader) for reader in given.reader or READERS if given.against]
    differing = 0
    for dump in dumps_in(given.dumps):
        for lang in given.lang or ["en"]:
            with tempfile.TemporaryDirectory() as folder:
                found = [
                    transitions(command, reader, lang, dump, Path(folder) / str(number))
                    for number, (command, reader) in enumerate(ways)
                ]
            same = all(type(one) is type(found[0]) and one == found[0] for one in found)
            differing += not same
            first = found[0]
            what = first if isinstance(first, str) else f"{first.num_rows} transitions"
            print(f"{dump.name}\t{lang}\t{'equal' if same else 'DIFFERENT'}\t{what}", flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
