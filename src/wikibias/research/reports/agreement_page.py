"""Inter-annotator agreement as a document, for the terminal and for a page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wikibias.kits.charts import Drawing, matrix
from wikibias.kits.document import (
    Block,
    Document,
    Notes,
    Section,
    Table,
    number,
    with_interval,
)
from wikibias.messages import counted

MOST_PAIRS = 15
"""Of more pairs those are shown that agree least."""
_MOST_ANNOTATORS = 12
_MOST_VALUES = 8
_FIGURES = ("sentences", "alpha [95 %]", "Fleiss [95 %]", "equal [95 %]")


def overview(title: str, found: Mapping[str, Any]) -> Table:
    """Return the figures of all annotators, of what `run.agreement` found."""
    answers = f"{counted(found['answers'], 'answer')} to {counted(found['items'], 'sentence')}"
    people = counted(len(found["annotators"]), "annotator")
    rows = [
        [f"Krippendorff's alpha, {level}", with_interval(entry)]
        for level, entry in found["krippendorff"].items()
    ]
    complete = counted(found["fleiss"]["items"], "sentence")
    rows.append([f"Fleiss' kappa, {complete}", with_interval(found["fleiss"])])
    rows.append(["equal pairs of answers", with_interval(found["percentage"])])
    return _table(f"{title}: {people}, {answers}", ["", "[95 %]"], rows)


def tables(found: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the figures of each two, each group, each category and each annotator; and of spans."""
    if found["cohen"]:
        yield _pairs(found)
    for name, groups in found["by"].items():
        rows = [[group, *_figures(of)] for group, of in groups.items()]
        yield _table(f"By {name}", ["", *_FIGURES], rows)
    if found["categories"]:
        rows = [
            [name, f"{of['chosen']:,}", *_figures(of)] for name, of in found["categories"].items()
        ]
        yield _table("By category, each against all others", ["", "chosen", *_FIGURES], rows)
    yield _annotators(found)
    if found["spans"].get("pairs"):
        yield _spans(found["spans"]["pairs"])


def confusion_tables(found: Mapping[str, Any]) -> Iterator[Table]:
    """Yield what each two said of the same sentences: the first by row, the second by column."""
    values = found["values"]
    for name in _least_agreed(found):
        one, _, other = name.partition("|")
        table = found["confusion"][name]
        rows = [
            [f"{one}: {value}", *(f"{table.get(value, {}).get(said, 0):,}" for said in values)]
            for value in values
        ]
        yield _table(
            name.replace("|", " and "), ["", *(f"{other}: {said}" for said in values)], rows
        )


def notes(found: Mapping[str, Any]) -> list[str]:
    """Return who stands apart, and why a figure is undefined or what it was taken over."""
    told = {**found["notes"], **found["spans"].get("notes", {})}
    told |= found.get("controls", {}).get("notes", {})
    lines = [f"{name}: {note}" for name, note in told.items()]
    apart = found["apart"]["annotator"]
    if apart is not None:
        lines.insert(0, f"{apart} stands apart: the others agree more among themselves.")
    return lines


def _figures(of: Mapping[str, Any]) -> list[str]:
    figures = (of["krippendorff"]["nominal"], of["fleiss"], of["percentage"])
    return [f"{of['items']:,}", *map(with_interval, figures)]


def _least_agreed(found: Mapping[str, Any]) -> list[str]:
    kappas = {name: of["value"] for name, of in found["cohen"].items()}
    if len(kappas) <= MOST_PAIRS:
        return list(kappas)
    order = sorted(kappas, key=lambda name: (kappas[name] is None, kappas[name] or 0, name))
    return order[:MOST_PAIRS]


