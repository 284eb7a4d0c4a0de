"""What pages and messages name is there: files, modules, floors, and what the wheel holds."""

import ast
import configparser
import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import settings_page
import wikibias
from cli_reference import PART, reference
from doc_pages import PAGES, blocks
from paths import ROOT

# A path in backquotes, whose last part is a file of the project.
_PATH = re.compile(
    r"`([\w./-]+\.py)`|`((?:src|tests|docs|scripts|configs|samples|tagsets)/[\w./-]*)`"
)
_MODULE = re.compile(r"`(wikibias(?:\.\w+)+)`")
_PACKAGE = ROOT / "src" / "wikibias"
# What a page tells its reader to write.
WRITTEN = {block.file for page in PAGES for block in blocks(page)}


def texts() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        yield page, (ROOT / page).read_text(encoding="utf-8")


def test_files_that_pages_name_are_there() -> None:
    missing = [
        f"{page}: {name}"
        for page, text in texts()
        for match in _PATH.finditer(text)
        if (name := match[1] or match[2]) not in WRITTEN
        and not any((root / name).exists() for root in (ROOT, _PACKAGE))
    ]
    assert missing == []


def test_modules_that_pages_name_are_there() -> None:
    missing = []
    for page, text in texts():
        for match in _MODULE.finditer(text):
            path = _PACKAGE.joinpath(*match[1].split(".")[1:])
            # The last word may be a name in the module.
            if not any(p.with_suffix(".py").exists() or p.is_dir() for p in (path, path.parent)):
                missing.append(f"{page}: {match[1]}")
    assert missing == []


def test_the_floors_of_the_architecture_are_those_that_are_checked() -> None:
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter")
    floors = contracts["importlinter:contract:floors"]["layers"].split("\n")
    drawn = [block.text for block in blocks("docs/architecture.md") if block.lang == "text"]
    assert "\n".join(filter(None, floors)) + "\n" in drawn


def test_each_package_is_described_in_the_architecture() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    packages = {p.parent.name for p in _PACKAGE.glob("*/__init__.py")}
    assert {p for p in packages if not re.search(rf"^\|.*`{p}`.*\|.*\|$", text, re.M)} == set()


def test_every_page_is_in_the_navigation() -> None:
    named = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    pages = [str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(named) == sorted(pages)


def test_the_page_of_the_interface_lists_all_of_it() -> None:
    text, names = (ROOT / "docs/reference/api.md").read_text(encoding="utf-8"), []
    for name in wikibias.__all__:
        found = getattr(wikibias, name)
        first = (inspect.getdoc(found) or "").split("\n")[0].rstrip(".")
        if inspect.isfunction(found):
            takes = ", ".join(inspect.signature(found).parameters)
            assert f"\n- `{name}({takes})`: {first}\n" in text
        elif not issubclass(found, Exception):
            names.append(f"`{name}`")
    assert f"- Records: {', '.join(names)}\n" in text


def test_the_site_loads_nothing_from_elsewhere_and_a_broken_link_fails_its_build(
    tmp_path: Path,
) -> None:
    pytest.importorskip("zensical")
    for name in ("docs", "src"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    (tmp_path / PART.parent).mkdir()
    (tmp_path / PART).write_text(reference(), encoding="utf-8")
    done = built(tmp_path)
    assert done.returncode == 0, done.stderr
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"<(?:script|img)[^>]*\ssrc=\"?(?:https?:)?//[^>]*", text), page
        links = re.findall(r"<link[^>]*>", text)
        assert [link for link in links if "stylesheet" in link and "//" in link] == [], page
    with (tmp_path / "docs" / "glossary.md").open("a", encoding="utf-8") as glossary:
        glossary.write("\n[x](nowhere.md) [x](tutorial.md#nowhere)\n")
    done = built(tmp_path)
    assert done.returncode != 0
    assert "page does not exist" in done.stderr
    assert "anchor does not exist" in done.stderr


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_files_are_what_the_script_makes() -> None:
    """After a change of a setting run scripts/settings_page.py."""
    assert settings_page.PAGE.read_text(encoding="utf-8") == settings_page.page()
    assert settings_page.THRESHOLDS.read_text(encoding="utf-8") == settings_page.thresholds()


# What the program tells a user to read or to type works where only the wheel is installed.
# Their docstrings are read too: as the help of commands, and by help() in a notebook.
_SHOWN = ("cli", "api")
_FILE = re.compile(r"\b(?:docs|scripts|tests|configs)/\w[\w./-]*")
_PAGE = re.compile(r"\bwikibias docs ([a-z][\w-]*)")


_WORTH_PARSING = re.compile(r"\bdocs\b|(?:scripts|tests|configs)/|'wikibias\[")


@cache
def strings() -> list[tuple[str, str]]:
    """Return the strings that users may see, each with its place; `{}` stands for a value."""
    found = []
    for path in sorted(_PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        all_shown = path.relative_to(_PACKAGE).parts[0] in _SHOWN
        passed_over: set[ast.AST] = set()
        for node in ast.walk(ast.parse(source)) if _WORTH_PARSING.search(source) else ():
            if node in passed_over:
                continue
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
                first = node.body[0]
                if isinstance(first, ast.Expr) and not all_shown:
                    passed_over.add(first.value)
                continue
            if isinstance(node, ast.JoinedStr):
                passed_over.update(node.values)
                values = [v.value if isinstance(v, ast.Constant) else "{}" for v in node.values]
                text = "".join(map(str, values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
            else:
                continue
            found.append((f"{path.relative_to(ROOT)}:{node.lineno}", text))
    return found


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
