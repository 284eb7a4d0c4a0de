"""Sentence pairs: what they are made from, the filters, the counts, and the folder that they fill.

The filters tell why an aligned pair of sentences is no example of a neutral rewrite. A filter
returns its verdict or None; the first one counts. Those of WNC stand in their order (Pryzant et al.
2020, as their scripts have it). The scripts count pieces of words, from the vocabulary of a
language model that may not be shipped. Here words and marks are counted instead, and the limits are
such that no published pair falls; see docs/experiments.md. A new filter is a function here, a name
in `_filters`, and a case in tests/cases/pair_filters.toml.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from wikibias.config.choices import SPLITS
from wikibias.config.languages import Language
from wikibias.config.patterns import word_pattern
from wikibias.config.thresholds import Build, Tiers
from wikibias.corpus.export.folder import export_folder
from wikibias.corpus.sentence_pairs.reading import Warn, read_pairs
from wikibias.corpus.splits import deal
from wikibias.edits.confidence import Confidence
from wikibias.edits.filters import SUMMARY_TITLES, filter_title
from wikibias.edits.word_diff import EditCounts, Gap, edited_spans, gaps, smoothed_bleu
from wikibias.errors import UsageError, WikibiasError, quoted
from wikibias.kits import files, schemas
from wikibias.kits.document import Table
from wikibias.kits.parquet import RowError, read_records, writing
from wikibias.kits.tables import tsv_cell
from wikibias.records import Edit, Label, Link, Provenance, SentencePair
from wikibias.text import segmentation
from wikibias.text.similarity import edit_distance, ratio

NEUTRAL = "neutral"
_LEAST_BLEU = 12
_LEAST_DISTANCE = 4
_MOST_CHANGED = 0.6
_TOKEN = re.compile(r"\w+|[^\w\s]")
# So many letters of a word are a piece.
_PIECE = 3
# A word with fewer letters may be an abbreviation, of which the points come and go.
_ABBREVIATED = 5
# Words as NLTK has them: what a hyphen or a slash joins is one, what an apostrophe joins is two.
_WORD = re.compile(
    r"\.\.+|--+|'(?:s|re|ve|ll|d|m)\b|\w(?:[^\s\"(){}\[\]<>?!;@#$%&,:*]*[\w/-])?|[^\w\s]"
)
_CLITIC = re.compile(r"(?<=\w)(?:'(?:s|re|ve|ll|d|m)|n't)\Z")
_LATIN = re.compile("[a-z]", re.IGNORECASE)
# What "neutral" is said of in chemistry, as the authors list it.
_CHEMISTRY = (" molecules", " ions", " ionic", " atoms")


def tokens(text: str) -> list[str]:
    """Return the words and the single marks of a text, in lower case.

    In a script without spaces each letter is a word.
    """
    return list(_apart(_TOKEN.findall(text.lower())))


def pieces(found: Iterable[str]) -> str:
    """Return tokens with spaces between them, and within long ones, as word pieces are written."""
    return " ".join(
        " ##".join(each[at : at + _PIECE] for at in range(0, len(each), _PIECE)) for each in found
    )


def words(text: str) -> list[str]:
    """Return the words and marks of a text as they count for the word set, in lower case."""
    found: list[str] = []
    for word in _apart(_WORD.findall(text.lower())):
        clitic = _CLITIC.search(word)
        found += [word[: clitic.start()], clitic[0]] if clitic else [word]
    return found


def _apart(found: Iterable[str]) -> Iterator[str]:
    """Yield words with the letters of scripts without spaces one by one."""
    for word in found:
        at = 0
        for letter in () if word.isascii() else segmentation.letters(word):
            yield from filter(None, (word[at:letter], word[letter]))
            at = letter + 1
        if at < len(word):
            yield word[at:]


@dataclass(frozen=True)
class AlignedTexts:
    """A sentence and its counterpart on the other side of an edit.

    Attributes:
        source: the sentence before the edit.
        target: what it is aligned with.
        other_meaning: finds words that tell that neutral means something else; see
            `other_meanings`.
    """

    source: str
    target: str
    other_meaning: re.Pattern[str] | None = None

    @cached_property
    def source_tokens(self) -> list[str]:
        """The tokens of the source."""
        return tokens(self.source)

    @cached_property
    def target_tokens(self) -> list[str]:
        """The tokens of the target."""
        return tokens(self.target)

    @cached_property
    def gaps(self) -> list[Gap]:
        """Where the tokens differ."""
        return gaps(self.source_tokens, self.target_tokens)

    @cached_property
    def removed(self) -> list[str]:
        """The tokens that are gone."""
        return [word for gap in self.gaps for word in self.source_tokens[slice(*gap.source)]]

    @cached_property
    def inserted(self) -> list[str]:
        """The tokens that have come."""
        return [word for gap in self.gaps for word in self.target_tokens[slice(*gap.target)]]

    @cached_property
    def gaps_of_one_word(self) -> list[Gap]:
        """Where the words differ, if just one word of the source is gone; else nothing."""
        found = gaps(words(self.source), words(self.target))
        return found if sum(end - start for (start, end), _ in found) == 1 else []


def other_meanings(language: Language) -> re.Pattern[str]:
    """Return what finds, in a folded text, a language's words of `other_meaning`."""
    return word_pattern(language.summaries.get("other_meaning", ()))


