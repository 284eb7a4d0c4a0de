"""Reads documents: of a corpus folder, of the columns of a table, of a text file."""

from __future__ import annotations

import csv
import gzip
import json
import math
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from wikibias.config.choices import SPLITS
from wikibias.config.languages import languages, load_language
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.cells import original
from wikibias.kits.parquet import iter_rows
from wikibias.kits.tables import decoded_lines, json_object
from wikibias.messages import nearest
from wikibias.models.examples import LONGEST
from wikibias.models.reading import manifest_of
from wikibias.research.selection_bias.documents import FACTS, Documents
from wikibias.research.selection_bias.reservoir import drawn
from wikibias.text.normalisation import normalise

TEXTS = ("norm", "text", "sentence", "source")
"""Columns that may hold the documents, the first that there is; `source` is that of pairs."""
COLUMNS = (
    "label", "labels", "split", "tags", "tag", "signal", "after_timestamp", "year", "tier", "lang",
    "language", "wiki", "page_id", "page_title",
)  # fmt: skip
_FOLDERS = ("corpus", "labelled", "sentences", "data", "")
_LINES = {"__label__": " ", "": "\t"}
_INNER = ("corpus", "labelled", "judged")  # folders in a result, beside its manifest
_LONGEST_FACT = 100
_YEAR = re.compile(r"\d{4}(?!\d)", re.ASCII)


class _Row(NamedTuple):
    """A document before it is drawn: its text, the cells of its row, the split of its file."""

    text: str
    cells: Mapping[str, Any]
    split: str


def read_corpus(folder: Path, *, most: int, seed: int, language: str = "") -> Documents:
    """Read the sentences of a folder that a command of ours made.

    A result folder, its `corpus/`, `labelled/` or `judged/`, what `wikibias export` made (Parquet,
    JSON Lines, CSV, lines with a label) or `wikibias pairs`, of which the sentences before the edit
    are taken.

    Args:
        folder: it.
        most: how many documents are drawn at random where there are more.
        seed: of the draw.
        language: a code, for a folder whose manifest tells none; where it is "", the sentences
            may tell it.

    Returns:
        The documents in their order, with what the folder tells of them: see `facts_of`.

    Raises:
        UsageError: there is none in it.
        WikibiasError: a file cannot be read.
    """
    files = _files(folder)
    named = folder.resolve()
    result = named.parent if named.name in _INNER else named
    manifest = manifest_of(named) or manifest_of(result)
    language = str(manifest.get("lang") or "") or language
    rows = (row for split, path in files for row in _rows(path, split))
    found = _documents(result.name, rows, language, most=most, seed=seed)
    return found if found.texts else _refuse_empty(folder)


def of_columns(
    name: str,
    columns: Mapping[str, Sequence[Any]],
    text_column: str | None,
    language: str,
    *,
    most: int,
    seed: int,
) -> Documents:
    """Return the documents of a table.

    Args:
        name: of the table, for people and messages.
        columns: of equal length, by name; those with a known name tell facts, see `facts_of`.
        text_column: which holds the documents; None to take the first of `TEXTS` that there is.
            What is not called `norm` is brought into its normal form.
        language: a code; "" where nobody says.
        most: how many documents are drawn at random where there are more.
        seed: of the draw.

    Raises:
        UsageError: there is no such column, or nothing in it.
    """
    wanted = text_column or next((each for each in TEXTS if each in columns), None)
    if wanted is None:
        raise UsageError(
            f"{name}: no column called {', '.join(TEXTS[:3])}; say with --text-column which of "
            f"{', '.join(columns)} holds the text"
        )
    if wanted not in columns:
        raise UsageError(f"{name}: no column {wanted!r}{nearest(wanted, columns)}")
    known = [each for each in COLUMNS if each in columns and each != wanted]
    rows = (
        row
        for place, text in enumerate(columns[wanted])
        if (row := _row(text, {each: columns[each][place] for each in known}, ""))
    )
    found = _documents(name, rows, language, most=most, seed=seed, normalised=wanted == "norm")
    if not found.texts:
        raise UsageError(f"{name}: no text in the column {wanted!r}; name another one")
    return found


