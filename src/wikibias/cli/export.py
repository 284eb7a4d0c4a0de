"""`wikibias export`: a corpus in a form that others read, or on the Hugging Face hub."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wikibias.cli.ending import interruptible
from wikibias.errors import UsageError
from wikibias.kits.checked import Setting
from wikibias.kits.command import ARGUMENT, OUT_FOLDER, corpus_argument, takes
from wikibias.kits.terminal import echo

if TYPE_CHECKING:
    from wikibias.corpus.export.corpora import Corpus

Form = Literal[
    "hf", "parquet", "jsonl", "csv", "tsv", "xlsx", "fasttext", "tone-check",
    "wnc", "wikibias", "bio",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """The options of `wikibias export`.

    Attributes:
        form: hf: for datasets.load_dataset, with a card; tone-check: text, label, check and where
            it is from, as JSON Lines; xlsx: one file for Excel. Of sentence pairs: hf, jsonl, wnc
            and wikibias (as in these corpora), bio (words with labels).
        columns: Of csv, tsv and xlsx: these columns, with commas between them.
        sep: Of csv: what stands between cells, where Excel expects no comma.
        out: Folder to write.
        overwrite: Replace files of the same names, whoever wrote or changed them.
        private: With REPOSITORY: nobody else may see it.
    """

    repository: Annotated[str | None, Setting(ARGUMENT)] = None
    form: Annotated[Form, Setting("--format")] = "hf"
    columns: Annotated[
        str, Setting("--columns", "all; of xlsx text, label, tier, page_title, tags, diff_url")
    ] = ""
    sep: Annotated[Literal[",", ";", "|"] | None, Setting("--sep", ",", metavar="CHARACTER")] = None
    out: Annotated[
        Path | None,
        OUT_FOLDER,
        Setting(
            "-o --out",
            "export/FORMAT in FOLDER; of labels export/labelled-FORMAT; of pairs FOLDER-FORMAT",
        ),
    ] = None
    overwrite: Annotated[bool, Setting("--overwrite")] = False
    private: Annotated[bool, Setting("--private")] = False


@click.command(name="export")
@corpus_argument()
@takes(ExportOptions)
def command(options: ExportOptions, *, folder: Path) -> None:
    """Write the corpus of FOLDER in a form that other programs read, or upload it.

    FOLDER is what `wikibias extract` or `wikibias pairs` made; with /labelled behind it, the corpus
    with several labels in it, of which there is hf, parquet, jsonl, csv, tsv, xlsx and tone-check.
    The export is written whole or not at all; an earlier one that nobody has changed is replaced.

    With REPOSITORY it goes to the Hugging Face hub instead, in the form hf, as one commit; so does
    an export as hf, or a model of `wikibias classify`. Log in with `hf auth login` first, or set
    HF_TOKEN. The card says under which licences the text is: read that before you publish it.

    \b
    Examples:
      wikibias export corpora/fr
      wikibias export --format xlsx corpora/fr
      wikibias export --format csv --sep ";" --columns text,label,confidence corpora/fr
      wikibias export --format tone-check corpora/fr
      wikibias export --format wnc pairs/fr
      wikibias export --private corpora/fr me/biased-sentences-fr
    """
    from wikibias.corpus.export.corpora import Corpus, export, labelled_result
    from wikibias.corpus.sentence_pairs.reading import is_pairs_folder

    with interruptible():
        if options.repository is not None:
            _upload(folder, options.repository, private=options.private)
            return
        if is_pairs_folder(folder):
            corpus = Corpus(folder, config="sentence_pairs")
        else:
            result = labelled_result(folder)
            corpus = corpus_in(result or folder, "labelled" if result else "sentences")
        names = [name for each in options.columns.split(",") if (name := each.strip())]
        corpus = replace(corpus, columns=[*dict.fromkeys(names)], sep=options.sep)
        path = export(corpus, options.form, options.out, overwrite=options.overwrite)
        echo(f"Result: {path}")


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


def _upload(folder: Path, repository: str, *, private: bool) -> None:
    from wikibias.kits import hub
    from wikibias.models import training
    from wikibias.models.estimators.registry import MODEL

    hub.check()
    with TemporaryDirectory() as scratch:
        made = Path(scratch) / "made"
        kind: hub.Kind = "model" if MODEL.is_ours(folder) else "dataset"
        if kind == "model":
            files = training.files_of(folder, made)
        else:
            files = _files_of_corpus(folder, made, private=private)
        address = hub.push(files, repository, kind, private=private)
    echo(f"Uploaded {len(files):,} files: {address}")


def _files_of_corpus(folder: Path, scratch: Path, *, private: bool) -> dict[str, Path]:
    """Return the files of an export by their names; of a corpus, those of one made now."""
    from wikibias.corpus.export.corpora import export
    from wikibias.corpus.export.folder import RECORD, recorded

    record = recorded(folder)
    if record is None:
        corpus = corpus_in(folder)
        _refuse_editors(folder, named=corpus.with_editors and not private)
        export(corpus, "hf", scratch)
        paths = (path for path in sorted(scratch.rglob("*")) if path.is_file())
        return {path.relative_to(scratch).as_posix(): path for path in paths}
    if record["format"] != "hf":
        raise UsageError(
            f"{folder} is an export as {record['format']}; make one with `wikibias export "
            "--format hf`, or give the result folder itself"
        )
    _refuse_editors(folder, named=bool(record.get("editors")) and not private)
    return {name: folder / name for name in (*record["files"], RECORD)}


def _refuse_editors(folder: Path, *, named: bool) -> None:
    if named:
        raise UsageError(
            f"{folder} names editors (--with-editors), which is personal data: give --private, or "
            "extract again without"
        )
