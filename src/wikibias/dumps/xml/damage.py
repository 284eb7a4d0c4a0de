"""Says where a part is damaged and what to do, and names what cannot be worked out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from xml.etree.ElementTree import ParseError

from wikibias.dumps.compression.streams import DAMAGE
from wikibias.dumps.xml.events import NoExportError
from wikibias.errors import DumpError, FetchError
from wikibias.records import Unreadable


@dataclass(slots=True)
class Place:
    """The position of a reader, for error messages."""

    title: str | None = None
    revision: int | None = None

    def __str__(self) -> str:
        if self.title is None:
            return "before its first page"
        after = f" after revision {self.revision}" if self.revision is not None else ""
        return f"in page {self.title!r}{after}"


# Takes what cannot be worked out of a part, while the rest of it is read.
Report = Callable[[Unreadable], None]


def end_part(what: Unreadable) -> None:
    """Report by ending the part.

    Raises:
        DumpError: always.
    """
    where = f"in page {what.page!r}"
    if what.revision is not None:
        where += f" in revision {what.revision}"
    raise DumpError(f"is no valid MediaWiki export {where}: {what.cause}; fetch it again")


def damage(error: Exception, place: Place) -> DumpError:
    """Return what to tell the user of an error, in one line."""
    if isinstance(error, DumpError):
        return error
    if isinstance(error, NoExportError):
        return DumpError(f"{error} {place}")
    if isinstance(error, ParseError):
        return _not_well_formed(error, place)
    if isinstance(error, DAMAGE):
        return _of_archive(error, place)
    if "Expected to see <revision>" in str(error) or "a <page>: 'page'" in str(error):
        return DumpError(
            f"is not well-formed {place}: the page is not closed before the next; fetch it again"
        )
    what = str(error).rstrip(".") or "an unexpected element"
    return DumpError(f"is no valid MediaWiki export {place}: {what}; fetch it again")


def _of_archive(error: Exception, place: Place) -> DumpError:
    if isinstance(error, EOFError):
        return DumpError(f"is cut off: the archive ends {place}; fetch it again")
    if isinstance(error, FetchError):
        return DumpError(f"broke off {place}: {error}")
    return DumpError(f"is damaged {place} ({error}); fetch it again")


def _not_well_formed(error: ParseError, place: Place) -> DumpError:
    what = str(error).partition(": ")[0]
    if "no element found" in what or "unclosed token" in what:
        return DumpError(f"is cut off: it ends {place}; fetch it again")
    if "junk after document element" in what:
        return DumpError("has content after </mediawiki>; put each dump in a file of its own")
    if place.title is None:
        return DumpError(
            "is no MediaWiki export; give a file such as ...-pages-meta-history1.xml.bz2"
        )
    return DumpError(f"is not well-formed XML {place} ({error}); fetch it again")
