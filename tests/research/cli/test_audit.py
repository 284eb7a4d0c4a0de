"""`wikibias audit`: stress tests, leakage, cross tables, and selection bias."""

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
from put import put, put_rows
from sample_sentences import made_up
from wikibias.errors import UsageError
from wikibias.kits.command import Numbers
from wikibias.models.estimators import registry
from wikibias.research.selection_bias import similarity

NEUTRAL = ["the council approved the budget", "the town lies on a river"]
BIASED = ["the awful council shamelessly approved it", "a truly great and heroic town"]
TESTS = """language = "en"
[[list]]
name = "town"
words = ["Ashford", "Milton", "Welby"]
[[list]]
name = "loaded"
words = ["awful", "shameless"]
[[test]]
name = "towns"
kind = "INV"
about = "another town"
[[test.templates]]
category = "towns"
swap = "town"
neutral = ["{town} lies on a river.", "The council of {town} approved the budget."]
biased = ["The awful council of {town} approved it shamelessly."]
[[test]]
name = "words"
kind = "DIR"
about = "loaded words"
[[test.templates]]
category = "adjective"
neutral = ["The <loaded> council of {town} approved the budget."]
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two models: one that learnt a little, and one that says biased."""
    folder = tmp_path_factory.mktemp("models")
    biased = np.array([False, True] * 10)
    texts = [text for pair in zip(NEUTRAL, BIASED, strict=True) for text in pair] * 5
    for name in ("nb-lr", "majority"):
        registry.CLASSIFIERS.save(
            registry.create(name).fit(texts, biased), folder / name, {"lang": "en"}
        )
    return folder


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    return put(tmp_path / "own.toml", TESTS)


def read(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "stress.json").read_text(encoding="utf-8"))
    return found


