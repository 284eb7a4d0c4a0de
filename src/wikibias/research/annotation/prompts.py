"""Prompts of language models as annotators, and the labels that their answers give."""

import heapq
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from jinja2 import StrictUndefined, TemplateError
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import ImmutableSandboxedEnvironment
from numpy.typing import NDArray

from wikibias.config.prompts import Labels, PromptTask
from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import counted, nearest
from wikibias.research.annotation.answers import UNPARSED, cell_label
from wikibias.research.annotation.tables import read_table
from wikibias.research.language_models.messages import Message

Rule = Literal["distinct", "most-frequent"]
# What may stand between the words of a label, beside a space: a line end, marks of Markdown.
_BETWEEN = r"[\s*_`\-]{1,8}"
_OF_WORDS = "LMN"  # letters, marks on them, digits
_THINKS, _HAS_THOUGHT = "<think>", "</think>"


def read_label(answer: str, labels: Labels, rule: Rule = "distinct") -> str:
    """Return the label that an answer gives, or "?"; takes time linear in its length."""
    counts: Counter[str] = Counter()
    for label in _hits(_without_thoughts(answer).casefold(), labels):
        counts[label] += 1
        if rule == "distinct" and len(counts) > 1:
            return UNPARSED
    first, *others = counts.most_common(2) or [(UNPARSED, 0)]
    is_tie = bool(others) and others[0][1] == first[1]
    return UNPARSED if is_tie else first[0]


def _without_thoughts(answer: str) -> str:
    """Return an answer without the thoughts at its head; nothing where these were cut off.

    Some servers leave out the mark with which thoughts begin.
    """
    thoughts, end, rest = answer.rpartition(_HAS_THOUGHT)
    if answer.lstrip().startswith(_THINKS):
        return rest if end else ""
    return answer if _THINKS in thoughts else rest


def _hits(folded: str, labels: Labels) -> Iterator[str]:
    """Yield the label of each hit that counts, in order."""
    words = {
        unicodedata.normalize(form, word).casefold(): label
        for label, each in labels.words.items()
        for word in each
        for form in ("NFC", "NFD")  # a model may write an accent apart
    }
    found: list[Iterable[tuple[int, int, str]]] = [
        _spans(folded, word, label, whole=labels.whole_words) for word, label in words.items()
    ]
    # Of those that begin at one place the longest comes first: what is inside of another follows.
    reach = -1
    for _, minus_end, label in heapq.merge(*found):
        if -minus_end > reach:
            reach = -minus_end
            yield label


def _spans(folded: str, word: str, label: str, *, whole: bool) -> Iterator[tuple[int, int, str]]:
    """Yield start, negative end and label of each hit of a word, one after the other."""
    parts = map(re.escape, word.split() if whole else [word])
    pattern = re.compile(_BETWEEN.join(parts))
    hit = pattern.search(folded)
    while hit:
        start, end = hit.span()
        if whole and (_goes_on(folded, start) or _goes_on(folded, end)):
            hit = pattern.search(folded, start + 1)
            continue
        yield start, -end, label
        hit = pattern.search(folded, end)


def _goes_on(text: str, place: int) -> bool:
    """Return whether a word goes on across a place between two characters."""
    around = text[max(0, place - 1) : place + 1] if place else ""
    return len(around) == 2 and all(unicodedata.category(each)[0] in _OF_WORDS for each in around)


_LONGEST = 1_000_000  # characters of a prompt; what models take ends far below
_FAILS = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
Fill = Callable[[Mapping[str, Any]], str]
"""Makes a prompt of the variables of its template."""


