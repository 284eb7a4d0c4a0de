"""What a browser sends as an answer, checked against the guidelines: anybody can send anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.config.guidelines import Guidelines, Practice, Question
from wikibias.errors import UsageError

LONGEST_COMMENT = 5000  # characters
MOST_SPANS = 500


def judgement(guidelines: Guidelines, text: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer as a row of a long table has it, without item and annotator.

    Args:
        guidelines: what was asked.
        text: what was labelled.
        said: `answers` by question, a value or a list of several; `spans` and `comment`.

    Raises:
        UsageError: a question is not answered, or an answer is none that may be given.
    """
    answers = said.get("answers")
    if not isinstance(answers, dict):
        raise UsageError("no answers were sent")
    row: dict[str, Any] = {
        question.name: _chosen(question, answers.get(question.name))
        for question in guidelines.questions
    }
    if guidelines.spans:
        row["spans"] = _spans(guidelines.spans, text, said.get("spans", []))
    comment = said.get("comment", "")
    if not isinstance(comment, str) or len(comment) > LONGEST_COMMENT or not _is_whole(comment):
        raise UsageError(f"the comment must be a text of up to {LONGEST_COMMENT:,} characters")
    return {**row, "comment": comment.strip()}


def _chosen(question: Question, value: Any) -> str | list[str]:
    given = value if question.several else [value]
    if not isinstance(given, list) or not all(each in question.values for each in given):
        what = "none, or any of" if question.several else "one of"
        raise UsageError(f"{question.text} Choose {what} {', '.join(question.values)}.")
    return [each for each in question.values if each in given] if question.several else given[0]


def _spans(labels: tuple[str, ...], text: str, value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or len(value) > MOST_SPANS:
        raise UsageError(f"marks must be a list of up to {MOST_SPANS}")
    found = set()
    for each in value:
        if not isinstance(each, dict):
            raise UsageError("a mark must have start, end and label")
        start, end, label = each.get("start"), each.get("end"), each.get("label")
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
            raise UsageError("a mark does not lie in the sentence")
        if label not in labels:
            raise UsageError(f"a mark must be one of {', '.join(labels)}")
        found.add((start, end, labels.index(label)))
    return [{"start": start, "end": end, "label": labels[at]} for start, end, at in sorted(found)]


def feedback(
    guidelines: Guidelines, practice: Practice, row: Mapping[str, Any]
) -> dict[str, str | bool]:
    """Return what an annotator is told who has answered a practice item."""
    given = {name: _listed(row[name]) for name in practice.answers}
    return {
        "right": all(set(given[name]) == set(each) for name, each in practice.answers.items()),
        "said": _in_words(guidelines, given),
        "expected": _in_words(guidelines, practice.answers),
        "why": practice.why,
    }


def _in_words(guidelines: Guidelines, answers: Mapping[str, Sequence[str]]) -> str:
    """Return what is answered, by the words of the choices before their colon."""
    texts = [
        choice.text.partition(":")[0]
        for question in guidelines.questions
        for choice in question.choices
        if choice.value in answers[question.name]
    ]
    return ", ".join(texts) or "None of these"


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def _is_whole(text: str) -> bool:
    """Return whether a text holds no half of a character, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
