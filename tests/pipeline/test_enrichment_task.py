"""What is asked of enrichment."""

from __future__ import annotations

from histories import history
from wikibias.pipeline.enrichment_task import batches


def test_batches_are_bounded() -> None:
    found = history(["{{POV}} a", "a"] * 10)
    taken = list(batches(found))
    assert [transition for batch in taken for transition in batch] == found
    assert {len(batch) for batch in taken[:-1]} == {8}
