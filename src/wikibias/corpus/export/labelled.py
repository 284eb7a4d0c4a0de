"""Exports a corpus with several labels to a folder, in the form that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.corpus.export.folder import NO_LIBRARY, export_folder
from wikibias.corpus.export.forms import Corpus
from wikibias.corpus.export.texts import write_csv, write_jsonl, write_tone_check
from wikibias.corpus.features import classes, columns, stored_features
from wikibias.corpus.labelled.card import labelled_body, labelled_metadata
from wikibias.errors import UsageError
from wikibias.kits import hub
from wikibias.kits.files import disk_errors, write_text
from wikibias.kits.folders import refuse_links
from wikibias.kits.parquet import copy_typed
from wikibias.kits.schemas import LABELLED_TABLE

TONE = frozenset(("peacock", "point-of-view", "promotional", "tone", "weasel"))
"""Labels that say that the tone is not that of an encyclopedia."""
_CONFIG = "labelled"


def result_of_labels(folder: Path) -> Path | None:
    """Return the result folder that has a corpus with several labels as this folder of it."""
    is_inner = folder.resolve().name == LABELLED_TABLE.name and not (folder / "corpus").exists()
    return folder.resolve().parent if is_inner else None


def export_labelled(
    corpus: Corpus, form: str, out: Path | None, *, overwrite: bool = False
) -> Path:
    """Write a corpus with several labels in another form, whole or not at all; return the folder.

    Args:
        corpus: the result folder that holds it, and its manifest.
        form: one of LABELLED_FORMS.
        out: where to; by default `export/labelled-<form>` in the result folder.
        overwrite: see `export_folder`.

    Raises:
        UsageError: there is no such corpus or nothing in it, it has no such form, or the folder
            holds what is not ours.
        WikibiasError: a file of the corpus is damaged.
        DiskError: the folder cannot be written.
    """
    made = (corpus.manifest.get("corpus") or {}).get("labelled")
    if made is None or not all(_split(corpus, name).is_file() for name in SPLITS):
        raise UsageError(
            f"{corpus.folder} holds no sentences with labels; run `wikibias build --labels "
            "intents` on it, or `--labels tags`"
        )
    if form not in LABELLED_FORMS:
        raise UsageError(
            f"of several labels there is no form {form}; choose {', '.join(LABELLED_FORMS)}"
        )
    if form == "hf":
        hub.check(NO_LIBRARY)
    if out is None:
        name = f"export/labelled-{form}"
        refuse_links(corpus.folder, ["export", name])
        out = corpus.folder / name
    facts = {"format": form, "editors": corpus.with_editors}
    with export_folder(out, facts, overwrite=overwrite) as folder, disk_errors(out):
        LABELLED_FORMS[form](corpus, made, folder)
    return out


def _split(corpus: Corpus, name: str) -> Path:
    return corpus.folder / LABELLED_TABLE.name / f"{name}.parquet"


def _each(
    write: Callable[[Path, Path], object],
    ending: str,
    corpus: Corpus,
    made: Mapping[str, Any],
    folder: Path,
) -> None:
    for split in SPLITS:
        write(_split(corpus, split), folder / f"{split}.{ending}")


def _csv(corpus: Corpus, made: Mapping[str, Any], folder: Path) -> None:
    names = [each.name for each in columns(_CONFIG, with_editors=corpus.with_editors)]
    _each(partial(write_csv, names=names), "csv", corpus, made, folder)


def _tone_check(corpus: Corpus, made: Mapping[str, Any], folder: Path) -> None:
    tone = TONE & set(made["labels"])
    if not tone:
        raise UsageError(
            f"no label of {corpus.folder} is about tone ({', '.join(sorted(TONE))}); build one "
            "with --signal point-of-view, or with a tag set that has such inline tags"
        )
    _each(partial(write_tone_check, tone=tone), "jsonl", corpus, made, folder)


def _hf(corpus: Corpus, made: Mapping[str, Any], folder: Path) -> None:
    """Write the splits that are not empty, with numbers for classes, and the card."""
    features = stored_features(_CONFIG, with_editors=corpus.with_editors)
    files = {}
    for split in SPLITS:
        target = folder / f"{split}.parquet"
        found = classes(_CONFIG)
        if copy_typed(_split(corpus, split), target, found, numbered=True, features=features):
            files[split] = target.name
        else:
            target.unlink()
    if not files:
        raise UsageError(
            f"{corpus.folder} has no sentence with labels, and `datasets` reads no empty data set; "
            "its manifest tells what was left out"
        )
    data = labelled_metadata(corpus.manifest, made, files, folder)
    card = hub.dataset_card(data, labelled_body(corpus.manifest, made))
    write_text(folder / "README.md", card)


_typed = partial(copy_typed, classes=classes(_CONFIG), numbered=False)
LABELLED_FORMS: Mapping[str, Callable[[Corpus, Mapping[str, Any], Path], object]] = {
    "hf": _hf,
    "parquet": partial(_each, _typed, "parquet"),
    "jsonl": partial(_each, write_jsonl, "jsonl"),
    "csv": _csv,
    "tone-check": _tone_check,
}
"""What writes which form."""
