"""Many questions at once: what is kept, what is asked again, and how it ends."""

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikibias.errors import DiskError, UsageError, WikibiasError
from wikibias.research.language_models.asking import (
    AnswerCache,
    Decoding,
    Message,
    Meter,
    NoAnswerError,
    Outcome,
    Question,
    RefusedError,
    Reply,
    answer_cache,
    ask_all,
    prompt_hash,
    usual_tokens,
)

DECODING = Decoding(max_tokens=10)


class Model:
    """Answers with the question in capitals; some have no answer, and some end all."""

    name = "loud"

    def __init__(self, none: set[str] | None = None, fatal: str | None = None) -> None:
        self.none, self.fatal = none or set(), fatal
        self.refuses: set[str] = set()
        self.asked: list[str] = []
        self.lock = threading.Lock()

    def version(self) -> str:
        return ""

    def answer(self, messages: Sequence[Message], decoding: Decoding) -> Reply:
        text = messages[0].content
        with self.lock:
            self.asked.append(text)
        if text in self.none:
            raise NoAnswerError(f"nothing for {text}")
        if text in self.refuses:
            raise RefusedError(f"not {text}")
        if text == self.fatal:
            raise WikibiasError("the key is wrong")
        time.sleep(0.002 * (len(text) % 3))
        return Reply(text.upper(), 100, 5)


class Batched(Model):
    """Takes three at a time."""

    batch = 3

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[int] = []

    def answer_all(
        self, asked: Sequence[Sequence[Message]], decoding: Decoding
    ) -> list[Reply | NoAnswerError]:
        self.batches.append(len(asked))
        return [
            NoAnswerError("too long") if each[0].content == "q4" else self.answer(each, decoding)
            for each in asked
        ]


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[AnswerCache]:
    with answer_cache(tmp_path / "cache") as cache:
        yield cache


def questions(number: int) -> list[Question]:
    return [Question(f"h{each}", (Message("user", f"q{each}"),)) for each in range(number)]


def test_all_answers_are_kept_under_their_hashes(cache: AnswerCache) -> None:
    meter, told = Meter(10), list[int]()
    outcome = ask_all(
        Model(), questions(40), DECODING, cache, meter, concurrency=8,
        tell=lambda outcome: told.append(outcome.answered),
    )  # fmt: skip
    assert outcome == Outcome(40)
    replies = [cache.get(f"h{each}") for each in range(40)]
    assert [reply and reply.text for reply in replies] == [f"Q{each}" for each in range(40)]
    assert meter.tokens_in == 4000
    assert told == [*range(1, 41)]


def refusing(*numbers: int) -> Model:
    model = Model()
    model.refuses = {f"q{each}" for each in numbers}
    return model


def test_a_server_that_comes_to_refuse_all_ends_it_and_nothing_is_sure(cache: AnswerCache) -> None:
    model, meter = refusing(*range(5, 50)), Meter(10)
    with pytest.raises(WikibiasError, match="not q24; 20 questions in a row were refused"):
        ask_all(model, questions(50), DECODING, cache, meter)
    assert len(model.asked) == 25
    assert cache.get("h5") is None


def test_where_nothing_was_ever_answered_no_refusal_is_sure(cache: AnswerCache) -> None:
    for _ in range(2):
        ended = ask_all(refusing(0, 1), questions(2), DECODING, cache, Meter(10))
        assert (len(ended.without), ended.refused, cache.get("h0")) == (2, {}, None)


def test_a_fault_of_all_ends_it_and_what_is_under_way_is_kept(cache: AnswerCache) -> None:
    model = Model(fatal="q10")
    with pytest.raises(WikibiasError, match="the key is wrong"):
        ask_all(model, questions(100), DECODING, cache, Meter(10), concurrency=4)
    assert len(model.asked) < 20
    kept = [each for each in range(100) if cache.get(f"h{each}")]
    assert sorted([*(f"q{each}" for each in kept), "q10"]) == sorted(model.asked)


def test_a_model_of_this_machine_gets_batches_one_after_the_other(cache: AnswerCache) -> None:
    model = Batched()
    outcome = ask_all(model, questions(8), DECODING, cache, Meter(10), concurrency=8)
    assert model.batches == [3, 3, 2]
    assert (outcome.answered, outcome.without) == (7, {"h4": "too long"})


def test_a_budget_that_bears_nothing_asks_nothing(cache: AnswerCache) -> None:
    model = Model()
    outcome = ask_all(model, questions(3), DECODING, cache, Meter(10, 5))
    assert (outcome, model.asked) == (Outcome(over_budget=True), [])
    assert ask_all(model, [], DECODING, cache, Meter(10)) == Outcome()


