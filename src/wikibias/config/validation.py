"""Files and records, checked against what is declared: a value is taken, or what is wrong is said.

Done here and by no library, since a library that can do it takes as long to load and to prepare as
a small dump to read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args, get_origin

from wikibias.config.declaration import (
    ConflictError,
    MinLen,
    allowed,
    bounds,
    hints_of,
    inside,
    keys_of,
    may_be_none,
    unannotated,
)
from wikibias.config.toml_file import Place, TomlFile
from wikibias.errors import UsageError
from wikibias.messages import closest, nearest

T = TypeVar("T")
_BARE = re.compile(r"[\w-]+")
_LONGEST_SHOWN = 60
# A file can hold larger integers, but Python does not write them.
_MOST_BITS = 10_000
# What is returned in the place of a value that is not allowed; the fault is noted.
_NOTHING: Any = object()


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at a place of a table, in words; of `keys` there, where several conflict.

    Of an unknown key, `meant` is the key that it may be a slip of.
    """

    place: Place
    text: str
    keys: tuple[str, ...] = ()
    meant: str | None = None

    def at(self, file: TomlFile) -> str:
        """Return `path:line` of the place, or of the first of the keys that the file holds."""
        places = [(*self.place, key) for key in self.keys]
        return file.at(next((place for place in places if file.has(place)), self.place))


