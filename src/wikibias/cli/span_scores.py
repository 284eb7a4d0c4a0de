"""`wikibias spans score`: how well predicted spans agree with those of a gold standard."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from wikibias.cli.pair_columns import sides_options
from wikibias.kits import MOST_SEED
from wikibias.kits.command import resamples_option, warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted

_HEADER = ("", "TP", "precision [95 %]", "recall [95 %]", "F1 [95 %]")


@click.command(name="score")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--columns",
    help="What the columns hold: names out of word, gold, prediction and -, in their order.  "
    "[default: word,gold,prediction]",
)
@click.option(
    "--model",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Score this tagger on FILE, which may then hold pairs, too.",
)
@sides_options
@click.option(
    "--clean-up",
    is_flag=True,
    help="First take articles and commas off the edges of spans, as WIKIBIAS does.",
)
@resamples_option
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=0,
    show_default=True,
    help="Seed of the intervals.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Also write them to this JSON.")
def score(
    file: Path,
    columns: str | None,
    model: Path | None,
    source: str | None,
    target: str | None,
    clean_up: bool,
    resamples: int,
    seed: int,
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
    from wikibias.research.spans.conll import parse_columns

    options: Any = {"clean_up": clean_up, "warn": warn, "resamples": resamples, "seed": seed}
    names = parse_columns(columns)
    if model is None:
        from wikibias.research.spans.scoring import score_file

        found = score_file(file, names, **options)
    else:
        from wikibias.research.spans.evaluation import score_tagger
        from wikibias.research.spans.training_data import Source

        found = score_tagger(model, Source(file, source, target, names), **options)
    if out is not None:
        write_json(out, found)
    show_scores(file.name, found)
    if out is not None:
        echo(f"Written to {out}")


def show_scores(title: str, found: Mapping[str, Any]) -> None:
    """Print the scores of spans, and of detection where they have it."""
    from wikibias.cli.score_tables import show
    from wikibias.kits.document import with_interval
    from wikibias.research.spans.span_scores import MATCHES, RATES

    rows = []
    for key, name in MATCHES.items():
        scores, ends = found[key], found["intervals"].get(key, {})
        cells = []
        for rate in RATES:
            low, high = ends.get(rate, (None, None))
            cells.append(with_interval({"value": scores[rate], "low": low, "high": high}))
        rows.append([name, f"{scores['tp']:,}", *cells])
    gold, sentences = counted(found["gold"], "gold span"), counted(found["sentences"], "sentence")
    show(f"{title}: {sentences}, {gold}, {found['predicted']:,} predicted", _HEADER, rows)
    if "detection" in found:
        of = found["detection"]
        low, high = of["interval"]
        accuracy = with_interval({"value": of["accuracy"], "low": low, "high": high})
        echo(
            f"most likely word in a gold span: {of['hits']:,} of {of['sentences']:,} sentences, "
            f"{accuracy}"
        )
