"""Sentence pairs by the rules of wikibias: any script, several sentences and blocks, tiers.

The pairs are those that the alignment finds in an edit, of what the filters of edits leave. As in
WIKIBIAS (Zhong et al. 2021), of pairs with the same text before the edit the latest counts.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from heapq import nsmallest
from pathlib import Path
from tempfile import TemporaryDirectory

from wikibias.config.signals import BIASED
from wikibias.config.thresholds import Tiers
from wikibias.corpus.rows import joined, members
from wikibias.corpus.sentence_pairs.harvest import Funnel, Harvest, sentence_pair
from wikibias.edits.filters import (
    TIERS,
    UNKNOWN_TEXT,
    Confidence,
    Evidence,
    confidence,
    evidence,
    faults_of,
)
from wikibias.edits.pair_filters import (
    NEUTRAL,
    OWN_FILTERS,
    AlignedTexts,
    other_meanings,
    unlike,
    verdict,
)
from wikibias.kits.parquet import read_records, writing
from wikibias.kits.schemas import SENTENCE_PAIRS_TABLE
from wikibias.records import Edit, Link, SentencePair

# Lines that are no running text, and in which nothing is told of a subject.
_NO_TEXT = frozenset({"references", "see_also", "external_links", "hatnote"})
# What the alignment itself says of a pair that is no rewrite.
_NO_REWRITE = frozenset({"number_only", "moved"})
# What the alignment has paired is alike enough; WNC's BLEU is 0 where four words in a row are lost.
_FILTERS = tuple(each for each in OWN_FILTERS if each is not unlike)
_OF_SIGNALS = ("edits", "passed", "biased")
_KEY_BYTES = 8
Newest = dict[bytes, tuple[datetime, int]]


def own_pairs(harvest: Harvest, funnel: Funnel) -> Iterator[SentencePair]:
    """Yield the pairs of the edits that were found by their summary or by a tag.

    Each pair comes without a split. `funnel.counts` gets the keys of edits (`single_block`,
    `passed`), `funnel.stages` where each edit ended, `funnel.verdicts` what became of aligned
    sentences; the keys of pairs are counted by who writes them. `single_block` stays unknown:
    edits of several blocks count here. The counts of KEYS up to `kept` are of summaries alone, so
    `by_signal` tells what edits of each signal came to.

    All pairs are first put into a table of their own, as the latest of those with one text is
    known at the end; what stays in memory is some 200 bytes for each.

    Raises:
        UsageError: of no edit both texts are known.
    """
    funnel.counts.update(harvest.summaries)
    by_signal = {name: dict.fromkeys(_OF_SIGNALS, 0) for name in BIASED}
    funnel.more["by_signal"] = by_signal
    newest: Newest = {}
    with TemporaryDirectory() as scratch:
        gathered = Path(scratch) / "pairs.parquet"
        with writing(gathered, SENTENCE_PAIRS_TABLE, dict) as table:
            for number, pair in enumerate(_gathered(harvest, funnel, by_signal)):
                table.write(pair)
                _note(newest, pair, number)
        harvest.refuse_unknown(funnel.stages, UNKNOWN_TEXT)
        for number, pair in enumerate(read_records(gathered, SENTENCE_PAIRS_TABLE)):
            if reason := _repeated(newest, pair, number):
                funnel.verdicts[reason] += 1
                # Each aligned pair has one verdict; this one had another till now.
                funnel.verdicts["biased"] -= pair.label == "biased"
            else:
                by_signal[pair.provenance.signal]["biased"] += pair.label == "biased"
                yield pair


def _note(newest: Newest, pair: SentencePair, number: int) -> None:
    """Remember the latest pair of a label with this source; of the same time, the first."""
    key, when = _key(pair.source, pair.label), pair.provenance.after_timestamp
    if key not in newest or when > newest[key][0]:
        newest[key] = when, number


def _repeated(newest: Newest, pair: SentencePair, number: int) -> str | None:
    """Return why a pair is left out although it is sound."""
    if newest[_key(pair.source, pair.label)][1] != number:
        return "repeated" if pair.label == "biased" else "repeated_neutral"
    if pair.label == "neutral" and _key(pair.source, "biased") in newest:
        return "neutral_elsewhere_biased"
    return None


def _key(text: str, purpose: object) -> bytes:
    content = f"{purpose} {' '.join(text.casefold().split())}"
    return hashlib.blake2b(content.encode(), digest_size=_KEY_BYTES).digest()


def _gathered(
    harvest: Harvest, funnel: Funnel, by_signal: Mapping[str, dict[str, int]]
) -> Iterator[SentencePair]:
    funnel.counts["passed"] = 0
    for edit, reason in harvest.judged():
        of_signal = by_signal.get(edit.provenance.signal)
        if of_signal is None:  # an edit with an intent, or a featured article
            continue
        of_signal["edits"] += 1
        if reason is None and edit.provenance.kind == "added":
            end = "tag_added"
        elif reason is None:
            shown = evidence(edit, harvest.tiers)
            found = list(_biased(edit, shown, harvest, funnel))
            funnel.counts["passed"] += bool(found)
            of_signal["passed"] += bool(found)
            end = "passed" if found else "no_pair"
            yield from found
            yield from _neutral(edit, shown, len(found), harvest)
        else:
            end = reason
        funnel.stages[end] += 1


def _biased(
    edit: Edit, shown: Evidence, harvest: Harvest, funnel: Funnel
) -> Iterator[SentencePair]:
    """Yield the pairs of an edit that are rewrites, in document order of the removed sentences."""
    before, after = members(edit.links), members(edit.added_links)
    for number, places in before.items():
        if number not in after:
            continue
        texts = AlignedTexts(
            joined(edit.removed, edit.links, places)[0],
            joined(edit.added, edit.added_links, after[number])[0],
            other_meaning=other_meanings(harvest.language),
        )
        why = _against(edit, places, edit.links[places[0]]) or verdict(texts, _FILTERS)
        funnel.verdicts["same" if why == NEUTRAL else why or "biased"] += 1
        if why is None:
            yield sentence_pair(
                _name(edit, texts.source, "biased"),
                texts,
                "biased",
                edit.provenance,
                harvest.language,
                link=edit.links[places[0]],
                sure=_least(edit, shown, places, harvest.tiers),
            )


def _against(edit: Edit, places: Sequence[int], link: Link) -> str | None:
    """Return why a pair is no rewrite of running text, by what the alignment knows."""
    if any(edit.removed[place].block in _NO_TEXT for place in places):
        return "no_running_text"
    return link.relation if link.relation in _NO_REWRITE else None


def _least(edit: Edit, shown: Evidence, places: Sequence[int], tiers: Tiers) -> Confidence:
    """Return the tier of the sentence that can be trusted least: a pair is no better."""
    return max(
        (confidence(shown, "removed", edit.removed[n], edit.links[n], tiers) for n in places),
        key=lambda sure: TIERS.index(sure.tier),
    )


def _name(edit: Edit, text: str, label: str) -> str:
    made = edit.provenance
    return f"{made.wiki}-{made.after_rev_id}-{_key(text, label).hex()}"


def _neutral(edit: Edit, shown: Evidence, most: int, harvest: Harvest) -> Iterator[SentencePair]:
    """Yield as many sentences as are asked for that the edit left alone, drawn with a seed."""
    sound = {s.text: s for s in edit.unchanged if not faults_of(s)}
    purpose = f"{harvest.seed} {edit.provenance.after_rev_id}"
    for text in nsmallest(most, sound, key=lambda text: _key(text, purpose)):
        sure = confidence(shown, "unchanged", sound[text], None, harvest.tiers)
        yield sentence_pair(
            _name(edit, text, "neutral"),
            AlignedTexts(text, text),
            "neutral",
            edit.provenance,
            harvest.language,
            sure=sure,
        )
