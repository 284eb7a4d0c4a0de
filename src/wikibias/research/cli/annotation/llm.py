"""`wikibias annotate llm`: a language model as an annotator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.cli.ending import interruptible
from wikibias.cli.options import config_dir_option, log_options
from wikibias.cli.progress import bar, lines
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import MOST_SEED
from wikibias.kits.command import stack, warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.research.language_models.asking import Meter, Outcome, Prices
from wikibias.research.language_models.messages import CONCURRENCY

if TYPE_CHECKING:
    from wikibias.research.annotation.language_models import Annotator, Plan
    from wikibias.research.annotation.tasks import Task
    from wikibias.research.language_models.answer_cache import AnswerCache
    from wikibias.research.language_models.asking import Meter, Prices

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
prompt_options = stack(
    click.option(
        "--task",
        metavar="NAME|FILE",
        default="bias",
        show_default=True,
        help="What is asked: a name, or a TOML file of your own.",
    ),
    click.option(
        "--setting",
        default="0-shot",
        show_default=True,
        help="How: N-shot for N examples, with +sys for a system text, -exp for explanations.",
    ),
    click.option("--pool", type=FILE, help="Table of examples.  [default: that of the task]"),
    click.option(
        "--retrieve",
        type=click.Choice(["random", "nearest"]),
        default="random",
        show_default=True,
        help="Which examples a sentence gets: drawn, or the most similar.",
    ),
    click.option("--encoder", help="For nearest: a folder or package:NAME of a sentence encoder."),
    click.option(
        "--rule",
        type=click.Choice(["distinct", "most-frequent"]),
        default="distinct",
        show_default=True,
        help="Which label an answer gives: the only one in it, or the most frequent.",
    ),
)
decoding_options = stack(
    click.option(
        "--temperature",
        type=click.FloatRange(0, 2),
        default=0.0,
        show_default=True,
        help="0 for the most likely words.",
    ),
    click.option(
        "--max-tokens",
        type=click.IntRange(1, 32_768),
        default=256,
        show_default=True,
        help="Of an answer.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0, MOST_SEED),
        default=0,
        show_default=True,
        help="Of examples that are drawn, and of the model.",
    ),
)
provider_options = stack(
    click.option(
        "--base-url",
        metavar="URL",
        help="Address of the server, as http://127.0.0.1:11434/v1.  [default: $OPENAI_BASE_URL, "
        "else OpenAI's]",
    ),
    click.option(
        "--api-key-env",
        metavar="NAME",
        help="Environment variable that holds the key.  [default: OPENAI_API_KEY, for OpenAI and "
        "the server of $OPENAI_BASE_URL]",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(1, 256),
        show_default=str(CONCURRENCY),
        help="How many questions a server gets at once; fewer while it refuses.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(0.1, 3600),
        show_default="120",
        help="Seconds for an answer.",
    ),
    click.option(
        "--batch",
        type=click.IntRange(1, 1024),
        show_default="8",
        help="How many questions a model of this machine takes at a time.",
    ),
    click.option(
        "--device", type=click.Choice(["auto", "cpu", "cuda"]), help="Of a model of this machine."
    ),
)
cost_options = stack(
    click.option(
        "--price-in", type=click.FloatRange(0), help="Money for a million tokens of prompts."
    ),
    click.option(
        "--price-out", type=click.FloatRange(0), help="Money for a million tokens of answers."
    ),
    click.option(
        "--budget",
        metavar="AMOUNT",
        help="Stop before all answers of this file cost more: 2.50, or 200000tokens.",
    ),
    click.option("--dry-run", is_flag=True, help="Say what it would cost, and ask nothing."),
)


def spent(meter: Meter, prices: Prices | None) -> str:
    """Return what answers have cost so far."""
    money = f", {prices.of(meter.spent):,.4f} spent" if prices else ""
    about = "about " if meter.guessed else ""
    return f"{about}{meter.spent.inwards:,.0f} tokens in, {meter.spent.outwards:,.0f} out{money}"


@contextmanager
def asking(
    name: str, total: int, meter: Meter, prices: Prices | None, *, quiet: bool
) -> Iterator[Callable[[Outcome], None]]:
    """Show how many questions are answered, and the meter."""
    answered = [0]

    def line(seconds: float) -> str:
        rate = answered[0] / max(seconds, 0.001)
        return (
            f"asking {name}: {answered[0]:,} of {total:,} answered, {spent(meter, prices)}, "
            f"{60 * rate:,.0f} a minute"
        )

    with lines(line), bar("asking", total, "count", "spent", quiet=quiet) as show:

        def update(outcome: Outcome) -> None:
            answered[0] = outcome.answered
            show(completed=answered[0], spent=spent(meter, prices))

        yield update


_OF_PROVIDERS = (
    "base_url", "api_key_env", "timeout", "batch", "device",
)  # fmt: skip


@click.command()
@click.argument("file", type=FILE)
@click.option(
    "--model",
    metavar="PROVIDER:NAME",
    required=True,
    help="openai:NAME for any server that speaks its protocol; transformers:PATH for a folder, a "
    "GGUF file or package:NAME on this machine.",
)
@prompt_options
@decoding_options
@provider_options
@cost_options
@click.option(
    "--cache",
    type=click.Path(dir_okay=False, path_type=Path),
    help="SQLite file that keeps the answers.  [default: OUT.cache]",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default="answers.jsonl",
    show_default=True,
    help="Table of the answers: .jsonl, .csv or .tsv.",
)
@click.option("--overwrite", is_flag=True, help="Replace a table of others, or of more sentences.")
@log_options("No progress and no summary.")
@config_dir_option
def llm(file: Path, **options: Any) -> None:
    """Have a language model judge sentences.

    FILE is a task file of `annotate sample`, or any table with a column `text`. An answer is kept
    as soon as it arrives, and none is paid for twice: the same command goes on where it stopped.
    What says no label, or more than one, is "?", and is counted.

    \b
    Examples:
      wikibias annotate llm tasks.jsonl --model openai:llama3.2 \\
        --base-url http://127.0.0.1:11434/v1 --setting 2-shot --out answers.jsonl
      wikibias annotate llm tasks.jsonl --model openai:gpt-4o-mini --price-in 0.15 \\
        --price-out 0.60 --budget 2.50 --out answers.jsonl
      wikibias annotate llm tasks.jsonl --model transformers:small.gguf --out answers.jsonl
    """
    from wikibias.kits.tables import check_ending
    from wikibias.research.annotation.tasks import read_tasks
    from wikibias.research.language_models.answer_cache import answer_cache
    from wikibias.research.language_models.asking import Meter, Prices, parse_budget

    out: Path = options["out"]
    check_ending(out)
    if out.exists() and out.samefile(file):
        raise UsageError(f"--out {out} is what is read; name another file")
    given = [options["price_in"], options["price_out"]]
    if len({price is None for price in given}) > 1:
        raise UsageError("--price-in and --price-out go together; give 0 for what costs nothing")
    prices = None if None in given else Prices(*given)
    budget = parse_budget(options["budget"], prices) if options["budget"] else None
    tasks = read_tasks(file)
    annotator = _annotator(options)
    meter = Meter(options["max_tokens"], budget)
    path = options["cache"] or out.with_name(f"{out.name}.cache")
    with interruptible(), answer_cache(path, read_only=options["dry_run"]) as cache:
        if not (options["overwrite"] or options["dry_run"]):
            _check_ours(out, cache)
            _check_loss(out, annotator, tasks, path)
        _run(tasks, annotator, cache, meter, prices, options)


def _annotator(options: dict[str, Any]) -> Annotator:
    """Return who is asked, and how."""
    from wikibias.config.prompts import load_prompt_task
    from wikibias.research.annotation.language_models import Annotator
    from wikibias.research.annotation.prompts import prompting
    from wikibias.research.language_models.messages import Decoding, open_model

    task = load_prompt_task(options["task"])
    prompts = prompting(
        task,
        options["setting"],
        **{name: options[name] for name in ("pool", "retrieve", "encoder", "seed")},
        warn=warn,
    )
    if not prompts.setting.shots and (options["pool"] or options["encoder"]):
        warn(f"{options['setting']} shows no examples; --setting 2-shot shows two of the pool")
    model = open_model(options["model"], {name: options[name] for name in _OF_PROVIDERS})
    decoding = Decoding(options["temperature"], options["max_tokens"], options["seed"])
    return Annotator(model, prompts, decoding, options["rule"], model.version())


def _check_ours(out: Path, cache: AnswerCache) -> None:
    if out.exists() and not (out.is_file() and cache.has_written(_checksum(out))):
        raise UsageError(
            f"{out} was not written by this command; --overwrite replaces it, --out names another"
        )


def _check_loss(out: Path, annotator: Annotator, tasks: list[Task], cache: Path) -> None:
    """Check that a table of an earlier run is not replaced by one of others or of less.

    Raises:
        UsageError: it would be.
    """
    from wikibias.kits.cells import harmless
    from wikibias.research.annotation.tables import read_table

    if not out.exists() or out.stat().st_size < 2:  # CSV of no row is a line end
        return
    table = read_table(out)
    names = {str(name) for name in table.column("annotator")}
    known = {form for task in tasks for form in (task.item, harmless(task.item))}
    lost = sum(str(item) not in known for item in table.column("item"))
    if others := sorted(names - {annotator.name, harmless(annotator.name)}):
        what = f"answers of {', '.join(others)[:80]}"
    elif lost:
        what = f"{counted(lost, 'sentence')} that {'are' if lost > 1 else 'is'} not in this file"
    else:
        return
    raise UsageError(
        f"{out} holds {what}; name another --out, or replace it with --overwrite (its answers "
        f"stay in {cache})"
    )


def _checksum(path: Path) -> str:
    from hashlib import file_digest

    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def _run(
    tasks: list[Task],
    annotator: Annotator,
    cache: AnswerCache,
    meter: Meter,
    prices: Prices | None,
    options: dict[str, Any],
) -> None:
    from wikibias.kits.tables import write_rows
    from wikibias.research.annotation.language_models import ask, plan, rows

    made = plan(tasks, annotator, cache, meter)
    quiet = options["quiet"]
    if not quiet or options["dry_run"]:
        _show_plan(tasks, annotator, made, prices)
    if options["dry_run"]:
        echo("Dry run: nothing is asked.")
        return
    with asking(annotator.name, len(made.ask), meter, prices, quiet=quiet) as tell:
        try:
            outcome = ask(
                tasks,
                annotator,
                made,
                cache,
                meter,
                concurrency=options["concurrency"] or CONCURRENCY,
                tell=tell,
            )
        except WikibiasError as error:
            raise type(error)(
                f"{error}; all answers so far are kept: run it again to go on"
            ) from error
    written = [*rows(tasks, annotator, made, cache)]
    write_rows(options["out"], written)
    cache.note_written(_checksum(options["out"]))
    if not quiet:
        _show_end(written, len(tasks), annotator.prompting.task.question, meter, prices)
        if outcome.refused:
            number, why = len(outcome.refused), next(iter(outcome.refused.values()))
            warn(f"{counted(number, 'question')} refused: {why}")
        echo(f"Written to {options['out']}")
    if outcome.over_budget:
        raise WikibiasError(
            f"stopped before --budget {options['budget']}: {counted(outcome.answered, 'question')} "
            f"of {len(made.ask):,} answered now; a larger --budget goes on"
        )
    if outcome.without:
        why = next(iter(outcome.without.values()))
        raise WikibiasError(
            f"{counted(len(outcome.without), 'question')} had no answer ({why}); run it again to "
            "ask for them"
        )


def _show_plan(tasks: list[Task], annotator: Annotator, made: Plan, prices: Prices | None) -> None:
    refused = f"{made.refused:,} refused, " if made.refused else ""
    echo(
        f"{annotator.name}: {counted(len(tasks), 'sentence')}, {made.known:,} "
        f"answered already, {refused}{counted(len(made.ask), 'question')} to ask."
    )
    if made.ask:
        money = f": up to about {prices.of(made.expected):,.4f}" if prices else ""
        echo(
            f"About {made.expected.inwards:,.0f} tokens in, "
            f"at most {made.expected.outwards:,.0f} out{money}."
        )


def _show_end(
    written: list[dict[str, Any]],
    sentences: int,
    question: str,
    meter: Meter,
    prices: Prices | None,
) -> None:
    from wikibias.research.annotation.answers import UNPARSED
    from wikibias.research.annotation.language_models import shares, unread
    from wikibias.research.language_models.messages import REFUSED

    counts = shares(written, question)
    read = sum(counts.values()) - counts[UNPARSED]
    told = ", ".join(f"{label} {number:,}" for label, number in counts.items())
    echo(f"{told}; coverage {100 * read / sentences:.1f} % of {counted(sentences, 'sentence')}.")
    if refused := sum(row["finish"] == REFUSED for row in written):
        echo(f"{counted(refused, 'sentence')} refused, each '?'.")
    echo(f"All answers: {spent(meter, prices)}.")
    if why := unread(written, question):
        warn(why)
    models = sorted({row["model"] for row in written})
    if len(models) > 1:
        warn(f"{len(models)} models answered: {', '.join(models)[:200]}")
