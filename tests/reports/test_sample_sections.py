from __future__ import annotations

from pathlib import Path

from made_tables import write_rows
from wikibias.reports import sample_sections
from wikibias.reports.corpus_statistics import Edits
from wikibias.reports.reading import Place


def test_reasons_stand_in_the_order_of_the_filters_with_what_they_mean(tmp_path: Path) -> None:
    rows = [{"verdict": name, "page_title": "A"} for name in ("mine", "spelling", "reverted")]
    write_rows(tmp_path, "rejects/p", rows)
    path = tmp_path / "rejects/p.parquet"
    found = {row["verdict"]: (1, [Place(path, at)]) for at, row in enumerate(rows)}
    section = sample_sections.rejected_edits(found)
    assert [(title, about) for title, about, _ in section.groups] == [
        ("removal reverted", "1 edit. The filter drops a removal that was itself undone."),
        ("spelling", "1 edit. The filter drops an edit whose two sides differ by one character."),
        ("mine", "1 edit."),
    ]


def test_a_sample_says_of_how_many_it_is(tmp_path: Path) -> None:
    write_rows(tmp_path, "edits/p", [{"page_title": "A", "removed": ["x"]}] * 3)
    places = [Place(tmp_path / "edits/p.parquet", 1)]
    section = sample_sections.kept_edits(Edits(bins=[3, 0, 0, 0], sample=places))
    assert section.says[0].startswith("1 of 3 that were kept, drawn by chance.")
    assert [edit.title for edit in section.edits] == ["A"]


def test_nothing_to_sample_is_said() -> None:
    assert sample_sections.kept_edits(Edits()).says == ["No edit was kept."]
    assert sample_sections.rejected_edits({}).says == ["No edit was rejected."]
    for section in (sample_sections.kept_edits(None), sample_sections.rejected_edits(None)):
        assert "wikibias status" in section.says[0]
