"""Reads a dump, finds its tags and pairs its revisions, and prints how many transitions it has.

Usage: python scripts/transitions_only.py DUMP [THREADS]

What the first stage does before it works anything out of a transition or writes it: for `make
bench`.
"""

from __future__ import annotations

import sys

from wikibias.config import Reverts, load_language
from wikibias.dumps import scan
from wikibias.dumps.finder import Finder
from wikibias.dumps.streams import open_part
from wikibias.dumps.walk import Tally, walk
from wikibias.records import Site
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset
from wikibias.titles import Namespaces
from wikibias.transitions import Origin, transitions


def count(path: str, threads: int = 1, lang: str = "en") -> int:
    """Return the number of transitions of a dump, by the fast reader, unpacked by threads."""
    language, tagset = load_language(lang), load_tagset("npov", lang)

    def finder(site: Site) -> Finder:
        return Finder(tagset, Matcher(tagset, Namespaces.of(site.namespaces, language.namespaces)))

    with open_part(path, threads) as (stream, _):
        dump = scan.read(stream, language.blank_summaries, finder)
        spaces = Namespaces.of(dump.site.namespaces, language.namespaces)
        origin = Origin(dump.site, lang, path, tagset.version, spaces)
        pages = walk(dump, Tally(), namespaces=(0,), limit=None, report=lambda: None)
        matcher = Matcher(tagset, spaces)
        found = transitions(pages, origin, matcher, per="tag", reverts=Reverts())
        return sum(1 for _ in found)


if __name__ == "__main__":
    print(count(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1))
