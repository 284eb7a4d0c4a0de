"""Documents as Markdown with a head in YAML, and as cards of the hub: what is read back."""

import json
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wikibias.edits.word_diff import changed_spans, spans_in_words
from wikibias.errors import UsageError, printable
from wikibias.kits import document, hub
from wikibias.kits.charts import columns
from wikibias.kits.document import (
    Block,
    Document,
    Facts,
    Link,
    Notes,
    Piece,
    Section,
    Styled,
    Table,
    Text,
    front_matter,
    number,
    p_value,
    pieces,
    with_interval,
)

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
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extras")
    return yaml.safe_load("\n".join(lines))


WORDS = ["fr", "zh-min-nan", "no", "null", "12", "1:30", ""]
MARKS = ["fr\n---\n<script>", '"}: [', "a: b", "# c"]


@pytest.mark.parametrize("content", WORDS + MARKS)
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
@settings(max_examples=50)
@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4))
def test_whatever_is_said_is_read_back(data: dict[str, Any]) -> None:
    assert read(front_matter(data)) == shown(data)


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
    assert document.text(content) == shown


def test_code_ends_where_it_should() -> None:
    assert document.code("a|b`<script>\n# c") == "`a\\|b'&lt;script>\\n# c`"


@pytest.mark.hypothesis
@given(st.text())
def test_nothing_ends_the_line_or_begins_a_tag(content: str) -> None:
    for shown in (document.text(content), document.code(content)):
        assert len(shown.splitlines()) <= 1
    assert not re.search(r"(?<!\\)[<>|`\[]", document.text(content))
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
    assert document.markdown(Document("A <title>", "", blocks), {"a": "b"}) == (
        "---\na: b\n---\n\n# A &#60;title&#62;\n\n"
        "See [the paper](<https://doi.org/10.1/x_(y)%3E>): **biased** in `label`.\n\n"
        "## In it\n\nRoles\n\n| role \\*x\\* | sentences |\n| --- | ---: |\n| a\\|b | 1,200 |\n\n"
        "- one\n- two\n\n- seed: 7\n\nBars: one bar\n\n```python\na = 1\nb < \\x1b2\n```\n"
    )


def test_three_decimals_and_a_dash_for_what_is_not_defined() -> None:
    assert (number(0.12345), number(None)) == ("0.123", "–")
    assert number(-0.0001) == "0.000"
    assert with_interval({"value": -0.5, "low": -1.0, "high": 0.0}) == "-0.500 [-1.000, 0.000]"
    assert with_interval({"value": None, "low": None, "high": None}) == "–"
    assert with_interval({"value": 0.5, "low": None, "high": None}) == "0.500 [–, –]"


def test_a_small_p_value_is_not_zero() -> None:
    assert (p_value(0.25), p_value(0.00001)) == ("0.2500", "< 0.0001")


def test_what_changed_stands_apart() -> None:
    assert pieces("the finest dairy", "4:10") == (
        Piece("the ", False),
        Piece("finest", True),
        Piece(" dairy", False),
    )
    assert pieces("", "") == ()


@given(st.text(), st.text())
def test_the_pieces_of_what_the_pipeline_writes_make_up_the_text(left: str, right: str) -> None:
    for text, spans in zip((left, right), changed_spans(left, right), strict=True):
        found = pieces(text, spans_in_words(spans))
        assert "".join(piece.text for piece in found) == text
        assert sum(piece.changed for piece in found) == len(spans)


@given(st.text(), st.text(alphabet="0123456789: "))
@example("the finest", "5:3 90:99 4:4 -1:3 nothing")
def test_any_spans_lose_no_text(text: str, spans: str) -> None:
    assert "".join(piece.text for piece in pieces(text, spans)) == text


def test_a_dataset_card_keeps_what_it_is_given() -> None:
    library = pytest.importorskip("huggingface_hub")
    data = {"language": ["no"], "pretty_name": 'a: "b"\n---\n# {{ body }}', "license": ["gfdl"]}
    body = "# T {{ card_data }}\n\n| a |\n| --- |\n"
    shown = hub.dataset_card(data, body)
    card = library.DatasetCard(shown)
    assert card.data.to_dict() == data
    assert card.text.strip() == body.strip()
    assert hub.dataset_card(card.data.to_dict(), card.text.lstrip()) == shown


def test_a_model_card_has_its_scores() -> None:
    library = pytest.importorskip("huggingface_hub")
    names = ("dataset_name", "dataset_split", "metric_type", "metric_value")
    rows = [("d", "dev", "f1", 0.5), ("d", "test", "f1", 0.25)]
    scores = [dict(zip(names, row, strict=True)) for row in rows]
    shown = hub.model_card({"model_name": "m", "tags": ["a"]}, scores, "text")
    found = library.ModelCard(shown).data.eval_results
    assert [(r.dataset_split, r.metric_type, r.metric_value) for r in found] == [
        ("dev", "f1", 0.5),
        ("test", "f1", 0.25),
    ]
    assert "model-index" not in hub.model_card({"model_name": "m"}, [], "text")


def test_without_the_library_one_line_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r'run: pip install "huggingface.hub>=1"'):
        hub.check()
