"""What references and citation templates are called in a language, as patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

STOP_WORDS = frozenset(
    "a an and are as at be but by for from had has have he her his in into is it its no not of on "
    "or our she so than that the their them then there these they this those to was we were when "
    "where which who will with would you".split()
)


@dataclass(frozen=True)
class MarkupNames:
    """The names that tell references from other markup; the defaults are those of English.

    Attributes:
        citation_templates: with what the name of a citation template begins, in any letter case; a
            whole word, as "cite" of "cite web".
        citation_names: whole names of citation templates, such as "Lien web".
        asking_templates: names of templates that ask for a citation and begin the same.
        stop_words: words that say nothing by themselves, in lower case.
    """

    citation_templates: tuple[str, ...] = ("cite", "citation")
    citation_names: tuple[str, ...] = ()
    asking_templates: tuple[str, ...] = ("citation needed", "cite needed", "citation requested")
    stop_words: frozenset[str] = STOP_WORDS
    references: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        asking, citing = _either(self.asking_templates), _either(self.citation_templates)
        whole = _either(self.citation_names)
        template = rf"\{{\{{\s*(?!{asking}\b)(?:{citing}\b|{whole}\s*(?=[|}}]|$))"
        # Self-closing tags repeat a reference that stands elsewhere.
        pattern = rf"<ref\b(?![^<>]*/>)|{template}"
        object.__setattr__(self, "references", re.compile(pattern, re.IGNORECASE))

    def count_references(self, text: str) -> int:
        """Return how many references and citation templates begin in a text."""
        if "<" not in text and "{{" not in text:
            return 0
        return len(self.references.findall(text))


def _either(names: Iterable[str]) -> str:
    """Return a pattern for any of the names; one that never matches for none."""
    forms = [re.escape(name).replace(r"\ ", r"[\s_]*") for name in sorted(names, reverse=True)]
    return f"(?:{'|'.join(forms)})" if forms else "(?!)"
