"""Asks again where a server is busy or an answer was lost on the way, and gives up in the end."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from wikibias.errors import WikibiasError
from wikibias.research.language_models.limits import LONGEST_WAIT, Limits
from wikibias.research.language_models.messages import NoAnswerError, Reply

TRIES = 7
"""How often one question is asked, at most."""
_log = logging.getLogger(__name__)


class BusyError(Exception):
    """The server wants fewer questions; `asked` is for how many seconds it wants none."""

    def __init__(self, said: str, asked: float = 0.0) -> None:
        super().__init__(said)
        self.asked = asked


class LostError(Exception):
    """The answer did not arrive, or not whole."""


def persist(ask: Callable[[], Reply], limits: Limits, tries: int = TRIES) -> Reply:
    """Return an answer, asked for until it comes.

    Args:
        ask: asks once; raises a BusyError or LostError where asking again may help.
        limits: of the server, which all workers share.
        tries: how often, at most.

    Raises:
        NoAnswerError: no answer to this question came through.
        WikibiasError: the server answers nothing now; or as `ask` does.
    """
    for attempt in range(1, tries + 1):
        try:
            with limits.turn():
                reply = ask()
        except BusyError as error:
            if error.asked > LONGEST_WAIT or attempt == tries:
                raise WikibiasError(f"{error}{_wish(error.asked)}") from error
            seconds = limits.refused(attempt, error.asked)
            _log.warning("Asks nothing for %.0f s: %s", seconds, error)
        except LostError as error:
            if attempt == tries:
                raise NoAnswerError(f"{error} ({tries} times)") from error
            _log.info("Asks again (%d of %d): %s", attempt + 1, tries, error)
            time.sleep(limits.backoff(attempt))
        else:
            limits.answered()
            return reply
    raise NoAnswerError("not asked")


def _wish(seconds: float) -> str:
    if not seconds:
        return ""
    # A server may ask for thousands of years.
    time = f"{min(seconds / 60, 1e6):,.0f} minutes" if seconds >= 120 else f"{seconds:,.0f} seconds"
    return f", and asks to wait {time}"
