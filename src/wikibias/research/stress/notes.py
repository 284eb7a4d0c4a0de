"""Says what who reads the figures of stress tests has to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wikibias.messages import counted

_FEW = 0.1
"""Share of rows with a right original below which the figure of these says little."""

_FEWEST = 2
"""Cases of which it can be told that all were called the same."""


def notes(result: Mapping[str, Any]) -> list[str]:
    """Return notes on the figures of `scoring.score`: who cannot be compared, what says little.

    What holds of several tests is said once.
    """
    found = [
        ("", test, line) for test, each in result["common"].items() for line in _compared(each)
    ]
    for name, tests in result["models"].items():
        found += [(name, "", line) for line in _constant(tests)]
        found += [(name, test, line) for test, each in tests.items() for line in _figures(each)]
    tests_of: dict[tuple[str, str], list[str]] = {}
    for name, test, line in found:
        tests_of.setdefault((name, line), []).append(test)
    return [
        f"{', '.join(filter(None, [name, *tests]))}: {line}"
        for (name, line), tests in tests_of.items()
    ]


def _compared(found: Mapping[str, Any]) -> Iterator[str]:
    if found["rows"]:
        return
    if not found["pairs"]:
        yield "no row is common to two models, so that none are compared"
        return
    compared = {each[side] for each in found["pairs"] for side in ("first", "second")}
    alone = [name for name in found["models"] if name not in compared]
    nobody = f"; no other model has one of {', '.join(alone)}" if alone else ""
    yield (
        "no row is common to all models, so that each two are compared on those that both "
        f"have{nobody}"
    )


def _constant(tests: Mapping[str, Any]) -> Iterator[str]:
    """Tell of a model that says the same of all cases, though not all are expected to be so."""
    parsed = sum(found["rows"] - found["unparsed"] for found in tests.values())
    right = sum(round(found["as_expected"]["value"] * found["rows"]) for found in tests.values())
    biased = sum(found["called_biased"] for found in tests.values())
    if right == parsed or parsed < _FEWEST or 0 < biased < parsed:
        return
    said, other = ("biased", "neutral") if biased else ("neutral", "biased")
    yield (
        f"called every case {said} ({parsed:,}), none {other}, so that the answers it keeps say "
        "little"
    )


def _figures(found: Mapping[str, Any]) -> Iterator[str]:
    if found["only_spacing"]:
        yield (
            f"{found['only_spacing']:,} of {found['changed']:,} changed rows differ from their "
            "original in spaces alone: no word was put in"
        )
    right = found["right_originals"]
    if right == 0:
        yield (
            f"none of {counted(found['rows'], 'row')} has an original that was called what it is; "
            "the figure of these is not defined"
        )
    elif right is not None and right < _FEW * found["rows"]:
        yield (
            f"only {right:,} of {found['rows']:,} rows have an original that was called what it "
            "is; the figure of these says little"
        )
    if found["unparsed"]:
        yield (
            f"{counted(found['unparsed'], 'answer')} of neither biased nor neutral (? or empty), "
            "counted as not expected"
        )
