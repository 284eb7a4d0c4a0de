"""B1 and B2 of a corpus with planted topics, from its documents to the result and its page."""

import copy
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from made_documents import FILLER_LIST, NEAR, NEAR_LIST, Vectors, alike, fit_quickly, planted
from wikibias.errors import UsageError
from wikibias.kits.document import Section, Table
from wikibias.kits.html import html
from wikibias.research.reports.selection_bias import page, summary
from wikibias.research.selection_bias import samples
from wikibias.research.selection_bias.documents import Documents, KeywordList
from wikibias.research.selection_bias.measure import described, measure
from wikibias.research.selection_bias.samples import Settings, Topics
from wikibias.research.selection_bias.similarity import SimilarityTable

SETTINGS = Settings(topics=(2, 4), words=(5, 8), seeds=(0, 1), lists=99)
ODD = KeywordList("<script>", "a & b", ["nameless", NEAR[0]])


@pytest.fixture(autouse=True)
def few_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    fit_quickly(monkeypatch)


@cache
def result() -> dict[str, Any]:
    lists = [NEAR_LIST, FILLER_LIST, ODD]
    other = Documents("<other>", planted(120, 5).texts, {}, None, "en", 120)
    return measure([(planted(), lists), (other, lists)], SETTINGS, alike)


@pytest.fixture
def measured() -> dict[str, Any]:
    """Return a result that may be changed."""
    return copy.deepcopy(result())


def figures(**wanted: Any) -> list[dict[str, Any]]:
    wanted["corpus"] = "planted"
    return [each for each in result()["figures"] if wanted.items() <= each.items()]


def test_there_is_a_figure_for_each_list_number_and_treatment() -> None:
    assert len(figures(group=None)) == 3 * 2 * 2 * 2
    assert len(figures(group={"by": "label", "value": "biased"})) == 3 * 2
    assert result()["settings"]["base"] == {"topics": 2, "words": 8}
    json.dumps(result(), allow_nan=False)


def test_keywords_near_the_topics_are_above_all_random_lists_and_others_are_not() -> None:
    for each in figures(keywords="near", group=None):
        assert each["baseline"]["figures"]["b1"]["p"] == 0.01
        assert each["b1"]["value"] > each["baseline"]["figures"]["b1"]["high"]
    for each in figures(keywords="fillers", group=None):
        assert each["baseline"]["figures"]["b1"]["p"] > 0.05


def test_topics_say_what_they_are_about_and_in_which_class() -> None:
    first, second, *_ = result()["topics"]
    assert first["share"] + second["share"] == pytest.approx(1, abs=1e-5)
    assert first["share_by_label"].keys() == {"biased", "neutral"}
    assert set(first["cells"]) == {"near", "fillers", "<script>"}
    assert len(first["nearest"]["near"]) == 5
    assert len(first["examples"]) == 3


def test_groups_are_compared_on_samples_of_equal_size() -> None:
    biased, neutral = (
        figures(group={"by": "label", "value": value}, keywords="near", missing="zero")[0]
        for value in ("biased", "neutral")
    )
    assert biased["documents"] == neutral["documents"]
    found = [
        each
        for each in result()["differences"]
        if (each["keywords"], each["missing"], each["figure"]) == ("near", "zero", "b1")
        and each["by"] == "label"
    ]
    assert [(each["first"], each["second"]) for each in found] == [("biased", "neutral")]
    difference = biased["b1"]["value"] - neutral["b1"]["value"]
    assert found[0]["difference"]["value"] == pytest.approx(difference, abs=2e-6)


def test_classes_about_different_things_differ() -> None:
    sea = KeywordList("sea", "made", NEAR[:4])
    settings = Settings(topics=(2,), words=(5,), seeds=(0, 1, 2), lists=0, by=("label",))
    found = measure([(planted(240), [sea])], settings, alike)["differences"]
    b1 = next(each["difference"] for each in found if each["figure"] == "b1")
    assert b1["low"] > 0


def test_keywords_are_told_apart_by_how_many_are_known_and_stand_in_it() -> None:
    near, _, odd, *_ = result()["keywords"]
    assert (near["in_corpus"], near["coverage"]) == (16, 1)
    assert (odd["in_corpus"], odd["coverage"], odd["mean_similarity"]) == (1, 0.5, None)
    said = "the similarity does not know 1 of 2 keywords of '<script>': nameless"
    assert result()["notes"] == [said]


