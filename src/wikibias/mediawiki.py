"""MediaWiki's titles, namespaces, redirects, addresses, accounts, checksums, and summaries."""

from __future__ import annotations

import hashlib
import html
import ipaddress
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from urllib.parse import quote, urlsplit

from wikibias.config.languages import Language, NamespaceKind, SummaryKind
from wikibias.config.patterns import word_pattern
from wikibias.records import EditorKind, Revision

# dumps.wikimedia.org allows no more connections at a time.
AT_A_TIME = 3
# Combining marks are among the characters that are neither letters nor spaces. Ordinary text has
# at most some five in a row, and rules of hyphens are quick to look through. A pattern that begins
# with one character of a set is looked for quickly.
_RUN = re.compile(r"[^\w\s][^\w\s]{29,}")


def composed(text: str) -> str:
    """Return a text in NFC.

    To put combining marks in order takes Python time in the square of their number, so those of
    long runs are put in order before.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _RUN.sub(_ordered, text))


def _ordered(run: re.Match[str]) -> str:
    """Return a run of marks, decomposed, in the order that Unicode gives them."""
    marks = "".join(unicodedata.normalize("NFD", mark) for mark in run.group())
    keys = []
    base = 0
    for mark in marks:
        order = unicodedata.combining(mark)
        base += not order
        keys.append((base, order))
    return "".join(marks[at] for at in sorted(range(len(marks)), key=keys.__getitem__))


# A space to MediaWiki, but none to Python.
_MONGOLIAN_SEPARATOR = "\u180e"
_DIRECTION_MARKS = re.compile(r"[\u200e\u200f\u202a-\u202e]")


def single_spaced(text: str) -> str:
    """Return a text in NFC, with single spaces, and without direction marks."""
    if not text.isascii():
        text = _DIRECTION_MARKS.sub("", composed(text)).replace(_MONGOLIAN_SEPARATOR, " ")
    return " ".join(text.split())


def clean_title(title: str) -> str:
    """Return a title with single spaces and without underscores."""
    return single_spaced(title.replace("_", " "))


def title_key(title: str, *, ignore_case: bool) -> str:
    """Return the key of a title: two names mean the same template if their keys are equal."""
    title = clean_title(title)
    return title.casefold() if ignore_case else title[:1].upper() + title[1:]


TEMPLATE, FILE, CATEGORY, USER, USER_TALK, SPECIAL = 10, 6, 14, 2, 3, -1
# The canonical English names work on every wiki.
_CANONICAL = {
    TEMPLATE: ("Template",),
    FILE: ("File", "Image", "Media"),
    CATEGORY: ("Category",),
    USER: ("User",),
    USER_TALK: ("User talk",),
    SPECIAL: ("Special",),
}
_CONFIG_NAMES = {"template": TEMPLATE, "file": FILE, "category": CATEGORY, "user": USER}
# Prefixes of a call that do not change which template it calls.
_MODIFIERS = frozenset({"msg", "safesubst", "raw"})


@dataclass(frozen=True, eq=False)
class Namespaces:
    """The case-folded names of the namespaces of one wiki: number -> names."""

    names: Mapping[int, frozenset[str]]

    @classmethod
    def of(
        cls, declared: Mapping[int, str], local: Mapping[NamespaceKind, Iterable[str]] | None = None
    ) -> Namespaces:
        """Combine the names in the dump, the canonical ones, and those in the language's config."""
        names = {
            number: {clean_title(n).casefold() for n in ns} for number, ns in _CANONICAL.items()
        }
        for number, name in declared.items():
            if name:
                names.setdefault(number, set()).add(clean_title(name).casefold())
        for key, more in (local or {}).items():
            names[_CONFIG_NAMES[key]] |= {clean_title(name).casefold() for name in more}
        return cls({number: frozenset(found) for number, found in names.items()})

    def has(self, number: int, prefix: str) -> bool:
        """Return whether `prefix` (without its colon) names the namespace `number`."""
        return clean_title(prefix).casefold() in self.names.get(number, frozenset())

    def knows(self, prefix: str) -> bool:
        """Return whether `prefix` (without its colon) names a namespace other than articles."""
        name = clean_title(prefix).casefold()
        return any(name in names for names in self.names.values())


def template_prefixes(namespaces: Namespaces) -> frozenset[str]:
    """Return what may stand before the colon in a call of a template, case-folded."""
    return namespaces.names.get(TEMPLATE, frozenset()) | _MODIFIERS


