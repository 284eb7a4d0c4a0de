"""Proposes members for a tag set from a census: redirects, near spellings, names that contain.

Section 3.1 of the 2019 paper did this by hand from frequency lists; a user still decides, but
reads the reason beside each name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.curation.counts_tables import read_about
from wikibias.mediawiki import titles
from wikibias.messages import counted
from wikibias.storage import parquet
from wikibias.tags.tagset import TagSet
from wikibias.text.similarity import similarity

YES, NO, OPEN = "yes", "no", "?"
# Shorter seeds, such as POV, are one slip away from too many other names.
_MIN_NEAR = 5
_NEAR = 0.8
_LETTERS = re.compile(r"[^\W_]+")
# Words that name a part of an article, a kind of remark, or an ending; none names a subject.
_NO_SUBJECT = frozenset(
    """about alleged article assertion because body category check claim cleanup date disputed
    dispute ed er ers in ing inline intro language lead line list ly opinion para paragraph passage
    phrase phrasing remark s sect section section2 sentence source span statement tag talk term
    terms text title tone warning word words y""".split()
)
_SECTION = frozenset("section sect раздел розділ abschnitt sección sezione seção".split())
_INLINE = frozenset("inline line statement term word assertion claim phrase sentence".split())


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One name that may belong to a tag set. The fields are the columns of the TSV.

    `keep` is for the user to edit; `proposed` remembers what it was, so that `apply` can tell
    what was decided by hand. `look_alike` says why the name may mean something else, `tagset` for
    which set and language the name was proposed.
    """

    keep: str
    tag: str
    name: str
    family: str
    scope: str
    pages: int
    revisions: int
    first_year: int
    last_year: int
    reason: str
    look_alike: str
    proposed: str
    source: str
    tagset: str


def suggest(
    folder: Path, seeds: Sequence[str], tagset: TagSet
) -> tuple[list[Suggestion], list[str]]:
    """Return the names of a census that may belong to the tags `seeds`, by tag and reason.

    The second list holds the seeds that have led to none of them.

    Args:
        folder: what `wikibias tags count` wrote.
        seeds: names of templates, canonical ones or others; may be new to the set.
        tagset: the set to grow, perhaps without tags yet.

    Raises:
        UsageError: the folder holds no census.
    """
    about = read_about(folder)
    source = f"{about['wiki']}, {_dumps(about['parts'])}, until {about['until'][:10]}"
    keys = {seed: titles.key(seed, ignore_case=False) for seed in seeds}
    seeding = _Seeds(folder, list(keys.values()), tagset)
    found = []
    for row in parquet.read_table(folder / "counts.parquet"):
        suggestion = seeding.propose(row, source)
        if suggestion is not None:
            found.append(suggestion)
    found.sort(key=lambda p: (p.tag, _rank(p), -p.revisions, p.name))
    fruitful = {seed for suggestion in found for seed in seeding.behind(suggestion)}
    return found, [seed for seed, key in keys.items() if key not in fruitful]


def look_alike(name: str, seed: str, known: frozenset[str] = frozenset()) -> str:
    """Return why a name that contains `seed` may be about something else, or "".

    Examples of the 2019 paper: `weasel, back-striped` is an animal, `weasel, ben` a singer.
    `known` are further words that tags of the set are made of.
    """
    if "," in name and "," not in seed:
        return "a name with a comma, as of a species or a person"
    seed_words = _words(seed)
    words = _words(name)
    if all(word in words for word in seed_words):
        left = [word for word in words if word not in seed_words]
    else:
        whole = "".join(seed_words)
        left = [piece for word in words for piece in word.split(whole) if piece]
        if len(left) == len(words) and whole in "".join(words):
            left = [piece for piece in "".join(words).split(whole) if piece]
    strange = [w for w in left if w not in _NO_SUBJECT and w not in known and not w.isdigit()]
    return f"also says {strange[0]!r}" if strange else ""


