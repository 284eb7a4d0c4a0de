"""When a question is asked again, and when not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikibias.errors import WikibiasError
from wikibias.research.language_models.messages import NoAnswerError, Reply
from wikibias.research.language_models.openai_server import BusyError, Limits, LostError, persist


def after(*faults: Exception) -> Callable[[], Reply]:
    """Return what fails some times, then answers."""
    left = list(faults)

    def ask() -> Reply:
        if left:
            raise left.pop(0)
        return Reply("yes")

    return ask


def limits() -> Limits:
    return Limits(1, first=0.001)


def test_faults_that_pass_are_waited_for() -> None:
    ask = after(BusyError("busy"), LostError("cut"), BusyError("busy", 0.01))
    assert persist(ask, limits()).text == "yes"


def test_a_question_whose_answer_never_comes_has_none() -> None:
    with pytest.raises(NoAnswerError, match=r"^cut \(3 times\)$"):
        persist(after(*[LostError("cut")] * 3), limits(), tries=3)


def test_a_server_that_is_always_busy_ends_the_run() -> None:
    with pytest.raises(WikibiasError, match=r"^busy$") as caught:
        persist(after(*[BusyError("busy")] * 3), limits(), tries=3)
    assert not isinstance(caught.value, NoAnswerError)


def test_nobody_waits_for_hours() -> None:
    with pytest.raises(WikibiasError, match="busy, and asks to wait 120 minutes"):
        persist(after(BusyError("busy", 7200.0)), limits())
    with pytest.raises(WikibiasError, match="busy, and asks to wait 1 seconds"):
        persist(after(BusyError("busy", 1.0)), limits(), tries=1)


def test_what_no_retry_mends_is_raised_at_once() -> None:
    with pytest.raises(ZeroDivisionError):
        persist(after(ZeroDivisionError()), limits())
