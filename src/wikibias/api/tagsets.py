"""Lists and loads languages and tag sets."""

from __future__ import annotations

import os
from pathlib import Path

from wikibias.config.languages import languages
from wikibias.tags import tagset as files
from wikibias.tags.tagset import TagSet


def list_languages() -> list[str]:
    """Return the codes of the languages that wikibias can split into sentences, sorted.

    Examples:
        >>> "fr" in list_languages()
        True
    """
    return languages()


def list_tagsets() -> dict[str, list[str]]:
    """Return the names of the tag sets, each with the codes of its languages, sorted.

    Examples:
        >>> list_tagsets()["peacock"]
        ['ar', 'bg', 'en', 'fr', 'ja']
    """
    return {name: files.tagset_languages(name) for name in files.tagset_names()}


def load_tagset(name: str, lang: str) -> TagSet:
    """Load a tag set by name.

    Raises:
        UsageError: an unknown tag set or language, or a broken file; the message names the file
            and the line, or the nearest known name.

    Examples:
        >>> tagset = load_tagset("npov", "en")
        >>> [tag.name for tag in tagset.tags if tag.family == "promotional"]
        ['Advert', 'Advert section', 'Cleanup-PR', 'Fanpov']
        >>> len(tagset.only(["promotional"]).tags)
        4
    """
    return files.load_tagset(name, lang)


def read_tagset(path: str | os.PathLike[str]) -> TagSet:
    """Read a tag set of your own from a TOML file; see `wikibias docs add-a-tag-set`.

    The set carries the name of the file's folder; the language is the file's name, as in
    `mytags/fr.toml`, unless the file has a key `lang`.

    Raises:
        UsageError: the file is missing or broken; the message names the file, line and key.

    Examples:
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "en.toml")
        ...     _ = path.write_text('[[tag]]\\nname = "Hype"\\nfamily = "hype"\\n')
        ...     tagset = read_tagset(path)
        >>> tagset.lang, [tag.name for tag in tagset.tags]
        ('en', ['Hype'])
    """
    path = Path(path)
    return files.read_tagset(path, path.resolve().parent.name)
