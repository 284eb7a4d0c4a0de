"""Text of others within Markdown."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.kits import markdown
from wikibias.kits.charts import columns
from wikibias.kits.document import Block, Document, Facts, Link, Notes, Section, Styled, Table, Text


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("frwiki", "frwiki"),
        ("zh-classical, 2026.1", "zh-classical, 2026.1"),
        ("<script>x</script>", "&#60;script&#62;x&#60;/script&#62;"),
        ("[a](javascript:b)", "\\[a\\](javascript:b)"),
        ("![x](y)", "!\\[x\\](y)"),
        ("*a* _b_ c_d `c` | d", "\\*a\\* \\_b\\_ c_d \\`c\\` \\| d"),
        ("a\n# b\n---", "a\\\\n# b\\\\n---"),
        ("https://evil.example", "https:&#47;&#47;evil.example"),
        ("www.evil.example", "www&#46;evil.example"),
        ("a@evil.example", "a&#64;evil.example"),
        ("\x1b[31m\u202e", "\\\\x1b\\[31m\\\\u202e"),
    ],
)
def test_text_makes_no_markup(content: str, shown: str) -> None:
    assert markdown.text(content) == shown


def test_code_ends_where_it_should() -> None:
    assert markdown.code("a|b`<script>\n# c") == "`a\\|b'&lt;script>\\n# c`"


@pytest.mark.hypothesis
@given(st.text())
def test_nothing_ends_the_line_or_begins_a_tag(content: str) -> None:
    for shown in (markdown.text(content), markdown.code(content)):
        assert len(shown.splitlines()) <= 1
    assert not re.search(r"(?<!\\)[<>|`\[]", markdown.text(content))
    assert json.loads(json.dumps(content)) == content


def test_a_document() -> None:
    link = Link("the paper", "https://doi.org/10.1/x_(y)>")
    table = Table(["role *x*", "sentences"], [["a|b", "1,200"]], title="Roles")
    blocks: list[Block] = [
        Text(["See ", link, ": ", Styled("biased", "strong"), " in `label`."]),
        Section("In it", [table, Notes(["one", "two"]), Facts([("seed", "7")])]),
        columns(["a"], {"": [1]}, title="Bars", alt="one bar"),
        Text("a = 1\nb < \x1b```2", "command", "python"),
    ]
    assert markdown.markdown(Document("A <title>", "", blocks), {"a": "b"}) == (
        "---\na: b\n---\n\n# A &#60;title&#62;\n\n"
        "See [the paper](<https://doi.org/10.1/x_(y)%3E>): **biased** in `label`.\n\n"
        "## In it\n\nRoles\n\n| role \\*x\\* | sentences |\n| --- | ---: |\n| a\\|b | 1,200 |\n\n"
        "- one\n- two\n\n- seed: 7\n\nBars: one bar\n\n```python\na = 1\nb < \\x1b2\n```\n"
    )
