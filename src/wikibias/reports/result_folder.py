"""Rows of a result folder, found by a revision, a page or a sentence; and what became of these.

Nothing is read but what may hold them, so that a large folder answers at once.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from wikibias import records
from wikibias.config.choices import SPLITS, signal_of
from wikibias.corpus import candidates, evidence
from wikibias.edits.confidence import UNCHANGING
from wikibias.errors import counted
from wikibias.kits.parquet import check_columns, read_records, rows_with
from wikibias.kits.schemas import CORPUS_TABLE, EDITS_TABLE, LABELLED_TABLE, REJECTS_TABLE, Table
from wikibias.pipeline import build, jobs, manifest, settings, stages
from wikibias.text.segmentation import words

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class TagChange:
    """A row of `transitions` without the wikitext."""

    provenance: records.Provenance
    context: records.TagContext
    history: records.History = records.NO_HISTORY


@dataclass(frozen=True, slots=True)
class Judged:
    """The columns of `edits` and `rejects` that tell which edit got which verdict."""

    wiki: str
    pairing: records.Pairing
    signal: records.Signal
    page_id: int
    tags: tuple[str, ...]
    before_rev_id: int | None
    after_rev_id: int
    verdict: str


@dataclass(frozen=True, slots=True)
class InCorpus:
    """The columns of a corpus that tell where a sentence has gone."""

    sentence_id: str
    norm: str
    split: str
    tier: records.Tier
    tier_reasons: tuple[str, ...]
    near_duplicates: str | None


@dataclass(frozen=True, slots=True)
class InLabelled:
    """The columns of a corpus of labels that tell where a sentence has gone."""

    sentence_id: str
    norm: str
    labels: tuple[str, ...]
    judged: tuple[str, ...]
    negative: records.NegativeKind | None
    split: str
    near_duplicates: str | None
    wiki: str
    page_id: int


Key = tuple[object, ...]
CHANGES: Table[TagChange] = Table("transitions", TagChange)
_JUDGED = (Table(EDITS_TABLE.name, Judged), Table(REJECTS_TABLE.name, Judged))
SENTENCES = Table(CORPUS_TABLE.name, InCorpus)
LABELLED = Table(LABELLED_TABLE.name, InLabelled)


def key_of(row: records.Provenance | Judged) -> Key:
    """Return what an edit has in common with its verdict: page, revisions, signal and tags."""
    pages = (row.wiki, row.page_id, row.pairing, row.signal)
    return (*pages, row.before_rev_id, row.after_rev_id, row.tags)


class ResultTables:
    """The tables of a result folder, as its manifest describes them.

    Raises:
        UsageError: the folder holds no result, or one of another version of wikibias.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: manifest.Manifest = manifest.load_recorded(folder)
        self.settings: settings.Settings = manifest.settings_of(folder, self.manifest)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.folder.resolve().name

    @cached_property
    def composition(self) -> dict[str, Any] | None:
        """What the manifest says of the corpus; None where none is built."""
        return manifest.corpus_of(self.folder, self.manifest)

    @property
    def has_corpus(self) -> bool:
        """Whether a corpus of two classes is built; of intents alone there is none."""
        files = (self.composition or {}).get("files", ())
        return any(name.startswith(f"{CORPUS_TABLE.name}/") for name in files)

    @property
    def labels_by(self) -> str | None:
        """What the labels of `labelled` are: "intents" or "tags"; None where it is not built."""
        made = (self.composition or {}).get(LABELLED_TABLE.name)
        return made["by"] if made else None

    def paths(self, table: Table[Any]) -> Iterator[Path]:
        """Yield the files of a table that are there, by part or split; of a corpus once built."""
        names: Iterable[str] = (part.name for part in manifest.parts_of(self.manifest))
        if table is SENTENCES:
            names = SPLITS if self.has_corpus else ()
        elif table is LABELLED:
            names = SPLITS if self.labels_by else ()
        for name in names:
            path = jobs.output(self.folder, table.name, name)
            if path.is_file():
                yield path

    def has(self, stage: str) -> bool:
        """Return whether a stage has written a table."""
        return any(True for table in stages.named(stage).writes for _ in self.paths(table))

    def find(
        self, table: Table[R], column: str, values: Collection[int] | Collection[str]
    ) -> Iterator[R]:
        """Yield the rows of a table of any part that have one of the values in a column.

        Raises:
            WikibiasError: a file is damaged.
        """
        for path in self.paths(table):
            if rows := rows_with(path, column, values):
                check_columns(path, table)
                yield from read_records(path, table, rows)

    def verdicts(self, column: str, values: Collection[int]) -> dict[Key, str]:
        """Return the verdicts on the edits with one of the values in a column."""
        return {
            key_of(row): row.verdict or records.KEPT
            for table in _JUDGED
            for row in self.find(table, column, values)
        }


