"""Words of a sentence, rewriters, and what is measured of rewrites."""

import io
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from paths import cases
from put import put
from rewriting import pairs, pairs_file
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.lexicons import Lexicon
from wikibias.research.neutralising import measures, rewriters
from wikibias.research.neutralising.edit_table import EditTable, Ranker, fit_ranker
from wikibias.research.neutralising.rewriters import REWRITERS, Pair, rewrites
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

FEW = pairs()[::3]
_ROAD = "The station stands by a wide road."
NEW = {
    "The hideous inn of the town was closed in 1961.": "The inn of the town was closed in 1961.",
    "the awful inn of the town was closed .": "the inn of the town was closed .",
    "The inn of the town claimed that costs rose.": "The inn of the town said that costs rose.",
}


@pytest.fixture(scope="module")
def model() -> EditTable:
    return EditTable(lang="en", least=0.0).fit(FEW)


def test_it_does_what_editors_did(model: EditTable) -> None:
    assert model.rewrite([*NEW]) == [*NEW.values()]


@pytest.fixture(scope="module")
def careful() -> EditTable:
    """One that chose itself how likely an edit must be."""
    roads = [f"The mill stands by a {word} road." for word in ("wide", "long", "old")]
    return EditTable(lang="en").fit([*pairs(), *(Pair(road, road) for road in roads * 10)])


def test_it_leaves_what_editors_left(careful: EditTable) -> None:
    first = next(iter(NEW))
    assert careful.rewrite([first, _ROAD]) == [NEW[first], _ROAD]


def test_a_saved_one_and_one_of_the_same_pairs_are_alike(model: EditTable, tmp_path: Path) -> None:
    for name, made in (("a", model), ("b", EditTable(lang="en", least=0.0).fit(FEW))):
        REWRITERS.save(made, tmp_path / name, {})
    assert REWRITERS.load(tmp_path / "a")[0].rewrite([*NEW]) == model.rewrite([*NEW])
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_with_least_0_it_always_edits_and_with_1_never(model: EditTable) -> None:
    assert model.rewrite([_ROAD]) != [_ROAD]
    never = copy(model)
    never.least = 1.0
    assert never.rewrite([_ROAD]) == [_ROAD]


@pytest.mark.parametrize("count", range(1, 6))
def test_a_handful_of_pairs_is_enough_to_try(count: int) -> None:
    few = [Pair(f"A famous mill of {n}00 workers.", f"A mill of {n}00 workers.") for n in (1, 2, 3)]
    learnt = EditTable().fit((few * 2)[:count])
    assert learnt.rewrite(["A famous inn."])[0] in ("A famous inn.", "A inn.")


def test_lists_of_words_help_with_words_that_no_pair_has() -> None:
    words = Lexicon.of("loaded", ["ghastly", "notorious", "hideous", "terrible", "lovely"])
    model = EditTable(lexicons=[words], least=0.0).fit(FEW)
    found = model.rewrite(["The ghastly station by the river was shut."])
    assert found == ["The station by the river was shut."]


def test_odd_texts_are_no_trouble(model: EditTable) -> None:
    long = "the famous mill " * 400
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
    gains = [ngram_model().gain(keys, place) for place in range(len(keys))]
    assert max(range(len(keys)), key=gains.__getitem__) == 1


def test_a_fold_that_is_left_out_is_not_counted() -> None:
    found = NgramModel()
    found.add(["odd", "words"], 0)
    found.add(["the", "mill"], 1)
    never = NgramModel()
    never.add(["the", "mill"])
    keys = ["the", "words", "mill"]
    assert found.gain(keys, 1, 0) == never.gain(keys, 1)


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
    assert again.gain(["the", "hall"], 1) == ngrams.gain(["the", "hall"], 1)


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


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return pairs_file(tmp_path)


