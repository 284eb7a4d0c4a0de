"""Jobs of stages, on a part or on all parts; and outputs: what they say, and their removal."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, TypeVar

from wikibias.config.choices import ROW_COUNTS, counted_as, signal_of
from wikibias.dumps.parts import Part
from wikibias.errors import WikibiasError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.processes import ProgressCallback
from wikibias.kits import files
from wikibias.kits.files import ascii_json
from wikibias.kits.folders import CARD, is_own_card
from wikibias.kits.schemas import Table
from wikibias.pipeline.settings import OUTPUT_VERSION, Settings
from wikibias.pipeline.stages import LANGUAGE, STAGES, Stage, per_part
from wikibias.records import KEPT, Provenance, Unreadable

if TYPE_CHECKING:
    from wikibias.dumps.iteration import Tally
    from wikibias.kits import parquet

# Which split each page of the corpus was dealt to; see `build`.
PAGE_SPLITS = "page_splits.jsonl"
# The texts that wikis were asked for; see `revision_texts`.
REVISION_TEXTS = "revision_texts.sqlite"
# What `detect`, `diff` and `filter` could not work out: its number. Of each, `first_` names some.
UNREADABLE = ("unreadable", *(stage.lost for stage in STAGES if stage.lost))
# What a stage that reads the dump says of its output at least.
_OF_A_DUMP = {"settings", "input", "pages", "removed", "added"}
_TABLES_OF_COUNTS = (
    "verdicts", "superseded", "summaries", "intents", "intents_reverted", "texts",
)  # fmt: skip
_FORMS: Mapping[str, type | UnionType] = {
    **dict.fromkeys(("pages", "revisions", "unknown_texts", "reverted"), int),
    **dict.fromkeys(("steps_back_in_time", *ROW_COUNTS), int),
    **dict.fromkeys(UNREADABLE, int),
    "settings": str,
    **dict.fromkeys(("first_page", "last_page"), int | None),
    **dict.fromkeys(("wiki", "newest"), str | None),
    "lang": str | None,
    "is_stub": bool,
    "input": dict | None,
    "error": str | None,
    "warnings": list,
    **dict.fromkeys(_TABLES_OF_COUNTS, dict),
    **dict.fromkeys((f"first_{name}" for name in UNREADABLE), list),
    "namespaces": dict,
}
_NAMED = {field.name for field in fields(Unreadable)}


@dataclass(slots=True)
class RowCounts:
    """Counts of transitions, as the metadata of their table tell them."""

    kinds: Counter[str] = field(default_factory=Counter)
    intents: Counter[str] = field(default_factory=Counter)
    intents_reverted: Counter[str] = field(default_factory=Counter)

    def count(self, kind: str, pairing: str, signal: str, *, undone: bool) -> None:
        """Count one transition."""
        self.kinds[counted_as(kind, pairing)] += 1
        self.kinds["reverted"] += undone
        if not signal_of(signal).keeps_texts:
            self.intents[signal] += 1
            self.intents_reverted[signal] += undone

    def by_kind(self) -> dict[str, Any]:
        """Return how many there are of each kind."""
        return {kind: self.kinds[kind] for kind in (*ROW_COUNTS, "reverted")}

    def by_intent(self, names: Iterable[str]) -> dict[str, Any]:
        """Return how many have each intent, and how many of these were undone; {} without names."""
        counts = {"intents": self.intents, "intents_reverted": self.intents_reverted}
        return {key: {name: of[name] for name in names} for key, of in counts.items() if names}


# Tables of a folder that tell whose it is.
_LOOKED_AT = 20


def output(folder: Path, table: str, part: str) -> Path:
    """Return where a part's rows of a table lie, such as `transitions/x.xml.bz2.parquet`."""
    return folder / table / f"{part}.parquet"


