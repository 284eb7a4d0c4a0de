"""`wikibias audit stress`: a classifier where places, people, groups or loaded words change."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, OUT_FILE, OUT_FOLDER, takes, warn
from wikibias.kits.files import distinct_names
from wikibias.kits.folders import ResultFolder
from wikibias.kits.terminal import echo
from wikibias.messages import counted, nearest

if TYPE_CHECKING:
    from wikibias.research.stress.answers import Answer, Answers
    from wikibias.research.stress.cases import Case

DEFAULT_LANGUAGE = "en"
_FOLDER = ResultFolder("stress", 1, "wikibias audit stress")
# Each two are compared.
_MOST_MODELS = 50
_PATH = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command.

    Attributes:
        language: Language of the tests: en, fr, bg, or one of your own.
        tests: Only this test, or the tests of this TOML file; may be given again.
        cases: Cases of each test; fewer where its words give no more.
        seed: Seed of the cases and the intervals.
        only: Count only cases whose template, or original, is neutral; or that differ from their
            original; may be given again.
        write: Write the sentences, for another program to predict.
        sentences: The file of --write, for predictions that only name its items.
        out: Write the figures, all answers and a page here.
    """

    sources: Annotated[tuple[Path, ...], _PATH, Setting(ARGUMENT, metavar="[MODEL]...")] = ()
    language: Annotated[str | None, Setting("--language --lang", "that of the models", "CODE")] = (
        None
    )
    tests: Annotated[tuple[str, ...], Setting("--tests", metavar="NAME|FILE")] = ()
    cases: Annotated[int, Meta(ge=1, le=1_000_000), Setting("--cases -n")] = 500
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    only: Annotated[tuple[Literal["neutral-templates", "changed"], ...], Setting("--only")] = ()
    write: Annotated[Path | None, OUT_FILE, Setting("--write", metavar="FILE")] = None
    sentences: Annotated[Path | None, FILE, Setting("--sentences")] = None
    out: Annotated[Path | None, OUT_FOLDER, Setting("--out", metavar="FOLDER")] = None

    @property
    def names(self) -> list[str]:
        """The names of tests; none for all."""
        return [name for name in self.tests if not name.endswith(".toml")]

    @property
    def folders(self) -> list[Path]:
        """The models to ask; the other sources are files of predictions."""
        return [path for path in self.sources if path.is_dir()]


@click.command(name="stress")
@takes(Options)
def command(given: Options) -> None:
    """Stress a classifier: does it judge words, or who and what a sentence is about?

    MODEL is a folder that `wikibias classify` made, or a file of predictions (.parquet, .jsonl,
    .csv). Several are compared. The tests are those of CheckList:

    \b
    MFT  factual sentences stay neutral
    INV  another place, person or group changes nothing
    DIR  loaded words put into a neutral sentence make it biased

    \b
    Examples:
      wikibias audit stress corpora/en/models/sgd
      wikibias audit stress models/a models/b --tests loaded --out stress
      wikibias audit stress --language fr --write sentences.jsonl
      wikibias audit stress predictions.jsonl --only changed
    """
    if given.write is not None:
        _write(given.write, given)
        return
    if not given.sources:
        raise UsageError("name the folder of a model or a file of predictions, or give --write")
    if given.out is not None:
        _FOLDER.refuse(given.out, overwrite=True)
    from wikibias.kits.console import show
    from wikibias.research.reports.stress import page, summary
    from wikibias.research.stress.answers import answered_rows, only
    from wikibias.research.stress.scoring import notes, score

    language = given.language or (_language_of(given.folders) if given.folders else "")
    found = {
        name: left
        for name, answers in answers_of(given, language).items()
        if (left := only(answers, given.only, given.names))
    }
    if not found:
        raise UsageError("no case is left; choose other --tests, or leave an --only out")
    result: dict[str, Any] = {
        "language": language or None,
        "cases": given.cases if language else None,
        "seed": given.seed,
        "only": list(given.only),
        **score(found, seed=given.seed),
    }
    result["notes"] = notes(result)
    show(*summary(result))
    for line in result["notes"]:
        warn(line)
    if given.out is not None:
        tables = {"answers.jsonl": answered_rows(found)}
        for path in _FOLDER.write_report(given.out, result, page(result, found), tables):
            echo(f"Wrote {path}.")


def cases_of(given: Options, language: str) -> list[Case]:
    """Return the cases that a command line asks for.

    Raises:
        UsageError: there are no such tests, or their file is broken.
    """
    from wikibias.config.stress_tests import load_stress_tests, read_stress_tests
    from wikibias.research.stress.cases import draw

    files = [Path(name) for name in given.tests if name.endswith(".toml")]
    if len(files) > 1:
        raise UsageError("--tests: give one file, and names of tests in it")
    tests = read_stress_tests(files[0]) if files else load_stress_tests(language)
    _check(given.names, [test.name for test in tests.test])
    return draw(tests, given.names, count=given.cases, seed=given.seed)


def answers_of(given: Options, language: str) -> Answers:
    """Return the answers of each model: of a folder to cases, and those that a file holds.

    Raises:
        UsageError: there is none of a name, or two say the same.
        WikibiasError: a model or a file cannot be read.
    """
    from wikibias.research.stress import answers

    cases = cases_of(given, language) if given.folders else []
    found: dict[str, list[Answer]] = {}
    called = [path.stem if path.is_file() else path.resolve().name for path in given.sources]
    names = distinct_names(given.sources, called)
    for path, own in zip(given.sources, names, strict=True):
        if path in given.folders:
            told: Answers = {own: answers.answer(path, cases)}
        elif path.is_file():
            told = answers.read_answers(path, given.sentences, own)
        else:
            raise UsageError(f"{path}: neither the folder of a model nor a file of predictions")
        for name, more in told.items():
            known = {each.case.test for each in found.get(name, ())}
            if twice := known & {each.case.test for each in more}:
                raise UsageError(
                    f"{path}: {name!r} has answered {min(twice)!r} in another, too; leave one out"
                )
            found.setdefault(name, []).extend(more)
        if len(found) > _MOST_MODELS:
            raise UsageError(
                f"{path}: more than {_MOST_MODELS} models; what is in its column model?"
            )
    _check(given.names, {each.case.test for own in found.values() for each in own})
    return found


def _check(names: Sequence[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"--tests: no test {name!r}{nearest(name, known)}")


def _language_of(folders: Sequence[Path]) -> str:
    """Return the language that models were trained on, if it has tests; else English."""
    from wikibias.config.stress_tests import stress_languages
    from wikibias.models.estimators.registry import MODEL

    told = {str(lang) for folder in folders if (lang := MODEL.describe(folder).get("lang"))}
    found = sorted(told & set(stress_languages()))
    if len(found) > 1:
        raise UsageError(f"these models are of {' and '.join(found)}; choose with --language")
    return found[0] if found else DEFAULT_LANGUAGE


def _write(path: Path, given: Options) -> None:
    if given.sources:
        raise UsageError("--write writes sentences and asks no model; leave the models out")
    if path.exists():
        raise UsageError(f"{path} exists; give another name")
    from wikibias.kits.tables import write_rows
    from wikibias.research.stress.answers import Answer, rows

    cases = cases_of(given, given.language or DEFAULT_LANGUAGE)
    written = rows(Answer(case, "") for case in cases)
    write_rows(path, written)
    echo(
        f"Wrote {counted(len(written), 'sentence')} to {path}. Add a column predicted (biased, "
        "neutral or ?), and give the file to `wikibias audit stress`."
    )
