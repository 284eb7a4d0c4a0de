"""`wikibias clean`: wikitext to what a reader sees."""

from __future__ import annotations

from typing import BinaryIO

import click

from wikibias.cli.options import config_dir_option
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo_data


@click.command(name="clean")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--lang", required=True, help="Language of the wiki, such as en or fr.")
@click.option("--blocks", is_flag=True, help="Begin each line with its kind and a tab.")
@config_dir_option
def command(file: BinaryIO, lang: str, blocks: bool) -> None:
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
