"""Documents that topics are made of, and the lists of keywords that a corpus was searched with.

Documents are sentences of a corpus, a table or a text, with their facts. Lists of keywords are
read, and drawn at random: there each word is nearly as frequent as the keyword in whose place it
stands. So what a list owes to the frequency of its words alone can be told from what it owes to
what they mean. A keyword that the measure knows gives its place to words that it knows, and one
that it does not know to such that it does not know: a list of rare names is held against rare
names.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wikibias.config.languages import languages, load_language
from wikibias.corpus.log_odds import tokens
from wikibias.errors import UsageError, counted, nearest, printable
from wikibias.kits import tables
from wikibias.kits.files import distinct_names, from_json
from wikibias.mediawiki import composed
from wikibias.models.examples import LONGEST
from wikibias.models.reading import files_of_splits, manifest_of
from wikibias.text.segmentation import is_unspaced, normalise

if TYPE_CHECKING:
    from wikibias.tags.tagset import TagSet


TEXTS = ("norm", "text", "sentence", "source")
"""Columns that may hold the documents, the first that there is; `source` is that of pairs."""
MOST_CORPORA = 20
"""More cannot be looked at side by side."""
MOST = 10_000
"""Sentences of a corpus that are measured; of more, so many are drawn at random."""
# The columns that tell a fact of a sentence; of each row the first that is not empty counts.
_COLUMNS_OF = {
    "label": ("label", "labels"),
    "split": ("split",),
    "tag": ("tags", "tag", "signal"),
    "year": ("year", "after_timestamp"),
    "tier": ("tier",),
    "language": ("lang", "language"),
}
FACTS = (*_COLUMNS_OF,)
"""What a corpus may tell of a sentence, by which its documents can be grouped."""
_PAGES = ("wiki", "page_id", "page_title")
_CELLS = {name: name for names in (*_COLUMNS_OF.values(), _PAGES) for name in names}
_FOLDERS = ("corpus", "labelled", "")
_INNER = ("corpus", "labelled", "judged")  # folders in a result, beside its manifest
_LONGEST_FACT = 100
_YEAR = re.compile(r"\d{4}(?!\d)", re.ASCII)
_LABELLED_LINE = re.compile(r"__label__\S+ |[^ \t]+\t")


@dataclass(frozen=True, slots=True)
class Documents:
    """Sentences of a corpus, or of any file.

    Attributes:
        name: of the corpus, for people.
        texts: their normal forms.
        facts: one of `FACTS` -> what it is of each; "" where not known. The tag is the tag set's
            names of the tags of the edit, sorted, with | between them, else what the edit was found
            by; the year is that of the edit; several labels are put together as tags are.
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


def read_all(
    sources: Sequence[Path], *, text: str | None = None, language: str = "", seed: int = 0
) -> list[Documents]:
    """Return the documents of each file and folder, with names that tell them apart.

    Args:
        sources: see `read_documents`.
        text: see `read_documents`.
        language: see `read_documents`.
        seed: see `read_documents`.

    Raises:
        UsageError: there are too many, one is not there, is given twice or holds no text.
        WikibiasError: one cannot be read.
    """
    if len(sources) > MOST_CORPORA:
        raise UsageError(f"{len(sources)} corpora; give {MOST_CORPORA} at most")
    found = [read_documents(path, text=text, language=language, seed=seed) for path in sources]
    names = distinct_names(sources, [each.name for each in found])
    return [replace(each, name=name) for each, name in zip(found, names, strict=True)]


