"""A corpus whose labels come from annotators: the sentences of a corpus that they judged.

It stands in `judged/` beside `corpus/`, in the same form, with each sentence in the same split.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from wikibias.config.choices import SPLITS
from wikibias.corpus.card import FILES, corpus_metadata
from wikibias.corpus.description import describe, size_category
from wikibias.corpus.rows import write_corpus
from wikibias.errors import WikibiasError
from wikibias.kits.document import Document, Table, markdown
from wikibias.kits.files import write_text
from wikibias.kits.parquet import read_records, read_table
from wikibias.kits.schemas import CORPUS_TABLE
from wikibias.messages import counted
from wikibias.records import CorpusSentence, Label
from wikibias.research.annotation.population import Corpus, open_corpus
from wikibias.research.annotation.votes import Votes

NAME = "judged"
"""The folder of it in a result folder."""
VOTES = "votes.jsonl"


@dataclass(frozen=True, slots=True)
class JudgedCorpus:
    """What came of the answers.

    Attributes:
        biased: in the corpus, by most answers.
        neutral: in the corpus, by most answers.
        left_out: how many sentences that somebody judged are not, by the reason.
        changed: sentences whose label is another than that of the corpus.
        splits: sentences of each split.
    """

    biased: int
    neutral: int
    left_out: Mapping[str, int]
    changed: int
    splits: Mapping[str, int]


def build_judged(
    folder: Path, found: Mapping[str, Votes], source: str, controls: Collection[str] = ()
) -> JudgedCorpus:
    """Write the sentences of a corpus that were judged, with the label that most gave them.

    Args:
        folder: a result folder with a corpus.
        found: the votes by sentence_id.
        source: says in the card where the labels come from.
        controls: those of them that are known not to be of the corpus.

    Raises:
        UsageError: there is no corpus.
        WikibiasError: no judged sentence is in the corpus, or a table is damaged.
        DiskError: the folder cannot be written to.
    """
    corpus = open_corpus(folder)
    known = {
        str(row["sentence_id"]): row
        for path in corpus.splits
        for row in read_table(path, ["sentence_id", "label", "split"], at_once=1000)
        if row["sentence_id"] in found
    }
    labels = {
        name: label for name, row in known.items() if (label := found[name].label) is not None
    }
    if not labels:
        raise WikibiasError(
            f"none of the {counted(len(found), 'judged sentence')} has a label and is in the "
            f"corpus of {corpus.folder}; give the corpus that they were drawn from, with --tasks "
            "where the answers have no column sentence_id"
        )
    of_labels, splits = Counter(labels.values()), Counter(known[name]["split"] for name in labels)
    inside = [found[name] for name in known]
    outside = found.keys() - known.keys()
    made = JudgedCorpus(
        biased=of_labels["biased"],
        neutral=of_labels["neutral"],
        left_out={
            "ties": sum(vote.label is None and vote.share is not None for vote in inside),
            "without an answer that can be read": sum(vote.share is None for vote in inside),
            "controls": len(outside.intersection(controls)),
            "not in the corpus": len(outside.difference(controls)),
        },
        changed=sum(label != known[name]["label"] for name, label in labels.items()),
        splits={split: splits[split] for split in SPLITS},
    )
    target = corpus.folder / NAME
    rows = _relabelled(corpus, labels)
    write_corpus(target, rows, with_editors=corpus.settings.detect.with_editors)
    lines = (
        {"sentence_id": name, "label": label, **asdict(found[name])}
        for name, label in labels.items()
    )
    write_text(
        target / VOTES, "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    )
    _write_card(target, corpus, made, source)
    return made


def _relabelled(corpus: Corpus, labels: Mapping[str, Label]) -> Iterator[CorpusSentence]:
    for path in corpus.splits:
        for row in read_records(path, CORPUS_TABLE):
            if (label := labels.get(row.sentence_id)) is not None:
                yield replace(row, label=label)


def _write_card(target: Path, corpus: Corpus, made: JudgedCorpus, source: str) -> None:
    files = {"sentences": {name: f"{name}.parquet" for name in SPLITS if made.splits[name]}}
    data = corpus_metadata(corpus.manifest, files, target)
    data["size_categories"] = [size_category(made.biased + made.neutral)]
    data["annotations_creators"] = ["expert-generated", "machine-generated"]
    splits = ", ".join(f"{name} {number:,}" for name, number in made.splits.items())
    left_out = {f"left out: {reason}": number for reason, number in made.left_out.items()}
    numbers = {
        "judged": made.biased + made.neutral + sum(made.left_out.values()),
        "biased": made.biased,
        "neutral": made.neutral,
        **left_out,
    }
    card = Document(
        f"{describe(corpus.manifest).title}, as annotators judged it",
        "Sentences of the corpus beside this folder, each with the label that most annotators gave "
        f"it: {source}. Whether these were people or language models, the file of their answers "
        f"tells; `{VOTES}` has how many said what of each sentence.",
        [
            Table(["", "sentences"], [[name, f"{n:,}"] for name, n in numbers.items()]),
            f"{made.changed:,} have another label than in the corpus. Splits: {splits}. The "
            "classes are not balanced, and a sample by strata does not have the shares of the "
            "corpus.",
            FILES,
            "`role` still says what the edit did with a sentence; `tier` says how far the label of "
            "the corpus could be trusted, not this one. The licence is that of the corpus.",
        ],
    )
    write_text(target / "README.md", markdown(card, data))
