"""The languages of all Wikipedias, from `configs/wikipedias.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wikibias.config.resources import folder
from wikibias.kits.checked import NonEmpty, TomlFile, conform_file


@dataclass(frozen=True, slots=True)
class Wikipedias:
    """The English name of the language of each Wikipedia, by its code."""

    names: Mapping[str, NonEmpty]


def wikipedia_languages() -> Mapping[str, str]:
    """Return the English names of the languages, by the codes of their Wikipedias.

    Raises:
        UsageError: the file is broken; names file, line and key.
    """
    file = TomlFile.read(folder("configs") / "wikipedias.toml")
    return conform_file(Wikipedias, file.table, file).names
