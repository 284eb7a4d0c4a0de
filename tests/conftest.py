"""What several test modules use: the shared real data, and small made-up files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout; the test is skipped where it is absent."""
    folder = Path(os.environ.get("WIKIBIAS_SHARED", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder} (set WIKIBIAS_SHARED to where it is)")
    return folder