def test_the_same_seed_gives_the_same_bytes() -> None:
    # In another process the order of sets is another one; here what is given is turned round.
    made = planted(120)
    turned = Documents("planted", made.texts, dict(made.facts), None, "en", 120)
    settings = Settings(topics=(2,), words=(5,), seeds=(0,), lists=9)
    one, again = (measure([(d, [NEAR_LIST, ODD])], settings, alike) for d in (made, turned))
    assert json.dumps(again) == json.dumps(one)


def test_several_corpora_have_one_measure_made_of_all_their_texts() -> None:
    one = planted(60)
    other = Documents("other", planted(60, 1).texts, {}, None, "en", 60)
    asked: list[Any] = []

    def kept(words: Sequence[str], corpora: Sequence[Documents], seed: int) -> Vectors:
        asked.append((words, corpora, seed))
        return alike(words, corpora, seed)

    settings = Settings(topics=(2,), words=(5,), seeds=(3,), lists=0)
    found = measure([(one, [NEAR_LIST]), (other, [ODD])], settings, kept)
    assert [each["name"] for each in found["corpora"]] == ["planted", "other"]
    assert [each["corpus"] for each in found["figures"]][::2] == ["planted", "other"]
    assert {each["baseline"] for each in found["figures"]} == {None}
    assert found["figures"][0]["b1"]["low"] is None  # one seed has no interval
    ((words, corpora, seed),) = asked
    assert (corpora, seed) == ([one, other], 3)
    assert {"nameless", "harbour", NEAR[0]} <= set(words)


def of_label(label: str, name: str) -> Documents:
    """Return the documents of a class as a corpus of their own; the biased ones are at sea."""
    made = planted()
    texts = [text for text, of in zip(made.texts, made.facts["label"], strict=True) if of == label]
    return Documents(name, texts, {}, None, "en", len(texts))


def test_corpora_are_compared_on_samples_of_equal_size() -> None:
    sea = KeywordList("sea", "made", NEAR[:4])
    other = KeywordList("other", "made", NEAR[4:6])
    corpora = [
        (of_label("biased", "wet"), [sea, other]),
        (of_label("neutral", "dry"), [sea, KeywordList("other", "made", NEAR[6:8])]),
        (replace(of_label("neutral", "sec"), language="fr"), [sea]),
        (Documents("small", planted(60).texts, {}, None, "en", 60), [sea]),
    ]
    settings = Settings(topics=(2,), words=(5,), seeds=(0, 1), lists=0)
    said: list[str] = []
    found = measure(corpora, settings, alike, said.append)
    assert any(line.startswith("wet: 2 topics of a sample of wet, seed 0 (") for line in said)
    assert {
        tuple(each[key] for key in ("corpus", "keywords", "by", "first", "second"))
        for each in found["differences"]
    } == {(None, "sea", "corpus", "wet", "dry")}
    b1 = next(each["difference"] for each in found["differences"] if each["figure"] == "b1")
    assert b1["low"] > 0
    assert found["notes"] == ["small: not compared with other corpora, which needs 100 documents"]


def test_a_group_without_a_frequent_word_is_left_out_and_it_is_said() -> None:
    made = planted()
    texts = [*made.texts, *(f"single{row}" for row in range(120))]
    facts = {"label": [*made.facts["label"], *[""] * 120], "year": ["1999"] * 320 + ["2000"] * 120}
    odd = Documents("odd", texts, facts, None, "en", len(texts))
    settings = Settings(topics=(2,), words=(5,), seeds=(0,), lists=0, by=("year",))
    found = measure([(odd, [NEAR_LIST])], settings, alike)
    groups = [each["group"] for each in found["figures"] if each["group"]]
    assert {group["value"] for group in groups} == {"1999"}
    assert found["differences"] == []
    assert found["notes"] == [
        "odd: year 2000 left out: no word of its sentences is frequent in the corpus"
    ]


def test_of_a_list_that_the_corpus_has_not_there_are_no_random_lists() -> None:
    made = planted()
    texts = [text.replace("farma", "").replace("farmb", "") for text in made.texts]
    documents = Documents("fallow", texts, {}, None, "en", len(texts))
    lists = [
        KeywordList("absent", "made", ["farma", "farmb"]),
        KeywordList("rare", "made", ["farma", "farmb", NEAR[0]]),
    ]
    settings = Settings(topics=(2,), words=(5,), seeds=(0,), lists=9, by=())
    found = measure([(documents, lists)], settings, alike)
    baselines = {each["keywords"]: each["baseline"] for each in found["figures"]}
    assert baselines["absent"] is None
    assert baselines["rare"]["lists"] == 9
    (absent,) = found["notes"]
    assert absent.startswith("fallow: none of its sentences has a keyword of 'absent'")


