"""Which folders hold results, which counts, and of which tags they tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports import Page, Revision, export, wikibias
from wikibias.curation.tag_results import results_in, tagset_behind
from wikibias.errors import UsageError

PAGES = [
    Page("Mill", [Revision("a"), Revision("{{NPOV}} {{Stub}} a"), Revision("{{POV}} {{Weasel}} a")])
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    (folder / "a.xml").write_bytes(export(PAGES))
    (folder / "fr.xml").write_bytes(export(PAGES, lang="fr"))
    detect = ("detect", "-q", "--lang", "en", "-o")
    for line in (
        (*detect, folder / "en", folder / "a.xml"),
        (*detect, folder / "weasels", "--family", "weasel", folder / "a.xml"),
        ("tags", "count", "-q", "-o", folder / "counts", folder / "a.xml"),
        ("tags", "count", "-q", "-o", folder / "counts-fr", folder / "fr.xml"),
    ):
        assert wikibias(*line).code == 0
    return folder


def test_calls_are_those_of_the_tags_of_the_result(made: Path) -> None:
    calls = results_in([made / "counts", made / "en"]).calls()
    assert calls == {"inventedenwiki": {("POV", 2019): 2, ("Weasel", 2019): 1}}
    weasels = results_in([made / "counts", made / "weasels"])
    assert weasels.calls() == {"inventedenwiki": {("Weasel", 2019): 1}}
    assert set(weasels.families.values()) == {"weasel"}


def test_the_same_part_twice_is_refused(made: Path) -> None:
    with pytest.raises(UsageError, match=r"were both made of a\.xml"):
        results_in([made / "en", made / "weasels"])


def test_counts_need_a_result_of_their_wiki(made: Path) -> None:
    with pytest.raises(UsageError, match="holds counts of inventedfrwiki, but no result"):
        results_in([made / "counts-fr", made / "en"]).calls()
    with pytest.raises(UsageError, match="no folder of a result"):
        results_in([made / "counts"])
    with pytest.raises(UsageError, match="both hold counts of inventedenwiki"):
        results_in([made / "counts", made / "en", made / "counts"])


def test_tags_are_chosen_by_any_of_their_names(made: Path) -> None:
    results = results_in([made / "en"])
    assert results.chosen([], []) is None
    assert results.chosen(["nPOV"], []) == {("inventedenwiki", "POV")}
    assert ("inventedenwiki", "Weasel inline") in (results.chosen([], ["weasel"]) or set())
    assert results.chosen(["POV"], ["weasel"]) == set()
    with pytest.raises(UsageError, match="no tag 'Weazel' in these results; did you mean"):
        results.chosen(["Weazel"], [])
    with pytest.raises(UsageError, match="no tag is of the family 'weazel'; did you mean"):
        results.chosen([], ["weazel"])


def test_a_result_without_manifest_has_no_tag_set(made: Path, tmp_path: Path) -> None:
    assert tagset_behind(tmp_path) is None
    (tmp_path / "transitions").symlink_to(made / "en" / "transitions")
    results = results_in([tmp_path])
    assert {spell.tag for spell in results.spells()} == {"POV", "Weasel"}
    assert set(results.families.values()) == {""}