def template_name(raw: str, namespaces: Namespaces) -> str | None:
    """Return the template that `{{raw...` calls, without prefix, or None if it calls none.

    `{{:POV}}` calls the article of that name, and `{{#if:` a parser function: no templates.
    """
    name = clean_title(html.unescape(raw) if "&" in raw else raw)
    modified = True
    while modified:
        prefix, colon, rest = name.partition(":")
        modified = bool(colon) and prefix.strip().casefold() in _MODIFIERS
        name = rest.strip() if modified else name
    from_main = name.startswith(":")
    name = name.lstrip(": ")
    prefix, colon, rest = name.partition(":")
    if colon and namespaces.has(TEMPLATE, prefix):
        name = rest.strip()
    elif from_main:
        return None
    if name.startswith("#"):
        return None
    return name.partition("#")[0].strip() or None


def redirect_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches the start of a redirect, given the words of all languages."""
    alternatives = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"\s*+(?:{alternatives})\s*+(?::\s*+)?\[\[", re.IGNORECASE)


# A host and a port. Not "en.wikipedia.org@evil.example", which looks like another host.
_HOST = re.compile(r"[\w.-]+(?::[0-9]{1,5})?|\[[0-9a-fA-F:.]+\](?::[0-9]{1,5})?")


def diff_url(base: str, before: int | None, after: int) -> str:
    """Return the URL of a diff, given the wiki's base URL from its dump; "" if that is no URL."""
    try:
        parts = urlsplit(base)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.netloc):
        return ""
    root, script, _ = parts.path.partition("index.php")
    path = quote(root + script, safe="/%~!$'()*+,;=:@") if script else "/w/index.php"
    wikimedia = parts.netloc.endswith((".wikipedia.org", ".wikimedia.org"))
    scheme = "https" if wikimedia else parts.scheme
    older = "" if before is None else f"&oldid={before}"
    return f"{scheme}://{parts.netloc}{path}?diff={after}{older}"


# On nearly every wiki, the name of a bot ends in "bot", perhaps with a number after it.
_BOT = re.compile(r"(?:bot|Bot|BOT|бот|Бот|ボット)(?:[ _-]?(?:\d+|[IVX]+|NG))?$")
_PEOPLE_NAMED_BOT = re.compile(r"(?i)(?:talbot|abbot|cabot|turbot|robot)$")
# Temporary accounts, introduced in 2024: a tilde, the year, and a number.
_TEMPORARY = re.compile(r"~\d{4}-\d+")
_IP = re.compile(
    r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|[.:]\w)"
    r"|(?<![\w.])(?<![0-9A-Fa-f]:)(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?!\w|[.:]\w)"
)
# MediaWiki cuts a summary at 255 bytes, perhaps inside a link.
_LINK = re.compile(r"\[\[([^\[\]|]*)(?:\|[^\[\]]*)?(?:\]\]|\]?$)")


def editor_kind(name: str | None, *, has_id: bool, hidden: bool) -> EditorKind:
    """Return the kind of an account, from a dump's <contributor> element.

    Only its name shows that an account is a bot, since dumps hold no user groups.
    """
    if hidden or name is None:
        return "hidden"
    if _TEMPORARY.match(name):
        return "temporary"
    if not has_id or is_ip(name):
        return "ip"
    if _BOT.search(name) and not _PEOPLE_NAMED_BOT.search(name):
        return "bot"
    return "registered"


def without_names(comment: str, namespaces: Namespaces, names: Iterable[str] = ()) -> str:
    """Return an edit summary with links to users, IP addresses and `names` replaced.

    Other names without a link cannot be recognised and stay; see `docs/limitations.md`.
    """

    def hide(match: re.Match[str]) -> str:
        # The prefix of another wiki may come first: [[:en:User:...]].
        prefixes = match.group(1).split(":")[:-1]
        people = (USER, USER_TALK, SPECIAL)
        hit = any(namespaces.has(n, prefix) for prefix in prefixes for n in people)
        return "[[user]]" if hit else match.group(0)

    for name in sorted((n for n in names if n in comment), key=lambda n: (-len(n), n)):
        comment = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "(user)", comment)
    return _IP.sub(lambda m: "(ip)" if is_ip(m.group(0)) else m.group(0), _LINK.sub(hide, comment))


