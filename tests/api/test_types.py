"""A user's code that mypy checks: `make lint` runs over this file, and the test runs it."""

from collections.abc import Iterator
from pathlib import Path
from typing import assert_type

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import wikibias
from wikibias import TagSet, Transition, find_transitions

DUMP = "samples/demoenwiki-20260101-pages-meta-history.xml.7z"


def test_a_users_code_type_checks(workplace: Path) -> None:
    tagset = wikibias.load_tagset("npov", "en")
    assert_type(tagset, TagSet)
    found = assert_type(find_transitions(DUMP, "en", tagset), Iterator[Transition])
    transition = next(found)
    assert_type(transition.provenance.page_title, str)
    assert_type(transition.before_text, str | None)
    before, after = transition.before_text or "", transition.after_text or ""
    diff = wikibias.compare(before, after, "en")
    assert_type(diff.removed, tuple[wikibias.Sentence, ...])
    for page in wikibias.read_pages([Path(DUMP)], namespaces=[0]):
        for revision in page.revisions:
            assert_type(revision.text, str | None)
    assert_type(wikibias.to_pandas(found), pd.DataFrame)
    assert_type(wikibias.load_corpus("corpora/en", "train"), pd.DataFrame)
    assert_type(wikibias.load_table("corpora/en", "edits", columns=["tags"]), pa.Table)
    classifier = wikibias.load_classifier("corpora/en/models/sgd")
    assert_type(classifier.predict(["It is the finest."]), NDArray[np.float64])


def test_an_unknown_name_is_an_error_for_mypy() -> None:
    with pytest.raises(AttributeError):
        wikibias.find_transition("x.xml", "en")  # type: ignore[attr-defined]
