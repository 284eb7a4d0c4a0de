"""Guidelines for annotators, from `configs/guidelines/NAME.toml`: what is asked, and how to answer.

The labelling page and the tables of answers follow from them: each question is a column.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from wikibias.config import resources
from wikibias.errors import UsageError
from wikibias.kits.checked import ConflictError, NonEmpty, Place, read_toml

View = Literal["sentence", "pair"]
"""What is shown: a sentence with what stood around it, or a sentence before and after its edit."""
COLUMNS = ("item", "annotator", "spans", "comment")
"""What a table of answers has beside its questions."""
NONE_KEY = "0"
"""Says of a question with several choices that none holds."""
PAGE_KEYS = "cgmu"
"""What the labelling page needs itself: comment, guidelines, marking, undo."""
MOST_SPAN_LABELS = 9
_FOLDER = "guidelines"
_COLUMN = re.compile(r"[a-z][a-z0-9_]*")
_KEY = re.compile(r"[1-9a-z]")


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer that may be chosen: its `value` in tables, what it means, and its key."""

    value: NonEmpty
    text: NonEmpty
    key: NonEmpty

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key) or self.key in PAGE_KEYS:
            raise ConflictError(
                ("key",),
                f"the key {self.key!r} must be one of 1 to 9 or a small letter, and none of "
                f"{', '.join(PAGE_KEYS)}, which the page needs",
            )


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of each sentence; with `several`, any number of choices may hold, or none."""

    name: NonEmpty
    text: NonEmpty
    choices: tuple[Choice, ...]
    several: bool = False

    def __post_init__(self) -> None:
        if not _COLUMN.fullmatch(self.name) or self.name in COLUMNS:
            raise ConflictError(
                ("name",),
                f"the name {self.name!r} is to head a column: write small letters, digits and _, "
                f"and none of {', '.join(COLUMNS)}",
            )
        if len(self.choices) < (1 if self.several else 2):
            raise ConflictError(
                ("choices",), f"the question {self.name!r} leaves no choice; add [[choices]] to it"
            )
        if len({choice.value for choice in self.choices}) < len(self.choices):
            raise ConflictError(
                ("choices",), f"two choices of the question {self.name!r} have one value"
            )

    @property
    def values(self) -> tuple[str, ...]:
        """The values that may be chosen, in order."""
        return tuple(choice.value for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Practice:
    """A sentence to learn with: `answers` by question, and `why` they are right."""

    text: NonEmpty
    why: NonEmpty
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    counterpart: NonEmpty | None = None


@dataclass(frozen=True, slots=True)
class Guidelines:
    """What annotators are told and asked.

    Attributes:
        name: of the file.
        title: what the page is headed with.
        about: what is to be done; a blank line parts paragraphs.
        questions: what is asked of each sentence.
        rules: what to go by, one sentence each.
        view: what is shown.
        spans: labels that words may be marked with; none where nothing is marked.
        practice: what comes first, to learn with.
    """

    name: NonEmpty
    title: NonEmpty
    about: NonEmpty
    questions: tuple[Question, ...]
    rules: tuple[NonEmpty, ...] = ()
    view: View = "sentence"
    spans: tuple[NonEmpty, ...] = ()
    practice: tuple[Practice, ...] = ()


def load_guidelines(name: str) -> Guidelines:
    """Read guidelines by name, the user's own or those shipped, or by the path of a .toml file.

    Raises:
        UsageError: there are none, or they are broken; the message names file, line and key.
    """
    remedy = "; or give a file that ends in .toml"
    path = resources.named_file(_FOLDER, name, "unknown guidelines", remedy)
    found, file = read_toml(path, Guidelines)
    for place, fault in (*_faults(found, path.stem), *_faults_of_practice(found)):
        raise UsageError(f"{file.at(place)}: {fault}")
    return found


def _faults(found: Guidelines, stem: str) -> Iterator[tuple[Place, str]]:
    """Yield what does not fit together, and where it stands."""
    if found.name != stem:
        yield ("name",), f"name must be {stem!r}, as the file is named"
    if not found.questions:
        yield ("title",), "nothing is asked; add [[questions]] with [[questions.choices]]"
    if len(set(found.spans)) < len(found.spans) or len(found.spans) > MOST_SPAN_LABELS:
        yield ("spans",), f"spans must be up to {MOST_SPAN_LABELS} labels, each another"
    seen_names, seen_keys = set[str](), set[str]()
    for number, question in enumerate(found.questions):
        if question.name in seen_names:
            yield ("questions", number, "name"), f"two questions are called {question.name!r}"
        seen_names.add(question.name)
        for place, choice in enumerate(question.choices):
            if choice.key in seen_keys:
                yield (
                    ("questions", number, "choices", place, "key"),
                    f"the key {choice.key!r} stands for two choices; give each its own",
                )
            seen_keys.add(choice.key)


def _faults_of_practice(found: Guidelines) -> Iterator[tuple[Place, str]]:
    asked = {question.name for question in found.questions}
    for number, practice in enumerate(found.practice):
        if found.view == "pair" and practice.counterpart is None:
            yield ("practice", number, "text"), "pairs are shown: give the practice a counterpart"
        for question in found.questions:
            given = practice.answers.get(question.name)
            wrong = [value for value in given or () if value not in question.values]
            if given is None or wrong or not (question.several or len(given) == 1):
                many = "a list of" if question.several else "a list with one of"
                yield (
                    ("practice", number, "answers"),
                    f"the practice must answer {question.name!r} by {many} "
                    f"{', '.join(question.values)}",
                )
        for name in practice.answers:
            if name not in asked:
                yield ("practice", number, "answers"), f"nothing asks {name!r}"
