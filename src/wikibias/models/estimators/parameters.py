"""The parameters of an estimator: the keyword-only arguments of the function that takes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
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


def check_values(
    name: str,
    given: Mapping[str, Any],
    limits: Mapping[str, tuple[float, float]],
    choices: Mapping[str, Sequence[Any]],
) -> None:
    """Check the values of the parameters that are given.

    Args:
        name: of the model.
        given: value of each parameter.
        limits: lowest and highest number; those with whole limits take whole numbers only.
        choices: values that a parameter takes.

    Raises:
        UsageError: a value is none of them; texts without choices are not checked.
    """
    for key, value in given.items():
        if key in choices and not any(value is one or value == one for one in choices[key]):
            known = ", ".join(str(one).lower() for one in choices[key])
            raise UsageError(f"{name}: {key} must be one of {known}")
        if key in limits:
            low, high = limits[key]
            kinds = (int,) if isinstance(low, int) else (int, float)
            if type(value) not in kinds or not low <= value <= high:
                raise UsageError(f"{name}: {key} must be a number from {low:,g} to {high:,g}")
