"""`wikibias annotate sample`, `balance`, `serve`, `export` and `import`."""

import http.client
import json
import os
import re
import signal
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from exports import result_of, wikibias
from judged_samples import TASKS, task_file
from labelling_server import Serving, serving
from made_edits import corpus
from put import put, put_rows
from wikibias.research.annotation import samples
from wikibias.research.annotation.answer_store import answer_store, read_answer_rows
from wikibias.research.annotation.tasks import column, read_table, read_tasks
from wikibias.research.cli.annotation.labelling import PAPER_BINS

HEADERS = {"Content-Type": "application/json", "X-Wikibias": "1"}


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    rows = [{"item": f"s{number}", "text": f"Mill {number} is fine."} for number in range(3)]
    return put_rows(tmp_path / "tasks.jsonl", *rows)


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


def test_what_was_decided_between_annotators_is_no_annotator(tmp_path: Path, tasks: Path) -> None:
    with answer_store(tmp_path / "tasks.db") as store:
        for name, said in (("ann", "biased"), ("bob", "neutral"), ("gold", "biased")):
            store.answer(name, "s1", {"bias": said, "comment": ""})
    done = wikibias("annotate", "agree", tmp_path / "tasks.db", "--tasks", tasks, "--label", "bias")
    assert "gold" not in done.well().out


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
    assert out.read_bytes().startswith(b"\xef\xbb\xbfitem,")  # which tells Excel that it is UTF-8
    assert column(read_table(out), "item") == ["s1", "s2", "s3", "s4"]
    wikibias(*words).refused("may hold answers")
    wikibias(*words, "--guidelines", "bais").refused("did you mean 'bias'")
    done = wikibias(*words, "--guidelines", "bias-types", "--overwrite").well()
    assert "words cannot be marked in a spreadsheet" in done.out


def test_the_deal_of_a_sample_is_kept(tmp_path: Path) -> None:
    deals = (("mila", "chloé"), ("mila",), ("chloé",), ("mila",), ())
    dealt = (replace(task, annotators=to) for task, to in zip(TASKS, deals, strict=True))
    tasks = put_rows(tmp_path / "tasks.jsonl", *map(asdict, dealt))
    words = ("annotate", "export", tasks, "--to")
    done = wikibias(*words, "csv", "--out", tmp_path / "all.csv")
    assert "4 tasks" in done.out
    assert "Note: dealt to mila, chloé, and written for all together; --annotator NAME" in done.out
    done = wikibias(*words, "csv", "--annotator", "chloé", "--out", tmp_path / "c.csv").well()
    assert "2 tasks" in done.out
    assert "dealt" not in done.out
    sheet = read_table(tmp_path / "c.csv")
    assert column(sheet, "item") == ["s1", "s3"]
    assert column(sheet, "annotator") == ["chloé", "chloé"]
    ours = ("--annotator", "mila", "--guidelines", "bias-types", "--out", tmp_path / "ls")
    done = wikibias(*words, "label-studio", *ours)
    assert "3 tasks" in done.out
    assert "--guidelines bias-types --out answers.jsonl" in done.out
    names = ["export.json", "instructions.html", "labels.xml", "tasks.json"]
    assert sorted(path.name for path in (tmp_path / "ls").iterdir()) == names
    assert "s3" not in (tmp_path / "ls" / "tasks.json").read_text()
    done = wikibias(*words, "csv", "--annotator", "chloe", "--out", tmp_path / "d.csv")
    done.refused("no task is for 'chloe'; did you mean 'chloé'? Known: chloé, mila")


