"""`wikibias export`: a corpus in the form that another program reads."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
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
def export_command(folder: Path, *, form: str, out: Path | None, overwrite: bool) -> None:
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
    from wikibias.corpus.export.corpora import Corpus, export, labelled_result
    from wikibias.corpus.sentence_pairs.reading import is_pairs_folder

    with interruptible():
        if is_pairs_folder(folder):
            corpus = Corpus(folder, config="sentence_pairs")
        else:
            result = labelled_result(folder)
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


@click.command(name="push")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("repository")
@click.option("--private", is_flag=True, help="Nobody else may see it.")
@click.option(
    "--endpoint",
    metavar="URL",
    help="Another server than that of HF_ENDPOINT, or else https://huggingface.co.",
)
def push_command(folder: Path, repository: str, *, private: bool, endpoint: str | None) -> None:
    """Upload a corpus, an export of one, or a model to the Hugging Face hub, as one commit.

    FOLDER is what `wikibias extract`, `wikibias export --format hf` or `wikibias classify` made. Of
    a corpus the form hf is uploaded. Log in with `hf auth login` first, or set HF_TOKEN. The card
    says under which licences the text is: read that before you publish it.

    \b
    Examples:
      wikibias push --private corpora/fr me/biased-sentences-fr
      wikibias push corpora/fr/models/sgd me/biased-sentences-fr-sgd
    """
    from wikibias.corpus.export.corpora import export
    from wikibias.corpus.export.folder import RECORD, recorded
    from wikibias.kits import hub
    from wikibias.models import results
    from wikibias.models.estimators.registry import is_model

    hub.check()
    told = recorded(folder)
    with interruptible(), TemporaryDirectory() as scratch:
        made = Path(scratch) / "made"
        if told is not None:
            if told["format"] != "hf":
                raise UsageError(
                    f"{folder} is an export as {told['format']}; make one with `wikibias export "
                    "--format hf`, or give the result folder itself"
                )
            files = {name: folder / name for name in (*told["files"], RECORD)}
            _refuse_editors(folder, private or not told.get("editors"))
        elif is_model(folder):
            files = results.files_of(folder, made)
        else:
            corpus = corpus_in(folder)
            _refuse_editors(folder, private or not corpus.with_editors)
            export(corpus, "hf", made)
            files = {
                path.relative_to(made).as_posix(): path
                for path in sorted(made.rglob("*"))
                if path.is_file()
            }
        kind: hub.Kind = "model" if told is None and is_model(folder) else "dataset"
        address = hub.push(files, repository, kind, private=private, endpoint=endpoint)
    echo(f"Uploaded {len(files):,} files: {address}")


def _refuse_editors(folder: Path, may: bool) -> None:
    if not may:
        raise UsageError(
            f"{folder} names editors (--with-editors), which is personal data: give --private, or "
            "extract again without"
        )
