"""Edits to a corpus: labels, duplicates, balance, split. The one stage that needs all of them.

The edits are read twice: first their normal forms, of which 17 bytes a sentence are kept to choose
what goes into the corpus; then the whole edits, for the chosen sentences in order.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wikibias.config.choices import SPLITS, SplitBy
from wikibias.config.thresholds import Build
from wikibias.records import (
    CorpusSentence,
    Edit,
    Label,
    NormalForms,
    Provenance,
    Role,
)
from wikibias.text.unsegmented import words

_ROLES: tuple[Role, ...] = ("removed", "added", "unchanged")
_REMOVED, _ADDED, _UNCHANGED = range(3)
# Of a sentence too short or too long for a corpus.
_NO_ROLE = 3
_LEFT_OUT = -1
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Candidates:
    """One entry a sentence of an edit, in order: its form, its role and its page, as numbers.

    The form is a 64-bit hash: among ten million sentences, two different ones share it with a
    probability of three in a million.
    """

    form: Ints
    role: NDArray[np.int8]
    page: Ints


@dataclass(slots=True)
class Composition:
    """Table 3 of the paper for this corpus: how many sentences of which role, and what fell out.

    `notes` says in words what a user should know, such as classes that could not be balanced.
    """

    removed: int = 0
    added: int = 0
    unchanged: int = 0
    duplicates: int = 0
    in_both_classes: int = 0
    pages: int = 0
    splits: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The number of sentences in the corpus."""
        return self.removed + self.added + self.unchanged


def build_corpus(
    forms: Iterable[NormalForms],
    edits: Iterable[Edit],
    shares: Build,
    lengths: range,
    *,
    split_by: SplitBy,
    seed: int,
) -> tuple[Composition, Iterator[CorpusSentence]]:
    """Choose and label the sentences of a balanced corpus (2019 paper, sections 3.3 and 6).

    Biased are the removed sentences. Neutral are the added ones, filled up with unchanged ones
    of the same pages, first of the very page that lacks some, until the classes are equal.
    A sentence that was both removed and added is in neither class; a duplicate stands once.

    Args:
        forms: the normal forms of the sentences of the kept edits; read to its end first.
        edits: the kept edits, in the same order; read when the sentences are asked for.
        shares: of train, dev and test.
        lengths: how many words a sentence may have, as `unsegmented.words` counts them.
        split_by: "page" puts all sentences of a page into one split; "sentence" is the paper's.
        seed: of the choice of unchanged sentences and of the split.

    Returns:
        What the corpus is made of, and its sentences in document order.
    """
    candidates = _read(forms, lengths)
    composition = Composition()
    rng = np.random.Generator(np.random.PCG64(seed))
    chosen = _choose(candidates, composition, rng)
    split = _split(candidates, chosen, shares, split_by, rng)
    _describe(composition, candidates, chosen, split)
    return composition, _sentences(edits, split)


def _read(edits: Iterable[NormalForms], lengths: range) -> _Candidates:
    forms, roles, pages = array("q"), array("b"), array("q")
    page_numbers: dict[tuple[str, int], int] = {}
    for edit in edits:
        page = page_numbers.setdefault((edit.wiki, edit.page_id), len(page_numbers))
        for role, norms in enumerate((edit.removed_norm, edit.added_norm, edit.unchanged_norm)):
            forms.extend(map(_form, norms))
            roles.extend(role if words(norm) in lengths else _NO_ROLE for norm in norms)
            pages.extend([page] * len(norms))
    return _Candidates(
        np.frombuffer(forms, np.int64),
        np.frombuffer(roles, np.int8),
        np.frombuffer(pages, np.int64),
    )