def test_tables_of_several_people_become_one(tmp_path: Path) -> None:
    ann = put(tmp_path / "ann.csv", "item,Q (y/n)\ns1,biased\ns2,neutral\n")
    bob = put(tmp_path / "bob.csv", "item,bias,comment\ns1,perhaps,Why?\ns2,,Hm.\n")
    out = tmp_path / "answers.csv"
    words = ("annotate", "import", ann, bob, "--tasks", task_file(tmp_path), "--out", out)
    wikibias(*words).refused("ann.csv: no column for bias; it has 'item', 'Q (y/n)'", code=1)
    assert not out.exists()
    done = wikibias(*words, "--rename", "Q (y/n)=bias").well()
    assert "3 answers of 2 annotators to 2 of 4 tasks" in done.out
    assert "Note: 1 comment without an answer; kept, and not counted." in done.out
    assert "bob.csv:2 'perhaps'" in done.err
    eva = put(tmp_path / "eva.csv", "item,bias\ns1,\n")
    more = (*words, eva, "--rename", "Q (y/n)=bias", "--overwrite")
    assert "1 file without an answer that could be taken; the first: eva.csv" in wikibias(*more).err
    assert out.read_text().splitlines() == [
        "item,annotator,bias,comment",
        "s1,ann,biased,",
        "s1,bob,?,Why?",
        "s2,ann,neutral,",
        "s2,bob,,Hm.",
    ]


def test_writes_a_task_file(tmp_path: Path) -> None:
    out = tmp_path / "tasks.csv"
    done = wikibias("annotate", "sample", corpus(), "-n", 30, "--out", out).well()
    assert "30 sentences, 3 controls, 3 repeats" in done.out
    assert " bin=7-15              1      1       1.0000" in done.out
    tasks = read_tasks(out)
    assert len(tasks) == 36
    assert all(task.probability for task in tasks if task.kind == "sample")


def test_the_bins_are_those_of_the_paper() -> None:
    assert PAPER_BINS == samples.PAPER_BINS


