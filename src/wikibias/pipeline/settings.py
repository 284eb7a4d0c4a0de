"""What a run is asked to do, stage by stage: recorded in the manifest, compared on resuming."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from wikibias.config import thresholds
from wikibias.config.choices import (
    DEFAULT,
    LabelsBy,
    Negatives,
    Per,
    Reader,
    RevertPolicy,
    RuleSet,
    Scope,
    SpanPolicy,
    SplitBy,
    SummaryRule,
)
from wikibias.config.languages import Language
from wikibias.kits.checked import Meta, Setting
from wikibias.records import Block, Signal, TagPairing, Tier
from wikibias.tags.tagset import TagSet

# To be raised when a change of the code changes what a stage writes: then old outputs are redone.
OUTPUT_VERSION = 7
ARTICLES = (0,)
"""The namespace of articles."""
SECTIONS = ("detect", "diff", "filter", "build")


@dataclass(frozen=True, slots=True, kw_only=True)
class Detect:
    """How transitions are found; the versions are hashes of the tags and of the rules of intents.

    `intents_version` is "" where no intent is looked for. `referenced` names the intents whose
    positive sentences are those that got a reference.
    """

    lang: Annotated[str, Setting("Language of the wiki, such as en or fr.", "--lang")]
    tagset: Annotated[str, Setting("Which tags to look for.", "--tagset")] = "npov"
    tagset_version: str
    signal: Annotated[
        tuple[Signal, ...],
        Setting(
            "What to find edits by: tag, a change of tags; summary, an edit summary that names the "
            "neutrality policy; featured, an article that is marked as featured; or an intent, "
            "such as citation, point-of-view or clarification; may be given again.",
            "--signal",
            "tag",
        ),
    ] = ("tag",)
    rules: Annotated[
        RuleSet,
        Setting(
            "Which rules an intent is told by: as its paper prints them, as its authors released "
            "them as code, or mended so that they depend on no tokeniser.",
            "--rules",
        ),
    ] = "robust"
    intents_version: str = ""
    referenced: tuple[str, ...] = ()
    summary_rule: Annotated[
        SummaryRule,
        Setting(
            "Which summaries name it: those with words of the language file, or by the published "
            "rule of WNC (English).",
            "--summary-rule",
        ),
    ] = "own"
    families: Annotated[
        tuple[str, ...],
        Setting("Only tags of this family of the set; may be given again.", "--family", "all"),
    ] = ()
    pairing: Annotated[
        tuple[TagPairing, ...],
        Setting(
            "Which two revisions to compare: around the removal of a tag (the 2019 paper), around "
            "its addition, or the first tagged and the first untagged after it "
            "(Wiki-Reliability); may be given again.",
            "--pairing",
            "removal-edit",
        ),
    ] = ("removal-edit",)
    namespaces: Annotated[
        tuple[Annotated[int, Meta(ge=0)], ...],
        Setting(
            "Number of a namespace to read; may be given again.",
            "--namespace",
            "0, the articles; by the rule of WNC summaries in all",
        ),
    ] = ARTICLES
    per: Annotated[
        Per,
        Setting(
            "A transition when any one tag goes, only when the last does (the 2019 paper), or "
            "when any one of several of a name does (inline tags).",
            "--per",
        ),
    ] = "tag"
    limit: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Setting("Read only so many pages of each part.", "--limit"),
    ] = None
    with_editors: Annotated[
        bool, Setting("Keep user names and IP addresses (personal data).", "--with-editors")
    ] = False
    verify: Annotated[
        bool,
        Setting(
            "Compare every text that is read with its checksum, not only those before and after a "
            "change of tags.",
            "--verify",
        ),
    ] = False
    reverts: thresholds.Reverts
    span_policy: SpanPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """How revisions are cleaned and split; `language_version` is a hash of the language's facts."""

    language_version: str
    max_wikitext: int
    scope: Annotated[
        Scope,
        Setting(
            "Removed sentences of the whole page, or of the part that the tag is about.", "--scope"
        ),
    ] = "page"
    segmenter: Annotated[
        str | None,
        Setting(
            "What splits paragraphs into sentences: rules, spacy, sentencex, or a segmenter that "
            "another package adds.",
            "--segmenter",
            "what the language names: rules",
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """How edits are filtered."""

    reverts: Annotated[
        RevertPolicy, Setting("What to do with removals that were themselves undone.", "--reverts")
    ] = "drop"
    filters: Annotated[
        str,
        Setting(
            "Which filters, in order, by name and separated by commas; `default` stands for all of "
            "wikibias itself, `paper` for those of the 2019 paper, and a minus leaves one out.",
            "--filters",
        ),
    ] = DEFAULT
    limits: thresholds.Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """How the corpus is put together; of sentences of so many words."""

    split: Annotated[
        SplitBy,
        Setting(
            "All sentences of a page in one split, or sentence by sentence (the 2019 paper).",
            "--split",
        ),
    ] = "page"
    seed: Annotated[int, Meta(ge=0), Setting("Of all random choices.", "--seed")] = 0
    blocks: Annotated[
        tuple[Block, ...],
        Setting(
            "Which lines of an article to take sentences from; may be given again.",
            "--block",
            "paragraph",
        ),
    ] = ("paragraph",)
    min_tier: Annotated[
        Tier,
        Setting(
            "The lowest tier to take sentences of, in both classes; low takes all.", "--min-tier"
        ),
    ] = "low"
    max_per_edit: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Setting(
            "Take at most so many biased sentences of one edit, those of the best tiers first, "
            "then in their order.",
            "--max-per-edit",
        ),
    ] = None
    max_share: Annotated[
        Annotated[float, Meta(ge=0.001, le=1)] | None,
        Setting(
            "Let no edit give more than this share of the biased sentences, where there are enough "
            "edits for it.",
            "--max-share",
        ),
    ] = None
    negatives: Annotated[
        Negatives | None,
        Setting(
            "What neutral sentences are taken from: those that edits added (edited) or left alone "
            "(unchanged), those of featured articles, of the same length and topic as the biased "
            "ones (featured), or all of these in equal shares (mixed).",
            "--negatives",
            "edited, filled up with unchanged",
        ),
    ] = None
    pairs: Annotated[
        bool,
        Setting("Also write a file of aligned pairs: what each biased sentence became.", "--pairs"),
    ] = False
    labels: Annotated[
        LabelsBy | None,
        Setting(
            "Also write a corpus with several labels, to labelled/: by the intents of edits, or by "
            "the inline tags that point at sentences. A folder keeps those that it has.",
            "--labels",
            "intents where nothing but intents was looked for",
        ),
    ] = None
    shares: thresholds.Build
    tiers: thresholds.Tiers
    min_tokens: int
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of all four stages; and what no record holds.

    Attributes:
        reader: how dumps are read, on which no result depends.
        language: the facts of `detect.lang`, so that a worker on another machine need not find
            their file; a hash of them is among the settings.
        tags: the tags that are looked for; the same holds.
        intents: those that are looked for; the same holds.
    """

    detect: Detect
    diff: Diff
    filter: Filter
    build: Build
    reader: Annotated[
        Reader,
        Setting(
            "How dumps are read; the result is the same, mwxml is the slow reference.", "--reader"
        ),
    ] = "fast"
    language: Language | None = field(default=None, compare=False, repr=False)
    tags: TagSet | None = field(default=None, compare=False, repr=False)
    # Of `config.intents.Intent`, which is loaded only where one is asked for.
    intents: tuple[Any, ...] | None = field(default=None, compare=False, repr=False)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as they stand in a JSON file, but for what no record holds."""
        content = {stage: asdict(getattr(self, stage)) for stage in SECTIONS}
        return dict(json.loads(json.dumps(content)))
