"""Holds judged sentences against the tiers.

Usage: python scripts/tier_rules.py FOLDER... [--judgements docs/data/judgements.jsonl]

FOLDER is what `wikibias extract` made of the dumps that the judged sentences are from. Each line of
the judgements names an edit, a removed sentence of it by the first 16 digits of the SHA-256 of its
normal form, and what two passes of judging said.
"""

import argparse
import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from wikibias.config.thresholds import Tiers
from wikibias.edits.filters import TIERS, confidence, evidence, faults_of
from wikibias.kits.parquet import read_records
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.records import Edit, Tier

JUDGEMENTS = Path(__file__).resolve().parents[1] / "docs" / "data" / "judgements.jsonl"
_NORMAL = 1.96  # for 95 %
EditKey = tuple[Any, ...]


@dataclass(frozen=True)
class Judged:
    """A judged sentence, with what is known of it and its edit."""

    article: str
    edit: Edit
    faults: tuple[str, ...]
    against: tuple[str, ...]
    tier: Tier
    biased: int
    well_formed: int


Rule = Callable[[Judged], bool]


def edit_key(edit: Edit) -> EditKey:
    """Return what names an edit in a judgement."""
    made = edit.provenance
    return made.wiki, made.before_rev_id, made.after_rev_id, made.pairing


def form(norm: str) -> str:
    """Return what names a sentence of an edit in a judgement."""
    return hashlib.sha256(norm.encode()).hexdigest()[:16]


def judged_sentences(
    folders: Iterable[Path], judgements: Iterable[dict[str, Any]], limits: Tiers
) -> Iterator[Judged]:
    """Yield the judged sentences that stand in `diffs` of some folders, each once."""
    asked: dict[EditKey, dict[str, dict[str, Any]]] = defaultdict(dict)
    for line in judgements:
        key = tuple(line[name] for name in ("wiki", "before_rev_id", "after_rev_id", "pairing"))
        asked[key][line["form"]] = line
    paths = (path for folder in folders for path in sorted((folder / "diffs").glob("*.parquet")))
    for edit in (edit for path in paths for edit in read_records(path, DIFFS_TABLE)):
        left = asked.get(edit_key(edit), {})
        found = evidence(edit, limits)
        for place, sentence in enumerate(edit.removed):
            name = form(sentence.norm)
            if name in left:
                line = left.pop(name)
                link = edit.links[place] if edit.links else None
                yield Judged(
                    article=line["article"],
                    edit=edit,
                    faults=faults_of(sentence),
                    against=(*found.doubts, *found.against_edit),
                    tier=confidence(found, "removed", sentence, link, limits).tier,
                    biased=line["biased"][0],
                    well_formed=line["well_formed"][0],
                )


def interval(successes: int, trials: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    if not trials:
        return 0.0, 1.0
    share, square = successes / trials, _NORMAL**2
    middle = share + square / (2 * trials)
    half = _NORMAL * math.sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    return (middle - half) / (1 + square / trials), (middle + half) / (1 + square / trials)


def rules() -> dict[str, Rule]:
    """Return what sentences are parted by: whole ones, those with nothing against them, tiers."""
    return {
        "all": lambda judged: True,
        "whole sentences": lambda judged: not judged.faults,
        "whole, nothing against it": lambda judged: not (judged.faults or judged.against),
        **{f"**tier {tier}**": partial(_is_of, tier) for tier in TIERS},
    }


def _is_of(tier: Tier, judged: Judged) -> bool:
    return judged.tier == tier


def line(name: str, judged: Sequence[Judged]) -> str:
    """Return the line of a table for some judged sentences."""
    count, biased = len(judged), sum(each.biased for each in judged)
    edits = len({edit_key(each.edit) for each in judged})
    if not count:
        return f"| {name} | 0 | 0 | | | |"
    low, high = interval(biased, count)
    formed = sum(each.well_formed for each in judged) / count
    share = f"{biased} | {biased / count:.0%} ({low:.0%} to {high:.0%}) | {formed:.0%}"
    return f"| {name} | {count} | {edits} | {share} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--judgements", type=Path, default=JUDGEMENTS)
    arguments = parser.parse_args()
    judgements = [json.loads(each) for each in arguments.judgements.read_text("utf-8").splitlines()]
    judged = list(judged_sentences(arguments.folders, judgements, Tiers()))
    print(f"{len(judged)} of {len(judgements)} judged sentences found.\n")
    print("| rule | sentences | edits | biased | share (95 %) | well formed |")
    print("| --- " + "| ---: " * 5 + "|")
    for name, rule in rules().items():
        print(line(name, [each for each in judged if rule(each)]))
    for article in sorted({each.article for each in judged}):
        of_article = [each for each in judged if each.article == article]
        for tier in TIERS:
            of_tier = [each for each in of_article if each.tier == tier]
            if of_tier:
                print(line(f"{article}, tier {tier}", of_tier))


if __name__ == "__main__":
    main()
