"""`wikibias report`: one page that shows what a corpus or a set of pairs holds, or several."""

from __future__ import annotations

from collections.abc import Sequence
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
    help=f"The page to write.  [default: {NAME} in the folder, here for several; of pairs "
    "report-NAME.html beside the folder NAME]",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of the samples of edits.",
)
@click.option(
    "--predictions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Of pairs: a file of `spans predict` or `neutralise predict`, to show beside the editors; "
    "may be given again.",
)
@click.option("--overwrite", is_flag=True, help="Replace a file that is no page of this command.")
def command(
    folders: tuple[Path, ...],
    *,
    out: Path | None,
    seed: int,
    predictions: tuple[Path, ...],
    overwrite: bool,
) -> None:
    """Show what a corpus holds, on one page: a file that needs no network.

    The page shows what the filters dropped, what the corpus holds, when tags came and went and how
    long they stood, which words tell the classes apart, and samples of edits as diffs. Several
    folders, of languages or years, are shown side by side.

    Of folders that `wikibias pairs` made it shows the sentences before and after the edits, the
    most frequent changes, and what taggers and rewriters made of the same sentences.

    \b
    Examples:
      wikibias report corpora/fr
      wikibias report corpora/fr corpora/en --out both.html
      wikibias report pairs/en --predictions rewrites.jsonl
    """
    from wikibias.storage.atomic import write_text

    chosen = list({folder.resolve(): folder for folder in reversed(folders)}.values())[::-1]
    of_pairs = _are_pairs(chosen)
    if predictions and not of_pairs:
        raise UsageError("--predictions goes with folders that `wikibias pairs` made")
    path = out or _path(chosen, of_pairs=of_pairs)
    if not overwrite:
        _refuse_others(path)
    if of_pairs:
        from wikibias.reports.pairs_page import page as page_of_pairs

        write_text(path, page_of_pairs(chosen, seed, predictions))
    else:
        from wikibias.pipeline import manifest
        from wikibias.reports.corpus_page import page

        write_text(path, page({each: manifest.load_recorded(each) for each in chosen}, seed))
    echo(f"Wrote {path}. Open it in a browser.")


def _path(folders: Sequence[Path], *, of_pairs: bool) -> Path:
    """Return where the page goes; an export of pairs is to hold nothing but itself."""
    if len(folders) > 1:
        return Path(NAME)
    (folder,) = folders
    if not of_pairs:
        return folder / NAME
    named = folder if folder.name not in ("", "..") else folder.resolve()
    return named.with_name(f"report-{named.name}.html")


def _are_pairs(folders: Sequence[Path]) -> bool:
    """Return whether folders hold sentence pairs.

    Raises:
        UsageError: some do and some do not.
    """
    from wikibias.corpus.sentence_pairs.reading import is_pairs_folder

    with_pairs = [folder for folder in folders if is_pairs_folder(folder)]
    if with_pairs and len(with_pairs) < len(folders):
        other = next(folder for folder in folders if folder not in with_pairs)
        raise UsageError(
            f"{with_pairs[0]} holds sentence pairs and {other} does not; show them on two pages"
        )
    return bool(with_pairs)


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
