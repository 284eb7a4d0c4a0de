"""The interface as a whole: its names are documented and typed, and cost nothing until used."""

import doctest
import inspect
import json
import subprocess
import sys
import types
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import wikibias
from wikibias.models.estimators.registry import Model

NAMES = list(wikibias.__all__)
FUNCTIONS = [name for name in NAMES if inspect.isfunction(getattr(wikibias, name))]
HEAVY = ("wikibias.api", "pandas", "numpy", "pyarrow", "spacy", "sklearn", "matplotlib", "click")
# What the modules import for type checkers alone.
_LATER = {"pd": pd, "pa": pa, "np": np, "NDArray": NDArray, "Model": Model}


def test_each_name_of_the_interface_is_known_before_it_is_loaded() -> None:
    assert {*wikibias._NAMES} == {*wikibias.__all__, "__all__"}


def _loaded(code: str, *modules: str) -> list[str]:
    """Return which modules a new Python has loaded after it has run the code."""
    ask = (
        f"{code}\nimport json, sys\nprint(json.dumps([m for m in {modules!r} if m in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True)
    return list(json.loads(done.stdout))


def test_import_loads_no_library() -> None:
    assert _loaded("import wikibias", *HEAVY) == []


def test_a_first_name_loads_no_pandas_spacy_or_scikit_learn() -> None:
    assert _loaded("import wikibias; wikibias.clean", "pandas", "spacy", "sklearn") == []


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
