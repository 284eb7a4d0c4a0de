"""Holds judged sentences against the tiers, and against the rules that were tried for them.

Usage: python scripts/tier_rules.py FOLDER... [--judgements docs/data/judgements.jsonl]

FOLDER is what `wikibias extract` made of the dumps that the judged sentences are from. Each line of
the judgements names an edit, a removed sentence of it by the first 16 digits of the SHA-256 of its
normal form, and what two passes of judging said.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.config.thresholds import Tiers
from wikibias.edits.positives import TIERS, UNCHANGING, confidence, evidence, faults_of
from wikibias.kits.parquet import read_records
from wikibias.kits.schemas import DIFFS_TABLE
from wikibias.records import Edit, Link, Tier

JUDGEMENTS = Path(__file__).resolve().parents[1] / "docs" / "data" / "judgements.jsonl"
_NORMAL = 1.96  # for 95 %
EditKey = tuple[Any, ...]


@dataclass(frozen=True)
class Judged:
    """A judged sentence, with what is known of it and its edit."""

    article: str
    edit: Edit
    link: Link | None
    removed: int
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
        removed = sum(link.relation not in UNCHANGING for link in edit.links)
        for place, sentence in enumerate(edit.removed):
            name = form(sentence.norm)
            if name in left:
                line = left.pop(name)
                link = edit.links[place] if edit.links else None
                yield Judged(
                    article=line["article"],
                    edit=edit,
                    link=link,
                    removed=removed,
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


def rules(limits: Tiers) -> dict[str, Rule]:
    """Return the rules that were tried, by what they say."""

    def similar(judged: Judged, least: float, most: float) -> bool:
        link = judged.link
        return link is not None and bool(link.pair_id) and least <= link.similarity <= most

    def whole(judged: Judged) -> bool:
        return not judged.faults

    def good(judged: Judged) -> bool:
        return whole(judged) and not judged.against

    def rewritten(judged: Judged) -> bool:
        return similar(judged, limits.least_similar, limits.most_similar)

    def few(judged: Judged) -> bool:
        return judged.removed <= limits.few_removed

    found: dict[str, Rule] = {"all": lambda judged: True, "whole sentences": whole}
    for name in ("not_running_text", "gap", "no_stop", "capitals"):
        found[f"fault: {name}"] = lambda judged, name=name: name in judged.faults  # type: ignore[misc]
    for name in (
        *("reverted", "restores_earlier", "summary_reverts", "page_replaced", "many_removed"),
        *("tag_swapped", "tag_back", "tags_left"),
    ):
        found[f"whole, but {name}"] = lambda judged, name=name: (  # type: ignore[misc]
            whole(judged) and name in judged.against
        )
    found["whole, nothing against it"] = good
    found["... and few removed"] = lambda judged: good(judged) and few(judged)
    found["... and the summary names the policy"] = lambda judged: (
        good(judged) and bool(judged.edit.policy_words)
    )
    for least, most in ((40, 98), (60, 98), (60, 97), (60, 95), (60, 90)):
        found[f"... and similarity {least} to {most}"] = lambda judged, a=least, b=most: (  # type: ignore[misc]
            good(judged) and similar(judged, a, b)
        )
    found["... rewritten, few removed"] = lambda judged: (
        good(judged) and rewritten(judged) and few(judged)
    )
    found["... rewritten, few removed or policy"] = lambda judged: (
        good(judged) and rewritten(judged) and (few(judged) or bool(judged.edit.policy_words))
    )
    found["rewritten, but something against it"] = lambda judged: (
        whole(judged) and rewritten(judged) and bool(judged.against)
    )
    for tier in TIERS:
        found[f"**tier {tier}**"] = lambda judged, tier=tier: judged.tier == tier  # type: ignore[misc]
    return found


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
    for name, rule in rules(Tiers()).items():
        print(line(name, [each for each in judged if rule(each)]))
    for article in sorted({each.article for each in judged}):
        of_article = [each for each in judged if each.article == article]
        for tier in TIERS:
            of_tier = [each for each in of_article if each.tier == tier]
            if of_tier:
                print(line(f"{article}, tier {tier}", of_tier))


if __name__ == "__main__":
    main()
