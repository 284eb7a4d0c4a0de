"""`wikibias report`: one page that shows what a corpus holds, or several side by side."""

from __future__ import annotations

from pathlib import Path

import click

from wikibias.cli.corpus_folder import corpus_argument
from wikibias.cli.terminal import echo
from wikibias.errors import UsageError

NAME = "report.html"


@click.command(name="report")
@corpus_argument(several=True, built=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"The page to write.  [default: {NAME} in the folder, or here for several]",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of the samples of edits.",
)
@click.option("--overwrite", is_flag=True, help="Replace a file that is no page of this command.")
def command(folders: tuple[Path, ...], *, out: Path | None, seed: int, overwrite: bool) -> None:
    """Show what a corpus holds, on one page: a file that needs no network.

    The page shows what the filters dropped, what the corpus holds, when tags came and went and how
    long they stood, which words tell the classes apart, and samples of edits as diffs. Several
    folders, of languages or years, are shown side by side.

    \b
    Examples:
      wikibias report corpora/fr
      wikibias report corpora/fr corpora/en --out both.html
    """
    from wikibias.pipeline import manifest
    from wikibias.reports.corpus_page import page
    from wikibias.storage.atomic import write_text

    chosen = list(dict.fromkeys(folders))
    path = out or (chosen[0] / NAME if len(chosen) == 1 else Path(NAME))
    if not overwrite:
        _refuse_others(path)
    results = {folder: manifest.load_recorded(folder) for folder in chosen}
    write_text(path, page(results, seed))
    echo(f"Wrote {path}. Open it in a browser.")


def _refuse_others(path: Path) -> None:
    """Refuse to replace a file that this command did not write.

    Raises:
        UsageError: it is there, or cannot be looked at.
    """
    from wikibias.rendering.html import is_page
    from wikibias.reports.corpus_page import GENERATOR

    try:
        ours = not path.exists() or is_page(path, GENERATOR)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); give another --out") from error
    if not ours:
        raise UsageError(
            f"{path} is no page of this command; give another --out, or --overwrite to replace it"
        )
