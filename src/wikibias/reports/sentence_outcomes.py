"""The outcome of each sentence of an edit: its split and tier, or why it is not in the corpus."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from wikibias.config.signals import signal_of
from wikibias.corpus.candidates import EXCLUSIONS, Choice, exclusion
from wikibias.corpus.evidence import ADDED, FEATURED, REMOVED, ROLES, UNCHANGED, two_class_evidence
from wikibias.edits.label_confidence import UNCHANGING
from wikibias.kits.schemas import EDITS_TABLE, Table
from wikibias.messages import counted
from wikibias.pipeline.build import choice_of
from wikibias.records import KEPT, Edit, Link, Role, Sentence, Tier
from wikibias.reports.result_folder import InCorpus, InLabelled, ResultTables
from wikibias.text.unsegmented import words


class LabelledOutcomes:
    """What became of the sentences of one edit in the corpus of labels of a folder."""

    def __init__(
        self, result: ResultTables, choice: Choice, edit: Edit, sentences: Iterable[Sentence]
    ) -> None:
        self._choice, self._made, self._by = choice, edit.provenance, result.labels_by
        self._left_out = ((result.composition or {}).get("labelled") or {}).get("left_out", {})
        self._rows: dict[str, list[InLabelled]] = {}
        if self._by is not None:
            for row in result.labelled("norm", {each.norm for each in sentences}):
                self._rows.setdefault(row.norm, []).append(row)

    def row_of(self, named: str, role: Role, sentence: Sentence) -> InLabelled | None:
        """Return the row that a sentence is, or that it was joined with on its page."""
        rows = self._rows.get(sentence.norm, [])
        if own := next((row for row in rows if row.sentence_id == named), None):
            return own
        made = self._made
        for row in rows:
            # By intents only what an edit took out is a positive; a tag may point at any.
            of_role = self._by == "tags" or (row.negative is None) == (role == "removed")
            if of_role and (row.wiki, row.page_id) == (made.wiki, made.page_id):
                return row
        return None

    def why_not(self, role: Role, sentence: Sentence, link: Link | None) -> str:
        """Return why a sentence of a kept edit with an intent is in no split."""
        lengths, length = self._choice.lengths, words(sentence.norm)
        if sentence.block not in self._choice.blocks:
            return f"in a line of the kind {sentence.block} (--block)"
        if length not in lengths:
            short = length < lengths.start
            limit = f"min_tokens is {lengths.start}" if short else f"max_tokens is {lengths[-1]}"
            return f"too {'short' if short else 'long'}: {counted(length, 'word')}, {limit}"
        near = "near-duplicate of a sentence in another split"
        drawn = [near] if self._left_out.get("near_duplicate") else []
        if role == "removed":
            return " or ".join(drawn) or "not known; try `wikibias build --restart`"
        drawn.append("not drawn: other negatives were enough")
        return self._why_no_negative(role, sentence, link) or " or ".join(drawn)

    def _why_no_negative(self, role: Role, sentence: Sentence, link: Link | None) -> str:
        rows = self._rows.get(sentence.norm, [])
        if positive := next((row for row in rows if row.negative is None), None):
            return f"the same words are a positive: {positive.sentence_id}"
        if rows:
            return f"duplicate of {rows[0].sentence_id}"
        is_made = link is not None and link.relation == "rewritten"
        takes_no_place = role == "added" and not is_made
        return "no negative: it takes the place of no one sentence" if takes_no_place else ""


@dataclass(frozen=True, slots=True)
class SentenceOutcome:
    """A sentence of an edit, and where it has gone.

    Attributes:
        sentence_id: its name in a corpus.
        link: what it became, or was made from; None for an unchanged one.
        tier: how far its label could be trusted, with the reasons.
        split: where it is; None where it is not in the corpus.
        why_not: why it is not; "" where it is.
        near_duplicates: the group of near-duplicates that it is one of.
        labelled: its row in the corpus of labels; None where it is not there.
        is_of_edit: the whole edit gave no sentence, for this reason.
    """

    sentence_id: str
    role: Role
    sentence: Sentence
    link: Link | None
    tier: Tier
    tier_reasons: tuple[str, ...]
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
    result: ResultTables, edit: Edit, verdict: str | None
) -> list[SentenceOutcome]:
    """Return where the sentences of an edit have gone, in order.

    Args:
        result: the folder that the edit is from.
        edit: a row of `diffs`.
        verdict: as the folder records it; None where it records none.
    """
    choice = choice_of(result.settings.build)
    here = {row.sentence_id: row for row in result.sentences("after_rev_id", [_revision(edit)])}
    found, excluded = [], []
    every = list(two_class_evidence([edit], choice.tiers))
    tiers = [each.confidence(choice.tiers) for each in every]
    for each, judged in zip(every, tiers, strict=True):
        excluded.append(EXCLUSIONS[exclusion(each, judged, choice)])
    left = {
        each.sentence.norm
        for each, why in zip(every, excluded, strict=True)
        if not why and each.sentence_id not in here
    }
    labelled = LabelledOutcomes(result, choice, edit, (each.sentence for each in every))
    with_labels = _of_labels(result, choice, edit)
    why_not_in = _WhyNot(result, choice, verdict, edit, set() if with_labels else left)
    for each, judged, excluded_for in zip(every, tiers, excluded, strict=True):
        role, sentence, link, named = each.role, each.sentence, each.link, each.sentence_id
        row = here.get(named)
        # A corpus of other sentences may stand under this name.
        row = row if row is not None and row.norm == sentence.norm else None
        # What an inline tag points at is taken where filters of text drop the edit, too.
        asks = result.labels_by == "tags" or not why_not_in.whole
        other = labelled.row_of(named, ROLES[role], sentence) if asks else None
        if row or other:
            why_not = ""
        elif with_labels and not why_not_in.whole:
            why_not = labelled.why_not(ROLES[role], sentence, link)
        else:
            why_not = why_not_in.of(role, sentence, excluded_for)
        found.append(
            SentenceOutcome(
                sentence_id=named,
                role=ROLES[role],
                sentence=sentence,
                link=link,
                tier=judged.tier if judged else "low",
                tier_reasons=judged.reasons if judged else (),
                split=row.split if row else None,
                why_not=why_not,
                near_duplicates=shown.near_duplicates if (shown := row or other) else None,
                labelled=other,
                is_of_edit=bool(why_not_in.whole) and other is None,
            )
        )
    return found


def _of_labels(result: ResultTables, choice: Choice, edit: Edit) -> bool:
    """Return whether the sentences of an edit can be in the corpus of labels alone."""
    signal = edit.provenance.signal
    of_two_classes = (
        signal_of(signal).gives == "negatives" and result.has_corpus and choice.takes_featured
    )
    is_intent = signal_of(signal).gives != "biased"
    return result.labels_by == "intents" and is_intent and not of_two_classes


def _revision(edit: Edit) -> int:
    return edit.provenance.after_rev_id


class _WhyNot:
    """Tells why sentences of an edit are not in the corpus, in the order in which `build` decides.

    `norms` are the normal forms of those that might be in it: what other edits did with them is
    looked up at once. `whole` is why none of the edit's is in it; "" where some may be.
    """

    def __init__(
        self, result: ResultTables, choice: Choice, verdict: str | None, edit: Edit, norms: set[str]
    ) -> None:
        self._result, self._choice, self._edit = result, choice, edit
        self.whole = self._of_edit(verdict)
        self._present: Mapping[tuple[str, str], InCorpus] = {}
        self._removed: set[str] = set()
        self._added: set[str] = set()
        if norms and not self.whole:
            rows = result.sentences("norm", norms)
            self._present = {(row.norm, _role_of(row)): row for row in rows}
            self._look_up(norms)

    def _of_edit(self, verdict: str | None) -> str:
        if verdict is None:
            return "the edit has no verdict yet"
        if verdict != KEPT:
            return f"the edit was dropped: {verdict}"
        signal = self._edit.provenance.signal
        if _of_labels(self._result, self._choice, self._edit):
            return ""
        if signal_of(signal).gives == "negatives":
            if not self._choice.takes_featured:
                return "featured articles give sentences where asked for: build --negatives"
        elif signal_of(signal).gives != "biased":
            return "its sentences make a corpus of labels: wikibias build --labels intents"
        return "" if self._result.has_corpus else "no corpus is built"

    def _look_up(self, norms: set[str]) -> None:
        for column in ("removed_norm", "added_norm"):
            for row in self._result.find(_EDITED, column, norms):
                self._removed.update(_changed(row.removed_norm, row.relation))
                self._added.update(_changed(row.added_norm, row.added_relation))

    def of(self, role: int, sentence: Sentence, fate: str) -> str:
        """Return why a sentence is not in the corpus."""
        if self.whole:
            return self.whole
        if fate:
            return self._of_fate(sentence, fate)
        norm = sentence.norm
        if norm in self._removed and norm in self._added:
            return "in both classes: one edit removed it, and one added it"
        if role in (UNCHANGED, FEATURED) and (norm in self._removed or norm in self._added):
            return "a kept edit removed or added it elsewhere"
        if other := self._present.get((norm, ROLES[role])):
            return f"duplicate of {other.sentence_id}"
        return " or ".join(self._drawn(role)) or "not known; try `wikibias build --restart`"

    def _of_fate(self, sentence: Sentence, fate: str) -> str:
        lengths = self._choice.lengths
        length = counted(words(sentence.norm), "word")
        said = {
            "moved": "the same words stand in the other revision",
            "number_only": "only numbers changed in it",
            "too_short": f"too short: {length}, min_tokens is {lengths.start}",
            "too_long": f"too long: {length}, max_tokens is {lengths.stop - 1}",
            "tag_stands": "the page was still tagged, or soon again",
            "below_min_tier": f"its tier is below {self._choice.min_tier} (--min-tier)",
        }
        return said.get(fate) or f"in a line of the kind {fate} (--block)"

    def _drawn(self, role: int) -> Iterator[str]:
        """Yield what the choice of the whole corpus may have left it out for."""
        left_out = (self._result.composition or {}).get("left_out") or {}

        def counts(name: str) -> bool:
            of_name = left_out.get(name)
            return isinstance(of_name, dict) and bool(of_name.get(ROLES[role]))

        if counts("near_duplicate"):
            yield "near-duplicate of a sentence in another split"
        if role == REMOVED:
            if counts("max_per_edit"):
                yield "the edit gives as many as it may (--max-per-edit)"
        elif role == FEATURED:
            yield "not drawn: no biased sentence of its length and topic wanted one (--negatives)"
        elif role in (ADDED, UNCHANGED):
            yield "not drawn: there are more neutral sentences than the balance needs"


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
