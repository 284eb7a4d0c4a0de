"""How a run begins in a result folder: whose it is, what it holds, and what of that is kept."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from wikibias.dumps.parts import Part, is_stub
from wikibias.errors import UsageError
from wikibias.execution import engines
from wikibias.kits import files
from wikibias.kits.folders import refuse_links
from wikibias.messages import NO_TEXTS
from wikibias.pipeline import additions, manifest, outputs, resume, stages
from wikibias.pipeline.dispatch import Workers
from wikibias.pipeline.manifest import Manifest
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.stage import Stage

# Takes a line for the user.
NoteCallback = Callable[[str], None]
_TEXTS_STAY = (
    "The texts that the wiki was asked for stay in {}; `wikibias fetch --revisions {}` fills them "
    "in again, and asks only for others."
)


def no_note(line: str) -> None:
    """Show nothing."""


def refuse_request(
    folder: Path,
    parts: Sequence[Part],
    chosen: Sequence[Stage],
    workers: Workers,
    *,
    restart: bool,
    is_shard: bool,
) -> None:
    """Refuse what no run can do, before the folder is looked into.

    Raises:
        UsageError: there is no such engine; no input is there; or a shard is to do what takes all
            parts.
    """
    engines.check(workers.engine, workers.scheduler)
    if not chosen[0].reads:
        refuse_lost_inputs(folder, parts, restart=restart)
        if len(chosen) > 1:
            refuse_stubs(parts)
    if is_shard and (restart or not chosen[0].is_per_part):
        raise UsageError(
            "to start over, or to build the corpus, all parts are needed; run it without --shard"
        )


def open_folder(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    chosen: Sequence[Stage],
    *,
    restart: bool,
    own: Sequence[Part] | None = None,
    on_note: NoteCallback = no_note,
) -> tuple[Manifest | None, Settings]:
    """Make a folder ready for a run, which holds its lock.

    Args:
        folder: of the result.
        parts: all of the result.
        settings: those asked for.
        chosen: the stages to be done.
        restart: remove what they have written.
        own: the parts of a shard, while other shards may be writing theirs.
        on_note: takes a line that says what is added.

    Returns:
        Its manifest, None where there is none or nothing of it is kept; and the settings, with
        those recorded for the stages that are not chosen.

    Raises:
        UsageError: it holds the result of other settings, inputs or wikis.
    """
    refuse_links(folder, (table.name for stage in stages.STAGES for table in stage.writes))
    if own is None:
        outputs.remove_unfinished(folder, stages.STAGES, parts)
        files.remove_unfinished(folder, [manifest.NAME, outputs.PAGE_SPLITS])
    else:
        outputs.remove_unfinished(folder, stages.per_part(), own)
    found = before(folder, settings, parts, chosen, restart=restart)
    if restart:
        _clear(folder, chosen, parts)
        if not chosen[0].reads and (folder / outputs.REVISION_TEXTS).exists():
            on_note(_TEXTS_STAY.format(folder / outputs.REVISION_TEXTS, shlex.quote(str(folder))))
    if found is None:
        return None, settings
    settings = resume.with_labels(found, settings)
    if not restart:
        resume.refuse_changes(folder, found, settings, parts, chosen)
        if not chosen[0].reads:
            additions.refuse_other_wikis(folder, found, parts)
            additions.announce(folder, found, parts, on_note)
    better = [] if chosen[0].reads else resume.mended(folder, own or parts)
    # A shard leaves alone what may be another's.
    for name in [*(resume.dropped(found, parts) if own is None else ()), *better]:
        outputs.remove_of_part(folder, stages.per_part(), name)
    return found, resume.merged(folder, found, settings, chosen)


def refuse_stubs(parts: Sequence[Part]) -> None:
    """Refuse stub dumps where sentences are to be compared.

    Raises:
        UsageError: a part is one.
    """
    for part in parts:
        if is_stub(part):
            raise UsageError(f"{part.name} {NO_TEXTS}")


def refuse_lost_inputs(folder: Path, parts: Sequence[Part], *, restart: bool) -> None:
    """Write nothing, and throw nothing away, for inputs that are not there.

    Some that are missing among others are parts that fail: a mistyped name, a disk not mounted.

    Raises:
        UsageError: no input is there; or one is not that is to be read again.
    """
    lost = resume.lost(parts)
    if not lost:
        return
    if restart and (folder / manifest.NAME).exists():
        raise UsageError(f"{lost[0]}: no such file; {folder} is left as it was")
    if len(lost) == sum(len(part.files) for part in parts) and not folder.exists():
        raise UsageError(f"{lost[0]}: no such file")


def is_result(folder: Path) -> bool:
    """Return whether a folder holds a result: its manifest, a table of ours, or the ruins of both.

    A power failure may leave all files of a run that has just begun empty.
    """
    try:
        if manifest.load(folder) is not None:
            return True
    except manifest.DamagedManifestError:
        pass
    except UsageError:
        return outputs.is_ours(folder, stages.STAGES)
    known = {
        manifest.NAME,
        outputs.PAGE_SPLITS,
        outputs.REVISION_TEXTS,
        *(table.name for stage in stages.STAGES for table in stage.writes),
    }
    visible = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    begun = (folder / ".lock").is_file() and visible <= known
    return begun or outputs.is_ours(folder, stages.STAGES)


def before(
    folder: Path,
    settings: Settings,
    parts: Sequence[Part],
    chosen: Sequence[Stage],
    *,
    restart: bool,
) -> Manifest | None:
    """Return the manifest of a folder to go on in; None where the outputs alone are to be used.

    Raises:
        UsageError: it is none, or there is none and the outputs are of something else.
    """
    if restart and not chosen[0].reads:
        return None
    try:
        found = manifest.load(folder)
    except manifest.DamagedManifestError:
        if chosen[0].reads:
            raise
        found = None
    if found is None:
        resume.refuse_other(folder, settings, parts, chosen)
    return found


def _clear(folder: Path, chosen: Sequence[Stage], parts: Sequence[Part]) -> None:
    """Remove the output of the first chosen stage and of all that follow from it."""
    outputs.remove_all(folder, stages.STAGES[stages.STAGES.index(chosen[0]) :], parts)
    if not chosen[0].reads:
        (folder / manifest.NAME).unlink(missing_ok=True)
        (folder / outputs.PAGE_SPLITS).unlink(missing_ok=True)
