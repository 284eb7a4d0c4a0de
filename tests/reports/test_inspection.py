"""A question in, what the folder knows out; and what became of the sentences of an edit."""

import json
import shutil
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, body, dumped, history, result_of, rows, wikibias
from made_edits import edit
from tagged_sentences import labelled
from wikibias.config.thresholds import Filter as Limits
from wikibias.config.thresholds import load_config
from wikibias.edits.filters import FILTERS, EditFilter
from wikibias.errors import UsageError
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.pipeline.settings import Filter, Settings, make_settings
from wikibias.records import Edit, History
from wikibias.reports import inspection, result_folder
from wikibias.reports.inspection import inspect, recognised
from wikibias.reports.result_folder import ResultTables


def asked(demo: Path, words: str) -> inspection.Inspection:
    return inspection.inspect(demo, inspection.recognised(words))


def revisions(found: inspection.Inspection) -> list[int]:
    return [story.provenance.after_rev_id for story in found.edits]


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("50", ("revision", "50")),
        *(
            (f"{words}-{role}", ("sentence", f"{words}-{role}"))
            for words, role in (
                ("demoenwiki-7", "removed-0"),
                ("be-x-oldwiki-7", "added-12"),
                ("frwiki-tagged-span-4-11", "removed-0"),
                ("enwiki-addition-edit-None-4", "added-0"),
            )
        ),
        ("Halvern Dairies", ("page", "Halvern Dairies")),
        ("1984 (novel)", ("page", "1984 (novel)")),
        ("٥٠", ("page", "٥٠")),
        ("enwiki-7-0123456789abcdef", ("revision", "7")),
        ("9" * 30, ("page", "9" * 30)),
    ],
)
def test_what_a_word_means(words: str, question: inspection.Question) -> None:
    assert inspection.recognised(words) == question


def test_a_sentence_id_of_an_older_build(demo: Path) -> None:
    found = asked(demo, "demoenwiki-7-removed-99")
    assert "the edit has 5 removed sentences" in found.note
    assert (found.sentence_id, revisions(found)) == ("", [7])
    spans = asked(demo, "demoenwiki-tagged-span-4-7-removed-0")
    assert "compared in other revision pairs" in spans.note


def test_the_revision_before_an_edit(demo: Path) -> None:
    found = asked(demo, "6")
    assert revisions(found) == [7]
    assert found.note == "Revision 6 changed no tag; it is the one before revision 7."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Halvern Diaries", "did you mean 'Halvern Dairies'"),
        ("Varnholt", "did you mean 'Varnholt Institute'"),
        ("Zzyzx", "titles are as the wiki writes them"),
        ("5", "--page 5 looks for a title"),
        ("frwiki-7-removed-0", "no edit of frwiki changed a tag at revision 7"),
    ],
)
def test_nothing_found(words: str, said: str, demo: Path) -> None:
    with pytest.raises(UsageError) as raised:
        asked(demo, words)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_folder_without_transitions(demo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo, tmp_path / "o")
    shutil.rmtree(folder / "transitions")
    with pytest.raises(UsageError, match="holds no transitions yet"):
        asked(folder, "7")


def test_a_revision_that_a_later_one_restored(tmp_path: Path) -> None:
    """The message names the later one, which can be asked for."""
    texts = ["A mill.", "A mill. A pond.", "{{POV}} A mill. A fine pond.", "A mill."]
    out = result_of(tmp_path, [Page("Mill", [Revision(text) for text in texts])], "detect")
    with pytest.raises(UsageError, match="it is what revision 4 restored"):
        asked(out, "1")


def test_the_verdicts_asked_again_are_those_that_were_given(demo: Path) -> None:
    result = ResultTables(demo)
    found = [*rows(demo, "edits"), *rows(demo, "rejects")]
    judged = {row["verdict"]: row["after_rev_id"] for row in found}
    assert len(judged) == 9
    for verdict, revision in judged.items():
        stories = [story for story in inspection.edit_reports_at(result, revision) if story.edit]
        assert [(s.verdict, s.verdict_now) for s in stories] == [(verdict, verdict)]


