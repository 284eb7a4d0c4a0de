"""Whether a run may go on in a result folder: what is asked for, compared with its manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wikibias.dumps.compression.streams import STDIN, sha256_file
from wikibias.dumps.parts import Part, file_name
from wikibias.dumps.web.remote import is_url
from wikibias.errors import UsageError
from wikibias.pipeline.layout import state
from wikibias.pipeline.manifest import Manifest, settings_of
from wikibias.pipeline.settings import STAGES, Settings, changes


def ran(manifest: Manifest) -> set[str]:
    """Return the stages that have run on some part at least."""
    ran = {stage for entry in manifest["inputs"] for stage in entry["stages"]}
    return ran | ({"build"} if manifest["corpus"] else set())


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
    run_before = [name for name in stages if name in ran(manifest)]
    recorded = {name: manifest["settings"].get(name, {}) for name in run_before}
    different = changes(recorded, {name: new[name] for name in run_before})
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
