"""What a stage works with, without a run around it."""

from pathlib import Path

import pytest

from wikibias.config.thresholds import Config
from wikibias.dumps.parts import Part
from wikibias.errors import WikibiasError
from wikibias.execution.pool import WorkerPool
from wikibias.execution.processes import no_progress
from wikibias.kits.schemas import CORPUS_TABLE, TRANSITIONS_TABLE
from wikibias.pipeline.jobs import CorpusJob, run_on_part
from wikibias.pipeline.outputs import output, recorded
from wikibias.pipeline.settings import make_settings
from wikibias.pipeline.stages import STAGES

DUMP = Path(__file__).parents[1] / "fixtures" / "dumps" / "empty-wiki.xml"
PART = Part(DUMP.name, (str(DUMP),))


def test_a_table_is_there_once_its_stage_is_done(tmp_path: Path) -> None:
    run_on_part(
        STAGES[:1], make_settings("en", Config()), tmp_path, PART, no_progress, WorkerPool(1)
    )
    assert output(tmp_path, TRANSITIONS_TABLE.name, PART.name).is_file()
    assert (recorded(tmp_path, STAGES[0], PART.name) or {})["pages"] == 0


def test_a_table_that_is_gone_is_named(tmp_path: Path) -> None:
    job = CorpusJob(tmp_path, [PART], make_settings("en", Config()), {})
    with pytest.raises(WikibiasError, match="is gone; run the same command again"):
        job.read(CORPUS_TABLE, PART)
