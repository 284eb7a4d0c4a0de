"""`wikibias intents`: how good the rules of intents are, by what people say of the same edits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.config.signals import names_of_intents
from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.kits.command import Subcommands, resamples_option, warn
from wikibias.kits.document import number, with_interval
from wikibias.kits.files import write_json
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted, nearest

if TYPE_CHECKING:
    from wikibias.models.evaluation.rule_scores import Answer

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_COLUMNS = {"rev_id": "rev_id", "annotator": "annotator", "labels": "labels"}


@click.group(cls=Subcommands)
def intents() -> None:
    """Score the rules that tell the intent of an edit.

    \b
    Example:
      wikibias intents score corpora/en --labels labels.tsv
    """


@intents.command()
@click.argument("results", nargs=-1, required=True, type=_FOLDER, metavar="RESULT...")
@click.option(
    "--labels",
    "file",
    required=True,
    type=_FILE,
    help="Who said what: columns rev_id, annotator, labels; of several wikis also wiki.",
)
@click.option(
    "--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Of intervals."
)
@resamples_option
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="JSON file to write.")
def score(
    results: tuple[Path, ...], *, file: Path, seed: int, resamples: int, out: Path | None
) -> None:
    """Score the rules against labels: precision and recall, and how far annotators agree.

    RESULT is what `wikibias detect --signal citation ...` made of the dump that the labelled edits
    are of. An edit counts as having an intent if one annotator says so, and again if the majority
    does. A row of the labels names several intents with commas, or none. An edit that the rules did
    not find counts as not found, so label edits of this dump only.

    \b
    Example:
      wikibias intents score corpora/en --labels labels.tsv --out scores.json
    """
    from wikibias.config.intents import intents as known_intents
    from wikibias.models.evaluation.rule_scores import doubts, score_rules, unknown_names

    found: dict[str, dict[str, set[tuple[str, int]]]] = {}
    languages: dict[str, str] = {}
    for folder in results:
        _read_edits(folder, found, languages)
    answers = _read_answers(file, sorted(languages))
    names = sorted({name for of in found.values() for name in of})
    for name in unknown_names(answers, names):
        shipped = f"; the folder has {', '.join(names)}"
        hint = shipped if name in known_intents() else nearest(name, names)
        warn(f"{file}: {name!r} is no intent that was looked for{hint}")
    for doubt in doubts(answers):
        warn(f"{file}: {doubt}")
    asked = {answer.edit for answer in answers}
    if not any(edit in asked for of in found.values() for edits in of.values() for edit in edits):
        warn(f"{file}: the rules found none of its {counted(len(asked), 'edit')}; is it this dump?")
    table: dict[str, Any] = {}
    for lang, of in sorted(found.items()):
        mine = [answer for answer in answers if languages[answer.edit[0]] == lang]
        table[lang] = score_rules(mine, of, resamples=resamples, seed=seed)
        _show(lang, table[lang])
    if out is not None:
        write_json(out, {"languages": table})
        echo(f"Written to {out}")


def _read_edits(
    folder: Path,
    found: dict[str, dict[str, set[tuple[str, int]]]],
    languages: dict[str, str],
) -> None:
    from wikibias.kits.parquet import read_columns
    from wikibias.pipeline import manifest

    settings = manifest.settings_of(folder, manifest.load_recorded(folder)).detect
    wanted = names_of_intents(settings.signal)
    if not wanted:
        raise UsageError(
            f"{folder}: no intent was looked for; run `wikibias detect --signal citation ...`"
        )
    of = found.setdefault(settings.lang, {})
    for name in wanted:
        of.setdefault(name, set())
    for path in sorted((folder / "transitions").glob("*.parquet")):
        rows = read_columns(path, ["wiki", "signal", "after_rev_id"])
        for wiki, signal, revision in zip(*rows.values(), strict=True):
            languages[wiki] = settings.lang
            if signal in of:
                of[signal].add((wiki, revision))
    if not languages:
        raise UsageError(f"{folder}: holds no edit of any intent")


def _read_answers(file: Path, wikis: list[str]) -> list[Answer]:
    from wikibias.kits.tables import Columns, leave_out, read_frame
    from wikibias.models.evaluation.rule_scores import Answer, names_in

    several = {"wiki": "wiki"} if len(wikis) > 1 else {}
    columns = {**_COLUMNS, **several}
    frame = read_frame(file, Columns(needed=list(columns), **columns))
    blank = {f"without {name}": frame[name].isin(["", None]) for name in ("rev_id", "annotator")}
    rows = leave_out(frame, blank, warn).fillna("").astype(str).to_dict("list")
    of_wiki = rows.get("wiki", [wikis[0]] * len(rows["rev_id"]))
    answers = []
    for wiki, revision, who, labels in zip(
        of_wiki, rows["rev_id"], rows["annotator"], rows["labels"], strict=True
    ):
        if not (revision.isascii() and revision.isdigit() and len(revision) < 19):
            raise UsageError(f"{file}: {revision[:40]!r} is no number of a revision")
        if wiki not in wikis:
            raise UsageError(f"{file}: wiki {wiki[:40]!r} is none of {', '.join(wikis)}")
        answers.append(Answer((wiki, int(revision)), who, names_in(labels)))
    return answers


def _show(lang: str, table: dict[str, Any]) -> None:
    rows = []
    for name, scores in table.items():
        for truth in ("any", "majority"):
            of = scores[truth]
            rows.append(
                [
                    *(name, truth, f"{of['positive']:,}", f"{scores['by_rule']:,}"),
                    with_interval(of["precision"]),
                    with_interval(of["recall"]),
                    number(scores["krippendorff"]["value"]),
                ]
            )
    edits = max((scores["edits"] for scores in table.values()), default=0)
    header = ["intent", "who says so", "edits", "by rule", "P [95 %]", "R [95 %]", "alpha"]
    show_table(f"{lang}: {counted(edits, 'labelled edit')}", header, rows, left=2)
