"""`wikibias selection-bias --topics-file`: figures of topics that a file holds."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import tiny_wordnet
from exports import wikibias

# Vectors whose cosines are fractions; oov1 and #tag have none.
TOY = {
    "alpha": (3, 4),
    "beta": (4, 3),
    "gamma": (-3, 4),
    "epsilon": (5, 12),
    "zeta": (-4, -3),
    "key1": (1, 0),
    "key2": (0, 1),
}
TOPICS = [
    ["alpha", "beta", "key1", "oov1"],
    ["gamma", "zeta", "epsilon", "oov1"],
    ["epsilon", "key2", "#tag", "alpha"],
]
KEYWORDS = ["key1", "key2", "#tag"]


class Files:
    """Topics, keywords and vectors in a folder, and the command on them."""

    def __init__(self, folder: Path) -> None:
        self.topics, self.keywords = folder / "t.json", folder / "k.txt"
        self.vectors, self.out = folder / "v.txt", folder / "j.json"
        self.write(TOPICS, KEYWORDS, TOY)

    def write(
        self,
        topics: Any,
        keywords: Sequence[str],
        vectors: Mapping[str, Sequence[object]],
        *,
        header: bool = False,
    ) -> None:
        self.topics.write_text(json.dumps(topics), encoding="utf-8")
        self.keywords.write_text("\n".join(keywords) + "\n", encoding="utf-8")
        first = [f"{len(vectors)} {len(next(iter(vectors.values())))}"] if header else []
        lines = [f"{word} {' '.join(map(str, numbers))}" for word, numbers in vectors.items()]
        self.vectors.write_text("\n".join([*first, *lines]) + "\n", encoding="utf-8")

    def run(self, *more: object) -> Any:
        line = ("--topics-file", self.topics, "--keywords", self.keywords, "--vectors")
        return wikibias("selection-bias", *line, self.vectors, "--out", self.out, *more)

    def found(self, *more: object) -> dict[str, Any]:
        done = self.run(*more)
        assert done.code == 0, done.err
        found: dict[str, Any] = json.loads(self.out.read_text(encoding="utf-8"))
        return found

    def refused(self, *more: object) -> str:
        done = self.run(*more)
        assert done.code in (1, 2)
        assert len(done.errors) == 1
        assert not self.out.exists()
        error: str = done.errors[0]
        return error


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


class TestToy:
    @pytest.mark.parametrize("header", [False, True])
    def test_to_the_fraction(self, files: Files, header: bool) -> None:
        files.write(TOPICS, KEYWORDS, TOY, header=header)
        zero, skip = files.found("--missing", "zero"), files.found("--missing", "skip")
        assert zero["b1"] == pytest.approx(Fraction(28, 117), abs=1e-12)
        assert zero["b2"]["mean_max"] == pytest.approx(Fraction(523, 780), abs=1e-12)
        assert zero["b2"]["max"] == pytest.approx(Fraction(38, 39), abs=1e-12)
        assert skip["b1"] == pytest.approx(Fraction(139, 315), abs=1e-12)
        assert skip["b2"]["mean_max"] == pytest.approx(Fraction(847, 1170), abs=1e-12)
        assert skip["b2"]["max"] == pytest.approx(Fraction(38, 39), abs=1e-12)
        assert skip["b2_floor0"]["mean_max"] == pytest.approx(Fraction(185, 234), abs=1e-12)
        assert zero["coverage"] == 7 / 9
        assert zero["coverage_of"] == {"topic_words": 7 / 9, "keywords": 2 / 3}

    def test_zero_is_the_default_and_all_is_shown(self, files: Files) -> None:
        done = files.run()
        assert "3 topics and 3 keywords" in done.out
        assert "pairs without a similarity count as 0" in done.out
        assert "Known: 78% of topic words, 67% of keywords." in done.out
        assert f"{28 / 117:.3f}" in done.out
        assert json.loads(files.out.read_text())["b1"] == files.found("--missing", "zero")["b1"]

    def test_the_same_word_is_one_whatever_its_letter_case(self, files: Files) -> None:
        files.write([["#Tag"]], ["#tag", "key1"], TOY)
        assert files.found("--missing", "skip")["b1"] == 1


def real(shared: Path) -> tuple[dict[str, list[list[str]]], dict[str, list[str]], Any]:
    folder = shared / "selection"
    topics = json.loads((folder / "babe_topics.json").read_text())["topics"]
    own = json.loads((folder / "babe_keywords.json").read_text())
    others = json.loads((folder / "hs_bias_eval_keywords.json").read_text())["lists"]
    lists = {
        "babe_retrieval_keywords": own["single_words"],
        "hs_bias_eval_english": others["keywords_english"],
        "unrelated_words": own["unrelated_words"],
    }
    expected = json.loads((folder / "expected.json").read_text())["real_run"]
    return topics, lists, expected


def vectors_of(shared: Path) -> dict[str, list[str]]:
    with gzip.open(shared / "selection" / "glove_6b_50d_subset.csv.gz", "rt") as stream:
        rows: Iterator[list[str]] = (line.rstrip("\n").split(",") for line in stream)
        return {row[0]: row[1:] for row in rows}


class TestRealRun:
    @pytest.mark.parametrize(
        ("name", "b1", "mean_max"),
        [
            ("babe_retrieval_keywords", 0.291379, 0.750043),
            ("hs_bias_eval_english", 0.173737, 0.514661),
            ("unrelated_words", 0.123231, 0.351878),
        ],
    )
    def test_search_words_are_closer_than_others(
        self, shared: Path, files: Files, name: str, b1: float, mean_max: float
    ) -> None:
        topics, lists, expected = real(shared)
        for setting, figures in expected["values"][name].items():
            number, words = (part.split("=")[1] for part in setting.split(","))
            chosen = [topic[: int(words)] for topic in topics[number]]
            files.write(chosen, lists[name], vectors_of(shared))
            for missing in ("zero", "skip"):
                found = files.found("--missing", missing)
                assert found["b1"] == pytest.approx(figures[missing]["B1"], abs=1e-5)
                for figure, of in (("mean_max", "b2_floor0"), ("max", "b2")):
                    told = figures[missing]["B2_max" if figure == "max" else "B2_mean_max_floor0"]
                    assert found[of][figure] == pytest.approx(told, abs=1e-5)
                if (setting, missing) == ("topics=8,words=8", "zero"):
                    assert found["b1"] == pytest.approx(b1, abs=1e-5)
                    assert found["b2"]["mean_max"] == pytest.approx(mean_max, abs=1e-5)


class TestOtherSimilarities:
    def run(self, files: Files, folder: Path) -> dict[str, Any]:
        """Measure dog against cat with the WordNet of a folder."""
        files.write([["dog"]], ["cat", "unheard"], TOY)
        line = ("--topics-file", files.topics, "--keywords", files.keywords, "--out", files.out)
        ended = wikibias("selection-bias", *line, "--wordnet", folder, "--missing", "skip")
        assert ended.code == 0, ended.err
        found: dict[str, Any] = json.loads(files.out.read_text(encoding="utf-8"))
        return found

    def test_wordnet(self, files: Files, tmp_path: Path) -> None:
        pytest.importorskip("nltk", reason="needs the extra `wordnet`")
        found = self.run(files, tiny_wordnet.write(tmp_path / "dict", tiny_wordnet.SENSES))
        assert 0 < found["b1"] < 1
        assert found["similarity"]["name"] == "wordnet"
        assert found["coverage"] == 2 / 3

    def test_wordnet_as_it_is_installed(self, files: Files) -> None:
        pytest.importorskip("nltk", reason="needs the extra `wordnet`")
        installed = Path("/usr/share/wordnet")
        if not (installed / "data.noun").is_file():
            pytest.skip("WordNet is not installed (apt-get install wordnet-base)")
        assert self.run(files, installed)["b1"] == pytest.approx(6 / 7, abs=1e-6)

    def test_little_text_to_learn_from_is_said(self, files: Files) -> None:
        pytest.importorskip("fasttext", reason="needs the extra `fasttext`")
        text = files.topics.with_name("text.txt")
        text.write_text("the alpha of the key1 is a beta\n" * 20, encoding="utf-8")
        line = ("--topics-file", files.topics, "--keywords", files.keywords, "--language", "en")
        ended = wikibias("selection-bias", *line, "--train-on", text)
        assert ended.code == 0, ended.err
        assert "Warning: fastText learnt from only" in ended.err

    def test_topic_words_of_which_few_are_known_are_told(self, files: Files) -> None:
        files.write([["unheard", "unseen"]], ["key1"], TOY)
        done = files.run("--missing", "skip")
        assert done.code == 0
        assert "knows 0% of the topic words; so there are no figures; choose" in done.err
        files.write([["unheard", "alpha"]], ["key1"], TOY)
        assert "knows 50% of the topic words; choose" in files.run().err


class TestRefused:
    @pytest.mark.parametrize("option", ["--topics 2", "--by label", "--cv nb-lr", "--seeds 2"])
    def test_an_option_that_needs_a_corpus(self, files: Files, option: str) -> None:
        said = files.refused(*option.split())
        assert f"{option.partition(' ')[0]} goes with a corpus" in said

    def test_lines_of_json(self, files: Files) -> None:
        files.topics = files.topics.rename(files.topics.with_name("topics.jsonl"))
        files.topics.write_text('{"words": ["a"]}\n{"words": ["b"]}\n')
        assert "lines of JSON; topics are a JSON list of lists of words" in files.refused()

    @pytest.mark.parametrize(
        "content",
        ["", "[", "{}", "[]", '["tax"]', '[["tax"], []]', "[[1]]", '{"topics": {"8": [["tax"]]}}'],
    )
    def test_no_topics(self, files: Files, content: str) -> None:
        files.topics.write_text(content)
        said = files.refused()
        assert str(files.topics) in said
        assert "a JSON list of lists of words" in said

    def test_no_keyword_has_a_vector(self, files: Files) -> None:
        files.write(TOPICS, ["river", "plain"], TOY)
        said = files.refused()
        assert "none of the keywords of k is known" in said
        assert "another --similarity or --vectors" in said

    def test_files_that_are_not_there(self, files: Files) -> None:
        files.topics.unlink()
        assert "t.json: cannot be read (No such file or directory)" in files.refused()

    def test_a_table_of_other_things_is_no_vectors(self, files: Files) -> None:
        files.vectors.write_text("word,count\nriver,7\n")
        assert str(files.vectors) in files.refused()

    @pytest.mark.parametrize("list_", ["tag-set", "classes"])
    def test_a_list_that_needs_a_corpus(self, files: Files, list_: str) -> None:
        line = ("--topics-file", files.topics, "--keywords", list_, "--vectors", files.vectors)
        ended = wikibias("selection-bias", *line)
        assert ended.code == 2
        assert "asks a corpus" in ended.err

    def test_one_list(self, files: Files) -> None:
        assert "needs one list" in files.refused("--lexicon", "a.txt")

    def test_another_file_is_not_replaced(self, files: Files) -> None:
        files.out.write_text('{"mine": 1}')
        assert "is no file of this command" in files.run().err
        assert files.run("--overwrite").code == 0
        assert files.run().code == 0  # its own

    def test_a_corpus_beside_topics(self, files: Files) -> None:
        assert "leave the corpora out" in files.refused(files.topics.parent)

    def test_nothing_to_train_on(self, files: Files) -> None:
        line = ("--topics-file", files.topics, "--keywords", files.keywords)
        ended = wikibias("selection-bias", *line)
        assert ended.code == 2
        assert "--vectors FILE" in ended.err

    def test_options_that_do_not_go_together(self, files: Files) -> None:
        assert "--vectors goes with" in files.refused("--similarity", "wordnet")
        assert "did you mean 'wordnet'" in files.refused("--similarity", "wordnt")
