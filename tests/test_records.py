"""Revisions with the same text."""

from dataclasses import replace

from histories import revisions
from wikibias.records import ReadRevision, same_text


def test_texts_are_the_same_only_where_both_are_known() -> None:
    one, again, other, unknown = revisions(["a", "a", "b", None])
    assert same_text(one, again)
    assert one.repeats(again)
    assert not one.repeats(other)
    assert not unknown.repeats(unknown)


def test_without_checksums_the_texts_are_compared() -> None:
    bare = [
        replace(r, checksum=None) for r in revisions(["a", "a", "b"]) if isinstance(r, ReadRevision)
    ]
    assert bare[0].repeats(bare[1])
    assert not bare[0].repeats(bare[2])
