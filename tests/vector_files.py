"""Word vectors written in the forms in which people have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

Vectors = Mapping[str, Sequence[float]]


def as_text(path: Path, vectors: Vectors, *, header: bool = False) -> Path:
    """Write the text form, as GloVe or, with a first line, as word2vec."""
    lines = [f"{len(vectors)} {len(next(iter(vectors.values())))}"] if header else []
    lines += [f"{word} {' '.join(map(repr, row))}" for word, row in vectors.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    return path


def binary(vectors: Vectors, behind: bytes = b"\n") -> bytes:
    """Return word2vec's binary form, with what some programs write behind each vector."""
    width = len(next(iter(vectors.values())))
    rows = (
        word.encode() + b" " + np.array(row, "<f4").tobytes() + behind
        for word, row in vectors.items()
    )
    return f"{len(vectors)} {width}\n".encode() + b"".join(rows)


def as_array(path: Path, vectors: Vectors) -> Path:
    """Write an array, and its words beside it, one a line."""
    np.save(path, np.array(list(vectors.values()), np.float32))
    path.with_suffix(".txt").write_text("\n".join(vectors) + "\n", "utf-8")
    return path
