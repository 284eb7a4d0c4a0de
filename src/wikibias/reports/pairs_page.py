"""The page of one folder of sentence pairs, or of several side by side."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.corpus.export.folder import recorded
from wikibias.corpus.sentence_pairs.harvest import KEYS
from wikibias.corpus.sentence_pairs.writer import FUNNEL
from wikibias.edits.filters import SUMMARY_TITLES, filter_title
from wikibias.kits.charts import Drawing, columns, funnel
from wikibias.kits.document import Document, Facts, Notes, Section, Table, Text
from wikibias.kits.files import read_json
from wikibias.kits.html import html
from wikibias.messages import counted
from wikibias.reports import corpus_sections, pair_samples
from wikibias.reports.corpus_page import GENERATOR, names_of, side_by_side
from wikibias.reports.corpus_statistics import LABELS, Sentences, numbers, quantile, section
from wikibias.reports.pair_samples import Predictions, Score, beside_editors, read_predictions
from wikibias.reports.pairs_statistics import MOST_SPANS, TENS, TYPES, PairCounts, of_pairs

GROUPS = ("0", "1", "2", "3", "4–5", "6–10", "11 and more")
"""Pairs by how many words were taken out, or put in."""
_ENDS = (0, 1, 2, 3, 5, 10)


def stages_chart(steps: Sequence[tuple[str, int]], start: int, what: str) -> Drawing:
    """Draw how many edits or pairs each step of a harvest took, and what is left at the end."""
    took = [(name, number) for name, number in steps if number]
    left = start - sum(number for _, number in took)
    said = ", ".join(f"{name} {number:,}" for name, number in took) or "none"
    alt = f"Of {counted(start, what)}, these steps take: {said}; {left:,} are left."
    rows = [("all", 0), *took, ("left", 0)]
    return funnel(rows, start, title=f"What is left of the {what}s", alt=alt)


def spans_chart(found: PairCounts) -> Drawing:
    """Draw how many edits biased sentences have."""
    numbers = range(0 if found.spans[0] else 1, MOST_SPANS + 1)
    values = {f"{n}{'+' if n == MOST_SPANS else ''}": found.spans[n] for n in numbers}
    return _upright(values, title="Biased sentences by edits", axis="edits in the sentence")


def changed_words_chart(found: PairCounts) -> Drawing:
    """Draw how many words biased sentences lost, and how many they got."""
    series = {"taken out": group_counts(found.out), "put in": group_counts(found.into)}
    alt = "; ".join(
        f"words {name}: "
        + ", ".join(f"{group} in {n:,}" for group, n in zip(GROUPS, of, strict=True))
        for name, of in series.items()
    )
    names = [group.removesuffix(" and more") + "+" * ("more" in group) for group in GROUPS]
    return columns(names, series, title="Pairs by words changed", alt=f"{alt} pairs.", axis="words")


def similarity_chart(found: PairCounts) -> Drawing:
    """Draw how alike the two sides of biased pairs are."""
    values = {f"{ten * TENS}": found.similarity[ten] for ten in range(TENS)}
    return _upright(values, title="Pairs by similarity", axis="from … on")


def years_chart(found: PairCounts) -> Drawing:
    """Draw in which years the edits of biased pairs were made."""
    years = range(min(found.years), max(found.years) + 1) if found.years else ()
    values = {f"{year}": found.years[year] for year in years}
    return _upright(values, title="Biased pairs by year", axis="year of the edit")


def group_counts(counts: Counter[int]) -> list[int]:
    """Return how many pairs each of GROUPS has."""
    found = [0] * len(GROUPS)
    for number, pairs in counts.items():
        found[sum(number > end for end in _ENDS)] += pairs
    return found


def _upright(values: Mapping[str, int], *, title: str, axis: str) -> Drawing:
    alt = ", ".join(f"{name}: {number:,}" for name, number in values.items()) or "none"
    return columns([*values], {"": [*values.values()]}, title=title, alt=f"{alt}.", axis=axis)


_MOST = 15
_TIERS = ("high", "medium", "low")
_NAMES = {
    "matched": "summaries that name neutrality",
    "reverts": "reverts and robots",
    "pover": "poverty",
    "kept": "edits found by their summary",
    "single_block": "edits that changed one block",
    "passed": "edits that gave pairs",
    "biased": "biased pairs",
    "single_word": "of these, single-word",
    "neutral": "neutral pairs",
    "after_length_ratio": "biased pairs of usual lengths",
}
_STAGES = {
    **SUMMARY_TITLES,
    # Short enough for the figure.
    "purely deleted or added block": "block deleted or added",
    "more than one changed block": "several changed blocks",
    "number of sentences differs": "other number of sentences",
}
_TITLES = {
    "deletion": "Most often taken out",
    "substitution": "Most often replaced",
    "addition": "Most often put in",
}


def about(facts: Mapping[str, Any], found: PairCounts) -> Section:
    """What the folder holds, in words, and what is known of how it was made."""
    biased, neutral = (found.labels[label] for label in LABELS)
    says = [
        f"{counted(biased, 'biased pair')}: a sentence, and what the edit of an editor who wanted "
        f"it neutral made of it. {counted(neutral, 'neutral pair')}: a sentence that such an edit "
        "left alone.",
        "The marks show what the edit did. Nobody has judged whether a sentence was biased, nor "
        "whether it is neutral now.",
    ]
    if not found.labels:
        says = ["The folder holds no pair: what was left out, and why, stands below."]
    known = [(name.replace("_", " "), value) for name, value in summary(facts, found).items()]
    return Section("What this is", [*says, Facts(known)], "about")


def summary(facts: Mapping[str, Any], found: PairCounts) -> dict[str, str]:
    """Return rules, wikis, languages, signals, dates."""
    said = {
        name: str(value)
        for name, value in facts.items()
        if name not in ("format", "files") and isinstance(value, (str, int, float))
    }
    dates = [f"{day[:4]}-{day[4:6]}-{day[6:]}" for day in sorted(found.dumps)]
    dates = dates if len(dates) < 4 else [f"{dates[0]} to {dates[-1]}"]
    period = [f"{day}" for day in found.period or ()]
    known = {
        "wiki": _listed(found.wikis),
        "language": _listed(found.languages),
        "found by": _listed(found.signals),
        "dump of": ", ".join(dates) or "–",
        "edits from": " to ".join(dict.fromkeys(period)) or "–",
    }
    return said | {name: value for name, value in known.items() if value != "–"}


def funnel_section(told: Mapping[str, Any]) -> Section:
    """How many edits and pairs are left behind each step of the harvest."""
    title = "From edits to pairs"
    counts = numbers({key: told.get(key) for key in KEYS})
    stages, verdicts = numbers(told.get("stages")), numbers(told.get("verdicts"))
    if not counts and not stages and not verdicts:
        return Section(title, ["There is no funnel.json in the folder, or it is empty."], "funnel")
    says = [
        "The biased pairs are the result. The table has edits first and pairs behind; what ended "
        "edits stands by size."
    ]
    figures = []
    if steps := _edit_steps(counts, stages):
        start = sum(number for _, number in steps) + stages.get("passed", 0)
        figures.append(stages_chart(steps, start, "edit"))
    rows = [[_NAMES[key], f"{number:,}"] for key, number in counts.items()]
    tables = [Table(["step", "count"], rows, title="The funnel")]
    for name, of in (("edits", stages), ("aligned sentences", verdicts)):
        if of:
            cells = [[_title(each), f"{number:,}"] for each, number in of.items()]
            tables.append(Table(["what became of them", "count"], cells, title=name.capitalize()))
    limits = section(told, "length_ratio")
    if limits and counts.get("biased") != 0:
        said = ", ".join(f"{_plain(str(name))} {value}" for name, value in limits.items())
        says.append(f"Length of the source by that of the target, in characters: {said}.")
    return Section(title, [*says, *figures, *tables], "funnel")


def steps(told: Mapping[str, Any]) -> dict[str, str]:
    """Return how many edits were found, and how many gave pairs."""
    names = ("matched", "kept", "passed")
    return {_NAMES[n]: f"{of:,}" for n, of in numbers({n: told.get(n) for n in names}).items()}


def composition(found: PairCounts) -> Section:
    """Labels by split, tier, language and signal."""
    title = "What the folder holds"
    if not found.labels:
        return Section(title, ["There is no pair."], "holds")
    tables = [
        _by_label(name, _ordered(of, order))
        for name, of, order in (
            ("split", found.splits, ("train", "dev", "test")),
            ("tier", found.tiers, _TIERS),
            ("language", found.languages, ()),
            ("signal", found.signals, ()),
        )
        if set(of) - {"–"}
    ]
    figures = []
    tiers = {tier: found.tiers[tier] for tier in _TIERS if tier in found.tiers}
    if tiers:
        figures.append(corpus_sections.tiers_chart(tiers))
    if found.years:
        figures.append(years_chart(found))
    says = ["The tier says how far a label can be trusted; not every set of rules gives one."]
    return Section(title, [*(says if figures else []), *figures, *tables], "holds")


def edits(found: PairCounts) -> Section:
    """What editors did: types of edits, how many in a sentence, how many words."""
    title = "What editors did"
    biased = found.labels["biased"]
    if not biased:
        return Section(title, ["There is no biased pair."], "edits")
    total = sum(found.types.values())
    says = [
        f"{counted(total, 'edited span')} in {counted(biased, 'biased pair')}, "
        f"{total / biased:.2f} a pair. In {found.single_word:,} ({found.single_word / biased:.0%}) "
        "one word was taken out or replaced in one place. Types are by the word diff of WIKIBIAS "
        "(appendix C)."
    ]
    rows = [
        [f"{kind}s", f"{found.types[kind]:,}", _share(found.types[kind], total)] for kind in TYPES
    ]
    relations = [
        [name, f"{number:,}", _share(number, biased)]
        for name, number in found.relations.most_common()
    ]
    tables = [
        Table(["edits", "count", "share"], rows, title="Edits by type"),
        Table(["the sides are", "pairs", "share"], relations, title="Relation of the two sides"),
    ]
    figures = [
        spans_chart(found),
        changed_words_chart(found),
    ]
    return Section(title, [*says, *figures, *tables], "edits")


def changes(found: PairCounts) -> Section:
    """The most frequent replacements, deletions and additions."""
    title = "Most frequent changes"
    tables = []
    for kind in ("substitution", "deletion", "addition"):
        rows = [
            [*(side for side in item if side), f"{number:,}"]
            for item, number in found.changes[kind].first(_MOST)
        ]
        sides = {"substitution": ["was", "became"], "deletion": ["was"], "addition": ["came"]}[kind]
        if rows:
            header, texts = [*sides, "times"], len(sides)
            tables.append(Table(header, rows, text_columns=texts, title=_TITLES[kind]))
    says = [
        "Letter case does not count. What was done once only is left out, and so are marks alone."
    ]
    if not tables:
        says = ["Nothing was done more than once."]
    return Section(title, [*says, *tables], "changes")


def lengths(found: PairCounts) -> Section:
    """How long sentences are, and how alike the two sides."""
    title = "Length and similarity"
    if not found.labels:
        return Section(title, ["There is no pair."], "lengths")
    figures = [corpus_sections.lengths_chart(Sentences(lengths=found.lengths))]
    if found.similarity:
        figures.append(similarity_chart(found))
    rows = [
        [name, f"{quantile(of, 0.5) or 0:,}", f"{quantile(of, 0.9) or 0:,}", f"{max(of):,}"]
        for name, of in (
            ("words of a biased sentence", found.lengths["biased"]),
            ("words of a neutral sentence", found.lengths["neutral"]),
            ("words taken out of a pair", found.out),
            ("words put into a pair", found.into),
        )
        if of
    ]
    table = Table(["", "median", "90 % up to", "most"], rows, title="Lengths")
    return Section(title, [*figures, table], "lengths")


def scores(found: Sequence[Score]) -> list[Table]:
    """How predictions compare with what editors did."""
    tables = []
    for rewrites, title, names in (
        (False, "Marks", ("nothing marked", "a mark meets the edit")),
        (True, "Rewrites", ("nothing changed", "the same as the editor's")),
    ):
        rows = [
            [s.name, f"{s.pairs:,}", _share(s.silent, s.pairs), _share(s.right, s.pairs)]
            for s in found
            if s.rewrites is rewrites
        ]
        if rows:
            tables.append(Table(["system", "pairs", *names], rows, title=title))
    return tables


def _edit_steps(counts: Mapping[str, int], stages: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return how many edits each step took.

    These are the stages at which edits ended, and before them those of the summaries if all edits
    were found by these; [] where nothing was counted.
    """
    took = [(_title(name), number) for name, number in stages.items() if name != "passed"]
    early = [(_NAMES[name], counts.get(name, 0)) for name in ("reverts", "pover")]
    left = counts.get("matched", 0) - sum(number for _, number in early)
    if not stages:
        return []
    return [*early, *took] if left == sum(stages.values()) else took


