"""`wikibias annotate llm`: a language model as an annotator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.cli.interrupts import interruptible
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.command import config_dir_option, log_options, warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.research.cli.annotation.llm_options import (
    FILE,
    cost_options,
    decoding_options,
    prompt_options,
    provider_options,
)
from wikibias.research.language_models.messages import CONCURRENCY

if TYPE_CHECKING:
    from wikibias.research.annotation.language_models import Annotator, Plan
    from wikibias.research.annotation.tasks import Task
    from wikibias.research.language_models.answer_cache import AnswerCache
    from wikibias.research.language_models.asking import Meter, Prices

_OF_PROVIDERS = (
    "base_url", "api_key_env", "model_version", "concurrency", "timeout", "tries",
    "batch", "device",
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
    from dataclasses import replace

    from wikibias.config.prompts import load_prompt_task
    from wikibias.kits.checked import read_text
    from wikibias.research.annotation.language_models import Annotator
    from wikibias.research.annotation.prompts import prompting
    from wikibias.research.language_models.messages import BatchModel, Decoding, open_model

    task = load_prompt_task(options["task"])
    if options["prompt"]:
        task = replace(task, template=read_text(options["prompt"]))
    prompts = prompting(
        task,
        options["setting"],
        **{name: options[name] for name in ("pool", "retrieve", "encoder", "seed")},
        system_message=options["system_message"],
        warn=warn,
    )
    if not prompts.setting.shots and (options["pool"] or options["encoder"]):
        warn(f"{options['setting']} shows no examples; --setting 2-shot shows two of the pool")
    model = open_model(options["model"], {name: options[name] for name in _OF_PROVIDERS})
    if options["structured"] and isinstance(model, BatchModel):
        raise UsageError("--structured is for servers; a model of this machine follows no schema")
    decoding = Decoding(
        options["temperature"],
        options["max_tokens"],
        options["seed"],
        prompts.schema() if options["structured"] else None,
    )
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
    from wikibias.research.cli.annotation.asking_progress import asking

    made = plan(tasks, annotator, cache, meter, ask_refused=options["ask_refused"])
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
    from wikibias.research.cli.annotation.asking_progress import spent
    from wikibias.research.language_models.messages import REFUSED

    counts = shares(written, question)
    read = sum(counts.values()) - counts[UNPARSED]
    told = ", ".join(f"{label} {number:,}" for label, number in counts.items())
    echo(f"{told}; coverage {100 * read / sentences:.1f} % of {counted(sentences, 'sentence')}.")
    if refused := sum(row["finish"] == REFUSED for row in written):
        echo(f"{counted(refused, 'sentence')} refused, each '?'; --ask-refused asks again.")
    echo(f"All answers: {spent(meter, prices)}.")
    if why := unread(written, question):
        warn(why)
    models = sorted({row["model"] for row in written})
    if len(models) > 1:
        warn(f"{len(models)} models answered: {', '.join(models)[:200]}")
