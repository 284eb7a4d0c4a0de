"""Lists of keywords that a corpus was searched with, how frequent they are, and random lists.

In a random list each word is nearly as frequent as the keyword in whose place it stands. So what a
list owes to the frequency of its words alone can be told from what it owes to what they mean. A
keyword that the measure knows gives its place to words that it knows, and one that it does not know
to such that it does not know: a list of rare names is held against rare names.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus.log_odds import tokens
from wikibias.errors import UsageError
from wikibias.kits.tables import text_lines
from wikibias.mediawiki.titles import composed
from wikibias.messages import counted, nearest, printable
from wikibias.text.normalisation import normalise
from wikibias.text.unsegmented import is_unspaced

if TYPE_CHECKING:
    from wikibias.tags.tagset import TagSet

POOL = 10
"""Of how many words one is drawn in place of a keyword."""
MOST = 10_000
"""How many keywords a list may have."""
LONGEST = 100
"""How many characters a keyword may have; a text is none."""
TAG_SET = "tag-set"
"""The name of the list that a corpus gives itself; see `of_tag_set`."""
_ONE_A_LINE = "give a text file with one keyword on each line"
# Unseen marks that come along when a word is copied: no width, right or left, byte order, hyphen.
_MARKS = "\u200b\u200e\u200f\ufeff\u00ad"
_PARTS = re.compile(r"[\s_/()-]+")


@dataclass(frozen=True, slots=True)
class KeywordList:
    """Keywords, each once, in their order.

    Attributes:
        name: for people, such as the name of its file.
        source: where it is from, in words.
        words: words or phrases, as they are written.
    """

    name: str
    source: str
    words: Sequence[str]


def read_keywords(path: Path) -> KeywordList:
    """Read keywords: one on each line of a text in UTF-8.

    Blank lines do not count, and a keyword that comes again counts once. There are no comments,
    since #metoo is a keyword.

    Raises:
        UsageError: the file is not there, cannot be read, or is no list of keywords.
        WikibiasError: a line is not UTF-8, or no text.
    """
    if not path.exists():
        hint = nearest(str(path), [TAG_SET]) if path.name == str(path) else ""
        raise UsageError(f"--keywords {path}: no such file{hint}")
    found: dict[str, None] = {}
    again = 0
    lines = ((n, part) for n, line in text_lines(path, "keyword") for part in line.split("\r"))
    for number, line in lines:
        keyword = " ".join(composed(line).strip(_MARKS).split())
        if len(keyword) > LONGEST or printable(keyword) != keyword:
            raise UsageError(f"{path}:{number}: no keyword, but a text; {_ONE_A_LINE}")
        again += keyword in found
        if keyword:
            found[keyword] = None
        if len(found) > MOST:
            raise UsageError(
                f"{path}: more than the {MOST:,} keywords that are compared; give a shorter list"
            )
    if not found:
        raise UsageError(f"{path}: no keyword in it; {_ONE_A_LINE}")
    repeated = f"; {counted(again, 'line')} left out that came again" if again else ""
    return KeywordList(path.stem, f"{path.name}{repeated}", [*found])


def of_tag_set(folder: Path) -> KeywordList:
    """Return what a corpus was gathered by, as its manifest says: templates and policy words.

    Templates are the names of the tags, without those that begin with another one (as POV section
    with POV); policy words are those by which edit summaries are found. What is only the beginning
    of a word (neutral*) is taken as it is.

    Raises:
        UsageError: the folder does not say it, or what it names is not there any more.
    """
    from wikibias.mediawiki.revisions import SummaryWords
    from wikibias.pipeline import manifest
    from wikibias.pipeline.settings import language_of, tagset_of

    for place in (folder, folder.resolve().parent):  # it may be the corpus/ of a result
        try:
            recorded = manifest.load(place)
        except UsageError:
            recorded = None  # a published corpus may have a manifest of its own
        if recorded is not None:
            break
    if recorded is None:
        raise UsageError(
            f"{folder} does not say by which tags it was gathered; give --keywords FILE, with the "
            "words that it was searched with"
        )
    settings = manifest.settings_of(place, recorded)
    tags = tagset_of(settings)
    policy = SummaryWords(language_of(settings)).policy_entries
    words = [*template_words(tags), *(entry.strip("*") for entry in policy)]
    signals = " and ".join(settings.detect.signal)
    return KeywordList(
        TAG_SET,
        f"templates of tag set {tags.name} ({tags.lang}) and policy words of summaries; the corpus "
        f"was gathered by {signals}",
        [*dict.fromkeys(words)],
    )


def template_words(tags: TagSet) -> list[str]:
    """Return the names of tags as words in lower case, each once.

    A name that begins with another one only says where the tag stands, and is left out.
    """
    names = dict.fromkeys(tuple(filter(None, _PARTS.split(tag.name.lower()))) for tag in tags.tags)
    own = [n for n in names if not any(n[:size] in names for size in range(1, len(n)))]
    return [" ".join(name) for name in own]


def document_frequency(texts: Sequence[str], keywords: Sequence[str]) -> dict[str, int]:
    """Return for each keyword in how many texts it stands, whole, whatever its letter case.

    Args:
        texts: in their normal form.
        keywords: words or phrases, as they are written; "#tag" stands where "tag" does.
    """
    forms = {keyword: normalise(keyword) for keyword in keywords}
    phrases = sorted({form for form in forms.values() if len([*tokens(form)]) > 1})
    words = {*forms.values()}.difference(phrases)
    found: Counter[str] = Counter()
    for text in texts:
        found.update(words.intersection(tokens(text)))
        found.update(
            phrase
            for phrase in phrases
            if (phrase in text if is_unspaced(phrase) else f" {phrase} " in f" {text} ")
        )
    return {keyword: found[form] for keyword, form in forms.items()}


@dataclass(frozen=True, slots=True)
class Lists:
    """Lists of words of equal length.

    Attributes:
        words: all that stand in one, each once.
        places: where in `words` those of each list are, lists by keywords.
    """

    words: Sequence[str]
    places: NDArray[np.int64]

    @classmethod
    def of(cls, words: Sequence[str]) -> Lists:
        """Return one list alone, whose words differ."""
        return cls(words, np.arange(len(words))[None])


def random_lists(
    keywords: Mapping[str, int],
    frequencies: Mapping[str, int],
    known: Collection[str],
    *,
    number: int,
    seed: int,
    pool: int = POOL,
) -> Lists | None:
    """Draw random lists in place of a list of keywords; None where there is no word to draw.

    In place of so many keywords of one frequency stand as many of the words nearest to it, drawn
    without replacement from `pool` times as many. No word is one of the keywords, and none stands
    in a list twice, unless there are too few.

    Args:
        keywords: each, and in how many documents it stands.
        frequencies: any word of the corpus that is no stop word, and in how many documents it is.
        known: the words that the measure of similarity knows, keywords among them.
        number: of lists.
        seed: of the draw.
        pool: of how many words one is drawn.
    """
    rng = np.random.default_rng(seed)
    own = {form for keyword in keywords for form in (keyword.casefold(), normalise(keyword))}
    words = sorted(word for word in frequencies if word not in own)
    if not words or not keywords:
        return None
    rng.shuffle(words)  # so that of equally frequent words any may be the nearest
    logs = np.log([frequencies[word] + 1.0 for word in words])
    knows = np.array([word in known for word in words])
    alike: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
    for place, (keyword, frequency) in enumerate(keywords.items()):
        alike[frequency, keyword in known].append(place)
    near = {}
    for (frequency, is_known), places in alike.items():
        # Where the measure knows all words, or none, there is but one kind to draw from.
        of_kind = np.flatnonzero(knows == is_known)
        candidates = of_kind if len(of_kind) else np.arange(len(words))
        away = np.abs(logs[candidates] - np.log(frequency + 1.0))
        order = np.argsort(away, kind="stable")[: pool * len(places)]
        near[frequency, is_known] = candidates[order]
    found = np.zeros((number, len(keywords)), np.int64)
    for row in found:
        used: set[int] = set()
        for key, places in alike.items():
            row[places] = _sample(near[key], len(places), used, rng)
    kept, inverse = np.unique(found, return_inverse=True)
    return Lists([words[place] for place in kept], inverse.reshape(found.shape))


def _sample(
    pool: NDArray[np.int64], number: int, used: set[int], rng: np.random.Generator
) -> list[int]:
    """Draw from a pool, without what is used while there is other; mark it as used."""
    order = rng.permutation(pool).tolist()
    order.sort(key=used.__contains__)
    found = [order[at % len(order)] for at in range(number)]
    used.update(found)
    return found
