"""Confidence: the probability that a sentence is biased, told by its edit and its words.

The model is `configs/confidence.toml`; `scripts/fit_confidence.py` fits it on judged sentences.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain, pairwise
from math import exp, inf, log, log1p, sqrt
from typing import Any, NamedTuple

from wikibias.config.confidence import ConfidenceModel, Weights, load_confidence
from wikibias.config.thresholds import Tiers
from wikibias.edits.word_diff import gaps
from wikibias.records import Edit, Link, Role, Sentence, Tier
from wikibias.text.segmentation import is_unspaced

TIERS: tuple[Tier, ...] = ("high", "medium", "low")
"""The tiers, best first."""
UNCHANGING = frozenset({"moved", "number_only"})
"""Relations of sentences that say the same on both sides of an edit."""
# Marks that end a sentence, and what may stand behind them.
_STOPS = ".!?…。｡．！？।॥؟۔։።჻᙮"
_CLOSING = "\"'»«”“’‘›‹)]}」』）】〉》〕｣*"


class Confidence(NamedTuple):
    """How sure a label is.

    Attributes:
        value: the probability that a careful editor would give the sentence the same label.
        tier: by that probability.
        reasons: what the edit and the sentence tell, by name.
    """

    value: float
    tier: Tier
    reasons: tuple[str, ...]


NOTHING_KNOWN = Confidence(0.0, "low", ())


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an edit tells of the labels of all its sentences.

    Attributes:
        of_edit: what holds of it, by name.
        removed: how many sentences it removed; None where that is not known.
        summary: its summary; None where that is not known.
        survived: whether its text is known to have stood for long.
        lang: the language, which says what its words tell.
    """

    of_edit: tuple[str, ...] = ()
    removed: int | None = None
    summary: str | None = None
    survived: bool = False
    lang: str = ""


def evidence(edit: Edit, limits: Tiers) -> Evidence:
    """Return what an edit tells of the labels of its sentences."""
    history, made = edit.history, edit.provenance
    # Of an addition it was the tagged text that stood. After an edit found by its summary nobody
    # has said of the rest of the page that it is neutral.
    of_page = made.signal == "featured" or (made.kind == "removed" and made.signal != "summary")
    facts = {
        **asdict(history),
        "tags": made.tags if made.signal == "tag" else (),
        "comment": made.comment if made.signal in ("tag", "summary") else None,
        "reverted": made.reverted,
        "summary_reverts": edit.summary_reverts,
        "share_of_page": edit.share_of_page,
        "policy_words": edit.policy_words,
        # Without those that stand elsewhere now.
        "sentences_removed": len(edit.removed)
        - sum(link.relation in UNCHANGING for link in edit.links),
        "survived_days": history.survived_days if of_page else None,
    }
    return evidence_of(facts, made.lang, limits)


def evidence_of(facts: Mapping[str, Any], lang: str, limits: Tiers) -> Evidence:
    """Return what is known of an edit, by the columns of its row; None stands for unknown."""

    def number(name: str, otherwise: float) -> float:
        value = facts.get(name)
        return otherwise if value is None else float(value)

    def true(name: str) -> bool:
        value = facts.get(name, False)
        return len(value) > 0 if isinstance(value, Sized) else bool(value)

    removed = facts.get("sentences_removed")
    few = removed is not None and removed <= limits.few_removed
    holds = {
        "tagged": true("tags"),
        "tags_left": true("tags_left"),
        "tag_swapped": true("tags_swapped_in"),
        "tag_back": number("tag_back_days", inf) <= limits.tag_back_days,
        "reverted": true("reverted"),
        "restores_earlier": facts.get("restores_rev_id") is not None
        and not true("restores_nearly"),
        "nearly_restores": true("restores_nearly"),
        "summary_reverts": true("summary_reverts"),
        "page_replaced": not few and number("share_of_page", 0) > limits.most_of_page,
        "many_removed": removed is not None and removed > limits.many_removed,
        "names_policy": true("policy_words"),
        "few_removed": few,
    }
    return Evidence(
        tuple(name for name, is_so in holds.items() if is_so),
        None if removed is None else int(removed),
        facts.get("comment"),
        survived=number("survived_days", 0) >= limits.survived_days,
        lang=lang,
    )


