"""wikibias: sentences that Wikipedia's own editors found not neutral, from revision histories.

The names of `wikibias.__all__` are the stable interface for Python; `wikibias docs python` shows
its guide. They are declared in `wikibias.api`. All other modules are private.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wikibias.api import *  # noqa: F403 (declared there, once)
    from wikibias.api import __all__ as __all__

# Here and nowhere else; asking for the installed version takes longer than all other imports of
# many a command.
__version__ = "0.1.0"


if not TYPE_CHECKING:  # or else a wrong name would pass for one of type Any

    def __getattr__(name: str) -> Any:
        """Import the interface when one of its names is first asked for: commands need none."""
        if name == "__all__" or not name.startswith("_"):
            api = import_module("wikibias.api")
            if name == "__all__" or name in api.__all__:
                return getattr(api, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*import_module("wikibias.api").__all__, "__version__"])
