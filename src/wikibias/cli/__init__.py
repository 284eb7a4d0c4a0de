"""The command line. A command parses its options, calls one function and shows the result."""

import gc
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from wikibias import __version__
from wikibias.cli.ending import check_arguments, exit_code
from wikibias.errors import UsageError, nearest
from wikibias.kits.terminal import escape_libraries

PANELS = {
    "Start": {
        "fetch": "Download a wiki's full history, and verify the checksums.",
        "extract": "Make a balanced corpus from dumps.",
        "update": "Keep the corpora of many wikis current, from one file.",
        "status": "Show which parts are whole or missing, and what to type next.",
        "docs": "Show a page of the documentation, or write sample dumps.",
    },
    "Look": {
        "report": "Show corpora or sentence pairs on one page.",
        "inspect": "Show why an edit, a sentence or a page is in the corpus.",
        "tags": "Count and curate tags; tell how long they stood.",
    },
    "Learn": {
        "classify": "Train and judge classifiers.",
        "predict": "Predict how likely each sentence is biased.",
        "pairs": "Make sentence pairs: biased, and as the editor mended it.",
        "spans": "Mark biased words, and score marked ones.",
        "neutralise": "Rewrite biased sentences, and judge rewrites.",
    },
    "Judge": {
        "annotate": "Have sentences judged, and say how far to trust it.",
        "audit": "Find what scores owe to leakage, words and topics.",
        "reproduce": "Compute the published figures of papers again.",
    },
    "Share": {"export": "Write a corpus as other programs read it, or upload it."},
    "Stages of extract": {"detect": "Stage 1: edits found by tags, summaries or intents."},
    "Tools": {"sentences": "Split paragraphs into sentences, or clean wikitext."},
}
"""What each command does, in the order of --help; `_PLACES` says where they are."""
COMMANDS = {name: about for panel in PANELS.values() for name, about in panel.items()}
# Of these --help says only how to see them.
_UNCOMMON = ("Stages of extract", "Tools")
_STAGES = "wikibias.cli.extract:command"
# Of those that are not `command` in the module of their name. A command is imported when it is
# called: that takes up to half a second.
_PLACES = {
    **{name: f"wikibias.cli.standalone:{name}" for name in ("sentences", "predict")},
    "extract": _STAGES,
    "detect": _STAGES,
    "neutralise": "wikibias.research.cli.neutralise:neutralise",
    "spans": "wikibias.research.cli.spans:spans",
    "annotate": "wikibias.research.cli.annotation:annotate",
    "audit": "wikibias.research.cli.audit:audit",
    "reproduce": "wikibias.research.cli.reproduce:reproduce",
    "tags": "wikibias.cli.tags:tags",
}
OLD_NAMES = {
    "intents": ["annotate"],
    "explain": ["inspect", "--intents"],
    "clean": ["sentences", "--clean"],
    "push": ["export"],
    "samples": ["docs", "--samples"],
    "audit-split": ["audit", "leakage"],
    "cross-evaluate": ["audit", "transfer"],
    "selection-bias": ["audit", "topics"],
    "stress": ["audit", "stress"],
}
"""What commands of an earlier version are called now; they work for one version, unlisted."""
_ANNOTATORS = {"--columns": "--annotator-columns"}
_RULES = {"--rules": "--rule-set"}
OLD_OPTIONS = {
    "extract": _RULES,
    "detect": _RULES,
    "build": _ANNOTATORS,
    "fetch": {"--family": "--kind"},
    "tags": {"--seed": "--from"},
    "report": {"--labels": "--answers", **_ANNOTATORS},
    "inspect": {**_RULES, "--before": "--before-text", "--after": "--after-text"},
    "classify": {"--labels": "--label-names"},
    "spans": {"--columns": "--fields"},
    "annotate": {"--labels": "--label-names", **_ANNOTATORS},
    "audit": {"--labels": "--label-names", "--json": "--out", "--sentences": "--written"},
}
"""The same of options, by the commands that have them."""
# What people call a command that has another name here.
SYNONYMS = {
    **dict.fromkeys(("download", "get", "pull"), "fetch"),
    **dict.fromkeys(("run", "make", "create", "corpus", "parse"), "extract"),
    **dict.fromkeys(("train", "fit", "evaluate", "test", "model"), "classify"),
    **dict.fromkeys(("score", "apply", "infer"), "predict"),
    **dict.fromkeys(("upload", "publish", "convert", "save"), "export"),
    **dict.fromkeys(("label", "judge", "review"), "annotate"),
    **dict.fromkeys(("show", "view", "stats", "summary"), "report"),
    **dict.fromkeys(("why", "edit", "search"), "inspect"),
    **dict.fromkeys(("split", "segment", "tokenize", "tokenise"), "sentences"),
    **dict.fromkeys(("rewrite", "debias"), "neutralise"),
    **dict.fromkeys(("count", "templates"), "tags"),
    **dict.fromkeys(("help", "man", "demo"), "docs"),
}
# The only ones with linear algebra. numpy starts a thread for it on each core, in each worker too,
# and each thread spins for 30 ms before it sleeps.
_ALGEBRA = {"classify", "predict", "neutralise", "annotate", "audit"}


