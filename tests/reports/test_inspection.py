"""A question in, what the folder knows out; or one line that says what is near."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from exports import Page, Revision, export, wikibias
from wikibias.errors import UsageError
from wikibias.reports.inspection import Inspection, Question, inspect, recognised


def asked(demo: Path, words: str) -> Inspection:
    return inspect(demo, recognised(words))


def revisions(found: Inspection) -> list[int]:
    return [story.provenance.after_rev_id for story in found.edits]


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("50", Question(revision=50)),
        ("demoenwiki-7-removed-0", Question(sentence="demoenwiki-7-removed-0")),
        ("be-x-oldwiki-7-added-12", Question(sentence="be-x-oldwiki-7-added-12")),
        (
            "frwiki-tagged-span-4-11-removed-0",
            Question(sentence="frwiki-tagged-span-4-11-removed-0"),
        ),
        (
            "enwiki-addition-edit-None-4-added-0",
            Question(sentence="enwiki-addition-edit-None-4-added-0"),
        ),
        ("Halvern Dairies", Question(page="Halvern Dairies")),
        ("1984 (novel)", Question(page="1984 (novel)")),
        ("٥٠", Question(page="٥٠")),
        ("enwiki-7-0123456789abcdef", Question(revision=7)),
        ("9" * 30, Question(page="9" * 30)),
    ],
)
def test_what_a_word_means(words: str, question: Question) -> None:
    assert recognised(words) == question


def test_a_revision(demo: Path) -> None:
    found = asked(demo, "50")
    assert (revisions(found), found.note, found.folder) == ([50], "", "demo")


def test_a_sentence_in_the_corpus_and_one_that_is_not(demo: Path) -> None:
    found = asked(demo, "demoenwiki-7-removed-0")
    assert (found.sentence_id, found.note) == ("demoenwiki-7-removed-0", "In the split train.")
    found = asked(demo, "demoenwiki-7-unchanged-4")
    assert found.note == "Not in the corpus: in a line of the kind list (--block)."
    assert asked(demo, "demoenwiki-50-removed-0").note == (
        "Not in the corpus: the edit was dropped: spelling."
    )


def test_a_sentence_id_of_an_older_build(demo: Path) -> None:
    found = asked(demo, "demoenwiki-7-removed-99")
    assert "the edit has 5 removed sentences" in found.note
    assert (found.sentence_id, revisions(found)) == ("", [7])
    spans = asked(demo, "demoenwiki-tagged-span-4-7-removed-0")
    assert "compared in other pairs" in spans.note


def test_the_revision_before_an_edit(demo: Path) -> None:
    found = asked(demo, "6")
    assert (revisions(found), found.note) == (
        [7],
        "Revision 6 changed no tag; it is the one before revision 7.",
    )


@pytest.mark.parametrize(
    ("revision", "place"),
    [
        (5, "after revision 4 and before revision 7"),
        (2, "before revision 4"),
        (90, "after revision 7"),
    ],
)
def test_between_which_edits_a_revision_of_a_page_lies(
    revision: int, place: str, demo: Path
) -> None:
    found = inspect(demo, Question(page="Halvern Dairies", revision=revision))
    assert found.note.endswith(f"By its number it lies {place}.")
    assert [page.title for page in found.pages] == ["Halvern Dairies"]


@pytest.mark.parametrize("revision", [4, 7, 6])
def test_a_revision_of_a_page_that_changed_tags(revision: int, demo: Path) -> None:
    found = inspect(demo, Question(page="Halvern Dairies", revision=revision))
    assert revisions(found) == [max(4, 7 if revision > 4 else 4)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Halvern Diaries", "did you mean 'Halvern Dairies'"),
        ("Varnholt", "did you mean 'Varnholt Institute'"),
        ("Zzyzx", "titles are as the wiki writes them"),
        ("5", "with --page TITLE --revision 5"),
        ("frwiki-7-removed-0", "no edit of frwiki changed a tag at revision 7"),
    ],
)
def test_nothing_found(words: str, said: str, demo: Path) -> None:
    with pytest.raises(UsageError) as raised:
        asked(demo, words)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_is_no_sentence_id(demo: Path) -> None:
    with pytest.raises(UsageError, match="one is like enwiki-7-removed-0"):
        inspect(demo, Question(sentence="7"))


def test_a_folder_without_transitions(demo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo, tmp_path / "o")
    shutil.rmtree(folder / "transitions")
    with pytest.raises(UsageError, match="holds no transitions yet"):
        asked(folder, "7")


def test_a_revision_that_a_later_one_restored(tmp_path: Path) -> None:
    """The message names the later one, which can be asked for."""
    texts = ["A mill.", "A mill. A pond.", "{{POV}} A mill. A fine pond.", "A mill."]
    page = Page("Mill", [Revision(text) for text in texts])
    (tmp_path / "a.xml").write_bytes(export([page]))
    out = tmp_path / "o"
    assert wikibias("detect", "--lang", "en", "-o", out, tmp_path / "a.xml").code == 0
    with pytest.raises(UsageError, match="it is what revision 4 restored"):
        asked(out, "1")
