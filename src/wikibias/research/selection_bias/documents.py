"""Documents that topics are made of: sentences of a corpus, a table or a text, with their facts."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from wikibias.config.choices import SPLITS
from wikibias.config.languages import languages, load_language
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import ENDINGS, Columns, column_names_of, read_rows, text_lines
from wikibias.models.examples import LONGEST
from wikibias.models.reading import manifest_of, parse_labels
from wikibias.text.normalisation import normalise

FACTS = ("label", "split", "tag", "year", "tier", "language")
"""What a corpus may tell of a sentence, by which its documents can be grouped."""
CLASSES = ("biased", "neutral")
"""The labels that are of a class."""
TEXTS = ("norm", "text", "sentence", "source")
"""Columns that may hold the documents, the first that there is; `source` is that of pairs."""
MOST_CORPORA = 20
"""More cannot be looked at side by side."""
_CELLS = (
    *("label", "labels", "split", "tags", "tag", "signal", "after_timestamp", "year", "tier"),
    *("lang", "language", "wiki", "page_id", "page_title"),
)
_FOLDERS = ("corpus", "labelled", "sentences", "data", "")
_INNER = ("corpus", "labelled", "judged")  # folders in a result, beside its manifest
_LINES = {"__label__": " ", "": "\t"}
_LONGEST_FACT = 100
_YEAR = re.compile(r"\d{4}(?!\d)", re.ASCII)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Documents:
    """Sentences of a corpus, or of any file.

    Attributes:
        name: of the corpus, for people.
        texts: their normal forms.
        facts: one of `FACTS` -> what it is of each; "" where not known.
        pages: the page of each, where known, so that what is of one page can be kept together.
        language: a code; "" where nobody says.
        of: how many there were before a sample was drawn.
        notes: what a user should know of how they were read.
    """

    name: str
    texts: Sequence[str]
    facts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    pages: Sequence[str] | None = None
    language: str = ""
    of: int = 0
    notes: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.texts)

    def other_labels(self) -> str:
        """Return, as an end of a sentence, which labels are not of a class; "" where none is."""
        known = dict.fromkeys(label for label in self.facts.get("label", ()) if label)
        others = [repr(label[:40]) for label in known if label not in CLASSES]
        return f"; say with --labels what {', '.join(others[:5])} mean" if others else ""


class _Row(NamedTuple):
    """A document before it is drawn: its text, the cells of its row, the split of its file."""

    text: str
    cells: Mapping[str, Any]
    split: str


def read_all(
    sources: Sequence[Path], *, labels: str | None = None, **options: Any
) -> list[Documents]:
    """Return the documents of each file and folder, with names that tell them apart.

    Args:
        sources: see `read_documents`.
        labels: what labels mean, as `rem=biased,add=neutral`.
        options: see `read_documents`.

    Raises:
        UsageError: there are too many, one is not there, is given twice or holds no text, or
            `labels` names none that there is.
        WikibiasError: one cannot be read.
    """
    if len(sources) > MOST_CORPORA:
        raise UsageError(f"{len(sources)} corpora; give {MOST_CORPORA} at most")
    resolved = [path.resolve() for path in sources]
    for path, whole in zip(sources, resolved, strict=True):
        if resolved.count(whole) > 1:
            raise UsageError(f"{path} is given twice; leave one out")
    found = [read_documents(path, **options) for path in sources]
    if labels is not None:
        found = _with_meanings(found, labels, sources[0])
    names = [each.name for each in found]
    return [
        each if names.count(each.name) == 1 else replace(each, name=str(path))
        for path, each in zip(sources, found, strict=True)
    ]


def read_documents(
    path: Path,
    *,
    language: str = "",
    most: int,
    seed: int,
    text_column: str | None = None,
    label_column: str | None = None,
) -> Documents:
    """Read the documents of a folder of ours, a table, or a text with a sentence on each line.

    Of a folder: a result, its `corpus/`, `labelled/` or `judged/`, what `wikibias export` made or
    `wikibias pairs`, of which the sentences before the edit are taken. Where the first line of a
    text is `label<TAB>sentence` or fastText's `__label__x sentence`, all are.

    Args:
        path: it.
        language: a code, for what tells none.
        most: how many documents are drawn at random where there are more.
        seed: of the draw.
        text_column: of a table, that of the documents; else the first of `TEXTS`.
        label_column: of a table, that of the labels.

    Returns:
        The documents in their order, with what is told of them; see `facts_of`.

    Raises:
        UsageError: it is not there, holds no text, or is no table and has no columns.
        WikibiasError: it cannot be read.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; give a corpus, a text or a table")
    columns = {"--text-column": text_column, "--label-column": label_column}
    if not (is_table := _is_table(path, named=any(columns.values()))):
        for option, name in columns.items():
            if name is not None:
                raise UsageError(f"{option} goes with tables; {path} is none")
    rows: Iterator[_Row]
    if path.is_dir():
        named = path.resolve()
        result = named.parent if named.name in _INNER else named
        manifest = manifest_of(named) or manifest_of(result)
        name, language = result.name, str(manifest.get("lang") or "") or language
        rows = chain.from_iterable(_rows(file, split) for split, file in _files(path))
    elif is_table:
        name, rows = path.stem, _table_rows(path, "", text_column, label_column)
    else:
        name, rows = path.name, _text_rows(path, "")
    found = _documents(name, rows, language, most=most, seed=seed)
    if not found.texts:
        raise UsageError(
            f"{path}: no text in it; give a corpus of `wikibias extract`, a table, or a text with "
            "a sentence a line"
        )
    if path.is_file() and not is_table and "label" in found.facts:
        note = f"{path}: what stands before each sentence is taken for its label"
        return replace(found, notes=[note])
    return found