def read_text(path: Path, language: str, *, most: int, seed: int) -> Documents:
    """Read a text file in UTF-8, one document a line; gz is unpacked, empty lines are left out.

    Where the first line is `label<TAB>sentence` or fastText's `__label__x sentence`, all are, and
    the label is a fact. JSON Lines and CSV are read as what they are, also as .gz.

    Args:
        path: it.
        language: a code; "" where nobody says.
        most: how many documents are drawn at random where there are more.
        seed: of the draw.

    Raises:
        UsageError: it cannot be read, or no text is in it.
        WikibiasError: a line is not UTF-8, has a NUL byte or no end.
    """
    found = _documents(path.name, _rows(path, ""), language, most=most, seed=seed)
    if not found.texts:
        raise UsageError(f"{path}: no text in it; give a file with a document a line")
    return found


def sentences_of(path: Path) -> Iterator[str]:
    """Return the texts of a table (Parquet, JSON Lines, CSV) or a text file, one after the other.

    Labels before the lines of a text are left out.

    Raises:
        UsageError: it cannot be read.
        WikibiasError: it is damaged.
    """
    return (row.text for row in _rows(path, ""))


def facts_of(row: Mapping[str, Any], split: str = "") -> tuple[str, ...]:
    """Return what a row of a table tells of a document, in the order of `FACTS`; "" if nothing.

    Args:
        row: cells by column. The tag is the tag set's names of the tags of the edit, sorted, with
            | between them, else what the edit was found by; the year is that of the edit; several
            labels are put together as tags are.
        split: what the file is, where the row does not say.
    """

    def of(*names: str) -> str:
        return next((said for name in names if (said := _said(row.get(name)))), "")

    year = _YEAR.match(of("year", "after_timestamp"))
    found = {
        "label": of("label", "labels") or ("none" if "labels" in row else ""),
        "split": of("split") or split,
        "tag": of("tags", "tag", "signal"),
        "year": year[0] if year else "",
        "tier": of("tier"),
        "language": of("lang", "language"),
    }
    return tuple(found[name] for name in FACTS)


def _said(cell: Any) -> str:
    if isinstance(cell, str) and cell.startswith("["):
        with suppress(ValueError, RecursionError):
            cell = json.loads(cell)  # what CSV has for a list
    if isinstance(cell, list | tuple):
        cell = "|".join(sorted({str(each) for each in cell if each is not None}))
    if isinstance(cell, float):
        cell = int(cell) if cell.is_integer() else None if math.isnan(cell) else cell
    return "" if cell is None else str(cell).strip()[:_LONGEST_FACT]


def _row(text: Any, cells: Mapping[str, Any], split: str) -> _Row | None:
    if isinstance(text, bytes):  # as some programs write texts into Parquet
        text = text.decode("utf-8", "replace")
    shown = "" if text is None else str(text)[:LONGEST]
    return None if not shown or shown.isspace() else _Row(shown, cells, split)


def _page(cells: Mapping[str, Any]) -> str:
    page = _said(cells.get("page_id")) or _said(cells.get("page_title"))
    return f"{_said(cells.get('wiki'))}:{page}" if page else ""


def _documents(
    name: str,
    rows: Iterable[_Row],
    language: str,
    *,
    most: int,
    seed: int,
    normalised: bool = False,
) -> Documents:
    """Draw documents and bring them into their normal form, which leaves one as it is."""
    drawn_rows, of = drawn(rows, most, seed)
    told = [facts_of(row.cells, row.split) for row in drawn_rows]
    spoken = {each[FACTS.index("language")] for each in told}
    language = language or (spoken.pop() if len(spoken) == 1 else "")
    apostrophes = language in languages() and load_language(language).keep_apostrophes
    norms = [
        row.text if normalised else normalise(row.text, keep_apostrophes=apostrophes)
        for row in drawn_rows
    ]
    kept = [place for place, norm in enumerate(norms) if norm]
    facts = {}
    for number, fact in enumerate(FACTS):
        known: dict[str, str] = {}
        cells = [known.setdefault(told[place][number], told[place][number]) for place in kept]
        if any(cells):
            facts[fact] = cells
    pages = [_page(drawn_rows[place].cells) for place in kept]
    return Documents(
        name=name,
        texts=[norms[place] for place in kept],
        facts=facts,
        pages=pages if any(pages) else None,
        language=language,
        of=of,
    )


