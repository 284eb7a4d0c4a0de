"""The page of one folder of sentence pairs, or of several side by side."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, get_args

from wikibias.config.choices import SPLITS
from wikibias.corpus.export.folder import recorded
from wikibias.corpus.sentence_pairs.harvest import FUNNEL, funnel_tables, in_words
from wikibias.dumps.parts import dump_date
from wikibias.errors import counted
from wikibias.kits import charts, files, parquet, schemas
from wikibias.kits.document import Document, Facts, Notes, Section, Table, Text, pieces
from wikibias.kits.html import html
from wikibias.records import EditType, SentencePair, Tier
from wikibias.reports import samples
from wikibias.reports.corpus_page import GENERATOR, comparison, names_of, side_by_side
from wikibias.reports.samples import LABELS, Place, Reservoir

TYPES: tuple[EditType, ...] = get_args(EditType)
SAMPLE, NEUTRAL_SAMPLE = 20, 5
_LONGEST = 60  # characters of a change that may be a frequent one
_MOST = 15  # frequent changes of each type
_GROUPS: Mapping[str, Sequence[str]] = {
    "split": SPLITS, "tier": get_args(Tier), "language": (), "signal": (), "wiki": (),
}  # fmt: skip
_CHANGES: Mapping[EditType, tuple[str, list[str]]] = {
    "substitution": ("Most often replaced", ["was", "became"]),
    "deletion": ("Most often taken out", ["was"]),
    "addition": ("Most often put in", ["came"]),
}


@dataclass(slots=True)
class PairCounts:
    """The pairs of a folder in numbers; what is said of edits is of the biased pairs.

    Attributes:
        labels: how many pairs each label has.
        groups: of each split, tier and so on, how many pairs each label has.
        relations: how many biased pairs have which.
        single_word: biased pairs in which one word was taken out or replaced.
        types: how many edits are of which type.
        changes: of each type how often what was there and what came.
        days: of the first edit and the last, and of all between them.
        dumps: the dates of the dumps.
        samples: of each label, pairs drawn by chance.
    """

    samples: Mapping[str, Reservoir]
    labels: Counter[str] = field(default_factory=Counter)
    groups: dict[str, dict[str, Counter[str]]] = field(
        default_factory=lambda: {name: {} for name in _GROUPS}
    )
    relations: Counter[str] = field(default_factory=Counter)
    single_word: int = 0
    types: Counter[str] = field(default_factory=Counter)
    changes: dict[str, Counter[tuple[str, str]]] = field(
        default_factory=lambda: {kind: Counter() for kind in TYPES}
    )
    days: set[date] = field(default_factory=set)
    dumps: set[str] = field(default_factory=set)

    def add(self, pair: SentencePair) -> None:
        """Count a pair."""
        made = pair.provenance
        self.labels[pair.label] += 1
        values = (pair.split, pair.tier, made.lang, made.signal, made.wiki)
        for of, value in zip(self.groups.values(), values, strict=True):
            of.setdefault(value or "–", Counter())[pair.label] += 1
        if made.part and (day := dump_date(made.part)):
            self.dumps.add(f"{day[:4]}-{day[4:6]}-{day[6:]}")
        if made.after_timestamp:
            self.days.add(made.after_timestamp.date())
        if pair.label == "biased":
            self._add_edits(pair)

    def _add_edits(self, pair: SentencePair) -> None:
        self.single_word += pair.single_word
        self.relations[pair.relation or "–"] += 1
        for edit in pair.edits:
            self.types[edit.type] += 1
            change = (
                changed_words(pair.source, edit.source),
                changed_words(pair.target, edit.target),
            )
            text = "".join(change)
            if len(text) <= _LONGEST and any(map(str.isalnum, text)):
                self.changes[edit.type][change] += 1


def changed_words(text: str, spans: str) -> str:
    """Return what stands at some spans of a text, without regard to case; pieces with "…"."""
    return " … ".join(each.text for each in pieces(text, spans) if each.changed).casefold()


def pair_counts(folder: Path, seed: int) -> PairCounts:
    """Count the pairs of a folder, and draw samples of them.

    Raises:
        WikibiasError: the table cannot be read.
    """
    sizes = zip(LABELS, (SAMPLE, NEUTRAL_SAMPLE), strict=True)
    found = PairCounts({label: Reservoir(n, f"{label} pairs {seed}") for label, n in sizes})
    path = folder / schemas.SENTENCE_PAIRS_FILE
    for number, pair in enumerate(parquet.read_records(path, schemas.SENTENCE_PAIRS_TABLE)):
        found.add(pair)
        found.samples[pair.label].add(Place(path, number))
    return found


def page(folders: Sequence[Path], seed: int) -> str:
    """Return the page of some folders of sentence pairs, each made by `wikibias pairs`.

    Args:
        folders: at least one.
        seed: of the samples.

    Raises:
        WikibiasError: a table is damaged.
    """
    found = {
        name: (folder, pair_counts(folder, seed))
        for name, folder in zip(names_of(folders), folders, strict=True)
    }
    title, total = f"{len(found)} sets of sentence pairs", "Sentences; sets may share some:"
    if len(found) == 1:
        ((name, (_, counts)),) = found.items()
        title, total = f"Sentence pairs: {name}", counted(counts.labels["biased"], "sentence")
    sections = {name: _sections(*each, seed) for name, each in found.items()}
    numbers = {name: _numbers(*each) for name, each in found.items()}
    return html(
        Document(
            title,
            f"{total} before and after edits made for neutrality.",
            side_by_side(sections, comparison(numbers)),
            contents=True,
            generator=GENERATOR,
        )
    )


def _funnel(folder: Path) -> Mapping[str, Any]:
    try:
        found = files.read_json(folder / FUNNEL)
    except (OSError, ValueError):
        return {}
    counts = ("stages", "verdicts", "by_signal")
    is_ours = isinstance(found, dict) and all(isinstance(found.get(n, {}), dict) for n in counts)
    return found if is_ours else {}


def _sections(folder: Path, counts: PairCounts, seed: int) -> list[Section]:
    sections = [_about(folder, counts), _steps(_funnel(folder))]
    if counts.labels:
        sections.append(_composition(counts))
    if counts.labels["biased"]:
        sections += [_edits(counts), _frequent_changes(counts), _sample(counts)]
    return [*sections, _limits(seed)]


def _about(folder: Path, counts: PairCounts) -> Section:
    biased, neutral = (counts.labels[label] for label in LABELS)
    says = [
        f"{counted(biased, 'biased sentence pair')}: a sentence, and what the edit of an editor "
        f"who wanted it neutral made of it. {counted(neutral, 'neutral pair')}: a sentence that "
        "such an edit left alone.",
        "The marks show what the edit did. Nobody has judged whether a sentence was biased, nor "
        "whether it is neutral now.",
    ]
    if not counts.labels:
        says = ["The folder holds no pair: what was left out, and why, stands below."]
    return Section("What this is", [*says, Facts([*_facts(folder, counts).items()])], "about")


def _facts(folder: Path, counts: PairCounts) -> dict[str, str]:
    """Return rules, wikis, languages, signals and dates, as far as they are known."""
    facts = {
        name.replace("_", " "): str(value)
        for name, value in (recorded(folder) or {}).items()
        if name not in ("format", "files")
    }
    dumps, days = sorted(counts.dumps), sorted(map(str, counts.days))
    known = {
        **{name: ", ".join(counts.groups[name]) for name in ("wiki", "language", "signal")},
        "dump of": ", ".join(dumps) if len(dumps) < 4 else f"{dumps[0]} to {dumps[-1]}",
        "edits from": " to ".join(dict.fromkeys([*days[:1], *days[-1:]])),
    }
    return facts | {name: value for name, value in known.items() if value not in ("", "–")}


def _steps(told: Mapping[str, Any]) -> Section:
    """How many edits and pairs are left behind each step of the harvest."""
    title, tables = "From edits to pairs", funnel_tables(told)
    if not tables:
        return Section(title, ["There is no funnel.json in the folder, or it is empty."], "funnel")
    stages = {name: n for name, n in told.get("stages", {}).items() if isinstance(n, int)}
    figures = []
    if stages:
        left = stages.pop("passed", 0)
        steps = {in_words(name): number for name, number in stages.items()}
        figures.append(charts.funnel(steps, left, title="What is left of the edits"))
    return Section(title, [*figures, *tables], "funnel")


def _composition(counts: PairCounts) -> Section:
    """Labels by split, tier, language, signal and wiki."""
    tables = []
    for name, order in _GROUPS.items():
        of = counts.groups[name]
        names = [each for each in order if each in of]
        names += sorted(of.keys() - {*order}, key=lambda each: (-of[each].total(), each))
        rows = [[each, *(f"{of[each][label]:,}" for label in LABELS)] for each in names]
        if names != ["–"]:
            tables.append(Table([name, *LABELS], rows, title=f"By {name}"))
    says = ["The tier says how far a label can be trusted; not every set of rules gives one."]
    return Section("What the folder holds", [*says, *tables], "holds")


def _edits(counts: PairCounts) -> Section:
    """What editors did: types of edits, and how the two sides relate."""
    biased, total = counts.labels["biased"], counts.types.total()
    says = [
        f"{counted(total, 'edited span')} in {counted(biased, 'biased pair')}, "
        f"{total / biased:.2f} a pair. In {_with_share(counts.single_word, biased)} one word was "
        "taken out or replaced in one place. Types are by the word diff of WIKIBIAS (appendix C)."
    ]
    types = [[f"{kind}s", *_count_and_share(counts.types[kind], total)] for kind in TYPES]
    relations = [
        [name, *_count_and_share(number, biased)] for name, number in counts.relations.most_common()
    ]
    tables = [
        Table(["edits", "count", "share"], types, title="Edits by type"),
        Table(["the sides are", "pairs", "share"], relations, title="Relation of the two sides"),
    ]
    return Section("What editors did", [*says, *tables], "edits")


def _frequent_changes(counts: PairCounts) -> Section:
    tables = []
    for kind, (title, sides) in _CHANGES.items():
        often = sorted(counts.changes[kind].items(), key=lambda entry: (-entry[1], entry[0]))
        rows = [
            [*(side for side in change if side), f"{number:,}"]
            for change, number in often[:_MOST]
            if number > 1
        ]
        if rows:
            tables.append(Table([*sides, "times"], rows, len(sides), title=title))
    says = (
        "Letter case does not count. What was done once only is left out, and so are marks alone."
    )
    return Section(
        "Most frequent changes",
        [says if tables else "Nothing was done more than once.", *tables],
        "changes",
    )


def _sample(counts: PairCounts) -> Section:
    biased, neutral = (samples.sentence_pairs(counts.samples[label].places) for label in LABELS)
    says = (
        f"{counted(len(biased), 'biased pair')} of {counts.labels['biased']:,}, drawn by chance. "
        "What the editor took out is struck through, what came is underlined. The command shows "
        "the whole story of an edit: RESULT is the folder that the pairs were made from, after "
        "`wikibias diff` and `filter`; a pair_id leads to its edit, too."
    )
    command = Text("wikibias inspect RESULT REVISION", "command")
    groups = []
    if neutral:
        about = f"{len(neutral):,} of {counts.labels['neutral']:,} neutral pairs."
        groups.append(Section("Left alone by such edits", [about, *neutral]))
    return Section("A sample of pairs", [says, command, *biased, *groups], "sample")


def _limits(seed: int) -> Section:
    notes = [
        "A summary that names neutrality does not make each change of the edit one towards it: "
        "`confidence` is the probability that the source is less neutral than the target (of a "
        "neutral pair, that it is neutral). Of 500 pairs of the Wiki Neutrality Corpus its "
        "authors found 5.6 % noise (Pryzant et al. 2020, table 3).",
        "That an edit left a sentence alone does not mean that anybody judged it neutral.",
        "Edited spans are found by rule, not by people.",
        "The text comes from Wikipedia and stays under its licence (CC BY-SA, GFDL).",
        f"The samples on this page were drawn with the seed {seed}.",
    ]
    return Section("Notes and limits", [Notes(notes)], "limits")


def _numbers(folder: Path, counts: PairCounts) -> dict[str, str]:
    """Return the numbers of a folder that are compared, by what they are."""
    biased, total = counts.labels["biased"], counts.types.total()
    return {
        **_facts(folder, counts),
        "biased pairs": f"{biased:,}",
        "of these, single-word": _with_share(counts.single_word, biased),
        "neutral pairs": f"{counts.labels['neutral']:,}",
        "edited spans": f"{total:,}",
        **{f"{kind}s": _with_share(counts.types[kind], total) for kind in TYPES},
    }


def _with_share(part: int, whole: int) -> str:
    return f"{part:,} ({part / whole:.0%})" if whole else f"{part:,}"


def _count_and_share(part: int, whole: int) -> tuple[str, str]:
    return f"{part:,}", f"{part / whole:.1%}" if whole else "–"
