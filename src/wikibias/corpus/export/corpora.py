"""Exports of a corpus, of two classes, several labels or sentence pairs, in the form asked for."""

import csv
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeVar

from wikibias.config.choices import SPLITS
from wikibias.corpus import card as cards
from wikibias.corpus.composition import mark
from wikibias.corpus.description import size_category, wikis
from wikibias.corpus.evidence import edit_id
from wikibias.corpus.export.folder import NO_LIBRARY, export_folder
from wikibias.corpus.export.pair_forms import TEXT_FORMS, PairFacts, pair_card, write_text_form
from wikibias.corpus.rows import aligned_pairs, write_splits
from wikibias.edits.confidence import Confidence
from wikibias.errors import UsageError, WikibiasError, nearest, printable
from wikibias.kits import folders, hub, schemas, spreadsheet
from wikibias.kits.document import Block, Document, Section, Table, Text, markdown
from wikibias.kits.files import disk_errors, scratch_file, to_json, write_text
from wikibias.kits.parquet import copy_typed, read_records, read_table
from wikibias.kits.tables import one_line
from wikibias.records import AlignedPair, SentencePair
from wikibias.tags.matcher import without_number
from wikibias.tags.tagset import load_tagset

# Rows of a corpus hold a sentence, not the wikitext of a page.
_ROWS = 1000


def write_jsonl(source: Path, target: Path) -> None:
    """Write a row as a line: an object with all columns, times as "2007-01-09T20:33:04Z"."""
    with target.open("w", encoding="utf-8", newline="\n") as lines:
        for row in _rows(source):
            lines.write(_line(row))


def write_csv(source: Path, target: Path, names: Sequence[str], sep: str = ",") -> None:
    """Write a table that a spreadsheet opens: UTF-8 with a mark that says so, lists as JSON.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    with target.open("w", encoding="utf-8-sig", newline="") as lines:
        writer = csv.writer(lines, delimiter=sep, lineterminator="\r\n")
        writer.writerow(names)
        for row in _rows(source):
            writer.writerow(_cell(row.get(name)) for name in names)


def write_fasttext(source: Path, target: Path) -> None:
    """Write label and normal form of each row as fastText's `supervised` reads them."""
    with target.open("w", encoding="utf-8", newline="\n") as lines:
        for row in read_table(source, ["label", "norm"], at_once=_ROWS):
            lines.write(f"__label__{row['label']} {row['norm']}\n")


_CHECKS = {
    **dict.fromkeys(("editorializing", "peacock", "promotional", "tone"), "tone"),
    **dict.fromkeys(("point-of-view", "pov", "systemic", "unbalanced", "undue"), "npov"),
    "weasel": "weasel",
}
"""Which check finds what a label, or a tag of a family, says."""


def write_tone_check(
    source: Path,
    target: Path,
    tone: Collection[str] = (),
    families: Mapping[str, str] | None = None,
) -> None:
    """Write the rows that a classifier of tone is trained on, as JSON Lines.

    `label` is 1 where the tone is not that of an encyclopedia, else 0. Of a corpus of two classes
    biased is 1. Of one with several labels a sentence with one of `tone` is 1, and one that is
    judged for some of them and has none is 0. `check` is the first of `_CHECKS` that the labels, or
    `families` of the tags, belong to, or None; `rev_id` the revision that has the text.
    """
    with target.open("w", encoding="utf-8", newline="\n") as lines:
        for row in _rows(source):
            label = _tone_of(row, tone) if tone else int(row["label"] == "biased")
            if label is None:
                continue
            if tone:
                names = [name for name in (*row["labels"], *row["judged"]) if name in tone]
            elif row["tags"]:
                names = [(families or {}).get(without_number(tag), "") for tag in row["tags"]]
            else:
                names = ["pov"]  # as the summary says
            title, is_old = row["page_title"], bool(label) == (row["kind"] == "removed")
            found = {
                "lang": row["lang"],
                "page_title": title,
                "text": row["text"],
                "label": label,
                "check": next(filter(None, map(_CHECKS.get, names)), None),
                "page": title,
                "page_id": row["page_id"],
                "rev_id": row["before_rev_id" if is_old else "after_rev_id"],
                "diff_url": row["diff_url"],
                "tags": row["tags"],
                "tier": row.get("tier"),
            }
            lines.write(_line(found))


def _tone_of(row: Mapping[str, Any], tone: Collection[str]) -> int | None:
    if not set(tone).isdisjoint(row["labels"]):
        return 1
    return None if set(tone).isdisjoint(row["judged"]) else 0


