"""Language models: what goes to them and comes back, how to find one by name, and many questions.

Threads ask and write; who called waits for them. So an interrupt never falls between an answer and
its place on the disk, a cache from which no answer is paid for twice: one SQLite file, in which an
answer is whole or not at all, as soon as it has arrived. A run that was killed goes on where it
stopped.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, fields
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Any, Literal, Protocol, runtime_checkable

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.checked import convert
from wikibias.kits.files import ascii_json, disk_errors
from wikibias.kits.plugins import Registry, check_arguments
from wikibias.kits.sqlite import SqliteFile

LONGEST_ANSWER = 20_000
"""Characters; those asked for are some hundred, with an explanation some thousand."""
REFUSED = "refused"
"""Stands for the end of an answer that there is none of: the server refuses this one question."""
TEMPERATURE = 0.0
"""Of each answer: the most likely words."""
Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation with a language model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an answer is made: its most tokens, and a seed, which some servers heed all the same."""

    max_tokens: int = 256
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model answered.

    Attributes:
        text: the answer, raw.
        tokens_in: how many tokens the messages had; None where the server does not say.
        tokens_out: likewise of the answer.
        finish: why it ended, as the server says it: "stop", "length", ...; or `REFUSED`.
        model: the name under which the server answered.
        version: what the server says of its version.
        left_out: what of the decoding the server refuses to be told, parted by commas.
    """

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: str = ""
    model: str = ""
    version: str = ""
    left_out: str = ""


def bounded(text: str, most: int = LONGEST_ANSWER) -> str:
    """Return text that can be written in UTF-8; of a longer one the middle is cut, with a mark.

    A model that thinks aloud gives its answer at the end.
    """
    if len(text) > most:
        text = f"{text[: most // 2]} [cut: {len(text):,} characters] {text[-(most // 2) :]}"
    return text.encode(errors="replace").decode()


class NoAnswerError(WikibiasError):
    """There is no answer to these messages, though there may be one to others."""


class RefusedError(NoAnswerError):
    """Whoever is asked refuses these messages: asking again would not help."""


def prompt_hash(model: str, version: str, messages: Sequence[Message], decoding: Decoding) -> str:
    """Return by what an answer is found again: one hash of all that it depends on."""
    told = {"max_tokens": decoding.max_tokens, "seed": decoding.seed}
    asked = {
        "model": model,
        "version": version,
        "messages": [[message.role, message.content] for message in messages],
        "decoding": {"temperature": TEMPERATURE, **told, "schema": None},
    }
    key = ascii_json(asked, sort_keys=True, separators=(",", ":"))
    return sha256(key.encode()).hexdigest()


class LanguageModel(Protocol):
    """Answers messages.

    `answer` may be called from several threads at once, unless the model is a `BatchModel`.
    """

    name: str
    """As it was asked for, without its provider."""

    def version(self) -> str:
        """Return what tells this version of the model from others, or "" where nobody knows."""

    def answer(self, messages: Sequence[Message], decoding: Decoding) -> Reply:
        """Return the answer to messages.

        Raises:
            NoAnswerError: there is none for these messages; others may have one.
            WikibiasError: no other messages would be answered either.
        """


@runtime_checkable
class BatchModel(Protocol):
    """What a model has that answers several messages in one go, on this machine."""

    batch: int
    """How many it takes at a time."""

    def answer_all(
        self, asked: Sequence[Sequence[Message]], decoding: Decoding
    ) -> list[Reply | NoAnswerError]:
        """Return an answer to each, or why there is none."""


Provider = Callable[..., LanguageModel]
"""Makes the model of a name, with options by their names; or raises UsageError."""
OWN: Mapping[str, str] = {
    "openai": "wikibias.research.language_models.openai_server:open_model",
    "transformers": "wikibias.research.language_models.local:open_model",
}
"""A server that speaks OpenAI's protocol; a model of the transformers library on this machine."""
PROVIDERS: Registry[Provider] = Registry("provider", "wikibias.language_models", OWN)


