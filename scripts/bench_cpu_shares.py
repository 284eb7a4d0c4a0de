"""Measures the share of each step in the CPU of `extract --workers 1`: a section of `make bench`.

Usage: python scripts/bench_cpu_shares.py DUMP [--rounds 3]

Wraps the functions where one step calls another with clocks. The time of a step does not include
the steps that it calls. The clocks cost time too, most in short steps; the script prints how much.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial, wraps
from statistics import median
from typing import Any

from command_costs import Command, measure, table

START = "starting up"
# Function -> step; a star marks a generator. The name is that in the calling module.
CLOCKED = {
    "wikibias.tags.scanner:TagScanner.__init__": START,
    "wikibias.pipeline.enrichment:_tools": START,
    "wikibias.text.spacy_splitter:_ends": START,
    "wikibias.text.spacy_splitter:SpacySplitter._nlp": START,
    "wikibias.dumps.compression.streams:Source.readinto": "reading: the file, and its checksum",
    "wikibias.dumps.compression.streams:Source.sha256": "reading: the file, and its checksum",
    "wikibias.dumps.xml.buffer:RevisionBuffer._read": "reading: decompression",
    "wikibias.dumps.xml.buffer:_Rest.readinto": "reading: decompression",
    "wikibias.dumps.xml.fast_reader:_FastReader.pages*": "reading: fast reader",
    "wikibias.dumps.xml.fast_reader:_FastReader._revisions*": "reading: fast reader",
    "wikibias.dumps.xml.fast_reader:mwxml_reader.read": "reading: by mwxml",
    "wikibias.tags.scanner:TagScanner.next_hit": "matching",
    "wikibias.tags.scanner:TagScanner.tags": "matching",
    "wikibias.transitions.detection:page_transitions*": "pairing",
    "wikibias.pipeline.enrichment:edit_scope": "edit scope",
    "wikibias.pipeline.enrichment:TargetFinder.targets": "tag targets",
    "wikibias.pipeline.enrichment:TargetFinder.sentences_within": "tag targets",
    "wikibias.transitions.tag_targets:visible_paragraphs": "tag targets: cleaning",
    "wikibias.text.segmentation:Segmenter.sentences": "tag targets: segmentation",
    "wikibias.pipeline.enrichment:compare": "diffing",
    "wikibias.edits.sentence_diff:visible_paragraphs": "cleaning",
    "wikibias.text.segmentation:Segmenter.split": "segmentation",
    "wikibias.edits.sentence_diff:align": "alignment",
    "wikibias.pipeline.filter:verdict": "filtering",
    "wikibias.storage.parquet:TableWriter.write": "writing",
    "wikibias.storage.parquet:TableWriter.close": "writing",
    "wikibias.storage.parquet:read_table*": "reading tables",
    "wikibias.corpus.sampling:build_corpus": "building the corpus",
    "wikibias.pipeline.build:write_corpus": "building the corpus",
    "wikibias.cli.running:runner.run": "the rest",
}


class Shares:
    """CPU seconds of steps that call each other. The first step gets the rest."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._now = [START]
        self._last = 0.0  # when the process began

    def enter(self, step: str) -> None:
        """Start a step inside another."""
        self._count()
        self._now.append(step)

    def leave(self) -> None:
        """End the current step."""
        self._count()
        self._now.pop()

    def of(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function, so that its time counts for a step."""

        @wraps(function)
        def counted(*arguments: Any, **named: Any) -> Any:
            self.enter(step)
            try:
                return function(*arguments, **named)
            finally:
                self.leave()

        return counted

    def of_each(self, step: str, function: Callable[..., Iterator[Any]]) -> Callable[..., Any]:
        """Wrap a generator, so that its time counts for a step."""

        @wraps(function)
        def counted(*arguments: Any, **named: Any) -> Iterator[Any]:
            advance = self.of(step, partial(next, function(*arguments, **named), self))
            while (item := advance()) is not self:
                yield item

        return counted

    def _count(self) -> None:
        now = time.process_time()
        self.spent[self._now[-1]] += now - self._last
        self._last = now


def install_clocks(shares: Shares) -> None:
    """Wrap the functions in CLOCKED."""
    for function, step in CLOCKED.items():
        module, _, path = function.removesuffix("*").partition(":")
        *owners, name = path.split(".")
        owner = __import__(module, fromlist=["*"])
        for each in owners:
            owner = getattr(owner, each)
        found = vars(owner)[name]
        if hasattr(found, "func"):  # a cached property
            found.func = shares.of(step, found.func)
        else:
            counted = shares.of_each if function.endswith("*") else shares.of
            setattr(owner, name, counted(step, found))


def once(words: list[str]) -> None:
    """Run the command line in this process and print the seconds of each step."""
    from wikibias.cli import main  # noqa: PLC0415 (its import counts as starting up)

    shares = Shares()
    install_clocks(shares)
    try:
        main(words)
    except SystemExit as end:
        if end.code:
            raise
    shares.leave()
    print(json.dumps(shares.spent))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("dump")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    spent: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as out:
        words = ["extract", "--lang", "en", "--workers", "1", "-q", "--restart", "-o", out]
        for _ in range(asked.rounds):
            command = [sys.executable, __file__, "--once", *words, asked.dump]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            spent.append(json.loads(done.stdout.splitlines()[-1]))
        plain = measure(Command([sys.executable, "-m", "wikibias", *words, asked.dump]))
    show(spent, plain.cpu)


def show(spent: list[dict[str, float]], plain: float) -> None:
    """Print the medians of the steps, and their shares of the whole."""
    whole = median(sum(steps.values()) for steps in spent)
    rows = []
    for step in dict.fromkeys(CLOCKED.values()):
        seconds = median(steps.get(step, 0.0) for steps in spent)
        rows.append([step, f"{seconds:.2f}", f"{seconds / whole:.0%}"])
    print(table(["step", "CPU, s", "share"], rows))
    print(f"\nTotal: {whole:.2f} s with the clocks, {plain:.2f} s without.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--once"]:
        once(sys.argv[2:])
    else:
        main()
