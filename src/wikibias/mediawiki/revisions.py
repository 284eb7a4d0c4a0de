"""Facts of a revision: the kind of its account, the checksum of its text, words of its summary."""

import hashlib
import ipaddress
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from operator import itemgetter

from wikibias.config.languages import Language, SummaryKind
from wikibias.config.patterns import word_pattern
from wikibias.mediawiki.titles import SPECIAL, USER, USER_TALK, Namespaces, composed
from wikibias.records import EditorKind, Revision

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
    if not has_id or _is_ip(name):
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
    return _IP.sub(lambda m: "(ip)" if _is_ip(m.group(0)) else m.group(0), _LINK.sub(hide, comment))


def _is_ip(name: str) -> bool:
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

    A text without a checksum counts as intact, and so does one that differs from that of the wiki
    only as export and parsers make it: one kind of line end, Unicode in normal form C, a
    replacement for what is no character. Where that cannot be tried out, the number of bytes must
    allow it; in a dump without that number, the time must: texts before 2006 hold both line ends.

    Raises:
        DumpError: the text is not well-formed.
    """
    text, checksum = revision.text, revision.checksum
    if text is None or not checksum or not _CHECKSUM.fullmatch(checksum):
        return True
    raw = text.encode()
    if _base36(raw) == checksum or _NO_CHARACTER in text:
        return True
    parted = unicodedata.normalize("NFD", composed(text)).encode()
    if checksum in (_base36(raw.replace(b"\n", b"\r\n")), _base36(parted)):
        return True
    line_ends = raw.count(b"\n")
    if revision.size is None:
        return bool(line_ends) and revision.timestamp.year < _FIRST_YEAR_OF_ONE_LINE_END
    return 0 < revision.size - len(raw) <= line_ends + len(parted) - len(raw)


def _base36(raw: bytes) -> str:
    number = int.from_bytes(hashlib.sha1(raw, usedforsecurity=False).digest())
    digits = ""
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
