"""The dataset card of a corpus, in Markdown, with a YAML block that the Hugging Face hub reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.corpus.card_tables import counts, fates, parts, relations, table
from wikibias.corpus.description import Description, describe
from wikibias.corpus.features import features
from wikibias.kits import markdown
from wikibias.kits.files import write_text
from wikibias.kits.markdown import front_matter
from wikibias.messages import counted, printable

_MOST_WARNINGS = 10
FILES = """`train`, `dev` and `test`, each as `.parquet` (all columns), `.tsv` (label, tab,
normalised sentence) and `.txt` (fastText). `text` is the sentence as a reader saw it; `norm` is
lower case, without punctuation, numbers as `numtkn`. `before_rev_id` and `after_rev_id` are the two
revisions that were compared, `diff_url` shows them on the wiki."""


def write_card(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write `README.md`, the dataset card of a corpus folder: what, from where, counts, limits."""
    detect = manifest["settings"]["detect"]
    corpus = manifest.get("corpus") or {}
    # `datasets` reads no data set with an empty split.
    splits = [split for split in SPLITS if corpus.get("splits", {}).get(split)]
    files = {"sentences": {split: f"{split}.parquet" for split in splits}} if splits else {}
    if corpus.get("pairs"):
        files["pairs"] = {"pairs": "pairs.parquet"}
    editors = bool(detect.get("with_editors"))
    data = metadata(describe(manifest), files, folder, with_editors=editors)
    write_text(folder / "README.md", f"{front_matter(data)}\n{body(manifest, FILES)}")


def metadata(
    described: Description,
    files: Mapping[str, Mapping[str, str]],
    folder: Path,
    *,
    with_editors: bool,
) -> dict[str, Any]:
    """Return what the YAML block says.

    Args:
        described: the corpus in words.
        files: by configuration and split, the file, from the folder of the card; none is empty.
        folder: of the card, with the files in it.
        with_editors: whether its rows name editors.
    """
    configs = [
        {
            "config_name": config,
            **({"default": True} if config == "sentences" else {}),
            "data_files": [{"split": split, "path": path} for split, path in of.items()],
        }
        for config, of in files.items()
    ]
    info = [
        {
            "config_name": config,
            "description": f"Content {digest(folder / name for name in of.values())}",
            "features": features(config, with_editors=with_editors),
        }
        for config, of in files.items()
    ]
    language = {"language": [described.language]} if described.language else {}
    shapes = {"configs": configs, "dataset_info": info} if files else {}
    return {
        "pretty_name": printable(described.title),
        **language,
        "license": list(described.licence.ids),
        "task_categories": ["text-classification"],
        "size_categories": [described.size],
        "annotations_creators": ["found"],
        "language_creators": ["found"],
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "tags": ["wikipedia", *described.topics],
        **shapes,
    }


def digest(paths: Iterable[Path]) -> str:
    """Return what tells the content of files from another.

    `datasets` keeps what it has read once, and knows it by the name of the folder and this block
    alone: of two corpora of one name it would give the first for both.
    """
    found = sha256()
    for path in paths:
        with path.open("rb") as content:
            found.update(file_digest(content, "sha256").digest())
    return found.hexdigest()[:16]


def body(manifest: Mapping[str, Any], files: str) -> str:
    """Return the card below its YAML block; it depends on nothing but the manifest.

    Args:
        manifest: of the corpus.
        files: what the card says of files and columns, in Markdown.
    """
    described, text = describe(manifest), markdown.text
    corpus = manifest.get("corpus") or {}
    return f"""# {text(described.title)}

{text(described.summary)} `sentence_id` and `diff_url` lead from every sentence to its edit.

{_meanings(described)}

## What is in it

{_contents(corpus, manifest["settings"]["build"])}

{_period(described)}

| tier | biased | neutral |
| --- | ---: | ---: |
{table(corpus.get("tiers", {}))}

`tier` says how far a label can be trusted, `tier_reasons` why. What became of the biased sentences
(`relation`): {relations(corpus.get("relations", {}))}.

{fates(corpus.get("left_out", {}))}

Notes:
{_notes(manifest)}

## How it was made

{_method(manifest["settings"], described)}

| dump part | bytes | SHA-256 begins | state |
| --- | ---: | --- | --- |
{parts(manifest["inputs"])}

| verdict on an edit | edits |
| --- | ---: |
{counts(manifest.get("verdicts", {}))}

## Files and columns

{files}

## Quality

{_list(described.quality)}

## Known limits

{_list(described.limits)}

## How to cite

Name the dump and the settings, the version of wikibias (`manifest.json` holds all three), and the
paper whose method it follows: Aleksandrova, Lareau and Ménard (2019), Multilingual sentence-level
bias detection in Wikipedia, RANLP 2019, <https://doi.org/10.26615/978-954-452-056-4_006>.

## Licence

{_list(described.licence.sentences)}
"""


