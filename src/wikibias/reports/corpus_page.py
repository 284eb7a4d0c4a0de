"""The page of one corpus, or of several side by side."""

import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median_low
from typing import Any

from wikibias.config.choices import in_units, names_of_intents, unit_of
from wikibias.corpus import card, description
from wikibias.corpus.composition import filter_facts, filters_table, mark
from wikibias.corpus.log_odds import CHANCE, PRIOR, Contrast, WordCounts, contrasts, tokens
from wikibias.curation.tag_statistics import lives_of, statistics_tables, tag_statistics
from wikibias.dumps.parts import dump_date
from wikibias.edits.filters import FILTERS, OTHER_FILTERS, filter_named, filter_title
from wikibias.errors import counted, quoted
from wikibias.kits import schemas
from wikibias.kits.charts import columns, funnel, points, survival_chart
from wikibias.kits.document import Block, Cell, Document, Facts, Link, Section, Table, Text
from wikibias.kits.html import html
from wikibias.kits.plugins import Registry
from wikibias.pipeline.manifest import Manifest, found_edits, settings_of, signals
from wikibias.records import KEPT
from wikibias.reports import samples
from wikibias.reports.samples import LABELS, Reservoir, files, records_at, rows
from wikibias.text.segmentation import words

GENERATOR = "wikibias report"
"""What a page of this kind says that it is."""
JUDGED = "judged"
OPTIONAL_SECTIONS: Registry[Callable[..., dict[Path, tuple[Section, str]]]] = Registry(
    "section",
    "wikibias.report_sections",
    {JUDGED: "wikibias.research.reports.agreement:judged_sections"},
)
"""Sections that are made of more than the result: for each folder the section, and its summary."""
BINS = {"1–2": 2, "3–6": 6, "7–15": 15, "16 and more": float("inf")}
"""The 2019 paper, section 4.1: edits by how many sentences they removed."""
SAMPLE, SAMPLE_OF_REASON, _EXAMPLES = 20, 2, 3
"""How many kept edits are shown, rejected ones for each reason, and positives of each label."""
_CURVES, _MOST_TAGS, _MOST_WORDS = 4, 25, 15
_LONGEST = 300  # characters of an example


def page(
    results: Mapping[Path, Manifest], seed: int, judged: Mapping[Path, Section] | None = None
) -> str:
    """Return the page of some result folders.

    Args:
        results: the manifest of each folder.
        seed: of the samples of edits.
        judged: the section on what annotators said of the corpus of a folder.

    Raises:
        UsageError: another version of wikibias made one.
        WikibiasError: a table is damaged.
    """
    names = names_of([*results])
    sections, numbers = {}, {}
    for name, (folder, manifest) in zip(names, results.items(), strict=True):
        settings_of(folder, manifest)
        sections[name] = [*_sections(folder, manifest, seed, (judged or {}).get(folder))]
        numbers[name] = key_figures(manifest)
    return html(
        Document(
            f"The corpus {names[0]}" if len(names) == 1 else f"{len(names)} corpora side by side",
            "What wikibias found, kept and dropped, from the tables of its result folder.",
            side_by_side(sections, comparison(numbers)),
            contents=True,
            generator=GENERATOR,
        )
    )


def names_of(folders: Sequence[Path]) -> list[str]:
    """Return the name of each folder; the path where two have the same."""
    names = [folder.name or folder.resolve().name for folder in folders]
    return [
        name if names.count(name) == 1 else str(folder)
        for name, folder in zip(names, folders, strict=True)
    ]


def side_by_side(sections: Mapping[str, list[Section]], first: Section | None) -> list[Block]:
    """Return the sections of one thing, or those of several, each under its name behind a first."""
    blocks: list[Block] = [first] if first else []
    for number, (name, of_one) in enumerate(sections.items(), 1):
        for place, each in enumerate(of_one):
            each.id = f"c{number}-{each.id or place}"
            each.aside = f"({name})" if first else ""
        blocks += [Section(name, [*of_one], f"c{number}")] if first else of_one
    return blocks


def comparison(numbers: Mapping[str, Mapping[str, str]]) -> Section | None:
    """Return what several things have in common, number by number; None for one thing."""
    if len(numbers) == 1:
        return None
    names = dict.fromkeys(name for of in numbers.values() for name in of)
    lines = [[name, *(of.get(name, "–") for of in numbers.values())] for name in names]
    table = Table(["", *numbers], lines, title="Numbers", stacks=True)
    return Section("Side by side", [table], "comparison")