def open_model(where: str, options: Mapping[str, object] | None = None) -> LanguageModel:
    """Return the language model that `PROVIDER:NAME` names.

    Args:
        where: the provider and the name of its model.
        options: of the provider, by name; those that are None are left out.

    Raises:
        UsageError: no such provider, it takes no such option, or has no such model.
    """
    provider, colon, name = where.partition(":")
    if not colon or not name:
        known = ", ".join(f"{each}:NAME" for each in PROVIDERS.names())
        raise UsageError(f"--model {where}: name the provider as well: {known}")
    make = PROVIDERS[provider]
    given = {key: value for key, value in (options or {}).items() if value is not None}
    check_arguments(f"provider {provider!r}", make, {"name", *given})
    return make(name, **given)


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches a host."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


# "wkba" tells our files from those of others.
_OURS = 0x776B6261
_TABLES = """
PRAGMA locking_mode = EXCLUSIVE;
CREATE TABLE IF NOT EXISTS answers (
    hash TEXT PRIMARY KEY, answer TEXT NOT NULL, tokens_in INTEGER, tokens_out INTEGER,
    finish TEXT NOT NULL, model TEXT NOT NULL, version TEXT NOT NULL,
    left_out TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outputs (sha256 TEXT PRIMARY KEY) WITHOUT ROWID;
"""


class AnswerCache:
    """The answers in a file, by `prompt_hash`; several threads may use it at once."""

    def __init__(self, file: SqliteFile, connection: sqlite3.Connection) -> None:
        self.path, self._file = file.path, file
        self._connection = connection
        self._one_at_a_time = Lock()

    def get(self, prompt_hash: str) -> Reply | None:
        """Return the answer to a prompt, or None where there is none yet."""
        row = self._row("SELECT * FROM answers WHERE hash = ?", prompt_hash)
        if row is None:
            return None
        with self._file.faults():
            try:
                names = [each.name for each in fields(Reply)]
                return convert(dict(zip(names, row[1:], strict=True)), Reply)
            except ValueError as error:
                raise sqlite3.DatabaseError(f"an answer: {error}") from error

    def keep(self, prompt_hash: str, reply: Reply) -> None:
        """Keep an answer; it outlasts a kill from now on.

        Raises:
            DiskError: it cannot be written.
        """
        row = (prompt_hash, *astuple(reply))  # fields as the columns stand
        with self._one_at_a_time, self._file.faults(), self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row
            )

    def has_written(self, sha256: str) -> bool:
        """Return whether a table of this SHA-256 was made of these answers."""
        return self._row("SELECT 1 FROM outputs WHERE sha256 = ?", sha256) is not None

    def note_written(self, sha256: str) -> None:
        """Note the SHA-256 of a table that was made of these answers."""
        with self._one_at_a_time, self._file.faults(), self._connection:
            self._connection.execute("INSERT OR IGNORE INTO outputs VALUES (?)", [sha256])

    def _row(self, ask: str, key: str) -> tuple[Any, ...] | None:
        with self._one_at_a_time, self._file.faults():
            found: tuple[Any, ...] | None = self._connection.execute(ask, [key]).fetchone()
        return found


@contextmanager
def answer_cache(path: Path, *, read_only: bool = False) -> Iterator[AnswerCache]:
    """Open the file at `path`, for one run at a time; with `read_only` nothing is written.

    Raises:
        UsageError: it is damaged, a link, another program's, or another run has it.
        DiskError: it cannot be written.
    """
    file = SqliteFile(path, "answers of language models", "name another --out", _OURS, read_only)
    if not read_only:
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
    with file.opened(_TABLES, timeout=1.0) as connection:
        yield AnswerCache(file, connection)


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
    run = _Run(model, iter(questions), decoding, cache, meter, tell)
    try:
        run.ask(concurrency)
    except (KeyboardInterrupt, WikibiasError):
        run.wind_down()
        raise
    return run.outcome


