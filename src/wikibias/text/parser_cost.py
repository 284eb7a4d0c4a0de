"""Says what mwparserfromhell will take to parse a wikitext, without parsing it.

The parser tries each opening to its close. If there is none it goes back, takes the opening for
text and reads all the rest again; a table in a cell with a style, or an address in the title of an
address, it reads twice at each level. So its time is the square of the length, or worse, and this
module adds up what is read again. It reads the wikitext once.
"""

import re
from dataclasses import dataclass, field

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
    """Return what parsing takes, in time that grows with the length only."""
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
    """One pass over a wikitext: what is open, and how many characters are read again."""

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
