"""Checked input: TOML files with their lines, and tables as the dataclasses that declare them.

Command-line options, the checks of files, the manifest and `docs/settings.md` follow from what is
declared: fields with type, bounds, default and description.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, cached_property, reduce
from inspect import cleandoc
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from wikibias.errors import UsageError, closest, nearest
from wikibias.kits.files import read_small

Meta = msgspec.Meta
Struct = msgspec.Struct
Place = tuple[str | int, ...]
"""Keys and indices that lead to a value, from the top of a file."""

# Bytes. The largest tag set that we know has 50,000.
_MOST = 5_000_000
_KEY = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)"""
_KEYS = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_ATTRIBUTE = re.compile(r" {4}(\w+): (.+)")
_LINE = re.compile(rf"\s*(?:(\[\[?)\s*({_KEYS})\s*\]|({_KEYS})\s*=)")


def read_text(path: Path, otherwise: str = "save it as UTF-8") -> str:
    """Read a text file in UTF-8, with or without a byte order mark.

    `otherwise` is what to do with another one.

    Raises:
        UsageError: the file is missing, unreadable, or no text that a person may have written.
    """
    try:
        text = read_small(path, _MOST).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError as error:
        raise UsageError(f"{path}: no such file") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not valid UTF-8 ({error}); {otherwise}") from error


class TomlFile:
    """A TOML file: its `path`, its content as a `table`, and where each key stands.

    Raises:
        UsageError: the text is no TOML; the message names file and line.
    """

    def __init__(self, text: str, path: Path) -> None:
        self.path = path
        self._lines = text.splitlines()
        try:
            # A bare date is the text of it.
            self.table: dict[str, Any] = msgspec.to_builtins(tomllib.loads(text))
        except RecursionError as error:
            raise UsageError(f"{path}: not valid TOML: nested too deeply") from error
        except ValueError as error:  # also a number of very many digits
            raise UsageError(f"{path}: not valid TOML: {error}") from error

    @classmethod
    def read(cls, path: Path) -> TomlFile:
        """Read a file.

        Raises:
            UsageError: the file is missing, unreadable or no TOML.
        """
        return cls(read_text(path), path)

    def has(self, place: Place) -> bool:
        """Return whether the file holds a key of its own at a place."""
        return place in self._keys

    def at(self, place: Sequence[str | int], text: str = "") -> str:
        """Return `path:line` of the key at a place, or of the nearest one above it.

        With `text`, it is the first line from there to the next key that holds the text.
        """
        known = [tuple(place[:end]) for end in range(len(place), 0, -1)]
        first = next((self._keys[key] for key in known if key in self._keys), 0)
        after = (line for line in self._keys.values() if line > first)
        rest = range(first, min(after, default=len(self._lines)))
        found = next((n for n in rest if text and text in self._lines[n]), first)
        return f"{self.path}:{found + 1}"

    @cached_property
    def _keys(self) -> dict[Place, int]:
        """The line, from 0, of each key and of each head of a table."""
        found: dict[Place, int] = {}
        table: Place = ()
        seen: Counter[Place] = Counter()
        for number, line in enumerate(self._lines):
            match = _LINE.match(line)
            if match and match[1]:
                table = tuple(_placed(_parts(match[2]), seen))
                if match[1] == "[[":
                    found.setdefault(table, number)
                    table = (*table, seen[table])
                    seen[table[:-1]] += 1
                found.setdefault(table, number)
            elif match:
                keys = tuple(_parts(match[3]))
                for end in range(1, len(keys) + 1):
                    found.setdefault((*table, *keys[:end]), number)
        return found


def _parts(keys: str) -> Iterator[str]:
    """Yield the parts of a dotted key, without quotes."""
    inner: Any = tomllib.loads(f"{keys} = 0")
    while isinstance(inner, dict):
        ((key, inner),) = inner.items()
        yield key


def _placed(parts: Iterator[str], seen: Counter[Place]) -> Place:
    """Return the place of a table, which is that of the last entry where arrays lie above it."""
    place: Place = ()
    for part in parts:
        place = (*place, seen[place] - 1, part) if place in seen else (*place, part)
    return place


NonEmpty = Annotated[str, Meta(min_length=1)]
MOST = 1_000_000_000
Count = Annotated[int, Meta(ge=0, le=MOST)]


