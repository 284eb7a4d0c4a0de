"""The stages of the pipeline, in order: the one list that all else reads."""

from __future__ import annotations

from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from wikibias.config.choices import SPLITS
from wikibias.kits import schemas

if TYPE_CHECKING:
    from wikibias.pipeline.jobs import CorpusJob, PartJob

# The setting in the section `diff` on which the output of every stage depends.
LANGUAGE = "language_version"


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the pipeline.

    Args:
        name: its command, and its name in the manifest.
        title: what its command does, in a few words.
        description: the same in a sentence.
        reads: the tables it reads; none where it reads the dump.
        writes: the tables it writes. The last one is complete last, and so says that it is done.
        settings: the sections of the settings on which its output depends.
        run: "module:function", imported when it is run. It gets a `PartJob`; or a `CorpusJob`,
            where the stage has `files`.
        progress: what a progress bar says of it.
        prepare: "module:function", which workers that share a part call first, with the settings.
        lost: under what its output counts what it could not work out, where it does.
        joins: the stage in whose reading of a part it is done as well, where both are asked for.
        example: options in the example of its help.
        files: what a stage over all parts writes, by name in the result folder.
        files_on_request: what it writes besides, where its settings ask for it.
    """

    name: str
    title: str
    description: str
    reads: tuple[schemas.Table[Any], ...]
    writes: tuple[schemas.Table[Any], ...]
    settings: tuple[str, ...]
    run: str
    progress: str = "working"
    prepare: str | None = None
    lost: str = ""
    joins: str | None = None
    example: str = ""
    files: tuple[str, ...] = ()
    files_on_request: tuple[str, ...] = ()

    @property
    def is_per_part(self) -> bool:
        """Whether it is done on each part by itself."""
        return not self.files

    def do(self, job: PartJob | CorpusJob) -> Any:
        """Run it."""
        return resolve_name(self.run)(job)


_PREPARE = "wikibias.pipeline.enrichment:prepare"
STAGES: list[Stage] = [
    Stage(
        name="detect",
        title="edits found by tags, summaries or intents",
        description="Find edits by their tags, summaries or intents in dumps",
        reads=(),
        writes=(schemas.TRANSITIONS_TABLE,),
        settings=("detect",),
        run="wikibias.pipeline.detect:run",
        progress="reading",
        prepare=_PREPARE,
    ),
    Stage(
        name="diff",
        title="compare the sentences",
        description="Compare the sentences before and after each removal",
        reads=(schemas.TRANSITIONS_TABLE,),
        writes=(schemas.DIFFS_TABLE,),
        settings=("detect", "diff"),
        run="wikibias.pipeline.detect:compare",
        progress="comparing",
        prepare=_PREPARE,
        lost="unreadable_edits",
        joins="detect",
    ),
    Stage(
        name="filter",
        title="kept, or why not",
        description="Give each edit its verdict, kept or the reason why not",
        reads=(schemas.DIFFS_TABLE,),
        writes=(schemas.REJECTS_TABLE, schemas.EDITS_TABLE),
        settings=("detect", "diff", "filter"),
        run="wikibias.pipeline.filter:run",
        progress="filtering",
        lost="unreadable_verdicts",
        joins="diff",
        example="--restart --reverts keep ",
    ),
    Stage(
        name="build",
        title="label, balance, split",
        description="Label, balance and split the sentences of the kept edits",
        reads=(schemas.DIFFS_TABLE, schemas.EDITS_TABLE),
        writes=(schemas.LABELLED_TABLE, schemas.CORPUS_TABLE),
        settings=("detect", "diff", "filter", "build"),
        run="wikibias.pipeline.build:run",
        progress="building",
        example="--seed 7 --restart ",
        files=(
            *(f"corpus/{split}.parquet" for split in SPLITS),
            *(f"text/{split}.{form}" for split in SPLITS for form in ("tsv", "txt")),
            "README.md",
        ),
        files_on_request=(
            "aligned/pairs.parquet",
            "aligned/pairs.tsv",
            *(f"labelled/{split}.parquet" for split in SPLITS),
            "labelled/README.md",
        ),
    ),
]


def per_part() -> list[Stage]:
    """Return the stages that are done on each part by itself."""
    return [stage for stage in STAGES if stage.is_per_part]


def named(name: str) -> Stage:
    """Return a stage by its name.

    Raises:
        KeyError: there is none.
    """
    return {stage.name: stage for stage in STAGES}[name]
