"""Which pairs are examples of a neutral rewrite, and edits to pairs, by both rules."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_edits import PROVENANCE, edit
from paths import cases
from wikibias.config.languages import load_language
from wikibias.config.thresholds import Build, Tiers
from wikibias.corpus.sentence_pairs import harvest, rules
from wikibias.corpus.sentence_pairs.harvest import Funnel, Harvest
from wikibias.edits.alignment import align
from wikibias.edits.word_diff import bleu_of, ngrams
from wikibias.errors import UsageError
from wikibias.kits.parquet import writing
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.records import Edit, SentencePair, Signal, TagContext, Transition
from wikibias.text.segmentation import Segmenter

CONTEXT = TagContext((), (), (), None, None)
HEAD = "'''Elm''' is a town."
BEFORE = "The splendid [[bridge]] crosses the river near the mill. It was built of stone in 1901."
AFTER = BEFORE.replace("splendid ", "")
Texts = tuple[str | None, str | None]


def harvested(
    folder: Path, edits: Sequence[Texts], signal: Signal = "summary", first: bool = False
) -> tuple[list[SentencePair], Funnel]:
    """Return the pairs of some edits, and the funnel."""
    with writing(folder / "transitions/a.parquet", TRANSITIONS_TABLE, dict) as table:
        for number, (before, after) in enumerate(edits, 10):
            made = replace(
                PROVENANCE,
                signal=signal,
                after_rev_id=number,
                before_rev_id=None if first else number - 1,
            )
            table.write(Transition(made, CONTEXT, before, after))
    harvest = Harvest(folder, ("a",), load_language("en"), Tiers(), Build(), 0, {})
    funnel = Funnel()
    return list(rules.wnc_pairs(harvest, funnel)), funnel


def test_one_changed_line_gives_its_sentences(tmp_path: Path) -> None:
    pairs, funnel = harvested(tmp_path, [(f"{HEAD}\n{BEFORE}", f"{HEAD}\n{AFTER}")])
    biased, neutral = pairs
    assert biased.source == "the splendid bridge crosses the river near the mill."
    assert biased.target == "the bridge crosses the river near the mill."
    assert (biased.label, biased.single_word) == ("biased", True)
    assert (neutral.label, neutral.source) == ("neutral", "it was built of stone in 1901.")
    assert funnel.counts["single_block"] == funnel.counts["passed"] == 1
    assert biased.pair_id.startswith(f"{PROVENANCE.wiki}-10-")


@pytest.mark.parametrize(
    ("before", "after", "stage"),
    [
        (None, "Elm", "text not known"),
        ("Elm", "Elm", "no change"),
        ("Elm", "Elm\nThe mill", "no changed block"),
        ("Elm\n\nThe mill", "Elm\nThe mill", "no changed block"),
        ("Elm\nA\nThe mill\nEnd", "Elm\nThe town mill\nEnd", "purely deleted or added block"),
        ("A\nElm\nB\nEnd", "1\nElm\n2\nEnd", "more than one changed block"),
        ("{{POV}}", "{{NPOV}}", "empty after cleaning"),
        ("The mill fell. It rose.", "The mill fell.", "number of sentences differs"),
    ],
)
def test_where_an_edit_ends(
    before: str | None, after: str | None, stage: str, tmp_path: Path
) -> None:
    pairs, funnel = harvested(tmp_path, [(before, after), ("Elm was fine.", "Elm was stone.")])
    assert funnel.stages[stage] == 1
    assert {pair.provenance.after_rev_id for pair in pairs} <= {11}


def test_the_first_revision_of_a_page_has_no_previous_one(tmp_path: Path) -> None:
    pairs, funnel = harvested(tmp_path, [(None, "Elm")], first=True)
    assert (pairs, funnel.stages) == ([], {"no previous revision": 1})


def test_texts_that_are_still_to_be_fetched(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="fetch --revisions"):
        harvested(tmp_path, [(None, None), (None, None)])


def test_edits_found_by_a_tag_do_not_count(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--signal summary"):
        harvested(tmp_path, [(BEFORE, AFTER)], signal="tag")


SENTENCES = st.lists(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=6), min_size=1, max_size=12
)


@settings(max_examples=50)
@given(SENTENCES, SENTENCES)
def test_the_likest_of_three_before_and_two_behind_of_equals_the_last(
    sources: list[list[str]], targets: list[list[str]]
) -> None:
    sources, targets = sources[: len(targets)], targets[: len(sources)]
    for number, at in enumerate(rules.counterparts(sources, targets)):
        near = range(max(0, number - 3), min(len(targets), number + 3))
        points = {j: bleu_of(ngrams(sources[number]), ngrams(targets[j])) for j in near}
        assert at == max(near, key=lambda j: (points[j], j))


def test_a_sentence_that_moved_farther_is_not_found() -> None:
    sentences = [f"{word} stands alone near the mill".split() for word in "one two six ten".split()]
    moved = [*sentences[1:], sentences[0]]
    assert list(rules.counterparts(sentences, moved)) != [3, 0, 1, 2]
    assert list(rules.counterparts(sentences[:3], [*sentences[1:3], sentences[0]])) == [2, 0, 1]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("'''Elm''' is a [[market town|town]].", "Elm is a town."),
        ("Elm<ref>Fenwick 1901</ref> is a town<ref name=x>The mill", "Elm is a town"),
        ("The caf\u00e9 of \u00c9lm", "The caf of lm"),
        ("* [http://elm.example The mill] of Elm", "The mill of Elm"),
        ("Elm (\u03b5\u03bb\u03bc) lies here", "Elm lies here"),
        ("[[Image:Elm.jpg|right|200px|The mill]]", "The mill"),
        ("<blockquote>Elm &lt;b&gt;rose&lt;/b&gt;</blockquote>", "Elm rose"),
        ("Elm * and [the] mill", "Elm and the mill"),
        ("Elm,   the\tmill", "Elm, themill"),
        ("{{POV}}", ""),
        ("| name = Elm", ""),
        ("?What", ""),
        ("----", ""),
        ("Elm Gazette, retrieved on 3 May", ""),
        ('Elm rose.<ref name="Fenwick"/> It fell.', ""),
        ("x" * 100_001, ""),
        ("{{" * 1000 + "Elm", ""),
    ],
)
def test_a_cleaned_line(line: str, text: str) -> None:
    assert rules.cleaned(line) == text


@given(st.text(st.sampled_from("[]{}|<>/='&;#ab* ?ref()é\u0394http:"), max_size=300))
def test_it_gives_a_text_of_one_line_whatever_the_line_is(line: str) -> None:
    text = rules.cleaned(line)
    assert text == " ".join(text.split())
    assert not set("[]*") & set(text)


@pytest.mark.parametrize(
    "piece", ["<ref>", "<ref name=", "(", "<del ", "http:", "&lt;", "''", "[[", "9", "9px"]
)
def test_hostile_lines_take_seconds_at_most(piece: str) -> None:
    began = time.process_time()
    rules.cleaned((piece * 100_000)[:99_999])
    assert time.process_time() - began < 10


LINES = st.lists(st.sampled_from(["", " ", "Elm", "Mill", "River", "Bridge"]), max_size=12)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Elm\nMill\nRiver", "Elm\nThe mill\nRiver", rules.Blocks((("Mill", "The mill"),), 0, 0)),
        # Lines of one place are paired in order.
        ("A\nB\nC\nEnd", "1\n2\nEnd", rules.Blocks((("A", "1"), ("B", "2")), 1, 0)),
        # A blank line counts for nothing.
        ("Elm\n\nMill", "Elm\nMill", rules.Blocks((), 0, 0)),
        ("Elm\n\nMill", "Elm\nBridge\nMill", rules.Blocks((), 0, 1)),
        ("Elm\nBridge\nMill", "Elm\n  \nMill", rules.Blocks((), 1, 0)),
    ],
)
def test_lines_that_differ(before: str, after: str, expected: rules.Blocks) -> None:
    assert rules.blocks(before, after) == expected


@given(LINES, LINES)
def test_all_that_differs_is_told(before: list[str], after: list[str]) -> None:
    found = rules.blocks("\n".join(before), "\n".join(after))
    written = [len([line for line in side if line.strip()]) for side in (before, after)]
    gone, come = found.deleted + len(found.changed), found.added + len(found.changed)
    assert written[0] - gone == written[1] - come
    if before == after:
        assert found == rules.Blocks((), 0, 0)
    assert all(source.strip() and target.strip() for source, target in found.changed)


def test_a_hundred_thousand_lines_take_seconds_at_most() -> None:
    began = time.process_time()
    found = rules.blocks(
        "\n".join(f"line {n}" for n in range(100_000)),
        "\n".join(f"line {n * 7 % 100_000}" for n in range(100_000)),
    )
    assert found.changed
    assert time.process_time() - began < 10


MEANINGS = harvest.other_meanings(load_language("en"))


@pytest.mark.parametrize("case", cases("pair_filters"))
def test_case(case: dict[str, Any]) -> None:
    pair = harvest.AlignedTexts(case["source"], case["target"], MEANINGS)
    assert (harvest.verdict(pair, harvest.WNC_FILTERS) or "") == case["wnc"]
    assert (harvest.verdict(pair, harvest.OWN_FILTERS) or "") == case["own"]
    if "single" in case:
        assert harvest.is_single_word(pair) is case["single"]
    assert harvest.is_one_word_elsewhere(pair) is case.get("slip", False)


@given(st.text(min_size=1).filter(str.strip))
def test_a_sentence_that_did_not_change_is_neutral(text: str) -> None:
    assert harvest.verdict(harvest.AlignedTexts(text, text), harvest.OWN_FILTERS) == harvest.NEUTRAL


@given(st.text(), st.text())
def test_no_two_texts_break_a_filter(source: str, target: str) -> None:
    pair = harvest.AlignedTexts(source, target, MEANINGS)
    for filters in (harvest.WNC_FILTERS, harvest.OWN_FILTERS):
        assert isinstance(harvest.verdict(pair, filters), str | None)
    assert not (harvest.is_single_word(pair) and harvest.is_one_word_elsewhere(pair))


def test_words_are_cut_where_the_word_set_cuts_them() -> None:
    found = harvest.words(
        "The town's arch- conservative mayor didn't cross the half-built bridge..."
    )
    assert found == [
        "the", "town", "'s", "arch-", "conservative", "mayor", "did", "n't", "cross", "the",
        "half-built", "bridge", "...",
    ]  # fmt: skip


def test_long_words_are_written_in_pieces() -> None:
    assert harvest.pieces(["the", "bridge"]) == "the bri ##dge"


def test_words_of_other_meaning_end_as_their_entry_says() -> None:
    assert MEANINGS is not None
    assert MEANINGS.search("carbon neutrality is a goal.")
    assert not MEANINGS.search("the ionizer stood in the hall.")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (" ".join(f"w{n}" for n in range(10_000)), " ".join(f"w{n + 5}" for n in range(10_000))),
        ("a " * 10_000, "a b " * 5_000),
        ("." * 50_000, "." * 50_001),
        ("x" * 200_000, "y" * 200_000),
    ],
)
def test_ten_thousand_words_take_seconds_at_most(source: str, target: str) -> None:
    began = time.process_time()
    pair = harvest.AlignedTexts(source, target, MEANINGS)
    harvest.verdict(pair, harvest.OWN_FILTERS)
    harvest.is_single_word(pair)
    assert time.process_time() - began < 15


def test_in_scripts_without_spaces_each_letter_is_a_token() -> None:
    assert harvest.tokens("この寺は1950年に、") == [*"この寺は", "1950", *"年に、"]


GRAND = "The grand mill of the valley was built by the famous mason in 1811."
PLAIN = "The mill of the valley was built by the mason in 1811."


def aligned(removed: Sequence[str], added: Sequence[str], lang: str = "en", **facts: Any) -> Edit:
    """Return an edit whose sentences are paired as the pipeline pairs them."""
    split = Segmenter(load_language(lang)).sentences
    made = edit(
        removed=[s for t in removed for s in split(t)],
        added=[s for t in added for s in split(t)],
        **facts,
    )
    links, added_links = align(made.removed, made.added)
    return replace(made, links=links, added_links=added_links)


def own_harvested(
    *edits: Edit, lang: str = "en", reason: str | None = None, seed: int = 0
) -> tuple[list[SentencePair], Funnel]:
    """Return the pairs of some edits, which the filters of edits have judged."""
    harvest = Harvest(
        Path(),
        (),
        load_language(lang),
        Tiers(),
        Build(),
        seed,
        {},
        lambda: ((each, reason) for each in edits),
    )
    funnel = Funnel()
    return list(rules.own_pairs(harvest, funnel)), funnel


def biased(pairs: Sequence[SentencePair]) -> list[tuple[str, str]]:
    """Return source and target of the biased pairs."""
    return [(pair.source, pair.target) for pair in pairs if pair.label == "biased"]


def test_a_pair_tells_what_was_done_and_how_far_it_can_be_trusted() -> None:
    pairs, funnel = own_harvested(aligned([GRAND], [PLAIN]))
    (pair,) = pairs
    assert (pair.source, pair.target, pair.relation) == (GRAND, PLAIN, "rewritten")
    assert [(e.type, GRAND[slice(*map(int, e.source.split(":")))]) for e in pair.edits] == [
        ("deletion", "grand"),
        ("deletion", "famous"),
    ]
    assert pair.confidence is not None
    assert pair.confidence > 0.5
    assert pair.tier == ("high" if pair.confidence >= 0.75 else "medium")
    assert "rewritten" in pair.tier_reasons
    assert not pair.single_word
    assert funnel.stages == {"passed": 1}
    assert funnel.verdicts == {"biased": 1}


@pytest.mark.parametrize(
    ("lang", "source", "target"),
    [
        (
            "fr",
            "L'église, édifiée à grands frais, est la plus élégante de la côte méditerranéenne.",
            "L'église, édifiée à grands frais, est située près de la côte méditerranéenne.",
        ),
        # Words of letters that a to z lacks alone.
        (
            "pl",
            "Żółw źle żył w tej małej zatoce przez wiele lat.",
            "Żółw żył w tej małej zatoce przez wiele lat.",
        ),
        (
            "ru",
            "Жалкий поэт написал свою первую поэму в 1820 году.",
            "Поэт написал свою первую поэму в 1820 году.",
        ),
        (
            "ja",
            "この寺は日本で最も美しい寺として広く知られている。",
            "この寺は紅葉の名所として広く知られている。",
        ),
    ],
)
def test_every_script_is_kept_as_it_is(lang: str, source: str, target: str) -> None:
    pairs, funnel = own_harvested(aligned([source], [target], lang), lang=lang)
    assert biased(pairs) == [(source, target)], funnel.verdicts


def test_edits_of_several_sentences_splits_and_merges() -> None:
    one = "The church was sadly neglected by the greedy council after the long war of the valley."
    other = "The bridge is the finest of the whole country and was opened by the queen in 1871."
    parts = "The bridge was opened by the queen in 1871. It is the longest of the whole country."
    pairs, _ = own_harvested(
        aligned(
            [one, other],
            ["The church was neglected by the council after the long war of the valley.", parts],
        )
    )
    assert [pair.relation for pair in pairs] == ["rewritten", "split"]
    assert pairs[1].target == parts


@pytest.mark.parametrize(
    ("source", "target", "verdict"),
    [
        (PLAIN, PLAIN.replace("1811", "1911"), "number_only"),
        (PLAIN, PLAIN.replace("mason", "masons"), "few_letters"),
        (
            "The neutral molecules of the gas move about in the great vessel for a long time.",
            "The uncharged molecules of the gas move about in the vessel for a long time.",
            "other_meaning",
        ),
    ],
)
def test_what_is_no_rewrite(source: str, target: str, verdict: str) -> None:
    pairs, funnel = own_harvested(aligned([source], [target]))
    assert pairs == []
    assert funnel.verdicts == {verdict: 1}
    assert funnel.stages == {"no_pair": 1}


def test_edits_that_the_filters_drop_are_counted() -> None:
    pairs, funnel = own_harvested(aligned([GRAND], [PLAIN]), reason="reverted")
    assert pairs == []
    assert funnel.stages == {"reverted": 1}


def test_where_a_tag_was_added_the_older_text_is_not_the_biased_one() -> None:
    made = aligned([GRAND], [PLAIN], provenance=replace(PROVENANCE, kind="added"))
    pairs, funnel = own_harvested(made)
    assert pairs == []
    assert funnel.stages == {"tag_added": 1}


def test_of_the_same_text_the_latest_pair_counts() -> None:
    later = PROVENANCE.after_timestamp + timedelta(days=1)
    first = aligned([GRAND], [PLAIN], number=2)
    second = aligned([GRAND], [PLAIN.replace("mason", "old mason")], number=3)
    second = replace(second, provenance=replace(second.provenance, after_timestamp=later))
    for edits in ((first, second), (second, first)):
        pairs, funnel = own_harvested(*edits)
        assert [pair.provenance.after_rev_id for pair in pairs] == [3]
        assert funnel.verdicts == {"biased": 1, "repeated": 1}
        of_none = {"edits": 0, "passed": 0, "biased": 0}
        assert funnel.more["by_signal"] == {
            "tag": {"edits": 2, "passed": 2, "biased": 1},
            "summary": of_none,
        }


def test_as_many_neutral_sentences_as_biased_ones_drawn_with_a_seed() -> None:
    rest = [f"The {word} of the village stands near the river." for word in ("inn", "dam", "kiln")]
    made = aligned([GRAND], [PLAIN], unchanged=[*rest, "* no sentence"])
    drawn = set()
    for seed in range(5):
        pairs, _ = own_harvested(made, seed=seed)
        (neutral,) = (pair for pair in pairs if pair.label == "neutral")
        assert neutral.source == neutral.target
        assert neutral.edits == ()
        drawn.add(neutral.source)
        assert own_harvested(made, seed=seed)[0] == pairs
    assert len(drawn) > 1
    assert drawn <= set(rest)


def test_a_sentence_that_another_edit_rewrote_is_no_neutral_one() -> None:
    one = aligned([GRAND], [PLAIN], number=2)
    other = aligned(
        ["The lovely dam of the village was the pride of all the people."],
        ["The dam of the village was the pride of all the people."],
        number=3,
        unchanged=[GRAND],
    )
    pairs, funnel = own_harvested(one, other)
    assert [pair.label for pair in pairs] == ["biased", "biased"]
    assert funnel.verdicts["neutral_elsewhere_biased"] == 1
    assert len({pair.pair_id for pair in pairs}) == 2
