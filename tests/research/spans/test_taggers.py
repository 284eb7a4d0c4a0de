"""Taggers by name, and their folders."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_pairs import PRAISE, made_sentences, trained
from wikibias.errors import WikibiasError
from wikibias.models.examples import LONGEST as LONGEST_TEXT
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans import taggers
from wikibias.research.spans.crf import Crf, features
from wikibias.research.spans.labels import Tagged


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tagger = taggers.TAGGERS.create("frequent").fit(made_sentences(5), [])
    taggers.TAGGERS.save(tagger, tmp_path, {})
    return tmp_path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(format="wikibias-tagger/9"), "not the description of a tagger of this"),
        (lambda d: d.update(files=None), "damaged"),
        (lambda d: d.update(files={"../x": {"bytes": 1, "sha256": ""}}), "no file '../x'"),
        (lambda d: d["files"]["change_rates.json"].update(bytes=9**20), "larger than 2 GB"),
        (lambda d: d.update(tagger="other"), "nothing installed adds a tagger 'other'"),
        (lambda d: d.update(parameters=7), "damaged"),
        (lambda d: d.update(parameters={"prior": "x"}), "damaged"),
        (lambda d: d.update(parameters={"prior": -3}), "damaged"),
    ],
)
def test_damaged_descriptions(folder: Path, change: Callable[[Any], object], said: str) -> None:
    path = folder / taggers.TAGGERS.folder.description
    described = json.loads(path.read_text())
    change(described)
    path.write_text(json.dumps(described))
    with pytest.raises(WikibiasError, match=said):
        taggers.TAGGERS.load(folder)
    assert taggers.TAGGERS.folder.is_ours(folder)


LISTS = [Lexicon.of("praise", PRAISE[:2])]


@pytest.fixture(scope="module")
def tagger() -> Crf:
    return Crf(lexicons=LISTS, l1=0.05, l2=0.5).fit(made_sentences(60), [])


def test_it_finds_what_editors_take_out(tagger: Crf) -> None:
    sentences = [each for each in made_sentences(20, seed=7) if each.biased]
    found = tagger.probabilities([each.words for each in sentences])
    for sentence, words in zip(sentences, found, strict=True):
        assert words.shape == (len(sentence.words), 2)
        top = taggers.top_word(words)
        assert top is not None
        assert sentence.words[top] in PRAISE
        assert words[top].sum() > 0.9


def test_what_was_learnt_from_small_letters_ignores_case(tagger: Crf) -> None:
    one, other = tagger.probabilities([["The", "Truly", "Mill"], ["the", "truly", "mill"]])
    assert np.array_equal(one, other)


def test_a_saved_one_answers_alike(tagger: Crf, tmp_path: Path) -> None:
    taggers.TAGGERS.save(tagger, tmp_path, {})
    loaded, described = taggers.TAGGERS.load(tmp_path)
    sentence = ["the", "glorious", "mill", "fell"]
    before, after = (each.probabilities([sentence])[0] for each in (tagger, loaded))
    assert np.array_equal(before, after)
    assert described["lexicons"] == {"praise": ["famously", "truly"]}
    assert sorted(described["files"]) == ["change_rates.json", "model.crfsuite"]


def test_the_same_sentences_make_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        Crf().fit(made_sentences(10), []).save(tmp_path)
        (tmp_path / "model.crfsuite").rename(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("content", [b"", b"x" * 100, b"lCRF\x09\x00\x00\x00 short"])
def test_what_is_no_model(content: bytes, tagger: Crf, tmp_path: Path) -> None:
    described = tagger.save(tmp_path)
    (tmp_path / "model.crfsuite").write_bytes(content)
    with pytest.raises(WikibiasError, match="not a model of CRFsuite"):
        Crf.load(tmp_path, {"seed": 0, "parameters": {}, **described})


def of(*words: str) -> list[set[str]]:
    return [set(each) for each in features(words, [0.0] * len(words))]


def test_a_word_by_its_form_its_pieces_and_its_neighbours() -> None:
    mill, famous, _ = of("Mill", "famously", "1723")
    assert {"0=mill", "shape=Xx", "+1=famously", "-1=<"} <= mill
    assert {"suf=ly", "suf=usly", "pre=fa", "gram=^fam", "-1|0=mill|famously"} <= famous
    assert "shapes=Xx|x" in famous
    great, water, number = of("великолепный", "水", "۱۲")
    assert {"suf=ный", "shape=x"} <= great
    assert "shape=x" in water
    assert "shape=9" in number


def test_rates_and_lists() -> None:
    lists = [Lexicon.of("praise", ["truly fine"])]
    first, second, third = (
        set(f) for f in features(["Truly", "fine", "mill"], [0, 0.16, 0.02], lists)
    )
    assert "in=praise" in first & second
    assert {"rate>=0.15", "rate=highest"} <= second
    assert "rate=highest" not in third
    assert features([], []) == []


BASELINE_LISTS = [Lexicon.of("a", ["so called", "truly"]), Lexicon.of("b", ["truly"])]


def top(tagger: taggers.Tagger, sentence: str) -> str | None:
    words = sentence.split()
    place = taggers.top_word(tagger.probabilities([words])[0])
    return None if place is None else words[place]


def test_the_word_that_was_changed_most_often() -> None:
    tagger = taggers.TAGGERS.create("frequent").fit(made_sentences(30), [])
    assert top(tagger, f"The {PRAISE[0].upper()} mill stood .") == PRAISE[0].upper()


def test_the_word_that_is_in_most_lists() -> None:
    tagger = taggers.TAGGERS.create("lexicon", lexicons=BASELINE_LISTS)
    assert top(tagger, "the so called mill is truly old") == "truly"
    assert tagger.probabilities([["so", "called", "mill"]])[0].sum(axis=1).tolist() == [0.5, 0.5, 0]


def test_the_longest_word_that_is_no_name() -> None:
    tagger = taggers.TAGGERS.create("longest")
    assert top(tagger, "he saw Constantinople 123456789012 often") == "often"


@pytest.mark.parametrize("name", ["frequent", "lexicon", "longest"])
def test_a_saved_baseline_answers_alike(name: str, tmp_path: Path) -> None:
    tagger = taggers.TAGGERS.create(name, lexicons=BASELINE_LISTS).fit(made_sentences(20), [])
    taggers.TAGGERS.save(tagger, tmp_path, {})
    loaded, _ = taggers.TAGGERS.load(tmp_path)
    words = [["the", "truly", "glorious", "mill"], []]
    for one, other in zip(tagger.probabilities(words), loaded.probabilities(words), strict=True):
        assert np.array_equal(one, other)
        assert one.shape[1] == 2


ONE = Tagged(("A", "fine", "mill"), ("O", "B-bias", "O"))
TWO = Tagged(("Fine", "old", "mill"), ("B-bias", "I-bias", "O"))
THREE = Tagged(("a", "fine", "bridge"), ("O", "O", "O"))


def test_a_change_of_two_words_counts_half_for_each() -> None:
    counted = taggers.ChangeRates.of([ONE, TWO, THREE])
    assert counted.rates(["FINE", "old", "mill", "new"], 1) == pytest.approx([1.5 / 4, 0.25, 0, 0])


def test_a_sentence_does_not_count_for_itself() -> None:
    counted = taggers.ChangeRates.of([ONE, TWO, THREE])
    assert counted.rates_elsewhere(TWO, 1) == pytest.approx(
        taggers.ChangeRates.of([ONE, THREE]).rates(TWO.words, 1)
    )


def test_neighbours_make_one_span_unless_another_begins() -> None:
    words = np.array([[0.4, 0.2], [0.1, 0.5], [0.6, 0.1], [0.1, 0.1], [0.1, 0.5]])
    assert taggers.decode(words, 0.5) == ["B-bias", "I-bias", "B-bias", "O", "B-bias"]
    assert taggers.decode(words, 0.65) == ["O", "O", "B-bias", "O", "O"]
    assert taggers.decode(np.zeros((0, 2)), 0.5) == []
    assert taggers.top_word(np.array([[0.1, 0.1], [0.3, 0.3], [0.6, 0]])) == 1
    assert taggers.top_word(np.zeros((0, 2))) is None


@pytest.fixture(scope="module")
def marker(tmp_path_factory: pytest.TempPathFactory) -> taggers.Marker:
    return taggers.Marker(trained(tmp_path_factory.mktemp("marker")))


def test_spans_are_places_in_the_text(marker: taggers.Marker) -> None:
    (shown,) = marker.mark(["“The Truly old, glorious mill” stood."])
    assert [each["text"] for each in shown["spans"]] == ["Truly", "glorious"]
    for each in shown["spans"]:
        assert shown["text"][each["start"] : each["end"]] == each["text"]
    assert shown["top"] is not None
    assert shown["top"]["text"] in ("Truly", "glorious")


def test_a_line_out_for_each_line_in(marker: taggers.Marker) -> None:
    said: list[str] = []
    lines = io.BytesIO(b"the truly old mill\n\n" + b"x " * LONGEST_TEXT + b"\n")
    found = [*taggers.marked_lines(marker, lines, said.append)]
    assert [len(each["spans"]) for each in found] == [1, 0, 0]
    assert found[1] == {"text": "", "spans": [], "top": None}
    assert said == ["read only the first 20,000 characters of 1 longer line"]


def test_a_description_without_a_threshold(folder: Path) -> None:
    with pytest.raises(WikibiasError, match="damaged"):
        taggers.Marker(folder)
