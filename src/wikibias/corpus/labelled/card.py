"""The data set card of a corpus with several labels, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.corpus.card import digest
from wikibias.corpus.card_tables import counts, parts
from wikibias.corpus.description import Licence, intents_quality, licence, size_category
from wikibias.corpus.evidence import KINDS
from wikibias.corpus.features import features
from wikibias.kits import markdown
from wikibias.kits.files import write_text
from wikibias.kits.markdown import front_matter
from wikibias.messages import counted, printable

_ABOUT = {
    "intents": (
        "Sentences that editors changed with an intent",
        "Editors changed these sentences, and rules over the edits tell what for: that is in "
        "`labels`. The method is that of Asthana et al. (2021), Automatically labeling low quality "
        "content on Wikipedia by leveraging patterns in editing behaviors.",
        "An edit says what its editor did, not what else a sentence lacks: a positive is `judged` "
        "for the intents of its edits alone. A sentence of a featured article is judged for all, "
        "but with a reference not for `citation`.",
    ),
    "tags": (
        "Sentences at which cleanup tags point",
        "Editors put inline tags at these sentences; the families of the tags are their `labels`. "
        "`days_stood` says how long the tag stood on the page, `counterpart` and `relation` what "
        "the sentence became when it went.",
        "A tag is found when it comes to a page or leaves it. Of several of one name on a page "
        "those count that stood when the last of them went, or the first came; with `--per place` "
        "each counts. Where no tag of the "
        "set was left, a sentence is `judged` for every family, else for its own.",
    ),
}
_OF_THE_PAPER = ("citation", "clarification", "point-of-view")
_FILES = """`train`, `dev` and `test`, each as `.parquet`. `text` is the sentence as a reader saw
it, `norm` its normal form; `section`, `previous`, `next`, `has_reference` and `follows_reference`
tell what stands around it, where that was noted. `labels` is empty for a negative, and `negative`
says what it was taken from: `edited` is what an edit made of a positive, `featured` a sentence of a
featured article, `unchanged` one that an edit left alone. A label that is not in `judged` is
neither there nor absent: leave it out of training and figures. `diff_url` shows the edit."""


_BALANCE = (
    "Negatives are drawn until each label has as many as positives, where there are so many. One "
    "counts for each label that it is judged for, and a featured sentence so for nearly every "
    "label: a rare label may have more negatives than positives. The unchanged ones are weak "
    "evidence, since an editor need not have read them."
)


@dataclass(frozen=True, slots=True)
class LabelledDescription:
    """A corpus of labels in words, plain text.

    Attributes:
        title: in one line.
        summary: what its sentences are.
        limits: what the labels do and do not say.
        quality: how right they are; empty where that is not known.
        period: when its revisions were saved: first and last day; None where that is not known.
        licence: of the text.
    """

    title: str
    summary: str
    limits: tuple[str, ...]
    quality: tuple[str, ...]
    period: tuple[date, date] | None
    licence: Licence


def describe_labelled(manifest: Mapping[str, Any], made: Mapping[str, Any]) -> LabelledDescription:
    """Describe the corpus of labels of a manifest, whose composition is `made`."""
    title, what, honest = _ABOUT[made["by"]]
    by_intents = made["by"] == "intents"
    quality = intents_quality(manifest["settings"], [*made["labels"]]) if by_intents else []
    first, last = (
        date.fromisoformat(made[key]) if made.get(key) else None
        for key in ("first_day", "last_day")
    )
    return LabelledDescription(
        f"{title}: {_wikis(manifest)}",
        what,
        (honest, _BALANCE),
        tuple(quality),
        (first, last) if first and last else None,
        licence(made["sites"], first, last),
    )


def write_labelled_card(folder: Path, manifest: Mapping[str, Any], made: Mapping[str, Any]) -> None:
    """Write `README.md` of a folder `labelled`, whose composition is `made`."""
    files = {split: f"{split}.parquet" for split in SPLITS if made["splits"].get(split)}
    data = labelled_metadata(manifest, made, files, folder)
    write_text(folder / "README.md", f"{front_matter(data)}\n{labelled_body(manifest, made)}")


def labelled_metadata(
    manifest: Mapping[str, Any],
    made: Mapping[str, Any],
    files: Mapping[str, str],
    folder: Path,
) -> dict[str, Any]:
    """Return what the YAML block says; `files` by split, from the folder of the card."""
    detect, config = manifest["settings"]["detect"], "labelled"
    found = describe_labelled(manifest, made)
    where = [{"split": split, "path": path} for split, path in files.items()]
    info = {
        "config_name": config,
        "description": f"Content {digest(folder / name for name in files.values())}",
        "features": features(config, with_editors=bool(detect.get("with_editors"))),
    }
    shapes = {
        "configs": [{"config_name": config, "default": True, "data_files": where}],
        "dataset_info": [info],
    }
    return {
        "pretty_name": printable(found.title),
        "language": [detect["lang"]],
        "license": list(found.licence.ids),
        "task_categories": ["text-classification"],
        "task_ids": ["multi-label-classification"],
        "size_categories": [size_category(made["sentences"])],
        "annotations_creators": ["found"],
        "language_creators": ["found"],
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "tags": ["wikipedia", *made["labels"]],
        **(shapes if files else {}),
    }


def labelled_body(manifest: Mapping[str, Any], made: Mapping[str, Any], files: str = _FILES) -> str:
    """Return the card below its YAML block; it depends on nothing but the manifest."""
    found, text, build = (
        describe_labelled(manifest, made),
        markdown.text,
        manifest["settings"]["build"],
    )
    shown = {name: f"{made[name]:,}" for name in ("sentences", "positives", "pages")}
    return f"""# {text(found.title)}

