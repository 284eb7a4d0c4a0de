"""Enrichment that is loaded with the first transition; see `enrichment`, which does the work.

To load it takes 80 ms, which a dump without transitions, and a process whose workers enrich them,
need not wait for.
"""

from __future__ import annotations

from collections.abc import Sequence

from wikibias.pipeline.enrichment_task import Enriched, EnrichmentTask
from wikibias.records import Transition


def enrich(task: EnrichmentTask, transitions: Sequence[Transition]) -> list[Enriched]:
    """Enrich some transitions, in order; see `enrichment.enrich`."""
    from wikibias.pipeline import enrichment  # noqa: PLC0415 (see the module)

    return enrichment.enrich(task, transitions)


def not_enriched(task: EnrichmentTask, transition: Transition) -> Enriched:
    """Return what is known of a transition that ends the process that enriches it."""
    from wikibias.pipeline import enrichment  # noqa: PLC0415 (see the module)

    return enrichment.not_enriched(task, transition)
