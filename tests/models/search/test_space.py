"""Search spaces, ours and the user's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wikibias.errors import UsageError
from wikibias.models.grid_search import names, read_grid


def test_the_papers_spaces_have_the_papers_sizes() -> None:
    sizes = {name: len(read_grid(name).combinations()) for name in names()}
    assert sizes["sgd"] == 72
    assert sizes["lr"] == 504
    assert sizes["fasttext"] == 3 * 3 * 5 * 5 * 2 * 3


def test_a_sample_is_part_of_the_space_in_its_order() -> None:
    grid = read_grid("fasttext")
    drawn = grid.sample(20, seed=1)
    everything = grid.combinations()
    places = [everything.index(combination) for combination in drawn]
    assert places == sorted(set(places))
    assert drawn == grid.sample(20, seed=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('model = "sgd"\n', r"needs a table \[space\]"),
        ('model = "sgd"\n[space]\nalpha = 1\n', r"space\.alpha must be a list"),
        ('model = "lr"\n[space]\nc = [1]\n', "is a grid for 'lr'"),
        ('models = "sgd"\n', "unknown key 'models'; did you mean 'model'"),
        ('choose = "f2"\n[space]\nalpha = [1]\n', "cannot choose by 'f2'; did you mean 'f1'"),
    ],
)
def test_a_wrong_space_is_explained(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "grid.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        read_grid("sgd", path)


@pytest.mark.parametrize(
    ("space", "said"),
    [
        ("alpha = [nan]", "space.alpha holds nan"),
        ("alpha = [1e300]", "space.alpha holds"),
        ("alpha = [[1]]", "space.alpha holds"),
        ("alpha = [1979-05-27]", "space.alpha holds"),
        ("\n".join(f"a{n} = [1, 2, 3, 4, 5, 6, 7, 8, 9]" for n in range(9)), "combinations"),
    ],
)
def test_values_that_nobody_can_train_with(space: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text(f"[space]\n{space}\n")
    with pytest.raises(UsageError, match=re.escape(said)):
        read_grid("sgd", tmp_path / "g.toml")