def confidence(
    found: Evidence, role: Role, sentence: Sentence, link: Link | None, limits: Tiers
) -> Confidence:
    """Return how sure the label of a sentence of an edit is: biased if removed, else neutral.

    Args:
        found: what the edit tells.
        role: of the sentence.
        sentence: it.
        link: what it became, or was made from; None where that is not known.
        limits: what sets the tiers apart.
    """
    names = holds(found, role, sentence, link)
    other = None if link is None else link.counterpart
    told = probability(sentence.text, other, role, found, names).biased
    value = round(told if role == "removed" else 1 - told, 3)
    return Confidence(value, tier_of(value, limits), names)


def holds(found: Evidence, role: Role, sentence: Sentence, link: Link | None) -> tuple[str, ...]:
    """Return what holds of a sentence and its edit, by name; for the arguments see `confidence`."""
    names = found.of_edit
    if role in ("unchanged", "featured"):
        names = (*filter(_OF_PAGE.__contains__, names), *(("survived",) if found.survived else ()))
    return (*names, *faults_of(sentence), *(() if link is None else (link.relation,)))


def telling(found: Evidence, role: Role, sentence: Sentence, link: Link | None) -> Iterator[str]:
    """Yield what raises the confidence most, what lowers it, and the rest: "raised by length +0.9".

    The numbers are what is added to the log-odds of the label, and add up to them; for the
    arguments see `confidence`.
    """
    weights, names = load_confidence(found.lang).weights, holds(found, role, sentence, link)
    other, sign = None if link is None else link.counterpart, 1 if role == "removed" else -1
    adds = dict[str, float]()
    for name, value in features(sentence.text, other, role, found, names):
        if name in weights:
            words = _in_words(name, role)
            adds[words] = adds.get(words, 0) + sign * value * weights[name].biased
    most = sorted(adds.items(), key=lambda each: -abs(each[1]))[:_MOST_TELLING]
    for how, way in (("raised", 1), ("lowered", -1)):
        told = [f"{words} {by:+.1f}" for words, by in most if by * way >= _LEAST_TELLING]
        if told:
            yield f"{how} by {', '.join(told)}"
    shown = sum(by for _, by in most if abs(by) >= _LEAST_TELLING)
    yield f"all else {sign * weights['always'].biased + sum(adds.values()) - shown:+.1f}"


_MOST_TELLING, _LEAST_TELLING = 6, 0.2
_IN_WORDS = {"alone": "no counterpart", "both": "words replaced", "words": "length"}


def _in_words(name: str, role: Role) -> str:
    """Return what people call a feature of a sentence of a role."""
    words = re.sub(rf"^(edit|{role}:?) ", "", name.replace(" -", " other_words"))
    words = re.sub(r"^swap (\S+)", r"\1 replaced by", _IN_WORDS.get(words, words))
    words = re.sub("^(lost|gained) (.+)", r"“\2” \1", words)
    words = re.sub("^(lost|gained): (.+)", r"\2 \1", words)
    out, into = ("taken out", "put in") if role == "removed" else ("put in", "taken out")
    return re.sub("^lost|lost$", out, re.sub("^gained|gained$", into, words)).replace("_", " ")


def of_pair(
    found: Evidence,
    source: str,
    target: str,
    link: Link,
    sentences: Sequence[Sentence],
    limits: Tiers,
) -> Confidence:
    """Return how sure it is that the source of a rewrite is less neutral than its target.

    Args:
        found: what the edit tells.
        source: the text before the edit.
        target: the text after it.
        link: of the first sentence of the source.
        sentences: those of the source.
        limits: what sets the tiers apart.
    """
    faults = dict.fromkeys(name for sentence in sentences for name in faults_of(sentence))
    names = (*found.of_edit, *faults, link.relation)
    value = round(probability(source, target, "removed", found, names).less_neutral, 3)
    return Confidence(value, tier_of(value, limits), names)


# What an edit tells of the sentences that it left alone.
_OF_PAGE = frozenset({"tags_left", "tag_swapped", "tag_back"})


def tier_of(value: float, limits: Tiers) -> Tier:
    """Return the tier of a probability."""
    return "high" if value >= limits.high else "medium" if value >= limits.medium else "low"


