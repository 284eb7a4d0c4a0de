"""Files and records, checked against what is declared. The only module that knows pydantic.

It is loaded when there is something to check, because that takes 50 ms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import Any, TypeVar, cast, get_args

from wikibias.config.declaration import ConflictError, allowed, inside, keys_of, unannotated
from wikibias.config.toml_file import Place, TomlFile
from wikibias.errors import UsageError
from wikibias.messages import nearest

T = TypeVar("T")
_BARE = re.compile(r"[\w-]+")
_LONGEST_SHOWN = 60
# JSON can hold larger integers, but Python does not write them.
_MOST_BITS = 10_000


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at a place of a table, in words; of `keys` there, where several conflict."""

    place: Place
    text: str
    keys: tuple[str, ...] = ()

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
    from pydantic import ValidationError  # noqa: PLC0415 (see the module)

    try:
        (found,) = _adapter(cast(Any, kind)).validate_json(json.dumps([_plain(table)]))
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        raise MisfitError([_fault(kind, table, fault) for fault in faults]) from error
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


@cache
def _adapter(kind: type[Any]) -> Any:
    from pydantic import ConfigDict, TypeAdapter  # noqa: PLC0415

    config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
    # A list, because a dataclass by itself takes no configuration from outside.
    return TypeAdapter(list[kind], config=config)  # type: ignore[valid-type]


def _plain(value: Any) -> Any:
    """Return a value of a TOML file with null for what JSON lacks, which is nowhere allowed."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, int):
        return value if value.bit_length() <= _MOST_BITS else None
    return value if isinstance(value, (str, float)) else None


def _fault(kind: type[Any], table: Mapping[str, Any], error: Mapping[str, Any]) -> Fault:
    """Return what pydantic found, as people say it."""
    place: Place = error["loc"][1:]
    if error["type"] == "json_invalid":
        return Fault((), "holds what no setting may: tables nested too deeply, or broken text")
    unknown = error["type"] == "unexpected_keyword_argument"
    if place[-1:] == ("[key]",) or unknown:
        # pydantic marks a wrong key of a mapping so; an unknown one may itself be called that.
        place = place if unknown else place[:-1]
        known = keys_of(_inside(kind, place[:-1]))
        entry, key = _named(table, place)
        homes = [name for name in _sections_with(kind, place[-1]) if place[:-1] != (name,)]
        hint = (
            f"; it belongs to [{homes[0]}]" if len(homes) == 1 else nearest(str(place[-1]), known)
        )
        return Fault(place, f"{entry}unknown key {key}{hint}")
    if error["type"] == "missing":
        entry, key = _named(table, place)
        return Fault(place, f"{entry}{key} is missing")
    value = _value(table, place)
    conflict = error.get("ctx", {}).get("error")
    if isinstance(conflict, ConflictError):
        text = f"{f'[{dotted(place)}] ' if place else ''}{conflict}"
        return Fault(place, text, conflict.keys)
    if error["type"] == "literal_error" and isinstance(value, str):
        entry, key = _named(table, place)
        known = get_args(unannotated(_inside(kind, place))[0])
        return Fault(place, f"{entry}unknown {key} {shown(value)}{nearest(value, known)}")
    # An item of a list says little without the list.
    item = len(place) > 1 and isinstance(place[-1], int)
    whole = place[:-1] if item else place
    entry, key = _named(table, whole)
    but = "but holds" if item else "not"
    words = allowed(_inside(kind, whole))
    return Fault(place, f"{entry}{key} must be {words}, {but} {shown(value)}")


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
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
