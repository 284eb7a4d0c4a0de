"""Which summaries say that an edit is about neutrality, by two rules."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from histories import NAMESPACES, revisions
from paths import cases
from wikibias.config.languages import languages, load_language
from wikibias.mediawiki import Namespaces
from wikibias.records import Page, ReadRevision
from wikibias.transitions.summaries import SummarySource, summary_source

WNC = summary_source("wnc", load_language("en"), NAMESPACES)


@cache
def own(lang: str) -> SummarySource:
    return summary_source("own", load_language(lang), NAMESPACES)


LETTERS = st.text(st.sampled_from("povneutralPOVNİıſßﬁK :-/*[]|<&\"'=_ñВв"), max_size=20)


@pytest.mark.parametrize("case", cases("summary_rules"))
def test_rules(case: dict[str, Any]) -> None:
    summary = case["summary"]
    assert WNC.verdict(summary) == case.get("wnc")
    assert own(case.get("lang", "en")).verdict(summary) == case.get("own")


def revision(comment: str) -> ReadRevision:
    made = revisions(["text"])[0]
    assert isinstance(made, ReadRevision)
    return replace(made, comment=comment)


@given(LETTERS, st.sampled_from(["pov", "NPOV", "neutral", "Neutral", "poV", ""]), LETTERS)
@example("", "ﬁ", "")
def test_no_summary_on_which_there_is_a_verdict_is_passed_over(a: str, word: str, b: str) -> None:
    summary = a + word + b
    for source in (WNC, own("en"), own("de")):
        assert source.judge(revision(summary)) == source.verdict(summary)


@given(st.data(), st.sampled_from(languages()))
def test_no_word_of_a_language_is_passed_over(data: st.DataObject, lang: str) -> None:
    """Not in any case, not in letters that become the same when case is folded."""
    source, entries = own(lang), load_language(lang).summaries.get("policy", ())
    entry = data.draw(st.sampled_from(entries)).strip("*")
    forms = st.sampled_from([str.lower, str.upper, str.title, str.swapcase, str.casefold])
    written = data.draw(forms)(entry).replace("S", data.draw(st.sampled_from("Ssſ")))
    summary = data.draw(LETTERS) + " " + written + " " + data.draw(LETTERS)
    assert source.judge(revision(summary)) == source.verdict(summary)


def test_the_published_rule_goes_by_titles() -> None:
    def looked_at(title: str) -> bool:
        return WNC.of(Page(1, title, 0, iter(()))) is not None

    assert looked_at("Template:POV")
    assert looked_at("Talk")
    assert not looked_at("User talk:Somebody")
    assert not looked_at("Template talk:POV")
    assert not looked_at("Wikipedia:Help")
    assert looked_at("Diskussion:POV")


def test_verdicts_are_counted() -> None:
    source = summary_source("wnc", load_language("en"), Namespaces.of({}))
    for summary in ("a pov", "undo pov", "poverty here", "no poverty", "comma"):
        source.judge(revision(summary))
    assert source.counts == {"matched": 3, "kept": 1, "reverts": 1, "pover": 1}
