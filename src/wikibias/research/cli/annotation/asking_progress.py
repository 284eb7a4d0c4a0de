"""How far a language model is with its answers, and what they cost: a bar, or lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wikibias.cli.progress import bar, lines
from wikibias.research.language_models.asking import Meter, Outcome, Prices


def spent(meter: Meter, prices: Prices | None) -> str:
    """Return what answers have cost so far."""
    money = f", {prices.of(meter.spent):,.4f} spent" if prices else ""
    about = "about " if meter.guessed else ""
    return f"{about}{meter.spent.inwards:,.0f} tokens in, {meter.spent.outwards:,.0f} out{money}"


@contextmanager
def asking(
    name: str, total: int, meter: Meter, prices: Prices | None, *, quiet: bool
) -> Iterator[Callable[[Outcome], None]]:
    """Show how many questions are answered, and the meter."""
    answered = [0]

    def line(seconds: float) -> str:
        rate = answered[0] / max(seconds, 0.001)
        return (
            f"asking {name}: {answered[0]:,} of {total:,} answered, {spent(meter, prices)}, "
            f"{60 * rate:,.0f} a minute"
        )

    with lines(line), bar("asking", total, "count", "spent", quiet=quiet) as show:

        def update(outcome: Outcome) -> None:
            answered[0] = outcome.answered
            show(completed=answered[0], spent=spent(meter, prices))

        yield update
