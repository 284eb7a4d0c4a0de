"""`wikibias pairs`: sentences and what edits for neutrality made of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wikibias.cli.interrupts import interruptible
from wikibias.cli.terminal import echo
from wikibias.errors import UsageError
from wikibias.models.constants import MOST_SEED

if TYPE_CHECKING:
    from wikibias.corpus.sentence_pairs.funnel import Funnel
    from wikibias.corpus.sentence_pairs.harvest import Harvest, RulesName

_MANIFEST = "manifest.json"


@click.command(name="pairs")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--rules",
    type=click.Choice(("wnc", "own")),
    default="own",
    show_default=True,
    help="wnc: those of the Wiki Neutrality Corpus; own: any script, several sentences, tiers.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder to write.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=0,
    show_default=True,
    help="Seed of the splits.",
)
@click.option("--source", help="Of a file: the column of the biased sentences, name or number.")
@click.option("--target", help="Of a file: the column of the neutral ones.")
@click.option("--lang", help="Of a file: its language, for words of other meaning.")
@click.option(
    "--overwrite",
    is_flag=True,
    help="Replace files of the same names, whoever wrote or changed them.",
)
def command(
    path: Path,
    *,
    rules: RulesName,
    out: Path,
    seed: int,
    source: str | None,
    target: str | None,
    lang: str | None,
    overwrite: bool,
) -> None:
    """Make sentence pairs: what was not neutral, and what the editor made of it.

    PATH is a folder that `wikibias detect --signal summary` or `extract` made, or a file of pairs
    (TSV, CSV, JSON Lines, Parquet), which only the filters of pairs then judge. OUT gets
    `pairs.parquet`, `pairs.tsv` and `funnel.json`; an earlier result that nobody has changed is
    replaced.

    \b
    Examples:
      wikibias pairs corpora/en --rules wnc --out pairs/en
      wikibias pairs published.tsv --source src --target tgt --rules wnc --out pairs/judged
    """
    from wikibias.corpus.sentence_pairs.funnel import Funnel
    from wikibias.corpus.sentence_pairs.harvest import finder
    from wikibias.corpus.sentence_pairs.writer import write_pairs

    funnel = Funnel()
    harvest = _harvest(path, seed)
    _refuse_within(out, path)
    with interruptible():
        write_pairs(
            out,
            finder(rules)(harvest, funnel),
            funnel,
            shares=harvest.shares,
            seed=seed,
            facts={"format": "sentence pairs", "rules": rules},
            overwrite=overwrite,
        )
    _show(funnel)
    echo(f"Result: {out}")


def _harvest(folder: Path, seed: int) -> Harvest:
    """Return what a result folder holds to make pairs from.

    Raises:
        UsageError: it holds no result, or no transitions.
    """
    from wikibias.corpus.sentence_pairs.harvest import Harvest
    from wikibias.pipeline import stages
    from wikibias.pipeline.manifest import load_recorded, parts_of, settings_of
    from wikibias.pipeline.outputs import recorded
    from wikibias.pipeline.settings import language_of

    manifest = load_recorded(folder)
    settings = settings_of(folder, manifest)
    parts = tuple(part.name for part in parts_of(manifest))
    detect = stages.named("detect")
    found = [facts for name in parts if (facts := recorded(folder, detect, name)) is not None]
    if not found:
        raise UsageError(f"{folder} holds no transitions; run `wikibias detect --signal summary`")
    summaries: dict[str, int] = {}
    for facts in found:
        for name, count in (facts.get("summaries") or {}).items():
            summaries[name] = summaries.get(name, 0) + count
    return Harvest(
        folder,
        parts,
        language_of(settings),
        settings.build.tiers,
        settings.build.shares,
        seed,
        summaries,
    )


def _refuse_within(out: Path, path: Path) -> None:
    """Refuse to write over what is read.

    Raises:
        UsageError: the folder to write is that of the input, or one of its tables.
    """
    from wikibias.pipeline.stages import STAGES

    tables = {path / table.name for stage in STAGES for table in stage.writes}
    for read in (path, *tables):
        if out.resolve() == read.resolve():
            raise UsageError(f"{out} is what is read; give --out a folder of its own")


def _show(funnel: Funnel) -> None:
    from wikibias.cli.score_tables import show

    counts = funnel.as_dict()
    for title, rows in (
        ("Funnel", counts),
        ("Edits", counts["stages"]),
        ("Pairs", counts["verdicts"]),
    ):
        known = {name: n for name, n in rows.items() if isinstance(n, int)}
        if known:
            show(title, ["", "count"], [[name, f"{n:,}"] for name, n in known.items()])
