"""What a manifest must hold for us to read it. Whoever may write in the folder wrote it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wikibias.kits.folders import is_file_name

_CORPUS_COUNTS = ("removed", "added", "unchanged")
# What a corpus of an earlier version may lack.
_MORE_COUNTS = (
    "featured",
    "pages",
    "edits",
    "duplicates",
    "in_both_classes",
    "near_duplicates",
    "near_duplicate_groups",
)
_LABELS = ("biased", "neutral")


def misfit(found: object) -> str:
    """Return what is not as a manifest has it, in a few words; "" where all is."""
    if not isinstance(found, dict) or not {"settings", "inputs"} <= found.keys():
        return "it holds no settings and inputs"
    checks: dict[str, Callable[[Any], bool]] = {
        "settings": _is_settings,
        "inputs": lambda value: isinstance(value, list) and all(map(_is_input, value)),
        "corpus": lambda value: value is None or _is_corpus(value),
        "commands": _is_commands,
        "verdicts": _are_counts,
        "repeated": _are_counts,
        "intents": _are_counts,
        "intents_reverted": _are_counts,
        "gone_pages": _are_pages,
        "renamed_pages": lambda value: _are_pages(value, "was"),
        "duration_seconds": lambda value: isinstance(value, (int, float)) and 0 <= value < 1e12,
    }
    for key, is_right in checks.items():
        if key in found and not is_right(found[key]):
            return _culprit(key, found[key])
    return ""


def _culprit(key: str, value: Any) -> str:
    """Return what is wrong: the name of a part, or only where it is."""
    if key != "inputs" or not isinstance(value, list):
        return key
    names = [entry.get("part") for entry in value if isinstance(entry, dict)]
    wrong = [name for name in names if not is_file_name(name)]
    return f"the part {ascii(wrong[0])[:60]}" if wrong else key


def _is_settings(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(section, dict) for section in value.values())


def _is_input(entry: Any) -> bool:
    if not isinstance(entry, dict) or not is_file_name(entry.get("part")):
        return False
    files = entry.get("files", [entry])
    return (
        isinstance(entry.get("error"), str | None)
        and isinstance(files, list)
        and all(isinstance(file, dict) and isinstance(file.get("path"), str) for file in files)
        and all("\0" not in file["path"] for file in files)
        and all(isinstance(file.get("size"), int | None) for file in files)
        and all(isinstance(file.get("sha256"), str | None) for file in files)
        and _are_counts(entry.get("counts", {}))
    )


def _is_corpus(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and all(_is_count(value.get(key)) for key in _CORPUS_COUNTS)
        and all(_is_count(value.get(key, 0)) for key in _MORE_COUNTS)
        and isinstance(value.get("largest_share", 0), int | float)
        and _are_counts(value.get("splits"))
        and _are_counts(value.get("relations", {}))
        and all(_are_tables(value.get(key, {})) for key in ("left_out", "pairings"))
        and _are_tiers(value.get("tiers", {}))
        and _is_texts(value.get("notes"))
        and isinstance(value.get("files", {}), dict)
        and _is_labelled(value.get("labelled"))
    )


def _is_labelled(value: Any) -> bool:
    """Return whether a value tells what a corpus with several labels holds, or that there is none.

    `corpus.labelled.composition` has the keys.
    """
    counts, tables = (
        ("several", "kinds", "splits", "relations", "left_out"),
        ("labels", "negatives"),
    )
    return value is None or (
        isinstance(value, dict)
        and isinstance(value.get("by"), str)
        and all(_is_count(value.get(key)) for key in ("sentences", "positives", "pages"))
        and all(_are_counts(value.get(key)) for key in counts)
        and all(_are_tables(value.get(key)) for key in tables)
        and _is_texts(value.get("notes"))
        and isinstance(value.get("about", {}), dict)
    )


def _are_tiers(value: Any) -> bool:
    """Return whether a value tells how many sentences of each label each tier has."""
    return _are_tables(value) and all(
        _is_count(labels.get(each)) for labels in value.values() for each in _LABELS
    )


def _are_tables(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_are_counts, value.values()))


def _are_counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_count, value.values()))


def _is_commands(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_texts, value.values()))


def _are_pages(value: Any, *more: str) -> bool:
    return isinstance(value, list) and all(
        isinstance(page, dict)
        and isinstance(page.get("wiki", 0), str | None)
        and _is_count(page.get("page_id"))
        and all(isinstance(page.get(key), str) for key in ("page_title", *more))
        for page in value
    )


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 62
