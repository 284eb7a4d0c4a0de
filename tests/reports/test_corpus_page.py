from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, body, dumped, result_of, wikibias
from made_edits import corpus
from page_checks import Structure, check, plain
from tagged_sentences import sentence, write_dump
from wikibias.errors import UsageError
from wikibias.pipeline import manifest
from wikibias.reports.corpus_page import page

SAMPLES = Path(__file__).parents[2] / "samples"
BOMB = "&lt;script&gt;alert(1)&lt;/script&gt; =HYPERLINK(1) \u202egnihtemos " + "x" * 300


def shown(*folders: Path, seed: int = 0) -> str:
    return page({folder: manifest.load_recorded(folder) for folder in folders}, seed)


def test_the_page_of_a_corpus(demo: Path) -> None:
    text = shown(demo)
    found = check(text)
    titles = [title for level, title in found.headings if level == 2]
    assert titles == [
        "What this is",
        "What the filters dropped",
        "What the labels mean",
        "What is in it",
        "How it was made",
        "Quality",
        "Known limits",
        "Licence",
        "Tags put in and taken out",
        "How long tags stand",
        "Words that tell the classes apart",
        "Kept edits",
        "A sample of rejected edits, by reason",
        "Where it comes from",
    ]
    words = plain(text)
    for said in (
        "edits compared 28 kept 13 (46%) sentences 134",
        "tag removals 28 not the parent revision 0 earlier text restored -4",
        "removed biased 67 added neutral 63",
        "POV 12 4 12 3 0",
        "all 25 84.0 44.1-151.4 72% 8%",
        "3–6 12 66",
        "biased 67 15 neutral 67 13",
        "this +2.31 14 0",
        "13 of 13 that were kept",
        "removal reverted 1 edit. The filter drops a removal that was itself undone.",
        "detect.pairing removal-edit",
    ):
        assert said in words, said
    alts = [str(svg["aria-label"]) for svg in found.of("svg")]
    assert len(alts) == 3
    assert alts[0].startswith(
        "What the filters left: Of 28, earlier text restored 4, another tag put in 1"
    )
    assert all(any(char.isdigit() for char in alt) for alt in alts)
    assert "<del>without question</del>" in text
    assert 'href="https://en.demo.example/w/index.php?diff=7&amp;oldid=6"' in text
    assert '<p dir="auto" lang="en">' in text


def test_a_folder_gives_the_same_bytes_and_another_seed_others(demo: Path) -> None:
    assert shown(demo) == shown(demo)
    assert shown(demo) != shown(demo, seed=1)


def test_several_corpora_stand_side_by_side(demo: Path) -> None:
    found = check(shown(demo, corpus("fr")))
    assert [title for level, title in found.headings if level == 2] == [
        "Side by side",
        "demo",
        "fr",
    ]
    assert found.text.count("What is in it (") == 2
    (numbers,) = [table for table in found.of("table") if table.get("class") == "stacks"][:1]
    assert numbers["role"] == "table"
    assert "13 (46%)" in found.text


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


def test_some_positives_of_each_label_are_shown(tmp_path: Path) -> None:
    dump, out = write_dump(tmp_path / "dump.xml"), tmp_path / "out"
    words = ("--lang", "en", "--tagset", "inline-cleanup", "--workers", 1, "-q")
    wikibias("extract", *words, "--labels", "tags", "-o", out, dump).well()
    text = shown(out)
    examples = plain(text).split(" Examples of each label ")[-1]
    assert examples.startswith("label sentence became that is citation ")
    assert " weasel " in examples
    assert any(sentence(number, 7) in examples for number in range(1, 13))


def test_a_folder_of_intents_is_told_of_as_one(intents: Path) -> None:
    made = Structure(shown(intents))
    text = " ".join(made.text.split())
    assert "Sentences that editors changed with an intent: qualityenwiki." in text
    assert "3 featured articles, 8 citation edits" in text
    assert "40 sentences of 8 pages, 23 with a label." in text
    assert "clarification: 16 of 60 positives right" in text
    assert "relation is same_text" in text
    assert "rules of intents" in text
    assert "en.quality.example. The licence" in text
    assert "featured for 925 days" in text
    titles = {said for _, said in made.headings}
    assert "Examples of each label" in titles
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
