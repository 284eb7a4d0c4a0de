"""Checksums of texts: damage shows, and what export and parsers change does not count."""

from __future__ import annotations

import hashlib
import random
import unicodedata
from datetime import UTC, datetime

import pytest

from growth import slow
from hostile_texts import Kind
from wikibias.mediawiki.revisions import base36_sha1, is_intact
from wikibias.records import ReadRevision

SAVED = "The mill of the village was tr\u00e8s grande.\nIt burned down.\n"


def revision(
    text: str | None, saved: str, *, size: bool = True, year: int = 2019, checksum: str = ""
) -> ReadRevision:
    """Return a revision as a dump gives it, and what the wiki had saved."""
    return ReadRevision(
        id=1,
        timestamp=datetime(year, 3, 1, tzinfo=UTC),
        text=text,
        checksum=checksum or base36_sha1(saved),
        comment="",
        editor=None,
        editor_kind="hidden",
        size=len(saved.encode()) if size else None,
    )


@pytest.mark.parametrize("text", ["", "a", "\u00e9t\u00e9"])
def test_the_checksum_is_sha1_in_base_36(text: str) -> None:
    checksum = base36_sha1(text)
    assert len(checksum) == 31
    assert int(checksum, 36) == int(hashlib.sha1(text.encode()).hexdigest(), 16)


@pytest.mark.parametrize("size", [True, False])
def test_any_other_letter_shows(size: bool) -> None:
    assert is_intact(revision(SAVED, SAVED, size=size))
    chance = random.Random(1)
    for _ in range(100):
        at = chance.randrange(len(SAVED))
        changed = SAVED[:at] + chr(ord(SAVED[at]) ^ 1) + SAVED[at + 1 :]
        assert not is_intact(revision(changed, SAVED, size=size))


@pytest.mark.parametrize("size", [True, False])
def test_without_a_text_or_a_checksum_there_is_nothing_to_compare(size: bool) -> None:
    assert is_intact(revision(None, SAVED, size=size))
    assert is_intact(revision("a", SAVED, checksum="fake sha 1", size=size))


SAVED_OTHERWISE = {
    "line ends of a browser": SAVED.replace("\n", "\r\n"),
    "letters in parts": unicodedata.normalize("NFD", SAVED),
    "both line ends": SAVED.replace("\n", "\r\n", 1),
    "both line ends and letters in parts": unicodedata.normalize("NFD", SAVED).replace(
        "\n", "\r\n", 1
    ),
}


@pytest.mark.parametrize("how", SAVED_OTHERWISE)
def test_what_an_export_makes_alike_does_not_count(how: str) -> None:
    assert is_intact(revision(SAVED, SAVED_OTHERWISE[how]))


def test_what_is_no_character_cannot_be_compared() -> None:
    assert is_intact(revision("a \ufffd b", "a \x01 b"))


def test_without_a_size_both_line_ends_are_taken_for_those_of_old_texts() -> None:
    saved = SAVED.replace("\n", "\r\n", 1)
    assert is_intact(revision(SAVED, saved, size=False, year=2003))
    assert not is_intact(revision(SAVED, saved, size=False, year=2008))


def test_many_marks_take_time_that_grows_with_their_number() -> None:
    """Also where the checksum is another, so that other forms of the text are tried."""

    def compared(text: str) -> bool:
        return is_intact(revision(text, "other", size=False))

    kinds = [Kind("marks", "\u0301\u0323")]
    assert slow(compared, kinds, size=20_000) == {}
