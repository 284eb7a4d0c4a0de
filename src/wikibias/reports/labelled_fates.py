"""Where a sentence of an edit stands in a corpus of labels, or why it does not."""

from __future__ import annotations

from collections.abc import Iterable

from wikibias.corpus.candidates import Choice
from wikibias.messages import counted
from wikibias.records import Edit, Link, Role, Sentence
from wikibias.reports.corpus_statistics import numbers, section
from wikibias.reports.result_folder import InLabelled, ResultFolder
from wikibias.text.unsegmented import words


class LabelledFates:
    """What became of the sentences of one edit in the corpus of labels of a folder."""

    def __init__(
        self, result: ResultFolder, choice: Choice, edit: Edit, sentences: Iterable[Sentence]
    ) -> None:
        self._choice, self._made, self._by = choice, edit.provenance, result.labels_by
        self._left_out = numbers(section(result.composition, "labelled", "left_out"))
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