def _listed() -> dict[str, dict[str, str]]:
    """Return all commands in the order of --help, those of the other stages behind `detect`."""
    stages = importlib.import_module("wikibias.pipeline.stages")  # 20 ms, and only for --help-all
    of_stages = {
        stage.name: f"Stage {number}: {stage.title}."
        for number, stage in enumerate(stages.STAGES, 1)
    }
    return {
        panel: {**commands, **(of_stages if "detect" in commands else {})}
        for panel, commands in PANELS.items()
    }


def _abouts() -> dict[str, str]:
    return {name: about for panel in _listed().values() for name, about in panel.items()}


# Below the options of each command.
_ALSO = "See wikibias --help for -q, -v, --log-file, --config-dir and --debug."


class Subcommands(click.Group):
    """Says which name was meant, and refuses an option that is given twice.

    Args:
        old_names: what commands of an earlier version are called now.
        old_options: the same of options, by the commands that have them.
    """

    def __init__(
        self,
        *arguments: Any,
        old_names: Mapping[str, Sequence[str]] | None = None,
        old_options: Mapping[str, Mapping[str, str]] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self._old_names, self._old_options = old_names or {}, old_options or {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that a line names, and the rest of the line."""
        args = [*self._old_names.get(args[0], args[:1]), *args[1:]]
        old = self._old_options.get(args[0], {})
        words = (word.partition("=") for word in args)
        args = ["".join((old.get(name, name), *value)) for name, *value in words]
        may_be_none = args[0].startswith("-") or ctx.resilient_parsing
        if not may_be_none and self.get_command(ctx, args[0]) is None:
            _, _, group = ctx.command_path.partition(" ")
            typed = f"{group} {args[0]}".lstrip()
            commands = self.list_commands(ctx)
            meant = SYNONYMS.get(args[0].lower())
            known = nearest(meant if meant in commands else args[0], commands)
            raise UsageError(f"unknown command {typed!r}{known}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            from wikibias.kits.command import refuse_repeats  # --help and --version can do without

            refuse_repeats(ctx, command, rest)
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does, in as many lines as it takes."""
        names = self.list_commands(ctx)
        found = ((name, self.get_command(ctx, name)) for name in names)
        rows = [(name, each.get_short_help_str(400)) for name, each in found if each is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def imported(name: str) -> click.Command:
    """Return a command that is there by its name."""
    usual = f"wikibias.cli.{name}:command" if name in COMMANDS else _STAGES
    module, place = _PLACES.get(name, usual).split(":")
    found = getattr(importlib.import_module(module), place)
    # One function gives the commands of all stages.
    command: click.Command = found if isinstance(found, click.Command) else found(name)
    return command


class _Commands(Subcommands):
    """A group that imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_abouts()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        about = COMMANDS.get(cmd_name) or _abouts().get(cmd_name)
        if about is None:
            return None
        if cmd_name not in _ALGEBRA:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        command = imported(cmd_name)
        command.short_help = about
        for each in (command, *getattr(command, "commands", {}).values()):
            each.epilog = _ALSO
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        every = ctx.meta.get(_ALL)
        common = {panel: of for panel, of in PANELS.items() if panel not in _UNCOMMON}
        width = max(map(len, COMMANDS))
        for panel, commands in (_listed() if every else common).items():
            with formatter.section(panel):
                formatter.write_dl([(f"{n:<{width}}", about) for n, about in commands.items()])
        if not every:
            formatter.write_paragraph()
            formatter.write_text("Each stage of extract, and tools: wikibias --help-all")
        click.Command.format_options(self, ctx, formatter)


# In the context's `meta`: whether all commands are to be shown.
_ALL = "wikibias.all"


def _show_all(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()


@click.group(
    cls=_Commands,
    old_names=OLD_NAMES,
    old_options=OLD_OPTIONS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="wikibias")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no tables.")
@click.option("-v", "--verbose", is_flag=True, help="Say what is done, part by part.")
@click.option(
    "--log-file",
    type=click.Path(dir_okay=False),
    help="Also write what is said and done to the end of this file.",
)
@click.option(
    "--config-dir",
    type=click.Path(file_okay=False),
    help="Folder with your own configs/ and tagsets/, looked in first.",
)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--help-all",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all commands and exit.",
)
@click.pass_context
def cli(ctx: click.Context, /, **general: Any) -> None:
    """Build and evaluate corpora of sentences that Wikipedia's editors found not neutral.

    The options may stand anywhere in the line of a command.

    \b
    Example:
      wikibias extract --lang fr frwiki-20261101-pages-meta-history1.xml.bz2
    """
    if not gc.isenabled():  # see `main`; the command has been imported by now
        gc.freeze()
        gc.enable()
    escape_libraries()
    # --help and --version can do without.
    from wikibias.cli.options import Logs, follow
    from wikibias.config.resources import unreadable
    from wikibias.kits.command import refuse_repeats, warn

    ctx.obj["logs"] = Logs(ctx.obj["arguments"])
    refuse_repeats(ctx, cli, ctx.obj["general"])
    follow(ctx, general)
    for line in unreadable():
        warn(line)


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit: 0 success, 1 something failed, 2 wrong usage."""
    arguments = sys.argv[1:] if args is None else args
    if args is None:
        # What is imported stays: to look through it for garbage takes a tenth of the start-up.
        gc.disable()
    debug = "--debug" in arguments
    if sys.stdin is None:  # closed, by `<&-`; then it is empty
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 (until we exit)
    typed = [word for word in arguments if word != "--debug"]
    shared: dict[str, Any] = {"arguments": typed, "debug": debug}
    status = 1
    try:
        status = exit_code(lambda: _run(shared), debug=debug)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    finally:
        if "logs" in shared:
            shared["logs"].close(status)
    sys.exit(status)


def _run(shared: dict[str, Any]) -> int:
    """Run a command line. What click has for it would end a closed pipe in its own way.

    All commands of the line find `shared` in their contexts.
    """
    if asked := os.environ.get("_WIKIBIAS_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {"obj": {}}, "wikibias", "_WIKIBIAS_COMPLETE", asked)
    check_arguments(shared["arguments"])
    shared["general"], shared["words"] = _options_apart(shared["arguments"])
    try:
        line = [*shared["general"], *shared["words"]]
        with cli.make_context("wikibias", line, obj=shared) as ctx:
            status: Any = cli.invoke(ctx)
    except click.exceptions.Exit as end:
        return end.exit_code
    return status if isinstance(status, int) else 0


def _options_apart(line: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options of every command, wherever they stand in a line, and the other words.

    Raises:
        UsageError: the value of one is missing.
    """
    options = [each for each in cli.params if isinstance(each, click.Option)]
    # Commands have a --help-all of their own.
    options = [each for each in options if each.name != "help_all"]
    flags = {name for each in options if each.is_flag for name in each.opts}
    valued = {name for each in options if not each.is_flag for name in each.opts}
    general, others = list[str](), list[str]()
    words = iter(line)
    for word in words:
        name, given, _ = word.partition("=")
        if word == "--":
            others += [word, *words]
        elif word in flags or (given and name in valued):
            general.append(word)
        elif word in valued:
            value = next(words, None)
            if value is None:
                raise UsageError(f"nothing stands after {word}")
            general += [word, value]
        else:
            others.append(word)
    return general, others
