"""Made edits of a few sentences each, and corpora of the samples, built once in a test run."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from tempfile import mkdtemp
from typing import Any

import numpy as np

from exports import wikibias
from histories import history
from paths import SAMPLES
from wikibias import records
from wikibias.config.choices import SplitBy
from wikibias.corpus.candidates import Candidates, Choice, read
from wikibias.corpus.composition import Composition, LabelledComposition
from wikibias.corpus.evidence import EvidenceSource, InlineTags, LabelEvidence, two_class_evidence
from wikibias.corpus.rows import Chosen
from wikibias.corpus.sampling import build_corpus, build_labelled
from wikibias.text.segmentation import normalise

PROVENANCE = history(["{{POV}} a", "a"])[1].provenance
CONTEXT = records.TagContext(("article",), ("",), ("",), edited_text=True, only_tags=False)
# The sentences here are short.
CHOICE = Choice(lengths=range(1, 300))
GONE = records.Link("", "", "deleted", 0.0, "")


def rng(seed: int = 0) -> np.random.Generator:
    """Return random numbers, the same for a seed."""
    return np.random.Generator(np.random.PCG64(seed))


def unlike(number: int) -> list[str]:
    """Return sentences of which no two are near-duplicates."""
    drawn = random.Random(0)
    return ["".join(drawn.choices(ascii_lowercase, k=30)) for _ in range(number)]


def word(*numbers: int) -> str:
    """Return a word for numbers; numbers themselves are all one `numtkn`."""
    return "".join(chr(ord("a") + n % 26) + chr(ord("a") + n // 26) for n in numbers)


def whole(text: str) -> records.Sentence:
    """Return a sentence with its normal form."""
    return records.Sentence(text, normalise(text))


def _side(texts: Sequence[str | records.Sentence]) -> tuple[records.Sentence, ...]:
    return tuple(whole(each) if isinstance(each, str) else each for each in texts)


def edit(
    page: int = 1,
    removed: Sequence[str | records.Sentence] = (),
    added: Sequence[str | records.Sentence] = (),
    unchanged: Sequence[str | records.Sentence] = (),
    number: int = 2,
    **facts: Any,
) -> records.Edit:
    """Return an edit of a page, whose newer revision has a number."""
    made = records.Edit(
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


def evidence_of(edits: Sequence[records.Edit], choice: Choice = CHOICE) -> EvidenceSource:
    """Return what edits tell of the two classes."""
    return lambda: two_class_evidence(edits, choice.tiers)


def candidates_of(edits: Sequence[records.Edit], choice: Choice = CHOICE) -> Candidates:
    """Return the candidates of two classes."""
    return read(evidence_of(edits, choice)(), choice)


def chosen_of(
    edits: Sequence[records.Edit], split_by: SplitBy = "page", seed: int = 0, **choices: Any
) -> Chosen[Composition, records.CorpusSentence]:
    """Return the corpus of some edits."""
    choice = replace(CHOICE, split_by=split_by, seed=seed, **choices)
    return build_corpus(evidence_of(edits, choice), choice)


INTENTS = ("citation", "clarification", "point-of-view")
TAGS = InlineTags(
    {"Citation needed": "citation", "Clarify": "clarification", "Who": "clarification"}
)
BARE = records.SentenceContext("Life", "", "", has_reference=False, follows_reference=False)
CITED = BARE._replace(has_reference=True)
REWRITTEN = records.Link("0", "", "rewritten", 80.0, "0:4")


def intent_edit(
    intent: str,
    page: int = 1,
    removed: Sequence[str] = (),
    became: Sequence[str] = (),
    unchanged: Sequence[str] = (),
    number: int = 2,
) -> records.Edit:
    """Return an edit with an intent, in which each removed sentence was rewritten."""
    made = edit(page, removed, became, unchanged, number)
    links = tuple(
        REWRITTEN._replace(pair_id=str(at), counterpart=text)
        for at, text in enumerate(became[: len(removed)])
    )
    source = replace(made.provenance, signal=intent, pairing="intent-edit", tags=(), aliases=())
    return replace(made, provenance=source, links=links, contexts=(BARE,) * len(removed))


def featured(
    page: int, sentences: Sequence[str], contexts: Sequence[records.SentenceContext] = ()
) -> records.Edit:
    """Return the sentences of a featured article, without references where nothing is said."""
    made = edit(page, unchanged=sentences, number=900 + page)
    source = replace(made.provenance, signal="featured", pairing="featured-span", kind="added")
    around = tuple(contexts) or (BARE,) * len(sentences)
    return replace(made, provenance=source, contexts=around)


def tag_edit(
    tags: dict[str, str],
    page: int = 1,
    number: int = 2,
    *,
    left: Sequence[str] = (),
    scope: str = "inline",
    days: float | None = 5.0,
    **sides: Any,
) -> records.Edit:
    """Return the removal of tags, each with what it pointed at."""
    made = edit(page, number=number, **sides)
    source = replace(
        made.provenance, tags=tuple(tags), aliases=tuple(tags), days_tagged=days, signal="tag"
    )
    context = records.TagContext(
        (scope,) * len(tags),
        ("Life",) * len(tags),
        tuple(tags.values()),
        edited_text=True,
        only_tags=False,
    )
    return replace(
        made, provenance=source, context=context, history=records.History(tags_left=tuple(left))
    )


def added(made: records.Edit) -> records.Edit:
    """Return the addition of the tags of an edit instead."""
    source = replace(made.provenance, kind="added", pairing="addition-edit", days_tagged=None)
    return replace(made, provenance=source)


def chosen(
    evidence: Iterable[LabelEvidence], labels: Sequence[str] = INTENTS, **choices: Any
) -> Chosen[LabelledComposition, records.LabelledSentence]:
    """Return the corpus that evidence gives."""
    known, found = choices.pop("known", None), list(evidence)
    choice = Choice(lengths=range(1, 300), **choices)
    return build_labelled(lambda: found, tuple(labels), choice, "intents", known)


DUMPS = {
    "en": SAMPLES / "demoenwiki-20260101-pages-meta-history.xml.7z",
    "fr": SAMPLES / "demofrwiki-20260101-pages-meta-history.xml.bz2",
}


@cache
def corpus(lang: str = "en", *options: str) -> Path:
    """Return the result folder of a sample dump; tests must leave it as it is."""
    out = Path(mkdtemp(prefix="wikibias-")) / lang
    wikibias("extract", "-q", "--lang", lang, *options, "-o", out, DUMPS[lang]).well()
    return out