def test_sentences_of_a_test_set_are_not_learnt_in_any_form(table: Path, tmp_path: Path) -> None:
    found = "src\ttgt\nthe famous mill of the town was closed in 1961 .\tthe hall .\n"
    told: list[str] = []
    data = rewriters.read_data([table], [put(tmp_path / "test.tsv", found)], told.append)
    assert len(data.pairs) == len(pairs()) - 1
    assert data.facts["excluded"] == 1
    assert told == ["left out 1 pair with a sentence of the files to exclude"]


def test_a_test_set_without_a_header_has_the_columns_of_the_pairs(tmp_path: Path) -> None:
    pairs = put(tmp_path / "a.tsv", "1\ta mill\tthe mill\n2\ta hall\tthe hall\n")
    test = put(tmp_path / "b.tsv", "1\ta mill\tit\n")
    data = rewriters.read_data([pairs], [test], lambda _: None, source="2", target="3")
    assert [pair.source for pair in data.pairs] == ["a hall"]


def test_a_sentence_that_is_too_long_is_left_out(tmp_path: Path) -> None:
    rows = f"source\ttarget\n{'word ' * 10_000}\tword\na mill\tthe mill\n"
    path = put(tmp_path / "pairs.tsv", rows)
    told: list[str] = []
    data = rewriters.read_data([path], [], told.append)
    assert (len(data.pairs), told) == (1, ["left out 1 pair of more than 20,000 characters"])


def test_another_rewriter_is_replaced_only_if_asked(table: Path, tmp_path: Path) -> None:
    data = rewriters.read_data([table], [], pytest.fail)._replace(pairs=pairs()[:12])
    out = tmp_path / "m"
    rewriters.train(REWRITERS.create("edit-table"), data, out)
    assert "## Limits" in (out / "README.md").read_text()
    with pytest.raises(UsageError, match="--overwrite"):
        rewriters.train(REWRITERS.create("copy"), data, out)
    rewriters.train(REWRITERS.create("copy"), data, out, overwrite=True)
    assert sorted(path.name for path in out.iterdir()) == ["README.md", "rewriter.json"]


def test_each_line_has_an_answer_with_its_edits(careful: EditTable) -> None:
    long = "mill " * 5000
    text = f"The notorious mill.\n\nThe mill.\n{long}\n"
    told: list[str] = []
    found = list(rewrites(careful, io.BytesIO(text.encode()), "-", told.append))
    assert [answer["rewrite"] for answer in found] == ["The mill.", "", "The mill.", long]
    edit = {"type": "deletion", "source": "4:13", "target": "", "before": "notorious", "after": ""}
    assert [answer["edits"] for answer in found] == [[edit], [], [], []]
    assert told == ["left 1 line of more than 20,000 characters as they are"]


def test_a_copy_leaves_every_sentence_as_it_is(tmp_path: Path) -> None:
    texts = ["The notorious mill.", "", "?"]
    REWRITERS.save(REWRITERS.create("copy").fit(pairs()), tmp_path, {})
    assert REWRITERS.load(tmp_path)[0].rewrite(texts) == texts


def test_pairs_of_one_page_share_a_fold_and_all_folds_are_used() -> None:
    assert Pair("a", "b", "page 1").fold(0, 10) == Pair("c", "d", "page 1").fold(0, 10)
    assert {Pair(f"{n}", "").fold(0, 10) for n in range(200)} == set(range(10))


SOURCES = [
    f"the {word} mill of the town was closed in {1900 + n}"
    for n, word in enumerate("notorious famous hideous lovely great terrible awful grand".split())
]
TARGETS = [f"the mill of the town was closed in {1900 + n}" for n in range(len(SOURCES))]
JUDGED = [*zip(SOURCES, TARGETS, strict=True)] * 3


def scores(outputs: list[str], **more: Any) -> dict[str, Any]:
    return measures.summary(measures.measure(SOURCES, TARGETS, outputs, **more), resamples=200)


