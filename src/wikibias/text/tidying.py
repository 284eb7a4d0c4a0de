"""Removal of markup debris: bold and italics, leftovers of templates, empty brackets, bad lines."""

import itertools
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from wikibias import mediawiki
from wikibias.config.languages import SectionKind
from wikibias.records import Block, Paragraph

BREAK = "\n\n"
# Begin what they name: a list item made by wiki markup, which ends with its line, and a line
# indented by a colon, which is one too.
ITEM = "\ufdd0"
INDENTED = "\ufdd1"
# Before a heading: the mark, its level as a digit, and its text, in a paragraph of its own.
HEADING = "\ufdd2"
# Begin and end a part that is no running text.
LIST = "\ufdd3"
QUOTATION = "\ufdd4"
CAPTION = "\ufdd5"
END = "\ufdd6"
# A line break inside of a paragraph, by <br>.
LINE_BREAK = "\ufdd7"
# What vanished: something that belongs to no sentence, and a template that may have shown text.
SEAM = "\ufdd8"
GAP = "\ufdd9"
# Those that stand at the begin of a paragraph.
AT_BEGIN = (ITEM, INDENTED, HEADING, LIST, QUOTATION, CAPTION, END)
# An apostrophe that marks neither bold nor italics.
APOSTROPHE = "\ufdda"
ALL = (*AT_BEGIN, LINE_BREAK, SEAM, GAP, APOSTROPHE)


def without_marks(text: str) -> str:
    """Return a text without marks."""
    if not text.isascii():
        for mark in ALL:
            text = text.replace(mark, "")
    return text


_QUOTES = re.compile(r"'{2,}+")
# Bold round nothing.
_SIX_QUOTES = re.compile(r"(?<!')'{6}(?!')")


def without_quotes(line: str) -> str:
    """Return a line without the marks of bold and italics, by MediaWiki's rule for odd ones.

    Where both kinds are odd in number, one mark of three is an apostrophe and a mark of two: in
    `l'''Iliade''` the first follows a word of one letter, and that one is taken.
    """
    if "''" not in line:
        return line
    line = _SIX_QUOTES.sub("", line)
    runs = list(_QUOTES.finditer(line))
    lengths = [len(run.group()) for run in runs]
    bold = sum(n in (3, 4) or n >= 5 for n in lengths)
    italic = sum(n == 2 or n >= 5 for n in lengths)
    spared = _apostrophe(line, runs) if bold % 2 and italic % 2 else None
    pieces, end = [], 0
    for run, n in zip(runs, lengths, strict=True):
        kept = n - 5 if n > 5 else int(n == 4 or run is spared)
        pieces += [line[end : run.start()], "'" * kept]
        end = run.end()
    return "".join([*pieces, line[end:]])


def _apostrophe(line: str, runs: list[re.Match[str]]) -> re.Match[str] | None:
    threes = [run for run in runs if len(run.group()) == 3]

    def rank(run: re.Match[str]) -> int:
        before = line[max(0, run.start() - 2) : run.start()]
        if before.endswith(" ") or not before:
            return 2
        return 0 if len(before) == 1 or before[0] == " " else 1

    return min(threes, key=rank, default=None)


