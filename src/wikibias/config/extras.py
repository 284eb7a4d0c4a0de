"""What to type to get the libraries of an extra, wherever wikibias is installed."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

_EXTRA = re.compile(r"""extra\s*==\s*['"]([\w.-]+)['"]""")


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra of pyproject.toml, such as "fast".

    It names the libraries themselves: wikibias may have come from a wheel or a checkout, and no
    package index need know it. pipx and uv keep an environment without pip for each program.
    """
    return how_to_install_library(*_libraries(extra))


def how_to_install_library(*names: str) -> str:
    """Return the command that installs libraries by name, beside those that are here."""
    libraries = shlex.join(names)
    home = Path(sys.prefix)
    if (home / "pipx_metadata.json").exists():
        return f"pipx inject wikibias {libraries}"
    if (home / "uv-receipt.toml").exists() or find_spec("pip") is None:
        return f"uv pip install --python {shlex.quote(sys.prefix)} {libraries}"
    return f"pip install {libraries}"


def _libraries(extra: str) -> list[str]:
    """Return what an extra requires, as "isal>=1.6"; the extra itself if wikibias is not there."""
    from importlib.metadata import PackageNotFoundError, requires  # noqa: PLC0415 (20 ms)

    try:
        required = [line.partition(";") for line in requires("wikibias") or ()]
    except PackageNotFoundError:
        required = []
    of_extra = [name.strip() for name, _, why in required if extra in _EXTRA.findall(why)]
    return of_extra or [f"wikibias[{extra}]"]
