"""Tests of `wikibias build --labels FILE` and of `report --labels`."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from exports import wikibias
from judged_samples import opinions, sampled, written
from made_edits import corpus
from put import put, put_rows
from wikibias import load_table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the English sample corpus."""
    shutil.copytree(corpus(), tmp_path / "en")
    return tmp_path / "en"


@pytest.fixture
def judged(tmp_path: Path) -> tuple[object, ...]:
    """The options that name what two annotators say of the sample."""
    tasks, answers = written(tmp_path, sampled(), opinions(sampled()))
    return "--labels", answers, "--tasks", tasks


@pytest.fixture
def voted(judged: tuple[object, ...], tmp_path: Path) -> tuple[object, ...]:
    """The options that name their vote."""
    _, answers, *tasks = judged
    path = tmp_path / "voted.jsonl"
    wikibias("annotate", "vote", answers, "--ties", "biased", "--out", path).well()
    return "--labels", path, *tasks


def test_makes_a_corpus_of_judged_labels(folder: Path, judged: tuple[object, ...]) -> None:
    before = (folder / "corpus" / "train.parquet").read_bytes()
    done = wikibias("build", "-q", *judged, folder).well()
    assert "Judged by 2 annotators, from answers.jsonl:" in done.out
    assert re.search(r"^Left out: \d+ ties, \d+ controls\.$", done.out, re.M)
    assert "Next:" not in done.out
    assert load_table(folder, "judged").num_rows == load_table(folder / "judged").num_rows > 10
    assert (folder / "corpus" / "train.parquet").read_bytes() == before
    assert wikibias("build", "-q", *judged, folder).well().out == done.out


def test_other_answers_stay(folder: Path, judged: tuple[object, ...], tmp_path: Path) -> None:
    wikibias("build", "-q", *judged, folder).well()
    votes = folder / "judged" / "votes.jsonl"
    before = votes.read_bytes()
    one = {"sentence_id": sampled()[0].sentence_id, "vote": 1}
    other = ("--labels", put_rows(tmp_path / "v.csv", one), "--columns", "vote", folder)
    wikibias("build", "-q", *other).refused("judged holds other answers", "--restart")
    assert votes.read_bytes() == before
    wikibias("build", "-q", "--restart", *other).well()
    assert votes.read_bytes() != before


def test_answers_alone_leave_the_corpus_as_it_is(folder: Path, judged: tuple[object, ...]) -> None:
    wikibias("build", "-q", "--restart", "--min-confidence", 0.5, folder).well()
    before = (folder / "corpus" / "train.parquet").read_bytes()
    for restart in ((), ("--restart",)):
        wikibias("build", "-q", *restart, *judged, folder).well()
        assert (folder / "corpus" / "train.parquet").read_bytes() == before
    done = wikibias("report", "-q", folder, "--answers", *judged[1:]).well()
    assert re.search(r"Not in the corpus as it is now: \d+ sentences drawn", done.out)
    assert "Not in the corpus as it is now" in (folder / "report.html").read_text()


def test_what_is_of_an_earlier_corpus_is_told(folder: Path, judged: tuple[object, ...]) -> None:
    wikibias("build", "-q", *judged, folder).well()
    wikibias("export", "-q", folder, "--format", "csv").well()
    wikibias("report", "-q", folder).well()
    assert "earlier corpus" not in wikibias("status", folder).out
    assert "earlier corpus" not in wikibias("classify", folder / "judged", "--model", "lr").err
    wikibias("build", "-q", "--restart", "--min-confidence", 0.3, folder).well()
    told = re.findall("Of an earlier corpus: (.*). Make it again", wikibias("status", folder).out)
    assert told == ["judged", "export/csv", "report.html"]
    said = wikibias("classify", folder / "judged", "--model", "lr").err
    assert f"{folder / 'judged'} is of an earlier corpus; give `wikibias build --labels`" in said


def test_sentences_may_be_named_by_a_column(folder: Path, tmp_path: Path) -> None:
    named = [task.sentence_id for task in sampled() if task.kind == "sample"]
    path = put_rows(tmp_path / "v.csv", *({"sentence_id": name, "vote": 1} for name in named))
    done = wikibias("build", "-q", "--labels", path, "--columns", "vote", folder).well()
    assert "Judged by 1 annotator, from v.csv: 30 biased, 0 neutral" in done.out


def test_says_nothing_of_the_corpus_but_the_next(folder: Path, judged: tuple[object, ...]) -> None:
    done = wikibias("build", folder, *judged).well()
    first, _, *last = done.out.splitlines()
    assert first.startswith("Judged by 2 annotators")
    assert last == [
        f"Result: {folder / 'judged'}",
        f"Next: wikibias classify --compare {folder / 'judged'}",
        f"Next: wikibias report {folder} --answers {' '.join(map(str, judged[1:]))}",
    ]


def test_nothing_is_built_of_a_file_that_cannot_be_read(folder: Path, tmp_path: Path) -> None:
    path = put(tmp_path / "answers.csv", "item,bias\nx,perhaps\n")
    done = wikibias("build", "--restart", "--labels", path, folder)
    done.refused("neither biased nor neutral", code=1)
    assert (folder / "corpus" / "train.parquet").is_file()


def test_shows_what_annotators_say_and_tells_of_a_section_that_it_leaves_out(
    folder: Path, judged: tuple[object, ...]
) -> None:
    done = wikibias("report", folder, *judged).silent()
    assert "30 sentences judged; biased 0." in done.out
    page = (folder / "report.html").read_text()
    assert "What annotators say" in page
    _, _, methods = page[page.index("What annotators say") :].partition("on methods of a paper:")
    assert re.search(r"2 annotators judged 30 sentences that .* with a kappa of -?0\.\d", methods)
    assert "Table 6 of the 2019 paper" in page
    said = [wikibias("report", folder).well().err for _ in range(2)]
    assert ["had a section on what annotators say" in err for err in said] == [True, False]


def test_a_vote_is_no_annotator_and_shown_as_one(folder: Path, voted: tuple[object, ...]) -> None:
    done = wikibias("build", "-q", folder, *voted)
    assert "Judged by a vote of up to 2 annotators, from voted.jsonl:" in done.out
    done = wikibias("report", folder, *voted).well()
    assert "30 sentences judged by a vote of up to 2 annotators; biased" in done.out
    assert "kappa" not in done.out
    page = (folder / "report.html").read_text()
    assert "A vote of up to 2 annotators judged 30 sentences" in page
    assert "with a kappa" not in page


def test_a_sample_of_other_corpora_is_refused(folder: Path, tmp_path: Path) -> None:
    tasks = [replace(task, corpus=name) for task in sampled() for name in ("bg", "fr")]
    tasks = [replace(task, item=f"{number}") for number, task in enumerate(tasks)]
    paths = written(tmp_path, tasks, opinions(tasks))
    done = wikibias("report", folder, "--labels", paths[1], "--tasks", paths[0])
    done.refused("drawn from bg, fr, none of these folders")


def test_answers_go_with_tasks(folder: Path, judged: tuple[object, ...]) -> None:
    wikibias("report", folder, *judged[:2]).refused("go with --tasks")