# Every pattern takes time that grows with the length only, in a text with single spaces and single
# marks, and begins with one of a few characters, which Python looks for quickly.
_V = SEAM + GAP
_SEPARATORS = ";,،؛、，；"
# Separators and dashes alone. Empty brackets behind a word are text, as in main().
_EMPTY = re.compile(
    rf"[(（\[«“„「『《〈【](?:(?<=\()[ {_V}{_SEPARATORS}:/–—-]++\)|(?<=\[)[ {_V}]++\]"
    rf"|(?<=\()(?<!\w\()\)|(?<=\[)(?<!\w\[)\]|(?<=（)[ {_V}{_SEPARATORS}:：]*+）"
    rf"|(?<=[«“„「『《〈【]) ?[{_V}] ?[»”“」』》〉】])"
)
_BEGIN = re.compile(
    rf"[(（\[「『《〈【«“„](?:(?<=[(（])[ {_V}{_SEPARATORS}]++|(?<=[\[「『《〈【«“„])[{_V}] )"
)
_END = re.compile(rf"[ {_V}{_SEPARATORS}]{{1,40}}+(?=[)）])")
_SPACE_BEFORE_STOP = re.compile(rf" ({GAP}?)(?=[.,)](?:\s|$))")
# Where the two above and below find something: spaces are far more than these marks.
_ENDS = re.compile(rf"[)）](?<=[ {_V}{_SEPARATORS}].)")
_STANDS_APART = re.compile(rf"[.,)](?:(?<= .)|(?<= {GAP}.))(?:\s|$)")
_VANISHED_BEFORE_MARK = re.compile(rf"[{_V}](?<= .)[.,;:!?)\]،؛؟、。，；：！？）」』]")
_RUN = re.compile(rf"[{_V}][ {_V}]*+")
_SPACED_SEPARATOR = re.compile(rf"[{_SEPARATORS}:] ?([{_V}]) ?(?=[{_SEPARATORS}.。])")
_SPACED_STOP = re.compile(rf"([.。!?！？؟]) ?[{_V}] ?[.。](?![.\d])")
_SPACE_BEFORE_MARK = re.compile(rf" (?=[{_V}][.,;:!?)\]،؛؟、。，；：！？）」』])")
# Scripts that set no spaces between words, or none before what belongs to a word.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u3000-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
)
_LETTER = rf"[^\W{_UNSPACED}]"
# What stood between something and what vanished before it, at the begin of a paragraph.
_FIRST = re.compile(rf"([{_V}]) ?(?:[{_SEPARATORS}:]++ ?|[/–—-]++(?: |\Z)|[.。](?: |\Z))")
_SPACES = re.compile(r"  ++")
# Words, or sentences, with nothing between them but what vanished.
_GLUED = re.compile(rf"[{_V}](?:(?<={_LETTER}.)|(?<=[.,;:!?)\]»”].))(?={_LETTER})")


def without_litter(text: str) -> str:
    """Return a text with single spaces without what vanished markup leaves behind.

    Of the marks for what vanished only gaps are left, each in front of the word behind it or
    directly behind the word before it.
    """
    has_marks = SEAM in text or GAP in text
    if has_marks:
        text = _RUN.sub(_single, text)
        if first := _FIRST.match(text):
            text = first[1] + text[first.end() :]
    if "(" in text or "（" in text or "[" in text or has_marks:
        text = _BEGIN.sub(_begin, _EMPTY.sub("", text))
        if _ENDS.search(text):
            text = _END.sub(_only_gap, text)
    if has_marks:
        text = _SPACED_SEPARATOR.sub(r"\1", text)
        text = _SPACED_STOP.sub(r"\1", text)
        if _VANISHED_BEFORE_MARK.search(text):
            text = _SPACE_BEFORE_MARK.sub("", text)
        text = _GLUED.sub(r" \g<0>", text)
        text = text.replace(f" {SEAM} ", " ").replace(f" {GAP} ", f" {GAP}").replace(SEAM, "")
    if _STANDS_APART.search(text):
        text = _SPACE_BEFORE_STOP.sub(r"\1", text)
    if "  " in text:
        text = _SPACES.sub(" ", text)
    if not has_marks:
        return text.strip()
    begins, ends = text.startswith(GAP), text.endswith(GAP)
    text = text.strip(f" {GAP}")
    return GAP * begins + text + GAP * (ends and text != "")


def _single(run: re.Match[str]) -> str:
    return (GAP if GAP in run[0] else SEAM) + " " * run[0].endswith(" ")


def _only_gap(run: re.Match[str]) -> str:
    return GAP * (GAP in run[0])


def _begin(run: re.Match[str]) -> str:
    return run[0][0] + GAP * (GAP in run[0])


