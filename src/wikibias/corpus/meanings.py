"""What the labels of a corpus mean, by the sort of its tags and by its pairing of revisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# What the tags of a set are called, and what they say of an article.
_SORTS: Mapping[str, tuple[str, str]] = {
    "npov": (
        "neutrality tags",
        "that a text is not neutral: a point of view, promotion, vague or boastful words",
    ),
    "promotional": ("tags for promotion", "that a text is promotional"),
    "weasel": ("tags for weasel words", "that a text claims something without saying who does"),
    "peacock": ("tags for peacock words", "that a text praises its subject instead of informing"),
    "reliability": (
        "reliability tags",
        "that a text cannot be relied on: few, poor or no sources, original research, disputed or "
        "contradictory facts, a hoax, and only among others a point of view",
    ),
}
NEUTRALITY = ("npov", "promotional", "weasel", "peacock")
BY_SUMMARY = "summary-edit"
FEATURED = "featured-span"
# By pairing: what the edits did with tags, for a title and in a sentence; then what a biased and a
# neutral sentence is; and what to keep in mind.
_PAIRINGS: Mapping[str, tuple[str, str, str, str, str]] = {
    "removal-edit": (
        "took {tags} out",
        "Each edit took such a tag out: the revision before has it, the one after has not.",
        "The edit that took the tag out removed or rewrote the sentence.",
        "The same edit added the sentence or put it in place of another, or left it alone.",
        "",
    ),
    "addition-edit": (
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
    "tagged-span": (
        "changed articles under {tags}",
        "The first revision with such a tag is compared with the first one without it: what lies "
        "between may be many edits, of many editors.",
        "The first revision with the tag has the sentence, the first one without it has not.",
        "The first revision without the tag has the sentence: it came while the tag stood, or "
        "stood before and was left alone.",
        "Not every change under a tag was made because of the tag.",
    ),
    BY_SUMMARY: (
        "named the neutrality policy in their summaries",
        "The summary of each edit names the neutrality policy: its revision is compared with the "
        "one before it.",
        "The edit removed or rewrote the sentence.",
        "The same edit added the sentence or put it in place of another, or left it alone.",
        "An edit that names neutrality may also change what is biased for no reader, or put bias "
        "in. What it left alone need not be neutral.",
    ),
    FEATURED: (
        "",
        "Each state is of an article that carried a featured mark of its own wiki for at least 14 "
        "days: of the states in this time the one that stood longest.",
        "No such sentence is of this pairing.",
        "The featured article has the sentence. It was drawn for a biased one of the same length, "
        "from the featured article that is most like its page.",
        "Who reviewed the article judged it as a whole. Featured articles are about other things "
        "and by other people than tagged ones: a classifier may learn that instead of bias.",
    ),
}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the labels mean in the rows of one pairing.

    Attributes:
        pairing: its name.
        rows: how many sentences of each label are of it; empty where that is not known.
        edits: which revisions were compared.
        biased: what a sentence with this label is.
        neutral: the same of the other one.
        caution: what to keep in mind; may be "".
    """

    pairing: str
    rows: Mapping[str, int]
    edits: str
    biased: str
    neutral: str
    caution: str


def sort_of(detect: Mapping[str, Any]) -> tuple[str, str]:
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
    return [name for name in _PAIRINGS if name in asked] or ["removal-edit"]


def what_edits_did(pairing: str, noun: str) -> str:
    """Return what the edits of a pairing did with tags that are called so, for a title."""
    return _PAIRINGS[pairing][0].format(tags=noun)


def meaning(pairing: str, rows: Mapping[str, int]) -> Meaning:
    """Return what the labels mean in the rows of a pairing."""
    _, *said = _PAIRINGS[pairing]
    return Meaning(pairing, rows, *said)
