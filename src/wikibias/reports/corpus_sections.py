"""The sections of a corpus's page: words, tables and charts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wikibias.config.choices import SPLITS
from wikibias.corpus.composition import composition_table
from wikibias.corpus.log_odds import CHANCE, PRIOR, Contrast
from wikibias.curation.tag_statistics import Lives, median, share_after
from wikibias.curation.tagged_intervals import tagged_intervals, without_reverts
from wikibias.edits.filters import FILTERS, OTHER_FILTERS, filter_named, filter_title
from wikibias.kits.charts import Drawing, bars, columns, funnel, points, survival_chart
from wikibias.kits.document import Block, Notes, Section, Table
from wikibias.kits.schemas import LABELLED_TABLE
from wikibias.messages import counted
from wikibias.pipeline.stages import KEPT
from wikibias.reports import edit_samples
from wikibias.reports.corpus_statistics import (
    BINS,
    LABELS,
    SAMPLE_OF_REASON,
    Edits,
    Place,
    Reservoir,
    Sentences,
    Transitions,
    at,
    files,
    groups_of_lengths,
    in_days,
    numbers,
    rows,
    section,
    texts,
)

ALL = "all tags"


def missing(name: str, title: str, what: str) -> Section:
    """Return a section that says what is not there, and how to find out what to do."""
    says = f"{what}. “wikibias status” on this folder says what to type."
    return Section(title, [says], name)


def folded(title: str, *tables: Table) -> list[Section]:
    """Return tables that open on demand; nothing where they have no rows."""
    filled: list[Block] = [table for table in tables if table.rows]
    return [Section(title, filled, kind="folded")] if filled else []


@dataclass(slots=True)
class TagLives:
    """The lives of the tags of one name, and how many of these tags still stand."""

    lives: Lives = field(default_factory=Lives)
    standing: int = 0


def tag_durations(folder: Path) -> dict[str, TagLives] | None:
    """Return the lives of tags by canonical name, all under `ALL`; None without transitions.

    A life is as editors meant it, see `joined`. One whose beginning was not seen counts only where
    the tag still stands.
    """
    if not files(folder, "transitions"):
        return None
    found = {ALL: TagLives()}
    for spell in without_reverts(tagged_intervals(folder)):
        for name in (ALL, spell.tag):
            of = found.setdefault(name, TagLives())
            of.standing += spell.stands
            if not spell.begins_unseen:
                of.lives.add(spell.days, has_ended=spell.taken_out is not None)
    return found


MOST_TAGS = 10


def filters_chart(steps: Sequence[tuple[str, int]], start: int) -> Drawing:
    """Draw what each filter left of the edits; those that dropped none are left out."""
    drop = [(name, number) for name, number in steps if number]
    kept = start - sum(number for _, number in drop)
    said = ", ".join(f"{name} {number:,}" for name, number in drop) or "none"
    alt = f"Of {counted(start, 'pair')} of revisions, filters drop {said}; {kept:,} are kept"
    rows = [("all", 0), *drop, ("kept", 0)]
    return funnel(rows, start, title="What the filters left", alt=f"{alt}{_share(kept, start)}.")


def years_chart(found: Transitions) -> Drawing:
    """Draw how many edits put tags in and took tags out in each year."""
    years = found.years
    series = {name: [of[year] for year in years] for name, of in _directions(found)}
    alt = "; ".join(f"{name}: {_over(years, values)}" for name, values in series.items())
    names = [str(year) for year in years]
    return columns(names, series, title="Tags put in and taken out", alt=f"{alt}.", axis="year")


def tags_chart(found: Transitions) -> Drawing:
    """Draw how often the most frequent tags were taken out."""
    rows = found.tags_removed.most_common(MOST_TAGS)
    rows.sort(key=lambda row: (-row[1], row[0]))
    alt = ", ".join(f"{name} {number:,} times" for name, number in rows) or "no tag was taken out"
    left = len(found.tags_removed) - len(rows)
    more = f"; {left:,} other tags less often" if left else ""
    return bars(rows, title="Tags taken out", alt=f"{alt}{more}.")


def durations_chart(found: Mapping[str, TagLives]) -> Drawing:
    """Draw which share of tags still stood after how many days: all, or of several names."""
    drawn, said = {}, []
    for name, lives in ((name, of.lives) for name, of in found.items() if of.lives):
        curve = lives.curve()
        drawn[name] = points([(step.days, step.share) for step in curve], lives.longest)
        said.append(f"{name}: {_duration_in_words(median(curve)[0], *drawn[name][-1])}")
    alt = f"{'; '.join(said) or 'no tag was seen to come'}."
    return survival_chart(drawn, title="How long tags stand", alt=alt)


def edits_chart(found: Edits) -> Drawing:
    """Draw how many edits removed how many sentences."""
    rows = [(name, float(number)) for name, number in zip(BINS, found.bins, strict=True)]
    alt = ", ".join(
        f"{number:,} edits removed {name}" for name, number in zip(BINS, found.bins, strict=True)
    )
    return bars(rows, title="Kept edits by sentences removed", alt=f"{alt} sentences.")


def lengths_chart(found: Sentences) -> Drawing:
    """Draw how many sentences of each class have how many words."""
    series = {label: found.histogram(label) for label in LABELS}
    alt = "; ".join(
        f"{label}: half of the sentences have {found.median(label)} words or fewer"
        for label in LABELS
        if found.median(label) is not None
    )
    return columns(
        groups_of_lengths(), series, title="Sentences by length", alt=f"{alt}.", axis="words"
    )


def tiers_chart(tiers: Mapping[str, Mapping[str, int]]) -> Drawing:
    """Draw how many sentences of each class each tier has."""
    names = list(tiers)
    series = {label: [tiers[name].get(label, 0) for name in names] for label in LABELS}
    alt = "; ".join(
        f"{name} tier: {series['biased'][place]:,} biased and {series['neutral'][place]:,} neutral"
        for place, name in enumerate(names)
    )
    return columns(names, series, title="Confidence tiers by class", alt=f"{alt}.", axis="tier")


def removals_chart(found: Mapping[str, Transitions]) -> Drawing:
    """Draw the removals of several corpora by year, side by side."""
    years = sorted({year for of in found.values() for year in of.years})
    years = [*range(years[0], years[-1] + 1)] if years else []
    series = {name: [of.removed[year] for year in years] for name, of in found.items()}
    alt = "; ".join(f"{name}: {_over(years, values)}" for name, values in series.items())
    names = [str(year) for year in years]
    return columns(names, series, title="Edits that took tags out", alt=f"{alt}.", axis="year")


def kept_chart(shares: Mapping[str, tuple[int, int]]) -> Drawing:
    """Draw which share of the edits the filters kept in each corpus, in percent."""
    rows = [(name, round(100 * kept / of, 1)) for name, (kept, of) in shares.items() if of]
    alt = ", ".join(f"{name} {share:g} %" for name, share in rows)
    return bars(rows, title="Edits kept, in percent", alt=f"{alt or 'no edits'}.")


def _directions(found: Transitions) -> Sequence[tuple[str, Counter[int]]]:
    return [("put in", found.added), ("taken out", found.removed)]


def _over(years: Sequence[int], values: Sequence[int]) -> str:
    """Say how a number goes over the years: first, largest, last."""
    if not any(values):
        return "none"
    seen = [(year, value) for year, value in zip(years, values, strict=True) if value]
    (first, at_first), (last, at_last) = seen[0], seen[-1]
    peak, most = max(seen, key=lambda each: each[1])
    if first == last:
        return f"{at_first:,}, all in {first}"
    if peak in (first, last):
        way = "falling" if peak == first else "rising"
        return f"{way} from {at_first:,} in {first} to {at_last:,} in {last}"
    return f"{at_first:,} in {first}, at most {most:,} in {peak}, {at_last:,} in {last}"


def _duration_in_words(half: float | None, day: float, share: float) -> str:
    said = f"half are gone after {in_days(half)}" if half is not None else "fewer than half go"
    return f"{said}, and {share:.0%} still stand after {in_days(day)}"


def _share(part: int, whole: int) -> str:
    return f" ({part / whole:.0%})" if whole else ""


_WORDS = 15


def filters(verdicts: Mapping[str, int], *, of_tags: bool = True) -> Section:
    """Table 2 of the paper: what the filters dropped."""
    title = "What the filters dropped"
    if not verdicts:
        return missing("filters", title, "No edit has a verdict here: the filters have not run yet")
    start, left, steps = sum(verdicts.values()), sum(verdicts.values()), []
    if not start:
        return Section(title, ["No pair of revisions was compared."], "filters")
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
    figure = filters_chart(steps, start)
    return Section(title, [*says, figure, table], "filters")


def composition(corpus: Mapping[str, Any], found: Sentences | None) -> Section:
    """Table 3 of the paper: roles, labels and splits; and the tiers."""
    title = "What the corpus holds"
    if not corpus:
        return missing("corpus", title, "No corpus is built here yet")
    counts, splits = numbers(corpus), numbers(corpus.get("splits"))
    roles = ["removed", "added", "unchanged", *(["featured"] if counts.get("featured") else [])]
    total = sum(counts.get(role, 0) for role in roles)
    if not total:
        return Section(title, ["The corpus is empty: the notes at the end tell why."], "corpus")
    tables = [
        composition_table(counts, title="Table 3. The corpus"),
        Table(["split", "sentences"], _rows(splits), title="Splits"),
    ]
    tiers = found.tiers if found and found.tiers else section(corpus, "tiers")
    figures = []
    if tiers:
        order = [tier for tier in ("high", "medium", "low") if tier in tiers]
        known = {tier: numbers(tiers[tier]) for tier in order}
        figures.append(tiers_chart(known))
        cells = [[t, *(f"{of.get(label, 0):,}" for label in LABELS)] for t, of in known.items()]
        tables.append(Table(["tier", *LABELS], cells, title="Confidence tiers"))
    left_out = section(corpus, "left_out")
    cells = [
        [name.replace("_", " "), *(f"{numbers(of).get(role, 0):,}" for role in roles)]
        for name, of in left_out.items()
    ]
    others = folded("What was left out, and why", Table(["reason", *roles], cells))
    says = [
        f"{counted(counts.get('pages', 0), 'page')} and {counted(counts.get('edits', 0), 'edit')} "
        f"gave {counted(total, 'sentence')}. The tier says how far a label can be trusted."
    ]
    return Section(title, [*says, *figures, *tables, *others], "corpus")


def sizes(edits: Edits | None, found: Sentences | None, *, of_classes: bool = True) -> Section:
    """How many sentences the kept edits removed, and how long those of the two classes are."""
    title = "Edits and sentences by size"
    if edits is None:
        return missing("sizes", title, "No table of kept edits is here")
    if not any(edits.bins):
        return Section(title, ["No edit was kept."], "sizes")
    rows = [
        [name, f"{number:,}", f"{of:,}"]
        for name, number, of in zip(BINS, edits.bins, edits.sentences, strict=True)
    ]
    tables = [Table(["sentences removed", "edits", "sentences"], rows, title="Kept edits by size")]
    figures = [edits_chart(edits)]
    says = ["The groups of edits are those of section 4.1 of the 2019 paper."]
    if found and any(found.lengths[label] for label in LABELS):
        figures.append(lengths_chart(found))
        cells = [
            [label, f"{found.lengths[label].total():,}", f"{found.median(label) or 0:,}"]
            for label in LABELS
        ]
        tables.append(Table(["class", "sentences", "median words"], cells, title="Length"))
    elif of_classes:
        says.append("The corpus has no sentences here, so their lengths are not known.")
    return Section(title, [*says, *figures, *tables], "sizes")


def words(found: Sentences | None) -> Section:
    """The words that best tell the classes apart."""
    title = "Words that tell the classes apart"
    if found is None:
        return missing("words", title, "No corpus is built here yet")
    if not all(found.sizes):
        return Section(title, ["The corpus does not have sentences of both classes."], "words")
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
        return Section(title, [*says, "No word differs by a standard error, which is 1."], "words")
    says.append("The tables show those that differ by at least a standard error, which is 1.")
    tables = [
        _contrasts(biased, "More in biased sentences"),
        _contrasts(neutral, "More in neutral sentences"),
    ]
    return Section(title, [*says, *tables], "words")


def _rows(counts: Mapping[str, int]) -> list[list[str]]:
    return [[name, f"{number:,}"] for name, number in counts.items()]


def _contrasts(found: Sequence[Contrast], title: str) -> Table:
    rows = [[c.word, f"{c.z:+.2f}", f"{c.first:,}", f"{c.second:,}"] for c in found]
    return Table(["word", "z", *LABELS], rows, title=title)


_TAGS, _CURVES = 25, 4
_YEAR = 365  # days


def over_the_years(found: Transitions | None) -> Section:
    """How many edits put tags in and took them out, by year and by tag."""
    title = "Tags put in and taken out"
    if found is None:
        return missing("years", title, "No table of transitions is here")
    if not found.years:
        return Section(title, ["No tag of the tag set was put in or taken out."], "years")
    years = [[str(y), f"{found.added[y]:,}", f"{found.removed[y]:,}"] for y in found.years]
    names = sorted(
        {*found.tags_added, *found.tags_removed},
        key=lambda tag: (-found.tags_removed[tag], -found.tags_added[tag], tag),
    )
    tags = [[n, f"{found.tags_added[n]:,}", f"{found.tags_removed[n]:,}"] for n in names[:_TAGS]]
    says = ["An edit that changes several tags counts once for each of them in the table of tags."]
    if names[_TAGS:]:
        says.append(f"The table leaves out {len(names) - _TAGS:,} rarer tags.")
    tables = [Table(["tag", "put in", "taken out"], tags, title="By tag")]
    by_year = folded("Numbers by year", Table(["year", "put in", "taken out"], years))
    drawn = [years_chart(found), tags_chart(found)]
    return Section(title, [*says, *drawn, *tables, *by_year], "years")


def durations(found: Mapping[str, TagLives] | None) -> Section:
    """How long tags stand, and how many still do."""
    title = "How long tags stand"
    if found is None:
        return missing("lives", title, "No table of transitions is here")
    everything = found[ALL]
    if not everything.lives and not everything.standing:
        return Section(title, ["No tag was seen on a page."], "lives")
    tags = sorted((t for t in found if t != ALL), key=lambda t: (-len(found[t].lives), t))
    lines = [_duration_row(name, found[name]) for name in (ALL, *tags[:_TAGS])]
    header = [
        "tag", "seen to come", "still there", "half are gone after", "95 %, days",
        "there after a year",
    ]  # fmt: skip
    number = counted(everything.standing, "tag") if everything.standing else "No tag"
    says = [
        f"{number} still stood when the dump was made. Tags that a "
        "revert put back count as one; the curve of Kaplan and Meier takes those that still stand "
        "into account up to the day of the dump."
    ]
    figures = []
    if everything.lives:
        names = [*([ALL] if tags[1:] else []), *tags[:_CURVES]]
        chosen = {name: found[name] for name in names}
        figures.append(durations_chart(chosen))
    return Section(title, [*says, *figures, Table(header, lines, stacks=True)], "lives")


def _duration_row(name: str, of: TagLives) -> list[str]:
    curve = of.lives.curve()
    half, low, high = median(curve)
    share = share_after(curve, _YEAR)
    # What nobody has watched for a year may or may not last for one.
    known = len(of.lives) and (of.lives.longest >= _YEAR or not share)
    ends = " to ".join(
        "?" if end is None else f"{end:,.0f}" if end >= 1 else "<1" for end in (low, high)
    )
    return [
        name,
        f"{len(of.lives):,}",
        f"{of.standing:,}",
        "–" if half is None else in_days(half),
        "–" if low is None and high is None else ends,
        f"{share:.0%}" if known else "–",
    ]


_EXAMPLES = 3
_COLUMNS = ["text", "relation", "counterpart"]
_LONGEST = 300
Samples = dict[str, list[Mapping[str, Any]]]


def label_examples(folder: Path, seed: int) -> Samples:
    """Return some positives of each label, drawn with a seed; empty where there is no such table.

    Raises:
        WikibiasError: the table is damaged.
    """
    drawn: dict[str, Reservoir] = {}
    for place, row in rows(folder, LABELLED_TABLE.name, ["labels"]):
        for label in texts(row.get("labels")):
            drawn.setdefault(label, Reservoir(_EXAMPLES, f"{seed} {label}")).add(place)
    return {label: [*at(drawn[label].found, _COLUMNS)] for label in sorted(drawn)}


def labelled(
    corpus: Mapping[str, Any], found: Samples, quality: Sequence[str] = ()
) -> Section | None:
    """Which labels the sentences have, against which negatives; None where there are none.

    Args:
        corpus: what the manifest says of it.
        found: examples of each label.
        quality: how right the labels are, as measured.
    """
    made = section(corpus, "labelled")
    if not made:
        return None
    of_labels, against = section(made, "labels"), section(made, "negatives")
    kinds, days = [*numbers(made.get("kinds"))], section(made, "median_days")
    cells = []
    for label in of_labels:
        of, others = numbers(of_labels.get(label)), numbers(against.get(label))
        median = days.get(label)
        cells.append(
            [
                label,
                *(f"{of.get(split, 0):,}" for split in SPLITS),
                *(f"{others.get(kind, 0):,}" for kind in kinds),
                *([f"{median:,.1f}" if isinstance(median, int | float) else "–"] if days else []),
            ]
        )
    header = ["label", *SPLITS, *(f"not, {kind}" for kind in kinds)]
    header += ["median days"] if days else []
    became = [[name, f"{number:,}"] for name, number in numbers(made.get("relations")).items()]
    counts = numbers(made)
    says = [
        f"{counted(counts.get('sentences', 0), 'sentence')}, {counts.get('positives', 0):,} of "
        f"them with labels by {made.get('by')}. A negative counts for each label that it is judged "
        "for, and a sentence of a featured article so for nearly every label."
    ]
    if days:
        says.append("The days are those that tags stood, where that is known.")
    shown = [
        [label, *(_cut(row[name]) for name in ("text", "relation", "counterpart"))]
        for label, drawn in found.items()
        for row in drawn
    ]
    return Section(
        "Sentences with labels",
        [
            *says,
            Table(header, cells, title="Labels"),
            Table(["what it became", "sentences"], became, title="What became of the sentences"),
            Notes([*quality]),
            *folded(
                "Examples",
                Table(["label", "sentence", "became", "that is"], shown, text_columns=4),
            ),
        ],
        "labels",
    )


def _cut(text: str | None) -> str:
    text = text or "–"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def kept_edits(found: Edits | None) -> Section:
    """A sample of the kept edits, as diffs."""
    title = "A sample of kept edits"
    if found is None:
        return missing("kept", title, "No table of kept edits is here")
    if not found.sample:
        return Section(title, ["No edit was kept."], "kept")
    shown = edit_samples.kept(found.sample)
    says = [
        f"{len(shown):,} of {sum(found.bins):,} that were kept, drawn by chance. What changed in a "
        "sentence is struck through on one side and underlined on the other. `wikibias inspect` "
        "with the number of a revision tells the whole story of its edit.",
    ]
    return Section(title, [*says, *shown], "kept")


def rejected_edits(found: Mapping[str, tuple[int, list[Place]]] | None) -> Section:
    """A sample of the edits that filters dropped, by reason."""
    title = "A sample of rejected edits, by reason"
    if found is None:
        return missing("rejected", title, "No table of rejected edits is here")
    if not found:
        return Section(title, ["No edit was rejected."], "rejected")
    order = [name for name in (*FILTERS.names(), *OTHER_FILTERS) if name in found]
    order += sorted(name for name in found if name not in order)
    groups = []
    for reason in order:
        number, places = found[reason]
        about = f"{counted(number, 'edit')}. {explanation(reason)}".rstrip()
        groups.append(Section(filter_title(reason), [about, *edit_samples.rejected(places)]))
    says = [f"Up to {SAMPLE_OF_REASON} of each reason, drawn by chance."]
    return Section(title, [*says, *groups], "rejected")


def explanation(reason: str) -> str:
    """Return what a filter drops, as the first line of its function's docstring says."""
    found = filter_named(reason)
    said = (found.reason.__doc__ or "").strip() if found else ""
    drops = said.splitlines()[0].removeprefix("Drop ") if said.startswith("Drop ") else ""
    return f"The filter drops {drops}" if drops else ""
