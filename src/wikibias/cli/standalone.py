"""The commands that need no dump and no result: `wikibias sentences` and `predict`."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import click

from wikibias.cli.options import workers_option
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo, echo_data


@click.command(name="sentences")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--lang", required=True, help="Language of the text, such as en or fr.")
@click.option("--segmenter", help="What splits them: rules or spacy.  [default: rules]")
@click.option(
    "--clean", is_flag=True, help="FILE is the wikitext of a page: print its paragraphs, cleaned."
)
@click.option("--blocks", is_flag=True, help="The same, each line after its kind and a tab.")
def sentences(file: BinaryIO, lang: str, segmenter: str | None, clean: bool, blocks: bool) -> None:
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


@click.command(name="predict")
@click.argument("model", type=click.Path(file_okay=False, path_type=Path))
@click.argument("sentences", type=click.File("rb"), default="-")
@click.option("--explain", is_flag=True, help="Add the words with the largest effect.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@workers_option
def predict(
    model: Path, sentences: BinaryIO, *, explain: bool, as_json: bool, workers: int
) -> None:
    """Predict the probability that each sentence is biased, one sentence per line.

    MODEL is the folder that `wikibias classify` made. Output line n belongs to input line n; a
    blank line stays blank. Any number of lines takes the same memory. With --explain, +0.080 means
    that without the word the probability would be 0.080 lower.

    \b
    Examples:
      wikibias predict corpora/fr/models/sgd < sentences.txt
      echo "he is truly one of the greatest" | wikibias predict corpora/en/models/char-lr --explain
    """
    from wikibias.models.estimators.registry import MODEL
    from wikibias.models.prediction import answers

    if not model.exists():
        beside = sorted(path.parent for path in model.parent.glob("*/model.json"))
        there = ", ".join(str(path) for path in beside if MODEL.is_ours(path))
        raise UsageError(f"{model} does not exist{'; there are: ' * bool(there)}{there[:300]}")
    if sentences.isatty():
        echo("Type sentences, one a line; Ctrl-D ends, and answers.", err=True)
    found = answers(model, sentences, explain=explain, as_json=as_json, warn=warn, workers=workers)
    # However this ends, no worker is left.
    with closing(found):
        for lines in found:
            echo_data(*lines)
