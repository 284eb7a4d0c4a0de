"""The sections of a corpus's page that count edits and sentences: words, tables and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.corpus.log_odds import CHANCE, PRIOR, Contrast
from wikibias.edits.filters import filter_title
from wikibias.kits.document import Table
from wikibias.messages import counted
from wikibias.pipeline.stage import KEPT
from wikibias.reports import corpus_figures
from wikibias.reports.corpus_statistics import BINS, LABELS, Edits, Sentences
from wikibias.reports.reading import numbers, section
from wikibias.reports.sections import Section, missing

_ROLES = (("removed", "biased"), ("added", "neutral"), ("unchanged", "neutral"))
_WORDS = 15


def filters(verdicts: Mapping[str, int], *, of_tags: bool = True) -> Section:
    """Table 2 of the paper: what the filters dropped."""
    title = "What the filters dropped"
    if not verdicts:
        return missing("filters", title, "No edit has a verdict here: the filters have not run yet")
    start, left, steps = sum(verdicts.values()), sum(verdicts.values()), []
    if not start:
        return Section("filters", title, ["No pair of revisions was compared."])
    every = "all pairs of revisions" if of_tags else "all edits and featured articles"
    rows = [[every, "", f"{start:,}"]]
    for reason, number in verdicts.items():
        if reason != KEPT:
            left -= number
            steps.append((filter_title(reason), number))
            rows.append([filter_title(reason), f"{number:,}", f"{left:,}"])
    table = Table(["filter, in order", "dropped", "left"], rows, title="Table 2. The filters")
    what = "pair of revisions around a tag" if of_tags else "edit"
    says = [
        f"Each {what} goes through the filters in this order; the first one that applies drops it."
    ]
    figure = corpus_figures.of_filters(steps, start)
    return Section("filters", title, says, [figure], [table])


def composition(corpus: Mapping[str, Any], found: Sentences | None) -> Section:
    """Table 3 of the paper: roles, labels and splits; and the tiers."""
    title = "What the corpus holds"
    if not corpus:
        return missing("corpus", title, "No corpus is built here yet")
    counts, splits = numbers(corpus), numbers(corpus.get("splits"))
    of_roles = (*_ROLES, *([("featured", "neutral")] if counts.get("featured") else []))
    rows = [[role, label, f"{counts.get(role, 0):,}"] for role, label in of_roles]
    total = sum(counts.get(role, 0) for role, _ in of_roles)
    if not total:
        return Section("corpus", title, ["The corpus is empty: the notes at the end tell why."])
    tables = [
        Table(
            ["role", "label", "sentences"],
            [*rows, ["total", "", f"{total:,}"]],
            text_columns=2,
            title="Table 3. The corpus",
        ),
        Table(["split", "sentences"], _rows(splits), title="Splits"),
    ]
    tiers = found.tiers if found and found.tiers else section(corpus, "tiers")
    figures = []
    if tiers:
        order = [tier for tier in ("high", "medium", "low") if tier in tiers]
        known = {tier: numbers(tiers[tier]) for tier in order}
        figures.append(corpus_figures.of_tiers(known))
        cells = [[t, *(f"{of.get(label, 0):,}" for label in LABELS)] for t, of in known.items()]
        tables.append(Table(["tier", *LABELS], cells, title="Confidence tiers"))
    left_out = section(corpus, "left_out")
    roles = [role for role, _ in of_roles]
    cells = [
        [name.replace("_", " "), *(f"{numbers(of).get(role, 0):,}" for role in roles)]
        for name, of in left_out.items()
    ]
    folded = {"What was left out, and why": Table(["reason", *roles], cells)} if cells else {}
    says = [
        f"{counted(counts.get('pages', 0), 'page')} and {counted(counts.get('edits', 0), 'edit')} "
        f"gave {counted(total, 'sentence')}. The tier says how far a label can be trusted."
    ]
    return Section("corpus", title, says, figures, tables, folded)


def sizes(edits: Edits | None, found: Sentences | None, *, of_classes: bool = True) -> Section:
    """How many sentences the kept edits removed, and how long those of the two classes are."""
    title = "Edits and sentences by size"
    if edits is None:
        return missing("sizes", title, "No table of kept edits is here")
    if not any(edits.bins):
        return Section("sizes", title, ["No edit was kept."])
    rows = [
        [name, f"{number:,}", f"{of:,}"]
        for name, number, of in zip(BINS, edits.bins, edits.sentences, strict=True)
    ]
    tables = [Table(["sentences removed", "edits", "sentences"], rows, title="Kept edits by size")]
    figures = [corpus_figures.of_edits(edits)]
    says = ["The groups of edits are those of section 4.1 of the 2019 paper."]
    if found and any(found.lengths[label] for label in LABELS):
        figures.append(corpus_figures.of_lengths(found))
        cells = [
            [label, f"{found.lengths[label].total():,}", f"{found.median(label) or 0:,}"]
            for label in LABELS
        ]
        tables.append(Table(["class", "sentences", "median words"], cells, title="Length"))
    elif of_classes:
        says.append("The corpus has no sentences here, so their lengths are not known.")
    return Section("sizes", title, says, figures, tables)


def words(found: Sentences | None) -> Section:
    """The words that best tell the classes apart."""
    title = "Words that tell the classes apart"
    if found is None:
        return missing("words", title, "No corpus is built here yet")
    if not all(found.sizes):
        return Section("words", title, ["The corpus does not have sentences of both classes."])
    biased = [each for each in found.contrasts[:_WORDS] if each.z >= 1]
    neutral = [each for each in reversed(found.contrasts[-_WORDS:]) if each.z <= -1]
    beyond = sum(abs(each.z) > CHANCE for each in found.contrasts)
    says = [
        f"By the log-odds ratio with an informative prior of {PRIOR:,.0f} words (Monroe, Colaresi "
        f"and Quinn 2008), among {found.sizes[0]:,} words of biased and {found.sizes[1]:,} of "
        f"neutral sentences. z is the difference by its standard error: {beyond:,} of "
        f"{len(found.contrasts):,} words are beyond ±{CHANCE}, and up to "
        f"{0.05 * len(found.contrasts):,.0f} by chance alone. Words are in their normal "
        "form, in which numtkn is any number; in a script without spaces they are pairs of letters."
    ]
    if found.forgotten:
        says.append("The rarest words were not counted: there are too many to hold.")
    if not (biased or neutral):
        return Section("words", title, [*says, "No word differs by a standard error, which is 1."])
    says.append("The tables show those that differ by at least a standard error, which is 1.")
    tables = [
        _contrasts(biased, "More in biased sentences"),
        _contrasts(neutral, "More in neutral sentences"),
    ]
    return Section("words", title, says, tables=tables)


def _rows(counts: Mapping[str, int]) -> list[list[str]]:
    return [[name, f"{number:,}"] for name, number in counts.items()]


def _contrasts(found: Sequence[Contrast], title: str) -> Table:
    rows = [[c.word, f"{c.z:+.2f}", f"{c.first:,}", f"{c.second:,}"] for c in found]
    return Table(["word", "z", *LABELS], rows, title=title)
