"""What `wikibias stress` is asked about: cases of a language, and the answers of models to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.errors import UsageError
from wikibias.messages import nearest

if TYPE_CHECKING:
    from wikibias.research.stress.answers import Answers
    from wikibias.research.stress.cases import Case

DEFAULT_LANGUAGE = "en"
# Each two are compared.
_MOST_MODELS = 50


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which cases: the language, tests, their number and the seed; "" for no language yet."""

    language: str
    tests: Sequence[str]
    count: int
    seed: int

    @property
    def names(self) -> list[str]:
        """The names of tests; none for all."""
        return [name for name in self.tests if not _is_file(name)]

    @property
    def file(self) -> Path | None:
        """The file of tests, where one is given in place of those of a language."""
        files = [Path(name) for name in self.tests if _is_file(name)]
        if len(files) > 1:
            raise UsageError("--tests: give one file, and names of tests in it")
        return files[0] if files else None


def _is_file(name: str) -> bool:
    return name.endswith(".toml")


def for_models(wanted: Wanted, sources: Sequence[Path]) -> Wanted:
    """Return what is wanted in the language of the models; with none, and no model, as it is.

    Raises:
        UsageError: the models were trained on several languages.
        WikibiasError: a folder holds no model.
    """
    folders = [path for path in sources if path.is_dir()]
    if wanted.language or not folders:
        return wanted
    return replace(wanted, language=_language_of(folders))


def cases_of(wanted: Wanted) -> list[Case]:
    """Return the cases that a command line asks for.

    Raises:
        UsageError: there are no such tests, or their file is broken.
    """
    from wikibias.config.stress_tests import load_stress_tests, read_stress_tests
    from wikibias.research.stress.cases import draw

    tests = read_stress_tests(wanted.file) if wanted.file else load_stress_tests(wanted.language)
    _check(wanted.names, [test.name for test in tests.test])
    return draw(tests, wanted.names, count=wanted.count, seed=wanted.seed)


def answers_of(sources: Sequence[Path], wanted: Wanted, sentences: Path | None) -> Answers:
    """Return the answers of each model: of a folder to cases, and those that a file holds.

    Raises:
        UsageError: there is none of a name, or two say the same.
        WikibiasError: a model or a file cannot be read.
    """
    from wikibias.research.annotation.tables import read_table
    from wikibias.research.stress import answers as by_models
    from wikibias.research.stress.tables import read_answers

    folders = [path for path in sources if path.is_dir()]
    cases = cases_of(wanted) if folders else []
    joined = None if sentences is None else read_table(sentences).columns
    found: dict[str, list[Any]] = {}
    for path, own in zip(sources, _names(sources), strict=True):
        if path in folders:
            given: Answers = {own: by_models.answer(path, cases)}
        elif path.is_file():
            given = read_answers(path, read_table(path).columns, joined, own)
        else:
            raise UsageError(f"{path}: neither the folder of a model nor a file of predictions")
        for name, more in given.items():
            known = {each.case.test for each in found.get(name, ())}
            twice = known & {each.case.test for each in more}
            if twice:
                raise UsageError(
                    f"{path}: {name!r} has answered {min(twice)!r} in another, too; leave one out"
                )
            found.setdefault(name, []).extend(more)
        if len(found) > _MOST_MODELS:
            raise UsageError(
                f"{path}: more than {_MOST_MODELS} models; what is in its column model?"
            )
    if not wanted.names:
        return found
    _check(wanted.names, {each.case.test for given in found.values() for each in given})
    left = {
        name: [each for each in given if each.case.test in wanted.names]
        for name, given in found.items()
    }
    return {name: given for name, given in left.items() if given}


def _names(sources: Sequence[Path]) -> list[str]:
    """Return a name of each path: its last part, with as many before it as tell it from others.

    Raises:
        UsageError: two paths are the same.
    """
    paths = [path.resolve() if ".." in path.parts else path.absolute() for path in sources]
    for path, given in zip(paths, sources, strict=True):
        if paths.count(path) > 1:
            raise UsageError(f"{given} is given twice; leave one out")
    parts = [(*path.parent.parts, path.stem if path.is_file() else path.name) for path in paths]
    sizes = [1] * len(parts)
    while clashes := _alike(parts, sizes):
        for place in clashes:
            sizes[place] += 1
    return ["/".join(part[-size:]) for part, size in zip(parts, sizes, strict=True)]


def _alike(parts: Sequence[tuple[str, ...]], sizes: Sequence[int]) -> list[int]:
    """Return the places of those whose last parts are those of another; of what can grow."""
    ends = [part[-size:] for part, size in zip(parts, sizes, strict=True)]
    return [
        place
        for place, end in enumerate(ends)
        if ends.count(end) > 1 and sizes[place] < len(parts[place])
    ]


def _check(names: Sequence[str], known: Any) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"--tests: no test {name!r}{nearest(name, known)}")


def _language_of(folders: Sequence[Path]) -> str:
    """Return the language that models were trained on, if it has tests; else English."""
    from wikibias.config.stress_tests import stress_languages
    from wikibias.models.estimators.registry import describe

    told = {str(lang) for folder in folders if (lang := describe(folder).get("lang"))}
    found = sorted(told & set(stress_languages()))
    if len(found) > 1:
        raise UsageError(f"these models are of {' and '.join(found)}; choose with --language")
    return found[0] if found else DEFAULT_LANGUAGE
