"""The sections of a page of sentence pairs: words, tables and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.corpus.sentence_pairs.harvest import KEYS
from wikibias.edits.filters import SUMMARY_TITLES, filter_title
from wikibias.kits.document import Facts, Section, Table
from wikibias.messages import counted
from wikibias.reports import corpus_sections, pairs_figures
from wikibias.reports.corpus_statistics import LABELS, Sentences, numbers, quantile, section
from wikibias.reports.pair_samples import Score
from wikibias.reports.pairs_statistics import TYPES, PairCounts

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
    known = [(name.replace("_", " "), value) for name, value in in_short(facts, found).items()]
    return Section("What this is", [*says, Facts(known)], "about")


def in_short(facts: Mapping[str, Any], found: PairCounts) -> dict[str, str]:
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


def funnel(told: Mapping[str, Any]) -> Section:
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
        figures.append(pairs_figures.of_stages(steps, start, "edit"))
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
        figures.append(pairs_figures.of_years({"": found}))
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
        for name, number in _most_first(found.relations)
    ]
    tables = [
        Table(["edits", "count", "share"], rows, title="Edits by type"),
        Table(["the sides are", "pairs", "share"], relations, title="Relation of the two sides"),
    ]
    figures = [
        pairs_figures.of_types(found.types),
        pairs_figures.of_spans({"": found}),
        pairs_figures.of_changed_words(found),
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
        figures.append(pairs_figures.of_similarity(found))
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


def _most_first(of: Counter[str]) -> list[tuple[str, int]]:
    return sorted(of.items(), key=lambda entry: (-entry[1], entry[0]))


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
