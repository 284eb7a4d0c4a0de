"""The folder that `wikibias selection-bias` writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError
from wikibias.kits.files import read_json, scratch_file, write_json, write_text

RESULT, TOPICS, FIGURES, PAGE = "selection_bias.json", "topics.jsonl", "figures.csv", "report.html"
FORMAT = "wikibias-selection-bias/1"


def is_ours(folder: Path) -> bool:
    """Return whether a folder holds a result of this command."""
    try:
        found = read_json(folder / RESULT)
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("format") == FORMAT


def check(out: Path, *, overwrite: bool) -> None:
    """Make sure that a result may be written to a folder, before it takes its time.

    Raises:
        UsageError: it holds what this command did not write.
        DiskError: nothing can be written there.
    """
    if out.is_file():
        raise UsageError(f"{out} is a file, and --out is a folder; give another --out")
    if out.is_dir() and any(out.iterdir()) and not overwrite and not is_ours(out):
        raise UsageError(
            f"{out} holds files of others; give another --out, or --overwrite to write among them"
        )
    with scratch_file(next(each for each in (out, *out.absolute().parents) if each.is_dir())):
        pass


def save(out: Path, result: Mapping[str, Any]) -> list[Path]:
    """Write the result, its tables and its page; return what was written.

    Raises:
        DiskError: the disk is full, or the folder cannot be written to.
    """
    from wikibias.kits.tables import write_rows
    from wikibias.reports.selection_bias_page import page

    shown = page(result)
    write_json(out / RESULT, result)  # first, since by it the others are known for ours
    write_rows(out / TOPICS, list(_topics(result)))
    write_rows(out / FIGURES, list(_figures(result)))
    write_text(out / PAGE, shown)
    return [out / name for name in (RESULT, TOPICS, FIGURES, PAGE)]


def _topics(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    settings = result["settings"]
    for each in result["topics"]:
        yield {
            "corpus": each["corpus"],
            "topics": settings["base"]["topics"],
            "seed": settings["seeds"][0],
            **{name: each[name] for name in ("topic", "words", "share")},
        }


def _figures(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for each in result["figures"]:
        group = each["group"] or {"by": "", "value": ""}
        yardstick = (each["baseline"] or {}).get("figures", {})
        for name, interval in {"b1": each["b1"], **each["b2"]}.items():
            chance = yardstick.get(name, {})
            yield {
                "corpus": each["corpus"],
                "keywords": each["keywords"],
                "by": group["by"],
                "group": group["value"],
                **{key: each[key] for key in ("documents", "topics", "words", "missing")},
                "figure": name,
                **{key: interval[key] for key in ("value", "low", "high")},
                **{f"random_{key}": chance.get(key) for key in ("mean", "low", "high", "p")},
                **{f"coverage_{key}": share for key, share in each["coverage"].items()},
            }
