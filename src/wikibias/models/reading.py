"""Reads labelled sentences: a corpus folder, what `wikibias export` made of one, or files."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits.files import read_json
from wikibias.kits.schemas import LABELLED_TABLE
from wikibias.models.examples import LABELS, Examples, Splits, Warn
from wikibias.models.sentence_lines import read_lines
from wikibias.models.sentence_tables import CORPUS_COLUMNS, READERS, SPLIT_NAMES, read_table

_NAMES = ("train", "dev", "test")
_ENDINGS = (*READERS, ".tsv", ".txt")


def read_files(files: Mapping[str, Path], labels: Mapping[str, bool], warn: Warn) -> Splits:
    """Read a file for each split, in any of the formats that wikibias writes.

    One file alone may hold several splits, by its column `split`.

    Raises:
        WikibiasError: a file cannot be read, holds no sentence, or an unknown label.
    """
    found: dict[str, Examples] = {}
    for name, path in files.items():
        parts = _parts(path, labels, warn)
        if len(files) == 1 and len(parts) > 1:
            found.update(parts)
        elif len(parts) > 1:
            raise WikibiasError(
                f"{path}: holds {', '.join(parts)}; give it alone, or files of a split each"
            )
        else:
            (found[name],) = parts.values()
    return Splits(_in_order(found))


def read_corpus(directory: Path, warn: Warn, labels: Mapping[str, bool] = LABELS) -> Splits:
    """Read what `wikibias extract` made: `DIR/corpus/{train,dev,test}.parquet`, else the `.tsv`.

    Reads what `wikibias export` made of it, too. Leaves out an empty dev or test with one warning,
    which says what to do.

    Raises:
        WikibiasError: there is no training split, or a table lacks a column.
    """
    if directory.resolve().name == LABELLED_TABLE.name:
        raise _several_labels(directory)
    folder = directory / "corpus" if (directory / "corpus").is_dir() else directory
    found: dict[str, Examples] = {}
    empty = []
    for name in _NAMES:
        table, lines = folder / f"{name}.parquet", folder / f"{name}.tsv"
        if not table.exists() and not lines.exists():
            continue
        if not table.exists() and lines.stat().st_size:
            found[name] = replace(read_lines(lines, warn=warn), normalised=True)
        elif table.exists() and (part := _of_corpus(table, warn)):
            found[name] = part
        else:
            empty.append(name)
    if not found and not empty:
        found = _exported(folder, labels, warn)
    if "train" in empty and not found:
        raise WikibiasError(
            f"{directory}: the corpus is empty; `wikibias status "
            f"{shlex.quote(str(result_folder(directory)))}` says what to try"
        )
    if "train" not in found and (directory / LABELLED_TABLE.name).is_dir():
        raise _several_labels(directory)
    if "train" not in found:
        raise WikibiasError(
            f"{directory}: no sentences to train on (looked for {folder}/train.parquet and "
            "train.tsv); make a corpus with `wikibias extract`, or give --train FILE"
        )
    if empty:
        warn(
            f"{folder}: {' and '.join(empty)} empty, so there is nothing to evaluate on; give "
            "`wikibias extract` more dump parts, or split by sentence: wikibias build --restart "
            f"--split sentence {shlex.quote(str(result_folder(directory)))}"
        )
    manifest = manifest_of(result_folder(directory))
    lang = manifest.get("lang")
    return Splits(_in_order(found), lang if isinstance(lang, str) else None, _facts(manifest))


def _several_labels(directory: Path) -> WikibiasError:
    return WikibiasError(
        f"{directory}: holds sentences with several labels alone; learn those with "
        "`wikibias classify --task labels`"
    )


def result_folder(directory: Path) -> Path:
    """Return the folder of a run: the one given, or the one above where its `corpus` was given."""
    inner = directory.resolve()
    above = directory / ".." if directory.name in ("", "..") else directory.parent
    is_inner = inner.name == "corpus" and not (directory / "manifest.json").exists()
    return above if is_inner and (inner.parent / "manifest.json").is_file() else directory


def manifest_of(folder: Path) -> Mapping[str, Any]:
    """Return the manifest of a folder; an empty one where there is none.

    Raises:
        WikibiasError: it cannot be read.
    """
    path = folder / "manifest.json"
    if not path.exists():
        return {}
    try:
        manifest = read_json(path)
    except (OSError, ValueError) as error:
        raise WikibiasError(f"{path}: not a manifest that can be read ({error})") from error
    return manifest if isinstance(manifest, dict) else {}


def _of_corpus(table: Path, warn: Warn) -> Examples | None:
    """Return the sentences of a table of a corpus; None where it has none."""
    found = read_table(table, LABELS, warn, needed=CORPUS_COLUMNS)
    return found[""] if found and len(found[""]) else None


def _parts(path: Path, labels: Mapping[str, bool], warn: Warn) -> dict[str, Examples]:
    if path.suffix.lower() not in READERS:
        return {"": read_lines(path, labels, warn)}
    found = {name: part for name, part in read_table(path, labels, warn).items() if len(part)}
    if not found:
        raise WikibiasError(f"{path}: no sentence in it")
    return found


def _exported(folder: Path, labels: Mapping[str, bool], warn: Warn) -> dict[str, Examples]:
    """Return the splits of a folder with a file for each, or one for all."""
    found: dict[str, Examples] = {}
    for name, path in _files_of_splits(folder):
        found.setdefault(name, next(iter(_parts(path, labels, warn).values())))
    return found


def _files_of_splits(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files named after splits, in the folder and in those below it.

    `datasets` names them `train-00000-of-00001.parquet`.
    """
    for pattern in ("{}{}", "{}-00000-of-00001{}"):
        for place in ("", "sentences/", "data/"):
            for ending in _ENDINGS:
                for called, name in SPLIT_NAMES.items():
                    path = folder / (place + pattern.format(called, ending))
                    if path.is_file():
                        yield name, path


def _in_order(found: Mapping[str, Examples]) -> dict[str, Examples]:
    return {name: found[name] for name in _NAMES if name in found}


def _facts(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return what a manifest says of a corpus, for people; a foreign one may hold anything."""
    settings = _table(manifest, "settings")
    detect, build = _table(settings, "detect"), _table(settings, "build")
    inputs = manifest.get("inputs")
    parts = (
        [entry for entry in inputs if isinstance(entry, dict)] if isinstance(inputs, list) else []
    )
    wikis = dict.fromkeys(str(entry["wiki"]) for entry in parts if entry.get("wiki"))
    tagset = " ".join(str(detect[key]) for key in ("tagset", "tagset_version") if detect.get(key))
    pairing, signal = detect.get("pairing"), detect.get("signal")
    pairings = list(pairing) if isinstance(pairing, list) else []
    if isinstance(signal, list) and "summary" in signal:
        pairings = [*(pairings if "tag" in signal else []), "summary-edit"]
    facts = {
        "wiki": ", ".join(wikis),
        "language": str(manifest.get("lang") or ""),
        "tag set": tagset,
        "pairing": ", ".join(map(str, pairings)),
        "split by": str(build.get("split") or ""),
        "lowest tier": str(build.get("min_tier") or ""),
        "dump files": f"{len(parts):,}" if parts else "",
    }
    return {name: value for name, value in facts.items() if value}


def _table(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}
