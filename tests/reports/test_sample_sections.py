from pathlib import Path

from blocks import says, sections
from made_tables import write_rows
from wikibias.reports import corpus_sections
from wikibias.reports.corpus_statistics import Edits, Place


def test_reasons_stand_in_the_order_of_the_filters_with_what_they_mean(tmp_path: Path) -> None:
    rows = [{"verdict": name, "page_title": "A"} for name in ("mine", "spelling", "reverted")]
    write_rows(tmp_path, "rejects/p", rows)
    path = tmp_path / "rejects/p.parquet"
    found = {row["verdict"]: (1, [Place(path, at)]) for at, row in enumerate(rows)}
    section = corpus_sections.rejected_edits(found)
    assert [(title, inner.blocks[0]) for title, inner in sections(section).items()] == [
        ("removal reverted", "1 edit. The filter drops a removal that was itself undone."),
        ("spelling", "1 edit. The filter drops an edit whose two sides differ by one character."),
        ("mine", "1 edit."),
    ]


def test_a_sample_says_of_how_many_it_is(tmp_path: Path) -> None:
    write_rows(tmp_path, "edits/p", [{"page_title": "A", "removed": ["x"]}] * 3)
    places = [Place(tmp_path / "edits/p.parquet", 1)]
    section = corpus_sections.kept_edits(Edits(bins=[3, 0, 0, 0], sample=places))
    assert says(section)[0].startswith("1 of 3 that were kept, drawn by chance.")
    assert [*sections(section)] == ["A"]


def test_nothing_to_sample_is_said() -> None:
    assert says(corpus_sections.kept_edits(Edits())) == ["No edit was kept."]
    assert says(corpus_sections.rejected_edits({})) == ["No edit was rejected."]
    for section in (corpus_sections.kept_edits(None), corpus_sections.rejected_edits(None)):
        assert "wikibias status" in says(section)[0]
