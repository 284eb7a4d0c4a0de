"""What no status file tells: ratios and how sure they are, from `configs/planning/wikis.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from wikibias.config.declaration import ConflictError, Ge
from wikibias.config.resources import folder
from wikibias.config.toml_file import TomlFile
from wikibias.config.validation import conform_file

Size = Literal["small", "large"]
Positive = Annotated[float, Ge(1e-6)]


@dataclass(frozen=True, slots=True)
class Range:
    """A figure that is not known exactly: what is likely, and the ends of what is believable.

    Raises:
        ConflictError: they are not in order.
    """

    low: float
    mid: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.mid <= self.high:
            raise ConflictError(("low", "mid", "high"), "low, mid and high must grow")

    @classmethod
    def of(cls, figure: Callable[[str], float]) -> Range:
        """Return the range of a figure that is worked out for "low", "mid" and "high"."""
        low, mid, high = sorted(figure(end) for end in ("low", "mid", "high"))
        return cls(low, mid, high)

    def at(self, end: str) -> float:
        """Return the figure at "low", "mid" or "high"."""
        return float(getattr(self, end))

    def as_dict(self) -> dict[str, float]:
        """Return the range with four digits of each figure: it has no more."""
        return {end: float(f"{self.at(end):.4g}") for end in ("low", "mid", "high")}


@dataclass(frozen=True, slots=True)
class WikiRatios:
    """Ratios of the wikis of a class of size.

    Args:
        xml_per_7z: bytes of XML for each byte as 7z.
        xml_per_bz2: the same as bz2.
        revision_bytes: bytes of XML of a revision, where no stubs are listed.
        stub_bytes: bytes of the stubs as gz for each revision.
        article_share: the share of articles in the text.
        hit_share: the share of revisions that may hold a tag.
        match_share: exact matches for each revision that may hold a tag.
        transitions: for each revision.
        calls: of templates in the articles, for each revision.
    """

    xml_per_7z: Range
    xml_per_bz2: Range
    revision_bytes: Range
    stub_bytes: Range
    article_share: Range
    hit_share: Range
    match_share: Range
    transitions: Range
    calls: Range


@dataclass(frozen=True, slots=True)
class Ratios:
    """All ratios.

    Args:
        large_from_gb: the size as 7z from which a wiki is large, in GB.
        connection_mb_s: what one connection to Wikimedia brings, in MB a second.
        wikis: the rest, by class.
    """

    large_from_gb: Positive
    connection_mb_s: Range
    wikis: Mapping[Size, WikiRatios]


def load_ratios() -> Ratios:
    """Read `configs/planning/wikis.toml`.

    Raises:
        UsageError: the file is broken; names file, line and key.
    """
    file = TomlFile.read(folder("configs") / "planning" / "wikis.toml")
    return conform_file(Ratios, file.table, file)
