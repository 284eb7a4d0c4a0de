"""Incremental matching: whether a revision has the tags of an earlier one, from the changed part.

The exact matcher takes a thousand times as long as finding the changed part. If that holds only
plain words, links and whole templates, and is neither in the name of a call nor in a wrapper, then
braces and comments around it pair up as before, so the page calls the same templates. In all other
cases incremental matching does not decide, and the exact matcher runs.
"""

from __future__ import annotations

import re
from typing import Any

from wikibias.dumps.xml.patterns import compiled
from wikibias.tags.template_parser import UNREAD
from wikibias.text.affixes import changed

# If the changed part would have to grow by more, matching the whole page is as good.
_MAX_GROWTH = 5000
_ELEMENT = b"(?i:%b)" % UNREAD.encode()
_COMMENT_END = rb"--(?:&gt;|>)"
_COMMENT = re.compile(rb"&lt;!--.*?" + _COMMENT_END, re.DOTALL)
_COMMENT_EDGES = (b"&lt;!--", b"--&gt;", b"-->")
# Comments, elements whose content is not parsed, and parameters change what other braces mean.
_UNREAD = compiled(rb"&lt;(?:!--|/?" + _ELEMENT + rb")")
_THREE = (b"{{{", b"}}}")
_TOKEN = re.compile(rb"\{\{|\}\}|\[\[|\]\]|\|")
_NAME_END = re.compile(rb"\||\}\}")
_OPENING_OF = {b"}}": b"{{", b"]]": b"[["}
_OPEN_ELEMENT = re.compile(rb"&lt;/?" + _ELEMENT)


def same_tags(old: bytes, new: bytes, names: Any, wrappers: Any) -> bool:
    """Return True only if `new` certainly has the tags of `old`; both are escaped as in XML.

    `names` matches wherever a tag or wrapper may be called, `wrappers` only where a wrapper may.
    """
    if old == new:
        return True
    between = changed(old, new)
    for edges in (b" \n", b"\n"):
        start, end = _widened(new, *between, edges)
        parts = [old[start : len(old) - len(new) + end], new[start:end]]
        # A name found here is also in the wider part that the next edges would give.
        if end < 0 or any(names.search(part) for part in parts):
            return False
        if not _in_a_name(new, start) and _inert(parts, new, start):
            return wrappers is None or not _in_a_wrapper(new, start, wrappers)
    return False


def _widened(text: bytes, start: int, end: int, edges: bytes) -> tuple[int, int]:
    """Widen the changed part to the nearest `edges`, which no token contains; -1: too far away."""
    before, after = text[max(0, start - _MAX_GROWTH) : start], text[end : end + _MAX_GROWTH]
    first = max(before.rfind(edge) for edge in _each(edges))
    lasts = [at for at in (after.find(edge) for edge in _each(edges)) if at >= 0]
    if (first < 0 and start > _MAX_GROWTH) or (not lasts and len(text) - end > _MAX_GROWTH):
        return start, -1
    return start - len(before) + first + 1, end + min(lasts, default=len(after))


def _each(edges: bytes) -> list[bytes]:
    return [edges[n : n + 1] for n in range(len(edges))]


def _inert(parts: list[bytes], text: bytes, start: int) -> bool:
    """Return whether the old and the new part, both at `start`, do not affect other calls.

    Assumes that they are neither in a name nor in a wrapper.
    """
    if any(edge in part for part in parts for edge in _COMMENT_EDGES):
        if _in_a_comment(text, start):
            return False
        parts = [_COMMENT.sub(b"", part) for part in parts]
    return not any(map(_affects_braces_elsewhere, parts)) and all(map(_balanced, parts))


def _affects_braces_elsewhere(part: bytes) -> bool:
    return any(three in part for three in _THREE) or _UNREAD.search(part) is not None


def _balanced(part: bytes) -> bool:
    """Return whether calls and links are closed in order, with no pipe outside of them."""
    opened: list[bytes] = []
    for token in _TOKEN.findall(part):
        if token in _OPENING_OF.values():
            opened.append(token)
        elif not opened or (token != b"|" and opened.pop() != _OPENING_OF[token]):
            return False
    return not opened


def _in_a_name(text: bytes, at: int) -> bool:
    """Return whether `at` may be in the name of a call, or in the tag of an unparsed element."""
    element = text.rfind(b"&lt;", 0, at)
    if element >= 0 and _OPEN_ELEMENT.match(text, element) and text.find(b"&gt;", element, at) < 0:
        return True
    call = text.rfind(b"{{", 0, at)
    if call < 0:
        return False
    closed = _NAME_END.search(text, call, at)
    return closed is None or text.find(b"&lt;!--", call, closed.start()) >= 0


def _in_a_comment(text: bytes, at: int) -> bool:
    opened = text.rfind(b"&lt;!--", 0, at)
    return opened >= 0 and _COMMENT.match(text, opened, at) is None


def _in_a_wrapper(text: bytes, at: int, wrappers: Any) -> bool:
    closed = 0
    for hit in wrappers.finditer(text[:at]):
        # What lies inside of a call that is certainly closed is closed too.
        if hit.start() >= closed:
            closed = _closing(text, hit.start(), at)
            if closed < 0:
                return True
    return False


def _closing(text: bytes, start: int, end: int) -> int:
    """Return where the call at `start` is certainly closed before `end`; else -1."""
    depth = 0
    for token in _TOKEN.finditer(text, start, end):
        depth += {b"{{": 1, b"}}": -1}.get(token.group(), 0)
        if not depth:
            call = text[start : token.end()]
            # Its closing braces may directly follow those of a call inside it.
            certain = not _affects_braces_elsewhere(call[:-2]) and text[start - 1 : start] != b"{"
            return token.end() if certain and _balanced(call) else -1
    return -1
