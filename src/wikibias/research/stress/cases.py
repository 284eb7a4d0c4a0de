"""Draws the cases of stress tests from templates and lists of words."""

import math
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wikibias.config.stress_tests import SLOT, StressTest, StressTests, TemplateSet, slots

_PUT_IN = re.compile(r"<[^<>]*> | ?<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence to judge, with the one that it was made of.

    Attributes:
        test: its name.
        kind: MFT, INV or DIR; "" where that is not known.
        category: of the test; "" for none.
        cluster: what several cases share: the template, else the original, else the sentence.
        original: the sentence before the change; "" of a test without one.
        text: the sentence.
        expected: whether it should be called biased.
        original_biased: likewise of the original; of a test without one, as `expected`.
    """

    test: str
    kind: str
    category: str
    cluster: str
    original: str
    text: str
    expected: bool
    original_biased: bool

    @property
    def changed(self) -> bool:
        """Whether it differs from its original; a sentence without one counts as changed."""
        return self.text != self.original

    @property
    def only_spacing(self) -> bool:
        """Whether it differs from its original in spaces alone, so that nothing was put in."""
        plain, original = ("".join(each.split()) for each in (self.text, self.original))
        return bool(self.original) and self.changed and plain == original


def draw(tests: StressTests, wanted: Sequence[str] = (), *, count: int, seed: int) -> list[Case]:
    """Return cases of tests: of each the same number from every template, as far as they go.

    Args:
        tests: of a language.
        wanted: names of those to draw from; all by default.
        count: of cases of a test; fewer where the words give no more.
        seed: of the draw. Each template has a draw of its own, so that another template added to
            a file changes no case of the others but their number.
    """
    return [
        case
        for test in tests.test
        if not wanted or test.name in wanted
        for case in _cases_of(tests, test, count, seed)
    ]


def _cases_of(tests: StressTests, test: StressTest, count: int, seed: int) -> Iterator[Case]:
    found = [
        (each, template, biased)
        for each in test.templates
        for biased, templates in ((False, each.neutral), (True, each.biased))
        for template in templates
    ]
    sizes = [_combinations(tests, each, template) for each, template, _ in found]
    for (each, template, biased), size, share in zip(
        found, sizes, _shares(sizes, count), strict=True
    ):
        rng = random.Random(f"{seed} {test.name} {template}")  # noqa: S311 (a draw, no secret)
        for number in _sample(rng, size, share):
            original, text = _filled(tests, each, template, number)
            expected = biased or test.kind == "DIR"
            yield Case(
                test.name, test.kind, each.category, template, original, text, expected, biased
            )


def _sample(rng: random.Random, size: int, share: int) -> list[int]:
    """Return so many different numbers below a size; of a larger share those of a smaller too."""
    if share == size:
        return list(range(size))
    found: set[int] = set()
    while len(found) < share:
        found.add(rng.randrange(size))
    return sorted(found)


def _shares(sizes: Sequence[int], count: int) -> list[int]:
    """Return how many to take of each size, as evenly as they allow; the first get what is left."""
    shares = [0] * len(sizes)
    left = min(count, sum(sizes))
    while left:
        room = [place for place, size in enumerate(sizes) if shares[place] < size]
        each = max(1, left // len(room))
        for place in room:
            more = min(each, sizes[place] - shares[place], left)
            shares[place] += more
            left -= more
    return shares


def _lists(template: str) -> list[str]:
    return list(dict.fromkeys(name for _, name, _ in slots(template)))


def _combinations(tests: StressTests, templates: TemplateSet, template: str) -> int:
    sizes = [len(tests.words[name].words) for name in _lists(template)]
    swapped = len(tests.words[templates.swap].words) - 1 if templates.swap else 1
    return math.prod(sizes) * swapped


def _filled(
    tests: StressTests, templates: TemplateSet, template: str, number: int
) -> tuple[str, str]:
    """Return the original, "" of a test without, and the sentence of a combination of words."""
    chosen: dict[str, int] = {}
    for name in _lists(template):
        number, chosen[name] = divmod(number, len(tests.words[name].words))
    text = _sentence(tests, template, chosen)
    if templates.swap:
        size = len(tests.words[templates.swap].words)
        other = (chosen[templates.swap] + 1 + number) % size
        return text, _sentence(tests, template, {**chosen, templates.swap: other})
    if "<" in template:
        return _sentence(tests, _PUT_IN.sub("", template), chosen), text
    return "", text


def _sentence(tests: StressTests, template: str, chosen: Mapping[str, int]) -> str:
    text = SLOT.sub(lambda slot: tests.words[slot[2]].word(chosen[slot[2]], slot[3]), template)
    return text[:1].upper() + text[1:]
