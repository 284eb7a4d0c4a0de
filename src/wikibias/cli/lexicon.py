"""`wikibias lexicon`: learn, show and score lists of words that hint at bias."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wikibias.cli.options import config_dir_option
from wikibias.cli.pairs import sides_options
from wikibias.errors import UsageError
from wikibias.kits.command import Subcommands, warn
from wikibias.kits.terminal import echo, echo_data
from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.corpus.sentence_pairs.reading import PairText

CHANCE = 1.96  # that of corpus.log_odds, which takes its time to import
_ENOUGH = 50
_PAIRS = click.Path(exists=True, path_type=Path)


@click.group(cls=Subcommands)
def lexicon() -> None:
    """Learn, show and score lists of words that hint at bias.

    \b
    Example:
      wikibias lexicon show en
    """


@lexicon.command()
@click.argument("pairs", nargs=-1, required=True, type=_PAIRS)
@click.option("--lang", required=True, help="Language of the pairs, for the card.")
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write.",
)
@click.option(
    "--least",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="In how many pairs a word was taken out at least.",
)
@click.option(
    "--z",
    type=click.FloatRange(min=0),
    default=CHANCE,
    show_default=True,
    help="How sure the difference is at least, in standard errors.",
)
@click.option(
    "--exclude",
    type=_PAIRS,
    multiple=True,
    help="Pairs of a test set, of which no sentence is to be learnt; may be given again.",
)
@click.option("--note", help="What the card says of the data: its source and licence.")
@sides_options
@click.option("--overwrite", is_flag=True, help="Replace a file that is no lexicon of wikibias.")
def learn(
    pairs: tuple[Path, ...],
    *,
    lang: str,
    out: Path,
    least: int,
    z: float,
    note: str | None,
    exclude: tuple[Path, ...],
    source: str | None,
    target: str | None,
    overwrite: bool,
) -> None:
    """Learn from sentence pairs which words edits for neutrality take out.

    PAIRS are folders that `wikibias pairs` made, or files of pairs (TSV, CSV, JSON Lines, Parquet).
    OUT gets a word a line, the surest first, with its counts, behind a card as comments.

    \b
    Example:
      wikibias lexicon learn pairs/en --lang en -o my-words.tsv
    """
    from wikibias.models import lexicon_learning

    if not overwrite and not lexicon_learning.may_replace(out):
        raise UsageError(f"{out} is no lexicon that wikibias learnt; --overwrite replaces it")
    chosen = _pairs(pairs, source, target)
    if exclude:
        chosen = _without(chosen, exclude)
    learnt = lexicon_learning.learn(chosen, least=least, z=z)
    facts = {"language": lang, "data": note or ", ".join(path.name for path in pairs)}
    lexicon_learning.write_lexicon(learnt, out, facts)
    echo(f"{counted(len(learnt.words), 'word')} of {counted(learnt.pairs, 'pair')} in {out}")


@lexicon.command()
@click.argument("name", required=False)
@config_dir_option
def show(name: str | None) -> None:
    """Show a lexicon: its card and its words; or the names of those that are known.

    NAME is a file, or the name of one shipped or of your own.

    \b
    Example:
      wikibias lexicon show en
    """
    from wikibias.research import lexicons

    if name is None:
        echo_data(*lexicons.names())
        return
    path = lexicons.lexicon_file(name)
    lexicons.read_lexicon(path)  # or say what is wrong with it
    echo_data(*lexicons.lines(path))


@lexicon.command()
@click.argument("pairs", type=_PAIRS)
@click.argument("names", nargs=-1, required=True)
@sides_options
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the counts.",
)
@config_dir_option
def score(
    pairs: Path,
    names: tuple[str, ...],
    *,
    source: str | None,
    target: str | None,
    json_file: Path | None,
) -> None:
    """Count how often lexicons mark the words that editors took out or replaced.

    NAMES are files, or names that `wikibias lexicon show` lists; with a plus between them, as in
    a.txt+b.txt, they are scored as one.

    \b
    Example:
      wikibias lexicon score pairs/en en my-words.tsv
    """
    from dataclasses import asdict

    from wikibias.kits.files import write_json
    from wikibias.kits.terminal import show_table
    from wikibias.models.lexicon_scores import score_lexicons
    from wikibias.research.lexicons import joined

    found = score_lexicons(_pairs((pairs,), source, target), [joined(name) for name in names])
    if (number := max(each.pairs for each in found)) < _ENOUGH:
        warn(f"{counted(number, 'pair')} only; under {_ENOUGH} the counts say little")
    if json_file is not None:
        write_json(json_file, {"lexicons": [asdict(each) for each in found]})
    header = [
        "lexicon",
        "entries",
        "pairs hit",
        "pairs unmarked",
        "words marked",
        "of them changed",
    ]
    rows = [
        [
            each.name,
            f"{each.entries:,}",
            f"{each.hit:,} of {each.pairs:,}",
            f"{each.silent:,}",
            f"{each.marked:,}",
            f"{each.right:,}",
        ]
        for each in found
    ]
    show_table("Words that editors took out or replaced", header, rows)


def _pairs(paths: tuple[Path, ...], source: str | None, target: str | None) -> Iterator[PairText]:
    from wikibias.corpus.sentence_pairs.reading import read_pairs

    for path in paths:
        yield from read_pairs(path, source=source, target=target, warn=warn)


def _without(pairs: Iterator[PairText], excluded: tuple[Path, ...]) -> Iterator[PairText]:
    """Yield the pairs with no sentence of the files to exclude; then say how many there were."""
    from wikibias.models.pair_examples import key

    held = {
        key(text) for pair in _pairs(excluded, None, None) for text in (pair.source, pair.target)
    }
    left_out = 0
    for pair in pairs:
        if held.isdisjoint((key(pair.source), key(pair.target))):
            yield pair
        else:
            left_out += 1
    warn(f"left out {counted(left_out, 'pair')} with a sentence of --exclude")
