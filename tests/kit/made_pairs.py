"""Sentence pairs, of which editors took out a word of praise, and taggers trained on them."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from histories import history
from wikibias.config.thresholds import Build
from wikibias.corpus.sentence_pairs.harvest import Funnel, write_pairs
from wikibias.edits.word_diff import edited_spans
from wikibias.models.examples import Warn
from wikibias.records import SentencePair
from wikibias.research.spans.labels import Source, Tagged, of_neutral, of_pair
from wikibias.research.spans.training import Task, train

PROVENANCE = history(["{{POV}} a", "a"])[1].provenance


def pair(number: int = 1, page: int = 1, **facts: Any) -> SentencePair:
    """Return a biased pair of a page, or with `label="neutral"` one without a change."""
    neutral = facts.get("label") == "neutral"
    target = f"Orchard {number} lies on the northern slope above the river."
    made = SentencePair(
        pair_id=f"inventedenwiki-{number}",
        source=target if neutral else target.replace("Orchard", "The splendid orchard"),
        target=target,
        label="biased",
        single_word=False,
        relation=None if neutral else "rewritten",
        similarity=100.0 if neutral else 90.0,
        edits=(),
        split="",
        confidence=None,
        tier=None,
        tier_reasons=(),
        provenance=replace(PROVENANCE, page_id=page, after_rev_id=number),
    )
    return replace(made, **facts)


def written_pairs(folder: Path, number: int, **facts: Any) -> Path:
    """Write so many biased pairs, and a neutral one for each third, and return the folder."""

    def pairs() -> Iterator[SentencePair]:
        for each in range(100, 100 + number):  # all of a length
            made = pair(each, page=each, **facts)
            spans = edited_spans(made.source, made.target)
            yield replace(made, edits=spans)
            if each % 3 == 1:
                yield pair(number + each, page=each, label="neutral")

    funnel = Funnel()
    funnel.counts.update(matched=90, reverts=7, pover=2, kept=81, single_block=70, passed=60)
    funnel.stages.update({"passed": 60, "no changed block": 11})
    write_pairs(
        folder,
        pairs(),
        funnel,
        shares=Build(),
        seed=0,
        facts={"format": "sentence pairs", "rules": "wnc"},
        overwrite=True,
    )
    return folder


PRAISE = ("truly", "famously", "glorious", "visionary")
_NAMES = ("mill", "bridge", "market", "abbey", "harbour", "school", "theatre", "canal")
_PLACES = ("valley", "county", "province", "borough", "parish", "district")
_VERBS = ("opened", "burned", "closed", "moved", "stood", "grew")


def made_pairs(count: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return pairs (source, target); the source has one word of praise more."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        words = [
            *("the", rng.choice(_NAMES), "of", "the", rng.choice(_PLACES)),
            *(rng.choice(_VERBS), "in", f"{1700 + number}", "."),
        ]
        place = rng.choice((1, 4))
        praised = [*words[:place], rng.choice(PRAISE), *words[place:]]
        found.append((" ".join(praised), " ".join(words)))
    return found


def made_sentences(count: int, seed: int = 0) -> list[Tagged]:
    """Return sources and targets of such pairs."""
    pairs = made_pairs(count, seed)
    return [
        *(of_pair(source, target) for source, target in pairs),
        *(of_neutral(target) for _, target in pairs),
    ]


def pairs_file(folder: Path, count: int = 120, seed: int = 0, name: str = "pairs.tsv") -> Path:
    """Write such pairs as TSV with a header."""
    path = folder / name
    lines = [f"{source}\t{target}\n" for source, target in made_pairs(count, seed)]
    path.write_text("source\ttarget\n" + "".join(lines), encoding="utf-8")
    return path


def trained(folder: Path, tagger: str = "frequent", warn: Warn = print) -> Path:
    """Train a tagger on such pairs; return its folder."""
    folder.mkdir(exist_ok=True)
    out = folder / f"tagger-{tagger}"
    train(Task(tagger=tagger, sources=[Source(pairs_file(folder))], out=out), warn)
    return out
