"""Sentence pairs by the rules of the Wiki Neutrality Corpus (Pryzant et al. 2020).

An edit must have changed one line and nothing else, and left the number of its sentences as it was.
Sentences are split by our own rules, before the text is made lower case; the scripts use NLTK's.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wikibias.corpus.sentence_pairs.harvest import Funnel, Harvest, judged
from wikibias.edits.pair_filters import WNC_FILTERS, tokens
from wikibias.edits.word_diff import NGrams, Tokens, bleu_of, ngrams
from wikibias.errors import UsageError
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.records import SentencePair, Transition
from wikibias.text.cleaning import without_markup
from wikibias.text.segmentation import Segmenter
from wikibias.text.similarity import changes

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
_ELEMENTS = re.compile(r"</?(?:del|ins|blockquote)\b[^<>]*>", re.IGNORECASE)
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
            text = without_markup(text)
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
    for start, end, first, last in changes(*sides):
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
            yield from judged(texts, row.provenance, WNC_FILTERS, funnel, harvest.language)
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
    chosen = counterparts(*([tokens(each) for each in side] for side in sides))
    return PASSED, [(source, sides[1][at]) for source, at in zip(sides[0], chosen, strict=True)]
