"""Statistics of tags: how often they were put in and taken out, and how long they stood.

How long they stood is told by the survival curve of Kaplan and Meier (1958). Intervals that had not
ended when they were last seen are censored: they count among those at risk up to then. The
variance is Greenwood's (1926), and the interval is taken on the scale log(-log S), so that it stays
between 0 and 1 (Kalbfleisch and Prentice 1980).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pandas as pd

from wikibias.curation.tagged_intervals import TaggedInterval, tagged_intervals, without_reverts
from wikibias.errors import UsageError, nearest
from wikibias.kits import files, parquet, tables
from wikibias.kits.document import Table
from wikibias.pipeline import manifest
from wikibias.tags.tagset import TagSet, load_tagset

By = Literal["tag", "family"]
_MONTH, _YEAR = 30, 365  # days
# Wikis have no revisions before 2000; a clock that is wrong is no reason for a million rows.
_FIRST, _LAST = 2000, 2100
_COLUMNS = (
    "wiki", "page_title", "namespace", "tag", "alias", "put_in", "put_in_diff_url",
    "begins_unseen", "reverted", "taken_out", "taken_out_diff_url", "taken_out_reverted",
    "stands", "days", "observed_until",
)  # fmt: skip
_Z = 1.959964  # of a 95% interval
# A share that is a half may come out of the product a little above it.
_HALF = 0.5 + 1e-9


class Step(NamedTuple):
    """A step of a curve: after `days`, the share that is left, with its 95% interval.

    `at_risk` lives had lasted at least so long, `ended` of them ended then. The interval of a share
    of 0 is not defined.
    """

    days: float
    at_risk: int
    ended: int
    share: float
    low: float | None
    high: float | None


@dataclass(slots=True)
class Lives:
    """How long lives lasted, in days, and whether each had ended; takes 9 bytes for each."""

    days: array[float]
    has_ended: array[int]

    def __len__(self) -> int:
        return len(self.days)

    @property
    def longest(self) -> float:
        """The days of the longest life, ended or not."""
        return max(self.days, default=0.0)

    def curve(self) -> list[Step]:
        """Return the steps of the survival curve, by days."""
        steps: list[Step] = []
        left, share, variance = len(self.days), 1.0, 0.0
        lives = sorted(zip(self.days, self.has_ended, strict=True))
        for days, together in groupby(lives, lambda life: life[0]):
            flags = [flag for _, flag in together]
            if ended := sum(flags):
                share *= 1 - ended / left
                variance += ended / (left * (left - ended)) if left > ended else math.inf
                steps.append(Step(days, left, ended, share, *_interval(share, variance)))
            left -= len(flags)
        return steps


def _interval(share: float, variance: float) -> tuple[float | None, float | None]:
    """Return the 95% interval of a share, given the sum in Greenwood's formula."""
    if not 0 < share < 1:
        return None, None
    spread = _Z * math.sqrt(variance) / math.log(share)
    one, other = (share ** math.exp(sign * spread) for sign in (1, -1))
    return min(one, other), max(one, other)


def median(curve: Sequence[Step]) -> tuple[float | None, float | None, float | None]:
    """Return after how many days half of the lives have ended, with its 95% interval.

    None where the curve, or the bound of its interval, does not come down to a half: where the
    curve falls to 0 the interval is not known. It is that of Brookmeyer and Crowley (1982).
    """
    shares = ([s.share for s in curve], [s.low for s in curve], [s.high for s in curve])
    found = [_first(zip(curve, of, strict=True)) for of in shares]
    return found[0], found[1], found[2]


def _first(steps: Iterable[tuple[Step, float | None]]) -> float | None:
    """Return the days of the first step whose share is a half or less."""
    return next((step.days for step, at in steps if at is not None and at <= _HALF), None)


def share_after(curve: Sequence[Step], days: float) -> float:
    """Return the share of lives that last longer than so many days."""
    return next((step.share for step in reversed(curve) if step.days <= days), 1.0)


