from __future__ import annotations

from pathlib import Path

import pytest

import wikibias
from paths import ROOT

DAMAGED = ROOT / "tests" / "fixtures" / "dumps" / "truncated.xml.bz2"


def test_all_pages_of_a_folder_are_read(workplace: Path) -> None:
    titles = [page.title for page in wikibias.read_pages("samples")]
    one = [page.title for page in wikibias.read_pages(sorted(Path("samples").iterdir()))]
    assert titles == one
    assert {"Halvern Dairies", "Fondation Thélusson-Marre"} <= {*titles}


def test_namespaces_are_chosen(workplace: Path) -> None:
    found = {page.namespace for page in wikibias.read_pages("samples", namespaces=range(20))}
    assert found > {0}


def test_what_comes_before_the_damage_is_yielded() -> None:
    seen = []
    pages = wikibias.read_pages(DAMAGED, "fr")
    with pytest.raises(wikibias.DumpError, match="cut off"):  # noqa: PT012 (from the loop)
        for page in pages:
            seen += [revision.id for revision in page.revisions]
    assert len(seen) > 10


def test_a_wrong_name_is_told_at_once() -> None:
    with pytest.raises(wikibias.UsageError, match="unknown language 'english'; did you mean 'en'"):
        wikibias.read_pages(DAMAGED, "english")
    with pytest.raises(wikibias.UsageError, match="no dump was given"):
        wikibias.read_pages([])
    with pytest.raises(wikibias.DumpError, match=r"nowhere.*No such file"):
        next(wikibias.read_pages("nowhere.xml.bz2"))
