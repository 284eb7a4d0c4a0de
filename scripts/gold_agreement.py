"""Compares the pipeline with gold files of planned tag events, and prints the agreement.

Usage: python scripts/gold_agreement.py DUMP GOLD.jsonl LANG
"""

import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.config.languages import load_language
from wikibias.config.thresholds import load_config
from wikibias.dumps.parts import find_parts
from wikibias.kits import parquet
from wikibias.pipeline import runner
from wikibias.pipeline.plan import Request
from wikibias.pipeline.settings import make_settings
from wikibias.text.segmentation import normalise

# How a gold file marks that the whole page was removed.
_WHOLE_PAGE = ("ALL", list("ALL"))


@dataclass(frozen=True)
class Checked:
    """One gold event: whether the pipeline agrees with it and, if not, what the pipeline found."""

    ref: str
    event: str
    agrees: bool
    seen: str


def check(dump: Path, gold: Path, lang: str) -> list[Checked]:
    """Run the pipeline on `dump`, compare each event of `gold`, and report unplanned events.

    The verdicts of a gold file are those of the 2019 paper's filters.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        parts = find_parts([str(dump)])
        runner.run(Request(folder, parts, make_settings(lang, load_config(), filters="paper")))
        found: dict[int, list[dict[str, Any]]] = {}
        for path in sorted((folder / "transitions").glob("*.parquet")):
            for row in parquet.read_table(path):
                found.setdefault(row["after_rev_id"], []).append(row)
        verdicts: dict[int, dict[str, Any]] = {}
        for kind in ("edits", "rejects"):
            for path in sorted((folder / kind).glob("*.parquet")):
                for row in parquet.read_table(path):
                    verdicts[row["after_rev_id"]] = row
    events = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    checked = [_compare(e, found.get(e["rev_id"], []), verdicts, lang) for e in events]
    planned = {event["rev_id"] for event in events}
    for revision in sorted(found.keys() - planned):
        checked.append(
            Checked(f"revision {revision}", "not planned", False, _seen(found[revision]))
        )
    return checked


def _compare(
    event: dict[str, Any],
    rows: list[dict[str, Any]],
    verdicts: dict[int, dict[str, Any]],
    lang: str,
) -> Checked:
    kinds = Counter(row["kind"] for row in rows)
    wanted = {
        "added": Counter(added=1),
        "removed": Counter(removed=1),
        "swapped": Counter(added=1, removed=1),
        "no-transition": Counter[str](),
    }[event["event"]]
    agrees = kinds == wanted and (_tags(event) is None or _tags(event) in _tags_of(rows))
    seen = _seen(rows)
    edit = verdicts.get(event["rev_id"])
    if agrees and event["event"] == "removed" and edit is not None:
        planned = event.get("removed_sentences")
        if planned is not None and planned not in _WHOLE_PAGE:
            got, wanted_norms = _norms(edit["removed"], lang), _norms(planned, lang)
            agrees = got == wanted_norms
            seen = (
                f"removed, but not in gold: {sorted((got - wanted_norms).elements())}, "
                f"missing: {sorted((wanted_norms - got).elements())}"
            )
        if "verdict" in event and edit["verdict"] != event["verdict"]:
            agrees, seen = False, f"verdict {edit['verdict']}, planned {event['verdict']}"
    return Checked(event["ref"], event["event"], agrees, seen)


def _tags(event: dict[str, Any]) -> set[str] | None:
    if event["event"] not in ("added", "removed"):
        return None
    return {tag.partition(" (")[0].replace("-", " ") for tag in event["tags"]}


def _tags_of(rows: list[dict[str, Any]]) -> tuple[set[str], set[str]]:
    """Return the tags as written, and their canonical names."""
    written = {alias.partition("|")[2] or alias for row in rows for alias in row["aliases"]}
    canonical = {tag for row in rows for tag in row["tags"]}
    spaced = [
        {n.replace("_", " ").replace("-", " ").lower() for n in s} for s in (written, canonical)
    ]
    return spaced[0], spaced[1]


def _norms(sentences: list[str], lang: str) -> Counter[str]:
    keep = load_language(lang).keep_apostrophes
    return Counter(normalise(s, keep_apostrophes=keep) for s in sentences)


def _seen(rows: list[dict[str, Any]]) -> str:
    return "; ".join(f"{r['kind']} {', '.join(r['tags'])}" for r in rows) or "nothing"


def main() -> None:
    """Print a table of events, agreements and differences."""
    if len(sys.argv) != 4:
        sys.exit((__doc__ or "").split("\n\n")[1])
    dump, gold, lang = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    checked = check(dump, gold, lang)
    for event in sorted({c.event for c in checked}):
        of_event = [c for c in checked if c.event == event]
        print(f"{lang} {event:15} {sum(c.agrees for c in of_event):4} of {len(of_event)} agree")
    for difference in (c for c in checked if not c.agrees):
        print(f"  {difference.ref} {difference.event}: {difference.seen}")


if __name__ == "__main__":
    main()
