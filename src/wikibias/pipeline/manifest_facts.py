"""What a manifest says of its run, for messages. Light to import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

OTHER_EDITS = {
    "summary_edits": "summary edit",
    "intent_edits": "intent edit",
    "featured_spans": "featured article",
}
"""What a row is called that no change of tags led to, by what it is counted as."""


def lacks_texts(manifest: Mapping[str, Any]) -> bool:
    """Return whether stubs led to edits whose texts nobody has asked a wiki for."""
    return any(
        entry.get("is_stub")
        and not (entry.get("error") or entry.get("texts"))
        and (entry.get("counts") or {}).get("summary_edits")
        for entry in manifest["inputs"]
    )


def signals(detect: Mapping[str, Any]) -> list[str]:
    """Return what edits were found by, as the recorded settings of `detect` say."""
    return list(detect.get("signal") or ["tag"])
