"""The folders that statistics of tags are made of: results, and counts of calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from wikibias.curation import schemas
from wikibias.curation.counts_tables import read_about
from wikibias.curation.tag_spells import TagSpell, spells
from wikibias.errors import UsageError
from wikibias.kits import parquet
from wikibias.messages import nearest
from wikibias.pipeline import manifest
from wikibias.tags.tagset import TagSet, load_tagset

Tagged = tuple[str, str]
"""A wiki and a canonical tag."""


@dataclass(slots=True)
class Results:
    """Result folders, and for each wiki the folder of its counts and its tag sets.

    `families` gives the family of each tag; "" where its set is not known any more.
    """

    folders: list[Path] = field(default_factory=list)
    counts: dict[str, Path] = field(default_factory=dict)
    families: dict[Tagged, str] = field(default_factory=dict)
    _sets: dict[str, list[TagSet]] = field(default_factory=dict)

    def add(self, folder: Path, wikis: Collection[str]) -> None:
        """Take a result folder, with transitions of these wikis."""
        self.folders.append(folder)
        tagset = tagset_behind(folder)
        if tagset is not None:
            for wiki in wikis:
                self._sets.setdefault(wiki, []).append(tagset)
                self.families |= {(wiki, tag.name): tag.family for tag in tagset.tags}

    def spells(self) -> Iterator[TagSpell]:
        """Yield the spells of all folders.

        Raises:
            WikibiasError: a table is damaged.
        """
        for folder in self.folders:
            for spell in spells(folder):
                self.families.setdefault((spell.wiki, spell.tag), "")
                yield spell

    def calls(self) -> dict[str, Counter[tuple[str, int]]]:
        """Return for each wiki with counts the revisions that call a tag, by tag and year.

        Raises:
            UsageError: counts are of a wiki of which there is no result.
        """
        found = {}
        for wiki, folder in self.counts.items():
            if wiki not in self._sets:
                raise UsageError(
                    f"{folder} holds counts of {wiki or 'a wiki without a name'}, but no result "
                    "given is of that wiki; give its folder, too"
                )
            found[wiki] = calls_by_year(folder, self._sets[wiki])
        return found

    def chosen(self, tags: Sequence[str], families: Sequence[str]) -> set[Tagged] | None:
        """Return the tags that have one of these names and families; None for all.

        Raises:
            UsageError: there is no such tag, or family; the message names the nearest.
        """
        if not tags and not families:
            return None
        of_tags = {tagged for name in tags for tagged in self._named(name)}
        for family in families:
            if family not in (known := set(self.families.values())):
                raise UsageError(f"no tag is of the family {family!r}{nearest(family, known)}")
        of_families = {tagged for tagged, family in self.families.items() if family in families}
        return of_tags & of_families if tags and families else of_tags | of_families

    def _named(self, name: str) -> set[Tagged]:
        found = {
            (wiki, tag.name)
            for wiki, sets in self._sets.items()
            for tagset in sets
            if (tag := tagset.by_key().get(tagset.key(name))) is not None
        }
        if not found:
            known = {tag for _, tag in self.families}
            raise UsageError(f"no tag {name!r} in these results{nearest(name, known)}")
        return found


def results_in(folders: Sequence[Path]) -> Results:
    """Return which of the folders are results, and which hold counts of calls.

    Raises:
        UsageError: there is no result, two folders hold the same part or counts of the same wiki.
    """
    results = Results()
    parts: dict[tuple[str, str], Path] = {}
    for folder in folders:
        found = sorted((folder / "transitions").glob("*.parquet"))
        if not found and (counted := _counted_wiki(folder)) is not None:
            if counted in results.counts:
                other = results.counts[counted]
                raise UsageError(f"{other} and {folder} both hold counts of {counted}; give one")
            results.counts[counted] = folder
            continue
        wikis = [str((parquet.read_meta(path) or {}).get("wiki") or "") for path in found]
        for part in zip(wikis, (path.stem for path in found), strict=True):
            if part in parts:
                raise UsageError(
                    f"{parts[part]} and {folder} were both made of {part[1]}, whose tags would "
                    "count twice; give one of them"
                )
            parts[part] = folder
        results.add(folder, sorted(set(wikis)))
    if not results.folders:
        raise UsageError("no folder of a result; give one that `wikibias extract` or `detect` made")
    return results


def _counted_wiki(folder: Path) -> str | None:
    with suppress(UsageError):
        return str(read_about(folder)["wiki"])
    return None


def tagset_behind(folder: Path) -> TagSet | None:
    """Return the tag set that a result was made with, as it is now; None if it cannot be known."""
    with suppress(UsageError):
        recorded = manifest.load_recorded(folder)["settings"].get("detect", {})
        found = load_tagset(str(recorded.get("tagset")), str(recorded.get("lang")))
        return found.only(map(str, recorded.get("families") or ()))
    return None


def calls_by_year(counts: Path, tagsets: Sequence[TagSet]) -> Counter[tuple[str, int]]:
    """Return how many revisions of each year call each canonical tag by one of its names."""
    known = [(tagset, tagset.by_key()) for tagset in tagsets]
    found: Counter[tuple[str, int]] = Counter()
    for row in parquet.read_records(counts / "years.parquet", schemas.YEARS):
        tags = {tag.name for s, by_key in known if (tag := by_key.get(s.key(row.name))) is not None}
        found.update(dict.fromkeys(((tag, row.year) for tag in sorted(tags)), row.revisions))
    return found
