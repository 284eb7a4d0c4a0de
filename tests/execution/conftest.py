"""What the tests of the engines share."""

from pathlib import Path

import pytest

from clusters import extract, write_parts
from exports import files


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A folder with four parts, and the files of their result, made by this process."""
    folder = tmp_path_factory.mktemp("parts")
    write_parts(folder)
    out = tmp_path_factory.mktemp("sound")
    assert extract(out, folder, "--workers", 1).code == 0
    return folder, files(out)
