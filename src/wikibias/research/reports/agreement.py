"""What annotators say: tables of their agreement, and the section of a corpus's page.

In the section stand the figures of the 2019 paper (Aleksandrova, Lareau and Ménard, Tables 4 to 6).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, counted
from wikibias.kits.document import Block, Section, Table, Text, number, with_interval
from wikibias.reports.corpus_page import JUDGED
from wikibias.research.annotation import estimates
from wikibias.research.annotation.population import held, open_corpus
from wikibias.research.annotation.samples import PAPER_BINS
from wikibias.research.annotation.tasks import read_tasks
from wikibias.research.annotation.votes import read_judged, voters

MOST_PAIRS = 15
"""Of more pairs those are shown that agree least."""
_MOST_VALUES = 8
_FIGURES = ("sentences", "alpha [95 %]", "Fleiss [95 %]", "equal [95 %]")


def agreement_tables(title: str, found: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the figures of all annotators, each two, each group, each category and each of them.

    Args:
        title: what the answers are called.
        found: what `annotation.agreement` found.
    """
    yield _overview(title, found)
    if found["cohen"]:
        yield _pairs(found)
    for name, groups in found["by"].items():
        rows = [[group, *_figures(of)] for group, of in groups.items()]
        yield _stacking(f"By {name}", ["", *_FIGURES], rows)
    if found["categories"]:
        rows = [
            [name, f"{of['chosen']:,}", *_figures(of)] for name, of in found["categories"].items()
        ]
        yield _stacking("By category, each against all others", ["", "chosen", *_FIGURES], rows)
    yield _annotators(found)
    if found["spans"].get("pairs"):
        yield _spans(found["spans"]["pairs"])
    if len(found["confusion"]) == 1 and len(found["values"]) <= _MOST_VALUES:
        yield _confusion(found)


def _overview(title: str, found: Mapping[str, Any]) -> Table:
    answers = f"{counted(found['answers'], 'answer')} to {counted(found['items'], 'sentence')}"
    people = counted(len(found["annotators"]), "annotator")
    rows = [
        [f"Krippendorff's alpha, {level}", with_interval(entry)]
        for level, entry in found["krippendorff"].items()
    ]
    complete = counted(found["fleiss"]["items"], "sentence")
    rows.append([f"Fleiss' kappa, {complete}", with_interval(found["fleiss"])])
    rows.append(["equal pairs of answers", with_interval(found["percentage"])])
    return _stacking(f"{title}: {people}, {answers}", ["", "[95 %]"], rows)


def _confusion(found: Mapping[str, Any]) -> Table:
    """Return what two said of the same sentences: the first by row, the second by column."""
    ((name, table),) = found["confusion"].items()
    (one, _, other), values = name.partition("|"), found["values"]
    rows = [
        [f"{one}: {value}", *(f"{table.get(value, {}).get(said, 0):,}" for said in values)]
        for value in values
    ]
    return _stacking(f"{one} and {other}", ["", *(f"{other}: {said}" for said in values)], rows)


def notes(found: Mapping[str, Any]) -> list[str]:
    """Return why a figure is undefined, or what it was taken over."""
    reasons = {**found["notes"], **found["spans"].get("notes", {})}
    reasons |= found.get("controls", {}).get("notes", {})
    return [f"{name}: {note}" for name, note in reasons.items()]


def _figures(of: Mapping[str, Any]) -> list[str]:
    figures = (of["krippendorff"]["nominal"], of["fleiss"], of["percentage"])
    return [f"{of['items']:,}", *map(with_interval, figures)]


def _pairs(found: Mapping[str, Any]) -> Table:
    kappas, title = found["cohen"], "Cohen's kappa of each two"
    names = list(kappas)
    if len(names) > MOST_PAIRS:
        title = f"Cohen's kappa of the {MOST_PAIRS} pairs of {len(names):,} that agree least"
        values = {name: of["value"] for name, of in kappas.items()}
        names.sort(key=lambda name: (values[name] is None, values[name] or 0, name))
    rows = [
        [
            name.replace("|", " and "),
            f"{sum(sum(row.values()) for row in found['confusion'][name].values()):,}",
            with_interval(kappas[name]),
        ]
        for name in names[:MOST_PAIRS]
    ]
    return _stacking(title, ["", "sentences", "kappa [95 %]"], rows)


