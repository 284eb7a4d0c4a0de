"""Draws figures as PNG bytes from values, intervals and titles; alone knows matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wikibias.rendering.numbers import Interval

_INK, _FAINT, _MAIN, _REFERENCE, _MARK = "#22272e", "#d8dde3", "#1f6feb", "#8b949e", "#d1242f"
Scores = Mapping[str, Interval]
"""An interval for each key, such as a metric."""


def intervals(
    main: tuple[str, Scores], reference: tuple[str, Scores], titles: Mapping[str, str], title: str
) -> bytes:
    """Draw two named series of scores between 0 and 1, one row for each key of `titles`."""
    figure, axes = _canvas(8.8, 3.5)
    for row, key in enumerate(titles):
        for (name, scores), offset, colour in ((main, -0.14, _MAIN), (reference, 0.14, _REFERENCE)):
            _interval(axes, row + offset, scores[key], colour, name if row == 0 else None)
    axes.set_yticks(range(len(titles)), list(titles.values()))
    axes.invert_yaxis()
    axes.axvline(0, color=_FAINT, linewidth=1, zorder=0)
    axes.set_xlim(min(-0.1, axes.get_xlim()[0]), 1.02)
    axes.set_title(title, loc="left")
    axes.legend(frameon=False, loc="lower right")
    return _png(figure)


def confusion_matrix(
    counts: Sequence[Sequence[int]],
    classes: Sequence[str],
    axis_labels: tuple[str, str],
    title: str,
) -> bytes:
    """Draw a confusion matrix (true class by predicted class), shaded by share of the true class.

    `axis_labels` name the predicted and the true class.
    """
    shares = [[value / max(1, sum(row)) for value in row] for row in counts]
    figure, axes = _canvas(3.8, 3.6)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for row, values in enumerate(counts):
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
    axes.set_xticks(range(len(classes)), classes)
    axes.set_yticks(range(len(classes)), classes, rotation=90, va="center")
    axes.set_xlabel(axis_labels[0])
    axes.set_ylabel(axis_labels[1])
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.set_title(title, loc="left")
    return _png(figure)


def calibration_curve(
    bins: Sequence[tuple[float, float, int]], axis_labels: tuple[str, str], title: str
) -> bytes:
    """Draw the share of positives against the mean predicted probability of each bin.

    `bins` holds mean probability, share of positives and number of examples.
    """
    figure, axes = _canvas(3.9, 3.6)
    axes.plot([0, 1], [0, 1], color=_REFERENCE, linewidth=1, linestyle="--", label="perfect")
    axes.plot(
        [mean for mean, *_ in bins],
        [share for _, share, _ in bins],
        color=_MAIN,
        marker="o",
        markersize=4.5,
        label=f"model, {len(bins)} bins",
    )
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=axis_labels[0], ylabel=axis_labels[1])
    axes.set_aspect("equal")
    axes.legend(frameon=False, loc="upper left")
    axes.set_title(title, loc="left")
    return _png(figure)


# Names of models and values of parameters, which files give, may hold dollars: no formulas.
@rc_context({"text.parse_math": False})
def comparison(
    series: Mapping[str, Scores],
    reference: tuple[str, Scores],
    titles: Mapping[str, str],
    title: str,
) -> bytes:
    """Draw several named series, one panel for each key of `titles`, the reference as a line."""
    name, line = reference
    figure = Figure(figsize=(10, 1.3 + 0.36 * len(series)), layout="constrained")
    for panel, (key, heading) in enumerate(titles.items()):
        axes = figure.add_subplot(1, len(titles), panel + 1)
        _style(axes)
        for row, scores in enumerate(series.values()):
            _interval(axes, row, scores[key], _MAIN, None)
        value = line[key]["value"]
        if value is not None:
            axes.axvline(value, color=_REFERENCE, linestyle="--", linewidth=1.2)
        axes.set_yticks(range(len(series)), list(series) if panel == 0 else [""] * len(series))
        axes.set_ylim(len(series) - 0.5, -0.5)
        axes.set_title(heading, loc="left", fontsize=10)
    figure.suptitle(f"{title}   (dashed: {name})", x=0.01, ha="left", fontsize=11)
    return _png(figure)


@rc_context({"text.parse_math": False})
def parameter_grid(
    rows: Sequence[Mapping[str, Any]],
    best: Mapping[str, Any],
    parameters: Sequence[str],
    score: tuple[str, str],
) -> bytes:
    """Draw a grid search: a panel for each parameter, a dot for each combination, the best ringed.

    Each row holds its number `n`, its parameters and its scores; `score` is the key of the score
    to show and its title.
    """
    key, label = score
    figure = Figure(figsize=(max(5.0, 2.1 * len(parameters)), 3.4), layout="constrained")
    known = [row for row in rows if row[key] is not None]
    for panel, name in enumerate(parameters):
        axes = figure.add_subplot(1, len(parameters), panel + 1)
        _style(axes)
        levels = sorted({row[name] for row in rows}, key=lambda level: (str(type(level)), level))
        at = {level: position for position, level in enumerate(levels)}
        # Spread by number, not by chance: the same table gives the same picture.
        across = {
            row["n"]: at[row[name]] + ((row["n"] * 37) % 101 / 101 - 0.5) * 0.5 for row in rows
        }
        axes.scatter(
            [across[row["n"]] for row in known],
            [row[key] for row in known],
            s=9,
            color=_MAIN,
            alpha=0.45,
            lw=0,
        )
        axes.scatter(
            [across[best["n"]]],
            [best[key]],
            s=70,
            facecolors="none",
            edgecolors=_MARK,
            linewidths=1.6,
        )
        axes.set_xticks(range(len(levels)), [f"{level}" for level in levels], rotation=45)
        axes.set_xlim(-0.6, len(levels) - 0.4)
        axes.set_title(name, loc="left", fontsize=10)
        if panel:
            axes.set_yticklabels([])
        else:
            axes.set_ylabel(label)
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


def _interval(axes: Axes, row: float, entry: Interval, colour: str, label: str | None) -> None:
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
