"""How measures agree with verdicts of people."""

from __future__ import annotations

import pytest

from wikibias.errors import WikibiasError
from wikibias.research.neutralising.agreement import agreement, parse_verdicts
from wikibias.research.neutralising.measures import Rewrites, measure

WORDS = "notorious famous hideous lovely great terrible awful grand".split()
SOURCES = [f"the {word} mill of the town was closed in {n}" for n, word in enumerate(WORDS * 3)]
TARGETS = [f"the mill of the town was closed in {n}" for n in range(len(SOURCES))]


def test_a_measure_that_tells_successes_apart_agrees_and_one_that_does_not_does_not() -> None:
    outputs = [t if n % 2 else s for n, (s, t) in enumerate(zip(SOURCES, TARGETS, strict=True))]
    success = parse_verdicts([str(n % 2) for n in range(len(SOURCES))])
    found = agreement(measure(Rewrites(SOURCES, TARGETS, outputs)), success, resamples=50)
    assert (found["n"], found["success"]) == (24, 12)
    for name in ("exact", "changed", "sentence_bleu", "sari"):
        assert found[name]["accuracy"]["value"] == 1.0
        assert found[name]["roc_auc"]["value"] == 1.0
    assert found["always"]["accuracy"]["value"] == 0.5
    assert found["always"]["mcc"]["value"] == 0.0
    assert "bias_removed" not in found


def test_no_row_helps_to_judge_itself() -> None:
    """A threshold chosen on the same rows would make noise look like agreement."""
    outputs = [f"{s} {'x ' * (n * 7 % 11)}" for n, s in enumerate(SOURCES)]
    success = parse_verdicts([str(n * 5 % 7 % 2) for n in range(len(SOURCES))])
    found = agreement(measure(Rewrites(SOURCES, TARGETS, outputs)), success, resamples=50)
    assert found["change_rate"]["accuracy"]["value"] < 0.8


@pytest.mark.parametrize(
    ("given", "says"), [(["1", "perhaps"], "row 2 has 'perhaps'"), (["1", "yes"], "same verdict")]
)
def test_verdicts_that_cannot_be_used(given: list[str], says: str) -> None:
    with pytest.raises(WikibiasError, match=says):
        parse_verdicts(given)
