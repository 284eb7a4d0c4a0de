"""Pieces of wikitext: what a reader sees of them, and what it takes to parse them."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html.entities import html5
from typing import Any
from urllib.parse import unquote

from wikibias.config.languages import SectionKind
from wikibias.kits.files import ascii_json, from_json
from wikibias.mediawiki import CATEGORY, FILE, Namespaces
from wikibias.text import markup_tree, tidying
from wikibias.text.markup_tree import Code, TemplateForms, parsed, source

# What the name of an element is made of, as the parser reads it.
_NAME = r"[^\s<>/{}\[\]|=&'\#*;:!\-\0]"
_SCHEMES = (
    "bitcoin|ftps?|geo|git|gopher|https?|ircs?|magnet|mailto|mms|news|nntp|redis|sftp|sips?|sms"
    "|ssh|svn|tel|telnet|urn|worldwind|xmpp"
)
ADDRESS = rf"(?://|(?i:{_SCHEMES}):)"
_ATTRIBUTE = (
    r"\s++[^\s<>/={}\[\]|&]++"
    r"(?:\s*+=\s*+(?:\"[^\"<>{}\[\]\\]*+\"(?=[\s/>])|'[^'<>{}\[\]\\]*+'(?=[\s/>])"
    r"|(?![\"'])(?:[^\s<>/{}\[\]]|/(?!>))++))?+"
)
# What closes nothing but itself is passed over whole, as is the line of a plain heading. All begin
# with one of a few characters, which Python looks for quickly.
_REST = (
    r"(?<=\[)(?:\[[^\[\]{}<>\n]*+\]\]"
    rf"|\[?+(?P<address>{ADDRESS})(?:[^\[\]{{}}<>\n]*+\])?+|\[)"
    r"|(?<=\{)(?:\{[^\[\]{}<>]*+\}\}(?!\})|\{++)"
    r"|(?<=\})\}++|(?<=\])"
    rf"|(?<=<)(?:!--|(?P<end>/?+)(?P<name>{_NAME}++)"
    rf"(?P<clear>(?:{_ATTRIBUTE})*+\s*+(?P<empty>/?+)>)?+|/)"
    r"|(?<=\n)(?:(?P<heading>=[^\[\]{}<>\n]*+)(?=\n|\Z)|[^\S\n]*+(?:\{\||\|\}|\|-|=)"
)
# The attributes of a table or a row, where they open nothing that goes on behind the line.
_STYLE = re.compile(
    r"(?:[^\n\[{<]|\[\[[^\[\]{}<>\n]*+\]\]|\{\{[^\[\]{}<>\n]*+\}\}"
    r"|\[(?!\[)|\{(?!\{)|<(?=[\s\d]))*+(?:\n|\Z)"
)
_TOKEN = re.compile(rf"[{{}}\[\]<\n](?:{_REST}))")
# Inside of an address or a heading, which end with their lines.
_TOKEN_IN_LINE = re.compile(rf"[{{}}\[\]<\n=](?:{_REST}|)|(?<==)=*+)")
# Elements whose content the parser does not read, and those that have none.
_UNREAD = frozenset(
    """categorytree ce chem gallery graph hiero imagemap inputbox math nowiki pre score section
    source syntaxhighlight templatedata timeline""".split()
)
VOID = frozenset("br hr wbr img meta link".split())
# What the parser and its builder take, in nanoseconds: for a character, and for marks that begin
# a node or a part of one.
_CHARACTER = 40
_MARKS = {
    **dict.fromkeys("*#;:<", 20_000),
    **dict.fromkeys("|!", 24_000),
    "=": 12_000,
    **dict.fromkeys("{[", 5_000),
    **dict.fromkeys("-&\n", 1_500),
}
# It copies the zeros before a number once for each.
_ZEROS = re.compile(r"&#[xX]?+0{1000,}+")
# An element that is never closed is read in pieces, each with marks of its own.
_ELEMENT_WEIGHT = 3
# Reading again makes no nodes: it takes a sixth at most.
_AGAIN = 6
_MOST_DOUBLINGS = 40


@dataclass(slots=True)
class Cost:
    """What a wikitext takes to parse.

    `nanoseconds` is an upper bound on a machine of 2020, not a measurement: the same wikitext gives
    the same number. `linear` is its part for reading everything once. `depth` is how deep the
    markup is nested, `doubtful` how many openings have no close of their own, and `signs` the
    equals signs in the line of a heading: each takes the parser a step deeper into its stack.
    """

    nanoseconds: int
    linear: int
    depth: int = 0
    doubtful: int = 0
    signs: int = 0


def parsing_cost(wikitext: str) -> Cost:
    """Return what mwparserfromhell takes to parse a wikitext, which is read once, not parsed."""
    length = len(wikitext)
    count = wikitext.count
    linear = length * _CHARACTER
    for mark, weight in _MARKS.items():
        linear += count(mark) * weight
    if "0" * 1000 in wikitext:
        linear += sum(len(zeros) ** 2 // 200 for zeros in _ZEROS.findall(wikitext))
    # A line begins where the wikitext begins.
    reading = _Reading("\n" + wikitext)
    reading.read()
    again = min(reading.again, 1 << 80)
    everything = linear + again * linear // max(1, _AGAIN * length)
    return Cost(everything, linear, reading.deepest, reading.doubtful, reading.signs)


@dataclass(slots=True)
class _Reading:
    """One pass over a wikitext: what is open, and how many characters are read again.

    The parser tries each opening to its close. If there is none it goes back, takes the opening for
    text and reads all the rest again; a table in a cell with a style, or an address in the title of
    an address, it reads twice at each level. So its time is the square of the length, or worse.
    """

    wikitext: str
    opened: list[tuple[str, int, int]] = field(default_factory=list)
    """Kind, begin, and the number of braces or of doublings."""
    counts: dict[str, int] = field(default_factory=dict)
    brackets: list[str] = field(default_factory=list)
    never: dict[str, bool] = field(default_factory=dict)
    doublings: int = 0
    again: int = 0
    deepest: int = 0
    doubtful: int = 0
    signs: int = 0
    heading: int = -1
    """Where the line of a heading began; -1 outside one."""
    in_heading: int = 0

    def read(self) -> None:
        """Read it all."""
        position = 0
        while position >= 0:
            position = self._read_from(position)
        while self.opened:
            self._lose_innermost()

    def _read_from(self, position: int) -> int:
        """Read as far as tokens follow on each other; return where to read on, or -1."""
        in_line = self._in_line()
        for token in (_TOKEN_IN_LINE if in_line else _TOKEN).finditer(self.wikitext, position):
            what, end = token.group(), token.end()
            head, last, on = what[0], what[-1], end
            if head == "{":
                if last != "{":
                    continue
                self._open("{", token.start(), len(what))
            elif head == "[":
                if last == "]":
                    continue
                self._open_bracket(token, what)
            elif head == "<":
                on = self._element(token, end)
            elif head == "}":
                self._braces(end, len(what))
            elif head == "]":
                on = self._bracket(end)
            elif head == "\n":
                on = self._line(token, end)
            elif self.heading >= 0:
                self._sign(self.in_heading + 1)
            if on != end or self._in_line() != in_line:
                return on
        return -1

    def _in_line(self) -> bool:
        """Return whether something is open that ends with its line."""
        return self.heading >= 0 or (bool(self.opened) and self.opened[-1][0] == "[")

    def _open_bracket(self, token: re.Match[str], what: str) -> None:
        if what.startswith("[["):
            self._open("[[", token.start(), 1 if token["address"] else 0)
        elif token["address"]:
            self._open("[", token.start(), 1)

    def _line(self, token: re.Match[str], end: int) -> int:
        """Follow the begin of a line; return where to read on."""
        what = token.group()
        in_heading = self.heading >= 0
        if in_heading and (not self.opened or self.opened[-1][1] < self.heading):
            self.heading = -1
        elif in_heading and what.rstrip()[-1:] == "=":
            # Where something goes on behind the line of a heading, each heading inside of it is
            # tried to the end.
            self._lose(len(self.wikitext) - end)
        # An address ends with its line, and is read again as text.
        while self.opened and self.opened[-1][0] == "[":
            self._again(token.start() - self._pop()[1])
        if self.heading < 0 and token["heading"]:
            self._sign(what.count("="))
        elif what.endswith(("{|", "|-")):
            # If the table fails, its attributes are read again each time, with all they open.
            self.doublings += 2 * (_STYLE.match(self.wikitext, end) is None)
            if what.endswith("{|"):
                self._open("{|", end - 2, 1)
        elif what.endswith("|}"):
            in_table = self.opened and self.opened[-1][0] == "{|"
            if not in_table and self.wikitext.startswith("}", end):
                return end - 1
            self._close("{|", end)
        elif self.heading < 0 and what.endswith("="):
            self.heading = token.start()
            self._sign(1)
        return end

    def _sign(self, number: int) -> None:
        self.in_heading = number
        self.signs = max(self.signs, number)

    def _open(self, kind: str, begin: int, number: int) -> None:
        self.opened.append((kind, begin, number))
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.doublings += number if kind not in ("{", "<") else 0
        # A run of braces may be a call in the name of a call, and so on.
        deeper = number // 2 - 1 if kind == "{" else 0
        self.deepest = max(self.deepest, len(self.opened) + deeper)
        if kind in ("[", "[["):
            self.brackets.append(kind)

    def _pop(self) -> tuple[str, int, int]:
        entry = kind, _, number = self.opened.pop()
        self.counts[kind] -= 1
        self.doublings -= number if kind not in ("{", "<") else 0
        if kind in ("[", "[["):
            self.brackets.pop()
        return entry

    def _close(self, kind: str, end: int) -> tuple[str, int, int] | None:
        """Close the innermost of a kind; what is open inside of it is never closed."""
        if not self.counts.get(kind):
            return None
        while self.opened[-1][0] != kind:
            self._lose_innermost()
        entry = self.opened[-1]
        self._again(end - entry[1])
        return self._pop()

    def _again(self, characters: int) -> None:
        self.again += characters << min(max(0, self.doublings - 2), _MOST_DOUBLINGS)

    def _lose_innermost(self) -> None:
        """Count the innermost as never closed; what it doubles is doubled to the end."""
        doublings = self.doublings
        self._lose(len(self.wikitext) - self._pop()[1])
        self.doublings = doublings

    def _lose(self, characters: int) -> None:
        self.doubtful += 1
        self._again(characters)

    def _braces(self, end: int, number: int) -> None:
        while number > 1 and (entry := self._close("{", end)):
            _, start, opening = entry
            if opening == 2 or (opening == 3 and number >= 3):
                number -= opening
            else:
                self._lose(2 * (len(self.wikitext) - start))
                number -= min(number, opening)

    def _bracket(self, position: int) -> int:
        if not self.brackets:
            return position
        kind = self.brackets[-1]
        if kind == "[[" and not self.wikitext.startswith("]", position):
            return position
        self._close(kind, position)
        return position + len(kind) - 1

    def _element(self, token: re.Match[str], position: int) -> int:
        name = token["name"]
        if token.group() == "<!--":
            return self._skip("-->", "-->", position)
        if not name or (token["end"] and not token["clear"]):
            # To the next one the parser looks for its end.
            following = self.wikitext.find("<", position)
            self._again((following if following >= 0 else len(self.wikitext)) - position)
            return position
        name = name.lower()
        if not token["clear"]:
            if self.wikitext[position : position + 1].isspace():
                self._lose(_ELEMENT_WEIGHT * (len(self.wikitext) - position))
        elif token["end"]:
            self._close(f"<{name}", position)
        elif name in _UNREAD and not token["empty"]:
            return self._skip(rf"</{name}\s*+>", name, position)
        elif name not in VOID and not token["empty"]:
            self._open(f"<{name}", token.start(), 0)
        return position

    def _skip(self, closing: str, what: str, position: int) -> int:
        """Go to the end of what the parser does not read; remember if there is none."""
        found = None
        if what not in self.never:
            found = re.compile(closing, re.IGNORECASE).search(self.wikitext, position)
        if found is None:
            self.never[what] = True
            self._lose(len(self.wikitext) - position)
            return position
        # Each closing tag in it is read to the end of the line, to compare names.
        tags = self.wikitext.count("</", position, found.start())
        self._again((found.end() - position) * (1 + tags))
        return found.end()


# Elements a reader does not see as running text.
HIDDEN = frozenset(
    """ref references table gallery math chem ce score timeline syntaxhighlight source imagemap
    hiero graph templatedata templatestyles mapframe maplink indicator section categorytree
    inputbox includeonly style script""".split()
)
# Elements that begin and end a paragraph. List items are among them: their markers are tags.
BLOCKS = frozenset(
    "p div blockquote center poem pre li dt dd ul ol dl hr caption figcaption".split()
)
QUOTATIONS = frozenset(("blockquote", "poem"))
CAPTIONS = frozenset(("caption", "figcaption"))
# Of the classes of an element, in lower case: skins set captions in such elements.
CAPTION_CLASS = "caption"
NOT_DISPLAYED = re.compile(r"display\s*+:\s*+none", re.IGNORECASE)
_NAMED = re.compile(r"&([a-zA-Z][a-zA-Z0-9]{1,31});")
# No page has a longer name.
_LONGEST_NAME = 2000
_LISTS = {"li": tidying.ITEM, "dt": tidying.ITEM, "dd": tidying.ITEM + tidying.INDENTED}
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
# Functions of MediaWiki that show what is behind the colon.
_FUNCTIONS: Mapping[str, Callable[[str], str]] = {
    "formatnum": str,
    "uc": str.upper,
    "lc": str.lower,
    "ucfirst": lambda text: text[:1].upper() + text[1:],
    "lcfirst": lambda text: text[:1].lower() + text[1:],
}


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """What cleaning needs to know of a wiki.

    `templates` says what a reader sees of templates, and `sections` the kind of the section under
    a heading, by its case-folded text.
    """

    namespaces: Namespaces
    interlanguage: frozenset[str]
    templates: TemplateForms
    sections: Mapping[str, SectionKind]
    max_chars: int


def parsed_text(wikitext: str, rules: Rules) -> str:
    """Return what a reader sees of a piece of wikitext; a list item begins with `ITEM`.

    Raises:
        ValueError: nested too deeply for the parser, or for Python.
    """
    try:
        return _all(parsed(wikitext), rules)
    except RecursionError as error:
        raise ValueError("markup nested too deeply") from error


def request(wikitext: str, rules: Rules) -> bytes:
    """Return what `serve_parsed_text` reads."""
    names = {number: sorted(names) for number, names in rules.namespaces.names.items()}
    templates = rules.templates.shown, rules.templates.silent, rules.templates.quotations
    return ascii_json((wikitext, names, sorted(rules.interlanguage), templates)).encode()


def serve_parsed_text(message: bytes) -> bytes:
    """Return `parsed_text` of a `request`; nothing if it is nested too deeply."""
    wikitext, names, interlanguage, templates = from_json(message)
    namespaces = Namespaces({int(number): frozenset(found) for number, found in names.items()})
    forms = TemplateForms(namespaces, *templates)
    # Sections are told apart where the whole text is at hand.
    rules = Rules(namespaces, frozenset(interlanguage), forms, {}, len(wikitext))
    try:
        return b"=" + parsed_text(wikitext, rules).encode("utf-8", "surrogatepass")
    except (ValueError, MemoryError):
        return b""


def _all(code: Code, rules: Rules) -> str:
    return "".join(_text(code, rules))


def _text(code: Code, rules: Rules) -> Iterator[str]:
    for node in code:
        if type(node) is str and "&" not in node:
            yield node
        elif type(node) is markup_tree.Link and (text := _plain_link(node)) is not None:
            yield text
        else:
            yield from _SHOWN[type(node)](node, rules)


def _plain(text: str, _: Rules) -> Iterator[str]:
    # The parser knows the names of HTML 4, MediaWiki those of HTML 5.
    yield _NAMED.sub(lambda m: named_character(m[1]) or m[0], text) if "&" in text else text


def _address(node: Any, rules: Rules) -> Iterator[str]:
    if node.text is not None:
        yield from _text(node.text, rules)
    else:
        yield tidying.SEAM


def _argument(node: Any, rules: Rules) -> Iterator[str]:
    if node.default is not None:
        yield from _text(node.default, rules)


def _heading(node: Any, rules: Rules) -> Iterator[str]:
    title = _all(node.title, rules)
    yield heading(node.level, title)


def heading(level: int, title: str) -> str:
    """Return a heading between paragraphs; its text is for looking up sections only."""
    text = " ".join(tidying.without_marks(title).split())
    return f"{tidying.BREAK}{tidying.HEADING}{level}{text}{tidying.BREAK}"


def is_shown_link(title: str, rules: Rules) -> bool:
    """Return whether a reader sees a link in the text: not a file, a category or a language."""
    prefix, colon, _ = title.partition(":")
    if not (colon and prefix) or len(prefix) > _LONGEST_NAME:
        return True
    inside = rules.namespaces.has(FILE, prefix) or rules.namespaces.has(CATEGORY, prefix)
    return not inside and prefix.strip().lower() not in rules.interlanguage


def _plain_link(node: Any) -> str | None:
    """Return the text of a link of letters alone, as most are; None of any other."""
    if len(node.title) != 1 or type(title := node.title[0]) is not str or ":" in title:
        return None
    if node.text is None:
        return None if "%" in title or "&" in title or "{{" in title else title.strip()
    if len(node.text) != 1 or type(text := node.text[0]) is not str or "&" in text:
        return None
    return text if text.strip() else None


def _link(node: Any, rules: Rules) -> Iterator[str]:
    title = source(node.title).strip()
    if not is_shown_link(title, rules):
        yield tidying.SEAM
    elif node.text and source(node.text).strip():
        yield from _text(node.text, rules)
    else:
        if "{{" in title or "&" in title:
            title = _all(node.title, rules).strip()
        yield shown_title(title, is_short=node.text is not None)


def shown_title(title: str, *, is_short: bool) -> str:
    """Return the text of a link that has none of its own.

    With `is_short` it has an empty one, for what MediaWiki leaves out as a page is saved: the
    namespace, and an end in brackets.
    """
    title = title.lstrip(":")
    if "%" in title:
        with suppress(UnicodeDecodeError):
            title = " ".join(tidying.without_marks(unquote(title, errors="strict")).split())
    if is_short:
        title = title.rpartition(":")[2].partition(" (")[0].strip() or title
    return title


def _template(node: Any, rules: Rules) -> Iterator[str]:
    written = source(node.name)
    known = rules.templates.find(written.strip())
    shown = ""
    if known.form is not None:
        values = {source(key).strip(): value for key, value in node.parameters}

        def take(name: str) -> str:
            return _all(values.pop(name), rules) if name in values else ""

        shown = known.form.shown(known.name, take)
    elif ":" in written and (function := _FUNCTIONS.get(written.partition(":")[0].strip().lower())):
        _, _, argument = _all(node.name, rules).partition(":")
        shown = function(argument.strip())
    if not known.is_quotation and any(map(shown.__contains__, tidying.AT_BEGIN)):
        shown = f"{tidying.BREAK}{shown}{tidying.BREAK}"
    code = (node.name, *(value for _, value in node.parameters))
    yield shown_call(known, shown, lambda: any("\n" in source(each) for each in code))


def shown_call(known: markup_tree.KnownTemplates, shown: str, is_box: Callable[[], bool]) -> str:
    """Return what stands in the place of a call that shows this, "" where nothing."""
    if shown:
        begin, end = edges("blockquote", "") if known.is_quotation else ("", "")
        return f"{begin}{shown}{end}"
    # What has nothing to show leaves no gap; what is written on several lines is a box.
    if known.form is not None:
        return "" if known.form.is_literal else tidying.SEAM
    return tidying.SEAM if known.is_silent or is_box() else tidying.GAP


def _tag(node: Any, rules: Rules) -> Iterator[str]:
    name = source(node.name).strip().lower()
    if name in HIDDEN:
        # A table stands between paragraphs; a reference inside a sentence.
        yield tidying.BREAK if name in ("table", "gallery") else tidying.SEAM
        return
    classes = ""
    for key, value in node.attributes:
        which = source(key).strip().lower()
        if which == "style" and NOT_DISPLAYED.search(source(value)):
            return
        if which == "class":
            classes = source(value).lower()
    if name == "br":
        yield tidying.LINE_BREAK
    elif name == "nowiki":
        yield _all(node.content or [], rules).replace("'", tidying.APOSTROPHE)
    elif node.is_markup and name in _LISTS:
        yield tidying.BREAK + _LISTS[name]
    elif node.content is not None and name in HEADINGS:
        yield heading(int(name[1]), _all(node.content, rules))
    else:
        begin, end = edges(name, classes)
        if node.content is None:
            yield begin and tidying.BREAK
        else:
            yield begin
            yield from _text(node.content, rules)
            yield end


def edges(name: str, classes: str) -> tuple[str, str]:
    """Return what stands around the content of an element."""
    if name in _LISTS:
        return tidying.BREAK + tidying.LIST, tidying.BREAK + tidying.END
    if name in QUOTATIONS:
        return tidying.BREAK + tidying.QUOTATION, tidying.BREAK + tidying.END
    if name in CAPTIONS or CAPTION_CLASS in classes:
        return tidying.BREAK + tidying.CAPTION, tidying.BREAK + tidying.END
    return (tidying.BREAK, tidying.BREAK) if name in BLOCKS else ("", "")


def _entity(node: Any, _: Rules) -> Iterator[str]:
    value = node.value
    if node.is_named:
        yield named_character(value) or f"&{value};"
    else:
        # Python reads no number of thousands of digits, even if all are zeros.
        yield character(int(value.lstrip("0") or "0", 16 if node.is_hexadecimal else 10))


def named_character(name: str) -> str | None:
    """Return what a named entity stands for; None if there is none of this name."""
    return tidying.APOSTROPHE if name == "apos" else html5.get(f"{name};")


def character(number: int) -> str:
    """Return the character of a numeric entity, as XML and MediaWiki allow it, or U+FFFD."""
    if number in (9, 10, 13):
        return " "
    if number == ord("'"):
        return tidying.APOSTROPHE
    if 0xFDD0 <= number < 0xFDF0:
        return ""  # our marks are among these; no text may hold them
    allowed = 0x20 <= number < 0xD800 or 0xDFFF < number < 0xFFFE or 0xFFFF < number <= 0x10FFFF
    return chr(number) if allowed else "\ufffd"


_SHOWN: Mapping[type, Callable[[Any, Rules], Iterator[str]]] = {
    str: _plain,
    markup_tree.Link: _link,
    markup_tree.Address: _address,
    markup_tree.Template: _template,
    markup_tree.Element: _tag,
    markup_tree.Heading: _heading,
    markup_tree.Entity: _entity,
    markup_tree.Argument: _argument,
}