def read_documents(
    path: Path, *, text: str | None = None, language: str = "", most: int = MOST, seed: int = 0
) -> Documents:
    """Read the documents of a folder of ours, a table, or a text with a sentence on each line.

    Of a folder: a result, its `corpus/`, `labelled/` or `judged/`, what `wikibias export` made or
    `wikibias pairs`, of which the sentences before the edit are taken. Where the first line of a
    text is `label<TAB>sentence` or fastText's `__label__x sentence`, all are.

    Args:
        path: it.
        text: the column of a table that holds the documents; by default the first of `TEXTS`.
        language: a code, for what tells none.
        most: how many documents are drawn at random where there are more.
        seed: of the draw.

    Returns:
        The documents in their order, with what is told of them.

    Raises:
        UsageError: it is not there, holds no text, or is no table and has no columns.
        WikibiasError: it cannot be read.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; give a corpus, a text or a table")
    name, files = path.stem, [("", path)]
    if path.is_dir():
        folder = path.resolve()
        result = folder.parent if folder.name in _INNER else folder
        manifest = manifest_of(folder) or manifest_of(result)
        name, files = result.name, _files(path)
        language = str(manifest.get("lang") or "") or language
    parts = [_read(file, split, text) for split, file in files]
    frame = pd.concat([pd.DataFrame(columns=["document"], dtype=object), *parts], ignore_index=True)
    frame["document"] = frame["document"].map(_text)
    frame = frame[frame["document"].map(str.strip) != ""]
    of = len(frame)
    if of > most:
        frame = frame.sample(most, random_state=np.random.default_rng(seed)).sort_index()
    found = _facts(frame)
    if not language and len(spoken := set(found["language"])) == 1:
        language = spoken.pop()
    apostrophes = language in languages() and load_language(language).keep_apostrophes
    found["text"] = [normalise(each, keep_apostrophes=apostrophes) for each in frame["document"]]
    found = found[found["text"] != ""]
    if found.empty:
        raise UsageError(
            f"{path}: no text in it; give a corpus of `wikibias extract`, a table, or a text with "
            "a sentence a line"
        )
    known = {fact: found[fact].tolist() for fact in (*FACTS, "page") if (found[fact] != "").any()}
    pages = known.pop("page", None)
    return Documents(name, found["text"].tolist(), known, pages, language, of)


def _read(path: Path, split: str, text: str | None) -> pd.DataFrame:
    """Return the documents of a file with the cells of their rows; a text has labels, or none."""
    if _is_table(path, text):
        columns = tables.Columns(needed=("document",), document=text or TEXTS, **_CELLS)
        frame = tables.read_frame(path, columns)
    elif _LABELLED_LINE.match(
        next((line for _, line in tables.text_lines(path) if line.strip()), "")
    ):
        frame = tables.read_labelled_lines(path).rename(columns={"text": "document"})
    else:
        frame = pd.DataFrame(
            {"document": [line for _, line in tables.text_lines(path)]}, dtype=object
        )
    return frame if "split" in frame else frame.assign(split=split)


def _is_table(path: Path, text: str | None) -> bool:
    """Return whether a file is a table; .tsv may be lines of a label and a sentence instead."""
    unpacked = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    ending = unpacked.suffix.lower()
    if ending == ".tsv":
        return text is not None or any(name in TEXTS for name in tables.column_names_of(path))
    return ending in (*tables.ENDINGS, ".xlsx", ".xls", ".ods")


def _files(folder: Path) -> list[tuple[str, Path]]:
    """Return the tables of a folder, each with the split that its name tells, in order."""
    for inner in _FOLDERS:
        if found := files_of_splits(folder / inner):
            return [*found.items()]
    pairs = folder / "pairs.parquet"
    return [("", pairs)] if pairs.is_file() else []


def _facts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return each of `FACTS` and the page of every row; "" where the row does not tell it."""
    cells = {name: frame[name].map(_cell) for name in frame.columns if name != "document"}
    empty = pd.Series("", frame.index, dtype=object)
    found = {}
    for fact, names in {**_COLUMNS_OF, "page": _PAGES[1:]}.items():
        found[fact] = empty
        for name in names:
            found[fact] = found[fact].where(found[fact] != "", cells.get(name, empty))
    if "labels" in cells:
        found["label"] = found["label"].where(found["label"] != "", "none")
    years = found["year"].map(_YEAR.match)
    found["year"] = years.map(lambda year: year[0] if year else "")
    page = cells.get("wiki", empty) + ":" + found["page"]
    found["page"] = page.where(found["page"] != "", "")
    return pd.DataFrame(found, index=frame.index)


def _text(cell: Any) -> str:
    if isinstance(cell, bytes):  # as some programs write texts into Parquet
        cell = cell.decode("utf-8", "replace")
    return "" if cell is None else str(cell)[:LONGEST]


def _cell(cell: Any) -> str:
    if isinstance(cell, str) and cell.startswith("["):
        with suppress(ValueError, RecursionError):
            cell = from_json(cell)  # what CSV has for a list
    if isinstance(cell, list | tuple):
        cell = "|".join(sorted({str(each) for each in cell if each is not None}))
    if isinstance(cell, float):
        cell = int(cell) if cell.is_integer() else None if math.isnan(cell) else cell
    return "" if cell is None else str(cell).strip()[:_LONGEST_FACT]


POOL = 10
"""Of how many words one is drawn in place of a keyword."""
MOST_KEYWORDS = 10_000
"""How many keywords a list may have."""
LONGEST_KEYWORD = 100
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
    lines = (
        (n, part) for n, line in tables.text_lines(path, "keyword") for part in line.split("\r")
    )
    for number, line in lines:
        keyword = " ".join(composed(line).strip(_MARKS).split())
        if len(keyword) > LONGEST_KEYWORD or printable(keyword) != keyword:
            raise UsageError(f"{path}:{number}: no keyword, but a text; {_ONE_A_LINE}")
        again += keyword in found
        if keyword:
            found[keyword] = None
        if len(found) > MOST_KEYWORDS:
            raise UsageError(
                f"{path}: more than the {MOST_KEYWORDS:,} keywords that are compared; give a "
                "shorter list"
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
    from wikibias.mediawiki import SummaryWords
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
            order = rng.permutation(near[key]).tolist()
            order.sort(key=used.__contains__)  # what is used comes only where there is no other
            row[places] = drawn = [order[at % len(order)] for at in range(len(places))]
            used.update(drawn)
    kept, inverse = np.unique(found, return_inverse=True)
    return Lists([words[place] for place in kept], inverse.reshape(found.shape))