@dataclass(frozen=True, slots=True)
class SentenceOutcome:
    """A sentence of an edit, and where it has gone.

    Attributes:
        sentence_id: its name in a corpus.
        link: what it became, or was made from; None for an unchanged one.
        confidence: how sure its label is, with tier and reasons; None where labels have none.
        telling: what raises its confidence most, what lowers it, and the rest, with weights.
        split: where it is; None where it is not in the corpus.
        why_not: why it is not; "" where it is.
        near_duplicates: the group of near-duplicates that it is one of.
        labelled: its row in the corpus of labels; None where it is not there.
        is_of_edit: the whole edit gave no sentence, for this reason.
    """

    sentence_id: str
    role: records.Role
    sentence: records.Sentence
    link: records.Link | None
    confidence: float | None
    tier: records.Tier
    tier_reasons: tuple[str, ...]
    telling: tuple[str, ...]
    split: str | None
    why_not: str
    near_duplicates: str | None = None
    labelled: InLabelled | None = None
    is_of_edit: bool = False


@dataclass(frozen=True, slots=True)
class _Edited:
    """The columns of `edits` that tell which normal forms an edit took out or put in."""

    removed_norm: tuple[str, ...]
    relation: tuple[str, ...]
    added_norm: tuple[str, ...]
    added_relation: tuple[str, ...]


_EDITED = Table(EDITS_TABLE.name, _Edited)


def sentence_outcomes(
    result: ResultTables, edit: records.Edit, verdict: str | None
) -> list[SentenceOutcome]:
    """Return where the sentences of an edit have gone, in order.

    Args:
        result: the folder that the edit is from.
        edit: a row of `diffs`.
        verdict: as the folder records it; None where it records none.
    """
    found = _Outcomes(result, edit, verdict)
    return [found.of(each) for each in found.evidence]


