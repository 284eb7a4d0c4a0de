"""Reports on an edit or a page as documents, and what each rule of an intent says of an edit."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from wikibias.config.choices import RuleSet, names_of_intents, signal_of
from wikibias.config.intents import Intent, Rule, intents
from wikibias.config.languages import Language, load_language
from wikibias.edits.filters import filter_title
from wikibias.edits.intents.edit_facts import Edit, Value, facts_of
from wikibias.edits.intents.markup_elements import names_of
from wikibias.edits.intents.rules import Answer as RuleAnswer
from wikibias.edits.intents.rules import IntentRules, StoredEdit
from wikibias.errors import UsageError, counted
from wikibias.kits import document as values
from wikibias.kits.document import Block, Cell, Section, Table
from wikibias.kits.files import write_text
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.pipeline.settings import Detect, language_of, load_intents, version_of_rules
from wikibias.records import KEPT, ChangedLine, History, Kind, Provenance, Transition
from wikibias.reports.inspection import Answer, EditReport, Inspection, PageReport, days
from wikibias.reports.result_folder import ResultTables, SentenceOutcome, in_labelled
from wikibias.reports.samples import aligned_changes

_DONE: dict[Kind, str] = {"removed": "took out", "added": "put in"}
_FOUND_BY = {"summary": "names neutrality in its summary", "featured": "was featured"}
_LEFT_ALONE = ("unchanged", "featured")
_LONGEST = 300  # characters of a text that a tag is about


def headline(report: EditReport) -> str:
    """Return what an edit did, in a line."""
    made = report.provenance
    if made.pairing == "tagged-span":
        revisions = f"from revision {made.before_rev_id} to {made.after_rev_id}"
        return f"{made.page_title}: {', '.join(made.tags)} stood {revisions}"
    return f"{made.page_title}: revision {made.after_rev_id} {_done(made)}"


def _done(made: Provenance) -> str:
    """Return what an edit did to tags, or what else it was found by."""
    if made.signal == "tag":
        return f"{_DONE[made.kind]} {', '.join(made.tags)}"
    return _FOUND_BY.get(made.signal) or f"has the intent {made.signal}"


def facts(report: EditReport) -> Iterator[tuple[str, Cell]]:
    """Yield what is known of an edit, but for its verdict and its sentences."""
    made, history, context = report.provenance, report.change.history, report.change.context
    yield "page", f"{made.page_title} (page {made.page_id} of {made.wiki})"
    yield "diff", _link(made.diff_url or "the dump gives no address", made.diff_url)
    before = made.before_rev_id
    if before is None:
        yield "before", "none: the page has the tag from its first revision on"
    else:
        text = f"revision {before}, {_time(made.before_timestamp)}"
        yield "before", _link(text, _old(made, before))
    who = f"by {made.editor} ({made.editor_kind})" if made.editor else f"editor: {made.editor_kind}"
    after = f"revision {made.after_rev_id}, {_time(made.after_timestamp)}, {who}"
    yield "after", _link(after, _old(made, made.after_rev_id))
    yield "summary", made.comment or "none"
    for number in range(len(made.tags)):
        yield "tag", _tag(report, number)
    if history.tags_left:
        yield "left standing", ", ".join(history.tags_left)
    if history.tags_swapped_in:
        yield "put in instead", ", ".join(history.tags_swapped_in)
    if context.only_tags is not None:
        yield "changed", "nothing but tags" if context.only_tags else "text as well as tags"
    yield "afterwards", _afterwards(made, history)
    for name, change in (("change before", report.earlier), ("change after", report.later)):
        if change is not None:
            other = change.provenance
            when = _time(other.after_timestamp)
            text = f"revision {other.after_rev_id}, {when}: {_done(other)}"
            yield name, _link(text, other.diff_url)


def _link(text: str, url: str) -> Cell:
    return values.Link(text, url) if url else text


def _old(made: Provenance, revision: int) -> str:
    """Return the address of a revision, made from that of its diff."""
    page, found, _ = made.diff_url.partition("?")
    return f"{page}?oldid={revision}" if found else ""


def _time(moment: datetime | None) -> str:
    return "at an unknown time" if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"


def _tag(report: EditReport, number: int) -> str:
    """Return what is known of one of the tags of an edit: where it stood, and how long."""
    made, context = report.provenance, report.change.context
    tag = made.tags[number]
    alias, scope, section, target = (
        of[number] if number < len(of) else ""
        for of in (made.aliases, context.scope, context.section, context.pointed_at)
    )
    name = tag if alias in ("", tag) else f"{tag}, written {alias}"
    parts = (name, _scope(scope, section, target), _standing_time(report, tag))
    return "; ".join(part for part in parts if part)


def _scope(scope: str, section: str, target: str) -> str:
    target = target if len(target) <= _LONGEST else f"{target[:_LONGEST]}…"
    where = f" under the heading “{section}”" if section else ""
    if scope == "article":
        return f"about the whole article{where and f', stands{where}'}"
    if scope == "section":
        return f"about the section “{target or section}”"
    if scope in ("inline", "wrapping"):
        about = f"about “{target}”" if target else "about what is not known"
        return f"{'inside the text' if scope == 'inline' else 'around a text'}{where}, {about}"
    return scope


def _standing_time(report: EditReport, tag: str) -> str:
    """Return from when to when a tag stood, as far as the table of transitions tells."""
    made = report.provenance
    is_removal = made.kind == "removed"
    interval = next(
        (
            each
            for each in report.intervals
            if (each.tag, each.taken_out_rev if is_removal else each.put_in_rev)
            == (tag, made.after_rev_id)
        ),
        None,
    )
    seen = "" if made.revisions_tagged is None else counted(made.revisions_tagged, "revision")
    of_revisions = f", {seen}" if seen else ""
    if interval is None:
        return "" if made.days_tagged is None else f"stood {days(made.days_tagged)}{of_revisions}"
    if is_removal:
        begun = "first seen in" if interval.begins_unseen else "put in by"
        since = f"{begun} revision {interval.put_in_rev} on {interval.put_in:%Y-%m-%d}"
        return f"{since}, stood {days(interval.days)}{of_revisions}"
    until = f"{interval.observed_until:%Y-%m-%d}"
    if interval.taken_out is not None:
        out = f"taken out by revision {interval.taken_out_rev} on {interval.taken_out:%Y-%m-%d}"
        return f"{out}, after {days(interval.days)}"
    if interval.stands:
        return f"still standing when the dump ends, {until}, after {days(interval.days)}"
    return f"last seen on {until}; how it ended is not known"


def _afterwards(made: Provenance, history: History) -> str:
    found = ["undone by a revert" if made.reverted else "not undone by a revert"]
    if history.tag_back_days is not None:
        found.append(f"the tag was back after {days(history.tag_back_days)}")
    if history.survived_days is None:
        found.append("no later revision is known")
    else:
        found.append(f"the text is known to have stood {days(history.survived_days)}")
    return "; ".join(found)


def verdict(report: EditReport) -> str:
    """Return whether an edit was kept, or why not."""
    if report.edit is None:
        return f"{_verdict_words(report.verdict)}: {report.why_not_compared}"
    if report.verdict is None:
        return f"none recorded yet; the filters say {_verdict_words(report.verdict_now)}"
    recorded = _verdict_words(report.verdict)
    if report.verdict != report.verdict_now:
        now = _verdict_words(report.verdict_now)
        return f"{recorded}, as recorded; the filters of this version say {now}"
    return recorded


def _verdict_words(name: str | None) -> str:
    """Return a verdict by its name and its line in Table 2."""
    if name is None or name == KEPT:
        return name or "none"
    title = filter_title(name)
    tells_more = title not in (name, name.replace("_", " "))
    return f"dropped: {name} ({title})" if tells_more else f"dropped: {name}"


def _answer_words(answer: Answer) -> str:
    if answer.is_off and answer.reason:
        return "counts only"
    if answer.is_verdict:
        return "DROPS IT"
    return "would drop" if answer.reason else "passes"


def place(sentence: SentenceOutcome) -> str:
    """Return where a sentence has gone, or why it is not in the corpus."""
    if not _is_there(sentence):
        return f"not in the corpus: {sentence.why_not}"
    near = f"; near-duplicates: {sentence.near_duplicates}" if sentence.near_duplicates else ""
    labels = in_labelled(sentence)
    if sentence.split is None:
        return f"{labels}{near}"
    reasons = f" ({', '.join(sentence.tier_reasons)})" if sentence.tier_reasons else ""
    also = f"; {labels}" if labels else ""
    sure = f", confidence {sentence.confidence:.2f}" if sentence.confidence is not None else ""
    told = "".join(f"; {each}" for each in sentence.telling)
    return f"{sentence.split}{sure}, tier {sentence.tier}{reasons}{told}{near}{also}"


def _is_there(sentence: SentenceOutcome) -> bool:
    """Return whether a sentence is in a corpus, of two classes or of labels."""
    return sentence.split is not None or sentence.labelled is not None


def document(found: Inspection, *, summaries: bool = True) -> values.Document:
    """Return the report: of each page its edits, with their summaries or not; of each edit all."""
    sections = [
        *(_page(page, summaries) for page in found.pages),
        *(_edit(each, found.sentence_id) for each in found.edits),
    ]
    title = found.asked[:1].upper() + found.asked[1:]
    return values.Document(title, f"From the result folder {found.folder}. {found.note}", sections)


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
    """Return what is known of a page: its edits as a table, and how many there are."""
    rows: list[list[Cell]] = []
    # An edit with several intents has a row for each of them, and is one line.
    lines: dict[object, list[tuple[Provenance, str | None]]] = {}
    for number, (change, verdict_on) in enumerate(page.changes):
        made = change.provenance
        of_intent = bool(names_of_intents([made.signal]))
        lines.setdefault(("intent", made.after_rev_id) if of_intent else number, []).append(
            (made, verdict_on)
        )
    for line in lines.values():
        made = line[0][0]
        what = names_of_intents(each.signal for each, _ in line) or made.tags
        verdicts = dict.fromkeys(verdict_on for _, verdict_on in line if verdict_on)
        rows.append(
            [
                values.Link(f"{made.after_rev_id}", made.diff_url),
                f"{made.after_timestamp:%Y-%m-%d}",
                _kind(made),
                ", ".join(what),
                ", ".join(verdicts),
                *([made.comment] if summaries else []),
            ]
        )
    of_tags = all(row[2] != "intent" for row in rows)
    header = ["revision", "date", "what", "tags" if of_tags else "tags or intents", "verdict"]
    header += ["summary"] if summaries else []
    table = Table(header, rows, len(header), stacks=True)
    title = "All changes of tags" if of_tags else "All edits"
    kept = sum(row[4] == KEPT for row in rows)
    blocks: list[Block] = [
        f"{counted(len(rows), 'edit')}, {kept:,} kept{_standing(page)}.",
        Section(title, [table]),
    ]
    return Section(f"{page.title} (page {page.page_id} of {page.wiki})", blocks)


def _kind(made: Provenance) -> str:
    if made.signal != "tag":
        return {"summary": "by summary", "featured": "featured"}.get(made.signal, "intent")
    if made.pairing == "tagged-span":
        return "tagged span"
    return {"removed": "taken out", "added": "put in"}[made.kind]


def _standing(page: PageReport) -> str:
    """Return which tags stand on a page when the dump ends; "" where none was seen."""
    if not page.intervals:
        return ""
    standing = dict.fromkeys(each.tag for each in page.intervals if each.stands)
    stands = f"{', '.join(standing)} still standing" if standing else "none standing"
    return f"; {stands} on {max(each.observed_until for each in page.intervals):%Y-%m-%d}"


def _edit(report: EditReport, asked: str) -> Section:
    judged = values.Text(["Verdict: ", values.Styled(verdict(report), "strong")], "note")
    blocks: list[Block] = [values.Facts([*facts(report)]), judged]
    if report.edit is not None:
        answers = report.answers
        rows = [[each.name, _answer_words(each), each.looked_at] for each in answers]
        marked = [place for place, each in enumerate(answers) if each.is_verdict]
        table = Table(["filter", "answer", "what it saw"], rows, 3, marked=marked)
        blocks += [Section("What each filter answers", [table]), _sentences(report, asked)]
    return Section(headline(report), blocks)


def _sentences(report: EditReport, asked: str) -> Section:
    """Return the sentences of an edit, the pair of the one that was asked for first."""
    lang = report.provenance.lang
    passages = [(each, _passage(each, asked, lang)) for each in report.sentences]
    changes = aligned_changes(
        (each.role == "added", passage, each.link)
        for each, passage in passages
        if each.role not in _LEFT_ALONE
    )
    changes.sort(key=lambda change: not any(p.marked for p in (*change.before, *change.after)))
    blocks: list[Block] = [
        values.Quote(changes, lang) if changes else "It removed and added no sentence."
    ]
    alone = [(each, passage) for each, passage in passages if each.role in _LEFT_ALONE]
    if alone:
        places = Counter(
            (f"in {each.split}" if each.split else in_labelled(each)) or each.why_not
            for each, _ in alone
        )
        listed = "; ".join(f"{number:,} {where}" for where, number in places.most_common())
        kind: Literal["open", "folded"] = "folded"
        if any(passage.marked for _, passage in alone):
            kind = "open"
        title = f"{len(alone):,} unchanged: {listed}"
        blocks.append(Section(title, [passage for _, passage in alone], kind=kind))
    return Section("Sentences", blocks)


def _passage(sentence: SentenceOutcome, asked: str, lang: str) -> values.Passage:
    spans = sentence.link.changed_spans if sentence.link else ""
    is_asked = sentence.sentence_id == asked
    caption: list[values.Inline] = [sentence.sentence_id]
    # What holds for the whole edit is said once, above.
    if not sentence.is_of_edit:
        where = place(sentence)
        caption += [": ", values.Styled(where, "strong") if _is_there(sentence) else where]
    caption += [" (asked for)"] if is_asked else []
    return values.Passage(values.pieces(sentence.sentence.text, spans), caption, is_asked, lang)


_LONGEST_VALUE = 80  # characters of a value


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules of one intent say of an edit, in order; `holds` whether it has the intent."""

    intent: str
    holds: bool
    answers: tuple[RuleAnswer, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the rules of some intents say of an edit.

    `revision` is the one that it made, None of two files; `page` the title of its page, or "".
    `rules_changed` tells that the result was made with other rules than those of today.
    """

    lang: str
    rules: RuleSet
    page: str
    revision: int | None
    summary: str
    lines: tuple[ChangedLine, ...]
    judged: tuple[Judged, ...]
    rules_changed: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return it for programs; `wikibias docs output` explains the keys."""
        return {
            "lang": self.lang,
            "rules": self.rules,
            "rules_changed": self.rules_changed,
            "page": self.page,
            "revision": self.revision,
            "summary": self.summary,
            "lines": [line._asdict() for line in self.lines],
            "intents": [
                {
                    "intent": each.intent,
                    "holds": each.holds,
                    "rules": [_as_dict(answer, self.lang) for answer in each.answers],
                }
                for each in self.judged
            ],
        }


def _as_dict(answer: RuleAnswer, lang: str) -> dict[str, Any]:
    rule = answer.rule
    return {
        "name": rule.name,
        "of": rule.of,
        "fact": rule.fact,
        "test": _test_in_words(rule, lang),
        "value": answer.value,
        "holds": answer.held,
    }


def explain_texts(
    before: str, after: str, summary: str, lang: str, signal: Sequence[str], rules: RuleSet
) -> Explanation:
    """Explain the edit that made one text of another.

    Args:
        before: the wikitext before it.
        after: the wikitext after it.
        summary: its summary.
        lang: the language of the wiki.
        signal: the intents; none stands for all that have these rules.
        rules: which of their rules.

    Raises:
        UsageError: an unknown language or intent, or one without these rules.
    """
    names = _intents_among(signal)
    asked = load_intents(names or None, rules)
    language = load_language(lang)
    edit = facts_of(before, after, summary, names_of(language))
    judged = tuple(_judged(edit, intent, rules, language) for intent in asked)
    return Explanation(lang, rules, "", None, summary, edit.lines_in_sections, judged)


def explain_row(
    folder: Path, revision: int, signal: Sequence[str], rules: RuleSet | None
) -> Explanation:
    """Explain the edit of a result folder that made a revision.

    A row of an intent holds the lines that tell it. So an intent is judged by its own row where
    there is one, and by what all rows of the edit hold where there is none.

    Args:
        folder: the result.
        revision: the newer revision of the edit.
        signal: the intents; none stands for those that the folder was made with, or else for all.
        rules: which of their rules; None for those that it was made with.

    Raises:
        UsageError: no row of the folder is of that revision, or none tells what the edit changed.
        WikibiasError: a table is damaged.
    """
    result = ResultTables(folder)
    detect = result.settings.detect
    rules = rules or detect.rules
    found = list(result.find(TRANSITIONS_TABLE, "after_rev_id", [revision]))
    names = _intents_among(signal) or names_of_intents(detect.signal)
    asked = load_intents(names or None, rules)
    language = language_of(result.settings)
    edits = {row.provenance.signal: edit for row in found if (edit := _edit_of(row, language))}
    if edits:
        made = found[0].provenance
        whole = _whole(edits, made.comment, language)
        judged = [
            _judged(edits.get(intent.name, whole), intent, rules, language) for intent in asked
        ]
        return Explanation(
            lang=detect.lang,
            rules=rules,
            page=made.page_title,
            revision=revision,
            summary=made.comment,
            lines=whole.lines_in_sections,
            judged=tuple(judged),
            rules_changed=rules == detect.rules and _changed(detect),
        )
    raise UsageError(
        f"{folder} {'does not tell what' if found else 'has no row of an edit that made'} revision "
        f"{revision}{' changed' if found else ''}: rows are of edits that have an intent, or whose "
        "texts are known; give the two texts with --lang, --before-text and --after-text"
    )


def _changed(detect: Detect) -> bool:
    """Return whether the rules that a folder was made with are others than those of today."""
    try:
        today = version_of_rules(
            load_intents(names_of_intents(detect.signal), detect.rules), detect.rules
        )
    except UsageError:
        return True
    return bool(detect.intents_version) and today != detect.intents_version


def _intents_among(signal: Sequence[str]) -> list[str]:
    """Return the names asked for, each of which must be an intent.

    Raises:
        UsageError: one is a signal of another kind.
    """
    found = names_of_intents(signal)
    for name in signal:
        if name not in found:
            raise UsageError(
                f"{name!r} is no intent and has no rules; take one of {', '.join(intents())}"
            )
    return found


def _edit_of(row: Transition, language: Language) -> Edit | None:
    """Return the edit of a row; None where its texts are not known, or it is no single edit."""
    made = row.provenance
    if not signal_of(made.signal).keeps_texts:
        return StoredEdit(row.lines, made.comment, names_of(language))
    one_edit = made.pairing in ("removal-edit", "addition-edit", "summary-edit")
    if not one_edit or row.before_text is None or row.after_text is None:
        return None
    return facts_of(row.before_text, row.after_text, made.comment, names_of(language))


def _whole(edits: Mapping[str, Edit], summary: str, language: Language) -> Edit:
    """Return what is known of an edit as a whole: its texts, or the lines of all its intents."""
    for edit in edits.values():
        if not isinstance(edit, StoredEdit):
            return edit
    lines = dict.fromkeys(line for edit in edits.values() for line in edit.lines_in_sections)
    return StoredEdit(tuple(lines), summary, names_of(language))


def _judged(edit: Edit, intent: Intent, rules: RuleSet, language: Language) -> Judged:
    of_intent = IntentRules(intent, rules, language)
    answers = tuple(of_intent.answers(edit))
    return Judged(intent.name, of_intent.hold(edit), answers)


def _test_in_words(rule: Rule, lang: str) -> str:
    """Return what a rule asks of its fact, in a few words, in wikis of a language."""
    if rule.equals is not None:
        return "yes" if rule.equals else "no"
    if rule.of_texts:
        return _text_test_in_words(rule, lang)
    if rule.min is None or rule.max is None:
        return f"at most {rule.max:g}" if rule.min is None else f"at least {rule.min:g}"
    return f"{rule.min:g} to {rule.max:g}"


def _text_test_in_words(rule: Rule, lang: str) -> str:
    pattern = rule.by_language.get(lang)
    if pattern is None and rule.words is not None:
        return f"has a word of [summaries] {rule.words}"
    pattern = pattern or rule.matches
    return f"has no pattern for {lang}" if pattern is None else f"matches {pattern}"


def _value_in_words(value: Value | None) -> str:
    """Return the value of a fact as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "nothing to ask"
    text = f"{value:.2g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def rules_tables(found: Explanation) -> list[Table]:
    """Return a table for each intent: what each of its rules asks, and what it found."""
    tables = []
    for judged in found.judged:
        rows = []
        for answer in judged.answers:
            rule, asked = answer.rule, _test_in_words(answer.rule, found.lang)
            asked = asked if rule.of == "edit" else f"{rule.of}: {asked}"
            held, value = "yes" if answer.held else "NO", _value_in_words(answer.value)
            rows.append([held, rule.name, rule.fact, asked, value])
        title = f"{judged.intent} ({found.rules} rules): {'yes' if judged.holds else 'no'}"
        tables.append(Table(["Holds", "Rule", "Fact", "Asked", "Found"], rows, 5, title=title))
    return tables
