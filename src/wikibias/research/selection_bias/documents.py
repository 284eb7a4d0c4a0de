"""Documents that topics are made of: sentences of a corpus, a table or a text, with their facts."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from wikibias.config.languages import languages, load_language
from wikibias.errors import UsageError
from wikibias.kits.files import distinct_names
from wikibias.kits.tables import (
    ENDINGS,
    Columns,
    column_names_of,
    read_frame,
    read_labelled_lines,
    text_lines,
)
from wikibias.models.examples import LONGEST
from wikibias.models.reading import files_of_splits, manifest_of
from wikibias.text.normalisation import normalise

TEXTS = ("norm", "text", "sentence", "source")
"""Columns that may hold the documents, the first that there is; `source` is that of pairs."""
MOST_CORPORA = 20
"""More cannot be looked at side by side."""
MOST = 10_000
"""Sentences of a corpus that are measured; of more, so many are drawn at random."""
# The columns that tell a fact of a sentence; of each row the first that is not empty counts.
_COLUMNS_OF = {
    "label": ("label", "labels"),
    "split": ("split",),
    "tag": ("tags", "tag", "signal"),
    "year": ("year", "after_timestamp"),
    "tier": ("tier",),
    "language": ("lang", "language"),
}
FACTS = (*_COLUMNS_OF,)
"""What a corpus may tell of a sentence, by which its documents can be grouped."""
_PAGES = ("wiki", "page_id", "page_title")
_CELLS = {name: name for names in (*_COLUMNS_OF.values(), _PAGES) for name in names}
_FOLDERS = ("corpus", "labelled", "")
_INNER = ("corpus", "labelled", "judged")  # folders in a result, beside its manifest
_LONGEST_FACT = 100
_YEAR = re.compile(r"\d{4}(?!\d)", re.ASCII)
_LABELLED_LINE = re.compile(r"__label__\S+ |[^ \t]+\t")


@dataclass(frozen=True, slots=True)
class Documents:
    """Sentences of a corpus, or of any file.

    Attributes:
        name: of the corpus, for people.
        texts: their normal forms.
        facts: one of `FACTS` -> what it is of each; "" where not known. The tag is the tag set's
            names of the tags of the edit, sorted, with | between them, else what the edit was found
            by; the year is that of the edit; several labels are put together as tags are.
        pages: the page of each, where known, so that what is of one page can be kept together.
        language: a code; "" where nobody says.
        of: how many there were before a sample was drawn.
    """

    name: str
    texts: Sequence[str]
    facts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    pages: Sequence[str] | None = None
    language: str = ""
    of: int = 0

    def __len__(self) -> int:
        return len(self.texts)


def read_all(
    sources: Sequence[Path], *, text: str | None = None, language: str = "", seed: int = 0
) -> list[Documents]:
    """Return the documents of each file and folder, with names that tell them apart.

    Args:
        sources: see `read_documents`.
        text: see `read_documents`.
        language: see `read_documents`.
        seed: see `read_documents`.

    Raises:
        UsageError: there are too many, one is not there, is given twice or holds no text.
        WikibiasError: one cannot be read.
    """
    if len(sources) > MOST_CORPORA:
        raise UsageError(f"{len(sources)} corpora; give {MOST_CORPORA} at most")
    found = [read_documents(path, text=text, language=language, seed=seed) for path in sources]
    names = distinct_names(sources, [each.name for each in found])
    return [replace(each, name=name) for each, name in zip(found, names, strict=True)]


def read_documents(
    path: Path, *, text: str | None = None, language: str = "", most: int = MOST, seed: int = 0
) -> Documents:
    """Read the documents of a folder of ours, a table, or a text with a sentence on each line.

    Of a folder: a result, its `corpus/`, `labelled/` or `judged/`, what `wikibias export` made or
    `wikibias pairs`, of which the sentences before the edit are taken. Where the first line of a
    text is `label<TAB>sentence` or fastText's `__label__x sentence`, all are.

    Args:
        path: it.
        text: the column of a table that holds the documents; by default the first of `TEXTS`.
        language: a code, for what tells none.
        most: how many documents are drawn at random where there are more.
        seed: of the draw.

    Returns:
        The documents in their order, with what is told of them.

    Raises:
        UsageError: it is not there, holds no text, or is no table and has no columns.
        WikibiasError: it cannot be read.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; give a corpus, a text or a table")
    name, files = path.stem, [("", path)]
    if path.is_dir():
        folder = path.resolve()
        result = folder.parent if folder.name in _INNER else folder
        manifest = manifest_of(folder) or manifest_of(result)
        name, files = result.name, _files(path)
        language = str(manifest.get("lang") or "") or language
    parts = [_read(file, split, text) for split, file in files]
    frame = pd.concat([pd.DataFrame(columns=["document"], dtype=object), *parts], ignore_index=True)
    frame["document"] = frame["document"].map(_text)
    frame = frame[frame["document"].map(str.strip) != ""]
    of = len(frame)
    if of > most:
        frame = frame.sample(most, random_state=np.random.default_rng(seed)).sort_index()
    found = _facts(frame)
    if not language and len(spoken := set(found["language"])) == 1:
        language = spoken.pop()
    apostrophes = language in languages() and load_language(language).keep_apostrophes
    found["text"] = [normalise(each, keep_apostrophes=apostrophes) for each in frame["document"]]
    found = found[found["text"] != ""]
    if found.empty:
        raise UsageError(
            f"{path}: no text in it; give a corpus of `wikibias extract`, a table, or a text with "
            "a sentence a line"
        )
    known = {fact: found[fact].tolist() for fact in (*FACTS, "page") if (found[fact] != "").any()}
    pages = known.pop("page", None)
    return Documents(name, found["text"].tolist(), known, pages, language, of)


