"""Options, arguments and checks that commands share."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import update_wrapper, wraps
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import click

from wikibias.errors import UsageError
from wikibias.kits import files, terminal
from wikibias.kits.checked import Declared, bounds, declared, shown, unannotated


def refuse_repeats(ctx: click.Context, command: click.Command, words: Sequence[str]) -> None:
    """Make sure that no option of a command that takes one value gets two that differ.

    Args:
        ctx: of the group that the command belongs to.
        command: which is to run.
        words: what is typed after its name.

    Raises:
        UsageError: one does; the message says how to have both.
    """
    if ctx.resilient_parsing:  # for the completion of a line that is not typed to its end
        return
    with command.context_class(command, parent=ctx, info_name=command.name) as own:
        single = {
            option.opts[-1]: option
            for option in command.get_params(own)
            if isinstance(option, click.Option) and not (option.multiple or option.is_flag)
        }
        parser = command.make_parser(own)
        for name, option in single.items():
            parser.add_option(option, option.opts, name, action="append", nargs=option.nargs)
        given, _, _ = parser.parse_args([*words])
    for name in single:
        values = [*dict.fromkeys(given.get(name) or [])]
        if len(values) > 1:
            again = (
                "; for both, run the command once for each, with an --out of its own"
                if "--out" in single and name not in ("--out", "--workers")
                else ""
            )
            raise UsageError(
                f"{name} takes one value, and is given {len(values)}: "
                f"{', '.join(map(shown, values))}{again or '; give it once'}"
            )


def typed(*, values: Collection[str] = (), flags: Collection[str] = ()) -> list[str]:
    """Return the words of the command that runs.

    Args:
        values: options that are left out, with their values.
        flags: options that are left out.
    """
    words = iter(click.get_current_context().find_root().obj["arguments"])
    kept = ["wikibias"]
    for word in words:
        if word in values:
            next(words, None)
        elif word not in flags and word.partition("=")[0] not in values:
            kept.append(word)
    return kept


def is_quiet() -> bool:
    """Return whether a command was given `--quiet`."""
    context = click.get_current_context(silent=True)
    return bool(context and (context.find_root().obj or {}).get("quiet"))


def warn(line: str) -> None:
    """Show a warning on standard error."""
    terminal.echo(f"Warning: {line}", err=True)


F = TypeVar("F", bound=Callable[..., Any])


def stack(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return options as one decorator, which lists them in this order."""

    def apply(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


CORPORA = Path("corpora")
"""Where `wikibias extract` writes by default, in the folder where the command is typed."""
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
folder_argument = click.argument("folder", type=FOLDER)
_MANIFEST = "manifest.json"
# There from the end of a build to the beginning of the next.
_BUILT = "corpus/train.parquet"


def corpus_argument(
    *, several: bool = False, built: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the argument [FOLDER], or [FOLDERS]..., whose default is `corpus_or_newest`.

    Args:
        several: any number of folders, as the tuple `folders`; else one, as `folder`.
        built: see `corpus_or_newest`.
    """
    name = "folders" if several else "folder"
    argument = click.argument(name, nargs=-1 if several else 1, required=False, type=FOLDER)

    def apply(command: Callable[..., Any]) -> Callable[..., Any]:
        # Not a callback of the argument: it would look before a mistake in the options is found.
        @wraps(command)
        def with_default(*arguments: Any, **options: Any) -> Any:
            if not options[name]:
                found = corpus_or_newest(None, built=built)
                options[name] = (found,) if several else found
            return command(*arguments, **options)

        return argument(with_default)

    return apply


def corpus_or_newest(given: Path | None, *, built: bool = True, instead: str = "") -> Path:
    """Return the folder given, else the newest result under ./corpora, and say which that is.

    The newest is the one whose manifest was written last; of several at once the last by name.

    Args:
        given: what was typed, or None.
        built: only results with a corpus; else also those of a run that has not come so far.
        instead: what else may be typed, as the end of the line when there is none.

    Raises:
        UsageError: there is none, or `corpora` cannot be read; the line says what to type.
    """
    if given is not None:
        return given
    try:
        found = sorted(_results(built), key=_written)
    except OSError as error:
        raise UsageError(
            f"{error.filename} cannot be read ({error.strerror}); say which folder"
        ) from error
    one, several = ("corpus", "corpora") if built else ("result", "results")
    if not found:
        raise UsageError(_what_to_type(one, instead))
    which = f"the newest of {len(found):,} {several}" if found[1:] else f"the only {one} there"
    terminal.echo(f"Uses {found[-1]}, {which}.", err=True)
    return found[-1]


def _results(built: bool) -> Iterator[Path]:
    """Yield the results under ./corpora, or ./corpora itself where it is one."""
    if not CORPORA.is_dir():
        return
    wanted = (_MANIFEST, _BUILT) if built else (_MANIFEST,)
    for folder in (CORPORA, *CORPORA.iterdir()):
        if all((folder / name).is_file() for name in wanted):
            yield folder


def _written(folder: Path) -> tuple[int, str]:
    return (folder / _MANIFEST).stat().st_mtime_ns, folder.name


def _what_to_type(one: str, instead: str) -> str:
    context = click.get_current_context(silent=True)
    command = context.command_path.partition(" ")[2] if context else "..."
    return (
        f"no folder given, and no {one} in ./{CORPORA}; make one with `wikibias extract --lang "
        f"LANG DUMP`, or say where it is: `wikibias {command} FOLDER`{instead}"
    )


FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT_FILE = click.Path(dir_okay=False, path_type=Path)
OUT_FOLDER = click.Path(file_okay=False, path_type=Path)
MADE_BY = "made_by"
"""Key of a JSON file of ours; with it a later run may replace the file."""


ARGUMENT = "argument"
"""The `option` of a `Setting` that is an argument of the command, by its place."""


def options_of(kind: type[Any], *without: str) -> Callable[[F], F]:
    """The options that the fields of a dataclass declare, in order, as one decorator.

    The type of a field says what may be typed: a bool is a flag, a tuple may be given again, a
    Literal is a choice; a `click.ParamType` among its annotations comes before all of these.
    A field whose `Setting` has the option `ARGUMENT` is an argument.
    """
    found = (each for each in declared(kind) if each.setting.option and each.name not in without)
    return stack(*map(_option, found))


def option_names(*kinds: type[Any]) -> list[str]:
    """Return the names of the options that dataclasses declare, such as `--out`."""
    found = (each.setting.option for kind in kinds for each in declared(kind))
    return [option.split()[-1] for option in found if option]


def takes(kind: type[Any], *without: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a command take options as one instance of a dataclass that declares them, first.

    What else it takes comes by name.
    """
    names = [each.name for each in fields(kind) if each.name not in without]

    def apply(command: Callable[..., Any]) -> Callable[..., Any]:
        def with_options(**values: Any) -> Any:
            own = {name: values.pop(name) for name in names if name in values}
            return command(kind(**own), **values)

        return options_of(kind, *without)(update_wrapper(with_options, command))

    return apply


class Listed(click.Option):
    """An option of several values, which may be given again or stand with commas between."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the values, each by itself."""
        words = [each.split(",") if isinstance(each, str) else [each] for each in value or ()]
        parts = [part for each in words for part in each]
        return super().type_cast_value(ctx, parts or value)


def _option(setting: Declared) -> Callable[[F], F]:
    bare, marks = unannotated(setting.hint)
    about, several, needed = setting.setting, get_origin(bare) is tuple, setting.default is MISSING
    own = next((mark for mark in marks if isinstance(mark, click.ParamType)), None)
    kind = own or _type_of(get_args(bare)[0] if several else setting.hint)
    shared: dict[str, Any] = {"type": kind, "metavar": about.metavar or None}
    # Of what is called by words the command finds the default.
    shared["required"] = needed and not about.unset
    if about.option == ARGUMENT:
        return click.argument(setting.name, nargs=-1 if several else 1, **shared)
    names = (*about.option.split(), setting.name)
    text = f"{setting.doc}  [default: {about.unset}]" if about.unset else setting.doc
    if bare is bool:
        return click.option(*names, is_flag=True, help=text, hidden=about.hidden)
    if several:
        shared["multiple"] = True
        if about.commas or isinstance(kind, (click.Choice, click.IntRange)):
            shared["cls"] = Listed
    elif not needed:
        shared |= {"default": setting.default, "show_default": setting.default != ""}
    return click.option(*names, help=text, hidden=about.hidden, **shared)


def _type_of(hint: Any) -> click.ParamType[Any]:
    bare, _ = unannotated(hint)
    if get_origin(bare) is Literal:
        return click.Choice(get_args(bare))
    if bare in (int, float):
        low, high = bounds(hint)
        return click.IntRange(low, high) if bare is int else click.FloatRange(low, high)
    return click.STRING


def check_out(out: Path | None, inputs: Iterable[Path] = (), *, overwrite: bool) -> None:
    """Make sure that a file may be written.

    Raises:
        UsageError: it is one of the inputs, or is there already, holds something and is no JSON
            file of ours.
    """
    if out is None or not out.exists():
        return
    if any(path.exists() and out.samefile(path) for path in inputs):
        raise UsageError(f"{out} is what is read; name another file to write")
    if not overwrite and not _is_ours(out):
        raise UsageError(f"{out} is there already; name another file, or add --overwrite")


def _is_ours(path: Path) -> bool:
    try:
        if not path.stat().st_size:
            return True
        if path.suffix != ".json":
            return False
        found = files.read_json(path)
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and MADE_BY in found


class Numbers(click.ParamType["tuple[int, ...]"]):
    """Whole numbers with commas between, in order and each once.

    Args:
        least: the smallest that is allowed.
        most: the largest.
    """

    name = "numbers"

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the numbers.

        Raises:
            UsageError: one is none, or out of range.
        """
        if isinstance(value, tuple):
            return value
        option = f"{param.opts[0]}: " if param is not None else ""
        try:
            found = {int(part) for part in str(value).split(",")}
        except ValueError as error:
            raise UsageError(
                f"{option}{value!r} is not a list of whole numbers, such as 2,8,20"
            ) from error
        if not all(self._least <= each <= self._most for each in found):
            raise UsageError(
                f"{option}{value!r}: each must be from {self._least:,} to {self._most:,}"
            )
        return tuple(sorted(found))


class BriefHelp(click.Command):
    """A command whose `--help` shows the options that most people use, `--help-all` the others.

    Args:
        common: names of the options that `--help` shows, such as `--lang`.
        panels: titles, and the names of the options that `--help-all` shows below each.
    """

    def __init__(
        self,
        *arguments: Any,
        common: Collection[str],
        panels: Mapping[str, Collection[str]],
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self._common, self._panels = {"--help", "--help-all", *common}, panels
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=self._show_all,
                help="Show all options and exit.",
            )
        )

    def show_all(self) -> None:
        """Let the help show all options."""
        self._common |= {opt for param in self.params for opt in param.opts}

    def _show_all(self, ctx: click.Context, _: click.Parameter, asked: bool) -> None:
        if asked and not ctx.resilient_parsing:
            self.show_all()
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that are shown, and how many are not."""
        found = (each for each in self.get_params(ctx) if isinstance(each, click.Option))
        options = [each for each in found if not each.hidden]
        shown = [each for each in options if not self._common.isdisjoint(each.opts)]
        rest = len(options) - len(shown)
        panel_of = {name: title for title, names in self._panels.items() for name in names}
        panels: dict[str, list[tuple[str, str]]] = {
            title: [] for title in (*self._panels, "Options")
        }
        for each in shown:
            title = "Options" if rest else panel_of.get(each.opts[-1], "Options")
            panels[title].append(each.get_help_record(ctx) or ("", ""))
        for title, records in panels.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        if rest:
            formatter.write_paragraph()
            formatter.write_text(f"{rest} more: {ctx.command_path} --help-all")
