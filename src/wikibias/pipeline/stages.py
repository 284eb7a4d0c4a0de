"""The stages of the pipeline, in order: the one list that all else reads."""

from __future__ import annotations

from wikibias.config.choices import SPLITS
from wikibias.kits.schemas import (
    CORPUS_TABLE,
    DIFFS_TABLE,
    EDITS_TABLE,
    LABELLED_TABLE,
    REJECTS_TABLE,
    TRANSITIONS_TABLE,
)
from wikibias.pipeline.stage import Stage

_PREPARE = "wikibias.pipeline.enrichment:prepare"
STAGES: list[Stage] = [
    Stage(
        name="detect",
        title="edits found by tags, summaries or intents",
        description="Find edits by their tags, summaries or intents in dumps",
        reads=(),
        writes=(TRANSITIONS_TABLE,),
        settings=("detect",),
        run="wikibias.pipeline.detect:run",
        progress="reading",
        prepare=_PREPARE,
    ),
    Stage(
        name="diff",
        title="compare the sentences",
        description="Compare the sentences before and after each removal",
        reads=(TRANSITIONS_TABLE,),
        writes=(DIFFS_TABLE,),
        settings=("detect", "diff"),
        run="wikibias.pipeline.diff:run",
        progress="comparing",
        prepare=_PREPARE,
        joins="detect",
    ),
    Stage(
        name="filter",
        title="kept, or why not",
        description="Give each edit its verdict, kept or the reason why not",
        reads=(DIFFS_TABLE,),
        writes=(REJECTS_TABLE, EDITS_TABLE),
        settings=("detect", "diff", "filter"),
        run="wikibias.pipeline.filter:run",
        progress="filtering",
        joins="diff",
        example="--restart --reverts keep ",
    ),
    Stage(
        name="build",
        title="label, balance, split",
        description="Label, balance and split the sentences of the kept edits",
        reads=(DIFFS_TABLE, EDITS_TABLE),
        writes=(LABELLED_TABLE, CORPUS_TABLE),
        settings=("detect", "diff", "filter", "build"),
        run="wikibias.pipeline.build:run",
        progress="building",
        example="--seed 7 --restart ",
        files=(
            *(f"corpus/{split}.{form}" for split in SPLITS for form in ("parquet", "tsv", "txt")),
            "corpus/README.md",
        ),
        files_on_request=(
            "corpus/pairs.parquet",
            "corpus/pairs.tsv",
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
