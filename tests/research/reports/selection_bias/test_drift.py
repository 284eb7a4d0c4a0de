"""What changed from one corpus to another."""

from __future__ import annotations

from selection_bias_results import full, minimal
from wikibias.research.reports.selection_bias.drift import drift
from wikibias.research.reports.selection_bias.result import Result


def test_the_divergence_stands_beside_chance() -> None:
    part = drift(Result(full()))
    assert part is not None
    assert part.title == "From enwiki-2019 to enwiki-2024"
    said = " ".join(part.blocks[0].says)
    assert "0.081 [0.061, 0.101]" in said
    assert "at random, page by page, it is 0.050 [0.010, 0.090]: more than chance" in said
    assert "3.1% of the sentences of enwiki-2024 stand in enwiki-2019, too." in said
    (topics,) = part.blocks[0].tables
    assert topics.rows[0][-2:] == ["+4.0", "0.0100"]
    came, went = part.blocks[1].tables
    assert (came.header[0], went.header[0]) == ("came", "went")
    assert list(went.rows[0]) == ["council", "-4.2", "41", "3"]


def test_of_sentences_dealt_one_by_one_p_is_too_small() -> None:
    result = full()
    result["drift"]["shuffled_by"] = "sentence"
    by_sentence, by_page = drift(Result(result)), drift(Result(full()))
    assert by_sentence is not None
    assert by_page is not None
    assert "so p is too small" in " ".join(by_sentence.blocks[0].says)
    assert "so p is too small" not in " ".join(by_page.blocks[0].says)


def test_words_that_did_not_come_have_no_table() -> None:
    result = full()
    result["drift"]["came"] = []
    part = drift(Result(result))
    assert part is not None
    assert [table.header[0] for table in part.blocks[1].tables] == ["went"]
    assert "a z between −4 and 4 is no more than a hint" in part.blocks[1].says[0]
    result["drift"]["went"] = []
    part = drift(Result(result))
    assert part is not None
    assert part.blocks[1].says == ["There are none."]


def test_one_corpus_has_none() -> None:
    assert drift(Result(minimal())) is None
