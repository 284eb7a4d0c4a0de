"""Prints what `annotate agree` finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikibias.cli.score_tables import show
from wikibias.cli.terminal import echo
from wikibias.messages import counted
from wikibias.rendering.numbers import number, with_interval

_MOST_PAIRS = 15
_MOST_SENTENCES = 5
_LONGEST = 90  # characters of a sentence
_HEADER = ("sentences", "alpha [95 %]", "Fleiss [95 %]", "equal [95 %]")


def show_agreement(title: str, found: Mapping[str, Any]) -> None:
    """Print the figures, those of each two, each group and each annotator, and the notes."""
    answers = f"{counted(found['answers'], 'answer')} to {counted(found['items'], 'sentence')}"
    people = counted(len(found["annotators"]), "annotator")
    rows = [
        [f"Krippendorff's alpha, {level}", with_interval(entry)]
        for level, entry in found["krippendorff"].items()
    ]
    rows.append(
        [
            f"Fleiss' kappa, {counted(found['fleiss']['items'], 'sentence')}",
            with_interval(found["fleiss"]),
        ]
    )
    rows.append(["equal pairs of answers", with_interval(found["percentage"])])
    show(f"{title}: {people}, {answers}", ["", "[95 %]"], rows)
    _show_pairs(found)
    for name, groups in found["by"].items():
        show(f"By {name}", ["", *_HEADER], [[group, *_row(of)] for group, of in groups.items()])
    if found["categories"]:
        show(
            "By category, each against all others",
            ["", "chosen", *_HEADER],
            [[name, f"{of['chosen']:,}", *_row(of)] for name, of in found["categories"].items()],
        )
    _show_annotators(found)
    _show_spans(found["spans"])
    for sentence in found["disagreed"][:_MOST_SENTENCES]:
        said = ", ".join(f"{name} {value}" for name, value in sentence["answers"].items())
        text = sentence.get("text", "")
        cut = f": {text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''}" if text else ""
        echo(f"{sentence['item']}: {said}{cut}")
    for name, note in found["notes"].items():
        echo(f"{name}: {note}")


def _row(of: Mapping[str, Any]) -> list[str]:
    figures = (of["krippendorff"]["nominal"], of["fleiss"], of["percentage"])
    return [f"{of['items']:,}", *map(with_interval, figures)]


def _show_pairs(found: Mapping[str, Any]) -> None:
    names = list(found["cohen"])
    if not names:
        return
    title = "Cohen's kappa of each two"
    if len(names) > _MOST_PAIRS:
        kappas = {name: of["value"] for name, of in found["cohen"].items()}
        names.sort(key=lambda name: (kappas[name] is None, kappas[name] or 0, name))
        names = names[:_MOST_PAIRS]
        title = f"Cohen's kappa of the {_MOST_PAIRS} pairs of {len(kappas):,} that agree least"
    weighted = found.get("cohen_weighted", {})
    rows = [
        [
            name.replace("|", " and "),
            f"{sum(sum(row.values()) for row in found['confusion'][name].values()):,}",
            with_interval(found["cohen"][name]),
            *(with_interval(of[name]) for of in weighted.values()),
        ]
        for name in names
    ]
    show(title, ["", "sentences", "kappa [95 %]", *(f"{kind} weights" for kind in weighted)], rows)


def _show_annotators(found: Mapping[str, Any]) -> None:
    header = ["", "answers", "?"]
    without = found["apart"]["without"]
    repeats = found.get("repeats", {})
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
    show("Annotators", header, rows)
    if found["apart"]["annotator"] is not None:
        echo(f"{found['apart']['annotator']} stands apart: the others agree more among themselves.")


def _show_spans(spans: Mapping[str, Any]) -> None:
    rows = [
        [
            name.replace("|", " and "),
            label,
            f"{of['items']:,}",
            *(with_interval(of[figure]) for figure in ("token_kappa", "exact", "overlap")),
        ]
        for name, labels in spans.get("pairs", {}).items()
        for label, of in labels.items()
    ]
    if rows:
        header = ["", "label", "sentences", "kappa of words", "F1 exact", "F1 overlap"]
        show("Spans", header, rows, left=2)
    for name, note in spans.get("notes", {}).items():
        echo(f"{name}: {note}")
