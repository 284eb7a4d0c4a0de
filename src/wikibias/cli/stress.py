"""`wikibias stress`: what a classifier does when places, people, groups or loaded words change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.cli.options import config_dir_option
from wikibias.cli.stress_input import DEFAULT_LANGUAGE, Wanted, answers_of, cases_of, for_models
from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.kits.command import resamples_option, warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.research.stress.answers import Answers

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
    help="Write the figures to this JSON; or them and all answers to this folder.",
)
@click.option("--page", is_flag=True, help="Also write a page with the failures, beside them.")
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
    page: bool,
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
      wikibias stress corpora/en/models/sgd
      wikibias stress models/a models/b --tests loaded --out stress --page
      wikibias stress --language fr --write sentences.jsonl
      wikibias stress predictions.jsonl --out stress.json
    """
    wanted = Wanted(language, tests, cases, seed)
    if write is not None:
        _write(write, wanted, sources, overwrite=overwrite)
        return
    if not sources:
        raise UsageError("name the folder of a model or a file of predictions, or give --write")
    if page and out is None:
        raise UsageError("--page goes with --out, beside which it is written")
    targets = _targets(out, page=page)
    for path in targets.values():
        _refuse_others(path, overwrite=overwrite)
    from wikibias.cli.stress_tables import show
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
    show(result)
    for line in result["notes"]:
        warn(line)
    for path in targets.values():
        echo(f"Wrote {path}.")


def _scored(found: Answers, wanted: Wanted, resamples: int) -> dict[str, Any]:
    from wikibias.research.stress.notes import notes
    from wikibias.research.stress.scoring import Bootstrap, score

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
    from wikibias.research.stress.tables import rows

    written = rows(cases_of(replace(wanted, language=wanted.language or DEFAULT_LANGUAGE)))
    write_rows(path, written)
    echo(
        f"Wrote {counted(len(written), 'sentence')} to {path}. Add a column predicted (biased, "
        "neutral or ?), and give the file to `wikibias stress`."
    )


def _targets(out: Path | None, *, page: bool) -> dict[str, Path]:
    if out is None:
        return {}
    if out.suffix.lower() == ".json":
        return {RESULT: out, **({PAGE: out.with_suffix(".html")} if page else {})}
    names = [RESULT, ANSWERS, *([PAGE] if page else [])]
    return {name: out / name for name in names}


def _refuse_others(path: Path, *, overwrite: bool) -> None:
    """Refuse to replace a file that this command did not write.

    Raises:
        UsageError: it is there, or cannot be looked at.
    """
    if overwrite or not path.exists():
        return
    from wikibias.kits.files import read_json
    from wikibias.kits.html import is_page
    from wikibias.reports.stress_page import GENERATOR

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
        from wikibias.research.stress.tables import answered_rows

        write_rows(targets[ANSWERS], answered_rows(found))
    if PAGE in targets:
        from wikibias.reports.stress_page import page

        write_text(targets[PAGE], page(result, found))
