"""Requests to servers; `tests/cli/test_fetch.py` makes them to one that misbehaves."""

from __future__ import annotations

import pytest

from wikibias.dumps.web.http import Web
from wikibias.errors import FetchError


def test_an_interrupt_ends_all_waiting() -> None:
    web = Web()
    web.stop()
    with pytest.raises(FetchError):
        web.pause(1000)