class _Seeds:
    """The seeds, what leads to them, and what is decided already."""

    def __init__(self, folder: Path, seeds: list[str], tagset: TagSet) -> None:
        self._tagset = tagset
        self._in_set = tagset.by_key()
        rejected = tagset.provenance.get("rejected", [])
        self._rejected = {tagset.key(name) for name in rejected}
        names = [name for tag in tagset.tags for name in (tag.name, *tag.aliases)]
        self._known = frozenset(word for name in names for word in _words(name))
        self._seeds = {seed: seed for seed in seeds}
        self._periods: dict[str, tuple[str, str]] = {}
        # Twice, because what a seed itself leads to has other redirects that lead there.
        for _ in range(2):
            for row in parquet.read_table(folder / "aliases.parquet"):
                self._see(row)

    def _see(self, row: dict[str, Any]) -> None:
        alias, target, resolved = row["alias"], row["target"], row["resolved"]
        if alias in self._seeds and row["until"] is None:
            self._seeds.setdefault(resolved, self._seeds[alias])
        if target in self._seeds or resolved in self._seeds:
            root = resolved if resolved in self._seeds else target
            until = f" until {row['until']:%Y}" if row["until"] else ""
            if not until or alias not in self._periods:
                self._periods[alias] = (root, f"redirect to {target}{until}")

    def propose(self, row: dict[str, Any], source: str) -> Suggestion | None:
        name, target = row["name"], row["target"]
        tag, reason, strange, keep = self._judge(name, target)
        if not reason:
            return None
        known = self._in_set.get(self._tagset.key(tag))
        if self._tagset.key(name) in self._rejected:
            keep, reason = NO, f"{reason}; rejected before"
        return Suggestion(
            keep=keep,
            tag=known.name if known else tag,
            name=name,
            family=known.family if known else self._seeds.get(tag, tag).casefold(),
            scope=known.scope if known else _scope(tag),
            pages=row["pages"],
            revisions=row["revisions"],
            first_year=row["first_year"],
            last_year=row["last_year"],
            reason=reason,
            look_alike=strange,
            proposed=keep,
            source=source,
            tagset=f"{self._tagset.name}/{self._tagset.lang}",
        )

    def behind(self, suggestion: Suggestion) -> Iterator[str]:
        """Yield the seeds, as they were given, that lead to a name."""
        name, plain, near = suggestion.name, _squashed(suggestion.name), self._near(suggestion.name)
        root = self._periods[name][0] if name in self._periods else name
        same = {
            self._tagset.key(n) for n in (name, root, suggestion.tag, near[0] if near else name)
        }
        for seed, given in self._seeds.items():
            letters = _squashed(seed)
            if self._tagset.key(seed) in same or (letters and letters in plain):
                yield given

    def _judge(self, name: str, target: str | None) -> tuple[str, str, str, str]:
        """Return tag, reason, look-alike and keep of a name; no reason when it is none."""
        in_set = self._in_set.get(self._tagset.key(name))
        near = self._near(name)
        if in_set is not None:
            related = (
                near
                or name in self._periods
                or self._tagset.key(in_set.name) in {self._tagset.key(seed) for seed in self._seeds}
            )
            return in_set.name, "in the set" if related else "", "", YES
        if name in self._seeds:
            return name, "seed", "", YES
        if name in self._periods:
            root, reason = self._periods[name]
            return root, reason, "", YES
        if near is None:
            return "", "", "", NO
        seed, reason, strange = near
        home = target if target and _squashed(seed) in _squashed(target) else self._home(name, seed)
        return home, reason, strange, NO if strange else OPEN

    def _near(self, name: str) -> tuple[str, str, str] | None:
        """Return the seed that a name contains or is spelled like, how, and what speaks against."""
        squashed = _squashed(name)
        best: tuple[float, str] = (0.0, "")
        for seed in self._seeds:
            plain = _squashed(seed)
            if plain and plain in squashed:
                how = "the same letters" if plain == squashed else f"contains {seed}"
                return seed, how, look_alike(name, seed, self._known)
            if len(plain) >= _MIN_NEAR:
                best = max(best, (similarity(squashed, plain, _NEAR), seed))
        return (best[1], f"spelled like {best[1]} ({best[0]:.0%})", "") if best[0] else None

    def _home(self, name: str, seed: str) -> str:
        """Return the tag under which a name goes: the one of the seed's that is most like it."""
        plain = _squashed(seed)
        homes = [seed, *(t.name for t in self._tagset.tags if plain in _squashed(t.name))]
        scope = _scope(name)
        same = [home for home in homes if _scope(home) == scope] or homes
        return max(same, key=lambda home: (similarity(_squashed(name), _squashed(home)), home))


def _rank(suggestion: Suggestion) -> int:
    order = ("in the set", "seed", "redirect", "the same", "spelled", "contains")
    place = next(n for n, word in enumerate(order) if suggestion.reason.startswith(word))
    return place + (10 if suggestion.look_alike else 0)


def _scope(name: str) -> str:
    words = set(_words(name))
    if words & _SECTION or _squashed(name).endswith(("section", "sect")):
        return "section"
    return "inline" if words & _INLINE or name.endswith("?") else "article"


def _words(name: str) -> list[str]:
    return _LETTERS.findall(name.casefold())


def _squashed(name: str) -> str:
    return "".join(_words(name))


def _dumps(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{parts[0]} and {counted(len(parts) - 1, 'more part')}"
