"""What an edit changed, line by line, as MediaWiki's page of a diff shows it."""

from __future__ import annotations

from dataclasses import dataclass

from wikibias.text.similarity import changes


@dataclass(frozen=True, slots=True)
class Blocks:
    """The rows of a diff: lines that became others, and how many only went or only came."""

    changed: tuple[tuple[str, str], ...]
    deleted: int
    added: int


def blocks(before: str, after: str) -> Blocks:
    """Return what changed between two wikitexts.

    Lines are compared by the longest common subsequence. Of what differs at one place the first
    line belongs to the first, and so on. A blank line counts for nothing: what stands beside one
    was only deleted, or only added.
    """
    sides = before.split("\n"), after.split("\n")
    numbers: dict[str, int] = {}
    left, right = ([numbers.setdefault(line, len(numbers)) for line in side] for side in sides)
    changed: list[tuple[str, str]] = []
    deleted = added = 0
    for start, end, first, last in changes(left, right):
        for place in range(max(end - start, last - first)):
            source = sides[0][start + place] if start + place < end else ""
            target = sides[1][first + place] if first + place < last else ""
            match bool(source.strip()), bool(target.strip()):
                case True, True:
                    changed.append((source, target))
                case True, False:
                    deleted += 1
                case False, True:
                    added += 1
    return Blocks(tuple(changed), deleted, added)
