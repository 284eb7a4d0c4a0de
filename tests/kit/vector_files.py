"""Word vectors written in the forms in which people have them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

Vectors = Mapping[str, Sequence[float]]


def as_array(path: Path, vectors: Vectors) -> Path:
    """Write an array, and its words beside it, one a line."""
    np.save(path, np.array(list(vectors.values()), np.float32))
    path.with_suffix(".txt").write_text("\n".join(vectors) + "\n", "utf-8")
    return path
