"""Fills the templates of prompts; beside `rendering.html` alone knows jinja2.

A template comes from a file of the user's or a stranger's, and runs in a sandbox: it reaches its
variables, no file, and nothing of Python. What it is filled with is never taken for a template.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import StrictUndefined, TemplateError
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import ImmutableSandboxedEnvironment

from wikibias.errors import UsageError, WikibiasError

_LONGEST = 1_000_000  # characters of a prompt; what models take ends far below
_FAILS = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
Fill = Callable[[Mapping[str, Any]], str]
"""Makes a prompt of the variables of its template."""


def template(source: str, name: str, needed: str = "") -> Fill:
    """Return what fills a template of Jinja2; a line with nothing but a command leaves no trace.

    Args:
        source: its text.
        name: what messages call it.
        needed: a variable that it must use.

    Raises:
        UsageError: it is no template of Jinja2, or does not use what is needed; later, it names
            what it is not given.
        WikibiasError: later, a prompt is too long.
    """
    environment = ImmutableSandboxedEnvironment(
        autoescape=False,  # a prompt is plain text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    try:
        made = environment.from_string(source)
        used = find_undeclared_variables(environment.parse(source))
    except (TemplateError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        where = f"{name}:{line}" if line else name
        raise UsageError(f"{where}: no template of Jinja2 ({_said(error)})") from error

    if needed and needed not in used:
        raise UsageError(f"{name} never uses {needed}; write {{{{ {needed} }}}} where it belongs")

    def fill(variables: Mapping[str, Any]) -> str:
        found, length = [], 0
        try:
            for part in made.generate(variables):  # loops in loops may never end
                found.append(part)
                length += len(part)
                if length > _LONGEST:
                    raise WikibiasError(f"{name}: a prompt of more than {_LONGEST:,} characters")
        except _FAILS as error:
            raise UsageError(
                f"{name}: the template cannot be filled ({_said(error)}); it is given "
                f"{', '.join(sorted(variables))}"
            ) from error
        return "".join(found)

    return fill


def _said(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
