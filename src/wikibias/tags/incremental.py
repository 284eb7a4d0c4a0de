"""Whether a revision has the tags of an earlier one, told from what was changed between the two.

The exact matcher takes a thousand times as long as finding the changed stretch. Where that holds
nothing but plain words, links and whole templates, and lies neither in the name of a call nor in
a wrapper, braces and comments around it pair up as before: the same calls stand on the page.
Anything else is not settled here, and the matcher decides.
"""

from __future__ import annotations

import re
from typing import Any

from wikibias.dumps.xml.patterns import compiled
from wikibias.tags.template_parser import UNREAD
from wikibias.text.affixes import changed

# Far from here a stretch is as good as the whole page.
_REACH = 5000
_ELEMENT = b"(?i:%b)" % UNREAD.encode()
_COMMENT_END = rb"--(?:&gt;|>)"
_COMMENT = re.compile(rb"&lt;!--.*?" + _COMMENT_END, re.DOTALL)
_COMMENT_EDGES = (b"&lt;!--", b"--&gt;", b"-->")
# What can change the meaning of braces elsewhere: comments, unread elements, parameters.
_UNREAD = compiled(rb"&lt;(?:!--|/?" + _ELEMENT + rb")")
_THREE = (b"{{{", b"}}}")
_TOKEN = re.compile(rb"\{\{|\}\}|\[\[|\]\]|\|")
_NAME_END = re.compile(rb"\||\}\}")
_PAIRS = {b"}}": b"{{", b"]]": b"[["}
_OPEN_ELEMENT = re.compile(rb"&lt;/?" + _ELEMENT)


def same_tags(old: bytes, new: bytes, names: Any, wrappers: Any) -> bool:
    """Return True only if `new` has the tags of `old`; both are texts as escaped in XML.

    `names` matches wherever a tag or wrapper may be called, `wrappers` where a wrapper may.
    """
    if old == new:
        return True
    between = changed(old, new)
    for edges in (b" \n", b"\n"):
        start, end = _widened(new, *between, edges)
        stretches = [old[start : len(old) - len(new) + end], new[start:end]]
        # What stands here stands in a wider stretch too.
        if end < 0 or any(names.search(stretch) for stretch in stretches):
            return False
        if not _in_a_name(new, start) and _inert(stretches, new, start):
            return wrappers is None or not _in_a_wrapper(new, start, wrappers)
    return False


def _widened(text: bytes, start: int, end: int, edges: bytes) -> tuple[int, int]:
    """Move both ends of a stretch to one of the `edges`, which no token holds; -1: too far."""
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    first = max(before.rfind(edge) for edge in _each(edges))
    lasts = [at for at in (after.find(edge) for edge in _each(edges)) if at >= 0]
    if (first < 0 and start > _REACH) or (not lasts and len(text) - end > _REACH):
        return start, -1
    return start - len(before) + first + 1, end + min(lasts, default=len(after))


def _each(edges: bytes) -> list[bytes]:
    return [edges[n : n + 1] for n in range(len(edges))]


def _inert(stretches: list[bytes], text: bytes, start: int) -> bool:
    """Tell whether stretches, either of which stands at `start`, leave all other calls alone.

    They do anywhere but in a name or in a wrapper.
    """
    if any(edge in stretch for stretch in stretches for edge in _COMMENT_EDGES):
        if _in_a_comment(text, start):
            return False
        stretches = [_COMMENT.sub(b"", stretch) for stretch in stretches]
    return not any(_unsettling(stretch) for stretch in stretches) and all(
        _balanced(stretch) for stretch in stretches
    )


def _unsettling(stretch: bytes) -> bool:
    """Tell whether a stretch may change what braces elsewhere mean."""
    return any(three in stretch for three in _THREE) or _UNREAD.search(stretch) is not None


def _balanced(stretch: bytes) -> bool:
    """Tell whether calls and links close in order, with no bar outside of them."""
    opened: list[bytes] = []
    for token in _TOKEN.findall(stretch):
        if token in _PAIRS.values():
            opened.append(token)
        elif not opened or (token != b"|" and opened.pop() != _PAIRS[token]):
            return False
    return not opened


def _in_a_name(text: bytes, at: int) -> bool:
    """Tell whether `at` may be in a call's name, or in the tag of an unread element."""
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
    return any(not _closes(text, hit.start(), at) for hit in wrappers.finditer(text[:at]))


def _closes(text: bytes, start: int, end: int) -> bool:
    """Tell whether the call at `start` is closed before `end`, beyond doubt."""
    depth = 0
    for token in _TOKEN.finditer(text, start, end):
        depth += {b"{{": 1, b"}}": -1}.get(token.group(), 0)
        if not depth:
            call = text[start : token.end()]
            # Its own last braces may stand right after those of a call inside it.
            settled = not _unsettling(call[:-2]) and text[start - 1 : start] != b"{"
            return settled and _balanced(call)
    return False
