"""Plans of runs: whose a result folder is, what of it is kept, and what is to be done."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from wikibias.config.choices import LabelsBy, no_texts
from wikibias.dumps.compression.streams import STDIN, is_url
from wikibias.dumps.parts import COMPRESSION, Part, file_name, in_order, is_stub
from wikibias.errors import DumpError, FetchError, UsageError, counted, quoted
from wikibias.execution import engines
from wikibias.kits import files, folders
from wikibias.pipeline import dispatch, jobs, manifest, stages
from wikibias.pipeline.settings import Settings, changes, labels_of
from wikibias.pipeline.stages import LANGUAGE, Stage

_TEXTS_STAY = (
    "The texts that the wiki was asked for stay in {}; `wikibias fetch --revisions {}` fills them "
    "in again, and asks only for others."
)
_START_OVER = "start over with --restart, or choose another --out"


@dataclass(frozen=True, slots=True)
class Request:
    """What a run is to do in a result folder.

    Attributes:
        folder: of the result.
        parts: all parts of the result, in order; see `with_recorded`.
        settings: those of the stages that are not chosen are taken from the manifest.
        chosen: stages that follow one another.
        restart: remove what they have written, and what follows from it.
        shard: do only these parts, and no stage over all parts; other shards may run meanwhile.
    """

    folder: Path
    parts: Sequence[Part]
    settings: Settings
    chosen: Sequence[Stage] = tuple(stages.STAGES)
    restart: bool = False
    shard: dispatch.Shard | None = None

    @property
    def reads_dumps(self) -> bool:
        """Whether the first stage does, and so begins a folder."""
        return not self.chosen[0].reads

    @property
    def own(self) -> Sequence[Part]:
        """The parts to be done: all, or those of the shard."""
        return self.parts if self.shard is None else self.shard.of_parts(self.parts)

    @property
    def per_part(self) -> list[Stage]:
        """The chosen stages that work on one part."""
        return [stage for stage in self.chosen if stage.is_per_part]

    @property
    def following(self) -> Sequence[Stage]:
        """The first chosen stage, and all that follow from it."""
        return stages.STAGES[stages.STAGES.index(self.chosen[0]) :]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would do.

    Attributes:
        request: what is asked for.
        before: the manifest of the folder; None where nothing of it is kept.
        settings: with those recorded for the stages that are not chosen.
        todo: by the name of a part, the stages to be done on it; none of one that is done.
        again: the parts whose outputs are removed, since their input is better now.
        corpus: what the manifest says of the corpus, where it stays.
        notes: what to tell of it.
    """

    request: Request
    before: manifest.Manifest | None
    settings: Settings
    todo: Mapping[str, Sequence[Stage]]
    again: Sequence[str]
    corpus: dict[str, Any] | None
    notes: Sequence[str] = ()

    @property
    def builds(self) -> bool:
        """Whether the corpus is to be built."""
        wanted = self.request.shard is None and any(stage.files for stage in self.request.chosen)
        return wanted and self.corpus is None

    @property
    def is_new(self) -> bool:
        """Whether the result folder is not there yet, or empty."""
        return not _holds(self.request.folder)

    @property
    def removes(self) -> list[str]:
        """The folders whose content is removed first."""
        cleared = self.request.following if self.request.restart else ()
        names = (table.name for stage in cleared for table in stage.writes)
        return [name for name in names if _holds(self.request.folder / name)]

    @property
    def tables(self) -> list[str]:
        """The folders that tables are written into."""
        done = {stage.name for wanted in self.todo.values() for stage in wanted}
        per_part = self.request.per_part
        return [table.name for s in per_part if s.name in done for table in s.writes]

    def prepare(self) -> None:
        """Remove what is not kept; for a run that holds the folder's lock."""
        asked = self.request
        folder = asked.folder
        if asked.shard is None:
            jobs.remove_unfinished(folder, stages.STAGES, asked.parts)
            files.remove_unfinished(folder, [manifest.NAME, jobs.PAGE_SPLITS, folders.CARD])
        else:
            jobs.remove_unfinished(folder, stages.per_part(), asked.own)
        if asked.restart:
            jobs.remove_all(folder, asked.following, asked.parts)
            if asked.reads_dumps:
                (folder / manifest.NAME).unlink(missing_ok=True)
                (folder / jobs.PAGE_SPLITS).unlink(missing_ok=True)
        for name in self.again:
            jobs.remove_of_part(folder, stages.per_part(), name)


