"""`wikibias inspect`: why an edit was kept or dropped, and which rules of intents hold for it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from wikibias.config.choices import RuleSet
from wikibias.errors import UsageError, counted
from wikibias.kits.checked import Setting
from wikibias.kits.command import ARGUMENT, FILE, OUT_FILE, corpus_or_newest, takes
from wikibias.kits.files import to_json
from wikibias.kits.terminal import echo, echo_data, show

if TYPE_CHECKING:
    from wikibias.reports.edit_document import Explanation

_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectOptions:
    """The options of `wikibias inspect`.

    Attributes:
        page: The tags of this page over time.
        html: Also write it to this file, a page for the browser.
        intents: Show which rules of intents hold for the edit.
        lang: Of two files: language of the wiki, such as en or fr.
        before: With --intents: file with the wikitext before the edit.
        after: File with the wikitext after it.
        summary: Of two files: the edit summary.
        signal: Only this intent; several with commas.
        rules: Which rules of intents.
        as_json: With --intents: print one JSON object instead.
    """

    words: Annotated[tuple[str, ...], Setting(ARGUMENT, metavar="[FOLDER] [WHAT]")] = ()
    page: Annotated[str | None, Setting("--page", metavar="TITLE")] = None
    html: Annotated[Path | None, OUT_FILE, Setting("--html")] = None
    intents: Annotated[bool, Setting("--intents")] = False
    lang: Annotated[str | None, Setting("--lang")] = None
    before: Annotated[Path | None, FILE, Setting("--before-text")] = None
    after: Annotated[Path | None, FILE, Setting("--after-text")] = None
    summary: Annotated[str, Setting("--summary")] = ""
    signal: Annotated[
        tuple[str, ...], Setting("--signal", "those of FOLDER; of two files all", commas=True)
    ] = ()
    rules: Annotated[
        RuleSet | None, Setting("--rule-set", "those of FOLDER; of two files robust")
    ] = None
    as_json: Annotated[bool, Setting("--json")] = False

    @property
    def of_texts(self) -> bool:
        """Whether something is said of two files of wikitext."""
        return bool(self.lang or self.before or self.after or self.summary)


@click.command(name="inspect")
@takes(InspectOptions)
def command(options: InspectOptions) -> None:
    """Show why an edit was kept or dropped, and where its sentences went.

    WHAT is a revision (its number, or the address in the column diff_url), a sentence (its
    sentence_id, or its text, in quotes), the pair_id of a sentence pair (it leads to its edit) or
    a page title. Of an edit you see the two revisions, where the tag stood, what each
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
      wikibias inspect corpora/fr "https://fr.wikipedia.org/w/index.php?diff=7&oldid=6"
      wikibias inspect corpora/fr "La ville est sans doute la plus belle du monde."
      wikibias inspect --page "Varnholt Institute" --html varnholt.html
      wikibias inspect --intents corpora/en 50
      wikibias inspect --intents --lang en --before-text A.txt --after-text B.txt --summary "rm POV"
    """
    if options.intents:
        if options.page or options.html:
            raise UsageError("--intents takes FOLDER and a revision, or two files of wikitext")
        found = _of_texts(options) if options.of_texts else _of_revision(options)
        _show(found, as_json=options.as_json)
        return
    if options.of_texts or options.signal or options.rules or options.as_json:
        raise UsageError(
            "--before-text, --after-text, --lang, --summary, --signal, --rule-set and --json go "
            "with --intents"
        )
    from wikibias.reports.edit_document import document, write_report
    from wikibias.reports.inspection import inspect, recognised

    folder, what = _folder_and_words(options.words)
    if bool(options.page) == bool(what):
        raise UsageError(
            "say one thing to inspect: a revision, an address, a sentence or a page title; see "
            "`wikibias inspect --help`"
        )
    report = inspect(
        corpus_or_newest(folder, built=False),
        ("page", options.page) if options.page else recognised(what),
    )
    if options.html is not None:
        write_report(report, options.html)
    if report.note:
        echo(report.note)
    show(*document(report, summaries=False).sections)  # which need the room of a page
    if options.html is not None:
        echo(f"Page: {options.html}")


def _folder_and_words(words: tuple[str, ...]) -> tuple[Path | None, str]:
    """Return the folder, if the first word is one or the last, and the rest as one text.

    A title may be a folder's name too: alone it is one only if a result is in it.
    """
    if words:
        first = Path(words[0])
        with suppress(OSError):  # a sentence may be longer than any path
            if (first / _MANIFEST).is_file() or (len(words) > 1 and first.is_dir()):
                return first, " ".join(words[1:])
            if len(words) > 1 and (Path(words[-1]) / _MANIFEST).is_file():  # the other way round
                return Path(words[-1]), " ".join(words[:-1])
        if len(words) > 1 and len(first.parts) > 1:
            raise UsageError(f"there is no folder {words[0]}")
    return None, " ".join(words)


def _of_revision(options: InspectOptions) -> Explanation:
    """Return which rules hold for an edit of a folder."""
    from wikibias.reports.edit_document import explain_row
    from wikibias.reports.inspection import recognised

    given, what = _folder_and_words(options.words)
    folder = corpus_or_newest(given, built=False)
    kind, number = recognised(what)
    if kind != "revision":
        raise UsageError(f"--intents asks for one revision of FOLDER, a number; {what!r} is none")
    return explain_row(folder, int(number), options.signal, options.rules)


def _of_texts(options: InspectOptions) -> Explanation:
    """Return which rules hold for the edit between two files."""
    from wikibias.kits.checked import read_text
    from wikibias.reports.edit_document import explain_texts

    lang, before, after = options.lang, options.before, options.after
    if options.words or not (lang and before and after):
        raise UsageError(
            "--intents takes FOLDER and a revision, or --lang, --before-text and --after-text"
        )
    old, new = (read_text(path, otherwise="convert it") for path in (before, after))
    rules = options.rules or "robust"
    return explain_texts(old, new, options.summary, lang, options.signal, rules)


def _show(found: Explanation, *, as_json: bool) -> None:
    from wikibias.reports.edit_document import rules_tables

    if as_json:
        echo_data(to_json(found.as_dict()))
        return
    if found.rules_changed:
        echo(
            "Note: the folder was made with other rules; shown are those of today. `wikibias "
            "extract` into a new folder applies them."
        )
    if found.revision is not None:
        echo(f"{found.page}: revision {found.revision}")
    echo(f"{counted(len(found.lines), 'changed line')}; summary: {found.summary or 'none'}")
    show(*rules_tables(found))
