"""One self-contained HTML page of an experiment. All text is escaped: sentences are untrusted."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from wikibias.models.experiment import Experiment, Outcome
from wikibias.models.figures import TITLES
from wikibias.models.names import METRICS
from wikibias.models.scores import Table
from wikibias.wording import counted

_MISTAKES = 8
_SHOWN = 300

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


def number(value: float | None) -> str:
    """Return a score as people read it."""
    return "–" if value is None else f"{value:.3f}"


def chance(p: float) -> str:
    """Return the probability of a test as people read it."""
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def with_interval(entry: Mapping[str, float | None]) -> str:
    """Return a score and its interval as people read them."""
    if entry["value"] is None:
        return "–"
    return f"{number(entry['value'])} [{number(entry['low'])}, {number(entry['high'])}]"


def score_table(scores: Table, constant: Table) -> str:
    """Return all metrics of a model beside those of the constant classifier."""
    rows = [
        [TITLES[metric], with_interval(scores[metric]), with_interval(constant[metric])]
        for metric in METRICS
    ]
    return table(["", "model [95 %]", "always “biased” [95 %]"], rows)


def models_table(tables: Mapping[str, Table]) -> str:
    """Return one line per model, one column per metric."""
    header = ["", *(TITLES[metric].split(" (")[0] for metric in METRICS)]
    return table(
        header,
        (
            [name, *(number(scores[metric]["value"]) for metric in METRICS)]
            for name, scores in tables.items()
        ),
    )


def mcnemar_table(tests: Iterable[Mapping[str, Any]]) -> str:
    """Return the tests between each two models."""
    header = ["first", "second", "only first right", "only second right", "p"]
    return table(
        header,
        (
            [t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}", chance(t["p"])]
            for t in tests
        ),
        text_columns=2,
    )


def mistakes(outcome: Outcome) -> str:
    """Return the sentences about which the model was surest and wrong."""
    chances, truth = outcome.said.chances, outcome.examples.biased
    wrong = [i for i in range(len(truth)) if outcome.said.decisions[i] != truth[i]]
    wrong.sort(key=lambda i: (-abs(chances[i] - 0.5), i))
    rows = [
        [
            outcome.examples.texts[i][:_SHOWN],
            f"{outcome.examples.rows[i]}",
            number(float(chances[i])),
            "biased" if truth[i] else "neutral",
        ]
        for i in wrong[:_MISTAKES]
    ]
    return table(["sentence", "row", "P(biased)", "the edit says"], rows)


def experiment_page(experiment: Experiment, pictures: Mapping[str, Mapping[str, bytes]]) -> str:
    """Return the page of one model; `pictures` are its figures per split, by name."""
    parts: list[str] = []
    for name, outcome in experiment.outcomes.items():
        parts += [
            heading(f"{name}: {counted(len(outcome.examples), 'sentence')}"),
            score_table(outcome.scores, outcome.constant),
            images(pictures[name]),
            paragraph("Surest mistakes:"),
            mistakes(outcome),
        ]
    if not parts:
        parts = [paragraph("No sentences were held out, so there are no scores (see --cv).")]
    lead = (
        f"seed {experiment.model.seed}; intervals: bootstrap, 95 %. F1 alone proves nothing: "
        "compare with the constant classifier, and look at MCC, which is 0 for any constant."
    )
    return page(f"wikibias classify: {experiment.model.name}", lead, parts)
