"""Several drawings in one, each under its title, as one file that people can open."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wikibias.rendering.svg import WIDTH, Canvas, Drawing, cut

_HEIGHT = re.compile(r'viewBox="0 0 [0-9.]+ ([0-9.]+)"')
_TITLE, _GAP = 22, 14  # units


def sheet(drawings: Sequence[Drawing]) -> Drawing:
    """Return drawings below each other, each under its title, as one."""
    y = 0.0
    parts = []
    for drawing in drawings:
        height = float(_HEIGHT.search(drawing.markup)[1])  # type: ignore[index]
        parts.append((drawing, y, height))
        y += _TITLE + height + _GAP
    canvas = Canvas(max(y - _GAP, 0))
    for drawing, top, _ in parts:
        canvas.text(0, top + 13, cut(drawing.title, WIDTH))
    title = "; ".join(drawing.title for drawing in drawings)
    whole = canvas.drawing(title, " ".join(drawing.alt for drawing in drawings))
    inner = [_placed(drawing, top + _TITLE, height) for drawing, top, height in parts]
    markup = whole.markup.removesuffix("</svg>") + "\n".join([*inner, "</svg>"])
    return Drawing(whole.title, whole.alt, markup)


def _placed(drawing: Drawing, y: float, height: float) -> str:
    return drawing.markup.replace(
        '<svg class="drawing"', f'<svg x="0" y="{y:g}" width="{WIDTH}" height="{height:g}"', 1
    )
