"""`wikibias spans`: score spans of biased words, train a tagger, and mark them in new text."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from wikibias.cli import Subcommands
from wikibias.cli.pairs import sides_options
from wikibias.kits.command import (
    FILE,
    FOLDER,
    OUT_FILE,
    OUT_FOLDER,
    seed_option,
    stack,
    warn,
)
from wikibias.kits.terminal import echo, echo_data
from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.research.spans.marking import Marked

F = TypeVar("F", bound=Callable[..., Any])
_HEADER = ("", "TP", "precision [95 %]", "recall [95 %]", "F1 [95 %]")


def training_options(what: str, out: str) -> Callable[[F], F]:
    """The options of what is trained on pairs, beside the model and its parameters."""
    path = click.Path(path_type=Path)
    return stack(
        click.argument("paths", nargs=-1, required=True, type=path),
        sides_options,
        click.option(
            "--exclude",
            "excluded",
            type=path,
            multiple=True,
            help="File that it will be scored on: what it holds is not learnt; may be given again.",
        ),
        click.option(
            "--lexicon",
            "lexicons",
            type=FILE,
            multiple=True,
            help=f"File with words, one a line, that the {what} may use; may be given again.",
        ),
        seed_option("Seed of what is held out, and of training."),
        click.option("-o", "--out", type=OUT_FOLDER, required=True, help=out),
        click.option("--overwrite", is_flag=True, help=f"Replace a {what} in that folder."),
    )


@click.group(cls=Subcommands)
def spans() -> None:
    """Mark biased words: train a tagger, mark new text, and score what was marked.

    \b
    Examples:
      wikibias spans train pairs/en --out taggers/crf
      wikibias spans predict taggers/crf sentences.txt
      wikibias spans score predictions.conll --out scores.json
    """


@spans.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--columns",
    help="What the columns hold: names out of word, gold, prediction and -, in their order.  "
    "[default: word,gold,prediction]",
)
@click.option(
    "--model", type=FOLDER, help="Score this tagger on FILE, which may then hold pairs, too."
)
@sides_options
@click.option(
    "--clean-up",
    is_flag=True,
    help="First take articles and commas off the edges of spans, as WIKIBIAS does.",
)
@click.option("-o", "--out", type=OUT_FILE, help="Also write them to this JSON.")
def score(
    file: Path,
    columns: str | None,
    model: Path | None,
    source: str | None,
    target: str | None,
    *,
    clean_up: bool,
    out: Path | None,
) -> None:
    """Score predicted spans of biased words against gold ones, by four definitions of a match.

    FILE has a word, its gold label and its predicted one a line, with spaces or tabs between, and
    an empty line behind each sentence. Labels are O, B and I. With --model the tagger predicts, and
    FILE may also be of sentence pairs: gold is what the edit took out or replaced. Then comes how
    often the tagger's most likely word is in a gold span.

    \b
    exact            the same first and the same last word
    right boundary   the same last word; the field calls this "partial"
    overlap          at least one word in common; a span counts once
    token            words are compared, not spans

    \b
    Examples:
      wikibias spans score predictions.conll
      wikibias spans score predictions.conll --clean-up --out scores.json
      wikibias spans score labels.tags --columns prediction,gold
      wikibias spans score test.tsv --model taggers/crf --source src --target tgt
    """
    from wikibias.kits.files import write_json
    from wikibias.research.spans.examples import Source
    from wikibias.research.spans.labels import parse_columns
    from wikibias.research.spans.scores import score_file, score_tagger

    names = parse_columns(columns)
    if model is None:
        found = score_file(file, names, clean_up=clean_up, warn=warn)
    else:
        rows = Source(file, source, target, names)
        found = score_tagger(model, rows, clean_up=clean_up, warn=warn)
    if out is not None:
        write_json(out, found)
    show_scores(file.name, found)
    if out is not None:
        echo(f"Written to {out}")


def show_scores(title: str, found: Mapping[str, Any]) -> None:
    """Print the scores of spans, and of detection where they have it."""
    from wikibias.kits.document import with_interval
    from wikibias.kits.terminal import show_table
    from wikibias.research.spans.scores import MATCHES, RATES

    def cell(value: Any, ends: Any) -> str:
        return with_interval({"value": value, "low": ends[0], "high": ends[1]})

    rows = []
    for key, name in MATCHES.items():
        scores, ends = found[key], found["intervals"].get(key, {})
        cells = (cell(scores[rate], ends.get(rate, (None, None))) for rate in RATES)
        rows.append([name, f"{scores['tp']:,}", *cells])
    gold, sentences = counted(found["gold"], "gold span"), counted(found["sentences"], "sentence")
    show_table(f"{title}: {sentences}, {gold}, {found['predicted']:,} predicted", _HEADER, rows)
    if "detection" in found:
        of = found["detection"]
        echo(
            f"most likely word in a gold span: {of['hits']:,} of {of['sentences']:,} sentences, "
            f"{cell(of['accuracy'], of['interval'])}"
        )


@spans.command()
@click.option(
    "--model",
    "tagger",
    default="crf",
    show_default=True,
    help="Tagger: crf, encoder, or the baseline frequent.",
)
@training_options("tagger", "Folder of the tagger.")
@click.option("--columns", help="What the columns of a file of words hold; see `spans score`.")
@click.option(
    "--neutral",
    type=click.FloatRange(0, 100),
    default=1.0,
    show_default=True,
    help="Sentences without a span for each with one, out of pairs.",
)
@click.option("--base", help="Encoder: folder of a model, or package:NAME.")
@click.option(
    "--epochs", type=click.IntRange(1, 100), help="Encoder: passes at most.  [default: 5]"
)
def train(
    paths: tuple[Path, ...],
    source: str | None,
    target: str | None,
    columns: str | None,
    excluded: tuple[Path, ...],
    lexicons: tuple[Path, ...],
    **options: Any,
) -> None:
    """Train a tagger that marks biased words.

    PATHS are folders that `wikibias pairs` made, files of pairs (TSV, CSV, JSON Lines, Parquet), or
    such with a word and its label a line. What an edit took out or replaced is marked in the source
    of a pair; target sides and neutral pairs give sentences without marks. A tenth of the sentences
    becomes dev, by which settings and the threshold are chosen.

    \b
    Examples:
      wikibias spans train pairs/en --out taggers/crf
      wikibias spans train early.tsv sample.jsonl --exclude test.tsv --out taggers/both
      wikibias spans train wnc.tsv --source 1 --target 2 --exclude test.conll --out taggers/wnc
      wikibias spans train pairs/en --model encoder --base models/minilm --out taggers/minilm
    """
    from wikibias.research.lexicons import read_lexicon
    from wikibias.research.spans.examples import Source
    from wikibias.research.spans.labels import parse_columns
    from wikibias.research.spans.training import Task
    from wikibias.research.spans.training import train as train_tagger

    of_encoders = {name: options.pop(name) for name in ("base", "epochs")}
    names = parse_columns(columns)
    task = Task(
        sources=[Source(path, source, target, names) for path in paths],
        excluded=[Source(each) for each in excluded],
        lexicons=[read_lexicon(path) for path in lexicons],
        parameters={name: value for name, value in of_encoders.items() if value},
        **options,
    )
    described = train_tagger(task, warn)
    data = described["data"]["train"]
    echo(
        f"Learnt from {data['sentences']:,} sentences, {data['biased']:,} with a span; tried "
        f"{counted(len(described['tried']), 'setting')}"
    )
    if described["chosen_on"] == "dev":
        show_scores("dev, which chose the settings", described["dev"])
    echo(f"Written to {task.out}")


@spans.command()
@click.argument("model", type=FOLDER)
@click.argument("sentences", type=click.File("rb"), default="-")
def predict(model: Path, sentences: BinaryIO) -> None:
    """Mark biased words in new text, one sentence per line.

    MODEL is the folder that `wikibias spans train` made. A terminal shows marked words in colour.
    A file or pipe gets a JSON object a line: text, spans (start, end, text, probability, in
    characters), and top, the most likely word whether it is marked or not. Output line n belongs to
    input line n; `wikibias sentences` makes such lines of a text. Of a file whose name ends in
    .jsonl the key `text` is read.

    \b
    Examples:
      wikibias spans predict taggers/crf sentences.txt > marked.jsonl
      echo "He is truly one of the greatest." | wikibias spans predict taggers/crf
    """
    from wikibias.research.spans.marking import Marker, marked_lines

    if sentences.isatty():
        echo("Type sentences, one a line; Ctrl-D ends, and answers.", err=True)
    marker, coloured = Marker(model), sys.stdout.isatty()
    for marked in marked_lines(marker, sentences, warn):
        if coloured:
            show_marked(marked)
        else:
            echo_data(json.dumps(marked, ensure_ascii=False))


def show_marked(marked: Marked) -> None:
    """Print a sentence with its spans in colour; control characters in it are shown escaped."""
    from rich.text import Text

    from wikibias.kits.console import Console
    from wikibias.messages import printable

    text, line, at = marked["text"], Text(), 0
    for mark in marked["spans"]:
        line.append(printable(text[at : mark["start"]]))
        line.append(printable(mark["text"]), style="bold red")
        line.append(f" {mark['probability']:.2f}", style="dim")
        at = mark["end"]
    line.append(printable(text[at:]))
    Console().print(line, soft_wrap=True)
