"""Counts the transitions in a dump: reads it, finds its tags and pairs its revisions.

Usage: python scripts/count_transitions.py DUMP [THREADS]

`make bench` uses it to measure the first stage without enrichment and without output.
"""

from __future__ import annotations

import sys

from wikibias.config.languages import load_language
from wikibias.config.thresholds import Reverts
from wikibias.dumps.compression.streams import open_part
from wikibias.dumps.iteration import Tally, iterate_pages
from wikibias.dumps.xml import fast_reader
from wikibias.mediawiki.titles import Namespaces
from wikibias.records import Site
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import TagScanner
from wikibias.tags.tagset import load_tagset
from wikibias.transitions.detection import transitions
from wikibias.transitions.pending import Origin


def count(path: str, threads: int = 1, lang: str = "en") -> int:
    """Return the number of transitions in a dump, decompressed by so many threads."""
    language, tagset = load_language(lang), load_tagset("npov", lang)

    def scanner(site: Site) -> TagScanner:
        return TagScanner(
            tagset, Matcher(tagset, Namespaces.of(site.namespaces, language.namespaces))
        )

    with open_part(path, threads) as (stream, _):
        dump = fast_reader.read(stream, language.blank_summaries, scanner)
        spaces = Namespaces.of(dump.site.namespaces, language.namespaces)
        origin = Origin(dump.site, lang, path, tagset.version, spaces)
        pages = iterate_pages(dump, Tally(), namespaces=(0,), limit=None, on_progress=lambda: None)
        matcher = Matcher(tagset, spaces)
        found = transitions(pages, origin, matcher, per="tag", reverts=Reverts())
        return sum(1 for _ in found)


if __name__ == "__main__":
    print(count(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1))
