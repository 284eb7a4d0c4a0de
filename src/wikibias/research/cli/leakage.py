"""`wikibias audit leakage`: find duplicates and leakage between the splits of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.errors import UsageError
from wikibias.kits.command import OUT_FILE, corpus_or_newest, warn
from wikibias.kits.document import Table, number, with_interval
from wikibias.kits.files import write_json
from wikibias.kits.terminal import echo
from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.models.examples import Splits

_NAMES = ("train", "dev", "test")


@click.command(name="leakage")
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--labels", metavar="A=biased,B=neutral", help="Names of the labels in the files.")
@click.option("--json", "json_file", type=OUT_FILE, help="File for the full result.")
def command(files: tuple[Path, ...], *, labels: str | None, json_file: Path | None) -> None:
    """Find leakage between splits: duplicates, near-duplicates, and how far they predict labels.

    FILES is a corpus directory, by default the newest one in ./corpora, or what `wikibias export`
    made of it, or two or three files: train, then dev, then test. Files hold label<TAB>sentence
    lines or those of fastText, or are CSV, JSON Lines or Parquet with columns label and text; one
    may hold all splits. Of sentences with several labels, such as RESULT/labelled, those with any
    label are told from those without.

    Baselines that only look up the labels of similar training sentences should be at chance (MCC 0)
    on a clean split. Of more than 50,000 sentences, near-duplicates are found by MinHash.

    \b
    Examples:
      wikibias audit leakage corpora/fr
      wikibias audit leakage train.txt dev.txt test.txt --labels rem=biased,add=neutral
    """
    from wikibias.kits.console import show
    from wikibias.research.split_leakage import audit

    found = audit(_splits(files, labels))
    show(*_tables(found))
    for line in found["warnings"]:
        warn(line)
    echo(_verdict(found))
    if json_file:
        write_json(json_file, found)


def _splits(files: tuple[Path, ...], labels: str | None) -> Splits:
    from wikibias.models.reading import (
        holds_labelled,
        parse_labels,
        read_corpus,
        read_files,
        read_result,
    )

    table = parse_labels(labels)
    if not files:
        files = (corpus_or_newest(None, instead=", or give files"),)
    if len(files) == 1 and holds_labelled(files[0]):
        return read_result(files[0], warn)
    if len(files) == 1 and files[0].is_dir():
        return read_corpus(files[0], warn, table)
    folders = [path for path in files if path.is_dir()]
    if folders or not 1 <= len(files) <= len(_NAMES):
        raise UsageError("give one corpus directory, or one to three files: train, dev, test")
    names = {1: ("train",), 2: ("train", "test"), 3: _NAMES}[len(files)]
    return read_files(dict(zip(names, files, strict=True)), table, warn)


def _tables(found: Mapping[str, Any]) -> Iterator[Table]:
    again = found["duplicates"]
    names = {
        "occur more than once": "texts",
        "  with both labels": "with_both_labels",
        "  within a split": "within_a_split",
        "  across splits": "across_splits",
    }
    counts = [[title, f"{again[name]:,}"] for title, name in names.items()]
    yield Table(["", "texts"], counts, title="Exact duplicates")
    if found["method"] == "minhash":
        share = f"{found['threshold']:.0%} of runs of five characters shared"
        method = f"groups by MinHash, about {share}; pairs of a group"
    else:
        method = f"cosine of {found['ngrams']} n-grams at least {found['threshold']:g}"
    pairs = [
        [" + ".join(dict.fromkeys(r["splits"])), f"{r['pairs']:,}", _percent(r["same_label"])]
        for r in found["near_duplicates"]
    ]
    title = f"Near-duplicates ({method})"
    yield Table(["splits", "pairs", "same label"], pairs, title=title)
    for name, part in found.get("neighbours", {}).items():
        title = f"{_percent(part['share'])} of {name} has a near-duplicate in train"
        if part["labels_agree"] is not None:
            title += f"; the labels agree for {_percent(part['labels_agree'])} of them"
        rows = [
            [b["how"], f"{b['sentences']:,}", with_interval(b["mcc"]), number(b["f1"]["value"])]
            for b in part["cheats"]
        ]
        header = ["baseline that only looks up labels", "sentences", "MCC [95 %]", "F1"]
        yield Table(header, rows, title=title)


def _verdict(found: Mapping[str, Any]) -> str:
    """Say in a sentence whether the split leaks, and what to do; no verdict on too few."""
    parts = found.get("neighbours", {})
    if not parts:
        return "There is only one split, so nothing can leak; give train and test."
    worst = max(parts, key=lambda name: parts[name]["share"])
    share = parts[worst]["share"]
    # A small share must not be shown as 0.0%.
    known = f"{_percent(max(share, 0.001))} of {worst} has a near-duplicate in train"
    if found["leaks"]:
        return (
            f"The split leaks: {known}. Do not trust its scores; use "
            "`wikibias classify --cv near-duplicate`."
        )
    none = f"no sentence of {' or '.join(parts)} has a near-duplicate in train"
    if found["too_few"]:
        among = counted(parts[worst]["sentences"], "sentence")
        has = f"{parts[worst]['with_neighbour']:,} of {among} of {worst}"
        seen = f"{has} have a near-duplicate in train" if share else none
        return f"No verdict, too few in {' and '.join(found['too_few'])}: {seen}."
    clean = f"no more than {known}" if share else none
    return f"The split is clean: {clean}. Its scores do not come from near-duplicates."


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"