@dataclass(frozen=True, slots=True)
class Setting:
    """Marks a field as a setting of the user's, which the docstring of its class describes.

    Attributes:
        option: its command-line option, as "--out" or "-o --out"; "" where only a file sets it.
        unset: what its default is called, where that is no value that could be typed.
        metavar: how `--help` shows its value, where not by its type.
        doc: what it does, where the docstring cannot say it.
        hidden: whether `--help` leaves it out, for another option does the same.
        commas: of a list of texts, whether commas may part them, as they do numbers and choices.
    """

    option: str = ""
    unset: str = ""
    metavar: str = ""
    doc: str = ""
    hidden: bool = False
    commas: bool = False


@dataclass(frozen=True, slots=True)
class Declared:
    """A field that is a setting.

    Attributes:
        name: of the field.
        hint: its type, with bounds.
        default: its default, or MISSING.
        setting: its marking.
        doc: what it does.
    """

    name: str
    hint: Any
    default: Any
    setting: Setting
    doc: str


class ConflictError(UsageError, ValueError):
    """Settings that do not fit together; `keys` are their names."""

    def __init__(self, keys: tuple[str, ...], message: str) -> None:
        super().__init__(message)
        self.keys = keys


@cache
def hints_of(kind: Any) -> Mapping[str, Any]:
    """Return the types of the fields of a dataclass, with their annotations, in order."""
    return get_type_hints(kind, include_extras=True)


def declared(kind: Any) -> Iterator[Declared]:
    """Yield the settings of a dataclass, in order."""
    hints, docs = hints_of(kind), _attribute_docs(kind)
    for field in fields(kind):
        hint = hints[field.name]
        for mark in unannotated(hint)[1]:
            if isinstance(mark, Setting):
                doc = mark.doc or docs.get(field.name, "")
                yield Declared(field.name, hint, field.default, mark, doc)


@cache
def _attribute_docs(kind: Any) -> Mapping[str, str]:
    """Return what the docstrings of a class and its bases say of each attribute, on one line."""
    found, name = dict[str, str](), ""
    for each in reversed(kind.__mro__[:-1]):
        _, _, section = cleandoc(each.__doc__ or "").partition("Attributes:\n")
        for line in section.partition("\n\n")[0].splitlines():
            if match := _ATTRIBUTE.match(line):
                name = match[1]
                found[name] = match[2]
            else:
                found[name] += f" {line.strip()}"
    return found


