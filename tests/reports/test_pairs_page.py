"""The page of sentence pairs: structure, escaping, determinism, several folders, predictions."""

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from blocks import figures, says, tables
from exports import wikibias
from made_pairs import PROVENANCE, pair, written_pairs
from page_checks import check
from wikibias.errors import WikibiasError
from wikibias.reports import pairs_page, pairs_statistics
from wikibias.reports.pairs_page import page
from wikibias.reports.pairs_statistics import Frequent, PairCounts, edits, of_pairs

BOMB = '<script>alert("x")</script> =HYPERLINK(1) \u202egnihtemos'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written_pairs(tmp_path / "pairs", 40)


def test_the_page_of_a_folder(folder: Path) -> None:
    text = page([folder], 0)
    found = check(text)
    assert [title for level, title in found.headings if level == 2] == [
        "What this is",
        "From edits to pairs",
        "What the folder holds",
        "What editors did",
        "Most frequent changes",
        "Length and similarity",
        "A sample of pairs",
        "Notes and limits",
    ]
    alts = [str(svg["aria-label"]) for svg in found.of("svg")]
    assert len(alts) == 6
    assert all(any(char.isdigit() for char in alt) for alt in alts)
    assert "<del>The splendid</del> orchard" in text
    assert "40 biased pairs" in found.text
    assert "14 neutral pairs" in found.text


def test_the_same_folder_gives_the_same_bytes_and_another_seed_other_samples(folder: Path) -> None:
    assert page([folder], 0) == page([folder], 0)
    assert page([folder], 0) != page([folder], 1)


def test_several_folders_stand_side_by_side(folder: Path, tmp_path: Path) -> None:
    other = written_pairs(tmp_path / "more", 10)
    found = check(page([folder, other], 0))
    titles = [title for level, title in found.headings if level == 2]
    assert titles == ["Side by side", "pairs", "more"]
    assert "before and after edits made for neutrality; sets may share some" in found.text
    assert "edits that gave pairs" in found.text.split("From edits to pairs")[0]


def test_what_others_wrote_is_only_shown(tmp_path: Path) -> None:
    made = replace(
        PROVENANCE, comment=BOMB, page_title=BOMB, diff_url="javascript:alert(1)", lang=BOMB
    )
    folder = written_pairs(tmp_path / "p", 4, source=f"{BOMB} stands.", provenance=made)
    predictions = tmp_path / "<b>.jsonl"
    predictions.write_text(json.dumps({"text": f"{BOMB} stands.", "rewrite": BOMB}) + "\n", "utf-8")
    text = page([folder], 0, [predictions])
    check(text)
    assert "<script" not in text
    assert "javascript:" not in text
    assert "\u202e" not in text


def test_an_empty_folder(tmp_path: Path) -> None:
    found = check(page([written_pairs(tmp_path / "p", 0)], 0))
    assert "The folder holds no pair" in found.text


def test_predictions_beside_the_editors(folder: Path, tmp_path: Path) -> None:
    marks, rewrites, none = (tmp_path / f"{name}.jsonl" for name in ("tagger", "rewriter", "none"))
    marks.write_text(
        json.dumps({"text": pair(101).source, "spans": [{"start": 4, "end": 12}]}), "utf-8"
    )
    rewrites.write_text(json.dumps({"text": pair(101).source, "rewrite": "It lies."}), "utf-8")
    none.write_text(json.dumps({"text": "Elsewhere.", "rewrite": "It lies."}), "utf-8")
    text = page([folder], 0, [marks, rewrites])
    check(text)
    assert "before, marked by tagger" in text
    assert "after, rewriter" in text
    assert "None of the sentences of the predictions" in page([folder], 0, [none])


