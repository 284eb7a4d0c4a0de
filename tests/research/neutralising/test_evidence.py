"""How often words of each kind were changed."""

from __future__ import annotations

from wikibias.research.neutralising.evidence import Change, Evidence, changes, shares, views
from wikibias.research.neutralising.words import words


def test_changes_of_a_pair() -> None:
    source, target = words("the awful mill of the town claimed"), words("the mill of a town said")
    assert changes(source, target) == [
        Change(1, 2, ()),
        Change(4, 5, ("a",)),
        Change(6, 7, ("said",)),
    ]
    assert shares(4, [Change(0, 1, ()), Change(2, 4, ()), Change(1, 1, ("x",))]) == [1, 0, 0.5, 0.5]


def test_what_is_changed_more_often_than_others_has_more_evidence() -> None:
    found = Evidence()
    for fold, (word, share) in enumerate([("awful", 1.0), ("mill", 0.0), ("mill", 0.0)] * 5):
        found.add({"word": (word,)}, share, fold % 3)
    assert found.log_odds("word", "awful") > 0 > found.log_odds("word", "mill")
    assert found.log_odds("word", "unknown") == 0
    assert 0 < found.share("word", "mill") < found.base() < found.share("word", "awful") < 1
    # All that is known of "awful" is in fold 0.
    assert found.seen("word", "awful", 0) == 0
    assert found.log_odds("word", "awful", 0) == 0


def test_a_share_is_never_none_nor_all() -> None:
    found = Evidence()
    for fold in range(3):
        found.add({"word": ("awful",)}, 1.0, fold)
    assert 0 < found.share("word", "awful") < 1
    assert 0 < found.share("word", "awful", 0) < 1


def test_views_at_the_edges() -> None:
    found = words("awful")
    assert views(found, 0)["around"] == "<s> </s>"
