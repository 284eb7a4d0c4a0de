"""The documents of what a command line names: folders of ours, tables, texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.errors import UsageError
from wikibias.messages import nearest
from wikibias.research.cli.selection_bias.labels import with_meanings

if TYPE_CHECKING:
    from wikibias.research.selection_bias.documents import Documents

# More cannot be looked at side by side.
_MOST_SOURCES = 20


def read_all(sources: Sequence[Path], given: Mapping[str, Any]) -> list[Documents]:
    """Return the documents of each, with names that tell them apart.

    Args:
        sources: folders and files.
        given: the options of the command.

    Raises:
        UsageError: one is not there, is given twice or holds no text, or nobody knows its language.
        WikibiasError: one cannot be read.
    """
    if len(sources) > _MOST_SOURCES:
        raise UsageError(f"{len(sources)} corpora; give {_MOST_SOURCES} at most")
    resolved = [path.resolve() for path in sources]
    for path, whole in zip(sources, resolved, strict=True):
        if resolved.count(whole) > 1:
            raise UsageError(f"{path} is given twice; leave one out")
    found = [_read(path, given) for path in sources]
    if given["labels"] and not any("label" in each.facts for each in found):
        raise UsageError(f"--labels: {sources[0]} has no labels{_which_column(sources[0], given)}")
    found = with_meanings(found, given["labels"])
    names = [each.name for each in found]
    return [
        each if names.count(each.name) == 1 else replace(each, name=str(path))
        for path, each in zip(sources, found, strict=True)
    ]


def has_labels_before_lines(path: Path, documents: Documents, given: Mapping[str, Any]) -> bool:
    """Return whether labels were read from the lines of a text, of which a user may not know."""
    is_text = path.is_file() and not _is_table(path, given["text_column"] or given["label_column"])
    return is_text and "label" in documents.facts


def _read(path: Path, given: Mapping[str, Any]) -> Documents:
    from wikibias.research.selection_bias import reading

    chosen: dict[str, Any] = {"most": given["most"], "seed": given["seed"]}
    language = given["language"] or ""
    is_table = _is_table(path, given["text_column"] or given["label_column"])
    for option in ("text_column", "label_column"):
        if given[option] and path.exists() and not is_table:
            raise UsageError(f"--{option.replace('_', '-')} goes with tables; {path} is none")
    if path.is_dir():
        found = reading.read_corpus(path, language=language, **chosen)
    elif is_table:
        columns = _columns(path, given["text_column"], given["label_column"])
        found = reading.of_columns(path.stem, columns, given["text_column"], language, **chosen)
    elif path.exists():
        found = reading.read_text(path, language, **chosen)
    else:
        raise UsageError(f"{path}: no such file or folder; give a corpus, a text or a table")
    found = replace(found, language=found.language or language)
    if not found.language and given["stop_words"] is None:
        raise UsageError(
            f"{path} does not say its language; give --language CODE, as en, or --stop-words FILE"
        )
    return found


def _which_column(path: Path, given: Mapping[str, Any]) -> str:
    """Return which column may hold the labels, as an end of a sentence; "" of what is no table."""
    from wikibias.kits.parquet import foreign_columns
    from wikibias.research.annotation.tables import read_table

    if not _is_table(path, given["text_column"]):
        return ""
    of_parquet = path.suffix.lower() == ".parquet"
    names = foreign_columns(path) if of_parquet else [*read_table(path).columns]
    return f"; say with --label-column which of {', '.join(names[:20])} holds them"


def _is_table(path: Path, column: str | None) -> bool:
    """Return whether a file is a table; .tsv may be lines of a label and a sentence instead.

    Args:
        path: of the file.
        column: which the file is to have, where one is named.
    """
    from wikibias.kits.tables import ENDINGS
    from wikibias.research.selection_bias.reading import TEXTS

    if path.suffix.lower() not in (*ENDINGS, ".xlsx", ".xls", ".ods") or not path.is_file():
        return False
    if path.suffix.lower() != ".tsv" or column:
        return True
    with path.open("rb") as stream:
        header = stream.readline(10_000).decode("utf-8-sig", "replace").split("\t")
    return any(name.strip() in TEXTS for name in header)


def _columns(
    path: Path, text_column: str | None, label_column: str | None
) -> Mapping[str, Sequence[Any]]:
    """Return the columns of a table; of Parquet, which may be large, only those that are needed.

    Raises:
        UsageError: there is no column of labels of that name.
        WikibiasError: it cannot be read.
    """
    columns = _read_columns(path, text_column, label_column)
    if label_column is None:
        return columns
    if label_column not in columns:
        raise UsageError(f"{path}: no column {label_column!r}{nearest(label_column, columns)}")
    others = {name: cells for name, cells in columns.items() if name != "labels"}
    return {**others, "label": columns[label_column]}


def _read_columns(
    path: Path, text_column: str | None, label_column: str | None
) -> Mapping[str, Sequence[Any]]:
    from wikibias.kits.parquet import foreign_columns, read_columns
    from wikibias.research.annotation.tables import read_table
    from wikibias.research.selection_bias.reading import COLUMNS, TEXTS

    if path.suffix.lower() != ".parquet":
        return read_table(path).columns
    known = foreign_columns(path)
    wanted = [text_column] if text_column else TEXTS
    own = [*COLUMNS, label_column] if label_column else COLUMNS
    if not any(name in known for name in wanted) or (label_column and label_column not in known):
        return {name: [] for name in known}  # of which it is told what is not there
    return read_columns(path, own, wanted)