def reservoir_sample(items: Iterable[T], most: int, seed: int) -> tuple[list[T], int]:
    """Return at most so many items, each as likely as any other, and how many there were.

    They come in their order. Memory holds no more than are drawn (Vitter's algorithm R).
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    kept: list[tuple[int, T]] = []
    number = 0
    for number, item in enumerate(items, 1):
        if len(kept) < most:
            kept.append((number, item))
        elif (place := int(rng.random() * number)) < most:
            kept[place] = (number, item)
    return [item for _, item in sorted(kept, key=lambda each: each[0])], number


def facts_of(row: Mapping[str, Any], split: str = "") -> tuple[str, ...]:
    """Return what a row of a table tells of a document, in the order of `FACTS`; "" if nothing.

    Args:
        row: cells by column. The tag is the tag set's names of the tags of the edit, sorted, with
            | between them, else what the edit was found by; the year is that of the edit; several
            labels are put together as tags are.
        split: what the file is, where the row does not say.
    """

    def of(*names: str) -> str:
        return next((cell for name in names if (cell := _cell(row.get(name)))), "")

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


def _cell(cell: Any) -> str:
    if isinstance(cell, str) and cell.startswith("["):
        with suppress(ValueError, RecursionError):
            cell = json.loads(cell)  # what CSV has for a list
    if isinstance(cell, list | tuple):
        cell = "|".join(sorted({str(each) for each in cell if each is not None}))
    if isinstance(cell, float):
        cell = int(cell) if cell.is_integer() else None if math.isnan(cell) else cell
    return "" if cell is None else str(cell).strip()[:_LONGEST_FACT]


def _with_meanings(found: Sequence[Documents], given: str, first: Path) -> list[Documents]:
    """Return documents whose labels are called biased and neutral."""
    meant = {name: CLASSES[not biased] for name, biased in parse_labels(given).items()}
    held = {label: None for each in found for label in each.facts.get("label", ()) if label}
    if not held:
        columns = ""
        if _is_table(first, named=True) and first.is_file():
            columns = (
                f"; say with --label-column which of {', '.join(column_names_of(first)[:20])} "
                "holds them"
            )
        raise UsageError(f"--labels: {first} has no labels{columns}")
    for name in meant:
        if name not in held:
            shown = ", ".join(repr(label[:40]) for label in list(held)[:5])
            raise UsageError(f"--labels: no sentence is labelled {name!r}; the labels are {shown}")

    def renamed(documents: Documents) -> Documents:
        labels = documents.facts.get("label")
        if labels is None:
            return documents
        names = [meant.get(label, label) for label in labels]
        return replace(documents, facts={**documents.facts, "label": names})

    return [renamed(each) for each in found]


def _documents(
    name: str, rows: Iterable[_Row], language: str, *, most: int, seed: int
) -> Documents:
    """Draw documents and bring them into their normal form, which leaves one as it is."""
    drawn, of = reservoir_sample(rows, most, seed)
    told = [facts_of(row.cells, row.split) for row in drawn]
    spoken = {each[FACTS.index("language")] for each in told}
    language = language or (spoken.pop() if len(spoken) == 1 else "")
    normal_form = normaliser(language)
    norms = [normal_form(row.text) for row in drawn]
    kept = [place for place, norm in enumerate(norms) if norm]
    facts = {}
    for number, fact in enumerate(FACTS):
        known: dict[str, str] = {}
        cells = [known.setdefault(told[place][number], told[place][number]) for place in kept]
        if any(cells):
            facts[fact] = cells
    pages = [_page(drawn[place].cells) for place in kept]
    return Documents(
        name=name,
        texts=[norms[place] for place in kept],
        facts=facts,
        pages=pages if any(pages) else None,
        language=language,
        of=of,
    )


def normaliser(language: str) -> Callable[[str], str]:
    """Return what brings a text of a language, or of none that is known, into its normal form."""
    apostrophes = language in languages() and load_language(language).keep_apostrophes
    return lambda text: normalise(text, keep_apostrophes=apostrophes)


def _page(cells: Mapping[str, Any]) -> str:
    page = _cell(cells.get("page_id")) or _cell(cells.get("page_title"))
    return f"{_cell(cells.get('wiki'))}:{page}" if page else ""


def _files(folder: Path) -> list[tuple[str, Path]]:
    """Return the tables of a folder, each with the split that its name tells, in order."""
    for inner in _FOLDERS:
        for ending in (".parquet", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt"):
            found = [
                (split, path)
                for split in SPLITS
                for path in _of_split(folder / inner, split, ending)
                if path.is_file()
            ]
            if found:
                return found
    pairs = folder / "pairs.parquet"
    return [("", pairs)] if pairs.is_file() else []


def _of_split(folder: Path, split: str, ending: str) -> Iterator[Path]:
    yield folder / f"{split}{ending}"
    called = {"dev": "validation"}.get(split, split)
    yield from sorted(folder.glob(f"{called}-[0-9]*-of-[0-9]*{ending}"))


def _is_table(path: Path, *, named: bool) -> bool:
    """Return whether a file is a table; .tsv may be lines of a label and a sentence instead."""
    unpacked = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    ending = unpacked.suffix.lower()
    if not path.is_file() or ending not in (*ENDINGS, ".xlsx", ".xls", ".ods"):
        return False
    if ending != ".tsv" or named:
        return True
    return any(name in TEXTS for name in column_names_of(path))


def _rows(path: Path, split: str = "") -> Iterator[_Row]:
    """Yield the documents of a table, by its ending, or of a text."""
    if _is_table(path, named=False):
        return _table_rows(path, split)
    return _text_rows(path, split)


def sentences_of(path: Path) -> Iterator[str]:
    """Return the texts of a table or a text file, one after the other, without their labels.

    Raises:
        UsageError: it cannot be read.
        WikibiasError: it is damaged.
    """
    return (row.text for row in _rows(path))


def _table_rows(
    path: Path, split: str, text_column: str | None = None, label_column: str | None = None
) -> Iterator[_Row]:
    cells: dict[str, str | None] = {name: name for name in _CELLS}
    if label_column is not None:
        cells |= {"label": label_column, "labels": None}
    needed = ("document", "label") if label_column is not None else ("document",)
    columns = Columns(needed=needed, document=text_column or TEXTS, **cells)
    try:
        for _, row in read_rows(path, columns):
            text = row.pop("document", None)
            if found := _row(text, row, split):
                yield found
    except WikibiasError as error:
        if text_column or "column called" not in str(error):
            raise
        raise UsageError(f"{error}; say with --text-column which holds the text") from error


def _row(text: Any, cells: Mapping[str, Any], split: str) -> _Row | None:
    if isinstance(text, bytes):  # as some programs write texts into Parquet
        text = text.decode("utf-8", "replace")
    shown = "" if text is None else str(text)[:LONGEST]
    return None if not shown or shown.isspace() else _Row(shown, cells, split)


def _text_rows(path: Path, split: str) -> Iterator[_Row]:
    """Yield the lines of a text as documents, with the label before each where the first has."""
    mark: str | None = None
    lines = (line for _, line in text_lines(path) if line.strip())
    for number, line in enumerate(lines):
        if number == 0:
            mark = next((mark for mark in _LINES if _label_and_text(line, mark)), None)
        label, text = (mark is not None and _label_and_text(line, mark)) or ("", line)
        if row := _row(text, {"label": label}, split):
            yield row


def _label_and_text(line: str, mark: str) -> tuple[str, str] | None:
    """Return label and sentence of a line that has both, the label behind a mark."""
    label, found, text = line.partition(_LINES[mark])
    if not (found and label.startswith(mark)) or " " in label:
        return None
    return label.removeprefix(mark), text
