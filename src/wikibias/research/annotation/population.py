"""Removed sentences of corpora with what stood around them, and the corpus of those judged."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.corpus.card import FILES, corpus_metadata
from wikibias.corpus.composition import mark
from wikibias.corpus.description import describe, size_category
from wikibias.corpus.rows import write_corpus
from wikibias.edits.sentence_context import ReferenceFinder, Tools, page_in_context
from wikibias.errors import UsageError, WikibiasError, counted, quoted
from wikibias.kits.document import Document, Table, markdown
from wikibias.kits.files import read_small, to_json, write_text
from wikibias.kits.parquet import read_records, read_table, rows_with
from wikibias.kits.schemas import CORPUS_TABLE, DIFFS_TABLE, EDITS_TABLE, TRANSITIONS_TABLE
from wikibias.mediawiki import Namespaces
from wikibias.pipeline import manifest
from wikibias.pipeline.enrichment import cleaning_rules
from wikibias.pipeline.jobs import output
from wikibias.pipeline.manifest import Manifest
from wikibias.pipeline.settings import Settings, language_of, tagset_of
from wikibias.records import CorpusSentence, Label, SentenceContext
from wikibias.research.annotation.votes import Votes
from wikibias.text.cleaning import UnreadableError
from wikibias.text.segmentation import Segmenter

EditKey = tuple[str, str, int | None, int]
"""Wiki, pairing and both revisions: what names an edit in all tables."""
_KEY = ("wiki", "pairing", "before_rev_id", "after_rev_id")
_COLUMNS = (
    *_KEY, "sentence_id", "text", "role", "lang", "page_id", "page_title", "tags", "signal",
    "confidence", "tier", "counterpart", "diff_url",
)  # fmt: skip
_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus of two classes in a result folder."""

    folder: Path
    manifest: Manifest
    settings: Settings

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.folder.resolve().name

    @property
    def splits(self) -> list[Path]:
        """The files of its sentences, in the order of the splits."""
        return [self.folder / CORPUS_TABLE.name / f"{split}.parquet" for split in SPLITS]

    def paths(self, table: str) -> Iterator[Path]:
        """Yield the files of a table that are there, in the order of the parts."""
        for part in manifest.parts_of(self.manifest):
            path = output(self.folder, table, part.name)
            if path.is_file():
                yield path


@dataclass(frozen=True, slots=True)
class Removed:
    """A sentence of a corpus that an edit removed.

    Attributes:
        corpus: the number of its corpus among those given.
        row: its cells in the corpus, by column.
        removed: how many sentences the edit removed.
    """

    corpus: int
    row: Mapping[str, Any]
    removed: int

    @property
    def key(self) -> EditKey:
        """What names its edit."""
        return key_of(self.row)

    @property
    def name(self) -> str:
        """Its sentence_id."""
        return str(self.row["sentence_id"])

    @property
    def edit(self) -> str:
        """What its sentence_id says of its edit."""
        return self.name.rpartition("-removed-")[0]

    @property
    def tag(self) -> str | None:
        """The tags that the edit took out, with | between them; None where it took out none."""
        return "|".join(self.row["tags"] or ()) or None

    def value(self, by: str) -> str:
        """Return what parts it from others: its tag, tier or language."""
        if by == "tag":
            return self.tag or str(self.row["signal"])
        return str(self.row["lang" if by == "language" else by])


def open_corpus(folder: Path) -> Corpus:
    """Return the corpus of a result folder, or of the folder `corpus` in one.

    Raises:
        UsageError: there is none; the message says what to type.
    """
    inner = folder.resolve()
    if inner.name == CORPUS_TABLE.name and not (folder / "manifest.json").is_file():
        folder = inner.parent
    found = manifest.load_recorded(folder)
    corpus = Corpus(folder, found, manifest.settings_of(folder, found))
    if not corpus.splits[0].is_file():
        raise UsageError(
            f"{folder} holds no corpus of removed sentences; make one with `wikibias build "
            f"{folder}`, of edits found by --signal tag or summary"
        )
    if corpus.settings.build.unit == "paragraph":
        raise UsageError(
            f"the rows of {folder} are paragraphs, and a task is a sentence; run `wikibias build "
            f"--restart {folder}`, which makes sentences of them, then draw"
        )
    return corpus


def key_of(row: Mapping[str, Any]) -> EditKey:
    """Return what names the edit of a row."""
    wiki, pairing, before, after = (row[name] for name in _KEY)
    return wiki, pairing, before, after


