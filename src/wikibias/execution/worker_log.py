"""Sends the log messages of worker processes to the process that started them.

There they reach whoever listens to the loggers below `wikibias`, as its own messages do.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

ROOT = "wikibias"


def level() -> int:
    """Return the level from which on somebody here listens; to be given to the workers."""
    return logging.getLogger(ROOT).getEffectiveLevel()


def forward(put: Callable[[Any], Any], least: int) -> None:
    """Send all messages of this process through `put`, from a level on."""
    logger = logging.getLogger(ROOT)
    logger.handlers = [_Forwarder(put)]
    logger.setLevel(least)
    logger.propagate = False


def take(record: logging.LogRecord) -> None:
    """Handle a message of a worker as one of this process."""
    logger = logging.getLogger(record.name)
    if logger.isEnabledFor(record.levelno):
        logger.handle(record)


class _Forwarder(logging.Handler):
    """Puts each message as text, since what it was made of may be large, or not to be pickled."""

    def __init__(self, put: Callable[[Any], Any]) -> None:
        super().__init__()
        self._put = put

    def emit(self, record: logging.LogRecord) -> None:
        facts = {
            "name": record.name,
            "levelno": record.levelno,
            "levelname": record.levelname,
            "created": record.created,
            "process": record.process,
            "msg": record.getMessage(),
        }
        self._put(logging.makeLogRecord(facts))
