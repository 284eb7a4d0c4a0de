"""The documents that topics are made of: sentences, with what is known of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

FACTS = ("label", "split", "tag", "year", "tier", "language")
"""What a corpus may tell of a sentence, by which its documents can be parted."""
CLASSES = ("biased", "neutral")
"""The labels that are of a class."""


@dataclass(frozen=True, slots=True)
class Documents:
    """Sentences of a corpus, or of any file.

    Attributes:
        name: of the corpus, for people.
        texts: their normal forms.
        facts: one of `FACTS` -> what it is of each; "" where not known.
        pages: the page of each, where known, so that what is of one page can be kept together.
        language: a code; "" where nobody says.
        of: how many there were before a sample was drawn.
    """

    name: str
    texts: Sequence[str]
    facts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    pages: Sequence[str] | None = None
    language: str = ""
    of: int = 0

    def __len__(self) -> int:
        return len(self.texts)

    def chosen(self, rows: Sequence[int]) -> Documents:
        """Return those of some rows, in their order."""
        return replace(
            self,
            texts=[self.texts[row] for row in rows],
            facts={name: [of[row] for row in rows] for name, of in self.facts.items()},
            pages=None if self.pages is None else [self.pages[row] for row in rows],
        )

    def other_labels(self) -> str:
        """Return, as an end of a sentence, which labels are not of a class; "" where none is."""
        told = dict.fromkeys(label for label in self.facts.get("label", ()) if label)
        others = [repr(label[:40]) for label in told if label not in CLASSES]
        if not others:
            return ""
        return f"; say with --labels what {', '.join(others[:5])} mean"
