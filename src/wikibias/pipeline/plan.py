"""Plans of runs: whose a result folder is, what of it is kept, and what is to be done."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from wikibias.config.choices import LabelsBy
from wikibias.dumps.compression.streams import STDIN, sha256_file
from wikibias.dumps.parts import COMPRESSION, Part, file_name, in_order, is_stub
from wikibias.dumps.web.remote import is_url
from wikibias.errors import DumpError, FetchError, UsageError
from wikibias.execution import engines
from wikibias.kits import files
from wikibias.kits.folders import refuse_foreign, refuse_links
from wikibias.messages import NO_TEXTS, counted
from wikibias.pipeline import manifest, outputs, stages
from wikibias.pipeline.dispatch import Shard, Workers
from wikibias.pipeline.manifest import Manifest, settings_of
from wikibias.pipeline.outputs import UNREADABLE, fingerprint, parts_in, recorded
from wikibias.pipeline.settings import Settings, changes, labels_of
from wikibias.pipeline.stages import LANGUAGE, Stage


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
    missing = missing_files(new_parts(manifest, parts))
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


def missing_files(parts: Iterable[Part]) -> list[str]:
    """Return the files that cannot be opened, as far as can be seen without reading them."""
    files = [path for part in parts for path in part.files]
    return [p for p in files if p != STDIN and not is_url(p) and not Path(p).exists()]


def dropped_parts(manifest: Manifest, parts: Sequence[Part]) -> list[str]:
    """Return the recorded parts that failed and are not among `parts` any more."""
    names = {part.name for part in parts}
    recorded_parts = manifest["inputs"]
    return [e["part"] for e in recorded_parts if e.get("error") and e["part"] not in names]


def improved_parts(folder: Path, parts: Sequence[Part]) -> list[str]:
    """Return the parts of which something could not be worked out, and whose input has changed."""
    # Last what reads the outputs of all stages, which of most parts nobody need know.
    return [part.name for part in parts if _changed(folder, part) and _is_imperfect(folder, part)]


def _is_imperfect(folder: Path, part: Part) -> bool:
    """Return whether something of a part is not in its outputs, so that a better input helps."""
    found = [recorded(folder, stage, part.name) or {} for stage in stages.per_part()]
    return any(facts.get(name) for facts in found for name in UNREADABLE)


def new_parts(manifest: Manifest, parts: Sequence[Part]) -> list[Part]:
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
    left_out = set(dropped_parts(manifest, parts))
    gone = [e["part"] for e in manifest["inputs"] if e["part"] not in names | left_out]
    different = [f"input {name} is gone" for name in gone]
    old = names - {part.name for part in new_parts(manifest, parts)}
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


def with_recorded(folder: Path, given: Sequence[Part]) -> list[Part]:
    """Return the parts that a folder holds and those given, in the order of their names.

    A recorded part that failed is left out where its file is gone, or where one that is given
    holds the same in another compression.

    Raises:
        UsageError: the manifest cannot be read; or standard input, recorded but not read to its
            end, is not given again.
    """
    try:
        before = manifest.load(folder)
    except manifest.DamagedManifestError:
        return list(given)
    if before is None:
        return list(given)
    names = {part.name for part in given}
    contents = {COMPRESSION.sub("", name) for name in names}
    kept = []
    for part, entry in zip(manifest.parts_of(before), before["inputs"], strict=True):
        replaced = COMPRESSION.sub("", part.name) in contents or missing_files([part])
        if part.name in names or (entry.get("error") and replaced):
            continue
        if STDIN in part.files and recorded(folder, stages.STAGES[0], part.name) is None:
            raise UsageError(
                f"{folder}: standard input was not read to its end; give - with the same input "
                "again, or start over with --restart"
            )
        kept.append(part)
    return in_order([*kept, *given]) if kept else list(given)


def refuse_other_wikis(folder: Path, before: Manifest, parts: Sequence[Part]) -> None:
    """Refuse a new part of a wiki that a folder holds nothing of; a look at its head tells.

    What cannot be looked at twice or is on a server is not looked at.

    Raises:
        UsageError: it is of another wiki.
    """
    new, known = new_parts(before, parts), set[str]()
    for part in manifest.parts_of(before) if new else ():
        facts = recorded(folder, stages.STAGES[0], part.name)
        if facts and facts.get("wiki"):
            known.add(facts["wiki"])
    for part in new if known else ():
        wiki = wiki_of(part)
        if wiki is not None and wiki not in known:
            raise UsageError(
                f"{part.files[0]} is a dump of {wiki}, and {folder} holds "
                f"{' and '.join(sorted(known))}; choose another --out"
            )


def wiki_of(part: Part) -> str | None:
    """Return the wiki that a part on this machine is of; None where it cannot be told."""
    path = part.files[0]
    if path == STDIN or is_url(path) or not Path(path).is_file():
        return None
    # Only where a part is added: the command line shall begin soon.
    from wikibias.dumps.sources import open_dump  # noqa: PLC0415
    from wikibias.dumps.xml import fast_reader  # noqa: PLC0415

    try:
        with open_dump(Part(part.name, (path,)), fast_reader.read) as (dump, _):
            return dump.site.wiki
    except (DumpError, FetchError, OSError):
        return None


def announce(
    folder: Path, before: Manifest, parts: Sequence[Part], on_note: Callable[[str], None]
) -> None:
    """Say what is added, and what is left out because it failed and is not there any more."""
    new = len(new_parts(before, parts))
    left_out = dropped_parts(before, parts)
    old = len(before["inputs"]) - len(left_out)
    if new and old:
        on_note(f"Adds {counted(new, 'part')} to the {old:,} of {folder}.")
    for name in left_out:
        on_note(f"Leaves out {name}, which failed.")


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
    found = earlier_manifest(folder, settings, parts, chosen, restart=restart)
    if restart:
        _clear(folder, chosen, parts)
        if not chosen[0].reads and (folder / outputs.REVISION_TEXTS).exists():
            on_note(_TEXTS_STAY.format(folder / outputs.REVISION_TEXTS, shlex.quote(str(folder))))
    if found is None:
        return None, settings
    settings = with_labels(found, settings)
    if not restart:
        refuse_changes(folder, found, settings, parts, chosen)
        if not chosen[0].reads:
            refuse_other_wikis(folder, found, parts)
            announce(folder, found, parts, on_note)
    better = [] if chosen[0].reads else improved_parts(folder, own or parts)
    # A shard leaves alone what may be another's.
    for name in [*(dropped_parts(found, parts) if own is None else ()), *better]:
        outputs.remove_of_part(folder, stages.per_part(), name)
    return found, merged(folder, found, settings, chosen)


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
    gone = missing_files(parts)
    if not gone:
        return
    if restart and (folder / manifest.NAME).exists():
        raise UsageError(f"{gone[0]}: no such file; {folder} is left as it was")
    if len(gone) == sum(len(part.files) for part in parts) and not folder.exists():
        raise UsageError(f"{gone[0]}: no such file")


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


def earlier_manifest(
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
        refuse_other(folder, settings, parts, chosen)
    return found


def _clear(folder: Path, chosen: Sequence[Stage], parts: Sequence[Part]) -> None:
    """Remove the output of the first chosen stage and of all that follow from it."""
    outputs.remove_all(folder, stages.STAGES[stages.STAGES.index(chosen[0]) :], parts)
    if not chosen[0].reads:
        (folder / manifest.NAME).unlink(missing_ok=True)
        (folder / outputs.PAGE_SPLITS).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Plan:
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


def plan_run(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    chosen: Sequence[Stage],
    *,
    restart: bool,
    shard: Shard | None,
    workers: Workers,
) -> Plan:
    """Return what `runner.run` would do with the same arguments.

    Raises:
        UsageError: it would refuse them.
    """
    is_shard = shard is not None
    refuse_request(folder, parts, chosen, workers, restart=restart, is_shard=is_shard)
    refuse_foreign(folder, is_result)
    refuse_links(folder, (table.name for stage in stages.STAGES for table in stage.writes))
    if chosen[0].files:
        refuse_build(folder, parts, settings)
    exists = folder.is_dir() and any(folder.iterdir())
    earlier = earlier_manifest(folder, settings, parts, chosen, restart=restart)
    again: set[str] = set()
    if earlier is not None:
        settings = with_labels(earlier, settings)
        if not restart:
            refuse_changes(folder, earlier, settings, parts, chosen)
            if not chosen[0].reads:
                refuse_other_wikis(folder, earlier, parts)
        if not chosen[0].reads:
            again.update(improved_parts(folder, parts))
        settings = merged(folder, earlier, settings, chosen)
    own = list(parts) if shard is None else shard.of_parts(parts)
    per_part = [stage for stage in chosen if stage.is_per_part]
    todo = dict(stages_to_do(folder, own, settings, chosen))
    todo |= {part.name: per_part for part in own if per_part and (restart or part.name in again)}
    kept = not todo and kept_corpus(folder, earlier, parts, labels_of(settings)) is not None
    builds = any(stage.files for stage in chosen) and shard is None and (restart or not kept)
    done = [stage for stage in per_part if any(stage in wanted for wanted in todo.values())]
    cleared = stages.STAGES[stages.STAGES.index(chosen[0]) :] if restart and exists else []
    return Plan(
        own,
        todo,
        builds,
        [table.name for stage in cleared for table in stage.writes if _holds(folder, table.name)],
        [table.name for stage in done for table in stage.writes],
        exists,
    )


def _holds(folder: Path, table: str) -> bool:
    return (folder / table).is_dir() and any((folder / table).iterdir())


def refuse_build(folder: Path, parts: Sequence[Part], settings: Settings) -> None:
    """Refuse a corpus that cannot be built, before the one that is there is removed.

    Raises:
        UsageError: the edits that it takes were not looked for, or none is kept.
    """
    from wikibias.pipeline.build import refuse  # noqa: PLC0415 (see `_do_stages`)
    from wikibias.pipeline.jobs import CorpusJob  # noqa: PLC0415

    if all(outputs.recorded(folder, stage, p.name) for stage in stages.per_part() for p in parts):
        job = CorpusJob(folder, parts, settings, {})
        refuse(job)


def kept_corpus(
    folder: Path, before: Manifest | None, parts: Sequence[Part], labels: LabelsBy | None = None
) -> dict[str, Any] | None:
    """Return what a manifest says of the corpus, where it was made of these parts as they are.

    It has such labels as are asked for, too.
    A run that was killed may have taken rows out of their tables since.
    """
    entries = {entry["part"]: entry for entry in (before or {}).get("inputs", ())}
    if [part.name for part in parts] != [*entries]:
        return None
    labelled = ((before or {}).get("corpus") or {}).get("labelled") or {}
    if labelled.get("by") != labels:
        return None
    for part in parts:
        facts = outputs.recorded(folder, stages.STAGES[0], part.name) or {}
        if facts.get("superseded", {}) != entries[part.name].get("superseded", {}):
            return None
    return manifest.corpus_of(folder, before, compare=True)


def stages_to_do(
    folder: Path, parts: Sequence[Part], settings: Settings, chosen: Sequence[Stage]
) -> dict[str, list[Stage]]:
    """Return the stages to be done, by the name of each part that is not done yet.

    Raises:
        UsageError: a part has not been through an earlier stage.
    """
    todo: dict[str, list[Stage]] = {}
    for part in parts:
        missing = outputs.first_missing(folder, part.name, stages.per_part(), settings, chosen)
        wanted = [stage for stage in missing if stage in chosen]
        if missing and missing[0] not in chosen and _follows(chosen[-1], missing[0]):
            raise UsageError(
                f"{part.name} has not been through `wikibias {missing[0].name}` yet; run that first"
            )
        if wanted:
            todo[part.name] = wanted
    return todo


def _follows(stage: Stage, other: Stage) -> bool:
    return stages.STAGES.index(stage) > stages.STAGES.index(other)
