"""`wikibias spans`: score spans of biased words, train a tagger, and mark them in new text."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import click

from wikibias.cli import Subcommands
from wikibias.errors import counted
from wikibias.kits import MOST_SEED, command
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.files import to_json
from wikibias.kits.terminal import echo, echo_data

if TYPE_CHECKING:
    from wikibias.research.spans.taggers import Marked

_HEADER = ("", "TP", "precision [95 %]", "recall [95 %]", "F1 [95 %]")


_PATH = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """The options of what is trained on pairs, beside its parameters.

    Attributes:
        source: Column of the biased sentences, by name or number.
        target: Column of the neutral ones, likewise.
        excluded: File that it will be scored on: what it holds is not learnt; may be given again.
        lexicons: File with words, one a line, that it may use; may be given again.
        seed: Seed of what is held out, and of training.
        out: Folder of the model.
        overwrite: Replace a model in that folder.
    """

    paths: Annotated[tuple[Path, ...], _PATH, Setting(command.ARGUMENT)]
    source: Annotated[str | None, Setting("--source", "by known names", "COLUMN")] = None
    target: Annotated[str | None, Setting("--target", metavar="COLUMN")] = None
    excluded: Annotated[tuple[Path, ...], _PATH, Setting("--exclude")] = ()
    lexicons: Annotated[tuple[Path, ...], command.FILE, Setting("--lexicon")] = ()
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    out: Annotated[Path, command.OUT_FOLDER, Setting("-o --out")]
    overwrite: Annotated[bool, Setting("--overwrite")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _TaggerOptions(TrainingOptions):
    """The options of `wikibias spans train`.

    Attributes:
        tagger: Tagger: crf, encoder, or a baseline: frequent, lexicon, longest.
        columns: What the columns of a file of words hold; see `spans score`.
        neutral: Sentences without a span for each with one, out of pairs.
        base: Encoder: folder of a model, or package:NAME.
        epochs: Encoder: passes at most.
    """

    tagger: Annotated[str, Setting("--model")] = "crf"
    columns: Annotated[str | None, Setting("--fields")] = None
    neutral: Annotated[float, Meta(ge=0, le=100), Setting("--neutral")] = 1.0
    base: Annotated[str | None, Setting("--base")] = None
    epochs: Annotated[int | None, Meta(ge=1, le=100), Setting("--epochs", "5")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoreOptions:
    """The options of `wikibias spans score`.

    Attributes:
        columns: What the columns hold: names out of word, gold, prediction and -, in their order.
        model: Score this tagger on FILE, which may then hold pairs, too.
        source: Column of the biased sentences, by name or number.
        target: Column of the neutral ones, likewise.
        clean_up: First take articles and commas off the edges of spans, as WIKIBIAS does.
        out: Also write them to this JSON.
    """

    file: Annotated[Path, _PATH, Setting(command.ARGUMENT)]
    columns: Annotated[str | None, Setting("--fields", "word,gold,prediction")] = None
    model: Annotated[Path | None, command.FOLDER, Setting("--model")] = None
    source: Annotated[str | None, Setting("--source", "by known names", "COLUMN")] = None
    target: Annotated[str | None, Setting("--target", metavar="COLUMN")] = None
    clean_up: Annotated[bool, Setting("--clean-up")] = False
    out: Annotated[Path | None, command.OUT_FILE, Setting("-o --out")] = None


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
@command.takes(_ScoreOptions)
def score(options: _ScoreOptions) -> None:
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
      wikibias spans score labels.tags --fields prediction,gold
      wikibias spans score test.tsv --model taggers/crf --source src --target tgt
    """
    from wikibias.kits.files import write_json
    from wikibias.research.spans.labels import Source, parse_columns
    from wikibias.research.spans.training import score_file, score_tagger

    file, names = options.file, parse_columns(options.columns)
    if options.model is None:
        found = score_file(file, names, clean_up=options.clean_up, warn=command.warn)
    else:
        rows = Source(file, options.source, options.target, names)
        found = score_tagger(options.model, rows, clean_up=options.clean_up, warn=command.warn)
    if options.out is not None:
        write_json(options.out, found)
    if options.out is None or not command.is_quiet():
        show_scores(file.name, found)
    if options.out is not None:
        echo(f"Written to {options.out}")


def show_scores(title: str, found: Mapping[str, Any]) -> None:
    """Print the scores of spans, and of detection where they have it."""
    from wikibias.kits.document import with_interval
    from wikibias.kits.terminal import show_table
    from wikibias.research.spans.training import MATCHES, RATES

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
@command.takes(_TaggerOptions)
def train(options: _TaggerOptions) -> None:
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
    from wikibias.research.spans.labels import Source, parse_columns
    from wikibias.research.spans.training import Task
    from wikibias.research.spans.training import train as train_tagger

    names = parse_columns(options.columns)
    of_encoders = {"base": options.base, "epochs": options.epochs}
    task = Task(
        tagger=options.tagger,
        sources=[Source(path, options.source, options.target, names) for path in options.paths],
        out=options.out,
        excluded=[Source(each) for each in options.excluded],
        neutral=options.neutral,
        lexicons=[read_lexicon(path) for path in options.lexicons],
        parameters={name: value for name, value in of_encoders.items() if value},
        seed=options.seed,
        overwrite=options.overwrite,
    )
    described = train_tagger(task, command.warn)
    data = described["data"]["train"]
    echo(
        f"Learnt from {data['sentences']:,} sentences, {data['biased']:,} with a span; tried "
        f"{counted(len(described['tried']), 'setting')}"
    )
    if described["chosen_on"] == "dev" and not command.is_quiet():
        show_scores("dev, which chose the settings", described["dev"])
    echo(f"Written to {task.out}")


@spans.command()
@click.argument("model", type=command.FOLDER)
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
    from wikibias.research.spans.taggers import Marker, marked_lines

    if sentences.isatty():
        echo("Type sentences, one a line; Ctrl-D ends, and answers.", err=True)
    marker, coloured = Marker(model), sys.stdout.isatty()
    for marked in marked_lines(marker, sentences, command.warn):
        if coloured:
            show_marked(marked)
        else:
            echo_data(to_json(marked))


def show_marked(marked: Marked) -> None:
    """Print a sentence with its spans in colour; control characters in it are shown escaped."""
    from rich.text import Text

    from wikibias.errors import printable
    from wikibias.kits.console import Console

    text, line, at = marked["text"], Text(), 0
    for mark in marked["spans"]:
        line.append(printable(text[at : mark["start"]]))
        line.append(printable(mark["text"]), style="bold red")
        line.append(f" {mark['probability']:.2f}", style="dim")
        at = mark["end"]
    line.append(printable(text[at:]))
    Console().print(line, soft_wrap=True)
