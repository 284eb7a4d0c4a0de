"""Rewriters: what each can do, the registry, training on sentence pairs, and rewrites of lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NamedTuple, Protocol, Self

from wikibias.corpus.sentence_pairs.reading import holds_pairs, read_pairs
from wikibias.edits.word_diff import edited_spans
from wikibias.errors import UsageError, WikibiasError, counted
from wikibias.kits.checked import Meta
from wikibias.kits.document import Document
from wikibias.kits.folders import ResultFolder
from wikibias.kits.tables import given_sentences
from wikibias.models import model_folder
from wikibias.models.estimators.registry import Trainable, TrainedModels, check_values
from wikibias.models.examples import LONGEST, Warn
from wikibias.research.lexicons import Lexicon
from wikibias.research.neural.calibration import missing
from wikibias.research.neutralising.words import is_letter, words


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence, what an editor made of it, and what it must share a fold with, if that is known.

    Both sides are the same where the editor left it alone.
    """

    source: str
    target: str
    group: str | None = None

    def fold(self, seed: int, folds: int) -> int:
        """Return its fold, from 0, by a hash: that of its page or revision, else of its source."""
        name = f"{seed}\t{self.group if self.group is not None else self.source}"
        digest = sha256(name.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % folds


class Rewriter(Trainable, Protocol):
    """Rewrites sentences.

    Its class is called with `seed`, `lang` (a code, or None where it is not known), `lexicons` (a
    sequence of `Lexicon`) and the parameters, all by name.
    """

    lang: str | None

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn from pairs; what is to be chosen is chosen on a part of them."""

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text as it should be; one that needs no change as it is."""

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the rewriter; return what else `load` needs, as JSON."""
        return {"lang": self.lang}


class Copy(Rewriter):
    """The baseline that leaves every sentence as it is."""

    name = "copy"

    def __init__(
        self, *, seed: int = 0, lang: str | None = None, lexicons: Sequence[Lexicon] = ()
    ) -> None:
        self.seed, self.lang, self.parameters = seed, lang, dict[str, Any]()

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Learn nothing."""
        return self

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return the texts."""
        return list(texts)

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read nothing."""
        return cls(seed=int(described["seed"]), lang=described["lang"])


REWRITERS: TrainedModels[Rewriter] = TrainedModels(
    ResultFolder("rewriter", 1, "wikibias neutralise train"),
    "wikibias.rewriters",
    {
        "copy": "wikibias.research.neutralising.rewriters:Copy",
        "edit-table": "wikibias.research.neutralising.edit_table:EditTable",
        "seq2seq": "wikibias.research.neutralising.rewriters:Seq2Seq",
    },
)
"""The rewriters of this package; `copy` is what any other must beat."""


_KINDS = {
    "copy": "leaves every sentence as it is, as a baseline",
    "edit-table": "deletes or replaces one word, by what editors did to words of each kind",
    "seq2seq": "writes the sentence anew with a sequence-to-sequence model",
}
_LICENCES = "their licences apply to whoever passes it on"
_PACKAGES = ("numpy", "scipy", "python-crfsuite", "torch", "transformers")
_AT_ONCE = 32


class Data(NamedTuple):
    """Pairs to learn from, and what is to be said of them, as JSON."""

    pairs: list[Pair]
    facts: dict[str, Any]


def read_data(
    paths: Sequence[Path],
    exclude: Sequence[Path],
    warn: Warn,
    *,
    source: str | None = None,
    target: str | None = None,
) -> Data:
    """Read pairs, less those of which a side is a sentence of the files to exclude.

    Sentences are the same where their words are, however they are written down and whatever marks
    stand between them.

    Args:
        paths: folders or files of pairs.
        exclude: those of a test set; they have the same columns, or known ones.
        warn: takes what is left out.
        source: the column of the biased sentences.
        target: that of the neutral ones.

    Raises:
        UsageError: a file or a column is not there.
        WikibiasError: a row cannot be read, or no pair is left.
    """

    def pairs_of(path: Path, *, known: bool = False) -> Iterator[Pair]:
        columns = {} if known else {"source": source, "target": target}
        for pair in read_pairs(path, **columns, neutral=True, warn=warn):
            yield Pair(pair.source, pair.target, pair.group)

    held_out = {
        _key(side)
        for path in exclude
        for pair in pairs_of(path, known=holds_pairs(path))
        for side in (pair.source, pair.target)
    }
    pairs: list[Pair] = []
    left_out = long = 0
    for pair in (pair for path in paths for pair in pairs_of(path)):
        if max(len(pair.source), len(pair.target)) > LONGEST:
            long += 1
        elif held_out and not held_out.isdisjoint((_key(pair.source), _key(pair.target))):
            left_out += 1
        else:
            pairs.append(pair)
    if long:
        warn(f"left out {counted(long, 'pair')} of more than {LONGEST:,} characters")
    if left_out:
        warn(f"left out {counted(left_out, 'pair')} with a sentence of the files to exclude")
    if not pairs:
        raise WikibiasError("no pair is left to learn from; give more PAIRS, or exclude less")
    mark = sha256()
    for pair in pairs:
        mark.update(f"{pair.source}\t{pair.target}\n".encode("utf-8", "surrogatepass"))
    facts = {
        "files": [path.name for path in paths],
        "excluded_files": [path.name for path in exclude],
        "excluded": left_out,
        "pairs": len(pairs),
        "changed": sum(pair.source != pair.target for pair in pairs),
        "sha256": mark.hexdigest(),
    }
    return Data(pairs, facts)


def _key(text: str) -> bytes:
    """Return what sentences of the same words have in common; marks do not count."""
    keys = (word.key for word in words(text) if is_letter(word.key[0]))
    return sha256(" ".join(keys).encode("utf-8", "replace")).digest()


def train(model: Rewriter, data: Data, out: Path, *, overwrite: bool = False) -> None:
    """Train a rewriter and write its folder, with a card.

    Raises:
        UsageError: the folder holds something else, or a rewriter that may not be replaced.
        WikibiasError: nothing can be learnt from the pairs.
        DiskError: the folder cannot be written.
    """
    REWRITERS.folder.refuse(out, overwrite=overwrite)
    model.fit(data.pairs)
    facts = {"data": data.facts, "versions": model_folder.versions(_PACKAGES)}
    REWRITERS.save(model, out, facts, card)


def card(described: Mapping[str, Any]) -> Document:
    """Return the card of a rewriter, given its description."""
    data, name = described["data"], str(described["rewriter"])
    least, lists = described.get("least"), _names(described.get("lexicons", ()))
    return model_folder.card(
        described,
        f"Rewriter: {name}",
        f"This model {_KINDS.get(name, 'rewrites sentences')}. Trained by `wikibias neutralise "
        "train`; use it with `wikibias neutralise predict`.",
        data=[
            f"{data['pairs']:,} sentence pairs, {data['changed']:,} of them changed by an editor, "
            f"from {_names(data['files'])}. {data['excluded']:,} pairs were left out because "
            f"{_names(data['excluded_files']) or 'no test set'} has a sentence of theirs. SHA-256 "
            f"of the pairs: {data['sha256'][:16]}."
        ],
        settings=[
            ("language", described["lang"] or "not given"),
            ("least probability of an edit", "" if least is None else f"{least:.3f}"),
            ("lists whose words the folder holds", lists and f"{lists}; {_LICENCES}"),
        ],
        limits="It has learnt what editors did, not what is true: a rewrite may drop what matters, "
        "say something else, or leave the bias. An editor must read each one. Do not let it edit "
        "Wikipedia by itself, and judge no author by it. Scores are those of `wikibias neutralise "
        "score`, beside a copy and on the same rows.",
    )


def _names(given: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in given)


def rewrites(model: Rewriter, lines: BinaryIO, name: str, warn: Warn) -> Iterator[dict[str, Any]]:
    """Yield an answer for each line: `text`, `rewrite` and `edits`, in order; a few at a time.

    A blank line, or one of more characters than a sentence has, stays as it is. Each edit has its
    `type`, the spans of both texts in characters, and what stood and stands there.

    Raises:
        WikibiasError: a line is not text.
    """
    numbered = given_sentences(lines, name)
    long = 0
    while texts := [text for _, text in islice(numbered, _AT_ONCE)]:
        some = [text for text in texts if text.strip() and len(text) <= LONGEST]
        long += sum(len(text) > LONGEST for text in texts)
        rewritten = dict(zip(some, model.rewrite(some), strict=True))
        for text in texts:
            new = rewritten.get(text, text)
            yield {"text": text, "rewrite": new, "edits": edits_between(text, new)}
    if long:
        warn(f"left {counted(long, 'line')} of more than {LONGEST:,} characters as they are")


def edits_between(text: str, new: str) -> list[dict[str, str]]:
    """Return the edits that make one text another, with what stood and stands at each."""
    return [
        {
            "type": edit.type,
            "source": edit.source,
            "target": edit.target,
            "before": _at(text, edit.source),
            "after": _at(new, edit.target),
        }
        for edit in (edited_spans(text, new) if text != new else ())
    ]


def _at(text: str, spans: str) -> str:
    """Return what stands at spans such as "12:18 30:34"."""
    places = (tuple(map(int, span.split(":"))) for span in spans.split())
    return " … ".join(text[start:end] for start, end in places)


_MOST = 256  # word pieces
_BATCH = 16
_PATIENCE = 3  # passes without a lower loss on what is held out
_HELD_OUT = 10  # every tenth group says when to stop


class Seq2Seq(Rewriter):
    """Writes each sentence anew, piece by piece, by beam search.

    It is a sequence-to-sequence model of the transformers library, fine-tuned on pairs. A sentence
    of more pieces than the model takes is left as it is.
    """

    name = "seq2seq"

    def __init__(
        self,
        *,
        seed: int = 0,
        lang: str | None = None,
        lexicons: Sequence[Lexicon] = (),
        checkpoint: str | None = None,
        epochs: Annotated[int, Meta(ge=1, le=1000)] = 5,
        rate: Annotated[float, Meta(ge=1e-8, le=1.0)] = 5e-5,
        beams: Annotated[int, Meta(ge=1, le=64)] = 4,
    ) -> None:
        """Make one of a model that the user has: a folder, or `package:NAME`.

        Raises:
            UsageError: a number is out of its range.
        """
        numbers = {"epochs": epochs, "rate": rate, "beams": beams}
        check_values(self.name, Seq2Seq.__init__, numbers)
        self.seed, self.lang = seed, lang
        self.parameters: dict[str, Any] = numbers
        self._checkpoint = checkpoint
        self._model: Any = None
        self._tokenizer: Any = None
        self._trained: dict[str, Any] = {}

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where everything needed is installed."""
        return missing()

    def fit(self, pairs: Sequence[Pair]) -> Self:
        """Fine-tune on pairs; the same pairs and seed give the same model on a CPU.

        Raises:
            UsageError: no model to begin with.
            WikibiasError: it cannot be read, or training diverges.
        """
        from wikibias.research.neural import sentence_network, training_loop

        if self._checkpoint is None:
            raise UsageError(
                "seq2seq begins with a model that you have: --set checkpoint=DIR, of the "
                "transformers library, such as T5 or BART"
            )
        self._tokenizer = sentence_network.load_tokenizer(self._checkpoint)
        self._model = sentence_network.load_model(self._checkpoint, "ForSeq2SeqLM", seed=self.seed)
        most = sentence_network.longest(self._model, self._tokenizer, _MOST)

        def batch(some: Sequence[Pair]) -> Mapping[str, Any]:
            sources, targets = [pair.source for pair in some], [pair.target for pair in some]
            return sentence_network.text_pieces(self._tokenizer, sources, targets, most)

        dev = [pair for pair in pairs if pair.fold(self.seed, _HELD_OUT) == 0]
        train = [pair for pair in pairs if pair.fold(self.seed, _HELD_OUT)]
        schedule = training_loop.Schedule.of({**self.parameters, "patience": _PATIENCE}, self.seed)
        done = training_loop.train(self._model, train or dev, batch, schedule, dev if train else ())
        self._trained = {
            "checkpoint": Path(self._checkpoint).name,
            "device": done.device,
            "precision": done.precision,
            "losses": [round(loss, 4) for loss in done.losses],
            "dev_losses": [round(loss, 4) for loss in done.dev_losses],
        }
        return self

    def rewrite(self, texts: Sequence[str]) -> list[str]:
        """Return each text as the model writes it."""
        from wikibias.research.neural import sentence_network

        most = sentence_network.longest(self._model, self._tokenizer, _MOST)
        made = list(texts)
        sizes = [len(self._tokenizer(text)["input_ids"]) for text in texts]
        # Those of one length together: padding costs time.
        order = sorted((at for at in range(len(texts)) if sizes[at] <= most), key=sizes.__getitem__)
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            found = sentence_network.rewritten(
                self._model,
                self._tokenizer,
                [texts[at] for at in places],
                most=min(most, 2 * sizes[places[-1]] + 8),
                beams=self.parameters["beams"],
            )
            for at, text in zip(places, found, strict=True):
                made[at] = text.strip() or texts[at]
        return made

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the model and its tokeniser as transformers does, the weights as safetensors."""
        from wikibias.research.neural import sentence_network

        sentence_network.save_model(self._model, self._tokenizer, folder)
        return {"lang": self.lang, "training": self._trained}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote."""
        from wikibias.research.neural import sentence_network

        model = cls(seed=int(described["seed"]), lang=described["lang"], **described["parameters"])
        model._tokenizer = sentence_network.load_tokenizer(folder)
        model._model = sentence_network.load_model(folder, "ForSeq2SeqLM")
        return model
