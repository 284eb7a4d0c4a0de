"""Reads CSV and TSV as spreadsheets and people leave them.

A byte order mark, UTF-16, semicolons or tabs, Excel's `sep=` line, blank rows and blank columns at
the end are certain, and read. Other encodings and short rows are guessed, where that is wanted.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from itertools import islice
from pathlib import Path

from wikibias.errors import WikibiasError
from wikibias.kits.cells import original
from wikibias.kits.files import read_small
from wikibias.messages import counted

SPREADSHEETS = (".xlsx", ".xlsm", ".xls", ".ods", ".numbers")
SAVE_AS_CSV = "a spreadsheet; save it as CSV (UTF-8) in the program that opens it, and give that"
_PARTED_BY = ",;\t"
_SEP = re.compile(r"\"?sep=(.)\"?\r?\n")
_WORD = re.compile(r"\w+")
# A zip file, as .xlsx and .ods are, and what Excel wrote before.
_BINARY = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
# What Excel writes as "CSV" on Windows in the west, in Russia and Bulgaria, in central Europe, in
# Greece, in Turkey, in the Baltic states; and once on a Mac.
_GUESSES = ("cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "cp1257", "mac-roman")
_MOST_WORDS = 200


def read_delimited(
    path: Path, *, texts: Iterable[str] = (), warn: Callable[[str], None] | None = None
) -> tuple[dict[str, list[str]], list[int]]:
    """Return the columns by name, and the number of each row in the file, the header's being 1.

    Args:
        path: the file.
        texts: some of what the file holds, by which its encoding is told.
        warn: gets what was guessed; None to refuse what would need a guess.

    Raises:
        OSError: the file cannot be read.
        WikibiasError: it is no CSV, is neither UTF-8 nor UTF-16, or a row is longer than the
            header or, where nothing is guessed, shorter.
    """
    text = _decoded(path, read_small(path), texts, warn)
    # A cell may be as long as the file, which is small; the module's own limit is 131,072.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    try:
        mark, start = _mark(text)
        rows = csv.reader(StringIO(text[start:], newline=""), delimiter=mark, strict=True)
        filled = ((n, row) for n, row in enumerate(rows, 1) if any(map(str.strip, row)))
        header = _header(path, next(filled, (0, []))[1])
        found: dict[str, list[str]] = {name: [] for name in header}
        numbers: list[int] = []
        short: list[int] = []
        for number, row in filled:
            cells = row if len(row) <= len(header) else _cut(row, len(header))
            if len(cells) > len(header) or (len(cells) < len(header) and warn is None):
                raise WikibiasError(
                    f"{path}:{number}: {len(row)} cells where the header has {len(header)}; mend "
                    "the line, or leave it out"
                )
            if len(cells) < len(header):
                short.append(number)
            numbers.append(number)
            for place, name in enumerate(header):
                found[name].append(original(cells[place]) if place < len(cells) else "")
    except csv.Error as error:
        raise WikibiasError(
            f"{path}: not a CSV file that can be read ({error}); open it in a "
            "spreadsheet, and save it as CSV UTF-8 once more"
        ) from error
    if short and warn is not None:
        warn(
            f"{path}: {counted(len(short), 'row')} shorter than the header, the first {short[0]}; "
            "what is missing is taken as blank"
        )
    return found, numbers


def _decoded(
    path: Path, raw: bytes, texts: Iterable[str], warn: Callable[[str], None] | None
) -> str:
    if raw.startswith(_BINARY):
        raise WikibiasError(f"{path}: {SAVE_AS_CSV}")
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if wide or warn is None:
            raise WikibiasError(f"{path}: not UTF-8; save it as UTF-8") from error
        encoding = _likely(raw, texts)
        warn(
            f"{path}: not UTF-8; read as {encoding}, which is a guess: look at letters with "
            "accents, or save it as CSV UTF-8"
        )
        text = raw.decode(encoding, errors="replace")
    if "\0" in text:
        raise WikibiasError(f"{path}: a NUL byte; this is no text file, or UTF-16 without a mark")
    return text


def _likely(raw: bytes, texts: Iterable[str]) -> str:
    """Return the encoding in which the file holds most words of some texts."""
    words = _telling(texts)
    return max(_GUESSES, key=lambda name: sum(_written(word, name) in raw for word in words))


def _telling(texts: Iterable[str]) -> list[str]:
    words = (word for text in texts for word in _WORD.findall(text) if not word.isascii())
    return list(dict.fromkeys(islice(words, _MOST_WORDS)))


def _written(word: str, encoding: str) -> bytes:
    try:
        return word.encode(encoding)
    except UnicodeEncodeError:
        return b"\0"  # which no text holds


def _mark(text: str) -> tuple[str, int]:
    """Return what parts the cells, and where the table begins."""
    if told := _SEP.match(text):
        return told[1], told.end()
    return max(_PARTED_BY, key=lambda mark: len(_first_row(text, mark))), 0


def _first_row(text: str, mark: str) -> list[str]:
    rows: Iterator[list[str]] = csv.reader(StringIO(text, newline=""), delimiter=mark)
    return next((row for row in rows if any(map(str.strip, row))), [])


def _header(path: Path, cells: list[str]) -> list[str]:
    header = [original(cell).strip() for cell in cells]
    while header and not header[-1]:
        header.pop()
    if len(set(header)) < len(header):
        raise WikibiasError(f"{path}: two columns have one name; rename one")
    return header


def _cut(row: list[str], length: int) -> list[str]:
    """Return a row without blank cells behind those that the header names."""
    return row if any(map(str.strip, row[length:])) else row[:length]
