"""Under which licences the text of a corpus is, by where its revisions were saved, and when.

The facts are those of Wikimedia's terms of use and of its change of licence in 2009;
`DATA_LICENSE.md` explains them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

# Text saved before was under the GFDL alone, until the wikis used its section 11 in June 2009.
RELICENSED = date(2009, 6, 15)
# The terms of use that name version 4.0.
VERSION_4 = date(2023, 6, 7)
_WIKIPEDIAS = ".wikipedia.org"
_BEFORE = (
    "Saved before 15 June 2009: GFDL; by the change of licence of that month also CC BY-SA 3.0."
)
_BETWEEN = "Saved from 15 June 2009 to 6 June 2023: CC BY-SA 3.0 and GFDL."
_SINCE = "Saved since 7 June 2023: CC BY-SA 4.0 and GFDL."
_AGE = (
    "A sentence may be older than the revision in which it was found, and text that editors "
    "imported from elsewhere may be under CC BY-SA alone."
)
_DUTIES = (
    "Whoever publishes the sentences must name Wikipedia and link the revisions (diff_url does), "
    "say what was changed, and use the same licence; CC BY-SA 4.0 fits all of them."
)


@dataclass(frozen=True, slots=True)
class Licence:
    """Licences: their identifiers on the Hugging Face hub, and what is to be said of them."""

    ids: tuple[str, ...]
    sentences: tuple[str, ...]


def licence(sites: Sequence[str], oldest: date | None, newest: date | None) -> Licence:
    """Return the licences of the text of revisions.

    Args:
        sites: the servers of the wikis; empty where the dumps name none.
        oldest: when the oldest revision was saved; None where that is not known.
        newest: the same of the newest one.
    """
    if sites and not all(site.endswith(_WIKIPEDIAS) for site in sites):
        others = ", ".join(site for site in sites if not site.endswith(_WIKIPEDIAS))
        said = (
            f"Not every sentence is from a Wikipedia: {others}. The licence of such text is that "
            "of its wiki, which the footers of its pages name. wikibias does not know it."
        )
        return Licence(("other",), (said,))
    eras = _eras(oldest, newest)
    if not sites:
        said = (
            "The dumps name no address of the wiki, so its licence is not known here. If it is a "
            "Wikipedia, this holds:"
        )
        return Licence(("unknown",), (said, *eras, _AGE, _DUTIES))
    opening = "The sentences are text of Wikipedia, by its contributors."
    return Licence(_ids(oldest, newest), (opening, *eras, _AGE, _DUTIES))


def _eras(oldest: date | None, newest: date | None) -> list[str]:
    """Return what holds of the times between two dates."""
    first, last = oldest or date.min, newest or date.max
    found = [_BEFORE] if first < RELICENSED else []
    if first < VERSION_4 and last >= RELICENSED:
        found.append(_BETWEEN)
    return [*found, _SINCE] if last >= VERSION_4 else found


def _ids(oldest: date | None, newest: date | None) -> tuple[str, ...]:
    """Return the identifiers of the licences that the revisions themselves were saved under."""
    found = ["cc-by-sa-3.0"] if (oldest or date.min) < VERSION_4 else []
    return (*found, *(["cc-by-sa-4.0"] if (newest or date.max) >= VERSION_4 else []), "gfdl")
