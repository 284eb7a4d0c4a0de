"""Edits to a balanced, split corpus, and its rows."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_edits import CONTEXT, GONE, PROVENANCE, chosen_of, edit, unlike, whole, word
from wikibias import records
from wikibias.config.choices import SPLITS, SplitBy
from wikibias.corpus.composition import Composition, tallied
from wikibias.corpus.rows import write_corpus, write_pairs
from wikibias.edits.confidence import TIERS
from wikibias.records import Block, CorpusSentence, Edit, History, Link, Relation, Tier


def build(
    edits: Sequence[Edit], split_by: SplitBy = "page", seed: int = 0, **choices: Any
) -> tuple[Composition, list[CorpusSentence]]:
    corpus = chosen_of(edits, split_by, seed, **choices)
    return corpus.composition, list(corpus.rows())


# With another word behind it, a near-duplicate of itself.
SAME = "this township had one church and one school and a mill at the river in"


def test_labels_roles_and_balance() -> None:
    composition, sentences = build([edit(removed=["A b", "C d"], added=["E f"], unchanged=["G h"])])
    assert [(s.text, s.label, s.role) for s in sentences] == [
        ("A b", "biased", "removed"),
        ("C d", "biased", "removed"),
        ("E f", "neutral", "added"),
        ("G h", "neutral", "unchanged"),
    ]
    assert (composition.removed, composition.added, composition.unchanged) == (2, 1, 1)
    assert sentences[1].sentence_id == "enwiki-2-removed-1"
    assert sentences[0].norm == "a b"


def test_what_cannot_be_balanced_is_said_and_what_is_too_much_is_cut() -> None:
    composition, _ = build([edit(removed=["A", "B", "C"], added=["D"], unchanged=["E"])])
    assert "only 2 neutral sentences for 3 biased" in composition.notes[0]
    composition, _ = build([edit(removed=["A"], added=["B", "C", "D"])])
    assert (composition.removed, composition.added) == (1, 1)
    assert "left out at random" in composition.notes[0]


def test_duplicates_stand_once_and_conflicts_in_neither_class() -> None:
    edits = [
        edit(removed=["Same.", "Both"], added=["New", "both!"], unchanged=["Rest", "same", "More"]),
        edit(page=2, removed=["same."], added=["NEW"], unchanged=["rest"]),
    ]
    composition, sentences = build(edits)
    assert [s.norm for s in sentences] == ["same", "new"]
    assert composition.in_both_classes == 1
    assert composition.duplicates == 2


def test_unchanged_ones_come_first_from_the_page_that_lacks_neutral_ones() -> None:
    plenty = ["u" + word(n) for n in range(50)]
    rich = edit(page=1, removed=["A x"], added=["B x"], unchanged=plenty)
    poor = edit(page=2, removed=["A a", "A b", "A c"], added=[], unchanged=["V a", "V b", "V c"])
    _, sentences = build([rich, poor])
    chosen = [s.text for s in sentences if s.role == "unchanged"]
    assert chosen == ["V a", "V b", "V c"]


BLOCKS: tuple[Block, ...] = ("paragraph", "paragraph", "paragraph", "list", "references")
RELATIONS: tuple[Relation, ...] = get_args(Relation)
# Words of which many sentences share most, so that there are near-duplicates too.
SENTENCES = st.builds(
    lambda first, rest, stop, block, gap: whole(
        f"{word(first)} the old mill at the river was built {word(rest)}{stop}"
    )._replace(block=block, has_gap=gap),
    st.integers(0, 30),
    st.integers(0, 2),
    st.sampled_from(["", "."]),
    st.sampled_from(BLOCKS),
    st.booleans(),
)
LINKS = st.builds(
    lambda relation, similarity: Link("0", "It was.", relation, similarity, "0:3"),
    st.sampled_from(RELATIONS),
    st.floats(0, 100),
)
HISTORIES = st.builds(
    History,
    tags_left=st.sampled_from([(), (), (), ("POV",)]),
    survived_days=st.sampled_from([None, 1.0, 100.0]),
)
SIDES = st.lists(SENTENCES, max_size=6)


@st.composite
def drawn_edits(draw: st.DrawFn) -> list[Edit]:
    found = []
    for number in range(draw(st.integers(0, 10))):
        removed, added = draw(SIDES), draw(SIDES)
        links = draw(st.lists(LINKS, min_size=len(removed), max_size=len(removed)))
        added_links = draw(st.lists(LINKS, min_size=len(added), max_size=len(added)))
        found.append(
            edit(
                draw(st.integers(1, 5)),
                removed,
                added,
                draw(SIDES),
                number,
                links=tuple(links),
                added_links=tuple(added_links),
                history=draw(HISTORIES),
            )
        )
    return found


@given(
    drawn_edits(),
    st.integers(0, 5),
    st.sampled_from(["page", "sentence"]),
    st.sampled_from(TIERS),
    st.sampled_from([None, 1, 3]),
)
@settings(max_examples=12)
def test_what_every_corpus_keeps_to(
    edits: list[Edit], seed: int, split_by: SplitBy, min_tier: Tier, max_per_edit: int | None
) -> None:
    choices = {"min_tier": min_tier, "max_per_edit": max_per_edit}
    composition, sentences = build(edits, split_by, seed, **choices)
    norms = [s.norm for s in sentences]
    assert len(norms) == len(set(norms))
    biased = [s for s in sentences if s.label == "biased"]
    neutral = len(sentences) - len(biased)
    assert neutral == len(biased) or (neutral < len(biased) and composition.notes)
    assert composition.total == len(sentences) == sum(composition.splits.values())
    assert len({s.sentence_id for s in sentences}) == len(sentences)

    assert all(TIERS.index(s.tier) <= TIERS.index(min_tier) for s in sentences)
    assert all(s.block == "paragraph" for s in sentences)
    assert all(s.relation not in ("moved", "number_only") for s in sentences)
    assert not any(s.history.tags_left for s in sentences if s.role == "unchanged")
    tiers: Counter[tuple[str, str]] = Counter((s.tier, s.label) for s in sentences)
    for tier, labels in composition.tiers.items():
        assert labels == {label: tiers[tier, label] for label in labels}

    of_edits = Counter(s.provenance.after_rev_id for s in biased)
    assert max(of_edits.values(), default=0) <= (max_per_edit or 99)
    assert composition.edits == len(of_edits)

    groups: dict[str | None, set[str]] = {}
    for s in sentences:
        groups.setdefault(s.near_duplicates, set()).add(s.split)
    groups.pop(None, None)
    assert all(len(splits) == 1 for splits in groups.values())
    assert composition.near_duplicate_groups == len(groups)
    if split_by == "page":
        pages: dict[int, set[str]] = {s.provenance.page_id: set() for s in sentences}
        for s in sentences:
            pages[s.provenance.page_id].add(s.split)
        assert all(len(splits) == 1 for splits in pages.values())
    assert build(edits, split_by, seed, **choices)[1] == sentences


@pytest.mark.parametrize("split_by", ["page", "sentence"])
def test_split_follows_the_shares(split_by: SplitBy) -> None:
    edits = [
        edit(
            page=page,
            removed=["r" + word(page, n) for n in range(5)],
            added=["a" + word(page, n) for n in range(5)],
        )
        for page in range(100)
    ]
    composition, _ = build(edits, split_by)
    shares = [composition.splits[name] / composition.total for name in SPLITS]
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.02)


def test_seed_changes_the_choice() -> None:
    edits = [edit(removed=["A"], added=[], unchanged=["u" + c for c in "abcdefghij"])]
    chosen = {build(edits, seed=seed)[1][1].text for seed in range(20)}
    assert len(chosen) > 1


def test_of_duplicates_the_surest_stands_and_of_equal_ones_the_first() -> None:
    large = ["The mill is the finest.", *(f"A {word(n)} gone." for n in range(20))]
    edits = [
        edit(1, large, ["B."], number=1),
        edit(2, ["The mill is the finest."], ["C."], number=2),
        edit(3, ["The mill is the finest!"], ["D."], number=3),
    ]
    (found,) = [s for s in build(edits)[1] if s.norm == "the mill is the finest"]
    assert found.provenance.after_rev_id == 2


def test_a_form_that_was_edited_anywhere_is_no_neutral_sentence() -> None:
    """Even where the sentence is not as sure as is asked for."""
    low = edit(1, ["The mill is old.", "Gone"], history=History(restores_rev_id=1), number=1)
    good = edit(2, ["It is best."], [], ["The mill is old.", "It stands at a river."], number=2)
    _, sentences = build([low, good], min_confidence=0.15)
    assert [s.text for s in sentences] == ["It is best.", "It stands at a river."]


def test_what_fell_out_is_counted_by_role() -> None:
    listed = whole("A mill in a list.")._replace(block="list")
    edits = [edit(removed=["A mill here.", listed], added=["One"], unchanged=[listed, "One mill."])]
    composition, sentences = build(edits, lengths=range(2, 300))
    assert [s.text for s in sentences] == ["A mill here.", "One mill."]
    assert composition.left_out == {
        "list": {"removed": 1, "added": 0, "unchanged": 1},
        "too_short": {"removed": 0, "added": 1, "unchanged": 0},
    }
    _, sentences = build(edits, blocks=("list",))
    assert [s.text for s in sentences] == ["A mill in a list."]


def test_classes_are_equal_however_many_neutral_sentences_are_near_duplicates() -> None:
    odd = unlike(400)
    edits = [
        edit(
            page,
            [odd.pop() for _ in range(3)],
            unchanged=[*(f"{SAME} {word(page, n)}." for n in range(3)), odd.pop(), odd.pop()],
            number=page,
        )
        for page in range(1, 60)
    ]
    composition, _ = build(edits)
    # More than the tenth that is looked at in reserve.
    assert composition.left_out["near_duplicate"]["unchanged"] > 17
    assert composition.removed == composition.unchanged == 177
    assert not composition.notes


def test_all_biased_sentences_are_in_the_corpus_or_counted_as_left_out() -> None:
    odd = unlike(400)
    edits = [
        edit(
            page,
            [f"{SAME} {word(page)}."] * (page % 4 > 0) + [odd.pop() for _ in range(1 + page % 4)],
            unchanged=[odd.pop() for _ in range(5)],
            number=page,
        )
        for page in range(1, 40)
    ]
    removed = sum(len(e.removed) for e in edits)
    composition, _ = build(edits, max_per_edit=3)
    left_out = {name: of["removed"] for name, of in composition.left_out.items()}
    assert left_out["near_duplicate"] > 0
    assert removed == composition.removed + sum(left_out.values())


def test_near_duplicates_on_one_page_are_no_group() -> None:
    _, sentences = build([edit(removed=[f"{SAME} and a shop.", "A b."], added=[f"{SAME}.", "C."])])
    assert {s.near_duplicates for s in sentences} == {None}


def test_of_one_edit_the_surest_are_taken_first() -> None:
    made = edit(removed=["Best one.", "Two.", "A legend.", "Brilliant.", "Five."], added=["B."])
    corpus = chosen_of([made], max_per_edit=3)
    biased = [s.text for s in corpus.rows() if s.label == "biased"]
    assert biased == ["Best one.", "A legend.", "Brilliant."]
    assert corpus.composition.left_out["max_per_edit"]["removed"] == 2


def test_it_goes_into_a_manifest() -> None:
    made = chosen_of([edit(removed=["The mill is grand."], added=["The mill is old."])]).composition
    assert Composition(**json.loads(json.dumps(asdict(made)))) == made
    assert made.total == 2
    nothing = Composition()
    assert list(tallied([], nothing)) == []
    assert nothing == Composition()


def test_days_servers_and_pairings() -> None:
    one = edit(removed=["The mill is grand."], added=["The mill is old."])
    (first, second) = chosen_of([one]).rows()
    source = replace(
        first.provenance,
        before_timestamp=datetime(2007, 1, 2, tzinfo=UTC),
        after_timestamp=datetime(2006, 3, 4, tzinfo=UTC),
        diff_url="https://fr.wikipedia.org/w/index.php?diff=2",
        pairing="tagged-span",
    )
    born = replace(source, before_timestamp=None, diff_url="http://[/", pairing="removal-edit")
    made = Composition()
    rows = [replace(first, provenance=source), replace(second, provenance=born)]
    assert list(tallied(rows, made)) == rows
    assert (made.first_day, made.last_day) == ("2006-03-04", "2007-01-02")
    assert made.sites == ["fr.wikipedia.org"]
    labels = {row.provenance.pairing: row.label for row in rows}
    assert {p: label for p, of in made.pairings.items() for label in of if of[label]} == labels


def rows(made: records.Edit) -> list[records.CorpusSentence]:
    return list(chosen_of([made]).rows())


def test_columns_of_a_link() -> None:
    link = records.Link("3", "It was.", "rewritten", 77.0, "0:3")
    found, other = rows(edit(removed=["It is.", "Gone."], links=(link, GONE)))
    assert found.pair_id == "enwiki-2-3"
    assert (found.counterpart, found.relation, found.similarity) == ("It was.", "rewritten", 77.0)
    assert found.changed_spans == "0:3"
    assert (other.pair_id, other.counterpart, other.relation) == (None, None, "deleted")
    assert other.similarity is None
    assert found.tier_reasons == ("tagged", "few_removed", "rewritten")
    assert other.tier_reasons == ("tagged", "few_removed", "deleted")


def test_a_row_is_named_after_its_edit_its_role_and_its_place_there() -> None:
    made = edit(removed=["One.", "Two."], added=["Three."], unchanged=["Four."])
    names = [row.sentence_id for row in rows(made)]
    assert names == [
        "enwiki-2-removed-0",
        "enwiki-2-removed-1",
        "enwiki-2-added-0",
        "enwiki-2-unchanged-0",
    ]
    span = replace(made, provenance=replace(PROVENANCE, pairing="tagged-span"))
    assert rows(span)[0].sentence_id == "enwiki-tagged-span-1-2-removed-0"


def test_what_is_known_of_the_edit_stands_in_each_row() -> None:
    history = records.History(survived_days=90.0)
    made = edit(removed=["One."], added=["Two."], history=history, share_of_page=0.2)
    for row in rows(made):
        assert (row.history, row.share_of_page, row.block) == (history, 0.2, "paragraph")


REWRITTEN = records.Link("0", "The mill is old.", "rewritten", 80.0, "12:16")


def made() -> records.Edit:
    facts: dict[str, Any] = {
        "removed": ["The mill is grand.", "It is gone.", "One half here.", "Other half here."],
        "added": ["The mill is old.", "One half, other half here."],
        "links": (
            REWRITTEN,
            GONE,
            records.Link("1", "One half, other half here.", "merged", 70.0, "9:14"),
            records.Link("1", "One half, other half here.", "merged", 70.0, "0:5 11:16"),
        ),
        "added_links": (
            records.Link("0", "The mill is grand.", "rewritten", 80.0, "12:15"),
            records.Link("1", "One half here. Other half here.", "merged", 70.0, "8:10"),
        ),
    }
    return edit(**facts)


def pairs(found: records.Edit, **choices: Any) -> list[records.AlignedPair]:
    return list(chosen_of([found], **choices).pairs())


def test_a_pair_holds_both_texts_and_what_changed_in_each() -> None:
    first, second = pairs(made())
    assert (first.pair_id, first.relation, first.similarity) == ("enwiki-2-0", "rewritten", 80.0)
    assert (first.removed, first.added) == ("The mill is grand.", "The mill is old.")
    assert (first.removed_spans, first.added_spans) == ("12:16", "12:15")
    assert first.sentence_ids == ("enwiki-2-removed-0",)
    assert (second.removed, second.added) == (
        "One half here. Other half here.",
        "One half, other half here.",
    )
    # Spans of the second half move on by the first one and a space.
    assert second.removed_spans == "9:14 15:20 26:31"
    assert second.sentence_ids == ("enwiki-2-removed-2", "enwiki-2-removed-3")


def test_tier_and_split_are_those_of_its_sentences() -> None:
    found = made()
    corpus = chosen_of([found])
    sentences = {s.sentence_id: s for s in corpus.rows()}
    for pair in corpus.pairs():
        assert {sentences[each].split for each in pair.sentence_ids} == {pair.split}
        assert {sentences[each].tier for each in pair.sentence_ids} == {pair.tier}
        assert {sentences[each].pair_id for each in pair.sentence_ids} == {pair.pair_id}


def test_only_pairs_of_sentences_in_the_corpus() -> None:
    assert len(pairs(made())) == 2
    assert len(pairs(made(), max_per_edit=2)) == 1
    both = edit(2, ["The mill is grand."], links=(REWRITTEN,))
    assert pairs(both) == []  # nothing on the other side is recorded
    assert pairs(edit(removed=["The mill is grand."], added=["It is old."])) == []


def sentence(number: int, split: str, label: records.Label) -> records.CorpusSentence:
    role: records.Role = "removed" if label == "biased" else "added"
    return records.CorpusSentence(
        sentence_id=f"s{number}",
        text=f"No. {number}!",
        norm=f"no numtkn {number}",
        label=label,
        role=role,
        split=split,
        provenance=PROVENANCE,
        context=CONTEXT,
    )


def test_each_split_in_three_forms(tmp_path: Path) -> None:
    sentences = [
        sentence(1, "train", "biased"),
        sentence(2, "dev", "neutral"),
        sentence(3, "train", "neutral"),
    ]
    write_corpus(tmp_path, sentences, tmp_path, with_editors=False)
    assert (tmp_path / "train.tsv").read_text() == "biased\tno numtkn 1\nneutral\tno numtkn 3\n"
    assert (tmp_path / "dev.txt").read_text() == "__label__neutral no numtkn 2\n"
    assert pq.read_table(tmp_path / "train.parquet")["text"].to_pylist() == ["No. 1!", "No. 3!"]
    # A split without sentences is there too, and can be read.
    assert (tmp_path / "test.tsv").read_text() == ""
    assert pq.read_table(tmp_path / "test.parquet").num_rows == 0
    assert len(list(tmp_path.iterdir())) == 9


@pytest.mark.parametrize("with_editors", [True, False])
def test_editors_only_on_request(with_editors: bool, tmp_path: Path) -> None:
    write_corpus(tmp_path, [sentence(1, "train", "biased")], tmp_path, with_editors=with_editors)
    assert ("editor" in pq.read_schema(tmp_path / "train.parquet").names) is with_editors


def test_an_error_leaves_no_half_corpus(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        write_corpus(tmp_path, [sentence(1, "tset", "biased")], tmp_path, with_editors=False)
    assert list(tmp_path.iterdir()) == []


def test_a_cell_of_the_pairs_is_one_line_and_no_formula(tmp_path: Path) -> None:
    pair, _ = pairs(made())
    pair = replace(pair, removed="=HYPERLINK(1)", added="One\n\x9b31m line.")
    write_pairs(tmp_path, [replace(pair, tier="low", split="train")], with_editors=False)
    row = (tmp_path / "pairs.tsv").read_text().splitlines()[1].split("\t")
    assert row == ["train", "low", "rewritten", "'=HYPERLINK(1)", "One \\x9b31m line."]
    assert pq.read_table(tmp_path / "pairs.parquet")["removed"].to_pylist() == ["=HYPERLINK(1)"]
