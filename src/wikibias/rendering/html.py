"""The HTML kit: pages, tables and images. All text is escaped: sentences are untrusted."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#22272e}
body{max-width:62rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{margin-top:2.4rem;font-size:1.2rem}
p.lead{color:#57606a;margin-top:0}table{border-collapse:collapse;margin:1rem 0}
th,td{padding:.3rem .8rem;border-bottom:1px solid #d8dde3;text-align:right;vertical-align:top}
.text{text-align:left}thead th{color:#57606a;font-weight:600}
small{color:#57606a}img{max-width:100%;height:auto}.row{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}
"""


def page(title: str, lead: str, parts: Iterable[str]) -> str:
    """Return a whole HTML page; `parts` are HTML already, title and lead are text."""
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f'<p class="lead">{escape(lead)}</p>\n{body}\n</body>\n</html>\n'
    )


def heading(text: str) -> str:
    """Return a section's heading."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str) -> str:
    """Return a paragraph of text."""
    return f"<p>{escape(text)}</p>"


def images(pictures: Mapping[str, bytes]) -> str:
    """Return PNG images inside the page, side by side where there is room; keys are their alt."""
    tags = (
        f'<img alt="{escape(alt)}" src="data:image/png;base64,{b64encode(png).decode("ascii")}" '
        f'width="{int.from_bytes(png[16:20], "big") // 144 * 96}">'
        for alt, png in pictures.items()
    )
    return f'<div class="row">{"".join(tags)}</div>'


def table(header: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1) -> str:
    """Return a table of text cells; the first `text_columns` are set flush left."""
    head = "".join(
        f"<th{' class=text' if column < text_columns else ''}>{escape(cell)}</th>"
        for column, cell in enumerate(header)
    )
    body = []
    for row in rows:
        cells = (
            f"<td{' class=text' if column < text_columns else ''}>{escape(cell)}</td>"
            for column, cell in enumerate(row)
        )
        body.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
