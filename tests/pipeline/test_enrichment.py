"""What enrichment adds to a transition, and at what cost."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, body, mended, result_of, rows, tagged, wikibias
from histories import history
from results import extract, manifest_of
from wikibias.config.choices import Scope
from wikibias.config.thresholds import load_config
from wikibias.pipeline.enrichment import compare_rows, compared_in_vain, enrich, not_enriched
from wikibias.pipeline.enrichment_task import EnrichmentTask, batches, without_texts
from wikibias.pipeline.settings import make_settings
from wikibias.records import ChangedLine
from wikibias.tags.template_parser import parse

TEXTS = [
    f"{body(1)} It is the best of mills.",
    f"{body(1)} It is the best of mills anybody has ever seen.{{{{POV statement}}}} {{{{POV}}}}",
    f"{body(1)} It is one of nine mills in the county. It was built in 1870. {{{{POV}}}}",
    f"{body(1)} It is one of nine mills in the county. It was built in 1870.",
]


def task(scope: Scope = "page") -> EnrichmentTask:
    settings = make_settings("en", load_config(), scope=scope)
    return EnrichmentTask.of(settings, {}, compare=True)


@pytest.mark.parametrize("scope", ["page", "tagged"])
def test_each_text_is_parsed_once(scope: Scope) -> None:
    parse.cache_clear()
    # The edit of 3 removes one of two tags in a session that began with 2.
    (_, removed, _) = history(TEXTS, editors="ABBC")
    assert removed.session_base_text is not None
    assert enrich(task(scope), [removed])[0].comparison is not None
    assert parse.cache_info().misses == 3


def test_the_edit_is_compared_with_what_was_learnt_before() -> None:
    found = [t for t in history(TEXTS) if t.provenance.kind == "removed"]
    enriched = enrich(task(), found)
    assert [done.context.scope for done in enriched] == [("inline",), ("article",)]
    assert [done.context.only_tags for done in enriched] == [False, True]
    rows = [
        replace(t, context=done.context, session_base_text=None)
        for t, done in zip(found, enriched, strict=True)
    ]
    assert compare_rows(task(), rows) == [done.comparison for done in enriched]


def test_no_comparison_where_none_is_asked_for() -> None:
    (added, *_) = history(TEXTS)
    assert added.provenance.kind == "added"
    (done,) = enrich(task(), [added])
    assert done.comparison is None
    assert done.context.scope == ("article", "inline")


def test_what_ends_its_process_is_known_by_name_only() -> None:
    (added, removed) = history(["{{POV}} a", "a"])
    done = not_enriched(task(), removed)
    assert done.cause is not None
    assert (done.context.scope, done.context.only_tags) == (("",), None)
    assert done.comparison is not None
    assert not done.comparison.edit.readable
    assert not_enriched(task(), added).comparison is None
    row = replace(removed, context=done.context)
    again = compared_in_vain(task(), row)
    assert again is not None
    assert (again.edit, bool(again.cause)) == (done.comparison.edit, True)


def test_batches_are_bounded() -> None:
    found = history(["{{POV}} a", "a"] * 10)
    taken = list(batches(found))
    assert [transition for batch in taken for transition in batch] == found
    assert {len(batch) for batch in taken[:-1]} == {8}


def test_changed_lines_count_as_texts() -> None:
    long = (ChangedLine("a " * 600_000, "b " * 600_000, ""),)
    found = [replace(made, lines=long) for made in history(["{{POV}} a", "a"] * 2)]
    assert [len(batch) for batch in batches(found)] == [1] * len(found)
    assert without_texts(found[0]).lines == ()


ASKED = ("--signal", "tag", "--signal", "citation", "--signal", "clarification")
OLD = "The mill stands at the weir. It was sold to a banker in 1901. Nobody lives there now."
CITED = OLD.replace("1901.", "1901.<ref>{{cite book|title=Mills}}</ref>")
CLEARER = CITED.replace("a banker", "a banker of Velding")
NEW = CLEARER + " A weir lies below it."
POND = "\n\nThe pond is shallow."
OLDER = "\n\nThe old pond is shallow."
MILL = Page(
    "Mill",
    [
        Revision(OLD + POND),
        Revision(CITED + POND),
        Revision(CLEARER + OLDER),
        Revision(NEW + OLDER),
        Revision(NEW.replace("sold", "given away") + OLDER, comment="rv to an older one"),
        Revision(NEW.replace("sold", "given away") + OLDER.replace("shallow", "shalow")),
    ],
)
TAGGED = Page("Pond", [Revision(tagged(1, 1)), Revision(mended(1, 1)), Revision(body(1))])


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return result_of(tmp_path_factory.mktemp("intents"), [MILL, TAGGED], "extract", *ASKED)


def told(found: list[dict[str, Any]], *names: str) -> list[tuple[object, ...]]:
    of_intents = [row for row in found if row["signal"] not in ("tag", "summary")]
    return [tuple(row[name] for name in ("after_rev_id", "signal", *names)) for row in of_intents]


def test_positive_sentences_of_edits(out: Path) -> None:
    found = told(rows(out, "diffs"), "removed", "relation", "readable", "texts_missing")
    sold = "It was sold to a banker in 1901."
    assert found[:2] == [
        (2, "citation", [sold], ["same_text"], True, False),
        (3, "clarification", [sold, "The pond is shallow."], ["rewritten"] * 2, True, False),
    ]
    context = next(row for row in rows(out, "diffs") if row["after_rev_id"] == 3)
    assert context["context_has_reference"] == [True, False]
    assert context["context_previous"] == ["The mill stands at the weir.", ""]


def test_each_has_a_verdict_of_its_own_filters(out: Path) -> None:
    kept, rejected = rows(out, "edits"), rows(out, "rejects")
    of_mill = [row for row in kept if row["page_title"] == "Mill"]
    assert told(of_mill, "verdict") == [(2, "citation", "kept"), (3, "clarification", "kept")]
    verdicts = dict.fromkeys(row[2] for row in told(rejected, "verdict"))
    assert list(verdicts) == ["new_sentences", "summary_reverts", "slip"]
    counts = manifest_of(out)["verdicts"]
    assert counts["summary_reverts"] == 1
    assert counts["markup_only"] == 0


def test_the_corpus_of_biased_sentences_passes_over_them(out: Path, tmp_path: Path) -> None:
    assert extract(tmp_path / "o", out.parent / "a.xml").code == 0
    built, alone = rows(out, "corpus"), rows(tmp_path / "o", "corpus")
    assert [row["text"] for row in built] == [row["text"] for row in alone]
    assert {row["signal"] for row in built} <= {"tag"}


def test_inspect_tells_of_an_edit_with_an_intent(out: Path) -> None:
    shown = wikibias("inspect", out, 3).well()
    assert "has the intent clarification" in shown.out
    assert "Verdict: kept" in shown.out
    assert "It was sold to a banker in 1901." in shown.out
    assert "wikibias build --labels intents" in " ".join(shown.out.split())
    named = "wiki-intent-edit-clarification-2-3-removed-1"
    sentence = next(word for word in shown.out.split() if word.endswith(named.partition("-")[2]))
    assert "(asked for)" in wikibias("inspect", out, sentence).out
    dropped = wikibias("inspect", out, 6)
    assert "dropped: slip (only a slip corrected)" in dropped.out


def test_a_filter_can_be_left_out(out: Path, tmp_path: Path) -> None:
    assert extract(tmp_path / "o", *ASKED, "--filters", "-slip", out.parent / "a.xml").code == 0
    assert (6, "clarification", "kept") in told(rows(tmp_path / "o", "edits"), "verdict")