def refuse_request(asked: Request, workers: dispatch.Workers) -> None:
    """Refuse what no run can do, before the folder is locked.

    Raises:
        UsageError: there is no such engine; no input is there; a shard is to do what takes all
            parts; or the folder is not ours.
    """
    engines.check(workers.engine, workers.scheduler)
    if asked.reads_dumps:
        refuse_lost_inputs(asked.folder, asked.parts, restart=asked.restart)
        for part in asked.parts if len(asked.chosen) > 1 else ():
            if is_stub(part):
                raise UsageError(f"{part.name} {no_texts(asked.settings.detect.signal)}")
    if asked.shard is not None and (asked.restart or not asked.chosen[0].is_per_part):
        raise UsageError(
            "to start over, or to build the corpus, all parts are needed; run it without --shard"
        )
    folders.refuse_foreign(asked.folder, is_result)


def plan_run(asked: Request) -> Plan:
    """Return what a run would do; nothing is written.

    Raises:
        UsageError: the folder holds the result of other settings, inputs or wikis; a part has not
            been through an earlier stage; or the corpus cannot be built.
    """
    folder, settings = asked.folder, asked.settings
    if asked.chosen[0].files:
        _refuse_build(asked)
    folders.refuse_links(folder, (table.name for stage in stages.STAGES for table in stage.writes))
    before = _manifest(asked)
    again: list[str] = []
    notes: list[str] = []
    if before is not None:
        settings = _with_labels(before, settings)
        asked = replace(asked, settings=settings)
        if not asked.restart:
            _refuse_changes(asked, before)
            if asked.reads_dumps:
                _refuse_other_wikis(asked, before)
                notes += _news(asked, before)
        # A shard leaves alone what may be another's.
        again += dropped_parts(before, asked.parts) if asked.shard is None else ()
        if asked.reads_dumps:
            # Last what reads the outputs of all stages, which of most parts nobody need know.
            again += [p.name for p in asked.own if _changed(folder, p) and _is_imperfect(folder, p)]
        old = manifest.settings_of(folder, before)
        names = {stage.name for stage in asked.chosen}
        kept = {name: getattr(old, name) for name in old.as_dict() if name not in names}
        settings = replace(settings, **kept)
    elif asked.restart and asked.reads_dumps and (folder / jobs.REVISION_TEXTS).exists():
        notes.append(_TEXTS_STAY.format(folder / jobs.REVISION_TEXTS, quoted(str(folder))))
    todo = _to_do(asked, settings, again)
    is_kept = not todo and not (asked.restart and asked.shard is None)
    corpus = _kept_corpus(asked, before, labels_of(settings)) if is_kept else None
    return Plan(asked, before, settings, todo, again, corpus, notes)


def _to_do(asked: Request, settings: Settings, again: Sequence[str]) -> dict[str, list[Stage]]:
    todo: dict[str, list[Stage]] = {}
    last = stages.STAGES.index(asked.chosen[-1])
    for part in asked.own:
        missing = jobs.first_missing(asked.folder, part.name, settings, asked.chosen)
        wanted = [stage for stage in missing if stage in asked.chosen]
        if missing and missing[0] not in asked.chosen and stages.STAGES.index(missing[0]) < last:
            raise UsageError(
                f"{part.name} has not been through `wikibias {missing[0].name}` yet; run that first"
            )
        if asked.restart or part.name in again:
            wanted = asked.per_part
        if wanted:
            todo[part.name] = wanted
    return todo


def is_result(folder: Path) -> bool:
    """Return whether a folder holds a result: its manifest, a table of ours, or the ruins of both.

    A power failure may leave all files of a run that has just begun empty.
    """
    with suppress(UsageError):
        if manifest.load(folder) is not None:
            return True
    known = {
        manifest.NAME,
        jobs.PAGE_SPLITS,
        jobs.REVISION_TEXTS,
        *(table.name for stage in stages.STAGES for table in stage.writes),
    }
    visible = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    begun = (folder / ".lock").is_file() and visible <= known
    return begun or jobs.is_ours(folder)


def with_recorded(folder: Path, given: Sequence[Part]) -> list[Part]:
    """Return the parts that a folder holds and those given, in the order of their names.

    A recorded part that failed is left out where its file is gone or is no dump, or where one that
    is given holds the same in another compression.

    Raises:
        UsageError: the manifest cannot be read; or standard input, recorded but not read to its
            end, is not given again.
    """
    before = None
    with suppress(manifest.DamagedManifestError):
        before = manifest.load(folder)
    if before is None:
        return list(given)
    names = {part.name for part in given}
    contents = {COMPRESSION.sub("", name) for name in names}
    kept = []
    for part, entry in zip(manifest.parts_of(before), before["inputs"], strict=True):
        replaced = COMPRESSION.sub("", part.name) in contents or missing_files([part])
        is_none = (entry.get("error") or "").startswith("is no MediaWiki export")
        if part.name in names or is_none or (entry.get("error") and replaced):
            continue
        if STDIN in part.files and jobs.recorded(folder, stages.STAGES[0], part.name) is None:
            raise UsageError(
                f"{folder}: standard input was not read to its end; give - with the same input "
                "again, or start over with --restart"
            )
        kept.append(part)
    return in_order([*kept, *given]) if kept else list(given)


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


