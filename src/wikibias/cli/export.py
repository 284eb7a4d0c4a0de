"""`wikibias export`: a corpus in a form that others read, or on the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wikibias.cli.ending import interruptible
from wikibias.cli.progress import in_bytes, show_first
from wikibias.errors import UsageError
from wikibias.kits.checked import Setting
from wikibias.kits.command import FOLDER, OUT_FOLDER, corpus_or_newest, is_quiet, takes
from wikibias.kits.terminal import echo

if TYPE_CHECKING:
    from wikibias.corpus.export.corpora import Corpus

Form = Literal[
    "hf", "parquet", "jsonl", "csv", "tsv", "xlsx", "fasttext", "tone-check",
    "wnc", "wikibias", "bio",
]  # fmt: skip
_SHARED = ("hf", "tone-check")  # what `datasets` reads, of several corpora as well


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
        dry_run: With REPOSITORY: show which files would be uploaded.
    """

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
            "export/FORMAT in FOLDER; of labels export/labelled-FORMAT; of pairs FOLDER-FORMAT; of "
            "several there is none",
        ),
    ] = None
    overwrite: Annotated[bool, Setting("--overwrite")] = False
    private: Annotated[bool, Setting("--private")] = False
    dry_run: Annotated[bool, Setting("--dry-run")] = False


@click.command(name="export")
@click.argument("words", nargs=-1, metavar="[FOLDER]... [REPOSITORY]")
@takes(ExportOptions)
def command(options: ExportOptions, *, words: tuple[str, ...]) -> Path | str:
    """Write the corpus of FOLDER in a form that other programs read, or upload it.

    FOLDER is what `wikibias extract` or `wikibias pairs` made; with /labelled behind it, the corpus
    with several labels in it, of which there is hf, parquet, jsonl, csv, tsv, xlsx and tone-check.
    The export is written whole or not at all; an earlier one that nobody has changed is replaced.

    Several folders go into one export as hf, with a configuration for each, named as its folder.

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
      wikibias export --dry-run corpora/fr corpora/de me/biased-sentences
    """
    folders, repository = _folders_and_repository(words)
    with interruptible():
        if repository is not None:
            if options.form not in _SHARED:
                raise UsageError(f"--format {options.form} is not uploaded; leave out REPOSITORY")
            if options.columns or options.sep:
                raise UsageError("--columns and --sep are for a file; leave them or REPOSITORY out")
            how = {"private": options.private, "dry_run": options.dry_run}
            address, _ = upload(folders, repository, options.form, **how)
            return address
        if options.dry_run:
            raise UsageError("--dry-run goes with REPOSITORY, such as me/my-corpus")
        path = write(folders, options)
        echo(f"Result: {path}")
    return path


def _folders_and_repository(words: Sequence[str]) -> tuple[list[Path], str | None]:
    """Return the folders, and what stands behind them and is none; the newest without any.

    Raises:
        click.BadParameter: there is no such folder.
    """
    *others, last = words or ("",)
    is_repository = bool(others) and "/" in last and not Path(last).is_dir()
    named = others if is_repository else words
    folders = [Path(FOLDER.convert(each, None, None)) for each in named]
    return folders or [corpus_or_newest(None)], last if is_repository else None


def write(folders: Sequence[Path], options: ExportOptions) -> Path:
    """Write the corpora of folders in a form, and return the folder of the export.

    Raises:
        WikibiasError: see `corpora.export` and `export_together`.
    """
    from wikibias.corpus.export.corpora import export, export_together

    names = [name for each in options.columns.split(",") if (name := each.strip())]
    columns = [*dict.fromkeys(names)]
    corpora = [replace(_corpus_of(each), columns=columns, sep=options.sep) for each in folders]
    if not corpora[1:]:
        return export(corpora[0], options.form, options.out, overwrite=options.overwrite)
    if options.form not in _SHARED or options.out is None:
        raise UsageError(
            "several folders go into one export as hf or tone-check, and --out says where; or give "
            "a REPOSITORY behind them, which is no folder here, such as me/my-corpora"
        )
    return export_together(corpora, options.out, options.form, overwrite=options.overwrite)


def _corpus_of(folder: Path) -> Corpus:
    from wikibias.corpus.export.corpora import Corpus, labelled_result
    from wikibias.corpus.sentence_pairs.reading import is_pairs_folder

    if is_pairs_folder(folder):
        return Corpus(folder, config="sentence_pairs")
    result = labelled_result(folder)
    if not (result or (folder / "manifest.json").exists()) and (folder / "train.parquet").is_file():
        # Such as judged/, which has no settings of its own.
        raise UsageError(
            f"{folder} is no result, but files already: train.parquet there, which pandas reads"
        )
    return corpus_in(result or folder, "labelled" if result else "sentences")


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


def upload(
    folders: Sequence[Path],
    repository: str,
    form: str = "hf",
    *,
    private: bool,
    dry_run: bool = False,
    together: bool = False,
) -> tuple[str, bool]:
    """Upload a model, an export, or the corpora of folders; return where, and whether any is new.

    Args:
        folders: several of corpora, or one.
        repository: see `hub.push`.
        form: of corpora.
        private: likewise.
        dry_run: upload nothing, and show what would be.
        together: also a single corpus, as one of several.

    Raises:
        WikibiasError: see `write` and `hub.push`; or names of editors would be made public.
    """
    from wikibias.kits import hub
    from wikibias.models import training
    from wikibias.models.estimators.registry import MODEL

    hub.check()
    hub.check_name(repository)
    with TemporaryDirectory() as scratch:
        made, is_new = Path(scratch) / "made", False
        together = together or len(folders) > 1 or form != "hf"
        kind: hub.Kind = "model" if not together and MODEL.is_ours(folders[0]) else "dataset"
        if kind == "model":
            files = training.files_of(folders[0], made)
        else:
            files = _files_of_corpora(folders, made, form, private=private, together=together)
        sizes = {name: path.stat().st_size for name, path in files.items()}
        if dry_run:
            show_first([f"{name} ({in_bytes(size)})" for name, size in sizes.items()])
            said, address = "Dry run: would upload", f"{repository}{' (private)' * private}"
        else:
            address, is_new = hub.push(files, repository, kind, private=private)
            said = "Uploaded" if is_new else "Already there:"
    if not is_quiet():
        echo(f"{said} {len(files):,} files ({in_bytes(sum(sizes.values()))}): {address}")
    return address, is_new


def _files_of_corpora(
    folders: Sequence[Path], scratch: Path, form: str, *, private: bool, together: bool
) -> dict[str, Path]:
    """Return the files of an export by their names; of corpora, those of one made now."""
    from wikibias.corpus.export.corpora import export, export_together
    from wikibias.corpus.export.folder import RECORD, recorded

    folder, record = folders[0], None if together else recorded(folders[0])
    if record is None:
        corpora = [_corpus_of(each) for each in folders]
        for each in corpora:
            _refuse_editors(each.folder, named=each.with_editors and not private)
        if together:
            made = export_together(corpora, scratch, form)
        else:
            made = export(corpora[0], form, scratch)
        paths = (path for path in sorted(made.rglob("*")) if path.is_file())
        return {path.relative_to(made).as_posix(): path for path in paths}
    if record["format"] not in _SHARED or "README.md" not in record["files"]:
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
