from pathlib import Path
from typing import Any

from blocks import changed, changes, of, quiet, sides, words
from made_tables import day, write_rows
from wikibias.kits.document import Passage, Piece, Quote, Section, Text
from wikibias.reports.corpus_statistics import Place
from wikibias.reports.edit_samples import MOST_CHANGES, MOST_CHARACTERS, kept, rejected

EDIT: dict[str, Any] = {
    "page_title": "Halvern",
    "lang": "simple",
    "tags": ["POV", "Weasel"],
    "comment": "reworded",
    "after_timestamp": day(2007, 1),
    "diff_url": "https://en.demo.example/w/index.php?diff=7&oldid=6",
    "pairing": "removal-edit",
    "days_tagged": 282.5,
    "removed": ["A finest mill.", "Gone for ever."],
    "added": ["A new one.", "A large mill."],
}
PAIRED: dict[str, Any] = {
    "pair_id": ["0", ""],
    "counterpart": ["A large mill.", ""],
    "relation": ["rewritten", "deleted"],
    "changed_spans": ["2:8", ""],
    "added_pair_id": ["", "0"],
    "added_counterpart": ["", "A finest mill."],
    "added_relation": ["inserted", "rewritten"],
    "added_changed_spans": ["", "2:7"],
}


def shown(tmp_path: Path, **facts: Any) -> Section:
    write_rows(tmp_path, "edits/p", [{**EDIT, **facts}])
    (found,) = kept([Place(tmp_path / "edits/p.parquet", 0)])
    return found


def test_partners_stand_side_by_side_and_others_below(tmp_path: Path) -> None:
    found = shown(tmp_path, **PAIRED)
    pair, others = changes(found)
    pieces = (Piece("A ", False), Piece("finest", True), Piece(" mill.", False))
    assert pair.before == (Passage(pieces),)
    assert changed(pair.after) == ["large"]
    assert pair.note == "rewritten"
    assert sides(others) == ("Gone for ever.", "A new one.")
    assert others.note == "without a counterpart"


def test_the_facts_of_an_edit(tmp_path: Path) -> None:
    found = shown(tmp_path)
    assert found.title == "Halvern"
    facts, summary = of(found, Text)
    *texts, link = facts.parts
    assert texts == ["2007-01-02 · ", "POV, Weasel · ", "tagged for 282 days · "]
    assert link.url == EDIT["diff_url"]
    assert words(summary) == "Summary: reworded"
    (quote,) = of(found, Quote)
    assert (quote.lang, quote.sides) == ("simple", ("removed", "added"))


def test_a_sentence_that_was_split_is_one_change(tmp_path: Path) -> None:
    facts = {
        **PAIRED,
        "removed": ["A mill and a dam.", "Gone."],
        "added": ["A mill.", "A dam."],
        "added_pair_id": ["0", "0"],
        "added_changed_spans": ["", "0:1"],
    }
    pair, alone = changes(shown(tmp_path, **facts))
    assert sides(pair) == ("A mill and a dam.", "A mill. A dam.")
    assert sides(alone) == ("Gone.", "")


def test_a_partner_outside_of_the_tagged_part_is_shown(tmp_path: Path) -> None:
    facts = {**PAIRED, "removed": [], **{name: [] for name in PAIRED if "added" not in name}}
    pair, alone = changes(shown(tmp_path, **facts))
    assert sides(pair) == ("A finest mill.", "A large mill.")
    assert sides(alone) == ("", "A new one.")


def test_an_earlier_version_paired_nothing(tmp_path: Path) -> None:
    assert [sides(change) for change in changes(shown(tmp_path))] == [
        ("A finest mill.", "A new one."),
        ("Gone for ever.", "A large mill."),
    ]


def test_in_an_addition_the_tagged_revision_is_the_newer_one(tmp_path: Path) -> None:
    (quote,) = of(shown(tmp_path, pairing="addition-edit"), Quote)
    assert quote.sides == ("tagged revision", "untagged revision")


def test_an_edit_of_many_long_sentences_is_cut(tmp_path: Path) -> None:
    found = shown(tmp_path, removed=["a" * 5000] * 30, added=[])
    assert len(changes(found)) == MOST_CHANGES
    assert quiet(found)[-1] == f"And {30 - MOST_CHANGES} more: see the diff."
    assert len(sides(changes(found)[0])[0]) == MOST_CHARACTERS + 1


def test_a_rejected_edit_shows_its_first_sentences(tmp_path: Path) -> None:
    write_rows(tmp_path, "rejects/p", [{**EDIT, "page_title": None, "page_id": 3, "lang": None}])
    (found,) = rejected([Place(tmp_path / "rejects/p.parquet", 0)])
    assert found.title == "page 3"
    assert sides(changes(found)[0]) == ("A finest mill.", "A new one.")