def _files(folder: Path) -> list[tuple[str, Path]]:
    """Return the tables of a folder, each with the split that its name tells, in order."""
    for inner in _FOLDERS:
        for ending in (*_READERS, *_OF_LINES):
            found = [
                (split, path)
                for split in SPLITS
                for path in _named(folder / inner, split, ending)
                if path.is_file()
            ]
            if found:
                return found
    pairs = folder / "pairs.parquet"
    return [("", pairs)] if pairs.is_file() else _refuse_empty(folder)


def _named(folder: Path, split: str, ending: str) -> Iterator[Path]:
    yield folder / f"{split}{ending}"
    called = {"dev": "validation"}.get(split, split)
    yield from sorted(folder.glob(f"{called}-[0-9]*-of-[0-9]*{ending}"))


def _refuse_empty(folder: Path) -> Any:
    raise UsageError(
        f"{folder}: no sentences in it; make a corpus with `wikibias extract`, or give a file: a "
        "table, or a text with a sentence a line"
    )


def _rows(path: Path, split: str) -> Iterator[_Row]:
    """Yield the documents of a table, by its ending, or of a text."""
    unpacked = path.with_suffix("") if path.suffix.lower() == _GZIP else path
    read = _READERS.get(unpacked.suffix.lower())
    if read is None:
        with _opened(path) as stream:
            lines = (line for _, line in decoded_lines(stream, str(path)) if line.strip())
            yield from _labelled(lines, split)
        return
    for row in read(path):
        text = next((row[name] for name in TEXTS if row.get(name) is not None), None)
        cells = {name: row[name] for name in COLUMNS if name in row}
        if found := _row(text, cells, split):
            yield found


def _parquet(path: Path) -> Iterator[Mapping[str, Any]]:
    return iter_rows(path, COLUMNS, TEXTS)


def _jsonl(path: Path) -> Iterator[Mapping[str, Any]]:
    with _opened(path) as stream:
        for number, line in decoded_lines(stream, str(path), "object"):
            if line.strip():
                yield json_object(line, f"{path}:{number}")


def _csv(path: Path) -> Iterator[Mapping[str, Any]]:
    with _opened(path) as stream:
        lines = (f"{line}\n" for _, line in decoded_lines(stream, str(path), "row"))
        try:
            for row in csv.DictReader(lines, strict=True):
                yield {name: original(cell) for name, cell in row.items() if isinstance(cell, str)}
        except csv.Error as error:
            raise WikibiasError(f"{path}: not a CSV file that can be read ({error})") from error


_READERS: Mapping[str, Callable[[Path], Iterator[Mapping[str, Any]]]] = {
    ".parquet": _parquet,
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".csv": _csv,
}
_OF_LINES, _GZIP = (".tsv", ".txt"), ".gz"


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with gzip.open(path) if path.suffix.lower() == _GZIP else path.open("rb") as stream:
            yield cast(BinaryIO, stream)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise WikibiasError(f"{path}: cannot be unpacked ({error})") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error


def _labelled(lines: Iterable[str], split: str) -> Iterator[_Row]:
    """Yield the lines of a text as documents, with the label before each where the first has."""
    mark: str | None = None
    for number, line in enumerate(lines):
        if number == 0:
            mark = next((mark for mark in _LINES if _parted(line, mark)), None)
        label, text = (mark is not None and _parted(line, mark)) or ("", line)
        if row := _row(text, {"label": label}, split):
            yield row


def _parted(line: str, mark: str) -> tuple[str, str] | None:
    """Return label and sentence of a line that has both, the label behind a mark."""
    label, found, text = line.partition(_LINES[mark])
    if not (found and label.startswith(mark)) or " " in label:
        return None
    return label.removeprefix(mark), text
