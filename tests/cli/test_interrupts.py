"""What ends a command from outside ends it as Ctrl-C does."""

from __future__ import annotations

import os
import signal
import time

import pytest

from wikibias.cli.interrupts import interruptible

_USUAL = {
    getattr(signal, name): how
    for name, how in (
        ("SIGTERM", signal.SIG_DFL),
        ("SIGHUP", signal.SIG_DFL),
        ("SIGINT", signal.default_int_handler),
    )
    if hasattr(signal, name)
}


def _kill_and_wait(number: int) -> None:
    os.kill(os.getpid(), number)
    time.sleep(5)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_ends_it_with_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    number = getattr(signal, name)
    # The tests may run in the background or under nohup, where such signals are ignored.
    before = {each: signal.getsignal(each) for each in _USUAL}
    for each, how in _USUAL.items():
        signal.signal(each, how)
    try:
        with pytest.raises(SystemExit) as ended, interruptible():
            _kill_and_wait(number)
    finally:
        for each, earlier in before.items():
            signal.signal(each, earlier)
    assert ended.value.code == 130
    assert capsys.readouterr().err.startswith("Interrupted. The same command does what is left")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_what_nohup_has_set_stays() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
