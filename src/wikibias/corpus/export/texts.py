"""Text forms of the rows of a split: JSON Lines, CSV for spreadsheets, fastText, Tone Check."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from wikibias.kits.cells import one_line
from wikibias.kits.parquet import read_table

# Rows of a corpus hold a sentence, not the wikitext of a page.
_ROWS = 1000


def write_jsonl(source: Path, target: Path) -> None:
    """Write a row as a line: an object with all columns, times as "2007-01-09T20:33:04Z"."""
    with target.open("w", encoding="utf-8", newline="\n") as lines:
        for row in _rows(source):
            lines.write(_line(row))


def write_csv(source: Path, target: Path, names: Sequence[str]) -> None:
    """Write a table that a spreadsheet opens: UTF-8 with a mark that says so, lists as JSON.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    with target.open("w", encoding="utf-8-sig", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\r\n")
        writer.writerow(names)
        for row in _rows(source):
            writer.writerow(_cell(row.get(name)) for name in names)


def write_fasttext(source: Path, target: Path) -> None:
    """Write label and normal form of each row as fastText's `supervised` reads them."""
    with target.open("w", encoding="utf-8", newline="\n") as lines:
        for row in read_table(source, ["label", "norm"], at_once=_ROWS):
            lines.write(f"__label__{row['label']} {row['norm']}\n")


def write_tone_check(source: Path, target: Path, tone: Collection[str] = ()) -> None:
    """Write the rows that a classifier of tone is trained on, as JSON Lines.

    The keys are `lang`, `page_title`, `text` and `label`: 1 where the tone is not that of an
    encyclopedia, else 0. Of a corpus of two classes biased is 1. Of one with several labels a
    sentence with one of `tone` is 1, and one that is judged for some of them and has none is 0.
    """
    with target.open("w", encoding="utf-8", newline="\n") as lines:
        for row in _rows(source):
            label = _tone_of(row, tone) if tone else int(row["label"] == "biased")
            if label is not None:
                of = {"lang": row["lang"], "page_title": row["page_title"], "text": row["text"]}
                lines.write(_line({**of, "label": label}))


def _tone_of(row: Mapping[str, Any], tone: Collection[str]) -> int | None:
    if not set(tone).isdisjoint(row["labels"]):
        return 1
    return None if set(tone).isdisjoint(row["judged"]) else 0


def _line(row: Mapping[str, Any]) -> str:
    # Some programs take U+2028 for the end of a line.
    line = json.dumps(row, ensure_ascii=False, allow_nan=False)
    return line.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029") + "\n"


def _rows(source: Path) -> Iterator[dict[str, Any]]:
    for row in read_table(source, at_once=_ROWS):
        yield {
            name: f"{value:%Y-%m-%dT%H:%M:%SZ}" if isinstance(value, datetime) else value
            for name, value in row.items()
        }


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
