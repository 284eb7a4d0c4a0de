"""The tables of a dataset card: numbers of the composition, and the parts of the dump."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.dumps.parts import file_name
from wikibias.kits import markdown

# What the reasons mean that are no names of lines.
_FATES = {
    "moved": "moved within the page",
    "number_only": "only a number changed",
    "list": "line of a list",
    "paragraph": "line of running text",
    "references": "in the section References",
    "see_also": "in the section See also",
    "external_links": "in the section External links",
    "too_short": "too short",
    "too_long": "too long",
    "tag_stands": "the page was still tagged, or soon again",
    "below_min_tier": "below the lowest tier asked for",
    "max_per_edit": "one of too many of its edit",
    "max_share": "its edit would give too large a share",
    "near_duplicate": "near-duplicate of one in another split",
}


def table(rows: Mapping[str, Mapping[str, int]]) -> str:
    """Return the lines of a table of numbers by row and column."""
    lines = [
        " | ".join([f"| {markdown.text(name)}", *(f"{count:,}" for count in of.values())])
        for name, of in rows.items()
    ]
    return "\n".join(f"{line} |" for line in lines) or "| none | | | |"


def fates(left_out: Mapping[str, Mapping[str, int]]) -> str:
    """Return the table of what was left out, each reason in words."""
    roles = ["removed", "added", "unchanged"]
    roles += ["featured"] if any("featured" in of for of in left_out.values()) else []
    head = " | ".join(["| left out, with the reason", *roles]) + " |"
    line = " | ".join(["| ---", *["---:"] * len(roles)]) + " |"
    return f"{head}\n{line}\n{table({_FATES.get(name, name): of for name, of in left_out.items()})}"


def counts(numbers: Mapping[str, int]) -> str:
    """Return the lines of a table of names and numbers."""
    return "\n".join(f"| {markdown.text(name)} | {count:,} |" for name, count in numbers.items())


def relations(numbers: Mapping[str, int]) -> str:
    """Return how many sentences have which relation, in a line."""
    shown = ", ".join(f"{name} {count:,}" for name, count in numbers.items())
    return markdown.text(shown or "not known")


def parts(inputs: Sequence[Mapping[str, Any]]) -> str:
    """Return the lines of the table of dump files; of a part of several, a line for each."""
    return "\n".join(
        f"| {markdown.code(name)} | {file.get('size') or 0:,} "
        f"| {markdown.code((file.get('sha256') or '-')[:16])} "
        f"| {'whole' if not entry.get('error') else 'damaged'} |"
        for entry in inputs
        for name, file in _files(entry)
    )


def _files(entry: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the files of a part, each with its name; a part of one file gives it its own."""
    if "files" not in entry:
        return [(entry["part"], entry)]
    return [(file_name(file["path"]), file) for file in entry["files"]]