def test_another_pairing_tells_both(tmp_path: Path) -> None:
    options = ("--pairing", "removal-edit", "--pairing", "tagged-span")
    out = result_of(tmp_path, [history("Village", 2)], "extract", *options)
    stories = list(inspection.edit_reports_at(ResultTables(out), 2))
    assert [s.provenance.pairing for s in stories] == ["removal-edit", "tagged-span"]
    assert all(story.edit for story in stories)


@pytest.mark.parametrize(("stage", "words"), [("detect", "nothing is compared"), ("diff", "")])
def test_a_folder_that_has_not_come_far(stage: str, words: str, tmp_path: Path) -> None:
    out = result_of(tmp_path, [history("Village", 1)], "detect")
    if stage == "diff":
        wikibias("diff", "--workers", 1, out).well()
    (story,) = inspection.edit_reports_at(ResultTables(out), 2)
    assert words in story.why_not_compared
    assert story.verdict is None
    assert (story.verdict_now == "kept") == (stage == "diff")


def test_filters_that_changed_since_are_seen(demo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo, tmp_path / "changed")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["settings"]["filter"]["limits"]["spelling_distance"] = 0
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (story,) = inspection.edit_reports_at(ResultTables(folder), 50)
    assert (story.verdict, story.verdict_now) == ("spelling", "kept")


@pytest.mark.parametrize(
    ("typed", "one"),
    [
        ("mill_pond", "Mill pond"),
        ("talk:mill pond", "Talk:Mill pond"),
        ("Mill: a pond", "Mill: a pond"),
        ("élan", "Élan"),
    ],
)
def test_spellings(typed: str, one: str) -> None:
    assert one in inspection.spellings(typed)


def test_a_tag_that_stands(tmp_path: Path) -> None:
    page = Page("Mill", [Revision("a"), Revision("{{POV}} a")])
    out = result_of(tmp_path, [page], "detect")
    (found,) = inspection.pages_titled(ResultTables(out), "Mill")
    assert found.intervals[0].stands
    assert found.changes[0][1] is None


def test_a_page_that_was_renamed_between_two_dumps(tmp_path: Path) -> None:
    revisions = history("Mill", 2).revisions
    for date, title, most in (("20200101", "Mill", 2), ("20200201", "Old Mill", 4)):
        dumped(tmp_path, [Page(title, revisions[:most])], f"enwiki-{date}-p1.xml")
    out, dumps = tmp_path / "o", sorted(tmp_path.glob("*.xml"))
    for paths in (dumps[:1], dumps):
        wikibias("extract", "-q", "--lang", "en", "--workers", 1, "-o", out, *paths).well()
    for title in ("Mill", "Old Mill"):
        (found,) = inspection.pages_titled(ResultTables(out), title)
        assert found.title == "Old Mill"
        assert [change.provenance.after_rev_id for change, _ in found.changes] == [1, 2, 3, 4]


SETTINGS = replace(
    make_settings("en", load_config()), filter=Filter(limits=Limits(min_wikitext=10))
)
SOUND = edit(
    removed=["The best mill there ever was."], added=["A mill of four floors stands here."]
)


def with_filter(**chosen: Any) -> Settings:
    return replace(SETTINGS, filter=replace(SETTINGS.filter, **chosen))


def by_name(found: Edit, **settings: Any) -> dict[str, inspection.Answer]:
    return {each.name: each for each in inspection.answers(found, with_filter(**settings))}


def test_what_passes_all_is_kept() -> None:
    found = inspection.answers(SOUND, with_filter(filters="strict"))
    assert [each.name for each in found] == list(FILTERS.own())
    assert {each.reason for each in found} == {None}
    assert inspection.verdict_of(found) == "kept"
    assert all(each.looked_at for each in found)


def test_those_behind_the_verdict_answer_too() -> None:
    history = History(tags_left=("Weasel",), tag_back_days=0.25, restores_rev_id=1, parent_rev_id=1)
    found = by_name(replace(SOUND, history=history, after_chars=5), filters="strict")
    assert found["restores_earlier"].is_verdict
    assert found["restores_earlier"].looked_at == "restores revision 1"
    dropping = [name for name, each in found.items() if each.reason]
    assert dropping == ["restores_earlier", "tags_left", "tag_back_soon", "redirect_or_blank"]
    assert [name for name, each in found.items() if each.is_verdict] == ["restores_earlier"]
    assert found["tags_left"].looked_at == "left: Weasel"
    assert found["tag_back_soon"].looked_at == "back after 0.25 days; limit 1 day"
    assert found["redirect_or_blank"].looked_at == "5 characters; limit 10"
    assert inspection.verdict_of([*found.values()]) == "restores_earlier"