def _line(row: Mapping[str, Any]) -> str:
    # Some programs take U+2028 for the end of a line.
    line = to_json(row, allow_nan=False)
    return line.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029") + "\n"


def _rows(source: Path) -> Iterator[dict[str, Any]]:
    for row in read_table(source, at_once=_ROWS):
        yield {
            name: f"{value:%Y-%m-%dT%H:%M:%SZ}" if isinstance(value, datetime) else value
            for name, value in row.items()
        }


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return one_line(value if isinstance(value, str) else to_json(value))


_PAIRS = ", `pairs` one for each aligned pair: what a biased sentence became"
_CODE = """from datasets import load_dataset

sentences = load_dataset("REPOSITORY OR FOLDER")"""
_PAIRS_CODE = '\npairs = load_dataset("REPOSITORY OR FOLDER", "pairs")'
TONE = frozenset(("peacock", "point-of-view", "promotional", "tone", "weasel"))
"""Labels that say that the tone is not that of an encyclopedia."""
SHEETS = ("csv", "tsv", "xlsx")
"""Forms of which one may choose the columns."""
# What people call a column that has another name here.
_MEANT = {"page": "page_title", "title": "page_title", "url": "diff_url", "link": "diff_url"}
_FEW = ("text", "label", "labels", "tier", "page_title", "tags", "diff_url")
Config = Literal["sentences", "labelled", "sentence_pairs"]
FORMS_OF: Mapping[Config, Sequence[str]] = {
    "sentences": ("hf", "parquet", "jsonl", *SHEETS, "fasttext", "tone-check"),
    "labelled": ("hf", "parquet", "jsonl", *SHEETS, "tone-check"),
    "sentence_pairs": ("hf", "jsonl", *TEXT_FORMS),
}
P = TypeVar("P", AlignedPair, SentencePair)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus to be exported.

    Attributes:
        folder: the result folder, or that of the sentence pairs.
        manifest: of the folder; empty of sentence pairs.
        config: `sentences` for the corpus of two classes, `labelled` for that of several labels.
        columns: of SHEETS; none for all, in Excel for a few.
        sep: what stands between the cells of csv; None for a comma.
    """

    folder: Path
    manifest: Mapping[str, Any] = field(default_factory=dict)
    config: Config = "sentences"
    columns: Sequence[str] = ()
    sep: str | None = None

    @property
    def with_editors(self) -> bool:
        """Whether the rows name editors."""
        settings = self.manifest.get("settings") or {}
        return bool((settings.get("detect") or {}).get("with_editors"))

    @property
    def families(self) -> Mapping[str, str]:
        """The family of each tag that was looked for; none where the tag set is gone."""
        detect = self.manifest["settings"]["detect"]
        with suppress(UsageError):
            return {t.name: t.family for t in load_tagset(detect["tagset"], detect["lang"]).tags}
        return {}

    @property
    def counts(self) -> Mapping[str, Any] | None:
        """What the manifest counts of the corpus."""
        made = self.manifest.get("corpus")
        return made if self.config == "sentences" else (made or {}).get(self.config)

    def split(self, name: str) -> Path:
        """Return the file of a split."""
        return self.folder / cards.TABLES[self.config].name / f"{name}.parquet"

    def is_there(self) -> bool:
        """Return whether all splits are there."""
        return all(self.split(name).is_file() for name in SPLITS)

    @contextmanager
    def splits(self, scratch: Path, facts: PairFacts | None = None) -> Iterator[Mapping[str, Path]]:
        """Give the file of each split; of sentence pairs a passing one, and count them in `facts`.

        The passing ones lie in the folder `scratch`.
        """
        if self.config != "sentence_pairs":
            yield {split: self.split(split) for split in SPLITS}
            return
        pairs = self.sentence_pairs()
        counted = pairs if facts is None else facts.counted(pairs)
        with scratch_splits(scratch, schemas.SENTENCE_PAIRS_TABLE, counted) as paths:
            yield paths

    def sentence_pairs(self) -> Iterator[SentencePair]:
        """Yield the sentence pairs of the folder.

        Raises:
            WikibiasError: the table is damaged.
        """
        path = self.folder / schemas.SENTENCE_PAIRS_FILE
        pairs = read_records(path, schemas.SENTENCE_PAIRS_TABLE)
        return _with_known_split(pairs, path, "`wikibias pairs` again")


def labelled_result(folder: Path) -> Path | None:
    """Return the result folder that has a corpus with several labels as this folder of it."""
    is_inner = (
        folder.resolve().name == schemas.LABELLED_TABLE.name and not (folder / "corpus").exists()
    )
    return folder.resolve().parent if is_inner else None


def export(corpus: Corpus, form: str, out: Path | None, *, overwrite: bool = False) -> Path:
    """Write a corpus in another form, whole or not at all, and return the folder.

    Args:
        corpus: what to export.
        form: one of FORMS.
        out: where to; by default `export/<form>` in the result folder, of several labels
            `export/labelled-<form>`; of sentence pairs beside their folder, whose next run would
            not replace what it holds else.
        overwrite: see `export_folder`.

    Raises:
        UsageError: there is no corpus or nothing in it, it has no such form, the form needs a
            library that is missing, or the folder holds what is not ours.
        WikibiasError: a file of the corpus is damaged.
        DiskError: the folder cannot be written.
    """
    _check(corpus, form)
    facts: dict[str, Any] = {"format": form}
    if corpus.config != "sentence_pairs":
        facts["editors"] = corpus.with_editors
        facts["of"] = mark(corpus.manifest, cards.TABLES[corpus.config].name)
    out = out or _default_folder(corpus, form)
    with export_folder(out, facts, overwrite=overwrite) as folder, disk_errors(out):
        FORMS[form](corpus, folder)
    return out


_OF_EACH = (
    "Each has a folder of its name with a card, `README.md`, which says what its labels mean, how "
    "it was made, what was measured and what was not, under which licences its text is, and how to "
    "cite it."
)


def export_together(
    corpora: Sequence[Corpus], out: Path, form: str = "hf", *, overwrite: bool = False
) -> Path:
    """Write corpora as one data set, whole or not at all; return the folder.

    Each has a folder with its export and its card, and is a configuration, both of the name of its
    result folder, such as `fr`; its pairs are `fr-pairs`.

    Args:
        corpora: what to export; none of sentence pairs.
        out: where to.
        form: hf or tone-check.
        overwrite: see `export_folder`.

    Raises:
        UsageError: see `export`; or two have one name.
        WikibiasError: a file of a corpus is damaged.
        DiskError: the folder cannot be written.
    """
    named = dict[str, Corpus]()
    for corpus in corpora:
        name = corpus.folder.resolve().name + "-labelled" * (corpus.config == "labelled")
        if name in named or corpus.config == "sentence_pairs":
            why = f"would be a second {name}" if name in named else "are sentence pairs"
            raise UsageError(f"{corpus.folder} {why}; export it for itself, or rename the folder")
        _check(corpus, form)
        named[name] = corpus
    facts = {"format": form, "editors": any(each.with_editors for each in corpora)}
    with export_folder(out, facts, overwrite=overwrite) as folder, disk_errors(out):
        made = dict[str, tuple[dict[str, Any], Document]]()
        for name, corpus in named.items():
            (folder / name).mkdir()
            made[name] = (_hf if form == "hf" else _tone_check_with_card)(corpus, folder / name)
        data, card = _card_of_all(named, made)
        write_text(folder / "README.md", hub.dataset_card(data, markdown(card)))
    return out


def _card_of_all(
    named: Mapping[str, Corpus], made: Mapping[str, tuple[dict[str, Any], Document]]
) -> tuple[dict[str, Any], Document]:
    """Return the YAML block and the card of several corpora, by those of each."""
    data = dict[str, list[Any]]()
    for name, (block, _) in made.items():
        for key, value in block.items():
            if isinstance(value, list):
                of = data.setdefault(key, [])
                of += [new for each in value if (new := _placed(each, name)) not in of]
    sizes = {name: sum((of.counts or {})["splits"].values()) for name, of in named.items()}
    inputs = chain.from_iterable(corpus.manifest["inputs"] for corpus in named.values())
    kinds = dict.fromkeys(card.title.partition(": ")[0] for _, card in made.values())
    title = f"{'; '.join(kinds)}: {wikis({'inputs': [*inputs]})}"
    data["multilinguality"] = ["multilingual" if data.get("language", [])[1:] else "monolingual"]
    data["size_categories"] = [size_category(sum(sizes.values()))]
    rows = [
        [f"`{name}`", wikis(of.manifest), ", ".join(made[name][0]["license"]), f"{sizes[name]:,}"]
        for name, of in named.items()
    ]
    table = Table(["configuration", "wiki", "licence", "sentences"], rows, 3)
    use = Text(_CODE.replace(")", f', "{next(iter(named))}")'), "command", "python")
    sections = [Section("Configurations", [table, _OF_EACH]), Section("Use", [use])]
    lead = " ".join(dict.fromkeys(card.lead for _, card in made.values()))
    return {**data, "pretty_name": printable(title)}, Document(title, lead, sections)


def _placed(item: Any, name: str) -> Any:
    """Return an item of a block; a configuration under its own name, with files in a folder."""
    if not isinstance(item, dict):
        return item
    own = {key: value for key, value in item.items() if key != "default"}
    if "data_files" in item:
        own["data_files"] = [{**f, "path": f"{name}/{f['path']}"} for f in item["data_files"]]
    return own | {"config_name": f"{name}{'-pairs' * (item['config_name'] == 'pairs')}"}


def _default_folder(corpus: Corpus, form: str) -> Path:
    """Return where an export goes, unless that is through a link."""
    folder = corpus.folder
    if corpus.config == "sentence_pairs":
        named = folder.resolve()
        out = (named if folder.name in ("", "..") else folder).parent / f"{named.name}-{form}"
        folders.refuse_links(out.parent, [out.name])
        return out
    name = f"export/{'labelled-' if corpus.config == 'labelled' else ''}{form}"
    folders.refuse_links(folder, ["export", name])
    return folder / name


def _check(corpus: Corpus, form: str) -> None:
    folder, config, forms = corpus.folder, corpus.config, FORMS_OF[corpus.config]
    if config == "labelled" and (corpus.counts is None or not corpus.is_there()):
        raise UsageError(
            f"{folder} holds no sentences with labels; run `wikibias build --labels "
            "intents` on it, or `--labels tags`"
        )
    if form not in forms and config == "sentences":
        raise UsageError(
            f"the form {form} is one of sentence pairs; run `wikibias pairs {folder} --out "
            f"PAIRS`, then `wikibias export --format {form} PAIRS`"
        )
    if form not in forms:
        what = "several labels" if config == "labelled" else "sentence pairs"
        raise UsageError(f"of {what} there is no form {form}; choose {', '.join(forms)}")
    if config == "sentences" and not corpus.is_there():
        if (other := folder / schemas.LABELLED_TABLE.name).is_dir():
            raise UsageError(
                f"the sentences of {folder} have several labels; run `wikibias export "
                f"--format {form} {other}`"
            )
        raise UsageError(
            f"{folder} holds no corpus; run `wikibias extract` or `wikibias build` first"
        )
    if corpus.columns:
        if form not in SHEETS:
            raise UsageError(f"--columns goes with --format {', '.join(SHEETS)}")
        known = _column_names(corpus)
        for name in corpus.columns:
            if name not in known:
                meant = nearest(_MEANT.get(name, name), known)
                raise UsageError(f"--columns: no column {name!r}{meant}")
    if corpus.sep and form != "csv":
        raise UsageError("--sep goes with --format csv")
    if form == "xlsx":
        spreadsheet.check()
    if form == "hf":
        hub.check("" if config == "sentence_pairs" else NO_LIBRARY)


def _each(write: Callable[[Path, Path], object], ending: str, corpus: Corpus, folder: Path) -> None:
    """Write a file for each split."""
    with corpus.splits(folder) as paths:
        for split, path in paths.items():
            write(path, folder / f"{split}.{ending}")


def _column_names(corpus: Corpus) -> list[str]:
    return [each.name for each in cards.columns(corpus.config, with_editors=corpus.with_editors)]


def _csv(form: str, corpus: Corpus, folder: Path) -> None:
    names = corpus.columns or _column_names(corpus)
    sep = "\t" if form == "tsv" else corpus.sep or ","
    _each(partial(write_csv, names=names, sep=sep), form, corpus, folder)


def _xlsx(corpus: Corpus, folder: Path) -> None:
    """Write one file, with a sheet for each split."""
    names = corpus.columns or [name for name in _FEW if name in _column_names(corpus)]
    with corpus.splits(folder) as paths:
        sheets = (
            (split, ([row.get(name) for name in names] for row in _rows(path)))
            for split, path in paths.items()
        )
        spreadsheet.write_workbook(folder / "corpus.xlsx", names, sheets)


def _parquet(corpus: Corpus, folder: Path) -> None:
    write = partial(copy_typed, classes=cards.classes(corpus.config), numbered=False)
    _each(write, "parquet", corpus, folder)


def _tone_check(corpus: Corpus, folder: Path) -> None:
    labels = corpus.counts or {}
    tone = TONE & set(labels["labels"]) if corpus.config == "labelled" else frozenset()
    if corpus.config == "labelled" and not tone:
        raise UsageError(
            f"no label of {corpus.folder} is about tone ({', '.join(sorted(TONE))}); build one "
            "with --signal point-of-view, or with a tag set that has such inline tags"
        )
    write = partial(write_tone_check, tone=tone, families=corpus.families)
    _each(write, "jsonl", corpus, folder)


def _tone_check_with_card(corpus: Corpus, folder: Path) -> tuple[dict[str, Any], Document]:
    """Write the splits, of which `datasets` reads none that is empty; see `_hf`."""
    _tone_check(corpus, folder)
    names = {split: f"{split}.jsonl" for split in SPLITS}
    files = {split: name for split, name in names.items() if (folder / name).stat().st_size}
    _refuse_empty(corpus, files)
    manifest, made = corpus.manifest, corpus.counts if corpus.config == "labelled" else None
    card = cards.labelled_card(manifest, made) if made else cards.corpus_card(manifest, ())
    data = cards.corpus_metadata(manifest, {"tone-check": files}, folder, made)
    write_text(folder / "README.md", hub.dataset_card(data, markdown(card)))
    return data, card


def _text(form: str, corpus: Corpus, folder: Path) -> None:
    write_text_form(form, folder, corpus.sentence_pairs())


def _refuse_empty(corpus: Corpus, files: Mapping[str, str]) -> None:
    if not files:
        where = "funnel.json" if corpus.config == "sentence_pairs" else "manifest.json"
        raise UsageError(
            f"{corpus.folder} has no sentence to export, and `datasets` reads no empty data set; "
            f"its {where} tells what was left out"
        )


def _hf(corpus: Corpus, folder: Path) -> tuple[dict[str, Any], Document]:
    """Write the splits that are not empty, with numbers for classes, and the card.

    Return the YAML block of the card, and the card.
    """
    facts = PairFacts()
    with corpus.splits(folder, facts) as tables:
        files = _typed(corpus, corpus.config, tables, folder)
    _refuse_empty(corpus, files)
    made = corpus.counts or {}
    if corpus.config == "sentence_pairs":
        data, card = pair_card(facts, files, folder)
    elif corpus.config == "labelled":
        data = cards.corpus_metadata(corpus.manifest, {"labelled": files}, folder, made)
        card = cards.labelled_card(corpus.manifest, made)
    else:
        data, card = _two_classes(corpus, files, folder)
    write_text(folder / "README.md", hub.dataset_card(data, markdown(card)))
    return data, card


def _two_classes(
    corpus: Corpus, sentences: Mapping[str, str], folder: Path
) -> tuple[dict[str, Any], Document]:
    """Write the configuration of the pairs, and return the metadata and the card."""
    files = {"sentences": sentences}
    parts = [entry["part"] for entry in corpus.manifest["inputs"]]
    build = corpus.manifest["settings"]["build"]
    written = bool(build.get("pairs"))
    # The table `edits` knows of no paragraphs.
    found = written or build.get("unit") != "paragraph"
    pairs = _with_known_split(
        pairs_of(corpus.folder, parts, written=written) if found else iter(()),
        corpus.folder,
        "`wikibias build --restart` with the options of before",
    )
    with_editors = corpus.with_editors
    with scratch_splits(folder, schemas.PAIRS_TABLE, pairs, with_editors=with_editors) as tables:
        if of_pairs := _typed(corpus, "pairs", tables, folder):
            files["pairs"] = of_pairs
    with_pairs, splits = "pairs" in files, ", ".join(f"`{split}`" for split in sentences)
    about: list[Block] = [
        f"The configuration `sentences` has a row for each sentence{_PAIRS if with_pairs else ''}. "
        f"The splits are {splits}.",
        Text(f"{_CODE}{_PAIRS_CODE if with_pairs else ''}", "command", "python"),
        f"{cards.COLUMNS} `export.json` lists the checksums of the files.",
    ]
    data = cards.corpus_metadata(corpus.manifest, files, folder)
    return data, cards.corpus_card(corpus.manifest, about)


def _typed(corpus: Corpus, config: str, tables: Mapping[str, Path], folder: Path) -> dict[str, str]:
    """Write the splits that are not empty, and return their names: `datasets` reads no others."""
    features = cards.stored_features(config, with_editors=corpus.with_editors)
    of, files = cards.classes(config), {}
    prefix = f"{config}/" if corpus.config == "sentences" else ""
    (folder / prefix).mkdir(exist_ok=True)
    for split, source in tables.items():
        name = f"{prefix}{split}.parquet"
        if copy_typed(source, folder / name, of, numbered=True, features=features):
            files[split] = name
        else:
            (folder / name).unlink()
    if prefix and not files:
        (folder / prefix).rmdir()
    return files


@contextmanager
def scratch_splits(
    folder: Path, table: schemas.Table[P], rows: Iterable[P], *, with_editors: bool = False
) -> Iterator[Mapping[str, Path]]:
    """Give a passing table of the rows of each split."""
    with ExitStack() as stack:
        paths = {split: stack.enter_context(scratch_file(folder)) for split in SPLITS}
        write_splits(paths, table, rows, with_editors=with_editors)
        yield paths


def _with_known_split(rows: Iterable[P], path: Path, remedy: str) -> Iterator[P]:
    """Yield pairs, which whoever may write in the folder may have written.

    Raises:
        WikibiasError: one is of a split that is none.
    """
    for row in rows:
        if row.split not in SPLITS:
            raise WikibiasError(
                f"{path}: a pair has an unknown split, {str(row.split)[:40]!r}; run {remedy}"
            )
        yield row


_PAIR_COLUMNS = ["sentence_id", "role", "split", "confidence", "tier"]


def pairs_of(folder: Path, parts: Sequence[str], *, written: bool) -> Iterator[AlignedPair]:
    """Yield the pairs of a result: those that its build wrote, or else the same made anew.

    Args:
        folder: the result folder.
        parts: the names of its parts, in the order of the manifest.
        written: whether its build wrote them; a file of an earlier build may be left.

    Raises:
        WikibiasError: the tables `edits` and the corpus do not belong together, or are damaged.
    """
    path = folder / "aligned" / "pairs.parquet"
    if written and path.is_file():
        return read_records(path, schemas.PAIRS_TABLE)
    return _made_pairs(folder, parts)


def _made_pairs(folder: Path, parts: Sequence[str]) -> Iterator[AlignedPair]:
    """Make the pairs anew; rows and edits stand in one order, so neither is held in memory."""
    rows = [_Removed(folder / schemas.CORPUS_TABLE.name / f"{split}.parquet") for split in SPLITS]
    paths = (folder / schemas.EDITS_TABLE.name / f"{part}.parquet" for part in parts)
    edits = chain.from_iterable(
        read_records(path, schemas.EDITS_TABLE) for path in paths if path.is_file()
    )
    for edit in edits:
        identity = edit_id(edit.provenance)
        chosen = dict(chain.from_iterable(each.of(identity) for each in rows))
        if chosen and edit.links:
            yield from aligned_pairs(edit, identity, dict(sorted(chosen.items())))
    if any(each.left for each in rows):
        raise WikibiasError(
            f"{folder}: the corpus holds sentences of edits that `edits` lacks; run "
            f"`wikibias build --restart {folder}` with the options of before"
        )


class _Removed:
    """The removed sentences of a split, which are taken edit by edit."""

    def __init__(self, path: Path) -> None:
        self._rows = (row for row in read_table(path, _PAIR_COLUMNS) if row["role"] == "removed")
        self._next = next(self._rows, None)

    @property
    def left(self) -> bool:
        """Whether there are sentences that nobody has taken."""
        return self._next is not None

    def of(self, named: str) -> Iterator[tuple[int, tuple[str, str, Confidence]]]:
        """Take those of an edit, if it is the next: by place, and id, split and confidence."""
        while self._next is not None:
            identity = str(self._next["sentence_id"])
            edit, _, place = identity.rpartition("-removed-")
            if edit != named:
                return
            sure = Confidence(self._next["confidence"], self._next["tier"], ())
            yield int(place), (identity, self._next["split"], sure)
            self._next = next(self._rows, None)


FORMS: Mapping[str, Callable[[Corpus, Path], object]] = {
    "hf": _hf,
    "parquet": _parquet,
    "jsonl": partial(_each, write_jsonl, "jsonl"),
    "csv": partial(_csv, "csv"),
    "tsv": partial(_csv, "tsv"),
    "xlsx": _xlsx,
    "fasttext": partial(_each, write_fasttext, "txt"),
    "tone-check": _tone_check,
    **{form: partial(_text, form) for form in TEXT_FORMS},
}
"""What writes which form."""
