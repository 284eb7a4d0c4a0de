"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real dumps and gold files, which lies beside the checkout."""
    folder = Path(os.environ.get("WIKIBIAS_SHARED") or _SHARED)
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder} (set WIKIBIAS_SHARED to where it is)")
    return folder
