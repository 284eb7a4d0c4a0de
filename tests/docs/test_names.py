"""What the documentation names is there: files, modules, pages, floors, the commands' options."""

import configparser
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import settings_page
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


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of what the site is built from."""
    pytest.importorskip("zensical")
    for name in ("docs", "src"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    (tmp_path / PART.parent).mkdir()
    (tmp_path / PART).write_text(reference(), encoding="utf-8")
    return tmp_path


def built(site: Path) -> int:
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    return subprocess.run(command, cwd=site, capture_output=True, check=False).returncode


def test_the_site_is_built_and_loads_nothing_from_elsewhere(site: Path) -> None:
    assert built(site) == 0
    for page in (site / "site").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"<(?:script|img)[^>]*\ssrc=\"?(?:https?:)?//[^>]*", text), page
        links = re.findall(r"<link[^>]*>", text)
        assert [link for link in links if "stylesheet" in link and "//" in link] == [], page


@pytest.mark.parametrize("link", ["[x](nowhere.md)", "[x](tutorial.md#nowhere)"])
def test_a_broken_link_fails_the_build(link: str, site: Path) -> None:
    with (site / "docs" / "glossary.md").open("a", encoding="utf-8") as page:
        page.write(f"\n{link}\n")
    assert built(site) != 0


def test_the_files_are_what_the_script_makes() -> None:
    """After a change of a setting run scripts/settings_page.py."""
    assert settings_page.PAGE.read_text(encoding="utf-8") == settings_page.page()
    assert settings_page.THRESHOLDS.read_text(encoding="utf-8") == settings_page.thresholds()
