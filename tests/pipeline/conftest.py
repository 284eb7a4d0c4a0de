"""Four small parts and their result, for tests of running and resuming."""

import shutil
from pathlib import Path

import pytest

from exports import Files, files
from results import extract, write_parts


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The folder of the result."""
    return tmp_path / "out"


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four small parts, and their result."""
    folder = tmp_path_factory.mktemp("template")
    assert extract(folder / "out", *write_parts(folder / "in", 2, pages=1)).code == 0
    return folder


@pytest.fixture
def parts(template: Path, tmp_path: Path) -> list[Path]:
    """Four small parts, to be changed at will."""
    shutil.copytree(template / "in", tmp_path / "in")
    return sorted((tmp_path / "in").iterdir())


@pytest.fixture
def done(parts: list[Path], out: Path, template: Path) -> Files:
    """The files of a whole result of the parts, in `out`."""
    shutil.copytree(template / "out", out)
    return files(out)