def missing_files(parts: Iterable[Part]) -> list[str]:
    """Return the files that cannot be opened, as far as can be seen without reading them."""
    found = [path for part in parts for path in part.files]
    return [p for p in found if p != STDIN and not is_url(p) and not Path(p).exists()]


def dropped_parts(before: manifest.Manifest, parts: Sequence[Part]) -> list[str]:
    """Return the recorded parts that failed and are not among `parts` any more."""
    names = {part.name for part in parts}
    return [e["part"] for e in before["inputs"] if e.get("error") and e["part"] not in names]


def _new_parts(asked: Request, before: manifest.Manifest) -> list[Part]:
    known = {entry["part"] for entry in before["inputs"]}
    return [part for part in asked.parts if part.name not in known]


def _news(asked: Request, before: manifest.Manifest) -> Iterator[str]:
    """Yield what is added, and what is left out because it failed and is not there any more."""
    new, left_out = len(_new_parts(asked, before)), dropped_parts(before, asked.parts)
    old = len(before["inputs"]) - len(left_out)
    if new and old:
        yield f"Adds {counted(new, 'part')} to the {old:,} of {asked.folder}."
    yield from (f"Leaves out {name}, which failed." for name in left_out)


def _with_labels(before: manifest.Manifest, settings: Settings) -> Settings:
    """Return settings with the recorded labels where none are asked for: a folder keeps them."""
    labels = before["settings"].get("build", {}).get("labels")
    if settings.build.labels is not None or labels not in get_args(LabelsBy):
        return settings
    return replace(settings, build=replace(settings.build, labels=labels))


def _manifest(asked: Request) -> manifest.Manifest | None:
    """Return the manifest of a folder to go on in; None where the outputs alone are to be used.

    Raises:
        UsageError: it is none, or there is none and the outputs are of something else.
    """
    if asked.restart and asked.reads_dumps:
        return None
    try:
        found = manifest.load(asked.folder)
    except manifest.DamagedManifestError:
        if not asked.reads_dumps:
            raise
        found = None
    if found is None and (other := next(_other_outputs(asked), "")):
        raise UsageError(f"{asked.folder} lost its manifest, and {other}, {_START_OVER}")
    return found


def _refuse_changes(asked: Request, before: manifest.Manifest) -> None:
    """Make sure that a run goes on with what it began with.

    Raises:
        UsageError: a setting of one of the stages, or an input, is not what it was.
    """
    missing = missing_files(_new_parts(asked, before))
    if missing:
        raise UsageError(f"{missing[0]}: no such file")
    different = [*_changed_settings(asked, before), *_changed_inputs(asked, before)]
    if different:
        # Only a command that reads the dump can write elsewhere.
        elsewhere = ", or choose another --out" if asked.reads_dumps else ""
        raise UsageError(
            f"{asked.folder} was made with other settings or inputs: {'; '.join(different)}. "
            f"{_remedy(asked.folder, different)}{elsewhere}"
        )


def _changed_settings(asked: Request, before: manifest.Manifest) -> list[str]:
    """Return the changed settings of those stages that are done on some part at least."""
    new, old = asked.settings.as_dict(), before["settings"]
    names = [s.name for s in asked.chosen if s.name in new and _is_begun(asked, before, s)]
    # Labels that are asked for later are written beside what is there.
    old = {**old, "build": {**old.get("build", {}), "labels": asked.settings.build.labels}}
    return changes({name: old.get(name, {}) for name in names}, {name: new[name] for name in names})


def _is_begun(asked: Request, before: manifest.Manifest, stage: Stage) -> bool:
    if stage.files:
        return bool(before["corpus"])
    # The outputs themselves tell: a manifest that shards work by is not up to date.
    return any(jobs.recorded(asked.folder, stage, part.name) is not None for part in asked.parts)


def _changed_inputs(asked: Request, before: manifest.Manifest) -> Iterator[str]:
    names = {part.name for part in asked.parts}
    # A mistyped name failed, and the right one takes its place.
    left_out = {*names, *dropped_parts(before, asked.parts)}
    known = {entry["part"] for entry in before["inputs"]}
    yield from (f"input {e['part']} is gone" for e in before["inputs"] if e["part"] not in left_out)
    for part in asked.parts:
        piped = STDIN in part.files
        compared = part.name in known and (asked.reads_dumps or not piped)
        # Last, since it reads the outputs of all stages, which of most parts nobody need know.
        if compared and _changed(asked.folder, part) and not _is_imperfect(asked.folder, part):
            how = "cannot be compared with what was read before" if piped else "has changed"
            yield f"input {part.name} {how}"


