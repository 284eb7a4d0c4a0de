"""The lists of keywords that a command line names, for each corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.errors import UsageError
from wikibias.messages import counted
from wikibias.research.selection_bias.keywords import (
    CLASSES,
    TAG_SET,
    KeywordList,
    file_of,
    of_classes,
    of_lexicon,
    of_tag_set,
    read_keywords,
)

if TYPE_CHECKING:
    from wikibias.research.selection_bias.documents import Documents


FEW_WORDS = 10
"""Below so many words that tell the classes apart, the figures of these say little."""


class Lists:
    """Reads each list that a command line names; those of a corpus itself for each corpus.

    Args:
        given: the options of the command.

    Attributes:
        notes: which lists a corpus does not give, a line each.

    Raises:
        UsageError: a list cannot be read, or two have one name.
        WikibiasError: a lexicon is none.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        asked = [*dict.fromkeys(given["keywords"])]
        if not asked and not given["lexicons"]:
            asked = [TAG_SET]
        self._of_corpora = [name for name in asked if _is_of_corpus(name)]
        files = [read_keywords(file_of(name)) for name in asked if name not in self._of_corpora]
        self._fixed = [*files, *map(of_lexicon, dict.fromkeys(given["lexicons"]))]
        self.notes: list[str] = []
        names = [*(each.name for each in self._fixed), *self._of_corpora]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"two lists of keywords are called {name!r}; rename one")

    def of(self, path: Path, documents: Documents, stop_words: frozenset[str]) -> list[KeywordList]:
        """Return the lists for a corpus; without `classes` where these are not told by any word.

        Raises:
            UsageError: the corpus does not tell its tag set, or has no other list than `classes`.
        """
        found = [*self._fixed]
        if TAG_SET in self._of_corpora:
            found.append(of_tag_set(path))
        if CLASSES in self._of_corpora:
            try:
                found.append(of_classes(documents, stop_words))
            except UsageError as error:
                if not found:
                    raise
                self.notes.append(f"keywords {CLASSES!r} left out: {error}")
        return found


def cautions(lists: Sequence[KeywordList]) -> Iterator[str]:
    """Yield what is to be taken with care because of where a list comes from."""
    names = {each.name: len(each.words) for each in lists}
    if CLASSES in names:
        yield (
            "classes: these keywords are from the corpus itself, so B2 is high by construction; "
            "compare topics and groups by them, not corpora"
        )
        if names[CLASSES] < FEW_WORDS:
            yield (
                f"classes: only {counted(names[CLASSES], 'word')} told biased from neutral "
                "sentences beyond chance; figures of so few say little"
            )
    if TAG_SET in names:
        yield (
            "tag-set: names of tags and words of summaries stand outside of articles; that topics "
            "are far from them says little of how the corpus was gathered"
        )


def _is_of_corpus(name: str) -> bool:
    return name in (TAG_SET, CLASSES) and not Path(name).is_file()
