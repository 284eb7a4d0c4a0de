"""Measures the corpora that a command line names, and says what is to be taken with care."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.messages import counted, printable
from wikibias.research.cli.selection_bias.comparisons import add_comparisons, refuse_classifier
from wikibias.research.cli.selection_bias.lists import Lists, cautions
from wikibias.research.cli.selection_bias.sources import has_labels_before_lines, read_all
from wikibias.research.cli.selection_bias.tables import is_base

if TYPE_CHECKING:
    from wikibias.research.selection_bias.documents import Documents
    from wikibias.research.selection_bias.keywords import KeywordList
    from wikibias.research.selection_bias.settings import Settings

FEW = 100
"""Below so many documents the figures are shaky."""


def measured(sources: Sequence[Path], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of corpora, as `selection_bias.json` holds it.

    Args:
        sources: folders and files.
        given: the options of the command.

    Raises:
        UsageError: something that is asked for does not exist or does not fit.
        WikibiasError: something cannot be read.
    """
    from wikibias.research.cli.selection_bias.similarities import wanted
    from wikibias.research.selection_bias.measure import measure
    from wikibias.research.selection_bias.similarity.registry import SIMILARITIES

    lists = Lists(given)
    _settings(given)  # says what is wrong with them before anything is read
    found = read_all(sources, given)
    stop_words = {each.name: _stop_words(each, given) for each in found}
    settings = _settings(given, stop_words, found)
    corpora = [
        (documents, lists.of(path, documents, stop_words[documents.name]))
        for path, documents in zip(sources, found, strict=True)
    ]
    refuse_classifier(given["cv"], found)
    make = SIMILARITIES[given["similarity"]]
    asked = wanted(given, given["language"] or found[0].language)
    with progress() as say:
        result = measure(corpora, settings, make, asked, say)
        notes = add_comparisons(result, found, settings, given["cv"], say)
    read = [
        f"{path}: what stands before each sentence is taken for its label"
        for path, documents in zip(sources, found, strict=True)
        if has_labels_before_lines(path, documents, given)
    ]
    told = [*lists.notes, *read, *_cautions(corpora, given, result)]
    result["notes"] = [*told, *result["notes"], *notes]
    return result


def _settings(
    given: Mapping[str, Any],
    stop_words: Mapping[str, frozenset[str]] | None = None,
    found: Sequence[Documents] = (),
) -> Settings:
    from wikibias.research.selection_bias.settings import Settings

    languages = ", ".join(dict.fromkeys(each.language for each in found))
    named = given["stop_words"]
    return Settings(
        topics=given["topics"],
        words=given["words"],
        seeds=tuple(range(given["seed"], given["seed"] + given["seeds"])),
        missing=given["missing"],
        lists=given["lists"],
        most=given["most"],
        topic_model=given["topic_model"],
        by=_facts(given["by"]),
        stop_words=stop_words or {},
        stop_words_of=Path(named).name if named else f"{languages}: ours and spaCy's",
    )


def _facts(by: str | None) -> tuple[str, ...] | None:
    if by is None:
        return None
    names = tuple(dict.fromkeys(part.strip() for part in by.split(",") if part.strip()))
    return () if names == ("none",) else names


def _stop_words(documents: Documents, given: Mapping[str, Any]) -> frozenset[str]:
    from wikibias.text.spacy_splitter import stop_words

    named = given["stop_words"]
    return stop_words(documents.language, "none" if named == "none" else named and Path(named))


def _cautions(
    corpora: Sequence[tuple[Documents, Sequence[KeywordList]]],
    given: Mapping[str, Any],
    result: Mapping[str, Any],
) -> Iterator[str]:
    if caution := result["similarity"].get("caution"):
        yield caution
    yield from dict.fromkeys(line for _, lists in corpora for line in cautions(lists))
    for documents, lists in corpora:
        yield from _of_unspaced(documents, lists)
        if len(documents) < FEW:
            yield (
                f"{documents.name}: only {counted(len(documents), 'sentence')}; topics of so few "
                "are shaky"
            )
        if given["similarity"] == "wordnet" and documents.language not in ("", "en"):
            yield (
                f"{documents.name}: WordNet is English, and the corpus is {documents.language!r}; "
                "words that it knows all the same may mean something else"
            )
        if documents.of > len(documents):
            yield (
                f"{documents.name}: {len(documents):,} of its {documents.of:,} sentences, drawn at "
                "random; --most takes more"
            )
    base = result["settings"]["base"]
    for each in result["corpora"]:
        if each["vocabulary"] < base["topics"] * base["words"]:
            yield (
                f"{each['name']}: only {counted(each['vocabulary'], 'word')} frequent enough for "
                f"{base['topics']} topics, which share them; the figures say little"
            )
    for corpus, known in _known_topic_words(result).items():
        if known < 0.5:
            yield (
                f"{corpus}: {result['similarity']['title']} knows {known:.0%} of the topic words; "
                "choose another --similarity or --vectors"
            )
    for each in result["keywords"]:
        if each["coverage"] < 0.5:
            yield (
                f"{each['corpus']}: {result['similarity']['title']} knows {each['coverage']:.0%} "
                f"of the keywords of {each['name']}; the rest count as --missing says"
            )


def _of_unspaced(documents: Documents, lists: Sequence[KeywordList]) -> Iterator[str]:
    """Yield what is to be taken with care of sentences that are mostly without spaces."""
    from wikibias.text.unsegmented import is_unspaced

    if sum(map(is_unspaced, documents.texts)) <= len(documents) / 2:
        return
    note = (
        f"{documents.name}: nothing parts the words of its script, so its topics are of two "
        "letters side by side"
    )
    short = [word for each in lists for word in each.words if len(word) == 1 and is_unspaced(word)]
    if short:
        note += f"; a keyword of one letter, such as {short[0]}, is none of them"
    yield note


def _known_topic_words(result: Mapping[str, Any]) -> dict[str, float]:
    """Return the share of the topic words of each corpus that the similarity knows, at the base."""
    return {
        each["corpus"]: each["coverage"]["topic_words"]
        for each in result["figures"]
        if each["group"] is None and is_base(each, result["settings"])
    }


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Show what is being done: a line that goes again on a terminal, else lines in the log."""
    from wikibias.cli.progress import bar, lines

    doing = ["reading"]
    drawn = bar(doing[0], None, quiet=False)
    with lines(lambda seconds: f"selection bias: {doing[0]}"), drawn as show:

        def say(line: str) -> None:
            doing[0] = line
            show(description=printable(line))

        yield say
