"""Positive sentences of an edit with an intent, or of a featured article."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from wikibias.config.choices import Positive
from wikibias.edits.alignment import align, places
from wikibias.edits.label_confidence import UNCHANGING
from wikibias.edits.sentence_context import (
    Placed,
    ReferenceFinder,
    contexts_of,
    page_in_context,
    placed,
    whole_line,
)
from wikibias.edits.sentence_diff import Comparison, matched, not_compared
from wikibias.records import (
    ChangedLine,
    Link,
    Sentence,
    SentenceContext,
    TagContext,
    Transition,
)
from wikibias.text.cleaning import Rules, UnreadableError, without_comments
from wikibias.text.normalisation import comparison_key
from wikibias.text.segmentation import Segmenter

_SAME = 100.0


class Positives(NamedTuple):
    """What an edit did to the sentences of its changed lines.

    Attributes:
        removed: the positive sentences, as they stood before the edit.
        links: what became of each.
        contexts: what stood around each.
        added: the sentences that only the newer text has.
        added_links: what each was made from.
        unchanged: the sentences of these lines that are the same in both texts, and no positives.
        same_text: no visible sentence of these lines changed at all.
    """

    removed: tuple[Sentence, ...]
    links: tuple[Link, ...]
    contexts: tuple[SentenceContext, ...]
    added: tuple[Sentence, ...]
    added_links: tuple[Link, ...]
    unchanged: tuple[Sentence, ...]
    same_text: bool


def positives(
    lines: Sequence[ChangedLine],
    wanted: Positive,
    rules: Rules,
    segmenter: Segmenter,
    finder: ReferenceFinder,
) -> Positives:
    """Return the positive sentences of changed lines, and the others.

    For `changed`, what differs in case, punctuation, spaces or numbers alone has not changed, nor
    has what moved within its line; a sentence that was deleted has. For `referenced`, a sentence
    has more references than before, at least one of which its line did not have; of several that
    were merged, it is the last.

    Raises:
        UnreadableError: a line cannot be cleaned.
    """
    found, first = list[Positives](), 0
    for line in lines:
        one = _of_line(line, wanted, rules, segmenter, finder)
        links, added_links = _renumbered(one.links, first), _renumbered(one.added_links, first)
        found.append(one._replace(links=links, added_links=added_links))
        numbers = [int(link.pair_id) for link in links + added_links if link.pair_id]
        first = max(numbers, default=first - 1) + 1
    *names, _ = Positives._fields
    joined = {name: tuple(chain(*(getattr(one, name) for one in found))) for name in names}
    return Positives(**joined, same_text=all(one.same_text for one in found))


def _renumbered(links: Sequence[Link], first: int) -> tuple[Link, ...]:
    """Return the links of a line, whose pairs count from 0, with pairs that count from `first`."""
    return tuple(
        link._replace(pair_id=str(first + int(link.pair_id))) if link.pair_id else link
        for link in links
    )


class _Side(NamedTuple):
    """A side of a line: sentences, their keys, and which of the other side is the same, if any."""

    found: list[Placed]
    keys: list[str]
    same: list[int | None]

    def alone(self) -> list[int]:
        """Return the numbers of the sentences that the other side lacks."""
        return [number for number, same in enumerate(self.same) if same is None]


def _of_line(
    line: ChangedLine,
    wanted: Positive,
    rules: Rules,
    segmenter: Segmenter,
    finder: ReferenceFinder,
) -> Positives:
    before, after = (
        placed(whole_line(without_comments(text)), rules, segmenter, finder)
        for text in (line.before, line.after)
    )
    keys = [[comparison_key(each.sentence) for each in side] for side in (before, after)]
    here, there = matched(*keys)
    old, new = _Side(before, keys[0], here), _Side(after, keys[1], there)
    removed, added = old.alone(), new.alone()
    links, added_links = align(
        [before[at].sentence for at in removed],
        [after[at].sentence for at in added],
        (places(here, len(after)), places(there, len(before))),
    )
    became = dict(zip(removed, links, strict=True))
    if wanted == "changed":
        # What has only moved, or changed in numbers, says the same in other words.
        chosen = {at: link for at, link in became.items() if link.relation not in UNCHANGING}
    else:
        made = dict(zip(added, added_links, strict=True))
        chosen = dict(_referenced(old, new, became, made))
    contexts = contexts_of(before, line.section)
    return Positives(
        removed=tuple(before[at].sentence for at in chosen),
        links=tuple(chosen.values()),
        contexts=tuple(contexts[at] for at in chosen),
        added=tuple(after[at].sentence for at in added),
        added_links=added_links,
        unchanged=tuple(
            each.sentence
            for each, same in zip(after, there, strict=True)
            if same is not None and same not in chosen
        ),
        same_text=[each.sentence.text for each in before] == [e.sentence.text for e in after],
    )


def _referenced(
    old: _Side, new: _Side, became: dict[int, Link], made: dict[int, Link]
) -> Iterator[tuple[int, Link]]:
    """Yield the sentences before the edit to which a reference was added, and what they became."""
    lacked = Counter(source for each in new.found for source in each.references)
    lacked.subtract(source for each in old.found for source in each.references)
    groups: dict[str, list[int]] = {}
    for at, link in became.items():
        if link.pair_id:
            groups.setdefault(link.pair_id, []).append(at)
    partners: dict[str, list[int]] = {}
    for at, link in made.items():
        partners.setdefault(link.pair_id, []).append(at)
    free = max(map(int, groups), default=-1)
    for at, same in enumerate(old.same):
        if same is not None:
            text = new.found[same].sentence.text
            link = Link(str(free + 1), text, "same_text", _SAME, "")
            sides = [at], [same]
        else:
            link = became[at]
            sides = groups.get(link.pair_id, [-1]), partners.get(link.pair_id, [])
            if sides[0][-1] != at:
                continue
        count = sum(len(old.found[number].references) for number in sides[0])
        references = [source for number in sides[1] for source in new.found[number].references]
        if len(references) > count and any(lacked[source] > 0 for source in references):
            free += same is not None
            yield at, link


def positive_sentences(
    transition: Transition,
    context: TagContext,
    wanted: Positive,
    rules: Rules,
    segmenter: Segmenter,
    finder: ReferenceFinder,
) -> Comparison:
    """Return an edit with an intent, with its positive sentences; see `positives`.

    The page is not known, so `after_chars` are those of the changed lines. Where a line cannot be
    cleaned, the edit is not `readable`, and without sentences.
    """
    empty = not_compared(transition, context)
    try:
        found = positives(transition.lines, wanted, rules, segmenter, finder)
    except UnreadableError as error:
        return Comparison(empty, None if error.is_limit else str(error))
    after_chars = sum(len(line.after) for line in transition.lines)
    edit = replace(empty, **found._asdict(), after_chars=after_chars, readable=True)
    return Comparison(edit)


def featured_sentences(
    transition: Transition,
    context: TagContext,
    rules: Rules,
    segmenter: Segmenter,
    finder: ReferenceFinder,
) -> Comparison:
    """Return the state of a featured article, with all its sentences as unchanged ones."""
    empty = not_compared(transition, context)
    if transition.after_text is None:
        return Comparison(replace(empty, texts_missing=True))
    try:
        found = page_in_context(transition.after_text, rules, segmenter, finder)
    except UnreadableError as error:
        return Comparison(empty, None if error.is_limit else str(error))
    sentences, contexts = found
    edit = replace(
        empty, unchanged=tuple(sentences), contexts=tuple(contexts), same_text=True, readable=True
    )
    return Comparison(edit)
