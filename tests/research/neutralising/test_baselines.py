"""Rewriters that any other must beat."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewriting import pairs
from wikibias.errors import UsageError
from wikibias.research.neutralising import rewriters

TEXT = "The notorious mill of the famous town."
LISTS = {"loaded": frozenset(["notorious", "famous"])}


@pytest.mark.parametrize(
    ("name", "options", "rewrite"),
    [
        ("copy", {}, TEXT),
        ("delete-top", {}, "The mill of the famous town."),
        ("lexicon-delete", {"lexicons": LISTS}, "The mill of the famous town."),
        ("lexicon-delete", {"lexicons": LISTS, "every": True}, "The mill of the town."),
    ],
)
def test_each_does_what_it_says_and_does_so_when_it_is_loaded(
    name: str, options: dict[str, object], rewrite: str, tmp_path: Path
) -> None:
    model = rewriters.create(name, **options).fit(pairs())  # type: ignore[arg-type]
    assert model.rewrite([TEXT, "", "?"]) == [rewrite, "", "?"]
    rewriters.save(model, tmp_path, {})
    assert rewriters.load(tmp_path).rewrite([TEXT]) == [rewrite]


def test_a_deletion_by_lists_needs_one() -> None:
    with pytest.raises(UsageError, match="--lexicon FILE"):
        rewriters.create("lexicon-delete").fit(pairs())
