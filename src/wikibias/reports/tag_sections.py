"""The sections of a corpus's page on its tags: when they came and went, how long they stood."""

from __future__ import annotations

from collections.abc import Mapping

from wikibias.curation.tag_statistics import median, share_after
from wikibias.kits.document import Table
from wikibias.kits.html import Table
from wikibias.messages import counted
from wikibias.reports import corpus_figures
from wikibias.reports.corpus_statistics import Transitions
from wikibias.reports.sections import Section, missing
from wikibias.reports.tag_lives import ALL, TagLives, in_days

_TAGS, _CURVES = 25, 4
_YEAR = 365  # days


def over_the_years(found: Transitions | None) -> Section:
    """How many edits put tags in and took them out, by year and by tag."""
    title = "Tags put in and taken out"
    if found is None:
        return missing("years", title, "No table of transitions is here")
    if not found.years:
        return Section("years", title, ["No tag of the tag set was put in or taken out."])
    years = [[str(y), f"{found.added[y]:,}", f"{found.removed[y]:,}"] for y in found.years]
    names = sorted(
        {*found.tags_added, *found.tags_removed},
        key=lambda tag: (-found.tags_removed[tag], -found.tags_added[tag], tag),
    )
    tags = [[n, f"{found.tags_added[n]:,}", f"{found.tags_removed[n]:,}"] for n in names[:_TAGS]]
    says = ["An edit that changes several tags counts once for each of them in the table of tags."]
    if names[_TAGS:]:
        says.append(f"The table leaves out {len(names) - _TAGS:,} rarer tags.")
    tables = [Table(["tag", "put in", "taken out"], tags, title="By tag")]
    folded = {"Numbers by year": Table(["year", "put in", "taken out"], years)}
    drawn = [corpus_figures.of_years(found), corpus_figures.of_tags(found)]
    return Section("years", title, says, drawn, tables, folded)


def durations(found: Mapping[str, TagLives] | None) -> Section:
    """How long tags stand, and how many still do."""
    title = "How long tags stand"
    if found is None:
        return missing("lives", title, "No table of transitions is here")
    everything = found[ALL]
    if not everything.lives and not everything.standing:
        return Section("lives", title, ["No tag was seen on a page."])
    tags = sorted((t for t in found if t != ALL), key=lambda t: (-len(found[t].lives), t))
    lines = [_life(name, found[name]) for name in (ALL, *tags[:_TAGS])]
    header = [
        "tag", "seen to come", "still there", "half are gone after", "95 %, days",
        "there after a year",
    ]  # fmt: skip
    number = counted(everything.standing, "tag") if everything.standing else "No tag"
    says = [
        f"{number} still stood when the dump was made. Tags that a "
        "revert put back count as one; the curve of Kaplan and Meier takes those that still stand "
        "into account up to the day of the dump."
    ]
    figures = []
    if everything.lives:
        names = [*([ALL] if tags[1:] else []), *tags[:_CURVES]]
        chosen = {name: found[name] for name in names}
        figures.append(corpus_figures.of_lives(chosen))
    return Section("lives", title, says, figures, [Table(header, lines, stacks=True)])


def _life(name: str, of: TagLives) -> list[str]:
    curve = of.lives.curve()
    half, low, high = median(curve)
    share = share_after(curve, _YEAR)
    # What nobody has watched for a year may or may not last for one.
    known = len(of.lives) and (of.lives.longest >= _YEAR or not share)
    ends = " to ".join(
        "?" if end is None else f"{end:,.0f}" if end >= 1 else "<1" for end in (low, high)
    )
    return [
        name,
        f"{len(of.lives):,}",
        f"{of.standing:,}",
        "–" if half is None else in_days(half),
        "–" if low is None and high is None else ends,
        f"{share:.0%}" if known else "–",
    ]
