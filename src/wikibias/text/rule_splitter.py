"""Rules that split paragraphs into sentences: abbreviations, first words, brackets and quotes."""

import re
from collections.abc import Iterator
from enum import Enum, auto

from wikibias.config.languages import Language
from wikibias.text import segmentation

OPENING = "\"'([{<«»‹›“”„‟‘’‚‛¿¡"
# Words of more letters are no abbreviations.
_LONGEST = 24
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.[-–’']?)+[^\W\d_]{1,3}")
_ROMAN = re.compile(r"[IVXLC]{1,8}(?:\.?-?(?:er|a|ª|º))?")
_VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿāăąēĕėęěīĭįıōŏőœūŭůűųаеёиоуыэюяіїєѝ")
_LONGEST_WITHOUT_VOWELS = 5
_WITHOUT_VOWELS = re.compile(
    "[A-Za-z\u00df-\u017f\u0400-\u045f][a-z\u00df-\u017f\u0430-\u045f]{1,4}"
)
_NUMERAL = re.compile("[IVX]|[IVXLC]{2,8}")
_SCALES = frozenset("bil bln mil mill milj mio mld mln mn mrd tis tys млн млрд тис тыс хил".split())
_NEAR = 3  # words
# What a cardinal number stands behind.
_NUMBERED = frozenset(
    "nr. nr no. č. čp. sz. kap. s. str. bd. vol. abb. fig. obr. rys. tab. pkt. ul. § art.".split()
)
_MONEY = frozenset(
    "BGN CHF CZK DKK DM EUR Euro Ft GBP HUF JPY Kč Kčs NOK PLN RON RUB SEK TL UAH US USD".split()
)
_OTHER_SCRIPT = re.compile("[\u0370-\u06ff]")  # Greek to Arabic: there a Latin letter is a symbol


class Kind(Enum):
    """When a sentence ends at a stop behind a word, if the next word looks like a beginning."""

    WORD = auto()
    """Always: the word is no abbreviation."""
    NEVER = auto()
    """Never: what the word announces follows (Dr.)."""
    MAY_END = auto()
    """Before a capital letter (etc.)."""
    BEFORE_STARTER = auto()
    """Before a word that begins sentences (Inc., World War I.)."""
    NOT_BEFORE_NUMBER = auto()
    """Unless a number follows (No. 7)."""
    RULER = auto()
    """Unless a second name follows (Karel IV. Lucemburský)."""
    INITIAL = auto()
    """As `BEFORE_STARTER`, and the next word is no part of a name (J. Le Goff)."""


def follows_number(before: str) -> bool:
    """Return whether one of the last words is a number."""
    return any(word[-1].isdigit() for word in before.split()[-_NEAR:])


def _is_amount(word: str) -> bool:
    return word[-1:].isdigit() or word.rstrip(".") in _SCALES


def _is_initial(words: list[str], kind: Kind | None) -> bool:
    """Return whether the last two words are no firm's S. A., which stands behind its name."""
    unnamed = len(words) == 2 or words[-3].islower()
    return kind is Kind.MAY_END and unnamed and words[-1].isupper() and len(words[-2]) == 2


class Abbreviations:
    """Tells what a stop behind a word of one language means."""

    def __init__(self, language: Language) -> None:
        self._ordinal_digits = language.ordinal_digits
        self._before_letters = frozenset(language.words_before_letters)
        self._rulers = frozenset(language.rulers)
        self._continuations = _MONEY.union(language.continuations)
        self._kinds: dict[str, Kind] = {}
        self._beginnings: set[str] = set()
        groups = (
            (language.abbreviations, Kind.NEVER),
            (language.abbreviations_may_end, Kind.MAY_END),
            (language.abbreviations_before_starter, Kind.BEFORE_STARTER),
            (language.abbreviations_before_number, Kind.NOT_BEFORE_NUMBER),
        )
        # As they are written first: where "Sat." is listed, "SAT." is not, unless listed itself.
        listed = [
            ("".join(word.split()).rstrip("."), kind) for words, kind in groups for word in words
        ]
        for word, kind in listed:
            self._kinds.setdefault(word, kind)
        for word, kind in listed:
            if len(word) > 1:  # a capital letter is an initial
                for form in (word[:1].upper() + word[1:], word.upper()):
                    self._kinds.setdefault(form, kind)
        self._units = frozenset(language.abbreviations_may_end) & frozenset(language.abbreviations)
        self._units = frozenset(word.rstrip(".") for word in self._units)
        self._endings = {word[1:]: kind for word, kind in listed if word.startswith("-")}
        for word in self._kinds:
            parts = word.split(".")
            self._beginnings.update(".".join(parts[:end]) for end in range(1, len(parts)))

    def lists(self, word: str) -> bool:
        """Return whether a word is listed, which may be a name with its mark (Yahoo!)."""
        return word in self._kinds

    def names_a_firm(self, word: str) -> bool:
        """Return whether a word with a stop may itself end a sentence (Ltda. of Cia. Ltda.)."""
        return self._kinds.get(word) in (Kind.MAY_END, Kind.BEFORE_STARTER)

    def continues(self, kind: Kind, before: str, coming: str) -> bool:
        """Return whether a capital word goes on with a ruler, an hour, a year or an amount."""
        if kind is Kind.RULER:
            return coming in self._rulers or coming in self._continuations
        return coming in self._continuations and follows_number(before)

    def begins(self, word: str) -> bool:
        """Return whether a word begins an abbreviation of several (z. of z. B.)."""
        return word in self._beginnings

    def goes_on(self, word: str, coming: str) -> bool:
        """Return whether a word and the next one are, or begin, such an abbreviation."""
        both = f"{word}.{coming}"
        return both in self._kinds or both in self._beginnings

    def kind(self, before: str) -> Kind:  # noqa: PLR0911 (rule by rule)
        """Return the kind of the last word of `before`, which ends where the stop stands."""
        if before[-1:].isspace():
            return Kind.WORD
        words = before.rsplit(None, 3)
        word = words[-1].lstrip(OPENING)
        if len(word) > _LONGEST:
            return Kind.WORD
        if len(words) > 1 and words[-2][-1] == ".":
            joined = self._joined(words, word)
            if len(word) == 1 and (joined is Kind.BEFORE_STARTER or _is_initial(words, joined)):
                return Kind.INITIAL  # M. A. Le Goff is no master of arts
            if joined is not None:
                return joined
        previous = words[-2] if len(words) > 1 else ""
        known = self._kinds.get(word)
        if known is not None:
            # The same word may be a title and a unit, or end a list: с. Горки, 12 с., и пр.
            if previous[-1:].isdigit() and (len(word) == 1 and word.islower()):
                return Kind.MAY_END
            counted = _is_amount(previous) or (len(previous) == 1 < len(word))
            return Kind.MAY_END if counted and word in self._units else known
        if word.isalpha() and len(word) > _LONGEST_WITHOUT_VOWELS:
            return next((k for end, k in self._endings.items() if word.endswith(end)), Kind.WORD)
        return self._guess(word, previous)

    def _joined(self, words: list[str], word: str) -> Kind | None:
        """Return the kind of the last two or three words, written as one (z. B.)."""
        second = words[-2].lstrip(OPENING) + word
        if len(words) > 2 and words[-3][-1] == ".":
            third = self._kinds.get(words[-3].lstrip(OPENING) + second)
            if third is not None:
                return third
        return self._kinds.get(second)

    def _guess(self, word: str, previous: str) -> Kind:  # noqa: PLR0911 (as above)
        """Return the kind of a word that is not listed."""
        tail = re.split("['’/–(-]", word)[-1]
        if tail != word and tail and (known := self._kinds.get(tail)):
            return known
        number = previous[-1:].isdigit()
        if previous.lstrip(OPENING) in self._rulers and (
            _NUMERAL.fullmatch(word) or (word.isdigit() and len(word) <= self._ordinal_digits)
        ):
            return Kind.RULER if self._ordinal_digits else Kind.WORD
        if word.isdigit():
            ordinal = len(word) <= self._ordinal_digits and previous.lower() not in _NUMBERED
            return Kind.BEFORE_STARTER if ordinal else Kind.WORD
        if len(tail) == 1 and tail.isalpha() and (tail == word or len(word) <= 3):
            return self._letter(tail, previous, number=number)
        if _DOTTED.fullmatch(word):
            return Kind.BEFORE_STARTER
        if self._ordinal_digits and _ROMAN.fullmatch(word):
            return Kind.BEFORE_STARTER
        short = not number and _WITHOUT_VOWELS.fullmatch(word)
        if short and _VOWELS.isdisjoint(word.lower()):
            return Kind.BEFORE_STARTER
        return Kind.WORD

    def _letter(self, letter: str, previous: str, *, number: bool) -> Kind:
        """Return the kind of a letter: a unit, an initial, a word such as French y."""
        if number or previous.lstrip(OPENING) in self._before_letters:
            return Kind.WORD
        if (
            letter.isascii()
            and previous[-1:].isalpha()
            and not previous.isascii()
            and _OTHER_SCRIPT.match(previous[-1])
        ):
            return Kind.WORD
        if letter.islower() and letter in _VOWELS:
            return Kind.WORD
        return Kind.INITIAL


WORD = re.compile(r"[^\W\d_]++['’]?")
_CENTURY = re.compile(r"\b[IVX]{1,5}(?:\b|er?\b)")
_ROMAN_NUMBER = re.compile(r"[IVXLCDM]+\b")
# Beginnings of names that are also articles or prepositions: J. Le Goff, A. De Vries.
_PARTICLES = frozenset(
    "A As D Da Das De Del Della Den Der Des Di Do Dos Du El L La Las Le Les Li Lo Los O Os Te "
    "Ter Till Van Von Zu".split()
)
# Pronouns and articles, which begin no such adverbial: "Den föll 146 f.Kr."
_SUBJECTS = frozenset(
    "Az Bu Das Den Der Det Die El Ela Ele Eles Ella Elle Elles Er Es Ez Gli Han He Het Hij Hon Hun "
    "Hän Il Ils It Las Le Les Lo Los Ona Oni Ono She Sie Ten The They This Zij Вона Воно Вони Він "
    "Он Она Они Оно Те То Той Тя Это Ő Ők".split()
)
_LONGEST_ADVERBIAL = 5  # words
_LONGEST_PREPOSITION = 4  # letters


class SentenceStarters:
    """Tells whether a word, behind an abbreviation, is likely to begin a sentence."""

    def __init__(self, language: Language) -> None:
        self._words = frozenset(
            form
            for word in language.sentence_starters
            for form in (word, word[:1].upper() + word[1:])
        )

    def stand_at(self, text: str, place: int, *, initial: bool = False) -> bool:
        """Return whether one of the words stands at a place.

        Behind an initial, a particle before a capital is part of a name.
        """
        coming = WORD.match(text, place)
        if coming is None or text[coming.end() : coming.end() + 1] in (".", "-"):
            return False
        bare = coming[0].rstrip("'’")
        if coming[0].replace("’", "'") not in self._words and bare not in self._words:
            return False
        if not initial or bare not in _PARTICLES:
            return True
        return not text[coming.end() : coming.end() + 2].strip()[:1].isupper()

    def ideographs_at(self, text: str, place: int) -> bool:
        """Return whether one of the words stands at a place in a text without spaces."""
        return any(text[place : place + length] in self._words for length in (1, 2))

    def number_at(self, text: str, place: int) -> bool:
        """Return whether a Roman number stands at a place; English I is a word."""
        found = _ROMAN_NUMBER.match(text, place)
        return found is not None and found[0] not in self._words

    def only_say_when(self, before: str, length: int) -> bool:
        """Return whether a sentence has said no more than when: "В 1990 г.", "En 44 av. J.-C.".

        Args:
            before: the end of what it has said.
            length: how long that is.
        """
        clause = before if length <= len(before) else ""
        comma = max(before.rfind(","), before.rfind(";"))
        if comma >= 0 and before[comma + 2 : comma + 3].islower():
            clause = before[comma + 1 :]
        words = clause.split()
        dated = any(map(str.isdigit, clause)) or _CENTURY.search(clause)
        if not dated or words[0].capitalize() not in self._words:
            return False
        if len(words[0]) > _LONGEST_PREPOSITION or words[0] in _SUBJECTS:
            return False
        known = [word for word in words if word[-1] != "."]
        numbered = words[1:] and (words[1][0].isdigit() or _CENTURY.match(words[1]))
        return len(known) <= _LONGEST_ADVERBIAL - (not numbered)


# What may close what opens. Which of both a mark is, its spaces tell: German „…“, Swedish ”…”.
_CLOSED_BY = {
    "(": ")",
    '"': '"',
    "“": "”“",
    "”": "”",
    "„": '“”"„',
    "«": "»",
    "»": "«»",
    "‘": "’",
    "'": "'",
    "‚": "‘’",
    "‹": "›",
    "›": "‹",
}
# Not the apostrophe of a word.
_MARK = re.compile(r"""[()"“”„«»‘’‚‹›'](?!(?<=\w['’])\w)""")
_CLOSED_AFTER = frozenset(".!?…,")
_OPENS_AFTER = frozenset("([{-–—―/=:“„«»‘\"'’¿¡")
# What is longer, or nested more deeply, is taken for marks that are not closed.
_LONGEST_ENCLOSURE = 600
_DEEPEST = 6
_SOME_SPACE = 10
# What follows a mark with a space before it that closes, as in French: « Yes », he said.
_CLOSED_BEFORE = re.compile(r"\s|$|[,;:)\]]|[.!?…](?:\s|$)")
_GOES_ON = re.compile(r"[”“\"»’]?(?:\s{0,3}[,;–—]|\s{0,3}-\s|\s{1,3}(\w))")


class Enclosures:
    """The quotations and brackets of a text, asked about place by place from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._coming = sorted(_spans(text), reverse=True) if _MARK.search(text) else []
        self._open: list[tuple[int, int]] = []

    def hold(self, start: int, found: re.Match[str]) -> bool:
        """Return whether a stop with its closing marks ends nothing in a sentence from `start` on.

        So it is within what opens in the sentence, or opens it and is followed by more of it:
        "It is late. I go," she said. In a script without small letters so it is also at the end of
        a quotation in a sentence, and behind a quoted question.
        """
        at, end = found.span()
        while self._coming and self._coming[-1][0] < at:
            self._open.append(self._coming.pop())
        if not self._open:
            return False
        self._open = [span for span in self._open if span[1] >= at]
        return any(
            start <= opened and self._holds(start, span, found)
            for span in self._open
            for opened, closed in [span]
            if closed >= end or not _has_case(found[5])
        )

    def _holds(self, start: int, span: tuple[int, int], found: re.Match[str]) -> bool:
        opened, closed = span
        within = not opens_sentence(self._text, start, opened)
        if closed >= found.end():
            return within or self._goes_on(closed)
        if self._text[opened] == "(" or self._text[
            max(start, opened - 3) : opened
        ].rstrip().endswith(":"):
            return False
        return within or found[1][0] in "?!؟"

    def _goes_on(self, closed: int) -> bool:
        found = _GOES_ON.match(self._text, closed + 1)
        return found is not None and (found[1] is None or found[1].islower())


def opens_sentence(text: str, start: int, opened: int) -> bool:
    """Return whether nothing but a little space stands before what opens in a sentence."""
    return opened - start < _SOME_SPACE and not text[start:opened].strip()


def _has_case(letter: str) -> bool:
    return letter.lower() != letter.upper() or not letter.isalpha()


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the places of what opens and of what closes it."""
    spans: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for found in _MARK.finditer(text):
        mark, place = found[0], found.start()
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        if mark == "’" and after.isalnum():
            continue  # an apostrophe
        if mark == "'" and not after.isupper() and before not in _CLOSED_AFTER:
            continue  # mostly one as well
        opens = mark in _CLOSED_BY and (not before or before.isspace() or before in _OPENS_AFTER)
        if mark != "«":
            opens = opens and _CLOSED_BEFORE.match(text, place + 1) is None
        if mark == "(":
            opens = True
        last = len(opened)
        if mark != "(" and not (opens and before.isspace()):
            while last and mark not in _CLOSED_BY[opened[last - 1][0]]:
                last -= 1
        else:
            last = 0
        if last:
            if place - opened[last - 1][1] <= _LONGEST_ENCLOSURE:
                spans.append((opened[last - 1][1], place))
            del opened[last - 1 :]
        elif opens:
            opened.append((mark, place))
            del opened[:-_DEEPEST]
    return spans


# Ends of sentences in scripts that have stops of their own, from Devanagari to Tibetan. They need
# neither a space behind them nor a look at what follows.
_FIRM = "।॥։۔።፧፨။៕។᠃᠉꯫᱾᱿᙮༎།⸼"
# A Greek question mark looks like a semicolon, and is mostly typed as one.
_GREEK_MARK = ";\u037e"
_DOTS = ".…‥"
_STRONG = "!?؟‽⁇⁈⁉‼"
_STOPS = f"{_DOTS}{_STRONG}{_FIRM}{_GREEK_MARK}"
_CLOSING = "\"')]}>»«›‹”“’‘⟩¹²³⁴⁵⁶⁷⁸⁹⁰"
_SPACE = "[ \u00a0\u202f\u2009]"
_CANDIDATE = re.compile(
    # Beginning with one character, which is looked for quickly.
    rf"([{_STOPS}][{_STOPS}]*+)"
    # What belongs to the stop: quotation marks, brackets, references ([3]), further stops.
    rf"((?:[{re.escape(_CLOSING)}{_STOPS}]|{_SPACE}[»”](?=[\s.,;:!?)\]]|\Z)|{_SPACE}?\[\d{{1,3}}\]"
    r"|\[[^\[\]]{1,40}\])*+)"
    rf"(?=(\s*+)((?:[{re.escape(OPENING)}\[]{_SPACE}?|[–—―]{_SPACE}?|[-−•*]{_SPACE})*+)(.?))",
    re.DOTALL,
)
# An article that has lost its vowel, before a capital: 's Avonds, 't Was.
_CLITIC = re.compile(r"\w{1,2}[ -](\w)")
# With what a sentence begins, not ends: 1., IV., J.-C. Petit.
_ENUMERATION = re.compile(r"\W?(?:\d{1,3}|(?:[^\W\d_]\.[ -]?){0,4}[^\W\d_]|[IVX]{1,5})")
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_LONE_LETTER = re.compile(r"(?<![^\W\d_]\.)(?<![^\W\d_]\. )\b[^\W\d_]\Z")
# A name, and a word in quotation marks behind it: H. "Doc.
_NICKNAME = re.compile(r"(?:\b[^\W\d_]\.|\b[^\W\d_]{2,20}) [\"'“„«‘”][^\W\d_]{1,12}\Z")
_QUOTES = frozenset("\"'”“’»«")
# What goes on a sentence after a stop and a space.
_CONTINUING = frozenset(",;:)]}%،؛、，；：·/&=+…‥.!?؟")
# Characters that are looked at before a stop, and the length of brackets that hold sentences.
_WINDOW = 40
_LONGEST_BRACKET = 300
_LONGEST_PART = 8
# After these no sentence begins behind an abbreviation: a bracket, a dash.
_DIGRESSING = re.compile(r"[(\[–—―•*-]")
_WITHIN_ADDRESSES = frozenset("./@_:")
_AFTER_WORDS = frozenset(')]"»”’%')
_CLOSING_WIDE = frozenset('」』）”’》〉】〕｣)"')


class RuleSplitter:
    """Splits paragraphs of one language by rules; those of any language, if more plainly."""

    def __init__(self, language: Language) -> None:
        self._abbreviations = Abbreviations(language)
        self._full_width_stops = language.full_width_stops
        self._starters = SentenceStarters(language)
        self._title_words = frozenset(language.title_words)

    def __call__(self, paragraph: str) -> Iterator[str]:
        """Yield the sentences of a paragraph."""
        for piece in segmentation.pieces(paragraph):
            start, enclosures = 0, Enclosures(piece)
            for found in _CANDIDATE.finditer(piece):
                if self._ends(piece, start, found) and not enclosures.hold(start, found):
                    yield piece[start : found.end()].strip()
                    start = found.end()
            if rest := piece[start:].strip():
                yield rest

    def _ends(  # noqa: PLR0911 (rule by rule)
        self, text: str, start: int, found: re.Match[str]
    ) -> bool:
        """Return whether the sentence that begins at `start` ends at a candidate."""
        run, closing, gap, opening, following = found.groups()
        at, place = found.start(), found.end(4)
        before = text[max(start, at - _WINDOW) : at]
        if not following or not before or before.isspace():
            return False
        stops = [mark for mark in closing if mark in _STOPS] if closing else []
        last = stops[-1] if stops else run[-1]
        if last in _FIRM:
            return run != "፡"
        if last in _GREEK_MARK and not (_GREEK.match(before[-1]) and following.isupper()):
            return False
        if not gap:
            return self._ends_unspaced(text, before, found)
        if following in _CONTINUING:
            return False
        if _is_lower(following) and not _begins_in_lower_case(text, place, opening):
            return False
        if closing and before[-1] in "([{":
            return False  # [...], (?)
        if self._full_width_stops or segmentation.is_unspaced(following):
            answer = self._ends_among_ideographs(before, last, following)
            if answer is not None:
                return answer
        if run == "." and not stops:
            enumerates = at - start < _WINDOW and _ENUMERATION.fullmatch(before.strip())
            return not enumerates and self._ends_after_word(text, start, before, found)
        return self._ends_after_mark(text, start, before, found)

    def _ends_after_word(  # noqa: PLR0911 (as above)
        self, text: str, start: int, before: str, found: re.Match[str]
    ) -> bool:
        """Return whether a sentence ends at a full stop, by the word before it."""
        opening, following = found[4], found[5]
        place = found.end(4)
        kind = self._abbreviations.kind(before)
        if kind is Kind.NEVER:
            return False
        word = before[-_LONGEST_PART:].rsplit(None, 1)[-1].lstrip(OPENING)
        if len(word) < _LONGEST_PART and self._abbreviations.begins(word):
            coming = WORD.match(text, place)
            if coming and self._abbreviations.goes_on(word, coming[0]):
                return False
        if kind is Kind.WORD:
            return not self._is_nickname(before, found)
        coming = WORD.match(text, place)
        if coming and self._abbreviations.continues(kind, before, coming[0]):
            return False
        if kind is Kind.RULER:
            return True
        length = found.start() - start
        if kind is Kind.NOT_BEFORE_NUMBER:
            number = following.isdigit() or self._starters.number_at(text, place)
            return not (number or self._starters.only_say_when(before, length))
        if _DIGRESSING.search(opening):
            return False
        if self._starters.stand_at(text, place, initial=kind is Kind.INITIAL):
            return True
        if kind is not Kind.MAY_END or (following.isdigit() and _is_named(before, word)):
            return False
        dotted = coming and text[coming.end() : coming.end() + 1] == "."
        if coming and dotted and self._abbreviations.names_a_firm(coming[0]):
            return False
        return not self._starters.only_say_when(before, length)

    def _is_title(self, sentence: str) -> bool:
        return sentence.split(None, 1)[0].lstrip(OPENING) in self._title_words

    def _is_nickname(self, before: str, found: re.Match[str]) -> bool:
        """Return whether a stop belongs to a quoted name between two others: H. "Doc." Pike."""
        if found[2][:1] not in _QUOTES or not found[5].isupper():
            return False
        nickname = _NICKNAME.search(before)
        return (
            nickname is not None
            and nickname[0][0].isupper()
            and not self._starters.stand_at(found.string, found.end(4))
        )

    def _ends_after_mark(self, text: str, start: int, before: str, found: re.Match[str]) -> bool:
        """Return whether a sentence ends at ? or !, an ellipsis, or several stops."""
        run, closing, place = found[1], found[2], found.end(4)
        doubtful = False
        # The film Who Is There? was made: where no capitals tell.
        short = found.start() - start <= _WINDOW
        if short and not (closing or _is_cased(found[5])) and self._is_title(before):
            return False
        if ")" in closing and closing[-1] not in _STOPS:  # a bracket within a sentence
            opened = text.rfind("(", max(start, found.start() - _LONGEST_BRACKET), found.start())
            doubtful = opened >= 0 and not opens_sentence(text, start, opened)
        elif not closing:
            word = before.rsplit(None, 1)[-1].lstrip(OPENING)
            doubtful = (
                self._abbreviations.lists(word + run)
                or (run[0] in _DOTS and before[-1].isspace())
                or (run == "!" and _is_name(before))
            )
        return not doubtful or self._starters.stand_at(text, place)

    def _ends_unspaced(  # noqa: PLR0911 (as above)
        self, text: str, before: str, found: re.Match[str]
    ) -> bool:
        """Return whether a sentence ends at a stop that sticks to the next word (end.The)."""
        run, closing, _, _, following = found.groups()
        place = found.end(4)
        coming = WORD.match(text, place)
        if segmentation.is_unspaced(following):  # only ellipses can end a sentence there
            return run in ("……", "⋯⋯") and self._starters.ideographs_at(text, place)
        if coming is None:
            return False
        after = text[coming.end() : coming.end() + 2]
        if after[:1] in _WITHIN_ADDRESSES and after[1:].isalnum():
            return False
        if _is_cased(following):
            rest = coming[0][1:] or after[:1]
            if not following.isupper() or not (rest[:1].islower() or rest[:1] in " '’"):
                return False
        if run == "." and self._abbreviations.kind(before) is not Kind.WORD:
            return False
        if closing or before[-1] in _AFTER_WORDS:
            return True
        word = before.rsplit(None, 1)[-1].lstrip(OPENING)
        if not word.isalpha():
            return len(word) == 4 and word.isdigit()
        if not _is_cased(word[-1]) or not _is_cased(following):
            return len(word) > 2 and _is_cased(word[-1]) == _is_cased(following)
        if word.islower():
            return len(word) > 2 and word != "www"
        return len(word) > 2 and self._starters.stand_at(text, place)

    def _ends_among_ideographs(self, before: str, last: str, following: str) -> bool | None:
        """Return whether a half-width stop ends a sentence without spaces; None: ask further."""
        after_ideograph = segmentation.is_unspaced(before[-1]) or before[-1] in _CLOSING_WIDE
        if segmentation.is_unspaced(following):
            if not self._full_width_stops and not segmentation.is_unspaced(before):
                return None
            return after_ideograph and last not in "…‥"
        if after_ideograph and last == ".":
            return None
        return False


def _is_named(before: str, word: str) -> bool:
    """Return whether a number behind an abbreviation goes on: S. 300, az Alfa Kft. 1991-ben."""
    return _LONE_LETTER.search(before) is not None or (
        word[:1].isupper() and not follows_number(before)
    )


def _is_name(before: str) -> bool:
    """Return whether the last word may be a name with its mark: the magazine Oh!"""
    words = before.rsplit(None, 2)[-2:]
    return len(words) > 1 and words[0].islower() and words[1].istitle() and words[1].isalpha()


def _is_cased(letter: str) -> bool:
    return letter.lower() != letter.upper() and not "\u10d0" <= letter <= "\u10ff"


def _is_lower(letter: str) -> bool:
    """Return whether a letter is a small one; those of Georgian begin sentences too."""
    return letter.islower() and _is_cased(letter)


def _begins_in_lower_case(text: str, place: int, opening: str) -> bool:
    """Return whether a small letter may begin a sentence: iPhone, 's Avonds."""
    if text[place + 1 : place + 2].isupper():
        return True
    clitic = _CLITIC.match(text, place) if opening[-1:] in ("'", "’") else None
    return clitic is not None and clitic[1].isupper()
