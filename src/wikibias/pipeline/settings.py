"""What a run is asked to do, stage by stage: recorded in the manifest, compared on resuming."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from wikibias.config import choices, languages, thresholds
from wikibias.config.choices import BIASED, FEATURED, names_of_intents
from wikibias.config.confidence import confidence_version
from wikibias.config.thresholds import Config
from wikibias.errors import UsageError
from wikibias.kits.checked import Declared, Meta, MisfitError, Setting, conform, declared
from wikibias.kits.files import from_json, to_json
from wikibias.records import Block, Signal, TagPairing, Tier
from wikibias.tags.tagset import TagSet, load_tagset, no_tags, tagset_languages

if TYPE_CHECKING:
    from wikibias.config.intents import Intent
    from wikibias.edits.filters import FilterLists


def load_intents(signal: Iterable[str] | None, rules: choices.RuleSet) -> tuple[Intent, ...]:
    """Return the intents among some signals; of None, all that have this set of rules.

    Raises:
        UsageError: a signal is unknown, or the file of an intent is broken or lacks these rules.
    """
    names = names_of_intents(signal or ())
    if signal is not None and not names:
        return ()
    from wikibias.config.intents import check_signals, intents, load_intent  # noqa: PLC0415 (above)
    from wikibias.edits.intents.edit_facts import FACTS  # noqa: PLC0415

    if signal is None:
        found = (load_intent(name, None, FACTS) for name in intents())
        return tuple(intent for intent in found if intent.rules(rules))
    check_signals(names)
    return tuple(load_intent(name, rules, FACTS) for name in names)


def version_of_rules(intents: tuple[Intent, ...], rules: choices.RuleSet) -> str:
    """Return a hash of the rules of some intents; "" of none."""
    if not intents:
        return ""
    from wikibias.config.intents import version_of  # noqa: PLC0415 (see above)

    return version_of(intents, rules)


# To be raised when a change of the code changes what a stage writes: then old outputs are redone.
OUTPUT_VERSION = 7
ARTICLES = (0,)
"""The namespace of articles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detect:
    """How transitions are found; the versions are hashes of the tags and of the rules of intents.

    `intents_version` is "" where no intent is looked for. `referenced` names the intents whose
    positive sentences are those that got a reference.

    Attributes:
        lang: Language of the wiki, such as en or fr.
        tagset: Which tags to look for.
        signal: What to find edits by: tag, a change of tags; summary, an edit summary that names
            the neutrality policy; featured, an article that is marked as featured; or an intent,
            such as citation, point-of-view or clarification; several with commas.
        rules: Which rules an intent is told by: as its paper prints them, as its authors released
            them as code, or mended so that they depend on no tokeniser.
        summary_rule: Which summaries name it: those with words of the language file, or by the
            published rule of WNC (English).
        families: Only tags of this family of the set; several with commas.
        pairing: Which two revisions to compare: around the removal of a tag (the 2019 paper),
            around its addition, or the first tagged and the first untagged after it
            (Wiki-Reliability); several with commas.
        namespaces: Number of a namespace to read; several with commas.
        per: A transition when any one tag goes, only when the last does (the 2019 paper), or when
            any one of several of a name does (inline tags).
        limit: Read only so many pages of each part.
        before: Count only revisions older than this day (UTC), such as 2022-11-30, as if the dump
            were of that day.
        with_editors: Keep user names and IP addresses (personal data).
        verify: Compare every text that is read with its checksum, not only those before and after a
            change of tags.
    """

    lang: Annotated[str, Setting("--lang", "what the first dump says")]
    tagset: Annotated[str, Setting("--tagset")] = "npov"
    tagset_version: str
    signal: Annotated[tuple[Signal, ...], Setting("--signal", "tag", commas=True)] = ("tag",)
    rules: Annotated[choices.RuleSet, Setting("--rule-set")] = "robust"
    intents_version: str = ""
    referenced: tuple[str, ...] = ()
    summary_rule: Annotated[choices.SummaryRule, Setting("--summary-rule")] = "own"
    families: Annotated[tuple[str, ...], Setting("--family", "all", commas=True)] = ()
    pairing: Annotated[tuple[TagPairing, ...], Setting("--pairing", "removal-edit")] = (
        "removal-edit",
    )
    namespaces: Annotated[
        tuple[Annotated[int, Meta(ge=0)], ...],
        Setting("--namespace", "0, the articles; by the rule of WNC summaries in all"),
    ] = ARTICLES
    per: Annotated[choices.Per, Setting("--per")] = "tag"
    limit: Annotated[Annotated[int, Meta(ge=1)] | None, Setting("--limit")] = None
    before: Annotated[str | None, Setting("--before", "no day", metavar="DATE")] = None
    with_editors: Annotated[bool, Setting("--with-editors")] = False
    verify: Annotated[bool, Setting("--verify")] = False
    reverts: thresholds.Reverts
    span_policy: choices.SpanPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """How revisions are cleaned and split; `language_version` is a hash of the language's facts.

    Attributes:
        scope: Removed sentences of the whole page, or of the part that the tag is about.
        segmenter: What splits paragraphs into sentences: rules, spacy, or a segmenter that another
            package adds.
    """

    language_version: str
    max_wikitext: int
    scope: Annotated[choices.Scope, Setting("--scope")] = "page"
    segmenter: Annotated[str | None, Setting("--segmenter", "what the language names: rules")] = (
        None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """How edits are filtered.

    Attributes:
        reverts: What to do with removals that were themselves undone.
        filters: Which filters, in order, by name and separated by commas; `default` stands for
            those of what cannot be a repair, `strict` for all that come with it, `paper` for those
            of the 2019 paper, and a minus leaves one out.
    """

    reverts: Annotated[choices.RevertPolicy, Setting("--reverts")] = "drop"
    filters: Annotated[str, Setting("--filters")] = choices.DEFAULT
    limits: thresholds.Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """How the corpus is put together; of sentences of so many words.

    `confidence_version` is a hash of what tells the confidence; "" where no label has one.

    Attributes:
        split: All sentences of a page in one split, or sentence by sentence (the 2019 paper).
        seed: Of all random choices.
        unit: What a row is; a paragraph has 100 to 500 characters of prose and no quotation.
        blocks: Which lines of an article to take sentences from; several with commas.
        min_tier: The lowest tier to take sentences of, in both classes; low takes all.
        min_confidence: The lowest confidence to take sentences of, in both classes.
        max_per_edit: Take at most so many biased sentences of one edit, the surest
            first, then in their order.
        negatives: What neutral sentences are taken from: those that edits added (edited) or left
            alone (unchanged), those of featured articles, of the same length and topic as the
            biased ones (featured), or all of these in equal shares (mixed).
        pairs: Also write a file of aligned sentence pairs: what each biased sentence became.
        labels: Also write a corpus with several labels, to labelled/: by the intents of edits, or
            by the inline tags that point at sentences. A folder keeps those that it has.
    """

    split: Annotated[choices.SplitBy, Setting("--split")] = "page"
    seed: Annotated[int, Meta(ge=0), Setting("--seed")] = 0
    unit: Annotated[choices.Unit, Setting("--unit")] = "sentence"
    blocks: Annotated[tuple[Block, ...], Setting("--block", "paragraph")] = ("paragraph",)
    min_tier: Annotated[Tier, Setting("--min-tier")] = "low"
    min_confidence: Annotated[thresholds.Share, Setting("--min-confidence")] = 0.0
    max_per_edit: Annotated[Annotated[int, Meta(ge=1)] | None, Setting("--max-per-edit")] = None
    negatives: Annotated[
        choices.Negatives | None, Setting("--negatives", "edited, filled up with unchanged")
    ] = None
    pairs: Annotated[bool, Setting("--pairs")] = False
    labels: Annotated[
        choices.LabelsBy | None,
        Setting("--labels", "intents where nothing but intents was looked for"),
    ] = None
    shares: thresholds.Build
    tiers: thresholds.Tiers
    min_tokens: int
    max_tokens: int
    confidence_version: str = ""


_KINDS = {"detect": Detect, "diff": Diff, "filter": Filter, "build": Build}
_REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of all four stages; and what no record holds.

    Attributes:
        reader: How dumps are read; the result is the same, mwxml is the slow reference.
        language: the facts of `detect.lang`, so that a worker on another machine need not find
            their file; a hash of them is among the settings.
        tags: the tags that are looked for; the same holds.
        intents: those that are looked for; the same holds.
    """

    detect: Detect
    diff: Diff
    filter: Filter
    build: Build
    reader: Annotated[choices.Reader, Setting("--reader")] = "fast"
    language: languages.Language | None = field(default=None, compare=False, repr=False)
    tags: TagSet | None = field(default=None, compare=False, repr=False)
    # Of `config.intents.Intent`, which is loaded only where one is asked for.
    intents: tuple[Any, ...] | None = field(default=None, compare=False, repr=False)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as they stand in a JSON file, but for what no record holds."""
        content = {stage: asdict(getattr(self, stage)) for stage in _KINDS}
        return dict(from_json(to_json(content)))


def labels_of(settings: Settings) -> choices.LabelsBy | None:
    """Return what the labels of a corpus with several are; None where there is to be none."""
    asked = set(settings.detect.signal)
    of_intents = bool(names_of_intents(asked)) and not asked & {*BIASED}
    return settings.build.labels or ("intents" if of_intents else None)


def language_of(settings: Settings) -> languages.Language:
    """Return the facts of the language that is asked for, with the segmenter that is.

    Raises:
        UsageError: they are not there any more.
    """
    language = settings.language or languages.load_language(settings.detect.lang)
    return replace(language, segmenter=settings.diff.segmenter or language.segmenter)


def tagset_of(settings: Settings) -> TagSet:
    """Return the tag set that is asked for.

    Raises:
        UsageError: it is not there any more.
    """
    wanted = settings.detect
    return settings.tags or tagset_for(wanted.tagset, wanted.lang, wanted.signal).only(
        wanted.families
    )


def intents_of(settings: Settings) -> tuple[Intent, ...]:
    """Return the intents that are looked for, with their rules.

    Raises:
        UsageError: one is not there any more.
    """
    if settings.intents is not None:
        return settings.intents
    return load_intents(settings.detect.signal, settings.detect.rules)


def tagset_for(name: str, lang: str, signal: Collection[Signal]) -> TagSet:
    """Return a tag set; where no tags are looked for, one without tags if the language has none."""
    if "tag" in signal or lang in tagset_languages(name):
        return load_tagset(name, lang)
    return no_tags(name, lang)


def make_settings(
    lang: str, thresholds: Config, *, reader: choices.Reader = "fast", **choices: Any
) -> Settings:
    """Put the settings of a run together.

    Args:
        lang: the language of the wiki.
        thresholds: those of all stages.
        reader: how dumps are read.
        choices: values of the fields of `Detect`, `Diff`, `Filter` and `Build` that are settings,
            such as `per="any"`; what is not given has its default. In a list no order counts,
            and an empty one is the default.

    Raises:
        UsageError: an unknown language, tag set, family, signal or filter; the message names the
            nearest. Or the rules of an intent are broken, or not those asked for; or `before` is
            no day.
        TypeError: a choice that no stage has.
    """
    chosen = {kind: _chosen(kind, choices) for kind in _KINDS.values()}
    unknown = choices.keys() - {name for names in chosen.values() for name in names}
    if unknown:
        raise TypeError(f"no setting {min(unknown)!r}")
    found = chosen[Detect]
    tagset = found.get("tagset", "npov")
    language = languages.load_language(lang, tagset)
    filters = _filter(thresholds, choices)
    if (before := found.get("before")) is not None:
        found["before"] = _day(before)
    found["signal"] = found.get("signal", ("tag",))
    rules = found.get("rules", "robust")
    intents = load_intents(found["signal"], rules)
    # The published rule goes by the titles of pages, not by namespaces.
    if "summary" in found["signal"] and found.get("summary_rule") == "wnc":
        found["namespaces"] = tuple(choices.get("namespaces") or ())
    tags = tagset_for(tagset, lang, found["signal"]).only(found.get("families", ()))
    # What is done with reverts is a matter of the filters, except inside of spans.
    spans = "tagged-span" in found.get("pairing", ())
    return Settings(
        detect=Detect(
            lang=lang,
            tagset_version=tags.version,
            intents_version=version_of_rules(intents, rules),
            referenced=tuple(each.name for each in intents if each.positive == "referenced"),
            reverts=thresholds.reverts,
            span_policy="all" if filters.reverts == "keep" and spans else "skip reverted",
            **found,
        ),
        diff=_diff(language, thresholds, choices),
        filter=filters,
        build=_build(thresholds, choices, found["signal"], lang),
        reader=reader,
        language=language,
        tags=tags,
        intents=intents,
    )


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise UsageError(f"--before {text!r}: write a day such as 2022-11-30") from error


def with_stage(old: Settings, stage: str, thresholds: Config, **choices: Any) -> Settings:
    """Return recorded settings with others for one stage that goes on in a folder.

    Raises:
        UsageError: the language or the tag set is not there any more, or another one now.
    """
    if stage == "filter":
        return replace(old, filter=_filter(thresholds, choices))
    if stage == "build":
        return replace(old, build=_build(thresholds, choices, old.detect.signal, old.detect.lang))
    if stage != "diff":
        return old
    language, tags = language_of(old), tagset_of(old)
    if tags.version != old.detect.tagset_version:
        raise UsageError(
            f"the tag set {old.detect.tagset!r} for {old.detect.lang!r} has changed since the tags "
            "were found; run `wikibias extract --restart`, or put the old tag set back"
        )
    diff = _diff(language, thresholds, choices)
    return replace(old, diff=diff, language=language, tags=tags)


def _diff(language: languages.Language, thresholds: Config, choices: Mapping[str, Any]) -> Diff:
    version, most = _version_of(language), thresholds.text.max_wikitext
    diff = Diff(language_version=version, max_wikitext=most, **_chosen(Diff, choices))
    from wikibias.text.segmentation import SEGMENTERS  # noqa: PLC0415 (loads what splits)

    SEGMENTERS.check(diff.segmenter or language.segmenter)
    return diff


@lru_cache(_REMEMBERED)
def _version_of(language: languages.Language) -> str:
    facts = to_json(asdict(language), sort_keys=True)
    return hashlib.sha256(facts.encode()).hexdigest()[:12]


def _filter(thresholds: Config, given: Mapping[str, Any]) -> Filter:
    filters = Filter(limits=thresholds.filter, **_chosen(Filter, given))
    if filters.filters not in (choices.DEFAULT, choices.STRICT, choices.PAPER):
        from wikibias.edits.filters import filter_names  # noqa: PLC0415 (loads what filters need)

        filter_names(filters.filters)
    return filters


def _build(
    thresholds: Config, choices: Mapping[str, Any], signal: Sequence[Signal], lang: str
) -> Build:
    if choices.get("negatives") == FEATURED.name and FEATURED.name not in signal:
        asked = " ".join(f"--signal {name}" for name in (*signal, FEATURED.name))
        raise UsageError(
            "--negatives featured needs featured articles, and nobody has looked for any; run "
            f"`wikibias detect {asked}` on the dumps, into a folder of its own"
        )
    return Build(
        shares=thresholds.build,
        tiers=thresholds.tiers,
        min_tokens=thresholds.text.min_tokens,
        max_tokens=thresholds.text.max_tokens,
        confidence_version=confidence_version(lang) if set(BIASED) & set(signal) else "",
        **_chosen(Build, choices),
    )


def _chosen(kind: type[Any], choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices that are settings of a stage, lists in the one order."""

    def value(setting: Declared) -> Any:
        given = choices[setting.name]
        return tuple(sorted(set(given))) or setting.default if type(given) is tuple else given

    return {each.name: value(each) for each in declared(kind) if each.name in choices}


def settings_from(record: Mapping[str, Any]) -> Settings:
    """Return the settings that `Settings.as_dict` recorded.

    Raises:
        TypeError: another version recorded them.
    """
    try:
        return Settings(**{name: conform(kind, record[name]) for name, kind in _KINDS.items()})
    except (KeyError, MisfitError) as error:
        raise TypeError(str(error)) from error


_HASHED = {
    "intents_version": "the rules of an intent have changed",
    "confidence_version": "the weights or words that tell the confidence have changed",
}


def changes(old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Return what differs between two records of settings, as "name: old -> new"."""
    found = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            found += changes(before, after, f"{prefix}{name}.")
        elif before in (None, False, "") and after in (None, False, ""):
            # What an earlier version did not know was not done, and what this one does not know.
            continue
        elif before != after and name in _HASHED and before and after:
            # A hash says nothing to anybody.
            found.append(f"{prefix}{name}: {_HASHED[name]}")
        elif before != after:
            told = " -> ".join("unset" if of is None else str(of) for of in (before, after))
            found.append(f"{prefix}{name}: {told}")
    return found


def positives_of(settings: Settings) -> Mapping[str, choices.Positive]:
    """Return what intents take for a positive sentence, where that is not the usual one."""
    return dict.fromkeys(settings.detect.referenced, "referenced")


def filter_lists(settings: Settings, reverts: choices.RevertPolicy | None = None) -> FilterLists:
    """Return the filters of a run.

    Args:
        settings: of the run.
        reverts: what to do with edits that were undone, instead of what the settings say.

    Raises:
        UsageError: a filter is not known here.
    """
    from wikibias.edits.filters import FilterLists  # noqa: PLC0415 (loads what filters need)

    chosen = settings.filter
    return FilterLists(chosen.filters, reverts or chosen.reverts, positives_of(settings))
