"""Tables as values: the columns of a file follow from the dataclass of its rows.

    str, Literal            string          datetime          timestamp in seconds, UTC
    int                     int64           tuple[str, ...]   list of strings, and so on
    float                   double          a dataclass       its own columns
    bool                    bool            X | None          X; every column may hold null

`tuple[Sentence, ...]` gives a list for each field of `Sentence`: the first one has the name of the
field itself, the others add their own, as in `removed` and `removed_norm`. With
`Annotated[..., Prefix("added_")]` each has its own name behind that prefix.
`Annotated[int, "int32"]` is stored as int32; `Annotated[..., "on request"]` is the last column, and
is left out unless it is asked for; `Annotated[..., "not stored"]` is no column.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, Generic, Literal, TypeVar, cast, get_args, get_origin

from wikibias import records
from wikibias.kits.checked import hints_of, unannotated

Row = dict[str, Any]
R = TypeVar("R")
ColumnType = Literal[
    "string", "strings", "bools", "doubles", "ints", "int32", "int64", "double", "bool", "time"
]
ON_REQUEST, NOT_STORED = "on request", "not stored"
_TYPES: Mapping[Any, ColumnType] = {
    str: "string",
    int: "int64",
    float: "double",
    bool: "bool",
    datetime: "time",
}
_LISTS: Mapping[Any, ColumnType] = {str: "strings", bool: "bools", float: "doubles", int: "ints"}
ITEMS: Mapping[ColumnType, ColumnType] = {_LISTS[item]: _TYPES[item] for item in _LISTS}
"""Of what each type of list is one."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a file; `value` gives its cell of a record."""

    name: str
    type: ColumnType
    value: Callable[[Any], Any]
    on_request: bool = False


@dataclass(frozen=True, slots=True)
class Table(Generic[R]):
    """A kind of file: its name, and the dataclass that its rows are records of.

    It can be sent to worker processes, each of which derives the columns by itself.
    """

    name: str
    record: type[R]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in the order of the fields; those on request last.

        Raises:
            TypeError: a field is of a type that no column can hold.
        """
        return _columns_of(cast(type, self.record))

    def row(self, record: R) -> Row:
        """Return a record as a row, with the columns on request."""
        return {column.name: column.value(record) for column in self.columns}

    def record_of(self, row: Mapping[str, Any]) -> R:
        """Return the record in a row; what the row lacks is None, or empty where it is a list."""
        return cast(R, _reader(cast(type, self.record))(row))


def _plain(hint: Any) -> tuple[Any, Any]:
    """Return a type without `| None` and annotation, and the annotation."""
    hint, marks = unannotated(hint)
    if get_origin(hint) is Literal:
        hint = type(get_args(hint)[0])
    return hint, next(iter(marks), "")


def _fields(record: type) -> Iterator[tuple[str, Any, Any]]:
    """Yield name, plain type and annotation of each field of a dataclass."""
    hints = hints_of(record)
    for field in fields(record):
        yield field.name, *_plain(hints[field.name])


@cache
def _columns_of(record: type) -> tuple[Column, ...]:
    return tuple(sorted(_columns(record), key=lambda column: column.on_request))


def _columns(record: type, path: str = "") -> Iterator[Column]:
    for name, kind, mark in _fields(record):
        where = path + name
        if mark == NOT_STORED:
            continue
        if is_dataclass(kind):
            yield from _columns(cast(type, kind), f"{where}.")
        elif get_origin(kind) is tuple:
            yield from _list_columns(name, get_args(kind)[0], mark, attrgetter(where))
        elif mark == "int32":
            yield Column(name, "int32", attrgetter(where))
        elif kind in _TYPES:
            yield Column(name, _TYPES[kind], attrgetter(where), on_request=mark == ON_REQUEST)
        else:
            raise TypeError(f"{record.__name__}.{name}: no column can hold {kind}")


def _list_columns(name: str, item: Any, mark: Any, value: Callable[[Any], Any]) -> Iterator[Column]:
    if item in _LISTS:
        yield Column(name, _LISTS[item], value)
        return
    hints = hints_of(item)
    for number, part in enumerate(item._fields):

        def of_part(record: Any, number: int = number) -> tuple[str, ...]:
            return tuple(map(itemgetter(number), value(record)))

        kind, _ = _plain(hints[part])
        yield Column(_part_name(name, mark, number, part), _LISTS[kind], of_part)


def _part_name(name: str, mark: Any, number: int, part: str) -> str:
    if isinstance(mark, records.Prefix):
        return f"{mark.text}{part}"
    return f"{name}_{part}" if number else name


@cache
def _reader(record: type) -> Callable[[Mapping[str, Any]], Any]:
    """Return what makes a record of a row."""
    read = [_field_reader(name, kind, mark) for name, kind, mark in _fields(record)]
    return lambda row: record(*[one(row) for one in read])


def _field_reader(name: str, kind: Any, mark: Any) -> Callable[[Mapping[str, Any]], Any]:
    if is_dataclass(kind):
        return _reader(cast(type, kind))
    if get_origin(kind) is not tuple:
        return lambda row: row.get(name)
    item = get_args(kind)[0]
    if item in _LISTS:
        return lambda row: tuple(row.get(name) or ())
    names = [_part_name(name, mark, number, part) for number, part in enumerate(item._fields)]
    make = item._make
    return lambda row: tuple(map(make, zip(*(row.get(n) or () for n in names), strict=True)))


TRANSITIONS_TABLE = Table("transitions", records.Transition)
DIFFS_TABLE = Table("diffs", records.Edit)
REJECTS_TABLE = Table("rejects", records.RejectedEdit)
EDITS_TABLE = Table("edits", records.KeptEdit)
CORPUS_TABLE = Table("corpus", records.CorpusSentence)
PAIRS_TABLE = Table("pairs", records.AlignedPair)
SENTENCE_PAIRS_TABLE = Table("sentence pairs", records.SentencePair)
SENTENCE_PAIRS_FILE = "pairs.parquet"
"""That table in a folder that `wikibias pairs` made."""
LABELLED_TABLE = Table("labelled", records.LabelledSentence)
