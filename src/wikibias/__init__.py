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
__version__ = "1.0.0"


# Those of `wikibias.api.__all__`, so that asking for another name loads nothing: skops asks each
# module that is loaded for names of its own.
_NAMES = frozenset(
    "read_site read_pages find_transitions to_pandas clean split_sentences compare align "
    "confidence list_languages list_tagsets load_tagset read_tagset extract load_corpus load_table "
    "classify load_classifier report export pairs Classifier Link Page Provenance Revision "
    "Sentence SentenceDiff Site Tag TagSet Trained Transition WikibiasError UsageError DumpError "
    "DiskError FetchError __all__".split()
)

if not TYPE_CHECKING:  # or else a wrong name would pass for one of type Any

    def __getattr__(name: str) -> Any:
        """Import the interface when one of its names is first asked for: commands need none."""
        if name in _NAMES:
            return getattr(import_module("wikibias.api"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*import_module("wikibias.api").__all__, "__version__"])
