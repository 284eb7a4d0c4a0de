"""Tests of what stood around sampled sentences."""

from __future__ import annotations

from sample_corpora import corpus
from wikibias.research.annotation.population import open_corpus, removed_sentences, sides_of


class TestSidesOf:
    def test_gives_both_sides_and_what_stood_around(self) -> None:
        opened = open_corpus(corpus())
        one = next(removed_sentences([opened]))
        sides = sides_of(opened, [one.key], with_context=True)[one.key]
        assert one.row["text"] in sides.removed
        assert len(sides.removed) == one.removed
        assert one.row["text"] not in sides.added
        known = [sides.context(text) for text in sides.removed]
        assert any(each.previous or each.next for each in known)
        assert any(each.section for each in known)

    def test_unchanged_sentences_are_those_of_running_text(self) -> None:
        opened = open_corpus(corpus())
        one = next(removed_sentences([opened]))
        sides = sides_of(opened, [one.key], with_context=False)[one.key]
        assert sides.unchanged
        assert not {text for _, text, _ in sides.unchanged} & {*sides.removed, *sides.added}
        assert sides.context(one.row["text"]).previous == ""

    def test_nothing_is_read_for_nothing(self) -> None:
        assert sides_of(open_corpus(corpus()), [], with_context=True) == {}
