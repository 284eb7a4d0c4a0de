"""Cleans wikitext, splits text into sentences, and tells what an edit made of them."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from wikibias.config.languages import languages, load_language
from wikibias.config.thresholds import Tiers
from wikibias.edits import alignment, sentence_diff
from wikibias.edits import confidence as confidences
from wikibias.errors import UsageError, WikibiasError, closest, nearest
from wikibias.pipeline.enrichment import rules_of
from wikibias.records import Link, Paragraph, Relation, Sentence
from wikibias.tags import tagset as files
from wikibias.tags.tagset import TagSet
from wikibias.text.cleaning import UnreadableError, visible_paragraphs
from wikibias.text.segmentation import Segmenter, paragraphs_of, words
from wikibias.text.similarity import edit_distance

if TYPE_CHECKING:
    import pandas as pd

ConfidenceOf = Literal["biased", "neutral", "less_neutral"]
_READ = frozenset(
    """before after comment tags relation survived_days reverted restores_rev_id restores_nearly
    tags_left tags_swapped_in tag_back_days share_of_page policy_words summary_reverts
    sentences_removed block has_gap""".split()
)
_FLAGS = frozenset(("reverted", "restores_nearly", "summary_reverts", "has_gap"))
_NUMBERS = frozenset(("survived_days", "tag_back_days", "share_of_page", "sentences_removed"))
_SLIP = 2  # characters in which the name of a column may differ from one that is read
_REMEMBERED = 8


@dataclass(frozen=True, slots=True)
class SentenceDiff:
    """The difference of two texts, in sentences.

    Attributes:
        removed: the sentences that only the older text has.
        added: those that only the newer one has.
        unchanged: those that both have, as the newer one has them.
    """

    removed: tuple[Sentence, ...]
    added: tuple[Sentence, ...]
    unchanged: tuple[Sentence, ...]


def clean(wikitext: str, lang: str) -> str:
    """Return the text that a reader sees of a wikitext: one paragraph or list item a line.

    Templates, references, tables, files, categories, headings, list markers and HTML are gone;
    the text of links stays (2019 paper, section 3.3). So does the text inside of a tag of the
    set `npov` that wraps it.

    Args:
        wikitext: of a page or of a piece of it.
        lang: the code of the wiki's language; it gives the local names of namespaces.

    Raises:
        UsageError: an unknown language, or None instead of a text, as a suppressed revision has it.
        WikibiasError: the wikitext is too long or too broken to be parsed.

    Examples:
        >>> clean("'''Halvern''' is a [[dairy|large dairy]].<ref>Pell 1974</ref>{{POV}}", "en")
        'Halvern is a large dairy.'
    """
    return "\n".join([paragraph.text for paragraph in _paragraphs(wikitext, lang)])


def split_sentences(
    text: str, lang: str, *, min_tokens: int = 1, max_tokens: int | None = None
) -> list[Sentence]:
    """Split a text whose paragraphs are lines, as `clean` gives it, into sentences.

    Args:
        text: to be split.
        lang: the code of its language.
        min_tokens: sentences of fewer words are left out; a corpus asks for 6.
        max_tokens: sentences of more words are left out; a corpus allows 299. None keeps all.

    Returns:
        The sentences in order, each with its `text` and its `norm`, the form that is compared
        and classified (lower case, no punctuation, numbers as `numtkn`).

    Raises:
        UsageError: an unknown language, or a number under 1.

    Examples:
        >>> text = "Dr. Pell founded it in 1950. It closed!"
        >>> for sentence in split_sentences(text, "en"):
        ...     print(f"{sentence.text} -> {sentence.norm}")
        Dr. Pell founded it in 1950. -> dr pell founded it in numtkn
        It closed! -> it closed
    """
    lengths = _lengths(min_tokens, sys.maxsize if max_tokens is None else max_tokens)
    if not isinstance(text, str):
        raise UsageError(f"no text to split: {text!r:.60}; give one text at a time")
    return _within(lengths, _segmenter(lang).split(paragraphs_of(text)))


def compare(
    before: str, after: str, lang: str, *, min_tokens: int = 6, max_tokens: int = 299
) -> SentenceDiff:
    """Compare two wikitexts sentence by sentence, as `wikibias diff` does.

    Both are cleaned and split. Sentences are compared by their normal form and their numbers, as
    multisets: what has moved, or differs in case or punctuation alone, is unchanged. The limits
    of length apply to what the comparison finds.

    Args:
        before: the older wikitext.
        after: the newer wikitext.
        lang: the code of their language.
        min_tokens: see `split_sentences`.
        max_tokens: see `split_sentences`.

    Raises:
        UsageError: an unknown language, or a number under 1.
        WikibiasError: a wikitext is too long or too broken to be parsed.

    Examples:
        >>> before = "{{POV}} It is truly the finest dairy in the country. It has forty farms."
        >>> after = "It is the largest dairy in the county. It has forty farms."
        >>> diff = compare(before, after, "en", min_tokens=3)
        >>> [sentence.text for sentence in diff.removed]
        ['It is truly the finest dairy in the country.']
        >>> [sentence.text for sentence in diff.added]
        ['It is the largest dairy in the county.']
        >>> [sentence.text for sentence in diff.unchanged]
        ['It has forty farms.']
    """
    lengths = _lengths(min_tokens, max_tokens)
    old, new = (_segmenter(lang).split(_paragraphs(text, lang)) for text in (before, after))
    removed, _ = sentence_diff.difference(old, new)
    added, unchanged = sentence_diff.difference(new, old)
    return SentenceDiff(*(tuple(_within(lengths, s)) for s in (removed, added, unchanged)))


def align(
    removed: Sequence[Sentence], added: Sequence[Sentence]
) -> tuple[tuple[Link, ...], tuple[Link, ...]]:
    """Pair removed sentences with the added ones that they became, as `wikibias diff` does.

    Args:
        removed: sentences of an older text that a newer one lacks, in its order.
        added: those of the newer one that the older one lacks.

    Returns:
        One `Link` for each removed sentence, and one for each added one.

    Raises:
        UsageError: something else than sentences.

    Examples:
        >>> before = split_sentences("It is truly the finest dairy in the county.", "en")
        >>> after = split_sentences("It is the largest dairy in the county.", "en")
        >>> (link,), _ = align(before, after)
        >>> link.relation, link.counterpart, link.changed_spans
        ('rewritten', 'It is the largest dairy in the county.', '6:11 16:22')
    """
    for sentence in (*removed, *added):
        if not isinstance(sentence, Sentence):
            raise UsageError(f"no sentence: {sentence!r:.50}; give those of `split_sentences`")
    return alignment.align(removed, added)


def _lengths(min_tokens: int, max_tokens: int) -> range:
    if not 1 <= min_tokens <= max_tokens:
        raise UsageError(
            f"min_tokens={min_tokens}, max_tokens={max_tokens}: give 1 or more, min_tokens first"
        )
    return range(min_tokens, max_tokens + 1)


def _within(lengths: range, sentences: list[Sentence]) -> list[Sentence]:
    return [sentence for sentence in sentences if words(sentence.norm) in lengths]


def _paragraphs(wikitext: str, lang: str) -> list[Paragraph]:
    if not isinstance(wikitext, str):
        raise UsageError(f"no wikitext to clean: {wikitext!r}; the text of some revisions is None")
    try:
        return visible_paragraphs(wikitext, _rules(lang))
    except UnreadableError as error:
        raise WikibiasError(f"the wikitext cannot be cleaned: {error}") from error


_rules = lru_cache(_REMEMBERED)(rules_of)


@lru_cache(_REMEMBERED)
def _segmenter(lang: str) -> Segmenter:
    """Return the segmenter of a language; making one takes most of a second."""
    return Segmenter(load_language(lang))


def list_languages() -> list[str]:
    """Return the codes of the languages that wikibias can split into sentences, sorted.

    Examples:
        >>> "fr" in list_languages()
        True
    """
    return languages()


def list_tagsets() -> dict[str, list[str]]:
    """Return the names of the tag sets, each with the codes of its languages, sorted.

    Examples:
        >>> list_tagsets()["peacock"]
        ['ar', 'bg', 'en', 'fr', 'id', 'ja']
    """
    return {name: files.tagset_languages(name) for name in files.tagset_names()}


def load_tagset(name: str, lang: str) -> TagSet:
    """Load a tag set by name.

    Raises:
        UsageError: an unknown tag set or language, or a broken file; the message names the file
            and the line, or the nearest known name.

    Examples:
        >>> tagset = load_tagset("npov", "en")
        >>> [tag.name for tag in tagset.tags if tag.family == "promotional"]
        ['Advert', 'Promotional tone', 'Advert section', 'Cleanup-PR', 'Fanpov']
        >>> len(tagset.only(["promotional"]).tags)
        5
    """
    return files.load_tagset(name, lang)


def read_tagset(path: str | os.PathLike[str]) -> TagSet:
    """Read a tag set of your own from a TOML file; see `wikibias docs tags`.

    The set carries the name of the file's folder; the language is the file's name, as in
    `mytags/fr.toml`, unless the file has a key `lang`.

    Raises:
        UsageError: the file is missing or broken; the message names the file, line and key.

    Examples:
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "en.toml")
        ...     _ = path.write_text('[[tag]]\\nname = "Hype"\\nfamily = "hype"\\n')
        ...     tagset = read_tagset(path)
        >>> tagset.lang, [tag.name for tag in tagset.tags]
        ('en', ['Hype'])
    """
    path = Path(path)
    return files.read_tagset(path, path.resolve().parent.name)


def confidence(frame: pd.DataFrame, lang: str = "en", *, of: ConfidenceOf = "biased") -> pd.Series:
    """Return, for each change of a sentence, how probable a judgement of a careful editor is.

    The model is that of the column `confidence` of a corpus; `wikibias docs quality` says what it
    is worth. What is judged is the sentence before the edit, or without one the sentence after it.

    Args:
        frame: a row a sentence, with a column `before` or `after`, or both: sentences, "" of what
            an edit deleted or put in. More columns tell more, and a value that is missing tells
            nothing: `comment`, `tags` (of the page), `relation`, `survived_days`, `reverted`,
            `restores_rev_id`, `restores_nearly`, `tags_left`, `tags_swapped_in`, `tag_back_days`,
            `share_of_page`, `policy_words`, `summary_reverts`, `sentences_removed`, `block`,
            `has_gap`, as in the tables of a result.
        lang: the code of the language.
        of: "biased" or "neutral", what the sentence is; or "less_neutral", whether it is less
            neutral than the sentence on the other side.

    Returns:
        A probability a row, with the index of the frame.

    Raises:
        UsageError: an unknown language or judgement, or a frame without sentences.

    Warns:
        UserWarning: a column whose name is a slip of one that is read.

    Examples:
        >>> import pandas as pd
        >>> edits = pd.DataFrame(
        ...     {
        ...         "before": ["She was a truly legendary mayor.", "She was mayor in 1912."],
        ...         "after": ["She was mayor.", "She was mayor until 1912."],
        ...     }
        ... )
        >>> first, second = confidence(edits)
        >>> bool(first > 0.7 > 0.5 > second)
        True
    """
    import pandas as pd  # noqa: PLC0415 (most of the interface needs none)

    if not isinstance(frame, pd.DataFrame):
        raise UsageError(f"frame is a {type(frame).__name__}, and must be a pandas DataFrame")
    load_language(lang)
    if of not in get_args(ConfidenceOf):
        raise UsageError(f"of is {of!r}, and must be one of {', '.join(get_args(ConfidenceOf))}")
    absent = _READ.difference(frame.columns)
    for name in map(str, frame.columns):
        meant = closest(name, absent)
        if meant and edit_distance(name.lower(), meant, _SLIP) <= _SLIP:
            warnings.warn(f"column {name!r} is not read: did you mean {meant!r}?", stacklevel=2)
    if not {"before", "after"} & {*frame.columns}:
        raise UsageError("the frame has neither a column `before` nor a column `after`")
    found = [_probability(row, lang, of) for row in _known(frame)]
    return pd.Series(found, index=frame.index, name="confidence", dtype=float)


def _known(frame: pd.DataFrame) -> Iterable[Mapping[str, Any]]:
    """Yield the rows, without the values that are missing."""
    import pandas as pd  # noqa: PLC0415 (most of the interface needs none)

    for row in frame.to_dict("records"):
        known = {
            str(name): value
            for name, value in row.items()
            if not pd.api.types.is_scalar(value) or not pd.isna(value)
        }
        for name, value in known.items():
            _refuse_misread(name, value)
        yield known


def _refuse_misread(name: str, value: Any) -> None:
    """Refuse what would be taken for something else: "no" for true, an unknown relation."""
    if name in _FLAGS and isinstance(value, str):
        raise UsageError(f"column {name!r} holds the text {value!r}; give True or False")
    if name in _NUMBERS and not isinstance(value, Real):
        raise UsageError(f"column {name!r} holds {value!r}; give a number")
    if name == "relation" and value and value not in get_args(Relation):
        raise UsageError(f"unknown relation {value!r}{nearest(str(value), get_args(Relation))}")


def _probability(row: Mapping[str, Any], lang: str, of: ConfidenceOf) -> float:
    texts = [str(row[name]) if name in row else None for name in ("before", "after")]
    role: Literal["removed", "added"] = "removed" if texts[0] else "added"
    text, other = texts if role == "removed" else reversed(texts)
    if not text:
        return float("nan")
    found = confidences.evidence_of(row, lang, Tiers())
    sentence = Sentence(text, "", row.get("block", "paragraph"), bool(row.get("has_gap")))
    relation = (str(row["relation"]),) if row.get("relation") else ()
    names = (*found.of_edit, *confidences.faults_of(sentence), *relation)
    told = confidences.probability(text, other, role, found, names)
    if of == "less_neutral":
        return told.less_neutral
    return told.biased if of == "biased" else 1 - told.biased
