"""The section of a corpus's page on what annotators said of its sentences.

Beside it stand the figures of the 2019 paper (Aleksandrova, Lareau and Ménard, Tables 4 to 6).
"""

from collections.abc import Sequence
from pathlib import Path

from wikibias.errors import UsageError
from wikibias.kits.document import Section, Table, number, with_interval
from wikibias.messages import counted
from wikibias.reports.corpus_page import JUDGED
from wikibias.research.annotation.estimates import (
    Estimate,
    JudgedShare,
    JudgedShares,
    judged_shares,
)
from wikibias.research.annotation.population import holds_any, open_corpus
from wikibias.research.annotation.samples import PAPER_BINS
from wikibias.research.annotation.tasks import read_tasks
from wikibias.research.annotation.votes import read_judged, voters

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


def judged(found: JudgedShares) -> Section:
    """Return the section: shares judged biased by bin, tier and tag, and agreement."""
    whole = found.whole.share
    biased, answers = found.controls
    says = [
        f"{_who(found)} judged {counted(whole.judged, 'sentence')} "
        f"that edits removed, of {whole.population:,.0f}. The share judged biased is "
        f"{_interval(whole)}: each sentence counts by how likely it was to be drawn, and where "
        "several judged it, by the share that found it biased. The interval says what chance may "
        "do in drawing, not how far annotators err.",
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
        _table("By number of sentences that the edit removed", [*found.bins, found.whole]),
        _table("By tier", found.tiers),
        _table("By tag", found.tags[:_MOST_TAGS]),
        _sentences(found),
        _beside("Table 5 of the 2019 paper: share judged biased", found, _PAPER_SHARES),
        _beside("Table 6 of the 2019 paper: Fleiss’ kappa", found, _PAPER_KAPPAS, kappa=True),
    ]
    if found.tags[_MOST_TAGS:]:
        says.append(f"The table of tags shows the {_MOST_TAGS} of most sentences.")
    return Section("What annotators say", [*says, *filter(None, tables)], JUDGED)


def _who(found: JudgedShares) -> str:
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
    asked, answers = read_tasks(tasks), read_judged(labels, columns=columns)
    number = voters(labels, answers)
    drawn = {task.corpus for task in asked}
    names: dict[Path, str | None] = {folder: folder.resolve().name for folder in folders}
    if len(folders) == len(drawn) == 1:  # it may have another name by now
        names = {folders[0]: next(iter(drawn))}
    ids = {task.sentence_id for task in asked}
    found = {
        folder: judged_shares(asked, answers, corpus=name, seed=seed, voters=number)
        for folder, name in names.items()
        if name in drawn and holds_any(open_corpus(folder), ids)
    }
    if not found:
        known = ", ".join(sorted(map(str, drawn)))
        raise UsageError(f"--tasks {tasks}: drawn from {known}, none of these folders; give those")
    return {folder: (judged(shares), _summary(shares)) for folder, shares in found.items()}


def _summary(found: JudgedShares) -> str:
    share, kappa = found.whole.share, found.whole.kappa
    by, last = "", f", kappa {number(kappa['value'])}."
    if found.voters:
        by = f" by a vote of up to {counted(found.voters, 'annotator')}"
        last = "; their own answers count by shares, and tell how far they agree."
    return (
        f"{counted(share.judged, 'sentence')} judged{by}; biased {number(share.value)} "
        f"({number(share.low)} to {number(share.high)}) of the removed ones{last}"
    )


def _table(title: str, rows: Sequence[JudgedShare]) -> Table:
    cells = [
        [
            each.name,
            f"{each.share.population:,.0f}",
            f"{each.share.judged:,}",
            _interval(each.share),
            number(each.share.unweighted),
            with_interval(each.kappa),
            f"{each.kappa['items']:,}",
        ]
        for each in rows
    ]
    return Table(_HEADER, cells, title=title, stacks=True)


def _beside(
    title: str,
    found: JudgedShares,
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


def _sentences(found: JudgedShares) -> Table:
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


def _interval(of: Estimate) -> str:
    return with_interval({"value": of.value, "low": of.low, "high": of.high})
