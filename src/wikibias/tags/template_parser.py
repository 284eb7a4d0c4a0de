"""Template calls of a wikitext, parsed whole or from the last revision on."""

import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from wikibias.dumps.xml.revision_parser import compiled
from wikibias.text.similarity import changed

# Elements whose content is shown as it is. Longest first, as alternatives are tried in order.
UNREAD = "nowiki|pre|syntaxhighlight|source|math|score|timeline|hiero|graph|templatedata|chem|ce"
# Only of a-z: in a pattern without regard to case, "s" matches "ſ" too.
_INACTIVE = re.compile(rf"<!--|<((?a:{UNREAD}))(?:\s[^<>]*)?>", re.IGNORECASE)
_ENDS = {name: re.compile(rf"</(?a:{name})\s*>", re.IGNORECASE) for name in UNREAD.split("|")}
_TOKEN = re.compile(r"\{{2,}|\}{2,}|\[\[|\]\]|\|")
# Stands where an inactive element stood, so that the words around it do not run together.
_HOLE = "\x00"
# What ends the name of a parameter, or tells that it has none.
_SIGN = re.compile(r"[=\[{<]")
# In characters: a title has at most 255 bytes; a prefix and spaces may stand before it.
LONGEST_NAME = 500
# How a comment (no name) or an element opens, its name, and where it ends; None: it never does.
_Inactive = tuple[re.Match[str], str, int | None]


class Parameter(NamedTuple):
    """A parameter of a call: its text up to the first `sign`, and where its value stands.

    The sign is "=" where the parameter has a name, "[", "{" or "<" where a link, a call or an
    element begins, which no name can contain, else "".
    """

    left: str
    sign: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Call:
    """One template call, from `start` to `end` of an active wikitext, braces included.

    `cuts` are where its name begins, where the bars before its parameters stand, and where the
    last of these ends. A call contains all that is nested in it: to copy the name and the
    parameters of each takes time in the square of the depth, so they are read when asked for.
    """

    text: str = field(repr=False, compare=False)
    start: int
    end: int
    cuts: tuple[int, ...]
    closed: bool

    @property
    def name(self) -> str:
        """The raw name; of one longer than `LONGEST_NAME` characters, one character more."""
        first, last = self.cuts[:2]
        return self.text[first : min(last, first + LONGEST_NAME + 1)]

    @property
    def parameters(self) -> Iterator[Parameter]:
        """The parameters, in order. Linear for all calls of a text together."""
        for bar, end in pairwise(self.cuts[1:]):
            sign = _SIGN.search(self.text, bar + 1, end)
            found = sign.group() if sign else ""
            left = self.text[bar + 1 : sign.start() if sign else end]
            start = bar + 1 + (len(left) + 1 if found == "=" else 0)
            yield Parameter(left, found, start, end)


