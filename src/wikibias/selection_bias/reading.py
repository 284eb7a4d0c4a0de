"""Reads documents: of a corpus folder, of the columns of a table, of a text file."""

from __future__ import annotations

import csv
import gzip
import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from wikibias.config.choices import SPLITS
from wikibias.config.languages import languages, load_language
from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest
from wikibias.models.examples import LONGEST
from wikibias.rendering.cells import original
from wikibias.selection_bias.documents import FACTS, Documents
from wikibias.selection_bias.reservoir import drawn
from wikibias.storage.atomic import read_json
from wikibias.storage.some_columns import some_rows
from wikibias.text.lines import decoded_lines, json_object
from wikibias.text.normalisation import normalise

TEXTS = ("norm", "text", "sentence", "source")
"""Columns that may hold the documents, the first that there is; `source` is that of pairs."""
COLUMNS = (
    "label", "labels", "split", "tags", "tag", "signal", "after_timestamp", "year", "tier", "lang",
    "language", "wiki", "page_id", "page_title",
)  # fmt: skip
_FOLDERS = ("corpus", "labelled", "sentences", "data", "")
_LINES = {"__label__": " ", "": "\t"}


class _Row(NamedTuple):
    """A document before it is drawn: its text, the cells of its row, the split of its file."""

    text: str
    cells: Mapping[str, Any]
    split: str


def read_corpus(folder: Path, *, most: int, seed: int) -> Documents:
    """Read the sentences of a folder that a command of ours made.

    A result folder, its `corpus/`, `labelled/` or `judged/`, what `wikibias export` made (Parquet,
    JSON Lines, CSV) or `wikibias pairs`, of which the sentences before the edit are taken.

    Args:
        folder: it.
        most: how many documents are drawn at random where there are more.
        seed: of the draw.

    Returns:
        The documents in their order, with what the folder tells of them: see `facts_of`.

    Raises:
        UsageError: there is none in it.
        WikibiasError: a file cannot be read.
    """
    files = _files(folder)
    manifest = _manifest(folder)
    rows = (row for split, path in files for row in _table_rows(path, split))
    named = folder.resolve()
    name = named.parent.name if named.name in ("corpus", "labelled", "judged") else named.name
    found = _documents(name, rows, str(manifest.get("lang") or ""), most=most, seed=seed)
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
    the label is a fact.

    Args:
        path: it.
        language: a code; "" where nobody says.
        most: how many documents are drawn at random where there are more.
        seed: of the draw.

    Raises:
        UsageError: it cannot be read, or no text is in it.
        WikibiasError: a line is not UTF-8, has a NUL byte or no end.
    """
    with _opened(path) as stream:
        lines = (line for _, line in decoded_lines(stream, str(path)) if line.strip())
        found = _documents(path.name, _labelled(lines), language, most=most, seed=seed)
    if not found.texts:
        raise UsageError(f"{path}: no text in it; give a file with a document a line")
    return found


def sentences_of(path: Path) -> Iterator[str]:
    """Yield the texts of a table (Parquet, JSON Lines, CSV) or a text file, one after the other.

    Labels before the lines of a text are left out.

    Raises:
        UsageError: it cannot be read.
        WikibiasError: it is damaged.
    """
    if path.suffix in _READERS:
        yield from (row.text for row in _table_rows(path, ""))
        return
    with _opened(path) as stream:
        lines = (line for _, line in decoded_lines(stream, str(path)) if line.strip())
        yield from (row.text for row in _labelled(lines))


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

    found = {
        "label": of("label", "labels") or ("none" if "labels" in row else ""),
        "split": of("split") or split,
        "tag": of("tags", "tag", "signal"),
        "year": of("year", "after_timestamp")[:4],
        "tier": of("tier"),
        "language": of("lang", "language"),
    }
    return tuple(found[name] for name in FACTS)


def _said(cell: Any) -> str:
    if isinstance(cell, str) and cell.startswith("["):
        with suppress(ValueError, RecursionError):
            cell = json.loads(cell)  # what CSV has for a list
    if isinstance(cell, list | tuple):
        return "|".join(sorted({str(each) for each in cell if each is not None}))
    if isinstance(cell, float):
        cell = int(cell) if cell.is_integer() else None if math.isnan(cell) else cell
    return "" if cell is None else str(cell).strip()


def _row(text: Any, cells: Mapping[str, Any], split: str) -> _Row | None:
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
    apostrophes = language in languages() and load_language(language).keep_apostrophes
    norms, kept = [], []
    for row in drawn_rows:
        norm = row.text if normalised else normalise(row.text, keep_apostrophes=apostrophes)
        if norm:
            norms.append(norm)
            kept.append(row)
    told = [facts_of(row.cells, row.split) for row in kept]
    facts = {}
    for place, fact in enumerate(FACTS):
        known: dict[str, str] = {}
        cells = [known.setdefault(each[place], each[place]) for each in told]
        if any(cells):
            facts[fact] = cells
    pages = [_page(row.cells) for row in kept]
    spoken = set(facts.get("language", ()))
    return Documents(
        name=name,
        texts=norms,
        facts=facts,
        pages=pages if any(pages) else None,
        language=language or (spoken.pop() if len(spoken) == 1 else ""),
        of=of,
    )


def _files(folder: Path) -> list[tuple[str, Path]]:
    """Return the tables of a folder, each with the split that its name tells, in order."""
    for inner in _FOLDERS:
        for ending in _READERS:
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


def _manifest(folder: Path) -> Mapping[str, Any]:
    """Return the manifest of a result, given itself or a folder in it; empty where there is none.

    Raises:
        WikibiasError: it cannot be read.
    """
    for path in (folder / "manifest.json", folder.resolve().parent / "manifest.json"):
        if path.is_file():
            try:
                found = read_json(path)
            except (OSError, ValueError) as error:
                raise WikibiasError(f"{path}: not a manifest that can be read ({error})") from error
            return found if isinstance(found, dict) else {}
    return {}


def _table_rows(path: Path, split: str) -> Iterator[_Row]:
    for row in _READERS[path.suffix](path):
        text = next((row[name] for name in TEXTS if row.get(name) is not None), None)
        if found := _row(text, row, split):
            yield found


def _parquet(path: Path) -> Iterator[Mapping[str, Any]]:
    return some_rows(path, COLUMNS, TEXTS)


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
    ".csv": _csv,
}


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            yield cast(BinaryIO, stream)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise WikibiasError(f"{path}: cannot be unpacked ({error})") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error


def _labelled(lines: Iterable[str]) -> Iterator[_Row]:
    """Yield the lines of a text as documents, with the label before each where the first has."""
    mark: str | None = None
    for number, line in enumerate(lines):
        if number == 0:
            mark = next((mark for mark in _LINES if _parted(line, mark)), None)
        label, text = (mark is not None and _parted(line, mark)) or ("", line)
        if row := _row(text, {"label": label}, ""):
            yield row


def _parted(line: str, mark: str) -> tuple[str, str] | None:
    """Return label and sentence of a line that has both, the label behind a mark."""
    label, found, text = line.partition(_LINES[mark])
    if not (found and label.startswith(mark)) or " " in label:
        return None
    return label.removeprefix(mark), text
