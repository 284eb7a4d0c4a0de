"""`wikibias selection-bias` on corpora: what is measured, written, shown and refused."""

import csv
import html
import json
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exports import Outcome, wikibias
from made_documents import fit_quickly
from made_edits import corpus
from made_topics import as_array, write_keywords, write_table, write_vectors
from wikibias.errors import UsageError
from wikibias.kits.command import Numbers

QUICK = {"--topics": "2", "--words": "4", "--seeds": 2, "--lists": 19, "--by": "none"}
SENTENCES = 120
"""Too few for groups, each of which would be fitted."""


def quick(given: Sequence[object]) -> list[object]:
    """Return options that make a run short, but for those that are given."""
    return [word for name in QUICK if name not in given for word in (name, QUICK[name])]


class Made:
    """A table of sentences, keywords and vectors, and the command on them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out"
        self.table = write_table(folder / "made.csv", SENTENCES)
        self.keywords = write_keywords(folder / "searched.txt")
        self.vectors = write_vectors(folder / "vectors.npy")

    def line(self, *more: object) -> list[object]:
        lists = [] if "--keywords" in more else ["--keywords", self.keywords]
        return ["selection-bias", *quick(more), "--vectors", self.vectors, *lists, *more]

    def run(self, *more: object, fails: bool = False) -> Outcome:
        ended = wikibias(*self.line("--language", "en", *more))
        assert fails or ended.code == 0, ended.err
        return ended

    def result(self, *more: object) -> dict[str, Any]:
        self.run("--out", self.out, *more)
        return read(self.out)

    def refused(self, *more: object) -> str:
        ended = self.run("--out", self.out, *more, fails=True)
        assert ended.code in (1, 2)
        assert len(ended.errors) == 1, ended.err
        assert "bug in wikibias" not in ended.err
        assert not (self.out / "selection_bias.json").exists()
        return ended.errors[0]


def read(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "selection_bias.json").read_text("utf-8"))
    return found


@pytest.fixture(autouse=True)
def few_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    fit_quickly(monkeypatch)


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


def test_files_and_their_figures_and_the_same_bytes_again(made: Made) -> None:
    ended, again = made.run(made.table, "--out", made.out), made.folder / "again"
    assert "made: 120 sentences, 2 topics of 4 words" in ended.out
    assert re.search(r"are closer to 'searched' than to \d+ of 19 random lists", ended.out)
    assert len(ended.out.splitlines()) < 30
    result = read(made.out)
    assert [each["name"] for each in result["corpora"]] == ["made"]
    with (made.out / "figures.csv").open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["missing"] == "zero"]
    assert [row["figure"] for row in rows][:3] == ["b1", "mean_max", "max"]
    assert float(rows[0]["value"]) == result["figures"][0]["b1"]["value"]
    topics = [json.loads(line) for line in (made.out / "topics.jsonl").read_text().splitlines()]
    assert [topic["topic"] for topic in topics] == [1, 2]
    assert sum(topic["share"] for topic in topics) == pytest.approx(1, abs=1e-4)
    # The command is kept, but for where it writes.
    assert shlex.split(result["command"]) == [
        *("wikibias", "selection-bias", "--topics", "2", "--words", "4", "--seeds", "2"),
        *("--lists", "19", "--by", "none", "--vectors", str(made.vectors)),
        *("--keywords", str(made.keywords), "--language", "en", str(made.table)),
    ]
    assert html.escape(result["command"]) in (made.out / "report.html").read_text("utf-8")
    made.run(made.table, "--out", again)
    names = ["figures.csv", "report.html", "selection_bias.json", "topics.jsonl"]
    assert sorted(path.name for path in again.iterdir()) == names
    for name in names:
        assert (again / name).read_bytes() == (made.out / name).read_bytes(), name


def test_words_of_the_corpus_are_closer_than_others(made: Made) -> None:
    (made.folder / "far.txt").write_text("far\nfish\n")
    known = made.vectors.with_suffix(".txt").read_text().splitlines()
    rows = dict(zip(known, np.load(made.vectors).tolist(), strict=True))
    as_array(made.vectors, {**rows, "far": [-1, 0.1, 0]})
    lists = ("--keywords", made.keywords, "--keywords", made.folder / "far.txt")
    searched, far = made.result(made.table, *lists)["figures"][::2]
    assert (searched["keywords"], far["keywords"]) == ("searched", "far")
    assert searched["b1"]["value"] > far["b1"]["value"]


def test_groups_are_compared(made: Made) -> None:
    write_table(made.table, 320)
    result = made.result(made.table, "--by", "label,split", "--seeds", 1)
    groups = {each["group"]["by"] for each in result["figures"] if each["group"]}
    assert groups == {"label", "split"}
    assert not [e for e in made.result(made.table)["figures"] if e["group"]]


def test_a_text_and_a_table_side_by_side(made: Made) -> None:
    text = made.folder / "later.txt"
    rows = write_table(made.folder / "other.csv", SENTENCES, 3).read_text().splitlines()[1:]
    text.write_text("\n".join(row.split(",")[0] for row in rows))
    ended = made.run(made.table, text, "--out", made.out)
    assert len([line for line in ended.out.splitlines() if "are closer to" in line]) == 2
    assert [each["name"] for each in read(made.out)["corpora"]] == ["made", "later"]


def test_a_corpus_of_ours_by_its_own_tag_set(tmp_path: Path) -> None:
    for source in (corpus("en"), corpus("en") / "corpus"):
        line = ["selection-bias", source, *quick(["--seeds"]), "--seeds", 1]
        ended = wikibias(*line, "--out", tmp_path / "out").well()
        (keywords,) = read(tmp_path / "out")["keywords"]
        assert keywords["name"] == "tag-set"
        assert {"pov", "weasel", "undue weight", "neutral"} <= {*keywords["words"]}
        assert "gathered by tag" in keywords["source"]
        assert "stand outside of articles" in ended.err


def test_what_is_to_be_taken_with_care_is_told(made: Made) -> None:
    made.keywords.write_text("army\nunheard\nunseen\n")
    write_table(made.table, 60)
    as_array(made.vectors, {"army": [1, 0], "regime": [0, 1]})
    ended = made.run(made.table)
    assert "only 60 sentences" in ended.err
    assert "does not know 2 of 3 keywords" in ended.err
    assert "of the topic words; choose another --similarity" in ended.err


def test_lists_that_are_not_shown_are_counted(made: Made) -> None:
    lists = [made.folder / f"list{number}.txt" for number in range(11)]
    for path in lists:
        path.write_text("army\nsiege\n")
    ended = made.run(made.table, *(word for path in lists for word in ("--keywords", path)))
    assert "10 of 11 lists, all with --out" in ended.out.replace("\n", " ")


def test_a_language_is_for_what_does_not_say_its_own(made: Made) -> None:
    line = made.line(corpus("en"), made.table, "--language", "fr", "--seeds", 1)
    wikibias(*line, "--out", made.out).well()
    assert [each["language"] for each in read(made.out)["corpora"]] == ["en", "fr"]


def test_the_examples_of_its_help(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made.folder)
    (made.folder / "corpora").mkdir()
    (made.folder / "corpora" / "en").symlink_to(corpus("en"))
    for name, source in (
        *(("words.txt", made.keywords), ("glove.npy", made.vectors)),
        *(("glove.txt", made.vectors.with_suffix(".txt")), ("sentences.csv", made.table)),
    ):
        shutil.copy(source, name)
    text = wikibias("audit", "topics", "--help").out
    lines = re.findall(r"(?m)^ +wikibias (audit topics .+)$", text)
    assert len(lines) == 3
    for line in lines:
        wikibias(*shlex.split(line), *quick(["--seeds"]), "--seeds", 1).well()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--keywords", "{folder}/unheard.txt"), "unheard"),
        (("--keywords", "{folder}/empty.txt"), "no keyword in it"),
        (("--keywords", "{folder}/k.pdf"), "a PDF"),
        (("--keywords", "{folder}/gone.txt"), "no such file"),
        (("--keywords", "tagset"), "did you mean 'tag-set'"),
        (("--keywords", "tag-set"), "give --keywords FILE"),
        (("--topics", "121"), "made has 120 documents, fewer than 121 topics"),
        (("--topics", "two"), "whole numbers"),
        (("--similarity", "wordnet"), "goes with --similarity vectors, not with wordnet"),
        (("--by", "lable"), "'lable'; did you mean 'label'"),
        (("{folder}/gone.csv",), "no such file or folder"),
        (("{folder}/made.csv",), "is given twice"),
        (("{folder}/made.xlsx",), "save it as CSV"),
        (("{folder}/one.csv",), "one"),
    ],
)
def test_what_cannot_be_measured(made: Made, options: tuple[str, ...], said: str) -> None:
    (made.folder / "unheard.txt").write_text("unheard\n")
    (made.folder / "empty.txt").write_text("\n")
    (made.folder / "k.pdf").write_bytes(b"%PDF-1.4 \xff")
    (made.folder / "made.xlsx").write_bytes(b"PK\x03\x04")
    write_table(made.folder / "one.csv", 1)
    assert said in made.refused(made.table, *(e.format(folder=made.folder) for e in options))


def test_a_language_that_is_needed(made: Made) -> None:
    for options, said in (
        ((), "give --language CODE"),
        (("--language", "xal"), "--stop-words"),
    ):
        wikibias(*made.line(made.table, *options)).refused(said)
    made.run(made.table, "--stop-words", "none")


def test_a_folder_of_others(made: Made) -> None:
    for _ in range(2):  # the second time it is its own
        made.run(made.table, "--out", made.folder / "new", "--seeds", 1)
    made.out.mkdir()
    (made.out / "mine.txt").write_text("mine")
    assert "holds what this command did not write" in made.refused(made.table)
    file = made.folder / "file"
    file.write_text("mine")
    assert made.run(made.table, "--out", file, fails=True).code == 2
    assert file.read_text() == "mine"


def test_numbers_are_sorted_and_stand_once() -> None:
    assert Numbers(1, 200).convert("20, 2,8,2", None, None) == (2, 8, 20)


@pytest.mark.parametrize("value", ["", "2,", "two", "2;8", "0", "201", "2.5", "-1"])
def test_what_is_no_list_of_numbers(value: str) -> None:
    with pytest.raises(UsageError):
        Numbers(1, 200).convert(value, None, None)
