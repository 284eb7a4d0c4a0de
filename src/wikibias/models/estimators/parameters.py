"""The parameters of an estimator: the keyword-only arguments of the function that takes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from wikibias.errors import UsageError
from wikibias.messages import nearest


def defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the parameters that a function takes, with their defaults."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def check_parameters(name: str, function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Check that the function of the model `name` takes all `given` parameters.

    Raises:
        UsageError: it lacks one; the message names the nearest.
    """
    known = defaults(function)
    for key in given:
        if key not in known:
            raise UsageError(f"model {name!r} has no parameter {key!r}{nearest(key, known)}")
