"""Samples of rows, and sampled edits and pairs as sections of a page."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from blocks import changed, changes, of, quiet, sides, words
from made_edits import edit
from made_pairs import pair
from wikibias.edits.filters import kept, rejected
from wikibias.kits.document import Quote, Section, Text
from wikibias.kits.parquet import writing
from wikibias.kits.schemas import EDITS_TABLE, REJECTS_TABLE, SENTENCE_PAIRS_TABLE, Table
from wikibias.records import EditedSpan, Link, SentencePair
from wikibias.reports import samples
from wikibias.reports.samples import MOST_CHANGES, MOST_CHARACTERS, Place, Reservoir, in_days

R = TypeVar("R")
BEFORE = Link("0", "A large mill.", "rewritten", 80.0, "2:8")
AFTER = Link("0", "A finest mill.", "rewritten", 80.0, "2:7")
GONE, CAME = Link("", "", "deleted", 0.0, ""), Link("", "", "inserted", 0.0, "")
ALIGNED: dict[str, Any] = {
    "removed": ["A finest mill.", "Gone for ever."],
    "added": ["A new one.", "A large mill."],
    "links": (BEFORE, GONE),
    "added_links": (CAME, AFTER),
}


def written(path: Path, table: Table[R], record: R) -> Place:
    with writing(path, table, dict) as rows:
        rows.write(record)
    return Place(path, 0)


def shown(tmp_path: Path, provenance: dict[str, Any] | None = None, **facts: Any) -> Section:
    """A kept edit as the page shows it."""
    made = edit(**{**ALIGNED, **facts})
    made = replace(made, provenance=replace(made.provenance, **(provenance or {})))
    (found,) = samples.kept_edits([written(tmp_path / "e", EDITS_TABLE, kept(made, "kept"))])
    return found


def test_partners_stand_side_by_side_and_others_alone(tmp_path: Path) -> None:
    rewritten, gone, came = changes(shown(tmp_path))
    assert (changed(rewritten.before), changed(rewritten.after)) == (["finest"], ["large"])
    assert (sides(gone), gone.note) == (("Gone for ever.", ""), "deleted")
    assert (sides(came), came.note) == (("", "A new one."), "inserted")


def test_a_partner_outside_of_the_tagged_part_is_shown(tmp_path: Path) -> None:
    _, partner = changes(shown(tmp_path, removed=[], links=()))
    assert sides(partner) == ("A finest mill.", "A large mill.")


def test_the_facts_of_an_edit(tmp_path: Path) -> None:
    provenance = {
        "page_title": "Halvern", "lang": "simple", "tags": ("POV", "Weasel"), "days_tagged": 282.5,
        "comment": "reworded", "diff_url": "https://en.demo.example/?diff=7", "signal": "tag",
    }  # fmt: skip
    found = shown(tmp_path, provenance)
    assert found.title == "Halvern"
    facts, summary = of(found, Text)
    day, *texts, link = facts.parts
    assert texts == ["POV, Weasel · ", "tagged for 282 days · ", "revision 2 · "]
    assert (len(day), link.url) == (13, "https://en.demo.example/?diff=7")
    assert words(summary) == "Summary: reworded"
    (quote,) = of(found, Quote)
    assert (quote.lang, quote.sides) == ("simple", ("removed", "added"))
    (quote,) = of(shown(tmp_path, {"pairing": "addition-edit"}), Quote)
    assert quote.sides == ("tagged revision", "untagged revision")
    assert "found by its summary" in quiet(shown(tmp_path, {"signal": "summary"}))[0]


def test_an_edit_of_many_long_sentences_is_cut(tmp_path: Path) -> None:
    links: dict[str, Any] = {"links": (GONE,) * 30, "added_links": ()}
    found = shown(tmp_path, None, removed=["a" * 5000] * 30, added=[], **links)
    assert len(changes(found)) == MOST_CHANGES
    assert quiet(found)[-1] == f"And {30 - MOST_CHANGES} more: see the diff."
    assert len(sides(changes(found)[0])[0]) == MOST_CHARACTERS + 1


def test_a_rejected_edit_shows_its_first_sentences(tmp_path: Path) -> None:
    made = rejected(edit(page=3, removed=["a", "b"], added=["c"]), "outlier")
    made = replace(made, provenance=replace(made.provenance, page_title=""))
    (found,) = samples.rejected_edits([written(tmp_path / "r", REJECTS_TABLE, made)])
    assert found.title == "page 3"
    assert [sides(each) for each in changes(found)] == [("a", "c"), ("b", "")]


def of_pair(tmp_path: Path, made: SentencePair) -> Section:
    place = written(tmp_path / "p", SENTENCE_PAIRS_TABLE, made)
    (found,) = samples.sentence_pairs([place])
    return found


def test_both_sides_of_a_pair_are_marked(tmp_path: Path) -> None:
    spans = (EditedSpan("substitution", "26:32", "14:16"), EditedSpan("deletion", "4:12", ""))
    made = pair(
        source="The splendid mill of town stands here.", target="The mill of t is here.",
        edits=spans, tier="high", tier_reasons=("no_revert",), similarity=71.0, relation="merged",
    )  # fmt: skip
    found = of_pair(tmp_path, made)
    (change,) = changes(found)
    assert (changed(change.before), changed(change.after)) == (["splendid", "stands"], ["is"])
    assert change.note == "merged"
    assert "tier high (no revert) · 1 substitution, 1 deletion · 71 % alike" in quiet(found)[0]


def test_a_neutral_pair_has_one_side(tmp_path: Path) -> None:
    made = pair(label="neutral")
    (change,) = changes(of_pair(tmp_path, made))
    assert (sides(change), change.note) == ((made.source, ""), "left alone")


def test_the_corpus_is_read_split_by_split_without_its_pairs(demo: Path, tmp_path: Path) -> None:
    for name in ("test", "pairs", "train"):
        (tmp_path / "corpus").mkdir(exist_ok=True)
        (tmp_path / f"corpus/{name}.parquet").touch()
    assert [path.stem for path in samples.files(tmp_path, "corpus")] == ["train", "test"]
    assert samples.files(tmp_path, "edits") == []
    found = [place for place, _ in samples.rows(demo, "edits", ["removed"])]
    assert [place.row for place in found] == [*range(13)]
    assert len([*samples.records_at([found[7], found[2]], EDITS_TABLE)]) == 2


def drawn(size: int, of_all: int, seed: str) -> list[int]:
    reservoir = Reservoir(size, seed)
    for row in range(of_all):
        reservoir.add(Place(Path("x"), row))
    return [place.row for place in reservoir.places]


def test_a_sample_has_its_size_and_depends_on_the_seed_alone() -> None:
    assert drawn(5, 100, "1") == drawn(5, 100, "1") != drawn(5, 100, "2")
    assert len(set(drawn(5, 100, "1"))) == 5


def test_each_is_as_likely_to_be_drawn() -> None:
    counts = Counter(row for seed in range(2000) for row in drawn(2, 10, str(seed)))
    assert all(330 < counts[row] < 470 for row in range(10))


@pytest.mark.parametrize(
    ("days", "said"), [(0.2, "less than a day"), (1.2, "1 day"), (1234.0, "1,234 days")]
)
def test_days_in_words(days: float, said: str) -> None:
    assert in_days(days) == said
