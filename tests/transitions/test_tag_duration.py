"""How long a tag stood before it was removed."""

from __future__ import annotations

from collections.abc import Sequence

import histories
from wikibias.records import Provenance


def history(texts: Sequence[str | None], hours: Sequence[float] | None = None) -> list[Provenance]:
    return [t.provenance for t in histories.history(texts, hours)]


def test_tag_duration() -> None:
    hours = [0, 24, 30, 48, 72]
    found = history(["a", "{{POV}} a", None, "{{POV}} b", "b"], hours=hours)
    assert [(p.days_tagged, p.revisions_tagged) for p in found] == [(None, None), (2.0, 3)]


def test_of_several_tags_the_longest_duration_counts() -> None:
    texts = ["{{POV}} a", "{{POV}}{{Weasel}} a", "a"]
    assert history(texts, hours=[0, 24, 48])[-1].days_tagged == 2.0


def test_the_duration_of_a_tag_that_comes_back_starts_over() -> None:
    texts = ["{{POV}} a", "a", "{{POV}} b", "b"]
    assert [p.revisions_tagged for p in history(texts)] == [None, 1, None, 1]