def test_words_are_as_frequent_as_in_the_smallest_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_PER_WORD", 50)
    made = planted(60)
    texts = [f"{text} seldom" for text in made.texts[:2]]
    large = Documents("large", [*texts, *made.texts[2:], *["harbour"] * 100])
    settings = Settings(topics=(2,), words=(5,), seeds=(0,), lists=0, by=())
    alone = measure([(large, [NEAR_LIST])], settings, alike)
    beside = measure([(large, [NEAR_LIST]), (made, [NEAR_LIST])], settings, alike)
    assert [each["settings"]["least"] for each in (alone, beside)] == [3, 2]
    assert beside["corpora"][0]["vocabulary"] > alone["corpora"][0]["vocabulary"]


def test_a_list_of_which_nothing_is_known_does_not_cost_the_others() -> None:
    lists = [KeywordList("none", "made", ["nameless"]), NEAR_LIST]
    settings = Settings(topics=(2,), words=(5,), seeds=(0,), lists=0, by=())
    found = measure([(planted(), lists)], settings, alike)
    assert {each["keywords"] for each in found["figures"]} == {NEAR_LIST.name}
    assert found["notes"][0].endswith("1 of 1 keyword of 'none': nameless; they are left out")


@pytest.mark.parametrize(
    ("lists", "changed", "said"),
    [
        ([KeywordList("none", "made", ["nameless"])], {}, "knows none of the keywords 'none'"),
        ([NEAR_LIST, NEAR_LIST], {}, "two lists of keywords are called 'near'"),
        ([NEAR_LIST], {"topics": (700,)}, "has 320 documents, fewer than 700 topics: give fewer"),
        ([NEAR_LIST], {"by": ("year",)}, "cannot compare groups by year"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_anything_is_fitted(
    lists: list[KeywordList], changed: dict[str, Any], said: str
) -> None:
    said_before: list[str] = []
    with pytest.raises(UsageError, match=said):
        measure([(planted(), lists)], Settings(**changed), alike, said_before.append)
    assert said_before == []


def test_a_corpus_without_words_is_refused() -> None:
    short = Documents("short", ["mill", "river", "king", "queen"], {}, None, "en", 4)
    with pytest.raises(UsageError, match="no word but stop words stands in 2 of its sentences"):
        measure([(short, [NEAR_LIST])], Settings(topics=(2,)), alike)


VECTORS = {"sea": [1.0, 0.0], "tide": [0.8, 0.6], "farm": [0.0, 1.0], "barn": [-0.6, 0.8]}


class Learnt(Vectors):
    """Vectors that were learnt from a text."""

    def seen(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether the text has each word; it has but "sea"."""
        return np.array([word == "sea" for word in words])


def test_a_list_tells_its_words_and_a_corpus_its_size_without_stop_words() -> None:
    made = Documents("made", ["the sea is wide", "the tide"] * 5, {}, None, "en", 40)
    words = ["sea", "tide", "farm", "nameless"]
    lists = [KeywordList("list", "by hand", words), KeywordList("one", "", ["sea"])]
    stop_words = {"made": frozenset({"the", "is"})}
    settings = Settings((1,), (2,), (0,), lists=0, by=(), stop_words=stop_words)
    found = measure([(made, lists)], settings, lambda *_: Vectors(VECTORS))
    sizes = {"documents": 10, "of": 40, "vocabulary": 3, "words_per_document": 1.5}
    assert found["corpora"] == [{"name": "made", "language": "en", **sizes}]
    first, alone = found["keywords"]
    assert first["mean_similarity"] == pytest.approx((0.8 + 0 + 0.6) / 3, abs=1e-6)
    assert (first["in_corpus"], first["coverage"], first["seen"]) == (2, 0.75, None)
    assert (first["corpus"], first["name"], first["source"]) == ("made", "list", "by hand")
    assert alone["mean_similarity"] is None
    learnt = measure([(made, lists)], settings, lambda *_: Learnt(VECTORS))
    assert learnt["keywords"][0]["seen"] == 0.25


WORDS = [*VECTORS, "nameless"]
TABLE = SimilarityTable(Vectors(VECTORS), WORDS, WORDS)
TOPICS = Topics(
    [["farm", "barn", "nameless"], ["sea", "tide", "farm"]],
    np.array([[0.9, 0.1], [0.2, 0.8], [0.1, 0.9], [0.1, 0.9]]),
    0,
)
TEXTS = ["a barn on a farm", "the tide", "the open sea", "the open sea"]
LABELS = {"label": ["biased", "biased", "neutral", ""]}
LISTS = [KeywordList("water", "made", ["sea", "tide"]), KeywordList("rare", "made", ["nameless"])]


def topics(texts: list[str] = TEXTS, facts: dict[str, list[str]] | None = None) -> list[dict]:  # type: ignore[type-arg]
    documents = Documents("made", texts, LABELS if facts is None else facts)
    return list(described(documents, TOPICS, LISTS, TABLE, 2))


def test_the_topic_of_the_largest_share_comes_first() -> None:
    found = topics()
    assert [each["topic"] for each in found] == [1, 2]
    assert [each["words"][0] for each in found] == ["sea", "farm"]
    assert [each["share"] for each in found] == pytest.approx([0.675, 0.325])
    assert found[0]["share_by_label"] == pytest.approx({"biased": 0.45, "neutral": 0.9})
    for facts in ({}, {"label": [""] * 4}):
        assert topics(facts=facts)[0]["share_by_label"] is None


def test_nearest_keywords_with_their_word_and_cells_that_make_up_b1() -> None:
    first, second = topics()
    assert [each["keyword"] for each in first["nearest"]["water"]] == ["sea", "tide"]
    assert first["nearest"]["water"][0] == {"keyword": "sea", "word": "sea", "similarity": 1}
    assert first["nearest"]["rare"] == []
    assert second["nearest"]["water"] == [
        {"keyword": "tide", "word": "farm", "similarity": pytest.approx(0.6)}
    ]
    for each in (first, second):
        for name in ("water", "rare"):
            assert np.mean(each["cells"][name]) == pytest.approx(each["b1"][name])
    assert first["cells"]["water"] == pytest.approx([0.9, 0.9])
    assert first["mean_max"]["water"] == pytest.approx(1)


def test_examples_are_the_sentences_most_of_a_topic_each_once_and_cut() -> None:
    assert topics()[0]["examples"] == ["the open sea", "the tide", "a barn on a farm"]
    long = topics(["x" * 600, "b", "c", "d"])[1]["examples"][0]
    assert long == "x" * 500 + "…"
    begin = "the harbour of the isles is the pride of the county"  # of versions, one
    versions = [f"{begin} and noble", "the tide", f"{begin} and old", begin]
    assert topics(versions)[0]["examples"] == [f"{begin} and old", "the tide"]


def test_eight_is_held_still_where_it_is_among_the_numbers() -> None:
    for made, base in ((Settings(), 8), (Settings(topics=(3, 5), words=(3,)), 3)):
        assert (made.base_topics, made.base_words) == (base, base)


def test_the_page_has_a_section_for_all_that_was_measured(measured: dict[str, Any]) -> None:
    found = page(measured)
    ids = [each.id for each in found.sections if isinstance(each, Section)]
    shown = ["overview", "topics", "grid", "groups", "corpora", "correlations"]
    assert ids == [*shown, "provenance"]
    text = html(found)
    assert "&lt;script&gt;" in text
    assert "<script>" not in text
    assert "&lt;other&gt;" in text
    for topic in measured["topics"]:
        assert topic["words"][0] in text


def test_what_was_not_measured_has_no_section(measured: dict[str, Any]) -> None:
    measured["figures"] = [e for e in measured["figures"] if (e["topics"], e["words"]) == (2, 8)]
    measured["figures"] = [e for e in measured["figures"] if e["group"] is None]
    for part in ("differences", "correlations", "topics"):
        measured[part] = []
    ids = [each.id for each in page(measured).sections if isinstance(each, Section)]
    assert ids == ["overview", "topics", "provenance"]
    html(page(measured))


def test_figures_that_are_not_defined_are_dashes(measured: dict[str, Any]) -> None:
    for each in measured["figures"]:
        each["baseline"] = None
        for interval in (each["b1"], *each["b2"].values()):
            interval.update(value=None, low=None, high=None)
    tables = [each for each in summary(measured) if isinstance(each, Table)]
    assert tables[0].rows[0][2:7] == ["–"] * 5
    html(page(measured))


def test_the_terminal_tells_figures_and_what_they_say(measured: dict[str, Any]) -> None:
    blocks = summary(measured)
    tables = [each for each in blocks if isinstance(each, Table)]
    assert [row[0] for row in tables[0].rows] == ["near", "fillers", "<script>"]
    assert tables[0].title.startswith("planted: 320 sentences, 2 topics of 8 words, cosine of")
    lines = [each for each in blocks if isinstance(each, str)]
    near = "Topics of planted are closer to 'near' than to 99 of 99 random lists"
    assert any(line.startswith(near) for line in lines)
    assert lines[-1] == "And 2 lists more, in the table above."