class _Outcomes:
    """Where the sentences of one edit have gone, in the order in which `build` decides.

    Attributes:
        evidence: of each sentence.
    """

    def __init__(self, result: ResultTables, edit: records.Edit, verdict: str | None) -> None:
        self._result, self._made = result, edit.provenance
        self._choice = build.choice_of(result.settings.build, result.settings.detect.lang)
        self.evidence = list(evidence.two_class_evidence([edit], self._choice.tiers))
        norms = {each.sentence.norm for each in self.evidence}
        revision = edit.provenance.after_rev_id
        self._here = {
            row.sentence_id: row for row in result.find(SENTENCES, "after_rev_id", [revision])
        }
        self._labelled: dict[str, list[InLabelled]] = {}
        for row in result.find(LABELLED, "norm", norms):
            self._labelled.setdefault(row.norm, []).append(row)
        self._of_labels = self._is_of_labels()
        # Why no sentence of the edit is in the corpus.
        self._whole = self._why_none(verdict)
        self._present: dict[tuple[str, str], InCorpus] = {}
        self._removed: set[str] = set()
        self._added: set[str] = set()
        if norms and not (self._whole or self._of_labels):
            rows = result.find(SENTENCES, "norm", norms)
            self._present = {(row.norm, _role_of(row)): row for row in rows}
            for column in ("removed_norm", "added_norm"):
                for edited in result.find(_EDITED, column, norms):
                    self._removed.update(_changed(edited.removed_norm, edited.relation))
                    self._added.update(_changed(edited.added_norm, edited.added_relation))

    def of(self, each: evidence.LabelEvidence) -> SentenceOutcome:
        """Return the outcome of a sentence."""
        judged = each.confidence(self._choice.tiers)
        row = self._here.get(each.sentence_id)
        # A corpus of other sentences may stand under this name.
        row = row if row is not None and row.norm == each.sentence.norm else None
        # What an inline tag points at is taken where filters of text drop the edit, too.
        asks = self._result.labels_by == "tags" or not self._whole
        other = self._labelled_row(each) if asks else None
        there = row or other
        return SentenceOutcome(
            sentence_id=each.sentence_id,
            role=evidence.ROLES[each.role],
            sentence=each.sentence,
            link=each.link,
            confidence=judged.value if judged else None,
            tier=judged.tier if judged else "low",
            tier_reasons=judged.reasons if judged else (),
            telling=each.telling,
            split=row.split if row else None,
            why_not="" if there else self._why_not(each),
            near_duplicates=there.near_duplicates if there else None,
            labelled=other,
            is_of_edit=bool(self._whole) and other is None,
        )

    def _is_of_labels(self) -> bool:
        """Return whether the sentences of the edit can be in the corpus of labels alone."""
        gives = signal_of(self._made.signal).gives
        of_two_classes = (
            gives == "negatives" and self._result.has_corpus and self._choice.takes_featured
        )
        return self._result.labels_by == "intents" and gives != "biased" and not of_two_classes

    def _why_none(self, verdict: str | None) -> str:
        if verdict is None:
            return "the edit has no verdict yet"
        if verdict != records.KEPT:
            return f"the edit was dropped: {verdict}"
        if self._of_labels:
            return ""
        gives = signal_of(self._made.signal).gives
        if gives == "negatives":
            if not self._choice.takes_featured:
                return "featured articles give sentences where asked for: build --negatives"
        elif gives != "biased":
            return "its sentences make a corpus of labels: wikibias build --labels intents"
        unit = self._result.settings.build.unit
        of_others = "the corpus is one of paragraphs" if unit == "paragraph" else ""
        return of_others if self._result.has_corpus else "no corpus is built"

    def _labelled_row(self, each: evidence.LabelEvidence) -> InLabelled | None:
        """Return the row of labels that a sentence is, or that it was joined with on its page."""
        rows, by_tags = self._labelled.get(each.sentence.norm, []), self._result.labels_by == "tags"
        # By intents only what an edit took out is a positive; a tag may point at any.
        of_page = [
            row
            for row in rows
            if (row.wiki, row.page_id) == (self._made.wiki, self._made.page_id)
            and (by_tags or (row.negative is None) == (each.role == evidence.REMOVED))
        ]
        own = [row for row in rows if row.sentence_id == each.sentence_id]
        return next(iter([*own, *of_page]), None)

    def _why_not(self, each: evidence.LabelEvidence) -> str:
        """Return why a sentence is in no corpus."""
        if self._whole:
            return self._whole
        asked = each._replace(of_edit=None) if self._of_labels else each
        if reason := candidates.EXCLUSIONS[candidates.exclusion(asked, self._choice)[0]]:
            return self._exclusion(each.sentence, reason)
        why = self._why_no_negative(each) if self._of_labels else self._why_no_candidate(each)
        return why or " or ".join(self._not_drawn(each.role))

    def _why_no_candidate(self, each: evidence.LabelEvidence) -> str:
        norm = each.sentence.norm
        if norm in self._removed and norm in self._added:
            return "in both classes: one edit removed it, and one added it"
        if (
            each.role in (evidence.UNCHANGED, evidence.FEATURED)
            and norm in self._removed | self._added
        ):
            return "a kept edit removed or added it elsewhere"
        other = self._present.get((norm, evidence.ROLES[each.role]))
        return f"duplicate of {other.sentence_id}" if other else ""

    def _exclusion(self, sentence: records.Sentence, reason: str) -> str:
        lengths, length = self._choice.lengths, counted(words(sentence.norm), "word")
        known = {
            "moved": "the same words stand in the other revision",
            "number_only": "only numbers changed in it",
            "too_short": f"too short: {length}, min_tokens is {lengths.start}",
            "too_long": f"too long: {length}, max_tokens is {lengths.stop - 1}",
            "other_script": "its letters are of a script that the language does not use",
            "tag_stands": "the page was still tagged, or soon again",
            "below_min_tier": f"its tier is below {self._choice.min_tier} (--min-tier)",
            "below_min_confidence": f"its confidence is below {self._choice.min_confidence:g} "
            "(--min-confidence)",
        }
        return known.get(reason) or f"in a line of the kind {reason} (--block)"

    def _why_no_negative(self, each: evidence.LabelEvidence) -> str:
        if each.role == evidence.REMOVED:
            return ""
        rows = self._labelled.get(each.sentence.norm, [])
        if positive := next((row for row in rows if row.negative is None), None):
            return f"the same words are a positive: {positive.sentence_id}"
        if rows:
            return f"duplicate of {rows[0].sentence_id}"
        is_made = each.link is not None and each.link.relation == "rewritten"
        takes_no_place = each.role == evidence.ADDED and not is_made
        return "no negative: it takes the place of no one sentence" if takes_no_place else ""

    def _not_drawn(self, role: int) -> list[str]:
        """Return what the choice of the whole corpus may have left a sentence out for."""
        made = self._result.composition or {}
        left_out = (made["labelled"] if self._of_labels else made)["left_out"]
        counts = {
            name: number if self._of_labels else number.get(evidence.ROLES[role])
            for name, number in left_out.items()
        }
        reasons = []
        if counts.get("near_duplicate"):
            reasons.append("near-duplicate of a sentence in another split")
        if role != evidence.REMOVED:
            reasons.append(
                "not drawn: other negatives were enough"
                if self._of_labels
                else "not drawn: no biased sentence of its length and topic wanted one "
                "(--negatives)"
                if role == evidence.FEATURED
                else "not drawn: there are more neutral sentences than the balance needs"
            )
        elif counts.get("max_per_edit"):
            reasons.append("the edit gives as many as it may (--max-per-edit)")
        return reasons or ["not known; try `wikibias build --restart`"]


def _role_of(row: InCorpus) -> str:
    return row.sentence_id.rsplit("-", 2)[-2] if row.sentence_id.count("-") > 1 else ""


def _changed(norms: tuple[str, ...], relations: tuple[str, ...]) -> Iterator[str]:
    """Yield the normal forms that one side of an edit has and the other has not."""
    if not relations:
        yield from norms
    for norm, relation in zip(norms, relations, strict=False):
        if relation not in UNCHANGING:
            yield norm


def in_labelled(sentence: SentenceOutcome) -> str:
    """Return where a sentence stands in the corpus of labels; "" where it does not."""
    row = sentence.labelled
    if row is None:
        return ""
    if row.negative is None:
        what = f"label{'s' if len(row.labels) > 1 else ''} {', '.join(row.labels)}"
    else:
        what = f"negative ({row.negative}) for {', '.join(row.judged)}"
    name = "" if row.sentence_id == sentence.sentence_id else f", as {row.sentence_id}"
    return f"labelled, {what}, split {row.split}{name}"
