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
from wikibias.errors import UsageError, WikibiasError, counted
from wikibias.kits import MOST_SEED
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, OUT_FILE, is_quiet, takes, warn
from wikibias.kits.files import checksum
from wikibias.kits.tables import check_ending, write_rows
from wikibias.kits.terminal import echo

if TYPE_CHECKING:
    from wikibias.research.annotation.language_models import Annotator
    from wikibias.research.annotation.tasks import Task
    from wikibias.research.language_models.asking import AnswerCache, Meter, Outcome


_MOST_TASKS = 250_000  # half a minute to count their tokens; days to answer them


@dataclass(frozen=True, kw_only=True)
class _Options:
    """The options of the command.

    Attributes:
        model: openai:NAME for any server that speaks its protocol; transformers:PATH for a folder,
            a GGUF file or package:NAME on this machine.
        task: What is asked: a name, or a TOML file of your own.
        setting: How: N-shot for N examples, with +sys for a system text, -exp for explanations.
        pool: Table of examples.
        nearest: A sentence encoder, a folder or package:NAME: show the most similar examples.
        rule: Which label an answer gives: the only one in it, or the most frequent.
        max_tokens: Of an answer.
        seed: Of examples that are drawn, and of the model.
        base_url: Address of the server, as http://127.0.0.1:11434/v1.
        api_key_env: Environment variable that holds the key.
        concurrency: How many questions a server gets at once.
        budget: Stop before all answers of this file take more tokens, in and out.
        dry_run: Say how many tokens it would take, and ask nothing.
        out: Table of the answers: .jsonl, .csv or .tsv.
        overwrite: Replace a table that this command did not write.
    """

    file: Annotated[Path, FILE, Setting(ARGUMENT)]
    model: Annotated[str, Setting("--model", metavar="PROVIDER:NAME")]
    task: Annotated[str, Setting("--task", metavar="NAME|FILE")] = "bias"
    setting: Annotated[str, Setting("--setting")] = "0-shot"
    pool: Annotated[Path | None, FILE, Setting("--pool", unset="that of the task")] = None
    nearest: Annotated[
        str | None, Setting("--nearest", unset="examples are drawn", metavar="ENCODER")
    ] = None
    rule: Annotated[Literal["distinct", "most-frequent"], Setting("--rule")] = "distinct"
    max_tokens: Annotated[int, Meta(ge=1, le=32_768), Setting("--max-tokens")] = 256
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    base_url: Annotated[
        str | None, Setting("--base-url", unset="$OPENAI_BASE_URL, else OpenAI's", metavar="URL")
    ] = None
    api_key_env: Annotated[
        str | None,
        Setting(
            "--api-key-env",
            unset="OPENAI_API_KEY, for OpenAI and the server of $OPENAI_BASE_URL",
            metavar="NAME",
        ),
    ] = None
    concurrency: Annotated[int, Meta(ge=1, le=256), Setting("--concurrency")] = 4
    budget: Annotated[int | None, Meta(ge=1), Setting("--budget", metavar="TOKENS")] = None
    dry_run: Annotated[bool, Setting("--dry-run")] = False
    out: Annotated[Path, OUT_FILE, Setting("-o --out")] = Path("answers.jsonl")
    overwrite: Annotated[bool, Setting("--overwrite")] = False


@click.command(name="llm")
@takes(_Options)
def llm_command(options: _Options) -> None:
    """Have a language model judge sentences.

    FILE is a task file of `annotate sample`, or any table with a column `text`. An answer is kept
    as soon as it arrives, in a file beside the table, and none is paid for twice: the same command
    goes on where it stopped. What says no label, or more than one, is "?", and is counted.

    \b
    Examples:
      wikibias annotate llm tasks.jsonl --model openai:llama3.2 \\
        --base-url http://127.0.0.1:11434/v1 --setting 2-shot --out answers.jsonl
      wikibias annotate llm tasks.jsonl --model openai:gpt-4o-mini --budget 200000
      wikibias annotate llm tasks.jsonl --model transformers:small.gguf --out answers.jsonl
    """
    from wikibias.research.annotation.tasks import read_tasks
    from wikibias.research.language_models.asking import answer_cache

    out = options.out
    check_ending(out)
    if out.exists() and out.samefile(options.file):
        raise UsageError(f"--out {out} is what is read; name another file")
    tasks = read_tasks(options.file, _MOST_TASKS)
    annotator = _annotator(options)
    path = out.with_name(f"{out.name}.cache")
    with interruptible(), answer_cache(path, read_only=options.dry_run) as cache:
        free = options.overwrite or options.dry_run or not out.exists()
        if not (free or (out.is_file() and cache.has_written(checksum(out)))):
            raise UsageError(
                f"{out} was not written by this command; --overwrite replaces it, --out names "
                "another"
            )
        _run(tasks, annotator, cache, options)


