"""`wikibias annotate serve`: its options, its table, and what it says in one line."""

import http.client
import json
import os
import signal
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from judged_samples import EXPORTS, TASKS, task_file
from labelling_server import Serving, serving
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.answer_store import answer_store, read_answer_rows
from wikibias.research.annotation.tasks import column, read_table

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
    words = ("--tasks", tasks, "--guidelines", "bias-types", "--out", tmp_path / "answers.csv")
    wikibias("annotate", "import", tmp_path / "tasks.db", *words).well()
    table = read_table(tmp_path / "answers.csv")
    assert list(table.columns) == ["item", "annotator", "bias_types", "spans", "comment"]
    assert column(table, "comment") == ["=1"]


def test_answers_to_other_tasks_are_told_of(tmp_path: Path, tasks: Path) -> None:
    said = {"bias": "biased", "comment": ""}
    with answer_store(tmp_path / "a.db") as store:
        store.answer("mila", "other", said)
    refused = wikibias("annotate", "serve", tasks, "--port", "0", "--db", tmp_path / "a.db")
    refused.refused("holds 1 answer, none of them to one of these tasks")
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
        (("--db", "tasks.jsonl"), 2, "is damaged, or holds no answers"),
    ],
)
def test_a_mistake_is_one_line(
    tasks: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, said: str
) -> None:
    monkeypatch.chdir(tasks.parent)
    done = wikibias("annotate", "serve", "tasks.jsonl", "--port", "0", *words)
    assert "bug" not in done.refused(said, code=code)


def test_a_file_without_texts_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item\n1\n")
    wikibias("annotate", "serve", tmp_path / "t.csv").refused("no column 'text'", code=1)


def test_a_sheet_goes_out_with_what_may_stand_in_it(tmp_path: Path) -> None:
    out = tmp_path / "sheet.csv"
    words = ("annotate", "export", task_file(tmp_path), "--out", out, "--to", "csv")
    done = wikibias(*words).well()
    for said in (
        "4 tasks",
        "Note: 1 task to practise with left out.",
        "Note: to fill in bias: biased, neutral.",
        f"Next: wikibias annotate import {out} --tasks",
    ):
        assert said in done.out
    wikibias(*words).refused("may hold answers")
    wikibias(*words, "--guidelines", "bais").refused("did you mean 'bias'")
    done = wikibias(*words, "--guidelines", "bias-types", "--overwrite").well()
    assert "words cannot be marked in a spreadsheet" in done.out


def test_label_studio_gets_a_folder(tmp_path: Path) -> None:
    words = ("--to", "label-studio", "--guidelines", "bias-types", "--out", tmp_path / "ls")
    done = wikibias("annotate", "export", task_file(tmp_path), *words).well()
    names = ["export.json", "instructions.html", "labels.xml", "tasks.json"]
    assert sorted(path.name for path in (tmp_path / "ls").iterdir()) == names
    assert "--guidelines bias-types --out answers.jsonl" in done.out


def test_the_deal_of_a_sample_is_kept(tmp_path: Path) -> None:
    deals = (("mila", "chloé"), ("mila",), ("chloé",), ("mila",), ())
    tasks = [asdict(replace(t, annotators=to)) for t, to in zip(TASKS, deals, strict=True)]
    write_rows(tmp_path / "tasks.jsonl", tasks)
    words = ("annotate", "export", tmp_path / "tasks.jsonl", "--to")
    done = wikibias(*words, "csv", "--out", tmp_path / "all.csv")
    assert "4 tasks" in done.out
    assert "Note: dealt to mila, chloé, and written for all together; --annotator NAME" in done.out
    done = wikibias(*words, "csv", "--annotator", "chloé", "--out", tmp_path / "c.csv").well()
    assert "2 tasks" in done.out
    assert "dealt" not in done.out
    sheet = read_table(tmp_path / "c.csv")
    assert column(sheet, "item") == ["s1", "s3"]
    assert column(sheet, "annotator") == ["chloé", "chloé"]
    done = wikibias(*words, "label-studio", "--annotator", "mila", "--out", tmp_path / "ls")
    assert "3 tasks" in done.out
    assert "s3" not in (tmp_path / "ls" / "tasks.json").read_text()
    done = wikibias(*words, "csv", "--annotator", "chloe", "--out", tmp_path / "d.csv")
    done.refused("no task is for 'chloe'; did you mean 'chloé'? Known: chloé, mila")


def test_a_real_export_of_label_studio_comes_back(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    words = ("--tasks", EXPORTS / "tasks.jsonl", "--guidelines", "bias-types", "--out", out)
    done = wikibias("annotate", "import", EXPORTS / "export.json", *words).well()
    assert "10 answers of 3 annotators to 5 of 5 tasks" in done.out
    assert "skipped by its annotator" in done.err
    last = json.loads(out.read_text("utf-8").splitlines()[-1])
    assert last["spans"] == [
        {"start": 14, "end": 18, "label": "framing"},
        {"start": 43, "end": 50, "label": "demographic"},
    ]


def test_tables_of_several_people_become_one(tmp_path: Path) -> None:
    (tmp_path / "ann.csv").write_text("item,Q (y/n)\ns1,biased\ns2,neutral\n")
    (tmp_path / "bob.csv").write_text("item,bias,comment\ns1,perhaps,Why?\ns2,,Hm.\n")
    out = tmp_path / "answers.csv"
    words: list[object] = ["annotate", "import", tmp_path / "ann.csv", tmp_path / "bob.csv"]
    words += ["--tasks", task_file(tmp_path), "--out", out]
    wikibias(*words).refused("ann.csv: no column for bias; it has 'item', 'Q (y/n)'", code=1)
    assert not out.exists()
    done = wikibias(*words, "--rename", "Q (y/n)=bias").well()
    assert "3 answers of 2 annotators to 2 of 4 tasks" in done.out
    assert "Note: 1 comment without an answer; kept, and not counted." in done.out
    assert "bob.csv:2 'perhaps'" in done.err
    assert out.read_text().splitlines() == [
        "item,annotator,bias,comment",
        "s1,ann,biased,",
        "s1,bob,?,Why?",
        "s2,ann,neutral,",
        "s2,bob,,Hm.",
    ]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 1, "no answer to any of the tasks"),
        (("--rename", "bias"), 2, "give OLD=NEW"),
        (("--rename", "bias=item", "--rename", "bias=text"), 2, "OLD=NEW"),
        (("--rename", "verdict=bias"), 2, "no table has a column 'verdict'"),
        (("--out", "mine.jsonl"), 2, "add --overwrite"),
        (("--out", "a.xlsx"), 2, "the name must end in"),
    ],
)
def test_says_in_a_line_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text("item,bias\ns9,biased\n")
    Path("mine.jsonl").write_text("mine")
    out = () if "--out" in words else ("--out", "answers.jsonl")
    done = wikibias("annotate", "import", "s.csv", *words, "--tasks", task_file(tmp_path), *out)
    done.refused(message, code=code)
