"""The dataset card of a corpus, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wikibias.corpus.composition import Composition
from wikibias.dumps.parts import file_name
from wikibias.rendering import markdown
from wikibias.storage.atomic import write_text

# What the reasons mean that are no names of lines.
_FATES = {
    "moved": "moved within the page",
    "number_only": "only a number changed",
    "list": "line of a list",
    "paragraph": "line of running text",
    "references": "in the section References",
    "see_also": "in the section See also",
    "external_links": "in the section External links",
    "too_short": "too short",
    "too_long": "too long",
    "tag_stands": "the page was still tagged, or soon again",
    "below_min_tier": "below the lowest tier asked for",
    "max_per_edit": "one of too many of its edit",
    "max_share": "its edit would give too large a share",
    "near_duplicate": "near-duplicate of one in another split",
}


def write_card(
    folder: Path,
    *,
    settings: Mapping[str, Any],
    inputs: Sequence[Mapping[str, Any]],
    verdicts: Mapping[str, int],
    composition: Composition,
) -> None:
    """Write `README.md`, the dataset card: what, from which dump, counts, licence, limits."""
    write_text(folder / "README.md", card(settings, inputs, verdicts, composition))


def _files(entry: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the files of a part, each with its name; a part of one file gives it its own."""
    if "files" not in entry:
        return [(entry["part"], entry)]
    return [(file_name(file["path"]), file) for file in entry["files"]]


def _left_out(inputs: Sequence[Mapping[str, Any]]) -> list[str]:
    number = sum(entry.get("counts", {}).get("unreadable", 0) for entry in inputs)
    what = "pages or revisions could not be worked out and are left out; manifest.json names them"
    return [f"{number:,} {what}"] if number else []


def _limits(build: Mapping[str, Any]) -> str:
    """Say which options chose the sentences."""
    names = ("min_tier", "max_per_edit", "max_share")
    chosen = ", ".join(f"{name} {build[name]}" for name in names if build[name] is not None)
    return markdown.text(f"Sentences: {chosen}; lines: {', '.join(build['blocks'])}.")


def card(
    settings: Mapping[str, Any],
    inputs: Sequence[Mapping[str, Any]],
    verdicts: Mapping[str, int],
    composition: Composition,
) -> str:
    """Return the dataset card, in Markdown; it depends on nothing but its arguments."""
    detect, build = settings["detect"], settings["build"]
    wikis = sorted({str(entry["wiki"]) for entry in inputs if entry.get("wiki")})
    dumps = "\n".join(
        f"| {markdown.code(name)} | {file['size'] or 0:,} "
        f"| {markdown.code((file['sha256'] or '-')[:16])} "
        f"| {'whole' if not entry['error'] else 'damaged'} |"
        for entry in inputs
        for name, file in _files(entry)
    )
    tiers = _table(composition.tiers)
    fates = _table({_FATES.get(name, name): of for name, of in composition.left_out.items()})
    made = composition
    relations = (
        ", ".join(f"{name} {count:,}" for name, count in composition.relations.items())
        or "not known"
    )
    dropped, splits = (_counts(of) for of in (verdicts, composition.splits))
    all_notes = [*composition.notes, *_left_out(inputs)]
    notes = "\n".join(f"- {markdown.text(note)}" for note in all_notes) or "- none"
    by = "page: no page stands in two splits" if build["split"] == "page" else "sentence"
    tags = f"{detect['tagset']} for {detect['lang']}, version {detect['tagset_version']}"
    if detect["families"]:
        tags += f"; only {', '.join(detect['families'])}"
    tags, pairing = markdown.text(tags), markdown.text(", ".join(detect["pairing"]))
    filters, limits = markdown.text(settings["filter"]["filters"]), _limits(build)
    part = "the page" if settings["diff"]["scope"] == "page" else "the part that the tag is about"
    return f"""---
license: cc-by-sa-4.0
language: {markdown.yaml(detect["lang"])}
task_categories: [text-classification]
tags: [wikipedia, bias, neutral-point-of-view]
---

# Sentences found not neutral by the editors of {markdown.text(", ".join(wikis)) or "a wiki"}

Each biased sentence was removed or rewritten in the very edit that took a neutrality tag out of
an article. Neutral sentences are those the same edits added, and sentences of the same pages that
the edits left alone. `sentence_id` and `diff_url` lead from every sentence to its edit.

## What is in it

| role | label | sentences |
| --- | --- | ---: |
| removed | biased | {made.removed:,} |
| added | neutral | {made.added:,} |
| unchanged | neutral | {made.unchanged:,} |
| total | | {made.total:,} |

| split | sentences |
| --- | ---: |
{splits}

Split by {by}. Pages: {made.pages:,}. Left out: {made.duplicates:,} duplicates, and
{made.in_both_classes:,} sentences that were removed in one edit and added in another.
The biased sentences come from {made.edits:,} edits; the largest gives {made.largest_share:.1%}.
Near-duplicates on other pages (`near_duplicates`) have {made.near_duplicates:,} sentences, in
{made.near_duplicate_groups:,} groups, none of which stands in two splits.

| tier | biased | neutral |
| --- | ---: | ---: |
{tiers}

`tier` says how far a label can be trusted, `tier_reasons` why. What became of the biased sentences
(`relation`): {relations}.

| left out, with the reason | removed | added | unchanged |
| --- | ---: | ---: | ---: |
{fates}

Notes:
{notes}

## How it was made

By wikibias, with the method of Aleksandrova, Lareau and Ménard (RANLP 2019). Tag set: {tags}.
Revisions paired: {pairing}; removed sentences of {part}. Filters: {filters}.
{limits}
Seed {build["seed"]}. The full configuration is in `manifest.json`, one folder up.

| dump part | bytes | SHA-256 begins | state |
| --- | ---: | --- | --- |
{dumps}

| verdict on an edit | edits |
| --- | ---: |
{dropped}

## Files and columns

`train`, `dev` and `test`, each as `.parquet` (all columns), `.tsv` (label, tab, normalised
sentence) and `.txt` (fastText). `text` is the sentence as a reader saw it; `norm` is lower case,
without punctuation, numbers as `numtkn`. `before_rev_id` and `after_rev_id` are the last tagged
and the first untagged revision.

## Known limits

- The labels are noisy. In the 2019 study people found about half of the sentences labelled
  biased to be so; much of the rest are neighbours swept along in a large edit. Tiers order the
  sentences, no more: half of those of the high tier that were judged were biased, and a seventh of
  those of the low one.
- A removed sentence is evidence about an edit, not a judgement on its author or its subject.
- Wikis differ in how they use their tags, and tags in how people use them; the corpus inherits
  both, and the interests of those who edit.
- Sentences that differ only in numbers, case or punctuation count as the same.

## Licence

The sentences are text of Wikipedia, by its contributors: CC BY-SA 4.0 and GFDL. Whoever
publishes them must name Wikipedia and link the revisions (`diff_url` does), say what was changed,
and use the same licence.
"""


def _table(rows: Mapping[str, Mapping[str, int]]) -> str:
    """Return the lines of a table of numbers by row and column."""
    lines = [
        " | ".join([f"| {markdown.text(name)}", *(f"{count:,}" for count in of.values())])
        for name, of in rows.items()
    ]
    return "\n".join(f"{line} |" for line in lines) or "| none | | | |"


def _counts(numbers: Mapping[str, int]) -> str:
    return "\n".join(f"| {markdown.text(name)} | {count:,} |" for name, count in numbers.items())
