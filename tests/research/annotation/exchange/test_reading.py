"""Whatever a file holds that comes back: it is read, or one line says what is wrong."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchange_tasks import TASKS, TYPES, reading
from wikibias.errors import WikibiasError
from wikibias.research.annotation.exchange.forms import read_answers_of
from wikibias.research.annotation.exchange.rows import as_rows, last_of_each
from wikibias.research.annotation.tables import write_rows

# Names and values that mean something to a reader, and others.
WORDS = st.sampled_from(
    [
        *("item", "id", "text", "data", "annotations", "completed_by", "result", "from_name"),
        *("type", "value", "labels", "choices", "start", "end", "was_cancelled", "updated_at"),
        *("annotation_id", "annotator", "bias_types", "spans", "comment", "responses", "fields"),
        *("user_id", "status", "bias_types.responses", "bias_types.responses.users", "framing"),
        *("bias_types.responses.status", "discarded", "none", "s1", "s3", "\ud800", "[", '{"a":1}'),
    ]
)
LEAVES = WORDS | st.none() | st.booleans() | st.integers(-2, 60) | st.floats() | st.text(max_size=3)
ANY = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=15,
)
ROWS = st.dictionaries(WORDS, ANY, min_size=1, max_size=6)
LS = st.fixed_dictionaries(
    {
        "data": st.fixed_dictionaries({"item": st.sampled_from(["s1", "s3"]) | ANY}),
        "annotations": st.lists(
            st.fixed_dictionaries({"result": st.lists(ROWS, max_size=3) | ANY, "completed_by": ANY})
            | ANY,
            max_size=3,
        ),
    }
)
MIN = st.fixed_dictionaries(
    {"annotation_id": ANY, "annotator": ANY, "item": st.just("s3"), "bias_types": ANY, "spans": ANY}
)
ARGILLA = st.fixed_dictionaries(
    {"id": st.just("s1"), "fields": ANY, "responses": ANY, "bias_types.responses": ANY},
    optional={"bias_types.responses.users": ANY, "bias_types.responses.status": ANY},
)


FORMS = st.sampled_from([LS, MIN, ARGILLA, ROWS, ANY]).flatmap(
    lambda form: st.lists(form, min_size=1, max_size=3)
)


@pytest.mark.hypothesis
@given(FORMS)
def test_nothing_but_a_line_of_ours(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("f")
    (folder / "a.json").write_text(json.dumps(rows))
    found = reading(TYPES)
    with suppress(WikibiasError):
        answers = read_answers_of(folder / "a.json", found, annotator=None, renames={})
        kept = last_of_each(answers, [task.item for task in TASKS], found.doubts)
        write_rows(folder / "out.jsonl", as_rows(kept, TYPES))
        write_rows(folder / "out.csv", as_rows(kept, TYPES))
    assert all(isinstance(line, str) for line in [*found.doubts.lines(), *found.notes()])