def faults_of(sentence: Sentence) -> tuple[str, ...]:
    """Return why a sentence may not be a whole sentence of running text."""
    text = sentence.text.rstrip(_CLOSING)
    found = {
        "not_running_text": sentence.block != "paragraph",
        "gap": sentence.has_gap,
        "no_stop": text[-1:] not in _STOPS or not text,
        "capitals": text.isupper(),
    }
    return tuple(name for name, true in found.items() if true)


def probability(
    text: str, other: str | None, role: Role, found: Evidence, names: Sequence[str]
) -> Weights:
    """Return how probable it is that a sentence is biased, and less neutral than its other side.

    Args:
        text: the sentence.
        other: what it became, or was made from; "" if nothing, None where that is not known.
        role: of the sentence.
        found: what the edit tells.
        names: what holds of the edit and of the sentence, by name.
    """
    known = len(text) + len(other or "") <= _LONGEST_REMEMBERED
    summed = _remembered if known else _remembered.__wrapped__
    parts = [_sum(_of_edit(found, names, role), found.lang)]
    parts += [summed(kind, told) for kind, told in _kinds(text, other, role, found)]
    always = load_confidence(found.lang).weights["always"]
    return Weights(
        _logistic(always.biased + sum(part.biased for part in parts)),
        _logistic(always.less_neutral + sum(part.less_neutral for part in parts)),
    )


_REMEMBERED, _LONGEST_REMEMBERED = 1 << 14, 1000
# Features of one value: how their names begin, "" or one of `PREFIXES`, and how each goes on. A
# sentence has some hundred, of which few have a weight, so their names are not put together.
Features = Iterator[tuple[str, Iterable[str], float]]


def _sum(told: Features, lang: str) -> Weights:
    """Return what features add to the log-odds."""
    weights = load_confidence(lang).by_prefix
    biased = less_neutral = 0.0
    for prefix, names, value in told:
        of_prefix = weights[prefix]
        for name in filter(of_prefix.__contains__, names):
            weight = of_prefix[name]
            biased += weight.biased * value
            less_neutral += weight.less_neutral * value
    return Weights(biased, less_neutral)


# An edit war takes the same sentence out again and again, and leaves the same page standing.
@lru_cache(_REMEMBERED)
def _remembered(kind: Callable[..., Features], told: tuple[str, ...]) -> Weights:
    """Return what features of a kind add to the log-odds; the last thing told is the language."""
    return _sum(kind(*told), told[-1])


def _logistic(score: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, score))))


def features(
    text: str, other: str | None, role: Role, found: Evidence, names: Sequence[str]
) -> Iterator[tuple[str, float]]:
    """Yield the features of a sentence, by name; for the arguments see `probability`.

    `lost` are the words that its other side lacks, `gained` those that only the other side has. Of
    words that may come often a feature is a count or its logarithm, of others 1.
    """
    of_texts = (kind(*told) for kind, told in _kinds(text, other, role, found))
    for prefix, ends, value in chain(_of_edit(found, names, role), *of_texts):
        yield from ((prefix + end, value) for end in ends)


def _kinds(
    text: str, other: str | None, role: str, found: Evidence
) -> Iterator[tuple[Callable[..., Features], tuple[str, ...]]]:
    """Yield what gives the features of texts, and what it is told."""
    yield _text_features, (text, role, found.lang)
    if role == "removed" and found.summary:
        yield _summary_features, (found.summary, found.lang)
    if other is not None:
        yield _change_features, (text, other, role, found.lang)


def _of_edit(found: Evidence, names: Sequence[str], role: str) -> Features:
    yield "", [f"edit {name}" for name in names], 1.0
    if found.removed:
        # An edit of which nothing is known is taken for one of a single sentence.
        yield "", (f"{role}: sentences of the edit",), log(found.removed)


def _text_features(text: str, role: str, lang: str) -> Features:
    own, model = _words(text), load_confidence(lang)
    yield "", (f"is {role}",), 1.0
    yield "", (f"{role}: words",), log1p(len(own))
    if _QUOTATION.search(text):
        yield "", ("quotes",), 1.0
    if _DIGIT.search(text):
        yield "", (f"{role} digits",), 1.0
    if model.families:
        rest = text.split()[1:]
        yield "", (f"{role}: names",), sum(word[0].isupper() for word in rest) / max(1, len(rest))
        yield from _families("has", _told_by(own, model))
    if model.weighs_words:
        yield "has ", dict.fromkeys((*own, *_twos(own))), 2 / sqrt(max(len(own), 1))


