"""What is refused of a result before a page is made of it."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selection_bias_results import full, minimal
from wikibias.errors import WikibiasError
from wikibias.reports.selection_bias_page import page
from wikibias.research.reports.selection_bias.shape import (
    NAME,
    checked,
    is_result_folder,
    read_result,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to each part of a result; of a list only to the first."""
    found = [path] if path else []
    if isinstance(value, dict):
        for name, each in value.items():
            found += places(each, (*path, name))
    elif isinstance(value, list) and value:
        found += places(value[0], (*path, 0))
    return found


PLACES = places(full())


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PLACES), JSON)
def test_whatever_stands_somewhere_there_is_a_page_or_one_line(
    path: tuple[Any, ...], instead: Any
) -> None:
    result = full()
    *way, last = path
    inner: Any = result
    for step in way:
        inner = inner[step]
    inner[last] = instead
    with suppress(WikibiasError):  # and nothing else
        checked(result)
        page(result)


def test_numbers_without_end_are_refused() -> None:
    result = minimal()
    result["figures"][0]["b1"]["value"] = float("nan")
    with pytest.raises(WikibiasError, match=r"figures\[0\]\.b1\.value is no number"):
        checked(result)


def test_a_folder_is_known_by_its_file_unless_it_is_a_corpus(tmp_path: Path) -> None:
    assert not is_result_folder(tmp_path)
    (tmp_path / NAME).write_text("{", "utf-8")
    assert is_result_folder(tmp_path)
    (tmp_path / "manifest.json").write_text("{}", "utf-8")
    assert not is_result_folder(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is damaged: Expecting"),
        ("[]", "no JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"format": "wikibias-selection-bias/9"}', "did you mean 'wikibias-selection-bias/1'"),
        ('{"format": "wikibias-selection-bias/1"}', "has no 'settings'"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / NAME).write_text(text, "utf-8")
    with pytest.raises(WikibiasError) as caught:
        read_result(tmp_path)
    assert said in str(caught.value)
    assert "make it again with `wikibias selection-bias`" in str(caught.value)


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(json.dumps(full()), "utf-8")
    assert read_result(tmp_path) == full()
    with pytest.raises(WikibiasError, match="cannot be read"):
        read_result(tmp_path / "nowhere")
