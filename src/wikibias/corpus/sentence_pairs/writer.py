"""Writes a folder of sentence pairs: the table, a readable part of it, and the funnel."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from wikibias.config.choices import SPLITS
from wikibias.config.thresholds import Build
from wikibias.corpus.export.folder import export_folder
from wikibias.corpus.sentence_pairs.harvest import Funnel
from wikibias.corpus.splits import deal
from wikibias.edits.word_diff import EditCounts
from wikibias.kits.files import write_json
from wikibias.kits.parquet import RowError, read_records, writing
from wikibias.kits.schemas import SENTENCE_PAIRS_FILE, SENTENCE_PAIRS_TABLE
from wikibias.kits.tables import tsv_cell
from wikibias.records import SentencePair

_DEVIATIONS = 2


class LengthRatios:
    """The ratios of the lengths of source and target, in characters, of a set of pairs.

    Mean and deviation are kept up to date pair by pair, so that no ratio is held in memory.
    """

    def __init__(self) -> None:
        self._count, self._mean, self._squares = 0, 0.0, 0.0

    def add(self, source: str, target: str) -> None:
        """Take one pair; none of its sides is empty."""
        ratio = len(source) / len(target)
        self._count += 1
        apart = ratio - self._mean
        self._mean += apart / self._count
        self._squares += apart * (ratio - self._mean)

    def mean_and_sd(self) -> tuple[float, float]:
        """Return the mean of the ratios, and their standard deviation; 0 for no pairs."""
        return self._mean, sqrt(self._squares / self._count) if self._count else 0.0

    def is_usual(self, source: str, target: str) -> bool:
        """Return whether the ratio of a pair is within two standard deviations of the mean."""
        mean, sd = self.mean_and_sd()
        # What adding up rounds must not throw out pairs that are all alike.
        return abs(len(source) / len(target) - mean) <= _DEVIATIONS * sd + 1e-9


READABLE = "pairs.tsv"
FUNNEL = "funnel.json"
_COLUMNS = ("split", "label", "tier", "source", "target")
_GATHERED = "gathered.parquet"
Page = tuple[str, int | None, str]


def write_pairs(
    out: Path,
    pairs: Iterable[SentencePair],
    funnel: Funnel,
    *,
    shares: Build,
    seed: int,
    facts: Mapping[str, Any],
    overwrite: bool,
) -> None:
    """Write pairs, whole or not at all, without those whose lengths differ unusually.

    The lengths and the pages are known only when all pairs are, so the pairs are first put into a
    table of their own. What stays in memory is a number for each page.

    Args:
        out: the folder; see `export_folder`.
        pairs: in order. A split that one has already stays.
        funnel: counts edits while `pairs` is read; the counts of pairs are added here.
        shares: of the splits, by page.
        seed: of the deal of the pages.
        facts: what the list of files is to say beside the files.
        overwrite: see `export_folder`.

    Raises:
        UsageError: the folder holds what is not ours.
        DiskError: it cannot be written.
    """
    with export_folder(out, facts, overwrite=overwrite) as folder:
        gathered, ratios, edits = folder / _GATHERED, LengthRatios(), EditCounts()
        funnel.counts.update(dict.fromkeys(("biased", "single_word", "neutral"), 0))
        with writing(gathered, SENTENCE_PAIRS_TABLE, dict) as table:
            for pair in pairs:
                try:
                    table.write(pair)
                except RowError:
                    funnel.verdicts["no characters"] += 1
                    continue
                _count(funnel, pair)
                if pair.label == "biased":
                    ratios.add(pair.source, pair.target)
                    edits.add(pair.source, pair.target, pair.edits)

        def usual() -> Iterator[SentencePair]:
            for pair in read_records(gathered, SENTENCE_PAIRS_TABLE):
                if pair.label == "neutral" or ratios.is_usual(pair.source, pair.target):
                    yield pair

        splits = _splits(usual(), shares, seed)

        def split_of(pair: SentencePair) -> str:
            page = _page(pair)
            return pair.split or (
                _split_by_lot(pair, shares, seed) if page is None else splits[page]
            )

        funnel.counts["after_length_ratio"] = 0
        with writing(folder / SENTENCE_PAIRS_FILE, SENTENCE_PAIRS_TABLE, dict) as table:
            dealt = _write(folder, usual(), table.write, split_of, funnel)
        gathered.unlink()
        mean, sd = ratios.mean_and_sd()
        funnel.more["length_ratio"] = {"mean": round(mean, 4), "sd": round(sd, 4)}
        funnel.more["splits"] = {name: dealt[name] for name in SPLITS}
        funnel.more["edits"] = edits.as_dict()
        write_json(folder / FUNNEL, funnel.as_dict())


def _count(funnel: Funnel, pair: SentencePair) -> None:
    funnel.counts[pair.label] += 1
    funnel.counts["single_word"] += pair.single_word and pair.label == "biased"


def _write(
    folder: Path,
    pairs: Iterable[SentencePair],
    write: Callable[[SentencePair], None],
    split_of: Callable[[SentencePair], str],
    funnel: Funnel,
) -> Counter[str]:
    """Write pairs with their splits into the table and the readable part; count the splits."""
    dealt: Counter[str] = Counter()
    with (folder / READABLE).open("w", encoding="utf-8", newline="\n") as readable:
        readable.write("\t".join(_COLUMNS) + "\n")
        for found in pairs:
            pair = replace(found, split=split_of(found))
            dealt[pair.split] += 1
            funnel.counts["after_length_ratio"] += pair.label == "biased"
            write(pair)
            cells = (getattr(pair, column) or "" for column in _COLUMNS)
            readable.write("\t".join(map(tsv_cell, cells)) + "\n")
    return dealt


def _page(pair: SentencePair) -> Page | None:
    """Return what must stay in one split: the page, or the group that a file tells; None: none."""
    made = pair.provenance
    if made.page_id is None and not made.page_title:
        return None
    return made.wiki, made.page_id, made.page_title if made.page_id is None else ""


def _splits(pairs: Iterable[SentencePair], shares: Build, seed: int) -> dict[Page, str]:
    """Return the split of each page, as `corpus.splits` deals them."""
    sizes = Counter(page for pair in pairs if not pair.split and (page := _page(pair)) is not None)
    dealt = deal(np.array([*sizes.values()], np.int64), shares, np.random.default_rng(seed))
    return dict(zip(sizes, (SPLITS[number] for number in dealt.tolist()), strict=True))


def _split_by_lot(pair: SentencePair, shares: Build, seed: int) -> str:
    """Return the split of a pair of which no page is known, by its name."""
    digest = hashlib.blake2b(f"{seed} {pair.pair_id}".encode(), digest_size=8).digest()
    place = int.from_bytes(digest) / 2**64
    edges = (shares.train, shares.train + shares.dev)
    return SPLITS[sum(place >= edge for edge in edges)]
