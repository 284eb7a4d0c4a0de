"""`wikibias inspect`: why an edit was kept or dropped, and which rules of intents hold for it."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from wikibias.config.choices import RuleSet
from wikibias.errors import UsageError
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, OUT_FILE, corpus_or_newest, takes
from wikibias.kits.terminal import echo, echo_data
from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.kits.document import Table
    from wikibias.reports.explanations import Explanation, Judged

_MANIFEST = "manifest.json"
_LONGEST = 80  # characters of a value


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectOptions:
    """The options of `wikibias inspect`.

    Attributes:
        sentence: The sentence of this sentence_id.
        page: The tags of this page over time.
        revision: The edit that made this revision; with --page, where it lies among that page's.
        html: Also write it to this file, a page for the browser.
        intents: Show which rules of intents hold for the edit; with FOLDER alone, list some edits.
        lang: Of two files: language of the wiki, such as en or fr.
        before: With --intents: file with the wikitext before the edit.
        after: File with the wikitext after it.
        summary: Of two files: the edit summary.
        signal: Only this intent; may be given again.
        rules: Which rules of intents.
        as_json: With --intents: print one JSON object instead.
    """

    words: Annotated[tuple[str, ...], Setting(ARGUMENT, metavar="[FOLDER] [WHAT]")] = ()
    sentence: Annotated[str | None, Setting("--sentence", metavar="ID")] = None
    page: Annotated[str | None, Setting("--page", metavar="TITLE")] = None
    revision: Annotated[int | None, Meta(ge=1, le=10**18 - 1), Setting("--revision")] = None
    html: Annotated[Path | None, OUT_FILE, Setting("--html")] = None
    intents: Annotated[bool, Setting("--intents")] = False
    lang: Annotated[str | None, Setting("--lang")] = None
    before: Annotated[Path | None, FILE, Setting("--before")] = None
    after: Annotated[Path | None, FILE, Setting("--after")] = None
    summary: Annotated[str, Setting("--summary")] = ""
    signal: Annotated[
        tuple[str, ...], Setting("--signal", "those of FOLDER; of two files all")
    ] = ()
    rules: Annotated[RuleSet | None, Setting("--rules", "those of FOLDER; of two files robust")] = (
        None
    )
    as_json: Annotated[bool, Setting("--json")] = False

    @property
    def of_texts(self) -> bool:
        """Whether something is said of two files of wikitext."""
        return bool(self.lang or self.before or self.after or self.summary)


@click.command(name="inspect")
@takes(InspectOptions)
def command(options: InspectOptions) -> None:
    """Show why an edit was kept or dropped, and where its sentences went.

    WHAT is a revision id (a number), a sentence id, the pair_id of a sentence pair (it leads to its
    edit) or a page title. Of an edit you see the two revisions, where the tag stood, what each
    filter answers, the sentences side by side, and for each its split, or why it is not in the
    corpus. Of a page you see when its tags stood, and the verdict on each edit. FOLDER is what
    `wikibias extract` made; without it, the one result under ./corpora, or the newest.

    With --intents you see which rules of an intent hold for the edit, with the fact that each
    tests: of a revision of FOLDER, or of two files of wikitext. Rules of lines that must hold
    together are shown for the line where most of them do.

    \b
    Examples:
      wikibias inspect corpora/en 50
      wikibias inspect corpora/en demoenwiki-7-removed-0
      wikibias inspect --page "Varnholt Institute" --html varnholt.html
      wikibias inspect --intents corpora/en 50
      wikibias inspect --intents --lang en --before A.txt --after B.txt --summary "rm POV"
    """
    if options.intents:
        if options.sentence or options.page or options.html:
            raise UsageError("--intents takes FOLDER and a revision, or --before and --after")
        if options.of_texts:
            _show_texts(options)
        else:
            _show_revision(options)
        return
    if options.of_texts or options.signal or options.rules or options.as_json:
        raise UsageError(
            "--before, --after, --lang, --summary, --signal, --rules and --json go with --intents"
        )
    from wikibias.kits.console import show
    from wikibias.reports.edit_document import document, write_report
    from wikibias.reports.inspection import Question, inspect, recognised

    folder, what = _folder_and_words(options.words)
    question = Question(options.sentence, options.page, options.revision)
    asked = question != Question()
    if asked == bool(what) or (options.sentence and (options.page or options.revision)):
        raise UsageError(
            "say one thing to inspect: a revision id, a sentence id, a page title, or --page with "
            "--revision; see `wikibias inspect --help`"
        )
    found = inspect(corpus_or_newest(folder, built=False), question if asked else recognised(what))
    if found.note:
        echo(found.note)
    show(*document(found, summaries=False).sections)  # which need the room of a page
    if options.html is not None:
        write_report(found, options.html)
        echo(f"Page: {options.html}")


def _folder_and_words(words: tuple[str, ...]) -> tuple[Path | None, str]:
    """Return the folder, if the first word is one, and the rest as one text.

    A title may be a folder's name too: alone it is one only if a result is in it.
    """
    if words:
        first = Path(words[0])
        if (first / _MANIFEST).is_file() or (len(words) > 1 and first.is_dir()):
            return first, " ".join(words[1:])
        if len(words) > 1 and len(first.parts) > 1:
            raise UsageError(f"there is no folder {words[0]}")
    return None, " ".join(words)


def _show_revision(options: InspectOptions) -> None:
    """Show the rules for an edit of a folder, or list some of its edits with intents."""
    from wikibias.reports.explanations import explain_row

    given, what = _folder_and_words(options.words)
    folder = corpus_or_newest(given, built=False)
    if what and (options.revision is not None or not what.isdecimal() or len(what) > 18):
        raise UsageError(f"--intents asks for one revision of FOLDER, a number; {what!r} is none")
    number = int(what) if what else options.revision
    if number is None:
        _list(folder, options.signal, as_json=options.as_json)
    else:
        found = explain_row(folder, number, options.signal, options.rules)
        _show(found, as_json=options.as_json)


def _show_texts(options: InspectOptions) -> None:
    from wikibias.kits.checked import read_text
    from wikibias.reports.explanations import explain_texts

    lang, before, after = options.lang, options.before, options.after
    if options.words or not (lang and before and after):
        raise UsageError("--intents takes FOLDER and a revision, or --lang, --before and --after")
    old, new = (read_text(path, otherwise="convert it") for path in (before, after))
    rules = options.rules or "robust"
    found = explain_texts(old, new, options.summary, lang, options.signal, rules)
    _show(found, as_json=options.as_json)


def _list(folder: Path, signal: tuple[str, ...], *, as_json: bool) -> None:
    """List some edits with intents."""
    from wikibias.kits.console import show
    from wikibias.kits.document import Table
    from wikibias.reports.explanations import edits_of

    found, number = edits_of(folder, signal)
    if as_json:
        edits = [edit._asdict() for edit in found]
        echo_data(json.dumps({"number": number, "edits": edits}, ensure_ascii=False))
        return
    rows = [[f"{e.revision}", e.page, ", ".join(e.intents), _cut(e.summary)] for e in found]
    few = f"{len(found):,} of " if len(found) < number else ""
    title = f"{few}{counted(number, 'edit')} with an intent"
    show(Table(["Revision", "Page", "Intents", "Summary"], rows, 4, title=title))
    echo(f"Next: wikibias inspect --intents {shlex.quote(str(folder))} {found[0].revision}")


def _show(found: Explanation, *, as_json: bool) -> None:
    from wikibias.kits.console import show

    if as_json:
        echo_data(json.dumps(found.as_dict(), ensure_ascii=False))
        return
    if found.rules_changed:
        echo(
            "Note: the folder was made with other rules; shown are those of today. `wikibias "
            "extract` into a new folder applies them.",
        )
    if found.revision is not None:
        echo(f"{found.page}: revision {found.revision}")
    echo(f"{counted(len(found.lines), 'changed line')}; summary: {found.summary or 'none'}")
    show(*(_rules(each, found) for each in found.judged))


def _rules(judged: Judged, found: Explanation) -> Table:
    from wikibias.kits.document import Table
    from wikibias.reports.explanations import test_in_words, value_in_words

    rows = []
    for answer in judged.answers:
        rule, asked = answer.rule, test_in_words(answer.rule, found.lang)
        asked = asked if rule.of == "edit" else f"{rule.of}: {asked}"
        value = _cut(value_in_words(answer.value))
        rows.append(["yes" if answer.held else "NO", rule.name, rule.fact, asked, value])
    title = f"{judged.intent} ({found.rules} rules): {'yes' if judged.holds else 'no'}"
    return Table(["Holds", "Rule", "Fact", "Asked", "Found"], rows, 5, title=title)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
