"""Whether a run may go on in a result folder: what is asked for, compared with its manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from wikibias.config.choices import LabelsBy
from wikibias.dumps.compression.streams import STDIN, sha256_file
from wikibias.dumps.parts import Part, file_name
from wikibias.dumps.web.remote import is_url
from wikibias.errors import UsageError
from wikibias.pipeline import stages
from wikibias.pipeline.manifest import Manifest, settings_of
from wikibias.pipeline.outputs import UNREADABLE, fingerprint, parts_in, recorded
from wikibias.pipeline.recorded_settings import changes
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.stage import LANGUAGE, Stage


def merged(
    folder: Path, manifest: Manifest, settings: Settings, chosen: Sequence[Stage]
) -> Settings:
    """Return the settings asked for, with those recorded for the stages not asked for."""
    old = settings_of(folder, manifest)
    asked = {stage.name for stage in chosen}
    kept = {name: getattr(old, name) for name in old.as_dict() if name not in asked}
    return replace(settings, **kept)


def with_labels(manifest: Manifest, settings: Settings) -> Settings:
    """Return settings with the recorded labels where none are asked for: a folder keeps them."""
    recorded = manifest["settings"].get("build", {}).get("labels")
    if settings.build.labels is not None or recorded not in get_args(LabelsBy):
        return settings
    return replace(settings, build=replace(settings.build, labels=recorded))


def refuse_changes(
    folder: Path,
    manifest: Manifest,
    settings: Settings,
    parts: Sequence[Part],
    chosen: Sequence[Stage],
) -> None:
    """Make sure that a run goes on with what it began with.

    Raises:
        UsageError: a setting of one of the stages, or an input, is not what it was.
    """
    missing = lost(fresh(manifest, parts))
    if missing:
        raise UsageError(f"{missing[0]}: no such file")
    different = [
        *_changed_settings(folder, manifest, settings, parts, chosen),
        *_changed_inputs(folder, manifest, parts, reads_dump=not chosen[0].reads),
    ]
    if different:
        # Only a command that reads the dump can write elsewhere.
        elsewhere = "" if chosen[0].reads else ", or choose another --out"
        raise UsageError(
            f"{folder} was made with other settings or inputs: {'; '.join(different)}. "
            f"{_remedy(folder, different)}{elsewhere}"
        )


def refuse_other(
    folder: Path, settings: Settings, parts: Sequence[Part], chosen: Sequence[Stage]
) -> None:
    """Make the same sure without a manifest, from what the outputs say of themselves.

    Raises:
        UsageError: an output was made with other settings, or from another input; or there are
            some of parts that are not asked for.
    """
    others = parts_in(folder, stages.STAGES[0]) - {part.name for part in parts}
    if others and not chosen[0].reads:
        raise UsageError(
            f"{folder} lost its manifest, and holds {min(others)} as well; name its dumps too, "
            "start over with --restart, or choose another --out"
        )
    for part in parts:
        for stage in chosen:
            found = recorded(folder, stage, part.name) if stage.is_per_part else None
            if found and found["settings"] != fingerprint(stage, settings):
                raise UsageError(
                    f"{folder} lost its manifest, and was made with other settings; give those "
                    "again, start over with --restart, or choose another --out"
                )
        if not chosen[0].reads and _changed(folder, part):
            raise UsageError(
                f"{folder} lost its manifest, and was made from other inputs: input {part.name} "
                "has changed. Start over with --restart, or choose another --out"
            )


def lost(parts: Iterable[Part]) -> list[str]:
    """Return the files that cannot be opened, as far as can be seen without reading them."""
    files = [path for part in parts for path in part.files]
    return [p for p in files if p != STDIN and not is_url(p) and not Path(p).exists()]


def dropped(manifest: Manifest, parts: Sequence[Part]) -> list[str]:
    """Return the recorded parts that failed and are not among `parts` any more."""
    names = {part.name for part in parts}
    recorded_parts = manifest["inputs"]
    return [e["part"] for e in recorded_parts if e.get("error") and e["part"] not in names]


def mended(folder: Path, parts: Sequence[Part]) -> list[str]:
    """Return the parts of which something could not be worked out, and whose input has changed."""
    # Last what reads the outputs of all stages, which of most parts nobody need know.
    return [part.name for part in parts if _changed(folder, part) and _is_imperfect(folder, part)]


def _is_imperfect(folder: Path, part: Part) -> bool:
    """Return whether something of a part is not in its outputs, so that a better input helps."""
    found = [recorded(folder, stage, part.name) or {} for stage in stages.per_part()]
    return any(facts.get(name) for facts in found for name in UNREADABLE)


def fresh(manifest: Manifest, parts: Sequence[Part]) -> list[Part]:
    """Return the parts that a manifest does not list."""
    known = {entry["part"] for entry in manifest["inputs"]}
    return [part for part in parts if part.name not in known]


def _changed_settings(
    folder: Path,
    manifest: Manifest,
    settings: Settings,
    parts: Sequence[Part],
    chosen: Sequence[Stage],
) -> list[str]:
    """Return the changed settings of those stages that are done on some part at least."""
    new, old = settings.as_dict(), manifest["settings"]
    names = [
        stage.name
        for stage in chosen
        if stage.name in new and _is_begun(folder, manifest, parts, stage)
    ]
    # Labels that are asked for later are written beside what is there.
    old = {**old, "build": {**old.get("build", {}), "labels": settings.build.labels}}
    return changes({name: old.get(name, {}) for name in names}, {name: new[name] for name in names})


def _is_begun(folder: Path, manifest: Manifest, parts: Sequence[Part], stage: Stage) -> bool:
    if stage.files:
        return bool(manifest["corpus"])
    # The outputs themselves tell: a manifest that shards work by is not up to date.
    return any(recorded(folder, stage, part.name) is not None for part in parts)


def _changed_inputs(
    folder: Path, manifest: Manifest, parts: Sequence[Part], *, reads_dump: bool
) -> list[str]:
    names = {part.name for part in parts}
    # A mistyped name failed, and the right one takes its place.
    left_out = set(dropped(manifest, parts))
    gone = [e["part"] for e in manifest["inputs"] if e["part"] not in names | left_out]
    different = [f"input {name} is gone" for name in gone]
    old = names - {part.name for part in fresh(manifest, parts)}
    for part in parts:
        piped = STDIN in part.files
        compared = part.name in old and (reads_dump or not piped)
        # Last, since it reads the outputs of all stages, which of most parts nobody need know.
        if compared and _changed(folder, part) and not _is_imperfect(folder, part):
            how = "cannot be compared with what was read before" if piped else "has changed"
            different.append(f"input {part.name} {how}")
    return different


def _remedy(folder: Path, different: Sequence[str]) -> str:
    """Return what to type: where only later stages differ, the dump need not be read again."""
    names = [s.name for s in stages.STAGES for d in different if d.startswith(f"{s.name}.")]
    if any(LANGUAGE in d for d in different):
        return "Start over with --restart"
    if len(names) < len(different) or names[0] == stages.STAGES[0].name:
        return "Start over with --restart"
    return f"Redo from there with `wikibias {names[0]} --restart {folder}` and its options"


def _changed(folder: Path, part: Part) -> bool:
    """Return whether the input is no longer the one that was read; a failed one may change."""
    found = recorded(folder, stages.STAGES[0], part.name)
    if found is None or found.get("error"):
        return False
    if STDIN in part.files:
        # Nobody can look into a pipe twice, so what it holds now is taken for new.
        return True
    known = found.get("input") or {}
    if "files" not in known:
        return len(part.files) > 1 or _differs(known, Path(part.files[0]))
    if [file["name"] for file in known["files"]] != [file_name(path) for path in part.files]:
        return True
    return any(map(_differs, known["files"], map(Path, part.files)))


def _differs(known: Mapping[str, Any], path: Path) -> bool:
    # A pipe cannot be read twice.
    if not path.is_file():
        return path.exists()
    now = path.stat()
    if (now.st_size, now.st_mtime_ns) == (known.get("size"), known.get("mtime_ns")):
        return False
    if now.st_size != known.get("size") or known.get("sha256") is None:
        return True
    return _checksum(path, now.st_size, now.st_mtime_ns) != str(known["sha256"])


@lru_cache(1 << 14)
def _checksum(path: Path, size: int, mtime_ns: int) -> str:
    """Return the checksum of a file of this size and time; a run asks for it more than once."""
    return sha256_file(path)
