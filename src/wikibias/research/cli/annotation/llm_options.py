"""Options of `wikibias annotate llm`."""

from __future__ import annotations

from pathlib import Path

import click

from wikibias.kits import MOST_SEED
from wikibias.kits.command import stack
from wikibias.research.language_models.messages import CONCURRENCY

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
    click.option("--prompt", metavar="FILE", type=FILE, help="Another template for the task."),
    click.option("--pool", type=FILE, help="Table of examples.  [default: that of the task]"),
    click.option(
        "--retrieve",
        type=click.Choice(["random", "nearest", "tfidf"]),
        default="random",
        show_default=True,
        help="Which examples a sentence gets: drawn, or the most similar.",
    ),
    click.option("--encoder", help="For nearest: a folder or package:NAME of a sentence encoder."),
    click.option(
        "--system-message",
        is_flag=True,
        help="Send the system text as a message of its own, not at the head of the prompt.",
    ),
    click.option(
        "--rule",
        type=click.Choice(["distinct", "most-frequent"]),
        default="distinct",
        show_default=True,
        help="Which label an answer gives: the only one in it, or the most frequent.",
    ),
    click.option(
        "--structured", is_flag=True, help="Ask for JSON by a schema, where the server can."
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
    click.option("--model-version", help="What tells the model from others of its name."),
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
        "--tries",
        type=click.IntRange(1, 100),
        show_default="7",
        help="How often a question is asked whose answer does not come.",
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
    click.option(
        "--ask-refused", is_flag=True, help="Ask again what the server refused in an earlier run."
    ),
)