def _remedy(folder: Path, different: Sequence[str]) -> str:
    """Return what to type: where only later stages differ, the dump need not be read again."""
    names = [s.name for s in stages.STAGES for d in different if d.startswith(f"{s.name}.")]
    first = stages.STAGES[0].name
    if any(LANGUAGE in d for d in different) or len(names) < len(different) or names[0] == first:
        return "Start over with --restart"
    # Who only forgot an option wants what stands on the left.
    how = f"Redo from there with `wikibias {names[0]} --restart {folder}` and all its options"
    return f"{how}, or repeat those of before"


def _other_outputs(asked: Request) -> Iterator[str]:
    """Yield what outputs without a manifest say of themselves that is not what is asked for."""
    others = jobs.parts_in(asked.folder, stages.STAGES[0]) - {part.name for part in asked.parts}
    if others and asked.reads_dumps:
        yield f"holds {min(others)} as well; name its dumps too"
    for part in asked.parts:
        for stage in asked.per_part:
            found = jobs.recorded(asked.folder, stage, part.name)
            if found and found["settings"] != jobs.fingerprint(stage, asked.settings):
                yield "was made with other settings; give those again"
        if asked.reads_dumps and _changed(asked.folder, part):
            yield f"input {part.name} has changed; put it back"


def _refuse_other_wikis(asked: Request, before: manifest.Manifest) -> None:
    """Refuse a new part of a wiki that a folder holds nothing of; a look at its head tells.

    What cannot be looked at twice or is on a server is not looked at.

    Raises:
        UsageError: it is of another wiki.
    """
    new, known = _new_parts(asked, before), set[str]()
    for part in manifest.parts_of(before) if new else ():
        facts = jobs.recorded(asked.folder, stages.STAGES[0], part.name)
        if facts and facts.get("wiki"):
            known.add(facts["wiki"])
    for part in new if known else ():
        wiki = wiki_of(part)
        if wiki is not None and wiki not in known:
            raise UsageError(
                f"{part.files[0]} is a dump of {wiki}, and {asked.folder} holds "
                f"{' and '.join(sorted(known))}; choose another --out"
            )


def wiki_of(part: Part) -> str | None:
    """Return the wiki that a part on this machine is of; None where it cannot be told."""
    path = part.files[0]
    # Only where a part is added: the command line shall begin soon.
    from wikibias.dumps.iteration import site_of  # noqa: PLC0415

    with suppress(DumpError, FetchError, OSError):
        if not is_url(path) and (site := site_of(path)):
            return site.wiki
    return None


def _is_imperfect(folder: Path, part: Part) -> bool:
    """Return whether something of a part is not in its outputs, so that a better input helps."""
    found = [jobs.recorded(folder, stage, part.name) or {} for stage in stages.per_part()]
    return any(facts.get(name) for facts in found for name in jobs.UNREADABLE)


def _changed(folder: Path, part: Part) -> bool:
    """Return whether the input is no longer the one that was read; a failed one may change."""
    found = jobs.recorded(folder, stages.STAGES[0], part.name)
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
    return files.checksum(path)


def _holds(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def _refuse_build(asked: Request) -> None:
    """Refuse a corpus that cannot be built, before the one that is there is removed.

    Raises:
        UsageError: the edits that it takes were not looked for, or none is kept.
    """
    from wikibias.pipeline.build import refuse  # noqa: PLC0415 (as in `jobs`)

    per_part = stages.per_part()
    if all(jobs.recorded(asked.folder, stage, p.name) for stage in per_part for p in asked.parts):
        refuse(jobs.CorpusJob(asked.folder, asked.parts, asked.settings, {}))


def _kept_corpus(
    asked: Request, before: manifest.Manifest | None, labels: LabelsBy | None
) -> dict[str, Any] | None:
    """Return what a manifest says of the corpus, where it was made of these parts as they are.

    It has such labels as are asked for, too.
    A run that was killed may have taken rows out of their tables since.
    """
    entries = {entry["part"]: entry for entry in (before or {}).get("inputs", ())}
    labelled = ((before or {}).get("corpus") or {}).get("labelled") or {}
    if [part.name for part in asked.parts] != [*entries] or labelled.get("by") != labels:
        return None
    for part in asked.parts:
        facts = jobs.recorded(asked.folder, stages.STAGES[0], part.name) or {}
        if facts.get("superseded", {}) != entries[part.name].get("superseded", {}):
            return None
    return manifest.corpus_of(asked.folder, before, compare=True)
