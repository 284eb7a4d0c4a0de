"""The counts of a harvest, as a file tells them."""

from __future__ import annotations

from wikibias.corpus.sentence_pairs.funnel import KEYS, Funnel


def test_the_keys_come_first_and_in_order() -> None:
    funnel = Funnel()
    funnel.counts["biased"] = 3
    funnel.stages.update({"passed": 2, "number of sentences differs": 5})
    told = funnel.as_dict()
    assert tuple(told)[: len(KEYS)] == KEYS
    assert told["biased"] == 3
    assert list(told["stages"]) == ["number of sentences differs", "passed"]


def test_what_nobody_counted_is_not_zero() -> None:
    assert Funnel().as_dict()["matched"] is None