PairFilter = Callable[[AlignedTexts], str | None]


def unchanged(pair: AlignedTexts) -> str | None:
    """Take a pair whose tokens are the same for an example of a neutral sentence."""
    return NEUTRAL if pair.source_tokens == pair.target_tokens else None


def unlike(pair: AlignedTexts) -> str | None:
    """Drop two sentences that have little in common: BLEU, smoothed as they are short, below 12.

    The scripts have 15 of the pieces, which is the same for sentences that are not short.
    """
    like = smoothed_bleu(pair.source_tokens, pair.target_tokens)
    return "unlike" if like < _LEAST_BLEU else None


def few_letters(pair: AlignedTexts) -> str | None:
    """Drop a change of fewer than four characters, as pieces of words are written."""
    sides = pieces(pair.source_tokens), pieces(pair.target_tokens)
    near = edit_distance(*sides, _LEAST_DISTANCE - 1) < _LEAST_DISTANCE
    return "few_letters" if near else None


def no_latin_letters(pair: AlignedTexts) -> str | None:
    """Drop a change without any letter from a to z, as the authors do, who read English."""
    changed = (*pair.removed, *pair.inserted)
    return None if any(map(_LATIN.search, changed)) else "no_letters"


def no_letters(pair: AlignedTexts) -> str | None:
    """Drop a change without any letter of any script."""
    changed = (*pair.removed, *pair.inserted)
    return None if any(any(map(str.isalpha, word)) for word in changed) else "no_letters"


def half_changed(pair: AlignedTexts) -> str | None:
    """Drop a pair of whose source more than three tokens of five are gone; half of the pieces."""
    much = len(pair.removed) > _MOST_CHANGED * len(pair.source_tokens)
    return "half_changed" if much else None


def respelled(pair: AlignedTexts) -> str | None:
    """Drop a pair of which one word is written in another way: "worldto" for "world to".

    The scripts ask a dictionary whether the word was misspelt; what slips change is mostly too
    little for `few_letters`, and this is what is left. A hyphen that comes may be meant.
    """
    if len(pair.removed) != 1 or len(pair.removed[0]) < _ABBREVIATED:
        return None
    has_come = "".join(pair.inserted).replace("'", "")
    return "respelled" if has_come == pair.removed[0] else None


def of_chemistry(pair: AlignedTexts) -> str | None:
    """Drop a sentence in which neutral is said of molecules or ions."""
    return "other_meaning" if any(word in pair.source for word in _CHEMISTRY) else None


def other_meaning(pair: AlignedTexts) -> str | None:
    """Drop a sentence with a word that tells that neutral means something else."""
    found = pair.other_meaning is not None and pair.other_meaning.search(pair.source.casefold())
    return "other_meaning" if found else None


def _filters(letters: PairFilter, meaning: PairFilter) -> Sequence[PairFilter]:
    """Return the filters in the order of WNC; two of them each set of rules has of its own."""
    return unchanged, unlike, few_letters, letters, half_changed, respelled, meaning


WNC_FILTERS = _filters(no_latin_letters, of_chemistry)
OWN_FILTERS = _filters(no_letters, other_meaning)


def verdict(pair: AlignedTexts, filters: Iterable[PairFilter]) -> str | None:
    """Return the verdict of the first filter that has one, or None: the pair is biased."""
    for each in filters:
        found = each(pair)
        if found is not None:
            return found
    return None


