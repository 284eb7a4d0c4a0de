from collections import Counter

from wikibias.kits.charts import Drawing
from wikibias.reports import corpus_sections
from wikibias.reports.corpus_sections import TagLives
from wikibias.reports.corpus_statistics import Edits, Sentences, Transitions


def changed(added: dict[int, int], removed: dict[int, int]) -> Transitions:
    return Transitions(Counter(added), Counter(removed), Counter(), Counter(POV=3, Weasel=1))


def test_a_funnel_says_what_each_filter_drops() -> None:
    drawing = corpus_sections.filters_chart([("spelling", 3), ("outlier", 0), ("reverted", 5)], 10)
    assert (
        drawing.alt
        == "Of 10 pairs of revisions, filters drop spelling 3, reverted 5; 2 are kept (20%)."
    )
    assert "outlier" not in drawing.markup


def test_years_say_first_largest_and_last() -> None:
    drawing = corpus_sections.years_chart(changed({2006: 2, 2009: 31, 2011: 4}, {2008: 1, 2011: 9}))
    assert drawing.alt == (
        "put in: 2 in 2006, at most 31 in 2009, 4 in 2011; "
        "taken out: rising from 1 in 2008 to 9 in 2011."
    )
    alone = corpus_sections.years_chart(changed({2006: 2}, {}))
    assert alone.alt == "put in: 2, all in 2006; taken out: none."


def test_tags_are_named_with_their_numbers() -> None:
    assert corpus_sections.tags_chart(changed({}, {})).alt == "POV 3 times, Weasel 1 times."


def test_lives_say_when_half_are_gone() -> None:
    lives = TagLives()
    for days, ended in ((10, True), (20, True), (90, False), (100, False)):
        lives.lives.add(days, has_ended=ended)
    alt = corpus_sections.durations_chart({"all tags": lives}).alt
    assert alt == "all tags: half are gone after 20 days, and 50% still stand after 100 days."


def test_edits_tiers_and_lengths_are_told_in_numbers() -> None:
    assert "7 edits removed 3–6" in corpus_sections.edits_chart(Edits(bins=[1, 7, 0, 0])).alt
    tiers = corpus_sections.tiers_chart({"high": {"biased": 4, "neutral": 5}})
    assert tiers.alt == "high tier: 4 biased and 5 neutral."
    found = Sentences()
    found.lengths["biased"].update([10, 12, 30])
    assert corpus_sections.lengths_chart(found).alt == (
        "biased: half of the sentences have 12 words or fewer."
    )


def test_several_corpora_share_their_years() -> None:
    both = {"fr": changed({}, {2006: 1}), "en": changed({}, {2009: 5})}
    drawing = corpus_sections.removals_chart(both)
    assert drawing.alt == "fr: 1, all in 2006; en: 5, all in 2009."
    assert ">2007<" in drawing.markup
    assert corpus_sections.kept_chart({"fr": (1, 4), "en": (0, 0)}).alt == "fr 25 %."


def test_nothing_is_drawn_as_nothing() -> None:
    drawn: list[Drawing] = [
        corpus_sections.years_chart(changed({}, {})),
        corpus_sections.durations_chart({}),
        corpus_sections.removals_chart({}),
        corpus_sections.kept_chart({}),
    ]
    assert all(drawing.alt for drawing in drawn)
