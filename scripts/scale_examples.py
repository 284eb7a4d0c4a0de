"""Prints what four Wikipedias would cost, as Markdown for docs/scale.md.

    python scripts/scale_examples.py [--write]

The sizes below are those of docs/scale.md, which says where each comes from; nothing is fetched.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from command_costs import table
from page_sections import replace_section
from wikibias.planning.cost_model import TASKS, load_costs
from wikibias.planning.estimate import Estimate, estimate
from wikibias.planning.inventory import FetchedForm, Inventory
from wikibias.planning.ratios import Range, load_ratios

_GB = 10**9
_WORKERS = (1, 16, 256)


@dataclass(frozen=True, slots=True)
class Wiki:
    """A wiki with the number of its parts, and its GB as 7z, as bz2 and of its stubs."""

    name: str
    parts: int
    as_7z: float
    as_bz2: float
    stubs: float


WIKIS = (
    Wiki("English", 5000, 280, 2000, 104.5),
    Wiki("German", 190, 45, 270, 21.0),
    Wiki("Japanese", 85, 20, 120, 8.8),
    Wiki("Bulgarian", 1, 2.4, 14, 1.07),
)


def estimated(wiki: Wiki) -> Estimate:
    """Return the estimate for a wiki in parts of one size."""
    sizes: dict[FetchedForm, float] = {"7z": wiki.as_7z, "bz2": wiki.as_bz2}
    parts = {form: [int(gb * _GB / wiki.parts)] * wiki.parts for form, gb in sizes.items()}
    inventory = Inventory(wiki.name, "20260101", "assumed", parts, int(wiki.stubs * _GB))
    return estimate(inventory, load_costs(), load_ratios(), workers=_WORKERS, speed=1.0)


def shown(found: Range, one: float = 1.0) -> str:
    """Return a range with two digits."""
    low, mid, high = (float(f"{found.at(end) / one:.2g}") for end in ("low", "mid", "high"))
    return f"{mid:,g} ({low:,g}–{high:,g})"


def report() -> str:
    """Return the table, one column for each wiki."""
    found = [estimated(wiki) for wiki in WIKIS]
    rows = [
        ["parts", *(f"{wiki.parts:,}" for wiki in WIKIS)],
        ["as 7z, as bz2, GB", *(f"{wiki.as_7z:,g}, {wiki.as_bz2:,g}" for wiki in WIKIS)],
        ["XML, TB", *(shown(each.xml_bytes, 1e12) for each in found)],
        ["revisions, million", *(shown(each.revisions, 1e6) for each in found)],
        ["transitions, thousand", *(shown(each.transitions, 1e3) for each in found)],
    ]
    for form in ("7z", "bz2"):
        rows.append(
            [f"download of {form}, hours", *(shown(e.forms[form].download_hours) for e in found)]
        )
        rows += [
            [
                f"`{task}` from {form}, core hours",
                *(shown(each.forms[form].tasks[task].core_hours) for each in found),
            ]
            for task in TASKS
        ]
        rows += [
            [
                f"`extract` from {form}, {number} workers, hours",
                *(shown(each.forms[form].tasks["extract"].hours[number]) for each in found),
            ]
            for number in _WORKERS[1:]
        ]
    rows.append(
        [
            "memory of 16 workers, GB",
            *(f"{e.forms['7z'].tasks['extract'].memory_mb[16] / 1e3:.2g}" for e in found),
        ]
    )
    rows.append(
        [
            "result of `extract`, GB",
            *(shown(e.forms["7z"].tasks["extract"].output_bytes, 1e9) for e in found),
        ]
    )
    return table(["", *(wiki.name for wiki in WIKIS)], rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--write", action="store_true", help="replace the table in docs/scale.md")
    asked = parser.parse_args()
    print(report())
    if asked.write:
        replace_section("scripts/scale_examples.py", report())


if __name__ == "__main__":
    main()
