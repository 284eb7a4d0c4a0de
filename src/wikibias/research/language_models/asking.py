"""Questions to a language model, several at once; each answer is kept as it arrives.

Threads ask and write; who called waits for them. So an interrupt never falls between an answer and
its place on the disk.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Thread

from wikibias.errors import WikibiasError
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
_USUAL = 0.25
_A_MESSAGE, _A_PROMPT = 8, 64
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

    @property
    def size(self) -> int:
        """Bytes of the messages, with what a template adds to each."""
        contents = (each.content.encode(errors="replace") for each in self.messages)
        return sum(len(content) + _A_MESSAGE for content in contents)


def usual_tokens(size: int, prompts: int = 1) -> int:
    """Return about how many tokens prompts of some bytes in all have."""
    return round(size * _USUAL) + prompts * _A_MESSAGE


@dataclass(slots=True)
class Meter:
    """Counts tokens, and lets nothing through that might exceed the budget.

    Until a question is answered a token for each byte is held for it, and the longest answer; or
    more, where a server has counted more before. So the first answer is waited for.

    Attributes:
        max_tokens: of an answer.
        budget: tokens in and out together, at most; None for any number.
        tokens_in: of all answers, those of earlier runs too.
        tokens_out: likewise.
        guessed: whether a server did not say how many tokens an answer took.
        answers: how many were counted.
    """

    max_tokens: int
    budget: int | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    guessed: bool = False
    answers: int = 0
    _under_way: list[int] = field(default_factory=list)
    _beyond: int = 0  # tokens of an answer that were not held for it

    def reserve(self, size: int) -> bool:
        """Hold what a question of this size may cost; return whether the budget bears it."""
        if self.budget is not None:
            held = sum(self._most(each) + self._beyond for each in (*self._under_way, size))
            is_second = bool(self._under_way) and not self.answers
            if is_second or self.tokens_in + self.tokens_out + held > self.budget:
                return False
        self._under_way.append(size)
        return True

    def release(self, size: int) -> None:
        """Give back what `reserve` held, once there is an answer or none."""
        self._under_way.remove(size)

    def count(self, size: int, reply: Reply) -> None:
        """Count the answer to a question of a size."""
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        self.guessed |= tokens_in is None or tokens_out is None
        # Where a budget is to be kept, no less than it can have been.
        strict = self.budget is not None
        if tokens_in is None:
            tokens_in = size + _A_PROMPT if strict else usual_tokens(size)
        if tokens_out is None:
            tokens_out = self.max_tokens if strict else len(reply.text) // 4
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self._beyond = max(self._beyond, tokens_in + tokens_out - self._most(size))
        self.answers += 1

    def _most(self, size: int) -> int:
        return size + _A_PROMPT + self.max_tokens


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


_Replies = list[Reply | NoAnswerError]


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
    run = _Run(model, questions, decoding, cache, meter, tell)
    try:
        run.ask(concurrency)
    except (KeyboardInterrupt, WikibiasError):
        run.wind_down()
        raise
    return run.outcome


class _Run:
    """The asking of some questions; see `ask_all`.

    A question that alone is refused is told from a server that refuses all: others are answered
    after it, or the run comes to its end with some answered. Only such are kept as refused.
    """

    def __init__(
        self,
        model: LanguageModel,
        questions: Iterable[Question],
        decoding: Decoding,
        cache: AnswerCache,
        meter: Meter,
        tell: Callable[[Outcome], None],
    ) -> None:
        self.outcome = Outcome()
        self._model, self._decoding, self._cache = model, decoding, cache
        self._questions, self._meter, self._tell = iter(questions), meter, tell
        self._ahead: Question | None = None
        self._done: Queue[tuple[Sequence[Question], _Replies | BaseException]] = Queue()
        self._under_way = self._in_a_row = 0
        self._unsure: list[str] = []

    def ask(self, concurrency: int) -> None:
        """Ask them; threads end with the process, so that nobody waits for a silent server."""
        # A model of this machine has one memory, and takes its questions one batch after the other.
        together, threads = 1, concurrency
        if isinstance(self._model, BatchModel):
            together, threads = self._model.batch, 1
        while True:
            while self._under_way < threads and (batch := self._next(together)):
                self._under_way += 1
                Thread(target=self._answer, args=(batch,), daemon=True).start()
            if not self._under_way:
                break
            self._take(*self._done.get())
        self._keep_refused()

    def wind_down(self) -> None:
        """Let what is under way arrive, for a while: it is paid for."""
        until = time.monotonic() + GRACE
        while self._under_way:
            try:
                self._take(*self._done.get(timeout=max(0.0, until - time.monotonic())))
            except WikibiasError:
                continue  # the first fault is told
            except Empty:
                return

    def _next(self, most: int) -> list[Question]:
        """Return questions to ask together; none where none is left, or the budget is held."""
        batch: list[Question] = []
        while len(batch) < most:
            question = self._ahead or next(self._questions, None)
            self._ahead = None
            if question is None:
                break
            if not self._meter.reserve(question.size):
                self._ahead = question
                # What is under way may turn out cheaper than what is held for it.
                self.outcome.over_budget = not (batch or self._under_way)
                break
            batch.append(question)
        return batch

    def _answer(self, batch: Sequence[Question]) -> None:
        """Ask a batch, and keep the answers; the work of a thread."""
        try:
            replies: _Replies
            if isinstance(self._model, BatchModel):
                replies = self._model.answer_all([each.messages for each in batch], self._decoding)
            else:
                replies = [self._one_answer(each) for each in batch]
            for question, reply in zip(batch, replies, strict=True):
                if isinstance(reply, Reply):
                    self._cache.keep(question.hash, reply)
        except BaseException as error:  # raised again by who waits
            self._done.put((batch, error))
        else:
            self._done.put((batch, replies))

    def _one_answer(self, question: Question) -> Reply | NoAnswerError:
        try:
            return self._model.answer(question.messages, self._decoding)
        except NoAnswerError as error:
            return error

    def _take(self, batch: Sequence[Question], replies: _Replies | BaseException) -> None:
        """Count what a thread gives back.

        Raises:
            WikibiasError: nothing more is to be expected.
        """
        self._under_way -= 1
        for question in batch:
            self._meter.release(question.size)
        if isinstance(replies, BaseException):
            raise replies
        for question, reply in zip(batch, replies, strict=True):
            if isinstance(reply, Reply):
                self._meter.count(question.size, reply)
                self.outcome.answered += 1
                self._in_a_row = 0
                self._keep_refused()
            else:
                self._note_missing(question, reply)
        self._tell(self.outcome)

    def _note_missing(self, question: Question, error: NoAnswerError) -> None:
        self.outcome.without[question.hash] = str(error)
        if isinstance(error, RefusedError):
            self._unsure.append(question.hash)
            if len(self._unsure) >= MOST_REFUSED:
                raise WikibiasError(f"{error}; {MOST_REFUSED} questions in a row were refused")
            return
        self._in_a_row += 1
        if self._in_a_row >= MOST_IN_A_ROW:
            raise WikibiasError(f"{error}; {MOST_IN_A_ROW} questions in a row had no answer")

    def _keep_refused(self) -> None:
        """Keep what was refused in a row: another was answered, or the run is at its end."""
        for mark in self._unsure if self._meter.answers else ():
            self._cache.keep(mark, Reply("", 0, 0, REFUSED))
            self.outcome.refused[mark] = self.outcome.without.pop(mark)
        self._unsure = []