def _title(reason: str) -> str:
    """Return what a filter of edits is called; what is none of them, by its own name."""
    if reason in _STAGES:
        return _STAGES[reason]
    title = filter_title(reason)
    return _plain(reason) if title == reason else title


def _by_label(name: str, of: Mapping[str, Counter[str]]) -> Table:
    rows = [[each, *(f"{labels[label]:,}" for label in LABELS)] for each, labels in of.items()]
    return Table([name, *LABELS], rows, title=f"By {name}")


def _ordered(of: Mapping[str, Counter[str]], order: Sequence[str]) -> dict[str, Counter[str]]:
    """Return known names in their order, then the others, the largest first."""
    known = [name for name in order if name in of]
    rest = sorted((n for n in of if n not in order), key=lambda n: (-of[n].total(), n))
    return {name: of[name] for name in [*known, *rest]}


def _listed(of: Mapping[str, Counter[str]], most: int = 6) -> str:
    names = [name for name in _ordered(of, ()) if name != "–"]
    more = f" and {len(names) - most:,} more" if names[most:] else ""
    return ", ".join(names[:most]) + more or "–"


def with_share(part: int, whole: int) -> str:
    """Return a number, and which share of another it is."""
    return f"{part:,} ({part / whole:.0%})" if whole else f"{part:,}"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


