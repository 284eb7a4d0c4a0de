"""The package fasttext: how it is loaded, kept quiet, and its errors; the only module with it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError


def library() -> Any:
    """Return the package, which takes a tenth of a second to load."""
    import fasttext

    return fasttext


def one_line(text: str) -> str:
    """Return a sentence as a line to learn from.

    fastText takes `__label__` in a sentence for another label, and a line break for its end.
    """
    return " ".join(text.split()).replace("__label__", "label")


def learnt_words(path: Path, seed: int, settings: Mapping[str, Any]) -> Any:
    """Return fastText's model of the words of a text, learnt without labels.

    One thread and the same seed give the same bytes.

    Args:
        path: a sentence a line.
        seed: of what the numbers begin with, and of what is drawn.
        settings: by fastText's names.

    Raises:
        WikibiasError: fastText cannot learn from the text.
    """
    package = library()
    # `train_unsupervised` takes no seed, but reads it with the other defaults.
    defaults = package.FastText.unsupervised_default
    before = defaults["seed"]
    defaults["seed"] = seed
    try:
        with errors_named("cannot learn from this text"):
            return package.train_unsupervised(str(path), thread=1, verbose=0, **settings)
    finally:
        defaults["seed"] = before


@contextlib.contextmanager
def errors_named(what: str) -> Iterator[None]:
    """Keep the C++ code off the terminal, and say of its errors what it could not do.

    Args:
        what: as "cannot learn from these sentences".

    Raises:
        WikibiasError: it failed.
    """
    try:
        with _quiet():
            yield
    except (ValueError, RuntimeError, MemoryError) as error:
        raise WikibiasError(f"fastText {what}: {error}") from error


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep what the C++ code writes to standard error off the terminal."""
    saved = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a device, not a path
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
