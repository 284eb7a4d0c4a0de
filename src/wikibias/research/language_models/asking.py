"""Questions to a language model, several at once; each answer is kept as it arrives.

Workers are threads that ask and write; who called waits for them. So an interrupt never falls
between an answer and its place on the disk.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from queue import Empty, Queue, SimpleQueue
from threading import Thread

from wikibias.errors import UsageError, WikibiasError
from wikibias.research.language_models.answer_cache import AnswerCache
from wikibias.research.language_models.messages import (
    REFUSED,
    BatchModel,
    Decoding,
    LanguageModel,
    Message,
    NoAnswerError,
    RefusedError,
    Reply,
)

# A usual tokeniser makes of a byte of English a fourth of a token, and never more than one; a chat
# template adds some for each message, and some of its own.
_USUAL, _WORST = 0.25, 1.0
_A_MESSAGE, _A_PROMPT = 8, 64
# How much larger than any before the next prompt's share of tokens a byte may be.
_MARGIN = 1.25
_BUDGET = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*(tokens?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tokens:
    """How many tokens go in, and how many come out."""

    inwards: float = 0.0
    outwards: float = 0.0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.inwards + other.inwards, self.outwards + other.outwards)

    def __sub__(self, other: Tokens) -> Tokens:
        return Tokens(self.inwards - other.inwards, self.outwards - other.outwards)


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens, in whatever currency."""

    inwards: float
    outwards: float

    def of(self, tokens: Tokens) -> float:
        """Return what tokens cost."""
        return (tokens.inwards * self.inwards + tokens.outwards * self.outwards) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that may be spent: money, or tokens in and out together where `prices` is None."""

    most: float
    prices: Prices | None

    def holds(self, tokens: Tokens) -> bool:
        """Return whether so many tokens keep to it."""
        spent = self.prices.of(tokens) if self.prices else tokens.inwards + tokens.outwards
        return spent <= self.most


def parse_budget(said: str, prices: Prices | None) -> Budget:
    """Return the budget that `2.50` or `200000tokens` names.

    Raises:
        UsageError: it is neither, or money without prices.
    """
    found = _BUDGET.fullmatch(said.strip())
    if not found:
        raise UsageError(f"--budget {said}: give money, as 2.50, or tokens, as 200000tokens")
    if found[2]:
        return Budget(float(found[1]), None)
    if prices is None:
        raise UsageError(
            "--budget in money needs the prices: --price-in and --price-out, for a million tokens; "
            f"or give tokens: --budget {found[1]}tokens"
        )
    return Budget(float(found[1]), prices)


def size_of(messages: Sequence[Message]) -> int:
    """Return the bytes of messages, with what a template adds to each."""
    return sum(len(each.content.encode(errors="replace")) + _A_MESSAGE for each in messages)


def estimate(size: int, prompts: int, most_out: int) -> Tokens:
    """Return about how many tokens prompts have, and how many their answers have at most.

    Args:
        size: of all together.
        prompts: how many they are.
        most_out: tokens of an answer.
    """
    return Tokens(size * _USUAL + prompts * _A_MESSAGE, float(prompts * most_out))


class Meter:
    """Counts what is spent, and lets nothing through that might exceed the budget.

    An answer may cost what the dearest so far took for a byte, and its full length. The first one,
    which may cost a token for each byte, is waited for. `spent` counts answers of earlier runs too.
    """

    def __init__(self, max_tokens: int, budget: Budget | None = None) -> None:
        self.spent = Tokens()
        self.guessed = False
        """Whether a server did not say how many tokens an answer took."""
        self._most_out = float(max_tokens)
        self._budget = budget
        self._held = Tokens()
        self._share = 0.0
        self.counted = False
        """Whether any answer was counted."""

    def reserve(self, size: int) -> Tokens | None:
        """Hold what a prompt of this size may cost; None where the budget may not bear it."""
        worst = self._worst(size)
        if self._budget and (
            (self._held != Tokens() and not self.counted)
            or not self._budget.holds(self.spent + self._held + worst)
        ):
            return None
        self._held += worst
        return worst

    def release(self, held: Tokens) -> None:
        """Give back what `reserve` held, once an answer is counted or there is none."""
        self._held -= held

    def count(self, size: int, reply: Reply) -> None:
        """Count an answer to a prompt of a size."""
        # Where a budget is to be kept, no less than it can have been.
        told = self._worst(size) if self._budget else estimate(size, 1, len(reply.text) // 4)
        if reply.tokens_in is None or reply.tokens_out is None:
            self.guessed = True
        if reply.tokens_in is not None:
            told = Tokens(reply.tokens_in, told.outwards)
            self._share = max(self._share, reply.tokens_in / max(1, size))
        if reply.tokens_out is not None:
            told = Tokens(told.inwards, reply.tokens_out)
        self.spent += told
        self.counted = True

    def _worst(self, size: int) -> Tokens:
        share = self._share * _MARGIN if self._share > 0 else _WORST
        return Tokens(size * share + _A_PROMPT, self._most_out)


GRACE = 10.0
"""Seconds in which answers under way may still arrive after an interrupt or a fault."""
MOST_IN_A_ROW = 3
"""So many questions without an answer, one after another, end a run."""
MOST_REFUSED = 20
"""Likewise refused ones: an account without money refuses all."""


@dataclass(frozen=True, slots=True)
class Question:
    """Messages, and the hash under which their answer is kept."""

    hash: str
    messages: Sequence[Message]


@dataclass(slots=True)
class Outcome:
    """What came of the questions.

    Attributes:
        answered: how many were answered.
        without: hashes of those without an answer, and why.
        refused: hashes of those that alone are refused, and why.
        over_budget: whether the rest was not asked, since it might have cost too much.
    """

    answered: int = 0
    without: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    over_budget: bool = False


@dataclass(frozen=True, slots=True)
class _Batch:
    """Questions that are asked together, with their sizes and what the budget holds for them."""

    questions: Sequence[Question]
    sizes: Sequence[int]
    held: Sequence[Tokens]


_Replies = list[Reply | NoAnswerError]
_Done = tuple[_Batch, _Replies | BaseException]


def ask_all(
    model: LanguageModel,
    questions: Iterable[Question],
    decoding: Decoding,
    cache: AnswerCache,
    meter: Meter,
    *,
    concurrency: int = 1,
    tell: Callable[[Outcome], None] = lambda outcome: None,
) -> Outcome:
    """Ask all questions, and keep the answers, and which questions are refused.

    Args:
        model: who is asked; one of this machine takes a batch at a time.
        questions: each once.
        decoding: how answers are made.
        cache: keeps each answer as soon as it arrives.
        meter: counts them, and says when the budget is spent. Once it has counted one, here or
            before, a question that is refused is no sign that all are.
        concurrency: how many are under way at once.
        tell: is called after each.

    Raises:
        WikibiasError: the model answers nothing more, several questions in a row had no answer, or
            the cache cannot be written. What has arrived is kept.
    """
    # A model of this machine has one memory, and takes its questions one batch after the other.
    batch, number = (model.batch, 1) if isinstance(model, BatchModel) else (1, concurrency)
    workers = _Workers(model, decoding, cache, number)
    feed = _Feed(iter(questions), batch, meter)
    outcome = Outcome()
    run = _Run(outcome, meter, _Refusals(cache, outcome, meter), tell)
    try:
        while True:
            while workers.idle and (found := feed.next(waiting=not workers.is_idle)):
                workers.begin(found)
            if workers.is_idle:
                break
            run.take(workers.next())
        run.refusals.keep()
    except (KeyboardInterrupt, WikibiasError):
        run.wind_down(workers)
        raise
    finally:
        workers.end()
    outcome.over_budget = feed.over_budget
    return outcome


class _Feed:
    """Gives the questions out, as far as the budget bears them."""

    def __init__(self, questions: Iterable[Question], batch: int, meter: Meter) -> None:
        self.over_budget = False
        self._questions, self._batch, self._meter = iter(questions), batch, meter
        self._ahead: Question | None = None

    def next(self, *, waiting: bool) -> _Batch | None:
        """Return the next batch; None where there is none, or the budget is held by others.

        Args:
            waiting: answers are under way, which may turn out cheaper than what is held for them.
        """
        asked: list[Question] = []
        sizes: list[int] = []
        held: list[Tokens] = []
        while len(asked) < self._batch and not self.over_budget:
            question = self._ahead or next(self._questions, None)
            if question is None:
                break
            size = size_of(question.messages)
            tokens = self._meter.reserve(size)
            if tokens is None:
                self._ahead = question
                self.over_budget = not (asked or waiting)
                break
            self._ahead = None
            asked.append(question)
            sizes.append(size)
            held.append(tokens)
        return _Batch(asked, sizes, held) if asked else None


class _Run:
    """Takes what comes back."""

    def __init__(
        self,
        outcome: Outcome,
        meter: Meter,
        refusals: _Refusals,
        tell: Callable[[Outcome], None],
    ) -> None:
        self.refusals = refusals
        self._outcome, self._meter, self._tell = outcome, meter, tell
        self._in_a_row = 0

    def take(self, done: _Done) -> None:
        """Count what a worker gives back.

        Raises:
            WikibiasError: nothing more is to be expected.
        """
        batch, replies = done
        for held in batch.held:
            self._meter.release(held)
        if isinstance(replies, BaseException):
            raise replies
        for question, size, reply in zip(batch.questions, batch.sizes, replies, strict=True):
            if isinstance(reply, Reply):
                self._meter.count(size, reply)
                self._outcome.answered += 1
                self._in_a_row = 0
                self.refusals.keep()
                continue
            self._outcome.without[question.hash] = str(reply)
            if isinstance(reply, RefusedError):
                self.refusals.add(question.hash, str(reply))
                continue
            self._in_a_row += 1
            if self._in_a_row >= MOST_IN_A_ROW:
                raise WikibiasError(f"{reply}; {MOST_IN_A_ROW} questions in a row had no answer")
        self._tell(self._outcome)

    def wind_down(self, workers: _Workers) -> None:
        """Let what is under way arrive, for a while: it is paid for."""
        until = time.monotonic() + GRACE
        while not workers.is_idle:
            try:
                self.take(workers.next(max(0.0, until - time.monotonic())))
            except WikibiasError:
                continue  # the first fault is told
            except Empty:
                return


class _Refusals:
    """Tells a question that alone is refused from a server that refuses all.

    It is sure of one where others are answered after it, or the run comes to its end with some
    answered. Only these are kept as refused, and not asked again.
    """

    def __init__(self, cache: AnswerCache, outcome: Outcome, meter: Meter) -> None:
        self._cache, self._outcome, self._meter = cache, outcome, meter
        self._waiting: list[str] = []

    def add(self, mark: str, why: str) -> None:
        """Take one.

        Raises:
            WikibiasError: too many were refused, one after another.
        """
        self._waiting.append(mark)
        if len(self._waiting) >= MOST_REFUSED:
            raise WikibiasError(f"{why}; {MOST_REFUSED} questions in a row were refused")

    def keep(self) -> None:
        """Keep those that wait: another was answered, or the run is at its end."""
        for mark in self._waiting if self._meter.counted else ():
            self._cache.keep(mark, Reply("", 0, 0, REFUSED))
            self._outcome.refused[mark] = self._outcome.without.pop(mark)
        self._waiting = []


class _Workers:
    """Threads that ask; they end with the process, so that nobody waits for a silent server."""

    def __init__(
        self, model: LanguageModel, decoding: Decoding, cache: AnswerCache, number: int
    ) -> None:
        self._model, self._decoding, self._cache = model, decoding, cache
        self._todo: SimpleQueue[_Batch | None] = SimpleQueue()
        self._done: Queue[_Done] = Queue()
        self._number, self._under_way = number, 0
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(number)]
        for thread in self._threads:
            thread.start()

    @property
    def idle(self) -> int:
        """How many have nothing to do."""
        return self._number - self._under_way

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return not self._under_way

    def begin(self, batch: _Batch) -> None:
        """Have a batch asked."""
        self._under_way += 1
        self._todo.put(batch)

    def next(self, seconds: float | None = None) -> _Done:
        """Return what comes back first.

        Raises:
            Empty: nothing did in so many seconds.
        """
        done = self._done.get(timeout=seconds)
        self._under_way -= 1
        return done

    def end(self) -> None:
        """Let all of them go."""
        for _ in self._threads:
            self._todo.put(None)

    def _work(self) -> None:
        while (batch := self._todo.get()) is not None:
            try:
                replies = self._ask(batch)
                for question, reply in zip(batch.questions, replies, strict=True):
                    if isinstance(reply, Reply):
                        self._cache.keep(question.hash, reply)
            except BaseException as error:  # raised again by who waits
                self._done.put((batch, error))
            else:
                self._done.put((batch, replies))

    def _ask(self, batch: _Batch) -> _Replies:
        if isinstance(self._model, BatchModel):
            return self._model.answer_all(
                [each.messages for each in batch.questions], self._decoding
            )
        try:
            return [self._model.answer(batch.questions[0].messages, self._decoding)]
        except NoAnswerError as error:
            return [error]
