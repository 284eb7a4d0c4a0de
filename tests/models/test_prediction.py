"""Prediction takes lines as they come, and holds few of them."""

import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from exports import wikibias
from sample_sentences import examples
from wikibias.models.estimators import registry
from wikibias.models.prediction import answers, bias_of, drivers


class Endless(io.RawIOBase):
    """A stream of so many lines, which counts those that were read."""

    def __init__(self, count: int) -> None:
        self.left, self.read_lines = count, 0

    def readline(self, size: int | None = -1) -> bytes:
        self.left -= 1
        self.read_lines += self.left >= 0
        return b"a long street leads to the station of the old town\n" if self.left >= 0 else b""


def test_lines_are_answered_before_the_next_are_read(tmp_path: Path) -> None:
    lines = Endless(9_000)
    found = answers(model(tmp_path), as_binary(lines), explain=False, as_json=False, warn=print)
    assert len(next(found)) == lines.read_lines == 1_000


def test_memory_does_not_grow_with_the_lines(tmp_path: Path) -> None:
    folder = model(tmp_path)
    peaks = [peak(folder, count) for count in (2_000, 2_000, 14_000)]
    assert peaks[2] < 1.5 * peaks[1]


def peak(folder: Path, count: int) -> int:
    found: Iterator[object] = answers(
        folder, as_binary(Endless(count)), explain=False, as_json=False, warn=print
    )
    tracemalloc.start()
    try:
        for _ in found:
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def as_binary(lines: Endless) -> io.BufferedReader:
    return lines  # type: ignore[return-value]  # `readline` is all that is asked for


def model(tmp_path: Path) -> Path:
    texts = ["the old town", "a truly great town", "the old street", "a truly great street"] * 5
    trained = registry.create("nb-lr").fit(texts, np.array([False, True] * 10))
    registry.CLASSIFIERS.save(trained, tmp_path / "m", {})
    return tmp_path / "m"


def test_probabilities_are_those_of_the_lines(tsv: dict[str, Path], tmp_path: Path) -> None:
    files = ("--train", tsv["train"], "--test", tsv["test"])
    asked = ("--model", "nb-lr", "--out", tmp_path / "m")
    assert wikibias("classify", *files, *asked).code == 0
    texts = [line.split("\t")[1] for line in tsv["test"].read_text().splitlines()]
    (lines,) = answers(
        tmp_path / "m",
        io.BytesIO("\n".join(texts).encode()),
        explain=False,
        as_json=False,
        warn=print,
    )
    *found, blank = bias_of(tmp_path / "m")([*texts, " "])
    assert [f"{value:.6f}" for value in found] == [line.split("\t")[0] for line in lines]
    assert blank == 0


TRAIN = examples("train", 240, 1)


def trained(name: str, seed: int = 0) -> registry.Model:
    return registry.create(name, seed=seed).fit(TRAIN.texts, TRAIN.biased)


def test_the_words_that_give_it_away_are_named() -> None:
    words = drivers(trained("nb-lr"), "the town opened a truly north school")
    assert words[0][0] == "truly"
    assert words[0][1] > 0