def is_single_word(pair: AlignedTexts) -> bool:
    """Return whether one word was taken out, or replaced in its place: WNC's word set.

    What replaces it may be several words.
    """
    return len(pair.gaps_of_one_word) == 1


def is_one_word_elsewhere(pair: AlignedTexts) -> bool:
    """Return whether one word was taken out, and something put in at one other place.

    The authors' scripts take such a pair for a neutral sentence, by a slip.
    """
    found = pair.gaps_of_one_word
    return len(found) == 2 and any(start == end for _, (start, end) in found)


_OF_EDITS = ("matched", "reverts", "pover", "kept", "single_block", "passed")
_OF_PAIRS = ("biased", "single_word", "neutral", "after_length_ratio")
KEYS = (*_OF_EDITS, *_OF_PAIRS)
"""What is counted of edits, then of pairs; there all but `neutral` count biased ones."""


BIASED = "biased"
_REPEATED = "repeated"
_SLIP = "one_word_out_another_elsewhere"


@dataclass(slots=True)
class Funnel:
    """The counts of a harvest.

    Attributes:
        counts: by one of KEYS; what is not in it is not known, as where pairs come from a file.
        stages: how many edits ended where; those that passed are among them.
        verdicts: how many aligned pairs got which verdict of the pair filters.
        more: what else is to be told, such as the limits of the length ratio.
    """

    counts: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    more: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the funnel as `funnel.json` has it: KEYS in order, then the rest, most first."""
        return {
            **{key: self.counts.get(key) for key in KEYS},
            "stages": _most_first(self.stages),
            "verdicts": _most_first(self.verdicts),
            **self.more,
        }


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


# What a funnel counts, where its key says too little; of edits the filters have words.
_IN_WORDS = SUMMARY_TITLES | {
    "matched": "summaries on neutrality",
    "reverts": "of these, reverts",
    "pover": 'of the rest, "pover"',
    "kept": "edits kept",
    "superseded": "in a newer dump, too",
    "single_block": "edits of one line",
    "passed": "edits passed",
    "biased": "biased pairs",
    "single_word": "of these, one word",
    "neutral": "neutral pairs",
    "after_length_ratio": "biased, of usual lengths",
    _SLIP: "one word out, one elsewhere",
    "unlike": "little in common",
    "few_letters": "few letters changed",
    "no_letters": "no letter changed",
    "half_changed": "most words changed",
    "respelled": "a word spelled another way",
    "other_meaning": "another meaning of neutral",
    "repeated_neutral": "repeated, neutral",
    "neutral_elsewhere_biased": "neutral, elsewhere biased",
    "moved": "words only moved",
    "same": "same words",
}


def in_words(name: str) -> str:
    """Return what people call a key of `funnel.json`."""
    return _IN_WORDS.get(name) or filter_title(name).replace("_", " ")


def funnel_tables(told: Mapping[str, Any]) -> list[Table]:
    """Return what `funnel.json` says as tables: the funnel, what became of edits and of pairs."""
    tables = []
    for title, numbers in (
        ("Funnel", told),
        ("Edits", told.get("stages", {})),
        ("Sentence pairs", told.get("verdicts", {})),
    ):
        rows = [[in_words(name), f"{n:,}"] for name, n in numbers.items() if isinstance(n, int)]
        if rows:
            tables.append(Table(["", "count"], rows, title=title))
    by_signal = told.get("by_signal", {})
    # The funnel tells of summaries alone up to `kept`.
    if by_signal.get("tag", {}).get("edits"):
        rows = [[name, *(f"{n:,}" for n in of.values())] for name, of in by_signal.items()]
        tables.append(Table(["", *by_signal["tag"]], rows, title="By signal"))
    return tables


R = TypeVar("R")
RulesName = Literal["wnc", "own"]


@dataclass(frozen=True, slots=True)
class Harvest:
    """What pairs are made from: the tables of a result folder, and how it was made.

    Attributes:
        folder: the result folder.
        parts: the names of its parts, in the order of the manifest.
        language: the facts of the wiki's language.
        tiers: what sets the tiers apart.
        shares: the shares of the splits.
        seed: of the deal of the pages.
        summaries: how many edit summaries matched, and why some do not count (`matched`, `reverts`,
            `pover`, `kept`); empty where the run did not look for summaries.
        judged: gives each edit, and why the filters of edits do not keep it, or None.
        summary_rule: by which the run looked for summaries; None where it did not.
    """

    folder: Path
    parts: tuple[str, ...]
    language: Language
    tiers: Tiers
    shares: Build
    seed: int
    summaries: Mapping[str, int]
    judged: Callable[[], Iterator[tuple[Edit, str | None]]] = lambda: iter(())
    summary_rule: str | None = None

    def rows(self, table: schemas.Table[R]) -> Iterator[R]:
        """Yield the rows of a table of all parts, a few at a time in memory.

        Raises:
            WikibiasError: a file is damaged.
        """
        for part in self.parts:
            path = self.folder / table.name / f"{part}.parquet"
            if path.is_file():
                yield from read_records(path, table)

    def refuse_unknown(self, stages: Counter[str], unknown: str) -> None:
        """Say what to do where no edit could be looked at, as none of their texts is known.

        Args:
            stages: how many edits ended where.
            unknown: the stage of those without a text.

        Raises:
            UsageError: all ended there.
        """
        if stages[unknown] and stages[unknown] == stages.total():
            raise UsageError(
                f"{self.folder}: the texts of its edits are not known, as after reading stubs; run "
                f"`wikibias fetch --revisions {quoted(str(self.folder))}`, then this command "
                "again"
            )


def judged(
    texts: Sequence[tuple[str, str]],
    made: Provenance,
    filters: Sequence[PairFilter],
    funnel: Funnel,
    language: Language,
) -> Iterator[SentencePair]:
    """Yield the pairs of an edit that no filter drops, biased or neutral.

    An edit with the same source, or the same target, in two of its pairs gives none: its alignment
    is wrong.

    Args:
        texts: the sentences of the edit, each with its counterpart.
        made: the provenance of the edit.
        filters: in their order.
        funnel: counts the verdicts.
        language: that of the wiki.
    """
    if any(len(set(side)) < len(texts) for side in zip(*texts, strict=True)):
        funnel.verdicts[_REPEATED] += len(texts)
        return
    for number, sides in enumerate(texts):
        named = f"{made.wiki}-{made.after_rev_id}-{number}"
        pair = judged_pair(named, AlignedTexts(*sides), made, filters, funnel, language)
        if pair is not None:
            yield pair


def judged_pair(
    named: str,
    texts: AlignedTexts,
    made: Provenance,
    filters: Sequence[PairFilter],
    funnel: Funnel,
    language: Language | None,
    split: str = "",
) -> SentencePair | None:
    """Return the pair of two aligned sentences; None where a filter drops it.

    Args:
        named: what to call it.
        texts: the two sentences.
        made: the provenance of the edit.
        filters: in their order.
        funnel: counts the verdict.
        language: their language, where it is known.
        split: that it is in already.
    """
    found = verdict(texts, filters)
    funnel.verdicts[found or BIASED] += 1
    if found not in (None, NEUTRAL):
        return None
    if found is None:
        slips = is_one_word_elsewhere(texts)
        funnel.more[_SLIP] = funnel.more.get(_SLIP, 0) + slips
    label: Label = "biased" if found is None else "neutral"
    return sentence_pair(named, texts, label, made, language, split=split)


def sentence_pair(
    named: str,
    texts: AlignedTexts,
    label: Label,
    made: Provenance,
    language: Language | None,
    *,
    link: Link | None = None,
    sure: Confidence | None = None,
    split: str = "",
) -> SentencePair:
    """Return a pair with what is to be said of it; of a neutral one the source is both sides.

    Args:
        named: what to call it.
        texts: the two sentences.
        label: whether the edit changed the first for neutrality.
        made: the provenance of the edit.
        language: of the sentences, where it is known.
        link: how the alignment found the second.
        sure: how far it can be trusted.
        split: that it is in already.
    """
    is_biased = label == "biased"
    target = texts.target if is_biased else texts.source
    determiners = language.determiners if language is not None else ()
    relation = link.relation if link else "rewritten"
    return SentencePair(
        pair_id=named,
        source=texts.source,
        target=target,
        label=label,
        single_word=is_biased and is_single_word(texts),
        relation=relation if is_biased else None,
        similarity=link.similarity if link else round(ratio(texts.source, target), 1),
        edits=edited_spans(texts.source, target, determiners) if is_biased else (),
        split=split,
        confidence=sure.value if sure else None,
        tier=sure.tier if sure else None,
        tier_reasons=sure.reasons if sure else (),
        provenance=made,
    )


_PROVENANCE = schemas.Table("provenance", Provenance)


def judged_file(
    path: Path,
    rules: RulesName,
    funnel: Funnel,
    *,
    source: str | None = None,
    target: str | None = None,
    group: str | None = None,
    language: Language | None = None,
    warn: Warn | None = None,
) -> Iterator[SentencePair]:
    """Yield the pairs of a file that no filter drops, biased or neutral.

    Of where they come from nothing is known but the file, and the revision or page that they share
    a fold with.

    Args:
        path: the file; see `read_pairs`.
        rules: whose filters.
        funnel: counts the verdicts; the funnel begins here.
        source: the column of the biased sentences.
        target: that of the neutral ones.
        group: that of the pages or revisions.
        language: for words of other meaning.
        warn: takes a line about rows without a pair.

    Raises:
        UsageError: the file is not there, or has no such column.
        WikibiasError: a row cannot be read, or there is none.
    """
    filters = WNC_FILTERS if rules == "wnc" else OWN_FILTERS
    meanings = other_meanings(language) if language is not None else None
    read = 0
    for found in read_pairs(
        path, source=source, target=target, group=group, neutral=True, warn=warn
    ):
        read += 1
        shared = found.group or ""
        made = _PROVENANCE.record_of(
            {
                "wiki": "",
                "lang": language.code if language else None,
                "part": path.name,
                "page_title": shared,
                "after_rev_id": int(shared) if shared.isdecimal() and len(shared) < 19 else None,
            }
        )
        texts = AlignedTexts(found.source, found.target, meanings)
        pair = judged_pair(found.pair_id, texts, made, filters, funnel, language, found.split or "")
        if pair is not None:
            yield pair
    if not read:
        raise WikibiasError(f"{path}: no pair in it")
    funnel.more["pairs_read"] = read


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
_COLUMNS = ("split", "label", "tier", "source", "target", "confidence")
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
        with writing(gathered, schemas.SENTENCE_PAIRS_TABLE, dict) as table:
            for pair in pairs:
                try:
                    table.write(pair)
                except RowError:
                    funnel.verdicts["no characters"] += 1
                    continue
                funnel.counts[pair.label] += 1
                if pair.label == "biased":
                    funnel.counts["single_word"] += pair.single_word
                    ratios.add(pair.source, pair.target)
                    edits.add(pair.source, pair.target, pair.edits)

        def usual() -> Iterator[SentencePair]:
            for pair in read_records(gathered, schemas.SENTENCE_PAIRS_TABLE):
                if pair.label == "neutral" or ratios.is_usual(pair.source, pair.target):
                    yield pair

        splits = _splits(usual(), shares, seed)
        dealt: Counter[str] = Counter()
        funnel.counts["after_length_ratio"] = 0
        with (
            writing(
                folder / schemas.SENTENCE_PAIRS_FILE, schemas.SENTENCE_PAIRS_TABLE, dict
            ) as table,
            (folder / READABLE).open("w", encoding="utf-8", newline="\n") as readable,
        ):
            readable.write("\t".join(_COLUMNS) + "\n")
            for pair in usual():
                page = _page(pair)
                lot = _split_by_lot(pair, shares, seed) if page is None else splits.get(page, "")
                placed = replace(pair, split=pair.split or lot)
                dealt[placed.split] += 1
                funnel.counts["after_length_ratio"] += pair.label == "biased"
                table.write(placed)
                told = (getattr(placed, column) for column in _COLUMNS)
                cells = ("" if each is None else str(each) for each in told)
                readable.write("\t".join(map(tsv_cell, cells)) + "\n")
        gathered.unlink()
        mean, sd = ratios.mean_and_sd()
        funnel.more["length_ratio"] = {"mean": round(mean, 4), "sd": round(sd, 4)}
        funnel.more["splits"] = {name: dealt[name] for name in SPLITS}
        funnel.more["edits"] = edits.as_dict()
        files.write_json(folder / FUNNEL, funnel.as_dict())


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
