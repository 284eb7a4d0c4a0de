"""What a corpus is made of, in numbers: for the manifest, the card and the summary of a run."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Composition:
    """Table 3 of the paper for this corpus: how many sentences of which role, and what fell out.

    Attributes:
        removed: biased sentences.
        added: neutral sentences that edits added.
        unchanged: neutral sentences that edits left alone.
        featured: neutral sentences of featured articles.
        negatives: what was asked for as neutral; None where nothing was.
        duplicates: changed sentences whose form is there already.
        in_both_classes: forms that one edit removed and another added, left out of both classes.
        pages: how many pages they are from.
        edits: how many edits the biased sentences are from.
        largest_share: of the biased sentences, what the edit that gives most of them gives.
        splits: how many sentences each split has.
        tiers: how many sentences of each tier, best first: of each label.
        relations: how many biased sentences of each relation.
        left_out: why sentences were left out: how many of each role.
        near_duplicates: sentences of the corpus with a near-duplicate on another page.
        near_duplicate_groups: how many groups these form.
        pairings: how many sentences of each label are of which pairing.
        first_day: when the oldest of the revisions was saved, as "2006-08-23"; None without rows.
        last_day: the same of the newest one.
        sites: the servers of the wikis, by the addresses of the edits.
        pairs: how many aligned pairs were written; 0 where nobody asked for them.
        notes: in words, what a user should know, such as classes that could not be balanced.
    """

    removed: int = 0
    added: int = 0
    unchanged: int = 0
    featured: int = 0
    negatives: str | None = None
    duplicates: int = 0
    in_both_classes: int = 0
    pages: int = 0
    edits: int = 0
    largest_share: float = 0.0
    splits: dict[str, int] = field(default_factory=dict)
    tiers: dict[str, dict[str, int]] = field(default_factory=dict)
    relations: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, dict[str, int]] = field(default_factory=dict)
    near_duplicates: int = 0
    near_duplicate_groups: int = 0
    pairings: dict[str, dict[str, int]] = field(default_factory=dict)
    first_day: str | None = None
    last_day: str | None = None
    sites: list[str] = field(default_factory=list)
    pairs: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The number of sentences in the corpus."""
        return self.removed + self.added + self.unchanged + self.featured
