"""The topics as people read them, and heat maps of topics by keywords."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wikibias.kits.document import HeatMap, heat_map, number
from wikibias.messages import counted
from wikibias.research.reports.selection_bias.part import Block, Part, ShownTopic
from wikibias.research.reports.selection_bias.result import Entry, Pair, Result, share, short

_TOPICS, _WORDS, _NEAREST, _EXAMPLES, _SENTENCE = 20, 20, 5, 3, 300
_LISTS = 5
_MAPS = 12
_KEYWORDS = 40
_ZERO = "Of single topics, a pair of words without a similarity counts as 0."


def topics(result: Result) -> Part:
    """Return the section that lists the topics of each corpus."""
    return Part(
        "topics", "The topics", [_corpus(result, name, result.corpora) for name in result.corpora]
    )


def _of_corpus(result: Result, corpus: str) -> list[Entry]:
    """Return the topics of a corpus, those of the largest share first where there are too many."""
    found = [each for each in result.all("topics") if each["corpus"] == corpus]
    if len(found) > _TOPICS:
        found.sort(key=lambda each: (-(each["share"] or 0), each["topic"]))
        found = sorted(found[:_TOPICS], key=lambda each: each["topic"])
    return found


def _corpus(result: Result, corpus: str, all_: Sequence[str]) -> Block:
    words = result.base[1]
    found = _of_corpus(result, corpus)
    of = sum(each["corpus"] == corpus for each in result.all("topics"))
    says = [
        f"{counted(of, 'topic')} of the first seed. The figures are made of the first "
        f"{counted(words, 'word')} of each, which stand out; keywords are followed by the topic "
        "word that they are nearest to. Sentences are shown in their normal form, as they are "
        "counted."
    ]
    if result.missing == "skip":
        says.append(_ZERO)
    if of > len(found):
        says.append(f"The {len(found)} of the largest share are shown.")
    if not found:
        says = ["There are none; the notes say why."]
    language = next(e.get("language") for e in result.all("corpora") if e["name"] == corpus)
    return Block(
        short(corpus) if len(all_) > 1 else "",
        says=says,
        topics=[_shown(each, words) for each in found],
        lang=language or "",
    )


def _shown(entry: Entry, words: int) -> ShownTopic:
    shown = [short(word, 40) for word in entry["words"][: max(_WORDS, words)][: 2 * _WORDS]]
    facts = [f"{share(entry['share'])} of the corpus"]
    facts += [
        f"{share(of)} of {short(label, 20)} sentences"
        for label, of in sorted((entry.get("share_by_label") or {}).items())[:4]
    ]
    nearest = [
        (
            short(name, 40),
            ", ".join(
                f"{title} {number(entry[key].get(name))}"
                for key, title in (("b1", "B1"), ("mean_max", "B2 mean-max"))
            ),
            [
                (
                    short(each["keyword"], 40),
                    f"{short(each['word'], 40)}, {number(each['similarity'])}",
                )
                for each in found[:_NEAREST]
            ],
        )
        for name, found in list(entry["nearest"].items())[:_LISTS]
    ]
    examples = [short(text, _SENTENCE) for text in entry["examples"][:_EXAMPLES]]
    name = f"Topic {entry['topic']}"
    return ShownTopic(name, " · ".join(facts), shown[:words], shown[words:], nearest, examples)


def heat_maps(result: Result) -> Part | None:
    """Return the section of topics by keywords; None where there is no topic."""
    pairs = [pair for pair in result.pairs if list(_with_cells(result, pair))]
    if not pairs:
        return None
    says = [
        "Each cell is the mean similarity of a topic's first words to a keyword, so the mean of a "
        "column is the B1 of that topic."
    ]
    if result.missing == "skip":
        says.append(_ZERO)
    if len(pairs) > _MAPS:
        says.append(f"Shown are the first {_MAPS} of {len(pairs)} lists.")
    blocks = [Block(says=says)]
    for pair in pairs[:_MAPS]:
        made, left_out = _map(result, pair)
        name = result.named(pair)
        note = [left_out] if left_out else []
        blocks.append(Block(name if len(pairs) > 1 else "", says=note, maps=[made]))
    return Part("heat", "Topics by keywords", blocks)


def _with_cells(result: Result, pair: Pair) -> Iterator[Entry]:
    """Yield the topics that say how near they are to each keyword of a list."""
    for each in _of_corpus(result, pair.corpus):
        cells = each["cells"].get(pair.keywords)
        if cells and len(cells) == len(result.words[pair]):
            yield each


def _map(result: Result, pair: Pair) -> tuple[HeatMap, str]:
    """Return the map of a list, and what is said of the keywords that it leaves out."""
    found = list(_with_cells(result, pair))
    keywords = result.words[pair]
    cells = [each["cells"][pair.keywords] for each in found]
    means = [sum(of[place] or 0 for of in cells) / len(cells) for place in range(len(keywords))]
    order = sorted(range(len(keywords)), key=lambda place: (-means[place], place))[:_KEYWORDS]
    columns = [
        (str(each["topic"]), short(each["words"][0], 12) if each["words"] else "") for each in found
    ]
    rows = [short(keywords[place], 40) for place in order]
    values = [[*(of[place] for of in cells), means[place]] for place in order]
    totals = [each["b1"].get(pair.keywords) for each in found]
    known = [each for each in totals if each is not None]
    made = heat_map(
        rows,
        [*columns, ("mean", "of these")],
        values,
        title=f"Similarity of topics to the keywords of {short(pair.keywords)}",
        corner="keyword",
        last=("B1", [*totals, sum(known) / len(known) if known else None]),
    )
    left = len(keywords) - len(order)
    said = (
        f"The {len(order)} keywords of the highest mean are shown, of {len(keywords)}; the last "
        "row is of all."
    )
    return made, said if left else ""
