"""`wikibias plan`: what a dump would cost, before anything of it is downloaded."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from math import isnan
from pathlib import Path

import click

from wikibias.cli.options import MOST_WORKERS, config_dir_option
from wikibias.cli.run_summary import show_table
from wikibias.config.languages import languages, load_language
from wikibias.config.toml_file import read_text
from wikibias.dumps.web.catalogue import BASE_URL, Family, Wanted
from wikibias.dumps.web.dump_status import parse_status
from wikibias.dumps.web.http import Web
from wikibias.dumps.web.remote import AT_A_TIME, is_url
from wikibias.errors import UnreachableError, UsageError
from wikibias.kits.terminal import echo, echo_data
from wikibias.messages import counted
from wikibias.planning.calibration import measured_seconds
from wikibias.planning.cost_model import CostModel, load_costs
from wikibias.planning.estimate import Estimate, estimate
from wikibias.planning.inventory import Inventory, of_server, of_status
from wikibias.planning.ratios import Range, load_ratios
from wikibias.planning.report import as_dict

_WORKERS = (1, 16, 256)
# Units from large to small, with the figure from which each is taken.
_DURATIONS = (("days", 24.0), ("h", 1.0), ("min", 1 / 60), ("s", 1 / 3600))
_SIZES = (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3))
_COUNTS = (("billion", 1e9), ("million", 1e6), ("thousand", 1e3), ("", 1.0))
_LEAST = 0.01
_NO_STATUS = "it is no status file of a dump; give its dumpstatus.json"
_ELSEWHERE = (
    "download the dumpstatus.json of a dump on a machine with a network, and give its path here"
)
_WIKIPEDIA = re.compile(r"([a-z]{2,}(?:_[a-z_]+)?)wiki")


@click.command(name="plan")
@click.argument("status", required=False)
@click.option("--lang", help="Language of the wiki, such as en or fr.")
@click.option("--date", help="Date of the dump, such as 20260101.  [default: the newest]")
@click.option(
    "--family",
    type=click.Choice(["history", "content"]),
    default="history",
    show_default=True,
    help="Kind of dump, as for `wikibias fetch`.",
)
@click.option("--base-url", default=BASE_URL, show_default=True, help="Address of a mirror.")
@click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    multiple=True,
    help="Say the hours with so many workers; may be given again.  [default: 1, 16 and 256]",
)
@click.option(
    "--speed",
    type=click.FloatRange(0.01, 100),
    help="How fast a core is; that of the measurements is 1.  [default: measured here]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
@config_dir_option
def command(
    status: str | None,
    lang: str | None,
    date: str | None,
    family: Family,
    base_url: str,
    workers: tuple[int, ...],
    speed: float | None,
    as_json: bool,
) -> None:
    """Estimate the time, memory and disk that a dump takes.

    Says also which form is best to fetch. Reads only the list of its files: that of the newest dump
    of a language, or STATUS, the path or address of a dumpstatus.json. What the list does not tell
    is estimated, and given as a range.
    `wikibias docs scale` says where the figures come from.

    \b
    Examples:
      wikibias plan --lang bg
      wikibias plan --lang en --date 20260101 --workers 64
      wikibias plan --json dumpstatus.json
    """
    if speed is not None and isnan(speed):
        raise UsageError("--speed must be a number from 0.01 to 100")
    try:
        inventory = _inventory(status, lang, date, family, base_url)
    except UnreachableError as error:
        raise UnreachableError(f"{error}; or {_ELSEWHERE}") from error
    model = load_costs()
    found = estimate(
        inventory,
        model,
        load_ratios(),
        workers=tuple(dict.fromkeys(workers)) or _WORKERS,
        speed=speed or model.fitted.calibration / measured_seconds(),
    )
    if as_json:
        echo_data(json.dumps(as_dict(found, model), ensure_ascii=False))
    else:
        _show(found, model, family)


def _inventory(
    status: str | None, lang: str | None, date: str | None, family: Family, base_url: str
) -> Inventory:
    if (status is None) == (lang is None):
        raise UsageError("give either --lang, or the path or address of one dumpstatus.json")
    if status is None:
        load_language(str(lang))
        return of_server(Wanted(str(lang), family, date, None, base_url), Web())
    if date is not None or family != "history":
        raise UsageError("--date and --family go with --lang; a dumpstatus.json has its own date")
    text = Web().text(status) if is_url(status) else read_text(Path(status), _NO_STATUS)
    if text is None:
        raise UsageError(f"{status}: the server has no such file; give that of another date")
    return of_status(parse_status(text, status), status)


def _show(found: Estimate, model: CostModel, family: Family) -> None:
    """Show the estimate for people."""
    inventory = found.inventory
    best, hours = found.best()
    echo(f"{inventory.wiki} of {inventory.date}, from {inventory.source}")
    echo(
        f"About {bytes_in_words(found.xml_bytes)} of XML, {_count(found.revisions)} revisions, "
        f"{_count(found.transitions)} tag removals and additions."
    )
    show_table(
        f"The dump; download over {AT_A_TIME} connections",
        ("form", "parts", "size", "largest", "download"),
        [
            (
                form,
                each.parts,
                _size(each.bytes),
                _size(each.largest),
                hours_in_words(each.download_hours),
            )
            for form, each in found.forms.items()
        ],
    )
    # One worker takes by the clock what it takes of a core.
    several = [number for number in found.workers if number > 1]
    for form, each in found.forms.items():
        show_table(
            f"Time from {form}: of one core, and by the clock",
            (f"from {form}", "one core", *(counted(number, "worker") for number in several)),
            [
                (
                    task,
                    hours_in_words(done.core_hours),
                    *(hours_in_words(done.hours[n]) for n in several),
                )
                for task, done in each.tasks.items()
            ],
        )
    show_table(
        "Memory, and the size of the result",
        ("", *(counted(number, "worker") for number in found.workers), "result"),
        [
            (
                task,
                *(_size(1e6 * done.memory_mb[number]) for number in found.workers),
                bytes_in_words(done.output_bytes),
            )
            for task, done in found.forms[best].tasks.items()
        ],
    )
    for line in _remarks(found, model):
        echo(line)
    if name := _WIKIPEDIA.fullmatch(inventory.wiki):
        lang = name[1].replace("_", "-")
        words = ["wikibias", "fetch", "--lang", lang]
        words += ["--family", family] if family != "history" else []
        words += ["--date", inventory.date, *(["--format", best] if len(hours) > 1 else [])]
        first = (
            ""
            if lang in languages()
            else f"wikibias has no language {lang!r}; if this is a Wikipedia, add it "
            "(wikibias docs add-a-language), then: "
        )
        echo(f"Next: {first}{shlex.join(words)}")


def _remarks(found: Estimate, model: CostModel) -> list[str]:
    best, hours = found.best()
    most = counted(max(found.workers), "worker")
    both = ", ".join(f"{_duration(each)} as {form}" for form, each in hours.items())
    about = model.fitted
    return [
        f"Best form: {best}. Download and extract with {most}: {both}.",
        f"A core as {found.speed:.2f} times that of {about.machine}, where commit {about.commit} "
        f"was measured; on other dumps the costs were off by {about.error:.0%}, at worst "
        f"{about.worst:.0%}.",
    ]


def hours_in_words(hours: Range) -> str:
    """Return hours as people say them."""
    return _in_units(hours, _DURATIONS)


def _duration(hours: float) -> str:
    return _in_units(Range(hours, hours, hours), _DURATIONS)


def bytes_in_words(size: Range) -> str:
    """Return a size as people say it."""
    return _in_units(size, _SIZES)


def _size(size: float) -> str:
    return bytes_in_words(Range(size, size, size))


def _count(number: Range) -> str:
    return _in_units(number, _COUNTS).rstrip()


def _in_units(found: Range, units: Sequence[tuple[str, float]]) -> str:
    """Return a range as people say it: the likely figure, its ends, the unit that fits it."""
    unit, one = next((each for each in units if found.mid >= each[1]), units[-1])
    low, mid, high = (_digits(found.at(end) / one) for end in ("low", "mid", "high"))
    between = "" if found.low == found.high else f" ({low}–{high})"
    return f"{mid}{between} {unit}"


def _digits(number: float) -> str:
    """Return a number with two digits, as no estimate has more; whole ones from 10 on."""
    if 0 < number < _LEAST:
        return f"<{_LEAST}"
    return f"{float(f'{number:.2g}'):,.0f}" if number >= 10 else f"{float(f'{number:.2g}'):g}"
