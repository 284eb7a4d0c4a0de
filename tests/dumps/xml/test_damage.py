"""Messages about damage: where it is, and what to do."""

from __future__ import annotations

from xml.etree.ElementTree import ParseError

import pytest

from wikibias.dumps.xml.events import NoExportError
from wikibias.dumps.xml.mwxml_reader import Place, damage, end_part
from wikibias.errors import DumpError, FetchError
from wikibias.records import Unreadable

PLACE = Place("Mill", 7)
WHERE = "in page 'Mill' after revision 7"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            EOFError(),
            f"is cut off: the archive ends {WHERE}; fetch it again",
        ),
        (
            OSError("a block"),
            f"is damaged {WHERE} (a block); fetch it again",
        ),
        (FetchError("lost"), f"broke off {WHERE}: lost"),
        (
            NoExportError("is no MediaWiki export: it has a tag of over 9 bytes"),
            f"is no MediaWiki export: it has a tag of over 9 bytes {WHERE}",
        ),
        (
            ParseError("no element found: line 1, column 0"),
            f"is cut off: it ends {WHERE}; fetch it again",
        ),
        (DumpError("is empty"), "is empty"),
    ],
)
def test_a_message_says_where_the_damage_is(error: Exception, said: str) -> None:
    assert str(damage(error, PLACE)) == said


def test_a_place_before_any_page() -> None:
    assert str(Place()) == "before its first page"
    assert str(Place("Mill")) == "in page 'Mill'"


def test_a_page_that_cannot_be_worked_out_can_end_the_part() -> None:
    with pytest.raises(DumpError, match="in page 'Mill' in revision 7: its <id> is missing; fetch"):
        end_part(Unreadable("Mill", 1, 7, "its <id> is missing"))