def is_ip(name: str) -> bool:
    """Return whether the name of an editor is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_CHECKSUM = re.compile(r"[0-9a-z]{31}")
# What MediaWiki writes for bytes that are no character.
_NO_CHARACTER = "\ufffd"
# Until then texts were saved with the line ends of the browser.
_FIRST_YEAR_OF_ONE_LINE_END = 2006


def base36_sha1(text: str) -> str:
    """Return MediaWiki's checksum of a text: SHA-1 in base 36, 31 digits."""
    return _base36(text.encode())


def is_intact(revision: Revision) -> bool:
    """Return whether a revision's text is the one that its checksum was computed of.

    Raises:
        DumpError: the text is not well-formed.
    """
    text, year = revision.text, revision.timestamp.year
    return text is None or is_text_of(text, revision.checksum, revision.size, year)


def is_text_of(text: str, checksum: str | None, size: int | None, year: int) -> bool:
    """Return whether a checksum was computed of a text of so many bytes, of a revision of a year.

    A text without a checksum counts as intact, and so does one that differs from that of the wiki
    only as export and parsers make it: one kind of line end, Unicode in normal form C, a
    replacement for what is no character. Where that cannot be tried out, the number of bytes must
    allow it; where nobody knows it, the year must: texts before 2006 hold both line ends.
    """
    if not checksum or not _CHECKSUM.fullmatch(checksum):
        return True
    raw = text.encode()
    if _base36(raw) == checksum or _NO_CHARACTER in text:
        return True
    parted = unicodedata.normalize("NFD", composed(text)).encode()
    if checksum in (_base36(raw.replace(b"\n", b"\r\n")), _base36(parted)):
        return True
    line_ends = raw.count(b"\n")
    if size is None:
        return bool(line_ends) and year < _FIRST_YEAR_OF_ONE_LINE_END
    return 0 < size - len(raw) <= line_ends + len(parted) - len(raw)


def _base36(raw: bytes) -> str:
    return base36(hashlib.sha1(raw, usedforsecurity=False).digest())


def base36(sha1: bytes) -> str:
    """Return a SHA-1 as dumps write it: in base 36, 31 digits."""
    number, digits = int.from_bytes(sha1), ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits.rjust(31, "0")


# MediaWiki cuts a summary at 255 bytes or 500 characters, perhaps inside the name of a section.
_SECTION = re.compile(r"/\*(?:[^*]|\*(?!/)){0,500}+(?:\*/|\Z)")
# Between two words beside each other: a space, a hyphen, a comma and a space.
_APART = 2  # characters
# What MediaWiki has put in front of its own summaries.
_ARROW = "← \t\n"


class SummaryWords:
    """Reads edit summaries in one language; `policy_entries` are the entries of the policy."""

    def __init__(self, language: Language) -> None:
        def entries(kind: SummaryKind) -> tuple[str, ...]:
            return tuple(map(str.casefold, language.summaries.get(kind, ())))

        self.policy_entries = entries("policy")
        self._policy = word_pattern(self.policy_entries)
        self._other = word_pattern(entries("other_meaning"))
        self._revert = word_pattern(entries("revert"))
        self._bot = word_pattern(entries("bot"))
        self._automatic = entries("automatic")

    def policy_words(self, summary: str) -> tuple[str, ...]:
        """Return the words that name the neutrality policy, in lower case, each once, in order.

        Beside some words they mean something else: a neutral atom, net neutrality.
        """
        words = _words(summary)
        found = list(self._policy.finditer(words))
        if found:
            others = [other.span() for other in self._other.finditer(words)]
            found = [each for each in found if not _is_beside(each, others)]
        return tuple(dict.fromkeys(each[0] for each in found))

    def may_name_policy(self, summary: str) -> bool:
        """Return whether one of these words is in a summary, whatever it means."""
        return self._policy.search(_words(summary)) is not None

    def says_revert(self, summary: str) -> bool:
        """Return whether a summary calls its edit a revert."""
        return self._revert.search(_words(summary)) is not None

    def is_automatic(self, summary: str) -> bool:
        """Return whether MediaWiki wrote the summary, which may cite the text of the page."""
        return _words(summary).lstrip(_ARROW).startswith(self._automatic)

    def says_bot(self, summary: str) -> bool:
        """Return whether a summary says that a bot wrote it."""
        return self._bot.search(_words(summary)) is not None


def _words(summary: str) -> str:
    return _SECTION.sub(" ", summary).casefold()


def _is_beside(found: re.Match[str], others: Sequence[tuple[int, int]]) -> bool:
    """Return whether a word is one of the others, in order, or stands beside one."""
    at = bisect_left(others, found.start() - _APART, key=itemgetter(1))
    return at < len(others) and others[at][0] <= found.end() + _APART