def test_models_are_tested_and_compared(models: Path, tests: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    both = (models / "nb-lr", models / "majority")
    line = ("stress", *both, "--tests", tests, "--out", out)
    done = wikibias(*line).well()
    found = read(out)
    assert found["models"]["nb-lr"]["towns"]["rows"] == 18
    assert found["models"]["nb-lr"]["words"]["kind"] == "DIR"
    assert set(found["common"]) == {"towns", "words"}
    assert "towns, as expected by one of two" in " ".join(done.out.split())
    assert "Failures of" in (out / "report.html").read_text(encoding="utf-8")
    before = (out / "stress.json").read_bytes()
    wikibias(*line).well()  # its own files may be replaced
    assert (out / "stress.json").read_bytes() == before
    wikibias("stress", out / "answers.jsonl", "--out", tmp_path / "again").well()
    assert read(tmp_path / "again")["models"] == found["models"]


def test_sentences_go_out_and_predictions_come_back(tests: Path, tmp_path: Path) -> None:
    sentences = tmp_path / "sentences.jsonl"
    wikibias("stress", "--tests", tests, "--write", sentences).well()
    rows = [json.loads(line) for line in sentences.read_text(encoding="utf-8").splitlines()]
    answers = [(row["item"], "biased" if "awful" in row["text"] else "?") for row in rows]
    told = ({"item": item, "annotator": "me", "bias": bias} for item, bias in answers)
    said = put_rows(tmp_path / "said.jsonl", *told)
    done = wikibias("stress", said, "--sentences", sentences, "--out", tmp_path / "s").well()
    found = read(tmp_path / "s")["models"]["me"]
    assert found["words"]["as_expected"]["value"] == 1 / 2
    assert found["words"]["right_originals"] == 0
    assert found["towns"]["templates"]["biased"]["of_right_originals"]["value"] == 1
    assert "answers of neither biased nor neutral" in done.err


def test_only_tests_and_cases_asked_for_count(models: Path, tests: Path, tmp_path: Path) -> None:
    options = ("--tests", tests, "--tests", "towns", "--only", "neutral-templates", "-n", 9)
    wikibias("stress", models / "majority", *options, "--out", tmp_path / "s").well()
    found = read(tmp_path / "s")["models"]["majority"]
    assert list(found) == ["towns"]
    assert found["towns"]["rows"] == 6
    assert list(found["towns"]["templates"]) == ["neutral"]


def test_the_language_is_that_of_the_models(models: Path, tmp_path: Path) -> None:
    for language, town in (("", "Peru"), ("bg", "Гърция")):
        path = tmp_path / f"s{language}.jsonl"
        options = ("--language", language) if language else ()
        wikibias("stress", "--write", path, *options).well()
        assert town in path.read_text(encoding="utf-8")
    done = wikibias("stress", models / "majority", "--tests", "factual", "-n", 20).well()
    assert "factual MFT" in done.out


def test_models_of_one_name_have_their_folders(models: Path, tests: Path, tmp_path: Path) -> None:
    copy = tmp_path / "judged" / "nb-lr"
    shutil.copytree(models / "nb-lr", copy)
    files = [tmp_path / folder / "said.jsonl" for folder in ("one", "two")]
    for file in files:
        file.parent.mkdir()
        put_rows(file, {"test": "a", "text": "An old town.", "expected": 0, "predicted": 0})
    out = tmp_path / "out"
    sources = (models / "nb-lr", copy, models / "majority", *files)
    wikibias("stress", *sources, "--tests", tests, "--out", out).well()
    names = [str(models / "nb-lr"), str(copy), "majority", *map(str, files)]
    assert list(read(out)["models"]) == names


def verdict(*paths: Path) -> str:
    done = wikibias("audit-split", *paths).well()
    return done.out.splitlines()[-1]


def test_the_verdict(tsv: dict[str, Path]) -> None:
    none = "no sentence of dev or test has a near-duplicate in train."
    few = "No verdict, too few in dev and test, for the scores above too"
    assert verdict(*tsv.values()) == f"{few}: {none}"
    held_out = tsv["dev"].read_text(encoding="utf-8") + tsv["test"].read_text(encoding="utf-8")
    both = put(tsv["test"].with_name("both.tsv"), held_out)
    none = "no sentence of test has a near-duplicate in train."
    assert verdict(tsv["train"], both).startswith(f"The split is clean: {none[:-1]}. Its scores")
    (first, *_) = tsv["train"].read_text(encoding="utf-8").splitlines(keepends=True)
    one = put(tsv["test"].with_name("one.tsv"), held_out + first)
    some = "no more than 0.6% of test has a near-duplicate in train."
    assert verdict(tsv["train"], one).startswith(f"The split is clean: {some}")
    leaks = verdict(tsv["train"], tsv["train"])
    assert leaks.startswith("The split leaks: 100.0% of test has a near-duplicate in train.")
    assert "--cv near-duplicate" in leaks
    assert verdict(tsv["train"]).startswith("There is only one split, so nothing can leak")


def test_two_sentences_are_no_verdict(tmp_path: Path) -> None:
    train = "biased\tthe very best dam\nneutral\ta long dam here\n"
    test = "biased\tthe very best dam\nneutral\tsome mill on a hill\n"
    given = (put(tmp_path / "train.tsv", train), put(tmp_path / "test.tsv", test))
    done = wikibias("audit-split", *given, "--json", tmp_path / "a.json")
    last = "No verdict, too few in test, for the scores above too: 1 of 2 sentences of test have"
    assert done.out.splitlines()[-1].startswith(last)
    assert done.err.splitlines() == [
        "Warning: test: too few sentences to judge the split by (2 sentences, 1 of the rarer "
        "class; 50 of each class are enough)"
    ]
    found = json.loads((tmp_path / "a.json").read_text())
    assert (found["leaks"], found["too_few"], len(found["warnings"])) == (None, ["test"], 1)
    assert found["sentences"]["test"] == 2


def test_what_export_writes_gives_the_same_answer(tmp_path: Path) -> None:
    shown = wikibias("audit-split", corpus())
    assert "Near-duplicates" in shown.out
    for form in ("hf", "fasttext"):
        out = tmp_path / form
        wikibias("export", "--format", form, "-o", out, corpus()).well()
        assert wikibias("audit-split", out).out == shown.out, form


def _set(path: Path, seed: int) -> Path:
    return put(path, "".join(f"{label}\t{text}\n" for label, text in made_up(60, seed)))


def test_a_cross_table_is_written_and_the_same_again(tmp_path: Path) -> None:
    line = [
        "cross-evaluate", f"a={_set(tmp_path / 'a.tsv', 1)}", f"b={_set(tmp_path / 'b.tsv', 2)}",
        "--cv", "random",
    ]  # fmt: skip
    done = wikibias(*line, "-o", tmp_path / "out").well()
    assert "trained on (down), tested on (across)" in done.out
    found = json.loads((tmp_path / "out/cross.json").read_text())
    cells = found["models"]["nb-lr"]["cells"]
    assert [c["train"] + c["test"] for c in cells] == ["aa", "ab", "ba", "bb"]
    assert set(cells[0]["scores"]["f1"]) == {"value", "low", "high"}
    assert found["sets"]["a"]["sentences"] == 60
    assert (found["format"], found["folds"], found["balance"]) == ("wikibias-cross/1", 5, False)
    assert {"wikibias", "numpy"} <= set(found["versions"])
    assert (tmp_path / "out/report.html").is_file()
    wikibias(*line, "-o", tmp_path / "out").well()
    assert json.loads((tmp_path / "out/cross.json").read_text()) == found


def test_a_label_and_pairs_are_sets_too(tmp_path: Path) -> None:
    rows = made_up(40, 3)
    lines = [{"text": text, "labels": ["tone"] * (label == "biased")} for label, text in rows]
    labelled = put_rows(tmp_path / "labelled.jsonl", *lines)
    sides = [[text for label, text in rows if label == side] for side in ("biased", "neutral")]
    table = "".join(f"{a}\t{b}\n" for a, b in zip(*sides, strict=False))
    pairs = put(tmp_path / "pairs.tsv", f"source\ttarget\n{table}")
    sets = [f"tone:tone={labelled}", f"wnc:pairs={pairs}"]
    models = ["--model", "majority", "--model", "nb-lr", "--set", "nb-lr.c=2.0"]
    wikibias("cross-evaluate", *sets, *models, "-o", tmp_path / "out").well()
    found = json.loads((tmp_path / "out/cross.json").read_text())
    assert found["parameters"] == {"nb-lr": {"c": 2.0}}
    assert found["sets"]["tone"]["sentences"] == 40
    assert found["sets"]["wnc"]["positive"] * 2 == found["sets"]["wnc"]["sentences"]


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

    def refused(self, *more: object) -> str:
        ended = self.run("--out", self.out, *more, fails=True)
        assert ended.code in (1, 2)
        assert len(ended.errors) == 1, ended.err
        assert "bug in wikibias" not in ended.err
        assert not (self.out / "selection_bias.json").exists()
        return ended.errors[0]


def read_topics(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "selection_bias.json").read_text("utf-8"))
    return found


