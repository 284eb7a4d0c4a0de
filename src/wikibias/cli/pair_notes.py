"""What to know of a folder of sentence pairs beside its counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.config.choices import SummaryRule
    from wikibias.pipeline.settings import Detect


def doubts(inputs: Sequence[Mapping[str, Any]], detect: Detect, rules: str) -> Iterator[str]:
    """Yield what makes the pairs of a result folder others than its reader may think.

    Args:
        inputs: those of its manifest.
        detect: how its edits were found.
        rules: those that the pairs were made by.
    """
    if lacking := _lacking(inputs):
        yield lacking
    if "summary" in detect.signal:
        yield from _of_summaries(detect.summary_rule, detect.lang, rules)


def _lacking(inputs: Sequence[Mapping[str, Any]]) -> str | None:
    """Return which parts were not read to their end."""
    failed = [entry for entry in inputs if entry["error"] or "detect" not in entry["stages"]]
    if not failed:
        return None
    first = failed[0]
    return (
        f"{len(failed):,} of {counted(len(inputs), 'part')} failed or not read yet, so pairs are "
        f"missing: {first['part']} {first['error'] or '(not read yet)'}; run `wikibias detect` "
        "again, then this command"
    )


def _of_summaries(found_by: SummaryRule, lang: str, rules: str) -> Iterator[str]:
    if found_by != rules:
        yield (
            f"`detect --summary-rule {found_by}` found these edits, and --rules {rules} belongs "
            f"with --summary-rule {rules}"
        )
    if found_by == "wnc" and lang != "en":
        yield f"--summary-rule wnc knows English summaries alone, and the wiki's language is {lang}"


def notes(funnel: Mapping[str, Any]) -> Iterator[str]:
    """Yield what follows from the counts in `funnel.json`."""
    by_signal = funnel.get("by_signal")
    if by_signal and funnel["matched"] is None:
        yield (
            "the pairs are of edits that changed tags; `wikibias detect --signal summary` finds "
            "edits by their summary as well"
        )
    splits = funnel["splits"]
    empty = [name for name, number in splits.items() if not number]
    if empty and any(splits.values()):
        yield f"{' and '.join(empty)} empty: too few pages to split by page"
