"""What selection bias is measured with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wikibias.errors import UsageError
from wikibias.messages import nearest
from wikibias.research.selection_bias.documents import FACTS
from wikibias.research.selection_bias.figures import Missing

BASE = 8
"""Topics, and words of each, where one of the two is held still (section 4.1 of the paper)."""
MOST_TOPICS, MOST_WORDS = 1000, 1000


@dataclass(frozen=True, slots=True)
class Settings:
    """What is measured, and how.

    Attributes:
        topics: how many topics are fitted, each number in turn.
        words: how many words of each topic are compared, each number in turn.
        seeds: of the fits, each in turn.
        missing: what a pair without a similarity counts for in what is shown; figures are made for
            both ways.
        lists: how many random lists of keywords each list is held against; 0 for none.
        most: how many documents of a corpus are measured at most.
        by: facts by whose values documents are grouped; None for all that the corpus tells.
        stop_words: the name of a corpus -> the words that are in no topic.
        stop_words_of: where they are from, in words.

    Raises:
        UsageError: a number is too small or too large, or there is no such fact.
    """

    topics: Sequence[int] = (2, 8, 20)
    words: Sequence[int] = (8, 20, 50)
    seeds: Sequence[int] = (0, 1, 2, 3, 4)
    missing: Missing = "zero"
    lists: int = 200
    most: int = 10_000
    by: Sequence[str] | None = None
    stop_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    stop_words_of: str = ""

    def __post_init__(self) -> None:
        _check("topics", self.topics, MOST_TOPICS)
        _check("words", self.words, MOST_WORDS)
        if not self.seeds:
            raise UsageError("give at least one seed")
        if self.lists < 0:
            raise UsageError("the number of random keyword lists is 0 or more")
        for fact in self.by or ():
            if fact not in FACTS:
                raise UsageError(f"sentences are not grouped by {fact!r}{nearest(fact, FACTS)}")

    @property
    def base_topics(self) -> int:
        """How many topics there are in all that is no grid."""
        return BASE if BASE in self.topics else self.topics[0]

    @property
    def base_words(self) -> int:
        """How many words of each topic are compared in all that is no grid."""
        return BASE if BASE in self.words else self.words[0]

    def record(self) -> dict[str, Any]:
        """Return them as the result holds them."""
        return {
            "topics": list(self.topics),
            "words": list(self.words),
            "base": {"topics": self.base_topics, "words": self.base_words},
            "seeds": list(self.seeds),
            "missing": self.missing,
            "lists": self.lists,
            "most": self.most,
            "stop_words": self.stop_words_of,
        }


def _check(what: str, numbers: Sequence[int], most: int) -> None:
    if not numbers or min(numbers) < 1 or max(numbers) > most:
        raise UsageError(f"give numbers of {what} from 1 to {most:,}, such as 2,8,20")
    if len(set(numbers)) < len(numbers):
        raise UsageError(f"give each number of {what} once")
