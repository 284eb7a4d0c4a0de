"""The head of the page: what was measured, the figures beside random lists, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from wikibias.kits.charts import SERIES, Drawing, dots
from wikibias.kits.document import Table, number, p_value
from wikibias.messages import counted
from wikibias.research.reports.selection_bias.in_short import beside_random, lines, sentence
from wikibias.research.reports.selection_bias.part import Block, Part
from wikibias.research.reports.selection_bias.result import (
    FIGURES,
    Entry,
    Pair,
    Result,
    against,
    band,
    dot,
    ends,
    interval,
    labels,
    share,
    short,
    unique,
    whole,
    written,
)

_CHANCE = 0.05
_LOW_COVERAGE = 0.8
_FEW_SEEDS = 4
_SAID = 8
"""Lists of which few words are known that are put into words."""
_CHARTED = 30
READING = (
    "B1 is the mean similarity of each word of a topic to each keyword. B2 mean-max is that of "
    "each word to its nearest keyword. B2 max is that of the nearest pair alone, as equation 3 of "
    "the paper has it. All three are means over the topics.",
    "A high figure says that the topics of the sentences are near to the keywords. It does not say "
    "that the labels are wrong, nor that the keywords were used to choose the sentences.",
    "Figures of two similarity measures, or of two sets of vectors, cannot be compared: one calls "
    "most pairs of words alike, another few. Compare a figure with that of random lists.",
    "B2 rises with the number of words and of keywords by construction, since a maximum over more "
    "pairs is higher. So the B2 of a long list of keywords is higher than that of a short one.",
)


def overview(result: Result) -> Part:
    """Return the section that begins the page."""
    topics, words = result.base
    base = f"{counted(topics, 'topic')} of {counted(words, 'word')}"
    found = [(pair, entry) for pair in result.pairs if (entry := result.at_base(pair))]
    cautions = [said for pair, entry in found if (said := _covered(result, pair, entry))]
    if len(cautions) > _SAID:
        cautions[_SAID:] = [f"The same holds of {len(cautions) - _SAID} more lists."]
    spread = _spread(len(result.settings["seeds"]))
    begin = Block(
        points=[*lines(result), *cautions],
        figures=list(_charts(result, found)),
        notes=[short(each, 600) for each in result.all("notes")[:60]],  # type: ignore[arg-type]
    )
    said = f"In the charts a dot is the figure of {base}, with {spread}."
    if _has_random(found):
        said += (
            f" The grey band is where 95 % of {counted(result.settings['lists'], 'random list')} "
            "lie, and its line their mean. In a random list each keyword is replaced by a word of "
            "the corpus about as frequent; one that stands nowhere, by one of the rarest."
        )
    if len(result.corpora) > SERIES:
        said += f" The charts are of the first {SERIES} corpora."
    if found:
        begin.after.append(said)
    return Part(
        "overview",
        "In short",
        [
            _beside_random(result, found),
            begin,
            Block("How to read the figures", points=list(READING)),
            Block("The figures", tables=[_figures(result, found)]),
            Block("What was measured", tables=[_corpora(result), _lists(result)]),
        ],
    )


def _beside_random(result: Result, found: Sequence[tuple[Pair, Entry]]) -> Block:
    """Return what random lists tell: of one list a sentence, of several a table."""
    if not found:
        return Block(says=["No list of keywords could be measured; the notes say why."])
    if len(found) == 1:
        return Block(says=[sentence(result, *found[0])])
    return Block(tables=[beside_random(result, found)])


def _spread(seeds: int) -> str:
    """Return what the intervals are of, and why those of a few seeds are wide."""
    if seeds == 1:
        return "one seed of the topic model, so without intervals"
    said = f"95 % intervals over {counted(seeds, 'seed')} of the topic model"
    return f"{said}, which are wide since the seeds are few" if seeds < _FEW_SEEDS else said


def _has_random(found: Sequence[tuple[Pair, Entry]]) -> bool:
    return any(entry.get("baseline") for _, entry in found)


def _covered(result: Result, pair: Pair, entry: Entry) -> str:
    """Return what is to be said where many words are unknown to the similarity; "" of few."""
    of = entry["coverage"]
    keywords, words = of["keywords"], of["topic_words"]
    if min(1 if keywords is None else keywords, 1 if words is None else words) >= _LOW_COVERAGE:
        return ""
    then = "count as 0 and lower the figures" if result.missing == "zero" else "are left out"
    return (
        f"Take care with “{result.named(pair)}”: the similarity knows only {share(keywords)} of "
        f"the keywords and {share(words)} of the topic words; pairs without a similarity {then}."
    )


def _charts(result: Result, found: Sequence[tuple[Pair, Entry]]) -> Iterator[Drawing]:
    """Yield for each figure a chart of all lists, a dot for each corpus, random lists behind."""
    entries = dict(found)
    corpora = result.corpora[:SERIES]
    lists = list(dict.fromkeys(pair.keywords for pair, _ in found))[:_CHARTED]
    of = [[entries.get(Pair(corpus, name)) for corpus in corpora] for name in lists]
    names = labels(lists)
    for figure, title in FIGURES.items():
        rows, bands = {}, {}
        for name, each in zip(names, of, strict=True):
            rows[name] = [dot(entry and interval(entry, figure)) for entry in each]
            drawn = [entry and against(entry, figure) for entry in each]
            bands[name] = [dot(random, "mean") if random else None for random in drawn]
        if not any(each.value is not None for row in rows.values() for each in row):
            continue
        lowest, highest = ends(
            each for each in chain(*rows.values(), *bands.values()) if each is not None
        )
        yield dots(
            rows,
            title=title,
            alt="; ".join(_seen(result, pair, entry, figure) for pair, entry in found[:_CHARTED]),
            series=unique([short(corpus, 40) for corpus in corpora]),
            lowest=lowest,
            highest=highest,
            bands=bands,
        )


def _seen(result: Result, pair: Pair, entry: Entry, figure: str) -> str:
    """Return in words what a chart shows of a list."""
    random = against(entry, figure)
    beside = f", random lists {band(random)}" if random else ""
    return f"{result.named(pair)}: {written(interval(entry, figure))}{beside}"


def _figures(result: Result, found: Sequence[tuple[Pair, Entry]]) -> Table:
    several, has_random = len(result.corpora) > 1, _has_random(found)
    rows = [
        [
            *([short(pair.corpus)] if several else []),
            *(short(pair.keywords), title, written(interval(entry, figure))),
            *(_beside(against(entry, figure)) if has_random else ()),
        ]
        for pair, entry in found
        for figure, title in FIGURES.items()
    ]
    header = [
        *(["corpus"] if several else []),
        *("keywords", "figure", "value [95 %]"),
        *(("random lists [95 %]", "p") if has_random else ()),
    ]
    title = "B1 and B2"
    if has_random:
        title += (
            " beside random lists; p is the share of lists at or above the figure, the list itself "
            "among them"
        )
    return Table(header, rows, 2 + several, title=title, stacks=True)


def _beside(random: Entry | None) -> tuple[str, str]:
    if random is None:
        return "–", "–"
    return band(random), "–" if random["p"] is None else p_value(random["p"])


def _corpora(result: Result) -> Table:
    rows = [
        [
            *(short(each["name"]), short(each.get("language") or "–"), f"{each['documents']:,}"),
            *(whole(each["of"]), whole(each["vocabulary"]), whole(each["words_per_document"])),
        ]
        for each in result.all("corpora")
    ]
    header = ["corpus", "language", "sentences", "drawn from", "vocabulary", "words per sentence"]
    title = "Corpora; vocabulary and words are those counted for topics: no stop words, none rare"
    return Table(header, rows, 2, title=title, stacks=True)


def _known(each: Entry) -> str:
    """Return the share of keywords that the similarity knows, and of those that it has seen."""
    seen = each.get("seen")
    return share(each["coverage"]) + ("" if seen is None else f" ({share(seen)} seen)")


def _lists(result: Result) -> Table:
    several = len(result.corpora) > 1
    rows = []
    for each in result.all("keywords"):
        entry = result.at_base(Pair(each["corpus"], each["name"]))
        known = entry["coverage"]["topic_words"] if entry else None
        rows.append(
            [
                *([short(each["corpus"])] if several else []),
                *(short(each["name"]), short(each["source"], 120), f"{len(each['words']):,}"),
                *(whole(each["in_corpus"]), _known(each), share(known)),
                number(each["mean_similarity"]),
            ]
        )
    header = [
        *(["corpus"] if several else []),
        *("keywords", "from", "how many", "in the corpus", "known to the similarity"),
        *("topic words known", "alike among themselves"),
    ]
    return Table(header, rows, 2 + several, title="Lists of keywords", stacks=True)
