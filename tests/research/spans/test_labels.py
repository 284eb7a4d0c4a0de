"""Labels of words, the spans that they mark, and taggers by name."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_pairs import PRAISE, made_sentences, pairs_file, trained
from put import put
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.examples import LONGEST as LONGEST_TEXT
from wikibias.research.lexicons import Lexicon
from wikibias.research.spans import taggers
from wikibias.research.spans.crf import Crf, features
from wikibias.research.spans.labels import (
    GOLD_ENDS,
    LONGEST,
    PREDICTED_ENDS,
    Source,
    Tagged,
    cleaned,
    first_orphan,
    labelled,
    names_of_sources,
    of_neutral,
    of_pair,
    parse_columns,
    read_examples,
    read_labelled,
    spans,
    texts,
    without_near_duplicates,
)

LABELS = st.lists(st.sampled_from(["O", "B-bias", "I-bias"]), max_size=12)


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("", []),
        ("O O", []),
        ("B I O B", [(0, 2), (3, 4)]),
        ("B B I", [(0, 1), (1, 3)]),
        ("I I O I", [(0, 2), (3, 4)]),
        ("B-framing I-demographic", [(0, 2)]),
    ],
)
def test_spans_begin_with_b_or_with_an_i_after_o(labels: str, found: list[object]) -> None:
    assert spans(labels.split()) == found


@given(LABELS)
def test_labels_of_the_spans_are_the_labels_without_orphans(labels: list[str]) -> None:
    made = labelled(len(labels), spans(labels))
    assert spans(made) == spans(labels)
    assert first_orphan(made) is None
    assert (made == labels) == (first_orphan(labels) is None)


@pytest.mark.parametrize(
    ("source", "target", "labels"),
    [
        ("A truly old mill.", "An old mill.", "B-bias I-bias O O O"),
        ("The famous old mill stood.", "The mill stood.", "O B-bias I-bias O O O"),
        ("The mill stood.", "The mill stood there.", "O O O O"),
        ("He was a hero and a saint.", "He was a man and a bishop.", "O O O B-bias O O B-bias O"),
        ("水车极好", "水车好", "O O B-bias O"),
    ],
)
def test_what_the_edit_changed_is_marked(source: str, target: str, labels: str) -> None:
    found = of_pair(source, target)
    assert list(found.labels) == labels.split()
    assert found.edited
    assert found.biased == ("B-bias" in labels)


def test_a_neutral_sentence_has_no_span() -> None:
    found = of_neutral("The mill stood.", "7")
    assert (found.words, found.biased, found.group) == (("The", "mill", "stood", "."), False, "7")


CASES = [
    # words, labels, of a gold sentence, of a predicted one where it differs
    ("the famous mill burned .", "B I O O O", "O B O O O", None),
    ("The , famous mill .", "B I I O O", "O O B O O", None),
    ("a mill , and famous", "O B I I O", "O B I O O", "O B I I O"),
    ("a mill , famous it", "O B I O O", "O B O O O", None),
    ("mill amd famous it", "B I O O", "B I O O", "B O O O"),
    ("a mill of the", "O O B I", "O O B O", None),
    ("a mill of and", "O O B I", "O O B I", None),
    ("famous mills stood", "I I O", "B I O", None),
    ("a mill famous it", "O I I O", "O B I O", None),
    ("the mad .", "B-framing I-framing O", "O B-framing O", None),
]


@pytest.mark.parametrize(("words", "labels", "gold", "predicted"), CASES)
def test_edges_of_spans(words: str, labels: str, gold: str, predicted: str | None) -> None:
    assert cleaned(words.split(), labels.split(), GOLD_ENDS) == gold.split()
    wanted = (predicted or gold).split()
    assert cleaned(words.split(), labels.split(), PREDICTED_ENDS) == wanted


def test_sentences_with_spaces_tabs_and_any_line_ends(tmp_path: Path) -> None:
    path = put(tmp_path / "a.conll", "A O O\r\nfine\tB-bias  O\r\n\r\nMill O I\nstood O O")
    said: list[str] = []
    first, second = read_labelled(path, None, said.append)
    assert (first.words, first.gold) == (["A", "fine"], ["O", "B-bias"])
    assert second.predicted == ["I", "O"]
    assert said == [f"{path}:4: 1 sentence with a span of the prediction that begins with I"]


def test_two_columns_are_words_and_gold_unless_both_are_labels(tmp_path: Path) -> None:
    (sentence,) = read_labelled(put(tmp_path / "a.conll", "A O\nfine B\n"), None, pytest.fail)
    assert sentence.gold == ["O", "B"]
    assert sentence.predicted is None
    labels = put(tmp_path / "a.conll", "B O\nO B\n")
    with pytest.raises(UsageError, match=r"a.conll:1: 2 columns; say what they hold"):
        list(read_labelled(labels, None, pytest.fail))
    (sentence,) = read_labelled(labels, parse_columns("prediction,gold"), pytest.fail)
    assert (sentence.words, sentence.gold) == (None, ["O", "B"])
    columns = parse_columns("-,word,gold,-")
    (sentence,) = read_labelled(
        put(tmp_path / "a.conll", "1 A O X\n2 fine B Y\n"), columns, pytest.fail
    )
    assert sentence.words == ["A", "fine"]


def test_odd_lines_are_counted_and_named_once(tmp_path: Path) -> None:
    long = "word O O\n" * (LONGEST + 1)
    path = put(tmp_path / "a.conll", f"\nA O O\n\n\n\nfine I O\n\n{long}")
    said: list[str] = []
    sizes = [len(sentence.gold or ()) for sentence in read_labelled(path, None, said.append)]
    assert sizes == [1, 1, LONGEST + 1]
    assert said == [
        f"{path}:1: 3 empty lines behind no sentence (this is the first)",
        f"{path}:6: 1 sentence with a span of the gold that begins with I",
        f"{path}:8: 1 sentence of over 1,000 words; is an empty line missing?",
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("gold,predicted", "unknown column 'predicted'; did you mean 'prediction'?"),
        ("gold,gold", "gold stands there twice"),
        ("", "unknown column ''"),
    ],
)
def test_names_of_columns(given: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        parse_columns(given)
    assert parse_columns(None) is None


def test_pairs_give_marked_sources_and_plain_targets(tmp_path: Path) -> None:
    source = Source(pairs_file(tmp_path))
    found = read_examples([source], neutral=1.0, seed=0, warn=print)
    rows = [*found["train"], *found["dev"]]
    assert sum(each.biased for each in rows) == sum(not each.biased for each in rows) == 120
    assert 0 < len(found["dev"]) < len(found["train"])
    assert found == read_examples([source], neutral=1.0, seed=0, warn=print)
    few = read_examples([source], neutral=0.25, seed=0, warn=print)
    assert sum(not each.biased for each in [*few["train"], *few["dev"]]) == 30


def test_splits_of_the_file_hold_and_test_is_left_alone(tmp_path: Path) -> None:
    lines = [
        "split\tsource\ttarget",
        "train\tthe famous mill\tthe mill",
        "dev\tthe glorious bridge\tthe bridge",
        "test\tthe truly old school\tthe school",
        "train\tthe mill\tthe mill fell",
        "train\tthe famous mill\tthe mill",
    ]
    said: list[str] = []
    source = Source(put(tmp_path / "p.tsv", "\n".join(lines)))
    found = read_examples([source], neutral=0, seed=0, warn=said.append)
    assert [each.words[1] for each in found["train"]] == ["famous"]
    assert [each.words[1] for each in found["dev"]] == ["glorious"]
    assert said == [
        f"{source.path}:4: left out 1 pair of the split test",
        f"{source.path}:5: left out 1 pair whose edit only added words",
    ]


def test_files_of_words(tmp_path: Path) -> None:
    text = "".join(f"a{n} O\nfine B-framing\n\nb{n} O\n\n" for n in range(40))
    source = Source(put(tmp_path / "p.conll", text + "x B\n" * (LONGEST + 1)))
    said: list[str] = []
    found = read_examples([source], neutral=0, seed=0, warn=said.append)
    rows = [*found["train"], *found["dev"]]
    assert len(rows) == 80
    assert ("O", "B-bias") in {each.labels for each in rows}
    assert len(said) == 1  # the sentence whose end is missing
    assert next(iter(texts(source, lambda _: None))) == ("a0", "fine")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.tsv", "source\ttarget\na mill\ta mill fell\n", "no biased span to learn from"),
        ("p.tags", "B O\n", "no column word"),
        ("none.tsv", "", "no file"),
    ],
)
def test_nothing_to_learn_from(name: str, text: str, said: str, tmp_path: Path) -> None:
    if text:
        put(tmp_path / name, text)
    source = Source(tmp_path / name, columns=("gold", "prediction") if text == "B O\n" else None)
    with pytest.raises(WikibiasError, match=said):
        read_examples([source], neutral=1, seed=0, warn=lambda _: None)


def test_several_files_count_as_one(tmp_path: Path) -> None:
    one = Source(put(tmp_path / "a.tsv", "source\ttarget\nthe famous mill\tthe mill\n"))
    two = Source(put(tmp_path / "b.tsv", "source\ttarget\nthe famous inn\tthe inn\n"))
    found = read_examples([one, two, one], neutral=1, seed=0, warn=print)
    rows = [*found["train"], *found["dev"]]
    wanted = ["the famous inn", "the famous mill", "the inn", "the mill"]
    assert sorted(" ".join(each.words) for each in rows) == wanted
    assert names_of_sources([one, two]) == f"{one.path} + {two.path}"


def test_the_same_and_nearly_the_same_are_left_out() -> None:
    sentences = [
        of_neutral("The mill of the upper valley burned in 1874 ."),
        of_neutral("The mill of the upper valley burned down in 1874 and was rebuilt ."),
        of_neutral("A school for girls opened near the harbour ."),
    ]
    held = [("the", "mill", "of", "the", "upper-valley", "burned", "in", "1874")]
    left, same, near = without_near_duplicates(sentences, held)
    assert [each.words for each in left] == [sentences[2].words]
    assert (same, near) == (1, 1)
    assert without_near_duplicates(sentences, [])[0] == sentences
    assert without_near_duplicates([], [("a",)])[0] == []


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
        (lambda d: d.update(tagger="other"), "nothing installed adds a tagger 'other'"),
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
