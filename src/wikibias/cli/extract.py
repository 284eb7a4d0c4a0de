"""The commands of the stages: `wikibias extract`, `detect`, `diff`, `filter` and `build`.

The table [run] of `--config FILE` describes a run. Its keys are defaults of the command's options,
so that the command line wins.
"""

import glob
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, get_args

import click
from click.core import ParameterSource

from wikibias.cli.ending import check_arguments, interruptible
from wikibias.cli.options import RunOptions, follow, workers_option
from wikibias.cli.progress import in_bytes, progress, show_first, warn_of_odd_names
from wikibias.cli.status import show_result
from wikibias.config import resources
from wikibias.config.choices import LabelsBy
from wikibias.config.thresholds import RUN, Config, load_config
from wikibias.dumps.compression.streams import STDIN, is_url
from wikibias.dumps.parts import Part, find_parts, local_size
from wikibias.errors import UsageError, counted, nearest, printable
from wikibias.execution.engines import MOST_WORKERS
from wikibias.kits import command as commands
from wikibias.kits.checked import Meta, NonEmpty, Setting, declared, hints_of, read_toml
from wikibias.kits.command import FILE, OUT_FOLDER, is_quiet, option_names, options_of, stack, takes
from wikibias.kits.folders import busy
from wikibias.kits.terminal import echo
from wikibias.pipeline import manifest, runner, settings, stages
from wikibias.pipeline.dispatch import Shard, Workers
from wikibias.pipeline.plan import (
    Plan,
    Request,
    missing_files,
    plan_run,
    refuse_request,
    with_recorded,
)
from wikibias.pipeline.settings import Settings, make_settings, with_stage
from wikibias.pipeline.stages import Stage

# What is no setting of a stage: key, type, and what it does.
OTHERS: tuple[tuple[str, Any, str], ...] = (
    ("dumps", tuple[NonEmpty, ...], "Files, folders, patterns or URLs, as for `extract`."),
    ("out", NonEmpty, "Folder of the result, also for the stages that go on in it."),
    ("lang_anyway", bool, "Take `lang` even if the dump is of another wiki."),
    ("workers", Annotated[int, Meta(ge=1, le=MOST_WORKERS)], "How many processes to use."),
    ("engine", NonEmpty, "Where to work: local, dask or slurm."),
    ("scheduler", NonEmpty, "Address of a Dask scheduler."),
    ("config_dir", NonEmpty, "Folder with your own configs/ and tagsets/."),
    ("log_file", NonEmpty, "File to log to."),
    ("quiet", bool, "No progress and no tables."),
    ("verbose", bool, "Say what is done, part by part."),
)
_PATHS = ("out", "config_dir", "log_file")
_STAGES = (settings.Detect, settings.Diff, settings.Filter, settings.Build, settings.Settings)


@cache
def run_table() -> type[Any]:
    """Return a dataclass of what [run] may hold: settings by their names, and `OTHERS`."""
    known = [(key, Annotated[hint, Setting()], None) for key, hint, _ in OTHERS]
    for stage in _STAGES:
        known += [(each.name, each.hint, None) for each in declared(stage) if each.setting.option]
    return make_dataclass("Run", [(key, hint, field(default=d)) for key, hint, d in known])


def whole_file(*runs: Any) -> type[Any]:
    """Return a dataclass of a file with fields of runs, and thresholds."""
    hints = hints_of(Config)
    thresholds: list[Any] = [
        (each.name, hints[each.name], field(default_factory=hints[each.name]))
        for each in fields(Config)
    ]
    return make_dataclass("RunFile", [*runs, *thresholds])


@cache
def _run_file() -> type[Any]:
    return whole_file((RUN, run_table(), field(default_factory=run_table())))


def read_run(path: Path) -> dict[str, Any]:
    """Return the values of [run] by the names of the command's options; none where there is none.

    Paths are as they count from the current folder; in the file they count from its own.

    Raises:
        UsageError: an unknown key, or a value that is not allowed; one line that names file, line,
            key and what is allowed.
    """
    content, file = read_toml(path, _run_file())
    run = getattr(content, RUN)
    given = {key: getattr(run, key) for key in file.table.get(RUN, {})}
    check_arguments(["--config", *texts(given)])
    for key in _PATHS:
        if key in given:
            given[key] = str(path.parent / given[key])
    if "dumps" in given:
        given["dumps"] = tuple(_dump(path.parent, each) for each in given["dumps"])
    # The stages that go on in a folder call it so.
    return {**given, "folder": given["out"]} if "out" in given else given


def _dump(folder: Path, dump: str) -> str:
    if dump == STDIN or is_url(dump) or Path(dump).is_absolute() or folder == Path():
        return dump
    # What stands for any characters does so in the dump's own name alone.
    return str(Path(glob.escape(str(folder))) / dump)


