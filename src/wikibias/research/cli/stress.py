"""`wikibias audit stress`: a classifier where places, people, groups or loaded words change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.cli.options import config_dir_option
from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.kits.command import resamples_option, warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted, nearest

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
    from wikibias.research.stress.answers import read_answers

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


RESULT, ANSWERS, PAGE = "stress.json", "answers.jsonl", "report.html"
_FORMAT = "wikibias-stress/1"
_CASES = 500


@click.command(name="stress")
@click.argument("sources", metavar="[MODEL]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--lang",
    "--language",
    "language",
    default="",
    help="Language of the tests: en, fr, bg, or one of your own.  [default: that of the models]",
)
@click.option(
    "--tests",
    metavar="NAME|FILE",
    multiple=True,
    help="Only this test, or the tests of this TOML file; may be given again.",
)
@click.option(
    "-n",
    "--cases",
    type=click.IntRange(1, 1_000_000),
    default=_CASES,
    show_default=True,
    help="Cases of each test; fewer where its words give no more.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=0,
    show_default=True,
    help="Seed of the cases and the intervals.",
)
@click.option(
    "--only-neutral-templates",
    is_flag=True,
    help="Count only cases whose template, or original, is neutral.",
)
@click.option(
    "--only-changed", is_flag=True, help="Count only cases that differ from their original."
)
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the sentences to this .jsonl, .csv or .tsv, for another program to predict.",
)
@click.option(
    "--sentences",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The file of --write, for predictions that only name its items.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write the figures to this JSON; or them, all answers and a page to this folder.",
)
@click.option("--overwrite", is_flag=True, help="Replace files that this command did not write.")
@resamples_option
@config_dir_option
def command(
    sources: tuple[Path, ...],
    *,
    language: str,
    tests: tuple[str, ...],
    cases: int,
    seed: int,
    only_neutral_templates: bool,
    only_changed: bool,
    write: Path | None,
    sentences: Path | None,
    out: Path | None,
    overwrite: bool,
    resamples: int,
) -> None:
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
      wikibias audit stress predictions.jsonl --out stress.json
    """
    wanted = Wanted(language, tests, cases, seed)
    if write is not None:
        _write(write, wanted, sources, overwrite=overwrite)
        return
    if not sources:
        raise UsageError("name the folder of a model or a file of predictions, or give --write")
    targets = _targets(out)
    for path in targets.values():
        _refuse_others(path, overwrite=overwrite)
    from wikibias.kits.console import show
    from wikibias.research.reports.stress import summary
    from wikibias.research.stress.answers import only

    wanted = for_models(wanted, sources)
    found = {
        name: left
        for name, given in answers_of(sources, wanted, sentences).items()
        if (left := only(given, neutral_templates=only_neutral_templates, changed=only_changed))
    }
    if not found:
        raise UsageError("no case is left; choose other --tests, or leave an --only out")
    result = _scored(found, wanted, resamples)
    result |= {"only_neutral_templates": only_neutral_templates, "only_changed": only_changed}
    _save(targets, result, found)
    show(*summary(result))
    for line in result["notes"]:
        warn(line)
    for path in targets.values():
        echo(f"Wrote {path}.")


def _scored(found: Answers, wanted: Wanted, resamples: int) -> dict[str, Any]:
    from wikibias.research.stress.scoring import Bootstrap, notes, score

    result: dict[str, Any] = {
        "format": _FORMAT,
        "language": wanted.language or None,
        "cases": wanted.count if wanted.language else None,
        "seed": wanted.seed,
        "resamples": resamples,
        **score(found, Bootstrap(resamples, wanted.seed)),
    }
    return {**result, "notes": notes(result)}


def _write(path: Path, wanted: Wanted, sources: tuple[Path, ...], *, overwrite: bool) -> None:
    if sources:
        raise UsageError("--write writes sentences and asks no model; leave the models out")
    if path.exists() and not overwrite:
        raise UsageError(f"{path} exists; give another name, or --overwrite to replace it")
    from wikibias.kits.tables import write_rows
    from wikibias.research.stress.answers import rows

    written = rows(cases_of(replace(wanted, language=wanted.language or DEFAULT_LANGUAGE)))
    write_rows(path, written)
    echo(
        f"Wrote {counted(len(written), 'sentence')} to {path}. Add a column predicted (biased, "
        "neutral or ?), and give the file to `wikibias audit stress`."
    )


def _targets(out: Path | None) -> dict[str, Path]:
    if out is None:
        return {}
    if out.suffix.lower() == ".json":
        return {RESULT: out}
    return {name: out / name for name in (RESULT, ANSWERS, PAGE)}


def _refuse_others(path: Path, *, overwrite: bool) -> None:
    """Refuse to replace a file that this command did not write.

    Raises:
        UsageError: it is there, or cannot be looked at.
    """
    if overwrite or not path.exists():
        return
    from wikibias.kits.files import read_json
    from wikibias.kits.html import is_page
    from wikibias.research.reports.stress import GENERATOR

    try:
        if path.suffix == ".html":
            ours = is_page(path, GENERATOR)
        else:  # the answers stand beside the figures
            beside = read_json(path.with_name(RESULT) if path.name == ANSWERS else path)
            ours = isinstance(beside, dict) and beside.get("format") == _FORMAT
    except (OSError, ValueError):
        ours = False
    if not ours:
        raise UsageError(
            f"{path} is no file of this command; give another --out, or --overwrite to replace it"
        )


def _save(targets: dict[str, Path], result: dict[str, Any], found: Answers) -> None:
    from wikibias.kits.files import write_json, write_text

    if RESULT in targets:  # first, since by it the others are known for ours
        write_json(targets[RESULT], result)
    if ANSWERS in targets:
        from wikibias.kits.tables import write_rows
        from wikibias.research.stress.answers import answered_rows

        write_rows(targets[ANSWERS], answered_rows(found))
    if PAGE in targets:
        from wikibias.kits.html import html
        from wikibias.research.reports.stress import page

        write_text(targets[PAGE], html(page(result, found)))
