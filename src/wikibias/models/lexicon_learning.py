"""Learns a lexicon from sentence pairs: the words that edits for neutrality take out.

A word is in it whose log-odds say that it stands among what edits took out or replaced more often
than chance has it, against what they left alone and what they put in. Edits must have taken it out
more often than put it in; a word that one edit does both to is moved, and counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.corpus.log_odds import CHANCE, Contrast, WordCounts, contrasts
from wikibias.corpus.sentence_pairs.changed_words import source_words
from wikibias.corpus.sentence_pairs.reading import PairText
from wikibias.errors import WikibiasError
from wikibias.kits.files import write_text
from wikibias.messages import counted
from wikibias.models.lexicons import lines

MOST_CHANGED = 0.5
"""Share of the words of a source; an edit that changed more rewrote the sentence."""
_FIRST = "# Words that editors took out of sentences to make them neutral, learnt by wikibias."
_NONE = [0, 0]
_MOST_REMEMBERED = 2_000_000


@dataclass(frozen=True, slots=True)
class Learnt:
    """The words of a lexicon that was learnt, the surest first, and what they come from.

    Attributes:
        words: with how often each was taken out (`first`), and left or put in (`second`).
        pairs: how many different pairs were counted.
        repeated: how many were left out because the same pair was there before.
        rewritten: how many were left out because more than half of the words had changed.
        changed: words taken out or replaced, in all pairs.
        kept: words left alone or put in.
        least: how often a word of the lexicon was taken out at least.
        z: how sure the difference is at least, in standard errors.
    """

    words: tuple[Contrast, ...]
    pairs: int
    repeated: int
    rewritten: int
    changed: int
    kept: int
    least: int
    z: float


def learn(pairs: Iterable[PairText], *, least: int = 2, z: float = CHANCE) -> Learnt:
    """Learn a lexicon.

    Args:
        pairs: to count; edit wars bring the same again and again, and each counts once.
        least: in how many pairs a word must have been taken out.
        z: in standard errors, how far its log-odds must be from no difference.

    Raises:
        WikibiasError: no word is sure enough.
    """
    counts, moves = WordCounts(), WordCounts()
    seen: set[int] = set()
    found = repeated = rewritten = 0
    for pair in pairs:
        words, changed = source_words(pair.source, pair.target)
        mark = hash((pair.source, pair.target))
        if mark in seen:
            repeated += 1
        elif sum(changed) > MOST_CHANGED * len(words):
            rewritten += 1
        else:
            found += 1
            # A word that stands twice in an edit says no more than once.
            out, put = set(_of(words, changed)), set(_of(*source_words(pair.target, pair.source)))
            for each in (counts, moves):
                each.add(sorted(out - put), 0)
                each.add(sorted(put - out), 1)
            counts.add(_of(words, [not each for each in changed]), 1)
        if len(seen) < _MOST_REMEMBERED:
            seen.add(mark)
    of = {word: (first, second) for word, (first, second) in counts.of.items()}
    chosen = [
        each
        for each in contrasts(of, counts.sizes)
        if each.z > z and each.first >= least and each.first > moves.of.get(each.word, _NONE)[1]
    ]
    if not chosen:
        raise WikibiasError(
            f"no word stands out in {counted(found, 'pair')}; it takes some hundred of them"
        )
    taken_out, kept = counts.sizes
    return Learnt(tuple(chosen), found, repeated, rewritten, taken_out, kept, least, z)


def write_lexicon(learnt: Learnt, path: Path, facts: Mapping[str, Any]) -> None:
    """Write a lexicon, with a card as comments before it.

    Args:
        learnt: the words.
        path: the file.
        facts: name and value of what else the card says.

    Raises:
        DiskError: it cannot be written.
    """
    write_text(path, "".join(f"{line}\n" for line in _lines(learnt, facts)))


def may_replace(path: Path) -> bool:
    """Return whether a new lexicon may have this name: nothing is there, or one that was learnt."""
    if not path.exists():
        return True
    try:
        return lines(path)[0] == _FIRST
    except WikibiasError:
        return False


def _lines(learnt: Learnt, facts: Mapping[str, Any]) -> Iterator[str]:
    yield _FIRST
    for name, value in facts.items():
        yield f"# {name}: {value}"
    yield f"# words: {len(learnt.words)}, each taken out in {learnt.least} pairs or more"
    yield (
        f"# counted: {counted(learnt.pairs, 'pair')}, {counted(learnt.changed, 'word')} taken out "
        f"and {learnt.kept:,} left or put in; left out {counted(learnt.repeated, 'pair')} that "
        f"came again and {learnt.rewritten:,} rewritten by more than half"
    )
    yield f"# chosen by: log-odds with an informative prior, z over {learnt.z}"
    yield "# It is: a hint. What an editor takes out of one sentence is right in another."
    yield "# It is not: a list of wrong words, nor complete, nor of other topics than its pages."
    yield "# word\ttaken out\tleft or put in\tz"
    for each in learnt.words:
        yield f"{each.word}\t{each.first}\t{each.second}\t{each.z:.2f}"


def _of(words: Iterable[str], wanted: Iterable[bool]) -> list[str]:
    return [
        word.casefold()
        for word, is_wanted in zip(words, wanted, strict=True)
        if is_wanted and any(map(str.isalpha, word))
    ]
