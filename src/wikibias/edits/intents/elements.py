"""Elements of an edit: words, sentences, paragraphs and markup that it changes."""

import html
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from wikibias.edits.intents.markup_elements import Element, elements_of
from wikibias.mediawiki import Namespaces
from wikibias.records import EditFact
from wikibias.text import similarity

Action = Literal["inserted", "removed", "changed", "moved"]
# From this share of common words on, one text became the other.
_ALIKE = 0.5
# Texts on a side, and characters of each, that are compared.
_MOST_TEXTS = 20
_MOST_CHARACTERS = 1_000
_ANY_WORD = re.compile(r"\w+")


def alike(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return which texts became which, the most alike first, each at most once.

    Alike are those that have many of their words in common.
    """
    bags = [[_words(text) for text in side[:_MOST_TEXTS]] for side in (old, new)]
    scored = [
        (-likeness, left, right)
        for left, old_words in enumerate(bags[0])
        for right, new_words in enumerate(bags[1])
        if (likeness := _dice(old_words, new_words)) >= _ALIKE
    ]
    found: dict[int, int] = {}
    for _, left, right in sorted(scored):
        if left not in found and right not in found.values():
            found[left] = right
    return list(found.items())


def _words(text: str) -> Counter[str]:
    return Counter(_ANY_WORD.findall(text[:_MOST_CHARACTERS].casefold()))


def _dice(old: Counter[str], new: Counter[str]) -> float:
    """Return Dice's coefficient of two bags of words; 0 where it is too small to matter."""
    sizes = old.total(), new.total()
    # Seldom are two texts alike, and of most the number of words tells.
    if 2 * min(sizes) < _ALIKE * sum(sizes) or not min(sizes):
        return 0.0
    common = sum(min(old[word], new[word]) for word in old.keys() & new.keys())
    return 2 * common / sum(sizes)


class Section(NamedTuple):
    """A section: its heading with the signs, "" above the first one, and all of its text."""

    heading: str
    text: str


class Part(NamedTuple):
    """What became of a section, and what was done to it; an empty side where there was none."""

    before: str
    after: str
    action: Action


_OPEN_AND_CLOSE = (("{{", "}}"), ("{|", "|}"), ("[[", "]]"), ("<!--", "-->"))
_TAGS = re.compile(r"<(/?)(?:ref|gallery|nowiki|math)\b[^<>]*>", re.IGNORECASE)


def changed_parts(before: str, after: str) -> tuple[list[Part], list[tuple[int, int]]]:
    """Return the parts in which two wikitexts differ, in the order of the newer one.

    And which section of the older text is which of the newer, by number.
    """
    old, new = _text_sections(before), _text_sections(after)
    partners = _partners(old, new)
    parts = []
    for number, section in enumerate(new):
        if number not in partners:
            parts.append(Part("", section.text, "inserted"))
        elif (was := old[partners[number]].text) != section.text:
            parts.append(Part(*_trimmed(was, section.text), "changed"))
    used = set(partners.values())
    parts += [Part(one.text, "", "removed") for n, one in enumerate(old) if n not in used]
    return parts, [(partners[number], number) for number in sorted(partners)]


def _text_sections(text: str) -> list[Section]:
    """Split a text where a line begins with "="; the pieces, joined by a break, are the text."""
    first, *rest = text.split("\n=")
    pieces = [first, *("=" + piece for piece in rest)]
    return [
        Section(piece.partition("\n")[0].strip() if piece.startswith("=") else "", piece)
        for piece in pieces
    ]


def _partners(old: list[Section], new: list[Section]) -> dict[int, int]:
    """Return for sections of the newer text which one they were: the same, or alike.

    Those of the same heading belong together, in order; of the rest, those that share most words.
    """
    by_heading: dict[str, list[int]] = {}
    for number in range(len(old) - 1, -1, -1):
        by_heading.setdefault(old[number].heading, []).append(number)
    partners = {}
    for number, section in enumerate(new):
        if waiting := by_heading.get(section.heading):
            partners[number] = waiting.pop()
    used = set(partners.values())
    rest_old = [number for number in range(len(old)) if number not in used]
    rest_new = [number for number in range(len(new)) if number not in partners]
    if rest_old and rest_new:
        pairs = alike([old[n].text for n in rest_old], [new[n].text for n in rest_new])
        for left, right in pairs:
            partners[rest_new[right]] = rest_old[left]
    return partners


def _trimmed(before: str, after: str) -> tuple[str, str]:
    """Cut off the lines that both texts begin and end with, where no markup is open."""
    old, new = before.split("\n"), after.split("\n")
    start, end = similarity.common_ends(old, new)
    # To the blank lines around, so that paragraphs stay whole and line breaks are counted.
    while start and old[start - 1].strip():
        start -= 1
    while end and old[-end].strip():
        end -= 1
    start, end = max(0, start - 1), max(0, end - 1)
    if not _balanced("\n".join(old[:start])):
        start = 0
    middles = ["\n".join(lines[start : len(lines) - end]) for lines in (old, new)]
    if not all(_balanced(middle) for middle in middles):
        return "\n".join(old[start:]), "\n".join(new[start:])
    return middles[0], middles[1]


def _balanced(text: str) -> bool:
    """Return whether as much markup is opened as is closed; in doubt not."""
    if any(text.count(opened) != text.count(closed) for opened, closed in _OPEN_AND_CLOSE):
        return False
    if "<" not in text:
        return True
    tags = [match for match in _TAGS.finditer(text) if not match[0].endswith("/>")]
    return 2 * sum(bool(match[1]) for match in tags) == len(tags)


UNITS = ("paragraph", "sentence", "word", "character", "punctuation", "whitespace")
"""What text is counted in. Scripts that set no spaces between words count characters, not words."""

# Of these a reader sees no running text.
_SILENT = frozenset(
    {"reference", "template", "category", "media", "comment", "gallery", "heading", "list"}
)
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003134f"
)
_CHARACTER = re.compile(f"[{_UNSPACED}]")
_WORD = re.compile(rf"[^\W_{_UNSPACED}]+(?:['’-][^\W_{_UNSPACED}]+)*")
_PUNCTUATION = re.compile(r"\.{3,}|[^\w\s]|_")
_SPACE = re.compile(r"\s")
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？।؟])[\"'”’»)]*\s+|(?<=[。！？])|\n+")
_BLANK_LINES = re.compile(r"\n[ \t]*(?=\n)")
_TABLE_LINE = re.compile(r"^[ \t]*(?:\{\||\|[-}+]|[|!])[^\n]*", re.MULTILINE)
_CELL = re.compile(r"^[ \t]*[|!]+(?:[^|\n\[]*\|(?!\|))?|\|\||!!")
_ENTITY = re.compile(r"&#?\w{1,10};")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_QUOTES = re.compile(r"'{2,5}")


