"""The section of a corpus's page on sentences with several labels."""

from pathlib import Path

from blocks import notes, sections, tables
from exports import wikibias
from tagged_sentences import sentence, write_dump
from wikibias.reports.corpus_sections import label_examples, labelled


def test_examples_and_counts(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "dump.xml")
    words = ("--lang", "en", "--tagset", "inline-cleanup", "--workers", 1, "-q")
    out = tmp_path / "out"
    assert wikibias("extract", *words, "--labels", "tags", "-o", out, dump).code == 0
    found = label_examples(out, 0)
    assert {label: len(drawn) for label, drawn in found.items()} == {"citation": 3, "weasel": 3}
    assert found["citation"][0]["text"] in {sentence(page, 7) for page in range(1, 13)}
    assert found == label_examples(out, 0)


def test_a_manifest_tells_of_none_or_of_some() -> None:
    assert labelled({}, {}) is None
    made = {
        "by": "intents",
        "sentences": 3,
        "positives": 1,
        "labels": {"citation": {"train": 1}},
        "negatives": {"citation": {"featured": 2}},
        "kinds": {"featured": 2},
        "relations": {"rewritten": 1},
        "median_days": {},
    }
    found = labelled({"labelled": made}, {}, ["citation: 1 of 2."])
    assert found is not None
    assert tables(found)[0].rows == [["citation", "1", "0", "0", "2"]]
    assert notes(found) == ["citation: 1 of 2."]
    stood = labelled({"labelled": {**made, "median_days": {"citation": 2.5}}}, {})
    assert stood is not None
    assert tables(stood)[0].rows == [["citation", "1", "0", "0", "2", "2.5"]]
    assert not sections(found)
