"""Writes the card of a rewriter in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikibias.kits import markdown
from wikibias.models import model_folder

_KINDS = {
    "copy": "leaves every sentence as it is, as a baseline",
    "edit-table": "deletes or replaces one word, by what editors did to words of each kind",
    "seq2seq": "writes the sentence anew with a sequence-to-sequence model",
}


def card(described: Mapping[str, Any]) -> str:
    """Return the card of a rewriter, given its description."""
    data = described["data"]
    name = str(described["rewriter"])
    settings = ", ".join(markdown.code(f"{k}={v}") for k, v in described["parameters"].items())
    lists = described.get("lexicons") or []
    lines = [
        f"# Rewriter: {markdown.text(name)}",
        "",
        f"This model {_KINDS.get(name, 'rewrites sentences')}. Trained by `wikibias neutralise "
        "train`; use it with `wikibias neutralise predict`.",
        "",
        "## Data",
        "",
        f"{data['pairs']:,} sentence pairs, {data['changed']:,} of them changed by an editor, from "
        f"{_names(data['files'])}. {data['excluded']:,} pairs were left out because "
        f"{_names(data['excluded_files']) or 'no test set'} has a sentence of theirs. SHA-256 of "
        f"the pairs: {data['sha256'][:16]}.",
        "",
        "## Configuration",
        "",
        f"Parameters: {settings or 'the defaults'}. Seed: {described['seed']}. Language: "
        f"{markdown.text(described['lang'] or 'not given')}.",
    ]
    if "least" in described:
        lines += [
            "",
            f"It edits from a probability of an edit of {described['least']:.3f} on.",
        ]
    if lists:
        lines += [
            "",
            f"The folder holds the words of these lists: {_names(lists)}. Their licences apply to "
            "whoever passes the folder on.",
        ]
    lines += [
        "",
        "## Limits",
        "",
        "It has learnt what editors did, not what is true: a rewrite may drop what matters, say "
        "something else, or leave the bias. An editor must read each one. Do not let it edit "
        "Wikipedia by itself, and judge no author by it. Scores are those of `wikibias neutralise "
        "score`, beside a copy and on the same rows.",
        "",
        *model_folder.section(described["versions"]),
    ]
    return "\n".join(lines) + "\n"


def _names(given: list[str]) -> str:
    return ", ".join(markdown.code(name) for name in given)