def visible(text: str, elements: Sequence[Element]) -> str:
    """Return about the running text of a wikitext, given its elements."""
    pieces: list[str] = []
    position = 0
    for one in sorted(elements, key=lambda element: (element.start, -element.end)):
        if one.start < position:
            continue
        shown = _visible_part(one)
        if shown is not None:
            pieces += (text[position : one.start], shown)
            position = one.end
    pieces.append(text[position:])
    rest = _QUOTES.sub("", _TAG.sub("", "".join(pieces)))
    rest = _ENTITY.sub(lambda match: html.unescape(match[0]), rest)
    return _TABLE_LINE.sub(_cells, rest)


def _visible_part(element: Element) -> str | None:
    """Return what is seen in the place of an element; None where its content is text itself."""
    if element.kind in _SILENT:
        return ""
    if element.kind == "wikilink":
        inner = element.source[2:-2]
        return inner.rpartition("|")[2].strip() if "|" in inner else inner.lstrip(":")
    if element.kind == "external_link":
        if not element.source.startswith("["):
            return ""
        return element.source[1:-1].partition(" ")[2]
    return None


def _cells(match: re.Match[str]) -> str:
    """Return the text of a line of a table: none of one that opens, closes or parts it."""
    line = match[0].lstrip()
    if line.startswith(("{|", "|-", "|}")):
        return ""
    return "\n".join(_CELL.sub("\n", line.removeprefix("|+")).split("\n"))


def units(text: str) -> dict[str, Counter[str]]:
    """Return the units of a text, by kind: how often each stands in it; `paragraphs` are apart."""
    words = _WORD.findall(text)
    sentences = (piece.strip() for piece in _SENTENCE_END.split(text) if piece)
    return {
        "paragraph": Counter(),
        "sentence": Counter(one for one in sentences if _is_sentence(one)),
        "word": Counter(words),
        "character": Counter(_CHARACTER.findall(text)),
        "punctuation": Counter(_PUNCTUATION.findall(text)),
        "whitespace": Counter(_SPACE.findall(text)),
    }