_NEUTRAL_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a folder of pairs.

    Attributes:
        name: of the folder, different from that of any other on the page.
        folder: itself.
        facts: what the list of its files says beside them.
        funnel: its `funnel.json`.
        counts: its pairs in numbers.
    """

    name: str
    folder: Path
    facts: Mapping[str, Any]
    funnel: Mapping[str, Any]
    counts: PairCounts


def page(folders: Sequence[Path], seed: int, predictions: Sequence[Path] = ()) -> str:
    """Return the page of some folders of sentence pairs.

    Args:
        folders: each made by `wikibias pairs`.
        seed: of the samples.
        predictions: files of what taggers and rewriters made of sentences of these folders.

    Raises:
        UsageError: a file of predictions cannot be read.
        WikibiasError: a table is damaged, or a line is no prediction.
    """
    systems = [read_predictions(path, seed) for path in predictions]
    found = [
        Found(name, folder, recorded(folder) or {}, _funnel(folder), of_pairs(folder, seed))
        for name, folder in zip(names_of([*folders]), folders, strict=True)
    ]
    one = len(found) == 1
    total = sum(each.counts.labels["biased"] for each in found)
    return html(
        Document(
            f"Sentence pairs: {found[0].name}" if one else f"{len(found)} sets of pairs",
            f"{counted(total, 'sentence')} before and after edits made for neutrality."
            if one
            else "Sentences before and after edits made for neutrality; sets may share some.",
            side_by_side(
                {each.name: _sections(each, systems, seed) for each in found},
                None if one else _comparison(found),
            ),
            contents=True,
            generator=GENERATOR,
        )
    )


def _funnel(folder: Path) -> Mapping[str, Any]:
    try:
        return section(read_json(folder / FUNNEL))
    except (OSError, ValueError):
        return {}


def _sections(found: Found, systems: Sequence[Predictions], seed: int) -> list[Section]:
    return [
        about(found.facts, found.counts),
        funnel_section(found.funnel),
        composition(found.counts),
        edits(found.counts),
        changes(found.counts),
        lengths(found.counts),
        _sample(found),
        *([_beside(found, systems, seed)] if systems else []),
        _limits(seed),
    ]


def _sample(found: Found) -> Section:
    title, counts = "A sample of pairs", found.counts
    if not counts.sample:
        return Section(title, ["There is no biased pair."], "sample")
    shown = pair_samples.sampled(counts.sample)
    says = [
        f"{counted(len(shown), 'biased pair')} of {counts.labels['biased']:,}, drawn by chance. "
        "What the editor took out is struck through, what came is underlined. The command shows "
        "the whole story of an edit: RESULT is the folder that the pairs were made from, after "
        "`wikibias diff` and `filter`; a pair_id leads to its edit, too.",
    ]
    groups = []
    if counts.neutral_sample:
        alone = pair_samples.sampled(counts.neutral_sample[:_NEUTRAL_SHOWN])
        about = f"{len(alone):,} of {counts.labels['neutral']:,} neutral pairs."
        groups.append(Section("Left alone by such edits", [about, *alone]))
    command = Text("wikibias inspect RESULT REVISION", "command")
    return Section(title, [*says, command, *shown, *groups], "sample")


def _beside(found: Found, systems: Sequence[Predictions], seed: int) -> Section:
    title = "Systems beside editors"
    examples, found_scores = beside_editors(found.folder, systems, seed)
    if not examples:
        said = "None of the sentences of the predictions is a biased one of this folder."
        return Section(title, [said], "beside")
    looked_at = max(score.pairs for score in found_scores)
    says = [
        f"{counted(len(examples), 'pair')} of {looked_at:,} that were looked at; chosen by a hash "
        "of the sentence.",
        "That a rewrite is not the editor's does not make it wrong: where people judged rewrites, "
        "they passed nearly three times as many as match exactly. `wikibias neutralise score` and "
        "`wikibias spans score` measure more, with intervals.",
    ]
    return Section(title, [*says, *scores(found_scores), *examples], "beside")


def _limits(seed: int) -> Section:
    notes = [
        "A summary that names neutrality does not make each change of the edit one towards it: "
        "of 50 pairs by our rules that were read, 21 changed something else; of 500 pairs of "
        "the Wiki Neutrality Corpus its authors found 5.6 % noise (Pryzant et al. 2020, "
        "table 3).",
        "That an edit left a sentence alone does not mean that anybody judged it neutral.",
        "Edited spans are found by rule, not by people.",
        "Words stand between spaces; without spaces they are counted by their letters.",
        "The text comes from Wikipedia and stays under its licence (CC BY-SA, GFDL).",
        f"The samples on this page were drawn with the seed {seed}.",
    ]
    return Section("Notes and limits", [Notes(notes)], "limits")


def _comparison(found: Sequence[Found]) -> Section:
    """Return what several folders have in common, number by number."""
    columns = [_numbers(each) for each in found]
    known = dict.fromkeys(name for of in columns for name in of)
    rows = [[name, *(of.get(name, "–") for of in columns)] for name in known]
    table = Table(["", *(each.name for each in found)], rows, title="Numbers", stacks=True)
    return Section("Side by side", [table], "comparison")


def _numbers(found: Found) -> dict[str, str]:
    """Return the numbers of a folder that are compared, by what they are."""
    counts = found.counts
    biased, total = counts.labels["biased"], sum(counts.types.values())
    return {
        **summary(found.facts, counts),
        **steps(found.funnel),
        "biased pairs": f"{biased:,}",
        "of these, single-word": with_share(counts.single_word, biased),
        "neutral pairs": f"{counts.labels['neutral']:,}",
        "high tier, biased": f"{counts.tiers['high']['biased']:,}"
        if "high" in counts.tiers
        else "–",
        "edited spans": f"{total:,}",
        "spans a pair": f"{total / biased:.2f}" if biased else "–",
        **{f"{t}s": with_share(counts.types[t], total) for t in TYPES},
    }
