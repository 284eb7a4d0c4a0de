"""`wikibias neutralise`: rewrite sentences so that less bias is left, and judge rewrites."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import click
from rich.text import Text

from wikibias.cli.options import config_dir_option
from wikibias.cli.score_tables import WIDTH, show
from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.kits.command import Subcommands, resamples_option, warn
from wikibias.kits.console import Console
from wikibias.kits.document import pieces, with_interval
from wikibias.kits.terminal import echo, echo_data
from wikibias.messages import counted, printable
from wikibias.research.neutralising.measures import JUDGED_MEASURES as JUDGED
from wikibias.research.neutralising.measures import MEASURES
from wikibias.research.neutralising.rewriters import OWN

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_MODELS = f"{', '.join(OWN)}, or one that a package adds."
_PARAMETERS = ("least", "checkpoint", "epochs", "rate")
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.group(name="neutralise", cls=Subcommands)
def neutralise() -> None:
    """Rewrite biased sentences: train a rewriter, use it, and judge rewrites beside editors'.

    \b
    Example:
      wikibias neutralise score rewrites.tsv --source before --target after --output mine
    """


@neutralise.command()
@click.argument("pairs", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--model", "name", metavar="NAME", required=True, help=_MODELS)
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the rewriter.",
)
@click.option(
    "--source",
    "sources",
    metavar="C",
    multiple=True,
    help="Column of the biased sentences, by name or number; again for each of several files.  "
    "[default: by known names]",
)
@click.option(
    "--target", "targets", metavar="C", multiple=True, help="Column of the neutral ones, likewise."
)
@click.option(
    "--exclude",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Pairs of a test set, of which no sentence is to be learnt; may be given again.",
)
@click.option("--lang", help="Language of the sentences: English gets its a and an mended.")
@click.option(
    "--lexicon",
    "lists",
    metavar="NAME",
    multiple=True,
    help="List of words, a file or a name of `wikibias lexicon show`; may be given again.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    help="edit-table: how likely an edit must be; 0 always edits.  [default: chosen for BLEU]",
)
@click.option(
    "--checkpoint",
    metavar="DIR",
    help="seq2seq: the model to begin with, a folder or package:NAME; needs the extra neural.",
)
@click.option("--epochs", type=click.IntRange(1, 1000), help="seq2seq: passes over the pairs.")
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="seq2seq: learning rate.")
@click.option(
    "--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Of training."
)
@click.option(
    "--overwrite", is_flag=True, help="Replace a rewriter of other data or settings in that folder."
)
@config_dir_option
def train(pairs: tuple[Path, ...], name: str, **options: Any) -> None:
    """Train a rewriter on sentence pairs.

    PAIRS are folders made by `wikibias pairs`, or files of pairs: TSV, CSV, JSON Lines, Parquet.
    edit-table and the baseline copy need no GPU.

    \b
    Examples:
      wikibias neutralise train pairs/en --model edit-table --lang en --out models/edit-table
      wikibias neutralise train a.tsv --model edit-table --exclude test.tsv --out models/edit-table
    """
    from wikibias.config.languages import load_language, wikipedia_languages
    from wikibias.research.lexicons import find_lexicon
    from wikibias.research.neutralising import rewriters, training
    from wikibias.research.neutralising.words import LANGUAGES

    lang = options["lang"]
    if lang and lang not in wikipedia_languages():
        load_language(lang)  # or say which one is meant
    if lang and lang not in LANGUAGES:
        warn(f"--lang {lang}: no rule for words beside an edit; only spaces and marks are mended")
    found = [find_lexicon(each) for each in options["lists"]]
    model = rewriters.create(
        name,
        seed=options["seed"],
        lang=lang,
        lexicons={each.name: frozenset(each) for each in found},
        **{key: options[key] for key in _PARAMETERS if options[key] is not None},
    )
    given = training.files(pairs, options["sources"], options["targets"])
    data = training.read_data(given, [training.File(each) for each in options["exclude"]], warn)
    data.facts["made_of"] = training.mark_of(found, options["checkpoint"])
    training.train(model, data, options["out"], overwrite=options["overwrite"])
    echo(f"Trained {name} on {counted(data.facts['pairs'], 'pair')}.")
    echo(f"Written to {options['out']}")


@neutralise.command()
@click.argument("model", type=FOLDER)
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--diff", is_flag=True, help="Show for people what is changed, in two colours.")
def predict(model: Path, file: BinaryIO, diff: bool) -> None:
    """Rewrite sentences, one a line, and tell what was changed: one JSON object a line.

    MODEL is the folder that `wikibias neutralise train` made. Each object has the text, the
    rewrite, and the edits with their spans in both texts. Of a file whose name ends in
    .jsonl the key `text` is read. Without FILE it reads standard input.

    \b
    Examples:
      wikibias neutralise predict models/edit-table sentences.txt > rewrites.jsonl
      echo "He is a truly great actor." | wikibias neutralise predict models/edit-table --diff
    """
    import json

    from wikibias.research.neutralising import rewriters
    from wikibias.research.neutralising.training import rewrites

    name = getattr(file, "name", "standard input")
    for answer in rewrites(rewriters.load(model), file, name, warn):
        if diff:
            show_diff(answer)
        else:
            echo_data(json.dumps(answer, ensure_ascii=False))


@neutralise.command()
@click.argument("file", type=FILE)
@click.option("--source", metavar="C", required=True, help="Column of the sentences as they were.")
@click.option("--target", metavar="C", required=True, help="Column of what editors made of them.")
@click.option("--output", metavar="C", help="Column of the rewrites to judge.")
@click.option("--model", type=FOLDER, help="Or a rewriter, whose rewrites are judged.")
@click.option(
    "--verdict",
    metavar="C",
    help="Column of what a person said, 1 or 0: also tell how each measure agrees.",
)
@click.option("--classifier", type=FOLDER, help="A model of `classify`, to measure the bias left.")
@click.option(
    "--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Of intervals."
)
@resamples_option
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the scores as JSON to this file.",
)
def score(file: Path, **options: Any) -> None:
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
    from wikibias.research.neutralising import measures, rewriters
    from wikibias.research.neutralising.columns import read_columns
    from wikibias.research.neutralising.measures import Rewrites, bias_by, measure, summary

    if bool(options["output"]) == bool(options["model"]):
        raise UsageError("say what to judge: --output COLUMN of the file, or --model DIR")
    model = rewriters.load(options["model"]) if options["model"] else None
    wanted = {name: options[name] for name in ("source", "target", "output", "verdict")}
    columns = {name: column for name, column in wanted.items() if column}
    found = read_columns(file, columns, warn, needed=("source", "target"))
    success = measures.parse_verdicts(found["verdict"]) if "verdict" in found else None
    classifier = options["classifier"]
    measured = measure(
        Rewrites(
            found["source"],
            found["target"],
            found["output"] if model is None else model.rewrite(found["source"]),
        ),
        bias_by(classifier) if classifier else None,
    )
    drawn = {"resamples": options["resamples"], "seed": options["seed"]}
    scores = summary(measured, **drawn)
    show_scores(file.name, scores)
    if success is not None:
        scores["verdict"] = measures.agreement(measured, success, **drawn)
        show_agreement(scores["verdict"])
    if options["out"]:
        write_json(options["out"], scores)
        echo(f"Written to {options['out']}")


# Sign, colour, and what marks a change where no colour tells it.
_SIDES = (
    ("text", "source", "- ", "red", "[-", "-]"),
    ("rewrite", "target", "+ ", "green", "{+", "+}"),
)


def show_diff(answer: Mapping[str, Any]) -> None:
    """Show a sentence and its rewrite, one below the other; one that is unchanged once."""
    console = Console(soft_wrap=True)
    if answer["text"] == answer["rewrite"]:
        console.print(Text(f"  {printable(answer['text'])}"))
        return
    coloured = console.is_terminal and not console.no_color
    for side, spans, sign, colour, opening, closing in _SIDES:
        line = Text(sign, colour)
        places = " ".join(edit[spans] for edit in answer["edits"] if edit[spans])
        for piece in pieces(answer[side], places):
            shown = printable(piece.text)
            if piece.changed:
                marked = shown if coloured else f"{opening}{shown}{closing}"
                line.append(marked, f"bold underline {colour}")
            else:
                line.append(shown, colour)
        console.print(line)


def show_scores(name: str, scores: Mapping[str, Any]) -> None:
    """Print each measure with its interval, what the rows come to, and what exact match is not."""
    rows = []
    for key, title in MEASURES.items():
        if scores[key] is not None:
            low, high = scores["intervals"].get(key, (None, None))
            between = "" if low is None else f"[{low:g}, {high:g}]"
            rows.append([title, f"{scores[key]:g}", between])
    show(f"{name} ({counted(scores['n'], 'rewrite')})", ["", "score", "95 %"], rows)
    echo(f"{scores['exact']:,} are the editor's own words; {scores['unchanged']:,} are unchanged.")
    for line in textwrap.wrap(scores["note"], WIDTH):
        echo(line)


def show_agreement(found: Mapping[str, Any]) -> None:
    """Print accuracy, MCC and AUC of each measure against the verdicts."""
    rows = [
        [JUDGED[name], *(with_interval(table[key]) for key in ("accuracy", "mcc", "roc_auc"))]
        for name, table in found.items()
        if name in JUDGED
    ]
    title = f"Beside people, who passed {found['success']:,} of {found['n']:,} [95 %]"
    echo("")
    show(title, ["", "accuracy", "MCC", "AUC"], rows)