@dataclass(frozen=True, slots=True)
class TagStatistics:
    """What became of the tags of results.

    Attributes:
        by_year: a row for each year: tags put in and taken out, those of each that a revert undid,
            and how many stood at its end.
        by_group: the same for all and for each group, with the median days that a tag stood, its
            95% interval, and the shares that stood longer than 30 and 365 days.
        intervals: a row for each tag on a page, without what reverts undid, the longest first.
    """

    by_year: pd.DataFrame
    by_group: pd.DataFrame
    intervals: pd.DataFrame

    def write(self, path: Path) -> None:
        """Write the intervals as a TSV file.

        Raises:
            DiskError: it cannot be written.
        """
        table = self.intervals.drop(columns="group")
        for name in ("page_title", "tag", "alias"):
            table[name] = table[name].map(tables.one_line)
        with files.disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        times = "%Y-%m-%dT%H:%M:%SZ"
        text = table.to_csv(
            sep="\t", index=False, lineterminator="\n", date_format=times, float_format="%.6g"
        )
        files.write_text(path, text)


def tag_statistics(
    folders: Sequence[Path], by: By = "tag", families: Sequence[str] = ()
) -> TagStatistics:
    """Return the statistics of the tags in results of `wikibias detect`.

    Args:
        folders: results, of one wiki or several.
        by: what to compare.
        families: only the tags of these; all where empty.

    Raises:
        UsageError: there is no such family, a folder holds no result, or two folders hold the same
            part.
        WikibiasError: a table is damaged.
    """
    family = _families_of(folders)
    found = [list(tagged_intervals(folder)) for folder in folders]
    changes = _chosen(_frame(chain(*found)), family, families, by)
    lives = chain.from_iterable(map(without_reverts, found))
    intervals = _chosen(_frame(lives), family, families, by)
    counts = _sums(changes, changes["group"], changes["group"])
    counts = counts.sort_values("put_in", ascending=False, kind="stable")
    groups: list[tuple[Any, pd.DataFrame]] = [*intervals.groupby("group", sort=False)]
    if len(counts) > 1:
        counts = pd.concat([counts.sum().to_frame("all").T, counts])
        groups.append(("all", intervals))
    names = ["group", "lives", "median", "low", "high", "over_30_days", "over_1_year"]
    stood = pd.DataFrame([_durations(*each) for each in groups], columns=names)
    return TagStatistics(
        _by_year(changes),
        counts.join(stood.set_index("group")).reset_index(names="group"),
        intervals.sort_values("days", ascending=False, kind="stable", ignore_index=True),
    )


def _frame(found: Iterable[TaggedInterval]) -> pd.DataFrame:
    frame = pd.DataFrame([attrgetter(*_COLUMNS)(interval) for interval in found], columns=_COLUMNS)
    times = dict.fromkeys(("put_in", "taken_out", "observed_until"), "datetime64[s, UTC]")
    flags = dict.fromkeys(("begins_unseen", "reverted", "taken_out_reverted", "stands"), "bool")
    return frame.astype({**times, **flags, "days": "float64", "namespace": "int32"})


def _years(times: pd.Series[pd.Timestamp]) -> pd.Series[int]:
    return times.dt.year.clip(_FIRST, _LAST)


def _by_year(found: pd.DataFrame) -> pd.DataFrame:
    left = _years(found["taken_out"].fillna(found["observed_until"]))
    counts = _sums(found, _years(found["put_in"]), left)
    if not counts.empty:
        counts = counts.reindex(range(counts.index.min(), counts.index.max() + 1), fill_value=0)
    counts["stand"] = counts["stand"].cumsum()
    return counts.reset_index(names="year")


def _sums(found: pd.DataFrame, came: pd.Series[Any], left: pd.Series[Any]) -> pd.DataFrame:
    """Return how many tags came and left, by the keys under which they did."""
    seen, gone = ~found["begins_unseen"], found["taken_out"].notna()
    keys = {
        "put_in": came[seen],
        "put_in_undone": came[seen & found["reverted"]],
        "taken_out": left[gone],
        "taken_out_undone": left[gone & found["taken_out_reverted"]],
        "stand": came,
        "left": left[~found["stands"]],
    }
    counts = pd.DataFrame({name: of.value_counts() for name, of in keys.items()})
    counts = counts.fillna(0).astype("int64").sort_index()
    counts["stand"] -= counts.pop("left")
    return counts


