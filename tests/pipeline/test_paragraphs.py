"""Corpora of paragraphs: what is one, what its label rests on; planted noise that stays out."""

from pathlib import Path

import pytest

from exports import Page, Revision, dumped, result_of, rows, wikibias
from planted_noise import dump, found_in, planted
from results import extract

_PRAISE = "It is without any doubt the most glorious town that the world has ever seen."
_FACT = "The town of Lirren has nine mills, two schools and a court house by the river."
_MORE = "A charter names it for the first time in the year of the second flood."
_MENDED = "It had nine thousand inhabitants when the roads were counted for the last time."
_LONG = " ".join(f"In the year {year} a survey counted all roads of the parish again." for year in
                 range(1801, 1811))  # fmt: skip
_QUOTED = "“{} and nobody in the whole valley will ever deny it”, a guide of Lirren says here."


def _text(praise: str, other: str) -> str:
    """Return an article with the same edit in each kind of line."""
    return (
        f"'''Lirren''' is a town. {_FACT} {praise}\n\n{_MORE} {_FACT}\n\n"
        f"* {_FACT} A list says: {praise}\n\n{{|\n| {_FACT} A cell says: {praise}\n|}}\n"
        f"[[File:L.jpg|thumb|{_FACT} A caption says: {praise}]]\n"
        f"<blockquote>{_FACT} A block says: {praise}</blockquote>\n"
        f"{_FACT} {_QUOTED.format(praise)}\n\nThe “{praise[:5]}” town: {praise}\n\n"
        f"{_LONG} {praise} The end.\n\n{_LONG[:400]} {other}\n\n"
        f"== References ==\n{_FACT} A book says: {praise}\n"
    )


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result of one page, whose tag goes with the praise in each kind of line."""
    before, after = _text(_PRAISE, "Bah."), _text(_MENDED, "Oh, well said.")
    page = Page("Lirren", [Revision(f"{{{{POV}}}}\n{before}"), Revision(after)])
    folder = tmp_path_factory.mktemp("paragraphs")
    return result_of(folder, [page], "extract", "--unit", "paragraph")


def test_what_is_a_paragraph(result: Path) -> None:
    """Prose of 100 to 500 characters, without a quotation, of which enough has changed."""
    found = {(row["label"], row["text"]): row for row in rows(result, "corpus")}
    biased = f"Lirren is a town. {_FACT} {_PRAISE}"
    assert {text for label, text in found if label == "biased"} == {biased}
    assert {text for label, text in found if label == "neutral"} <= {
        f"Lirren is a town. {_FACT} {_MENDED}", f"{_MORE} {_FACT}", f"{_LONG[:400]} Oh, well said."
    }  # fmt: skip
    row = found["biased", biased]
    assert row["counterpart"] == f"Lirren is a town. {_FACT} {_MENDED}"
    card = (result / "README.md").read_text(encoding="utf-8")
    assert "Each row is a paragraph of 100 to 500 characters" in card
    for reason, count in (("with a quotation in the line", 1), ("less than a quarter", 1)):
        assert any(reason in line and f"| {count} |" in line for line in card.splitlines())


def test_tables_card_and_report_speak_of_paragraphs(result: Path, tmp_path: Path) -> None:
    assert "Corpus: 2 paragraphs.\n" in wikibias("status", result).well().out
    card = (result / "README.md").read_text(encoding="utf-8")
    for said in ("# Paragraphs of edits", "| Paragraphs |", "1 biased and 1 neutral paragraphs"):
        assert said in card
    assert "added the paragraph or put it in place of another" in card
    wikibias("report", result, "--out", page := tmp_path / "page.html").well()
    assert "More in biased paragraphs" in page.read_text(encoding="utf-8")
    (row, _) = rows(result, "corpus")
    said = wikibias("inspect", result, name := row["sentence_id"]).well().out
    assert f"in the split {row['split']}; its tier is {row['tier']}." in said
    said = wikibias("inspect", result, f"{name}7").well().out
    assert "A paragraph of this edit that is not in the corpus." in said
    again = wikibias("build", "--restart", "--unit", "paragraph", result).well().out
    assert "┃ Paragraphs ┃" in again


def test_its_confidence_is_that_of_its_surest_sentence(result: Path) -> None:
    of_paragraph = {r["text"]: r["confidence"] for r in rows(result, "corpus")}
    wikibias("build", "-q", "--restart", result).well()
    sentences = {r["text"]: r["confidence"] for r in rows(result, "corpus")}
    assert of_paragraph[f"Lirren is a town. {_FACT} {_PRAISE}"] == sentences[_PRAISE]
    wikibias("build", "-q", "--restart", "--unit", "paragraph", "--pairs", result).well()
    (pair,) = (row for row in rows(result, "aligned") if "removed" in row)
    assert pair["added"] == f"Lirren is a town. {_FACT} {_MENDED}"
    assert pair["confidence"] == of_paragraph[pair["removed"]]


def test_where_there_are_no_two_classes(tmp_path: Path) -> None:
    path = dumped(tmp_path, [Page("Lirren", [Revision(_MORE)])])
    words = ("--signal", "citation", "--unit", "paragraph", path)
    extract(tmp_path / "out", *words).refused("--signal tag")


def test_planted_noise_stays_out(tmp_path: Path) -> None:
    """The full run, of 500 edits of each kind in four languages, is in docs/quality.md."""
    made, out = planted("nl", 20), tmp_path / "out"
    path = tmp_path / "a.xml"
    path.write_bytes(dump(made, "nl"))
    extract(out, "--lang", "nl", "--preset", "tone-check", path).well()
    paragraphs = found_in(out, made)
    wikibias("build", "-q", "--restart", out).well()
    for noise, recall in (paragraphs, found_in(out, made)):
        assert noise == []
        assert recall >= 0.95
