"""Deletion of the best word of a tagger."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewriting import pairs
from wikibias.errors import UsageError
from wikibias.research.neutralising import rewriters
from wikibias.research.spans import registry as taggers
from wikibias.research.spans.sentences import of_pair

TEXTS = ["The notorious inn of the town.", "the inn was a hideous , old house .", "", "?"]


def test_the_best_word_of_the_tagger_is_gone_and_the_folder_holds_the_tagger(
    tmp_path: Path,
) -> None:
    tagged = [of_pair(pair.source, pair.target) for pair in pairs()]
    tagger = taggers.create("frequent")
    tagger.fit(tagged, tagged[:5])
    taggers.save(tagger, tmp_path / "tagger", {})
    model = rewriters.create("delete-tagged", tagger=str(tmp_path / "tagger")).fit([])
    made = model.rewrite(TEXTS)
    assert made == ["The inn of the town.", "the inn was a , old house .", "", "?"]
    rewriters.save(model, tmp_path / "m", {})
    (tmp_path / "tagger").rename(tmp_path / "gone")
    assert rewriters.load(tmp_path / "m").rewrite(TEXTS) == made


def test_it_needs_a_tagger() -> None:
    with pytest.raises(UsageError, match="--tagger DIR"):
        rewriters.create("delete-tagged").fit([])
