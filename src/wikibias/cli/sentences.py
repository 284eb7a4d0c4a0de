"""`wikibias sentences`: wikitext to what a reader sees, paragraphs to sentences."""

from dataclasses import replace
from typing import BinaryIO

import click

from wikibias.errors import WikibiasError
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo_data


@click.command(name="sentences")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--lang", required=True, help="Language of the text, such as en or fr.")
@click.option("--segmenter", help="What splits them: rules or spacy.  [default: rules]")
@click.option(
    "--clean", is_flag=True, help="FILE is the wikitext of a page: print its paragraphs, cleaned."
)
@click.option("--blocks", is_flag=True, help="The same, each line after its kind and a tab.")
def command(file: BinaryIO, lang: str, segmenter: str | None, clean: bool, blocks: bool) -> None:
    """Split paragraphs into sentences: a paragraph a line in, a sentence a line out.

    An empty line follows each paragraph. Without FILE it reads standard input; empty lines there
    are no paragraphs.

    With --clean it prints the text that a reader sees of a page, a paragraph a line. Templates
    without text, references, tables, files, categories, headings and markup go, as in a corpus.

    \b
    Examples:
      wikibias sentences --lang fr article.txt
      echo "Dr. Smith left. Why? Nobody knows." | wikibias sentences --lang en
      echo "'''Elm''' is a [[town]].{{POV}}" | wikibias sentences --clean --lang en
    """
    name = getattr(file, "name", "standard input")
    if clean or blocks:
        _clean(file, name, lang, blocks=blocks)
        return
    from wikibias.config.languages import load_language
    from wikibias.kits.tables import decoded_lines
    from wikibias.text.segmentation import SEGMENTERS

    language = load_language(lang)
    segmenter = segmenter or language.segmenter
    split = SEGMENTERS[segmenter](replace(language, segmenter=segmenter))
    for _, paragraph in decoded_lines(file, name, "paragraph"):
        if paragraph.strip():
            echo_data(*split(paragraph), "")


def _clean(file: BinaryIO, name: str, lang: str, *, blocks: bool) -> None:
    from wikibias.pipeline.enrichment import rules_of
    from wikibias.text.cleaning import UnreadableError, plain_visible_paragraphs, visible_paragraphs

    rules = rules_of(lang)
    try:
        wikitext = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WikibiasError(f"{name}: not UTF-8 (byte {error.start + 1}); convert it") from error
    try:
        paragraphs = visible_paragraphs(wikitext, rules)
    except UnreadableError as error:
        if error.is_limit:
            raise WikibiasError(f"{name}: {error}; give a shorter text") from error
        warn(f"{name}: {error}; cleaned by patterns alone")
        paragraphs = plain_visible_paragraphs(wikitext, rules)
    for each in paragraphs:
        echo_data(f"{each.block}\t{each.text}" if blocks else each.text)
