"""`tests/` mirrors `src/wikibias/`, so that the test of a module is found without search."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from paths import CASES, ROOT

SOURCE, TESTS = ROOT / "src" / "wikibias", ROOT / "tests"
LISTED: dict[str, str] = tomllib.loads((CASES / "tested_elsewhere.toml").read_text("utf-8"))


def modules() -> Iterator[Path]:
    """Yield the path of each module, but those that only export or start the others."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name not in ("__init__.py", "__main__.py"):
            yield path.relative_to(SOURCE)


def has_its_own(module: Path) -> bool:
    """Return whether a module has the test file that its path asks for."""
    return (TESTS / module.with_name(f"test_{module.name}")).is_file()


def test_every_module_has_a_test_file_or_is_listed() -> None:
    without = {module.as_posix() for module in modules() if not has_its_own(module)}
    assert sorted(without - LISTED.keys()) == []


def test_only_modules_without_a_test_file_are_listed() -> None:
    without = {module.as_posix() for module in modules() if not has_its_own(module)}
    assert sorted(LISTED.keys() - without) == []


def test_the_files_that_the_list_names_are_there() -> None:
    assert sorted(name for name in LISTED.values() if not (TESTS / name).is_file()) == []
