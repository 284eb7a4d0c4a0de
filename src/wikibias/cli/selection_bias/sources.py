"""The documents of what a command line names: folders of ours, tables, texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.errors import UsageError

if TYPE_CHECKING:
    from wikibias.selection_bias.documents import Documents

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
    names = [each.name for each in found]
    return [
        each if names.count(each.name) == 1 else replace(each, name=str(path))
        for path, each in zip(sources, found, strict=True)
    ]


def _read(path: Path, given: Mapping[str, Any]) -> Documents:
    from wikibias.models.sentence_lines import parse_labels
    from wikibias.selection_bias import reading

    chosen: dict[str, Any] = {"most": given["most"], "seed": given["seed"]}
    language = given["language"] or ""
    if path.is_dir():
        if given["text_column"]:
            raise UsageError(f"--text-column goes with tables, and {path} is a folder")
        found = reading.read_corpus(path, language=language, **chosen)
    elif _is_table(path, given["text_column"]):
        columns = _columns(path, given["text_column"])
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
    labels = parse_labels(given["labels"])
    named = {label: "biased" if is_biased else "neutral" for label, is_biased in labels.items()}
    told = found.facts.get("label")
    if told is None:
        return found
    facts = {**found.facts, "label": [named.get(label, label) for label in told]}
    return replace(found, facts=facts)


def _is_table(path: Path, text_column: str | None) -> bool:
    """Return whether a file is a table; .tsv may be lines of a label and a sentence instead."""
    from wikibias.annotation.tables import ENDINGS
    from wikibias.selection_bias.reading import TEXTS

    if path.suffix.lower() not in (*ENDINGS, ".xlsx", ".xls", ".ods") or not path.exists():
        return False
    if path.suffix.lower() != ".tsv" or text_column:
        return True
    with path.open("rb") as stream:
        header = stream.readline(10_000).decode("utf-8-sig", "replace").split("\t")
    return any(name.strip() in TEXTS for name in header)


def _columns(path: Path, text_column: str | None) -> Mapping[str, Sequence[Any]]:
    """Return the columns of a table; of Parquet, which may be large, only those that are needed.

    Raises:
        WikibiasError: it cannot be read.
    """
    from wikibias.annotation.tables import read_table
    from wikibias.cli.warnings import warn
    from wikibias.selection_bias.reading import COLUMNS, TEXTS
    from wikibias.storage.some_columns import column_names, read_some_columns

    if path.suffix.lower() != ".parquet":
        return read_table(path, warn=warn).columns
    known = column_names(path)
    wanted = [text_column] if text_column else TEXTS
    if not any(name in known for name in wanted):
        return {name: [] for name in known}  # of which the reader says that it is not there
    return read_some_columns(path, COLUMNS, wanted)
