"""The commands of the stages: `wikibias extract`, `detect`, `diff`, `filter` and `build`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, get_args

import click

from wikibias.cli import dry_run
from wikibias.cli.ending import interruptible
from wikibias.cli.options import RunOptions, workers_option
from wikibias.cli.progress import progress, warn_of_odd_names
from wikibias.cli.run_file import config_option
from wikibias.cli.status import show_result
from wikibias.config.choices import LabelsBy
from wikibias.config.thresholds import load_config
from wikibias.dumps.parts import Part, find_parts
from wikibias.errors import UsageError
from wikibias.kits.checked import Setting
from wikibias.kits.command import (
    FILE,
    OUT_FOLDER,
    BriefHelp,
    folder_argument,
    is_quiet,
    options_of,
    stack,
    takes,
    typed,
)
from wikibias.kits.terminal import echo
from wikibias.messages import counted, nearest, printable
from wikibias.pipeline import manifest, runner, settings, stages
from wikibias.pipeline.dispatch import Shard, Workers
from wikibias.pipeline.plan import Request, with_recorded
from wikibias.pipeline.settings import Settings, make_settings, with_stage
from wikibias.pipeline.stages import Stage


def run_and_show(
    folder: Path,
    parts: Sequence[Part],
    settings: Settings,
    stages: Sequence[Stage],
    how: RunOptions,
    *,
    tables: bool = True,
) -> int:
    """Run stages, show what came out (without `tables` only faults), and return the exit code."""
    share = None if how.shard is None else Shard.parse(how.shard)
    where = Workers(how.workers, how.engine, how.scheduler)
    asked = Request(folder, parts, settings, stages, how.restart, share)
    if how.dry_run:
        return dry_run.show(asked, where)
    debug = click.get_current_context().find_root().obj.get("debug")
    with interruptible(), progress(asked.own) as on_progress:
        result = runner.run(
            asked,
            where,
            command=typed(values=["--shard"], flags=["--restart"]),  # what `status` advises
            on_progress=on_progress,
            on_note=runner.no_note if is_quiet() else partial(echo, err=True),
            on_failure=_show_traceback if debug else runner.no_failure,
        )
    if share is not None and not asked.own:
        echo(f"Shard {how.shard} has no part: there are only {counted(len(parts), 'part')}.")
        return 0
    return show_result(folder, result, quiet=is_quiet() or not tables)


def _show_traceback(part: Part, traceback: str) -> None:
    click.echo(printable(f"{part.name}: {traceback}", keep="\n"), err=True)


class LabelsOrFile(click.ParamType[Any]):
    """What the labels of a corpus are by name, or a file of answers."""

    name = "labels"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return what --help says."""
        return f"[{'|'.join(get_args(LabelsBy))}|FILE]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a name, or the path of a file that is there."""
        known = get_args(LabelsBy)
        if isinstance(value, Path) or value in known:
            return value
        if not Path(value).is_file():
            self.fail(f"there is no file {value!r}, nor labels of that name{nearest(value, known)}")
        return Path(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answers:
    """What `wikibias build` takes besides the settings of its stage.

    Attributes:
        labels: Also write a corpus with several labels, to labelled/: by the intents of edits, or
            by the inline tags that point at sentences. A folder keeps those that it has. Or a file
            of answers: then judged/ has the sentences that it judges, with the label that most
            annotators gave.
        tasks: With --labels FILE: the task file whose items its answers name.
        columns: With --labels FILE: the columns of a wide table that are annotators; names, or
            patterns such as '*@2-shot'.
    """

    labels: Annotated[
        LabelsBy | Path | None,
        LabelsOrFile(),
        Setting("--labels", "intents where nothing but intents was looked for"),
    ] = None
    tasks: Annotated[
        Path | None, FILE, Setting("--tasks", "they name sentences, in a column sentence_id")
    ] = None
    columns: Annotated[str | None, Setting("--columns", metavar="A,B,C")] = None


# What people type; the rest is for a run file, or `--help-all`.
_COMMON = ["--lang", "-o", "--tagset", "--signal", "--filters", "--split", "--seed", "--workers"]
_COMMON += ["--restart", "--config"]
_COMMAND_OPTIONS = {
    "diff": options_of(settings.Diff),
    "filter": options_of(settings.Filter),
    "build": stack(options_of(settings.Build, "labels"), options_of(_Answers)),
}


def _from_dumps_options(*kinds: type[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options of a command that reads dumps and does the stages of these settings."""
    return stack(
        click.argument("dumps", nargs=-1, required=True),
        *(options_of(kind) for kind in (*kinds, Settings)),
        click.option(
            "-o", "--out", type=OUT_FOLDER, help="Folder of the result.  [default: corpora/<lang>]"
        ),
        config_option,
        workers_option,
    )


@click.command(cls=BriefHelp, common=_COMMON)
@_from_dumps_options(settings.Detect, settings.Diff, settings.Filter, settings.Build)
@takes(RunOptions)
def extract(how: RunOptions, **options: Any) -> int:
    """Build a corpus from full-history dumps: detect, diff, filter and build in one.

    DUMPS are files, folders (without those in them), patterns or URLs, or - for standard input;
    plain or compressed as bz2, 7z, gz, xz, lzma or zst. The same command again does only what is
    missing. Other dumps of the wiki, such as next month's, are added to what the folder holds, and
    pages keep their splits; with --restart all begins anew.

    \b
    Examples:
      wikibias extract --lang fr frwiki-20261101-pages-meta-history1.xml.bz2
      wikibias extract --lang en -o corpora/en-dry-run --limit 100 dumps/
      bzcat dump.xml.bz2 | wikibias extract --lang bg -
    """
    return _from_dumps(stages.STAGES, how, **options)


@click.command(cls=BriefHelp, common=_COMMON)
@_from_dumps_options(settings.Detect)
@takes(RunOptions)
def detect(how: RunOptions, **options: Any) -> int:
    """Find edits in dumps: the first stage of extract.

    These are the edits that put tags in or took them out; with `--signal summary` those whose
    summary names the neutrality policy; and with the name of an intent, such as `--signal
    citation`, those that its rules tell. An intent of your own: wikibias docs intents.

    \b
    Example:
      wikibias detect --lang fr frwiki-20261101-pages-meta-history1.xml.bz2
    """
    return _from_dumps(stages.STAGES[:1], how, **options)


def _from_dumps(
    chosen: Sequence[Stage],
    how: RunOptions,
    *,
    dumps: tuple[str, ...],
    lang: str,
    out: Path | None,
    config_file: Path | None,
    **choices: Any,
) -> int:
    settings = make_settings(lang, load_config(config_file), **choices)
    parts = find_parts(dumps)
    warn_of_odd_names(dumps)
    folder = out or Path("corpora") / lang
    if not how.restart:
        parts = with_recorded(folder, parts)
    return run_and_show(folder, parts, settings, chosen, how)


# What reads the labels of a file of answers, of a package that is not imported here.
_READ_LABELS = ("wikibias.research.cli.judged_build", "read_labels")
_HELP = """{description}: stage {number} of extract.

\b
Example:
  wikibias {name} {example}corpora/fr
"""


def command(name: str) -> click.Command:
    """Return the command of a stage, or that of all."""
    if name in ("extract", "detect"):
        return extract if name == "extract" else detect
    stage = stages.named(name)
    text = _HELP.format(
        description=stage.description,
        number=stages.STAGES.index(stage) + 1,
        name=name,
        example=stage.example,
    )
    # The corpus takes all parts.
    run_options = takes(RunOptions, *(() if stage.is_per_part else ("shard",)))
    own = [_COMMAND_OPTIONS[name]] if name in _COMMAND_OPTIONS else []
    options = stack(folder_argument, *own, config_option, workers_option)
    return click.command(name, help=text)(options(run_options(partial(_go_on, stage))))


def _go_on(
    stage: Stage, how: RunOptions, *, folder: Path, config_file: Path | None, **choices: Any
) -> int:
    found = manifest.load_recorded(folder)
    judged = None
    if stage.name == "build":
        answers = {name: choices.pop(name) for name in ("tasks", "columns")}
        if isinstance(labels := choices["labels"], Path):
            module, read_labels = _READ_LABELS
            judged = getattr(import_module(module), read_labels)(labels, **answers)
            choices["labels"] = None
        elif any(value is not None for value in answers.values()):
            raise UsageError("--tasks and --columns go with --labels FILE, a file of answers")
    old = manifest.settings_of(folder, found)
    settings = with_stage(old, stage.name, load_config(config_file), **choices)
    parts = manifest.parts_of(found)
    status = run_and_show(folder, parts, settings, [stage], how, tables=judged is None)
    if judged is not None and not status and not how.dry_run:
        judged.build(folder, quiet=is_quiet())
    return status