@dataclass(slots=True)
class _Run:
    """The asking of some questions; see `ask_all`.

    A question that alone is refused is told from a server that refuses all: others are answered
    after it, or the run comes to its end with some answered. Only such are kept as refused.
    """

    model: LanguageModel
    questions: Iterator[Question]
    decoding: Decoding
    cache: AnswerCache
    meter: Meter
    tell: Callable[[Outcome], None]
    outcome: Outcome = field(default_factory=Outcome)
    ahead: Question | None = None
    done: Queue[tuple[Sequence[Question], _Replies | BaseException]] = field(default_factory=Queue)
    under_way: int = 0
    in_a_row: int = 0
    unsure: list[str] = field(default_factory=list)

    def ask(self, concurrency: int) -> None:
        """Ask them; threads end with the process, so that nobody waits for a silent server."""
        # A model of this machine has one memory, and takes its questions one batch after the other.
        together, threads = 1, concurrency
        if isinstance(self.model, BatchModel):
            together, threads = self.model.batch, 1
        while True:
            while self.under_way < threads and (batch := self._next(together)):
                self.under_way += 1
                Thread(target=self._answer, args=(batch,), daemon=True).start()
            if not self.under_way:
                break
            self._take(*self.done.get())
        self._keep_refused()

    def wind_down(self) -> None:
        """Let what is under way arrive, for a while: it is paid for."""
        until = time.monotonic() + GRACE
        while self.under_way:
            try:
                self._take(*self.done.get(timeout=max(0.0, until - time.monotonic())))
            except WikibiasError:
                continue  # the first fault is told
            except Empty:
                return

    def _next(self, most: int) -> list[Question]:
        """Return questions to ask together; none where none is left, or the budget is held."""
        batch: list[Question] = []
        while len(batch) < most:
            question = self.ahead or next(self.questions, None)
            self.ahead = None
            if question is None:
                break
            if not self.meter.reserve(question.size):
                self.ahead = question
                # What is under way may turn out cheaper than what is held for it.
                self.outcome.over_budget = not (batch or self.under_way)
                break
            batch.append(question)
        return batch

    def _answer(self, batch: Sequence[Question]) -> None:
        """Ask a batch, and keep the answers; the work of a thread."""
        try:
            replies: _Replies
            if isinstance(self.model, BatchModel):
                replies = self.model.answer_all([each.messages for each in batch], self.decoding)
            else:
                replies = [self._one_answer(each) for each in batch]
            for question, reply in zip(batch, replies, strict=True):
                if isinstance(reply, Reply):
                    self.cache.keep(question.hash, reply)
        except BaseException as error:  # raised again by who waits
            self.done.put((batch, error))
        else:
            self.done.put((batch, replies))

    def _one_answer(self, question: Question) -> Reply | NoAnswerError:
        try:
            return self.model.answer(question.messages, self.decoding)
        except NoAnswerError as error:
            return error

    def _take(self, batch: Sequence[Question], replies: _Replies | BaseException) -> None:
        """Count what a thread gives back.

        Raises:
            WikibiasError: nothing more is to be expected.
        """
        self.under_way -= 1
        for question in batch:
            self.meter.release(question.size)
        if isinstance(replies, BaseException):
            raise replies
        for question, reply in zip(batch, replies, strict=True):
            if isinstance(reply, Reply):
                self.meter.count(question.size, reply)
                self.outcome.answered += 1
                self.in_a_row = 0
                self._keep_refused()
            else:
                self._note_missing(question, reply)
        self.tell(self.outcome)

    def _note_missing(self, question: Question, error: NoAnswerError) -> None:
        self.outcome.without[question.hash] = str(error)
        if isinstance(error, RefusedError):
            self.unsure.append(question.hash)
            if len(self.unsure) >= MOST_REFUSED:
                raise WikibiasError(f"{error}; {MOST_REFUSED} questions in a row were refused")
            return
        self.in_a_row += 1
        if self.in_a_row >= MOST_IN_A_ROW:
            raise WikibiasError(f"{error}; {MOST_IN_A_ROW} questions in a row had no answer")

    def _keep_refused(self) -> None:
        """Keep what was refused in a row: another was answered, or the run is at its end."""
        for mark in self.unsure if self.meter.answers else ():
            self.cache.keep(mark, Reply("", 0, 0, REFUSED))
            self.outcome.refused[mark] = self.outcome.without.pop(mark)
        self.unsure = []
