"""How often each word was changed."""

from pathlib import Path

import pytest

from wikibias.corpus.sentence_pairs.changed_words import ChangedWords, changed_words, source_words
from wikibias.corpus.sentence_pairs.reading import PairText, read_pairs


def pair(source: str, target: str) -> PairText:
    return PairText("1", source, target, None, None, 1)


PAIRS = [
    pair("The splendid mill burned.", "The mill burned."),
    pair("A Splendid barn stood.", "A barn stood."),
    pair("The mill stood.", "The mill collapsed."),
]


def test_words_that_editors_take_out_are_the_likeliest() -> None:
    found = changed_words(PAIRS)
    assert found.of["splendid"] == (2.0, 2.0)
    assert found.of["mill"] == (0.0, 2.0)
    assert found.likeliest(["The", "splendid", "mill", "."]) == 1
    assert found.share("unheard") == pytest.approx(found.changed / found.total)


def test_a_pair_is_one_change_divided_among_its_words() -> None:
    words, changed = source_words("A truly great man lived here.", "He lived here.")
    assert [word for word, was in zip(words, changed, strict=True) if was] == [
        "A",
        "truly",
        "great",
        "man",
    ]
    found = ChangedWords()
    found.add(words, changed)
    assert found.of["great"] == (0.25, 0.25)


def test_marks_are_never_the_likeliest() -> None:
    assert ChangedWords().likeliest([",", "."]) is None
    assert ChangedWords().likeliest([]) is None


def test_memory_is_bounded() -> None:
    found = ChangedWords(most=50)
    for number in range(1000):
        found.add(["the", f"word{number}"], [False, True])
    assert len(found.of) <= 51
    assert found.of["the"][1] == 1000


def test_the_yardstick_on_published_pairs(shared: Path) -> None:
    folder = shared / "pairs"
    rows = [*read_pairs(folder / "wnc_word_test.even.tsv")]
    held = {row.source for row in rows}
    train = [
        *read_pairs(folder / "wnc_multi_test.even.tsv"),
        *read_pairs(folder / "wnc_full_sample.train.jsonl"),
        *read_pairs(folder / "early_pairs.train.tsv", source="1", target="2"),
    ]
    counts = changed_words(each for each in train if each.source not in held)
    hits = 0
    for row in rows:
        words, changed = source_words(row.source, row.target)
        place = counts.likeliest(words)
        hits += place is not None and changed[place]
    # 41.3 % of all 832 rows with half more to learn from.
    assert hits / len(rows) == pytest.approx(0.413, abs=0.02)
