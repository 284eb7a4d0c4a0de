"""Whatever a user gives for a file of some kind, one line names it and says what is wrong."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exports import wikibias
from judged_samples import reader
from paths import CASES
from wikibias.config.resources import config_dir
from wikibias.config.thresholds import load_config
from wikibias.corpus.sentence_pairs.reading import read_pairs
from wikibias.errors import WikibiasError
from wikibias.kits import tables
from wikibias.models.grid_search import read_grid
from wikibias.models.reading import read_label_files
from wikibias.research.annotation import prompts
from wikibias.research.annotation.tasks import read_tasks
from wikibias.research.lexicons import read_lexicon
from wikibias.research.neural import words
from wikibias.research.selection_bias import similarity
from wikibias.research.selection_bias.documents import read_keywords
from wikibias.research.spans.labels import read_labelled
from wikibias.research.stress import read_answers

BAD: dict[str, Any] = tomllib.loads((CASES / "bad_files.toml").read_text("utf-8"))
TEXT = tables.Columns(text=("norm", "text"), label="label", page="page_id", needed=("text",))


def silent(_: str) -> None:
    """Hear a warning."""


def grid(path: Path) -> object:
    """Read a grid where a user's own one lies."""
    own = path.parent / "configs" / "grids" / path.name
    own.parent.mkdir(parents=True, exist_ok=True)
    path.replace(own)
    with config_dir(path.parent):
        return read_grid(path.stem)


def run(path: Path) -> object:
    """Read a file that describes a run."""
    raise WikibiasError(wikibias("extract", "--config", path).refused(alone=True))


READERS: dict[str, Callable[[Path], object]] = {
    "a table": lambda path: tables.read_frame(path, TEXT),
    "sentences with labels": lambda path: read_label_files({"train": path}, silent),
    "pairs": lambda path: [*read_pairs(path)],
    "tasks": read_tasks,
    "words with tags": lambda path: [*read_labelled(path, None, silent)],
    "a lexicon": read_lexicon,
    "keywords": read_keywords,
    "word vectors": lambda path: similarity.read_vectors(path, ["river"]),
    "vectors of words": lambda path: words.read_vectors(path, (), 9),
    "a grid": grid,
    "thresholds": load_config,
    "a run": run,
    "a pool of examples": lambda path: prompts.read_pool(
        path, prompts.load_prompt_task("bias").labels
    ),
    "answers": lambda path: reader().read(path),
    "predictions": read_answers,
}


def written(path: Path, content: str | list[Any], encoding: str = "utf-8") -> Path:
    """Write a text, or one in pieces, of which [piece, number] is repeated."""
    pieces = [content] if isinstance(content, str) else content
    text = "".join(each if isinstance(each, str) else each[0] * each[1] for each in pieces)
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("kind", READERS)
def test_what_cannot_be_read_is_said_in_one_line(kind: str, tmp_path: Path) -> None:
    if kind == "word vectors":
        pytest.importorskip("gensim", reason="needs the extra `vectors`")
    failed = []
    for name, content, said, *encoding in BAD[kind]["cases"]:
        path, heard = written(tmp_path / name, content, *encoding), "nothing"
        try:
            READERS[kind](path)
        except WikibiasError as error:
            heard = str(error)
        wanted = (f"{name}{said}" if said.startswith(":") else said).split(" ... ")
        if not all(part in heard for part in wanted) or "\n" in heard or len(heard) > 500:
            failed.append((name, said, heard))
    assert failed == []


def test_each_kind_of_file_has_cases() -> None:
    assert BAD.keys() == READERS.keys()
