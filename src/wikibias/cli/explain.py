"""`wikibias explain`: which rules of an intent hold for an edit, and which do not."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from wikibias.cli.options import config_dir_option
from wikibias.config.choices import RuleSet
from wikibias.errors import UsageError
from wikibias.kits.terminal import echo, echo_data
from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.config.intents import Rule
    from wikibias.reports.explanations import Explanation

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_LONGEST = 80  # characters of a value


@click.command(name="explain")
@click.argument(
    "result", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.argument("revision", required=False, type=click.IntRange(1, 10**18 - 1))
@click.option("--lang", help="With two files: language of the wiki, such as en or fr.")
@click.option("--before", type=_FILE, help="File with the wikitext before the edit.")
@click.option("--after", type=_FILE, help="File with the wikitext after it.")
@click.option("--summary", default="", help="With two files: the edit summary.")
@click.option(
    "--signal",
    multiple=True,
    help="Only this intent; may be given again.  [default: those of RESULT; with two files all]",
)
@click.option(
    "--rules",
    type=click.Choice(get_args(RuleSet)),
    help="Which rules.  [default: those of RESULT; with two files robust]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@config_dir_option
def command(
    result: Path | None,
    revision: int | None,
    *,
    lang: str | None,
    before: Path | None,
    after: Path | None,
    summary: str,
    signal: tuple[str, ...],
    rules: RuleSet | None,
    as_json: bool,
) -> None:
    """Show which rules of an intent hold for an edit, with the fact that each tests.

    The edit is that of REVISION in RESULT, a folder that `wikibias detect` or `extract` made, or
    the one between two files of wikitext. RESULT alone lists some of its edits with intents.
    Rules of lines that must hold together are shown for the line where most of them do. `wikibias
    docs add-an-intent` tells how to write rules.

    \b
    Examples:
      wikibias explain corpora/en
      wikibias explain corpora/en 50
      wikibias explain --lang en --before A.wikitext --after B.wikitext --summary "rm POV"
    """
    from wikibias.reports.explanations import explain_row, explain_texts

    of_texts = lang or before or after or summary
    if result is not None and revision is None and not (of_texts or rules):
        _list(result, signal, as_json=as_json)
        return
    if result is not None and revision is not None and not of_texts:
        found = explain_row(result, revision, signal, rules)
    elif result is None and lang and before and after:
        found = explain_texts(_text(before), _text(after), summary, lang, signal, rules or "robust")
    else:
        raise UsageError(
            "give RESULT and REVISION, or --lang, --before and --after; see `wikibias explain "
            "--help`"
        )
    if as_json:
        echo_data(json.dumps(found.as_dict(), ensure_ascii=False))
    else:
        _show(found)


def _list(result: Path, signal: tuple[str, ...], *, as_json: bool) -> None:
    """List some edits with intents."""
    from wikibias.cli.run_summary import show_table
    from wikibias.reports.explanations import edits_of

    found, number = edits_of(result, signal)
    if as_json:
        edits = [edit._asdict() for edit in found]
        echo_data(json.dumps({"number": number, "edits": edits}, ensure_ascii=False))
        return
    rows = [[e.revision, e.page, ", ".join(e.intents), _cut(e.summary)] for e in found]
    few = f"{len(found):,} of " if len(found) < number else ""
    title = f"{few}{counted(number, 'edit')} with an intent"
    show_table(title, ["Revision", "Page", "Intents", "Summary"], rows)
    echo(f"Next: wikibias explain {shlex.quote(str(result))} {found[0].revision}")


def _text(path: Path) -> str:
    from wikibias.kits.checked import read_text

    return read_text(path, otherwise="convert it")


def _show(found: Explanation) -> None:
    from wikibias.cli.run_summary import show_table
    from wikibias.reports.explanations import value_in_words

    if found.rules_changed:
        echo(
            "Note: the folder was made with other rules; shown are those of today. `wikibias "
            "extract` into a new folder applies them.",
        )
    if found.revision is not None:
        echo(f"{found.page}: revision {found.revision}")
    echo(f"{counted(len(found.lines), 'changed line')}; summary: {found.summary or 'none'}")
    for each in found.judged:
        echo("")
        rows = [
            [
                "yes" if answer.held else "NO",
                answer.rule.name,
                answer.rule.fact,
                _asked(answer.rule, found.lang),
                _cut(value_in_words(answer.value)),
            ]
            for answer in each.answers
        ]
        verdict = "yes" if each.holds else "no"
        title = f"{each.intent} ({found.rules} rules): {verdict}"
        show_table(title, ["Holds", "Rule", "Fact", "Asked", "Found"], rows)


def _asked(rule: Rule, lang: str) -> str:
    from wikibias.reports.explanations import test_in_words

    asked = test_in_words(rule, lang)
    return asked if rule.of == "edit" else f"{rule.of}: {asked}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