def test_deals_sentences_to_annotators(tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    options = ("--annotators", "ann,bob", "--shared", "10", "--controls", 0.2, "--repeats", 0)
    done = wikibias("annotate", "sample", corpus(), "-n", 50, *options, "--out", out)
    assert "ann: 36 tasks, 10 sentences of them for all." in done.out
    for_all = Counter(task.kind for task in read_tasks(out) if len(task.annotators) == 2)
    assert for_all == {"sample": 10, "control": 2}


def test_is_quiet_when_asked(voted: Path, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "t.jsonl", "--overwrite")
    for words in (("sample", corpus()), ("balance", voted, *BY_OUTLET[:-1])):
        said = wikibias("annotate", *words, *out, "-q").well().out
        assert str(out[1]) in said
        assert not re.search("probability|taken of each", said)


def test_files_of_another_kind_are_named(tmp_path: Path) -> None:
    drawn = tmp_path / "t.jsonl"
    answers = put(tmp_path / "a.csv", "item,annotator,bias\ns,b,biased")
    wikibias("annotate", "sample", corpus(), "--out", drawn).well()
    pairs = put(tmp_path / "pairs.tsv", "split\tlabel\tsource\ttarget\ntrain\tbiased\tA b.\tA.\n")
    served = "it holds tasks, which `wikibias annotate serve` takes"
    wikibias("pairs", drawn, "--out", tmp_path / "p").refused(f"{drawn} holds tasks, which")
    wikibias("annotate", "agree", drawn, "--label", "bias").refused("'bias'", served, code=1)
    wikibias("annotate", "serve", answers).refused(
        "it holds answers, which `wikibias annotate agree`", code=1
    )
    wikibias("annotate", "serve", pairs).refused(
        "it holds sentence pairs", "to counterpart", code=1
    )


def test_a_sheet_speaks_the_language_of_its_guidelines(tmp_path: Path) -> None:
    out, back = tmp_path / "feuille.csv", tmp_path / "answers.jsonl"
    french = ("--guidelines", "bias-fr")
    done = wikibias("annotate", "export", task_file(tmp_path), "--to", "csv", "--out", out, *french)
    done.well()
    assert re.search(r"to fill in La phrase .*: Biaisée, Neutre\.", done.out)
    sheet = read_table(out)
    (asked,) = (name for name in map(str, sheet) if name.startswith("La phrase"))
    assert {"Phrase", "Commentaire"} <= {*sheet}
    sheet[asked] = "Neutre"
    sheet.to_csv(out, index=False)
    tasks = ("--tasks", tmp_path / "tasks.jsonl")
    wikibias("annotate", "import", out, *tasks, *french, "--out", back).well()
    assert column(read_table(back), "bias") == ["neutral"] * 4


def test_warns_of_annotators_without_tasks(tmp_path: Path) -> None:
    words = ("--controls", 0, "--repeats", 0, "--out", tmp_path / "t.jsonl", "--overwrite")
    few = wikibias("annotate", "sample", corpus(), "-n", 3, "--annotators", 4, *words).well()
    assert few.err.splitlines() == [
        "Warning: nothing is dealt to ann4; give a larger -n, or fewer --annotators",
        "Warning: no sentence is for all annotators, so that nobody can say how far they "
        "agree; give a larger -n, or --shared N",
    ]
    for names in (1, 3):
        found = wikibias("annotate", "sample", corpus(), "--annotators", names, *words)
        assert found.err == ""


def test_does_not_replace_a_file_unasked(tmp_path: Path) -> None:
    out = put(tmp_path / "t.jsonl", "mine")
    asked = ("annotate", "sample", corpus(), "--out", out)
    wikibias(*asked).refused("--overwrite")
    assert out.read_text() == "mine"
    wikibias(*asked, "--overwrite").well()
    wikibias(*asked, "--overwrite", "--width", "-1").refused("0.01<=x<=0.99")


def test_draws_as_many_as_an_interval_takes(tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    done = wikibias("annotate", "sample", corpus(), "--width", 0.2, "--out", out)
    assert "41 sentences give an interval of 0.196 over the corpus with 48% judged" in done.out
    assert "41 sentences, 4 controls, 4 repeats" in done.out


def test_an_empty_corpus_is_said_to_be(tmp_path: Path) -> None:
    folder = result_of(tmp_path, [], "extract", "-q")
    for words in ((folder,), (folder, "--bins", "1-")):
        done = wikibias("annotate", "sample", *words, "--out", tmp_path / "t.jsonl")
        assert done.refused() == (
            f"Error: {folder}: the corpus is empty; `wikibias status {folder}` says what to try"
        )


ROWS: list[dict[str, Any]] = [
    *({"outlet": "Post", "text": f"A fine mill {n}.", "label": "biased"} for n in range(2)),
    *({"outlet": "Post", "text": f"A mill {n}.", "label": "neutral"} for n in range(6)),
    *({"outlet": "News", "text": f"A grand dam {n}.", "label": "biased"} for n in range(4)),
    *({"outlet": "News", "text": f"A dam {n}.", "label": "neutral"} for n in range(4)),
    {"outlet": "News", "text": "A dam.", "label": "?"},
    {"outlet": "Mail", "text": "A dam.", "label": "neutral"},
]


@pytest.fixture
def voted(tmp_path: Path) -> Path:
    return put_rows(tmp_path / "voted.csv", *ROWS)


def counts(path: Path, *columns: str) -> Counter[tuple[Any, ...]]:
    table = read_table(path)
    return Counter(zip(*(column(table, name) for name in columns), strict=True))


BY_OUTLET = ("--by", "outlet", "--label", "label", "--out")


def test_balances_by_the_label(voted: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "balanced.jsonl", tmp_path / "again.jsonl"
    done = wikibias("annotate", "balance", voted, *BY_OUTLET, out).well()
    numbers = {"Post": 2, "News": 4}
    assert counts(out, "outlet", "label") == {
        (outlet, label): n for outlet, n in numbers.items() for label in ("biased", "neutral")
    }
    assert "left out 1 sentence without a label" in done.err
    assert "of one label only, so left out: Mail" in done.err
    wikibias("annotate", "balance", out, *BY_OUTLET, again).well()
    assert again.read_bytes() == out.read_bytes()


def test_takes_equally_many_of_each_stratum(voted: Path, tmp_path: Path) -> None:
    out = tmp_path / "tasks.csv"
    wikibias("annotate", "balance", voted, *BY_OUTLET, out, "--equal-strata").well()
    assert set(counts(out, "outlet", "label").values()) == {2}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ((), "--label"),
        (("--label", "lable"), "no column 'lable'; did you mean 'label'"),
        (("--label", "text"), "is no known label and no probability"),
    ],
)
def test_wrong_option(voted: Path, tmp_path: Path, asked: tuple[object, ...], message: str) -> None:
    out = ("--out", tmp_path / "out.csv")
    done = wikibias("annotate", "balance", voted, "--by", "outlet", *asked, *out)
    assert done.code in (1, 2)
    assert message in done.err
