"""Confidence: what the model says of sentences, and of tables of edits."""

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wikibias
from paths import cases
from wikibias.config.confidence import OTHER, load_confidence
from wikibias.edits.confidence import Evidence, features, probability

PLAIN = pd.DataFrame({"before": ["She was a truly legendary mayor."], "after": ["She was mayor."]})


def value(**columns: object) -> float:
    told = pd.DataFrame({name: [said] for name, said in columns.items()}, index=PLAIN.index)
    return float(wikibias.confidence(PLAIN.join(told)).iloc[0])


@pytest.mark.parametrize("case", cases("confidence"))
def test_what_is_surer_than_what(case: dict[str, list[str]]) -> None:
    frame = pd.DataFrame([case["surer"], case["less"]], columns=["before", "after"])
    surer, less = wikibias.confidence(frame)
    assert surer > less + 0.05


def test_a_series_with_the_index_of_the_frame() -> None:
    frame = pd.concat([PLAIN, PLAIN]).set_axis(["b", "a"])
    found = wikibias.confidence(frame)
    assert found.index.tolist() == ["b", "a"]
    assert found.name == "confidence"
    assert (wikibias.confidence(frame, of="neutral") + found).tolist() == pytest.approx([1, 1])


def test_what_is_missing_is_unknown_and_not_false() -> None:
    known = {"reverted": False, "tags_left": [], "relation": "rewritten"}
    for name, said in known.items():
        assert value(**{name: None}) == value(**{name: math.nan}) == value()
        assert 0 < value(**{name: said}) < 1
    assert value(comment="npov, removed praise") != value()
    assert value(sentences_removed=40) < value(sentences_removed=1) - 0.05
    assert value(tags_left=np.array(["POV"], object)) < value()


def test_without_one_side() -> None:
    (alone,) = wikibias.confidence(PLAIN[["before"]])
    (put_in,) = wikibias.confidence(PLAIN[["after"]])
    assert alone > 0.3 > put_in
    nothing = wikibias.confidence(pd.DataFrame({"before": [None], "after": [""]}))
    assert nothing.isna().all()


def test_the_source_is_less_neutral_than_the_target_and_not_the_other_way_round() -> None:
    turned = PLAIN.rename(columns={"before": "after", "after": "before"})
    (right,), (wrong,) = (wikibias.confidence(f, of="less_neutral") for f in (PLAIN, turned))
    assert right > 0.7 > 0.3 > wrong


def test_a_language_without_words_of_its_own_has_a_model_too() -> None:
    assert not load_confidence("vi").families
    assert load_confidence("vi") == load_confidence(OTHER)
    (found,) = wikibias.confidence(PLAIN, "vi")
    assert 0 < found < 1


@pytest.mark.parametrize("case", cases("confidence_of_languages"))
def test_words_tell_in_languages_of_which_no_sentence_was_judged(case: dict[str, Any]) -> None:
    frame = pd.DataFrame([case["surer"], case["less"]], columns=["before", "after"])
    surer, less = wikibias.confidence(frame, case["lang"])
    assert surer > less + 0.1
    surer, less = wikibias.confidence(frame, case["lang"], of="less_neutral")
    assert surer > 0.5 > less


def test_words_of_ones_own(cwd: Path) -> None:
    words = cwd / "configs" / "word_families" / "vi.toml"
    words.parent.mkdir(parents=True)
    words.write_text('strong_praise = "tuyệt vời"\n', encoding="utf-8")
    changes = pd.DataFrame({"before": ["Một ngôi nhà tuyệt vời."], "after": ["Một ngôi nhà."]})
    load_confidence.cache_clear()
    own = wikibias.confidence(changes, "vi")
    words.write_text('strong_prase = ""\n', encoding="utf-8")
    load_confidence.cache_clear()
    with pytest.raises(wikibias.UsageError, match=r"vi\.toml:1: .*strong_prase"):
        wikibias.confidence(changes, "vi")
    words.unlink()
    load_confidence.cache_clear()
    assert wikibias.confidence(changes, "vi").iloc[0] != own.iloc[0]


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (PLAIN, {"lang": "xx"}, "xx"),
        (PLAIN, {"of": "true"}, "of is 'true', and must be one of biased, neutral, less_neutral"),
        (pd.DataFrame({"text": ["a"]}), {}, "neither a column `before` nor a column `after`"),
    ],
)
def test_what_cannot_be_asked(frame: pd.DataFrame, options: dict[str, str], message: str) -> None:
    with pytest.raises(wikibias.UsageError, match=message):
        wikibias.confidence(frame, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("frame", "name", "meant"),
    [
        (PLAIN.rename(columns={"before": "befor"}), "befor", "before"),
        (PLAIN.rename(columns={"after": "After"}), "After", "after"),
        (PLAIN.assign(coment="rm POV"), "coment", "comment"),
    ],
)
def test_a_slip_in_the_name_of_a_column(frame: pd.DataFrame, name: str, meant: str) -> None:
    with pytest.warns(UserWarning, match=f"'{name}' is not read: did you mean '{meant}'"):
        assert len(wikibias.confidence(frame)) == len(PLAIN)


def test_columns_of_other_names_say_nothing() -> None:
    """Those of a table of a result, and one beside the column that it is like."""
    more = PLAIN.assign(target=1, summary="x", before_text="y", befor="z", section="a", page="b")
    with warnings.catch_warnings(action="error"):
        assert wikibias.confidence(more).equals(wikibias.confidence(PLAIN))


def test_every_weight_is_of_a_feature_that_there_is() -> None:
    """Weights that no sentence can reach would be a fit of other code."""
    begins = tuple(
        "is |edit |removed|added|unchanged|featured|has|lost|gained|summary|always|quotes|places|"
        "both|alone|only |same|share lost|words |swap |digits |names ".split("|")
    )
    for lang in ("en", "fr", OTHER):
        assert all(name.startswith(begins) for name in load_confidence(lang).weights)


@given(st.text(max_size=80), st.none() | st.text(max_size=80), st.text(max_size=30))
def test_any_texts_have_a_probability(text: str, other: str | None, summary: str) -> None:
    found = Evidence(summary=summary, lang="en")
    both = probability(text, other, "removed", found, ())
    assert 0 < both.biased < 1
    assert 0 < both.less_neutral < 1
    names = [name for name, _ in features(text, other, "removed", found, ())]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"reverted": "no"}, "column 'reverted' holds the text 'no'; give True or False"),
        ({"survived_days": "ten"}, "column 'survived_days' holds 'ten'; give a number"),
        ({"relation": "rewriten"}, "unknown relation 'rewriten'; did you mean 'rewritten'"),
    ],
)
def test_values_that_would_be_misread_are_refused(wrong: dict[str, str], said: str) -> None:
    with pytest.raises(wikibias.UsageError, match=said):
        wikibias.confidence(PLAIN.assign(**wrong))
