"""Tasks for language models, from `configs/prompts/NAME.toml`, their prompts and their answers.

A task has labels, their words, and a template of Jinja2 in a file beside it; examples with
explanations stand in a pool, a table. What these hold is sent to a model, maybe on a server, and a
task may be a stranger's: it names no file outside its own folder.
"""

import heapq
import os
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from jinja2 import StrictUndefined, TemplateError
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import ImmutableSandboxedEnvironment
from numpy.typing import NDArray

from wikibias.config import resources
from wikibias.errors import UsageError, WikibiasError, counted, nearest
from wikibias.kits import checked
from wikibias.research.annotation.answers import UNPARSED, cell_label
from wikibias.research.annotation.tasks import column, read_table
from wikibias.research.language_models.asking import Message

_FOLDER = "prompts"
_TEMPLATE = ".j2"
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
        named = " ".join(word.split()).casefold()
        for value, words in self.words.items():
            if named in (value.casefold(), *(each.casefold() for each in words)):
                return value
        return None


@dataclass(frozen=True, slots=True)
class PromptTask:
    """What a language model is asked.

    Attributes:
        name: of the task, and of its file.
        question: the column of the answers.
        labels: what it may answer.
        template: the text of the template.
        system: what the model is told first, in settings with `+sys` or with examples.
        pool: the table of examples; None where there is none.
    """

    name: str
    question: str
    labels: Labels
    template: str
    system: str
    pool: Path | None


@dataclass(frozen=True, slots=True)
class _Form:
    """What the file may hold."""

    name: checked.NonEmpty
    about: checked.NonEmpty
    question: checked.NonEmpty
    template: checked.NonEmpty
    labels: Mapping[
        checked.NonEmpty, Annotated[tuple[checked.NonEmpty, ...], checked.Meta(min_length=1)]
    ]
    system: str = ""
    pool: str = ""
    whole_words: bool = True

    def __post_init__(self) -> None:
        if self.question in (*COLUMNS, "text"):
            raise checked.ConflictError(
                ("question",),
                f"question {self.question!r} is another column of the answers; give another name, "
                "such as 'bias'",
            )
        for fault in self._faults_of_labels():
            raise checked.ConflictError(("labels",), fault)

    def _faults_of_labels(self) -> Iterator[str]:
        if len(self.labels) < 2:
            yield "labels are too few; give two or more"
        if UNPARSED in self.labels:
            yield "no label is called '?', which stands for no answer; rename it"
        seen: dict[str, str] = {}
        for label, words in self.labels.items():
            for word in words:
                if word != " ".join(word.split()) or len(word) > _LONGEST_WORD:
                    yield f"{word[:40]!r} of the label {label!r} is no word or phrase on one line"
                if (other := seen.setdefault(word.casefold(), label)) != label:
                    yield f"{word!r} says both {other!r} and {label!r}; remove one"


def load_prompt_task(name: str) -> PromptTask:
    """Read a task and its template, by its name or by the path of its file, which ends in .toml.

    Raises:
        UsageError: one is missing or broken; the message names file, line and key.
    """
    remedy = ". For a task of your own: wikibias docs annotate"
    path = resources.named_file(_FOLDER, name, "unknown task", remedy)
    form, file = checked.read_toml(path, _Form)
    if form.name != path.stem or not resources.is_name(form.name):
        raise UsageError(
            f"{file.at(('name',))}: name must be {path.stem!r}, as the file is named, in small "
            "letters, digits and hyphens"
        )
    if not form.template.endswith(_TEMPLATE):
        raise UsageError(
            f"{file.at(('template',))}: {checked.shown(form.template)} must end in {_TEMPLATE}, as "
            "templates do; rename it"
        )
    pool = _beside(file, "pool", form.pool, "--pool") if form.pool else None
    if pool is not None and not pool.is_file():
        raise UsageError(f"{file.at(('pool',))}: {pool}: no such file")
    return PromptTask(
        name=form.name,
        question=form.question,
        labels=Labels(form.labels, form.whole_words),
        template=checked.read_text(_beside(file, "template", form.template, "--prompt")),
        system=form.system,
        pool=pool,
    )


def _beside(file: checked.TomlFile, key: str, name: str, option: str) -> Path:
    """Return the file that a task names.

    Raises:
        UsageError: it is neither in the folder of the task nor in that of the shipped tasks, links
            followed.
    """
    path = file.path.parent / name
    try:
        real = Path(os.path.realpath(path))
    except ValueError as error:
        raise UsageError(
            f"{file.at((key,))}: {checked.shown(name)} is no name of a file"
        ) from error
    homes = (file.path.parent, file.path.resolve().parent, resources.folder("configs") / _FOLDER)
    if not any(real.is_relative_to(home.resolve()) for home in homes):
        raise UsageError(
            f"{file.at((key,))}: {checked.shown(name)} is outside the folder of the task; copy it "
            f"there, or give it with {option}"
        )
    return path


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
    leading = [label for label, count in counts.items() if count == max(counts.values())]
    return leading[0] if len(leading) == 1 else UNPARSED


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


def template(source: str, name: str, needed: str = "") -> Callable[[Mapping[str, Any]], str]:
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


