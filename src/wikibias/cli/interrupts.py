"""How a command ends that is interrupted."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from wikibias.kits.terminal import echo

_INTERRUPTED = (
    "Interrupted. The same command does what is left; parts that are whole are not done again."
)
# Windows knows no closing of a terminal.
_ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def interruptible() -> Iterator[None]:
    """Let `kill` and a closed terminal end a run as Ctrl-C does.

    Workers are stopped, nothing is left half-written, and one line says so. What is ignored, as by
    `nohup`, stays so.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        # A terminal that closes may tell twice, and tidying up is not to be stopped.
        for ending in before:
            signal.signal(ending, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {ending: signal.getsignal(ending) for ending in _ENDINGS}
    before = {ending: how for ending, how in before.items() if how != signal.SIG_IGN}
    for ending in before:
        signal.signal(ending, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be gone
            echo(_INTERRUPTED, err=True)
        raise SystemExit(130) from None
    finally:
        for ending, how in before.items():
            # Once one has come, all are ignored until this process has ended.
            if signal.getsignal(ending) is interrupt:
                signal.signal(ending, how)