# Every pattern takes time that grows with the length only, whatever it is given.
_ELEMENTS = "|".join(
    """a abbr b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt
    em font gallery h1 h2 h3 h4 h5 h6 hr i includeonly ins kbd li mark math noinclude nowiki ol
    onlyinclude p poem pre q rb ref references rp rt rtc ruby s samp section small span strike
    strong sub sup syntaxhighlight table tbody td tfoot th thead time tr tt u ul var wbr""".split()
)
# Of known elements, with attributes or without: "a<b and c>d" has none.
_LEFT_OVER_TAG = re.compile(
    rf"</?(?:{_ELEMENTS})(?:\s*+/?+|\s[^<>=]{{0,100}}=[^<>]{{0,300}}|(?<=br)[^<>]{{0,20}})>",
    re.IGNORECASE,
)
_MAGIC_WORD = re.compile(r"__[^\W\d_]{3,40}__")
_TABLE_LINE = re.compile(r"(?m)^[ \t:]*+(?:\{\||\|\}|\||!(?=.*(?:!!|\|)))[^\n]*+$")
# A line of a gallery that is never closed.
_FILE_LINE = re.compile(
    r"[ \t]*+[^\s:|\[\]]{2,30}+:[^|\n\[\]]{1,250}?"
    r"\.(?i:jpe?g|png|svg|gif|tiff?|webp|og[gav]|webm|pdf|djvu)[ \t]*+(?:\|[^\n]*+)?\Z"
)
_NOTHING = " \t'" + _V
_BETWEEN = re.compile(r"\n\s*\n")
_PARTS: Mapping[str, Block] = {LIST: "list", QUOTATION: "quotation", CAPTION: "caption"}
_APART = frozenset((LIST, QUOTATION, CAPTION, END, HEADING))
_AT_BEGIN = re.compile(f"[{''.join(AT_BEGIN)}]")
# What a sentence that goes on in the next line does not end with, and what it may.
_STOPS = tuple(".!?:;…。！？：；؟۔।")
_COMMAS = tuple(",،、，")
# How many paragraphs to remember, and how long ones: a page of broken markup is one.
_REMEMBERED = 4096
_LONGEST = 20_000


def paragraphs(raw: str, sections: Mapping[str, SectionKind]) -> Iterator[Paragraph]:
    """Yield the paragraphs of a text with marks.

    `sections` gives the kind of a section by the case-folded text of its heading; it ends with the
    next heading of its level or above.
    """
    section: Block | None = None
    level = 0
    parts: list[Block] = []
    is_first = True
    for between in _BETWEEN.split(raw):
        chunk = between
        if chunk[:1] in _APART:
            while chunk.startswith((LIST, QUOTATION, CAPTION, END)):
                if chunk[0] != END:
                    parts.append(_PARTS[chunk[0]])
                elif parts:
                    parts.pop()
                chunk = chunk[1:].lstrip("\n")
            if chunk.startswith(HEADING):
                parts, is_first, depth = [], True, int(chunk[1])
                if section is None or depth <= level:
                    section, level = _section(sections.get(heading_key(chunk[2:])), depth), depth
                continue
        is_short = len(chunk) <= _LONGEST
        for paragraph in (_chunk_paragraphs if is_short else _chunk_paragraphs.__wrapped__)(chunk):
            block = section or (parts[-1] if parts else None)
            if block is None and paragraph.block == "hatnote" and not is_first:
                block = "list"
            is_first = is_first and (
                paragraph.block == "hatnote" or (chunk[0] != ITEM and _is_italic(chunk))
            )
            if block is None and is_first:
                block = "hatnote"
            yield Paragraph(paragraph.text, block, paragraph.gaps) if block else paragraph


def _section(kind: SectionKind | None, depth: int) -> Block | None:
    if kind == "literature":
        return "references" if depth <= 2 else None
    return kind


def heading_key(title: str) -> str:
    """Return the form of a heading by which it is looked up: without bold, colon and case."""
    return mediawiki.single_spaced(title.replace("''", "")).strip(" ':").casefold()


