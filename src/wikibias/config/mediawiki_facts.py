"""Facts of MediaWiki in all languages, from `configs/mediawiki.toml`."""

from __future__ import annotations

from dataclasses import dataclass

from wikibias.config.resources import folder
from wikibias.kits.checked import NonEmpty, TomlFile, conform_file


@dataclass(frozen=True, slots=True)
class MediaWiki:
    """Facts of MediaWiki in all languages: redirect words (lower case), interlanguage prefixes."""

    redirect_words: tuple[NonEmpty, ...]
    interlanguage: tuple[NonEmpty, ...]


def load_mediawiki() -> MediaWiki:
    """Read `configs/mediawiki.toml`.

    Raises:
        UsageError: the file is broken; names file, line and key.
    """
    file = TomlFile.read(folder("configs") / "mediawiki.toml")
    return conform_file(MediaWiki, file.table, file)
