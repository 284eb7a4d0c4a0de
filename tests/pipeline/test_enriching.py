"""Enrichment by way of the module that loads it late."""

from __future__ import annotations

from histories import history
from wikibias.config.thresholds import Config
from wikibias.pipeline import enrichment, enrichment_task
from wikibias.pipeline.enrichment_task import EnrichmentTask
from wikibias.pipeline.settings import make_settings


def test_it_does_what_enrichment_does() -> None:
    task = EnrichmentTask.of(make_settings("en", Config()), {}, compare=True)
    found = history(["{{POV}} a", "a"])
    assert enrichment_task.enrich(task, found) == enrichment.enrich(task, found)
    assert enrichment_task.not_enriched(task, found[1]) == enrichment.not_enriched(task, found[1])
