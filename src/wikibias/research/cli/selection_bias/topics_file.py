"""B1 and B2 of topics that a file holds: of any program's topics, without a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any, get_args

from wikibias.errors import UsageError
from wikibias.kits.files import read_small
from wikibias.research.selection_bias.keywords import (
    CLASSES,
    TAG_SET,
    KeywordList,
    file_of,
    of_lexicon,
    read_keywords,
)
from wikibias.research.selection_bias.metrics import FIGURES, Missing, scores
from wikibias.research.selection_bias.similarity.registry import Similarity
from wikibias.research.selection_bias.similarity.table import SimilarityTable

_FORM = 'a JSON list of lists of words: [["tax", "budget"], ["war", "army"]]'
# Word pairs, of which each takes eight bytes and more.
_MOST_PAIRS = 50_000_000
_FLOOR = "_floor0"
_FEW = 0.6  # of all topic words
_FORMAT = "wikibias-selection-bias-topics/1"


def read_topics(path: Path) -> list[list[str]]:
    """Return the words of topics.

    Raises:
        UsageError: the file cannot be read, or is no list of lists of words.
    """
    import json

    try:
        found = json.loads(read_small(path).decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        if path.suffix == ".jsonl":
            raise UsageError(f"{path}: lines of JSON; topics are {_FORM}") from error
        raise UsageError(f"{path}: no JSON ({error!s:.200}); topics are {_FORM}") from error
    if not isinstance(found, list) or not found:
        raise UsageError(f"{path}: no topics; they are {_FORM}")
    for number, topic in enumerate(found, 1):
        if not (isinstance(topic, list) and topic and all(isinstance(w, str) for w in topic)):
            raise UsageError(f"{path}: topic {number} is no list of words; topics are {_FORM}")
    return found


def keywords_of(names: Sequence[str], lexicons: Sequence[str]) -> KeywordList:
    """Return the one list of keywords that a command line names.

    Raises:
        UsageError: none or several are named, or a corpus would have to tell it.
        WikibiasError: it cannot be read.
    """
    if len(names) + len(lexicons) != 1:
        raise UsageError("--topics-file needs one list: --keywords FILE, or --lexicon NAME")
    if lexicons:
        return of_lexicon(lexicons[0])
    if names[0] in (TAG_SET, CLASSES) and not Path(names[0]).exists():
        raise UsageError(f"--keywords {names[0]} asks a corpus, and --topics-file has none")
    return read_keywords(file_of(names[0]))


def check_size(topics: Sequence[Sequence[str]], keywords: KeywordList) -> None:
    """Refuse more words than can be compared at once.

    Raises:
        UsageError: there are.
    """
    words = len({word for topic in topics for word in topic})
    if words * len(keywords.words) > _MOST_PAIRS:
        raise UsageError(
            f"{words:,} topic words and {len(keywords.words):,} keywords are more pairs than the "
            f"{_MOST_PAIRS:,} that are compared; give fewer words of each topic"
        )


def measured(
    topics: Sequence[Sequence[str]], keywords: KeywordList, similarity: Similarity, missing: Missing
) -> dict[str, Any]:
    """Return the figures of topics and keywords, and how many of their words a measure knows.

    Args:
        topics: the words of each.
        keywords: to compare them with.
        similarity: how alike words are.
        missing: what a pair without a similarity counts for.

    Raises:
        UsageError: the measure knows no keyword.
    """
    words = sorted({word for topic in topics for word in topic})
    known = _known(similarity, sorted({*words, *keywords.words}))
    if not any(known[keyword] for keyword in keywords.words):
        raise UsageError(
            f"none of the keywords of {keywords.name} is known to {similarity.about['title']}; "
            "choose keywords in its language, or another --similarity or --vectors"
        )
    table = SimilarityTable(similarity, words, keywords.words)
    found = scores([table.of(topic, keywords.words) for topic in topics], missing)
    each = {
        name: None if isnan(value) else value
        for name, value in zip(FIGURES, found.mean().tolist(), strict=True)
    }
    floored = {name: each[name + _FLOOR] for name in ("mean_max", "max")}
    return {
        "format": _FORMAT,
        "b1": each["b1"],
        "b2": {name: each[name] for name in floored},
        "coverage": _share(known, [*known]),
        "b2_floor0": floored,
        "coverage_of": {
            "topic_words": _share(known, words),
            "keywords": _share(known, keywords.words),
        },
        "missing": missing,
        "topics": len(topics),
        "similarity": dict(similarity.about),
    }


def _known(similarity: Similarity, words: Sequence[str]) -> dict[str, bool]:
    return dict(zip(words, similarity.knows(words).tolist(), strict=True))


def _share(known: Mapping[str, bool], words: Sequence[str]) -> float:
    return sum(known[word] for word in words) / len(words)


def show(found: Mapping[str, Any], keywords: KeywordList) -> None:
    """Print the figures of `measured`."""
    from wikibias.kits.command import warn
    from wikibias.kits.document import number
    from wikibias.kits.terminal import echo, show_table
    from wikibias.messages import counted

    rows = [
        ["B1", number(found["b1"]), ""],
        *(
            [f"B2 {name}", number(found["b2"][name]), number(found["b2_floor0"][name])]
            for name in found["b2"]
        ),
    ]
    counts = " and ".join(
        (counted(found["topics"], "topic"), counted(len(keywords.words), "keyword"))
    )
    as_what = dict(zip(get_args(Missing), ("count as 0", "are left out"), strict=True))
    told = as_what[found["missing"]]
    title = f"{counts}, {found['similarity']['title']}; pairs without a similarity {told}"
    show_table(title, ["", "figure", "no maximum below 0"], rows)
    known = found["coverage_of"]
    echo(f"Known: {known['topic_words']:.0%} of topic words, {known['keywords']:.0%} of keywords.")
    if known["topic_words"] < _FEW:
        none = "; so there are no figures" if found["b1"] is None else ""
        warn(
            f"{found['similarity']['title']} knows {known['topic_words']:.0%} of the topic words"
            f"{none}; choose another --similarity or --vectors"
        )


def refuse_others(path: Path) -> None:
    """Refuse to replace a file that this command did not write; an empty one is nobody's.

    Raises:
        UsageError: it is there.
    """
    from wikibias.kits.files import read_json

    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return
    try:
        found = read_json(path)
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise UsageError(
            f"{path} is no file of this command; give another --out, or --overwrite to replace it"
        )


def write(path: Path, found: Mapping[str, Any]) -> None:
    """Write the figures of `measured` as JSON, with all their digits.

    Raises:
        DiskError: the file cannot be written.
    """
    from wikibias.kits.files import write_json

    write_json(path, found)
