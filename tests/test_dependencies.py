"""The package imports what it declares, neither unpickles nor evaluates, and tests mirror it."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

from paths import ROOT

# Known to type checkers alone.
STUBS = {"_typeshed"}


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level name of each module that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def canonical(name: str) -> str:
    """Return the name of a distribution as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*, extras: bool) -> set[str]:
    """Return the distributions that pyproject.toml names: dependencies, or those of extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    lists = (
        [names for extra, names in optional.items() if extra != "dev"]
        if extras
        else [project["dependencies"]]
    )
    found = (re.match(r"[\w.-]+", name) for names in lists for name in names)
    # python-Levenshtein holds nothing: it installs Levenshtein.
    return {canonical(match[0]).replace("python-lev", "lev") for match in found if match}


def test_every_library_that_is_imported_is_declared() -> None:
    ours = {"wikibias", *sys.stdlib_module_names, *STUBS}
    names = {name for path in (ROOT / "src").rglob("*.py") for name in imported(path)} - ours
    known = declared(extras=False) | declared(extras=True)
    providers = packages_distributions()
    undeclared = {
        name
        for name in names
        if name in providers and known.isdisjoint(map(canonical, providers[name]))
    }
    assert undeclared == set()


UNSAFE_MODULES = {"pickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "yaml", "code"}
UNSAFE_CALLS = {"eval", "exec", "__import__", "mktemp", "extractall", "system", "popen", "unpickle"}


def test_no_module_unpickles_or_evaluates() -> None:
    """Nor hands words to a shell, nor unpacks an archive to wherever it says."""
    for path in (ROOT / "src").rglob("*.py"):
        assert UNSAFE_MODULES.isdisjoint(imported(path)), path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
                name = called.id if isinstance(called, ast.Name) else called
                assert name not in UNSAFE_CALLS, f"{path}:{node.lineno}"
                assert "shell" not in {word.arg for word in node.keywords}, f"{path}:{node.lineno}"


SOURCE, TESTS = ROOT / "src" / "wikibias", ROOT / "tests"


def test_every_package_has_tests() -> None:
    packages = {path.parent for path in SOURCE.rglob("*.py")} - {SOURCE}
    without = [
        package.relative_to(SOURCE).as_posix()
        for package in sorted(packages)
        if not [*(TESTS / package.relative_to(SOURCE)).rglob("test_*.py")]
    ]
    assert without == []
