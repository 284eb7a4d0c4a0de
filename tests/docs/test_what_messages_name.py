"""What the program tells a user to read or to type works where only the wheel is installed."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from paths import ROOT

SOURCE = ROOT / "src" / "wikibias"
# Their docstrings are read too: as the help of commands, and by help() in a notebook.
_SHOWN = ("cli", "api")
_FILE = re.compile(r"\b(?:docs|scripts|tests|configs)/\w[\w./-]*")
_PAGE = re.compile(r"\bwikibias docs ([a-z][\w-]*)")


@cache
def strings() -> list[tuple[str, str]]:
    """Return the strings that users may see, each with its place; `{}` stands for a value."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        all_shown = path.relative_to(SOURCE).parts[0] in _SHOWN
        passed_over = set() if all_shown else {id(node) for node in _docstrings(tree)}
        for node in ast.walk(tree):
            if id(node) in passed_over:
                continue
            if isinstance(node, ast.JoinedStr):
                passed_over |= {id(value) for value in node.values}
                values = [v.value if isinstance(v, ast.Constant) else "{}" for v in node.values]
                text = "".join(map(str, values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
            else:
                continue
            found.append((f"{path.relative_to(ROOT)}:{node.lineno}", text))
    return found


def _docstrings(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr):
                yield first.value


def test_pages_that_messages_name_are_in_the_wheel(wheel: Path) -> None:
    pages = {path.stem for path in wheel.glob("wikibias/docs/**/*.md")}
    named = [(where, page) for where, text in strings() for page in _PAGE.findall(text)]
    assert len(named) > 5
    assert [each for each in named if each[1] not in pages] == []


def test_no_message_names_a_file_of_the_checkout() -> None:
    """A page is named by `wikibias docs PAGE`, a tag set by `wikibias tags show`."""
    # A script writes comments of a file of the checkout.
    said = [(where, text) for where, text in strings() if not text.startswith("# ")]
    assert [(where, file) for where, text in said for file in _FILE.findall(text)] == []


def test_extras_are_named_in_one_way() -> None:
    """`kits.plugins.how_to_install` works before a release, and with pipx and uv."""
    assert [where for where, text in strings() if "install 'wikibias[" in text] == []


def test_the_samples_are_in_the_wheel(wheel: Path) -> None:
    dumps = {path.name for path in (ROOT / "samples").glob("*wiki-*")}
    assert len(dumps) == 4
    assert dumps == {path.name for path in wheel.glob("wikibias/samples/*")}
