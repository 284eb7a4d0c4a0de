"""Writes the synthetic dump as an export of MediaWiki, schema 0.11."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from synthetic_wikitext import Fragment, escaped, length

NAMESPACES = {
    -2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Project",
    5: "Project talk", 6: "File", 10: "Template", 11: "Template talk", 14: "Category",
}  # fmt: skip
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Edit:
    """A new revision: its fragments, author and summary. An IP address has no `number`.

    Its parent is the revision before it of the same `line`.
    """

    fragments: list[Fragment]
    name: str
    number: int | None
    summary: str
    minor: bool = False
    hidden: bool = False
    line: int = 0


def head() -> bytes:
    """Return the start of the export."""
    ends = ((key, f">{name}</namespace>" if name else " />") for key, name in NAMESPACES.items())
    namespaces = "".join(
        f'      <namespace key="{key}" case="first-letter"{end}\n' for key, end in ends
    )
    schema = "http://www.mediawiki.org/xml/export-0.11"
    return (
        f'<mediawiki xmlns="{schema}/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{schema}/ {schema}.xsd" version="0.11" xml:lang="en">\n'
        "  <siteinfo>\n    <sitename>Synthetic</sitename>\n    <dbname>syntheticwiki</dbname>\n"
        "    <base>https://en.synthetic.example/wiki/Main_Page</base>\n"
        "    <generator>MediaWiki 1.45.0</generator>\n    <case>first-letter</case>\n"
        f"    <namespaces>\n{namespaces}    </namespaces>\n  </siteinfo>\n"
    ).encode()


def page_head(title: str, namespace: int, number: int, target: str | None) -> bytes:
    """Return the start of a page."""
    redirect = f'    <redirect title="{escaped(target)}" />\n' if target else ""
    return (
        f"  <page>\n    <title>{escaped(title)}</title>\n    <ns>{namespace}</ns>\n"
        f"    <id>{number}</id>\n{redirect}"
    ).encode()


def revision(edit: Edit, number: int, parent: int | None, time: datetime) -> bytes:
    """Return a revision with its text."""
    sha1 = _base36_sha1(b"".join([fragment.plain for fragment in edit.fragments]))
    size = length(edit.fragments)
    head = (
        f"    <revision>\n      <id>{number}</id>\n"
        f"{f'      <parentid>{parent}</parentid>{chr(10)}' if parent else ''}"
        f"      <timestamp>{time:%Y-%m-%dT%H:%M:%SZ}</timestamp>\n"
        f"{_contributor(edit)}{_comment(edit)}      <origin>{number}</origin>\n"
        "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
        f'      <text bytes="{size}" sha1="{sha1}"'
    )
    content = [fragment.escaped for fragment in edit.fragments]
    if edit.hidden:
        head, content = head + ' deleted="deleted" />', []
    else:
        head += ' xml:space="preserve">' if content else " />"
    end = "</text>" if content else ""
    end += f"\n      <sha1>{sha1}</sha1>\n    </revision>\n"
    return b"".join([head.encode(), *content, end.encode()])


def _contributor(edit: Edit) -> str:
    if edit.hidden:
        return '      <contributor deleted="deleted" />\n'
    who = f"        <ip>{edit.name}</ip>\n"
    if edit.number is not None:
        who = f"        <username>{escaped(edit.name)}</username>\n        <id>{edit.number}</id>\n"
    return f"      <contributor>\n{who}      </contributor>\n"


def _comment(edit: Edit) -> str:
    minor = "      <minor />\n" if edit.minor else ""
    if edit.hidden:
        return f'{minor}      <comment deleted="deleted" />\n'
    comment = f"      <comment>{escaped(edit.summary)}</comment>\n" if edit.summary else ""
    return minor + comment


def _base36_sha1(text: bytes) -> str:
    number = int.from_bytes(hashlib.sha1(text, usedforsecurity=False).digest())
    digits = []
    for _ in range(31):
        number, digit = divmod(number, 36)
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))