def test_questions_are_made_as_they_are_asked(cache: AnswerCache) -> None:
    model = Model()

    def lazily() -> Iterator[Question]:
        for number, question in enumerate(questions(30)):
            assert number <= len(model.asked) + 3
            yield question

    assert ask_all(model, lazily(), DECODING, cache, Meter(10), concurrency=2).answered == 30


def test_what_is_under_way_counts() -> None:
    meter = Meter(10, 400)
    meter.count(100, Reply("x", 80, 0))
    assert meter.reserve(100)
    assert not meter.reserve(100)  # each byte may be a token
    meter.release(100)
    assert meter.reserve(100)


def test_the_first_answer_is_waited_for_and_tells_how_a_server_counts() -> None:
    meter = Meter(10, 1000)
    assert meter.reserve(100)
    assert not meter.reserve(100)
    meter.release(100)
    meter.count(100, Reply("x", 450, 0))
    assert meter.reserve(100)
    assert not meter.reserve(100)


def test_where_a_server_tells_nothing_it_is_guessed_high() -> None:
    meter = Meter(10, 1_000_000)
    meter.count(100, Reply("x"))
    assert meter.guessed
    assert meter.tokens_in >= 100
    assert meter.tokens_out == 10
    size = Question("h", (Message("user", "a word or two " * 100),)).size
    assert 320 < usual_tokens(size) < 390  # near four bytes a token


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(1, 3000), st.floats(0, 1), st.integers(0, 50)), max_size=40),
    st.integers(0, 20_000),
)
def test_a_budget_is_never_exceeded(prompts: list[tuple[int, float, int]], most: int) -> None:
    meter = Meter(50, most)
    for size, share, out in prompts:
        if not meter.reserve(size):
            break
        meter.release(size)
        meter.count(size, Reply("", int(size * share) + 64, out))
    assert meter.tokens_in + meter.tokens_out <= most


REPLY = Reply("NOT BIASED\x00\x1b[2J é", 12, 3, "stop", "small", "1", "seed")


def test_an_answer_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "made" / "answers.cache"
    with answer_cache(path) as cache:
        assert cache.get("a") is None
        cache.keep("a", REPLY)
        cache.keep("b", Reply(""))
    for read_only in (False, True):
        with answer_cache(path, read_only=read_only) as cache:
            assert cache.get("a") == REPLY
            assert cache.get("b") == Reply("")
    with answer_cache(tmp_path / "rehearsal", read_only=True) as cache:
        assert cache.get("a") is None
    assert not (tmp_path / "rehearsal").exists()


def test_cells_of_other_types_are_no_answer(tmp_path: Path) -> None:
    with answer_cache(tmp_path / "c") as cache:
        for change in ("answer = x'ff00'", "tokens_in = 'x'"):
            cache.keep("a", REPLY)
            cache._connection.execute(f"UPDATE answers SET {change}")
            with pytest.raises(UsageError, match=r"is damaged.*name another"):
                cache.get("a")


def test_it_remembers_the_tables_it_made(tmp_path: Path) -> None:
    with answer_cache(tmp_path / "c") as cache:
        cache.note_written("12ab")
        cache.note_written("12ab")
        assert cache.has_written("12ab")
        assert not cache.has_written("34cd")


def test_a_second_run_on_one_file_is_refused(tmp_path: Path) -> None:
    with (
        answer_cache(tmp_path / "c"),
        pytest.raises(UsageError, match="another run uses"),
        answer_cache(tmp_path / "c"),
    ):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DiskError, match="cannot write"), answer_cache(tmp_path / "file" / "c"):
        pass


MESSAGES = (Message("system", "You read sentences."), Message("user", "The bridge is old."))
HASH = "b66df63f63d31ae9edbf9faad1fdcc4ef87745e9707b32079eae9dbda5eb6ebc"


def test_the_hash_is_the_same_tomorrow_and_another_for_whatever_an_answer_depends_on() -> None:
    assert prompt_hash("small", "1", MESSAGES, Decoding()) == HASH
    others = [
        prompt_hash("large", "1", MESSAGES, Decoding()),
        prompt_hash("small", "2", MESSAGES, Decoding()),
        prompt_hash("small", "1", MESSAGES[1:], Decoding()),
        prompt_hash("small", "1", (replace(MESSAGES[0], role="user"), MESSAGES[1]), Decoding()),
        prompt_hash("small", "1", MESSAGES, Decoding(max_tokens=5)),
        prompt_hash("small", "1", MESSAGES, Decoding(seed=1)),
    ]
    assert len({HASH, *others}) == len(others) + 1


@given(st.text(), st.text())
def test_no_two_conversations_share_a_hash(first: str, second: str) -> None:
    apart = prompt_hash("m", "", (Message("user", first), Message("user", second)), Decoding())
    joined = prompt_hash("m", "", (Message("user", first + second),), Decoding())
    assert apart != joined
