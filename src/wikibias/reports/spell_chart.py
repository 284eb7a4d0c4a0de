"""Draws when the tags of a page stood: a bar for each spell, a ring where an edit was kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from wikibias.curation.tagged_intervals import TaggedInterval
from wikibias.kits.charts import WIDTH, Canvas, Drawing, cut, width_of
from wikibias.messages import counted
from wikibias.pipeline.stages import KEPT
from wikibias.reports.edit_document import fate_of
from wikibias.reports.filter_answers import days
from wikibias.reports.inspection import PageReport

_ROW, _BAR, _EDGE = 36, 10, 6  # units: a row with its label, the height of a bar, the margin
_LEAST = 1.5
_YEAR = width_of("2026") + 6  # units
_FEW_YEARS = 3
_MOST_TAGS = 40


def spell_chart(page: PageReport) -> Drawing:
    """Draw the time line of a page's tags."""
    tags = page.tags[:_MOST_TAGS]
    canvas = Canvas(_ROW * len(tags) + 22)
    span = max(1.0, (page.until - page.began).total_seconds())
    kept = {
        (change.change.provenance.kind, change.change.provenance.after_rev_id)
        for change in page.changes
        if change.verdict == KEPT
    }

    def x(moment: datetime) -> float:
        share = (moment - page.began).total_seconds() / span
        return _EDGE + (WIDTH - 2 * _EDGE) * min(1.0, max(0.0, share))

    years = _years(canvas, page, x, _ROW * len(tags) + 15)
    for row, tag in enumerate(tags):
        middle = _ROW * row + 24
        canvas.text(0, _ROW * row + 13, cut(tag, WIDTH))
        canvas.line((_EDGE, middle), (WIDTH - _EDGE, middle), "")
        for at in years:
            canvas.line((at, middle - _BAR / 2), (at, middle + _BAR / 2), "")
        drawn: set[tuple[int, int]] = set()
        rings: set[int] = set()
        for spell in page.spells:
            if spell.tag != tag:
                continue
            first = x(spell.put_in)
            wide = max(_LEAST, x(spell.taken_out or spell.observed_until) - first)
            # Of bars that look the same, one is enough.
            if (place := (round(first), round(wide))) not in drawn:
                drawn.add(place)
                kind = f"c0{' light' if spell.reverted else ''}"
                canvas.rect(first, middle - _BAR / 2, wide, _BAR, kind, _tip(spell))
            for what, revision, moment in (
                ("added", spell.put_in_rev, spell.put_in),
                ("removed", spell.taken_out_rev, spell.taken_out),
            ):
                if moment is not None and (what, revision) in kept:
                    rings.add(round(x(moment)))
        for at in sorted(rings):
            canvas.dot((at, middle), "ring", 5, "kept for the corpus")
    return canvas.drawing(f"When tags stood on {page.title}", _alt(page))


def _years(
    canvas: Canvas, page: PageReport, x: Callable[[datetime], float], y: float
) -> list[float]:
    """Write the years for which there is room, and return where they begin; of few, two dates."""
    if page.until.year - page.began.year < _FEW_YEARS:
        canvas.text(_EDGE, y, f"{page.began:%Y-%m-%d}", "start", "quiet")
        canvas.text(WIDTH - _EDGE, y, f"{page.until:%Y-%m-%d}", "end", "quiet")
        return []
    found: list[float] = []
    for year in range(page.began.year, page.until.year + 1):
        at = x(max(page.began, page.began.replace(year=year, month=1, day=1)))
        if at + _YEAR <= WIDTH + _EDGE and (not found or at >= found[-1] + _YEAR):
            canvas.text(at, y, f"{year:04}", "start", "quiet")
            found.append(at)
    return found


def _tip(spell: TaggedInterval) -> str:
    return f"{spell.tag}: from {spell.put_in:%Y-%m-%d}, {fate_of(spell)}"


def _alt(page: PageReport) -> str:
    """Return in words what one sees."""
    told = []
    for tag in page.tags[:_MOST_TAGS]:
        spells = [spell for spell in page.spells if spell.tag == tag]
        longest = max(spells, key=lambda spell: spell.days)
        since = f"{longest.put_in:%Y-%m-%d}"
        times = counted(len(spells), "time")
        long = f"for {days(longest.days)}" if len(spells) == 1 else f"at most {days(longest.days)}"
        standing = ", and still stands" if any(spell.stands for spell in spells) else ""
        told.append(f"{tag} stood {times}, {long} from {since} on{standing}")
    kept = sum(change.verdict == KEPT for change in page.changes)
    return f"{'; '.join(told)}. {counted(kept, 'edit')} kept for the corpus, marked by rings."
