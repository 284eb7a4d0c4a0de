"""What a corpus is, in words, as its manifest tells: title, labels, licence, limits, quality.

Plain text, which nothing has escaped: names of wikis and tag sets are those of whoever made the
dump or the manifest.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

from wikibias.config.choices import in_units, unit_of
from wikibias.config.thresholds import Config
from wikibias.corpus.evidence import CITATION
from wikibias.kits.files import from_json, to_json
from wikibias.records import MOST_NAMED, Tier

# What the tags of a set are called, and what they say of an article.
_SORTS: Mapping[str, tuple[str, str]] = {
    "npov": (
        "neutrality tags",
        "that a text is not neutral: a point of view, promotion, vague or boastful words",
    ),
    "promotional": ("tags for promotion", "that a text is promotional"),
    "weasel": ("tags for weasel words", "that a text claims something without saying who does"),
    "peacock": ("tags for peacock words", "that a text praises its subject instead of informing"),
    "ai-generated": ("tags for generated text", "that a language model wrote some of a text"),
    "reliability": (
        "reliability tags",
        "that a text cannot be relied on: few, poor or no sources, original research, disputed or "
        "contradictory facts, a hoax, and only among others a point of view",
    ),
}
NEUTRALITY = ("npov", "promotional", "weasel", "peacock")
BY_SUMMARY = "summary-edit"
FEATURED = "featured-span"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the labels mean in the rows of one pairing.

    Attributes:
        pairing: its name.
        title: what the edits did with tags, for a title.
        edits: which revisions were compared.
        biased: what a sentence with this label is.
        neutral: the same of the other one.
        caution: what to keep in mind; may be "".
        rows: how many sentences of each label are of it; empty where that is not known.
    """

    pairing: str
    title: str
    edits: str
    biased: str
    neutral: str
    caution: str = ""
    rows: Mapping[str, int] = field(default_factory=dict)


_MEANINGS = (
    Meaning(
        "removal-edit",
        "took {tags} out",
        "Each edit took such a tag out: the revision before has it, the one after has not.",
        "The edit that took the tag out removed or rewrote the sentence.",
        "The same edit added the sentence or put it in place of another, or left it alone.",
    ),
    Meaning(
        "addition-edit",
        "put {tags} in",
        "Each edit put such a tag in: the revision after has it, the one before has not. Its rows "
        "have the kind \"added\", and 'removed' names what only the revision with the tag has, "
        "though that is the newer one.",
        "Only the revision with the tag has the sentence: the edit that put the tag in added or "
        "rewrote it.",
        "The edit that put the tag in removed the sentence or put another in its place, or left it "
        "alone.",
        "Editors who put a tag in seldom write what the tag is about: that stood there before, and "
        "is left alone. So the labels of this pairing say less than those of removals.",
    ),
    Meaning(
        "tagged-span",
        "changed articles under {tags}",
        "The first revision with such a tag is compared with the first one without it: what lies "
        "between may be many edits, of many editors.",
        "The first revision with the tag has the sentence, the first one without it has not.",
        "The first revision without the tag has the sentence: it came while the tag stood, or "
        "stood before and was left alone.",
        "Not every change under a tag was made because of the tag.",
    ),
    Meaning(
        BY_SUMMARY,
        "named the neutrality policy in their summaries",
        "The summary of each edit names the neutrality policy: its revision is compared with the "
        "one before it.",
        "The edit removed or rewrote the sentence.",
        "The same edit added the sentence or put it in place of another, or left it alone.",
        "An edit that names neutrality may also change what is biased for no reader, or put bias "
        "in. What it left alone need not be neutral.",
    ),
    Meaning(
        FEATURED,
        "",
        "Each state is of an article that carried a featured mark of its own wiki for at least 14 "
        "days: of the states in this time the one that stood longest.",
        "No such sentence is of this pairing.",
        "The featured article has the sentence. It was drawn for a biased one of the same length, "
        "from the featured article that is most like its page.",
        "Who reviewed the article judged it as a whole. Featured articles are about other things "
        "and by other people than tagged ones: a classifier may learn that instead of bias.",
    ),
)


_BY_PAIRING = {each.pairing: each for each in _MEANINGS}


