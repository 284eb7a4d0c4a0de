"""Edits of a few sentences each, for tests of the choice of a corpus."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from histories import history
from wikibias.config.choices import SplitBy
from wikibias.corpus.candidates import Candidates, Choice, read
from wikibias.corpus.composition import Composition
from wikibias.corpus.evidence import EvidenceSource, two_class_evidence
from wikibias.corpus.rows import Chosen
from wikibias.corpus.two_classes import build_corpus
from wikibias.records import CorpusSentence, Edit, Link, Sentence, TagContext
from wikibias.text.segmentation import normalise

PROVENANCE = history(["{{POV}} a", "a"])[1].provenance
CONTEXT = TagContext(("article",), ("",), ("",), edited_text=True, only_tags=False)
# The sentences here are short.
CHOICE = Choice(lengths=range(1, 300))
GONE = Link("", "", "deleted", 0.0, "")


def word(*numbers: int) -> str:
    """Return a word for numbers; numbers themselves are all one `numtkn`."""
    return "".join(chr(ord("a") + n % 26) + chr(ord("a") + n // 26) for n in numbers)


def whole(text: str) -> Sentence:
    """Return a sentence with its normal form."""
    return Sentence(text, normalise(text))


def _side(texts: Sequence[str | Sentence]) -> tuple[Sentence, ...]:
    return tuple(whole(each) if isinstance(each, str) else each for each in texts)


def edit(
    page: int = 1,
    removed: Sequence[str | Sentence] = (),
    added: Sequence[str | Sentence] = (),
    unchanged: Sequence[str | Sentence] = (),
    number: int = 2,
    **facts: Any,
) -> Edit:
    """Return an edit of a page, whose newer revision has a number."""
    made = Edit(
        provenance=replace(PROVENANCE, page_id=page, after_rev_id=number),
        context=CONTEXT,
        removed=_side(removed),
        added=_side(added),
        unchanged=_side(unchanged),
        same_text=False,
        after_redirect=False,
        after_chars=1000,
        readable=True,
    )
    return replace(made, **facts)


def evidence_of(edits: Sequence[Edit], choice: Choice = CHOICE) -> EvidenceSource:
    """Return what edits tell of the two classes."""
    return lambda: two_class_evidence(edits, choice.tiers)


def candidates_of(edits: Sequence[Edit], choice: Choice = CHOICE) -> Candidates:
    """Return the candidates of two classes."""
    return read(evidence_of(edits, choice)(), choice)


def chosen_of(
    edits: Sequence[Edit], split_by: SplitBy = "page", seed: int = 0, **choices: Any
) -> Chosen[Composition, CorpusSentence]:
    """Return the corpus of some edits."""
    choice = replace(CHOICE, split_by=split_by, seed=seed, **choices)
    return build_corpus(evidence_of(edits, choice), choice)
