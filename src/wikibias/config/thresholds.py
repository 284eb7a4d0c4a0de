"""The thresholds of the pipeline, from `configs/default.toml` and a file of the user's."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from wikibias.config.resources import folder
from wikibias.kits.checked import MOST, ConflictError, Count, Meta, Setting, TomlFile, conform_file

# The tables of a file that are no thresholds: runs, which the command line reads.
RUN = "run"
DEFAULTS = "defaults"
Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class Reverts:
    """How far an identity revert reaches: revisions, and days after the revision it undoes.

    Attributes:
        radius: How many revisions back an identity revert may reach.
        days: How many days after a revision its revert may come.
    """

    radius: Annotated[Count, Setting()] = 15
    days: Annotated[float, Meta(ge=0, le=1_000_000), Setting()] = 2.0


@dataclass(frozen=True, slots=True)
class Text:
    """Sentence length in the corpus, in tokens; the longest wikitext (characters) that is cleaned.

    Attributes:
        min_tokens: Tokens of the shortest sentence of a corpus: more than 5 in the paper (section
            3.3).
        max_tokens: Tokens of the longest sentence of a corpus: fewer than 300 in the paper.
        max_wikitext: Characters of wikitext; a longer revision is not cleaned. MediaWiki saves 2
            MiB.

    Raises:
        ConflictError: no length is allowed.
    """

    min_tokens: Annotated[Count, Setting()] = 6
    max_tokens: Annotated[int, Meta(ge=1, le=MOST), Setting()] = 299
    max_wikitext: Annotated[Count, Setting()] = 2_500_000

    def __post_init__(self) -> None:
        if self.min_tokens > self.max_tokens:
            raise ConflictError(
                ("min_tokens", "max_tokens"),
                f"min_tokens ({self.min_tokens:,}) must not be above max_tokens "
                f"({self.max_tokens:,}), or no sentence is left",
            )


@dataclass(frozen=True, slots=True)
class Filter:
    """Thresholds of the filters: characters, sentences, edit distance, shares, days.

    Those of section 3.3 of the 2019 paper, and those of removals that are no repairs.

    Attributes:
        min_wikitext: A newer revision with fewer characters counts as blanked.
        max_edited_sentences: More sentences than this on either side are an outlier (section 3.3).
        spelling_distance: Levenshtein distance up to which an edit is a spelling correction.
        max_share_of_page: An edit that removes a larger share of the page's sentences replaces the
            page.
        few_sentences: Removing up to so many sentences replaces no page, however short the page is.
        tag_back_days: A tag that is back in fewer days was not dealt with.
    """

    min_wikitext: Annotated[Count, Setting()] = 400
    max_edited_sentences: Annotated[Count, Setting()] = 400
    spelling_distance: Annotated[Count, Setting()] = 1
    max_share_of_page: Annotated[Share, Setting()] = 0.05
    few_sentences: Annotated[Count, Setting()] = 10
    tag_back_days: Annotated[float, Meta(ge=0, le=1_000_000), Setting()] = 1.0


@dataclass(frozen=True, slots=True)
class Tiers:
    """What sets the tiers of sentences apart, and what counts as evidence; see `edits.confidence`.

    Attributes:
        high: Confidence from which a sentence is of the high tier.
        medium: Confidence from which it is of the medium tier.
        few_removed: An edit that removed no more sentences than this was to the point.
        many_removed: An edit that removed more than this also removed what is not biased.
        most_of_page: An edit that removed a larger share of the page, and not few, replaced it.
        tag_back_days: A tag that is back within so many days was not gone.
        survived_days: Days after which a text has survived.

    Raises:
        ConflictError: no number, or no similarity, lies between two of them.
    """

    high: Annotated[Share, Setting()] = 0.75
    medium: Annotated[Share, Setting()] = 0.5
    few_removed: Annotated[Count, Setting()] = 5
    many_removed: Annotated[Count, Setting()] = 15
    most_of_page: Annotated[Share, Setting()] = 0.05
    tag_back_days: Annotated[float, Meta(ge=0, le=1_000_000), Setting()] = 30.0
    survived_days: Annotated[float, Meta(ge=0, le=1_000_000), Setting()] = 30.0

    def __post_init__(self) -> None:
        for low, high in (("medium", "high"), ("few_removed", "many_removed")):
            if getattr(self, low) > getattr(self, high):
                raise ConflictError(
                    (low, high),
                    f"{low} ({getattr(self, low):g}) must not be above {high} "
                    f"({getattr(self, high):g})",
                )


@dataclass(frozen=True, slots=True)
class Build:
    """Shares of the three splits.

    Attributes:
        train: Share of the sentences to train on.
        dev: Share to choose parameters on.
        test: Share to test on. The three sum to 1.

    Raises:
        ConflictError: they do not sum to 1.
    """

    train: Annotated[Share, Setting()] = 0.8
    dev: Annotated[Share, Setting()] = 0.1
    test: Annotated[Share, Setting()] = 0.1

    def __post_init__(self) -> None:
        total = self.train + self.dev + self.test
        if abs(total - 1) > 1e-9:
            raise ConflictError(
                ("train", "dev", "test"), f"train, dev and test must sum to 1, not {total:g}"
            )


@dataclass(frozen=True, slots=True)
class Scores:
    """How much there must be to judge a classifier or a split by; see `evaluation.enough`.

    Attributes:
        min_per_class: Held-out sentences of each class; with fewer, scores are no verdict.
        min_groups: Pages of them; of fewer, the bootstrap's intervals are too narrow.
    """

    min_per_class: Annotated[Count, Setting()] = 50
    min_groups: Annotated[Count, Setting()] = 20


@dataclass(frozen=True, slots=True)
class Config:
    """All thresholds of the pipeline, as in `configs/default.toml`."""

    reverts: Reverts = field(default_factory=Reverts)
    text: Text = field(default_factory=Text)
    filter: Filter = field(default_factory=Filter)
    build: Build = field(default_factory=Build)
    tiers: Tiers = field(default_factory=Tiers)
    scores: Scores = field(default_factory=Scores)


def load_config(user_file: Path | None = None) -> Config:
    """Read `configs/default.toml`, overridden by the keys of `user_file`.

    Raises:
        UsageError: an unknown key, a value that is not allowed, values that do not fit together;
            one line that names file, line and key.
    """
    config = Config()
    for path in (folder("configs") / "default.toml", user_file):
        if path is not None:
            file = TomlFile.read(path)
            table = {
                name: inner for name, inner in file.table.items() if name not in (RUN, DEFAULTS)
            }
            config = conform_file(Config, _overlaid(asdict(config), table), file)
    return config


def _overlaid(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return tables with the keys of others in their place, section by section."""
    both = below | above
    for name, section in below.items():
        if isinstance(both[name], dict):
            both[name] = section | both[name]
    return both


NEAR_DUPLICATE_COSINE = 0.5
"""Cosine from which two sentences are neighbours."""
