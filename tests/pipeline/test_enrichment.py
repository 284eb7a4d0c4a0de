"""What enrichment adds to a transition, and at what cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exports import body
from histories import history
from wikibias.config.choices import Scope
from wikibias.config.thresholds import load_config
from wikibias.pipeline.enrichment import compare_rows, compared_in_vain, enrich, not_enriched
from wikibias.pipeline.enrichment_task import EnrichmentTask
from wikibias.pipeline.settings import make_settings
from wikibias.records import ChangedLine, Transition, TransitionRow
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
        TransitionRow(t.provenance, done.context, t.before_text, t.after_text, t.history)
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
    row = TransitionRow(removed.provenance, done.context, "{{POV}} a", "a")
    again = compared_in_vain(task(), row)
    assert again is not None
    assert (again.edit, bool(again.cause)) == (done.comparison.edit, True)


def test_an_edit_with_an_intent_is_compared_by_its_lines() -> None:
    made = replace(
        history(TEXTS)[0].provenance, signal="own", pairing="intent-edit", kind="removed", tags=()
    )
    line = ChangedLine("The mill is old.", "The mill is very old.")
    edit = Transition(made, None, None, lines=(line,))
    (done,) = enrich(task(), [edit])
    assert done.cause is None
    assert done.comparison is not None
    assert [s.text for s in done.comparison.edit.removed] == ["The mill is old."]
    lost = not_enriched(task(), edit).comparison
    assert lost is not None
    assert not lost.edit.readable
    # One that nobody can make sense of costs its own edit alone.
    broken = replace(edit, lines=(ChangedLine("a", "<b>" * 100_000),))
    first, second = (each.comparison for each in enrich(task(), [broken, edit]))
    assert first is not None
    assert second is not None
    assert (first.edit.readable, second.edit.readable) == (False, True)
    assert first.cause
