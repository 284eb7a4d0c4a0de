"""The rewriter that deletes or replaces one word by learnt tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewriting import pairs
from wikibias.errors import WikibiasError
from wikibias.research.neutralising import rewriters
from wikibias.research.neutralising.edit_table import EditTable
from wikibias.research.neutralising.rewriters import Pair

_ROAD = "The station stands by a wide road."
NEW = {
    "The hideous inn of the town was closed in 1961.": "The inn of the town was closed in 1961.",
    "the awful inn of the town was closed .": "the inn of the town was closed .",
    "The inn of the town claimed that costs rose.": "The inn of the town said that costs rose.",
}


@pytest.fixture(scope="module")
def model() -> EditTable:
    return EditTable(lang="en", least=0.0).fit(pairs())


def test_it_does_what_editors_did(model: EditTable) -> None:
    assert model.rewrite([*NEW]) == [*NEW.values()]


def test_it_leaves_what_editors_left() -> None:
    roads = [f"The mill stands by a {word} road." for word in ("wide", "long", "old")]
    learnt = EditTable(lang="en").fit([*pairs(), *(Pair(road, road) for road in roads * 10)])
    first = next(iter(NEW))
    assert learnt.rewrite([first, _ROAD]) == [NEW[first], _ROAD]


def test_a_saved_one_rewrites_the_same(model: EditTable, tmp_path: Path) -> None:
    rewriters.save(model, tmp_path, {})
    assert rewriters.load(tmp_path).rewrite([*NEW]) == model.rewrite([*NEW])


def test_the_same_pairs_give_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        rewriters.save(EditTable().fit(pairs()), tmp_path / name, {})
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_with_least_0_it_always_edits_and_with_1_never() -> None:
    assert EditTable(least=0.0).fit(pairs()).rewrite([_ROAD]) != [_ROAD]
    assert EditTable(least=1.0).fit(pairs()).rewrite([_ROAD]) == [_ROAD]


@pytest.mark.parametrize("count", range(1, 6))
def test_a_handful_of_pairs_is_enough_to_try(count: int) -> None:
    few = [Pair(f"A famous mill of {n}00 workers.", f"A mill of {n}00 workers.") for n in (1, 2, 3)]
    learnt = EditTable().fit((few * 2)[:count])
    assert learnt.rewrite(["A famous inn."])[0] in ("A famous inn.", "A inn.")


def test_lists_of_words_help_with_words_that_no_pair_has() -> None:
    words = {"loaded": frozenset(["ghastly", "notorious", "hideous", "terrible", "lovely"])}
    model = EditTable(lexicons=words, least=0.0).fit(pairs())
    assert model.rewrite(["The ghastly station by the river was shut."]) == [
        "The station by the river was shut."
    ]


def test_odd_texts_are_no_trouble(model: EditTable) -> None:
    long = "the famous mill " * 3400
    assert model.rewrite(["", "...", "著名"])[0] == ""
    assert len(model.rewrite([long])[0]) >= len(long) - 20


def test_nothing_to_learn() -> None:
    with pytest.raises(WikibiasError, match="nothing can be learnt"):
        EditTable().fit([Pair("a mill", "a mill"), Pair("a mill", "a mill of the town")])
