"""Rules by which sentence pairs are made: `own`, and `wnc`, as WNC was made.

By `own` the pairs are those that the alignment finds in an edit, of what the filters of edits
leave. As in WIKIBIAS (Zhong et al. 2021), of pairs with the same text before the edit the latest
counts. By `wnc` an edit must have changed one line and nothing else, and left the number of its
sentences as it was. Sentences are split by our own rules, before the text is made lower case; the
scripts use NLTK's.
"""

import hashlib
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest
from pathlib import Path
from tempfile import TemporaryDirectory

from wikibias.config import choices
from wikibias.corpus.rows import joined, members
from wikibias.corpus.sentence_pairs import harvest as harvests
from wikibias.corpus.sentence_pairs.harvest import AlignedTexts, Funnel, Harvest
from wikibias.edits import confidence as confidences
from wikibias.edits import filters
from wikibias.edits.word_diff import NGrams, Tokens, bleu_of, ngrams
from wikibias.errors import UsageError
from wikibias.kits.parquet import read_records, writing
from wikibias.kits.schemas import SENTENCE_PAIRS_TABLE, TRANSITIONS_TABLE
from wikibias.records import Edit, Link, SentencePair, Transition
from wikibias.text import cleaning, similarity
from wikibias.text.segmentation import Segmenter

# Lines that are no running text, and in which nothing is told of a subject.
_NO_TEXT = frozenset({"references", "see_also", "external_links", "hatnote"})
# What the alignment itself says of a pair that is no rewrite.
_NO_REWRITE = frozenset({"number_only", "moved"})
# What the alignment has paired is alike enough; WNC's BLEU is 0 where four words in a row are lost.
_FILTERS = tuple(each for each in harvests.OWN_FILTERS if each is not harvests.unlike)
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
    by_signal = {name: dict.fromkeys(_OF_SIGNALS, 0) for name in choices.BIASED}
    funnel.more["by_signal"] = by_signal
    newest: Newest = {}
    with TemporaryDirectory() as scratch:
        gathered = Path(scratch) / "pairs.parquet"
        with writing(gathered, SENTENCE_PAIRS_TABLE, dict) as table:
            for number, pair in enumerate(_gathered(harvest, funnel, by_signal)):
                table.write(pair)
                _note(newest, pair, number)
        harvest.refuse_unknown(funnel.stages, filters.UNKNOWN_TEXT)
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
            shown = confidences.evidence(edit, harvest.tiers)
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
    edit: Edit, shown: confidences.Evidence, harvest: Harvest, funnel: Funnel
) -> Iterator[SentencePair]:
    """Yield the pairs of an edit that are rewrites, in document order of the removed sentences."""
    before, after = members(edit.links), members(edit.added_links)
    for number, places in before.items():
        if number not in after:
            continue
        texts = AlignedTexts(
            joined(edit.removed, edit.links, places)[0],
            joined(edit.added, edit.added_links, after[number])[0],
            other_meaning=harvests.other_meanings(harvest.language),
        )
        why = _against(edit, places, edit.links[places[0]]) or harvests.verdict(texts, _FILTERS)
        funnel.verdicts["same" if why == harvests.NEUTRAL else why or "biased"] += 1
        if why is None:
            yield harvests.sentence_pair(
                _name(edit, texts.source, "biased"),
                texts,
                "biased",
                edit.provenance,
                harvest.language,
                link=edit.links[places[0]],
                sure=confidences.of_pair(
                    shown,
                    texts.source,
                    texts.target,
                    edit.links[places[0]],
                    [edit.removed[place] for place in places],
                    harvest.tiers,
                ),
            )


def _against(edit: Edit, places: Sequence[int], link: Link) -> str | None:
    """Return why a pair is no rewrite of running text, by what the alignment knows."""
    if any(edit.removed[place].block in _NO_TEXT for place in places):
        return "no_running_text"
    return link.relation if link.relation in _NO_REWRITE else None


def _name(edit: Edit, text: str, label: str) -> str:
    made = edit.provenance
    return f"{made.wiki}-{made.after_rev_id}-{_key(text, label).hex()}"


def _neutral(
    edit: Edit, shown: confidences.Evidence, most: int, harvest: Harvest
) -> Iterator[SentencePair]:
    """Yield as many sentences as are asked for that the edit left alone, drawn with a seed."""
    sound = {s.text: s for s in edit.unchanged if not confidences.faults_of(s)}
    purpose = f"{harvest.seed} {edit.provenance.after_rev_id}"
    for text in nsmallest(most, sound, key=lambda text: _key(text, purpose)):
        sure = confidences.confidence(shown, "unchanged", sound[text], None, harvest.tiers)
        yield harvests.sentence_pair(
            _name(edit, text, "neutral"),
            AlignedTexts(text, text),
            "neutral",
            edit.provenance,
            harvest.language,
            sure=sure,
        )


# How many sentences farther to the front, and to the back, its counterpart may be: the authors'
# range ends one too early.
_BEFORE, _BEHIND = 3, 2


def counterparts(sources: Sequence[Tokens], targets: Sequence[Tokens]) -> Iterator[int]:
    """Yield for each source the number of the target that it is likest, of equals the last.

    A target may be the counterpart of several. The n-grams of a few targets are in memory.

    Args:
        sources: the tokens of each sentence before the edit.
        targets: the tokens of each behind it, as many.
    """
    near: deque[NGrams] = deque(map(ngrams, targets[:_BEHIND]), _BEFORE + 1 + _BEHIND)
    for number, source in enumerate(sources):
        if number + _BEHIND < len(targets):
            near.append(ngrams(targets[number + _BEHIND]))
        elif number > _BEFORE:
            near.popleft()
        first = max(0, number - _BEFORE)
        mine = ngrams(source)
        yield max(range(len(near)), key=lambda at: (bleu_of(mine, near[at]), at)) + first


