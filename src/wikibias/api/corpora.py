"""Loads the tables of a result folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from wikibias.config.choices import SPLITS
from wikibias.errors import UsageError, nearest
from wikibias.kits import parquet

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray

    from wikibias.models.estimators.registry import Model

TableName: TypeAlias = Literal[
    "corpus", "edits", "rejects", "transitions", "diffs", "pairs", "labelled", "judged"
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
        {'biased': 69, 'neutral': 69}
        >>> len(load_corpus("corpora/en", "train"))
        116
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
            "transitions" (with the wikitext of both revisions), "diffs", "pairs" (of what `pairs`
            made, or a corpus that was built with `--pairs`), "labelled" or "judged" (`--labels`).
        columns: only these are read; `transitions` without its texts takes little memory.

    Raises:
        UsageError: the folder holds no such table, or the table no such column.
        WikibiasError: a file is damaged.

    Examples:
        >>> rejects = load_table("corpora/en", "rejects", columns=["page_title", "verdict"])
        >>> rejects.num_rows, rejects.column_names
        (14, ['page_title', 'verdict'])
        >>> rejects.to_pandas()["verdict"].value_counts().to_dict()["redirect_or_blank"]
        3
    """
    if name not in get_args(TableName):
        raise UsageError(f"unknown table {name!r}{nearest(name, get_args(TableName))}")
    wanted = [columns] if isinstance(columns, str) else columns
    return parquet.read_arrow(_files(Path(folder), name, None), wanted)


def _files(folder: Path, table: str, split: str | None) -> list[Path]:
    if table in ("corpus", "labelled", "judged"):
        inner = folder if (folder / "votes.jsonl").is_file() else folder / table
        paths = [inner / f"{name}.parquet" for name in ([split] if split else SPLITS)]
    elif table == "pairs":
        paths = [folder / place / "pairs.parquet" for place in ("aligned", "corpus", "")]
    else:
        paths = sorted((folder / table).glob("*.parquet"))
    if found := [path for path in paths if path.is_file()]:
        return found
    if table == "pairs" and (folder / "corpus").is_dir():
        raise UsageError(
            f"{folder} holds no sentence pairs; run `wikibias build --restart --pairs` on it, "
            "with the options of before"
        )
    if table == "corpus" and (folder / "labelled").is_dir():
        raise UsageError(f'{folder} holds labels alone; load_table(folder, "labelled") reads them')
    if table == "labelled" and (folder / "manifest.json").is_file():
        raise UsageError(
            f"{folder} holds no sentences with labels; run `wikibias build --labels intents` on "
            "it, or `--labels tags`"
        )
    raise UsageError(f"{folder} holds no {table}; give a folder that `wikibias extract` has made")


@dataclass(frozen=True, slots=True)
class Classifier:
    """A trained classifier of biased sentences; `load_classifier` gives one.

    Attributes:
        name: of the kind of model, such as "nb-lr".
        lang: the code of the language of the training data, where that is known.
    """

    name: str
    lang: str | None
    _model: Model = field(repr=False)
    _read: Callable[[str], str] = field(repr=False)

    def predict(self, sentences: Iterable[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence is biased; over 0.5 means biased.

        Args:
            sentences: as people write them; those for a model of a corpus are normalised as the
                corpus was. Only the first 20,000 characters of one are read.

        Returns:
            A number from 0 to 1 for each sentence, in order; NaN for a blank one.

        Raises:
            UsageError: it is no list of texts.
        """
        import numpy as np  # noqa: PLC0415 (takes longer than all other imports of `wikibias`)

        from wikibias.models.estimators.registry import probabilities  # noqa: PLC0415 (as below)
        from wikibias.models.examples import LONGEST  # noqa: PLC0415 (loads scikit-learn)

        given = _texts(sentences)
        found = np.full(len(given), np.nan)
        wanted = [number for number, text in enumerate(given) if text.strip()]
        if wanted:
            texts = [self._read(given[number][:LONGEST]) for number in wanted]
            found[wanted] = probabilities(self._model, texts)
        return found


def _texts(sentences: Iterable[str]) -> list[str]:
    """Return sentences in the order in which they stand, whatever labels a Series has for them.

    Raises:
        UsageError: they are one text, a frame, or hold what is no text.
    """
    if isinstance(sentences, str) or hasattr(sentences, "columns"):
        what = "one text" if isinstance(sentences, str) else "a frame"
        raise UsageError(f"predict takes sentences, such as [text] or frame['text'], not {what}")
    given = [*sentences]
    for number, text in enumerate(given):
        if not isinstance(text, str):
            raise UsageError(f"sentence {number} is no text, but {text!r:.40}")
    return given


def load_classifier(folder: str | os.PathLike[str]) -> Classifier:
    """Load a classifier.

    Args:
        folder: what `wikibias classify` made, such as `corpora/en/models/nb-lr`.

    Raises:
        WikibiasError: the folder holds no model, a damaged one, or one of another version.

    Examples:
        >>> classifier = load_classifier("corpora/en/models/sgd")
        >>> probabilities = classifier.predict(["It is truly the finest of all.", ""])
        >>> probabilities.shape
        (2,)
    """
    from wikibias.models import prediction  # noqa: PLC0415 (loads scikit-learn)
    from wikibias.models.estimators import registry  # noqa: PLC0415

    path = Path(folder)
    described = registry.MODEL.describe(path)
    return Classifier(
        name=str(described["model"]),
        lang=described.get("lang"),
        _model=registry.load(path),
        _read=prediction.reader(described),
    )
