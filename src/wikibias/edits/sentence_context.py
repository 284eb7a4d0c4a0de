"""Context of a sentence: its neighbours, section and references."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from wikibias import mediawiki
from wikibias.records import Paragraph, Sentence, SentenceContext
from wikibias.text import segmentation, similarity
from wikibias.text.cleaning import Rules, visible_paragraphs, without_comments

# Each alternative begins with one character, and takes time that grows with the length only.
_TOKEN = re.compile(
    r"\{\{|\}\}|<(?:(?P<ref>ref(?=[\s/>])[^<>]*+>)|(?P<end>/ref\s*+>)"
    r"|(?P<unread>nowiki|pre)(?=[\s>])[^<>/]*+>)",
    re.IGNORECASE,
)
_CLOSED = {name: re.compile(rf"</{name}\s*+>", re.IGNORECASE) for name in ("ref", "nowiki", "pre")}
_NAME = re.compile(r"\s*+([^{}|<>\[\]\n]{1,100})")
# Templates that point at a source in the list of references, on most wikis that have them.
_SHORT = ("sfn", "sfnm", "sfnp", "harv", "harvnb", "harvtxt", "r", "refn")
# What the pieces of a reference that is cut off by a line are given as.
_PIECE = "<ref />"


class Reference(NamedTuple):
    """A reference: where it begins and ends in the wikitext, and its wikitext in single spaces."""

    start: int
    end: int
    source: str


class ReferenceFinder:
    """Finds references in wikitexts of one language.

    `templates` are the names of citation templates, beside those of short footnotes; one that ends
    with * stands for all names that begin like this. The case of names does not matter.
    """

    def __init__(self, templates: Iterable[str]) -> None:
        names = [*_SHORT, *templates]
        keys = (mediawiki.title_key(name, ignore_case=True) for name in names)
        self._names = frozenset(key for key in keys if not key.endswith("*"))
        # "cite *" stands for no template that is called citelet.
        self._beginnings = tuple(name.casefold()[:-1] for name in names if name.endswith("*"))

    def __call__(self, wikitext: str) -> list[Reference]:
        """Return the references of a wikitext without comments, in order.

        One inside of another, as a citation template in a `<ref>`, is none of its own. What is
        never closed is none.
        """
        spans = sorted(self._spans(wikitext))
        found: list[Reference] = []
        for start, end in spans:
            if not found or start >= found[-1].end:
                found.append(Reference(start, end, " ".join(wikitext[start:end].split())))
        return found

    def _spans(self, wikitext: str) -> Iterator[tuple[int, int]]:
        # Begins of open calls; those of citations have True.
        calls: list[tuple[int, bool]] = []
        ends, at = _Ends(wikitext), 0
        while token := _TOKEN.search(wikitext, at):
            start, at = token.span()
            if token["ref"]:
                end = at if token["ref"].endswith("/>") else ends.behind(at, "ref")
                if end is not None:
                    yield start, end
                    at = end
            elif token["unread"]:
                at = ends.behind(at, token["unread"]) or at
            elif token.group() == "{{":
                calls.append((start, self._cites(wikitext, at)))
            elif token.group() == "}}" and calls:
                begin, cites = calls.pop()
                if cites:
                    yield begin, at

    def _cites(self, wikitext: str, at: int) -> bool:
        found = _NAME.match(wikitext, at)
        if found is None:
            return False
        name = mediawiki.title_key(found[1], ignore_case=True)
        return name in self._names or (bool(self._beginnings) and name.startswith(self._beginnings))


class _Ends:
    """Finds where elements of a text end; looks for the end of none twice in vain."""

    def __init__(self, text: str) -> None:
        self._text, self._endless = text, set[str]()

    def behind(self, at: int, name: str) -> int | None:
        """Return where an element that is open at a place ends; None if it does not."""
        name = name.lower()
        if name in self._endless:
            return None
        if found := _CLOSED[name].search(self._text, at):
            return found.end()
        self._endless.add(name)
        return None


def whole_line(line: str) -> str:
    """Return a line of a wikitext without comments as one that stands by itself.

    What the lines before have opened, and what the lines behind close, is cut away: a reference to
    one without content, a template whole.
    """
    line = line.rpartition("-->")[2]
    calls: list[int] = []
    begin, lead, opened = 0, "", -1
    ends, at = _Ends(line), 0
    while token := _TOKEN.search(line, at):
        start, at = token.span()
        if token["unread"]:
            at = ends.behind(at, token["unread"]) or at
        elif token["ref"]:
            if not token["ref"].endswith("/>"):
                end = ends.behind(at, "ref")
                if end is None:
                    opened = start
                    break
                at = end
        elif token["end"]:
            begin, lead, calls = at, _PIECE, []
        elif token.group() == "{{":
            calls.append(start)
        elif calls:
            calls.pop()
        else:
            begin, lead = at, ""
    if opened >= 0 and not calls:
        return lead + line[begin:opened] + _PIECE
    return lead + line[begin : calls[0] if calls else len(line)]


# Noncharacters of Unicode that `text.marks` has no use for: begin, ten digits, end.
_BEGIN, _END = "\ufddb", "\ufde6"
_DIGITS = "\ufddc\ufddd\ufdde\ufddf\ufde0\ufde1\ufde2\ufde3\ufde4\ufde5"
_NONE = dict.fromkeys(map(ord, _BEGIN + _DIGITS + _END))
_MARK = re.compile(f"{_BEGIN}([{_DIGITS}]{{1,9}}){_END}")
_TO_DIGITS = str.maketrans("0123456789", _DIGITS)
_FROM_DIGITS = str.maketrans(_DIGITS, "0123456789")
# Of a text without spaces: marks that could not be told all at once are looked for one by one.
_MOST_ALONE = 30
_HEADING = re.compile(r"(?m)^(={1,6})([^\n]*?)\1[ \t]*$")
_SPACE = re.compile(r"\s+")


class Placed(NamedTuple):
    """A sentence, the number of its paragraph, and the wikitext of each of its references.

    A reference is of the sentence that it stands in or follows on.
    """

    sentence: Sentence
    paragraph: int
    references: tuple[str, ...] = ()


class Tools(NamedTuple):
    """What cuts the wikitexts of a wiki into sentences, and finds their references."""

    rules: Rules
    segmenter: segmentation.Segmenter
    finder: ReferenceFinder


def placed(wikitext: str, by: Tools) -> list[Placed]:
    """Return the sentences of a wikitext, in document order.

    A reference behind a full stop is of the sentence before it, and one at the end of several
    sentences of the last; at the begin of a paragraph it is of the first.

    Raises:
        UnreadableError: it cannot be cleaned.
    """
    wikitext = without_comments(wikitext).translate(_NONE)
    paragraphs = visible_paragraphs(wikitext, by.rules)
    split = [by.segmenter.split([paragraph]) for paragraph in paragraphs]
    references = by.finder(wikitext) if any(split) else []
    held = _held(split, paragraphs, _places(wikitext, references, paragraphs, by.rules))
    return [
        Placed(
            sentence, number, tuple(references[at].source for at in held.get((number, place), ()))
        )
        for number, sentences in enumerate(split)
        for place, sentence in enumerate(sentences)
    ]


def contexts_of(found: Sequence[Placed], section: str) -> list[SentenceContext]:
    """Return what stands around each of the sentences of a section or a line."""
    contexts = []
    for _, group in groupby(found, key=lambda each: each.paragraph):
        own = list(group)
        texts = ["", *(each.sentence.text for each in own), ""]
        for at, each in enumerate(own):
            contexts.append(
                SentenceContext(
                    section=section,
                    previous=texts[at],
                    next=texts[at + 2],
                    has_reference=bool(each.references),
                    follows_reference=at > 0 and bool(own[at - 1].references),
                )
            )
    return contexts


def page_in_context(wikitext: str, by: Tools) -> tuple[list[Sentence], list[SentenceContext]]:
    """Return the sentences of an article, and what stands around each.

    Raises:
        UnreadableError: it cannot be cleaned.
    """
    sentences: list[Sentence] = []
    contexts: list[SentenceContext] = []
    for section, piece in _sections(without_comments(wikitext)):
        found = placed(piece, by)
        sentences += [each.sentence for each in found]
        contexts += contexts_of(found, section)
    return sentences, contexts


def _sections(wikitext: str) -> Iterator[tuple[str, str]]:
    """Yield the sections of an article, each with its heading, without markup, and its wikitext."""
    at, section = 0, ""
    for heading in _HEADING.finditer(wikitext):
        yield section, wikitext[at : heading.start()]
        at, section = heading.start(), " ".join(heading[2].replace("''", "").split())
    yield section, wikitext[at:]


class _Place(NamedTuple):
    """Where something vanished: behind so many letters, and whether it begins a paragraph there."""

    letters: int
    begins: bool


def _places(
    wikitext: str, references: Sequence[Reference], shown: Sequence[Paragraph], rules: Rules
) -> dict[int, _Place]:
    """Return where the references stand in what is shown, by number; not those that show nowhere.

    Letters are all characters but spaces.
    """
    letters = _letters("".join(paragraph.text for paragraph in shown))
    if not references:
        return {}
    found, plain = _marked(wikitext, [(r.start, n) for n, r in enumerate(references)], rules)
    if plain != letters:
        found = {}
        for number, reference in enumerate(references[:_MOST_ALONE]):
            found |= _alone(wikitext, reference.start, number, letters, rules)
    # An address in front of a reference takes a mark for a part of it.
    lost = [(r.end, n) for n, r in enumerate(references) if n not in found]
    if lost:
        more, plain = _marked(wikitext, lost, rules)
        if plain == letters:
            return found | more
        for at, number in lost[:_MOST_ALONE]:
            found |= _alone(wikitext, at, number, letters, rules)
    return found


def _alone(wikitext: str, at: int, number: int, letters: str, rules: Rules) -> dict[int, _Place]:
    """Return where one place is in what is shown, as far as the text is the same up to there."""
    found, plain = _marked(wikitext, [(at, number)], rules)
    same = similarity.common_ends(plain, letters)[0]
    return {n: place._replace(letters=min(place.letters, same)) for n, place in found.items()}


def _marked(
    wikitext: str, places: Iterable[tuple[int, int]], rules: Rules
) -> tuple[dict[int, _Place], str]:
    """Return where numbered places of a wikitext are in what it shows, and the letters of that."""
    pieces, end = [], 0
    for at, number in places:
        pieces += [wikitext[end:at], _BEGIN, str(number).translate(_TO_DIGITS), _END]
        end = at
    found: dict[int, _Place] = {}
    letters: list[str] = []
    count = 0
    for paragraph in visible_paragraphs("".join([*pieces, wikitext[end:]]), rules):
        is_first = True
        for turn, piece in enumerate(_MARK.split(paragraph.text)):
            if turn % 2:
                found[int(piece.translate(_FROM_DIGITS))] = _Place(count, is_first)
            else:
                shown = _letters(piece)
                letters.append(shown)
                count += len(shown)
                is_first = is_first and not shown
    return found, "".join(letters)


def _letters(text: str) -> str:
    return _SPACE.sub("", text)


class _Range(NamedTuple):
    """The letters of a sentence among those of all paragraphs, its paragraph and place in it."""

    start: int
    end: int
    key: tuple[int, int]


def _held(
    split: Sequence[Sequence[Sentence]], paragraphs: Sequence[Paragraph], places: dict[int, _Place]
) -> dict[tuple[int, int], list[int]]:
    """Return the numbers of the references of each sentence, by paragraph and place in it."""
    if not places:
        return {}
    ranges: list[_Range] = []
    begin = 0
    for number, (sentences, paragraph) in enumerate(zip(split, paragraphs, strict=True)):
        text, at = _letters(paragraph.text), 0
        for place, sentence in enumerate(sentences):
            own = _letters(sentence.text)
            at = max(text.find(own, at), at)
            ranges.append(_Range(begin + at, begin + at + len(own), (number, place)))
            at += len(own)
        begin += len(text)
    starts = [each.start for each in ranges]
    held: dict[tuple[int, int], list[int]] = {}
    for number, (letters, begins) in sorted(places.items()):
        at = bisect_left(starts, letters)
        if at == 0 or (begins and letters >= ranges[at - 1].end and letters in starts[at : at + 1]):
            at += 1
        if at <= len(ranges):
            held.setdefault(ranges[at - 1].key, []).append(number)
    return held
