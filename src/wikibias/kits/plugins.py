"""Registries of what is shipped and what plugins add, and the commands that install extras."""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Set
from concurrent.futures import Future
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from wikibias.errors import BUG, UsageError, WikibiasError, cause_of, nearest, quoted

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
# What has been asked for of other packages, by their modules: "the filter 'x' of some-package 1.0".
_loaded: dict[str, str] = {}


def blamed(error: BaseException) -> str:
    """Return in brackets whose bug an error is: that of a plugin whose code it came through."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if plugin := _loaded.get(str(frame.f_globals.get("__name__")).partition(".")[0]):
            return f"(in {plugin}; tell its authors what --debug shows)"
    return BUG


class Registry(Generic[T]):
    """Objects of one kind by name, in a fixed order: our own first, then those of entry points.

    Args:
        kind: what a message calls one, such as "filter".
        group: the group of entry points in which other packages add theirs, such as
            `wikibias.filters`.
        own: name -> the object, or "module:attribute" where it is imported only when asked for.
        needs: attributes that one of another package must have, in a line. A `name` must be that of
            its entry point.
        taken: names that stand for something else.
    """

    def __init__(
        self,
        kind: str,
        group: str,
        own: Mapping[str, T | str],
        needs: str = "",
        taken: Set[str] = frozenset(),
    ) -> None:
        self._kind, self._group, self._own, self._needs = kind, group, dict(own), needs.split()
        self._ours = {*own, *taken}

    def names(self) -> tuple[str, ...]:
        """Return all names: our own in their order, then those of other packages, sorted."""
        return (*self._own, *self._added)

    def own(self) -> tuple[str, ...]:
        """Return our own names, in their order."""
        return tuple(self._own)

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._added

    def check(self, name: str) -> None:
        """Check that a name is registered; nothing is imported.

        Raises:
            UsageError: nobody has registered it; the message names the nearest.
        """
        if name not in self:
            raise UsageError(f"unknown {self._kind} {name!r}{nearest(name, self.names())}")

    def __getitem__(self, name: str) -> T:
        """Return the object of a name.

        Raises:
            UsageError: nobody has registered the name, and the message names the nearest; or what
                another package registers cannot be imported, or is none.
        """
        if name in self._own:
            self._refuse_taken({name})
            found = self._own[name]
            return cast(T, resolve_name(found)) if isinstance(found, str) else found
        self.check(name)
        point = self._added[name]
        what = f"the {self._kind} {name!r} of {_package(point)}"
        _loaded[point.module.partition(".")[0]] = what
        try:
            found = point.load()
            if lacks := [each for each in self._needs if not hasattr(found, each)]:
                raise UsageError(f"it has no {lacks[0]!r}")
            if getattr(found, "name", name) != name:
                raise UsageError(f"its `name` is {found.name!r}, not that of the entry point")
        except (Exception, SystemExit) as error:  # whatever a package does when it is imported
            why = f"{point.value} cannot be used: {cause_of(error)}"
            raise UsageError(f"{what}: {why}; mend or uninstall it") from error
        return cast(T, found)

    @property
    def _added(self) -> Mapping[str, EntryPoint]:
        self._refuse_taken(self._ours)
        return _entry_points(self._group, tuple(sys.path))

    def _refuse_taken(self, names: Set[str]) -> None:
        """Raise WikibiasError if another package adds something under a name of ours."""
        found = _entry_points(self._group, tuple(sys.path))
        for name in sorted(found.keys() & names):
            what = f"{_package(found[name])} adds a {self._kind} {name!r} ({found[name].value})"
            raise WikibiasError(f"{what}, which wikibias has already; rename or uninstall it")


@lru_cache(16)
def _entry_points(group: str, path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group on the module search path, sorted by name."""
    found = _all_entry_points(path).select(group=group)
    return {point.name: point for point in sorted(found, key=lambda point: point.name)}


@lru_cache(1)
def _all_entry_points(path: tuple[str, ...]) -> Any:
    """Return those of all groups, for each of which every installed package would be read again.

    Their type is another one before Python 3.12, with the same `select`.
    """
    from importlib.metadata import entry_points

    return entry_points()


def _package(point: EntryPoint) -> str:
    """Return which package adds an entry point; its module where the package does not say."""
    said = re.search("^Name: (.+)", (point.dist and point.dist.read_text("METADATA")) or "", re.M)
    return said[1] if said else point.module


def check_arguments(what: str, function: Callable[..., object], given: Set[str]) -> None:
    """Make sure that a function takes arguments of these names, and needs no others.

    Raises:
        UsageError: it is not so; the line begins with `what`, and names the option.
    """
    known = inspect.signature(function).parameters
    anything = any(each.kind is each.VAR_KEYWORD for each in known.values())
    if not anything and (unknown := sorted(given - known.keys())):
        raise UsageError(f"{what} does not take --{unknown[0].replace('_', '-')}")
    variable = {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}
    for each in known.values():
        needed = each.default is each.empty and each.kind not in variable
        if needed and each.name not in given:
            raise UsageError(f"{what} needs --{each.name.replace('_', '-')}")


_EXTRA = re.compile(r"""extra\s*==\s*['"]([\w.-]+)['"]""")


def within(seconds: float, call: Callable[..., T], *arguments: Any, **options: Any) -> T:
    """Return what a call returns; where a library waits for ever, its thread does, not we.

    Raises:
        TimeoutError: it takes longer.
        Exception: whatever it raises.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(call(*arguments, **options))
        except BaseException as error:
            done.set_exception(error)

    Thread(target=run, daemon=True).start()
    return done.result(seconds)


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra of pyproject.toml, such as "fast".

    It names the libraries themselves: wikibias may have come from a wheel or a checkout, and no
    package index need know it. pipx and uv keep an environment without pip for each program.
    """
    libraries = quoted(*_libraries(extra))
    home = Path(sys.prefix)
    if (home / "pipx_metadata.json").exists():
        return f"pipx inject wikibias {libraries}"
    if (home / "uv-receipt.toml").exists() or find_spec("pip") is None:
        return f"uv pip install --python {quoted(sys.prefix)} {libraries}"
    return f"pip install {libraries}"


def _libraries(extra: str) -> list[str]:
    """Return what an extra requires, as "isal>=1.6"; the extra itself if wikibias is not there."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        required = [line.partition(";") for line in requires("wikibias") or ()]
    except PackageNotFoundError:
        required = []
    of_extra = [name.strip() for name, _, why in required if extra in _EXTRA.findall(why)]
    return of_extra or [f"wikibias[{extra}]"]


PACKAGE = "package:"
"""What stands before the name of a Python package that holds a model."""


def package_folders(name: str) -> list[Path] | None:
    """Return the folders of a package, whose name may be as pip writes it; None if not installed.

    Args:
        name: of the package, with or without `PACKAGE` before it.
    """
    try:
        spec = find_spec(name.removeprefix(PACKAGE).replace("-", "_"))
    except (ImportError, ValueError):
        return None
    return None if spec is None else [Path(each) for each in spec.submodule_search_locations or ()]
