"""What makes a tag-set file unusable, or doubtful, each with its line and key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wikibias.kits.checked import Place, TomlFile
from wikibias.mediawiki import titles
from wikibias.messages import nearest
from wikibias.tags.entries import Tag, TagSetFile, Wrapper

_IMPOSSIBLE = re.compile(r"[\[\]{}|<>#\x00-\x1f\x7f-\x9f\u2028\u2029]")


def faults(content: TagSetFile, file: TomlFile) -> Iterator[str]:
    """Yield what makes a tag set unusable: impossible or double names, parameters without a tag."""
    seen: dict[str, str] = {}
    for owner, name, place in _names(content):
        key = titles.key(name, ignore_case=content.ignore_case)
        if _IMPOSSIBLE.search(name) or not key:
            where = file.at(place, name)
            yield f"{where}: {name!r} under {owner!r} cannot be the title of a template"
        elif key in seen:
            where = file.at(place, name)
            yield f"{where}: {name!r} stands under {seen[key]!r} and under {owner!r}"
        seen.setdefault(key, owner)
    canonical = [tag.name for tag in content.tag]
    for index, wrapper in enumerate(content.wrapper):
        for parameter, tag in wrapper.parameters.items():
            if tag not in canonical:
                where = file.at(("wrapper", index, "parameters", parameter))
                yield (
                    f"{where}: wrapper {wrapper.name!r}, parameter {parameter!r}: no tag "
                    f"{tag!r}{nearest(tag, canonical)}"
                )


def doubts(content: TagSetFile, file: TomlFile) -> Iterator[str]:
    """Yield what a tag set can be used with, but hardly means."""
    stem = file.path.stem
    if content.lang not in ("", stem):
        yield f"{file.at(('lang',))}: lang is {content.lang!r}, but the file is named {stem!r}"
    for _, name, place in _names(content):
        if ":" in name:
            yield (
                f"{file.at(place, name)}: {name!r}: names stand here without the name of the "
                "namespace"
            )
    for index, wrapper in enumerate(content.wrapper):
        if not wrapper.parameters and not wrapper.positional:
            yield (
                f"{file.at(('wrapper', index, 'name'))}: wrapper {wrapper.name!r} has neither "
                "parameters nor positional = true, so it finds nothing"
            )
    if not content.verified:
        yield (
            f"{file.at(('verified',))}: not verified: nobody has looked all names up on the wiki"
        )


def _names(content: TagSetFile) -> Iterator[tuple[str, str, Place]]:
    """Yield the name of an entry, each name and alias of it, and the place of that."""
    both: dict[str, Sequence[Tag | Wrapper]] = {"tag": content.tag, "wrapper": content.wrapper}
    for kind, entries in both.items():
        for index, entry in enumerate(entries):
            yield entry.name, entry.name, (kind, index, "name")
            for alias in entry.aliases:
                yield entry.name, alias, (kind, index, "aliases")
