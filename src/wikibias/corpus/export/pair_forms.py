"""The card of exported sentence pairs, and the text files of WNC, WIKIBIAS and BIO labels."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from wikibias.config.choices import SPLITS
from wikibias.corpus.card import metadata
from wikibias.corpus.composition import Composition
from wikibias.corpus.description import LANGUAGE, period_and_licence, saved, size_category
from wikibias.edits.confidence import TIERS
from wikibias.edits.word_diff import tokens
from wikibias.kits.document import Document, Notes, Section, Table, Text
from wikibias.records import SentencePair

_MOST_NAMED = 5
_ABOUT = (
    "Sentences of {wikis} that an edit for neutrality changed, and what the edit made of them "
    "(`biased`); beside them sentences that such edits left alone (`neutral`, with the same text "
    "on both sides). Edits of a dump were found by the tags or summaries of editors. Nobody has "
    "judged the pairs."
)
_TIERS = (
    "`tier` says how far a label can be trusted, `tier_reasons` why; `signal` says whether a tag "
    "or a summary found the edit. {period}"
)
_CODE = """from datasets import load_dataset

pairs = load_dataset("REPOSITORY OR FOLDER")"""
_COLUMNS = (
    "`source` is the sentence before the edit, `target` what it became; several sentences are "
    "joined with spaces where `relation` is `split` or `merged`. `edit_type`, `edit_source` and "
    "`edit_target` list what was done, by the rule of WIKIBIAS (Zhong et al. 2021, appendix C), "
    "with places in characters. `diff_url` leads to the edit where it is known. All pairs of a "
    "page are in one split."
)
_LIMITS = (
    "An edit for neutrality may do other things as well, and what it changed need not be biased: "
    "in the set that WIKIBIAS had judged, 17 % of the sources were not.",
    "The edited spans are found by rule, not by people.",
    "Neutral sentences are those that nobody changed in that edit; they may be biased.",
)
_CITE = (
    "Name the dump and the version of wikibias, and the papers whose method it follows: Pryzant "
    "et al. (2020), Automatically Neutralizing Subjective Bias in Text, AAAI; Zhong et al. (2021), "
    "WIKIBIAS: Detecting Multi-Span Subjective Biases in Language, Findings of EMNLP."
)


@dataclass(slots=True)
class PairFacts:
    """What a card tells of the pairs; counts only, so that it does not grow with them."""

    splits: Counter[tuple[str, str]] = field(default_factory=Counter)
    tiers: Counter[tuple[str, str]] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    wikis: Counter[str] = field(default_factory=Counter)
    composition: Composition = field(default_factory=Composition)

    def counted(self, pairs: Iterable[SentencePair]) -> Iterator[SentencePair]:
        """Take pairs as they pass by."""
        for pair in pairs:
            self.add(pair)
            yield pair

    def add(self, pair: SentencePair) -> None:
        """Take one pair."""
        made = pair.provenance
        self.splits[pair.split, pair.label] += 1
        self.tiers[pair.tier or "", pair.label] += 1
        self.languages[made.lang or ""] += 1
        self.wikis[made.wiki or ""] += 1
        self.composition.count_source(made)


def pair_card(
    facts: PairFacts, files: Mapping[str, str], folder: Path
) -> tuple[dict[str, Any], Document]:
    """Return the YAML block of a card, and the card.

    Args:
        facts: what all pairs tell.
        files: by split, the file; none is empty.
        folder: of the card, with the files in it.
    """
    period, legal = period_and_licence(asdict(facts.composition))
    wikis = sorted(name for name in facts.wikis if name)
    named = ", ".join(wikis[:_MOST_NAMED]) + (" and others" if wikis[_MOST_NAMED:] else "")
    named = named or "a file of sentence pairs"
    title = f"Sentence pairs of edits for neutrality: {named}"
    data = metadata(
        title,
        [code for code in sorted(facts.languages) if LANGUAGE.fullmatch(code)],
        legal,
        size_category(facts.splits.total()),
        ["neutral-point-of-view", "bias", "text-neutralization"],
        {"sentence_pairs": files},
        folder,
        with_editors=False,
        tasks=["text-classification", "token-classification", "text-generation"],
    )
    return data, Document(
        title,
        _ABOUT.format(wikis=named),
        [
            _rows("split", facts.splits, SPLITS),
            _rows("tier", facts.tiers, (*TIERS, "")),
            _TIERS.format(period=saved(period)),
            Section("Files and columns", [Text(_CODE, "command", "python"), _COLUMNS]),
            Section("Known limits", [Notes(_LIMITS)]),
            Section("How to cite", [_CITE]),
            Section("Licence", [Notes(legal.sentences)]),
        ],
    )


def _rows(name: str, counts: Counter[tuple[str, str]], names: tuple[str, ...]) -> Table:
    rows = [
        [each or "none", f"{counts[each, 'biased']:,}", f"{counts[each, 'neutral']:,}"]
        for each in names
        if each or counts[each, "biased"] + counts[each, "neutral"]
    ]
    return Table([name, "biased", "neutral"], rows)


OUTSIDE, BEGIN, INSIDE = "O", "B-bias", "I-bias"
# What the readers of WNC put where a file has no tags, and WIKIBIAS has for what is none of its.
_NO_TAG, _OTHER = "<UNK>", "X"


def words(text: str) -> list[str]:
    """Return the words and marks of a sentence."""
    return [text[start:end] for start, end in tokens(text)]


def labels(pair: SentencePair) -> list[str]:
    """Return a label for each word of the source: whether it begins or goes on with an edit."""
    found: list[str] = []
    spans = [
        (int(start), int(end))
        for edit in pair.edits
        for start, _, end in (span.partition(":") for span in edit.source.split())
    ]
    before = None
    for start, _ in tokens(pair.source):
        within = next((span for span in spans if span[0] <= start < span[1]), None)
        found.append(OUTSIDE if within is None else INSIDE if within == before else BEGIN)
        before = within
    return found


def wnc_lines(pair: SentencePair) -> Iterator[tuple[str, str]]:
    """Yield file and line as the Wiki Neutrality Corpus has them (Pryzant et al. 2020).

    Seven columns with tabs between them: the newer revision, source and target as words in lower
    case, both as they are, and for each word of the source a part of speech and a relation, which
    nobody has found here: `<UNK>`, as the authors' reader has it for a file without them.
    """
    source, target = (" ".join(words(side)).lower() for side in (pair.source, pair.target))
    unknown = " ".join([_NO_TAG] * len(source.split(" ")))
    raw = _line(pair.source), _line(pair.target)
    row = "\t".join((_revision(pair), source, target, *raw, unknown, unknown)) + "\n"
    yield "neutral" if pair.label == "neutral" else "biased.full", row
    if pair.single_word and pair.label != "neutral":
        yield f"biased.word.{pair.split}", row


def wikibias_lines(pair: SentencePair) -> Iterator[tuple[str, str]]:
    """Yield file and lines as WIKIBIAS has them (Zhong et al. 2021).

    In `class_binary` a sentence, two tabs, and 1 for a source or 0 for a target. In `tag_binary`,
    of the sources, words with labels, and the same in blocks of five lines: the sentence and 1, two
    lines of parts of speech (`X`, as nobody has found any), the labels, an empty line.
    """
    if pair.label == "neutral":
        return
    found, split = labels(pair), pair.split
    source, target = words(pair.source), words(pair.target)
    yield f"class_binary/{split}.tsv", f"{' '.join(source)}\t\t1\n"
    yield f"class_binary/{split}.tsv", f"{' '.join(target)}\t\t0\n"
    yield f"tag_binary/{split}_conll.txt", _conll(source, found)
    yield f"tag_binary/tag_{split}.tsv", _block(source, found, "1", "Original")
    outside = [OUTSIDE] * len(target)
    yield f"tag_binary/tag_{split}_neg.tsv", _block(target, outside, "0", "Neutral")


def bio_lines(pair: SentencePair) -> Iterator[tuple[str, str]]:
    """Yield file, words and labels of a source; of a neutral sentence the labels are all O."""
    yield f"{pair.split}.bio", _conll(words(pair.source), labels(pair))


_WIKIBIAS = (
    "class_binary/{}.tsv",
    "tag_binary/{}_conll.txt",
    "tag_binary/tag_{}.tsv",
    "tag_binary/tag_{}_neg.tsv",
)
TEXT_FORMS: Mapping[
    str, tuple[Callable[[SentencePair], Iterator[tuple[str, str]]], Sequence[str]]
] = {
    "wnc": (wnc_lines, ["biased.full", *(f"biased.word.{split}" for split in SPLITS), "neutral"]),
    "wikibias": (wikibias_lines, [name.format(split) for name in _WIKIBIAS for split in SPLITS]),
    "bio": (bio_lines, [f"{split}.bio" for split in SPLITS]),
}
"""Form -> what yields file and lines of a pair, and all files."""


def write_text_form(form: str, out: Path, pairs: Iterable[SentencePair]) -> None:
    """Write the files of a form side by side, so that the pairs are read once."""
    lines, names = TEXT_FORMS[form]
    with ExitStack() as stack:
        files: dict[str, IO[str]] = {}
        for name in names:
            path = out / name
            path.parent.mkdir(exist_ok=True)
            files[name] = stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
        for pair in pairs:
            for name, text in lines(pair) if tokens(pair.source) and tokens(pair.target) else ():
                files[name].write(text)


def _conll(found: Sequence[str], tags: Sequence[str]) -> str:
    rows = (f"{word} {tag}\n" for word, tag in zip(found, tags, strict=True))
    return f"{''.join(rows)}\n"


def _block(found: Sequence[str], tags: Sequence[str], label: str, side: str) -> str:
    speech = " ".join([_OTHER] * len(found))
    parts = ((" ".join(found), label), (speech, side), (speech, side), (" ".join(tags), side))
    return "".join(f"{text} ||| {what}\n" for text, what in parts) + "\n"


def _revision(pair: SentencePair) -> str:
    known = pair.provenance.after_rev_id
    return _line(pair.pair_id) if known is None else str(known)


def _line(text: str) -> str:
    return " ".join(text.split())