# Longer than any paragraph; cleaning it would take minutes.
_LONGEST = 100_000
_TIMES = 3
# A reference, or the rest of the line where it is not closed.
_REFERENCE = re.compile(r"<ref\b.*?(?:</ref\s*>|\Z)", re.IGNORECASE | re.DOTALL)
# One that only names another. The scripts take it for the begin of a reference, and lose the text.
_NAMED_REFERENCE = re.compile(r"<ref\b[^<>]*/>", re.IGNORECASE)
_ADDRESS = re.compile(r"https?:\S*", re.IGNORECASE)
_EMPTY_BRACKETS = re.compile(r"\(\s*+\)")
_ELEMENTS = re.compile(r"</?(?:del|ins|blockquote|ref)\b[^<>]*>", re.IGNORECASE)
_IMAGE_OPTION = re.compile(r"(?:right|left|thumb|frame|(?<!\d)\d++px)\|", re.IGNORECASE)
_LITTER = str.maketrans("", "", "[]*")


def cleaned(line: str) -> str:
    """Return the text of a line, with its capitals; "" where none is kept.

    In this order: what is no printable ASCII goes, references, three times the markup; a text that
    begins with a question mark or a bar, or has no word, is dropped; square brackets, addresses,
    empty brackets, stars and options of images go, and a text with "retrieved on" is dropped. So is
    one with a reference that only names another, which the published harvest does not have.
    """
    if len(line) > _LONGEST or _NAMED_REFERENCE.search(line):
        return ""
    text = "".join(char for char in line if " " <= char <= "~")
    text = _REFERENCE.sub("", text)
    try:
        for _ in range(_TIMES):
            text = cleaning.without_markup(text)
    except ValueError:
        return ""
    if text.startswith(("?", "|")) or not any(map(str.isalnum, text)):
        return ""
    text = _EMPTY_BRACKETS.sub("", _ADDRESS.sub("", text.translate(_LITTER)))
    text = _IMAGE_OPTION.sub("", _ELEMENTS.sub("", text))
    if "retrieved on" in text.lower():
        return ""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Blocks:
    """The rows of a diff: lines that became others, and how many only went or only came."""

    changed: tuple[tuple[str, str], ...]
    deleted: int
    added: int


def blocks(before: str, after: str) -> Blocks:
    """Return what changed between two wikitexts.

    Lines are compared by the longest common subsequence. Of what differs at one place the first
    line belongs to the first, and so on. A blank line counts for nothing: what stands beside one
    was only deleted, or only added.
    """
    sides = before.split("\n"), after.split("\n")
    changed: list[tuple[str, str]] = []
    deleted = added = 0
    for start, end, first, last in similarity.changes(*sides):
        for place in range(max(end - start, last - first)):
            source = sides[0][start + place] if start + place < end else ""
            target = sides[1][first + place] if first + place < last else ""
            match bool(source.strip()), bool(target.strip()):
                case True, True:
                    changed.append((source, target))
                case True, False:
                    deleted += 1
                case False, True:
                    added += 1
    return Blocks(tuple(changed), deleted, added)


PASSED = "passed"
_UNKNOWN = "text not known"


def wnc_pairs(harvest: Harvest, funnel: Funnel) -> Iterator[SentencePair]:
    """Yield the pairs of the edits that were found by their summary.

    Raises:
        UsageError: there are none, or of none both texts are known.
    """
    funnel.counts.update(harvest.summaries)
    funnel.counts.update(dict.fromkeys(("single_block", PASSED), 0))
    segmenter = Segmenter(harvest.language)
    for row in harvest.rows(TRANSITIONS_TABLE):
        if row.provenance.signal != "summary":
            continue
        stage, line = _changed_line(row)
        if line is not None:
            funnel.counts["single_block"] += 1
            stage, texts = _aligned(*line, segmenter)
            yield from harvests.judged(
                texts, row.provenance, harvests.WNC_FILTERS, funnel, harvest.language
            )
        funnel.stages[stage] += 1
    funnel.counts[PASSED] = funnel.stages[PASSED]
    harvest.refuse_unknown(funnel.stages, _UNKNOWN)
    if not funnel.stages and not harvest.summaries:
        raise UsageError(
            f"{harvest.folder} holds no edits found by their summary; run `wikibias detect "
            "--signal summary` on the dumps, into a folder of its own"
        )


def _changed_line(row: Transition) -> tuple[str, tuple[str, str] | None]:
    """Return the line that an edit changed, before and after, if it changed nothing else.

    With it goes the stage that the edit has come to.
    """
    before, after = row.before_text, row.after_text
    if row.provenance.before_rev_id is None:
        return "no previous revision", None
    if before is None or after is None:
        return _UNKNOWN, None
    found = blocks(before, after)
    if not found.changed:
        return "no change" if before == after else "no changed block", None
    if found.deleted or found.added:
        return "purely deleted or added block", None
    only = found.changed[0] if len(found.changed) == 1 else None
    return PASSED if only else "more than one changed block", only


def _aligned(before: str, after: str, segmenter: Segmenter) -> tuple[str, list[tuple[str, str]]]:
    """Return the sentences of a changed line, each with its counterpart, and the stage."""
    texts = cleaned(before), cleaned(after)
    if not all(texts):
        return "empty after cleaning", []
    sides = [[each.lower() for each in segmenter.sentences(text)] for text in texts]
    if len(sides[0]) != len(sides[1]):
        return "number of sentences differs", []
    chosen = counterparts(*([harvests.tokens(each) for each in side] for side in sides))
    return PASSED, [(source, sides[1][at]) for source, at in zip(sides[0], chosen, strict=True)]
