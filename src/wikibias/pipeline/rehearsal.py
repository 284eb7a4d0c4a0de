"""What a run would do, asked as a run asks it; nothing is written, and no dump is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wikibias.dumps.parts import Part
from wikibias.kits.folders import refuse_foreign, refuse_links
from wikibias.pipeline import additions, opening, resume, runner, stages
from wikibias.pipeline.dispatch import Workers
from wikibias.pipeline.loaded_settings import labels_of
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.shard import Shard
from wikibias.pipeline.stage import Stage


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a run would do.

    Args:
        parts: those that it looks at, in order.
        todo: by the name of a part, the stages to be done on it; none of one that is done.
        builds: whether the corpus is to be built.
        removes: the folders whose content is removed first.
        tables: the folders that tables are written into.
        exists: whether the result folder holds a result already.
    """

    parts: Sequence[Part]
    todo: Mapping[str, Sequence[Stage]]
    builds: bool
    removes: Sequence[str]
    tables: Sequence[str]
    exists: bool


def rehearse(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    chosen: Sequence[Stage],
    *,
    restart: bool,
    shard: Shard | None,
    workers: Workers,
) -> Rehearsal:
    """Return what `runner.run` would do with the same arguments.

    Raises:
        UsageError: it would refuse them.
    """
    is_shard = shard is not None
    opening.refuse_request(folder, parts, chosen, workers, restart=restart, is_shard=is_shard)
    refuse_foreign(folder, opening.is_result)
    refuse_links(folder, (table.name for stage in stages.STAGES for table in stage.writes))
    if chosen[0].files:
        runner.refuse_build(folder, parts, settings)
    exists = folder.is_dir() and any(folder.iterdir())
    before = opening.before(folder, settings, parts, chosen, restart=restart)
    again: set[str] = set()
    if before is not None:
        settings = resume.with_labels(before, settings)
        if not restart:
            resume.refuse_changes(folder, before, settings, parts, chosen)
            if not chosen[0].reads:
                additions.refuse_other_wikis(folder, before, parts)
        if not chosen[0].reads:
            again.update(resume.mended(folder, parts))
        settings = resume.merged(folder, before, settings, chosen)
    own = list(parts) if shard is None else shard.of_parts(parts)
    per_part = [stage for stage in chosen if stage.is_per_part]
    todo = dict(runner.missing(folder, own, settings, chosen))
    todo |= {part.name: per_part for part in own if per_part and (restart or part.name in again)}
    kept = not todo and runner.kept_corpus(folder, before, parts, labels_of(settings)) is not None
    builds = any(stage.files for stage in chosen) and shard is None and (restart or not kept)
    done = [stage for stage in per_part if any(stage in wanted for wanted in todo.values())]
    cleared = stages.STAGES[stages.STAGES.index(chosen[0]) :] if restart and exists else []
    return Rehearsal(
        own,
        todo,
        builds,
        [table.name for stage in cleared for table in stage.writes if _holds(folder, table.name)],
        [table.name for stage in done for table in stage.writes],
        exists,
    )


def _holds(folder: Path, table: str) -> bool:
    return (folder / table).is_dir() and any((folder / table).iterdir())
