"""What rewriters are trained on, their folders, and what is measured of rewrites."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from rewriting import pairs, pairs_file
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.neutralising import measures, rewriters
from wikibias.research.neutralising.rewriters import REWRITERS, Pair, rewrites


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return pairs_file(tmp_path)


def test_sentences_of_a_test_set_are_not_learnt_in_any_form(table: Path, tmp_path: Path) -> None:
    test = tmp_path / "test.tsv"
    test.write_text("src\ttgt\nthe famous mill of the town was closed in 1961 .\tthe hall .\n")
    told: list[str] = []
    data = rewriters.read_data([table], [test], told.append)
    assert len(data.pairs) == len(pairs()) - 1
    assert data.facts["excluded"] == 1
    assert told == ["left out 1 pair with a sentence of the files to exclude"]


def test_a_test_set_without_a_header_has_the_columns_of_the_pairs(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("1\ta mill\tthe mill\n2\ta hall\tthe hall\n")
    (tmp_path / "b.tsv").write_text("1\ta mill\tit\n")
    data = rewriters.read_data(
        [tmp_path / "a.tsv"], [tmp_path / "b.tsv"], lambda _: None, source="2", target="3"
    )
    assert [pair.source for pair in data.pairs] == ["a hall"]


def test_a_sentence_that_is_too_long_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(f"source\ttarget\n{'word ' * 10_000}\tword\na mill\tthe mill\n")
    told: list[str] = []
    data = rewriters.read_data([path], [], told.append)
    assert (len(data.pairs), told) == (1, ["left out 1 pair of more than 20,000 characters"])


def test_another_rewriter_is_replaced_only_if_asked(table: Path, tmp_path: Path) -> None:
    data = rewriters.read_data([table], [], pytest.fail)
    out = tmp_path / "m"
    rewriters.train(REWRITERS.create("edit-table"), data, out)
    assert "## Limits" in (out / "README.md").read_text()
    with pytest.raises(UsageError, match="--overwrite"):
        rewriters.train(REWRITERS.create("copy"), data, out)
    rewriters.train(REWRITERS.create("copy"), data, out, overwrite=True)
    assert sorted(path.name for path in out.iterdir()) == ["README.md", "rewriter.json"]


def test_each_line_has_an_answer_with_its_edits() -> None:
    model = REWRITERS.create("edit-table").fit(pairs())
    long = "mill " * 5000
    text = f"The notorious mill.\n\nThe mill.\n{long}\n"
    told: list[str] = []
    found = list(rewrites(model, io.BytesIO(text.encode()), "-", told.append))
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


def scored(outputs: tuple[str, ...], targets: tuple[str, ...]) -> float:
    rows = [measures.GIVEN.counts(o, t) for o, t in zip(outputs, targets, strict=True)]
    return float(measures.GIVEN.scores(np.array([np.sum(rows, axis=0)], dtype=float))[0])


@pytest.mark.parametrize("outputs", [OUTPUTS, BLEU_TARGETS, ("the bridge was opened in 1932", "")])
def test_it_is_the_bleu_of_the_literature(outputs: tuple[str, ...]) -> None:
    known = BLEU(tokenize="none", smooth_method="none", force=True)
    expected = known.corpus_score(list(outputs), [list(BLEU_TARGETS)]).score
    assert scored(outputs, BLEU_TARGETS) == pytest.approx(expected)
    assert scored(("a b c x d e f", ""), ("a b c d e f", "")) == 0.0  # no four in a row
    assert scored(("", ""), BLEU_TARGETS) == 0.0


SOURCE = "the notorious mill was closed in 1961".split()
TARGET = "the mill was closed in 1961".split()


def test_what_goes_the_right_way_gets_more_than_a_copy_and_a_wrong_deletion_less() -> None:
    copy = measures.sari(SOURCE, SOURCE, TARGET)
    wrong = measures.sari(SOURCE, "the notorious mill was closed".split(), TARGET)
    other = measures.sari(SOURCE, "quite another text of six words".split(), TARGET)
    assert other < 20 < wrong < copy < 100.0 == measures.sari(SOURCE, TARGET, TARGET)
    assert measures.sari([], [], []) == 100.0


LIBRARY_OUTPUTS = ["The mill, built in 1850, was closed.", "He said that it was a well-known case."]
LIBRARY_TARGETS = ["The old mill, built in 1850, was closed.", "He said it was a well-known case."]


def test_the_sum_of_sentences_gives_the_score_of_all() -> None:
    rows = [
        measures.TEXT.counts(o, t) for o, t in zip(LIBRARY_OUTPUTS, LIBRARY_TARGETS, strict=True)
    ]
    found = measures.TEXT.scores(np.array([np.sum(rows, axis=0)], dtype=float))
    expected = BLEU(smooth_method="none").corpus_score(LIBRARY_OUTPUTS, [LIBRARY_TARGETS]).score
    assert found[0] == pytest.approx(expected)


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
    path = tmp_path / name
    path.write_text(FILES[name])
    found = measures.read_rewrites(path, pytest.fail, **NAMED)
    assert found == {"source": ['the "old mill', "b b"], "target": ["the mill", "c c"]}


def test_rows_without_a_side_are_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("before\tafter\n\nthe old mill\tthe mill\nthe hall\t\n")
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
    path = tmp_path / "a.tsv"
    path.write_text(text)
    with pytest.raises(WikibiasError, match=says.replace("?", r"\?")):
        measures.read_rewrites(path, pytest.fail, **columns)
