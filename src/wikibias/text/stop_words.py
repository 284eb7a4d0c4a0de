"""Words that say nothing of what a text is about, of a configuration and of spaCy's list."""

import re
import runpy
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from wikibias.config.languages import languages, load_language
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import read_small
from wikibias.text import segmentation

_CODE = re.compile(r"[a-z]{2,3}")
_MOST = 10_000_000  # bytes
# spaCy lists what an English apostrophe parts: "did" and "n't", and not "didn't".
_NOT = "n't"
_WHAT_TO_DO = "give --stop-words FILE (one a line), or --stop-words none"


def listed_stop_words(code: str) -> list[str]:
    """Return spaCy's stop words of a language, sorted; none where it has no such list.

    Its file is read without spaCy, which takes a second to load, and two more with torch.
    """
    installed = find_spec("spacy")
    if _CODE.fullmatch(code) is None or installed is None or installed.origin is None:
        return []
    path = Path(installed.origin).parent / "lang" / code / "stop_words.py"
    return sorted(runpy.run_path(str(path))["STOP_WORDS"]) if path.exists() else []


def stop_words(language: str, given: Path | Literal["none"] | None = None) -> frozenset[str]:
    """Return the words that say nothing of what a text is about.

    Those of `configs/<language>.toml` and of spaCy's list together: the lists of the papers that
    the configurations hold are short.

    Args:
        language: a code.
        given: a file to take them from instead, one a line; or "none" for no stop words.

    Returns:
        Words as the normal form of the language has them. Where it has no apostrophes, the parts
        of "don't"; where it has them, what is elided as well, such as "l'". Of a phrase of several
        words nothing, as each of them may say something.

    Raises:
        UsageError: nobody knows those of the language; the message says what to give.
        WikibiasError: the file cannot be read.
    """
    if given == "none":
        return frozenset()
    found = known_stop_words(language) if given is None else _in_form(language, _lines(given))
    if not found and given is None:
        which = f"the language {language!r}" if language else "a language that nobody names"
        raise UsageError(f"no stop words are known of {which}; {_WHAT_TO_DO}")
    return found


def known_stop_words(language: str) -> frozenset[str]:
    """Return the same where none are given; nothing of a language of which nobody knows them."""
    listed = listed_stop_words(language)
    if language in languages():
        known = load_language(language)
        listed = [*known.stopwords, *(listed or listed_stop_words(known.spacy))]
    return _in_form(language, listed)


def _in_form(language: str, words: Sequence[str]) -> frozenset[str]:
    keep = language in languages() and load_language(language).keep_apostrophes
    return frozenset(_forms(words, keep_apostrophes=keep))


def _forms(words: Sequence[str], *, keep_apostrophes: bool) -> Iterator[str]:
    negated = [word + _NOT for word in words] if _NOT in words else []
    kept = {segmentation.normalise(word, keep_apostrophes=True) for word in words}
    for word in (*words, *negated):
        form = segmentation.normalise(word, keep_apostrophes=True)
        if " " in form:
            continue
        yield from segmentation.normalise(word, keep_apostrophes=keep_apostrophes).split()
        # "l'" itself, which no normal form is, or "l'hi" where "hi" is one.
        elided, apostrophe, rest = word.replace("\u2019", "'").lower().partition("'")
        if keep_apostrophes and elided and apostrophe and (not rest or rest in kept):
            yield elided + apostrophe


def _lines(path: Path) -> list[str]:
    try:
        return read_small(path, _MOST).decode("utf-8-sig").splitlines()
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise WikibiasError(f"{path}: not UTF-8; save it as UTF-8") from error
