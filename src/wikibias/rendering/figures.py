"""Figures as PNG bytes; the only module that knows matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wikibias.models.constants import METRIC_TITLES, METRICS
from wikibias.models.evaluation.metrics import Table

_INK, _FAINT, _MODEL, _CONSTANT = "#22272e", "#d8dde3", "#1f6feb", "#8b949e"
_CONSTANT_NAME = "always “biased”"


def metrics(scores: Table, constant: Table, title: str) -> bytes:
    """Draw every metric of a model with its interval, and the constant classifier's beside it."""
    figure, axes = _canvas(8.8, 3.5)
    for row, metric in enumerate(METRICS):
        _interval(axes, row - 0.14, scores[metric], _MODEL, "model" if row == 0 else None)
        _interval(
            axes, row + 0.14, constant[metric], _CONSTANT, _CONSTANT_NAME if row == 0 else None
        )
    axes.set_yticks(range(len(METRICS)), [METRIC_TITLES[metric] for metric in METRICS])
    axes.invert_yaxis()
    axes.axvline(0, color=_FAINT, linewidth=1, zorder=0)
    axes.set_xlim(min(-0.1, axes.get_xlim()[0]), 1.02)
    axes.set_title(title, loc="left")
    axes.legend(frameon=False, loc="lower right")
    return _png(figure)


def confusion(counts: Mapping[str, int], title: str) -> bytes:
    """Draw the confusion matrix, shaded by share of the true class."""
    cells = [
        [counts["true_positive"], counts["false_negative"]],
        [counts["false_positive"], counts["true_negative"]],
    ]
    shares = [[value / max(1, sum(row)) for value in row] for row in cells]
    figure, axes = _canvas(3.8, 3.6)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for row, values in enumerate(cells):
        for column, value in enumerate(values):
            share = shares[row][column]
            axes.text(
                column,
                row,
                f"{value:,}\n{share:.0%}",
                ha="center",
                va="center",
                color="white" if share > 0.6 else _INK,
                fontsize=11,
            )
    axes.set_xticks([0, 1], ["biased", "neutral"])
    axes.set_yticks([0, 1], ["biased", "neutral"], rotation=90, va="center")
    axes.set_xlabel("the model says")
    axes.set_ylabel("the edit says")
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.set_title(title, loc="left")
    return _png(figure)


def reliability(bins: Sequence[tuple[float, float, int]], title: str) -> bytes:
    """Draw how often sentences are biased against how probable the model held it."""
    figure, axes = _canvas(3.9, 3.6)
    axes.plot([0, 1], [0, 1], color=_CONSTANT, linewidth=1, linestyle="--", label="perfect")
    axes.plot(
        [chance for chance, *_ in bins],
        [share for _, share, _ in bins],
        color=_MODEL,
        marker="o",
        markersize=4.5,
        label="model, by tenths",
    )
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="probability given", ylabel="share really biased")
    axes.set_aspect("equal")
    axes.legend(frameon=False, loc="upper left")
    axes.set_title(title, loc="left")
    return _png(figure)


def comparison(
    tables: Mapping[str, Table], constant: Table, title: str, shown: Sequence[str] = ()
) -> bytes:
    """Draw several models side by side, one panel per metric, the constant one as a line."""
    shown = shown or ("f1", "mcc", "roc_auc", "brier")
    figure = Figure(figsize=(10, 1.3 + 0.36 * len(tables)), layout="constrained")
    for panel, metric in enumerate(shown):
        axes = figure.add_subplot(1, len(shown), panel + 1)
        _style(axes)
        for row, table in enumerate(tables.values()):
            _interval(axes, row, table[metric], _MODEL, None)
        value = constant[metric]["value"]
        if value is not None:
            axes.axvline(value, color=_CONSTANT, linestyle="--", linewidth=1.2)
        axes.set_yticks(range(len(tables)), list(tables) if panel == 0 else [""] * len(tables))
        axes.set_ylim(len(tables) - 0.5, -0.5)
        axes.set_title(METRIC_TITLES[metric].split(" (")[0], loc="left", fontsize=10)
    figure.suptitle(f"{title}   (dashed: {_CONSTANT_NAME})", x=0.01, ha="left", fontsize=11)
    return _png(figure)


def grid(
    rows: Sequence[Mapping[str, Any]], best: Mapping[str, Any], names: Sequence[str], metric: str
) -> bytes:
    """Draw a grid search: one panel per parameter, a dot per permutation, the winner ringed."""
    figure = Figure(figsize=(max(5.0, 2.1 * len(names)), 3.4), layout="constrained")
    for panel, name in enumerate(names):
        axes = figure.add_subplot(1, len(names), panel + 1)
        _style(axes)
        levels = sorted({row[name] for row in rows}, key=lambda level: (str(type(level)), level))
        at = {level: position for position, level in enumerate(levels)}
        known = [row for row in rows if row[metric] is not None]
        # Spread by number, not by chance: the same table gives the same picture.
        across = [at[row[name]] + ((row["n"] * 37) % 101 / 101 - 0.5) * 0.5 for row in known]
        axes.scatter(across, [row[metric] for row in known], s=9, color=_MODEL, alpha=0.45, lw=0)
        axes.scatter(
            [at[best[name]] + ((best["n"] * 37) % 101 / 101 - 0.5) * 0.5],
            [best[metric]],
            s=70,
            facecolors="none",
            edgecolors="#d1242f",
            linewidths=1.6,
        )
        axes.set_xticks(range(len(levels)), [f"{level}" for level in levels], rotation=45)
        axes.set_xlim(-0.6, len(levels) - 0.4)
        axes.set_title(name, loc="left", fontsize=10)
        if panel:
            axes.set_yticklabels([])
        else:
            axes.set_ylabel(f"{METRIC_TITLES[metric]} on dev")
    return _png(figure)


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    _style(axes)
    return figure, axes


def _style(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_FAINT)
    axes.grid(axis="both", color=_FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_INK, length=0, labelsize=9)


def _interval(
    axes: Axes, row: float, entry: Mapping[str, float | None], colour: str, label: str | None
) -> None:
    value, low, high = entry["value"], entry["low"], entry["high"]
    if value is None:
        return
    if low is not None and high is not None:
        axes.plot([low, high], [row, row], color=colour, linewidth=2.2, solid_capstyle="round")
    axes.plot([value], [row], "o", color=colour, markersize=5.5, label=label)


def _png(figure: Figure) -> bytes:
    buffer = BytesIO()
    # Without the program's name in it, the same figure gives the same bytes.
    figure.savefig(buffer, format="png", dpi=144, metadata={"Software": None})
    return buffer.getvalue()
