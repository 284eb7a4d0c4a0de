"""What answers cost: estimates before, a meter during, and a budget that is not exceeded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from wikibias.errors import UsageError
from wikibias.research.language_models.messages import Message, Reply

# A usual tokeniser makes of a byte of English a fourth of a token, and never more than one; a chat
# template adds some for each message, and some of its own.
_USUAL, _WORST = 0.25, 1.0
_A_MESSAGE, _A_PROMPT = 8, 64
# How much larger than any before the next prompt's share of tokens a byte may be.
_MARGIN = 1.25
_BUDGET = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*(tokens?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tokens:
    """How many tokens go in, and how many come out."""

    inwards: float = 0.0
    outwards: float = 0.0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.inwards + other.inwards, self.outwards + other.outwards)

    def __sub__(self, other: Tokens) -> Tokens:
        return Tokens(self.inwards - other.inwards, self.outwards - other.outwards)


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens, in whatever currency."""

    inwards: float
    outwards: float

    def of(self, tokens: Tokens) -> float:
        """Return what tokens cost."""
        return (tokens.inwards * self.inwards + tokens.outwards * self.outwards) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that may be spent: money, or tokens in and out together where `prices` is None."""

    most: float
    prices: Prices | None

    def holds(self, tokens: Tokens) -> bool:
        """Return whether so many tokens keep to it."""
        spent = self.prices.of(tokens) if self.prices else tokens.inwards + tokens.outwards
        return spent <= self.most


def parse_budget(said: str, prices: Prices | None) -> Budget:
    """Return the budget that `2.50` or `200000tokens` names.

    Raises:
        UsageError: it is neither, or money without prices.
    """
    found = _BUDGET.fullmatch(said.strip())
    if not found:
        raise UsageError(f"--budget {said}: give money, as 2.50, or tokens, as 200000tokens")
    if found[2]:
        return Budget(float(found[1]), None)
    if prices is None:
        raise UsageError(
            "--budget in money needs the prices: --price-in and --price-out, for a million tokens; "
            f"or give tokens: --budget {found[1]}tokens"
        )
    return Budget(float(found[1]), prices)


def size_of(messages: Sequence[Message]) -> int:
    """Return the bytes of messages, with what a template adds to each."""
    return sum(len(each.content.encode(errors="replace")) + _A_MESSAGE for each in messages)


def estimate(size: int, prompts: int, most_out: int) -> Tokens:
    """Return about how many tokens prompts have, and how many their answers have at most.

    Args:
        size: of all together.
        prompts: how many they are.
        most_out: tokens of an answer.
    """
    return Tokens(size * _USUAL + prompts * _A_MESSAGE, float(prompts * most_out))


class Meter:
    """Counts what is spent, and lets nothing through that might exceed the budget.

    An answer may cost what the dearest so far took for a byte, and its full length. The first one,
    which may cost a token for each byte, is waited for. `spent` counts answers of earlier runs too.
    """

    def __init__(self, max_tokens: int, budget: Budget | None = None) -> None:
        self.spent = Tokens()
        self.guessed = False
        """Whether a server did not say how many tokens an answer took."""
        self._most_out = float(max_tokens)
        self._budget = budget
        self._held = Tokens()
        self._share = 0.0
        self.counted = False
        """Whether any answer was counted."""

    def reserve(self, size: int) -> Tokens | None:
        """Hold what a prompt of this size may cost; None where the budget may not bear it."""
        worst = self._worst(size)
        if self._budget and (
            (self._held != Tokens() and not self.counted)
            or not self._budget.holds(self.spent + self._held + worst)
        ):
            return None
        self._held += worst
        return worst

    def release(self, held: Tokens) -> None:
        """Give back what `reserve` held, once an answer is counted or there is none."""
        self._held -= held

    def count(self, size: int, reply: Reply) -> None:
        """Count an answer to a prompt of a size."""
        # Where a budget is to be kept, no less than it can have been.
        told = self._worst(size) if self._budget else estimate(size, 1, len(reply.text) // 4)
        if reply.tokens_in is None or reply.tokens_out is None:
            self.guessed = True
        if reply.tokens_in is not None:
            told = Tokens(reply.tokens_in, told.outwards)
            self._share = max(self._share, reply.tokens_in / max(1, size))
        if reply.tokens_out is not None:
            told = Tokens(told.inwards, reply.tokens_out)
        self.spent += told
        self.counted = True

    def _worst(self, size: int) -> Tokens:
        share = self._share * _MARGIN if self._share > 0 else _WORST
        return Tokens(size * share + _A_PROMPT, self._most_out)
