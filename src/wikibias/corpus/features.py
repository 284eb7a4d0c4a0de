"""The columns of a corpus as the library `datasets` types them: classes, times, lists."""

from collections.abc import Mapping
from typing import Any, get_args

from wikibias.config.signals import BIASED
from wikibias.kits.schemas import (
    CORPUS_TABLE,
    LABELLED_TABLE,
    PAIRS_TABLE,
    SENTENCE_PAIRS_TABLE,
    Column,
    ColumnType,
    Table,
)
from wikibias.records import Block, EditorKind, Kind, Pairing, Relation, Role, Tier

# Columns whose values are classes, with these in the order of their numbers: biased is 1.
CLASSES: Mapping[str, tuple[str, ...]] = {
    "label": ("neutral", "biased"),
    "role": get_args(Role),
    "kind": get_args(Kind),
    "pairing": get_args(Pairing),
    "signal": (*BIASED, "featured"),
    "editor_kind": get_args(EditorKind),
    "block": get_args(Block),
    "tier": get_args(Tier),
    "relation": get_args(Relation),
}
_TYPES: Mapping[ColumnType, str] = {
    "string": "string",
    "int32": "int32",
    "int64": "int64",
    "double": "float64",
    "bool": "bool",
    # As Parquet gives back whole seconds.
    "time": "timestamp[ms, tz=UTC]",
}
_ITEMS: Mapping[ColumnType, str] = {
    "strings": "string",
    "bools": "bool",
    "doubles": "float64",
    "ints": "int64",
}
TABLES: Mapping[str, Table[Any]] = {
    "sentences": CORPUS_TABLE,
    "pairs": PAIRS_TABLE,
    "sentence_pairs": SENTENCE_PAIRS_TABLE,
    "labelled": LABELLED_TABLE,
}
"""What the configurations of a data set hold."""


def classes(config: str) -> Mapping[str, tuple[str, ...]]:
    """Return the columns of classes of a configuration; a user may name an intent as he likes."""
    if config != "labelled":
        return CLASSES
    return {name: values for name, values in CLASSES.items() if name != "signal"}


def columns(config: str, *, with_editors: bool) -> list[Column]:
    """Return the columns of a configuration."""
    return [each for each in TABLES[config].columns if with_editors or not each.on_request]


def features(config: str, *, with_editors: bool) -> list[dict[str, Any]]:
    """Return the columns of a configuration as `dataset_info` of a card lists them."""
    of = classes(config)
    return [_feature(column, of) for column in columns(config, with_editors=with_editors)]


def _feature(column: Column, of: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    if names := of.get(column.name):
        numbered = {str(number): name for number, name in enumerate(names)}
        return {"name": column.name, "dtype": {"class_label": {"names": numbered}}}
    if column.type in _ITEMS:
        return {"name": column.name, "list": _ITEMS[column.type]}
    return {"name": column.name, "dtype": _TYPES[column.type]}


def stored_features(config: str, *, with_editors: bool) -> dict[str, dict[str, Any]]:
    """Return the columns of a configuration as `datasets` notes them in a Parquet file."""
    of = classes(config)
    return {each.name: _stored(each, of) for each in columns(config, with_editors=with_editors)}


def _stored(column: Column, of: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    if names := of.get(column.name):
        return {"names": list(names), "_type": "ClassLabel"}
    if column.type in _ITEMS:
        # Older versions know this name of a list alone, newer ones both.
        return {"feature": {"dtype": _ITEMS[column.type], "_type": "Value"}, "_type": "Sequence"}
    return {"dtype": _TYPES[column.type], "_type": "Value"}
