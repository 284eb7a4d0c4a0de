"""What settings say of intents."""

from __future__ import annotations

from wikibias.config.thresholds import load_config
from wikibias.pipeline.settings import filter_lists, make_settings

SETTINGS = make_settings("en", load_config())


def test_the_filters_of_a_run_follow_from_its_settings() -> None:
    assert filter_lists(SETTINGS).off == frozenset()
    assert filter_lists(SETTINGS, "keep").off == {"reverted"}