def has_section(path: Path, name: str) -> bool:
    """Whether a page that was written before has a section; False without such a page."""
    # As the template of the page writes it; what is of a wiki stands there escaped.
    pattern = re.compile(rf'<h\d id="c\d+-{re.escape(name)}"'.encode())
    with suppress(OSError):
        return path.is_file() and bool(pattern.search(path.read_bytes()))
    return False


def key_figures(manifest: Manifest) -> dict[str, str]:
    """Return wiki, language, settings and counts of a result, by what they are."""
    settings, counts = manifest["settings"], manifest["counts"]
    detect, verdicts, corpus = settings["detect"], manifest["verdicts"], manifest["corpus"] or {}
    dates = sorted({dump_date(entry["part"]) or "" for entry in manifest["inputs"]} - {""})
    dumps = [f"{day[:4]}-{day[4:6]}-{day[6:]}" for day in dates]
    families = f", only {', '.join(detect['families'])}" if detect["families"] else ""
    figures = {
        "wiki": ", ".join(sorted({str(e["wiki"]) for e in manifest["inputs"] if e.get("wiki")})),
        "language": detect["lang"],
        "dump of": ", ".join(dumps) if len(dumps) < 4 else f"{dumps[0]} to {dumps[-1]}",
        "edits found by": ", ".join(signals(detect)),
        "filters": settings["filter"]["filters"],
        "checksum": " ".join(mark(manifest, table) for table in ("corpus", "labelled")).strip(),
        "pages read": f"{counts['pages']:,}",
        "revisions read": f"{counts['revisions']:,}",
        "edits found": ", ".join(found_edits(manifest)),
    }
    if "tag" in signals(detect):
        figures["tag set"] = detect["tagset"] + families
        figures["revisions paired"] = ", ".join(detect["pairing"])
    if names_of_intents(signals(detect)):
        figures["rules of intents"] = detect["rules"]
    if compared := sum(verdicts.values()):
        kept = verdicts.get(KEPT, 0)
        figures |= {"edits compared": f"{compared:,}", "kept": f"{kept:,} ({kept / compared:.0%})"}
    if has_two_classes(corpus):
        figures[f"{unit_of(settings)}s"] = f"{_total(corpus):,}"
        figures["biased"] = f"{corpus['removed']:,}"
    if labelled := corpus.get("labelled"):
        figures["sentences with labels"] = f"{labelled['positives']:,}"
    return {name: value for name, value in figures.items() if value}


def has_two_classes(corpus: Mapping[str, Any]) -> bool:
    """Return whether a corpus is built whose sentences are biased or neutral."""
    return bool(corpus) and (bool(_total(corpus)) or not corpus.get("labelled"))


def _total(corpus: Mapping[str, Any]) -> int:
    return sum(corpus.get(role, 0) for role in ("removed", "added", "unchanged", "featured"))


def _sections(
    folder: Path, manifest: Manifest, seed: int, judged: Section | None
) -> Iterator[Section]:
    """Yield the sections, without those on tags and classes that nobody asked for."""
    corpus = manifest["corpus"] or {}
    made, two = corpus.get("labelled"), has_two_classes(corpus) or not corpus.get("labelled")
    described = [description.describe(manifest)] if two else []
    described += [description.describe_labelled(manifest, made)] if made else []
    says = [f"{each.title}. {each.summary}" for each in described]
    if not manifest["complete"]:
        says.append("The run is not complete: a part failed, or the corpus is not built.")
    yield Section("What this is", [*says, Facts([*key_figures(manifest).items()])])
    yield _filters(manifest)
    if two:
        yield from card.corpus_sections(manifest)
    if made:
        yield from card.labelled_sections(manifest, made)
        yield _labelled_examples(folder, seed)
    if judged:
        yield judged
    if "tag" in signals(manifest["settings"]["detect"]):
        yield from _tags(folder)
    if corpus and two:
        yield _words(folder, unit_of(manifest["settings"]))
    yield _kept_edits(folder, seed)
    yield _rejected_edits(folder, seed)
    yield card.citation(manifest)
    yield _provenance(manifest, seed)


def _filters(manifest: Manifest) -> Section:
    """Table 2 of the paper: what the filters dropped."""
    title, verdicts = "What the filters dropped", manifest["verdicts"]
    if not sum(verdicts.values()):
        return Section(title, ["No edit has a verdict here: the filters have not run yet."])
    steps = {filter_title(name): number for name, number in verdicts.items() if name != KEPT}
    chart = funnel(steps, verdicts.get(KEPT, 0), title="What the filters left", end=KEPT)
    says = "Each edit goes through the filters in this order; the first one that applies drops it."
    detect = manifest["settings"]["detect"]
    words = filter_facts(verdicts, detect)
    return Section(title, [says, chart, filters_table(verdicts, detect), words])