@pytest.fixture(autouse=True)
def few_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    fit_quickly(monkeypatch)
    monkeypatch.setattr(similarity, "_EPOCHS", (1, 1))


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


def test_files_and_their_figures_and_the_same_bytes_again(made: Made) -> None:
    ended, again = made.run(made.table, "--out", made.out), made.folder / "again"
    assert "made: 120 sentences, 2 topics of 4 words" in ended.out
    assert re.search(r"are closer to 'searched' than to \d+ of 19 random lists", ended.out)
    assert len(ended.out.splitlines()) < 30
    result = read_topics(made.out)
    assert [each["name"] for each in result["corpora"]] == ["made"]
    assert {each["group"] for each in result["figures"]} == {None}
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


def test_groups_are_compared(made: Made) -> None:
    write_table(made.table, 320)
    made.run(made.table, "--by", "label,split", "--seeds", 1, "--out", made.out)
    figures = read_topics(made.out)["figures"]
    groups = {each["group"]["by"] for each in figures if each["group"]}
    assert groups == {"label", "split"}


def test_a_text_and_a_table_side_by_side(made: Made) -> None:
    rows = write_table(made.folder / "other.csv", SENTENCES, 3).read_text().splitlines()[1:]
    text = put(made.folder / "later.txt", "\n".join(row.split(",")[0] for row in rows))
    ended = made.run(made.table, text, "--out", made.out)
    assert len([line for line in ended.out.splitlines() if "are closer to" in line]) == 2
    assert [each["name"] for each in read_topics(made.out)["corpora"]] == ["made", "later"]


def test_a_corpus_of_ours_by_its_own_tag_set(tmp_path: Path) -> None:
    line = ["selection-bias", corpus("en") / "corpus", *quick(["--seeds"]), "--seeds", 1]
    ended = wikibias(*line, "--out", tmp_path / "out").well()
    (keywords,) = read_topics(tmp_path / "out")["keywords"]
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
    lists = [put(made.folder / f"list{number}.txt", "army\nsiege\n") for number in range(11)]
    ended = made.run(made.table, *(word for path in lists for word in ("--keywords", path)))
    assert "10 of 11 lists, all with --out" in ended.out.replace("\n", " ")


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
        (("--keywords", "{folder}/k.pdf"), "a PDF"),
        (("--keywords", "{folder}/gone.txt"), "no such file"),
        (("--keywords", "tagset"), "did you mean 'tag-set'"),
        (("--keywords", "tag-set"), "give --keywords FILE"),
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
    (made.folder / "k.pdf").write_bytes(b"%PDF-1.4 \xff")
    (made.folder / "made.xlsx").write_bytes(b"PK\x03\x04")
    write_table(made.folder / "one.csv", 1)
    assert said in made.refused(made.table, *(e.format(folder=made.folder) for e in options))


def test_a_language_that_is_needed(made: Made) -> None:
    for options, said in (((), "give --language CODE"), (("--language", "xal"), "--stop-words")):
        wikibias(*made.line(made.table, *options)).refused(said)
    made.run(made.table, "--stop-words", "none")


def test_a_folder_of_others(made: Made) -> None:
    for _ in range(2):  # the second time it is its own
        made.run(made.table, "--out", made.folder / "new", "--seeds", 1)
    made.out.mkdir()
    (made.out / "mine.txt").write_text("mine")
    assert "holds what this command did not write" in made.refused(made.table)
    file = put(made.folder / "file", "mine")
    assert made.run(made.table, "--out", file, fails=True).code == 2
    assert file.read_text() == "mine"


def test_numbers_are_sorted_and_stand_once() -> None:
    assert Numbers(1, 200).convert("20, 2,8,2", None, None) == (2, 8, 20)


@pytest.mark.parametrize("value", ["", "2,", "two", "2;8", "0", "201", "2.5", "-1"])
def test_what_is_no_list_of_numbers(value: str) -> None:
    with pytest.raises(UsageError):
        Numbers(1, 200).convert(value, None, None)
