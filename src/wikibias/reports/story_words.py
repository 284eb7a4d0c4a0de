"""A story in words, for the terminal and for a page: facts, verdicts, where a sentence has gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from wikibias.curation.tagged_intervals import TaggedInterval
from wikibias.edits.filters import filter_title
from wikibias.messages import counted
from wikibias.pipeline.stages import KEPT
from wikibias.records import Kind, Provenance, Signal
from wikibias.reports.filter_answers import Answer, days
from wikibias.reports.inspection import EditReport, PageReport, TagReport
from wikibias.reports.result_folder import TagChange
from wikibias.reports.sentence_outcomes import SentenceOutcome

_DONE: dict[Kind, str] = {"removed": "took out", "added": "put in"}
BY_SUMMARY = "names neutrality in its summary"
_LONGEST = 300  # characters of a text that a tag is about


class Fact(NamedTuple):
    """A named value, and where on the web it leads; "" for nowhere."""

    name: str
    value: str
    url: str = ""


def headline(story: EditReport) -> str:
    """Return what an edit did, in a line."""
    made = story.provenance
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


def facts(story: EditReport) -> Iterator[Fact]:
    """Yield what is known of an edit, but for its verdict and its sentences."""
    made, history = story.provenance, story.history
    yield Fact("page", f"{made.page_title} (page {made.page_id} of {made.wiki})")
    yield Fact("diff", made.diff_url or "the dump gives no address", made.diff_url)
    yield from _revisions(made)
    yield Fact("summary", made.comment or "none")
    for tag in story.tags:
        yield Fact("tag", _tag(tag, made))
    if history.tags_left:
        yield Fact("left standing", ", ".join(history.tags_left))
    if history.tags_swapped_in:
        yield Fact("put in instead", ", ".join(history.tags_swapped_in))
    if story.context.only_tags is not None:
        text = "nothing but tags" if story.context.only_tags else "text as well as tags"
        yield Fact("changed", text)
    yield Fact("afterwards", _afterwards(story))
    for name, change in (("change before", story.earlier), ("change after", story.later)):
        if change is not None:
            yield Fact(name, changed(change), change.provenance.diff_url)


def changed(change: TagChange) -> str:
    """Return what a change of tags did, in a few words."""
    made = change.provenance
    return f"revision {made.after_rev_id}, {time_of(made.after_timestamp)}: {did(made)}"


def _revisions(made: Provenance) -> Iterator[Fact]:
    if made.before_rev_id is None:
        yield Fact("before", "none: the page has the tag from its first revision on")
    else:
        when = time_of(made.before_timestamp)
        yield Fact(
            "before", f"revision {made.before_rev_id}, {when}", _old(made, made.before_rev_id)
        )
    who = f"by {made.editor} ({made.editor_kind})" if made.editor else f"editor: {made.editor_kind}"
    when = time_of(made.after_timestamp)
    revision = f"revision {made.after_rev_id}, {when}, {who}"
    yield Fact("after", revision, _old(made, made.after_rev_id))


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


def _afterwards(story: EditReport) -> str:
    history, told = story.history, []
    told.append("undone by a revert" if story.provenance.reverted else "not undone by a revert")
    if history.tag_back_days is not None:
        told.append(f"the tag was back after {days(history.tag_back_days)}")
    if history.survived_days is None:
        told.append("no later revision is known")
    else:
        told.append(f"the text is known to have stood {days(history.survived_days)}")
    return "; ".join(told)


def verdict(story: EditReport) -> str:
    """Return whether an edit was kept, or why not."""
    if story.edit is None:
        return f"{verdict_words(story.verdict)}: {story.why_not_compared}"
    if story.verdict is None:
        return f"none recorded yet; the filters say {verdict_words(story.verdict_now)}"
    said = verdict_words(story.verdict)
    if story.verdict != story.verdict_now:
        now = verdict_words(story.verdict_now)
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


def in_labelled(sentence: SentenceOutcome) -> str:
    """Return where a sentence stands in the corpus of labels; "" where it does not."""
    row = sentence.labelled
    if row is None:
        return ""
    if row.negative is None:
        what = f"label{'s' if len(row.labels) > 1 else ''} {', '.join(row.labels)}"
    else:
        what = f"negative ({row.negative}) for {', '.join(row.judged)}"
    name = "" if row.sentence_id == sentence.sentence_id else f", as {row.sentence_id}"
    return f"labelled, {what}, split {row.split}{name}"


def relation(sentence: SentenceOutcome) -> str:
    """Return how a sentence relates to the other side of its edit."""
    link = sentence.link
    if link is None:
        return ""
    return f"{link.relation}, similarity {link.similarity:.0f}" if link.pair_id else link.relation


def unchanged(story: EditReport) -> list[tuple[str, int]]:
    """Return where the unchanged sentences have gone, with how many, most first."""
    found = Counter(
        (f"in {each.split}" if each.split else in_labelled(each)) or each.why_not
        for each in story.unchanged
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
