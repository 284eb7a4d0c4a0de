"""What a wiki's API tells of itself, of a page and of a revision, as an export file has it."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from wikibias.dumps.web.wiki_api import hides_text, mapping, values
from wikibias.dumps.xml.mwxml_reader import id_of, namespace_of, time_of
from wikibias.dumps.xml.revision_parser import escaped
from wikibias.mediawiki import base36, is_ip

SITE = {"meta": "siteinfo", "siprop": "general|namespaces"}
"""The query that `export_head` takes the answer to."""
PROPERTIES = "ids|flags|timestamp|user|userid|comment|size|slotsize|sha1|slotsha1|content"
"""What `export_revision` takes, of the main slot."""
ODD = (AttributeError, LookupError, TypeError, ValueError)
"""What these functions raise where an answer is none that MediaWiki gives."""
_SCHEMA = 'xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11"'
_ABOUT = ("sitename", "dbname", "base", "generator", "case")
_SHA1 = re.compile(r"[0-9a-f]{40}")


def export_head(site: Mapping[str, Any]) -> tuple[bytes, dict[int, str]]:
    """Return all that stands before the first page, and the names of the namespaces by number."""
    general = {**site["general"], "dbname": site["general"]["wikiid"]}
    about = "".join(f"    <{tag}>{escaped(general[tag])}</{tag}>\n" for tag in _ABOUT)
    names = {namespace_of(str(n["id"])): n["name"] for n in values(site["namespaces"])}
    spaces = [f'      <namespace key="{n}">{escaped(s)}</namespace>\n' for n, s in names.items()]
    head = (
        f'<mediawiki {_SCHEMA} xml:lang="{escaped(general["lang"])}">\n  <siteinfo>\n{about}'
        f"    <namespaces>\n{''.join(spaces)}    </namespaces>\n  </siteinfo>\n"
    )
    return head.encode(), names


def page_head(page: Mapping[str, Any]) -> tuple[int, bytes]:
    """Return the id of a page, and what stands before its first revision."""
    number, namespace = id_of(str(page["pageid"])), namespace_of(str(page["ns"]))
    head = f"  <page>\n    <title>{escaped(page['title'])}</title>\n    <ns>{namespace}</ns>\n"
    return number, f"{head}    <id>{number}</id>\n".encode()


def export_revision(told: Mapping[str, Any]) -> tuple[datetime, int, bytes]:
    """Return the time, the id and the element of a revision."""
    number, time = id_of(str(told["revid"])), time_of(told["timestamp"])
    slot = mapping(mapping(told.get("slots")).get("main"))
    # The revision's own are of all its slots together.
    size, sha1 = (slot.get(key, told.get(key)) for key in ("size", "sha1"))
    checksum = base36(bytes.fromhex(sha1)) if _SHA1.fullmatch(sha1 or "") else ""
    text, comment, parent = slot.get("content") or "", told.get("comment"), told.get("parentid")
    said = f'bytes="{id_of(str(size))}"' + (f' sha1="{checksum}"' if checksum else "")
    said += ' deleted="deleted"' if not text and hides_text(told, slot) else ' xml:space="preserve"'
    lines = [
        f"    <revision>\n      <id>{number}</id>",
        f"      <parentid>{id_of(str(parent))}</parentid>" if parent else "",
        f"      <timestamp>{time:%Y-%m-%dT%H:%M:%SZ}</timestamp>\n      {_contributor(told)}",
        "      <minor />" if told.get("minor") else "",
        '      <comment deleted="deleted" />' if told.get("commenthidden") else "",
        f"      <comment>{escaped(comment)}</comment>" if comment else "",
        f"      <text {said}>{escaped(text)}</text>",
        f"      <sha1>{checksum}</sha1>\n    </revision>\n",
    ]
    return time, number, "\n".join(filter(None, lines)).encode()


def _contributor(told: Mapping[str, Any]) -> str:
    name, account = told.get("user"), id_of(str(told.get("userid") or 0))
    if name is None or told.get("userhidden"):
        return '<contributor deleted="deleted" />'
    if not account and is_ip(name):
        return f"<contributor><ip>{escaped(name)}</ip></contributor>"
    return f"<contributor><username>{escaped(name)}</username><id>{account}</id></contributor>"
