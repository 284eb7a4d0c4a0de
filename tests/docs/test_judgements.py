"""What people and language models judged: `docs/data` names it, and holds no text of a wiki."""

import csv
import re

from paths import ROOT

LABELS = {
    "before": {"", "0", "1"},
    "after": {"", "0", "1"},
    "less_neutral": {"", "=", "before", "after"},
}


def test_judgements_of_neutrality_hold_no_text_of_a_wiki() -> None:
    path = ROOT / "docs" / "data" / "judgements_of_neutrality.tsv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    assert len(rows) > 7000
    for row in rows:
        assert [*row] == ["source", "key", "form", *(f"{n}_{i}" for n in LABELS for i in (1, 2))]
        assert re.fullmatch(r"[\da-f]{12}", row["form"])
        # A number, the id of a sentence, or the title of an article.
        assert len(row["key"]) < 80
        assert all(row[f"{n}_{i}"] in known for n, known in LABELS.items() for i in (1, 2))


def test_judgements_of_edits_name_edits_and_no_text() -> None:
    path = ROOT / "docs" / "data" / "judgements_of_edits.tsv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    assert len(rows) == 82
    both = [row for row in rows if row["less_neutral_1"] == row["less_neutral_2"] == "before"]
    assert len(both) == 15
    for row in rows:
        assert row["rev_id"].isdigit()
        assert {row["less_neutral_1"], row["less_neutral_2"]} <= {"=", "before", "after"}
        assert {row["kind_1"], row["kind_2"]} <= {"local", "large", "collateral"}