{found.summary} `sentence_id` and `diff_url` lead from every sentence to its edit.

## What the labels mean

{" ".join(found.limits)}

## How right the labels are

{_list(found.quality) or "Nobody has judged the sentences themselves."}

## What is in it

{shown["sentences"]} sentences of {counted(made["pages"], "page")},
{shown["positives"]} with a label.

| label | {" | ".join((*SPLITS, *(f"negatives: {kind}" for kind in KINDS)))} | median days |
| --- | {" | ".join("---:" for _ in (*SPLITS, *KINDS))} | ---: |
{_labels(made)}

| labels of a positive | sentences |
| --- | ---: |
{counts(made["several"])}

| what it became | sentences |
| --- | ---: |
{counts(made["relations"])}

| left out, with the reason | finds |
| --- | ---: |
{counts(made["left_out"])}

Near-duplicates on other pages have {made["near_duplicates"]:,} sentences, in
{made["near_duplicate_groups"]:,} groups, none of which stands in two splits.

Notes:
{_list(made["notes"]) or "- none"}

## How it was made

By wikibias. Split by {build["split"]}; seed {build["seed"]}; lines:
{text(", ".join(build["blocks"]))}. `manifest.json` of the run holds the full configuration.
{_rules(manifest, made)}

| dump part | bytes | SHA-256 begins | state |
| --- | ---: | --- | --- |
{parts(manifest["inputs"])}

## Files and columns

{files}

## Licence

{_list(found.licence.sentences)}
"""


def _labels(made: Mapping[str, Any]) -> str:
    """Return a row for each label."""
    rows = []
    for label, of_splits in made["labels"].items():
        against = made["negatives"].get(label, {})
        numbers = [of_splits.get(split, 0) for split in SPLITS]
        numbers += [against.get(kind, 0) for kind in KINDS]
        days = made["median_days"].get(label)
        cells = [markdown.text(label), *(f"{number:,}" for number in numbers)]
        rows.append(f"| {' | '.join(cells)} | {'–' if days is None else f'{days:,.1f}'} |")
    return "\n".join(rows)


def _rules(manifest: Mapping[str, Any], made: Mapping[str, Any]) -> str:
    """Return which rules found the edits, and what each intent is about; "" of tags."""
    if made["by"] != "intents":
        return ""
    detect, about = manifest["settings"]["detect"], made.get("about", {})
    version = printable(str(detect["intents_version"]))
    lines = []
    for label in made["labels"]:
        own = "" if label in _OF_THE_PAPER else " (no intent of that paper, with rules of its own)"
        said = about.get(label)
        lines.append(f"{label}{own}{f': {said}' if said else ''}")
    return f"""
Intents, by their rules `{printable(str(detect["rules"]))}`, version `{version}`:

{_list(lines)}
"""


def _wikis(manifest: Mapping[str, Any]) -> str:
    return ", ".join(sorted({str(e["wiki"]) for e in manifest["inputs"] if e.get("wiki")}))


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {markdown.text(item)}" for item in items)