def _annotators(found: Mapping[str, Any]) -> Table:
    header, without = ["", "answers", "?"], found["apart"]["without"]
    if without:
        header += ["alpha without", "gain [95 %]"]
    repeats, controls = found.get("repeats", {}), found.get("controls", {"items": 0})
    if repeats:
        header += ["same twice"]
    if controls["items"]:
        header += ["ticks unchanged", "and others"]
    rows = []
    for name, of in found["annotators"].items():
        row = [name, f"{of['answers']:,}", f"{of['unparsed']:,}"]
        if without:
            row += [number(without[name]["krippendorff"]["value"])]
            row += [with_interval(without[name]["gain"])]
        if repeats:
            again = repeats[name]
            row += [f"{number(again['percentage']['value'])} of {again['items']}"]
        if controls["items"]:
            ticks = controls["annotators"][name]
            row += [with_interval(ticks["ticked"]), number(ticks["ticked_of_sample"]["value"])]
        rows.append(row)
    return _stacking("Annotators", header, rows)


def _spans(pairs: Mapping[str, Any]) -> Table:
    rows = [
        [
            name.replace("|", " and "),
            label,
            f"{of['items']:,}",
            *(with_interval(of[figure]) for figure in ("token_kappa", "exact", "overlap")),
        ]
        for name, labels in pairs.items()
        for label, of in labels.items()
    ]
    header = ["", "label", "sentences", "kappa of words", "F1 exact", "F1 overlap"]
    return _stacking("Spans", header, rows, 2)


def answers_in_words(sentence: Mapping[str, Any]) -> str:
    """Return who said what of a sentence on which annotators differ."""
    return ", ".join(f"{name} {value}" for name, value in sentence["answers"].items())


def _stacking(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int = 1
) -> Table:
    return Table(header, rows, text_columns, title=title, stacks=True)


_LANGUAGES = ("bg", "en", "fr")
# Rows are the bins, then the mean; columns are Bulgarian, English, French and their mean.
_PAPER_SHARES = (
    (0.34, 0.51, 0.47, 0.44),
    (0.64, 0.45, 0.45, 0.52),
    (0.63, 0.45, 0.38, 0.48),
    (0.63, 0.52, 0.34, 0.50),
    (0.56, 0.48, 0.41, 0.48),
)
_PAPER_KAPPAS = (
    (0.32, 0.55, 0.67, 0.51),
    (0.22, 0.58, 0.44, 0.41),
    (0.32, 0.31, 0.61, 0.41),
    (-0.23, 0.39, 0.68, 0.28),
    (0.16, 0.46, 0.60, 0.41),
)
# All shared, of each annotator alone, in all.
_PAPER_SENTENCES = {
    "bg": (72, "224, 224", 520),
    "en": (72, "224, 224, 224", 744),
    "fr": (72, "224, 224", 520),
}
_MOST_TAGS = 20
_HEADER = ["", "stands for", "judged", "biased, weighted", "plainly", "kappa", "of"]


def judged(found: estimates.JudgedShares) -> Section:
    """Return the section: shares judged biased by bin, confidence and tag, and agreement."""
    whole = found.whole.share
    biased, answers = found.controls
    kappa = number(found.whole.kappa["value"]) * (len(found.annotators) > 1 and not found.voters)
    size = _whole([found.whole])[0]
    paper = (
        f"{_who(found)} judged {counted(whole.judged, 'sentence')} that edits removed, of "
        f"{size:,}{kappa and f', with a kappa of {kappa}'}. The share judged biased "
        f"is {_interval(whole)}: each sentence counts by how likely it was to be drawn, and where "
        "several judged it, by the share that found it biased."
    )
    says: list[Block] = [
        "For the section on methods of a paper:",
        Text(paper, "note"),
        "The interval says what chance may do in drawing, not how far annotators err.",
        "Kappa is that of Fleiss, over the sentences that were judged by all (or, where none was, "
        "by as many as most were), not weighted. A tier or tag of few sentences says little.",
    ]
    if found.unjudged:
        says.append(
            f"{found.unjudged:,} of the sentences drawn have no answer that can be read; they are "
            "taken to be as the others of their stratum."
        )
    if answers:
        says.append(
            f"Of {counted(answers, 'answer')} to unchanged sentences among them {biased:,} said "
            "biased."
        )
    tables = [
        _table("By number of sentences that the edit removed", found.bins, [found.whole]),
        _table(
            "By confidence; if it is calibrated, the share lies within the tenth", found.confidence
        ),
        _table("By tier", found.tiers),
        _table("By tag; a sentence of several counts for each", found.tags[:_MOST_TAGS]),
        _sentences(found),
        _beside("Table 5 of the 2019 paper: share judged biased", found, _PAPER_SHARES),
        _beside("Table 6 of the 2019 paper: Fleiss’ kappa", found, _PAPER_KAPPAS, kappa=True),
    ]
    says += filter(None, [_lost(found)])
    if found.tags[_MOST_TAGS:]:
        says.append(f"The table of tags shows the {_MOST_TAGS} of most sentences.")
    return Section("What annotators say", [*says, *filter(None, tables)], JUDGED)


def _who(found: estimates.JudgedShares) -> str:
    if found.voters:
        return f"A vote of up to {counted(found.voters, 'annotator')}"
    return counted(len(found.annotators), "annotator")


