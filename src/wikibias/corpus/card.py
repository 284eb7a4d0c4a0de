"""Dataset cards of corpora as documents, with the YAML block that the Hugging Face hub reads.

The block types the columns as the library `datasets` does: classes, times, lists.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, get_args

from wikibias import __version__, records
from wikibias.config.choices import BIASED, SPLITS, in_units, unit_of
from wikibias.corpus import description
from wikibias.corpus.composition import composition_table, filter_facts, filters_table, labels_table
from wikibias.corpus.description import Description, Licence, describe, describe_labelled, saved
from wikibias.corpus.paragraphs import ABOUT
from wikibias.dumps.parts import dump_date, file_name
from wikibias.errors import counted, printable
from wikibias.kits import document, schemas
from wikibias.kits.files import write_text
from wikibias.kits.folders import CARD, is_own_card
from wikibias.records import KEPT

# Columns whose values are classes, with these in the order of their numbers: biased is 1.
CLASSES: Mapping[str, tuple[str, ...]] = {
    "label": ("neutral", "biased"),
    "role": get_args(records.Role),
    "kind": get_args(records.Kind),
    "pairing": get_args(records.Pairing),
    "signal": (*BIASED, "featured"),
    "editor_kind": get_args(records.EditorKind),
    "block": get_args(records.Block),
    "tier": get_args(records.Tier),
    "relation": get_args(records.Relation),
}
_TYPES: Mapping[schemas.ColumnType, str] = {
    "string": "string",
    "int32": "int32",
    "int64": "int64",
    "double": "float64",
    "bool": "bool",
    # As Parquet gives back whole seconds.
    "time": "timestamp[ms, tz=UTC]",
}
_ITEMS = {kind: _TYPES[item] for kind, item in schemas.ITEMS.items()}
TABLES: Mapping[str, schemas.Table[Any]] = {
    "sentences": schemas.CORPUS_TABLE,
    "pairs": schemas.PAIRS_TABLE,
    "sentence_pairs": schemas.SENTENCE_PAIRS_TABLE,
    "labelled": schemas.LABELLED_TABLE,
}
"""What the configurations of a data set hold."""


def classes(config: str) -> Mapping[str, tuple[str, ...]]:
    """Return the columns of classes of a configuration; a user may name an intent as he likes."""
    if config != "labelled":
        return CLASSES
    return {name: values for name, values in CLASSES.items() if name != "signal"}


def columns(config: str, *, with_editors: bool) -> list[schemas.Column]:
    """Return the columns of a configuration."""
    return [each for each in TABLES[config].columns if with_editors or not each.on_request]


def features(config: str, *, with_editors: bool) -> list[dict[str, Any]]:
    """Return the columns of a configuration as `dataset_info` of a card lists them."""
    of = classes(config)
    return [_feature(column, of) for column in columns(config, with_editors=with_editors)]


def _feature(column: schemas.Column, of: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    if names := of.get(column.name):
        numbered = {str(number): name for number, name in enumerate(names)}
        return {"name": column.name, "dtype": {"class_label": {"names": numbered}}}
    if column.type in _ITEMS:
        return {"name": column.name, "list": _ITEMS[column.type]}
    return {"name": column.name, "dtype": _TYPES[column.type]}


def stored_features(config: str, *, with_editors: bool) -> dict[str, dict[str, Any]]:
    """Return the columns of a configuration as `datasets` notes them in a Parquet file."""
    of = classes(config)
    return {each.name: _stored(each, of) for each in columns(config, with_editors=with_editors)}


def _stored(column: schemas.Column, of: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    if names := of.get(column.name):
        return {"names": list(names), "_type": "ClassLabel"}
    if column.type in _ITEMS:
        # Older versions know this name of a list alone, newer ones both.
        return {"feature": {"dtype": _ITEMS[column.type], "_type": "Value"}, "_type": "Sequence"}
    return {"dtype": _TYPES[column.type], "_type": "Value"}


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
_BIBTEX = r"""@inproceedings{aleksandrova-etal-2019-multilingual,
  author = {Aleksandrova, Desislava and Lareau, Fran{\c{c}}ois and M{\'e}nard, Pierre Andr{\'e}},
  title = {Multilingual sentence-level bias detection in {W}ikipedia},
  booktitle = {Recent Advances in Natural Language Processing (RANLP 2019)},
  pages = {42--51}, year = {2019}, doi = {10.26615/978-954-452-056-4_006}
}
@software{wikibias,
  author = "{The wikibias developers}", title = {wikibias}, version = {%s}
}"""
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
    "other_script": "in a script that the language does not use",
    "tag_stands": "the page was still tagged, or soon again",
    "below_min_tier": "below the lowest tier asked for",
    "below_min_confidence": "below the lowest confidence asked for",
    "quotes_inside": "with a quotation in the line",
    "little_changed": "less than a quarter of the paragraph removed or rewritten",
    "max_per_edit": "one of too many of its edit",
    "near_duplicate": "near-duplicate of one in another split",
}
_OF_THE_PAPER = ("citation", "clarification", "point-of-view")
_LINKS = "`sentence_id` and `diff_url` lead from every sentence to its edit."


def write_card(
    folder: Path, manifest: Mapping[str, Any], made: Mapping[str, Any] | None = None
) -> None:
    """Write `README.md`, the card of a corpus folder: what, from where, counts, limits.

    Args:
        folder: of the result; of a corpus of labels its own.
        manifest: of the run.
        made: the composition of a corpus of labels; None for the corpus of two classes.
    """
    corpus = made or manifest.get("corpus") or {}
    # `datasets` reads no data set with an empty split.
    place = "" if made else f"{schemas.CORPUS_TABLE.name}/"
    there = (split for split in SPLITS if corpus.get("splits", {}).get(split))
    splits = {split: f"{place}{split}.parquet" for split in there}
    files = {"labelled" if made else "sentences": splits} if splits else {}
    if corpus.get("pairs"):
        files["pairs"] = {"pairs": "aligned/pairs.parquet"}
    card = labelled_card(manifest, made) if made else corpus_card(manifest, [FILES])
    data = corpus_metadata(manifest, files, folder, made)
    if is_own_card(folder / CARD):
        write_text(folder / CARD, document.markdown(card, data))


def corpus_metadata(
    manifest: Mapping[str, Any], files: Files, folder: Path, made: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return what the YAML block says of a corpus, as `write_card` takes it; `folder` has files."""
    found = describe_labelled(manifest, made) if made else describe(manifest)
    return metadata(
        found.title,
        [found.language] if found.language else [],
        found.licence,
        found.size,
        found.topics,
        files,
        folder,
        with_editors=bool(manifest["settings"]["detect"].get("with_editors")),
        more={"task_ids": ["multi-label-classification"]} if made else None,
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
        about: dict[str, Any] = {
            "description": f"Content {digest(folder / name for name in of.values())}"
        }
        if config in TABLES:  # of another form `datasets` finds out
            about["features"] = features(config, with_editors=with_editors)
        info.append({"config_name": config, **about})
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


def corpus_card(manifest: Mapping[str, Any], files: Sequence[document.Block]) -> document.Document:
    """Return the card of a corpus of two classes; it depends on nothing but the manifest.

    Args:
        manifest: of the corpus.
        files: what the card says of files and columns.
    """
    found, detect = describe(manifest), manifest["settings"]["detect"]
    verdicts = manifest.get("verdicts", {})
    *sections, legal = corpus_sections(manifest)
    sections += [
        document.Section(
            "What the filters dropped",
            [filters_table(verdicts, detect), filter_facts(verdicts, detect)],
        ),
        document.Section("Files and columns", [*files]),
        citation(manifest),
        legal,
    ]
    return document.Document(found.title, f"{found.summary} {_LINKS}", sections)


def labelled_card(manifest: Mapping[str, Any], made: Mapping[str, Any]) -> document.Document:
    """Return the card of a corpus of labels, whose composition is `made`."""
    found = describe_labelled(manifest, made)
    *sections, legal = labelled_sections(manifest, made)
    files = document.Section("Files and columns", [_LABELLED_FILES])
    sections += [files, citation(manifest), legal]
    return document.Document(found.title, f"{found.summary} {_LINKS}", sections)


def citation(manifest: Mapping[str, Any]) -> document.Section:
    """Return how to cite a corpus."""
    paper = document.Text([_PAPER, document.Link(_DOI, _DOI), "."])
    bibtex = document.Text(_BIBTEX % _version(manifest), "command", "bibtex")
    return document.Section("How to cite", [paper, bibtex])


def _version(manifest: Mapping[str, Any]) -> str:
    return str(manifest.get("wikibias") or __version__)


def corpus_sections(manifest: Mapping[str, Any]) -> list[document.Section]:
    """Return what a card and a page say of a corpus of two classes, the licence last."""
    found, corpus = describe(manifest), manifest.get("corpus") or {}
    unit = unit_of(manifest["settings"])
    contents = _contents(corpus, found, unit) if corpus else ["No corpus is built here yet."]
    neutral = sum(corpus.get(role, 0) for role in ("added", "unchanged", "featured"))
    gave = in_units(f"{corpus.get('removed', 0):,} biased and {neutral:,} neutral sentences", unit)
    paper = _for_a_paper(manifest, corpus, gave) if corpus else []
    about = [ABOUT] if unit == "paragraph" else []
    return [
        document.Section("What the labels mean", [*about, *_meanings(found, unit)]),
        document.Section("What is in it", [*contents, *_notes(manifest, corpus)]),
        document.Section(
            "How it was made",
            [*paper, _method(manifest["settings"]), parts_table(manifest["inputs"])],
        ),
        document.Section("Quality", [document.Notes(found.quality)]),
        document.Section("Known limits", [document.Notes(found.limits)]),
        document.Section("Licence", [document.Notes(found.licence.sentences)]),
    ]


def labelled_sections(
    manifest: Mapping[str, Any], made: Mapping[str, Any]
) -> list[document.Section]:
    """Return what a card and a page say of a corpus of labels, likewise."""
    found, build = describe_labelled(manifest, made), manifest["settings"]["build"]
    how = (
        f"By wikibias. Split by {build['split']}; seed {build['seed']}; lines: "
        f"{', '.join(build['blocks'])}. `manifest.json` of the run holds the full configuration."
    )
    paper = _for_a_paper(manifest, made, f"{made['sentences']:,} sentences")
    quality = found.quality or ["Nobody has judged the sentences themselves."]
    contents = [
        f"{made['sentences']:,} sentences of {counted(made['pages'], 'page')}, "
        f"{made['positives']:,} with a label.",
        labels_table(made),
        _counts("labels of a positive", "sentences", made["several"]),
        _counts("what it became", "sentences", made["relations"]),
        _counts("left out, with the reason", "finds", made["left_out"]),
        f"{_near_duplicates(made)}.",
        *_notes(manifest, made),
    ]
    return [
        document.Section("What the labels mean", [" ".join(found.limits)]),
        document.Section("How right the labels are", [document.Notes(quality)]),
        document.Section("What is in it", contents),
        document.Section(
            "How it was made",
            [*paper, how, *_rules(manifest, made), parts_table(manifest["inputs"])],
        ),
        document.Section("Licence", [document.Notes(found.licence.sentences)]),
    ]


def _meanings(found: Description, unit: str) -> list[document.Block]:
    """Return what the labels mean, a paragraph and two items for each pairing."""
    blocks: list[document.Block] = []
    for each in found.meanings:
        number = ", ".join(f"{label} {count:,}" for label, count in each.rows.items())
        head = f"`{each.pairing}`{f' ({number})' if number else ''}"
        blocks.append(f"{head}: {f'{each.edits} {each.caution}'.strip()}")
        said = [("biased", each.biased), ("neutral", each.neutral)]
        blocks.append(document.Facts([(label, in_units(text, unit)) for label, text in said]))
    return blocks


def _contents(corpus: Mapping[str, Any], found: Description, unit: str) -> list[document.Block]:
    relations = ", ".join(f"{name} {of:,}" for name, of in corpus.get("relations", {}).items())
    tiers = [
        [name, *(f"{count:,}" for count in of_labels.values())]
        for name, of_labels in corpus.get("tiers", {}).items()
    ]
    blocks: list[document.Block] = [
        composition_table(corpus, unit),
        f"Pages: {corpus.get('pages', 0):,}. Left out: {corpus.get('duplicates', 0):,} duplicates, "
        f"and {corpus.get('in_both_classes', 0):,} sentences that were removed in one edit and "
        f"added in another. The biased sentences come from "
        f"{counted(corpus.get('edits', 0), 'edit')}; the largest gives "
        f"{corpus.get('largest_share', 0.0):.1%}. {_near_duplicates(corpus)}.",
        saved(found.period),
        document.Table(["tier", "biased", "neutral"], tiers or [["none", "", ""]]),
        "`confidence` is the probability that a careful editor would give a sentence its label; "
        "`tier` is the same in three steps (from 0.75, from 0.5), and `tier_reasons` is what the "
        "edit tells. What became of the biased "
        f"sentences (`relation`): {relations or 'not known'}.",
        _left_out(corpus.get("left_out", {})),
    ]
    return [in_units(each, unit) if isinstance(each, str) else each for each in blocks]


def _near_duplicates(corpus: Mapping[str, Any]) -> str:
    return (
        "Near-duplicates on other pages (`near_duplicates`) have "
        f"{corpus.get('near_duplicates', 0):,} sentences, in "
        f"{corpus.get('near_duplicate_groups', 0):,} groups, none of which stands in two splits"
    )


def _left_out(found: Mapping[str, Mapping[str, int]]) -> document.Table:
    roles = ["removed", "added", "unchanged"]
    roles += ["featured"] if any("featured" in of for of in found.values()) else []
    rows = [
        [_REASONS.get(name, name), *(f"{count:,}" for count in of.values())]
        for name, of in found.items()
    ]
    return document.Table(["left out, with the reason", *roles], rows or [["none", "", "", ""]])


def _notes(manifest: Mapping[str, Any], corpus: Mapping[str, Any]) -> list[document.Block]:
    """Return what went wrong, or should be known of a corpus and of the parts it comes from."""
    notes = [*corpus.get("notes", [])]
    number = sum(entry.get("counts", {}).get("unreadable", 0) for entry in manifest["inputs"])
    if number:
        what = "could not be worked out and are left out; manifest.json names them"
        notes.append(f"{number:,} pages or revisions {what}")
    told = [
        f"{entry['part']}: {each}"
        for entry in manifest["inputs"]
        for each in [*entry.get("warnings", []), *([entry["error"]] if entry.get("error") else [])]
    ]
    notes += told[:_MOST_WARNINGS]
    if len(told) > _MOST_WARNINGS:
        notes.append(f"{len(told) - _MOST_WARNINGS:,} more: see manifest.json")
    return ["Notes:", document.Notes(notes or ["none"])]


def _for_a_paper(
    manifest: Mapping[str, Any], made: Mapping[str, Any], gave: str
) -> list[document.Block]:
    """Return what a paper says of a corpus in its section on methods."""
    settings, verdicts = manifest["settings"], manifest.get("verdicts", {})
    detect, build = settings["detect"], settings["build"]
    by_tags, dates = "tag" in detect["signal"], set()
    for entry in manifest["inputs"]:
        if day := dump_date(str(entry["part"])):
            dates.add(f"dump of {day[:4]}-{day[4:6]}-{day[6:]}")
        elif newest := entry.get("newest"):
            dates.add(f"newest revision of {str(newest)[:10]}")
    _, *rows, _ = filters_table(verdicts, detect).rows
    dropped = ", ".join(f"{title} {str(number)[1:]}" for title, number in rows if number != "0")
    tags = f"{detect['tagset']} for {detect['lang']}, version {detect['tagset_version']}"
    said = (
        f"The corpus was made with wikibias {_version(manifest)} from the revision history of "
        f"{description.wikis(manifest)} ({', '.join(sorted(dates)) or 'of an unknown day'}). Of "
        f"{sum(verdicts.values()):,} {description.edits_of(detect) if by_tags else 'edits'}"
        f"{f' (tag set {tags})' if by_tags else ''}, {verdicts.get(KEPT, 0):,} were kept; filters "
        f"dropped the others: {dropped or 'none'}. They gave {gave} of "
        f"{counted(made.get('pages', 0), 'page')}, split by {build['split']} (seed "
        f"{build['seed']})."
    )
    return ["For the section on methods of a paper:", document.Text(said, "note")]


def _method(settings: Mapping[str, Any]) -> str:
    """Return by which settings a corpus was made."""
    detect, build = settings["detect"], settings["build"]
    part = "the page" if settings["diff"]["scope"] == "page" else "the part that the tag is about"
    limits = ("min_tier", "min_confidence", "max_per_edit")
    chosen = ", ".join(f"{name} {build[name]}" for name in limits if build[name] is not None)
    if (kind := build.get("negatives")) is not None:
        chosen += f", negatives {kind}"
    reverts = "with" if settings["filter"]["reverts"] == "keep" else "without"
    only = f"; only {', '.join(detect['families'])}" if detect["families"] else ""
    by = "page: no page stands in two splits" if build["split"] == "page" else "sentence"
    return (
        "By wikibias, with the method of Aleksandrova, Lareau and Ménard (RANLP 2019). Tag set: "
        f"{detect['tagset']} for {detect['lang']}, version {detect['tagset_version']}{only}. "
        f"Revisions paired: {', '.join(detect['pairing'])}; removed sentences of {part}; {reverts} "
        f"edits that were undone. Filters: {settings['filter']['filters']}. Sentences: {chosen}; "
        f"lines: {', '.join(build['blocks'])}. Split by {by}. Seed {build['seed']}. "
        "`manifest.json` of the run holds the full configuration."
    )


def _counts(name: str, of: str, numbers: Mapping[str, int]) -> document.Table:
    return document.Table([name, of], [[each, f"{number:,}"] for each, number in numbers.items()])


def parts_table(inputs: Sequence[Mapping[str, Any]]) -> document.Table:
    """Return the table of dump files; of a part of several, a line for each."""
    rows = [
        [
            file_name(file["path"]) if "files" in entry else entry["part"],
            f"{file.get('size') or 0:,}",
            (file.get("sha256") or "–")[:16],
            "damaged" if entry.get("error") else "whole",
        ]
        for entry in inputs
        for file in entry.get("files", [entry])
    ]
    return document.Table(["dump part", "bytes", "SHA-256 begins", "state"], rows)


def _rules(manifest: Mapping[str, Any], made: Mapping[str, Any]) -> list[document.Block]:
    """Return which rules found the edits, and what each intent is about; nothing of tags."""
    if made["by"] != "intents":
        return []
    detect, about, lines = manifest["settings"]["detect"], made.get("about", {}), []
    for label in made["labels"]:
        own = "" if label in _OF_THE_PAPER else " (no intent of that paper, with rules of its own)"
        lines.append(f"{label}{own}{f': {said}' if (said := about.get(label)) else ''}")
    rules = f"Intents, by their rules {detect['rules']}, version {detect['intents_version']}:"
    return [rules, document.Notes(lines)]