@cache
def unannotated(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a type without its annotations and without None, and the annotations."""
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        bare, more = unannotated(inner)
        return bare, (*more, *marks)
    if get_origin(hint) in (Union, UnionType):
        return unannotated(next(one for one in get_args(hint) if one is not type(None)))
    return hint, ()


def bounds(hint: Any) -> tuple[Any, Any]:
    """Return the lowest and the highest number allowed; None where there is no such bound."""
    _, marks = unannotated(hint)
    meta = next((mark for mark in marks if isinstance(mark, Meta)), Meta())
    return meta.ge, meta.le


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
        full = any(isinstance(mark, Meta) and mark.min_length for mark in marks)
        one = "a text that is not empty" if full else "a text"
        several = "texts that are not empty" if full else "texts"
    elif get_origin(bare) is tuple:
        inner = _words(arguments[0])[1]
        one, several = f"a list of {inner}", f"lists of {inner}"
    else:
        inner = f" of {_words(arguments[1])[1]}" if arguments else ""
        one, several = f"a table{inner}", f"tables{inner}"
    return one, several


T = TypeVar("T")
_BARE = re.compile(r"[\w-]+")
_LONGEST_SHOWN = 60


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


def convert(value: object, kind: type[T]) -> T:
    """Return what JSON or metadata hold as the Struct that declares it; other keys are left out.

    Raises:
        ValueError: something is not as declared; the text names its place, as in `$.corpus`.
    """
    return msgspec.convert(value, kind)


def read_toml(path: Path, kind: type[T]) -> tuple[T, TomlFile]:
    """Return a TOML file as the dataclass that declares what it may hold, and with its lines.

    Raises:
        UsageError: the file cannot be read, or see `conform_file`.
    """
    file = TomlFile.read(path)
    return conform_file(kind, file.table, file), file


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


def conform(kind: type[T], table: Mapping[str, Any]) -> T:
    """Return a table, of a TOML or JSON file, as the dataclass that declares what it may hold.

    Types are taken strictly: no text for a number, no number for true or false.

    Raises:
        MisfitError: a key is unknown or missing, or a value is not allowed.
    """
    if faults := list(_Faults(kind, table).at(kind, table, ())):
        raise MisfitError(faults)
    return msgspec.convert(table, kind)


class _Faults:
    """Finds all that is wrong in a table, in the order in which its keys are declared."""

    def __init__(self, kind: Any, table: Mapping[str, Any]) -> None:
        self._kind, self._table = kind, table

    def at(self, hint: Any, value: Any, place: Place) -> Iterator[Fault]:
        """Yield what is wrong inside of a value, or else with the value itself."""
        bare, _ = unannotated(hint)
        inner: list[Fault] = []
        if isinstance(value, Mapping) and is_dataclass(bare):
            inner = list(self._of_record(bare, value, place))
        elif isinstance(value, Mapping) and get_origin(bare) is Mapping:
            known = keys_of(hint)
            inner = [self._unknown((*place, key)) for key in value if known and key not in known]
            for key, each in value.items():
                inner += self.at(get_args(bare)[1], each, (*place, key))
        elif isinstance(value, (list, tuple)) and get_origin(bare) is tuple:
            # Lists of words are long, and mostly right.
            for number, each in enumerate(() if _are_right_texts(hint, value) else value):
                inner += self.at(get_args(bare)[0], each, (*place, number))
        elif isinstance(value, str) and not _is_whole(value):
            inner = [self._misfit(place, value)]
        yield from inner or self._own(hint, value, place)

    def _own(self, hint: Any, value: Any, place: Place) -> Iterator[Fault]:
        try:
            msgspec.convert(value, hint)
        except msgspec.ValidationError as error:
            conflict = error.__cause__
            if isinstance(conflict, ConflictError):
                text = f"{f'[{dotted(place)}] ' if place else ''}{conflict}"
                yield Fault(place, text, conflict.keys)
            else:
                yield self._misfit(place, value)

    def _of_record(self, kind: Any, table: Mapping[str, Any], place: Place) -> Iterator[Fault]:
        hints = hints_of(kind)
        unknown = [self._unknown((*place, key)) for key in table if key not in hints]
        meant = {fault.meant for fault in unknown}
        for field in fields(kind):
            at = (*place, field.name)
            if field.name in table:
                yield from self.at(hints[field.name], table[field.name], at)
            elif (
                field.default is MISSING
                and field.default_factory is MISSING
                # A key that is misspelt is said to be unknown, which shows where it stands.
                and field.name not in meant
            ):
                entry, key = _named(self._table, at)
                yield Fault(at, f"{entry}{key} is missing")
        yield from unknown

    def _unknown(self, place: Place) -> Fault:
        known = keys_of(reduce(inside, place[:-1], self._kind))
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
        bare, _ = unannotated(reduce(inside, place, self._kind))
        if get_origin(bare) is Literal and isinstance(value, str):
            entry, key = _named(self._table, place)
            known = nearest(value, get_args(bare))
            return Fault(place, f"{entry}unknown {key} {shown(value)}{known}")
        entries = get_origin(bare) is tuple and is_dataclass(unannotated(get_args(bare)[0])[0])
        if entries and isinstance(value, Mapping):
            key = _named(self._table, place)[1]
            return Fault(place, f"[{key}] must be [[{key}]], as one of several")
        # An item of a list says little without the list.
        item = len(place) > 1 and isinstance(place[-1], int)
        whole = place[:-1] if item else place
        entry, key = _named(self._table, whole)
        but = "but holds" if item else "not"
        words = allowed(reduce(inside, whole, self._kind))
        return Fault(place, f"{entry}{key} must be {words}, {but} {shown(value)}")


def _are_right_texts(hint: Any, value: Sequence[Any]) -> bool:
    """Return whether a list holds only texts, and they are as declared."""
    if not all(type(each) is str for each in value) or not _is_whole("\0".join(value)):
        return False
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def _is_whole(text: str) -> bool:
    """Return whether a text holds no half of a character, as JSON can have it."""
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        return False
    return True


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
    return entry_of(table, place), dotted(place[2:])


def entry_of(table: Mapping[str, Any], place: Place) -> str:
    """Return how messages call the [[entry]] of a place: by name, or by number and folder."""
    entry = _value(table, place[:2])
    name = next((entry[key] for key in ("name", "out", "lang") if key in entry), "?")
    number = "" if "name" in entry else f"{int(place[1]) + 1} "
    return f"[[{place[0]}]] {number}{shown(name)}: "


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
