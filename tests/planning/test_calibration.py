"""The piece of work by which machines are compared."""

from __future__ import annotations

import time

from wikibias.planning.calibration import _text, measured_seconds


def test_its_work_is_the_same_each_time_and_short() -> None:
    assert _text() == _text()
    assert 100_000 < len(_text()) < 1_000_000
    began = time.process_time()
    assert 0 < measured_seconds() < time.process_time() - began
