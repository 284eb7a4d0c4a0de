"""`manifest.json`: what a result folder was asked for, from which inputs, and how far it is."""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from wikibias import __version__
from wikibias.corpus.sampling import Composition
from wikibias.dumps.parts import Part, file_name
from wikibias.errors import UsageError
from wikibias.pipeline.layout import state
from wikibias.pipeline.settings import STAGES, Settings, settings_from
from wikibias.storage.atomic import write_text

NAME = "manifest.json"
Manifest = dict[str, Any]
_LIBRARIES = ("mwxml", "mwparserfromhell", "spacy", "rapidfuzz", "pyarrow", "numpy", "py7zr")
_COUNTS = ("pages", "revisions", "unknown_texts", "steps_back_in_time", "removed", "added")


def load(folder: Path) -> Manifest | None:
    """Return the manifest of a result folder, or None when there is none.

    Raises:
        UsageError: the file is no manifest of this version.
    """
    path = folder / NAME
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or not {"settings", "inputs"} <= found.keys():
        raise UsageError(
            f"{path} cannot be read; begin anew with --restart, or choose another --out"
        )
    return found


def summarise(
    folder: Path, settings: Settings, parts: Sequence[Part], corpus: Composition | None
) -> Manifest:
    """Return the manifest of what is in `folder` now, read from the outputs themselves."""
    inputs = [_input(folder, part) for part in parts]
    counts: Counter[str] = Counter()
    verdicts: dict[str, int] = {}
    for entry in inputs:
        counts.update({name: entry["counts"].get(name, 0) for name in _COUNTS})
        for reason, count in entry["verdicts"].items():
            verdicts[reason] = verdicts.get(reason, 0) + count
    return {
        "wikibias": __version__,
        "versions": {
            "python": platform.python_version(),
            **{library: version(library) for library in _LIBRARIES},
        },
        "lang": settings.detect.lang,
        "settings": settings.as_dict(),
        "inputs": inputs,
        "counts": {name: counts[name] for name in _COUNTS},
        "verdicts": verdicts,
        "corpus": asdict(corpus) if corpus else None,
        "complete": corpus is not None and all(entry["state"] == "whole" for entry in inputs),
    }


def save(folder: Path, manifest: Manifest, seconds: float) -> None:
    """Write the manifest. `seconds` is how long the work has taken, all runs together."""
    text = json.dumps({**manifest, "duration_seconds": round(seconds, 1)}, indent=2)
    write_text(folder / NAME, text + "\n")


def parts_of(manifest: Manifest) -> list[Part]:
    """Return the parts that a manifest lists."""
    return [
        Part(entry["part"], tuple(file["path"] for file in entry.get("files", [entry])))
        for entry in manifest["inputs"]
    ]


def settings_of(folder: Path, manifest: Manifest) -> Settings:
    """Return the settings that a manifest records.

    Raises:
        UsageError: another version of wikibias recorded them.
    """
    try:
        return settings_from(manifest["settings"])
    except (KeyError, TypeError) as error:
        raise UsageError(
            f"{folder} was made by another version of wikibias; run `wikibias extract --restart`"
        ) from error


def _input(folder: Path, part: Part) -> dict[str, Any]:
    states = {stage: state(folder, stage, part.name) for stage in STAGES[:-1]}
    done = [stage for stage, found in states.items() if found is not None]
    detected, filtered = states["detect"] or {}, states["filter"] or {}
    error = detected.get("error")
    return {
        "part": part.name,
        **_files(part, detected.get("input") or {}),
        "wiki": detected.get("wiki"),
        "state": "failed" if error else "whole" if len(done) == len(STAGES) - 1 else "missing",
        "stages": done,
        "error": error,
        "warnings": detected.get("warnings", []),
        "counts": {name: detected[name] for name in (*_COUNTS, "reverted") if name in detected},
        "verdicts": filtered.get("verdicts", {}),
    }


def _files(part: Part, identity: Mapping[str, Any]) -> dict[str, Any]:
    """Return path, size, time and checksum of a part's file; of several, those of each."""
    if len(part.files) == 1:
        return _file(part.files[0], identity)
    known = {file["name"]: file for file in identity.get("files", ())}
    files = [_file(path, known.get(file_name(path), {})) for path in part.files]
    return {**_file(None, {"size": identity.get("size")}), "files": files}


def _file(path: str | None, identity: Mapping[str, Any]) -> dict[str, Any]:
    return {"path": path, **{key: identity.get(key) for key in ("size", "mtime_ns", "sha256")}}
