"""Paragraphs in place of sentences: which are prose, and how sure their labels are.

The sentences of a paragraph tell its label. So an edit is compared sentence by sentence, as ever,
and its filters know of no paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from wikibias import records
from wikibias.config.thresholds import Tiers
from wikibias.corpus.evidence import LabelEvidence, two_class_evidence
from wikibias.edits.confidence import UNCHANGING, Confidence, confidence, evidence, tier_of
from wikibias.kits.files import scratch_file
from wikibias.kits.parquet import read_records, writing
from wikibias.kits.schemas import Table
from wikibias.text.segmentation import normalise, words

if TYPE_CHECKING:
    # It loads what cleans and splits.
    from wikibias.edits.sentence_diff import Part

LENGTHS = range(100, 501)
"""How many characters a paragraph of the corpus has."""
# Of its characters, those of the sentences that the edit removed or rewrote.
_LEAST_SHARE = 0.25
# As many as the shortest sentence of a corpus has: a title or a word in quotation marks stays.
_QUOTED_WORDS = 6
_MARKS = re.compile('["“”„‟«»「」『』〝〞〟]')
ABOUT = (
    f"Each row is a paragraph of {LENGTHS.start} to {LENGTHS.stop - 1} characters of prose without "
    f"a quotation of {_QUOTED_WORDS} words or more: biased if the edit removed or rewrote at least "
    "a quarter of it, neutral if the newer revision has it; its confidence is the highest of its "
    "biased sentences, or the lowest of its neutral ones."
)


class _Judged(NamedTuple):
    """Of a paragraph: why it may not be chosen, its confidence, and the reasons with spaces."""

    why_not: str
    value: float
    reasons: str


@dataclass(frozen=True, slots=True)
class ParagraphEdit:
    """An edit with paragraphs in place of sentences, and what is known of each, in its order."""

    edit: records.Edit
    judged: Annotated[tuple[_Judged, ...], records.Prefix("judged_")]


_TABLE = Table("paragraphs", ParagraphEdit)


def judged(
    edit: records.Edit, made: records.Edit, parts: Sequence[Sequence[Part]], limits: Tiers
) -> ParagraphEdit:
    """Judge the paragraphs of an edit.

    Args:
        edit: the edit, sentence by sentence.
        made: the same, paragraph by paragraph.
        parts: the sentences of each removed, added and unchanged paragraph.
        limits: what sets the tiers apart.
    """
    known, last = evidence(edit, limits), len(made.removed)

    def sure(part: Part) -> Confidence:
        return confidence(known, part.role, part.sentence, part.link, limits)

    found = []
    sides = (*made.removed, *made.added, *made.unchanged)
    for number, (paragraph, own) in enumerate(zip(sides, parts, strict=True)):
        why_not, least = _why_no_prose(paragraph.text), Confidence(0.0, "low", ())
        if number >= last:
            least = min(map(sure, own), key=_value)
        elif biased := [part for part in own if _is_biased(part)]:
            least = max(map(sure, biased), key=_value)
            share = _chars(biased) / _chars(own)
            why_not = why_not or ("little_changed" if share < _LEAST_SHARE else "")
        else:
            why_not = why_not or "little_changed"
        found.append(_Judged(why_not, least.value, " ".join(least.reasons)))
    return ParagraphEdit(made, tuple(found))


def _value(sure: Confidence) -> float:
    return sure.value


def _is_biased(part: Part) -> bool:
    return part.link is not None and part.link.relation not in UNCHANGING


def _chars(parts: Iterable[Part]) -> int:
    return sum(len(part.sentence.text) for part in parts)


def _why_no_prose(text: str) -> str:
    if len(text) not in LENGTHS:
        return "too_short" if len(text) < LENGTHS.start else "too_long"
    # Between the marks, whichever they are, stands what is quoted, then what is not.
    quoted = _MARKS.split(text)[1:-1:2]
    if any(words(norm) >= _QUOTED_WORDS for each in quoted if (norm := normalise(each))):
        return "quotes_inside"
    return ""


@contextmanager
def spooled(
    edits: Iterable[ParagraphEdit], folder: Path, limits: Tiers, with_editors: bool
) -> Iterator[Callable[[], Iterator[LabelEvidence]]]:
    """Give the evidence of edits, which are made once and wait in a passing file of the folder."""
    with scratch_file(folder) as path:
        with writing(path, _TABLE, dict, with_editors=with_editors) as table:
            for each in edits:
                table.write(each)
        yield lambda: _evidence(read_records(path, _TABLE), limits)


def _evidence(edits: Iterable[ParagraphEdit], limits: Tiers) -> Iterator[LabelEvidence]:
    for each in edits:
        both = zip(two_class_evidence([each.edit], limits), each.judged, strict=True)
        for found, (why_not, value, reasons) in both:
            sure = Confidence(value, tier_of(value, limits), tuple(reasons.split()))
            yield found._replace(name=f"paragraph-{found.name}", sure=sure, why_not=why_not)
