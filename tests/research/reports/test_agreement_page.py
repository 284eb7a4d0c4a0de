"""The page of how far annotators agree."""

from pathlib import Path
from typing import Any

from wikibias.kits.html import html
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.agreement import agreement, read_compared
from wikibias.research.reports.agreement_page import agreement_document


def found(tmp_path: Path, names: str = "a,b,<i>c") -> dict[str, Any]:
    """Return the agreement of some annotators."""
    said = {"a": "0101", "b": "0111", "<i>c": "0011"}
    rows = [
        {"text": f"<b>{number}</b>", **{name: said[name][number] for name in names.split(",")}}
        for number in range(4)
    ]
    write_rows(tmp_path / "t.jsonl", rows)
    given = read_compared([tmp_path / "t.jsonl"], columns=names)
    return agreement(given, order=None, resamples=20, seed=0, warn=print)


def test_the_page_shows_all_and_escapes_what_others_wrote(tmp_path: Path) -> None:
    page = html(agreement_document("t.jsonl", found(tmp_path)))
    for part in (
        "t.jsonl: 3 annotators, 12 answers to 4 sentences",
        "Krippendorff&#39;s alpha, nominal",
        "kappa of each two annotators, from",
        "What each two say of the same sentences",
        "&lt;b&gt;1&lt;/b&gt;",
        "a 1, b 1, &lt;i&gt;c 0",
    ):
        assert part in page
    assert "<b>1" not in page
    assert "<i>c" not in page


def test_one_annotator_has_a_page_too(tmp_path: Path) -> None:
    assert "agreement needs two" in html(agreement_document("t.jsonl", found(tmp_path, "a")))
