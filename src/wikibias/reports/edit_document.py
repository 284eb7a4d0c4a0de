"""The report on an edit or a page as a document."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal

from wikibias.curation.tagged_intervals import TaggedInterval
from wikibias.edits.filters import filter_title
from wikibias.kits.document import (
    Block,
    Cell,
    Change,
    Document,
    Facts,
    Inline,
    Link,
    Passage,
    Quote,
    Section,
    Styled,
    Table,
    Text,
    pieces,
)
from wikibias.kits.files import write_text
from wikibias.messages import counted
from wikibias.records import KEPT, Kind, Provenance, Signal
from wikibias.reports.filter_answers import Answer, days
from wikibias.reports.inspection import EditReport, Inspection, PageReport, TagReport
from wikibias.reports.result_folder import TagChange
from wikibias.reports.sentence_outcomes import SentenceOutcome, in_labelled

_DONE: dict[Kind, str] = {"removed": "took out", "added": "put in"}
BY_SUMMARY = "names neutrality in its summary"
_LONGEST = 300  # characters of a text that a tag is about


def headline(report: EditReport) -> str:
    """Return what an edit did, in a line."""
    made = report.provenance
    if made.pairing == "tagged-span":
        revisions = f"from revision {made.before_rev_id} to {made.after_rev_id}"
        return f"{made.page_title}: {', '.join(made.tags)} stood {revisions}"
    return f"{made.page_title}: revision {made.after_rev_id} {did(made)}"


def of_signal(signal: Signal) -> str:
    """Return what an edit was found by, where that is an intent or a featured article."""
    return "was featured" if signal == "featured" else f"has the intent {signal}"


def did(made: Provenance) -> str:
    """Return what an edit did to tags, or what else it was found by."""
    if made.signal == "summary":
        return BY_SUMMARY
    if made.signal != "tag":
        return of_signal(made.signal)
    return f"{_DONE[made.kind]} {', '.join(made.tags)}"


def facts(report: EditReport) -> Iterator[tuple[str, Cell]]:
    """Yield what is known of an edit, but for its verdict and its sentences."""
    made, history = report.provenance, report.history
    yield _fact("page", f"{made.page_title} (page {made.page_id} of {made.wiki})")
    yield _fact("diff", made.diff_url or "the dump gives no address", made.diff_url)
    yield from _revisions(made)
    yield _fact("summary", made.comment or "none")
    for tag in report.tags:
        yield _fact("tag", _tag(tag, made))
    if history.tags_left:
        yield _fact("left standing", ", ".join(history.tags_left))
    if history.tags_swapped_in:
        yield _fact("put in instead", ", ".join(history.tags_swapped_in))
    if report.context.only_tags is not None:
        text = "nothing but tags" if report.context.only_tags else "text as well as tags"
        yield _fact("changed", text)
    yield _fact("afterwards", _afterwards(report))
    for name, change in (("change before", report.earlier), ("change after", report.later)):
        if change is not None:
            yield _fact(name, changed(change), change.provenance.diff_url)


def _fact(name: str, value: str, url: str = "") -> tuple[str, Cell]:
    return name, Link(value, url) if url else value


def changed(change: TagChange) -> str:
    """Return what a change of tags did, in a few words."""
    made = change.provenance
    return f"revision {made.after_rev_id}, {time_of(made.after_timestamp)}: {did(made)}"


def _revisions(made: Provenance) -> Iterator[tuple[str, Cell]]:
    if made.before_rev_id is None:
        yield _fact("before", "none: the page has the tag from its first revision on")
    else:
        when = time_of(made.before_timestamp)
        yield _fact(
            "before", f"revision {made.before_rev_id}, {when}", _old(made, made.before_rev_id)
        )
    who = f"by {made.editor} ({made.editor_kind})" if made.editor else f"editor: {made.editor_kind}"
    when = time_of(made.after_timestamp)
    revision = f"revision {made.after_rev_id}, {when}, {who}"
    yield _fact("after", revision, _old(made, made.after_rev_id))


def _old(made: Provenance, revision: int) -> str:
    """Return the address of a revision, made from that of its diff."""
    page, found, _ = made.diff_url.partition("?")
    return f"{page}?oldid={revision}" if found else ""


def time_of(moment: datetime | None) -> str:
    """Return a time as people read it."""
    return "at an unknown time" if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"


def _tag(tag: TagReport, made: Provenance) -> str:
    name = tag.tag if tag.alias in ("", tag.tag) else f"{tag.tag}, written {tag.alias}"
    return "; ".join(part for part in (name, _scope(tag), _life(tag.spell, made)) if part)


def _scope(tag: TagReport) -> str:
    target = tag.pointed_at if len(tag.pointed_at) <= _LONGEST else f"{tag.pointed_at[:_LONGEST]}…"
    where = f" under the heading “{tag.section}”" if tag.section else ""
    if tag.scope == "article":
        return f"about the whole article{where and f', stands{where}'}"
    if tag.scope == "section":
        return f"about the section “{target or tag.section}”"
    if tag.scope in ("inline", "wrapping"):
        about = f"about “{target}”" if target else "about what is not known"
        return f"{'inside the text' if tag.scope == 'inline' else 'around a text'}{where}, {about}"
    return tag.scope


def _life(spell: TaggedInterval | None, made: Provenance) -> str:
    seen = (
        "" if made.revisions_tagged is None else f", {counted(made.revisions_tagged, 'revision')}"
    )
    if spell is None:
        return "" if made.days_tagged is None else f"stood {days(made.days_tagged)}{seen}"
    if made.kind == "removed":
        begun = "first seen in" if spell.begins_unseen else "put in by"
        since = f"{begun} revision {spell.put_in_rev} on {spell.put_in:%Y-%m-%d}"
        return f"{since}, stood {days(spell.days)}{seen}"
    return fate_of(spell)


def fate_of(spell: TaggedInterval) -> str:
    """Return how a spell ended."""
    if spell.taken_out is not None:
        out = f"taken out by revision {spell.taken_out_rev} on {spell.taken_out:%Y-%m-%d}"
        return f"{out}, after {days(spell.days)}"
    until = f"{spell.observed_until:%Y-%m-%d}"
    if spell.stands:
        return f"still standing when the dump ends, {until}, after {days(spell.days)}"
    return f"last seen on {until}; how it ended is not known"


def _afterwards(report: EditReport) -> str:
    history, told = report.history, []
    told.append("undone by a revert" if report.provenance.reverted else "not undone by a revert")
    if history.tag_back_days is not None:
        told.append(f"the tag was back after {days(history.tag_back_days)}")
    if history.survived_days is None:
        told.append("no later revision is known")
    else:
        told.append(f"the text is known to have stood {days(history.survived_days)}")
    return "; ".join(told)


def verdict(report: EditReport) -> str:
    """Return whether an edit was kept, or why not."""
    if report.edit is None:
        return f"{verdict_words(report.verdict)}: {report.why_not_compared}"
    if report.verdict is None:
        return f"none recorded yet; the filters say {verdict_words(report.verdict_now)}"
    said = verdict_words(report.verdict)
    if report.verdict != report.verdict_now:
        now = verdict_words(report.verdict_now)
        return f"{said}, as recorded; the filters of this version say {now}"
    return said


def verdict_words(name: str | None) -> str:
    """Return a verdict by its name and its line in Table 2."""
    if name is None or name == KEPT:
        return name or "none"
    title = filter_title(name)
    tells_more = title not in (name, name.replace("_", " "))
    return f"dropped: {name} ({title})" if tells_more else f"dropped: {name}"


def answered(answer: Answer) -> str:
    """Return what a filter answered, in a word or two."""
    if answer.is_off and answer.reason:
        return "counts only"
    if answer.is_verdict:
        return "DROPS IT"
    return "would drop" if answer.reason else "passes"


def place(sentence: SentenceOutcome) -> str:
    """Return where a sentence has gone, or why it is not in the corpus."""
    if not is_there(sentence):
        return f"not in the corpus: {sentence.why_not}"
    near = f"; near-duplicates: {sentence.near_duplicates}" if sentence.near_duplicates else ""
    labels = in_labelled(sentence)
    if sentence.split is None:
        return f"{labels}{near}"
    reasons = f" ({', '.join(sentence.tier_reasons)})" if sentence.tier_reasons else ""
    also = f"; {labels}" if labels else ""
    return f"{sentence.split}, tier {sentence.tier}{reasons}{near}{also}"


def is_there(sentence: SentenceOutcome) -> bool:
    """Return whether a sentence is in a corpus, of two classes or of labels."""
    return sentence.split is not None or sentence.labelled is not None


def relation(sentence: SentenceOutcome) -> str:
    """Return how a sentence relates to the other side of its edit."""
    link = sentence.link
    if link is None:
        return ""
    return f"{link.relation}, similarity {link.similarity:.0f}" if link.pair_id else link.relation


def unchanged(report: EditReport) -> list[tuple[str, int]]:
    """Return where the unchanged sentences have gone, with how many, most first."""
    found = Counter(
        (f"in {each.split}" if each.split else in_labelled(each)) or each.why_not
        for each in report.unchanged
    )
    return found.most_common()


def page_line(page: PageReport) -> str:
    """Return what is known of a page, in a line."""
    signals = Counter(change.change.provenance.signal for change in page.changes)
    by_tags = [c for c in page.changes if c.change.provenance.signal == "tag"]
    removals = [c for c in by_tags if c.change.provenance.kind == "removed"]
    kept = sum(line.verdict == KEPT for line in page.lines)
    standing = [spell.tag for spell in page.spells if spell.stands]
    stands = f"{', '.join(dict.fromkeys(standing))} still standing" if standing else "none standing"
    pairs = [c for c in page.changes if c.change.provenance.pairing == "tagged-span"]
    removed = counted(len(removals) - len(pairs), "tag removal")
    added = counted(len(by_tags) - len(removals), "addition")
    named = "".join(f", {each}" for each in _found_otherwise(signals))
    edits = f"{removed}, {added}{named}; {counted(kept, 'edit')} kept"
    return f"{edits}; {stands} on {page.observed_until:%Y-%m-%d}" if page.spells else edits


def _found_otherwise(signals: Mapping[Signal, int]) -> Iterator[str]:
    """Yield how many edits were found by what is no change of tags."""
    for signal, number in sorted(signals.items()):
        if signal == "summary":
            yield f"{counted(number, 'edit')} found by the summary"
        elif signal != "tag":
            yield counted(number, "featured state" if signal == "featured" else f"{signal} edit")


def document(found: Inspection, *, summaries: bool = True) -> Document:
    """Return the report: of each page its edits, with their summaries or not; of each edit all."""
    sections = [
        *(_page(page, summaries) for page in found.pages),
        *(_edit(each, found.sentence_id) for each in found.edits),
    ]
    title = found.asked[:1].upper() + found.asked[1:]
    return Document(title, f"From the result folder {found.folder}. {found.note}", sections)


def write_report(found: Inspection, path: Path) -> None:
    """Write the report as a page: one file, which loads nothing.

    Raises:
        UsageError: there is a file of another kind in its place.
        DiskError: it cannot be written.
    """
    from wikibias.kits.html import html, refuse_foreign_page  # noqa: PLC0415 (jinja2: 60 ms)

    refuse_foreign_page(path, "choose another --html, or remove it")
    write_text(path, html(document(found)))


def _page(page: PageReport, summaries: bool) -> Section:
    lines = page.lines
    found = Counter(_what(line.made) for line in lines)
    rows: list[list[Cell]] = [
        [
            Link(f"{line.made.after_rev_id}", line.made.diff_url),
            f"{line.made.after_timestamp:%Y-%m-%d}",
            _what(line.made),
            line.what,
            line.verdict,
            *([line.made.comment] if summaries else []),
        ]
        for line in lines
    ]
    of_tags = not found["intent"]
    header = ["revision", "date", "what", "tags" if of_tags else "tags or intents", "verdict"]
    header += ["summary"] if summaries else []
    table = Table(header, rows, len(header), stacks=True)
    title = "All changes of tags" if of_tags else "All edits"
    blocks: list[Block] = [f"{page_line(page)}.", Section(title, [table])]
    return Section(f"{page.title} (page {page.page_id} of {page.wiki})", blocks)


def _what(made: Provenance) -> str:
    if made.signal == "summary":
        return "by summary"
    if made.signal != "tag":
        return "featured" if made.signal == "featured" else "intent"
    if made.pairing == "tagged-span":
        return "tagged span"
    return {"removed": "taken out", "added": "put in"}[made.kind]


def _edit(report: EditReport, asked: str) -> Section:
    judged = Text(["Verdict: ", Styled(verdict(report), "strong")], "note")
    blocks: list[Block] = [Facts([*facts(report)]), judged]
    if report.edit is not None:
        answers = report.answers
        rows = [[each.name, answered(each), each.looked_at] for each in answers]
        marked = [place for place, each in enumerate(answers) if each.is_verdict]
        table = Table(["filter", "answer", "what it saw"], rows, 3, marked=marked)
        blocks += [Section("What each filter answers", [table]), _sentences(report, asked)]
    return Section(headline(report), blocks)


def _sentences(report: EditReport, asked: str) -> Section:
    pairs = sorted(
        report.pairs, key=lambda pair: all(s.sentence_id != asked for side in pair for s in side)
    )
    blocks: list[Block] = []
    if pairs:
        changes = [
            Change(
                [_passage(each, asked) for each in before],
                [_passage(each, asked) for each in after],
                relation((*before, *after)[0]),
            )
            for before, after in pairs
        ]
        blocks.append(Quote(changes, report.provenance.lang))
    else:
        blocks.append("It removed and added no sentence.")
    if alone := [_passage(each, asked, report.provenance.lang) for each in report.unchanged]:
        places = "; ".join(f"{number:,} {place}" for place, number in unchanged(report))
        kind: Literal["open", "folded"] = "open" if any(each.marked for each in alone) else "folded"
        blocks.append(Section(f"{len(alone):,} unchanged: {places}", [*alone], kind=kind))
    return Section("Sentences", blocks)


def _passage(sentence: SentenceOutcome, asked: str, lang: str = "") -> Passage:
    spans = sentence.link.changed_spans if sentence.link else ""
    is_asked = sentence.sentence_id == asked
    caption: list[Inline] = [sentence.sentence_id]
    # What holds for the whole edit is said once, above.
    if not sentence.is_of_edit:
        where = place(sentence)
        caption += [": ", Styled(where, "strong") if is_there(sentence) else where]
    caption += [" (asked for)"] if is_asked else []
    return Passage(pieces(sentence.sentence.text, spans), caption, is_asked, lang)