def _annotator(options: _Options) -> Annotator:
    """Return who is asked, and how."""
    from wikibias.research.annotation.language_models import Annotator
    from wikibias.research.annotation.prompts import load_prompt_task, prompting
    from wikibias.research.language_models.asking import Decoding, open_model

    prompts = prompting(
        load_prompt_task(options.task),
        options.setting,
        pool=options.pool,
        nearest_by=options.nearest,
        seed=options.seed,
        warn=warn,
    )
    if not prompts.setting.shots and (options.pool or options.nearest):
        warn(f"{options.setting} shows no examples; --setting 2-shot shows two of the pool")
    server = {"base_url": options.base_url, "api_key_env": options.api_key_env}
    model = open_model(options.model, server)
    decoding = Decoding(options.max_tokens, options.seed)
    return Annotator(model, prompts, decoding, options.rule, model.version())


def _run(tasks: list[Task], annotator: Annotator, cache: AnswerCache, options: _Options) -> None:
    """Ask what is not answered, and write all that is."""
    from wikibias.research.language_models.asking import Meter

    meter = Meter(options.max_tokens, options.budget)
    plan = annotator.plan(tasks, cache, meter)
    if not is_quiet() or options.dry_run:
        refused = f"{plan.refused:,} refused, " if plan.refused else ""
        echo(
            f"{annotator.name}: {counted(len(tasks), 'sentence')}, {plan.known:,} "
            f"answered already, {refused}{counted(len(plan.ask), 'question')} to ask."
        )
        if plan.ask:
            most_out = len(plan.ask) * options.max_tokens
            echo(f"About {plan.tokens_in:,} tokens in, at most {most_out:,} out.")
    if options.dry_run:
        echo("Dry run: nothing is asked.")
        return
    with _progress(annotator.name, len(plan.ask), meter) as tell:
        try:
            outcome = annotator.ask(
                tasks, plan, cache, meter, concurrency=options.concurrency, tell=tell
            )
        except WikibiasError as error:
            raise type(error)(
                f"{error}; all answers so far are kept: run it again to go on"
            ) from error
    rows = [*annotator.rows(tasks, plan, cache)]
    write_rows(options.out, rows)
    cache.note_written(checksum(options.out))
    if not is_quiet():
        _show_end(rows, len(tasks), annotator.prompting.task.question, meter)
        if outcome.refused:
            number, why = len(outcome.refused), next(iter(outcome.refused.values()))
            warn(f"{counted(number, 'question')} refused: {why}")
        echo(f"Written to {options.out}")
    if outcome.over_budget:
        raise WikibiasError(
            f"stopped before --budget {options.budget}: {counted(outcome.answered, 'question')} "
            f"of {len(plan.ask):,} answered now; a larger --budget goes on"
        )
    if outcome.without:
        why = next(iter(outcome.without.values()))
        raise WikibiasError(
            f"{counted(len(outcome.without), 'question')} had no answer ({why}); run it again to "
            "ask for them"
        )


@contextmanager
def _progress(name: str, total: int, meter: Meter) -> Iterator[Callable[[Outcome], None]]:
    """Show how many questions are answered, and the meter."""
    answered = 0

    def line(seconds: float) -> str:
        rate = 60 * answered / max(seconds, 0.001)
        return (
            f"asking {name}: {answered:,} of {total:,} answered, {_spent(meter)}, "
            f"{rate:,.0f} a minute"
        )

    with lines(line), bar("asking", total, "count", "spent") as show:

        def update(outcome: Outcome) -> None:
            nonlocal answered
            answered = outcome.answered
            show(completed=answered, spent=_spent(meter))

        yield update


def _spent(meter: Meter) -> str:
    about = "about " if meter.guessed else ""
    return f"{about}{meter.tokens_in:,} tokens in, {meter.tokens_out:,} out"


def _show_end(rows: list[dict[str, Any]], sentences: int, question: str, meter: Meter) -> None:
    from wikibias.research.annotation.answers import UNPARSED
    from wikibias.research.annotation.language_models import label_counts, why_unread
    from wikibias.research.language_models.asking import REFUSED

    counts = label_counts(rows, question)
    read = sum(counts.values()) - counts[UNPARSED]
    labels = ", ".join(f"{label} {number:,}" for label, number in counts.items())
    echo(f"{labels}; coverage {100 * read / sentences:.1f} % of {counted(sentences, 'sentence')}.")
    if refused := sum(row["finish"] == REFUSED for row in rows):
        echo(f"{counted(refused, 'sentence')} refused, each '?'.")
    echo(f"All answers: {_spent(meter)}.")
    if why := why_unread(rows, question):
        warn(why)
    models = sorted({row["model"] for row in rows})
    if len(models) > 1:
        warn(f"{len(models)} models answered: {', '.join(models)[:200]}")