def _summary_features(summary: str, lang: str) -> Features:
    yield "", ("summary",), 1.0
    if load_confidence(lang).weighs_words:
        yield "summary ", dict.fromkeys(_words(summary)), 1.0


def _change_features(text: str, other: str, role: str, lang: str) -> Features:
    own, there, model = _words(text), _words(other), load_confidence(lang)
    places = gaps(own, there)
    lost = [word for gap in places for word in own[slice(*gap.source)]]
    gained = [word for gap in places for word in there[slice(*gap.target)]]
    yield from _how_much(len(own), len(there), len(places), len(lost), len(gained), role)
    for (sign, number), others in zip(_signs(text).items(), _signs(other).values(), strict=True):
        if number != others:
            yield "", (f"{sign} {'lost' if number > others else 'gained'}",), 1.0
    if model.families:
        yield from _families_of(lost, gained, model)
    if model.weighs_words:
        yield from _words_of(lost, gained)


def _signs(text: str) -> dict[str, int]:
    return {
        "quotes": len(_QUOTATION.findall(text)),
        "digits": len(_DIGIT.findall(text)),
        "names": sum(word[0].isupper() for word in text.split()),
    }


def _families_of(lost: Sequence[str], gained: Sequence[str], model: ConfidenceModel) -> Features:
    """Yield the families of what a change took out and put in, and which took whose place."""
    out, into = _told_by(lost, model), _told_by(gained, model)
    yield from _families("lost", out)
    yield from _families("gained", into)
    yield "", [f"swap {one} {other}" for one in out or "-" for other in into or "-"], 1.0


def _words_of(lost: Sequence[str], gained: Sequence[str]) -> Features:
    """Yield the words that a change took out and put in, and the letters of those it took out."""
    yield "lost ", dict.fromkeys(lost), 1.0
    yield "gained ", dict.fromkeys(gained), 1.0
    yield "lost ~", dict.fromkeys(piece for word in lost for piece in _pieces(word)), _OF_PIECE


def _pieces(word: str) -> list[str]:
    word = f"^{word}$"
    return [word[at : at + size] for size in _SIZES for at in range(len(word) - size + 1)]


def _twos(words: Sequence[str]) -> Iterator[str]:
    return (" ".join(two) for two in pairwise(words))


_QUOTATION, _DIGIT = re.compile(r"[\"“”„«»]"), re.compile(r"\d")
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
# Of letters that stand in a word that went, which tell of words that no judged sentence has.
_SIZES, _OF_PIECE = (3, 4, 5), 0.4
_MOST = 3


def _words(text: str) -> tuple[str, ...]:
    if is_unspaced(text):
        return tuple(filter(str.isalnum, text))
    return tuple(_WORD.findall(text.lower().replace("’", "'")))


def _told_by(words: Sequence[str], model: ConfidenceModel) -> dict[str, int]:
    """Return how many words are of each family."""
    counts: dict[str, int] = {}
    for word in words:
        # "d'incroyables" has the word behind what is elided.
        known = model.families.get(word) or model.families.get(word.rpartition("'")[2], ())
        for family in known:
            counts[family] = counts.get(family, 0) + 1
    return counts


def _families(where: str, counts: Mapping[str, int]) -> Features:
    return (("", (f"{where}: {family}",), min(number, _MOST)) for family, number in counts.items())


def _how_much(own: int, there: int, places: int, lost: int, gained: int, role: str) -> Features:
    """Yield how much of a sentence changed, of the role and of any, from numbers of words."""
    if not there:
        kind = "alone"
    elif lost:
        kind = "both" if gained else "only lost"
    else:
        kind = "only gained" if gained else "same"
    for whose in (f"{role}: ", ""):
        yield "", (f"{whose}{kind}",), 1.0
        yield "", (f"{whose}words lost",), log1p(lost)
        yield "", (f"{whose}words gained",), log1p(gained)
        yield "", (f"{whose}share lost",), lost / max(1, own)
    yield "", ("words there",), log1p(there)
    yield "", ("places",), log1p(places)