def template(source: str, name: str, needed: str = "") -> Fill:
    """Return what fills a template of Jinja2; a line with nothing but a command leaves no trace.

    Args:
        source: its text.
        name: what messages call it.
        needed: a variable that it must use.

    Raises:
        UsageError: it is no template of Jinja2, or does not use what is needed; later, it names
            what it is not given.
        WikibiasError: later, a prompt is too long.
    """
    environment = ImmutableSandboxedEnvironment(
        autoescape=False,  # a prompt is plain text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    try:
        made = environment.from_string(source)
        used = find_undeclared_variables(environment.parse(source))
    except (TemplateError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        where = f"{name}:{line}" if line else name
        raise UsageError(f"{where}: no template of Jinja2 ({_one_line(error)})") from error

    if needed and needed not in used:
        raise UsageError(f"{name} never uses {needed}; write {{{{ {needed} }}}} where it belongs")

    def fill(variables: Mapping[str, Any]) -> str:
        found, length = [], 0
        try:
            for part in made.generate(variables):  # loops in loops may never end
                found.append(part)
                length += len(part)
                if length > _LONGEST:
                    raise WikibiasError(f"{name}: a prompt of more than {_LONGEST:,} characters")
        except _FAILS as error:
            raise UsageError(
                f"{name}: the template cannot be filled ({_one_line(error)}); it is given "
                f"{', '.join(sorted(variables))}"
            ) from error
        return "".join(found)

    return fill


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


Retrieval = Literal["random", "nearest"]
"""Which examples: drawn, or the most similar by a sentence encoder."""
Embed = Callable[[Sequence[str]], NDArray[Any]]
"""Makes vectors of texts, texts by dimensions."""
Choose = Callable[[str, int], list["Example"]]
"""Returns so many examples for a sentence, in the order in which its prompt shows them."""


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled sentence of a pool.

    Attributes:
        text: the sentence.
        label: its label.
        word: how a prompt writes the label.
        explanation: why it has that label; "" where the pool does not say.
    """

    text: str
    label: str
    word: str
    explanation: str


def read_pool(
    path: Path, labels: Labels, warn: Callable[[str], None] | None = None
) -> list[Example]:
    """Return the examples of a table with `text`, `label`, and for explanations `explanation`.

    Args:
        path: the table.
        labels: of the task.
        warn: is told of labels that no example has.

    Raises:
        WikibiasError: it cannot be read, or a row has no text or no label of the task.
    """
    table = read_table(path)
    texts, given = table.column("text"), table.column("label")
    words = dict(zip(labels.words, labels.asked_for, strict=True))
    why = table.columns.get("explanation", [None] * len(table))
    found = []
    for number, (text, cell, explanation) in enumerate(zip(texts, given, why, strict=True), 1):
        said = cell_label(cell) or ""
        label = labels.value(said)
        if label is None:
            raise UsageError(
                f"{path}: row {number}: {said[:40]!r} is no label of the task; write one of "
                f"{', '.join(words)}"
            )
        if cell_label(text) is None:
            raise UsageError(f"{path}: row {number} has no text")
        found.append(Example(str(text), label, words[label], cell_label(explanation) or ""))
    absent = [label for label in words if all(label != example.label for example in found)]
    if absent and warn:
        warn(
            f"{path}: no example is {' or '.join(absent)}; models lean towards labels that they "
            "see, so add some"
        )
    return found


def at_random(pool: Sequence[Example], seed: int) -> Choose:
    """Return what draws examples; the same for the same sentence and seed, whatever came before."""
    others = _others(pool)

    def choose(text: str, count: int) -> list[Example]:
        places = others(text)
        drawn = random.Random(f"{seed} {text}").sample(places, min(count, len(places)))  # noqa: S311
        return [pool[place] for place in drawn]

    return choose


def most_similar(pool: Sequence[Example], embed: Embed) -> Choose:
    """Return what takes the most similar examples, the most similar one first (KATE).

    Similarity is the cosine of the vectors; of two alike the first of the pool is taken. So do Liu
    et al. 2022, and after them Horych et al. 2025, section 4.1.
    """
    others = _others(pool)
    vectors = _unit(embed([example.text for example in pool]))

    def choose(text: str, count: int) -> list[Example]:
        alike = vectors @ _unit(embed([text]))[0]
        places = sorted(others(text), key=lambda place: -alike[place])
        return [pool[place] for place in places[:count]]

    return choose


def by_encoder(base: str) -> Embed:
    """Return what embeds sentences by a pretrained encoder, as the mean of its word pieces.

    Args:
        base: a folder or `package:NAME`; see `models.neural.encoders.model_folder`.

    Raises:
        UsageError: the extra `neural` is not installed, or there is no such encoder.
        WikibiasError: the encoder cannot be read.
    """
    from wikibias.research.neural import calibration

    absent = calibration.missing()
    if absent:
        raise UsageError(f"--retrieve nearest: {absent}")
    from wikibias.research.neural.embeddings import embedded
    from wikibias.research.neural.sentence_network import make
    from wikibias.research.neural.training_loop import device_of

    network = make(base, 1, device_of("auto"))
    return lambda texts: embedded(network, base, texts)


def _others(pool: Sequence[Example]) -> Callable[[str], list[int]]:
    """Return what gives the places of all other sentences: no prompt holds its own answer."""
    compared = [_compared(example.text) for example in pool]

    def others(text: str) -> list[int]:
        own = _compared(text)
        return [place for place, each in enumerate(compared) if each != own]

    return others


def _compared(text: str) -> str:
    return " ".join(text.split()).casefold()


def _unit(vectors: NDArray[Any]) -> NDArray[np.float64]:
    found = vectors.astype(np.float64)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.where(lengths > 0, lengths, 1.0))


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
        system_message: send the system text as a message of its own, not in the prompt as in the
            paper.
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

    def read(self, answer: str, rule: Rule = "distinct") -> str:
        """Return the label that an answer gives, or "?"."""
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
    elif encoder is None:
        raise UsageError("--retrieve nearest: give --encoder")
    else:
        choose = most_similar(examples, by_encoder(encoder))
    return Prompting(task, setting, choose, system_message=system_message)