def removed_sentences(corpora: Sequence[Corpus]) -> Iterator[Removed]:
    """Yield the sentences of corpora that edits removed, in their order.

    Raises:
        WikibiasError: a table is damaged.
        UsageError: there is none, or the tables of a folder do not belong together.
    """
    empty = True
    for number, corpus in enumerate(corpora):
        sizes = _sizes(corpus)
        for path in corpus.splits:
            for row in read_table(path, [*_COLUMNS], at_once=_AT_ONCE):
                if row["role"] != "removed":
                    continue
                if (size := sizes.get(key_of(row))) is None:
                    raise UsageError(
                        f"{corpus.folder}: the corpus holds an edit that `edits` lacks; build it "
                        f"again with `wikibias build --restart {corpus.folder}`"
                    )
                empty = False
                yield Removed(number, row, size)
    if empty:
        where = [corpus.folder for corpus in corpora]
        raise UsageError(
            f"{where[0]}: the corpus is empty; `wikibias status {quoted(str(where[0]))}` says "
            "what to try"
            if len(where) == 1
            else f"all {len(where)} corpora are empty; `wikibias status` of each says what to try"
        )


def held(corpus: Corpus, sentences: Collection[str | None]) -> set[str]:
    """Return which of some sentences, by sentence_id, are in a corpus."""
    return {
        row["sentence_id"]
        for path in corpus.splits
        for row in read_table(path, ["sentence_id"], at_once=_AT_ONCE)
        if row["sentence_id"] in sentences
    }


def _sizes(corpus: Corpus) -> dict[EditKey, int]:
    """Return how many sentences each kept edit removed."""
    columns = [*_KEY, "removed_has_gap"]
    return {
        key_of(row): len(row["removed_has_gap"] or ())
        for path in corpus.paths(EDITS_TABLE.name)
        for row in read_table(path, columns, at_once=_AT_ONCE)
    }


_SIDES = [*_KEY, "removed", "added", "unchanged", "unchanged_norm", "unchanged_block"]
_NONE = SentenceContext("", "", "", has_reference=False, follows_reference=False)


@dataclass(frozen=True, slots=True)
class Sides:
    """The sentences of an edit.

    Attributes:
        removed: only in the older revision.
        added: only in the newer one.
        unchanged: in both, as (place among the unchanged, text, normal form), of running text.
        contexts: what stood around a sentence of the older revision, by its text.
    """

    removed: tuple[str, ...]
    added: tuple[str, ...]
    unchanged: tuple[tuple[int, str, str], ...]
    contexts: Mapping[str, SentenceContext] = field(default_factory=dict)

    def context(self, text: str) -> SentenceContext:
        """Return what stood around a sentence; nothing where that is not known."""
        return self.contexts.get(text, _NONE)


def sides_of(corpus: Corpus, keys: Collection[EditKey]) -> dict[EditKey, Sides]:
    """Return both sides of some edits of a corpus.

    Args:
        corpus: the corpus.
        keys: the edits.

    Raises:
        WikibiasError: a table is damaged.
        UsageError: the language or the tag set of the corpus is not there any more.
    """
    contexts = dict(_contexts(corpus, keys))
    blocks = corpus.settings.build.blocks
    found: dict[EditKey, Sides] = {}
    for row in _rows(corpus, DIFFS_TABLE.name, keys, _SIDES):
        unchanged = zip(
            row["unchanged"], row["unchanged_norm"], row["unchanged_block"], strict=True
        )
        found.setdefault(
            key_of(row),
            Sides(
                tuple(row["removed"]),
                tuple(row["added"]),
                tuple(
                    (place, text, norm)
                    for place, (text, norm, block) in enumerate(unchanged)
                    if block in blocks
                ),
                contexts.get(key_of(row), {}),
            ),
        )
    return found


