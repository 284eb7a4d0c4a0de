"""Exports a folder of sentence pairs, in the form that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from wikibias.config.choices import SPLITS
from wikibias.corpus.export.folder import export_folder
from wikibias.corpus.export.pair_card import PairFacts, pair_card
from wikibias.corpus.export.pair_texts import write_bio, write_wikibias, write_wnc
from wikibias.corpus.export.texts import write_jsonl
from wikibias.corpus.features import CLASSES, stored_features
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import hub
from wikibias.kits.files import disk_errors, scratch_file, write_text
from wikibias.kits.folders import refuse_links
from wikibias.kits.parquet import TableWriter, copy_typed, read_records
from wikibias.kits.schemas import SENTENCE_PAIRS_FILE, SENTENCE_PAIRS_TABLE
from wikibias.records import SentencePair

CONFIG = "sentence_pairs"
Pairs = Callable[[], Iterator[SentencePair]]


def export_pairs(folder: Path, form: str, out: Path | None, *, overwrite: bool = False) -> Path:
    """Write a folder of pairs in another form, whole or not at all, and return the folder.

    Args:
        folder: what `wikibias pairs` made.
        form: one of PAIR_FORMS.
        out: where to; by default beside the folder, whose next run would not replace what it holds
            else, with its name and that of the form.
        overwrite: see `export_folder`.

    Raises:
        UsageError: pairs have no such form, it needs a library that is missing, or the folder to
            write holds what is not ours.
        WikibiasError: the table is damaged.
        DiskError: the folder cannot be written.
    """
    if form not in PAIR_FORMS:
        known = ", ".join(PAIR_FORMS)
        raise UsageError(f"{folder} holds sentence pairs, which have no form {form}; give {known}")
    if form == "hf":
        hub.check()
    if out is None:
        beside = folder.resolve()
        out = beside.parent if folder.name in ("", "..") else folder.parent
        out /= f"{beside.name}-{form}"
        refuse_links(out.parent, [out.name])
    source = folder / SENTENCE_PAIRS_FILE
    with export_folder(out, {"format": form}, overwrite=overwrite) as made, disk_errors(out):
        PAIR_FORMS[form](source, made)
    return out


def _records(source: Path) -> Iterator[SentencePair]:
    for pair in read_records(source, SENTENCE_PAIRS_TABLE):
        if pair.split not in SPLITS:
            raise WikibiasError(
                f"{source}: a pair has an unknown split, {str(pair.split)[:40]!r}; run "
                "`wikibias pairs` again"
            )
        yield pair


def _text(write: Callable[[Path, Iterator[SentencePair]], None], source: Path, out: Path) -> None:
    write(out, _records(source))


def _by_split(source: Path, folder: Path, stack: ExitStack) -> tuple[dict[str, Path], PairFacts]:
    """Write a passing table for each split, and return them with what all pairs tell."""
    facts = PairFacts()
    paths = {split: stack.enter_context(scratch_file(folder)) for split in SPLITS}
    with ExitStack() as writing:
        writers = {}
        for split, path in paths.items():
            writers[split] = TableWriter(path, SENTENCE_PAIRS_TABLE, with_editors=False)
            writing.callback(writers[split].abandon)
        for pair in _records(source):
            facts.add(pair)
            writers[pair.split].write(pair)
        for writer in writers.values():
            writer.close({})
    return paths, facts


def _jsonl(source: Path, folder: Path) -> None:
    with ExitStack() as stack:
        for split, path in _by_split(source, folder, stack)[0].items():
            write_jsonl(path, folder / f"{split}.jsonl")


def _hf(source: Path, folder: Path) -> None:
    """Write a typed file for each split that has a pair, and the card."""
    features, files = stored_features(CONFIG, with_editors=False), {}
    with ExitStack() as stack:
        untyped, facts = _by_split(source, folder, stack)
        for split, path in untyped.items():
            target = folder / f"{split}.parquet"
            if copy_typed(path, target, CLASSES, numbered=True, features=features):
                files[split] = target.name
            else:
                target.unlink()
    if not files:
        raise UsageError(
            f"{source} has no pair, and `datasets` reads no empty data set; funnel.json tells what "
            "the filters dropped"
        )
    write_text(folder / "README.md", hub.dataset_card(*pair_card(facts, files, folder)))


PAIR_FORMS: Mapping[str, Callable[[Path, Path], object]] = {
    "hf": _hf,
    "jsonl": _jsonl,
    "wnc": partial(_text, write_wnc),
    "wikibias": partial(_text, write_wikibias),
    "bio": partial(_text, write_bio),
}
"""What writes which form."""
