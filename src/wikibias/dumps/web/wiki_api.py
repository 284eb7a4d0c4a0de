"""Asks a wiki's action API, as its rules ask of a guest: for the wikitext of revisions, and more.

One request at a time, fifty revisions each, which is what the API gives to a guest; `maxlag` lets
a wiki that is behind send us away, and we wait as long as it says. What the wiki answers may be
anything: it is bounded in size, and each value is looked at before it is used.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

from wikibias.dumps.web.http import Backoff, BrokenOffError, Web, seconds_asked
from wikibias.errors import FetchError, UsageError, printable
from wikibias.kits.files import from_json
from wikibias.records import LONGEST_TEXT

AT_ONCE = 50
# Bytes once unpacked. A wiki of Wikimedia answers with 8 MB at most, one long text aside.
MOST_OF_AN_ANSWER = 64_000_000
TIME_OF_AN_ANSWER = 600.0
_LAG = 5
_QUERY = {"action": "query", "format": "json", "formatversion": "2", "maxlag": str(_LAG)}
_TEXTS = {"prop": "revisions", "rvprop": "ids|content|sha1|timestamp", "rvslots": "main"}
# What the API says when it is busy, and another time does what it was asked for.
_BUSY = ("maxlag", "ratelimited", "readonly", "internal_api_error")
_HIDDEN = ("texthidden", "suppressed", "sha1hidden")
_LOST = ("textmissing", "missing", "badcontentformat")
_LONGEST_SAID = 200
# Of fifty long texts an answer holds one at least, and each may be cut short once.
_MOST_ANSWERS = 4 * AT_ONCE
REMEDY = "give the address of the wiki's api.php with --api, or try again later"

# Deleted: with its page, or nobody knows the id. Suppressed: hidden from all but some. Lost: by the
# wiki's own storage. Too long: no text that a wiki saves.
State = Literal["ok", "deleted", "suppressed", "lost", "too long"]


@dataclass(frozen=True, slots=True)
class RevisionAnswer:
    """What the API tells of a revision; the text only where its state is "ok"."""

    id: int
    state: State
    text: str | None = None


def api_of(diff_url: str) -> str:
    """Return the address of the API of the wiki that a diff's address is of.

    Raises:
        UsageError: it is no such address.
    """
    found, script, _ = diff_url.partition("index.php")
    if not script or not urlsplit(found).hostname:
        raise UsageError(
            "the dump does not tell the address of its wiki; give that of its API: --api "
            "https://WIKI/w/api.php"
        )
    return f"{found}api.php"


def refuse_no_address(api: str) -> None:
    """Make sure that an address can be one.

    Raises:
        UsageError: it cannot.
    """
    try:
        parts = urlsplit(api)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query
    except ValueError:
        fits = False
    if not fits:
        raise UsageError(f"--api {api}: give it as https://WIKI/w/api.php")


def tell(web: Web, api: str, ids: Sequence[int]) -> Iterator[RevisionAnswer]:
    """Yield what the API at `api` tells of some revisions, `AT_ONCE` at most, each once.

    An answer that is cut short is asked for the rest. A revision of which the wiki says nothing is
    left out.

    Raises:
        FetchError: the API cannot be reached, refuses, or answers what is no answer.
    """
    left, asked, further = dict.fromkeys(ids), list(ids), dict[str, str]()
    for _ in range(_MOST_ANSWERS):
        answer = ask(web, api, {**_TEXTS, "revids": "|".join(map(str, asked)), **further})
        told = {one.id: one for one in _revisions(answer) if one.id in left}
        for one in told.values():
            del left[one.id]
            yield one
        if not left:
            return
        before, further = further, marks(answer)
        # With a mark to go on from, the question stays; without one, only the rest is asked for.
        if not further or further == before:
            if not told:
                return
            asked, further = list(left), {}


def ask(web: Web, api: str, query: Mapping[str, str]) -> dict[str, Any]:
    """Return what the API answers to a query, once it is not busy.

    Raises:
        FetchError: as `tell`.
    """
    backoff = Backoff(web.pause, api)
    url = f"{api}?{urlencode({**query, **_QUERY})}"
    while True:
        asked = 0.0
        with web.request("GET", url, backoff, limit=TIME_OF_AN_ANSWER, packed=True) as answer:
            if answer.status != 200:
                raise FetchError(f"{api}: {answer.described()}; {REMEDY}")
            try:
                body = answer.body(MOST_OF_AN_ANSWER, f"which no API answers; {REMEDY}")
                found = _object(api, body)
                reason = _why_busy(api, found)
                if not reason:
                    return found
                asked = seconds_asked(answer.headers.get("Retry-After"))
            except BrokenOffError as error:
                reason = str(error)
        backoff.wait(reason, asked)


def _object(api: str, body: bytes) -> dict[str, Any]:
    """Return the JSON object that an API answers.

    Raises:
        FetchError: it is none.
    """
    if body.lstrip().startswith(b"<"):
        raise FetchError(f"{api}: answers with a web page; {REMEDY}")
    try:
        found = from_json(body)
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{api}: answers what is no JSON; {REMEDY}") from error
    if not isinstance(found, dict) or not {"query", "error", "continue", "batchcomplete"} & {
        *found
    }:
        raise FetchError(f"{api}: answers what no API of a wiki does; {REMEDY}")
    return found


def _why_busy(api: str, answer: Mapping[str, Any]) -> str:
    """Return why the API does not answer now; "" where it does.

    Raises:
        FetchError: it refuses.
    """
    if "error" not in answer:
        return ""
    error = mapping(answer["error"])
    code, info = (printable(str(error.get(k, "")))[:_LONGEST_SAID] for k in ("code", "info"))
    said = f"the wiki answers {code or 'an error'}{f' ({info})' if info else ''}"
    if code.startswith(_BUSY):
        return said
    raise FetchError(f"{api}: {said}; {REMEDY}")


def marks(answer: Mapping[str, Any]) -> dict[str, str]:
    """Return the marks from which an answer that is cut short goes on; none at the end."""
    given = mapping(answer.get("continue")).items()
    return {str(k): str(v) for k, v in given if k.endswith("continue") and len(str(v)) < 1000}


def _revisions(answer: Mapping[str, Any]) -> Iterator[RevisionAnswer]:
    query = mapping(answer.get("query"))
    for bad in values(query.get("badrevids")):
        if (number := _id(bad)) is not None:
            yield RevisionAnswer(number, "deleted")
    for page in values(query.get("pages")):
        for revision in values(mapping(page).get("revisions")):
            if (number := _id(revision)) is not None and (
                told := _revision_answer(number, revision)
            ):
                yield told


def _revision_answer(number: int, revision: Mapping[str, Any]) -> RevisionAnswer | None:
    """Return what an answer tells of one revision; None where its text is still to come."""
    slot = mapping(mapping(revision.get("slots")).get("main"))
    text = slot.get("content")
    if isinstance(text, str):
        if len(text) > LONGEST_TEXT:
            return RevisionAnswer(number, "too long")
        # Half a character is none that a table can hold.
        return RevisionAnswer(number, "ok", text.encode(errors="replace").decode())
    if hides_text(revision, slot):
        return RevisionAnswer(number, "suppressed")
    return RevisionAnswer(number, "lost") if any(slot.get(key) for key in _LOST) else None


def hides_text(revision: Mapping[str, Any], slot: Mapping[str, Any]) -> bool:
    """Return whether an answer says that the text of a revision is suppressed."""
    return any(one.get(key) for one in (revision, slot) for key in _HIDDEN)


def _id(given: object) -> int | None:
    found = mapping(given).get("revid")
    return found if type(found) is int else None


def mapping(given: object) -> Mapping[str, Any]:
    """Return an object in an answer; empty where there is another thing in its place."""
    return given if isinstance(given, dict) else {}


def values(given: object) -> list[Any]:
    """Return the items of a list, or of what an older form of the API has in its place."""
    if isinstance(given, dict):
        return list(given.values())
    return given if isinstance(given, list) else []
