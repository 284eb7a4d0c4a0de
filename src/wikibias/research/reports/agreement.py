"""Tables of inter-annotator agreement, for the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wikibias.kits.document import Table, number, with_interval
from wikibias.messages import counted

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
        yield _table(f"By {name}", ["", *_FIGURES], rows)
    if found["categories"]:
        rows = [
            [name, f"{of['chosen']:,}", *_figures(of)] for name, of in found["categories"].items()
        ]
        yield _table("By category, each against all others", ["", "chosen", *_FIGURES], rows)
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
    return _table(f"{title}: {people}, {answers}", ["", "[95 %]"], rows)


def _confusion(found: Mapping[str, Any]) -> Table:
    """Return what two said of the same sentences: the first by row, the second by column."""
    ((name, table),) = found["confusion"].items()
    (one, _, other), values = name.partition("|"), found["values"]
    rows = [
        [f"{one}: {value}", *(f"{table.get(value, {}).get(said, 0):,}" for said in values)]
        for value in values
    ]
    return _table(f"{one} and {other}", ["", *(f"{other}: {said}" for said in values)], rows)


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
    return _table(title, ["", "sentences", "kappa [95 %]"], rows)


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


def answers_in_words(sentence: Mapping[str, Any]) -> str:
    """Return who said what of a sentence on which annotators differ."""
    return ", ".join(f"{name} {value}" for name, value in sentence["answers"].items())


def _table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int = 1
) -> Table:
    return Table(header, rows, text_columns, title=title, stacks=True)
