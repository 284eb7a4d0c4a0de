"""The card of an exported set of sentence pairs, in Markdown with a YAML block."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from wikibias.config.choices import SPLITS
from wikibias.corpus.card import digest
from wikibias.corpus.description import licence, size_category
from wikibias.corpus.features import features
from wikibias.edits.positives import TIERS
from wikibias.kits import markdown
from wikibias.messages import printable
from wikibias.records import SentencePair

_LANGUAGE = re.compile(r"[a-z]{2,3}", re.ASCII)
_MOST_NAMED = 5
_BODY = """# {title}

Sentences of {wikis} that an edit for neutrality changed, and what the edit made of them
(`biased`); beside them sentences that such edits left alone (`neutral`, with the same text on both
sides). Edits of a dump were found by the tags or summaries of editors. Nobody has judged the pairs.

| split | biased | neutral |
| --- | ---: | ---: |
{splits}

| tier | biased | neutral |
| --- | ---: | ---: |
{tiers}

`tier` says how far a label can be trusted, `tier_reasons` why; `signal` says whether a tag or a
summary found the edit. {period}

## Files and columns

```python
from datasets import load_dataset

pairs = load_dataset("REPOSITORY OR FOLDER")
```

`source` is the sentence before the edit, `target` what it became; several sentences are joined
with spaces where `relation` is `split` or `merged`. `edit_type`, `edit_source` and `edit_target`
list what was done, by the rule of WIKIBIAS (Zhong et al. 2021, appendix C), with places in
characters. `diff_url` leads to the edit where it is
known. All pairs of a page are in one split.

## Known limits

- An edit for neutrality may do other things as well, and what it changed need not be biased: in the
  set that WIKIBIAS had judged, 17 % of the sources were not.
- The edited spans are found by rule, not by people.
- Neutral sentences are those that nobody changed in that edit; they may be biased.

## How to cite

Name the dump and the version of wikibias, and the papers whose method it follows: Pryzant et al.
(2020), Automatically Neutralizing Subjective Bias in Text, AAAI; Zhong et al. (2021), WIKIBIAS:
Detecting Multi-Span Subjective Biases in Language, Findings of EMNLP.

## Licence

{licence}
"""


@dataclass(slots=True)
class PairFacts:
    """What a card tells of the pairs; counts only, so that it does not grow with them."""

    splits: Counter[tuple[str, str]] = field(default_factory=Counter)
    tiers: Counter[tuple[str, str]] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    wikis: Counter[str] = field(default_factory=Counter)
    sites: Counter[str] = field(default_factory=Counter)
    first: date | None = None
    last: date | None = None

    def add(self, pair: SentencePair) -> None:
        """Take one pair."""
        made = pair.provenance
        self.splits[pair.split, pair.label] += 1
        self.tiers[pair.tier or "", pair.label] += 1
        self.languages[made.lang or ""] += 1
        self.wikis[made.wiki or ""] += 1
        if host := urlsplit(made.diff_url or "").hostname:
            self.sites[host] += 1
        for time in (made.before_timestamp, made.after_timestamp):
            if time is not None:
                day = time.date()
                self.first = min(self.first or day, day)
                self.last = max(self.last or day, day)


def pair_card(
    facts: PairFacts, files: Mapping[str, str], folder: Path
) -> tuple[dict[str, Any], str]:
    """Return the YAML block of a card, and its text.

    Args:
        facts: what all pairs tell.
        files: by split, the file; none is empty.
        folder: of the card, with the files in it.
    """
    legal = licence(sorted(facts.sites), facts.first, facts.last)
    languages = [code for code in sorted(facts.languages) if _LANGUAGE.fullmatch(code)]
    wikis = sorted(name for name in facts.wikis if name)
    named = ", ".join(wikis[:_MOST_NAMED]) + (" and others" if wikis[_MOST_NAMED:] else "")
    title = f"Sentence pairs of edits for neutrality: {named or 'a file of pairs'}"
    data = {
        "pretty_name": printable(title),
        **({"language": languages} if languages else {}),
        "license": list(legal.ids),
        "task_categories": ["text-classification", "token-classification", "text-generation"],
        "size_categories": [size_category(facts.splits.total())],
        "annotations_creators": ["found"],
        "language_creators": ["found"],
        "multilinguality": ["multilingual" if languages[1:] else "monolingual"],
        "source_datasets": ["original"],
        "tags": ["wikipedia", "neutral-point-of-view", "bias", "text-neutralization"],
        "configs": [
            {
                "config_name": "sentence_pairs",
                "default": True,
                "data_files": [{"split": split, "path": path} for split, path in files.items()],
            }
        ],
        "dataset_info": [
            {
                "config_name": "sentence_pairs",
                "description": f"Content {digest(folder / name for name in files.values())}",
                "features": features("sentence_pairs", with_editors=False),
            }
        ],
    }
    period = (
        "When the revisions were saved is not recorded."
        if facts.first is None or facts.last is None
        else f"The revisions were saved from {facts.first} to {facts.last}."
    )
    text = markdown.text
    return data, _BODY.format(
        title=text(title),
        wikis=text(named or "a file of pairs"),
        splits=_rows(facts.splits, SPLITS),
        tiers=_rows(facts.tiers, (*TIERS, "")),
        period=period,
        licence="\n".join(f"- {text(each)}" for each in legal.sentences),
    )


def _rows(counts: Counter[tuple[str, str]], names: tuple[str, ...]) -> str:
    return "\n".join(
        f"| {name or 'none'} | {counts[name, 'biased']:,} | {counts[name, 'neutral']:,} |"
        for name in names
        if name or counts[name, "biased"] + counts[name, "neutral"]
    )
