"""What the other tag sets of a language know of a name: that it is a tag, and which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wikibias.tags.tagset import Tag, TagSet


class KnownElsewhere:
    """Looks names up in tag sets other than the one to extend."""

    def __init__(self, sets: Sequence[TagSet]) -> None:
        self._sets = [(tagset, tagset.by_key()) for tagset in sets]

    def tag(self, name: str) -> Tag | None:
        """Return the tag that a name means in the first set that has it."""
        found = (by_key.get(tagset.key(name)) for tagset, by_key in self._sets)
        return next((tag for tag in found if tag is not None), None)

    def seed(self, name: str, seeds: Iterable[str]) -> tuple[str, str] | None:
        """Return the seed that means the same tag as a name in one of the sets, and the reason."""
        names = list(seeds)
        for tagset, by_key in self._sets:
            tag = by_key.get(tagset.key(name))
            for seed in names if tag else ():
                if by_key.get(tagset.key(seed)) == tag:
                    return seed, f"a name of {seed} in {tagset.name}"
        return None
