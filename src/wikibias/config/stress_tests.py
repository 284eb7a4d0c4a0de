"""Stress tests, from `configs/stress/LANG.toml`: templates, and the words that fill them.

`{city}` stands for a word of the list `city`, and `{country.in}` for the form `in` of a word of the
list `country`; a list gives a sentence one word. `<adverb>` stands for a word that is only put into
the changed sentence of a DIR test, and is nothing in the original.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from wikibias.config import resources
from wikibias.errors import UsageError, nearest
from wikibias.kits.checked import ConflictError, Meta, NonEmpty, read_toml

StressKind = Literal["MFT", "INV", "DIR"]
"""Minimum functionality, invariance and directional expectation (Ribeiro et al. 2020)."""
FOLDER = "stress"
SLOT = re.compile(r"([{<])([^{}<>.]*)(?:\.([^{}<>]*))?[}>]")
"""A slot of a template: its bracket, the list, and the form or nothing."""
_PARTED = "|"


@dataclass(frozen=True, slots=True)
class Words:
    """Words for slots.

    Attributes:
        name: of the list.
        words: each with all its forms, parted by `|`, where there are several.
        forms: names of these, in order.
    """

    name: NonEmpty
    words: Annotated[tuple[NonEmpty, ...], Meta(min_length=1)]
    forms: tuple[NonEmpty, ...] = ()

    def __post_init__(self) -> None:
        wanted = len(self.forms) or 1
        for word in self.words:
            parts = [part.strip() for part in word.split(_PARTED)]
            if len(parts) != wanted or not all(parts):
                raise ConflictError(
                    ("words",),
                    f"the list {self.name!r}: {word[:60]!r} must have "
                    f"{f'{wanted} forms, parted by |' if self.forms else 'no | in it'}",
                )
        if len(set(self.words)) < len(self.words):
            raise ConflictError(("words",), f"the list {self.name!r} has a word twice")

    def word(self, place: int, form: str | None) -> str:
        """Return a form of a word; without a name of one, the first."""
        parts = self.words[place].split(_PARTED)
        return parts[self.forms.index(form) if form else 0].strip()


@dataclass(frozen=True, slots=True)
class TemplateSet:
    """Templates of one category; of an INV test `swap` names the list whose word is swapped."""

    category: NonEmpty
    neutral: tuple[NonEmpty, ...] = ()
    biased: tuple[NonEmpty, ...] = ()
    swap: str = ""

    def __post_init__(self) -> None:
        if not self.neutral and not self.biased:
            raise ConflictError(("neutral",), f"the category {self.category!r} has no templates")


@dataclass(frozen=True, slots=True)
class StressTest:
    """A test: its kind, what it expects in words, and its templates by category."""

    name: NonEmpty
    kind: StressKind
    about: NonEmpty
    templates: Annotated[tuple[TemplateSet, ...], Meta(min_length=1)]


@dataclass(frozen=True)
class StressTests:
    """The tests of a language, in the order of the file."""

    language: NonEmpty
    list: tuple[Words, ...]
    test: Annotated[tuple[StressTest, ...], Meta(min_length=1)]

    @cached_property
    def words(self) -> Mapping[str, Words]:
        """The lists by name."""
        return {each.name: each for each in self.list}


def stress_languages() -> list[str]:
    """Return the languages that have a `configs/stress/LANG.toml`, sorted."""
    return resources.known(FOLDER)


def load_stress_tests(language: str) -> StressTests:
    """Read `configs/stress/LANG.toml`, the user's own or the one shipped.

    Raises:
        UsageError: there is none, or it is broken; the message names file, line and key.
    """
    remedy = ". To write some: wikibias docs audit"
    path = resources.named_file(FOLDER, language, "no stress tests for", remedy)
    return read_stress_tests(path)


def read_stress_tests(path: Path) -> StressTests:
    """Read a file of stress tests.

    Raises:
        UsageError: it is broken; the message names file, line and key.
    """
    tests, file = read_toml(path, StressTests)
    named = {"list": [each.name for each in tests.list], "test": [each.name for each in tests.test]}
    for key, found in named.items():
        for number, name in enumerate(found):
            if name in found[:number]:
                raise UsageError(f"{file.at((key, number, 'name'))}: {name!r} is there twice")
    for number, test in enumerate(tests.test):
        for place, templates in enumerate(test.templates):
            at = ("test", number, "templates", place)
            for label in ("neutral", "biased"):
                for template in getattr(templates, label):
                    for fault in _faults(tests, test, templates, label, template):
                        where = file.at((*at, label), template)
                        raise UsageError(f"{where}: {template[:60]!r}: {fault}")
    return tests


def slots(template: str) -> list[tuple[str, str, str | None]]:
    """Return the slots of a template: bracket, list, and form or None."""
    return [(found[1], found[2], found[3]) for found in SLOT.finditer(template)]


def _faults(
    tests: StressTests, test: StressTest, templates: TemplateSet, label: str, template: str
) -> Iterator[str]:
    """Yield what is wrong with a template."""
    found = slots(template)
    for _, name, form in found:
        forms = tests.words[name].forms if name in tests.words else ()
        if name not in tests.words:
            yield f"unknown list {name!r}{nearest(name, tests.words)}"
        elif forms and form not in forms:
            shown = ", ".join(forms)
            yield f"name a form of the list {name!r}, such as {name}.{forms[0]}: {shown}"
        elif form and not forms:
            yield f"the list {name!r} has no forms"
    if any(mark in SLOT.sub("", template) for mark in "{}<>"):
        yield "a bracket stands alone, or a slot has no name"
    puts_in = any(bracket == "<" for bracket, *_ in found)
    if test.kind != "DIR" and puts_in:
        yield "a <list> to put in goes with a test of kind DIR"
    if test.kind == "DIR" and (label == "biased" or not puts_in):
        yield "a test of kind DIR has neutral templates with a <list> to put in"
    if test.kind != "INV" and templates.swap:
        yield "swap goes with a test of kind INV"
    if test.kind == "INV":
        if templates.swap not in {name for _, name, _ in found}:
            yield f"it has no slot of the list that is swapped, swap = {templates.swap!r}"
        elif len(tests.words[templates.swap].words) < 2:
            yield f"the list {templates.swap!r} has no other word to swap with"
