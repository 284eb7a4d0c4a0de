"""The pages of a corpus and of sentence pairs: structure, escaping, determinism."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, body, dumped, history, result_of, wikibias
from made_pairs import PROVENANCE, pair, written_pairs
from page_checks import Structure, check, plain
from tagged_sentences import labelled, sentence
from wikibias.config.thresholds import Build
from wikibias.corpus.sentence_pairs.harvest import Funnel, funnel_tables, write_pairs
from wikibias.edits.word_diff import edited_spans
from wikibias.errors import UsageError
from wikibias.pipeline import manifest
from wikibias.reports import pairs_page
from wikibias.reports.corpus_page import page
from wikibias.reports.pairs_page import changed_words, pair_counts

SAMPLES = Path(__file__).parents[2] / "samples"
BOMB = "&lt;script&gt;alert(1)&lt;/script&gt; =HYPERLINK(1) \u202egnihtemos " + "x" * 300


@cache
def shown(*folders: Path, seed: int = 0) -> str:
    return page({folder: manifest.load_recorded(folder) for folder in folders}, seed)


def test_the_page_of_a_corpus(demo: Path) -> None:
    """Its words are in tests/golden/texts/pages/report-en.html.txt."""
    text = shown(demo)
    found = check(text)
    alts = [str(svg["aria-label"]) for svg in found.of("svg")]
    assert len(alts) == 3
    assert alts[0].startswith(
        "What the filters left: Of 28, earlier text restored 4, removal reverted 1"
    )
    assert all(any(char.isdigit() for char in alt) for alt in alts)
    assert "<del>without question</del>" in text
    assert 'href="https://en.demo.example/w/index.php?diff=7&amp;oldid=6"' in text
    assert '<p dir="auto" lang="en">' in text


def test_a_folder_gives_the_same_bytes_and_another_seed_others(demo: Path) -> None:
    assert shown(demo) == shown.__wrapped__(demo)
    assert shown(demo) != shown(demo, seed=1)


def test_several_corpora_stand_side_by_side(demo: Path, tmp_path: Path) -> None:
    found = check(shown(demo, result_of(tmp_path, [history("Village", 2)], "extract")))
    titles = [title for level, title in found.headings if level == 2]
    assert titles == ["Side by side", "demo", "o"]
    assert found.text.count("What is in it (") == 2
    (numbers,) = [table for table in found.of("table") if table.get("class") == "stacks"][:1]
    assert numbers["role"] == "table"
    assert "14 (50%)" in found.text


def test_corpora_of_the_same_name_are_told_apart(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "demo").symlink_to(demo)
    text = shown(demo, tmp_path / "demo")
    assert str(tmp_path / "demo") in text


def test_a_folder_that_has_come_as_far_as_detect(tmp_path: Path) -> None:
    dump = next(SAMPLES.glob("demoenwiki-*"))
    wikibias("detect", "-q", "--workers", 1, "--lang", "en", "-o", tmp_path, dump).well()
    found = check(shown(tmp_path))
    assert "No corpus is built here yet" in found.text
    assert "There is no table of kept edits here" in found.text
    assert len(found.of("svg")) == 2


def test_a_wiki_without_tags(tmp_path: Path) -> None:
    page = Page("Bare", [Revision(body(1))])
    found = check(shown(result_of(tmp_path, [page], "extract")))
    assert "No tag of the tag set was put in or taken out." in found.text
    assert found.of("svg") == []


def test_what_others_wrote_stays_text(tmp_path: Path) -> None:
    """Titles, summaries and sentences with markup, formulas, marks of direction, long words."""
    revisions = [
        Revision(f"{{{{POV}}}}\n{body(1)}\nThe mill of {BOMB} is the finest of all mills."),
        Revision(f"{body(1)}\nThe mill of {BOMB} is one of nine mills.", comment=f"<b>{BOMB}"),
    ]
    pages = [Page(f"<script>alert(2)</script> {BOMB[:60]}", revisions)]
    dump, out = dumped(tmp_path, pages, "<img src=x>.xml"), tmp_path / "<i>o"
    wikibias("extract", "-q", "--workers", 1, "--lang", "en", "-o", out, dump).well()
    text = shown(out)
    found = check(text)
    assert "<script>alert(1)</script>" in found.text
    assert "\\u202e" in found.text
    assert "\u202e" not in text


def test_a_manifest_of_somebody_else_is_text_too(demo: Path) -> None:
    odd: dict[str, Any] = manifest.load_recorded(demo)
    odd["verdicts"] = {"<script>x</script>": 3, "\x1b[31m": 1, "kept": 2}
    odd["lang"] = odd["settings"]["detect"]["lang"] = "<b>\x07"
    odd["versions"] = {"<b>": "\x1b]0;x\x07"}
    text = page({demo: odd}, 0)
    found = check(text)
    assert "\x1b" not in text
    assert "\\x1b[31m" in found.text


def test_a_result_of_an_earlier_version_is_refused(demo: Path) -> None:
    made = manifest.load_recorded(demo)
    del made["settings"]["filter"]["limits"]
    with pytest.raises(UsageError, match="another version of wikibias"):
        page({demo: made}, 0)


def test_some_positives_of_each_label_are_shown() -> None:
    examples = plain(shown(labelled())).split(" Examples of each label ")[-1]
    assert examples.startswith("label sentence became that is citation ")
    assert " weasel " in examples
    assert any(sentence(number, 7) in examples for number in range(1, 13))


def test_a_folder_of_intents_is_told_of_as_one(intents: Path) -> None:
    made = Structure(shown(intents))
    # What is true of tags and of two classes is not of this folder.
    for said in ("tags out", "npov", "removal-edit", "biased", "2019 study", "dumps name no",
                 "intent: featured", "tagged for", "No corpus is built", "around a tag",
                 "Words that tell the classes apart", "How long tags stand"):  # fmt: skip
        assert said not in made.text.partition("Settings")[0], said


def test_a_folder_of_intents_stands_beside_one_of_tags(intents: Path, demo: Path) -> None:
    text = " ".join(Structure(shown(demo, intents)).text.split())
    assert "sentences with labels" in text
    assert "Editors put neutrality tags on an article" in text
    assert "Editors changed these sentences, and rules" in text


PAIR_BOMB = '<script>alert("x")</script> =HYPERLINK(1) \u202egnihtemos'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written_pairs(tmp_path / "pairs", 40)


def test_the_page_of_a_folder(folder: Path) -> None:
    text = pairs_page.page([folder], 0)
    found = check(text)
    alts = [str(svg["aria-label"]) for svg in found.of("svg")]
    assert len(alts) == 1
    assert all(any(char.isdigit() for char in alt) for alt in alts)
    assert "<del>The splendid</del> orchard" in text
    assert "40 biased pairs" in found.text
    assert "14 neutral pairs" in found.text


def test_pairs_give_the_same_bytes_and_another_seed_others(folder: Path) -> None:
    assert pairs_page.page([folder], 0) == pairs_page.page([folder], 0)
    assert pairs_page.page([folder], 0) != pairs_page.page([folder], 1)


def test_several_folders_stand_side_by_side(folder: Path, tmp_path: Path) -> None:
    other = written_pairs(tmp_path / "more", 10)
    found = check(pairs_page.page([folder, other], 0))
    titles = [title for level, title in found.headings if level == 2]
    assert titles == ["Side by side", "pairs", "more"]
    assert "sets may share some: before and after edits made for neutrality" in found.text


def test_what_others_wrote_is_only_shown(tmp_path: Path) -> None:
    made = replace(
        PROVENANCE,
        comment=PAIR_BOMB,
        page_title=PAIR_BOMB,
        diff_url="javascript:alert(1)",
        lang=PAIR_BOMB,
    )
    folder = written_pairs(tmp_path / "p", 4, source=f"{PAIR_BOMB} stands.", provenance=made)
    text = pairs_page.page([folder], 0)
    check(text)
    assert "<script" not in text
    assert "javascript:" not in text
    assert "\u202e" not in text


def test_an_empty_folder(tmp_path: Path) -> None:
    found = check(pairs_page.page([written_pairs(tmp_path / "p", 0)], 0))
    assert "The folder holds no pair" in found.text


def test_a_folder_without_its_lists(folder: Path) -> None:
    (folder / "funnel.json").write_text("[", "utf-8")
    (folder / "export.json").unlink()
    assert "There is no funnel.json in the folder" in check(pairs_page.page([folder], 0)).text


def test_the_command(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wikibias("report", folder).well()
    assert (tmp_path / "report-pairs.html").is_file()
    assert not (folder / "report.html").exists()
    monkeypatch.chdir(folder)
    (tmp_path / "report-pairs.html").unlink()
    wikibias("report", ".").well()
    assert (tmp_path / "report-pairs.html").is_file()
    wikibias("report", folder, tmp_path).refused("holds sentence pairs and")


def section(folder: Path, title: str) -> str:
    """The text of a section of the page of a folder."""
    return plain(pairs_page.page([folder], 0)).split(f" {title} ")[-1]


FUNNEL: dict[str, Any] = {
    "matched": 597,
    "reverts": 75,
    "pover": 2,
    "kept": 520,
    "single_block": 173,
    "passed": 114,
    "biased": 105,
    "single_word": 18,
    "neutral": 311,
    "after_length_ratio": 97,
    "stages": {"not_one_block": 347, "restores_earlier": 59, "passed": 114},
    "verdicts": {"neutral": 311, "biased": 105},
    "length_ratio": {"mean": 1.1, "sd": 0.2},
}


def test_the_funnel_in_a_figure_and_in_tables(folder: Path) -> None:
    (folder / "funnel.json").write_text(json.dumps(FUNNEL), "utf-8")
    found = check(pairs_page.page([folder], 0))
    assert (
        "Of 520, not one block 347, earlier text restored 59 drop out; 114 are left (22%)."
        in str(found.of("svg")[0]["aria-label"])
    )
    funnel, edits, sentences = funnel_tables(FUNNEL)
    assert funnel.rows[-1] == ["biased, of usual lengths", "97"]
    assert edits.rows[0] == ["not one block", "347"]
    assert sentences.title == "Sentence pairs"
    signals = {"tag": {"edits": 2, "biased": 1}, "summary": {"edits": 0, "biased": 0}}
    (table,) = funnel_tables({"by_signal": signals})
    assert table.rows == [["tag", "2", "1"], ["summary", "0", "0"]]


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("The famous mill claimed it all.", "The mill said it all.", "was became times"),
        ("Here, now and then.", "Here; now and then.", "Nothing was done more than once."),
    ],
)
def test_frequent_changes_and_none(source: str, target: str, said: str, tmp_path: Path) -> None:
    folder = tmp_path / "p"
    pairs = [
        replace(pair(n, page=n, source=source, target=target), edits=edited_spans(source, target))
        for n in (1, 2)
    ]
    facts = {"format": "sentence pairs", "rules": "own"}
    write_pairs(folder, pairs, Funnel(), shares=Build(), seed=0, facts=facts, overwrite=True)
    assert said in section(folder, "Most frequent changes")


def test_a_change_in_words() -> None:
    assert changed_words("The Splendid, famous mill", "4:12 14:20") == "splendid … famous"
    assert changed_words("The mill", "") == ""


def test_facts_and_groups_of_the_folder(tmp_path: Path) -> None:
    made = replace(PROVENANCE, part="enwiki-20260101-p1", lang="en", wiki="enwiki")
    text = section(written_pairs(tmp_path / "p", 3, provenance=made), "What this is")
    assert "rules wnc" in text
    assert "dump of 2026-01-01" in text
    assert "By language language biased neutral en 3 1" in text


def test_a_folder_is_counted_and_sampled(tmp_path: Path) -> None:
    folder = written_pairs(tmp_path / "p", 60)
    found = pair_counts(folder, 0)
    assert found.labels == Counter(biased=60, neutral=20)
    assert sum(of["biased"] for of in found.groups["split"].values()) == 60
    assert len(found.samples["biased"].places) == pairs_page.SAMPLE
