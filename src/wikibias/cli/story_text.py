"""Shows the story of an edit or of a page on the terminal, where text of others draws nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from wikibias.cli.time_line import LEGEND, time_line
from wikibias.kits.console import Console
from wikibias.kits.document import pieces
from wikibias.messages import counted, printable
from wikibias.pipeline.stages import KEPT
from wikibias.records import Provenance
from wikibias.reports import story_words
from wikibias.reports.edit_story import EditStory
from wikibias.reports.filter_answers import Answer
from wikibias.reports.inspection import Inspection
from wikibias.reports.page_story import PageStory
from wikibias.reports.sentence_fates import SentenceFate
from wikibias.reports.story_words import Fact

_MOST_PAIRS = 30
_SIGNS = {
    "removed": ("-", "red"),
    "added": ("+", "green"),
    "unchanged": (" ", ""),
    "featured": (" ", ""),
}
# Around what changed in a sentence, where no colour tells it.
_MARKS = {"removed": ("[-", "-]"), "added": ("{+", "+}")}


def show(found: Inspection) -> None:
    """Show all that was found."""
    console = Console()
    if found.note:
        console.print(_text(found.note, "bold"))
    for number, page in enumerate(found.pages):
        _gap(console, bool(number or found.note))
        _show_page(console, page)
    for number, story in enumerate(found.edits):
        _gap(console, bool(number or found.pages or found.note))
        _show_edit(console, story, found.sentence_id)


def _text(words: str, style: str = "") -> Text:
    return Text(printable(words), style)


def _gap(console: Console, wanted: bool) -> None:
    if wanted:
        console.print()


def _grid(rows: Iterable[tuple[Text, ...]]) -> Padding:
    """Return rows in columns, of which the last takes the room that is left."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        while len(table.columns) < len(row):
            table.add_column(overflow="fold")
        table.add_row(*row)
    return Padding(table, (0, 0, 0, 2), expand=False)


def _show_edit(console: Console, story: EditStory, asked: str) -> None:
    console.print(_text(story_words.headline(story), "bold"))
    facts = list(story_words.facts(story))
    grid = _grid((_text(fact.name, "dim"), _text(fact.value)) for fact in facts)
    console.print(grid, width=_whole_links(console, facts), crop=False)
    style = "bold green" if story.verdict == KEPT else "bold yellow"
    console.print()
    console.print(Text.assemble(("Verdict: ", "bold"), _text(story_words.verdict(story), style)))
    if story.answers:
        console.print(_grid(_answer(answer) for answer in story.answers))
    if story.edit is not None:
        console.print()
        _show_sentences(console, story, asked)


def _whole_links(console: Console, facts: list[Fact]) -> int:
    """Return how wide the facts are to be: on their way to a file or a program no link is cut."""
    if console.is_terminal:
        return console.width
    names = max(len(fact.name) for fact in facts) + 4
    links = (len(fact.value) for fact in facts if fact.value == fact.url)
    return max(console.width, names + max(links, default=0))


def _answer(answer: Answer) -> tuple[Text, Text, Text]:
    said = story_words.answered(answer)
    style = "bold yellow" if answer.is_verdict else "dim" if said == "passes" else ""
    return _text(said, style), _text(answer.name, style), _text(answer.looked_at, style)


def _show_sentences(console: Console, story: EditStory, asked: str) -> None:
    pairs = story.pairs
    removed, added = (sum(len(sides[side]) for sides in pairs) for side in (0, 1))
    sides = f"{removed:,} removed, {added:,} added, {len(story.unchanged):,} unchanged"
    console.print(_text(f"Sentences: {sides}", "bold"))
    pairs.sort(key=lambda sides: not any(e.sentence_id == asked for e in (*sides[0], *sides[1])))
    for before, after in pairs[:_MOST_PAIRS]:
        console.print(
            Padding(
                _text(story_words.relation((*before, *after)[0]), "dim"), (0, 0, 0, 2), expand=False
            )
        )
        for sentence in (*before, *after):
            _show_sentence(console, sentence, asked)
    if len(pairs) > _MOST_PAIRS:
        left = len(pairs) - _MOST_PAIRS
        console.print(_text(f"  and {left:,} more such; --html FILE shows all", "dim"))
    for where, number in story_words.unchanged(story):
        console.print(Padding(_text(f"{number:,} unchanged: {where}"), (0, 0, 0, 2), expand=False))
    for sentence in story.unchanged:
        if sentence.sentence_id == asked:
            _show_sentence(console, sentence, asked)


def _show_sentence(console: Console, sentence: SentenceFate, asked: str) -> None:
    sign, colour = _SIGNS[sentence.role]
    line = _text(f"{sign} ", colour)
    coloured = console.is_terminal and not console.no_color
    opening, closing = ("", "") if coloured else _MARKS.get(sentence.role, ("", ""))
    spans = sentence.link.changed_spans if sentence.link else ""
    for piece in pieces(sentence.sentence.text, spans):
        if piece.changed:
            line.append_text(_text(f"{opening}{piece.text}{closing}", f"bold underline {colour}"))
        else:
            line.append_text(_text(piece.text, colour))
    console.print(Padding(line, (0, 0, 0, 4), expand=False))
    mark = "  <- asked for" if sentence.sentence_id == asked else ""
    # What holds for the whole edit is said once, above.
    place = "" if sentence.is_of_edit else f": {story_words.place(sentence)}"
    told = f"{sentence.sentence_id}{place}{mark}"
    console.print(Padding(_text(told, "bold" if mark else "dim"), (0, 0, 0, 6), expand=False))


def _show_page(console: Console, page: PageStory) -> None:
    console.print(_text(f"{page.title} (page {page.page_id} of {page.wiki})", "bold"))
    console.print(_text(story_words.page_line(page)))
    console.print()
    if page.spells:
        for line in time_line(page, console.width):
            console.print(Text(line, no_wrap=True, overflow="ignore"), crop=False)
        console.print(_text(LEGEND, "dim"))
        console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    lines = page.lines
    found = Counter(_sign(line.made) for line in lines)
    for name in ("", "date", "revision", "tags or intents" if found["i"] else "tags", "verdict"):
        table.add_column(name, overflow="fold", justify="right" if name == "revision" else "left")
    for row in lines:
        table.add_row(
            _sign(row.made),
            f"{row.made.after_timestamp:%Y-%m-%d}",
            f"{row.made.after_rev_id}",
            _text(row.what),
            _text(row.verdict, "bold green" if row.verdict == KEPT else ""),
        )
    console.print(table)
    by_summary, otherwise = found["s"], found["i"]
    told = f"{counted(len(lines) - by_summary - otherwise, 'change')} of tags"
    more = f", {counted(by_summary, 'edit')} found by the summary (s)" if by_summary else ""
    more += f", {otherwise:,} with an intent or featured (i)" if otherwise else ""
    console.print(_text(f"{told}{more}", "dim"))


def _sign(made: Provenance) -> str:
    if made.signal == "summary":
        return "s"
    if made.signal != "tag":
        return "i"
    return "~" if made.pairing == "tagged-span" else "-" if made.kind == "removed" else "+"