def texts(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts among the values of keys."""
    for value in given.values():
        several = value if isinstance(value, tuple) else (value,)
        yield from (each for each in several if isinstance(each, str))


def _take_run(ctx: click.Context, _: click.Parameter, path: Path | None) -> Path | None:
    """Take the values of a run file for defaults."""
    if path is not None and not ctx.resilient_parsing:
        given = read_run(path)
        ctx.default_map = {**(ctx.default_map or {}), **given}
        root = ctx.find_root()
        typed = {name for name, value in root.params.items() if value}
        follow(root, {name: given[name] for name in given.keys() - typed})
    return path


config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    is_eager=True,
    callback=_take_run,
    help="TOML file with thresholds, and with options of the command as keys of [run]; see "
    "`wikibias docs settings`.",
)


def _take_preset(ctx: click.Context, _: click.Parameter, name: str | None) -> str | None:
    """Take the values of a preset for defaults, below those of a run file."""
    if name is not None and not ctx.resilient_parsing:
        ctx.default_map = {**read_preset(name), **(ctx.default_map or {})}
    return name


def read_preset(name: str) -> dict[str, Any]:
    """Return the values of a preset; see `read_run`.

    Raises:
        UsageError: there is none of this name.
    """
    return read_run(resources.named_file("presets", name, "no preset", ""))


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
        return _show_plan(asked, where)
    debug = click.get_current_context().find_root().obj.get("debug")
    with interruptible(), progress(asked.own) as on_progress:
        result = runner.run(
            asked,
            where,
            # What `status` advises.
            command=commands.typed(values=["--shard"], flags=["--restart"]),
            on_progress=on_progress,
            on_note=runner.say_nothing if is_quiet() else partial(echo, err=True),
            on_failure=_show_traceback if debug else runner.say_nothing,
        )
    if share is not None and not asked.own:
        echo(f"Shard {how.shard} has no part: there are only {counted(len(parts), 'part')}.")
        return 0
    return show_result(folder, result, quiet=is_quiet() or not tables)


def _show_traceback(part: Part, traceback: str) -> None:
    click.echo(printable(f"{part.name}: {traceback}", keep="\n"), err=True)


# What is smaller is done before one has read how long it takes.
_ESTIMATED_FROM_GB = 0.05
# What a large wiki costs, by GB of the dump as packed (docs/performance.md).
_CORE_SECONDS_PER_GB = {"7z": 170, "bz2": 100}
_RESULT_MB_PER_GB = {"7z": 14, "bz2": 2}
_WORKER_GB = 0.21


def _show_plan(asked: Request, workers: Workers) -> int:
    """Show the plan of a run, and return the exit code.

    Raises:
        UsageError: the run would refuse it.
    """
    refuse_request(asked, workers)
    plan = plan_run(asked)
    todo = [part for part in asked.own if part.name in plan.todo]
    # Where only later stages are missing, the dump is not read again.
    sizes = {p.name: 0 if plan.todo[p.name][0].reads else local_size(p) for p in todo}
    total = sum(sizes[part.name] for part in todo)
    of_them = f" ({in_bytes(total)})" if total else ""
    echo("Dry run: nothing is written.")
    echo(
        f"{counted(len(asked.own), 'part')}: {len(asked.own) - len(todo):,} done already, "
        f"{len(todo):,} to do{of_them}."
    )
    shown = [_part_line(p, sizes[p.name]) if asked.reads_dumps else p.name for p in todo]
    of_each = [", ".join(stage.name for stage in plan.todo[part.name]) for part in todo]
    show_first([f"{part}: {names}" for part, names in zip(shown, of_each, strict=True)])
    _show_folder(asked.folder, plan)
    if asked.reads_dumps:
        _show_estimate(todo, sizes, workers)
    return 0


def _show_folder(folder: Path, plan: Plan) -> None:
    if plan.removes:
        echo(f"Removes what is in {_folders(folder, plan.removes)}.")
    if plan.tables:
        echo(f"Writes a table for each of these parts into {_folders(folder, plan.tables)}.")
    if plan.builds:
        echo(f"Builds the corpus in {folder / 'corpus'}.")
    if not plan.tables and not plan.builds:
        echo(f"{folder} is complete; only its manifest.json would be written again.")
    elif plan.is_new:
        echo(f"{folder} is new.")
    if busy(folder):
        echo(f"A run is at work in {folder} now; this one would be refused.")


def _folders(folder: Path, names: Sequence[str]) -> str:
    return ", ".join(f"{folder / name}/" for name in dict.fromkeys(names))


def _show_estimate(todo: Sequence[Part], sizes: dict[str, int], workers: Workers) -> None:
    """Show hours, memory and disk of a long run over 7z or bz2."""
    sizes_gb = {
        form: sum(sizes[p.name] for p in todo if p.files[0].endswith(f".{form}")) / 1e9
        for form in _CORE_SECONDS_PER_GB
    }
    known = sum(sizes_gb.values())
    if known < _ESTIMATED_FROM_GB or known * 1e9 < sum(sizes.values()):
        return
    at_once = min(workers.number, len(todo))
    seconds = sum(_CORE_SECONDS_PER_GB[form] * gb for form, gb in sizes_gb.items()) / at_once
    result_mb = sum(_RESULT_MB_PER_GB[form] * gb for form, gb in sizes_gb.items())
    echo(
        f"About {seconds / 3600:,.2f} hours with {counted(workers.number, 'worker')}, "
        f"{at_once * _WORKER_GB:,.1f} GB of memory, {result_mb / 1000:,.2f} GB of result; a third "
        "to three times as much, by the wiki and the machine (wikibias docs performance)."
    )


def _part_line(part: Part, size: int) -> str:
    path = part.files[0]
    if path == STDIN:
        return "standard input"
    if not is_url(path) and not Path(path).exists():
        return f"{path} (no such file)"
    many = f" and {counted(len(part.files) - 1, 'more file')}" if len(part.files) > 1 else ""
    return f"{path}{many}{f' ({in_bytes(size)})' if size else ''}"


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
    columns: Annotated[str | None, Setting("--annotator-columns", metavar="A,B,C")] = None


# What people type; the rest is for a run file, or `--help-all`.
_COMMON = ["--lang", "-o", "--tagset", "--signal", "--filters", "--split", "--seed", "--workers"]
_COMMON += ["--min-confidence", "--restart", "--config", "--preset"]
_PANELS = {
    "The result": ["--out"],
    "Find edits": [*option_names(Settings, settings.Detect), "--lang-anyway"],
    "Compare, and drop": option_names(settings.Diff, settings.Filter),
    "The corpus": option_names(settings.Build),
    "The run": ["--workers", "--config", "--preset", *option_names(RunOptions)],
}
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
        click.option(
            "--lang-anyway", is_flag=True, help="Take --lang even if the dump is of another wiki."
        ),
        config_option,
        workers_option,
    )


@click.command(cls=commands.BriefHelp, common=_COMMON, panels=_PANELS)
@_from_dumps_options(settings.Detect, settings.Diff, settings.Filter, settings.Build)
@click.option(
    "--preset",
    metavar="NAME",
    is_eager=True,
    expose_value=False,
    callback=_take_preset,
    help="Defaults by name: paper-2019, as in the 2019 paper; tone-check, paragraphs for "
    "classifiers of tone; or one of your own.",
)
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


@click.command(cls=commands.BriefHelp, common=_COMMON, panels=_PANELS)
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
    lang: str | None,
    lang_anyway: bool,
    out: Path | None,
    config_file: Path | None,
    **choices: Any,
) -> int:
    from wikibias.dumps.iteration import refuse_no_dumps, refuse_other_wiki

    parts = find_parts(dumps)
    # Of what is missing the run tells.
    there = [part for part in parts if not missing_files([part])]
    lang = lang or _language_of(parts, there)
    refuse_no_dumps(there)
    if not lang_anyway:
        refuse_other_wiki(parts, lang, "give the dumps of one wiki (--lang {}), or --lang-anyway")
    settings = make_settings(lang, load_config(config_file), **choices)
    warn_of_odd_names(dumps)
    folder = out or Path("corpora") / lang
    click.get_current_context().find_root().obj["result"] = folder  # the value is the exit code
    if not how.restart:
        parts = with_recorded(folder, parts)
    return run_and_show(folder, parts, settings, chosen, how)


def _language_of(parts: Sequence[Part], there: Sequence[Part]) -> str:
    from wikibias.dumps.iteration import language_of

    if not there:
        raise UsageError(f"{missing_files(parts)[0]}: no such file")
    lang = language_of(there[0])
    if not is_quiet():
        echo(f"--lang {lang}, as the dump says", err=True)
    return lang


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
    options = stack(commands.folder_argument, *own, config_option, workers_option)
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
            raise UsageError(
                "--tasks and --annotator-columns go with --labels FILE, a file of answers"
            )
    status, source = 0, click.get_current_context().get_parameter_source
    asked = any(source(name) is not ParameterSource.DEFAULT for name in {*choices} - {"labels"})
    # Answers alone are about the corpus as it is.
    if judged is None or how.dry_run or asked or not found["corpus"]:
        parts, old = manifest.parts_of(found), manifest.settings_of(folder, found)
        settings = with_stage(old, stage.name, load_config(config_file), **choices)
        status = run_and_show(folder, parts, settings, [stage], how, tables=judged is None)
    if judged is not None and not status and not how.dry_run:
        judged.build(folder, quiet=is_quiet(), replaces=how.restart)
    return status
