"""What a run finds edits by: the signals asked for, and the intents among them with their rules.

Nothing of intents is loaded where none is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from wikibias.config.choices import Negatives, RuleSet
from wikibias.errors import UsageError
from wikibias.records import FEATURED_SIGNAL, OTHER_SIGNALS

if TYPE_CHECKING:
    from wikibias.config.intents import Intent


def names_of_intents(signal: Iterable[str]) -> list[str]:
    """Return those of some signals that are intents, in order; they need not be known."""
    return [name for name in signal if name not in OTHER_SIGNALS]


def check_negatives(negatives: Negatives | None, signal: Sequence[str]) -> None:
    """Refuse to take negatives from featured articles where nobody has looked for them.

    Raises:
        UsageError: the message says what to type.
    """
    if negatives == FEATURED_SIGNAL and FEATURED_SIGNAL not in signal:
        asked = " ".join(f"--signal {name}" for name in (*signal, FEATURED_SIGNAL))
        raise UsageError(
            "--negatives featured needs featured articles, and nobody has looked for any; run "
            f"`wikibias detect {asked}` on the dumps, into a folder of its own"
        )


def load_asked(signal: Iterable[str], rules: RuleSet) -> tuple[Intent, ...]:
    """Return the intents among some signals.

    Raises:
        UsageError: a signal is unknown, or the file of an intent is broken or lacks these rules.
    """
    names = names_of_intents(signal)
    if not names:
        return ()
    from wikibias.config.intents import check_signals, load_intent  # noqa: PLC0415 (see above)
    from wikibias.edits.intents.source import FACTS  # noqa: PLC0415

    check_signals(names)
    return tuple(load_intent(name, rules, FACTS) for name in names)


def load_all(rules: RuleSet) -> tuple[Intent, ...]:
    """Return all intents that have a set of rules.

    Raises:
        UsageError: the file of an intent is broken.
    """
    from wikibias.config.intents import intents, load_intent  # noqa: PLC0415 (see above)
    from wikibias.edits.intents.source import FACTS  # noqa: PLC0415

    found = (load_intent(name, None, FACTS) for name in intents())
    return tuple(intent for intent in found if intent.rules(rules))


def version_of_rules(intents: tuple[Intent, ...], rules: RuleSet) -> str:
    """Return a hash of the rules of some intents; "" of none."""
    if not intents:
        return ""
    from wikibias.config.intents import version_of  # noqa: PLC0415 (see above)

    return version_of(intents, rules)