def _missing(title: str, table: str) -> Section:
    """Return a section that says what is not there, and how to find out what to do."""
    says = f"There is no table of {table} here. `wikibias status` on this folder says what to type."
    return Section(title, [says])


def _labelled_examples(folder: Path, seed: int) -> Section:
    """Some positives of each label, with what became of them."""
    drawn: dict[str, Reservoir] = {}
    for place, row in rows(folder, schemas.LABELLED_TABLE.name, ["labels"]):
        for label in row["labels"]:
            drawn.setdefault(label, Reservoir(_EXAMPLES, f"{seed} {label}")).add(place)
    lines: list[list[Cell]] = [
        [
            label,
            Link(_cut(each.text), each.provenance.diff_url or ""),
            each.relation or "–",
            _cut(each.counterpart or "–"),
        ]
        for label in sorted(drawn)
        for each in records_at(drawn[label].places, schemas.LABELLED_TABLE)
    ]
    table = Table(["label", "sentence", "became", "that is"], lines, 4)
    return Section("Examples of each label", [table])


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _tags(folder: Path) -> Iterator[Section]:
    """Yield how many tags came and went, by year and by tag, and how long they stood."""
    title, stood = "Tags put in and taken out", "How long tags stand"
    if not files(folder, schemas.TRANSITIONS_TABLE.name):
        yield _missing(title, schemas.TRANSITIONS_TABLE.name)
        return
    found = tag_statistics([folder])
    if found.by_year.empty:
        yield Section(title, ["No tag of the tag set was put in or taken out."])
        return
    years, groups, lives = statistics_tables(found, "tag", _MOST_TAGS)
    names = [str(year) for year in found.by_year["year"]]
    series = {name.replace("_", " "): [*found.by_year[name]] for name in ("put_in", "taken_out")}
    alt = "; ".join(
        f"{name}: {', '.join(f'{n:,} in {y}' for y, n in zip(names, of, strict=True) if n)}"
        for name, of in series.items()
    )
    chart = columns(names, series, title=title, alt=f"{alt}.", axis="year")
    yield Section(title, [chart, groups, Section("Numbers by year", [years], kind="folded")])
    if not lives.rows:
        return
    drawn, said = {}, []
    for name in found.by_group["group"][: _CURVES + 1]:
        is_of_group = (found.intervals["group"] == name) | (name == "all")
        if of_lives := lives_of(found.intervals[is_of_group]):
            curve = points([(s.days, s.share) for s in of_lives.curve()], of_lives.longest)
            drawn[name] = curve
            said.append(f"{name}: {curve[-1][1]:.0%} still stand after {curve[-1][0]:,.0f} days")
    says = (
        "Tags that a revert put back count as one; the curve of Kaplan and Meier takes those that "
        "still stand into account up to the day of the dump."
    )
    chart = survival_chart(drawn, title=stood, alt=f"{'; '.join(said)}.")
    yield Section(stood, [says, chart, lives])


def _words(folder: Path, unit: str) -> Section:
    """The words that best tell the classes apart, and how long their sentences are."""
    counts, lengths = WordCounts(), {label: array("i") for label in LABELS}
    for _, row in rows(folder, schemas.CORPUS_TABLE.name, ["label", "norm"]):
        counts.add(tokens(row["norm"]), LABELS.index(row["label"]))
        lengths[row["label"]].append(words(row["norm"]))
    title = "Words that tell the classes apart"
    if not all(counts.sizes):
        return Section(title, ["The corpus does not have sentences of both classes."])
    found = contrasts(counts.of, counts.sizes)
    biased = [each for each in found[:_MOST_WORDS] if each.z >= 1]
    neutral = [each for each in reversed(found[-_MOST_WORDS:]) if each.z <= -1]
    beyond = sum(abs(each.z) > CHANCE for each in found)
    says = [
        f"By the log-odds ratio with an informative prior of {PRIOR:,.0f} words (Monroe, Colaresi "
        f"and Quinn 2008), among {counts.sizes[0]:,} words of biased and {counts.sizes[1]:,} of "
        f"neutral sentences. z is the difference by its standard error: {beyond:,} of "
        f"{len(found):,} words are beyond ±{CHANCE}, and up to {0.05 * len(found):,.0f} by chance "
        "alone. Words are in their normal form, in which numtkn is any number; in a script without "
        "spaces they are pairs of letters. The tables show those that differ by at least a "
        "standard error, which is 1."
    ]
    if counts.forgotten:
        says.append("The rarest words were not counted: there are too many to hold.")
    sizes = [[label, f"{len(of):,}", f"{median_low(of):,}"] for label, of in lengths.items()]
    tables = [
        _contrasts(biased, in_units("More in biased sentences", unit)),
        _contrasts(neutral, in_units("More in neutral sentences", unit)),
        Table(["class", in_units("sentences", unit), "median words"], sizes, title="Length"),
    ]
    return Section(title, [*(in_units(each, unit) for each in says), *tables])