def test_a_copy_and_the_editors_text_are_the_two_ends() -> None:
    copy, right = scores(SOURCES), scores(TARGETS)
    assert (copy["n"], copy["exact"], copy["unchanged"]) == (8, 0, 8)
    assert (right["bleu"], right["exact_pct"], right["unchanged"]) == (100.0, 100.0, 0)
    assert copy["bleu"] < 100
    assert (copy["change_rate"], copy["chrf_to_source"]) == (0.0, 100.0)
    assert right["sari"] == 100.0 > copy["sari"]
    assert copy["bias_left"] is None
    judged = scores(TARGETS, bias=lambda texts: np.full(len(texts), 0.25))
    assert (judged["bias_left"], judged["intervals"]["bias_left"]) == (0.25, [0.25, 0.25])


def test_intervals_hold_the_score_and_are_the_same_each_time() -> None:
    outputs = [*TARGETS[:4], *SOURCES[4:]]
    found = scores(outputs)
    low, high = found["intervals"]["exact_pct"]
    assert low < found["exact_pct"] == 50.0 < high
    assert found == scores(outputs)
    assert "no success rate" in found["note"]
    one = measures.summary(measures.measure(SOURCES[:1], TARGETS[:1], TARGETS[:1]))
    assert (one["exact"], one["intervals"]) == (1, {})


@pytest.mark.parametrize(
    ("source", "output", "rate"),
    [("a b c d", "a b c d", 0), ("a b c d", "a b d", 25), ("a b", "a x", 50), ("", "", 0)],
)
def test_tokens_changed(source: str, output: str, rate: float) -> None:
    assert measures.change_rate(source.split(), output.split()) == rate


BLEU_TARGETS = (
    "the bridge was opened in 1932 and carries the coast road .",
    "the council said that the plan would cost less .",
)
OUTPUTS = (
    "the bridge was opened in 1932 and carries the famous coast road .",
    "the council claimed that the plan would cost less .",
)


def scored(outputs: Sequence[str], targets: Sequence[str], by: Any = measures.GIVEN) -> float:
    rows = [by.counts(o, t) for o, t in zip(outputs, targets, strict=True)]
    return float(by.scores(np.array([np.sum(rows, axis=0)], dtype=float))[0])


LIBRARY_OUTPUTS = ["The mill, built in 1850, was closed.", "He said that it was a well-known case."]
LIBRARY_TARGETS = ["The old mill, built in 1850, was closed.", "He said it was a well-known case."]


@pytest.mark.parametrize("outputs", [OUTPUTS, BLEU_TARGETS, ("the bridge was opened in 1932", "")])
def test_it_is_the_bleu_of_the_literature(outputs: tuple[str, ...]) -> None:
    known = BLEU(tokenize="none", smooth_method="none", force=True)
    expected = known.corpus_score(list(outputs), [list(BLEU_TARGETS)]).score
    assert scored(outputs, BLEU_TARGETS) == pytest.approx(expected)
    assert scored(("a b c x d e f", ""), ("a b c d e f", "")) == 0.0  # no four in a row
    assert scored(("", ""), BLEU_TARGETS) == 0.0
    of_texts = BLEU(smooth_method="none").corpus_score(LIBRARY_OUTPUTS, [LIBRARY_TARGETS]).score
    found = scored(LIBRARY_OUTPUTS, LIBRARY_TARGETS, measures.TEXT)
    assert found == pytest.approx(of_texts)


SOURCE = "the notorious mill was closed in 1961".split()
TARGET = "the mill was closed in 1961".split()


def test_what_goes_the_right_way_gets_more_than_a_copy_and_a_wrong_deletion_less() -> None:
    copy = measures.sari(SOURCE, SOURCE, TARGET)
    wrong = measures.sari(SOURCE, "the notorious mill was closed".split(), TARGET)
    other = measures.sari(SOURCE, "quite another text of six words".split(), TARGET)
    assert other < 20 < wrong < copy < 100.0 == measures.sari(SOURCE, TARGET, TARGET)
    assert measures.sari([], [], []) == 100.0


