"""The edits of a result folder with their verdicts, for what is made from pairs of sentences."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from wikibias.config.choices import RevertPolicy
from wikibias.kits.parquet import read_records
from wikibias.kits.schemas import DIFFS_TABLE, TRANSITIONS_TABLE
from wikibias.pipeline import stages
from wikibias.pipeline.enrichment import compare_rows
from wikibias.pipeline.enrichment_task import EnrichmentTask, batches
from wikibias.pipeline.filter import judged
from wikibias.pipeline.outputs import output, recorded
from wikibias.pipeline.settings import Settings, filter_lists
from wikibias.records import Edit

Judged = tuple[Edit, str | None]


def judged_edits(
    folder: Path, settings: Settings, parts: Sequence[str], reverts: RevertPolicy | None = None
) -> Iterator[Judged]:
    """Yield each edit of these parts, and why it is not kept, or None.

    Edits with an intent and featured articles are among them where `diffs` holds them.

    A part that has no `diffs` is compared now, in this process, as the stage `diff` would.

    Args:
        folder: the result folder.
        settings: with which it was made.
        parts: their names, in order.
        reverts: what to do with edits that were undone, instead of what the settings say.

    Raises:
        WikibiasError: a table is damaged.
    """
    lists = filter_lists(settings, reverts)
    for part in parts:
        for edit in _edits(folder, settings, part):
            reason, _ = judged(edit, settings.filter.limits, lists.of(edit.provenance))
            yield edit, reason


def _edits(folder: Path, settings: Settings, part: str) -> Iterator[Edit]:
    if recorded(folder, stages.named("diff"), part) is not None:
        yield from read_records(output(folder, DIFFS_TABLE.name, part), DIFFS_TABLE)
        return
    facts = recorded(folder, stages.named("detect"), part)
    if facts is None:
        return
    declared = {int(number): name for number, name in facts.get("namespaces", {}).items()}
    task = EnrichmentTask.of(settings, declared, compare=True)
    rows = read_records(output(folder, TRANSITIONS_TABLE.name, part), TRANSITIONS_TABLE)
    for some in batches(rows):
        for comparison in compare_rows(task, some):
            if comparison is not None:
                yield comparison.edit
