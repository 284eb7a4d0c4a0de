"""The YAML block at the head of a card: what is read back is what was meant."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.kits.markdown import front_matter
from wikibias.messages import printable

yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extras")
TEXTS = st.text(max_size=20)
VALUES = st.recursive(
    TEXTS | st.booleans() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def read(block: str) -> Any:
    first, *lines, last = block.rstrip("\n").split("\n")
    assert (first, last) == ("---", "---")
    assert "---" not in lines
    return yaml.safe_load("\n".join(lines))


@pytest.mark.parametrize(
    "content",
    [
        "fr",
        "zh-min-nan",
        "no",
        "null",
        "12",
        "1:30",
        "",
        "fr\n---\n<script>",
        '"}: [',
        "a: b",
        "# c",
    ],
)
def test_a_text_stays_one(content: str) -> None:
    assert read(front_matter({"language": [content], "of": content})) == {
        "language": [printable(content)],
        "of": printable(content),
    }


def test_it_reads_as_people_write_it() -> None:
    data = {"tags": ["a", "b"], "configs": [{"name": "x", "default": True, "files": [{"m": 1}]}]}
    assert front_matter(data) == (
        "---\n"
        "tags:\n  - a\n  - b\n"
        "configs:\n  - name: x\n    default: true\n    files:\n      - m: 1\n"
        "---\n"
    )


def shown(value: Any) -> Any:
    """Return a value with its texts as they can be shown."""
    if isinstance(value, dict):
        return {printable(key): shown(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shown(each) for each in value]
    return printable(value) if isinstance(value, str) else value


@pytest.mark.hypothesis
@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4))
def test_whatever_is_said_is_read_back(data: dict[str, Any]) -> None:
    assert read(front_matter(data)) == shown(data)
