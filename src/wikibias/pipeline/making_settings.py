"""Puts the settings of a run together, from what its user chose and the thresholds of a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from wikibias.config.choices import DEFAULT, PAPER, Reader
from wikibias.config.languages import Language, load_language
from wikibias.config.thresholds import Config
from wikibias.errors import UsageError
from wikibias.kits.checked import Declared, declared
from wikibias.pipeline.loaded_settings import language_of, tagset_for, tagset_of
from wikibias.pipeline.settings import Build, Detect, Diff, Filter, Settings
from wikibias.pipeline.signals import check_negatives, load_asked, version_of_rules
from wikibias.records import Signal
from wikibias.text.segmentation import SEGMENTERS


def make_settings(
    lang: str, thresholds: Config, *, reader: Reader = "fast", **choices: Any
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
            nearest. Or the rules of an intent are broken, or not those asked for.
        TypeError: a choice that no stage has.
    """
    chosen = {kind: _chosen(kind, choices) for kind in (Detect, Diff, Filter, Build)}
    unknown = choices.keys() - {name for names in chosen.values() for name in names}
    if unknown:
        raise TypeError(f"no setting {min(unknown)!r}")
    tagset = chosen[Detect].get("tagset", "npov")
    language = load_language(lang, tagset)
    filters = _filter(thresholds, choices)
    found = chosen[Detect]
    found["signal"] = found.get("signal", ("tag",))
    rules = found.get("rules", "robust")
    intents = load_asked(found["signal"], rules)
    # The published rule goes by the titles of pages, not by namespaces.
    if "summary" in found["signal"] and found.get("summary_rule") == "wnc":
        found["namespaces"] = tuple(choices.get("namespaces") or ())
    tags = tagset_for(tagset, lang, found["signal"]).only(found.get("families", ()))
    # What is done with reverts is a matter of the filters, except inside of spans.
    spans = "tagged-span" in chosen[Detect].get("pairing", ())
    return Settings(
        detect=Detect(
            lang=lang,
            tagset_version=tags.version,
            intents_version=version_of_rules(intents, rules),
            referenced=tuple(each.name for each in intents if each.positive == "referenced"),
            reverts=thresholds.reverts,
            span_policy="all" if filters.reverts == "keep" and spans else "skip reverted",
            **chosen[Detect],
        ),
        diff=_diff(language, thresholds, choices),
        filter=filters,
        build=_build(thresholds, choices, lang, found["signal"]),
        reader=reader,
        language=language,
        tags=tags,
        intents=intents,
    )


def with_stage(old: Settings, stage: str, thresholds: Config, **choices: Any) -> Settings:
    """Return recorded settings with others for one stage that goes on in a folder.

    Raises:
        UsageError: the language or the tag set is not there any more, or another one now.
    """
    if stage == "filter":
        return replace(old, filter=_filter(thresholds, choices))
    if stage == "build":
        return replace(old, build=_build(thresholds, choices, old.detect.lang, old.detect.signal))
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


def _diff(language: Language, thresholds: Config, choices: Mapping[str, Any]) -> Diff:
    facts = json.dumps(asdict(language), sort_keys=True, ensure_ascii=False)
    version = hashlib.sha256(facts.encode()).hexdigest()[:12]
    diff = Diff(
        language_version=version,
        max_wikitext=thresholds.text.max_wikitext,
        **_chosen(Diff, choices),
    )
    SEGMENTERS.check(diff.segmenter or language.segmenter)
    return diff


def _filter(thresholds: Config, choices: Mapping[str, Any]) -> Filter:
    filters = Filter(limits=thresholds.filter, **_chosen(Filter, choices))
    if filters.filters not in (DEFAULT, PAPER):
        from wikibias.edits.filters import filter_names  # noqa: PLC0415 (loads what filters need)

        filter_names(filters.filters)
    return filters


def _build(
    thresholds: Config, choices: Mapping[str, Any], lang: str, signal: Sequence[Signal]
) -> Build:
    check_negatives(choices.get("negatives"), signal)
    return Build(
        shares=thresholds.build,
        tiers=thresholds.tiers,
        min_tokens=thresholds.text.min_tokens,
        max_tokens=thresholds.text.max_tokens,
        **_chosen(Build, choices),
    )


def _chosen(kind: type[Any], choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices that are settings of a stage, lists in the one order."""

    def value(setting: Declared) -> Any:
        given = choices[setting.name]
        return tuple(sorted(set(given))) or setting.default if type(given) is tuple else given

    return {each.name: value(each) for each in declared(kind) if each.name in choices}