def judged_sections(
    folders: Sequence[Path], labels: Sequence[Path], tasks: Path, columns: str | None, seed: int
) -> dict[Path, tuple[Section, str]]:
    """The section on what annotators said of each corpus that was drawn from, and its summary.

    Raises:
        UsageError: none was.
    """
    asked, answers = read_tasks(tasks), read_judged(labels, columns=columns).raters()
    number = voters(labels, answers)
    drawn = {task.corpus for task in asked}
    names: dict[Path, str | None] = {folder: folder.resolve().name for folder in folders}
    if len(folders) == len(drawn) == 1:  # it may have another name by now
        names = {folders[0]: next(iter(drawn))}
    found: dict[Path, estimates.JudgedShares] = {}
    for folder, name in names.items():
        ids = {task.sentence_id for task in asked if (task.kind, task.corpus) == ("sample", name)}
        if ids and (there := held(open_corpus(folder), ids)):
            shares = estimates.judged_shares(asked, answers, corpus=name, seed=seed, voters=number)
            found[folder] = replace(shares, lost=len(ids) - len(there))
    if not found:
        known = ", ".join(sorted(map(str, drawn)))
        raise UsageError(f"--tasks {tasks}: drawn from {known}, none of these folders; give those")
    return {folder: (judged(shares), _summary(shares)) for folder, shares in found.items()}


def _lost(found: estimates.JudgedShares) -> str:
    """Return what is said where the corpus is another one than that drawn from."""
    lost = counted(found.lost, "sentence")
    return f" Not in the corpus as it is now: {lost} drawn; draw anew." if found.lost else ""


def _summary(found: estimates.JudgedShares) -> str:
    share, kappa = found.whole.share, found.whole.kappa
    by, last = "", f", kappa {number(kappa['value'])}."
    if found.voters:
        by = f" by a vote of up to {counted(found.voters, 'annotator')}"
        last = "; their own answers count by shares, and tell how far they agree."
    return (
        f"{counted(share.judged, 'sentence')} judged{by}; biased {number(share.value)} "
        f"({number(share.low)} to {number(share.high)}) of the removed ones{last}{_lost(found)}"
    )


def _whole(rows: Sequence[estimates.JudgedShare]) -> list[int]:
    """Return how many sentences parts stand for, rounded so that they add up to what all do."""
    sizes = [each.share.population + 1e-6 for each in rows]
    found = [*map(int, sizes)]
    nearest = sorted(range(len(rows)), key=lambda row: found[row] - sizes[row])
    for row in nearest[: round(sum(sizes)) - sum(found)]:
        found[row] += 1
    return found


def _table(
    title: str, rows: Sequence[estimates.JudgedShare], whole: Sequence[estimates.JudgedShare] = ()
) -> Table:
    numbers = [*_whole(rows), *_whole(whole)]
    cells = [
        [
            each.name,
            f"{size:,}",
            f"{each.share.judged:,}",
            _interval(each.share),
            number(each.share.unweighted),
            with_interval(each.kappa),
            f"{each.kappa['items']:,}",
        ]
        for each, size in zip([*rows, *whole], numbers, strict=True)
    ]
    return Table(_HEADER, cells, title=title, stacks=True)


def _beside(
    title: str,
    found: estimates.JudgedShares,
    paper: Sequence[Sequence[float]],
    *,
    kappa: bool = False,
) -> Table | None:
    """Return a table of the paper with the figures here beside it; None for other bins."""
    names = PAPER_BINS.split(",")
    here = {each.name: each for each in found.bins}
    if not here.keys() <= set(names):
        return None
    rows = []
    of_rows = [*(here.get(name) for name in names), found.whole]
    for name, each, row in zip([*names, "all; mean"], of_rows, paper, strict=True):
        value = "–"
        if each is not None:
            value = number(each.kappa["value"] if kappa else each.share.unweighted)
        rows.append([name, value, *(f"{cell:.2f}" for cell in row)])
    return Table(["bin", "here, plainly", *_LANGUAGES, "mean"], rows, title=title)


def _sentences(found: estimates.JudgedShares) -> Table:
    """Return Table 4: how many sentences who judged."""
    alone = ", ".join(f"{number - found.shared:,}" for number in found.annotators.values())
    total = found.whole.share.judged
    rows = [["here", f"{found.shared:,}", alone, f"{total:,}"]]
    rows += [
        [lang, f"{shared:,}", own, f"{in_all:,}"]
        for lang, (shared, own, in_all) in _PAPER_SENTENCES.items()
    ]
    header = ["", "by all", "by each besides", "in all"]
    return Table(header, rows, title="Table 4 of the 2019 paper: sentences judged")


def _interval(of: estimates.Estimate) -> str:
    return with_interval({"value": of.value, "low": of.low, "high": of.high})