@lru_cache(64)
def fingerprint(stage: Stage, settings: Settings) -> str:
    """Return a hash of the settings that the output of a stage depends on."""
    recorded = settings.as_dict()
    sections = {name: recorded[name] for name in stage.settings}
    if recorded["detect"]["before"] is None:  # what earlier versions made stays
        del recorded["detect"]["before"]
    content = ascii_json([OUTPUT_VERSION, recorded["diff"][LANGUAGE], sections], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def recorded(folder: Path, stage: Stage, part: str) -> dict[str, Any] | None:
    """Return what a stage's output of a part says of itself, or None where it is not complete.

    That is the fingerprint of its `settings`, what the stage has counted, and `error` where the
    part is damaged.
    """
    found = [_meta(output(folder, table.name, part)) for table in stage.writes]
    facts = found[-1]
    return facts if None not in found and facts and _is_sound(stage, facts) else None


def parts_in(folder: Path, stage: Stage) -> set[str]:
    """Return the names of the parts that a stage has written a whole output of."""
    paths = (folder / stage.writes[-1].name).glob("*.parquet")
    names = (path.name.removesuffix(".parquet") for path in paths)
    return {name for name in names if recorded(folder, stage, name) is not None}


def _meta(path: Path) -> dict[str, Any] | None:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    # To load pyarrow takes 0.15 s, in which a worker that shares the work may start already.
    from wikibias.kits.parquet import read_meta  # noqa: PLC0415

    return read_meta(path)


def _is_sound(stage: Stage, facts: Mapping[str, Any]) -> bool:
    """Return whether what an output says of itself has the form in which stages say it."""
    complete = bool(stage.reads) or facts.keys() >= _OF_A_DUMP
    named = (each for name in UNREADABLE for each in facts.get(f"first_{name}", ()))
    return (
        complete
        and all(isinstance(value, _FORMS.get(key, object)) for key, value in facts.items())
        and all(
            isinstance(number, int)
            for name in _TABLES_OF_COUNTS
            for number in facts.get(name, {}).values()
        )
        and all(isinstance(each, dict) and each.keys() == _NAMED for each in named)
    )


def recorded_with(
    folder: Path, stage: Stage, part: str, settings: Settings
) -> dict[str, Any] | None:
    """Return the same, or None where the output was made with other settings."""
    found = recorded(folder, stage, part)
    made_so = found is not None and found.get("settings") == fingerprint(stage, settings)
    return found if made_so else None


def first_missing(
    folder: Path, part: str, settings: Settings, asked: Sequence[Stage] = ()
) -> list[Stage]:
    """Return the stages per part from the first on that is not done with these settings.

    What a damaged part held is done, except for a run that is `asked` to read it again.
    """
    wanted = per_part()
    for number, stage in enumerate(wanted):
        found = recorded_with(folder, stage, part, settings)
        if found is None or (stage in asked and found.get("error")):
            return wanted[number:]
    return []


def checksums(folder: Path, stage: Stage) -> dict[str, str]:
    """Return the SHA-256 of each file that a stage over all parts has written, by its name."""
    names = (*stage.files, *stage.files_on_request)
    return {name: files.checksum(folder / name) for name in names if (folder / name).is_file()}


def remove_unfinished(folder: Path, stages: Sequence[Stage], parts: Sequence[Part]) -> None:
    """Remove what interrupted runs have left half-written of some parts."""
    names = [output(folder, "", part.name).name for part in parts]
    for stage in stages:
        for place in _places(stage):
            files.remove_unfinished(folder / place, names if stage.is_per_part else None)


def remove_of_part(folder: Path, stages: Sequence[Stage], part: str) -> None:
    """Remove what some stages have written of one part."""
    for stage in stages:
        for table in stage.writes:
            _remove(output(folder, table.name, part))


def _remove(path: Path) -> None:
    with files.disk_errors(path):
        path.unlink(missing_ok=True)


def is_ours(folder: Path) -> bool:
    """Return whether stages have written a table in a folder."""
    for table in (table for stage in STAGES for table in stage.writes):
        with suppress(OSError), os.scandir(folder / table.name) as entries:
            tables = (Path(entry) for entry in entries if entry.name.endswith(".parquet"))
            if any(_meta(path) is not None for path in islice(tables, _LOOKED_AT)):
                return True
    return False


def remove_all(folder: Path, stages: Sequence[Stage], parts: Sequence[Part] = ()) -> None:
    """Remove what some stages have written, and nothing else.

    That is what bears our mark; of `parts` also what is damaged.
    """
    names = {output(folder, "", part.name).name for part in parts}
    for stage in stages:
        for table in stage.writes:
            for path in (folder / table.name).glob("*.parquet") if stage.is_per_part else ():
                if path.name in names or _meta(path) is not None:
                    _remove(path)
        for name in (*stage.files, *stage.files_on_request):
            if name != CARD or is_own_card(folder / name):
                _remove(folder / name)
        for place in _places(stage):
            with suppress(OSError):
                (folder / place).rmdir()


def _places(stage: Stage) -> list[str]:
    """Return the folders that a stage writes into."""
    names = (name.rpartition("/")[0] for name in (*stage.files, *stage.files_on_request))
    return [*dict.fromkeys([*(table.name for table in stage.writes), *filter(None, names)])]


R = TypeVar("R")


def _records(path: Path, table: Table[R], rows: Sequence[int] | None = None) -> Iterator[R]:
    from wikibias.kits import parquet  # noqa: PLC0415 (as in `_meta`)

    return parquet.read_records(path, table, rows)


@dataclass(slots=True)
class PartJob:
    """What a stage works with on one part: tables to read and write, and the part itself.

    `facts` go into the metadata of its output. So do the counts of what it keeps and rejects: of
    the `reasons` that it announces in their order, and of others. The manifest shows what it knows.
    `joined` holds, by name, the jobs of the stages that are to be done in the same reading, and
    `lost` counts and names what could not be worked out.
    """

    folder: Path
    part: Part
    settings: Settings
    pool: WorkerPool
    post: ProgressCallback
    lost: Tally
    facts: dict[str, Any] = field(default_factory=dict)
    joined: dict[str, PartJob] = field(default_factory=dict)
    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: list[str] = field(default_factory=list)
    writers: dict[str, parquet.TableWriter[Any]] = field(default_factory=dict)

    def read(self, table: Table[R]) -> Iterator[R]:
        """Yield the records of this part in a table that an earlier stage has written."""
        return _records(output(self.folder, table.name, self.part.name), table)

    def facts_of(self, table: Table[Any]) -> dict[str, Any]:
        """Return what the stage that wrote a table of this part has noted of it."""
        return _meta(output(self.folder, table.name, self.part.name)) or {}

    def write(self, table: Table[R], record: R) -> None:
        """Write a record; memory stays flat however many there are.

        Raises:
            RowError: it does not fit into the table, and is left out.
        """
        self.writers[table.name].write(record)

    def skip(self, made: Provenance, cause: str) -> None:
        """Count and name a transition or an edit that could not be worked out."""
        self.lost.skip(Unreadable(made.page_title, made.page_id, made.after_rev_id, cause))


@dataclass(frozen=True, slots=True)
class CorpusJob:
    """What a stage over all parts works with; `summary` is the manifest as it stands."""

    folder: Path
    parts: Sequence[Part]
    settings: Settings
    summary: Mapping[str, Any]

    def read(self, table: Table[R], part: Part, rows: Sequence[int] | None = None) -> Iterator[R]:
        """Yield the records of a part in a table, or those with these row numbers, in order.

        Raises:
            WikibiasError: the part's file is gone.
        """
        path = output(self.folder, table.name, part.name)
        if not path.is_file():
            raise WikibiasError(f"{path} is gone; run the same command again")
        return _records(path, table, rows)


def run_on_part(
    stages: Sequence[Stage],
    settings: Settings,
    folder: Path,
    part: Part,
    post: ProgressCallback,
    pool: WorkerPool,
) -> None:
    """Do some stages on one part, in order. Each table appears only when it is complete.

    A worker that is to share the part starts while this process loads pyarrow.

    Raises:
        DiskError: the output cannot be written.
    """
    if stages[0].prepare is not None:
        pool.start(stages[0].prepare, settings)
    # A build reads what was filtered, and no dump; for the other, see `_meta`.
    from wikibias.dumps.iteration import Tally  # noqa: PLC0415
    from wikibias.kits import parquet  # noqa: PLC0415

    for together in _passes(stages):
        leading = together[0]
        post(part.name, leading.name, 0, 0, 0)
        pool.trace.enter(leading.name)
        jobs = {s.name: PartJob(folder, part, settings, pool, post, Tally()) for s in together}
        with ExitStack() as files:
            # Where several processes share the work, a thread takes the writing off this one.
            beside = files.enter_context(ThreadPoolExecutor(1)) if pool.size > 1 else None
            # What is entered last is completed first.
            for stage in reversed(together):
                job = jobs[stage.name]
                for table in reversed(stage.writes):
                    job.writers[table.name] = files.enter_context(
                        parquet.writing(
                            output(folder, table.name, part.name),
                            table,
                            partial(_metadata, stage, job),
                            with_editors=settings.detect.with_editors,
                            beside=beside,
                        )
                    )
                if stage.joins in jobs:
                    jobs[stage.joins].joined[stage.name] = job
            leading.do(jobs[leading.name])


def _metadata(stage: Stage, job: PartJob) -> Mapping[str, Any]:
    facts = {"settings": fingerprint(stage, job.settings), **job.facts}
    if stage.lost:
        named = [asdict(what) for what in job.lost.first_unreadable]
        facts |= {stage.lost: job.lost.unreadable, f"first_{stage.lost}": named}
    if job.reasons or job.verdicts:
        names = dict.fromkeys([*job.reasons, *sorted(job.verdicts.keys() - {KEPT}), KEPT])
        facts["verdicts"] = {name: job.verdicts[name] for name in names}
    return facts


def _passes(stages: Sequence[Stage]) -> list[list[Stage]]:
    """Return the stages in groups, each done in one reading of its input."""
    passes: list[list[Stage]] = []
    for stage in stages:
        if passes and stage.joins in [s.name for s in passes[-1]]:
            passes[-1].append(stage)
        else:
            passes.append([stage])
    return passes