class MisfitError(ValueError):
    """A table is not what is declared; `faults` holds all that is wrong, at least one."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults[0].text)
        self.faults = faults


def conform(kind: type[T], table: Mapping[str, Any]) -> T:
    """Return a table, of a TOML or JSON file, as the dataclass that declares what it may hold.

    Types are taken strictly: no text for a number, no number for true or false.

    Raises:
        MisfitError: a key is unknown or missing, or a value is not allowed.
    """
    check = _Check(kind, table)
    found = check.value(kind, table, ())
    if check.faults:
        raise MisfitError(check.faults)
    return cast(T, found)


def conform_file(kind: type[T], table: Mapping[str, Any], file: TomlFile) -> T:
    """Return a table that comes from a file as a dataclass.

    Raises:
        UsageError: see `conform`; one line that names file, line and key and what is allowed.
    """
    try:
        return conform(kind, table)
    except MisfitError as error:
        fault = error.faults[0]
        raise UsageError(f"{fault.at(file)}: {fault.text}") from error


class _Shape(NamedTuple):
    """What a type allows, told once, as there are thousands of values of some types."""

    bare: Any
    origin: Any
    is_record: bool
    may_be_none: bool
    shortest: int
    low: Any
    high: Any


@cache
def _shape(hint: Any) -> _Shape:
    bare, marks = unannotated(hint)
    shortest = max((mark.min_length for mark in marks if isinstance(mark, MinLen)), default=0)
    low, high = bounds(hint)
    none = may_be_none(hint)
    return _Shape(bare, get_origin(bare), is_dataclass(bare), none, shortest, low, high)


class _Check:
    """Takes the values of a table as a type declares them; `faults` notes what is wrong, in order.

    The faults of a table come in the order in which its keys are declared, then unknown keys.
    """

    def __init__(self, kind: type[Any], table: Mapping[str, Any]) -> None:
        self.faults: list[Fault] = []
        self._kind, self._table = kind, table

    def value(self, hint: Any, value: Any, place: Place) -> Any:
        """Return a value as its type has it, or `_NOTHING`."""
        shape = _shape(hint)
        before = len(self.faults)
        found = _NOTHING
        if value is None and shape.may_be_none:
            return None
        if isinstance(value, Mapping) and shape.is_record:
            found = self._record(shape.bare, value, place)
        elif isinstance(value, Mapping) and shape.origin is Mapping:
            found = self._mapping(get_args(shape.bare), value, place)
        elif isinstance(value, (list, tuple)) and shape.origin is tuple:
            item = get_args(shape.bare)[0]
            items = [self.value(item, inner, (*place, n)) for n, inner in enumerate(value)]
            found = tuple(items) if len(items) >= shape.shortest else _NOTHING
        else:
            found = _plain(shape, value)
        if found is _NOTHING and len(self.faults) == before:
            self.faults.append(self._misfit(place, value))
        return found

    def _record(self, kind: Any, table: Mapping[str, Any], place: Place) -> Any:
        hints, before = hints_of(kind), len(self.faults)
        unknown = [self._unknown((*place, key)) for key in table if key not in hints]
        meant = {fault.meant for fault in unknown}
        given = {}
        for field in fields(kind):
            at = (*place, field.name)
            if field.name in table:
                given[field.name] = self.value(hints[field.name], table[field.name], at)
            elif (
                field.default is MISSING
                and field.default_factory is MISSING
                # A key that is misspelt is said to be unknown, which shows where it stands.
                and field.name not in meant
            ):
                entry, key = _named(self._table, at)
                self.faults.append(Fault(at, f"{entry}{key} is missing"))
        self.faults += unknown
        if len(self.faults) > before:
            return _NOTHING
        try:
            return kind(**given)
        except ConflictError as conflict:
            text = f"{f'[{dotted(place)}] ' if place else ''}{conflict}"
            self.faults.append(Fault(place, text, conflict.keys))
            return _NOTHING

    def _mapping(self, hints: tuple[Any, ...], table: Mapping[str, Any], place: Place) -> Any:
        of_key, of_value = hints
        found = {}
        for key, value in table.items():
            if _plain(_shape(of_key), key) is _NOTHING:
                self.faults.append(self._unknown((*place, key)))
            found[key] = self.value(of_value, value, (*place, key))
        return found

    def _unknown(self, place: Place) -> Fault:
        known = keys_of(_inside(self._kind, place[:-1]))
        entry, key = _named(self._table, place)
        homes = [name for name in _sections_with(self._kind, place[-1]) if place[:-1] != (name,)]
        if isinstance(_value(self._table, place), Mapping):
            homes = []  # a table, such as [filters] for [filter], is no key of another
        if len(homes) == 1:
            return Fault(place, f"{entry}unknown key {key}; it belongs to [{homes[0]}]")
        slip = str(place[-1])
        text = f"{entry}unknown key {key}{nearest(slip, known)}"
        return Fault(place, text, meant=closest(slip, known))

    def _misfit(self, place: Place, value: Any) -> Fault:
        bare, _ = unannotated(_inside(self._kind, place))
        if get_origin(bare) is Literal and isinstance(value, str):
            entry, key = _named(self._table, place)
            known = nearest(value, get_args(bare))
            return Fault(place, f"{entry}unknown {key} {shown(value)}{known}")
        # An item of a list says little without the list.
        item = len(place) > 1 and isinstance(place[-1], int)
        whole = place[:-1] if item else place
        entry, key = _named(self._table, whole)
        but = "but holds" if item else "not"
        words = allowed(_inside(self._kind, whole))
        return Fault(place, f"{entry}{key} must be {words}, {but} {shown(value)}")


def _plain(shape: _Shape, value: Any) -> Any:
    """Return a text, a number or a truth as its type has it, or `_NOTHING`; taken strictly."""
    if shape.bare in (int, float):
        return _number(shape, value)
    if shape.origin is Literal:
        fits = isinstance(value, str) and value in get_args(shape.bare)
    elif shape.bare is str:
        fits = isinstance(value, str) and len(value) >= shape.shortest and _is_whole(value)
    else:
        fits = shape.bare is bool and isinstance(value, bool)
    return value if fits else _NOTHING


def _number(shape: _Shape, value: Any) -> Any:
    bare, low, high = shape.bare, shape.low, shape.high
    if type(value) not in (int, bare) or (type(value) is int and value.bit_length() > _MOST_BITS):
        return _NOTHING
    fits = (low is None or value >= low) and (high is None or value <= high)
    try:
        number = bare(value)
    except OverflowError:
        return _NOTHING
    return number if fits and (bare is int or math.isfinite(number)) else _NOTHING


def _is_whole(text: str) -> bool:
    """Return whether a text holds no half of a character, as JSON can have it."""
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _inside(kind: type[Any], place: Place) -> Any:
    hint: Any = kind
    for key in place:
        hint = inside(hint, key)
    return hint


def _sections_with(kind: type[Any], key: str | int) -> list[str]:
    """Return the names of the tables of a file that know a key."""
    tables = {name: inside(kind, name) for name in keys_of(kind)}
    return [
        name
        for name, hint in tables.items()
        if is_dataclass(unannotated(hint)[0]) and key in keys_of(hint)
    ]


def _value(table: Any, place: Place) -> Any:
    for key in place:
        table = table[key]
    return table


def _named(table: Mapping[str, Any], place: Place) -> tuple[str, str]:
    """Return which [[entry]] a place is in, and its key there; "" and the whole key elsewhere."""
    if len(place) < 3 or not isinstance(place[1], int):
        return "", dotted(place)
    name = _value(table, place[:2]).get("name", "?")
    return f"[[{place[0]}]] {shown(name)}: ", dotted(place[2:])


def dotted(place: Place) -> str:
    """Return a place as TOML writes keys; an index counts from 1, as people do."""
    text = ""
    for key in place:
        if isinstance(key, int):
            text += f"[{key + 1}]"
        else:
            text += f"{text and '.'}{key if _BARE.fullmatch(key) else repr(key)}"
    return text


def shown(value: Any) -> str:
    """Return a wrong value on one line, cut where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    try:
        text = repr(value)
    except ValueError:  # an integer of very many digits
        text = "a huge number"
    except RecursionError:
        text = "what is nested too deeply"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