def paragraphs(text: str) -> Counter[str]:
    """Return the paragraphs of a text, which blank lines part."""
    pieces = (piece.strip() for piece in _BLANK_LINES.split(text))
    return Counter(piece for piece in pieces if _WORD.search(piece) or _has_script(piece))


def _has_script(text: str) -> bool:
    return _CHARACTER.search(text) is not None


def _is_sentence(text: str) -> bool:
    """Return whether a piece has at least two words, as mwedittypes asks of a sentence."""
    words = _WORD.finditer(text)
    return (next(words, None) and next(words, None)) is not None or _has_script(text)


# Words. Shorter lines stand in many places.
_SHORTEST_LINE = 4
# Of these one became another only if both have the same name.
_KNOWN_BY_NAME = ("category", "media", "tag")
# Wherever it stands a sentence ends.
_SENTENCE_BREAK = ". "
# Of longer parts only the beginning is read.
_MOST_TEXT = 2_000_000
# Parts that are remembered, and characters of the longest.
_SIDES_KEPT, _LONGEST_KEPT = 256, 10_000


class _Side(NamedTuple):
    """A part of one text: its elements, and its running text."""

    elements: list[Element]
    text: str


def edit_elements(before: str, after: str, namespaces: Namespaces) -> tuple[EditFact, ...]:
    """Return how many elements and units of text an edit inserted, removed, changed and moved.

    Args:
        before: the wikitext before the edit; "" where there was none.
        after: the wikitext after it.
        namespaces: tell a link to a file or a category from one to an article.

    Returns:
        One fact for each element and action that occurs, sorted.
    """
    parts, kept = changed_parts(before, after)
    sides = [(_side(part.before, namespaces), _side(part.after, namespaces)) for part in parts]
    counts = Counter(("section", str(part.action)) for part in parts)
    counts["section", "moved"] = len(kept) - len(_ordered([old for old, _ in kept]))
    for counted in (_markup, _moves, _text):
        counts.update(counted(sides))
    return tuple(EditFact(*key, number) for key, number in sorted(counts.items()) if number)


def _side(text: str, namespaces: Namespaces) -> _Side:
    # What one edit made of a line, the next one often changes again.
    return (_known_side if len(text) <= _LONGEST_KEPT else _read)(text[:_MOST_TEXT], namespaces)


def _read(text: str, namespaces: Namespaces) -> _Side:
    found = elements_of(text, namespaces)
    return _Side(found, visible(text, found))


_known_side = lru_cache(_SIDES_KEPT)(_read)


def _markup(sides: Sequence[tuple[_Side, _Side]]) -> Counter[tuple[str, str]]:
    """Count the elements that stand on one side only."""
    old, new = (
        Counter[tuple[str, str, str]](
            (one.kind, one.name, one.source) for pair in sides for one in pair[side].elements
        )
        for side in (0, 1)
    )
    counts: Counter[tuple[str, str]] = Counter()
    gone, come = _by_kind(old - new), _by_kind(new - old)
    for kind in sorted(gone.keys() | come.keys()):
        changed = _changed(kind, gone[kind], come[kind])
        counts[kind, "changed"] = changed
        counts[kind, "removed"] = len(gone[kind]) - changed
        counts[kind, "inserted"] = len(come[kind]) - changed
    return counts


def _by_kind(found: Counter[tuple[str, str, str]]) -> defaultdict[str, list[tuple[str, str]]]:
    by_kind: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for kind, name, source in found.elements():
        by_kind[kind].append((name, source))
    return by_kind


def _changed(kind: str, gone: list[tuple[str, str]], come: list[tuple[str, str]]) -> int:
    """Return how many of the elements of a kind that are gone became one that has come."""
    by_name = Counter(name for name, _ in gone if name) & Counter(name for name, _ in come if name)
    if kind in ("formatting", "list"):
        return 0
    if kind in _KNOWN_BY_NAME:
        return by_name.total()
    if kind == "table":
        return min(len(gone), len(come))
    old, new = _others(gone, by_name), _others(come, by_name)
    return by_name.total() + len(alike(old, new))


def _others(found: list[tuple[str, str]], named: Counter[str]) -> list[str]:
    """Return the sources of the elements that are not matched by their name."""
    left = named.copy()
    others = []
    for name, source in found:
        if left[name] > 0:
            left[name] -= 1
        else:
            others.append(source)
    return others


