"""Selection bias as a document: what the terminal shows of a result, and the page of all of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from wikibias.errors import counted
from wikibias.kits import document
from wikibias.kits.charts import Dot, Drawing, dots
from wikibias.kits.document import Block, Notes, Section, Table, number, p_value, with_interval
from wikibias.kits.files import to_json

Entry = Mapping[str, Any]
GENERATOR = "wikibias selection-bias"
FIGURES: Final = {"b1": "B1", "mean_max": "B2 mean_max", "max": "B2 max"}
"""The figures that are shown, and what they are called."""
READING = (
    "B1 is the mean similarity of each word of a topic to each keyword. B2 mean_max is that of "
    "each word to its nearest keyword. B2 max is that of the nearest pair alone, as equation 3 of "
    "the paper has it. All three are means over the topics.",
    "A high figure says that the topics of the sentences are near to the keywords. It does not say "
    "that the labels are wrong, nor that the keywords were used to choose the sentences.",
    "Figures of two similarity measures, or of two sets of vectors, cannot be compared: one calls "
    "most pairs of words alike, another few. Compare a figure with that of random lists.",
    "B2 rises with the number of words and of keywords by construction, since a maximum over more "
    "pairs is higher. So the B2 of a long list of keywords is higher than that of a short one.",
)
_CHANCE = 0.05
_CLOSE = 0.1  # where a chart ends at least
_BOTH: Final = [f"{name} {what}" for name in FIGURES.values() for what in ("[95 %]", "random")]
_MOST_LISTS, _MOST_DIFFERENCES, _MOST_SENTENCES = 10, 5, 4  # on a terminal
_PAIRS, _ROWS = 12, 25  # on the page


@dataclass(frozen=True, slots=True)
class _Measured:
    """A list of keywords of a corpus with what was measured of it.

    Attributes:
        called: the list, and the corpus where there are several.
        keywords: the list, as the result holds it.
        grid: figures of the whole corpus at all settings, in the order of these.
        entry: those at the base setting.
    """

    called: str
    keywords: Entry
    grid: Sequence[Entry]
    entry: Entry


def summary(result: Entry) -> list[Block]:
    """Return what a terminal shows: figures at the base setting, and what they say in sentences."""
    base, measured = result["settings"]["base"], _measured(result)
    found: list[Block] = []
    for corpus in result["corpora"]:
        own = [each for each in measured if each.keywords["corpus"] == corpus["name"]]
        title = (
            f"{corpus['name']}: {counted(corpus['documents'], 'sentence')}, "
            f"{counted(base['topics'], 'topic')} of {counted(base['words'], 'word')}, "
            f"{result['similarity']['title']}"
        )
        if len(own) > _MOST_LISTS:
            title += f"; {_MOST_LISTS} of {len(own)} lists, all with --out"
        found.append(_base_table(own[:_MOST_LISTS], title))
    compared = [each for each in _differences(result) if each["figure"] == "b1"]
    clear = [each for each in compared if _is_clear(each)]
    if clear:
        found.append(_differences_table(clear, len(compared), _MOST_DIFFERENCES))
    elif compared:
        by = ", ".join(dict.fromkeys(each["by"] for each in compared))
        found.append(f"No difference of B1 by {by} is clear ({len(compared):,} looked at).")
    sentences = [*_sentences(result, measured)]
    if (left := len(sentences) - _MOST_SENTENCES) > 0:
        sentences[_MOST_SENTENCES:] = [f"And {counted(left, 'list')} more, in the table above."]
    return [*found, *sentences]


def page(result: Entry) -> document.Document:
    """Return the page of a result (Ousidhoum, Song and Yeung, 2020)."""
    names = [_short(each["name"], 40) for each in result["corpora"]]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    sentences = sum(each["documents"] for each in result["corpora"])
    measured = _measured(result)
    sections = [
        _in_short(result, measured),
        _topics(result),
        _grids(measured),
        _groups(result),
        _corpora(result),
        _correlations(result),
        _provenance(result),
    ]
    return document.Document(
        title=f"Selection bias of {', '.join(names[:3])}{more}",
        lead=(
            f"How near the topics of {counted(sentences, 'sentence')} are to keywords, after "
            "Ousidhoum, Song and Yeung (2020). Similarity: "
            f"{_short(result['similarity']['title'], 120)}."
        ),
        sections=[each for each in sections if each is not None],
        contents=True,
        generator=GENERATOR,
    )


def _measured(result: Entry) -> list[_Measured]:
    """Return what was measured of each list of each corpus."""
    base, several = result["settings"]["base"], len(result["corpora"]) > 1
    grids: dict[tuple[str, str], list[Entry]] = {}
    for each in result["figures"]:
        if each["group"] is None and each["missing"] == "zero":
            grids.setdefault((each["corpus"], each["keywords"]), []).append(each)
    found = []
    for each in result["keywords"]:
        grid = grids[each["corpus"], each["name"]]
        corpus = f"{_short(each['corpus'])} · " if several else ""
        entry = next(e for e in grid if all(e[name] == of for name, of in base.items()))
        found.append(_Measured(f"{corpus}{_short(each['name'])}", each, grid, entry))
    return found


def _short(text: object, most: int = 60) -> str:
    """Return a text in one line of no more characters; an ellipsis stands for the rest."""
    line = " ".join(str(text)[: 10 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _interval(entry: Entry, figure: str) -> Entry:
    """Return a figure of an entry with its interval."""
    found: Entry = entry["b1"] if figure == "b1" else entry["b2"][figure]
    return found


def _written(found: Entry | None) -> str:
    """Return a value with its interval, where it has one."""
    if not found or found["low"] is None:
        return number(found["value"] if found else None)
    return with_interval(found)


def _random(entry: Entry, figure: str = "b1") -> Entry | None:
    """Return what a figure is with random lists; None where there are none, or no such figure."""
    found: Entry = (entry["baseline"] or {"figures": {figure: {"p": None}}})["figures"][figure]
    return None if found["p"] is None else {**found, "value": found["mean"]}


def _dot(found: Entry) -> Dot:
    return Dot(found["value"], found["low"], found["high"])


def _base_table(measured: Sequence[_Measured], title: str) -> Table:
    """Return the figures at the base setting, a row for each list."""
    rows = []
    for each in measured:
        random, coverage = _random(each.entry), each.entry["coverage"]
        rows.append(
            [
                each.keywords["name"],
                f"{each.keywords['in_corpus']:,} of {len(each.keywords['words']):,}",
                _written(each.entry["b1"]),
                *(number(each.entry["b2"][name]["value"]) for name in ("mean_max", "max")),
                *((number(random["mean"]), p_value(random["p"])) if random else ("–", "–")),
                f"{coverage['topic_words']:.0%}, {coverage['keywords']:.0%}",
            ]
        )
    header = [
        *("keywords", "in corpus", "B1 [95 %]", "B2 mean_max", "B2 max", "random B1", "p"),
        "words known",
    ]
    return Table(header, rows, title=title, stacks=True)


def _differences(result: Entry, corpus: str | None = "", by: str = "") -> list[Entry]:
    """Return the differences that have an interval: all, or those of a corpus by a fact."""
    return [
        each
        for each in result["differences"]
        if each["missing"] == "zero"
        and each["difference"]["low"] is not None
        and (not by or (each["corpus"], each["by"]) == (corpus, by))
    ]


def _is_clear(entry: Entry) -> bool:
    """Return whether the interval of a difference leaves out 0."""
    difference = entry["difference"]
    return bool(difference["low"] > 0 or difference["high"] < 0)


def _differences_table(found: Sequence[Entry], compared: int, most: int) -> Table:
    shown = sorted(found, key=lambda e: (not _is_clear(e), -abs(e["difference"]["value"])))[:most]
    rows = [
        [
            f"{_short(each['corpus'] or 'corpora', 30)}, {_short(each['keywords'], 30)}",
            f"{each['by']} {_short(each['first'], 30)} – {_short(each['second'], 30)}",
            FIGURES[each["figure"]],
            with_interval(each["difference"]),
        ]
        for each in shown
    ]
    clear = sum(map(_is_clear, found))
    title = (
        f"Samples of equal size differ: {clear} of {counted(compared, 'difference')} clear (by "
        f"chance {compared * _CHANCE:.1f})"
    )
    if len(found) > most:
        title += f", the {most} largest"
    return Table(["", "first – second", "figure", "[95 %]"], rows, 3, title=title, stacks=True)


def _sentences(result: Entry, measured: Sequence[_Measured]) -> Iterator[str]:
    """Yield in words how each list stands to random lists of words as frequent."""
    lists = result["settings"]["lists"]
    random = f"{counted(lists, 'random list')} of equally frequent words"
    for each in measured:
        chance, other = _random(each.entry), _random(each.entry, "mean_max")
        if chance is None:
            continue
        keywords = each.keywords
        no, other_no = (
            "" if found["p"] <= _CHANCE else "no " for found in (chance, other or chance)
        )
        of = f" of {keywords['corpus']}" if len(result["corpora"]) > 1 else ""
        below = lists + 1 - round(chance["p"] * (lists + 1))
        if below <= 0:
            line = f"Topics{of} are farther from '{keywords['name']}' than from all {random}."
        else:
            line = (
                f"Topics{of} are closer to '{keywords['name']}' than to {below:,} of {random}: "
                f"{no}more than by chance."
            )
        if other is not None and no != other_no:
            line += f" By B2 mean_max, {other_no}more than by chance (p = {p_value(other['p'])})."
        if keywords["in_corpus"] * 2 < len(keywords["words"]):
            line += (
                f" This says little: only {keywords['in_corpus']:,} of "
                f"{counted(len(keywords['words']), 'keyword')} stand in the corpus."
            )
        yield line


def _in_short(result: Entry, measured: Sequence[_Measured]) -> Section:
    base, seeds = result["settings"]["base"], len(result["settings"]["seeds"])
    spread = f"95 % intervals over {counted(seeds, 'seed')}" if seeds > 1 else "one seed"
    blocks: list[Block] = [*_sentences(result, measured)]
    if result["notes"]:
        blocks.append(Notes([_short(each, 600) for each in result["notes"][:60]], boxed=True))
    for corpus in result["corpora"]:
        own = [each for each in measured if each.keywords["corpus"] == corpus["name"]]
        blocks.append(_base_table(own, _short(corpus["name"])))
    blocks += _charts(measured[:30])
    blocks.append(
        f"A dot is the figure of {counted(base['topics'], 'topic')} of "
        f"{counted(base['words'], 'word')}, with {spread}. The grey band is where 95 % of the "
        "random lists lie, and its line their mean. In a random list each keyword is replaced by a "
        "word of the corpus about as frequent; one that stands nowhere, by one of the rarest."
    )
    blocks.append(Section("How to read the figures", [Notes(READING)]))
    tables: list[Block] = [_corpora_table(result), _lists_table(measured)]
    blocks.append(Section("What was measured", tables))
    return Section("In short", blocks, "overview")


def _charts(measured: Sequence[_Measured]) -> Iterator[Drawing]:
    """Yield for each figure a chart of all lists, with random lists behind."""
    for figure, title in FIGURES.items():
        own = {each.called: _interval(each.entry, figure) for each in measured}
        random = {each.called: _random(each.entry, figure) for each in measured}
        yield dots(
            {called: [_dot(each)] for called, each in own.items()},
            title=title,
            alt="; ".join(
                f"{called}: {_written(each)}, random lists {_written(random[called])}"
                for called, each in own.items()
            ),
            highest=_CLOSE,
            bands={called: [_dot(each) if each else None] for called, each in random.items()},
        )


def _corpora_table(result: Entry) -> Table:
    rows = [
        [
            *(_short(each["name"]), each["language"] or "–"),
            *(f"{each[name]:,}" for name in ("documents", "of", "vocabulary")),
            f"{each['words_per_document']:.1f}",
        ]
        for each in result["corpora"]
    ]
    header = ["corpus", "language", "sentences", "drawn from", "vocabulary", "words per sentence"]
    title = "Corpora; vocabulary and words are those counted for topics: no stop words, none rare"
    return Table(header, rows, 2, title=title, stacks=True)


def _lists_table(measured: Sequence[_Measured]) -> Table:
    rows = []
    for each in measured:
        of = each.keywords
        seen = "" if of["seen"] is None else f" ({of['seen']:.0%} seen)"
        counts = (f"{len(of['words']):,}", f"{of['in_corpus']:,}", f"{of['coverage']:.0%}{seen}")
        rows.append(
            [each.called, _short(of["source"], 120), *counts, number(of["mean_similarity"])]
        )
    header = ["keywords", "from", "how many", "in the corpus", "known", "alike among themselves"]
    return Table(header, rows, 2, title="Lists of keywords", stacks=True)


def _topics(result: Entry) -> Section:
    words = result["settings"]["base"]["words"]
    blocks: list[Block] = [
        f"Topics of the first seed. The figures are made of the first {counted(words, 'word')} of "
        "each; keywords are followed by the topic word that they are nearest to. Of single topics, "
        "a pair of words without a similarity counts as 0."
    ]
    languages = {each["name"]: each["language"] for each in result["corpora"]}
    for each in result["topics"][:60]:
        shares = [f"{each['share'] or 0:.0%} of the corpus"]
        shares += [
            f"{of:.0%} of {_short(label, 20)} sentences"
            for label, of in sorted((each["share_by_label"] or {}).items())[:4]
        ]
        facts = [("words", ", ".join(_short(word, 40) for word in each["words"]))]
        for name, nearest in list(each["nearest"].items())[:5]:
            near = ", ".join(
                f"{_short(e['keyword'], 40)} ({_short(e['word'], 40)}, {number(e['similarity'])})"
                for e in nearest
            )
            figures = f"B1 {number(each['b1'][name])}, B2 mean_max {number(each['mean_max'][name])}"
            facts.append((_short(name, 40), f"{figures}: {near}" if near else figures))
        of = f"{_short(each['corpus'], 30)}: " if len(languages) > 1 else ""
        language = languages[each["corpus"]]
        examples = [
            document.Text(_short(text, 300), "quiet", language) for text in each["examples"]
        ]
        title = f"{of}topic {each['topic']}"
        aside = " · ".join(shares)
        blocks.append(Section(title, [document.Facts(facts), *examples], aside=aside, kind="card"))
    return Section("The topics", blocks, "topics")


def _grids(measured: Sequence[_Measured]) -> Section | None:
    """Return the section on numbers of topics and words; None where there is but one of each."""
    tables: list[Block] = []
    for each in measured[:_PAIRS]:
        rows = [
            [
                *(f"{entry['topics']:,}", f"{entry['words']:,}"),
                *(_written(of(entry, name)) for name in FIGURES for of in (_interval, _random)),
            ]
            for entry in sorted(each.grid, key=lambda entry: (entry["topics"], entry["words"]))
        ]
        if len(rows) > 1:
            tables.append(Table(["topics", "words", *_BOTH], rows, 0, title=each.called))
    return Section("Numbers of topics and words", tables, "grid") if tables else None


def _groups(result: Entry) -> Section | None:
    """Return the section on groups of sentences; None where there are none."""
    blocks: list[Block] = []
    grouped: dict[tuple[str, str], list[Entry]] = {}
    for each in result["figures"]:
        if each["group"] and each["missing"] == "zero":
            grouped.setdefault((each["corpus"], each["group"]["by"]), []).append(each)
    for (corpus, by), found in list(grouped.items())[:18]:
        differences = _differences(result, corpus, by)
        title = f"{_short(corpus)}, by {by}" if len(result["corpora"]) > 1 else f"By {by}"
        charts = [_group_chart(found, figure) for figure in ("b1", "mean_max")]
        section = Section(title, [f"{found[0]['documents']:,} sentences of each.", *charts])
        if differences:
            section.blocks.append(_differences_table(differences, len(differences), _ROWS))
            if not any(map(_is_clear, differences)):
                section.kind = "folded"
                section.aside = f"(none of {counted(len(differences), 'difference')} is clear)"
        blocks.append(section)
    if not blocks:
        return None
    says = (
        "Topics are fitted on each group by itself, on samples of equal size, since figures change "
        "with the size of a corpus. A group that differs shares fewer or more words with the "
        "keywords; why, the figures do not say. Shown are the first three lists."
    )
    return Section("Groups of sentences", [says, *blocks], "groups")


def _group_chart(found: Sequence[Entry], figure: str) -> Drawing:
    """Return a chart of groups by one fact, a dot for each of three lists."""
    lists = list(dict.fromkeys(each["keywords"] for each in found))[:3]
    rows: dict[str, list[Entry]] = {}
    for each in found:
        if each["keywords"] in lists:
            rows.setdefault(_short(each["group"]["value"]), []).append(_interval(each, figure))
    return dots(
        {value: list(map(_dot, own)) for value, own in rows.items()},
        title=FIGURES[figure],
        alt="; ".join(f"{value}: {', '.join(map(_written, own))}" for value, own in rows.items()),
        series=[_short(name, 40) for name in lists],
        highest=_CLOSE,
    )


def _corpora(result: Entry) -> Section | None:
    found = _differences(result, None, "corpus")
    if not found:
        return None
    says = "On samples of equal size, since figures change with the size of a corpus."
    table = _differences_table(found, len(found), _ROWS)
    return Section("Differences between corpora", [says, table], "corpora")


def _correlations(result: Entry) -> Section | None:
    rows = [
        [
            _short(each["corpus"] or "corpora"),
            _short(each["keywords"]),
            FIGURES[each["figure"]],
            each["with"].replace("_", " "),
            number(each["rho"]),
            "–" if each["p"] is None else p_value(each["p"]),
            f"{each['points']:,}",
        ]
        for each in result["correlations"][:60]
    ]
    if not rows:
        return None
    says = (
        "Spearman's rank correlation. Within a corpus the points are of the same sentences, so "
        "that there is no p."
    )
    header = ["of", "keywords", "figure", "with", "rho", "p", "points"]
    table = Table(header, rows, 4, stacks=True)
    return Section("What figures go with", [says, table], "correlations", kind="folded")


def _provenance(result: Entry) -> Section:
    facts = [
        (name.replace("_", " "), _short(to_json(value).strip('"'), 300))
        for part in ("settings", "similarity")
        for name, value in result[part].items()
    ]
    blocks: list[Block] = [document.Facts(facts)]
    if command := result.get("command"):
        blocks += ["What was measured, where --out DIR says where to write it:"]
        blocks.append(document.Text(_short(command, 2000), "command"))
    return Section("Settings", blocks, "provenance", kind="folded")
