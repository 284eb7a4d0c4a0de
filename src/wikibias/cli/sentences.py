"""`wikibias sentences`: paragraphs to sentences, line by line."""

from __future__ import annotations

from dataclasses import replace
from typing import BinaryIO

import click

from wikibias.cli.options import config_dir_option
from wikibias.kits.terminal import echo_data


@click.command(name="sentences")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--lang", required=True, help="Language of the text, such as en or fr.")
@click.option("--segmenter", help="What splits them: rules, spacy or sentencex.  [default: rules]")
@config_dir_option
def command(file: BinaryIO, lang: str, segmenter: str | None) -> None:
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