class ParsedWikitext:
    """A wikitext that is parsed once and handed on: its active text, and the calls in it."""

    def __init__(self, wikitext: str) -> None:
        self.text = active(wikitext)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every template call, inner ones before outer ones; looked for when first asked for."""
        return tuple(calls(self.text))


# A transition has at most three texts, and those of one revision share two of them.
@lru_cache(maxsize=4)
def parse(wikitext: str) -> ParsedWikitext:
    """Return a wikitext, parsed; the last few are remembered."""
    return ParsedWikitext(wikitext)


@dataclass(slots=True)
class _Open:
    """Braces or brackets not yet closed: their number, and where what they hold begins."""

    braces: int  # 0 for a link
    start: int
    pipes: list[int] = field(default_factory=list)


def active(text: str) -> str:
    """Return the wikitext without comments and without what is shown unread (nowiki, pre ...).

    A comment that is never closed runs to the end; an element that is never closed is plain
    text. Linear in the length of the text, whatever it holds.
    """
    return _without_inactive(text, _inactive(text))


def _without_inactive(text: str, inactive: Iterable[_Inactive]) -> str:
    kept: list[str] = []
    begin = 0
    for opening, name, end in inactive:
        if end is not None:
            kept += [text[begin : opening.start()], _HOLE if name else ""]
            begin = end
    kept.append(text[begin:])
    return "".join(kept)


def _inactive(text: str) -> Iterator[_Inactive]:
    """Yield where comments and unread elements open and end, in order."""
    position = 0
    never_closed: set[str] = set()
    while opening := _INACTIVE.search(text, position):
        name = (opening.group(1) or "").lower()
        end = _end(text, opening, name, never_closed)
        position = opening.end() if end is None else end
        yield opening, name, end


def _end(text: str, opening: re.Match[str], name: str, never_closed: set[str]) -> int | None:
    if not name:
        end = text.find("-->", opening.end())
        return len(text) if end < 0 else end + 3
    if opening.group().endswith("/>"):
        return opening.end()
    closing = None if name in never_closed else _ENDS[name].search(text, opening.end())
    if closing is None:
        never_closed.add(name)
        return None
    return closing.end()


def calls(text: str, unclosed: list[int] | None = None) -> Iterator[Call]:
    """Yield every template call of an `active` wikitext, inner ones before outer ones.

    At the end, where braces and links begin that are never closed is added to `unclosed`.
    """
    position: int | None = 0
    while position is not None and (position := text.find("{{", position)) >= 0:
        stack: list[_Open] = []
        position = yield from _outermost(text, position, stack)
        if unclosed is not None:
            unclosed += [left_open.start for left_open in stack]
        for left_open in stack:
            if left_open.braces == 2 or left_open.braces > 3:
                yield _unclosed(text, left_open)


def _outermost(text: str, position: int, stack: list[_Open]) -> Generator[Call, None, int | None]:
    """Yield the calls of the braces that open at `position`; return where they close.

    Links and bars count only between braces, so nothing outside of them need be looked at.
    Returns None, with what is open left on the `stack`, when the text ends before they close.
    """
    for token in _TOKEN.finditer(text, position):
        what = token.group()
        if what[0] == "{":
            stack.append(_Open(len(what), token.end()))
        elif what == "[[":
            stack.append(_Open(0, token.end()))
        elif what == "]]":
            if not stack[-1].braces:
                stack.pop()
        elif what == "|":
            stack[-1].pipes.append(token.start())
        else:
            yield from _close(text, stack, token.start(), len(what))
            if not stack:
                return token.end()
    return None


def _close(text: str, stack: list[_Open], position: int, count: int) -> Iterator[Call]:
    while count >= 2 and stack and stack[-1].braces:
        top = stack[-1]
        taken = 3 if min(count, top.braces) >= 3 else 2
        if taken == 2:
            yield _call(text, top, position)
        position += taken
        count -= taken
        top.braces -= taken
        if top.braces < 2:
            stack.pop()
        else:
            top.start -= taken
            top.pipes.clear()


def _call(text: str, opened: _Open, position: int) -> Call:
    cuts = (opened.start, *opened.pipes, position)
    return Call(text, opened.start - 2, position + 2, cuts, closed=True)


def _unclosed(text: str, opened: _Open) -> Call:
    if opened.pipes:
        end = min(len(text), opened.pipes[-1] + 200)
        cuts = (opened.start, *opened.pipes, end)
    else:
        rest = text[opened.start : opened.start + 200]
        line = rest.lstrip().partition("\n")[0]
        first = opened.start + len(rest) - len(rest.lstrip())
        end = first + len(line)
        cuts = (first, first + len(line.rstrip("} ")))
    return Call(text, opened.start - 2, end, cuts, closed=False)


def settled_active(text: str) -> str | None:
    """Return the active wikitext if that stays what it is, whatever follows on a new line.

    It does where every comment and every element that is shown unread is closed; else None.
    """
    position = 0
    inactive = list(_inactive(text))
    for opening, name, end in inactive:
        if end is None or not (name or text.endswith("-->", opening.end(), end)):
            return None
        position = end
    if text.rfind("<", position) > text.rfind(">", position):
        return None
    return _without_inactive(text, inactive)


# If the changed part would have to grow by more, matching the whole page is as good.
_MAX_GROWTH = 5000
_ELEMENT = b"(?i:%b)" % UNREAD.encode()
_COMMENT_END = rb"--(?:&gt;|>)"
_COMMENT = re.compile(rb"&lt;!--.*?" + _COMMENT_END, re.DOTALL)
_COMMENT_EDGES = (b"&lt;!--", b"--&gt;", b"-->")
# Comments, elements whose content is not parsed, and parameters change what other braces mean.
_UNREAD = compiled(rb"&lt;(?:!--|/?" + _ELEMENT + rb")")
_THREE = (b"{{{", b"}}}")
_SIMPLE_TOKEN = re.compile(rb"\{\{|\}\}|\[\[|\]\]|\|")
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
    for edges in ((b" ", b"\n"), (b"\n",)):
        start, end = _widened(new, *between, edges)
        parts = [old[start : len(old) - len(new) + end], new[start:end]]
        # A name found here is also in the wider part that the next edges would give.
        if end < 0 or any(names.search(part) for part in parts):
            return False
        if not _in_a_name(new, start) and _inert(parts, new, start):
            return wrappers is None or not _in_a_wrapper(new, start, wrappers)
    return False


def _widened(text: bytes, start: int, end: int, edges: Iterable[bytes]) -> tuple[int, int]:
    """Widen the changed part to the nearest `edges`, which no token contains; -1: too far away."""
    before, after = text[max(0, start - _MAX_GROWTH) : start], text[end : end + _MAX_GROWTH]
    first = max(map(before.rfind, edges))
    lasts = [at for at in map(after.find, edges) if at >= 0]
    if (first < 0 and start > _MAX_GROWTH) or (not lasts and len(text) - end > _MAX_GROWTH):
        return start, -1
    return start - len(before) + first + 1, end + min(lasts, default=len(after))


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
    for token in _SIMPLE_TOKEN.findall(part):
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
    for token in _SIMPLE_TOKEN.finditer(text, start, end):
        depth += {b"{{": 1, b"}}": -1}.get(token.group(), 0)
        if not depth:
            call = text[start : token.end()]
            # Its closing braces may directly follow those of a call inside it.
            certain = not _affects_braces_elsewhere(call[:-2]) and text[start - 1 : start] != b"{"
            return token.end() if certain and _balanced(call) else -1
    return -1
