"""Loads the tables of a result folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from wikibias.config.choices import SPLITS
from wikibias.errors import UsageError
from wikibias.kits import parquet
from wikibias.messages import nearest

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

TableName: TypeAlias = Literal[
    "corpus", "edits", "rejects", "transitions", "diffs", "pairs", "labelled"
]
SplitName: TypeAlias = Literal["train", "dev", "test"]


def load_corpus(folder: str | os.PathLike[str], split: SplitName | None = None) -> pd.DataFrame:
    """Load the corpus of a result folder as a pandas DataFrame, a row a sentence.

    Args:
        folder: what `wikibias extract` made, such as `corpora/en`.
        split: "train", "dev" or "test"; without it, all three, in this order. The column `split`
            tells them apart.

    Raises:
        UsageError: the folder holds no corpus, or there is no such split.
        WikibiasError: a file is damaged.

    Examples:
        >>> corpus = load_corpus("corpora/en")
        >>> corpus["label"].value_counts().to_dict()
        {'biased': 67, 'neutral': 67}
        >>> len(load_corpus("corpora/en", "train"))
        112
    """
    if split is not None and split not in SPLITS:
        raise UsageError(f"unknown split {split!r}{nearest(split, SPLITS)}")
    return parquet.read_arrow(_files(Path(folder), "corpus", split)).to_pandas()


def load_table(
    folder: str | os.PathLike[str],
    name: TableName = "corpus",
    *,
    columns: Sequence[str] | None = None,
) -> pa.Table:
    """Load a table of a result folder, all its parts, as an Arrow table.

    `.to_pandas()` makes it a DataFrame. `wikibias docs output` lists the tables and their columns.

    Args:
        folder: what `wikibias extract` made, such as `corpora/en`.
        name: "corpus", "edits" (what was kept), "rejects" (what was not, with the reason),
            "transitions" (with the wikitext of both revisions), "diffs", "pairs" (only if the
            corpus was built with `--pairs`) or "labelled" (with `--labels`).
        columns: only these are read; `transitions` without its texts takes little memory.

    Raises:
        UsageError: the folder holds no such table, or the table no such column.
        WikibiasError: a file is damaged.

    Examples:
        >>> rejects = load_table("corpora/en", "rejects", columns=["page_title", "verdict"])
        >>> rejects.num_rows, rejects.column_names
        (15, ['page_title', 'verdict'])
        >>> rejects.to_pandas()["verdict"].value_counts().to_dict()["redirect_or_blank"]
        3
    """
    if name not in get_args(TableName):
        raise UsageError(f"unknown table {name!r}{nearest(name, get_args(TableName))}")
    return parquet.read_arrow(_files(Path(folder), name, None), columns)


def _files(folder: Path, table: str, split: str | None) -> list[Path]:
    if table in ("corpus", "labelled"):
        paths = [folder / table / f"{name}.parquet" for name in ([split] if split else SPLITS)]
        found = [path for path in paths if path.is_file()]
    elif table == "pairs":
        found = [path for path in [folder / "corpus" / "pairs.parquet"] if path.is_file()]
    else:
        found = sorted((folder / table).glob("*.parquet"))
    if not found and table == "pairs" and (folder / "corpus").is_dir():
        raise UsageError(
            f"{folder} holds no pairs; run `wikibias build --restart --pairs` on it, with the "
            "options of before"
        )
    if not found and table == "labelled" and (folder / "manifest.json").is_file():
        raise UsageError(
            f"{folder} holds no sentences with labels; run `wikibias build --labels intents` on "
            "it, or `--labels tags`"
        )
    if not found:
        raise UsageError(
            f"{folder} holds no {table}; give a folder that `wikibias extract` has made"
        )
    return found