def _sort_of(detect: Mapping[str, Any]) -> tuple[str, str]:
    """Return what the tags are called, and what they say."""
    name, families = detect["tagset"], detect["families"]
    # Two of the templates of Wiki-Reliability are about neutrality.
    if name == "reliability" and list(families) == ["pov"]:
        return _SORTS["npov"][0], "that a text is not neutral: a point of view"
    unknown = f"what the templates of the tag set {name} say"
    noun, claim = _SORTS.get(name, (f"tags of the set {name}", unknown))
    if families:
        noun = f"{noun} ({', '.join(families)})" if name not in NEUTRALITY else noun
        claim = f"{claim}; here only the families {', '.join(families)}"
    return noun, claim


def topics_of(noun: str) -> tuple[str, ...]:
    """Return words for what tags that are called so are about; none of a set of somebody else."""
    if noun in {_SORTS[name][0] for name in NEUTRALITY}:
        return ("bias", "neutral-point-of-view")
    return ("reliability",) if noun.startswith(_SORTS["reliability"][0]) else ()


def pairings_of(detect: Mapping[str, Any]) -> list[str]:
    """Return the pairings that a run was asked for, in one order."""
    signals = detect.get("signal") or ["tag"]
    asked = {*(detect["pairing"] if "tag" in signals else ())}
    asked |= {BY_SUMMARY} if "summary" in signals else set()
    return [name for name in _BY_PAIRING if name in asked] or ["removal-edit"]


def meaning(pairing: str, rows: Mapping[str, int]) -> Meaning:
    """Return what the labels mean in the rows of a pairing."""
    return replace(_BY_PAIRING[pairing], rows=rows)


class Judged(NamedTuple):
    """How many sentences before an edit a judge saw, and how many of them were biased."""

    number: int
    biased: int


# Of many articles, by the tier that a model gives that has not seen the article.
TIERS: Mapping[Tier, Judged] = {
    "high": Judged(758, 676),
    "medium": Judged(572, 330),
    "low": Judged(1155, 354),
}
# The rules that split sentences: texts of the set `unseen`, and how many of them are right.
SPLIT: Mapping[str, tuple[int, int]] = {
    "ar": (8, 7), "bg": (12, 11), "ca": (8, 8), "cs": (8, 8), "da": (8, 8), "de": (8, 7),
    "en": (12, 11), "es": (8, 7), "fa": (8, 6), "fi": (8, 8), "fr": (12, 11), "he": (8, 8),
    "hu": (8, 7), "it": (8, 7), "ja": (8, 8), "nl": (8, 8), "no": (8, 8), "pl": (8, 7),
    "pt": (8, 6), "ro": (8, 8), "ru": (8, 8), "sv": (8, 7), "tr": (8, 8), "uk": (8, 8),
    "zh": (8, 7),
}  # fmt: skip
# F1 of the links between sentences, on the half that nobody had seen.
ALIGNED: Mapping[str, float] = {"en": 0.908, "fr": 0.896, "bg": 0.936}


# Of the study of 2019.
_TAGSET, _PAIRING = "npov", "removal-edit"


