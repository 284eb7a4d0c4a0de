"""Cleaning, splitting and comparing texts, by the interface for Python."""

from pathlib import Path

import pytest

import wikibias


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_compare_gives_the_sentences_of_the_edits(lang: str, workplace: Path) -> None:
    edits = wikibias.load_table(f"corpora/{lang}", "edits").to_pylist()
    transitions = wikibias.load_table(f"corpora/{lang}", "transitions").to_pylist()
    texts = {row["after_rev_id"]: row for row in transitions if row["kind"] == "removed"}
    assert edits
    for edit in edits:
        row = texts[edit["after_rev_id"]]
        diff = wikibias.compare(
            row["before_text"], row["after_text"], lang, min_tokens=1, max_tokens=10_000
        )
        assert [sentence.text for sentence in diff.removed] == edit["removed"]
        assert [sentence.text for sentence in diff.added] == edit["added"]


def test_a_language_without_a_tagset_is_cleaned() -> None:
    assert "ca" not in wikibias.list_tagsets()["npov"]
    assert wikibias.clean("'''Text''' [[Fitxer:x.jpg|thumb|no]]{{POV}}", "ca") == "Text"


def test_wrapped_text_is_seen() -> None:
    assert "les plus beaux" in wikibias.clean(
        "Les vins {{passage promotionnel|les plus beaux}}.", "fr"
    )


def test_what_cannot_be_parsed_is_told() -> None:
    with pytest.raises(wikibias.WikibiasError, match="cannot be cleaned: too much unclosed"):
        wikibias.clean("<b>" * 5000, "en")


@pytest.mark.parametrize("limits", [(0, 5), (6, 5)])
def test_wrong_limits_are_told(limits: tuple[int, int]) -> None:
    low, high = limits
    with pytest.raises(wikibias.UsageError, match="min_tokens"):
        wikibias.split_sentences("A text.", "en", min_tokens=low, max_tokens=high)


def test_only_sentences_are_aligned() -> None:
    (sentence,) = wikibias.split_sentences("It is a good mill.", "en", min_tokens=1)
    with pytest.raises(wikibias.UsageError, match=r"no sentence: 'It is a mill\.'"):
        wikibias.align([sentence], ["It is a mill."])  # type: ignore[list-item]


def test_what_is_listed_can_be_loaded() -> None:
    assert "en" in wikibias.list_languages()
    for name, languages in wikibias.list_tagsets().items():
        for lang in languages:
            assert wikibias.load_tagset(name, lang).lang == lang


def test_a_set_of_ones_own_has_the_name_of_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "hype" / "en.toml"
    path.parent.mkdir()
    path.write_text('[[tag]]\nname = "Hype"\nfamily = "hype"\n')
    found = wikibias.read_tagset(path)
    assert (found.name, found.lang) == ("hype", "en")
    path.write_text('[[tag]]\nname = "Hype"\nfamily = "hype"\nscop = "inline"\n')
    with pytest.raises(wikibias.UsageError, match=r"en\.toml:4: .*unknown key scop"):
        wikibias.read_tagset(path)
