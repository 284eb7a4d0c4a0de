"""Where the outputs of a result folder lie, and what they say of themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wikibias.storage import parquet

OUTPUTS = {
    "detect": ("transitions",),
    "diff": ("diffs",),
    # The last one is written last, and so says that the stage is done.
    "filter": ("rejects", "edits"),
}


def output(folder: Path, kind: str, part: str) -> Path:
    """Return where a part's output of one kind lies, such as `transitions/x.xml.bz2.parquet`."""
    return folder / kind / f"{part}.parquet"


def state(folder: Path, stage: str, part: str) -> dict[str, Any] | None:
    """Return the metadata of a stage's output of a part, or None when there is none."""
    found = [parquet.read_meta(output(folder, kind, part)) for kind in OUTPUTS[stage]]
    return None if None in found else found[-1]
