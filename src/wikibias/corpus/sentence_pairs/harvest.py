"""The harvest of sentence pairs: what they are made from, and the counts of what became of it."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from wikibias.config.languages import Language
from wikibias.config.thresholds import Build, Tiers
from wikibias.errors import UsageError
from wikibias.kits import schemas
from wikibias.kits.document import Table
from wikibias.kits.parquet import read_records
from wikibias.records import Edit

KEYS = (
    "matched",
    "reverts",
    "pover",
    "kept",
    "single_block",
    "passed",
    "biased",
    "single_word",
    "neutral",
    "after_length_ratio",
)
"""Of edits up to `passed`, of pairs from `biased` on; all but `neutral` count biased pairs then."""


@dataclass(slots=True)
class Funnel:
    """The counts of a harvest.

    Attributes:
        counts: by one of KEYS; what is not in it is not known, as where pairs come from a file.
        stages: how many edits ended where; those that passed are among them.
        verdicts: how many aligned pairs got which verdict of the pair filters.
        more: what else is to be told, such as the limits of the length ratio.
    """

    counts: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    more: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the funnel as `funnel.json` has it: KEYS in order, then the rest, most first."""
        return {
            **{key: self.counts.get(key) for key in KEYS},
            "stages": _most_first(self.stages),
            "verdicts": _most_first(self.verdicts),
            **self.more,
        }


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def funnel_tables(told: Mapping[str, Any]) -> list[Table]:
    """Return what `funnel.json` says as tables: the funnel, what became of edits and of pairs."""
    tables = []
    for title, numbers in (
        ("Funnel", told),
        ("Edits", told.get("stages", {})),
        ("Pairs", told.get("verdicts", {})),
    ):
        rows = [[name, f"{n:,}"] for name, n in numbers.items() if isinstance(n, int)]
        if rows:
            tables.append(Table(["", "count"], rows, title=title))
    by_signal = told.get("by_signal", {})
    # The funnel tells of summaries alone up to `kept`.
    if by_signal.get("tag", {}).get("edits"):
        rows = [[name, *(f"{n:,}" for n in of.values())] for name, of in by_signal.items()]
        tables.append(Table(["", *by_signal["tag"]], rows, title="By signal"))
    return tables


R = TypeVar("R")
RulesName = Literal["wnc", "own"]


@dataclass(frozen=True, slots=True)
class Harvest:
    """What pairs are made from: the tables of a result folder, and how it was made.

    Attributes:
        folder: the result folder.
        parts: the names of its parts, in the order of the manifest.
        language: the facts of the wiki's language.
        tiers: what sets the tiers apart.
        shares: the shares of the splits.
        seed: of the deal of the pages.
        summaries: how many edit summaries matched, and why some do not count (`matched`, `reverts`,
            `pover`, `kept`); empty where the run did not look for summaries.
        judged: gives each edit, and why the filters of edits do not keep it, or None.
        summary_rule: by which the run looked for summaries; None where it did not.
    """

    folder: Path
    parts: tuple[str, ...]
    language: Language
    tiers: Tiers
    shares: Build
    seed: int
    summaries: Mapping[str, int]
    judged: Callable[[], Iterator[tuple[Edit, str | None]]] = lambda: iter(())
    summary_rule: str | None = None

    def rows(self, table: schemas.Table[R]) -> Iterator[R]:
        """Yield the rows of a table of all parts, a few at a time in memory.

        Raises:
            WikibiasError: a file is damaged.
        """
        for part in self.parts:
            path = self.folder / table.name / f"{part}.parquet"
            if path.is_file():
                yield from read_records(path, table)

    def refuse_unknown(self, stages: Counter[str], unknown: str) -> None:
        """Say what to do where no edit could be looked at, as none of their texts is known.

        Args:
            stages: how many edits ended where.
            unknown: the stage of those without a text.

        Raises:
            UsageError: all ended there.
        """
        if stages[unknown] and stages[unknown] == stages.total():
            raise UsageError(
                f"{self.folder}: the texts of its edits are not known, as after reading stubs; run "
                f"`wikibias fetch --revisions {shlex.quote(str(self.folder))}`, then this command "
                "again"
            )