def test_the_filters_are_those_of_the_run() -> None:
    undone = replace(SOUND, provenance=replace(SOUND.provenance, reverted=True))
    assert inspection.verdict_of([*by_name(undone).values()]) == "reverted"
    kept = by_name(undone, reverts="keep")
    assert kept["reverted"].is_off
    assert inspection.verdict_of([*kept.values()]) == "kept"
    assert [*by_name(undone, filters="spelling,outlier")] == ["spelling", "outlier"]


def test_a_filter_that_fails_makes_the_edit_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(edit: Edit, limits: Limits) -> str | None:
        raise ValueError("no such word")

    monkeypatch.setitem(FILTERS._own, "outlier", EditFilter("outlier", fails))
    found = by_name(SOUND)["outlier"]
    assert (found.reason, found.is_verdict) == ("unreadable", True)
    assert "no such word" in found.looked_at


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 days"), (1, "1 day"), (2.5, "2.5 days"), (282.55, "283 days"), (1234, "1,234 days")],
)
def test_days(number: float, words: str) -> None:
    assert inspection.days(number) == words


@cache
def all_fates(folder: Path) -> list[result_folder.SentenceOutcome]:
    """Return the fates of all sentences of the kept edits."""
    result = result_folder.ResultTables(folder)
    kept = [row["after_rev_id"] for row in rows(folder, "edits")]
    edits = result.find(DIFFS_TABLE, "after_rev_id", kept)
    return [
        fate for edit in edits for fate in result_folder.sentence_outcomes(result, edit, "kept")
    ]


def counts(found: list[result_folder.SentenceOutcome], words: str) -> dict[str, int]:
    """Return how many sentences of each role are left out for a reason with these words."""
    roles = Counter(each.role for each in found if words in each.why_not)
    return {role: roles[role] for role in ("removed", "added", "unchanged")}


def composition(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text())["corpus"]
    return found


def test_every_sentence_is_in_the_corpus_or_has_a_reason(demo: Path) -> None:
    found = all_fates(demo)
    known = composition(demo)
    assert Counter(each.split for each in found if each.split) == known["splits"]
    assert all(bool(each.split) != bool(each.why_not) for each in found)
    of_corpus = {row["sentence_id"]: row for row in rows(demo, "corpus")}
    for each in found:
        if row := of_corpus.get(each.sentence_id):
            assert (row["split"], row["tier"]) == (each.split, each.tier)
            assert tuple(row["tier_reasons"]) == each.tier_reasons


def test_the_reasons_are_counted_as_the_manifest_counts_them(demo: Path) -> None:
    found, known = all_fates(demo), composition(demo)
    left_out = known["left_out"]
    assert counts(found, "kind list") == left_out["list"]
    assert counts(found, "too short") == left_out["too_short"]
    assert counts(found, "still tagged") == left_out["tag_stands"]
    assert sum(counts(found, "duplicate of demoenwiki").values()) == known["duplicates"]
    assert counts(found, "not drawn")["unchanged"] == 66


def test_what_only_some_corpora_leave_out(demo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo, tmp_path / "few")
    options = ("--max-per-edit", 2, "--min-tier", "medium", "--restart", "-q")
    wikibias("build", *options, folder).well()
    found, known = all_fates(folder), composition(folder)
    # A duplicate falls with the sentence that would have stood for both.
    over = counts(found, "--max-per-edit")["removed"] - known["left_out"]["max_per_edit"]["removed"]
    assert 0 <= over <= known["duplicates"]
    assert counts(found, "--min-tier") == known["left_out"]["below_min_tier"]
    assert Counter(each.split for each in found if each.split) == {
        name: number for name, number in known["splits"].items() if number
    }


