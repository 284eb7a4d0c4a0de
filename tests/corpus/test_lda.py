"""Latent Dirichlet allocation finds what documents were made of, the same bytes each time."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wikibias.corpus.lda import fit

# Prints a digest of the weights of a fit on counts that follow from a seed.
CODE = """
import hashlib
import numpy as np
from scipy.sparse import csr_matrix
from wikibias.corpus.lda import fit
counts = csr_matrix(np.random.default_rng(7).poisson(0.05, (600, 300)))
made = fit(counts, 8, 3)
print(hashlib.sha256(made.word_weights.tobytes() + made.shares(counts).tobytes()).hexdigest())
"""


@pytest.fixture
def two_topics() -> NDArray[np.int64]:
    """Return counts of documents of which each is about the first five words, or the others."""
    rng = np.random.default_rng(0)
    first = np.hstack([rng.poisson(1.5, (40, 5)), np.zeros((40, 5), np.int64)])
    return np.vstack([first, first[:, ::-1]])


def test_topics_that_share_no_word_are_told_apart(two_topics: NDArray[np.int64]) -> None:
    made = fit(csr_matrix(two_topics), 2, 0)
    best = [set(row) for row in np.argsort(-made.word_weights, axis=1)[:, :5].tolist()]
    assert {0, 1, 2, 3, 4} in best
    assert {5, 6, 7, 8, 9} in best
    shares = made.shares(csr_matrix(two_topics))
    main = shares.argmax(axis=1)
    assert (main[:40] == main[0]).all()
    assert (main[40:] == 1 - main[0]).all()


def test_weights_and_shares_add_up_to_one(two_topics: NDArray[np.int64]) -> None:
    made = fit(csr_matrix(two_topics), 3, 0)
    assert np.allclose(made.word_weights.sum(axis=1), 1)
    assert np.allclose(made.shares(csr_matrix(two_topics)).sum(axis=1), 1)


def test_a_document_without_words_has_an_equal_share_of_each(
    two_topics: NDArray[np.int64],
) -> None:
    made = fit(csr_matrix(two_topics), 4, 0)
    assert np.allclose(made.shares(csr_matrix((1, 10), dtype=np.int64)), 1 / 4)


def test_another_process_and_number_of_threads_give_the_same_bytes() -> None:
    digests = set()
    for threads in ("1", "2"):
        given = dict.fromkeys(
            ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "PYTHONHASHSEED"), threads
        )
        done = subprocess.run(
            [sys.executable, "-c", CODE],
            env={**os.environ, **given},
            capture_output=True,
            check=True,
            text=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
