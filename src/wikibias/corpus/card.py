"""Dataset cards of corpora as documents, with the YAML block that the Hugging Face hub reads."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.corpus.composition import composition_table
from wikibias.corpus.description import (
    Description,
    Licence,
    describe,
    intents_quality,
    licence,
    size_category,
)
from wikibias.corpus.evidence import KINDS
from wikibias.corpus.features import features
from wikibias.dumps.parts import file_name
from wikibias.kits.document import Block, Document, Facts, Link, Notes, Section, Table, Text
from wikibias.kits.files import write_text
from wikibias.kits.markdown import markdown
from wikibias.messages import counted, printable

Files = Mapping[str, Mapping[str, str]]
"""By configuration and split, a file, from the folder of the card; none is empty."""
_MOST_WARNINGS = 10
COLUMNS = (
    "`text` is the sentence as a reader saw it; `norm` is lower case, without punctuation, numbers "
    "as `numtkn`. `before_rev_id` and `after_rev_id` are the two revisions that were compared, "
    "`diff_url` shows them on the wiki."
)
FILES = (
    "`train`, `dev` and `test`, each as `.parquet` (all columns), `.tsv` (label, tab, normalised "
    f"sentence) and `.txt` (fastText). {COLUMNS}"
)
_LABELLED_FILES = (
    "`train`, `dev` and `test`, each as `.parquet`. `text` is the sentence as a reader saw it, "
    "`norm` its normal form; `section`, `previous`, `next`, `has_reference` and "
    "`follows_reference` tell what stands around it, where that was noted. `labels` is empty for a "
    "negative, and `negative` says what it was taken from: `edited` is what an edit made of a "
    "positive, `featured` a sentence of a featured article, `unchanged` one that an edit left "
    "alone. A label that is not in `judged` is neither there nor absent: leave it out of training "
    "and figures. `diff_url` shows the edit."
)
_PAPER = (
    "Name the dump and the settings, the version of wikibias (`manifest.json` holds all three), "
    "and the paper whose method it follows: Aleksandrova, Lareau and Ménard (2019), Multilingual "
    "sentence-level bias detection in Wikipedia, RANLP 2019, "
)
_DOI = "https://doi.org/10.26615/978-954-452-056-4_006"
# What the reasons mean that are no names of lines.
_REASONS = {
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
    "near_duplicate": "near-duplicate of one in another split",
}
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
        "each counts. Where no tag of the set was left, a sentence is `judged` for every family, "
        "else for its own.",
    ),
}
_OF_THE_PAPER = ("citation", "clarification", "point-of-view")
_BALANCE = (
    "Negatives are drawn until each label has as many as positives, where there are so many. One "
    "counts for each label that it is judged for, and a featured sentence so for nearly every "
    "label: a rare label may have more negatives than positives. The unchanged ones are weak "
    "evidence, since an editor need not have read them."
)


@dataclass(frozen=True, slots=True)
class LabelledDescription:
    """A corpus of labels in words; backticks enclose names of columns.

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
    wikis = sorted({str(e["wiki"]) for e in manifest["inputs"] if e.get("wiki")})
    return LabelledDescription(
        f"{title}: {', '.join(wikis)}",
        what,
        (honest, _BALANCE),
        tuple(quality),
        (first, last) if first and last else None,
        licence(made["sites"], first, last),
    )


