"""Markup elements of wikitext by name, closed or open."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wikibias.config.languages import Language
from wikibias.mediawiki import CATEGORY, FILE, Namespaces

# Names that wikis of all languages have from the English one.
_CITATION_TEMPLATES = ("cite*", "citation")
_ASKING_TEMPLATES = ("citation needed", "cite needed", "citation requested")
# The list of the paper, in the file of the language, breaks off at "ours".
_MORE_STOP_WORDS = {
    "en": "our she so than that the their them then there these they this those to too under up "
    "was we were what when where which while who whom why will with would you your"
}
# Behind the name of a template, or behind one that ends with "*".
_NAME_ENDS, _WORD_ENDS = r"\s*(?:[|}]|$)", r"(?![^\W_])"


@dataclass(frozen=True, eq=False)
class MarkupNames:
    """The names that tell what a reference is; without regard to letter case.

    Attributes:
        citation_templates: templates that hold a source; "cite*" stands for all whose name begins
            with this word. Those of the English Wikipedia count everywhere.
        asking_templates: templates that ask for a source, whatever they begin with.
        stop_words: words that say little by themselves, in lower case.
    """

    citation_templates: tuple[str, ...] = ()
    asking_templates: tuple[str, ...] = ()
    stop_words: frozenset[str] = frozenset()
    _references: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        asking = _any_of(_ASKING_TEMPLATES + self.asking_templates)
        citing = _any_of(_CITATION_TEMPLATES + self.citation_templates)
        # A tag that closes itself repeats a reference that stands elsewhere.
        pattern = rf"<ref\b(?![^<>]*/>)|\{{\{{\s*(?!{asking}){citing}"
        object.__setattr__(self, "_references", re.compile(pattern, re.IGNORECASE | re.MULTILINE))

    def count_references(self, text: str) -> int:
        """Return how many references and citation templates begin in a text."""
        if "<" not in text and "{{" not in text:
            return 0
        return len(self._references.findall(text))


def names_of(language: Language) -> MarkupNames:
    """Return the names that a language has for them."""
    names = language.intents
    more = _MORE_STOP_WORDS.get(language.code, "").split()
    return MarkupNames(
        names.citation, names.citation_needed, frozenset([*language.stopwords, *more])
    )


def _any_of(names: Iterable[str]) -> str:
    # The longest first, though what ends a name decides.
    return f"(?:{'|'.join(map(_form, sorted(set(names), key=lambda name: (-len(name), name))))})"


def _form(name: str) -> str:
    stem = name.removesuffix("*").rstrip()
    words = r"[\s_]+".join(map(re.escape, stem.replace("_", " ").split()))
    return words + (_WORD_ENDS if name.endswith("*") else _NAME_ENDS)


Open = Literal["link", "template", "reference", "comment"]
LineKind = Literal[
    "prose",
    "blank",
    "heading",
    "list",
    "table",
    "infobox",
    "category",
    "image",
    "interwiki",
    "preformatted",
    "rule",
]

_MARKS = re.compile(r"\[\[|\]\]|\{\{|\}\}|<!--|-->|<ref\b|</ref\b|[<>]", re.IGNORECASE)
_BRACKETS: dict[str, tuple[Open, int]] = {
    "[[": ("link", 1),
    "]]": ("link", -1),
    "{{": ("template", 1),
    "}}": ("template", -1),
    "<!--": ("comment", 1),
    "-->": ("comment", -1),
}
_ORDER: tuple[Open, ...] = ("comment", "reference", "template", "link")
_FIRST: dict[str, LineKind] = {
    "=": "heading",
    "*": "list",
    "#": "list",
    ":": "list",
    ";": "list",
    "!": "table",
    "|": "table",
    " ": "preformatted",
    "{|": "table",
    "|}": "table",
    "----": "rule",
}
_INFOBOX = re.compile(r"\|[a-zA-Z0-9 ]+=")
# A link with a prefix, and whether the line holds nothing else.
_LINK_WITH_PREFIX = re.compile(r"\[\[\s*([^\[\]|:]{1,40}):[^\[\]\n]*(\]\]\s*\Z)?")
_IMAGES = frozenset({"file", "image", "media"})


def open_markup(line: str, places: Iterable[int]) -> list[Open | None]:
    """Return what is open at each place of a line; places in ascending order.

    A link or a template is open where more were opened before the place than closed, a reference
    from its tag, the name included, to `</ref>`. Of several the outermost kind is told: a comment
    before a reference, before a template, before a link. It reads the line once.
    """
    counts: dict[Open, int] = dict.fromkeys(_ORDER, 0)
    in_tag = False
    marks = _MARKS.finditer(line)
    mark = next(marks, None)
    found: list[Open | None] = []
    for place in places:
        while mark is not None and mark.end() <= place:
            in_tag = _follow(line, mark, counts, in_tag)
            mark = next(marks, None)
        found.append(next((kind for kind in _ORDER if counts[kind] > 0), None))
    return found


def _follow(line: str, mark: re.Match[str], counts: dict[Open, int], in_tag: bool) -> bool:
    """Take the next mark; return whether the tag of a reference is open behind it."""
    text = mark[0].lower()
    if text in _BRACKETS:
        kind, step = _BRACKETS[text]
        counts[kind] += step
    elif text == "<ref":
        counts["reference"] += 1
        return True
    elif text == "</ref":
        counts["reference"] -= 1
    elif in_tag:
        if text == ">" and line[mark.start() - 1] == "/":
            counts["reference"] -= 1
        return False
    return in_tag


def line_kind(line: str) -> LineKind:
    """Return what kind of line a line of wikitext is, by how it begins."""
    if not line or line.isspace():
        return "blank"
    if _INFOBOX.match(line):
        return "infobox"
    kind = _FIRST.get(line[0]) or _FIRST.get(line[:2]) or _FIRST.get(line[:4])
    found = None if kind else _LINK_WITH_PREFIX.match(line)
    if found is None:
        return kind or "prose"
    prefix = found[1].strip().lower()
    if prefix in _IMAGES:
        return "image"
    # Whatever the language calls its categories: nothing but a link stands there.
    only_a_link: LineKind = "interwiki" if found[2] else "prose"
    return "category" if prefix == "category" else only_a_link


ElementKind = Literal[
    "reference",
    "template",
    "wikilink",
    "external_link",
    "category",
    "media",
    "table",
    "list",
    "heading",
    "comment",
    "formatting",
    "gallery",
    "tag",
]


class Element(NamedTuple):
    """An element and where it stands; two with the same `source` are the same.

    `name` is what it is known by: of a template its name, of a link its target, of a reference its
    name or address. `source` is its wikitext; of formatting and list items, whose content is text
    for itself, only the marks.
    """

    kind: ElementKind
    name: str
    source: str
    start: int
    end: int


# Elements that stand in more others than this are none, so that nesting costs no more than text.
_DEEPEST = 20
# Characters. No title is longer.
_LONGEST_NAME = 260
# Tags whose content is no wikitext.
_OPAQUE = frozenset({"nowiki", "math", "pre", "source", "syntaxhighlight", "score", "timeline"})
_FORMATTING = frozenset(
    ("b i s u em strong del ins hr br small big sub sup font blockquote span center").split()
)
# What a table consists of is told by the table.
_CELLS = frozenset({"td", "th", "tr"})
_EMPTY = frozenset({"br", "hr", "references"})
# Each alternative begins with a character, so that the search passes over text quickly.
_TOKEN = re.compile(
    r"\{\{|\}\}|\{\||\|\}(?!\})|\[\[|\]\]?|<!--"
    r"|\[(?:https?:|ftp:)?//[^\s\[\]<>{}|]+"
    r"|<(?P<close>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9]{0,20})(?P<attributes>(?:[\s/][^<>]*)?)>"
    r"|https?://[^\s\[\]<>{}|\"]+|ftp://[^\s\[\]<>{}|\"]+"
)
_LINE = re.compile(r"^(?:(?P<heading>=[^\n]*=[ \t]*$)|(?P<marks>[*\#:;]+))", re.MULTILINE)
_QUOTES = re.compile(r"'{2,5}")
_NAME = re.compile(r"name\s*=\s*[\"']?([^\"'/>]+)", re.IGNORECASE)
_FIRST_URL = re.compile(r"(?:https?|ftp)://[^\s\[\]<>{}|\"]+")
_EXTENSION = r"\.(?:jpe?g|png|svg|gif|tiff?|webp|webm|og[gvax]|pdf|djvu|mid|wav|mp3)"
# A file that a template is given, or a line of a gallery.
_FILE_VALUE = re.compile(rf"[|=]\s*+([^|=\n{{}}\[\]<>]{{1,240}}{_EXTENSION})\s*+(?=[|\n}}])", re.I)
_OPENS = {"{{": "template", "[[": "link", "{|": "table"}
_CLOSES = {"}}": "template", "]]": "link", "|}": "table", "]": "address"}


def elements_of(text: str, namespaces: Namespaces) -> list[Element]:
    """Return the elements of a wikitext, also those inside of others, by where they end."""
    reader = _Reader(text, namespaces)
    holders = [one for one in reader.found if one.kind in ("template", "gallery")]
    return [*reader.found, *_files(text, holders), *_line_elements(text, reader.hidden)]


class _Reader:
    """Reads the elements with a start and an end; `hidden` are the spans that are no wikitext."""

    def __init__(self, text: str, namespaces: Namespaces) -> None:
        self.found: list[Element] = []
        self.hidden: list[tuple[int, int]] = []
        self._text, self._namespaces = text, namespaces
        self._opened: list[tuple[str, int]] = []
        self._count: Counter[str] = Counter()
        self._endless: set[str] = set()
        position = 0
        while match := _TOKEN.search(text, position):
            position = self._read(match)
        for kind, start in self._opened:
            self._unclosed(kind, start)

    def _read(self, match: re.Match[str]) -> int:
        """Take what was matched; return where to go on."""
        found = match[0]
        if kind := _OPENS.get(found):
            if kind != "table" or self._begins_line(match.start()):
                self._open(kind, match.start())
        elif kind := _CLOSES.get(found):
            # In "[http://... ]]]" the first bracket closes the address.
            if kind == "link" and self._opened and self._opened[-1][0] == "address":
                return self._close("address", match.start() + 1)
            if kind != "table" or self._begins_line(match.start()):
                return self._close(kind, match.end())
        elif found == "<!--":
            return self._comment(match)
        elif found[0] == "<":
            return self._tag(match)
        elif found[0] == "[":
            self._open("address", match.start())
        else:
            self._add(Element("external_link", found, found, *match.span()))
        return match.end()

    def _begins_line(self, start: int) -> bool:
        begin = self._text.rfind("\n", max(0, start - _DEEPEST), start) + 1
        between = self._text[begin or max(0, start - _DEEPEST) : start]
        return not between.strip(" \t:") and (begin > 0 or start <= _DEEPEST)

    def _comment(self, match: re.Match[str]) -> int:
        start, end = match.start(), self._end_of("-->", match.end())
        if end:
            self._add(Element("comment", "", self._text[start:end], start, end))
            self.hidden.append((start, end))
        return end or match.end()

    def _tag(self, match: re.Match[str]) -> int:
        tag, start, end = match["tag"].lower(), match.start(), match.end()
        if tag in _CELLS:
            return end
        if match["close"]:
            begin = self._last(f"<{tag}")
            if begin is not None and len(self._opened) < _DEEPEST:
                self._add(_tagged(tag, self._text, begin, end))
        elif match[0].endswith("/>") or tag in _EMPTY:
            self._add(_tagged(tag, self._text, start, end))
        elif tag in _OPAQUE:
            end = self._end_of(f"</{tag}>", end) or end
            self._add(_tagged(tag, self._text, start, end))
            self.hidden.append((start, end))
        else:
            self._open(f"<{tag}", start)
        return end

    def _end_of(self, closing: str, start: int) -> int:
        """Return where what closes an element ends, or 0; looks once for what is not there."""
        if closing in self._endless:
            return 0
        end = self._text.find(closing, start)
        if end < 0:
            self._endless.add(closing)
            return 0
        return end + len(closing)

    def _open(self, kind: str, start: int) -> None:
        self._opened.append((kind, start))
        self._count[kind] += 1

    def _last(self, kind: str) -> int | None:
        """Return where the last open element of a kind began; what was opened in it is none."""
        if not self._count[kind]:
            return None
        while True:
            last, start = self._opened.pop()
            self._count[last] -= 1
            if last == kind:
                return start
            self._unclosed(last, start)

    def _unclosed(self, kind: str, start: int) -> None:
        """Take an address whose bracket is not closed as one without brackets."""
        if kind == "address" and (url := _FIRST_URL.match(self._text, start + 1)):
            self.found.append(Element("external_link", url[0], url[0], *url.span()))

    def _close(self, kind: str, end: int) -> int:
        begin = self._last(kind)
        if begin is not None and len(self._opened) < _DEEPEST:
            self._add(_closed(kind, self._text[begin:end], begin, self._namespaces))
        return end

    def _add(self, element: Element) -> None:
        if len(self._opened) < _DEEPEST:
            self.found.append(element)


def _tagged(tag: str, text: str, start: int, end: int) -> Element:
    source = text[start:end]
    if tag == "ref":
        head = source[: source.find(">") + 1]
        name = _NAME.search(head)
        url = None if name else _FIRST_URL.search(source)
        known = name[1].strip() if name else url[0] if url else ""
        return Element("reference", known, source, start, end)
    if tag in ("gallery", "table"):
        return Element("gallery" if tag == "gallery" else "table", "", source, start, end)
    if tag in _FORMATTING:
        return Element("formatting", tag, f"<{tag}>", start, end)
    return Element("tag", tag, source, start, end)


def _closed(kind: str, source: str, start: int, namespaces: Namespaces) -> Element:
    end = start + len(source)
    if kind == "table":
        return Element("table", "", source, start, end)
    if kind == "address":
        return Element("external_link", source[1:-1].split(maxsplit=1)[0], source, start, end)
    name = source[2 : min(len(source) - 2, _LONGEST_NAME)].partition("|")[0]
    if kind == "template":
        name = " ".join(name.partition("<!--")[0].split()).casefold()
        return Element("template", name, source, start, end)
    prefix, colon, _ = name.partition(":")
    link: ElementKind = "wikilink"
    if colon and namespaces.has(FILE, prefix):
        link = "media"
    elif colon and namespaces.has(CATEGORY, prefix):
        link = "category"
    return Element(link, name.strip(), source, start, end)


def _files(text: str, holders: list[Element]) -> Iterator[Element]:
    """Yield the files that templates and galleries name without brackets, each once."""
    reached = 0
    for holder in sorted(holders, key=lambda one: (one.start, -one.end)):
        if holder.end <= reached:
            continue  # inside of one that was read
        for match in _FILE_VALUE.finditer(text, max(reached, holder.start), holder.end):
            name = match[1].strip()
            yield Element("media", name, name, match.start(1), match.end(1))
        if holder.kind == "gallery":
            yield from _gallery_lines(holder)
        reached = holder.end


def _gallery_lines(gallery: Element) -> Iterator[Element]:
    position = gallery.start
    for line in gallery.source.splitlines(keepends=True):
        name = line.partition("|")[0].strip()
        if re.search(_EXTENSION + "$", name, re.IGNORECASE):
            yield Element("media", name, line.strip(), position, position + len(line))
        position += len(line)


def _line_elements(text: str, hidden: list[tuple[int, int]]) -> Iterator[Element]:
    """Yield headings, list items and formatting with apostrophes, which end with their line."""
    spans = iter(sorted(hidden))
    span = next(spans, None)
    for match in _LINE.finditer(text):
        while span and span[1] <= match.start():
            span = next(spans, None)
        if span and span[0] <= match.start():
            continue
        if match["heading"]:
            title = match["heading"].strip().strip("=").strip()
            yield Element("heading", title, match["heading"].rstrip(), match.start(), match.end())
        else:
            yield Element("list", match["marks"], match["marks"], match.start(), match.end())
    if "''" in text:
        yield from _quoted(text)


def _quoted(text: str) -> Iterator[Element]:
    position = 0
    for line in text.split("\n"):
        opened: dict[str, int] = {}
        for match in _QUOTES.finditer(line) if "''" in line else ():
            marks = match[0]
            if marks in opened:
                start = position + opened.pop(marks)
                yield Element("formatting", marks, marks, start, position + match.end())
            else:
                opened[marks] = match.start()
        position += len(line) + 1
