"""Words of a sentence, and the rewriter that deletes or replaces one by learnt tables."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import cases
from rewriting import pairs
from wikibias.errors import WikibiasError
from wikibias.research.lexicons import Lexicon
from wikibias.research.neutralising.edit_table import EditTable, Ranker, fit_ranker
from wikibias.research.neutralising.rewriters import REWRITERS, Pair
from wikibias.research.neutralising.words import (
    Change,
    Evidence,
    NgramModel,
    changes,
    detokenise,
    edited,
    shares,
    words,
)

_ROAD = "The station stands by a wide road."
NEW = {
    "The hideous inn of the town was closed in 1961.": "The inn of the town was closed in 1961.",
    "the awful inn of the town was closed .": "the inn of the town was closed .",
    "The inn of the town claimed that costs rose.": "The inn of the town said that costs rose.",
}


@pytest.fixture(scope="module")
def model() -> EditTable:
    return EditTable(lang="en", least=0.0).fit(pairs())


def test_it_does_what_editors_did(model: EditTable) -> None:
    assert model.rewrite([*NEW]) == [*NEW.values()]


def test_it_leaves_what_editors_left() -> None:
    roads = [f"The mill stands by a {word} road." for word in ("wide", "long", "old")]
    learnt = EditTable(lang="en").fit([*pairs(), *(Pair(road, road) for road in roads * 10)])
    first = next(iter(NEW))
    assert learnt.rewrite([first, _ROAD]) == [NEW[first], _ROAD]


def test_a_saved_one_and_one_of_the_same_pairs_are_alike(model: EditTable, tmp_path: Path) -> None:
    for name, made in (("a", model), ("b", EditTable(lang="en", least=0.0).fit(pairs()))):
        REWRITERS.save(made, tmp_path / name, {})
    assert REWRITERS.load(tmp_path / "a")[0].rewrite([*NEW]) == model.rewrite([*NEW])
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_with_least_0_it_always_edits_and_with_1_never(model: EditTable) -> None:
    assert model.rewrite([_ROAD]) != [_ROAD]
    assert EditTable(least=1.0).fit(pairs()).rewrite([_ROAD]) == [_ROAD]


@pytest.mark.parametrize("count", range(1, 6))
def test_a_handful_of_pairs_is_enough_to_try(count: int) -> None:
    few = [Pair(f"A famous mill of {n}00 workers.", f"A mill of {n}00 workers.") for n in (1, 2, 3)]
    learnt = EditTable().fit((few * 2)[:count])
    assert learnt.rewrite(["A famous inn."])[0] in ("A famous inn.", "A inn.")


def test_lists_of_words_help_with_words_that_no_pair_has() -> None:
    words = Lexicon.of("loaded", ["ghastly", "notorious", "hideous", "terrible", "lovely"])
    model = EditTable(lexicons=[words], least=0.0).fit(pairs())
    found = model.rewrite(["The ghastly station by the river was shut."])
    assert found == ["The station by the river was shut."]


def test_odd_texts_are_no_trouble(model: EditTable) -> None:
    long = "the famous mill " * 1250
    assert model.rewrite(["", "...", "著名"])[0] == ""
    assert len(model.rewrite([long])[0]) >= len(long) - 20


def test_nothing_to_learn() -> None:
    with pytest.raises(WikibiasError, match="nothing can be learnt"):
        EditTable().fit([Pair("a mill", "a mill"), Pair("a mill", "a mill of the town")])


def test_changes_of_a_pair() -> None:
    source, target = words("the awful mill of the town claimed"), words("the mill of a town said")
    found = [Change(1, 2, ()), Change(4, 5, ("a",)), Change(6, 7, ("said",))]
    assert changes(source, target) == found
    assert shares(4, [Change(0, 1, ()), Change(2, 4, ()), Change(1, 1, ("x",))]) == [1, 0, 0.5, 0.5]


def test_what_is_changed_more_often_than_others_has_more_evidence() -> None:
    found = Evidence()
    for fold, (word, share) in enumerate([("awful", 1.0), ("mill", 0.0), ("mill", 0.0)] * 5):
        found.add({"word": (word,)}, share, fold % 3)
    assert found.log_odds("word", "awful") > 0 > found.log_odds("word", "mill")
    assert 0 < found.share("word", "mill") < found.base() < found.share("word", "awful") < 1
    # All that is known of "awful" is in fold 0.
    assert found.seen("word", "awful", 0) == found.log_odds("word", "awful", 0) == 0
    assert found.log_odds("word", "unknown") == 0
    always = Evidence()
    for fold in range(3):
        always.add({"word": ("awful",)}, 1.0, fold)
    assert 0 < always.share("word", "awful", 0) <= always.share("word", "awful") < 1


SENTENCES = ["the mill of the town", "the bridge of the town", "a mill by the river"] * 3


def ngram_model() -> NgramModel:
    found = NgramModel()
    for fold, sentence in enumerate(SENTENCES):
        found.add(sentence.split(), fold)
    return found


def test_a_word_that_was_never_seen_there_is_better_gone() -> None:
    keys = "the awful mill of the town".split()
    gains = [ngram_model().gain(keys, place, ()) for place in range(len(keys))]
    assert max(range(len(keys)), key=gains.__getitem__) == 1


def test_a_replacement_that_was_seen_there_gains() -> None:
    keys = "the hall of the town".split()
    assert ngram_model().gain(keys, 1, ("mill",)) > ngram_model().gain(keys, 1, ("river",))
    assert ngram_model().gain(keys, 1, ("hall",)) == 0


def test_a_fold_that_is_left_out_is_not_counted() -> None:
    found = NgramModel()
    found.add(["odd", "words"], 0)
    found.add(["the", "mill"], 1)
    never = NgramModel()
    never.add(["the", "mill"])
    keys = ["the", "words", "mill"]
    assert found.gain(keys, 1, (), 0) == never.gain(keys, 1, ())


def test_the_right_candidates_come_first_and_the_model_survives_json() -> None:
    rng = np.random.default_rng(0)
    groups = []
    for _ in range(60):
        features = rng.normal(size=(5, 3))
        groups.append((features, (features[:, 1] == features[:, 1].max()).astype(float)))
    ranker = fit_ranker(groups)
    again = Ranker.of(ranker.as_dict())
    assert again is not None
    right = sum(int(again.probabilities(f).argmax() == m.argmax()) for f, m in groups)
    assert right > 50
    assert again.probabilities(groups[0][0]).sum() == pytest.approx(1.0)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    evidence = Evidence()
    evidence.add({"word": ("awful",), "end": ("ful",)}, 1.0)
    evidence.add({"word": ("mill",)}, 0.0)
    evidence.save(tmp_path / "e.parquet")
    read = Evidence.load(tmp_path / "e.parquet")
    for view, key in (("word", "awful"), ("end", "ful"), ("word", "mill"), ("", "")):
        assert read.share(view, key) == evidence.share(view, key)

    ngrams, again = NgramModel(), NgramModel()
    ngrams.add(["the", "mill"])
    ngrams.save(tmp_path / "n.parquet")
    again.read(tmp_path / "n.parquet")
    assert again.gain(["the", "hall"], 1, ("mill",)) == ngrams.gain(["the", "hall"], 1, ("mill",))


@pytest.mark.parametrize(
    "text",
    [
        "The well-known mills, O'Hara said, closed.",
        "the well - known mills , o ' hara said , closed .",
        "the well - known mill ##s , o ' hara said , closed .",
    ],
)
def test_text_tokens_and_pieces_have_the_same_words(text: str) -> None:
    keys = "the|well-known|mills|,|o|'|hara|said|,|closed|."
    assert [word.key for word in words(text)] == keys.split("|")


def test_a_dash_between_spaces_joins_nothing_in_a_text_with_stops() -> None:
    assert "was-it" not in [word.key for word in words("It was - it seems - closed, and sold.")]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Él dijo «no»", "él dijo « no »"),
        ("著名演员。", "著 名 演 员 。"),
        ("नमस्ते दुनिया", "नमस्ते दुनिया"),
        ("l'été ##s", "l ' étés"),
        ("", ""),
    ],
)
def test_other_scripts(text: str, keys: str) -> None:
    assert [word.key for word in words(text)] == keys.split()


@given(st.text(max_size=60))
def test_words_stand_in_order_and_hold_all_letters(text: str) -> None:
    found = words(text)
    at = 0
    for word in found:
        assert at <= word.start < word.end <= len(text)
        assert not any(char.isalnum() for char in text[at : word.start])
        at = word.end


@pytest.mark.parametrize("case", cases("rewrite_repairs"))
def test_an_edit_leaves_a_text_that_reads_well(case: dict[str, Any]) -> None:
    start = case["text"].index(case["word"])
    end = start + len(case["word"])
    found = edited(case["text"], start, end, case.get("by", ""), case.get("lang"))
    assert found == case["left"]


@given(st.text(max_size=40), st.data())
def test_any_text_can_be_edited_and_all_far_away_stays(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = edited(text, start, end, "", "en")
    assert len(found) <= len(text) + 1  # an article may grow
    assert (
        edited(text, start, start, "x", None)
        == text[:start] + ("X" if text[start : start + 1].isupper() else "x") + text[start:]
    )


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("the mill ##s closed , at last .", "the mills closed, at last."),
        ('he said " it is well - known " ( 1961 ) .', 'he said "it is well-known" (1961).'),
        ("the town ' s hall", "the town's hall"),
        ("Text that is one already, with (marks).", "Text that is one already, with (marks)."),
        ("", ""),
    ],
)
def test_tokens_become_text(tokens: str, text: str) -> None:
    assert detokenise(tokens) == text