def quality(settings: Mapping[str, Any], pairings: Sequence[str]) -> list[str]:
    """Return what was measured, on what, and in what a run with these settings differs."""
    detect, only = settings["detect"], ", ".join(settings["detect"]["families"])
    lang, tagset = detect["lang"], f"{detect['tagset']}{f' ({only})' if only else ''}"
    of_paper = [
        ("language", lang, lang if lang in ("en", "fr", "bg") else ""),
        ("tag set", tagset, _TAGSET),
        *(("pairing", name, _PAIRING) for name in pairings),
        ("filters", settings["filter"]["filters"], "paper"),
    ]
    signals = [name for name in detect["signal"] if name in ("tag", "summary")]
    found_by = [("found by", name, "summary") for name in signals]
    tiers = "; ".join(f"{name} {of.biased:,} of {of.number:,}" for name, of in TIERS.items())
    found = [
        "These figures are of other corpora, not of this one.",
        "Of sentences before edits of many articles (en), whose summary names neutrality, a "
        f"language model judged to be biased, by tier: {tiers}. The weights were fitted on other "
        "articles. Of a single article in an edit war fewer are (`wikibias docs quality`)."
        f"{_differs([('language', lang, 'en'), *found_by], _others(settings))}",
        "In the 2019 study people judged 48 % of 1,784 such sentences biased: en, fr and bg, the "
        f"tags with which the set {_TAGSET} began, pairing {_PAIRING}, filters of the "
        f"paper.{_differs(of_paper)}",
    ]
    segmenter = settings["diff"].get("segmenter") or "rules"
    if segmenter == "rules" and lang in SPLIT:
        texts, right = SPLIT[lang]
        found.append(
            f"Of {texts} difficult texts in this language the rules split {right} into the right "
            "sentences."
        )
    else:
        found.append("How well sentences are split was not measured for this language and rules.")
    if lang in ALIGNED:
        said = f"has an F1 of {ALIGNED[lang]:.3f} on edits made up for the purpose."
    else:
        said = "was measured for en, fr and bg, not for this language."
    return [*found, f"Which sentence became which {said}"]


def _differs(choices: Iterable[tuple[str, str, str]], also: Sequence[str] = ()) -> str:
    """Say in what a run differs from what was judged: in name, choice and what was judged."""
    found = [*(f"{name} {chosen}" for name, chosen, judged in choices if chosen != judged), *also]
    return f" This corpus differs: {'; '.join(found)}." if found else ""


def _others(settings: Mapping[str, Any]) -> list[str]:
    """Return the choices and thresholds of a run that are not the defaults, of those that count."""
    usual = Config()
    expected = (
        ("detect", "per", "tag"),
        ("diff", "scope", "page"),
        ("filter", "reverts", "drop"),
        ("detect", "reverts", asdict(usual.reverts)),
        ("filter", "limits", asdict(usual.filter)),
        ("build", "tiers", asdict(usual.tiers)),
        ("build", "min_tokens", usual.text.min_tokens),
        ("build", "max_tokens", usual.text.max_tokens),
    )
    found = []
    # A manifest has lists in place of tuples.
    for section, name, default in from_json(to_json(expected)):
        chosen = settings.get(section, {}).get(name, default)
        if isinstance(default, dict) and isinstance(chosen, dict):
            found += [f"{key} {chosen[key]}" for key in default if chosen.get(key) != default[key]]
        elif chosen != default:
            found.append(f"{name} {chosen}")
    return found


# Text saved before was under the GFDL alone, until the wikis used its section 11 in June 2009.
RELICENSED = date(2009, 6, 15)
# The terms of use that name version 4.0.
VERSION_4 = date(2023, 6, 7)
_WIKIPEDIAS = ".wikipedia.org"
_ERAS = (
    (
        date.min,
        RELICENSED,
        "Saved before 15 June 2009: GFDL; by the change of licence of that month also CC BY-SA "
        "3.0.",
    ),
    (RELICENSED, VERSION_4, "Saved from 15 June 2009 to 6 June 2023: CC BY-SA 3.0 and GFDL."),
    (VERSION_4, date.max, "Saved since 7 June 2023: CC BY-SA 4.0 and GFDL."),
)
_AGE = (
    "A sentence may be older than the revision in which it was found, and text that editors "
    "imported from elsewhere may be under CC BY-SA alone."
)
_DUTIES = (
    "Whoever publishes the sentences must name Wikipedia and link the revisions (diff_url does), "
    "say what was changed, and use the same licence; CC BY-SA 4.0 fits all of them."
)


@dataclass(frozen=True, slots=True)
class Licence:
    """Licences: their identifiers on the Hugging Face hub, and what is to be said of them."""

    ids: tuple[str, ...]
    sentences: tuple[str, ...]


