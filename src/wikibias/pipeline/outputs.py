"""What stages have written into a result folder: what it says of itself, and removing it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from wikibias.dumps.parts import Part
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.stage import Stage, fingerprint, output
from wikibias.storage import atomic, parquet


def recorded(folder: Path, stage: Stage, part: str) -> dict[str, Any] | None:
    """Return what a stage's output of a part says of itself, or None where it is not complete.

    That is the fingerprint of its `settings`, what the stage has counted, and `error` where the
    part is damaged.
    """
    found = [parquet.read_meta(output(folder, table.name, part)) for table in stage.writes]
    return None if None in found else found[-1]


def recorded_with(
    folder: Path, stage: Stage, part: str, settings: Settings
) -> dict[str, Any] | None:
    """Return the same, or None where the output was made with other settings."""
    found = recorded(folder, stage, part)
    made_so = found is not None and found.get("settings") == fingerprint(stage, settings)
    return found if made_so else None


def first_missing(
    folder: Path,
    part: str,
    stages: Sequence[Stage],
    settings: Settings,
    asked: Sequence[Stage] = (),
) -> list[Stage]:
    """Return those of the `stages` per part, from the first that is not done with these settings.

    What a damaged part held is done, except for a run that is `asked` to read it again.
    """
    for number, stage in enumerate(stages):
        found = recorded_with(folder, stage, part, settings)
        if found is None or (stage in asked and found.get("error")):
            return list(stages[number:])
    return []


def remove_unfinished(folder: Path, stages: Sequence[Stage], parts: Sequence[Part]) -> None:
    """Remove what interrupted runs have left half-written of some parts and of the manifest."""
    names = [output(folder, "", part.name).name for part in parts]
    for stage in stages:
        for table in stage.writes:
            atomic.remove_unfinished(folder / table.name, names if stage.is_per_part else None)
    atomic.remove_unfinished(folder, ["manifest.json"])


def remove_of_part(folder: Path, stages: Sequence[Stage], part: str) -> None:
    """Remove what some stages have written of one part."""
    for stage in stages:
        for table in stage.writes:
            output(folder, table.name, part).unlink(missing_ok=True)


def remove_all(folder: Path, stages: Sequence[Stage]) -> None:
    """Remove what some stages have written, and nothing else."""
    for stage in stages:
        for table in stage.writes:
            for path in (folder / table.name).glob("*.parquet") if stage.is_per_part else ():
                path.unlink(missing_ok=True)
        for name in stage.files:
            (folder / name).unlink(missing_ok=True)
        for table in stage.writes:
            with suppress(OSError):
                (folder / table.name).rmdir()
