"""What the settings of a run name, loaded: the language, the tags, the intents, the labels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from wikibias.config.choices import LabelsBy
from wikibias.config.languages import Language, load_language
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.signals import load_asked, names_of_intents
from wikibias.records import BiasSignal, Signal
from wikibias.tags.tagset import TagSet, load_tagset, no_tags, tagset_languages

if TYPE_CHECKING:
    from wikibias.config.intents import Intent


def labels_of(settings: Settings) -> LabelsBy | None:
    """Return what the labels of a corpus with several are; None where there is to be none."""
    asked = set(settings.detect.signal)
    of_intents = bool(names_of_intents(asked)) and not asked & {*get_args(BiasSignal)}
    return settings.build.labels or ("intents" if of_intents else None)


def language_of(settings: Settings) -> Language:
    """Return the facts of the language that is asked for, with the segmenter that is.

    Raises:
        UsageError: they are not there any more.
    """
    language = settings.language or load_language(settings.detect.lang)
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
    return load_asked(settings.detect.signal, settings.detect.rules)


def tagset_for(name: str, lang: str, signal: Collection[Signal]) -> TagSet:
    """Return a tag set; where no tags are looked for, one without tags if the language has none."""
    if "tag" in signal or lang in tagset_languages(name):
        return load_tagset(name, lang)
    return no_tags(name, lang)
