"""The stage `build`, over all parts: kept edits to a balanced, split corpus."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wikibias.corpus.card import write_card
from wikibias.corpus.sampling import SPLITS, build_corpus
from wikibias.corpus.writer import write_corpus
from wikibias.pipeline.settings import language_of
from wikibias.pipeline.stage import CorpusJob, Stage
from wikibias.storage.schemas import CORPUS_TABLE, EDITS_TABLE
from wikibias.text.normalisation import normalise

_FORMS = ("parquet", "tsv", "txt")


def run(job: CorpusJob) -> dict[str, Any]:
    """Build the corpus, and return what the manifest records of it.

    Raises:
        DiskError: the folder cannot be written to.
    """
    build, detect = job.settings.build, job.settings.detect
    language = language_of(job.settings)
    composition, sentences = build_corpus(
        lambda: job.read(EDITS_TABLE),
        lambda text: normalise(text, keep_apostrophes=language.keep_apostrophes),
        build.shares,
        split_by=build.split,
        seed=build.seed,
    )
    target = job.folder / CORPUS_TABLE.name
    write_corpus(target, sentences, with_editors=detect.with_editors)
    write_card(
        target,
        settings=job.summary["settings"],
        inputs=job.summary["inputs"],
        verdicts=job.summary["verdicts"],
        composition=composition,
    )
    return asdict(composition)


STAGE = Stage(
    name="build",
    title="label, balance, split",
    description="Label, balance and split the sentences of the kept edits",
    reads=(EDITS_TABLE,),
    writes=(CORPUS_TABLE,),
    settings=("detect", "diff", "filter", "build"),
    run=run,
    progress="building",
    example="--seed 7 --restart ",
    files=(
        *(f"{CORPUS_TABLE.name}/{split}.{form}" for split in SPLITS for form in _FORMS),
        f"{CORPUS_TABLE.name}/README.md",
    ),
)
