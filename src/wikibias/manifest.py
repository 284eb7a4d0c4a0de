"""`manifest.json`: what a result folder was asked for, from which inputs, and how far it is."""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from wikibias import __version__
from wikibias.corpus import Composition
from wikibias.dumps.parts import Part, file_name
from wikibias.dumps.servers import is_url
from wikibias.dumps.streams import STDIN, sha256_file
from wikibias.errors import UsageError
from wikibias.files import write_text
from wikibias.settings import STAGES, Settings, changes, settings_from
from wikibias.stages import state

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


def _ran(manifest: Manifest) -> set[str]:
    """Return the stages that have run on some part at least."""
    ran = {stage for entry in manifest["inputs"] for stage in entry["stages"]}
    return ran | ({"build"} if manifest["corpus"] else set())


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


def merged(folder: Path, manifest: Manifest, settings: Settings, stages: Sequence[str]) -> Settings:
    """Return the settings asked for, with those recorded for the stages not asked for."""
    old = settings_of(folder, manifest)
    kept = {name: getattr(old, name) for name in STAGES if name not in stages}
    return replace(settings, **kept)


def refuse_changes(
    folder: Path,
    manifest: Manifest,
    settings: Settings,
    parts: Sequence[Part],
    stages: Sequence[str],
) -> None:
    """Make sure that a run goes on with what it began with.

    Raises:
        UsageError: a setting of one of the `stages`, or an input, is not what it was.
    """
    new = settings.as_dict()
    ran = [name for name in stages if name in _ran(manifest)]
    recorded = {name: manifest["settings"].get(name, {}) for name in ran}
    different = changes(recorded, {name: new[name] for name in ran})
    old_parts = [entry["part"] for entry in manifest["inputs"]]
    names = {part.name for part in parts}
    gone = [name for name in old_parts if name not in names]
    fresh = [part.name for part in parts if part.name not in old_parts]
    # A mistyped name failed, and the right one takes its place.
    replaced = dropped(manifest, parts)
    different += [f"input {name} is gone" for name in gone if name not in replaced]
    different += [f"input {name} is new" for name in fresh[len(replaced) :]]
    different += [
        f"input {part.name} cannot be compared with what was read before"
        if STDIN in part.files
        else f"input {part.name} has changed"
        for part in parts
        if part.name in old_parts
        and (STDIN not in part.files or "detect" in stages)
        and _changed(folder, part)
    ]
    missing = lost(part for part in parts if part.name in fresh)
    if missing:
        raise UsageError(f"{missing[0]}: no such file")
    if different:
        raise UsageError(
            f"{folder} was made otherwise: {'; '.join(different)}. "
            f"{_remedy(folder, different)}, or choose another --out"
        )


def lost(parts: Iterable[Part]) -> list[str]:
    """Return the files that cannot be opened, as far as can be seen without reading them."""
    files = [path for part in parts for path in part.files]
    return [p for p in files if p != STDIN and not is_url(p) and not Path(p).exists()]


def _remedy(folder: Path, different: Sequence[str]) -> str:
    """Return what to type: where only later stages differ, the dump need not be read again."""
    stages = [stage for stage in STAGES for d in different if d.startswith(f"{stage}.")]
    if len(stages) < len(different) or stages[0] == STAGES[0]:
        return "Begin anew with --restart"
    return f"Redo from there with `wikibias {stages[0]} --restart {folder}` and its options"


def dropped(manifest: Manifest, parts: Sequence[Part]) -> list[str]:
    """Return the recorded parts that failed and are not among `parts` any more."""
    names = {part.name for part in parts}
    recorded = manifest["inputs"]
    return [e["part"] for e in recorded if e["error"] and e["part"] not in names]


def _changed(folder: Path, part: Part) -> bool:
    """Tell whether the input that was read is another one now; a failed one may be mended."""
    found = state(folder, "detect", part.name)
    if found is None or found.get("error"):
        return False
    if STDIN in part.files:
        # Nobody can look into a pipe twice, so what it holds now is taken for new.
        return True
    recorded = found.get("input") or {}
    if "files" not in recorded:
        return len(part.files) > 1 or _differs(recorded, Path(part.files[0]))
    if [file["name"] for file in recorded["files"]] != [file_name(path) for path in part.files]:
        return True
    return any(map(_differs, recorded["files"], map(Path, part.files)))


def _differs(recorded: Mapping[str, Any], path: Path) -> bool:
    if not path.exists():
        return False
    now = path.stat()
    if (now.st_size, now.st_mtime_ns) == (recorded.get("size"), recorded.get("mtime_ns")):
        return False
    if now.st_size != recorded.get("size") or recorded.get("sha256") is None:
        return True
    return sha256_file(path) != str(recorded["sha256"])


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
