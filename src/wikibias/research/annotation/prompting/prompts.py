"""What is sent to a language model about a sentence: a task in one of its settings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.config.prompts import PromptTask
from wikibias.errors import UsageError
from wikibias.messages import counted, nearest
from wikibias.research.annotation.prompting.labels import (
    Rule,
    answer_schema,
    read_label,
    read_structured,
)
from wikibias.research.annotation.prompting.pools import (
    Choose,
    Example,
    Retrieval,
    at_random,
    by_encoder,
    by_letters,
    most_similar,
    read_pool,
)
from wikibias.research.annotation.prompting.templates import template
from wikibias.research.language_models.messages import Message

SETTINGS = (
    "0-shot",
    "0-shot+sys",
    "0-shot-exp",
    "2-shot",
    "4-shot",
    "8-shot",
    "2-shot-exp",
    "4-shot-exp",
    "8-shot-exp",
)
"""Those of Horych et al. 2025, Table 1; other numbers of examples are written likewise."""
_SETTING = re.compile(r"([0-9]{1,3})-shot(\+sys)?(-exp)?")


@dataclass(frozen=True, slots=True)
class Setting:
    """How a model is asked.

    Attributes:
        name: such as "8-shot-exp".
        shots: how many examples the prompt shows.
        system: whether the system text of the task stands first: with examples it always does.
        explain: whether examples give reasons, and the model is to give some before it answers.
    """

    name: str
    shots: int
    system: bool
    explain: bool


def setting_of(name: str) -> Setting:
    """Return the setting of a name.

    Raises:
        UsageError: it names none.
    """
    found = _SETTING.fullmatch(name)
    if found is None:
        raise UsageError(f"unknown setting {name[:40]!r}{nearest(name, SETTINGS)}")
    shots = int(found[1])
    return Setting(name, shots, bool(shots or found[2]), bool(found[3]))


class Prompting:
    """A task in a setting: what is sent about a sentence, and how the answer is read.

    Args:
        task: what is asked.
        setting: see `SETTINGS`.
        choose: the examples of a sentence; needed where the setting has some.
        system_message: the system text is a message of its own; else all is one user message, as
            in the paper.
    """

    def __init__(
        self,
        task: PromptTask,
        setting: str,
        choose: Choose | None = None,
        *,
        system_message: bool = False,
    ) -> None:
        self.task, self.setting = task, setting_of(setting)
        self._choose, self._apart = choose, system_message
        self._fill = template(task.template, f"the template of {task.name}", needed="text")

    def messages(self, text: str) -> tuple[Message, ...]:
        """Return what to send about a sentence.

        Raises:
            UsageError: the template cannot be filled, or the pool is too small or gives no reasons.
        """
        system = self.task.system if self.setting.system else ""
        apart = self._apart and bool(system)
        prompt = self._fill(
            {
                "text": text,
                "system": "" if apart else system,
                "examples": self._examples(text),
                "labels": self.task.labels.asked_for,
                "explain": self.setting.explain,
            }
        )
        user = Message("user", prompt)
        return (Message("system", system), user) if apart else (user,)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of an answer, for servers that keep to one."""
        return answer_schema(self.task.labels, explain=self.setting.explain)

    def read(self, answer: str, rule: Rule = "distinct", *, structured: bool = False) -> str:
        """Return the label that an answer gives, or "?"."""
        if structured:
            return read_structured(answer, self.task.labels)
        return read_label(answer, self.task.labels, rule)

    def _examples(self, text: str) -> list[Example]:
        shots = self.setting.shots
        found = self._choose(text, shots) if self._choose and shots else []
        if len(found) < shots:
            raise UsageError(
                f"{self.setting.name}: the pool has but {counted(len(found), 'other sentence')}; "
                "give a larger --pool, or fewer examples"
            )
        if self.setting.explain and not all(example.explanation for example in found):
            raise UsageError(
                f"{self.setting.name}: an example of the pool has no explanation; fill its column "
                "`explanation`, or take a setting without -exp"
            )
        return found


def prompting(
    task: PromptTask,
    setting: str,
    *,
    pool: Path | None = None,
    retrieve: Retrieval = "random",
    encoder: str | None = None,
    seed: int = 0,
    system_message: bool = False,
    warn: Callable[[str], None] | None = None,
) -> Prompting:
    """Return a task in a setting, with examples of a pool where the setting has some.

    Args:
        task: what is asked.
        setting: see `SETTINGS`.
        pool: the examples; None for those of the task.
        retrieve: which of them a sentence gets.
        encoder: for "nearest": a folder or `package:NAME`.
        seed: for "random".
        system_message: see `Prompting`.
        warn: see `read_pool`.

    Raises:
        UsageError: setting, pool or encoder are missing or cannot be used.
        WikibiasError: pool or encoder cannot be read.
    """
    if not setting_of(setting).shots:
        return Prompting(task, setting, system_message=system_message)
    where = pool or task.pool
    if where is None:
        raise UsageError(f"{setting}: the task {task.name} has no pool of examples; give --pool")
    examples = read_pool(where, task.labels, warn)
    if retrieve == "random":
        choose = at_random(examples, seed)
    elif retrieve == "tfidf":
        choose = most_similar(examples, by_letters([example.text for example in examples]))
    elif encoder is None:
        raise UsageError("--retrieve nearest: give --encoder; --retrieve tfidf does without")
    else:
        choose = most_similar(examples, by_encoder(encoder))
    return Prompting(task, setting, choose, system_message=system_message)
