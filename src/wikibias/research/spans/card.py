"""Writes the card of a tagger in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikibias.kits import document, markdown
from wikibias.research.spans.span_scores import MATCHES, RATES


def card(described: Mapping[str, Any]) -> str:
    """Return the card of a tagger, by its description."""
    parameters = ", ".join(f"{name}={value}" for name, value in described["parameters"].items())
    lines = [
        f"# Tagger of biased words: {markdown.text(described['tagger'])}",
        "",
        "Marks words that an editor is likely to change for neutrality. Trained by `wikibias spans "
        "train`; use it with `wikibias spans predict`.",
        "",
        "## Data",
        "",
        "| split | sentences | with a span | source | SHA-256 of words and labels |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {name} | {data['sentences']:,} | {data['biased']:,} | "
            f"{markdown.code(data['source'])} | {data['sha256'][:16]} |"
            for name, data in described["data"].items()
        ),
        "",
        *(
            f"Left out because {markdown.code(each['source'])} holds them: {each['same']:,} "
            f"sentences, and {each['near']:,} that are nearly the same."
            for each in described["left_out"]
        ),
        "",
        "## Configuration",
        "",
        f"Parameters: {markdown.text(parameters or 'none')}. Seed: {described['seed']}. A word is "
        f"marked from a probability of {described['threshold']:.4f} on; threshold and parameters "
        f"are the best of {len(described['tried'])} tried, by the mean F1 of the four matches on "
        f"{described['chosen_on']}.",
        "",
        "## Scores on dev",
        "",
        "Take scores for a report from other sentences: where dev has a span, it chose the "
        "settings.",
        "",
        "| match | precision | recall | F1 |",
        "| --- | --- | --- | --- |",
        *(
            f"| {title} | "
            + " | ".join(document.number(described["dev"][name][rate]) for rate in RATES)
            + " |"
            for name, title in MATCHES.items()
        ),
        "",
        "## Limits",
        "",
        "Labels come from edits, not from annotators: what an editor changed need not be biased, "
        "and what nobody changed need not be neutral. Use it to find words to look at. Do not use "
        "it to judge a sentence, and never its author.",
        "",
    ]
    return "\n".join(lines)