def _list(items: Sequence[str]) -> str:
    return "\n".join(f"- {markdown.text(item)}" for item in items)


def _meanings(described: Description) -> str:
    """Return what the labels mean, a paragraph and two items for each pairing."""
    blocks = []
    for each in described.meanings:
        number = ", ".join(f"{label} {count:,}" for label, count in each.rows.items())
        head = f"`{each.pairing}`{f' ({markdown.text(number)})' if number else ''}"
        said = f"{each.edits} {each.caution}".strip()
        blocks.append(
            f"{head}: {markdown.text(said)}\n\n"
            f"- **biased**: {markdown.text(each.biased)}\n"
            f"- **neutral**: {markdown.text(each.neutral)}"
        )
    return "\n\n".join(["## What the labels mean", *blocks])


def _contents(corpus: Mapping[str, Any], build: Mapping[str, Any]) -> str:
    roles = {role: corpus.get(role, 0) for role in ("removed", "added", "unchanged")}
    if corpus.get("featured"):
        roles["featured"] = corpus["featured"]
    rows = "\n".join(
        f"| {role} | {'biased' if role == 'removed' else 'neutral'} | {n:,} |"
        for role, n in roles.items()
    )
    by = "page: no page stands in two splits" if build["split"] == "page" else "sentence"
    names = (
        "pages", "duplicates", "in_both_classes", "near_duplicates",
        "near_duplicate_groups",
    )  # fmt: skip
    of = {name: f"{corpus.get(name, 0):,}" for name in names}
    edits = counted(corpus.get("edits", 0), "edit")
    share = f"{corpus.get('largest_share', 0.0):.1%}"
    return f"""| role | label | sentences |
| --- | --- | ---: |
{rows}
| total | | {sum(roles.values()):,} |

| split | sentences |
| --- | ---: |
{counts(corpus.get("splits", {}))}

Split by {by}. Pages: {of["pages"]}. Left out: {of["duplicates"]} duplicates, and
{of["in_both_classes"]} sentences that were removed in one edit and added in another.
The biased sentences come from {edits}; the largest gives {share}.
Near-duplicates on other pages (`near_duplicates`) have {of["near_duplicates"]} sentences, in
{of["near_duplicate_groups"]} groups, none of which stands in two splits."""


def _period(described: Description) -> str:
    if described.period is None:
        return "When the revisions were saved is not recorded."
    first, last = described.period
    return f"The revisions were saved from {first.isoformat()} to {last.isoformat()}."


def _notes(manifest: Mapping[str, Any]) -> str:
    notes = list((manifest.get("corpus") or {}).get("notes", []))
    number = sum(entry.get("counts", {}).get("unreadable", 0) for entry in manifest["inputs"])
    if number:
        what = "could not be worked out and are left out; manifest.json names them"
        notes.append(f"{number:,} pages or revisions {what}")
    warnings = [
        f"{entry['part']}: {warning}"
        for entry in manifest["inputs"]
        for warning in entry.get("warnings", [])
    ]
    notes += warnings[:_MOST_WARNINGS]
    if len(warnings) > _MOST_WARNINGS:
        notes.append(f"{len(warnings) - _MOST_WARNINGS:,} more warnings: see manifest.json")
    return _list(notes) or "- none"


def _method(settings: Mapping[str, Any], described: Description) -> str:
    """Say by which settings the corpus was made."""
    detect, build, text = settings["detect"], settings["build"], markdown.text
    part = "the page" if settings["diff"]["scope"] == "page" else "the part that the tag is about"
    limits = ("min_tier", "max_per_edit", "max_share")
    chosen = ", ".join(f"{name} {build[name]}" for name in limits if build[name] is not None)
    if (kind := build.get("negatives")) is not None:
        chosen += f", negatives {kind}"
    reverts = "with" if settings["filter"]["reverts"] == "keep" else "without"
    return "\n".join(
        [
            "By wikibias, with the method of Aleksandrova, Lareau and Ménard (RANLP 2019).",
            f"Tag set: {text(described.tags)}.",
            f"Revisions paired: {text(', '.join(detect['pairing']))}; removed sentences of {part};",
            f"{reverts} edits that were undone. Filters: {text(settings['filter']['filters'])}.",
            text(f"Sentences: {chosen}; lines: {', '.join(build['blocks'])}."),
            f"Seed {build['seed']}. `manifest.json` of the run holds the full configuration.",
        ]
    )
