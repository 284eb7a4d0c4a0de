"""`wikibias neutralise`: rewrite sentences so that less bias is left, and judge rewrites."""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import click

from wikibias.cli import Subcommands
from wikibias.errors import UsageError, counted
from wikibias.kits import command
from wikibias.kits.checked import Setting
from wikibias.kits.console import WIDTH
from wikibias.kits.document import with_interval
from wikibias.kits.files import to_json
from wikibias.kits.terminal import echo, echo_data, show_table
from wikibias.research.cli.spans import TrainingOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class _RewriterOptions(TrainingOptions):
    """The options of `wikibias neutralise train`.

    Attributes:
        name: copy, edit-table, seq2seq, or one that a package adds.
        lang: Language of the sentences: English gets its a and an mended.
        settings: edit-table: least=0 always edits. seq2seq: checkpoint=DIR to begin with, a folder
            or package:NAME; epochs, rate, beams. May be given again.
    """

    name: Annotated[str, Setting("--model", metavar="NAME")]
    lang: Annotated[str | None, Setting("--lang")] = None
    settings: Annotated[tuple[str, ...], Setting("--set", metavar="NAME=VALUE")] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoreOptions:
    """The options of `wikibias neutralise score`.

    Attributes:
        source: Column of the sentences as they were.
        target: Column of what editors made of them.
        output: Column of the rewrites to judge.
        model: Or a rewriter, whose rewrites are judged.
        verdict: Column of what a person said, 1 or 0: also tell how each measure agrees.
        classifier: A model of `classify`, to measure the bias left.
        out: Also write the scores as JSON to this file.
    """

    file: Annotated[Path, command.FILE, Setting(command.ARGUMENT)]
    source: Annotated[str, Setting("--source", metavar="C")]
    target: Annotated[str, Setting("--target", metavar="C")]
    output: Annotated[str | None, Setting("--output", metavar="C")] = None
    model: Annotated[Path | None, command.FOLDER, Setting("--model")] = None
    verdict: Annotated[str | None, Setting("--verdict", metavar="C")] = None
    classifier: Annotated[Path | None, command.FOLDER, Setting("--classifier")] = None
    out: Annotated[Path | None, command.OUT_FILE, Setting("-o --out")] = None


@click.group(name="neutralise", cls=Subcommands)
def neutralise() -> None:
    """Rewrite biased sentences: train a rewriter, use it, and judge rewrites beside editors'.

    \b
    Example:
      wikibias neutralise score rewrites.tsv --source before --target after --output mine
    """


@neutralise.command()
@command.takes(_RewriterOptions)
def train(options: _RewriterOptions) -> None:
    """Train a rewriter on sentence pairs.

    PATHS are folders made by `wikibias pairs`, or files of pairs: TSV, CSV, JSON Lines, Parquet.
    edit-table and the baseline copy need no GPU.

    \b
    Examples:
      wikibias neutralise train pairs/en --model edit-table --lang en --out models/edit-table
      wikibias neutralise train a.tsv --model edit-table --exclude test.tsv --out models/edit-table
    """
    from wikibias.config.languages import load_language, wikipedia_languages
    from wikibias.models.training import parse_settings
    from wikibias.research.lexicons import read_lexicon
    from wikibias.research.neutralising import rewriters
    from wikibias.research.neutralising.words import LANGUAGES

    name, lang = options.name, options.lang
    if lang and lang not in wikipedia_languages():
        load_language(lang)  # or say which one is meant
    if lang and lang not in LANGUAGES:
        command.warn(
            f"--lang {lang}: no rule for words beside an edit; only spaces and marks are mended"
        )
    model = rewriters.REWRITERS.create(
        name,
        seed=options.seed,
        lang=lang,
        lexicons=[read_lexicon(each) for each in options.lexicons],
        **parse_settings(options.settings),
    )
    sides = {"source": options.source, "target": options.target}
    data = rewriters.read_data(options.paths, options.excluded, command.warn, **sides)
    rewriters.train(model, data, options.out, overwrite=options.overwrite)
    echo(f"Trained {name} on {counted(data.facts['pairs'], 'pair')}.")
    echo(f"Written to {options.out}")


