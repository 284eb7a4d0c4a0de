"""Under which licences the text of a corpus is."""

from __future__ import annotations

from datetime import date

import pytest

from wikibias.corpus.licences import licence

OLD, MIDDLE, NEW = date(2006, 1, 1), date(2015, 1, 1), date(2024, 1, 1)


@pytest.mark.parametrize(
    ("oldest", "newest", "ids", "eras"),
    [
        (OLD, OLD, ("cc-by-sa-3.0", "gfdl"), ["before"]),
        (OLD, MIDDLE, ("cc-by-sa-3.0", "gfdl"), ["before", "from"]),
        (MIDDLE, MIDDLE, ("cc-by-sa-3.0", "gfdl"), ["from"]),
        (MIDDLE, NEW, ("cc-by-sa-3.0", "cc-by-sa-4.0", "gfdl"), ["from", "since"]),
        (NEW, NEW, ("cc-by-sa-4.0", "gfdl"), ["since"]),
        (None, None, ("cc-by-sa-3.0", "cc-by-sa-4.0", "gfdl"), ["before", "from", "since"]),
        (date(2009, 6, 14), date(2009, 6, 15), ("cc-by-sa-3.0", "gfdl"), ["before", "from"]),
        (date(2023, 6, 7), date(2023, 6, 7), ("cc-by-sa-4.0", "gfdl"), ["since"]),
        (date(2023, 6, 6), date(2023, 6, 6), ("cc-by-sa-3.0", "gfdl"), ["from"]),
    ],
)
def test_the_days_of_the_revisions_decide(
    oldest: date | None, newest: date | None, ids: tuple[str, ...], eras: list[str]
) -> None:
    found = licence(["fr.wikipedia.org"], oldest, newest)
    assert found.ids == ids
    named = [said.split()[1] for said in found.sentences if said.startswith("Saved ")]
    assert named == eras


@pytest.mark.parametrize("site", ["wiki.example.org", "en.wikinews.org", "wikipedia.org.example"])
def test_other_wikis_have_their_own(site: str) -> None:
    found = licence(["fr.wikipedia.org", site], OLD, NEW)
    assert found.ids == ("other",)
    assert site in " ".join(found.sentences)
    assert "CC BY-SA" not in " ".join(found.sentences)


def test_without_an_address_nothing_is_claimed() -> None:
    found = licence([], MIDDLE, MIDDLE)
    assert found.ids == ("unknown",)
    assert "not known" in found.sentences[0]