def test_chrf_is_100_for_the_same_text_and_falls_with_each_word() -> None:
    assert measures.chrf(LIBRARY_TARGETS[0], LIBRARY_TARGETS[0]) == 100.0
    assert 50 < measures.chrf(LIBRARY_OUTPUTS[0], LIBRARY_TARGETS[0]) < 100


def judged(outputs: list[str], success: Callable[[int], int]) -> dict[str, Any]:
    """Return how the measures of rewrites agree with whether each is a success."""
    verdicts = measures.parse_verdicts([str(success(n)) for n in range(len(JUDGED))])
    measured = measures.measure([s for s, _ in JUDGED], [t for _, t in JUDGED], outputs)
    return measures.agreement(measured, verdicts, resamples=50)


def test_a_measure_that_tells_successes_apart_agrees_and_one_that_does_not_does_not() -> None:
    found = judged([t if n % 2 else s for n, (s, t) in enumerate(JUDGED)], lambda n: n % 2)
    assert (found["n"], found["success"]) == (24, 12)
    for name in ("exact", "changed", "sentence_bleu", "sari"):
        assert found[name]["accuracy"]["value"] == 1.0
        assert found[name]["roc_auc"]["value"] == 1.0
    assert found["always"]["accuracy"]["value"] == 0.5
    assert found["always"]["mcc"]["value"] == 0.0
    assert "bias_removed" not in found


def test_no_row_helps_to_judge_itself() -> None:
    """A threshold chosen on the same rows would make noise look like agreement."""
    outputs = [f"{s} {'x ' * (n * 7 % 11)}" for n, (s, _) in enumerate(JUDGED)]
    found = judged(outputs, lambda n: n * 5 % 7 % 2)
    assert found["change_rate"]["accuracy"]["value"] < 0.8


@pytest.mark.parametrize(
    ("given", "says"), [(["1", "perhaps"], "row 2 has 'perhaps'"), (["1", "yes"], "same verdict")]
)
def test_verdicts_that_cannot_be_used(given: list[str], says: str) -> None:
    with pytest.raises(WikibiasError, match=says):
        measures.parse_verdicts(given)


NAMED = {"source": "before", "target": "after"}
FILES = {
    "a.tsv": 'before\tafter\nthe "old mill\tthe mill\nb b\tc c\n',
    "a.csv": 'before,after\n"the ""old mill",the mill\nb b,c c\n',
    "a.jsonl": '{"before": "the \\"old mill", "after": "the mill"}\n'
    '{"after": "c c", "before": "b b", "more": null}\n',
}


@pytest.mark.parametrize("name", FILES)
def test_columns_by_name(name: str, tmp_path: Path) -> None:
    found = measures.read_rewrites(put(tmp_path / name, FILES[name]), pytest.fail, **NAMED)
    assert found == {"source": ['the "old mill', "b b"], "target": ["the mill", "c c"]}


def test_rows_without_a_side_are_left_out_and_counted(tmp_path: Path) -> None:
    path = put(tmp_path / "a.tsv", "before\tafter\n\nthe old mill\tthe mill\nthe hall\t\n")
    lines: list[str] = []
    assert measures.read_rewrites(path, lines.append, **NAMED)["source"] == ["the old mill"]
    assert lines == [f"{path}:4: left out 1 row without target"]


@pytest.mark.parametrize(
    ("text", "columns", "says"),
    [
        ("befor\tafter\na b\tc\n", NAMED, "no column 'before'; did you mean 'befor'?"),
        ("a b\tc d\n", {"source": "3", "target": "1"}, "no column '3'"),
        ("before\tafter\n", NAMED, "no row of texts"),
        ("", NAMED, "no column"),
    ],
)
def test_no_rewrites(text: str, columns: dict[str, str], says: str, tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match=says.replace("?", r"\?")):
        measures.read_rewrites(put(tmp_path / "a.tsv", text), pytest.fail, **columns)