@neutralise.command()
@click.argument("model", type=command.FOLDER)
@click.argument("file", type=click.File("rb"), default="-")
def predict(model: Path, file: BinaryIO) -> None:
    """Rewrite sentences, one a line, and tell what was changed: one JSON object a line.

    MODEL is the folder that `wikibias neutralise train` made. Each object has the text, the
    rewrite, and the edits with their spans in both texts. Of a file whose name ends in
    .jsonl the key `text` is read. Without FILE it reads standard input.

    \b
    Examples:
      wikibias neutralise predict models/edit-table sentences.txt > rewrites.jsonl
      echo "He is a truly great actor." | wikibias neutralise predict models/edit-table
    """
    from wikibias.research.neutralising.rewriters import REWRITERS, rewrites

    name = getattr(file, "name", "standard input")
    for answer in rewrites(REWRITERS.load(model)[0], file, name, command.warn):
        echo_data(to_json(answer))


@neutralise.command()
@command.takes(_ScoreOptions)
def score(options: _ScoreOptions) -> None:
    """Score rewrites: BLEU as the field counts it, exact match, SARI, meaning kept, bias left.

    FILE is TSV, CSV or JSON Lines; a column is named by its header or by its number from 1 on.
    BLEU is over the tokens given, which stand between spaces: word pieces, if the file has them.
    Exact match is no success rate: an editor's own words are one good rewrite of many.

    \b
    Examples:
      wikibias neutralise score test.tsv --source src --target tgt --output mine --out j.json
      wikibias neutralise score judged.tsv --source 3 --target 5 --output 4 --verdict 2
      wikibias neutralise score test.tsv --source src --target tgt --model models/edit-table
    """
    from wikibias.kits.files import write_json
    from wikibias.models.prediction import bias_of
    from wikibias.research.neutralising import measures, rewriters

    if bool(options.output) == bool(options.model):
        raise UsageError("say what to judge: --output COLUMN of the file, or --model DIR")
    rewriter = rewriters.REWRITERS.load(options.model)[0] if options.model else None
    found = measures.read_rewrites(
        options.file,
        command.warn,
        source=options.source,
        target=options.target,
        output=options.output,
        verdict=options.verdict,
    )
    success = measures.parse_verdicts(found["verdict"]) if options.verdict else None
    measured = measures.measure(
        found["source"],
        found["target"],
        rewriter.rewrite(found["source"]) if rewriter else found["output"],
        bias_of(options.classifier) if options.classifier else None,
    )
    scores = measures.summary(measured)
    agrees = None if success is None else measures.agreement(measured, success)
    if options.out is None or not command.is_quiet():
        _show_scores(options.file.name, scores)
        if agrees is not None:
            _show_agreement(agrees)
    if agrees is not None:
        scores["verdict"] = agrees
    if options.out:
        write_json(options.out, scores)
        echo(f"Written to {options.out}")


def _show_agreement(agrees: Mapping[str, Any]) -> None:
    """Print how far each measure says what people said."""
    from wikibias.research.neutralising.measures import JUDGED_MEASURES

    rows = [
        [title, *(with_interval(agrees[name][key]) for key in ("accuracy", "mcc", "roc_auc"))]
        for name, title in JUDGED_MEASURES.items()
        if name in agrees
    ]
    title = f"Beside people, who passed {agrees['success']:,} of {agrees['n']:,} [95 %]"
    echo("")
    show_table(title, ["", "accuracy", "MCC", "AUC"], rows)


def _show_scores(name: str, scores: Mapping[str, Any]) -> None:
    """Print each measure with its interval, what the rows come to, and what exact match is not."""
    from wikibias.research.neutralising.measures import MEASURES

    rows = []
    for key, title in MEASURES.items():
        if scores[key] is not None:
            low, high = scores["intervals"].get(key, (None, None))
            between = "" if low is None else f"[{low:g}, {high:g}]"
            rows.append([title, f"{scores[key]:g}", between])
    show_table(f"{name} ({counted(scores['n'], 'rewrite')})", ["", "score", "95 %"], rows)
    echo(f"{scores['exact']:,} are the editor's own words; {scores['unchanged']:,} are unchanged.")
    for line in textwrap.wrap(scores["note"], WIDTH):
        echo(line)
