"""Exports a corpus to a folder, in the form that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.corpus.card import body, metadata
from wikibias.corpus.description import describe
from wikibias.corpus.export.croissant import croissant
from wikibias.corpus.export.folder import NO_LIBRARY, digests, export_folder
from wikibias.corpus.export.pairs import pairs_of
from wikibias.corpus.export.texts import write_csv, write_fasttext, write_jsonl, write_tone_check
from wikibias.corpus.features import CLASSES, columns, stored_features
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import hub
from wikibias.kits.files import disk_errors, scratch_file, write_json, write_text
from wikibias.kits.folders import refuse_links
from wikibias.kits.parquet import TableWriter, copy_typed
from wikibias.kits.schemas import CORPUS_TABLE, LABELLED_TABLE, PAIRS_TABLE

_FILES = """The configuration `sentences` has a row for each sentence{more}.
The splits are {splits}.

```python
from datasets import load_dataset

sentences = load_dataset("REPOSITORY OR FOLDER")
{code}```

`text` is the sentence as a reader saw it; `norm` is lower case, without punctuation, numbers as
`numtkn`. `before_rev_id` and `after_rev_id` are the two revisions that were compared, `diff_url`
shows them on the wiki. `croissant.json` describes the files for programs, `export.json` lists their
checksums."""
_PAIRS = ", `pairs` one for each aligned pair: what a biased sentence became"
_PAIRS_CODE = 'pairs = load_dataset("REPOSITORY OR FOLDER", "pairs")\n'


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus to be exported: its result folder, and the manifest of that."""

    folder: Path
    manifest: Mapping[str, Any]

    @property
    def with_editors(self) -> bool:
        """Whether the rows name editors."""
        return bool(self.manifest["settings"]["detect"].get("with_editors"))

    def split(self, name: str) -> Path:
        """Return the file of a split."""
        return self.folder / CORPUS_TABLE.name / f"{name}.parquet"


def export(corpus: Corpus, form: str, out: Path | None, *, overwrite: bool = False) -> Path:
    """Write a corpus in another form, whole or not at all, and return the folder.

    Args:
        corpus: what to export.
        form: one of FORMS.
        out: where to; by default `export/<form>` in the result folder.
        overwrite: see `export_folder`.

    Raises:
        UsageError: there is no corpus or nothing in it, the form needs a library that is missing,
            or the folder holds what is not ours.
        WikibiasError: a file of the corpus is damaged.
        DiskError: the folder cannot be written.
    """
    if not all(corpus.split(name).is_file() for name in SPLITS):
        labelled = corpus.folder / LABELLED_TABLE.name
        if labelled.is_dir():
            raise UsageError(
                f"the sentences of {corpus.folder} have several labels; run `wikibias export "
                f"--format {form} {labelled}`"
            )
        raise UsageError(
            f"{corpus.folder} holds no corpus; run `wikibias extract` or `wikibias build` first"
        )
    if form == "hf":
        hub.check(NO_LIBRARY)
    if out is None:
        refuse_links(corpus.folder, ["export", f"export/{form}"])
        out = corpus.folder / "export" / form
    facts = {"format": form, "editors": corpus.with_editors}
    with export_folder(out, facts, overwrite=overwrite) as folder, disk_errors(out):
        FORMS[form](corpus, folder)
    return out


def _each(
    write: Callable[[Path, Path], object], ending: str, corpus: Corpus, folder: Path
) -> dict[str, str]:
    """Write a file for each split, and return their names."""
    files = {split: f"{split}.{ending}" for split in SPLITS}
    for split, name in files.items():
        write(corpus.split(split), folder / name)
    return files


def _csv(corpus: Corpus, folder: Path) -> None:
    names = [each.name for each in columns("sentences", with_editors=corpus.with_editors)]
    _each(partial(write_csv, names=names), "csv", corpus, folder)


_parquet = partial(_each, partial(copy_typed, classes=CLASSES, numbered=False), "parquet")


def _croissant(corpus: Corpus, folder: Path) -> None:
    _describe(corpus, folder, {"sentences": _parquet(corpus, folder)}, numbered=False)


def _hf(corpus: Corpus, folder: Path) -> None:
    """Write both configurations with numbers for classes, the card and the metadata."""
    files = {}
    rows = {split: corpus.split(split) for split in SPLITS}
    files["sentences"] = _typed(corpus, "sentences", rows, folder)
    if not files["sentences"]:
        raise UsageError(
            f"the corpus of {corpus.folder} has no sentence, and `datasets` reads no empty data "
            "set; its manifest and card tell what the filters dropped"
        )
    with ExitStack() as stack:
        untyped = {split: stack.enter_context(scratch_file(folder)) for split in SPLITS}
        _write_pairs(corpus, untyped)
        if found := _typed(corpus, "pairs", untyped, folder):
            files["pairs"] = found
    described = describe(corpus.manifest)
    data = metadata(described, files, folder, with_editors=corpus.with_editors)
    text = _FILES.format(
        more=_PAIRS if "pairs" in files else "",
        splits=", ".join(f"`{split}`" for split in files["sentences"]),
        code=_PAIRS_CODE if "pairs" in files else "",
    )
    write_text(folder / "README.md", hub.dataset_card(data, body(corpus.manifest, text)))
    _describe(corpus, folder, files, numbered=True)


def _typed(
    corpus: Corpus, config: str, sources: Mapping[str, Path], folder: Path
) -> dict[str, str]:
    """Write the splits that are not empty, and return their names: `datasets` reads no others."""
    features, files = stored_features(config, with_editors=corpus.with_editors), {}
    (folder / config).mkdir()
    for split, source in sources.items():
        name = f"{config}/{split}.parquet"
        if copy_typed(source, folder / name, CLASSES, numbered=True, features=features):
            files[split] = name
        else:
            (folder / name).unlink()
    if not files:
        (folder / config).rmdir()
    return files


def _write_pairs(corpus: Corpus, files: Mapping[str, Path]) -> None:
    parts = [entry["part"] for entry in corpus.manifest["inputs"]]
    with ExitStack() as stack:
        writers = {}
        for split, path in files.items():
            writers[split] = TableWriter(path, PAIRS_TABLE, with_editors=corpus.with_editors)
            stack.callback(writers[split].abandon)
        written = bool(corpus.manifest["settings"]["build"].get("pairs"))
        for pair in pairs_of(corpus.folder, parts, written=written):
            if pair.split not in writers:
                raise WikibiasError(
                    f"{corpus.folder}: a pair has an unknown split, {str(pair.split)[:40]!r}; run "
                    "`wikibias build --restart` with the options of before"
                )
            writers[pair.split].write(pair)
        for writer in writers.values():
            writer.close({})


def _describe(
    corpus: Corpus, folder: Path, files: Mapping[str, Mapping[str, str]], *, numbered: bool
) -> None:
    """Write `croissant.json`; classes may be numbers."""
    found = digests(folder)
    sizes = {name: (folder / name).stat().st_size for name in found}
    described, editors = describe(corpus.manifest), corpus.with_editors
    write_json(
        folder / "croissant.json",
        croissant(described, files, found, sizes, with_editors=editors, numbered=numbered),
    )


FORMS: Mapping[str, Callable[[Corpus, Path], object]] = {
    "hf": _hf,
    "parquet": _parquet,
    "jsonl": partial(_each, write_jsonl, "jsonl"),
    "csv": _csv,
    "fasttext": partial(_each, write_fasttext, "txt"),
    "croissant": _croissant,
    "tone-check": partial(_each, write_tone_check, "jsonl"),
}
"""What writes which form."""
