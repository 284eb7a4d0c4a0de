"""What labels mean where --labels says it."""

from __future__ import annotations

import pytest

from wikibias.errors import UsageError
from wikibias.research.cli.selection_bias.labels import with_meanings
from wikibias.research.selection_bias.documents import Documents


def documents(*labels: str) -> Documents:
    facts = {"label": labels} if labels else {}
    return Documents("some", ["a river"] * len(labels), facts)


def test_each_corpus_may_have_one_of_the_names() -> None:
    found = with_meanings(
        [documents("rem", ""), documents(), documents("add", "other")], "rem=biased,add=neutral"
    )
    assert [each.facts.get("label") for each in found] == [
        ["biased", ""],
        None,
        ["neutral", "other"],
    ]


def test_without_the_option_labels_stay() -> None:
    assert with_meanings([documents("rem")], None) == [documents("rem")]


def test_a_name_that_no_sentence_has_is_refused() -> None:
    with pytest.raises(UsageError, match="is labelled 'ad'; the labels are 'rem', 'add'"):
        with_meanings([documents("rem", "add")], "rem=biased,ad=neutral")
