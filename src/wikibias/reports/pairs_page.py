"""The page of one folder of sentence pairs, or of several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.corpus.export.folder import recorded
from wikibias.corpus.sentence_pairs.writer import FUNNEL
from wikibias.kits.charts import SERIES
from wikibias.kits.document import Document, Notes, Section, Table, Text
from wikibias.kits.files import read_json
from wikibias.kits.html import html
from wikibias.messages import counted
from wikibias.reports import pair_samples, pairs_figures, pairs_sections
from wikibias.reports.corpus_page import GENERATOR, names_of, side_by_side
from wikibias.reports.corpus_statistics import section
from wikibias.reports.pair_samples import Predictions, beside_editors, read_predictions
from wikibias.reports.pairs_statistics import TYPES, PairCounts, of_pairs

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
        pairs_sections.about(found.facts, found.counts),
        pairs_sections.funnel(found.funnel),
        pairs_sections.composition(found.counts),
        pairs_sections.edits(found.counts),
        pairs_sections.changes(found.counts),
        pairs_sections.lengths(found.counts),
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
    shown, scores = beside_editors(found.folder, systems, seed)
    if not shown:
        said = "None of the sentences of the predictions is a biased one of this folder."
        return Section(title, [said], "beside")
    looked_at = max(score.pairs for score in scores)
    says = [
        f"{counted(len(shown), 'pair')} of {looked_at:,} that were looked at; chosen by a hash of "
        "the sentence.",
        "That a rewrite is not the editor's does not make it wrong: where people judged rewrites, "
        "they passed nearly three times as many as match exactly. `wikibias neutralise score` and "
        "`wikibias spans score` measure more, with intervals.",
    ]
    return Section(title, [*says, *pairs_sections.scores(scores), *shown], "beside")


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
    shown = {each.name: each.counts for each in found[:SERIES]}
    figures = [pairs_figures.of_spans(shown)]
    if any(of.years for of in shown.values()):
        figures.append(pairs_figures.of_years(shown))
    says = [f"The figures are of the first {SERIES}."] if found[SERIES:] else []
    return Section("Side by side", [*says, *figures, table], "comparison")


def _numbers(found: Found) -> dict[str, str]:
    """Return the numbers of a folder that are compared, by what they are."""
    counts = found.counts
    biased, total = counts.labels["biased"], sum(counts.types.values())
    return {
        **pairs_sections.in_short(found.facts, counts),
        **pairs_sections.steps(found.funnel),
        "biased pairs": f"{biased:,}",
        "of these, single-word": pairs_sections.with_share(counts.single_word, biased),
        "neutral pairs": f"{counts.labels['neutral']:,}",
        "high tier, biased": f"{counts.tiers['high']['biased']:,}"
        if "high" in counts.tiers
        else "–",
        "edited spans": f"{total:,}",
        "spans a pair": f"{total / biased:.2f}" if biased else "–",
        **{f"{t}s": pairs_sections.with_share(counts.types[t], total) for t in TYPES},
    }
