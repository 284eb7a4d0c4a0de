"""Measures the cost of updating the manifest, by number of parts: a section of `make bench`."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from command_costs import table
from wikibias.config.thresholds import load_config
from wikibias.dumps.parts import Part
from wikibias.pipeline import runner, stages
from wikibias.pipeline.making_settings import make_settings
from wikibias.pipeline.manifest import RunRecord

_DUMP = '<mediawiki xml:lang="en"><siteinfo></siteinfo></mediawiki>'


def main() -> None:
    """Print the CPU seconds for each number of parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="few parts, as a test")
    numbers = [10, 20, 40] if parser.parse_args().small else [625, 1250, 2500, 5000]
    rows = []
    for number in numbers:
        with tempfile.TemporaryDirectory() as folder:
            spent = _cpu(Path(folder), number)
        rows.append([f"{number:,}", f"{spent:.2f}", f"{1000 * spent / number:.2f}"])
    print(table(["parts", "CPU, s", "ms per part"], rows))


def _cpu(folder: Path, number: int) -> float:
    """Return the CPU seconds for the manifest in a run of `number` empty parts."""
    dump = folder / "part.xml"
    dump.write_text(_DUMP, encoding="utf-8")
    settings = make_settings("en", load_config(None))
    runner.run(folder / "out", [Part(dump.name, (str(dump),))], settings, stages.STAGES[:3])
    parts = [Part(f"part{n}.xml", (str(dump),)) for n in range(number)]
    for made in sorted((folder / "out").glob(f"*/{dump.name}.parquet")):
        for part in parts:
            os.link(made, made.with_name(f"{part.name}.parquet"))
    began = time.process_time()
    record = RunRecord(folder / "out", parts, settings)
    record.save()
    for part in parts:
        record.update(part)
        record.save_now_and_then()
    record.save()
    return time.process_time() - began


if __name__ == "__main__":
    main()
