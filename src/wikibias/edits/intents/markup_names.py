"""What references and citation templates are called in a language, as one pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from wikibias.config.languages import Language

# Names that wikis of all languages have from the English one.
_CITATION_TEMPLATES = ("cite*", "citation")
_ASKING_TEMPLATES = ("citation needed", "cite needed", "citation requested")
# The list of the paper, in the file of the language, breaks off at "ours".
_MORE_STOP_WORDS = {
    "en": "our she so than that the their them then there these they this those to too under up "
    "was we were what when where which while who whom why will with would you your"
}
# Behind the name of a template, or behind one that ends with "*".
_NAME_ENDS, _WORD_ENDS = r"\s*(?:[|}]|$)", r"(?![^\W_])"


@dataclass(frozen=True)
class MarkupNames:
    """The names that tell what a reference is; without regard to letter case.

    Attributes:
        citation_templates: templates that hold a source; "cite*" stands for all whose name begins
            with this word. Those of the English Wikipedia count everywhere.
        asking_templates: templates that ask for a source, whatever they begin with.
        stop_words: words that say little by themselves, in lower case.
    """

    citation_templates: tuple[str, ...] = ()
    asking_templates: tuple[str, ...] = ()
    stop_words: frozenset[str] = frozenset()
    _references: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        asking = _any_of(_ASKING_TEMPLATES + self.asking_templates)
        citing = _any_of(_CITATION_TEMPLATES + self.citation_templates)
        # A tag that closes itself repeats a reference that stands elsewhere.
        pattern = rf"<ref\b(?![^<>]*/>)|\{{\{{\s*(?!{asking}){citing}"
        object.__setattr__(self, "_references", re.compile(pattern, re.IGNORECASE | re.MULTILINE))

    def count_references(self, text: str) -> int:
        """Return how many references and citation templates begin in a text."""
        if "<" not in text and "{{" not in text:
            return 0
        return len(self._references.findall(text))


def names_of(language: Language) -> MarkupNames:
    """Return the names that a language has for them."""
    names = language.intents
    more = _MORE_STOP_WORDS.get(language.code, "").split()
    return MarkupNames(
        names.citation, names.citation_needed, frozenset([*language.stopwords, *more])
    )


def _any_of(names: Iterable[str]) -> str:
    # The longest first, though what ends a name decides.
    return f"(?:{'|'.join(map(_form, sorted(set(names), key=lambda name: (-len(name), name))))})"


def _form(name: str) -> str:
    stem = name.removesuffix("*").rstrip()
    words = r"[\s_]+".join(map(re.escape, stem.replace("_", " ").split()))
    return words + (_WORD_ENDS if name.endswith("*") else _NAME_ENDS)
