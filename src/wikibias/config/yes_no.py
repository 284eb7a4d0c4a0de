"""How people write yes and no, in many languages, from `configs/annotation/yes_no.toml`."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from wikibias.config.resources import find, folder
from wikibias.errors import UsageError
from wikibias.kits.checked import NonEmpty, TomlFile, conform_file

_NAME = "annotation/yes_no.toml"


@dataclass(frozen=True, slots=True)
class Words:
    """How yes and no are written in a language."""

    yes: tuple[NonEmpty, ...] = ()
    no: tuple[NonEmpty, ...] = ()


@dataclass(frozen=True, slots=True)
class YesNo:
    """The words of each language, by its code."""

    words: Mapping[str, Words]


def yes_no() -> Mapping[str, bool]:
    """Return whether a word, as `folded` gives it, says yes; a user's own file comes first.

    Raises:
        UsageError: the file is broken, or a word says both; names file, line and key.
    """
    file = TomlFile.read(find("configs", _NAME) or folder("configs") / _NAME)
    found: dict[str, bool] = {}
    for code, words in conform_file(YesNo, file.table, file).words.items():
        for says, said in ((True, words.yes), (False, words.no)):
            for word in said:
                if found.setdefault(folded(word), says) is not says:
                    raise UsageError(
                        f"{file.at(('words', code))}: {word!r} says yes in one language and no in "
                        "another; leave it out of both"
                    )
    return found


def folded(text: str) -> str:
    """Return a text without what people vary: letter case, spaces around it, marks at its end."""
    return unicodedata.normalize("NFKC", text).casefold().strip().rstrip(".!,;:").rstrip()