def _form(norm: str) -> int:
    digest = hashlib.blake2b(norm.encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def _choose(candidates: _Candidates, composition: Composition, rng: np.random.Generator) -> Flags:
    """Return which candidates go into the corpus: duplicates out, classes balanced."""
    first = {role: _first_of_form(candidates, role) for role in range(3)}
    forms = {role: candidates.form[first[role]] for role in range(3)}
    edited = np.concatenate([forms[_REMOVED], forms[_ADDED]])
    both = np.intersect1d(forms[_REMOVED], forms[_ADDED])
    removed = first[_REMOVED][~np.isin(forms[_REMOVED], both)]
    added = first[_ADDED][~np.isin(forms[_ADDED], both)]
    unchanged = first[_UNCHANGED][~np.isin(forms[_UNCHANGED], edited)]
    composition.in_both_classes = len(both)
    changed = int(np.count_nonzero(candidates.role < _UNCHANGED))
    composition.duplicates = changed - len(edited)

    if len(added) > len(removed):
        composition.notes.append(
            f"{len(added) - len(removed):,} of {len(added):,} added sentences were left out at "
            "random, so that the classes are equal"
        )
        added = np.sort(rng.permutation(added)[: len(removed)])
    need = len(removed) - len(added)
    filler = _fill(candidates, removed, added, unchanged, need, rng)
    if len(filler) < need:
        composition.notes.append(
            f"only {len(added) + len(filler):,} neutral sentences for {len(removed):,} biased "
            "ones: these pages have no more unchanged sentences; more dump parts would balance it"
        )
    chosen = np.zeros(len(candidates.form), np.bool_)
    for taken in (removed, added, filler):
        chosen[taken] = True
    return chosen


def _first_of_form(candidates: _Candidates, role: int) -> Ints:
    of_role = np.flatnonzero(candidates.role == role)
    _, first = np.unique(candidates.form[of_role], return_index=True)
    return np.sort(of_role[first])


def _fill(
    candidates: _Candidates,
    removed: Ints,
    added: Ints,
    unchanged: Ints,
    need: int,
    rng: np.random.Generator,
) -> Ints:
    """Choose `need` unchanged sentences, at random, first from pages that lack neutral ones."""
    if not need or not len(unchanged):
        return unchanged[:0]
    pages = int(candidates.page.max()) + 1
    lacking = np.bincount(candidates.page[removed], minlength=pages) - np.bincount(
        candidates.page[added], minlength=pages
    )
    shuffled = rng.permutation(unchanged)
    page = candidates.page[shuffled]
    by_page = np.argsort(page, kind="stable")
    starts = np.searchsorted(page[by_page], np.arange(pages))
    rank = np.empty(len(shuffled), np.int64)
    rank[by_page] = np.arange(len(shuffled)) - starts[page[by_page]]
    beyond = rank >= lacking[page]
    return np.sort(shuffled[np.argsort(beyond, kind="stable")[:need]])


def _split(
    candidates: _Candidates,
    chosen: Flags,
    shares: Build,
    split_by: SplitBy,
    rng: np.random.Generator,
) -> Ints:
    """Return, for each candidate, the number of its split, or -1 when it is left out."""
    split = np.full(len(chosen), _LEFT_OUT, np.int64)
    indices = np.flatnonzero(chosen)
    wanted = np.array([shares.train, shares.dev, shares.test])
    if split_by == "sentence":
        edges = np.round(np.cumsum(wanted) * len(indices)).astype(np.int64)
        split[rng.permutation(indices)] = np.searchsorted(
            edges, np.arange(len(indices)), side="right"
        )
        return split
    pages, of_page, sizes = np.unique(
        candidates.page[indices], return_inverse=True, return_counts=True
    )
    assigned = np.zeros(len(pages), np.int64)
    left = wanted * len(indices)
    for page in rng.permutation(len(pages)):
        assigned[page] = int(np.argmax(left))
        left[assigned[page]] -= sizes[page]
    split[indices] = assigned[of_page]
    return split


def _describe(
    composition: Composition, candidates: _Candidates, chosen: Flags, split: Ints
) -> None:
    counts = np.bincount(candidates.role[chosen], minlength=3)
    composition.removed, composition.added, composition.unchanged = (int(n) for n in counts)
    composition.pages = len(np.unique(candidates.page[chosen]))
    composition.splits = {
        name: int(np.count_nonzero(split == number)) for number, name in enumerate(SPLITS)
    }
    if not len(candidates.role):
        composition.notes.append(
            "no edit was kept, so the corpus is empty; Table 2 and rejects/ tell why"
        )
    empty = [name for name, count in composition.splits.items() if not count]
    if composition.total and empty:
        composition.notes.append(
            f"{' and '.join(empty)} empty: too few pages with kept edits "
            f"({composition.pages}) to split by page; add dump parts (with --restart), "
            "or use --split sentence"
        )


def _sentences(edits: Iterable[Edit], split: Ints) -> Iterator[CorpusSentence]:
    number = 0
    for edit in edits:
        for role, sentences in enumerate((edit.removed, edit.added, edit.unchanged)):
            label: Label = "biased" if role == _REMOVED else "neutral"
            first, number = number, number + len(sentences)
            for position in np.flatnonzero(split[first:number] != _LEFT_OUT):
                sentence = sentences[position]
                yield CorpusSentence(
                    sentence_id=f"{_edit_id(edit.provenance)}-{_ROLES[role]}-{position}",
                    text=sentence.text,
                    norm=sentence.norm,
                    label=label,
                    role=_ROLES[role],
                    split=SPLITS[split[first + position]],
                    provenance=edit.provenance,
                    context=edit.context,
                    block=sentence.block,
                    has_gap=sentence.has_gap,
                    history=edit.history,
                    share_of_page=edit.share_of_page,
                    policy_words=edit.policy_words,
                )


def _edit_id(source: Provenance) -> str:
    """Return what names an edit: its newer revision, and the pairing if it is not the usual one."""
    if source.pairing == "removal-edit":
        return f"{source.wiki}-{source.after_rev_id}"
    return f"{source.wiki}-{source.pairing}-{source.before_rev_id}-{source.after_rev_id}"
