"""`wikibias selection-bias` on corpora: what is measured, written, shown and refused."""

import csv
import html
import json
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exports import Outcome, wikibias
from made_topics import write_keywords, write_table, write_vectors
from sample_corpora import corpus
from vector_files import as_array
from wikibias.errors import UsageError
from wikibias.kits.command import Numbers

QUICK = {"--topics": "2", "--words": "4", "--seeds": 2, "--lists": 19}


def quick(given: Sequence[object]) -> list[object]:
    """Return options that make a run short, but for those that are given."""
    return [word for name in QUICK if name not in given for word in (name, QUICK[name])]


class Made:
    """A table of sentences, keywords and vectors, and the command on them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out"
        self.table = write_table(folder / "made.csv")
        self.keywords = write_keywords(folder / "searched.txt")
        self.vectors = write_vectors(folder / "vectors.npy")

    def write_vectors(self, vectors: Mapping[str, Sequence[float]]) -> None:
        as_array(self.vectors, vectors)

    def read_vectors(self) -> dict[str, list[float]]:
        words = self.vectors.with_suffix(".txt").read_text().splitlines()
        return dict(zip(words, np.load(self.vectors).tolist(), strict=True))

    def line(self, *more: object) -> list[object]:
        lists = [] if "--keywords" in more else ["--keywords", self.keywords]
        return ["selection-bias", *quick(more), "--vectors", self.vectors, *lists, *more]

    def run(self, *more: object) -> Outcome:
        return wikibias(*self.line("--language", "en", *more))

    def result(self, *more: object) -> dict[str, Any]:
        ended = self.run("--out", self.out, *more)
        assert ended.code == 0, ended.err
        return read(self.out)

    def refused(self, *more: object) -> str:
        ended = self.run("--out", self.out, *more)
        assert ended.code in (1, 2)
        assert len(ended.errors) == 1, ended.err
        assert "bug in wikibias" not in ended.err
        assert not (self.out / "selection_bias.json").exists()
        return ended.errors[0]


def read(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "selection_bias.json").read_text("utf-8"))
    return found


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


class TestFigures:
    def test_files_and_their_figures(self, made: Made) -> None:
        result = made.result(made.table)
        assert sorted(path.name for path in made.out.iterdir()) == [
            *("figures.csv", "report.html", "selection_bias.json", "topics.jsonl")
        ]
        assert [each["name"] for each in result["corpora"]] == ["made"]
        with (made.out / "figures.csv").open(encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        whole = [row for row in rows if not row["by"] and row["missing"] == "zero"]
        assert [row["figure"] for row in whole][:3] == ["b1", "mean_max", "max"]
        first = next(each for each in result["figures"] if each["group"] is None)
        assert float(whole[0]["value"]) == first["b1"]["value"]
        topics = [json.loads(line) for line in (made.out / "topics.jsonl").read_text().splitlines()]
        assert [topic["topic"] for topic in topics] == [1, 2]
        assert sum(topic["share"] for topic in topics) == pytest.approx(1, abs=1e-4)
        assert "selection" in (made.out / "report.html").read_text("utf-8")

    def test_words_of_the_corpus_are_closer_than_others(self, made: Made) -> None:
        (made.folder / "far.txt").write_text("far\nfish\n")
        made.write_vectors({**made.read_vectors(), "far": [-1, 0.1, 0]})
        lists = ("--keywords", made.keywords, "--keywords", made.folder / "far.txt")
        searched, far = made.result(made.table, *lists, "--words", "4", "--by", "none")["figures"][
            ::2
        ]
        assert searched["keywords"], far["keywords"] == ("searched", "far")
        assert searched["b1"]["value"] > far["b1"]["value"]

    def test_the_same_bytes_again(self, made: Made, tmp_path: Path) -> None:
        made.result(made.table)
        again = tmp_path / "again"
        assert made.run(made.table, "--out", again).code == 0
        for name in [path.name for path in again.iterdir()]:
            assert (again / name).read_bytes() == (made.out / name).read_bytes(), name

    def test_the_command_is_kept_but_for_where_it_writes(self, made: Made) -> None:
        told = made.result(made.table)["command"]
        assert shlex.split(told) == [
            *("wikibias", "selection-bias", "--topics", "2", "--words", "4", "--seeds", "2"),
            *("--lists", "19", "--vectors", str(made.vectors), "--keywords", str(made.keywords)),
            *("--language", "en", str(made.table)),
        ]
        assert html.escape(told) in (made.out / "report.html").read_text("utf-8")

    def test_the_terminal_says_it_in_words(self, made: Made) -> None:
        ended = made.run(made.table)
        assert ended.code == 0
        assert "made: 320 sentences, 2 topics of 4 words" in ended.out
        assert re.search(r"are closer to 'searched' than to \d+ of 19 random lists", ended.out)
        assert len(ended.out.splitlines()) < 30

    def test_groups_are_compared(self, made: Made) -> None:
        result = made.result(made.table, "--by", "label,split")
        groups = {each["group"]["by"] for each in result["figures"] if each["group"]}
        assert groups == {"label", "split"}
        assert not [e for e in made.result(made.table, "--by", "none")["figures"] if e["group"]]

    def test_a_text_and_a_table_side_by_side(self, made: Made) -> None:
        text = made.folder / "later.txt"
        rows = write_table(made.folder / "other.csv", seed=3).read_text().splitlines()[1:]
        text.write_text("\n".join(row.split(",")[0] for row in rows))
        ended = made.run(made.table, text, "--out", made.out)
        assert ended.code == 0, ended.err
        assert len([line for line in ended.out.splitlines() if "are closer to" in line]) == 2
        result = read(made.out)
        assert [each["name"] for each in result["corpora"]] == ["made", "later"]

    def test_a_corpus_of_ours_by_its_own_tag_set(self, tmp_path: Path) -> None:
        out = tmp_path / "out"
        ended = wikibias("selection-bias", corpus("en"), *quick(()), "--by", "none", "--out", out)
        assert ended.code == 0, ended.err
        result = read(out)
        (keywords,) = result["keywords"]
        assert keywords["name"] == "tag-set"
        assert {"pov", "weasel", "undue weight", "neutral"} <= {*keywords["words"]}
        assert "gathered by tag" in keywords["source"]
        assert "stand outside of articles" in ended.err
        inner = wikibias("selection-bias", corpus("en") / "corpus", *quick(()), "--by", "none")
        assert inner.code == 0, inner.err

    def test_few_sentences_and_few_known_keywords_are_told(self, made: Made) -> None:
        made.keywords.write_text("army\nunheard\nunseen\n")
        write_table(made.table, 60)
        ended = made.run(made.table)
        assert ended.code == 0
        assert "only 60 sentences" in ended.err
        assert "does not know 2 of 3 keywords" in ended.err

    def test_lists_that_are_not_shown_are_counted(self, made: Made) -> None:
        lists = [made.folder / f"list{number}.txt" for number in range(11)]
        for path in lists:
            path.write_text("army\nsiege\n")
        given = [word for path in lists for word in ("--keywords", path)]
        ended = made.run(made.table, *given, "--by", "none")
        assert "10 of 11 lists, all with --out" in ended.out.replace("\n", " ")

    def test_a_language_is_for_what_does_not_say_its_own(self, made: Made) -> None:
        line = (*quick(()), "--by", "none", "--vectors", made.vectors)
        sources = (corpus("fr"), made.table, "--keywords", made.keywords, "--language", "en")
        ended = wikibias("selection-bias", *line, *sources, "--out", made.out)
        assert ended.code == 0, ended.err
        assert [each["language"] for each in read(made.out)["corpora"]] == ["fr", "en"]

    def test_the_examples_of_its_help(self, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
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
            ended = wikibias(*shlex.split(line), *quick(()), "--by", "none")
            assert ended.code == 0, ended.err

    def test_topic_words_that_few_vectors_know_are_told(self, made: Made) -> None:
        made.write_vectors({"army": [1, 0], "regime": [0, 1]})
        ended = made.run(made.table, "--seeds", 1)
        assert ended.code == 0
        assert "of the topic words; choose another --similarity" in ended.err


class TestRefused:
    def test_no_keyword_has_a_vector(self, made: Made) -> None:
        made.keywords.write_text("unheard\n")
        assert "searched" in made.refused(made.table)

    def test_one_sentence(self, made: Made) -> None:
        write_table(made.table, 1)
        assert "made" in made.refused(made.table)

    def test_more_topics_than_sentences(self, made: Made) -> None:
        write_table(made.table, 12)
        assert "topics" in made.refused(made.table, "--topics", "20")

    def test_a_language_without_stop_words(self, made: Made) -> None:
        ended = wikibias(*made.line(made.table, "--language", "xal"))
        assert ended.code == 2
        assert "--stop-words" in ended.err
        assert made.run(made.table, "--stop-words", "none").code == 0

    def test_no_language(self, made: Made) -> None:
        ended = wikibias(*made.line(made.table))
        assert ended.code == 2
        assert "give --language CODE" in ended.err

    def test_what_is_not_there(self, made: Made) -> None:
        assert "no such file or folder" in made.refused(made.folder / "gone.csv")
        assert "is given twice" in made.refused(made.table, made.table)

    def test_keywords(self, made: Made) -> None:
        (made.folder / "empty.txt").write_text("\n")
        (made.folder / "k.pdf").write_bytes(b"%PDF-1.4 \xff")
        for name, said in (
            ("empty.txt", "no keyword in it"),
            ("k.pdf", "a PDF"),
            ("gone.txt", "no such file"),
        ):
            assert said in made.refused(made.table, "--keywords", made.folder / name)
        assert "did you mean 'tag-set'" in made.refused(made.table, "--keywords", "tagset")
        assert "give --keywords FILE" in made.refused(made.table, "--keywords", "tag-set")

    def test_unknown_names(self, made: Made) -> None:
        said = made.refused(made.table, "--similarity", "wordnet")
        assert "--vectors goes with --similarity vectors, not with wordnet" in said
        assert "'lable'; did you mean 'label'" in made.refused(made.table, "--by", "lable")
        assert "whole numbers" in made.run(made.table, "--topics", "two").err

    def test_a_spreadsheet(self, made: Made) -> None:
        sheet = made.folder / "made.xlsx"
        sheet.write_bytes(b"PK\x03\x04")
        assert "save it as CSV" in made.refused(sheet)

    def test_a_folder_of_others(self, made: Made) -> None:
        made.out.mkdir()
        (made.out / "mine.txt").write_text("mine")
        assert "holds what this command did not write" in made.refused(made.table)
        assert made.run(made.table, "--out", made.folder / "new").code == 0
        assert made.run(made.table, "--out", made.folder / "new").code == 0  # its own by now

    def test_a_file_in_place_of_the_folder(self, made: Made) -> None:
        made.out.write_text("mine")
        ended = made.run(made.table, "--out", made.out)
        assert ended.code == 2
        assert made.out.read_text() == "mine"


def test_numbers_are_sorted_and_stand_once() -> None:
    assert Numbers(1, 200).convert("20, 2,8,2", None, None) == (2, 8, 20)


@pytest.mark.parametrize("value", ["", "2,", "two", "2;8", "0", "201", "2.5", "-1"])
def test_what_is_no_list_of_numbers(value: str) -> None:
    with pytest.raises(UsageError):
        Numbers(1, 200).convert(value, None, None)
