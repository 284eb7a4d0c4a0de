"""A wiki on loopback that serves the histories of a dump as MediaWiki's action API does."""

import re
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

from wiki_server import Wiki
from wikibias.dumps.compression.streams import open_part
from wikibias.dumps.xml import mwxml_reader
from wikibias.records import Revision


class HistoryWiki(Wiki):
    """The wiki that a dump is of; `members` of a category stand in one answer.

    Attributes:
        pages: what the API tells of each page, by its id.
        categories: the pages of each category, by its name.
    """

    def __init__(self, dump: Path) -> None:
        super().__init__({})
        with open_part(str(dump)) as (stream, _):
            read = mwxml_reader.read(stream)
            self.pages: dict[int, dict[str, Any]] = {
                page.id: {"pageid": page.id, "ns": page.namespace, "title": page.title}
                | {"revisions": [*map(_told, page.revisions)]}
                for page in read.pages
            }
        site = read.site
        general = {"wikiid": site.wiki, "base": site.base, "lang": site.lang, "sitename": "A & B"}
        self.site = {
            "general": {**general, "generator": "MediaWiki 1.45.0", "case": "first-letter"},
            "namespaces": {str(n): {"id": n, "name": s} for n, s in site.namespaces.items()},
        }
        self.categories: dict[str, list[int]] = {}
        self.members = 500

    def told(self, query: Mapping[str, str], ids: list[int]) -> dict[str, Any]:
        """Return what the API answers, in the form of version 2."""
        if query.get("meta") == "siteinfo":
            return {"query": self.site}
        if query.get("list") == "categorymembers":
            return self._listed(query)
        found = self._found(query)
        if "revisions" not in found:
            return {"batchcomplete": True, "query": {"pages": [found]}}
        start = query.get("rvcontinue", "")
        left = [each for each in sorted(found["revisions"], key=_mark) if _mark(each) >= start]
        lengths = accumulate(len(each["slots"]["main"].get("content", "")) for each in left)
        fit = max(1, sum(length <= self.longest for length in lengths))
        told = left[: min(fit, int(query["rvlimit"]))]
        more = {}
        if rest := left[len(told) :]:
            more = {"continue": {"rvcontinue": _mark(rest[0]), "continue": "||"}}
        return {"query": {"pages": [{**found, "revisions": told}]}, **more}

    def _found(self, query: Mapping[str, str]) -> dict[str, Any]:
        if "pageids" in query:
            return self.pages.get(int(query["pageids"]), {"missing": True})
        given = query["titles"].removeprefix("\x1f")
        if re.search(r"[\[\]|]|.{256}", given):
            return {"title": given, "invalid": True, "invalidreason": "bad"}
        title = given[:1].upper() + given[1:]
        found = (page for page in self.pages.values() if page["title"] == title)
        return next(found, {"ns": 0, "title": title, "missing": True})

    def _listed(self, query: Mapping[str, str]) -> dict[str, Any]:
        numbers = self.categories.get(query["cmtitle"].removeprefix("Category:"), [])
        end = int(query.get("cmcontinue", "0")) + self.members
        # The wiki takes other namespaces out of what it has found.
        pages = [self.pages[number] for number in numbers[end - self.members : end]]
        more = {"continue": {"cmcontinue": str(end), "continue": "-||"}} if numbers[end:] else {}
        return {"query": {"categorymembers": [page for page in pages if not page["ns"]]}, **more}


def _mark(revision: Mapping[str, Any]) -> str:
    return f"{re.sub('[^0-9]', '', revision['timestamp'])}|{revision['revid']:018}"


def _told(revision: Revision) -> dict[str, Any]:
    """Return what a guest is told of a revision: nothing of what is suppressed."""
    time = f"{revision.timestamp:%Y-%m-%dT%H:%M:%SZ}"
    found = {"revid": revision.id, "parentid": revision.parent_id or 0, "timestamp": time}
    main: dict[str, Any] = {"size": revision.size}
    if revision.text is None and revision.editor is None:
        hidden = dict.fromkeys(("userhidden", "commenthidden", "sha1hidden"), True)
        return {**found, **hidden, "size": 1, "slots": {"main": {**main, "texthidden": True}}}
    main["sha1"] = f"{int(revision.checksum or '0', 36):040x}"
    main |= {"textmissing": True} if revision.text is None else {"content": revision.text}
    author = {"user": revision.editor, "userid": 0 if revision.editor_kind == "ip" else 7}
    # Size and checksum of a revision are of all its slots together.
    whole = {"comment": revision.comment, "minor": True, "size": 1, "sha1": "0" * 40}
    return {**found, **author, **whole, "slots": {"main": main}}
