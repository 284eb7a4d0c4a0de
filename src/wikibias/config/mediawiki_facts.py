"""Facts of MediaWiki in all languages, from `configs/mediawiki.toml`."""

from __future__ import annotations

from dataclasses import dataclass

from wikibias.config.resources import folder, read_toml, table_as


@dataclass(frozen=True, slots=True)
class MediaWiki:
    """Facts of MediaWiki in all languages: redirect words (lower case), interlanguage prefixes."""

    redirect_words: tuple[str, ...]
    interlanguage: tuple[str, ...]


def load_mediawiki() -> MediaWiki:
    """Read `configs/mediawiki.toml`."""
    path = folder("configs") / "mediawiki.toml"
    return table_as(MediaWiki, read_toml(path), path)
