"""What the rows of a corpus tell of it while they pass by: pairings, days, servers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from urllib.parse import urlsplit

from wikibias.corpus.composition import Composition
from wikibias.records import CorpusSentence

# Of a corpus from more wikis the first ones tell enough.
MOST_SITES = 100


def tallied(rows: Iterable[CorpusSentence], composition: Composition) -> Iterator[CorpusSentence]:
    """Yield the rows, and note in `composition` what they tell; complete when all have passed."""
    sites: dict[str, None] = {}
    for row in rows:
        source = row.provenance
        labels = composition.pairings.setdefault(source.pairing, {"biased": 0, "neutral": 0})
        labels[row.label] += 1
        for time in (source.before_timestamp, source.after_timestamp):
            if time is not None:
                day = time.date().isoformat()
                composition.first_day = min(composition.first_day or day, day)
                composition.last_day = max(composition.last_day or day, day)
        if len(sites) < MOST_SITES and (server := site(source.diff_url)):
            sites[server] = None
        yield row
    composition.pairings = dict(sorted(composition.pairings.items()))
    composition.sites = sorted(sites)


@lru_cache(64)
def site(url: str) -> str | None:
    """Return the server of an address; None where it has none."""
    try:
        return urlsplit(url).hostname
    except ValueError:  # such as an address in brackets that is none
        return None