def test_a_damaged_table_is_named(folder: Path) -> None:
    (folder / "pairs.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(WikibiasError, match=r"pairs\.parquet"):
        page([folder], 0)


def test_a_folder_without_its_lists(folder: Path) -> None:
    (folder / "funnel.json").write_text("[", "utf-8")
    (folder / "export.json").unlink()
    assert "There is no funnel.json in the folder" in check(page([folder], 0)).text


def test_the_command(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert wikibias("report", folder).code == 0
    assert (tmp_path / "report-pairs.html").is_file()
    assert not (folder / "report.html").exists()
    monkeypatch.chdir(folder)
    (tmp_path / "report-pairs.html").unlink()
    assert wikibias("report", ".").code == 0
    assert (tmp_path / "report-pairs.html").is_file()
    monkeypatch.chdir(tmp_path)
    assert wikibias("report", folder).code == 0
    ended = wikibias("report", folder, tmp_path)
    assert ended.code == 2
    assert "holds sentence pairs and" in ended.err
    (tmp_path / "p.jsonl").write_text("{}\n", "utf-8")
    ended = wikibias("report", folder, "--predictions", "p.jsonl")
    assert (ended.code, "p.jsonl:1: no prediction" in ended.err) == (1, True)
    ended = wikibias("report", tmp_path, "--predictions", "p.jsonl")
    assert (ended.code, "--predictions goes with" in ended.err) == (2, True)


FUNNEL: dict[str, Any] = {
    "matched": 597,
    "reverts": 75,
    "pover": 2,
    "kept": 520,
    "single_block": 173,
    "passed": 114,
    "biased": 105,
    "single_word": 18,
    "neutral": 311,
    "after_length_ratio": 97,
    "stages": {"not_one_block": 347, "restores_earlier": 59, "passed": 114},
    "verdicts": {"neutral": 311, "biased": 105},
    "length_ratio": {"mean": 1.1, "sd": 0.2},
}


def test_the_funnel_in_a_figure_and_in_tables() -> None:
    found = pairs_page.funnel_section(FUNNEL)
    (figure,) = figures(found)
    assert figure.alt == (
        "Of 597 edits, these steps take: reverts and robots 75, poverty 2, not one block 347, "
        "earlier text restored 59; 114 are left."
    )
    funnel, edits, sentences = tables(found)
    assert funnel.rows[-1] == ["biased pairs of usual lengths", "97"]
    assert edits.rows[0] == ["not one block", "347"]
    assert sentences.title == "Aligned sentences"
    assert "mean 1.1, sd 0.2" in says(found)[-1]


def test_edits_that_a_tag_found_have_no_steps_of_summaries() -> None:
    told = {"matched": 0, "stages": {"no_pair": 10, "passed": 3}}
    (figure,) = figures(pairs_page.funnel_section(told))
    assert figure.alt == "Of 13 edits, these steps take: no pair 10; 3 are left."


def test_a_funnel_of_a_file_of_pairs_begins_later() -> None:
    found = pairs_page.funnel_section({"matched": None, "biased": 832, "verdicts": {"biased": 832}})
    assert figures(found) == []
    assert tables(found)[0].rows == [["biased pairs", "832"]]


def test_no_funnel_and_a_damaged_one() -> None:
    for told in ({}, {"stages": [], "matched": "many", "length_ratio": 3}):
        assert "no funnel.json" in says(pairs_page.funnel_section(told))[0]


def test_what_editors_did() -> None:
    counts = PairCounts(
        labels=Counter(biased=4),
        single_word=1,
        types=Counter(deletion=5, addition=1),
        relations=Counter(rewritten=3, merged=1),
        spans=Counter({1: 2, 2: 2}),
    )
    found = pairs_page.edits(counts)
    assert says(found)[0].startswith("6 edited spans in 4 biased pairs, 1.50 a pair. In 1 (25%)")
    assert tables(found)[0].rows == [
        ["substitutions", "0", "0.0%"],
        ["deletions", "5", "83.3%"],
        ["additions", "1", "16.7%"],
    ]
    assert tables(found)[1].rows[0] == ["rewritten", "3", "75.0%"]


def test_frequent_changes_and_none() -> None:
    counts = PairCounts()
    assert says(pairs_page.changes(counts)) == ["Nothing was done more than once."]
    for _ in range(2):
        counts.changes["substitution"].add(("claimed", "said"))
        counts.changes["deletion"].add(("famous", ""))
    replaced, deleted = tables(pairs_page.changes(counts))
    assert (list(replaced.header), replaced.rows) == (
        ["was", "became", "times"],
        [["claimed", "said", "2"]],
    )
    assert deleted.rows == [["famous", "2"]]


def test_an_empty_folder_has_all_sections() -> None:
    counts = PairCounts()
    assert "holds no pair" in says(pairs_page.about({}, counts))[0]
    assert tables(pairs_page.composition(counts)) == []
    assert says(pairs_page.edits(counts)) == ["There is no biased pair."]
    assert says(pairs_page.lengths(counts)) == ["There is no pair."]


def test_facts_of_the_folder() -> None:
    counts = PairCounts(
        languages={f"l{n}": Counter(biased=n) for n in range(9)}, dumps={"20260101", "20260201"}
    )
    found = pairs_page.summary({"format": "x", "rules": "own", "files": {}}, counts)
    assert found["rules"] == "own"
    assert found["language"] == "l8, l7, l6, l5, l4, l3 and 3 more"
    assert found["dump of"] == "2026-01-01, 2026-02-01"
    assert "found by" not in found


def counts(**facts: Counter[int]) -> PairCounts:
    return PairCounts(**facts)  # type: ignore[arg-type]


def test_the_steps_of_a_harvest() -> None:
    drawn = pairs_page.stages_chart([("reverts", 75), ("poverty", 0), ("no pair", 3)], 100, "edit")
    assert drawn.title == "What is left of the edits"
    assert drawn.alt == "Of 100 edits, these steps take: reverts 75, no pair 3; 22 are left."
    assert "poverty" not in drawn.markup


def test_spans_of_a_sentence() -> None:
    assert pairs_page.spans_chart(counts(spans=Counter({1: 3, 5: 1}))).alt == (
        "1: 3, 2: 0, 3: 0, 4: 0, 5+: 1."
    )
    assert pairs_page.spans_chart(counts(spans=Counter({0: 2}))).alt.startswith("0: 2, 1: 0")


def test_words_changed_are_grouped() -> None:
    assert pairs_page.group_counts(Counter({0: 1, 1: 2, 4: 3, 5: 4, 10: 5, 11: 6, 99: 7})) == [
        1, 2, 0, 0, 7, 5, 13,
    ]  # fmt: skip
    drawn = pairs_page.changed_words_chart(counts(out=Counter({1: 2}), into=Counter({0: 2})))
    assert "words taken out: 0 in 0, 1 in 2" in drawn.alt


def test_similarity_by_tens_and_years_without_gaps() -> None:
    assert pairs_page.similarity_chart(counts(similarity=Counter({9: 3}))).alt.endswith("90: 3.")
    drawn = pairs_page.years_chart(counts(years=Counter({2004: 1, 2006: 2})))
    assert drawn.alt == "2004: 1, 2005: 0, 2006: 2."


ROW: dict[str, Any] = {
    "source": "The splendid, famous mill stands here.",
    "target": "The mill is here.",
    "label": "biased",
    "edit_type": ["deletion", "substitution"],
    "edit_source": ["4:20", "26:32"],
    "edit_target": ["", "9:11"],
}


def test_edits_are_told_by_their_words() -> None:
    assert list(edits(ROW)) == [
        ("deletion", "splendid, famous", ""),
        ("substitution", "stands", "is"),
    ]
    pieces = ROW | {"edit_type": ["deletion"], "edit_source": ["4:12 14:20"], "edit_target": [""]}
    assert list(edits(pieces)) == [("deletion", "splendid … famous", "")]


def test_a_pair_is_counted() -> None:
    counts = PairCounts()
    counts.add(ROW | {"single_word": False, "similarity": 100.0, "relation": "rewritten"})
    assert counts.types == Counter(deletion=1, substitution=1)
    assert counts.spans == Counter({2: 1})
    assert (counts.out, counts.into) == (Counter({3: 1}), Counter({1: 1}))
    assert counts.similarity == Counter({9: 1})
    assert counts.lengths["biased"] == Counter({6: 1})
    assert counts.changes["substitution"].of == Counter({("stands", "is"): 1})


def test_a_row_of_an_older_version_or_without_provenance_counts() -> None:
    counts = PairCounts()
    counts.add({"label": "biased", "source": None})
    counts.add({"label": "neutral", "after_timestamp": datetime(2020, 1, 1, tzinfo=UTC)})
    assert counts.labels == Counter(biased=1, neutral=1)
    assert counts.years == Counter({2020: 0})
    assert counts.languages == {"–": Counter(biased=1, neutral=1)}


def test_marks_alone_are_no_words_and_no_frequent_change() -> None:
    counts = PairCounts()
    row = {"label": "biased", "source": "Here, now.", "target": "Here; now."}
    edit = {"edit_type": ["substitution"], "edit_source": ["4:5"], "edit_target": ["4:5"]}
    counts.add(row | edit)
    assert counts.types["substitution"] == 1
    assert counts.out == Counter({0: 1})
    assert not counts.changes["substitution"].of


def test_the_rarest_are_forgotten_and_the_frequent_are_not() -> None:
    found = Frequent(most=100)
    for number in range(5000):
        found.add((f"word {number}", ""))
        found.add(("the", ""))
    assert len(found.of) <= 100
    assert found.first(3) == [(("the", ""), found.of["the", ""])]
    assert found.of["the", ""] == 5000


def test_a_folder_is_read_once_and_sampled_by_the_seed(tmp_path: Path) -> None:
    folder = written_pairs(tmp_path / "p", 60)
    found = of_pairs(folder, 0)
    assert found.labels == Counter(biased=60, neutral=20)
    assert sum(of["biased"] for of in found.splits.values()) == 60
    assert len(found.sample) == pairs_statistics.SAMPLE
    assert [place.row for place in found.sample] == [
        place.row for place in of_pairs(folder, 0).sample
    ]
    assert found.sample != of_pairs(folder, 1).sample