def licence(sites: Sequence[str], oldest: date | None, newest: date | None) -> Licence:
    """Return the licences of the text of revisions.

    Args:
        sites: the servers of the wikis; empty where the dumps name none.
        oldest: when the oldest revision was saved; None where that is not known.
        newest: the same of the newest one.
    """
    if sites and not all(site.endswith(_WIKIPEDIAS) for site in sites):
        others = ", ".join(site for site in sites if not site.endswith(_WIKIPEDIAS))
        said = (
            f"Not every sentence is from a Wikipedia: {others}. The licence of such text is that "
            "of its wiki, which the footers of its pages name. wikibias does not know it."
        )
        return Licence(("other",), (said,))
    first, last = oldest or date.min, newest or date.max
    eras = [said for begin, end, said in _ERAS if first < end and last >= begin]
    if not sites:
        said = (
            "The dumps name no address of the wiki, so its licence is not known here. If it is a "
            "Wikipedia, this holds:"
        )
        return Licence(("unknown",), (said, *eras, _AGE, _DUTIES))
    opening = "The sentences are text of Wikipedia, by its contributors."
    versions = {"cc-by-sa-3.0": first < VERSION_4, "cc-by-sa-4.0": last >= VERSION_4, "gfdl": True}
    ids = tuple(name for name, holds in versions.items() if holds)
    return Licence(ids, (opening, *eras, _AGE, _DUTIES))


