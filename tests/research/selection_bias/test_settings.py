"""What can be asked for, and what is said where it cannot."""

from __future__ import annotations

from typing import Any

import pytest

from wikibias.errors import UsageError
from wikibias.research.selection_bias.settings import Settings


def test_eight_is_held_still_where_it_is_among_the_numbers() -> None:
    assert Settings().record()["base"] == {"topics": 8, "words": 8}
    assert Settings(topics=(3, 5), words=(10,)).record()["base"] == {"topics": 3, "words": 10}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"topics": ()}, "give numbers of topics from 1 to 1,000, such as 2,8,20"),
        ({"topics": (0,)}, "give numbers of topics from 1 to 1,000, such as 2,8,20"),
        ({"words": (8, 2000)}, "give numbers of words from 1 to 1,000, such as 2,8,20"),
        ({"words": (8, 8)}, "give each number of words once"),
        ({"seeds": ()}, "give at least one seed"),
        ({"lists": -1}, "the number of random keyword lists is 0 or more"),
        ({"topic_model": "ldas"}, "unknown topic model 'ldas'; did you mean 'lda'"),
        ({"by": ("lable",)}, "documents are not parted by 'lable'; did you mean 'label'"),
    ],
)
def test_what_cannot_be_measured_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Settings(**given)
