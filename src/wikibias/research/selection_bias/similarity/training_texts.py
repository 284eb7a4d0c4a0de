"""The sentences to train word vectors on: of a corpus, a table, a text, or a dump.

Of a dump it is the last text of each article, cleaned and split as everywhere. One page is held at
a time, and what of a page cannot be read costs that page alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from wikibias.config.languages import Language, languages, load_language, load_mediawiki
from wikibias.config.thresholds import load_config
from wikibias.dumps.iteration import Tally, iterate_pages
from wikibias.dumps.parts import Part, find_parts, is_dump_name
from wikibias.dumps.sources import open_dump
from wikibias.dumps.xml import fast_reader
from wikibias.errors import DumpError, UsageError
from wikibias.mediawiki.titles import Namespaces, redirect_pattern
from wikibias.pipeline.enrichment import cleaning_rules
from wikibias.records import Page
from wikibias.research.selection_bias.reading import TEXTS, read_corpus, sentences_of
from wikibias.text.cleaning import Rules, UnreadableError, visible_paragraphs
from wikibias.text.normalisation import normalise
from wikibias.text.segmentation import Segmenter

MOST = 300_000
"""How many sentences of a corpus are drawn at random where there are more."""
_ARTICLES = 0


def training_texts(path: Path, language: str) -> Callable[[], Iterator[str]]:
    """Return what gives the normal forms of the sentences of a file or folder, each time anew.

    Args:
        path: a dump or a folder of dumps; a folder of ours; a table (Parquet, JSON Lines, CSV); or
            a text, a sentence a line.
        language: a code; needed of a dump, which is split into sentences.

    Raises:
        UsageError: there is nothing at the path, or a dump's language is not said or not known.

    What it returns raises UsageError where there is no sentence, and WikibiasError where a file
    cannot be read.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; give a corpus, a text or a dump")
    if _holds_dumps(path):
        if not language:
            raise UsageError(f"{path} is a dump; say its language with --language, as en")
        return partial(_some, path, partial(_of_dump, path, load_language(language)))
    if path.is_dir():
        return lambda: iter(read_corpus(path, most=MOST, seed=0, language=language).texts)
    return partial(_some, path, partial(_of_file, path, language))


def _some(path: Path, texts: Callable[[], Iterator[str]]) -> Iterator[str]:
    """Yield what there is.

    Raises:
        UsageError: there is nothing.
    """
    empty = True
    for text in texts():
        empty = False
        yield text
    if empty:
        raise UsageError(
            f"{path}: no sentence in it; give a dump with texts, a text with a sentence a line, or "
            f"a table with them in a column {', '.join(TEXTS[:-1])} or {TEXTS[-1]}"
        )


def _holds_dumps(path: Path) -> bool:
    if path.is_dir():
        return any(is_dump_name(each.name) and each.is_file() for each in path.iterdir())
    return is_dump_name(path.name)


def _of_file(path: Path, language: str) -> Iterator[str]:
    apostrophes = language in languages() and load_language(language).keep_apostrophes
    for sentence in sentences_of(path):
        yield normalise(sentence, keep_apostrophes=apostrophes)


def _of_dump(path: Path, language: Language) -> Iterator[str]:
    segmenter = Segmenter(language)
    for part in find_parts([str(path)]):
        yield from _of_part(part, language, segmenter)


def _of_part(part: Part, language: Language, segmenter: Segmenter) -> Iterator[str]:
    """Yield the normal forms of the sentences of a part.

    Raises:
        DumpError: it is damaged, cut off or no dump.
    """
    tally = Tally()
    read = partial(fast_reader.read, blank_summaries=language.blank_summaries, report=tally.skip)
    redirect = redirect_pattern(load_mediawiki().redirect_words)
    try:
        with open_dump(part, read) as (dump, _):
            namespaces = Namespaces.of(dump.site.namespaces, language.namespaces)
            most = load_config().text.max_wikitext
            rules = cleaning_rules(language, namespaces, None, most)
            for page in iterate_pages(
                dump, tally, namespaces={_ARTICLES}, limit=None, on_progress=lambda: None
            ):
                wikitext = _last_text(page)
                if not redirect.match(wikitext):
                    yield from _sentences(wikitext, rules, segmenter)
    except DumpError as error:
        raise DumpError(f"{part.name}: {error}") from error
    if tally.error:
        raise DumpError(f"{part.name}: {tally.error}")


def _last_text(page: Page) -> str:
    last = None
    for revision in page.revisions:
        if revision.has_text:
            last = revision
    return (last.text or "") if last is not None else ""


def _sentences(wikitext: str, rules: Rules, segmenter: Segmenter) -> Iterator[str]:
    try:
        paragraphs = visible_paragraphs(wikitext, rules)
    except UnreadableError:
        return
    for sentence in segmenter.split(paragraphs):
        yield sentence.norm
