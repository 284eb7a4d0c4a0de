"""`wikibias annotate llm`: a language model as an annotator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from wikibias.cli.ending import interruptible
from wikibias.cli.progress import bar, lines
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import MOST_SEED
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, OUT_FILE, is_quiet, takes, warn
from wikibias.kits.tables import check_ending, write_rows
from wikibias.kits.terminal import echo
from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.research.annotation.language_models import Annotator, Plan
    from wikibias.research.annotation.tasks import Task
    from wikibias.research.language_models.answer_cache import AnswerCache
    from wikibias.research.language_models.asking import Meter, Outcome, Prices

_Price = Annotated[float | None, Meta(ge=0)]


@dataclass(frozen=True, kw_only=True)
class _Options:
    file: Annotated[Path, FILE, Setting("", ARGUMENT)]
    model: Annotated[
        str,
        Setting(
            "openai:NAME for any server that speaks its protocol; transformers:PATH for a folder, "
            "a GGUF file or package:NAME on this machine.",
            "--model",
            metavar="PROVIDER:NAME",
        ),
    ]
    task: Annotated[
        str,
        Setting(
            "What is asked: a name, or a TOML file of your own.", "--task", metavar="NAME|FILE"
        ),
    ] = "bias"
    setting: Annotated[
        str,
        Setting(
            "How: N-shot for N examples, with +sys for a system text, -exp for explanations.",
            "--setting",
        ),
    ] = "0-shot"
    pool: Annotated[
        Path | None, FILE, Setting("Table of examples.", "--pool", unset="that of the task")
    ] = None
    retrieve: Annotated[
        Literal["random", "nearest"],
        Setting("Which examples a sentence gets: drawn, or the most similar.", "--retrieve"),
    ] = "random"
    encoder: Annotated[
        str | None,
        Setting("For nearest: a folder or package:NAME of a sentence encoder.", "--encoder"),
    ] = None
    system_message: Annotated[
        bool,
        Setting("Send the system text apart, not at the head of the prompt.", "--system-message"),
    ] = False
    rule: Annotated[
        Literal["distinct", "most-frequent"],
        Setting("Which label an answer gives: the only one in it, or the most frequent.", "--rule"),
    ] = "distinct"
    temperature: Annotated[
        float, Meta(ge=0, le=2), Setting("0 for the most likely words.", "--temperature")
    ] = 0.0
    max_tokens: Annotated[int, Meta(ge=1, le=32_768), Setting("Of an answer.", "--max-tokens")] = (
        256
    )
    seed: Annotated[
        int,
        Meta(ge=0, le=MOST_SEED),
        Setting("Of examples that are drawn, and of the model.", "--seed"),
    ] = 0
    base_url: Annotated[
        str | None,
        Setting(
            "Address of the server, as http://127.0.0.1:11434/v1.",
            "--base-url",
            unset="$OPENAI_BASE_URL, else OpenAI's",
            metavar="URL",
        ),
    ] = None
    api_key_env: Annotated[
        str | None,
        Setting(
            "Environment variable that holds the key.",
            "--api-key-env",
            unset="OPENAI_API_KEY, for OpenAI and the server of $OPENAI_BASE_URL",
            metavar="NAME",
        ),
    ] = None
    concurrency: Annotated[
        int,
        Meta(ge=1, le=256),
        Setting("How many questions a server gets at once.", "--concurrency"),
    ] = 4
    timeout: Annotated[
        float | None,
        Meta(ge=0.1, le=3600),
        Setting("Seconds for an answer.", "--timeout", unset="120"),
    ] = None
    batch: Annotated[
        int | None,
        Meta(ge=1, le=1024),
        Setting(
            "How many questions a model of this machine takes at a time.", "--batch", unset="8"
        ),
    ] = None
    device: Annotated[
        Literal["auto", "cpu", "cuda"] | None,
        Setting("Of a model of this machine.", "--device", unset="auto"),
    ] = None
    price_in: Annotated[_Price, Setting("Money for a million tokens of prompts.", "--price-in")] = (
        None
    )
    price_out: Annotated[
        _Price, Setting("Money for a million tokens of answers.", "--price-out")
    ] = None
    budget: Annotated[
        str | None,
        Setting(
            "Stop before all answers of this file cost more: 2.50, or 200000tokens.",
            "--budget",
            metavar="AMOUNT",
        ),
    ] = None
    dry_run: Annotated[bool, Setting("Say what it would cost, and ask nothing.", "--dry-run")] = (
        False
    )
    cache: Annotated[
        Path | None,
        OUT_FILE,
        Setting("SQLite file that keeps the answers.", "--cache", unset="OUT.cache"),
    ] = None
    out: Annotated[
        Path, OUT_FILE, Setting("Table of the answers: .jsonl, .csv or .tsv.", "-o --out")
    ] = Path("answers.jsonl")
    overwrite: Annotated[
        bool, Setting("Replace a table that this command did not write.", "--overwrite")
    ] = False


def spent(meter: Meter, prices: Prices | None) -> str:
    """Return what answers have cost so far."""
    money = f", {prices.of(meter.spent):,.4f} spent" if prices else ""
    about = "about " if meter.guessed else ""
    return f"{about}{meter.spent.inwards:,.0f} tokens in, {meter.spent.outwards:,.0f} out{money}"


@contextmanager
def progress_of_answers(
    name: str, total: int, meter: Meter, prices: Prices | None
) -> Iterator[Callable[[Outcome], None]]:
    """Show how many questions are answered, and the meter."""
    answered = [0]

    def line(seconds: float) -> str:
        rate = answered[0] / max(seconds, 0.001)
        return (
            f"asking {name}: {answered[0]:,} of {total:,} answered, {spent(meter, prices)}, "
            f"{60 * rate:,.0f} a minute"
        )

    with lines(line), bar("asking", total, "count", "spent") as show:

        def update(outcome: Outcome) -> None:
            answered[0] = outcome.answered
            show(completed=answered[0], spent=spent(meter, prices))

        yield update


@click.command(name="llm")
@takes(_Options)
def llm_command(options: _Options) -> None:
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
    from wikibias.research.annotation.tasks import read_tasks
    from wikibias.research.language_models.answer_cache import answer_cache
    from wikibias.research.language_models.asking import Meter, Prices, parse_budget

    out = options.out
    check_ending(out)
    if out.exists() and out.samefile(options.file):
        raise UsageError(f"--out {out} is what is read; name another file")
    if (options.price_in is None) != (options.price_out is None):
        raise UsageError("--price-in and --price-out go together; give 0 for what costs nothing")
    prices = None
    if options.price_in is not None and options.price_out is not None:
        prices = Prices(options.price_in, options.price_out)
    budget = parse_budget(options.budget, prices) if options.budget else None
    tasks = read_tasks(options.file)
    annotator = _annotator(options)
    meter = Meter(options.max_tokens, budget)
    path = options.cache or out.with_name(f"{out.name}.cache")
    with interruptible(), answer_cache(path, read_only=options.dry_run) as cache:
        if not (options.overwrite or options.dry_run):
            _check_ours(out, cache)
        _run(tasks, annotator, cache, meter, prices, options)


def _annotator(options: _Options) -> Annotator:
    """Return who is asked, and how."""
    from wikibias.config.prompts import load_prompt_task
    from wikibias.research.annotation.language_models import Annotator
    from wikibias.research.annotation.prompts import prompting
    from wikibias.research.language_models.messages import Decoding, open_model

    prompts = prompting(
        load_prompt_task(options.task),
        options.setting,
        pool=options.pool,
        retrieve=options.retrieve,
        encoder=options.encoder,
        seed=options.seed,
        system_message=options.system_message,
        warn=warn,
    )
    if not prompts.setting.shots and (options.pool or options.encoder):
        warn(f"{options.setting} shows no examples; --setting 2-shot shows two of the pool")
    own = ("base_url", "api_key_env", "timeout", "batch", "device")
    model = open_model(options.model, {name: getattr(options, name) for name in own})
    decoding = Decoding(options.temperature, options.max_tokens, options.seed)
    return Annotator(model, prompts, decoding, options.rule, model.version())


def _check_ours(out: Path, cache: AnswerCache) -> None:
    if out.exists() and not (out.is_file() and cache.has_written(_checksum(out))):
        raise UsageError(
            f"{out} was not written by this command; --overwrite replaces it, --out names another"
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
    options: _Options,
) -> None:
    from wikibias.research.annotation.language_models import answer_rows, ask, ask_plan

    made = ask_plan(tasks, annotator, cache, meter)
    if not is_quiet() or options.dry_run:
        _show_plan(tasks, annotator, made, prices)
    if options.dry_run:
        echo("Dry run: nothing is asked.")
        return
    with progress_of_answers(annotator.name, len(made.ask), meter, prices) as tell:
        try:
            outcome = ask(
                tasks,
                annotator,
                made,
                cache,
                meter,
                concurrency=options.concurrency,
                tell=tell,
            )
        except WikibiasError as error:
            raise type(error)(
                f"{error}; all answers so far are kept: run it again to go on"
            ) from error
    written = [*answer_rows(tasks, annotator, made, cache)]
    write_rows(options.out, written)
    cache.note_written(_checksum(options.out))
    if not is_quiet():
        _show_end(written, len(tasks), annotator.prompting.task.question, meter, prices)
        if outcome.refused:
            number, why = len(outcome.refused), next(iter(outcome.refused.values()))
            warn(f"{counted(number, 'question')} refused: {why}")
        echo(f"Written to {options.out}")
    if outcome.over_budget:
        raise WikibiasError(
            f"stopped before --budget {options.budget}: {counted(outcome.answered, 'question')} "
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