def write_card(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write `README.md`, the card of a corpus folder: what, from where, counts, limits."""
    corpus = manifest.get("corpus") or {}
    # `datasets` reads no data set with an empty split.
    splits = [split for split in SPLITS if corpus.get("splits", {}).get(split)]
    files = {"sentences": {split: f"{split}.parquet" for split in splits}} if splits else {}
    if corpus.get("pairs"):
        files["pairs"] = {"pairs": "pairs.parquet"}
    data = corpus_metadata(manifest, files, folder)
    write_text(folder / "README.md", markdown(corpus_card(manifest, [FILES]), data))


def write_labelled_card(folder: Path, manifest: Mapping[str, Any], made: Mapping[str, Any]) -> None:
    """Write `README.md` of a folder `labelled`, whose composition is `made`."""
    files = {split: f"{split}.parquet" for split in SPLITS if made["splits"].get(split)}
    data = labelled_metadata(manifest, made, files, folder)
    write_text(folder / "README.md", markdown(labelled_card(manifest, made), data))


def corpus_metadata(manifest: Mapping[str, Any], files: Files, folder: Path) -> dict[str, Any]:
    """Return what the YAML block says of a corpus of two classes; `folder` holds the files."""
    found, detect = describe(manifest), manifest["settings"]["detect"]
    return metadata(
        found.title,
        [found.language] if found.language else [],
        found.licence,
        found.size,
        found.topics,
        files,
        folder,
        with_editors=bool(detect.get("with_editors")),
    )


def labelled_metadata(
    manifest: Mapping[str, Any], made: Mapping[str, Any], files: Mapping[str, str], folder: Path
) -> dict[str, Any]:
    """Return what the YAML block says of a corpus of labels; `files` by split, in `folder`."""
    found, detect = describe_labelled(manifest, made), manifest["settings"]["detect"]
    return metadata(
        found.title,
        [detect["lang"]],
        found.licence,
        size_category(made["sentences"]),
        made["labels"],
        {"labelled": files} if files else {},
        folder,
        with_editors=bool(detect.get("with_editors")),
        more={"task_ids": ["multi-label-classification"]},
    )


def metadata(
    title: str,
    languages: Sequence[str],
    legal: Licence,
    size: str,
    tags: Iterable[str],
    files: Files,
    folder: Path,
    *,
    with_editors: bool,
    tasks: Sequence[str] = ("text-classification",),
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the YAML block of a card.

    Args:
        title: of the data set.
        languages: of its text.
        legal: its licence.
        size: its category of size.
        tags: beside "wikipedia".
        files: the first configuration is the default.
        folder: of the card, with the files in it.
        with_editors: whether its rows name editors.
        tasks: what it is good for.
        more: what stands behind the tasks.
    """
    configs, info = [], []
    for place, (config, of) in enumerate(files.items()):
        split_files = [{"split": split, "path": path} for split, path in of.items()]
        default = {"default": True} if place == 0 and config != "pairs" else {}
        configs.append({"config_name": config, **default, "data_files": split_files})
        info.append(
            {
                "config_name": config,
                "description": f"Content {digest(folder / name for name in of.values())}",
                "features": features(config, with_editors=with_editors),
            }
        )
    return {
        "pretty_name": printable(title),
        **({"language": list(languages)} if languages else {}),
        "license": list(legal.ids),
        "task_categories": list(tasks),
        **(more or {}),
        "size_categories": [size],
        "annotations_creators": ["found"],
        "language_creators": ["found"],
        "multilinguality": ["multilingual" if len(languages) > 1 else "monolingual"],
        "source_datasets": ["original"],
        "tags": ["wikipedia", *tags],
        **({"configs": configs, "dataset_info": info} if files else {}),
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


def corpus_card(manifest: Mapping[str, Any], files: Sequence[Block]) -> Document:
    """Return the card of a corpus of two classes; it depends on nothing but the manifest.

    Args:
        manifest: of the corpus.
        files: what the card says of files and columns.
    """
    found, corpus = describe(manifest), manifest.get("corpus") or {}
    links = "`sentence_id` and `diff_url` lead from every sentence to its edit."
    return Document(
        found.title,
        f"{found.summary} {links}",
        [
            Section("What the labels mean", _meanings(found)),
            Section("What is in it", _contents(manifest, corpus, found)),
            Section(
                "How it was made",
                [
                    *_method(manifest["settings"], found),
                    _parts(manifest["inputs"]),
                    _counts("verdict on an edit", "edits", manifest.get("verdicts", {})),
                ],
            ),
            Section("Files and columns", [*files]),
            Section("Quality", [Notes(found.quality)]),
            Section("Known limits", [Notes(found.limits)]),
            Section("How to cite", [Text([_PAPER, Link(_DOI, _DOI), "."])]),
            Section("Licence", [Notes(found.licence.sentences)]),
        ],
    )


def labelled_card(manifest: Mapping[str, Any], made: Mapping[str, Any]) -> Document:
    """Return the card of a corpus of labels, whose composition is `made`."""
    found, build = describe_labelled(manifest, made), manifest["settings"]["build"]
    links = "`sentence_id` and `diff_url` lead from every sentence to its edit."
    near = (
        f"Near-duplicates on other pages have {made['near_duplicates']:,} sentences, in "
        f"{made['near_duplicate_groups']:,} groups, none of which stands in two splits."
    )
    how = (
        f"By wikibias. Split by {build['split']}; seed {build['seed']}; lines: "
        f"{', '.join(build['blocks'])}. `manifest.json` of the run holds the full configuration."
    )
    nobody = ["Nobody has judged the sentences themselves."]
    return Document(
        found.title,
        f"{found.summary} {links}",
        [
            Section("What the labels mean", [" ".join(found.limits)]),
            Section(
                "How right the labels are", [Notes(found.quality)] if found.quality else [*nobody]
            ),
            Section(
                "What is in it",
                [
                    f"{made['sentences']:,} sentences of {counted(made['pages'], 'page')}, "
                    f"{made['positives']:,} with a label.",
                    _labels(made),
                    _counts("labels of a positive", "sentences", made["several"]),
                    _counts("what it became", "sentences", made["relations"]),
                    _counts("left out, with the reason", "finds", made["left_out"]),
                    near,
                    "Notes:",
                    Notes(made["notes"] or ["none"]),
                ],
            ),
            Section("How it was made", [how, *_rules(manifest, made), _parts(manifest["inputs"])]),
            Section("Files and columns", [_LABELLED_FILES]),
            Section("Licence", [Notes(found.licence.sentences)]),
        ],
    )


def _meanings(found: Description) -> list[Block]:
    """Return what the labels mean, a paragraph and two items for each pairing."""
    blocks: list[Block] = []
    for each in found.meanings:
        number = ", ".join(f"{label} {count:,}" for label, count in each.rows.items())
        head = f"`{each.pairing}`{f' ({number})' if number else ''}"
        blocks.append(f"{head}: {f'{each.edits} {each.caution}'.strip()}")
        blocks.append(Facts([("biased", each.biased), ("neutral", each.neutral)]))
    return blocks


def _contents(
    manifest: Mapping[str, Any], corpus: Mapping[str, Any], found: Description
) -> list[Block]:
    build = manifest["settings"]["build"]
    by = "page: no page stands in two splits" if build["split"] == "page" else "sentence"
    names = ("pages", "duplicates", "in_both_classes", "near_duplicates", "near_duplicate_groups")
    of = {name: f"{corpus.get(name, 0):,}" for name in names}
    period = "When the revisions were saved is not recorded."
    if found.period is not None:
        first, last = found.period
        period = f"The revisions were saved from {first.isoformat()} to {last.isoformat()}."
    relations = ", ".join(
        f"{name} {count:,}" for name, count in corpus.get("relations", {}).items()
    )
    tiers = [
        [name, *(f"{count:,}" for count in of_labels.values())]
        for name, of_labels in corpus.get("tiers", {}).items()
    ]
    return [
        composition_table(corpus),
        _counts("split", "sentences", corpus.get("splits", {})),
        f"Split by {by}. Pages: {of['pages']}. Left out: {of['duplicates']} duplicates, and "
        f"{of['in_both_classes']} sentences that were removed in one edit and added in another. "
        f"The biased sentences come from {counted(corpus.get('edits', 0), 'edit')}; the largest "
        f"gives {corpus.get('largest_share', 0.0):.1%}. Near-duplicates on other pages "
        f"(`near_duplicates`) have {of['near_duplicates']} sentences, in "
        f"{of['near_duplicate_groups']} groups, none of which stands in two splits.",
        period,
        Table(["tier", "biased", "neutral"], tiers or [["none", "", ""]]),
        "`tier` says how far a label can be trusted, `tier_reasons` why. What became of the biased "
        f"sentences (`relation`): {relations or 'not known'}.",
        _left_out(corpus.get("left_out", {})),
        "Notes:",
        Notes(_notes(manifest, corpus) or ["none"]),
    ]


def _left_out(found: Mapping[str, Mapping[str, int]]) -> Table:
    roles = ["removed", "added", "unchanged"]
    roles += ["featured"] if any("featured" in of for of in found.values()) else []
    rows = [
        [_REASONS.get(name, name), *(f"{count:,}" for count in of.values())]
        for name, of in found.items()
    ]
    return Table(["left out, with the reason", *roles], rows or [["none", "", "", ""]])


def _notes(manifest: Mapping[str, Any], corpus: Mapping[str, Any]) -> list[str]:
    notes = list(corpus.get("notes", []))
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
    return notes


def _method(settings: Mapping[str, Any], found: Description) -> list[str]:
    """Return by which settings a corpus was made."""
    detect, build = settings["detect"], settings["build"]
    part = "the page" if settings["diff"]["scope"] == "page" else "the part that the tag is about"
    limits = ("min_tier", "max_per_edit")
    chosen = ", ".join(f"{name} {build[name]}" for name in limits if build[name] is not None)
    if (kind := build.get("negatives")) is not None:
        chosen += f", negatives {kind}"
    reverts = "with" if settings["filter"]["reverts"] == "keep" else "without"
    return [
        "By wikibias, with the method of Aleksandrova, Lareau and Ménard (RANLP 2019). Tag set: "
        f"{found.tags}. Revisions paired: {', '.join(detect['pairing'])}; removed sentences of "
        f"{part}; {reverts} edits that were undone. Filters: {settings['filter']['filters']}. "
        f"Sentences: {chosen}; lines: {', '.join(build['blocks'])}. Seed {build['seed']}. "
        "`manifest.json` of the run holds the full configuration."
    ]


def _counts(name: str, of: str, numbers: Mapping[str, int]) -> Table:
    return Table([name, of], [[each, f"{number:,}"] for each, number in numbers.items()])


def _parts(inputs: Sequence[Mapping[str, Any]]) -> Table:
    """Return the table of dump files; of a part of several, a line for each."""
    rows = [
        [
            _code(name),
            f"{file.get('size') or 0:,}",
            _code((file.get("sha256") or "-")[:16]),
            "damaged" if entry.get("error") else "whole",
        ]
        for entry in inputs
        for name, file in _files(entry)
    ]
    return Table(["dump part", "bytes", "SHA-256 begins", "state"], rows)


def _code(name: str) -> str:
    return "`{}`".format(printable(name).replace("`", "'"))


def _files(entry: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the files of a part, each with its name; a part of one file gives it its own."""
    if "files" not in entry:
        return [(entry["part"], entry)]
    return [(file_name(file["path"]), file) for file in entry["files"]]


def _labels(made: Mapping[str, Any]) -> Table:
    rows = []
    for label, of_splits in made["labels"].items():
        against = made["negatives"].get(label, {})
        numbers = [of_splits.get(split, 0) for split in SPLITS]
        numbers += [against.get(kind, 0) for kind in KINDS]
        days = made["median_days"].get(label)
        told = "–" if days is None else f"{days:,.1f}"
        rows.append([label, *(f"{number:,}" for number in numbers), told])
    kinds = [f"negatives: {kind}" for kind in KINDS]
    return Table(["label", *SPLITS, *kinds, "median days"], rows)


def _rules(manifest: Mapping[str, Any], made: Mapping[str, Any]) -> list[Block]:
    """Return which rules found the edits, and what each intent is about; nothing of tags."""
    if made["by"] != "intents":
        return []
    detect, about, lines = manifest["settings"]["detect"], made.get("about", {}), []
    for label in made["labels"]:
        own = "" if label in _OF_THE_PAPER else " (no intent of that paper, with rules of its own)"
        lines.append(f"{label}{own}{f': {said}' if (said := about.get(label)) else ''}")
    rules, version = _code(str(detect["rules"])), _code(str(detect["intents_version"]))
    return [f"Intents, by their rules {rules}, version {version}:", Notes(lines)]
