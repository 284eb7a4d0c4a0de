"""Tasks for language models, from `configs/prompts/NAME.toml`: labels, their words, a template.

The template is a file of Jinja2 beside it; examples with explanations stand in a pool, a table.
What these hold is sent to a model, maybe on a server, and a task may be a stranger's: it names no
file outside its own folder.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from wikibias.config import resources
from wikibias.config.resources import folder
from wikibias.errors import UsageError
from wikibias.kits.checked import (
    ConflictError,
    Meta,
    NonEmpty,
    TomlFile,
    read_text,
    read_toml,
    shown,
)
from wikibias.messages import nearest

_FOLDER = "prompts"
_TEMPLATE = ".j2"
_UNPARSED = "?"
COLUMNS = (
    "item", "annotator", "answer", "model", "version", "prompt", "prompt_hash", "temperature",
    "seed", "finish", "tokens_in", "tokens_out",
)  # fmt: skip
"""Of the table of answers, beside the one that has the name of the question."""
_LONGEST_WORD = 200


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels, and how a model writes them.

    Attributes:
        words: what says each label, letter case aside; the first is what prompts ask for.
        whole_words: whether BIASED in UNBIASED says nothing. Scripts without spaces need False.
    """

    words: Mapping[str, tuple[str, ...]]
    whole_words: bool = True

    @property
    def asked_for(self) -> tuple[str, ...]:
        """What a prompt asks for: the first word of each label."""
        return tuple(words[0] for words in self.words.values())

    def value(self, word: str) -> str | None:
        """Return the label that a text names as a whole, by its value or one of its words."""
        said = " ".join(word.split()).casefold()
        for value, words in self.words.items():
            if said in (value.casefold(), *(each.casefold() for each in words)):
                return value
        return None


@dataclass(frozen=True, slots=True)
class PromptTask:
    """What a language model is asked.

    Attributes:
        name: of the task, and of its file.
        about: what it asks, in a line.
        question: the column of the answers.
        labels: what it may answer.
        template: the text of the template.
        system: what the model is told first, in settings with `+sys` or with examples.
        pool: the table of examples; None where there is none.
        path: its file.
    """

    name: str
    about: str
    question: str
    labels: Labels
    template: str
    system: str
    pool: Path | None
    path: Path


@dataclass(frozen=True, slots=True)
class _Form:
    """What the file may hold."""

    name: NonEmpty
    about: NonEmpty
    question: NonEmpty
    template: NonEmpty
    labels: Mapping[NonEmpty, Annotated[tuple[NonEmpty, ...], Meta(min_length=1)]]
    system: str = ""
    pool: str = ""
    whole_words: bool = True

    def __post_init__(self) -> None:
        if len(self.labels) < 2:
            raise ConflictError(("labels",), "labels are too few; give two or more")
        if self.question in (*COLUMNS, "text"):
            raise ConflictError(
                ("question",),
                f"question {self.question!r} is another column of the answers; give another name, "
                "such as 'bias'",
            )
        if _UNPARSED in self.labels:
            raise ConflictError(
                ("labels",), "no label is called '?', which stands for no answer; rename it"
            )
        seen: dict[str, str] = {}
        for label, words in self.labels.items():
            for word in words:
                if word != " ".join(word.split()) or len(word) > _LONGEST_WORD:
                    raise ConflictError(
                        ("labels",),
                        f"{word[:40]!r} of the label {label!r} is no word or phrase on one line",
                    )
                other = seen.setdefault(word.casefold(), label)
                if other != label:
                    raise ConflictError(
                        ("labels",), f"{word!r} says both {other!r} and {label!r}; remove one"
                    )


def prompt_tasks() -> list[str]:
    """Return the names of all tasks, a user's own and the shipped."""
    return resources.known(_FOLDER)


def load_prompt_task(name: str) -> PromptTask:
    """Read a task by its name, or by the path of its file, which ends in .toml.

    Raises:
        UsageError: there is none, or it is broken; the message names file, line and key.
    """
    path = resources.file_of(_FOLDER, name)
    if path is None:
        raise UsageError(
            f"unknown task {name[:60]!r}{nearest(name, prompt_tasks())}. For a task of your own: "
            "wikibias docs annotate-with-language-models"
        )
    return read_prompt_task(path)


def read_prompt_task(path: Path) -> PromptTask:
    """Read the file of a task, and its template.

    Raises:
        UsageError: one of them is missing or broken; the message names file, line and key.
    """
    form, file = read_toml(path, _Form)
    if form.name != path.stem or not resources.is_name(form.name):
        raise UsageError(
            f"{file.at(('name',))}: name must be {path.stem!r}, as the file is named, in small "
            "letters, digits and hyphens"
        )
    if not form.template.endswith(_TEMPLATE):
        raise UsageError(
            f"{file.at(('template',))}: {shown(form.template)} must end in {_TEMPLATE}, as "
            "templates do; rename it"
        )
    pool = _beside(file, "pool", form.pool, "--pool") if form.pool else None
    if pool is not None and not pool.is_file():
        raise UsageError(f"{file.at(('pool',))}: {pool}: no such file")
    return PromptTask(
        name=form.name,
        about=form.about,
        question=form.question,
        labels=Labels(form.labels, form.whole_words),
        template=read_text(_beside(file, "template", form.template, "--prompt")),
        system=form.system,
        pool=pool,
        path=path,
    )


def _beside(file: TomlFile, key: str, name: str, option: str) -> Path:
    """Return the file that a task names.

    Raises:
        UsageError: it is neither in the folder of the task nor in that of the shipped tasks, links
            followed.
    """
    path = file.path.parent / name
    try:
        real = Path(os.path.realpath(path))
    except ValueError as error:
        raise UsageError(f"{file.at((key,))}: {shown(name)} is no name of a file") from error
    homes = (file.path.parent, file.path.resolve().parent, folder("configs") / _FOLDER)
    if not any(real.is_relative_to(home.resolve()) for home in homes):
        raise UsageError(
            f"{file.at((key,))}: {shown(name)} is outside the folder of the task; copy it there, "
            f"or give it with {option}"
        )
    return path
