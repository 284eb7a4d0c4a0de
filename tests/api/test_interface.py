"""The interface as a whole, its names and types, which mypy checks; and texts."""

import doctest
import inspect
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_type, get_args, get_type_hints

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import wikibias
from made_edits import DUMPS
from wikibias import TagSet, Transition, find_transitions
from wikibias.models.estimators.registry import Model

NAMES = list(wikibias.__all__)
FUNCTIONS = [name for name in NAMES if inspect.isfunction(getattr(wikibias, name))]
HEAVY = ("wikibias.api", "pandas", "numpy", "pyarrow", "spacy", "sklearn", "matplotlib", "click")
# What the modules import for type checkers alone.
_LATER = {"pd": pd, "pa": pa, "np": np, "NDArray": NDArray, "Model": Model}


def test_each_name_of_the_interface_is_known_before_it_is_loaded() -> None:
    assert {*wikibias._NAMES} == {*wikibias.__all__, "__all__"}


def test_import_loads_no_library_and_a_first_name_no_pandas_spacy_or_scikit_learn() -> None:
    code = f"import sys, wikibias; print(*{{*{HEAVY}}} & {{*sys.modules}}, sep=',')"
    later = "wikibias.clean; print(*{'pandas', 'spacy', 'sklearn'} & {*sys.modules}, sep=',')"
    command = [sys.executable, "-c", f"{code}; {later}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout == "\n\n"


def test_nothing_private_leaks() -> None:
    assert sorted(dir(wikibias)) == sorted([*NAMES, "__version__"])
    everything: dict[str, Any] = {}
    exec("from wikibias import *", everything)
    assert sorted(everything.keys() - {"__builtins__"}) == sorted(NAMES)
    with pytest.raises(AttributeError, match="no attribute 'walk'"):
        _ = wikibias.walk  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_documented(name: str) -> None:
    text = inspect.getdoc(getattr(wikibias, name)) or ""
    assert text.split("\n")[0].endswith((".", ":")), f"{name} has no first line"
    if name in FUNCTIONS:
        assert "Examples:" in text
        for parameter in inspect.signature(getattr(wikibias, name)).parameters:
            assert f"{parameter}: " in text or "Args:" not in text, f"{name}: {parameter}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures_name_public_types_alone(name: str) -> None:
    function = getattr(wikibias, name)
    hints = get_type_hints(function, localns=_LATER)
    assert hints.keys() == {*inspect.signature(function).parameters, "return"}
    ours = {kind for hint in hints.values() for kind in _classes(hint)}
    public = {getattr(wikibias, other) for other in NAMES}
    assert {kind for kind in ours if kind.__module__.startswith("wikibias")} <= public


def _classes(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        yield hint
    for inner in get_args(hint):
        yield from _classes(inner)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.usefixtures("workplace")
def test_examples_run(name: str) -> None:
    function = getattr(wikibias, name)
    (example,) = doctest.DocTestFinder(recurse=False).find(
        function, name, globs={public: getattr(wikibias, public) for public in NAMES}
    )
    told: list[str] = []
    result = doctest.DocTestRunner().run(example, out=told.append)
    assert result.attempted
    assert not result.failed, "".join(told)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_compare_gives_the_sentences_of_the_edits(lang: str, workplace: Path) -> None:
    edits = wikibias.load_table(f"corpora/{lang}", "edits").to_pylist()
    transitions = wikibias.load_table(f"corpora/{lang}", "transitions").to_pylist()
    texts = {row["after_rev_id"]: row for row in transitions if row["kind"] == "removed"}
    assert edits
    for edit in edits:
        row = texts[edit["after_rev_id"]]
        diff = wikibias.compare(
            row["before_text"], row["after_text"], lang, min_tokens=1, max_tokens=10_000
        )
        assert [sentence.text for sentence in diff.removed] == edit["removed"]
        assert [sentence.text for sentence in diff.added] == edit["added"]


def test_a_language_without_a_tagset_is_cleaned() -> None:
    assert "ca" not in wikibias.list_tagsets()["npov"]
    assert wikibias.clean("'''Text''' [[Fitxer:x.jpg|thumb|no]]{{POV}}", "ca") == "Text"


def test_wrapped_text_is_seen() -> None:
    assert "les plus beaux" in wikibias.clean(
        "Les vins {{passage promotionnel|les plus beaux}}.", "fr"
    )


def test_what_cannot_be_parsed_is_told() -> None:
    with pytest.raises(wikibias.WikibiasError, match="cannot be cleaned: too much unclosed"):
        wikibias.clean("<b>" * 5000, "en")


@pytest.mark.parametrize("limits", [(0, 5), (6, 5)])
def test_wrong_limits_are_told(limits: tuple[int, int]) -> None:
    low, high = limits
    with pytest.raises(wikibias.UsageError, match="min_tokens"):
        wikibias.split_sentences("A text.", "en", min_tokens=low, max_tokens=high)


def test_only_sentences_are_aligned() -> None:
    (sentence,) = wikibias.split_sentences("It is a good mill.", "en")
    with pytest.raises(wikibias.UsageError, match="no text to split: None"):
        wikibias.split_sentences(None, "en")  # type: ignore[arg-type]
    with pytest.raises(wikibias.UsageError, match=r"no sentence: 'It is a mill\.'"):
        wikibias.align([sentence], ["It is a mill."])  # type: ignore[list-item]


def test_a_set_of_ones_own_has_the_name_of_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "hype" / "en.toml"
    path.parent.mkdir()
    path.write_text('[[tag]]\nname = "Hype"\nfamily = "hype"\n')
    found = wikibias.read_tagset(path)
    assert (found.name, found.lang) == ("hype", "en")
    path.write_text('[[tag]]\nname = "Hype"\nfamily = "hype"\nscop = "inline"\n')
    with pytest.raises(wikibias.UsageError, match=r"en\.toml:4: .*unknown key scop"):
        wikibias.read_tagset(path)


def test_a_users_code_type_checks(workplace: Path) -> None:
    tagset = wikibias.load_tagset("npov", "en")
    assert_type(tagset, TagSet)
    found = assert_type(find_transitions(DUMPS["en"], "en", tagset), Iterator[Transition])
    transition = next(found)
    assert_type(transition.provenance.page_title, str)
    assert_type(transition.before_text, str | None)
    before, after = transition.before_text or "", transition.after_text or ""
    diff = wikibias.compare(before, after, "en")
    assert_type(diff.removed, tuple[wikibias.Sentence, ...])
    for page in wikibias.read_pages([DUMPS["en"]], namespaces=[0]):
        for revision in page.revisions:
            assert_type(revision.text, str | None)
    assert_type(wikibias.to_pandas(found), pd.DataFrame)
    assert_type(wikibias.load_corpus("corpora/en", "train"), pd.DataFrame)
    assert_type(wikibias.load_table("corpora/en", "edits", columns=["tags"]), pa.Table)
    classifier = wikibias.load_classifier("corpora/en/models/sgd")
    assert_type(classifier.predict(["It is the finest."]), NDArray[np.float64])
