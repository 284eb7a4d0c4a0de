"""Published pairs survive the filters; what does not is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.config.languages import load_language
from wikibias.corpus.sentence_pairs.funnel import Funnel
from wikibias.corpus.sentence_pairs.harvest import RulesName
from wikibias.corpus.sentence_pairs.judged_file import judged_file

BEFORE = "the splendid bridge crosses the river near the mill of the old town."
AFTER = "the bridge crosses the river near the mill of the old town."


def write(folder: Path, *rows: tuple[str, ...]) -> Path:
    path = folder / "pairs.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    return path


def test_pairs_of_a_file_with_their_groups_and_splits(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        ("source", "target", "split", "rev_id"),
        (BEFORE, AFTER, "test", "17"),
        (AFTER, AFTER, "", "Elm"),
        ("it rose.", "two trains a day stop at the harbour.", "", ""),
    )
    funnel = Funnel()
    pairs = list(judged_file(path, "own", funnel, group="rev_id", language=load_language("en")))
    assert [pair.label for pair in pairs] == ["biased", "neutral"]
    assert [pair.split for pair in pairs] == ["test", ""]
    assert [pair.provenance.page_title for pair in pairs] == ["17", "Elm"]
    assert [pair.provenance.after_rev_id for pair in pairs] == [17, None]
    assert funnel.verdicts == {"biased": 1, "neutral": 1, "unlike": 1}
    assert funnel.more["pairs_read"] == 3


@pytest.mark.parametrize("rules", ["wnc", "own"])
@pytest.mark.parametrize(
    ("name", "columns", "kept", "single"),
    [
        ("wnc_word_test.even.tsv", ("src", "tgt"), 416, 416),
        ("wnc_multi_test.even.tsv", ("src", "tgt"), 500, 3),
        ("wnc_full_sample.train.jsonl", ("text", "neutral"), 596, 196),
    ],
)
def test_published_pairs_survive(
    shared: Path, name: str, columns: tuple[str, str], kept: int, single: int, rules: RulesName
) -> None:
    funnel = Funnel()
    source, target = columns
    path = shared / "pairs" / name
    pairs = list(judged_file(path, rules, funnel, source=source, target=target))
    assert funnel.verdicts == {"biased": kept}
    assert sum(pair.single_word for pair in pairs) == single