def _pairs(found: Mapping[str, Any]) -> Table:
    names, weighted = _least_agreed(found), found.get("cohen_weighted", {})
    title = "Cohen's kappa of each two"
    if len(names) < len(found["cohen"]):
        title = (
            f"Cohen's kappa of the {len(names)} pairs of {len(found['cohen']):,} that agree least"
        )
    rows = [
        [
            name.replace("|", " and "),
            f"{sum(sum(row.values()) for row in found['confusion'][name].values()):,}",
            with_interval(found["cohen"][name]),
            *(with_interval(of[name]) for of in weighted.values()),
        ]
        for name in names
    ]
    header = ["", "sentences", "kappa [95 %]", *(f"{kind} weights" for kind in weighted)]
    return _table(title, header, rows)


def _annotators(found: Mapping[str, Any]) -> Table:
    header = ["", "answers", "?"]
    without, repeats = found["apart"]["without"], found.get("repeats", {})
    controls = found.get("controls", {"items": 0})
    if without:
        header += ["alpha without", "gain [95 %]"]
    if repeats:
        header += ["same twice"]
    if controls["items"]:
        header += ["ticks unchanged", "and others"]
    rows = []
    for name, of in found["annotators"].items():
        row = [name, f"{of['answers']:,}", f"{of['unparsed']:,}"]
        if without:
            gain = with_interval(without[name]["gain"])
            row += [number(without[name]["krippendorff"]["value"]), gain]
        if repeats:
            again = repeats[name]
            row += [f"{number(again['percentage']['value'])} of {again['items']}"]
        if controls["items"]:
            ticks = controls["annotators"][name]
            row += [with_interval(ticks["ticked"]), number(ticks["ticked_of_sample"]["value"])]
        rows.append(row)
    return _table("Annotators", header, rows)


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
    return _table("Spans", header, rows, 2)


def agreement_document(title: str, found: Mapping[str, Any]) -> Document:
    """Return what `annotate agree` found: tables, who confuses what, and where they differ most."""
    names, values = list(found["annotators"]), found["values"]
    figures: list[Block] = [overview(title, found), *tables(found)]
    if 2 < len(names) <= _MOST_ANNOTATORS:
        figures.append(_kappas(names, found["cohen"]))
    if lines := notes(found):
        figures.append(Notes(lines))
    sections = [Section("Figures", figures)]
    if 1 < len(values) <= _MOST_VALUES:
        confused: list[Block] = [*confusion_tables(found)]
        sections.append(Section("What each two say of the same sentences", confused))
    rows = [
        [sentence.get("text", ""), answers_in_words(sentence), sentence["item"]]
        for sentence in found["disagreed"]
    ]
    header = ["sentence", "answers", "item"]
    differ = Table(header, rows, text_columns=3, prose=True, stacks=True) if rows else "None."
    sections.append(Section("Most disagreed on", [differ]))
    lead = (
        "How far annotators agree: 1 is always, 0 no more than by chance; equal pairs take no "
        f"account of chance. 95 % intervals of {found['resamples']:,} resamples."
    )
    return Document("wikibias annotate agree", lead, sections)


def answers_in_words(sentence: Mapping[str, Any]) -> str:
    """Return who said what of a sentence on which annotators differ."""
    return ", ".join(f"{name} {value}" for name, value in sentence["answers"].items())


def _table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int = 1
) -> Table:
    return Table(header, rows, text_columns, title=title, stacks=True)


def _kappas(names: list[str], cohen: Mapping[str, Any]) -> Drawing:
    def cell(one: str, other: str) -> tuple[str, float]:
        entry = cohen.get(f"{one}|{other}") or cohen.get(f"{other}|{one}")
        value = None if entry is None else entry["value"]
        return ("" if entry is None else number(value), max(0.0, value or 0.0))

    values = [entry["value"] for entry in cohen.values() if entry["value"] is not None]
    seen = f"from {number(min(values))} to {number(max(values))}" if values else "undefined"
    return matrix(
        [[cell(one, other) for other in names] for one in names],
        names,
        names,
        title="Cohen's kappa of each two",
        alt=f"Cohen's kappa of each two annotators, {seen}",
    )
