"""`wikibias export`: a corpus in the form that another program reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from wikibias.cli.ending import interruptible
from wikibias.errors import UsageError
from wikibias.kits.command import corpus_argument
from wikibias.kits.terminal import echo

if TYPE_CHECKING:
    from wikibias.corpus.export.corpora import Corpus

_FORMS = (
    "hf",
    "parquet",
    "jsonl",
    "csv",
    "fasttext",
    "tone-check",
    "wnc",
    "wikibias",
    "bio",
)
# Those that only sentence pairs have.
_OF_PAIRS = ("wnc", "wikibias", "bio")


@click.command(name="export")
@corpus_argument()
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMS),
    default="hf",
    show_default=True,
    help="hf: for datasets.load_dataset, with a card; "
    "tone-check: language, page title, text and label, as JSON Lines. Of "
    "sentence pairs: hf, jsonl, wnc and wikibias (as in these corpora), bio (words with labels).",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write.  [default: export/FORMAT in FOLDER; of labels "
    "export/labelled-FORMAT; "
    "of pairs FOLDER-FORMAT]",
)
@click.option(
    "--overwrite",
    is_flag=True,
    help="Replace files of the same names, whoever wrote or changed them.",
)
def command(folder: Path, *, form: str, out: Path | None, overwrite: bool) -> None:
    """Write the corpus of FOLDER in a form that other programs read.

    FOLDER is what `wikibias extract` or `wikibias pairs` made; with /labelled behind it, the corpus
    with several labels in it, of which there is hf, parquet, jsonl, csv and tone-check. The export
    is written whole or not at all; an earlier one that nobody has changed is replaced.

    \b
    Examples:
      wikibias export corpora/fr
      wikibias export --format csv --out sheets corpora/fr
      wikibias export --format wnc pairs/fr
      wikibias export --format tone-check corpora/fr/labelled
    """
    from wikibias.corpus.export.corpora import export, labelled_result
    from wikibias.corpus.export.pair_forms import export_pairs
    from wikibias.corpus.sentence_pairs.reading import is_pairs_folder

    with interruptible():
        if is_pairs_folder(folder):
            echo(f"Result: {export_pairs(folder, form, out, overwrite=overwrite)}")
            return
        result = labelled_result(folder)
        if form in _OF_PAIRS and result is None:
            raise UsageError(
                f"the form {form} is one of sentence pairs; run `wikibias pairs {folder} --out "
                f"PAIRS`, then `wikibias export --format {form} PAIRS`"
            )
        corpus = corpus_in(result or folder, "labelled" if result else "sentences")
        echo(f"Result: {export(corpus, form, out, overwrite=overwrite)}")


def corpus_in(folder: Path, config: Literal["sentences", "labelled"] = "sentences") -> Corpus:
    """Return the corpus of a result folder, whose settings are such as we record.

    Raises:
        UsageError: the folder holds no result, or one of another version.
    """
    from wikibias.corpus.export.corpora import Corpus
    from wikibias.pipeline.manifest import load_recorded, settings_of

    manifest = load_recorded(folder)
    settings_of(folder, manifest)
    return Corpus(folder, manifest, config)
