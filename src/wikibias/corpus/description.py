"""What a corpus is, in words, as its manifest tells: title, labels, licence, limits, quality.

Plain text, which nothing has escaped: names of wikis and tag sets are those of whoever made the
dump or the manifest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from wikibias.corpus.licences import Licence, licence
from wikibias.corpus.meanings import (
    BY_SUMMARY,
    FEATURED,
    Meaning,
    meaning,
    pairings_of,
    sort_of,
    topics_of,
    what_edits_did,
)
from wikibias.corpus.measured import quality
from wikibias.records import MOST_NAMED

_SIZES = (
    (1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"), (100_000_000, "10M<n<100M"),
)  # fmt: skip
_LANGUAGE = re.compile(r"[a-z]{2,3}", re.ASCII)
_MOST_WIKIS = 5


@dataclass(frozen=True, slots=True)
class Description:
    """A corpus in words.

    Attributes:
        title: in one line.
        summary: in a few sentences.
        tags: the tag set: name, language, version, families.
        topics: words for what the tags are about.
        meanings: what the labels mean, by pairing.
        wikis: the names of the wikis, sorted.
        period: when its revisions were saved: first and last day; None where that is not known.
        sentences: how many there are.
        size: that as the Hugging Face hub sorts data sets.
        language: its ISO 639 code; None where what `--lang` said is none.
        licence: of the text.
        limits: what one may not expect.
        quality: what was measured, on what, and what was not.
    """

    title: str
    summary: str
    tags: str
    topics: tuple[str, ...]
    meanings: tuple[Meaning, ...]
    wikis: tuple[str, ...]
    period: tuple[date, date] | None
    sentences: int
    size: str
    language: str | None
    licence: Licence
    limits: tuple[str, ...]
    quality: tuple[str, ...]


def describe(manifest: Mapping[str, Any]) -> Description:
    """Describe the corpus of a manifest; what an older version did not record is left open."""
    detect = manifest["settings"]["detect"]
    corpus = manifest.get("corpus") or {}
    pairings = pairings_of(detect)
    noun, claim = sort_of(detect)
    wikis = sorted({str(e["wiki"]) for e in manifest["inputs"] if e.get("wiki")})
    done = _joined([what_edits_did(name, noun) for name in pairings], "or")
    total = sum(corpus.get(role, 0) for role in ("removed", "added", "unchanged", "featured"))
    period = _period(corpus)
    first, last = period or (None, None)
    topics = topics_of(noun)
    about = "bias" in topics
    rows = corpus.get("pairings") or {}
    found = licence(_texts(corpus.get("sites")), first, last)
    return Description(
        title=f"Sentences of edits that {done}: {_some(wikis) or 'a wiki'}",
        summary=_summary(noun, claim, pairings, about=about),
        tags=_tagset(detect),
        topics=topics,
        meanings=tuple(
            meaning(name, rows.get(name, {}))
            for name in [*pairings, *([FEATURED] if corpus.get("featured") else [])]
        ),
        wikis=tuple(wikis),
        period=period,
        sentences=total,
        size=size_category(total),
        language=detect["lang"] if _LANGUAGE.fullmatch(detect["lang"]) else None,
        licence=found,
        limits=tuple(_limits(manifest, about=about)),
        quality=tuple(quality(manifest["settings"], pairings)),
    )


def size_category(rows: int) -> str:
    """Return the size of a data set as the Hugging Face hub sorts them."""
    return next((name for most, name in _SIZES if rows < most), "100M<n<1B")


def _summary(noun: str, claim: str, pairings: Sequence[str], *, about: bool) -> str:
    if list(pairings) == [BY_SUMMARY]:
        return (
            "Editors named the neutrality policy when they summed up what they did. The sentences "
            "here are from these edits, and get their labels from what the edits did with them. "
            "No label is a judgement of the sentence itself."
        )
    what = (
        f"Editors put {noun} on an article to say {claim}. The sentences here are from edits "
        "around such tags, and get their labels from what the edits did with them."
    )
    if about:
        return f"{what} No label is a judgement of the sentence itself."
    return (
        f"{what} The labels are named biased and neutral as in every corpus of wikibias; here "
        "biased says on which side of such an edit a sentence stood, and nothing about neutrality."
    )


def _tagset(detect: Mapping[str, Any]) -> str:
    said = f"{detect['tagset']} for {detect['lang']}, version {detect['tagset_version']}"
    return f"{said}; only {', '.join(detect['families'])}" if detect["families"] else said


def _period(corpus: Mapping[str, Any]) -> tuple[date, date] | None:
    try:
        first, last = (date.fromisoformat(corpus[key]) for key in ("first_day", "last_day"))
    except (KeyError, TypeError, ValueError):
        return None
    return first, last


def _limits(manifest: Mapping[str, Any], *, about: bool) -> list[str]:
    settings = manifest["settings"]
    about_tags = (
        "The labels are noisy: an edit touches more than what a tag is about, and a tag goes for "
        "many reasons."
    )
    limits = [
        about_tags,
        "A label is evidence about an edit, not a judgement on an author or a subject.",
        "Wikis differ in how they use their tags, and tags in how people use them; the corpus "
        "inherits both, and the interests of those who edit.",
        "Sentences that differ only in numbers, case or punctuation count as the same.",
    ]
    if not about:
        limits.insert(1, "It is no corpus of biased sentences: the tags are of another sort.")
    if settings["detect"].get("with_editors"):
        limits.append(
            "The column editor names people. It is personal data: leave it out of what you publish."
        )
    if (most := settings["detect"].get("limit")) is not None:
        limits.append(f"Only the first {most:,} pages of each part of the dump were read.")
    namespaces = list(settings["detect"].get("namespaces", [0]))
    if not namespaces:
        limits.append(
            "Summaries were read of pages of all namespaces but those with talk:, user: or "
            "wikipedia: in their titles."
        )
    elif namespaces != [0]:
        numbers = ", ".join(map(str, namespaces))
        limits.append(f"Pages of the namespaces {numbers} were read; 0 holds the articles.")
    unread = [e for e in manifest["inputs"] if e.get("error")]
    if unread:
        limits.append(f"{len(unread):,} of the parts of the dump could not be read to their end.")
    for key, said in _INCREMENTS.items():
        if number := _number(manifest.get(key)):
            limits.append(said.format(number))
    return limits


# Of corpora that grow from month to month.
_INCREMENTS = {
    "repeated": "Edits that an older dump held too, and that count once: {}.",
    "gone_pages": "Pages of an earlier dump that a newer one lacks, whole or in part; their "
    "edits are still here: {}.",
    "renamed_pages": "Pages with another title in the newer dump: {}.",
}


def _number(value: object) -> str:
    """Return how many a manifest counts, by kind or as a list; "" where there are none."""
    if isinstance(value, dict):
        number, most = sum(each for each in value.values() if isinstance(each, int)), ""
    else:
        number = len(value) if isinstance(value, list) else 0
        most = "at least " * (number >= MOST_NAMED)
    return f"{most}{number:,}" if number else ""


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else []


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_WIKIS:,} more" if len(names) > _MOST_WIKIS else ""
    return ", ".join(names[:_MOST_WIKIS]) + more


def _joined(words: Sequence[str], last: str) -> str:
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
