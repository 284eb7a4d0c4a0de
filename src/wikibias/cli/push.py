"""`wikibias push`: a corpus or a model to the Hugging Face hub."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from wikibias.cli.ending import interruptible
from wikibias.cli.export import corpus_in
from wikibias.errors import UsageError
from wikibias.kits.terminal import echo


@click.command(name="push")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("repository")
@click.option("--private", is_flag=True, help="Nobody else may see it.")
@click.option(
    "--endpoint",
    metavar="URL",
    help="Another server than that of HF_ENDPOINT, or else https://huggingface.co.",
)
def command(folder: Path, repository: str, *, private: bool, endpoint: str | None) -> None:
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