def _rows(
    corpus: Corpus, table: str, keys: Collection[EditKey], columns: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table that belong to some edits."""
    revisions = sorted({key[3] for key in keys})
    wanted = set(keys)
    for path in corpus.paths(table) if keys else ():
        if rows := rows_with(path, "after_rev_id", revisions):
            yield from (row for row in read_table(path, columns, rows) if key_of(row) in wanted)


def _contexts(
    corpus: Corpus, keys: Collection[EditKey]
) -> Iterator[tuple[EditKey, dict[str, SentenceContext]]]:
    language = language_of(corpus.settings)
    namespaces = Namespaces.of({}, language.namespaces)
    most = corpus.settings.diff.max_wikitext
    rules = cleaning_rules(language, namespaces, tagset_of(corpus.settings), most)
    tools = Tools(rules, Segmenter(language), ReferenceFinder(language.intents.citation))
    for row in _rows(corpus, TRANSITIONS_TABLE.name, keys, [*_KEY, "before_text"]):
        try:
            sentences, contexts = page_in_context(row["before_text"], tools)
        except UnreadableError:
            continue
        yield (
            key_of(row),
            {one.text: around for one, around in zip(sentences, contexts, strict=True)},
        )


NAME = "judged"
"""The folder of it in a result folder."""
VOTES = "votes.jsonl"


@dataclass(frozen=True, slots=True)
class JudgedCorpus:
    """What came of the answers.

    Attributes:
        biased: in the corpus, by most answers.
        neutral: in the corpus, by most answers.
        left_out: how many sentences that somebody judged are not, by the reason.
        changed: sentences whose label is another than that of the corpus.
        splits: sentences of each split.
    """

    biased: int
    neutral: int
    left_out: Mapping[str, int]
    changed: int
    splits: Mapping[str, int]


def build_judged(
    folder: Path,
    found: Mapping[str, Votes],
    source: str,
    controls: Collection[str] = (),
    *,
    replaces: bool = False,
) -> JudgedCorpus:
    """Write the sentences of a corpus that were judged, with the label that most gave them.

    This corpus, whose labels come from annotators, stands in `judged/` beside `corpus/`, in the
    same form, with each sentence in the same split.

    Args:
        folder: a result folder with a corpus.
        found: the votes by sentence_id.
        source: says in the card where the labels come from.
        controls: those of them that are known not to be of the corpus.
        replaces: whether other votes than these may stand there.

    Raises:
        UsageError: there is no corpus, or votes stand there that are none of these.
        WikibiasError: no judged sentence is in the corpus, or a table is damaged.
        DiskError: the folder cannot be written to.
    """
    corpus = open_corpus(folder)
    known = {
        str(row["sentence_id"]): row
        for path in corpus.splits
        for row in read_table(path, ["sentence_id", "label", "split"], at_once=1000)
        if row["sentence_id"] in found
    }
    labels = {
        name: label for name, row in known.items() if (label := found[name].label) is not None
    }
    if not labels:
        raise WikibiasError(
            f"none of the {counted(len(found), 'judged sentence')} has a label and is in the "
            f"corpus of {corpus.folder}; give the corpus that they were drawn from, with --tasks "
            "where the answers have no column sentence_id"
        )
    of_labels, splits = Counter(labels.values()), Counter(known[name]["split"] for name in labels)
    inside = [found[name] for name in known]
    outside = found.keys() - known.keys()
    made = JudgedCorpus(
        biased=of_labels["biased"],
        neutral=of_labels["neutral"],
        left_out={
            "ties": sum(vote.label is None and vote.share is not None for vote in inside),
            "without an answer that can be read": sum(vote.share is None for vote in inside),
            "controls": len(outside.intersection(controls)),
            "not in the corpus": len(outside.difference(controls)),
        },
        changed=sum(label != known[name]["label"] for name, label in labels.items()),
        splits={split: splits[split] for split in SPLITS},
    )
    target = corpus.folder / NAME
    lines = {
        name: to_json({"sentence_id": name, "label": vote.label, **asdict(vote)})
        for name, vote in found.items()
    }
    path = target / VOTES
    before = read_small(path).decode(errors="replace") if path.exists() else ""
    if not (replaces or {*lines.values()}.issuperset(before.splitlines())):
        raise UsageError(f"{target} holds other answers; rename it, or replace it with --restart")
    rows = _relabelled(corpus, labels)
    write_corpus(target, rows, target, with_editors=corpus.settings.detect.with_editors)
    write_text(path, "".join(f"{lines[name]}\n" for name in labels))
    _write_card(target, corpus, made, source)
    return made


def _relabelled(corpus: Corpus, labels: Mapping[str, Label]) -> Iterator[CorpusSentence]:
    for path in corpus.splits:
        for row in read_records(path, CORPUS_TABLE):
            if (label := labels.get(row.sentence_id)) is not None:
                yield replace(row, label=label)


def _write_card(target: Path, corpus: Corpus, made: JudgedCorpus, source: str) -> None:
    files = {"sentences": {name: f"{name}.parquet" for name in SPLITS if made.splits[name]}}
    data = corpus_metadata(corpus.manifest, files, target)
    data["size_categories"] = [size_category(made.biased + made.neutral)]
    data["annotations_creators"] = ["expert-generated", "machine-generated"]
    splits = ", ".join(f"{name} {number:,}" for name, number in made.splits.items())
    left_out = {f"left out: {reason}": number for reason, number in made.left_out.items()}
    numbers = {
        "judged": made.biased + made.neutral + sum(made.left_out.values()),
        "biased": made.biased,
        "neutral": made.neutral,
        **left_out,
    }
    card = Document(
        f"{describe(corpus.manifest).title}, as annotators judged it",
        f"Sentences of `{mark(corpus.manifest, 'corpus')}` beside this folder, each with the label "
        f"that most annotators gave it: {source}. Whether these were people or language models, "
        f"the file of their answers tells; `{VOTES}` has how many said what of each sentence.",
        [
            Table(["", "sentences"], [[name, f"{n:,}"] for name, n in numbers.items()]),
            f"{made.changed:,} have another label than in the corpus. Splits: {splits}. The "
            "classes are not balanced, and a sample by strata does not have the shares of the "
            "corpus.",
            FILES,
            "`role` still says what the edit did with a sentence; `tier` says how far the label of "
            "the corpus could be trusted, not this one. The licence is that of the corpus.",
        ],
    )
    write_text(target / "README.md", markdown(card, data))