def _moves(sides: Sequence[tuple[_Side, _Side]]) -> Counter[tuple[str, str]]:
    """Count elements and lines of text that stand once on both sides, but elsewhere."""
    counts: Counter[tuple[str, str]] = Counter()
    places = [_once(_placed(pair[side] for pair in sides)) for side in (0, 1)]
    stayed: defaultdict[int, list[tuple[tuple[int, int], tuple[str, str]]]] = defaultdict(list)
    for key, (part, place) in places[1].items():
        if key not in places[0]:
            continue
        old_part, old_place = places[0][key]
        if old_part != part:
            counts[key[0], "moved"] += 1
        else:
            stayed[part].append(((place, old_place), key))
    for found in stayed.values():
        found.sort()
        in_order = _ordered([old for (_, old), _ in found])
        for number, (_, key) in enumerate(found):
            counts[key[0], "moved"] += number not in in_order
    return counts


Placed = tuple[tuple[str, str], tuple[int, int]]


def _placed(sides: Iterable[_Side]) -> Iterator[Placed]:
    """Yield elements and lines of text with the number of their part, and their place in it."""
    for number, side in enumerate(sides):
        for one in side.elements:
            if one.kind not in ("formatting", "list", "comment", "tag"):
                yield (one.kind, one.source), (number, one.start)
        for place, line in enumerate(side.text.split("\n")):
            if len(line.split()) >= _SHORTEST_LINE:
                yield ("line", line.strip()), (number, place)


def _once(placed: Iterable[Placed]) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the places of what stands in one place only."""
    places: dict[tuple[str, str], tuple[int, int]] = {}
    twice: set[Hashable] = set()
    for key, place in placed:
        if key in places:
            twice.add(key)
        places[key] = place
    return {key: place for key, place in places.items() if key not in twice}


def _ordered(numbers: Sequence[int]) -> set[int]:
    """Return the indices of a longest run of numbers that rise."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, number in enumerate(numbers):
        place = bisect_left(tails, number)
        before.append(last[place - 1] if place else -1)
        tails[place : place + 1] = [number]
        last[place : place + 1] = [index]
    kept = set()
    index = last[-1] if last else -1
    while index >= 0:
        kept.add(index)
        index = before[index]
    return kept


def _text(sides: Sequence[tuple[_Side, _Side]]) -> Counter[tuple[str, str]]:
    """Count the units of text; of one kind, as many as were removed and inserted were changed."""
    if all(old.text == new.text for old, new in sides):
        return Counter()
    old_lines, new_lines = (
        Counter(line for pair in sides for line in pair[side].text.split("\n")) for side in (0, 1)
    )
    # A line that both have holds nothing that changed: no unit reaches across its end.
    gone, come = list((old_lines - new_lines).elements()), list((new_lines - old_lines).elements())
    if len(gone) == len(come):
        gone, come = differing_sentences(gone, come)
    totals = units("\n".join(gone)), units("\n".join(come))
    for total, lines in zip(totals, (old_lines, new_lines), strict=True):
        total["whitespace"]["\n"] = lines.total()
    for side, total in enumerate(totals):
        for pair in sides:
            if pair[0].text != pair[1].text:
                total["paragraph"].update(paragraphs(pair[side].text))
    counts: Counter[tuple[str, str]] = Counter()
    for unit in UNITS:
        old, new = (total[unit] for total in totals)
        removed, inserted = (old - new).total(), (new - old).total()
        changed = min(removed, inserted)
        counts[unit, "changed"] = changed
        counts[unit, "removed"] = removed - changed
        counts[unit, "inserted"] = inserted - changed
    return counts


def differing_sentences(gone: Sequence[str], come: Sequence[str]) -> tuple[list[str], list[str]]:
    """Cut off the sentences that two lines of the same number begin and end with.

    No unit reaches across the cuts, so the difference of the units stays. For that both sides need
    as many lines: what closes a quotation counts at the end of the last line only.
    """
    rest: tuple[list[str], list[str]] = [], []
    for old, new in zip(gone, come, strict=True):
        start, end = similarity.changed(old, new)
        first = old.rfind(_SENTENCE_BREAK, 0, start)
        first = 0 if first < 0 else first + len(_SENTENCE_BREAK)
        last = new.find(_SENTENCE_BREAK, end)
        last = len(new) if last < 0 else last + len(_SENTENCE_BREAK)
        rest[0].append(old[first : len(old) - len(new) + last])
        rest[1].append(new[first:last])
    return rest
