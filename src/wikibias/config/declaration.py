"""How settings are declared: fields of dataclasses, with type, bounds, default and description.

Command-line options, the checks of files, the manifest and `docs/settings.md` follow from this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from wikibias.errors import UsageError


@dataclass(frozen=True, slots=True)
class Ge:
    """Marks a number that is no lower than this."""

    ge: float


@dataclass(frozen=True, slots=True)
class Le:
    """Marks a number that is no higher than this."""

    le: float


@dataclass(frozen=True, slots=True)
class MinLen:
    """Marks a text or a list that is no shorter than this."""

    min_length: int


NonEmpty = Annotated[str, MinLen(1)]
MOST = 1_000_000_000
Count = Annotated[int, Ge(0), Le(MOST)]


@dataclass(frozen=True, slots=True)
class Setting:
    """Marks a field as a setting of the user's.

    Attributes:
        doc: what it does.
        option: its command-line option; "" where only a file sets it.
        unset: what its default is called, where that is no value that could be typed.
        metavar: how `--help` shows its value, where not by its type.
    """

    doc: str
    option: str = ""
    unset: str = ""
    metavar: str = ""


@dataclass(frozen=True, slots=True)
class Declared:
    """A field that is a setting: its name, type with bounds, default (or MISSING) and marking."""

    name: str
    hint: Any
    default: Any
    setting: Setting


class ConflictError(UsageError, ValueError):
    """Settings that do not fit together; `keys` are their names."""

    def __init__(self, keys: tuple[str, ...], message: str) -> None:
        super().__init__(message)
        self.keys = keys


@cache
def hints_of(kind: Any) -> Mapping[str, Any]:
    """Return the types of the fields of a dataclass, with their annotations, in order."""
    return get_type_hints(kind, include_extras=True)


def declared(kind: type[Any]) -> Iterator[Declared]:
    """Yield the settings of a dataclass, in order."""
    hints = hints_of(cast(Any, kind))
    for field in fields(kind):
        _, marks = unannotated(hints[field.name])
        for mark in marks:
            if isinstance(mark, Setting):
                yield Declared(field.name, hints[field.name], field.default, mark)


def unannotated(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a type without its annotations and without None, and the annotations."""
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        bare, more = unannotated(inner)
        return bare, (*more, *marks)
    if get_origin(hint) in (Union, UnionType):
        return unannotated(next(one for one in get_args(hint) if one is not type(None)))
    return hint, ()


def may_be_none(hint: Any) -> bool:
    """Return whether a type also allows None."""
    if get_origin(hint) is Annotated:
        return may_be_none(get_args(hint)[0])
    return get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)


def bounds(hint: Any) -> tuple[Any, Any]:
    """Return the lowest and the highest number allowed; None where there is no such bound."""
    _, marks = unannotated(hint)
    low = next((mark.ge for mark in marks if isinstance(mark, Ge)), None)
    return low, next((mark.le for mark in marks if isinstance(mark, Le)), None)


def inside(hint: Any, key: str | int) -> Any:
    """Return the type of what stands under a key or index of a type; None where nothing may."""
    bare, _ = unannotated(hint)
    if is_dataclass(bare) and isinstance(bare, type):
        return hints_of(bare).get(str(key))
    arguments = get_args(bare)
    if get_origin(bare) is tuple:
        return arguments[0]
    return arguments[1] if get_origin(bare) is Mapping else None


def keys_of(hint: Any) -> tuple[str, ...]:
    """Return the keys that a type allows; none where any is."""
    bare, _ = unannotated(hint)
    if is_dataclass(bare):
        return tuple(field.name for field in fields(bare))
    return get_args(unannotated(get_args(bare)[0])[0]) if get_origin(bare) is Mapping else ()


def allowed(hint: Any) -> str:
    """Return in words what a type with its bounds allows, such as "true or false"."""
    return _words(hint)[0]


def _words(hint: Any) -> tuple[str, str]:
    """Return what a type allows, for one value and for several."""
    bare, marks = unannotated(hint)
    arguments = get_args(bare)
    if get_origin(bare) is Literal:
        *others, last = (f'"{value}"' for value in arguments)
        one = f"{', '.join(others)} or {last}" if others else last
        several = f"any of {', '.join([*others, last])}"
    elif bare is bool:
        one = several = "true or false"
    elif bare in (int, float):
        low, high = bounds(hint)
        reach = "" if low is None else f" of {low:,} or more"
        reach = reach if high is None else f" from {low:,} to {high:,}"
        kind = "whole number" if bare is int else "number"
        one, several = f"a {kind}{reach}", f"{kind}s{reach}"
    elif bare is str:
        full = any(isinstance(mark, MinLen) for mark in marks)
        one = "a text that is not empty" if full else "a text"
        several = "texts that are not empty" if full else "texts"
    elif get_origin(bare) is tuple:
        inner = _words(arguments[0])[1]
        one, several = f"a list of {inner}", f"lists of {inner}"
    else:
        inner = f" of {_words(arguments[1])[1]}" if arguments else ""
        one, several = f"a table{inner}", f"tables{inner}"
    return one, several


def required(setting: Declared) -> bool:
    """Return whether a setting has no default."""
    return setting.default is MISSING
