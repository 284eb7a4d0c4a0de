"""Panels of annotators: the k whose majority vote has the best MCC.

Horych et al. (2025, section 4.2) take the best three models of the setting with the highest mean.
Two good annotators that err alike are worth little more than one, so the panel is chosen by its
vote, greedily. Where a panel ties or nobody of it answered, its vote
is taken to be right half the time, so that no panel gains by not deciding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Codes, bootstrap
from wikibias.research.annotation.answers import BIASED, NEUTRAL, Truth
from wikibias.research.annotation.scores import Floats, rates

Panel = tuple[int, ...]
SETTING = "@"
FOLDS = 5
"""A panel is chosen without one of so many parts, and judged on it."""
_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Bench:
    """Annotators to choose from.

    Attributes:
        names: what they are called; `MODEL@SETTING` where one model was asked in several ways.
        gold: whether each sentence is biased.
        votes: 1 (biased), -1 (neutral) or 0 (no answer) of each sentence (first) and annotator.
    """

    names: Sequence[str]
    gold: Truth
    votes: NDArray[np.int8]

    def part(self, rows: NDArray[np.int64]) -> Bench:
        """Return the same annotators with some of the sentences."""
        return Bench(self.names, self.gold[rows], self.votes[rows])


def bench(gold: Truth, said: Mapping[str, Codes]) -> Bench:
    """Return annotators to choose from; `said` as `answers.WithGold` has it."""
    codes = np.stack(list(said.values()), axis=1)
    votes = np.where(codes == BIASED, 1, np.where(codes == NEUTRAL, -1, 0)).astype(np.int8)
    return Bench(list(said), gold, votes)


def decisions(totals: NDArray[Any]) -> Floats:
    """Return 1 where a sum of votes says biased, 0 where neutral, and a half at a tie."""
    decided: Floats = (np.sign(totals) + 1) / 2
    return decided


def panel_mcc(gold: Truth, decided: Floats) -> Floats:
    """Return the MCC of decisions (sentences, panels); -1 where it is not defined."""
    biased, neutral = gold.astype(float), (~gold).astype(float)
    tp, fp = biased @ decided, neutral @ decided
    found = rates(tp, fp, biased.sum() - tp, neutral.sum() - fp)["mcc"]
    return np.where(np.isnan(found), -1.0, found)


def greedy(among: Bench, size: int) -> Panel:
    """Return a panel: the best annotator, then the two that make its vote best, and so on.

    Two at a time, because a panel of an even number ties, and one annotator changes no vote of
    another. Where panels are equally good, the first.
    """
    panel: Panel = ()
    while len(panel) < size:
        free = [place for place in range(len(among.names)) if place not in panel]
        more = combinations(free, 1 if not panel else min(2, size - len(panel)))
        panel = _best_of(among, [(*panel, *some) for some in more])
    return panel


def _best_of(among: Bench, panels: Sequence[Panel]) -> Panel:
    best: tuple[float, Panel] = (2.0, ())
    for start in range(0, len(panels), _AT_ONCE):
        some = panels[start : start + _AT_ONCE]
        totals = np.zeros((len(among.gold), len(some)), np.int8)
        for places in zip(*some, strict=True):
            totals += among.votes[:, places]
        for mcc, panel in zip(panel_mcc(among.gold, decisions(totals)), some, strict=True):
            best = min(best, (-float(mcc), panel))
    return best[1]


def by_setting(among: Bench, size: int) -> Panel:
    """Return the best models of the setting with the highest mean MCC, as the paper chose them."""
    found = panel_mcc(among.gold, decisions(among.votes)).tolist()
    table: dict[str, dict[int, float]] = {}
    for place, name in enumerate(among.names):
        table.setdefault(_setting(name), {})[place] = found[place]
    best = max(table.values(), key=lambda mccs: sum(mccs.values()) / len(mccs))
    return tuple(sorted(best, key=lambda place: -best[place])[:size])


def _setting(name: str) -> str:
    return name.partition(SETTING)[2]


def methods(among: Bench) -> dict[str, Callable[[Bench, int], Panel]]:
    """Return the ways to choose that make sense for these annotators, by name."""
    settings = {_setting(name) for name in among.names}
    by_settings = {"by_setting": by_setting} if len(settings) > 1 and "" not in settings else {}
    return {"greedy": greedy, **by_settings, "best_single": lambda bench_, _: greedy(bench_, 1)}


def choose(among: Bench, size: int, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Choose panels in several ways, and judge each way on sentences that it did not see.

    The sentences are parted into folds at random, with both labels in each. For each fold, a panel
    is chosen on the others and votes on this one; `mcc` is that of all these votes together. The
    panel itself is chosen on all sentences, on which its `mcc_where_chosen` flatters it.
    """
    fold = _folds(among.gold)
    found = {}
    for name, method in methods(among).items():
        panel = method(among, size)
        decided, times = np.zeros(len(fold)), np.zeros(len(among.names), np.int64)
        for number in range(FOLDS):
            chosen = method(among.part(np.flatnonzero(fold != number)), size)
            here = fold == number
            decided[here] = decisions(among.votes[here][:, chosen].sum(axis=1))
            times[list(chosen)] += 1
        known = decisions(among.votes[:, list(panel)].sum(axis=1))
        found[name] = {
            "panel": [among.names[place] for place in panel],
            **_held_out(among.gold, decided, resamples),
            "mcc_where_chosen": float(panel_mcc(among.gold, known[:, None])[0]),
            "undecided": float(np.mean(known == 0.5)),
            "chosen_in_folds": {
                among.names[place]: int(times[place])
                for place in np.argsort(-times, kind="stable")
                if times[place]
            },
        }
    return found


def _folds(gold: Truth) -> NDArray[np.int64]:
    rng = np.random.default_rng(0)
    fold = np.empty(len(gold), np.int64)
    for truth in (False, True):
        rows = rng.permutation(np.flatnonzero(gold == truth))
        fold[rows] = np.arange(len(rows)) % FOLDS
    return fold


def _held_out(gold: Truth, decided: Floats, resamples: int) -> dict[str, Any]:
    cells = np.bincount(gold * 3 + (decided * 2).astype(np.int64), minlength=6).astype(np.int64)
    return bootstrap(_mcc_from_cells, cells, resamples=resamples)


def _mcc_from_cells(cells: Floats) -> Mapping[str, Floats]:
    tn, tied_neutral, fp, fn, tied_biased, tp = cells.T
    half_neutral, half_biased = tied_neutral / 2, tied_biased / 2
    found = rates(tp + half_biased, fp + half_neutral, fn + half_biased, tn + half_neutral)
    return {"mcc": found["mcc"]}
