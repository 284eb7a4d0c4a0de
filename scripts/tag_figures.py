"""Draws the calls of tags by name and year, and how often tags were added and removed.

Usage: python scripts/tag_figures.py COUNTS RESULT LANG FOLDER

COUNTS is the output folder of `wikibias tags count`, RESULT that of `wikibias extract` or `detect`
for the same dump. Writes calls.png and transitions.png to FOLDER, and prints their numbers.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import pandas as pd

from wikibias.tags.tagset import load_tagset

mpl.use("Agg")
import matplotlib.pyplot as plt

MOST_NAMES = 8


def calls_by_year(counts: Path, lang: str) -> pd.DataFrame:
    """Return revisions by name (rows, most frequent first) and year (columns), tags only."""
    tagset = load_tagset("npov", lang)
    known = tagset.by_key()
    years = pd.read_parquet(counts / "years.parquet")
    years = years[[tagset.key(name) in known for name in years["name"]]]
    table = years.pivot_table(
        index="name", columns="year", values="revisions", aggfunc="sum", fill_value=0
    )
    return table.loc[table.sum(axis=1).sort_values(ascending=False, kind="stable").index]


def transitions_by_tag(result: Path) -> pd.DataFrame:
    """Return for each tag how often it was added, removed, and removed but restored."""
    rows = pd.read_parquet(result / "transitions").explode("tags")
    rows = rows[rows["pairing"] != "tagged-span"]
    kind = rows["kind"].where(~((rows["kind"] == "removed") & rows["reverted"]), "restored")
    table = pd.crosstab(rows["tags"], kind).reindex(
        columns=["added", "removed", "restored"], fill_value=0
    )
    return table.loc[table.sum(axis=1).sort_values(ascending=False, kind="stable").index]


def shares_found(result: Path) -> pd.DataFrame:
    """Return for each scope the number of tags, and of those whose target was found."""
    rows = pd.read_parquet(result / "transitions")
    rows = rows[rows["pairing"] != "tagged-span"]
    rows = rows.explode(["tags", "scope", "section", "pointed_at"])
    found = rows["pointed_at"].fillna("") != ""
    return pd.DataFrame(
        {"tags": rows.groupby("scope").size(), "found": found.groupby(rows["scope"]).sum()}
    )


def draw_calls(table: pd.DataFrame, target: Path) -> None:
    """Draw the calls of the most frequent names, a stacked bar for each year."""
    top = table.head(MOST_NAMES)
    rest = table.iloc[MOST_NAMES:].sum()
    shown = pd.concat([top, rest.to_frame(f"{max(len(table) - MOST_NAMES, 0)} other names").T])
    axes = shown.T.plot.bar(stacked=True, figsize=(8, 4.5), width=0.8, colormap="tab10")
    axes.set(xlabel="", ylabel="revisions with the call")
    axes.set_title("Neutrality templates by name")
    axes.legend(title="", fontsize=8, frameon=False)
    axes.tick_params(axis="x", rotation=0)
    axes.spines[["top", "right"]].set_visible(False)
    plt.savefig(target, dpi=150, bbox_inches="tight")
    plt.close()


def draw_transitions(table: pd.DataFrame, target: Path) -> None:
    """Draw how often each tag was added and removed."""
    axes = table.iloc[::-1].plot.barh(
        figsize=(8, 0.45 * len(table) + 1.5), width=0.8, color=["#4878a8", "#d1813b", "#bbbbbb"]
    )
    axes.set(xlabel="edits", ylabel="")
    axes.set_title("How often each tag was added, removed, and removed but restored")
    axes.legend(title="", frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    plt.savefig(target, dpi=150, bbox_inches="tight")
    plt.close()


def main() -> None:
    """Print the tables and draw the figures."""
    if len(sys.argv) != 5:
        sys.exit((__doc__ or "").split("\n\n")[1])
    counts, result, lang, folder = (
        Path(sys.argv[1]),
        Path(sys.argv[2]),
        sys.argv[3],
        Path(sys.argv[4]),
    )
    folder.mkdir(parents=True, exist_ok=True)
    calls, transitions, shares = (
        calls_by_year(counts, lang),
        transitions_by_tag(result),
        shares_found(result),
    )
    print(calls.to_string(), transitions.to_string(), shares.to_string(), sep="\n\n")
    draw_calls(calls, folder / "calls.png")
    draw_transitions(transitions, folder / "transitions.png")


if __name__ == "__main__":
    main()