def test_what_another_edit_did_counts_too(tmp_path: Path) -> None:
    """One page takes a sentence out that the other one puts in, and that a third leaves alone."""
    ground = body(1)
    contested = "It is widely held to be the pleasantest of all small towns."
    ends = [
        (contested, "It has nine hundred inhabitants now."),
        ("Nobody would ever dare deny its beauty.", contested),
        (
            f"{contested}\n\nIts mayor was always a true genius.",
            f"{contested}\n\nIts mayor served three terms of office.",
        ),
    ]
    pages = []
    for number, (gone, come) in enumerate(ends):
        before, after = f"{{{{POV}}}}\n{ground}\n\n{gone}", f"{ground}\n\n{come}"
        pages.append(Page(f"Town {number}", [*map(Revision, (ground, before, after))]))
    out = result_of(tmp_path, pages, "extract")
    why = {
        (each.sentence_id.split("-")[1], each.role): each.why_not
        for each in all_fates(out)
        if each.sentence.text == contested
    }
    assert "in both classes" in why["3", "removed"]
    assert "in both classes" in why["6", "added"]
    assert "in both classes" in why["9", "unchanged"]


def test_of_an_edit_without_a_verdict(demo: Path) -> None:
    result = result_folder.ResultTables(demo)
    (edit,) = result.find(DIFFS_TABLE, "after_rev_id", [50])
    found = result_folder.sentence_outcomes(result, edit, None)
    assert all(each.is_of_edit and "no verdict yet" in each.why_not for each in found)


def test_a_corpus_that_is_not_built_is_said_to_be_none(demo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo, tmp_path / "cut")
    (folder / "corpus" / "train.parquet").unlink()
    assert {each.why_not for each in all_fates(folder)} == {"no corpus is built"}


NAME = "qualityenwiki-intent-edit-{}-10-16-{}"


def labelled_outcomes_of(folder: Path) -> dict[str, result_folder.SentenceOutcome]:
    """Return the fates of all sentences of the kept edits, by name."""
    return {fate.sentence_id: fate for fate in all_fates(folder)}


def note(folder: Path, words: str) -> str:
    return inspect(folder, recognised(words)).note


def test_a_folder_without_a_corpus_of_two_classes_is_inspected(intents: Path) -> None:
    assert not (intents / "corpus").exists()
    found = inspect(intents, recognised("16"))
    assert [story.provenance.signal for story in found.edits] == ["clarification", "point-of-view"]
    of_first = [(s.role, s.labelled and s.labelled.split) for s in found.edits[0].sentences]
    assert of_first[0] == ("removed", "train")


def test_a_sentence_with_labels_says_where_it_stands(intents: Path) -> None:
    both = "labels clarification, point-of-view, split train"
    assert note(intents, NAME.format("clarification", "removed-0")) == f"Labelled, {both}."
    # One sentence with two intents is one row, under the name that came first.
    other = NAME.format("clarification", "removed-0")
    said = note(intents, NAME.format("point-of-view", "removed-0"))
    assert said == f"Labelled, {both}, as {other}."


def test_every_row_is_found_and_every_other_sentence_has_a_reason(intents: Path) -> None:
    found = labelled_outcomes_of(intents)
    for row in rows(intents, "labelled"):
        if fate := found.get(row["sentence_id"]):
            assert fate.labelled is not None
            assert list(fate.labelled.labels) == row["labels"]
            assert fate.labelled.split == row["split"]
        else:
            assert row["negative"] == "featured"
    assert all(bool(fate.labelled) != bool(fate.why_not) for fate in found.values())
    reasons = {fate.why_not.partition(":")[0] for fate in found.values()}
    assert {"too short", "the same words are a positive", "not drawn"} <= reasons


def test_a_folder_of_intents_not_built_says_how_to_build(intents: Path, tmp_path: Path) -> None:
    shutil.copytree(intents, tmp_path / "o", ignore=shutil.ignore_patterns("labelled"))
    said = note(tmp_path / "o", NAME.format("clarification", "removed-0"))
    assert said.endswith("build --labels intents.")


def test_a_sentence_at_which_a_tag_points_has_its_own_name() -> None:
    found_rows = rows(labelled(), "labelled")
    positive = next(row for row in found_rows if row["labels"] == ["weasel"])
    found = inspect(labelled(), recognised(positive["sentence_id"]))
    assert f"label weasel, split {positive['split']}" in found.note
    assert found.sentence_id
