"""`wikibias annotate serve`: its options, its table, and what it says in one line."""

from __future__ import annotations

import http.client
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from labelling_server import Serving, serving
from wikibias.research.annotation.answer_store import answer_store, read_answer_rows
from wikibias.research.annotation.tables import read_table

HEADERS = {"Content-Type": "application/json", "X-Wikibias": "1"}


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    rows = [{"item": f"s{number}", "text": f"Mill {number} is fine."} for number in range(3)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def post(server: Serving, what: str, said: dict[str, Any], name: str) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", int(server.port), timeout=10)
    connection.request("POST", f"/api/{what}?as={name}", json.dumps(said), HEADERS)
    found: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    return found


def answers(server: Serving, name: str, places: range) -> None:
    for place in places:
        assert post(server, "answer", {"place": place, "answers": {"bias": "biased"}}, name)[
            "taken"
        ]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_server_has_lost_nothing_and_goes_on(tmp_path: Path, tasks: Path) -> None:
    with serving(tmp_path, tasks.name, "--port", "0") as server:
        answers(server, "mila", range(4))  # three to practise with
        code, _ = server.end(signal.SIGKILL)
    assert code == -signal.SIGKILL
    with serving(tmp_path, tasks.name, "--port", "0") as server:
        answers(server, "mila", range(4, 6))
        _, said = server.end(signal.SIGINT)
    assert "There already: 1 answer, of mila 1." in said.splitlines()
    assert said.splitlines()[-1] == "3 answers by 1 annotator in tasks.db."
    assert [row["bias"] for row in read_answer_rows(tmp_path / "tasks.db")] == ["biased"] * 3


def test_answers_become_a_table(tmp_path: Path, tasks: Path) -> None:
    with answer_store(tmp_path / "tasks.db") as store:
        store.answer("mila", "s1", {"bias_types": ["framing"], "spans": [], "comment": "=1"})
    for name in ("answers.jsonl", "answers.csv"):
        done = wikibias("annotate", "serve", tasks, "--export", tmp_path / name)
        assert done.out == f"Wrote 1 answer to {tmp_path / name}.\n"
        table = read_table(tmp_path / name)
        assert list(table.columns) == ["item", "annotator", "bias_types", "spans", "comment"]
        assert table.column("comment") == ["=1"]
    refused = wikibias("annotate", "serve", tasks, "--export", tmp_path / "answers.csv")
    assert refused.code == 2
    assert "--overwrite" in refused.errors[0]
    again = wikibias(
        "annotate", "serve", tasks, "--export", tmp_path / "answers.csv", "--overwrite"
    )
    assert again.code == 0


def test_answers_to_other_tasks_are_told_of(tmp_path: Path, tasks: Path) -> None:
    said = {"bias": "biased", "comment": ""}
    with answer_store(tmp_path / "a.db") as store:
        store.answer("mila", "other", said)
    refused = wikibias("annotate", "serve", tasks, "--port", "0", "--db", tmp_path / "a.db")
    assert refused.code == 2
    assert "holds 1 answer, none of them to one of these tasks" in refused.errors[0]
    with answer_store(tmp_path / "a.db") as store:
        store.answer("\x1b[1m", "s1", said)
    with serving(tmp_path, tasks.name, "--port", "0", "--db", "a.db") as server:
        assert post(server, "undo", {"place": None}, "ivan")["done"] == 0
        _, told = server.end(signal.SIGINT)
    assert "There already: 1 answer, of \\x1b[1m 1." in told
    assert "Warning: 1 more answer in it is to none of these tasks" in told


def test_other_machines_get_a_token(tmp_path: Path, tasks: Path) -> None:
    with serving(tmp_path, tasks.name, "--port", "0", "--host", "0.0.0.0") as server:
        assert "/?token=" in server.address
        connection = http.client.HTTPConnection("127.0.0.1", int(server.port), timeout=10)
        connection.request("GET", "/")
        assert connection.getresponse().status == 403
        connection.close()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--guidelines", "bais"), 2, "unknown guidelines 'bais'; did you mean 'bias'?"),
        (("--db", "/proc/none/a.db"), 1, "cannot write /proc/none/a.db"),
        (("--annotator", "a\tb"), 2, "the name of an annotator must have"),
        (("--host", "192.0.2.1"), 2, "cannot listen on 192.0.2.1"),
        (("--export", "a.jsonl"), 2, "no such file"),
        (("--db", "tasks.jsonl"), 2, "is damaged, or no file of answers"),
    ],
)
def test_a_mistake_is_one_line(
    tasks: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, said: str
) -> None:
    monkeypatch.chdir(tasks.parent)
    done = wikibias("annotate", "serve", "tasks.jsonl", "--port", "0", *words)
    assert done.code == code
    assert len(done.errors) == 1
    assert said in done.errors[0]
    assert "bug" not in done.errors[0]


def test_a_file_without_texts_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item\n1\n")
    done = wikibias("annotate", "serve", tmp_path / "t.csv")
    assert (done.code, len(done.errors)) == (1, 1)
    assert "no column 'text'" in done.errors[0]
