"""What is asked of enrichment."""

from __future__ import annotations

from dataclasses import replace

from histories import history
from wikibias.pipeline.enrichment_task import batches, without_texts
from wikibias.records import ChangedLine


def test_batches_are_bounded() -> None:
    found = history(["{{POV}} a", "a"] * 10)
    taken = list(batches(found))
    assert [transition for batch in taken for transition in batch] == found
    assert {len(batch) for batch in taken[:-1]} == {8}


def test_changed_lines_count_as_texts() -> None:
    long = (ChangedLine("a " * 600_000, "b " * 600_000, ""),)
    found = [replace(made, lines=long) for made in history(["{{POV}} a", "a"] * 2)]
    assert [len(batch) for batch in batches(found)] == [1] * len(found)
    assert without_texts(found[0]).lines == ()