@lru_cache(_REMEMBERED)
def _chunk_paragraphs(chunk: str) -> tuple[Paragraph, ...]:
    """Return the paragraphs of what stands between empty lines."""
    is_item = chunk.startswith(ITEM)
    is_hatnote = is_item and chunk.lstrip(ITEM).startswith(INDENTED) and _is_italic(chunk)
    chunk = chunk if chunk.isascii() else _AT_BEGIN.sub("", chunk)
    if "__" in chunk:
        # In letters without cases, as in __目次__, the word is its own upper case.
        chunk = _MAGIC_WORD.sub(lambda m: "" if m[0] == m[0].upper() else m[0], chunk)
    if "|" in chunk:
        chunk = _TABLE_LINE.sub("", chunk)
    if "<" in chunk:
        chunk = _LEFT_OVER_TAG.sub(" ", chunk)
    item = ""
    if is_item:
        item, _, chunk = chunk.partition("\n")
    block: Block = "hatnote" if is_hatnote else "list"
    found = [_tidied(part, block) for part in _parts(item)]
    found += [_tidied(part, "paragraph") for part in _parts(chunk)]
    return tuple(filter(None, found))


def _is_italic(chunk: str) -> bool:
    """Return whether the only line of a paragraph, or an item, is all in italics."""
    item, _, rest = chunk.partition("\n")
    if rest.strip() and not chunk.startswith(ITEM):
        return False
    line = without_marks(item).strip().removesuffix(".")
    is_italic = line.startswith("''") and not line.startswith("'''") and line.endswith("''")
    # Bold may stand inside.
    return is_italic and "''" not in line[2:-2].replace("'''", "")


def _parts(text: str) -> list[str]:
    """Cut what stands between empty lines where a line stands by itself."""
    if not text:
        return []
    lines = text.split("\n")
    parts: list[list[str]] = [[]]
    is_alone = False
    for number, line in enumerate(lines):
        if not line.strip(_NOTHING) or (":" in line and _FILE_LINE.match(line)):
            # What stands alone on its line is a box or a picture, and no part of a sentence.
            parts.append([])
            continue
        is_alone = "'''" in line and _is_alone(lines, number, is_alone)
        if is_alone:
            parts.append([])
        for follows, piece in enumerate(without_quotes(line).split(LINE_BREAK)):
            if follows and not _goes_on("".join(parts[-1][-1:]), piece):
                parts.append([])
            parts[-1].append(piece)
        if is_alone:
            parts.append([])
    return ["\n".join(part) for part in parts if part]


def _is_alone(lines: list[str], number: int, is_apart: bool) -> bool:
    """Return whether a line is all in bold, and no part of a sentence with its neighbours.

    `is_apart` says that the line before is none either.
    """
    line = lines[number].strip(" \t" + _V)
    if not (line.startswith("'''") and line.endswith("'''") and len(line) > 6):
        return False
    before = without_marks(lines[number - 1]).rstrip(" \t'") if number else ""
    after = "".join(lines[number + 1 : number + 2]).lstrip(" \t'" + _V)
    return (
        "''" not in line[3:-3].strip("'")
        and (is_apart or not before or before.endswith(_STOPS))
        and (not after or (after[0].isalnum() and not after[0].islower()))
    )


def _goes_on(before: str, after: str) -> bool:
    """Return whether a sentence goes on behind a <br>."""
    before, after = before.rstrip(" \t" + _V), after.lstrip(" \t" + _V)
    return before.endswith(_COMMAS) or (after[:1].islower() and not before.endswith(_STOPS))


def _tidied(text: str, block: Block) -> Paragraph | None:
    """Return a paragraph without litter; None if nothing is left."""
    text = without_litter(mediawiki.single_spaced(text.replace(APOSTROPHE, "'")))
    gaps: tuple[int, ...] = ()
    if GAP in text:
        *pieces, last = text.split(GAP)
        gaps = tuple(itertools.accumulate(map(len, pieces)))
        text = "".join([*pieces, last])
    return Paragraph(text, block, gaps) if text else None