Embed = Callable[[Sequence[str]], NDArray[Any]]
"""Makes vectors of texts, texts by dimensions."""
Choose = Callable[[str, int], list["Example"]]
"""See `Pool.choose`."""


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
    texts, given = column(table, "text"), column(table, "label")
    words = dict(zip(labels.words, labels.asked_for, strict=True))
    why = table.get("explanation", [None] * len(table))
    found = []
    for number, (text, cell, explanation) in enumerate(zip(texts, given, why, strict=True), 1):
        given_label = cell_label(cell) or ""
        label = labels.value(given_label)
        if label is None:
            raise UsageError(
                f"{path}: row {number}: {given_label[:40]!r} is no label of the task; write one of "
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


class Pool:
    """Examples for sentences; never the sentence itself, so that no prompt holds its own answer.

    Args:
        examples: to choose from.
        seed: of what is drawn; the same sentence gets the same, whatever came before.
        embed: where it is given, a sentence gets the most similar examples instead, the most
            similar one first, by the cosine of their vectors; of two alike the first of the pool.
            So do Liu et al. 2022 (KATE), and after them Horych et al. 2025, section 4.1.
    """

    def __init__(
        self, examples: Sequence[Example], seed: int = 0, embed: Embed | None = None
    ) -> None:
        self._examples, self._seed, self._embed = examples, seed, embed
        self._compared = [_compared(example.text) for example in examples]
        self._vectors = self._unit([example.text for example in examples]) if embed else None

    def choose(self, text: str, count: int) -> list[Example]:
        """Return so many examples for a sentence, in the order in which its prompt shows them."""
        own = _compared(text)
        others = [place for place, each in enumerate(self._compared) if each != own]
        if self._vectors is None:
            generator = random.Random(f"{self._seed} {text}")  # noqa: S311
            places = generator.sample(others, min(count, len(others)))
        else:
            alike = self._vectors @ self._unit([text])[0]
            places = sorted(others, key=lambda place: -alike[place])[:count]
        return [self._examples[place] for place in places]

    def _unit(self, texts: Sequence[str]) -> NDArray[np.float64]:
        from sklearn.preprocessing import normalize

        assert self._embed is not None
        return np.asarray(normalize(self._embed(texts).astype(np.float64)))


def _compared(text: str) -> str:
    return " ".join(text.split()).casefold()


SETTINGS = (
    "0-shot", "0-shot+sys", "0-shot-exp", "2-shot", "4-shot", "8-shot", "2-shot-exp", "4-shot-exp",
    "8-shot-exp",
)  # fmt: skip
"""Those of Horych et al. 2025, Table 1; other numbers of examples are written likewise."""
_SETTING = re.compile(r"([0-9]{1,3})-shot(\+sys)?(-exp)?")


class Setting(NamedTuple):
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

    @classmethod
    def of(cls, name: str) -> Self:
        """Return the setting of a name.

        Raises:
            UsageError: it names none.
        """
        found = _SETTING.fullmatch(name)
        if found is None:
            raise UsageError(f"unknown setting {name[:40]!r}{nearest(name, SETTINGS)}")
        shots = int(found[1])
        return cls(name, shots, bool(shots or found[2]), bool(found[3]))


class Prompting:
    """A task in a setting: what is sent about a sentence, and how the answer is read.

    Args:
        task: what is asked.
        setting: see `SETTINGS`.
        choose: the examples of a sentence; needed where the setting has some.
    """

    def __init__(self, task: PromptTask, setting: str, choose: Choose | None = None) -> None:
        self.task, self.setting, self._choose = task, Setting.of(setting), choose
        self._fill = template(task.template, f"the template of {task.name}", needed="text")

    def messages(self, text: str) -> tuple[Message, ...]:
        """Return what to send about a sentence: one message, as in the paper.

        Raises:
            UsageError: the template cannot be filled, or the pool is too small or gives no reasons.
        """
        prompt = self._fill(
            {
                "text": text,
                "system": self.task.system if self.setting.system else "",
                "examples": self._examples(text),
                "labels": self.task.labels.asked_for,
                "explain": self.setting.explain,
            }
        )
        return (Message("user", prompt),)

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
    nearest_by: str | None = None,
    seed: int = 0,
    warn: Callable[[str], None] | None = None,
) -> Prompting:
    """Return a task in a setting, with examples of a pool where the setting has some.

    Args:
        task: what is asked.
        setting: see `SETTINGS`.
        pool: the examples; None for those of the task.
        nearest_by: a sentence encoder, whose most similar examples a sentence gets: a folder or
            `package:NAME`; None draws them.
        seed: of what is drawn.
        warn: see `read_pool`.

    Raises:
        UsageError: setting, pool or encoder are missing or cannot be used.
        WikibiasError: pool or encoder cannot be read.
    """
    if not Setting.of(setting).shots:
        return Prompting(task, setting)
    where = pool or task.pool
    if where is None:
        raise UsageError(f"{setting}: the task {task.name} has no pool of examples; give --pool")
    examples = read_pool(where, task.labels, warn)
    embed = None
    if nearest_by is not None:
        from wikibias.research.neural.calibration import missing

        if absent := missing():
            raise UsageError(f"--nearest: {absent}")
        from wikibias.research.neural.sentence_network import sentence_embedder

        embed = sentence_embedder(nearest_by)
    return Prompting(task, setting, Pool(examples, seed, embed).choose)
