"""The last stage, over all parts: kept edits to the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wikibias.config.languages import load_language
from wikibias.corpus import card, writer
from wikibias.corpus.sampling import SPLITS, Composition, build_corpus
from wikibias.dumps.parts import Part
from wikibias.pipeline import manifest
from wikibias.pipeline.manifest import Manifest
from wikibias.pipeline.settings import Settings
from wikibias.pipeline.stages import kept_edits
from wikibias.text.normalisation import normalise

_FORMS = ("parquet", "tsv", "txt")


def corpus_files(folder: Path) -> list[Path]:
    """Return the files of a corpus."""
    names = [f"{split}.{form}" for split in SPLITS for form in _FORMS]
    return [folder / "corpus" / name for name in (*names, "README.md")]


def recorded_corpus(folder: Path, before: Manifest | None) -> Composition | None:
    """Return what a manifest says of the corpus, where all its files are there."""
    found = (before or {}).get("corpus")
    there = all(path.is_file() for path in corpus_files(folder))
    return Composition(**found) if found and there else None


def build(folder: Path, parts: Sequence[Part], settings: Settings) -> Composition:
    """Build the corpus from the kept edits of all parts.

    Raises:
        DiskError: the folder cannot be written to.
    """
    language = load_language(settings.detect.lang)
    composition, sentences = build_corpus(
        lambda: kept_edits(folder, parts),
        lambda text: normalise(text, keep_apostrophes=language.keep_apostrophes),
        settings.build.shares,
        split_by=settings.build.split,
        seed=settings.build.seed,
    )
    target = folder / "corpus"
    writer.write_corpus(target, sentences, with_editors=settings.detect.with_editors)
    now = manifest.summarise(folder, settings, parts, composition)
    card.write_card(
        target,
        settings=now["settings"],
        inputs=now["inputs"],
        verdicts=now["verdicts"],
        composition=composition,
    )
    return composition
