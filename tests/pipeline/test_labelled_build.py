"""`wikibias build --labels`: a corpus with several labels, beside that of two classes."""

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, dumped, files, rows, wikibias
from results import manifest_of, times
from tagged_sentences import sentence, write_dump

EXTRACT = ("--lang", "en", "--tagset", "inline-cleanup", "--workers", 1, "-q")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result of a dump with inline tags, without labels yet."""
    folder = tmp_path_factory.mktemp("inline")
    dump = write_dump(folder / "dump.xml")
    assert wikibias("extract", *EXTRACT, "-o", folder / "out", dump).code == 0
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made / "out", tmp_path / "out"))


def labelled(folder: Path) -> dict[str, Any]:
    corpus = manifest_of(folder)["corpus"]
    return dict(corpus["labelled"])


def test_the_sentences_that_tags_pointed_at(folder: Path) -> None:
    before = files(folder, "corpus")
    assert wikibias("build", "--labels", "tags", folder).code == 0
    found = rows(folder, "labelled")
    by_label = {
        label: [r for r in found if label in r["labels"]] for label in ("citation", "weasel")
    }
    assert {r["text"] for r in by_label["citation"]} == {sentence(n, 7) for n in range(1, 13)}
    # A reference that is put in changes no word.
    assert {r["relation"] for r in by_label["citation"]} == {"same_text"}
    assert {r["relation"] for r in by_label["weasel"]} == {"rewritten"}
    assert all(r["counterpart"] != r["text"] for r in by_label["weasel"])
    assert {r["days_stood"] for r in found if r["labels"]} == {10.0}
    assert Counter(r["negative"] for r in found if not r["labels"]) == {"unchanged": 12}
    # What was there stays as it is, and pages are in one split in both.
    assert files(folder, "corpus") == before
    splits = {(r["page_id"], r["split"]) for r in (*rows(folder, "corpus"), *found)}
    assert len(splits) == 12


def test_the_manifest_and_the_card_tell_what_is_in_it(folder: Path) -> None:
    done = wikibias("build", "--labels", "tags", folder).well()
    assert "Labels of tags also count edits that were dropped" in done.out
    told = labelled(folder)
    assert told["by"] == "tags"
    assert told["sentences"] == len(rows(folder, "labelled")) == 36
    assert sum(told["labels"]["citation"].values()) == 12
    assert told["median_days"] == {"citation": 10.0, "weasel": 10.0}
    card = (folder / "labelled" / "README.md").read_text()
    assert "Sentences at which cleanup tags point: inventedenwiki" in card
    assert "multi-label-classification" in card
    shown = wikibias("status", folder)
    assert "Labels by tags: 36 sentences, 24 with a label." in shown.out
    assert wikibias("report", folder).code == 0
    page = (folder / "report.html").read_text()
    assert "Sentences with labels" in page
    assert "same_text" in page


def test_the_card_of_intents_says_how_right_they_are(intents: Path) -> None:
    card = " ".join((intents / "labelled" / "README.md").read_text().replace("\\", "").split())
    assert "clarification: 16 of 60 positives right, 27 % (95 % interval 17 to 39 %)." in card
    assert "one judge, a language model" in card
    assert "relation is same_text" in card.replace("`", "")
    assert "Nobody has judged" not in card
    assert "a rare label may have more negatives than positives" in card


def test_labels_stay_and_what_is_gone_comes_back(made: Path, folder: Path, tmp_path: Path) -> None:
    assert wikibias("build", "--labels", "tags", folder).code == 0
    before, written = files(folder, "labelled", "corpus"), times(folder, "labelled")
    for labels in (["--labels", "tags"], []):
        assert wikibias("build", *labels, folder).code == 0
        assert times(folder, "labelled") == written
    assert wikibias("build", "--labels", "tags", "--seed", 3, folder).code == 2
    in_one, dump = tmp_path / "in_one", made / "dump.xml"
    assert wikibias("extract", *EXTRACT, "--labels", "tags", "-o", in_one, dump).code == 0
    assert files(in_one, "labelled").keys() == written.keys()
    assert labelled(in_one)["sentences"] == 36
    (folder / "labelled" / "train.parquet").write_bytes(b"")
    (folder / "labelled" / "README.md").unlink()
    assert wikibias("build", folder).code == 0
    assert files(folder, "labelled", "corpus") == before


def test_restart_keeps_labels_that_a_folder_has(folder: Path) -> None:
    assert wikibias("build", "--labels", "tags", folder).code == 0
    before = files(folder, "labelled")
    assert wikibias("build", "--restart", folder).code == 0
    assert files(folder, "labelled") == before
    assert labelled(folder)["by"] == "tags"
    # The same from an earlier stage on, where the folder says what to type next.
    assert wikibias("filter", "--restart", folder).code == 0
    assert wikibias("build", folder).code == 0
    assert files(folder, "labelled") == before
    assert wikibias("build", "--restart", "--split", "sentence", folder).code == 0
    assert labelled(folder)["sentences"] == len(rows(folder, "labelled")) == 36


def test_per_place_one_of_several_tags_of_a_name_counts(tmp_path: Path) -> None:
    text = [sentence(1, number) for number in range(20)]
    plain, last = " ".join(text), " ".join([*text, sentence(1, 25)])

    def tagged(*numbers: int) -> str:
        return " ".join(f"{one}{{{{cn}}}}" if at in numbers else one for at, one in enumerate(text))

    page = Page("Mill", [Revision(t) for t in (plain, tagged(3, 8, 12), tagged(3, 12), last)])
    dump = dumped(tmp_path, [page], "dump.xml")
    found = {}
    for per in ("tag", "place"):
        out = tmp_path / per
        words = (*EXTRACT, "--per", per, "--reader", "mwxml", "--labels", "tags", "-o", out, dump)
        assert wikibias("extract", *words).code == 0
        found[per] = [row for row in rows(out, "labelled") if row["labels"]]
    assert {row["text"] for row in found["tag"]} == {text[3], text[12]}
    assert {row["text"] for row in found["place"]} == {text[3], text[8], text[12]}
    (gone,) = [row for row in found["place"] if row["text"] == text[8]]
    # The others were left on the page.
    assert (gone["judged"], gone["tags"]) == (["citation"], ["Citation needed#3"])


def test_a_folder_of_intents_alone(intents: Path, tmp_path: Path) -> None:
    """Of a sample with featured articles: labels are the default, and there is no corpus/."""
    out = shutil.copytree(intents, tmp_path / "out")
    assert not (out / "corpus").exists()
    found = rows(out, "labelled")
    by_label = {label for row in found for label in row["labels"]}
    assert by_label == {"citation", "clarification", "point-of-view"}
    assert {row["negative"] for row in found} >= {None, "featured"}
    for row in found:
        assert set(row["labels"]) <= set(row["judged"])
        if row["negative"] == "featured":
            assert ("citation" in row["judged"]) != row["has_reference"]
    before = files(out, "labelled")
    assert wikibias("build", out).code == 0
    assert files(out, "labelled") == before
    shown = wikibias("status", out)
    assert "Labels by intents" in shown.out
    assert "Corpus:" not in shown.out
    assert wikibias("report", out).code == 0
    assert "Sentences with labels" in (out / "report.html").read_text()
    assert wikibias("export", "--format", "csv", out).code == 2
    assert wikibias("export", "--format", "csv", out / "labelled").code == 0


def test_labels_that_nothing_was_looked_for(folder: Path, tmp_path: Path) -> None:
    wikibias("build", "--labels", "intents", folder).refused("no intent was looked for")
    dump, out = write_dump(tmp_path / "dump.xml", pages=1), tmp_path / "summaries"
    assert wikibias("extract", *EXTRACT, "--signal", "summary", "-o", out, dump).code == 0
    wikibias("build", "--labels", "tags", out).refused("--tagset inline-cleanup")