def _contrasts(found: Sequence[Contrast], title: str) -> Table:
    lines = [[c.word, f"{c.z:+.2f}", f"{c.first:,}", f"{c.second:,}"] for c in found]
    return Table(["word", "z", *LABELS], lines, title=title)


def _kept_edits(folder: Path, seed: int) -> Section:
    """Kept edits by how many sentences they removed, and a sample of them as diffs."""
    title, table = "Kept edits", schemas.EDITS_TABLE.name
    if not files(folder, table):
        return _missing(title, "kept edits")
    sample = Reservoir(SAMPLE, f"edits {seed}")
    edits, sentences = dict.fromkeys(BINS, 0), dict.fromkeys(BINS, 0)
    for place, row in rows(folder, table, ["removed"]):
        name = next(name for name, most in BINS.items() if len(row["removed"]) <= most)
        edits[name] += 1
        sentences[name] += len(row["removed"])
        sample.add(place)
    if not sample.seen:
        return Section(title, ["No edit was kept."])
    lines = [[name, f"{n:,}", f"{sentences[name]:,}"] for name, n in edits.items()]
    groups = Table(["sentences removed", "edits", "sentences"], lines, title="Kept edits by size")
    shown = samples.kept_edits(sample.places)
    says = (
        f"{len(shown):,} of {sample.seen:,} that were kept, drawn by chance. What changed in a "
        "sentence is struck through on one side and underlined on the other. `wikibias inspect` "
        "with the number of a revision tells the whole story of its edit."
    )
    about = "The groups of edits are those of section 4.1 of the 2019 paper."
    return Section(title, [about, groups, Section("A sample", [says, *shown])])


def _rejected_edits(folder: Path, seed: int) -> Section:
    """A sample of the edits that filters dropped, by reason."""
    title, table = "A sample of rejected edits, by reason", schemas.REJECTS_TABLE.name
    if not files(folder, table):
        return _missing(title, "rejected edits")
    drawn: dict[str, Reservoir] = {}
    for place, row in rows(folder, table, ["verdict"]):
        reason = row["verdict"]
        drawn.setdefault(reason, Reservoir(SAMPLE_OF_REASON, f"{reason} {seed}")).add(place)
    order = [*FILTERS.names(), *OTHER_FILTERS, *sorted(drawn)]
    groups = []
    for reason in (name for name in dict.fromkeys(order) if name in drawn):
        about = f"{counted(drawn[reason].seen, 'edit')}. {_explanation(reason)}".rstrip()
        shown = samples.rejected_edits(drawn[reason].places)
        groups.append(Section(filter_title(reason), [about, *shown]))
    says = f"Up to {SAMPLE_OF_REASON} of each reason, drawn by chance."
    return Section(title, [says if groups else "No edit was rejected.", *groups])


def _explanation(reason: str) -> str:
    """Return what a filter drops, as the first line of its function's docstring says."""
    found = filter_named(reason)
    first = ((found.reason.__doc__ if found else "") or "").strip().partition("\n")[0]
    return f"The filter drops {first.removeprefix('Drop ')}" if first.startswith("Drop ") else ""


def _provenance(manifest: Manifest, seed: int) -> Section:
    """Settings, versions and commands."""
    commands = dict.fromkeys(quoted(*typed) for typed in manifest["commands"].values())
    versions = {"wikibias": manifest["wikibias"], **manifest["versions"]}
    settings = Table(["setting", "value"], [*_flat(manifest["settings"])], 2, stacks=True)
    programs = Table(["program", "version"], [[n, str(v)] for n, v in versions.items()], 2)
    return Section(
        "Where it comes from",
        [
            f"The samples on this page were drawn with the seed {seed}.",
            *(Text(command, "command") for command in commands),
            Section("Settings", [settings], kind="folded"),
            Section("Versions", [programs], kind="folded"),
        ],
    )


def _flat(settings: Mapping[str, Any], path: str = "") -> Iterator[list[str]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{name}.")
        else:
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield [f"{path}{name}", "–" if value is None else text or "–"]