_SIZES = (
    (1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"), (100_000_000, "10M<n<100M"),
)  # fmt: skip
LANGUAGE = re.compile(r"[a-z]{2,3}", re.ASCII)
"""Matches the codes of languages that ISO 639 has."""
_MOST_WIKIS = 5


@dataclass(frozen=True, slots=True)
class Description:
    """A corpus of two classes or of labels, in words; backticks enclose names of columns.

    Attributes:
        title: in one line.
        summary: in a few sentences.
        topics: words for what the tags are about; of a corpus of labels these.
        meanings: what the labels of two classes mean, by pairing.
        period: when its revisions were saved: first and last day; None where that is not known.
        size: how many sentences there are, as the Hugging Face hub sorts data sets.
        language: its ISO 639 code; None where what `--lang` said is none.
        licence: of the text.
        limits: what one may not expect.
        quality: what was measured, on what, and what was not.
    """

    title: str
    summary: str
    topics: tuple[str, ...]
    meanings: tuple[Meaning, ...]
    period: tuple[date, date] | None
    size: str
    language: str | None
    licence: Licence
    limits: tuple[str, ...]
    quality: tuple[str, ...]


def describe(manifest: Mapping[str, Any]) -> Description:
    """Describe the corpus of two classes of a manifest."""
    detect, corpus = manifest["settings"]["detect"], manifest.get("corpus") or {}
    pairings, rows = pairings_of(detect), corpus.get("pairings") or {}
    (noun, claim), unit = _sort_of(detect), unit_of(manifest["settings"])
    topics = topics_of(noun)
    about = "bias" in topics
    total = sum(corpus.get(role, 0) for role in ("removed", "added", "unchanged", "featured"))
    return Description(
        title=f"{in_units('Sentences', unit)} of {edits_of(detect)}: {wikis(manifest)}",
        summary=in_units(_summary(noun, claim, pairings, about=about), unit),
        topics=topics,
        meanings=tuple(
            meaning(name, rows.get(name, {}))
            for name in [*pairings, *([FEATURED] if corpus.get("featured") else [])]
        ),
        size=size_category(total),
        limits=tuple(in_units(each, unit) for each in _limits(manifest, about=about)),
        quality=tuple(quality(manifest["settings"], pairings)),
        **_source(detect, corpus),
    )


def edits_of(detect: Mapping[str, Any]) -> str:
    """Return which edits a run looked for."""
    noun, _ = _sort_of(detect)
    done = [_BY_PAIRING[name].title.format(tags=noun) for name in pairings_of(detect)]
    return f"edits that {' or '.join(filter(None, [', '.join(done[:-1]), done[-1]]))}"


def describe_labelled(manifest: Mapping[str, Any], made: Mapping[str, Any]) -> Description:
    """Describe the corpus of labels of a manifest, whose composition is `made`."""
    settings, labels = manifest["settings"], [*made["labels"]]
    title, summary, evidence = _OF_LABELS[made["by"]]
    return Description(
        title=f"{title}: {wikis(manifest)}",
        summary=summary,
        topics=tuple(labels),
        meanings=(),
        size=size_category(made["sentences"]),
        limits=(evidence, _BALANCE),
        quality=tuple(intents_quality(settings, labels) if made["by"] == "intents" else ()),
        **_source(settings["detect"], made),
    )


def wikis(manifest: Mapping[str, Any]) -> str:
    """Return the names of the wikis of a manifest, of many the first."""
    names = sorted({str(entry["wiki"]) for entry in manifest["inputs"] if entry.get("wiki")})
    more = f" and {len(names) - _MOST_WIKIS:,} more" if len(names) > _MOST_WIKIS else ""
    return (", ".join(names[:_MOST_WIKIS]) + more) or "a wiki"


def _source(detect: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """Return language, period and licence of the text that a corpus was made from."""
    language = detect["lang"] if LANGUAGE.fullmatch(detect["lang"]) else None
    period, legal = period_and_licence(made)
    return {"language": language, "period": period, "licence": legal}


def period_and_licence(made: Mapping[str, Any]) -> tuple[tuple[date, date] | None, Licence]:
    """Return period and licence of the text, by what a composition tells of days and servers."""
    first, last = (
        date.fromisoformat(made[key]) if made.get(key) else None
        for key in ("first_day", "last_day")
    )
    period = (first, last) if first and last else None
    return period, licence(sorted(made.get("sites", ())), first, last)


def saved(period: tuple[date, date] | None) -> str:
    """Say when revisions were saved."""
    if period is None:
        return "When the revisions were saved is not recorded."
    return f"The revisions were saved from {period[0]} to {period[1]}."


_OF_LABELS = {
    "intents": (
        "Sentences that editors changed with an intent",
        "Editors changed these sentences, and rules over the edits tell what for: that is in "
        "`labels`. The method is that of Asthana et al. (2021), Automatically labeling low quality "
        "content on Wikipedia by leveraging patterns in editing behaviors.",
        "An edit says what its editor did, not what else a sentence lacks: a positive is `judged` "
        "for the intents of its edits alone. A sentence of a featured article is judged for all, "
        "but with a reference not for `citation`.",
    ),
    "tags": (
        "Sentences at which cleanup tags point",
        "Editors put inline tags at these sentences; the families of the tags are their `labels`. "
        "`days_stood` says how long the tag stood on the page, `counterpart` and `relation` what "
        "the sentence became when it went.",
        "A tag is found when it comes to a page or leaves it. Of several of one name on a page "
        "those count that stood when the last of them went, or the first came; with `--per place` "
        "each counts. Where no tag of the set was left, a sentence is `judged` for every family, "
        "else for its own.",
    ),
}
"""By what the labels are: the title, what the sentences are, and what the labels say."""
_BALANCE = (
    "Negatives are drawn until each label has as many as positives, where there are so many. One "
    "counts for each label that it is judged for, and a featured sentence so for nearly every "
    "label: a rare label may have more negatives than positives. The unchanged ones are weak "
    "evidence, since an editor need not have read them."
)


def size_category(rows: int) -> str:
    """Return the size of a data set as the Hugging Face hub sorts them."""
    return next((name for most, name in _SIZES if rows < most), "100M<n<1B")


def _summary(noun: str, claim: str, pairings: Sequence[str], *, about: bool) -> str:
    if list(pairings) == [BY_SUMMARY]:
        return (
            "Editors named the neutrality policy when they summed up what they did. The sentences "
            "here are from these edits, and get their labels from what the edits did with them. "
            "No label is a judgement of the sentence itself."
        )
    what = (
        f"Editors put {noun} on an article to say {claim}. The sentences here are from edits "
        "around such tags, and get their labels from what the edits did with them."
    )
    if about:
        return f"{what} No label is a judgement of the sentence itself."
    return (
        f"{what} The labels are named biased and neutral as in every corpus of wikibias; here "
        "biased says on which side of such an edit a sentence stood, and nothing about neutrality."
    )


def _limits(manifest: Mapping[str, Any], *, about: bool) -> list[str]:
    settings = manifest["settings"]
    limits = [
        "The labels are noisy: an edit touches more than what a tag is about, and a tag goes for "
        "many reasons.",
        "A label is evidence about an edit, not a judgement on an author or a subject.",
        "Wikis differ in how they use their tags, and tags in how people use them; the corpus "
        "inherits both, and the interests of those who edit.",
        "Sentences that differ only in numbers, case or punctuation count as the same.",
    ]
    if not about:
        limits.insert(1, "It is no corpus of biased sentences: the tags are of another sort.")
    if settings["detect"].get("with_editors"):
        limits.append(
            "The column editor names people. It is personal data: leave it out of what you publish."
        )
    if (most := settings["detect"].get("limit")) is not None:
        limits.append(f"Only the first {most:,} pages of each part of the dump were read.")
    if before := settings["detect"].get("before"):
        limits.append(
            f"Only revisions older than {before} were read, so later reverts are unknown."
        )
    namespaces = list(settings["detect"].get("namespaces", [0]))
    if not namespaces:
        limits.append(
            "Summaries were read of pages of all namespaces but those with talk:, user: or "
            "wikipedia: in their titles."
        )
    elif namespaces != [0]:
        numbers = ", ".join(map(str, namespaces))
        limits.append(f"Pages of the namespaces {numbers} were read; 0 holds the articles.")
    unread = [e for e in manifest["inputs"] if e.get("error")]
    if unread:
        limits.append(f"{len(unread):,} of the parts of the dump could not be read to their end.")
    for key, said in _INCREMENTS.items():
        if number := _number(manifest.get(key)):
            limits.append(said.format(number))
    return limits


# Of corpora that grow from month to month.
_INCREMENTS = {
    "repeated": "Edits that an older dump held too, and that count once: {}.",
    "gone_pages": "Pages of an earlier dump that a newer one lacks, whole or in part; their "
    "edits are still here: {}.",
    "renamed_pages": "Pages with another title in the newer dump: {}.",
}


def _number(value: object) -> str:
    """Return how many a manifest counts, by kind or as a list; "" where there are none."""
    if isinstance(value, dict):
        number, most = sum(each for each in value.values() if isinstance(each, int)), ""
    else:
        number = len(value) if isinstance(value, list) else 0
        most = "at least " * (number >= MOST_NAMED)
    return f"{most}{number:,}" if number else ""


class Right(NamedTuple):
    """Of how many positives a judge found how many right; the 95 % interval (Wilson) in percent."""

    number: int
    right: int
    low: int
    high: int


INTENTS: Mapping[str, Right] = {
    CITATION: Right(60, 57, 86, 98),
    "clarification": Right(60, 16, 17, 39),
    "point-of-view": Right(56, 39, 57, 80),
}
SAME_TEXT = {"same_text": (31, 30), "other": (29, 6)}
"""Positives of citation whose reference is for what stood there before, by relation."""
_RULES = "robust"


def intents_quality(settings: Mapping[str, Any], labels: Sequence[str]) -> list[str]:
    """Return how right the labels by intents are that were judged, on what, and which were not.

    Args:
        settings: of the run, as a manifest has them.
        labels: the intents.
    """
    found = [
        f"{label}: {judged.right} of {judged.number} positives right, "
        f"{100 * judged.right / judged.number:.0f} % (95 % interval {judged.low} to "
        f"{judged.high} %)."
        for label in labels
        if (judged := INTENTS.get(label))
    ]
    if found:
        detect, filters = settings["detect"], settings["filter"]["filters"]
        choices = (
            ("language", detect["lang"], "en"),
            ("rules", detect["rules"], _RULES),
            ("filters", filters, "default"),
        )
        found.insert(
            0,
            "These figures are of other corpora, not of this one. Of kept sentences of one English "
            f"article, Anarchism, found with --rule-set {_RULES}, one judge, a language model, "
            f"judged as follows.{_differs(choices)}",
        )
    if others := [label for label in labels if label not in INTENTS]:
        found.append(f"Not judged at all: {', '.join(others)}.")
    if CITATION in labels:
        (same, of_same), (other, of_other) = SAME_TEXT["same_text"], SAME_TEXT["other"]
        found.append(
            f"To train on sentences in need of a citation, take the {CITATION} positives whose "
            f"relation is same_text: of {same} such the reference was in {of_same} for what stood "
            f"there before, of {other} others in {of_other}."
        )
    return found