def _durations(name: object, found: pd.DataFrame) -> tuple[object, ...]:
    lives = lives_of(found)
    curve = lives.curve()
    shares = (share_after(curve, days) for days in (_MONTH, _YEAR))
    return (name, len(lives), *median(curve), *shares)


def _families_of(folders: Sequence[Path]) -> dict[tuple[str, str], str]:
    """Return the families of the tags of results: (wiki, tag) -> family."""
    family: dict[tuple[str, str], str] = {}
    parts: dict[tuple[str, str], Path] = {}
    for folder in folders:
        tagset = _tagset_behind(folder)
        for path in sorted((folder / "transitions").glob("*.parquet")):
            wiki = str((parquet.read_meta(path) or {}).get("wiki") or "")
            if (wiki, path.stem) in parts:
                raise UsageError(
                    f"{parts[wiki, path.stem]} and {folder} were both made of {path.stem}, whose "
                    "tags would count twice; give one of them"
                )
            parts[wiki, path.stem] = folder
            family |= {(wiki, tag.name): tag.family for tag in (tagset.tags if tagset else ())}
    return family


def lives_of(intervals: pd.DataFrame) -> Lives:
    """Return how long tags stood that were seen to come, of rows of `TagStatistics.intervals`."""
    seen = intervals[~intervals["begins_unseen"]]
    return Lives(array("d", seen["days"]), array("b", seen["taken_out"].notna()))


def statistics_tables(found: TagStatistics, by: By, most: int) -> list[Table]:
    """Return the changes of tags by year and by group, and how long the tags of each stood.

    Args:
        found: what to show.
        by: what the groups are.
        most: how many groups to show.
    """
    counts = ["Put in", "undone", "Taken out", "undone"]
    years = [[*map(str, of)] for of in found.by_year.itertuples(index=False)]
    groups = [*found.by_group.head(most).itertuples(index=False)]
    lines = [[*map(str, of[:6])] for of in groups]
    lives = [_lives_line(of) for of in groups if of.lives]
    columns = [by.title(), "Lives", "Median", "95%", ">30 days", ">1 year"]
    return [
        Table(["Year", *counts, "Stand at its end"], years, 0, title="By year"),
        Table([by.title(), *counts, "Stand"], lines, title=f"By {by}"),
        Table(columns, lives, title="How long tags stood, in days"),
    ]


def _lives_line(group: Any) -> list[str]:
    middle, *ends = (
        "?"
        if days is None or math.isnan(days)
        else f"{days:,.1f}"
        if days >= 0.95
        else f"{days:.2g}"
        for days in (group.median, group.low, group.high)
    )
    shares = (f"{share:.0%}" for share in (group.over_30_days, group.over_1_year))
    return [str(group.group), str(int(group.lives)), middle, "-".join(ends), *shares]


def _chosen(
    found: pd.DataFrame, family: Mapping[tuple[str, str], str], families: Sequence[str], by: By
) -> pd.DataFrame:
    """Return the rows of some families, with the family and the group of each."""
    keys = zip(found["wiki"], found["tag"], strict=True)
    found.insert(4, "family", [family.get(key, "") for key in keys])
    if unknown := set(families) - set(family.values()):
        name = min(unknown)
        raise UsageError(f"no tag is of the family {name!r}{nearest(name, set(family.values()))}")
    if families:
        found = found[found["family"].isin(families)]
    group = found[by].where(found[by] != "", "unknown")
    several = found["wiki"].nunique() > 1
    return found.assign(group=found["wiki"] + ": " + group if several else group)


def _tagset_behind(folder: Path) -> TagSet | None:
    """Return the tag set that a result was made with, as it is now; None if it cannot be known."""
    with suppress(UsageError):
        recorded = manifest.load_recorded(folder)["settings"].get("detect", {})
        found = load_tagset(str(recorded.get("tagset")), str(recorded.get("lang")))
        return found.only(map(str, recorded.get("families") or ()))
    return None
