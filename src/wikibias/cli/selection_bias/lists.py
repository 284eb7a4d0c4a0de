"""The lists of keywords that a command line names, for each corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.errors import UsageError
from wikibias.selection_bias.keywords import (
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
    from wikibias.selection_bias.documents import Documents


class Lists:
    """Reads each list that a command line names; those of a corpus itself for each corpus.

    Args:
        given: the options of the command.

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
        names = [*(each.name for each in self._fixed), *self._of_corpora]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"two lists of keywords are called {name!r}; rename one")

    def of(self, path: Path, documents: Documents, stop_words: frozenset[str]) -> list[KeywordList]:
        """Return the lists for a corpus.

        Raises:
            UsageError: the corpus does not tell one that is asked for.
        """
        return [*self._fixed, *self._own(path, documents, stop_words)]

    def _own(
        self, path: Path, documents: Documents, stop_words: frozenset[str]
    ) -> Iterator[KeywordList]:
        if TAG_SET in self._of_corpora:
            yield of_tag_set(path)
        if CLASSES in self._of_corpora:
            yield of_classes(documents, stop_words)


def cautions(lists: Sequence[KeywordList]) -> Iterator[str]:
    """Yield what is to be taken with care because of where a list comes from."""
    names = {each.name for each in lists}
    if CLASSES in names:
        yield (
            "classes: these keywords are from the corpus itself, so B2 is high by construction; "
            "compare topics and groups by them, not corpora"
        )
    if TAG_SET in names:
        yield (
            "tag-set: names of tags and words of summaries stand outside of articles; that topics "
            "are far from them says little of how the corpus was gathered"
        )


def _is_of_corpus(name: str) -> bool:
    return name in (TAG_SET, CLASSES) and not Path(name).is_file()