def _read(path: Path, split: str, text: str | None) -> pd.DataFrame:
    """Return the documents of a file with the cells of their rows; a text has labels, or none."""
    if _is_table(path, text):
        columns = Columns(needed=("document",), document=text or TEXTS, **_CELLS)
        frame = read_frame(path, columns)
    elif _LABELLED_LINE.match(next((line for _, line in text_lines(path) if line.strip()), "")):
        frame = read_labelled_lines(path).rename(columns={"text": "document"})
    else:
        frame = pd.DataFrame({"document": [line for _, line in text_lines(path)]}, dtype=object)
    return frame if "split" in frame else frame.assign(split=split)


def _is_table(path: Path, text: str | None) -> bool:
    """Return whether a file is a table; .tsv may be lines of a label and a sentence instead."""
    unpacked = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    ending = unpacked.suffix.lower()
    if ending == ".tsv":
        return text is not None or any(name in TEXTS for name in column_names_of(path))
    return ending in (*ENDINGS, ".xlsx", ".xls", ".ods")


def _files(folder: Path) -> list[tuple[str, Path]]:
    """Return the tables of a folder, each with the split that its name tells, in order."""
    for inner in _FOLDERS:
        if found := files_of_splits(folder / inner):
            return [*found.items()]
    pairs = folder / "pairs.parquet"
    return [("", pairs)] if pairs.is_file() else []


def _facts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return each of `FACTS` and the page of every row; "" where the row does not tell it."""
    cells = {name: frame[name].map(_cell) for name in frame.columns if name != "document"}
    empty = pd.Series("", frame.index, dtype=object)
    found = {}
    for fact, names in {**_COLUMNS_OF, "page": _PAGES[1:]}.items():
        found[fact] = empty
        for name in names:
            found[fact] = found[fact].where(found[fact] != "", cells.get(name, empty))
    if "labels" in cells:
        found["label"] = found["label"].where(found["label"] != "", "none")
    years = found["year"].map(_YEAR.match)
    found["year"] = years.map(lambda year: year[0] if year else "")
    page = cells.get("wiki", empty) + ":" + found["page"]
    found["page"] = page.where(found["page"] != "", "")
    return pd.DataFrame(found, index=frame.index)


def _text(cell: Any) -> str:
    if isinstance(cell, bytes):  # as some programs write texts into Parquet
        cell = cell.decode("utf-8", "replace")
    return "" if cell is None else str(cell)[:LONGEST]


def _cell(cell: Any) -> str:
    if isinstance(cell, str) and cell.startswith("["):
        with suppress(ValueError, RecursionError):
            cell = json.loads(cell)  # what CSV has for a list
    if isinstance(cell, list | tuple):
        cell = "|".join(sorted({str(each) for each in cell if each is not None}))
    if isinstance(cell, float):
        cell = int(cell) if cell.is_integer() else None if math.isnan(cell) else cell
    return "" if cell is None else str(cell).strip()[:_LONGEST_FACT]
