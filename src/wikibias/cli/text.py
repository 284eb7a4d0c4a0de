"""Commands `clean` and `sentences`: wikitext to what a reader sees, paragraphs to sentences."""

from dataclasses import replace
from typing import BinaryIO

import click

from wikibias.kits.command import warn
from wikibias.kits.terminal import echo_data


@click.command(name="clean")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--lang", required=True, help="Language of the wiki, such as en or fr.")
@click.option("--blocks", is_flag=True, help="Begin each line with its kind and a tab.")
def clean(file: BinaryIO, lang: str, blocks: bool) -> None:
    """Clean the wikitext of a page: print the text that a reader sees, a paragraph a line.

    Templates without text, references, tables, files, categories, headings and markup go, as in a
    corpus. FILE holds the wikitext of one page; without it, standard input does.

    \b
    Examples:
      echo "'''Elm''' is a [[town]].{{POV}}" | wikibias clean --lang en
      wikibias clean --lang fr --blocks page.txt
    """
    from wikibias.errors import WikibiasError
    from wikibias.pipeline.enrichment import rules_of
    from wikibias.text.cleaning import UnreadableError, visible_paragraphs
    from wikibias.text.plain_cleaning import plain_visible_paragraphs

    rules = rules_of(lang)
    name = getattr(file, "name", "standard input")
    try:
        wikitext = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WikibiasError(f"{name}: not UTF-8 (byte {error.start + 1}); convert it") from error
    try:
        found = visible_paragraphs(wikitext, rules)
    except UnreadableError as error:
        if error.is_limit:
            raise WikibiasError(f"{name}: {error}; give a shorter text") from error
        warn(f"{name}: {error}; cleaned by patterns alone")
        found = plain_visible_paragraphs(wikitext, rules)
    for paragraph in found:
        echo_data(f"{paragraph.block}\t{paragraph.text}" if blocks else paragraph.text)


@click.command(name="sentences")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--lang", required=True, help="Language of the text, such as en or fr.")
@click.option("--segmenter", help="What splits them: rules or spacy.  [default: rules]")
def sentences(file: BinaryIO, lang: str, segmenter: str | None) -> None:
    """Split paragraphs into sentences: a paragraph a line in, a sentence a line out.

    An empty line follows each paragraph. Without FILE it reads standard input; empty lines there
    are no paragraphs.

    \b
    Examples:
      wikibias sentences --lang fr article.txt
      echo "Dr. Smith left. Why? Nobody knows." | wikibias sentences --lang en
    """
    from wikibias.config.languages import load_language
    from wikibias.kits.tables import decoded_lines
    from wikibias.text.segmentation import SEGMENTERS

    language = load_language(lang)
    name = segmenter or language.segmenter
    split = SEGMENTERS[name](replace(language, segmenter=name))
    for _, paragraph in decoded_lines(file, getattr(file, "name", "standard input"), "paragraph"):
        if paragraph.strip():
            for sentence in split(paragraph):
                echo_data(sentence)
            echo_data("")
