"""Documents of folders, tables and texts, with what is known of each."""

import gzip
import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports import wikibias
from made_edits import corpus
from made_pairs import written_pairs
from put import put, put_rows
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.selection_bias.documents import (
    MOST_KEYWORDS,
    Documents,
    Lists,
    document_frequency,
    of_tag_set,
    random_lists,
    read_documents,
    read_keywords,
    template_words,
)
from wikibias.tags.tagset import load_tagset
from wikibias.text.segmentation import normalise

ALL = 20_000


def read(path: Path, *, most: int = ALL, seed: int = 0, **options: Any) -> Documents:
    """Read documents of English, or as the options say."""
    return read_documents(path, **{"language": "en", "most": most, "seed": seed, **options})


def table(folder: Path, columns: dict[str, list[Any]], name: str = "t.jsonl") -> Path:
    """Write a table of columns."""
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return put_rows(folder / name, *rows)


def test_a_result_folder_tells_all_facts() -> None:
    found = read(corpus(), language="es")  # for what does not say its own
    assert (found.name, found.language, found.of) == ("en", "en", len(found))
    assert Counter(found.facts["label"])["biased"] * 2 == len(found)
    assert set(found.facts["split"]) <= {"train", "dev", "test"}
    assert "POV" in set(found.facts["tag"])
    assert all(len(year) == 4 and year.isdigit() for year in found.facts["year"])
    assert set(found.facts["tier"]) <= {"high", "medium", "low"}
    assert set(found.facts["language"]) == {"en"}
    assert found.pages is not None
    assert all(page.startswith("demoenwiki:") for page in found.pages)
    assert all(text == text.lower() for text in found.texts)


def test_the_corpus_in_a_result_and_its_exports_are_the_same_documents(tmp_path: Path) -> None:
    folder = corpus()
    whole = read(folder, language="")
    assert read(folder / "corpus", language="") == whole
    for form in ("csv", "hf"):
        wikibias("export", "--format", form, "-o", tmp_path / form, folder).well()
        found = read(tmp_path / form, language="")
        assert (found.texts, found.facts, found.pages) == (whole.texts, whole.facts, whole.pages)
        assert found.language == "en"
    wikibias("export", "--format", "fasttext", "-o", tmp_path / "fasttext", folder).well()
    found = read(tmp_path / "fasttext", language="")
    assert Counter(found.texts) == Counter(whole.texts)
    assert Counter(found.facts["label"]) == Counter(whole.facts["label"])


@pytest.mark.parametrize(("lang", "said"), [("fr", ""), ("", "fr"), ("", "")])
def test_a_folder_without_manifest_keeps_apostrophes(lang: str, said: str, tmp_path: Path) -> None:
    put(tmp_path / "train.csv", f"norm,lang\nl'église est belle,{lang}\n")
    found = read(tmp_path, language=said)
    is_known = bool(lang or said)
    assert found.language == ("fr" if is_known else "")
    assert ("l'église" in found.texts[0]) == is_known


def test_a_manifest_beside_a_folder_that_is_none_of_ours_is_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("no JSON", "utf-8")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "train.txt").write_text("The river.\n", "utf-8")
    assert read(folder, language="").name == "mine"


def test_a_sample_is_drawn_by_its_seed() -> None:
    few = read(corpus(), most=10, seed=3, language="")
    whole = read(corpus(), language="", seed=3)
    assert (len(few), few.of) == (10, whole.of)
    assert few == read(corpus(), most=10, seed=3, language="")
    assert few.texts != read(corpus(), most=10, seed=4, language="").texts
    assert set(few.texts) <= set(whole.texts)


def test_judged_sentences_are_those_of_their_own_folder(tmp_path: Path) -> None:
    shutil.copytree(corpus(), tmp_path / "en")
    shutil.copytree(tmp_path / "en" / "corpus", tmp_path / "en" / "judged")
    found = read(tmp_path / "en" / "judged", language="")
    assert (found.name, found.language) == ("en", "en")
    assert found.texts == read(corpus(), language="").texts


def test_several_labels_are_put_together(tmp_path: Path) -> None:
    labels = [["citation"], ["point-of-view", "citation"], []]
    table = pa.table({"norm": ["a mill", "a river", "a village"], "labels": labels})
    (tmp_path / "labelled").mkdir()
    pq.write_table(table, tmp_path / "labelled" / "train.parquet")
    for folder in (tmp_path, tmp_path / "labelled"):
        found = read(folder, language="")
        assert found.facts["label"] == ["citation", "citation|point-of-view", "none"]
        assert found.facts["split"] == ["train"] * 3


def test_of_sentence_pairs_those_before_the_edit_are_taken(tmp_path: Path) -> None:
    found = read(written_pairs(tmp_path / "pairs", 5), language="")
    assert Counter(found.facts["label"]) == {"biased": 5, "neutral": 2}
    assert found.pages is not None


def test_a_table_tells_facts_by_the_names_of_its_columns(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        "sentence": ["The Village's 2 mills!", None, " ", "A river."],
        "label": [1, 0, 1, 0.0],
        "year": [2004.0, None, 2004, "2005-01-01"],
        "tags": [["POV", "Advert"], None, None, '["POV"]'],
        "page_title": ["Mill", "", "", "Trent"],
    }
    found = read(table(tmp_path, columns))
    assert found.texts == ["the village s numtkn mills", "a river"]
    assert found.facts["label"] == ["1", "0"]
    assert found.facts["year"] == ["2004", "2005"]
    assert found.facts["tag"] == ["Advert|POV", "POV"]
    assert found.pages == [":Mill", ":Trent"]
    assert (found.of, found.language) == (2, "en")
    assert set(found.facts) == {"label", "year", "tag"}


def test_a_column_of_another_name_is_given(tmp_path: Path) -> None:
    path = table(tmp_path, {"statement": ["A mill.", "A barn."], "text": ["x", "y"]})
    assert read_documents(path, text="statement", language="en").texts == ["a mill", "a barn"]
    with pytest.raises(WikibiasError, match="did you mean 'statement'"):
        read_documents(path, text="statemnt")


def test_the_column_of_the_text_is_the_first_of_those_known(tmp_path: Path) -> None:
    path = table(tmp_path, {"text": ["One."], "norm": ["two"], "quote": ["Three."]})
    assert read(path).texts == ["two"]
    with pytest.raises(WikibiasError, match="its columns are body, id"):
        read(table(tmp_path, {"body": ["a"], "id": [None]}, "o.jsonl"))
    with pytest.raises(UsageError, match="no text in it"):
        read(table(tmp_path, {"text": [None]}, "n.jsonl"))


def test_apostrophes_are_kept_where_the_language_keeps_them(tmp_path: Path) -> None:
    path = table(tmp_path, {"text": ["L'église d'Arles"]})
    assert read(path, language="fr").texts == ["l'église d'arles"]
    assert read(path, language="").texts == ["l église d arles"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_text_has_a_document_a_line(tmp_path: Path, packed: bool) -> None:
    content = "\ufeffOne river.\r\n\r\n  \r\n...\nTwo\tmills, here\n".encode()
    path = tmp_path / ("t.txt.gz" if packed else "t.txt")
    found = read(put(path, gzip.compress(content) if packed else content))
    assert found.texts == ["one river", "two mills here"]
    assert (found.facts, found.pages, found.name) == ({}, None, path.stem)


@pytest.mark.parametrize(
    "content", ["rem\tOne river\nadd\tA mill\n", "__label__rem One river\n__label__add A mill\n"]
)
def test_a_label_before_each_sentence_is_a_fact(tmp_path: Path, content: str) -> None:
    found = read(put(tmp_path / "t.txt", content))
    assert found.texts == ["one river", "a mill"]
    assert found.facts == {"label": ["rem", "add"]}


@pytest.mark.parametrize("ending", [".csv", ".CSV", ".csv.gz", ".CSV.GZ"])
def test_a_table_is_no_text_however_its_ending_is_written(ending: str, tmp_path: Path) -> None:
    content = b"text,label\nThe river.,biased\n"
    packed = gzip.compress(content) if ending.lower().endswith("gz") else content
    found = read(put(tmp_path / f"t{ending}", packed))
    assert (found.texts, found.facts) == (["the river"], {"label": ["biased"]})


def test_what_is_no_year_is_none_and_a_label_is_no_text(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        "text": ["one", "two", "three", "four"],
        "year": [2020.0, "NaN", 1577836800000, ""],
        "after_timestamp": ["", "", "", "2019-01-01T00:00:00Z"],
        "label": ["x" * 1_000, None, "[" * 1_000, ["y" * 1_000]],
    }
    facts = read(table(tmp_path, columns)).facts
    assert facts["year"] == ["2020", "", "", "2019"]
    assert max(map(len, facts["label"])) == 100


def test_a_text_that_is_kept_as_bytes(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["é".encode(), b"\xff mill"]}), tmp_path / "train.parquet")
    assert read(tmp_path, language="").texts == ["é", "mill"]


def test_texts_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no text in it; give a corpus"):
        read(tmp_path, language="")
    for name, content, said in (
        ("t.txt", b"fine\nna\xefve\n", ":2: not UTF-8"),
        ("t.txt", b"\n\n", "no text in it"),
        ("t.gz", gzip.compress(b"a line\n" * 9999)[:-30], "cannot be unpacked"),
        ("t.gz", b"no gz", "cannot be unpacked"),
    ):
        with pytest.raises(WikibiasError, match=said):
            read(put(tmp_path / name, content))


@settings(max_examples=25)
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_documents_or_refused(content: bytes) -> None:
    with TemporaryDirectory() as folder, suppress(WikibiasError):
        found = read(put(Path(folder) / "t.txt", content), most=3)
        assert 0 < len(found) <= min(3, found.of)
        assert all(text == normalise(text) != "" for text in found.texts)


def test_one_on_each_line_and_a_hash_is_part_of_it(tmp_path: Path) -> None:
    content = "\ufeff#vote\r\nland  Reform\r\n\r\n  river \r#vote"
    found = read_keywords(put(tmp_path / "words.txt", content))
    assert found.words == ["#vote", "land Reform", "river"]
    assert found.name == "words"
    assert found.source == "words.txt; 1 line left out that came again"


def test_unseen_marks_around_a_word_are_none_of_it_and_within_it_are(tmp_path: Path) -> None:
    content = "\u200fنهر\u200f\n\u200bmill\n\u00ad\nمی\u200cخواهم"
    words = read_keywords(put(tmp_path / "words.txt", content)).words
    assert words == ["نهر", "mill", "می\u200cخواهم"]


def test_a_list_of_too_many_keywords(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="more than the 10,000 keywords"):
        read_keywords(put(tmp_path / "words.txt", "\n".join(map(str, range(MOST_KEYWORDS + 1)))))


def test_templates_are_words_and_where_a_tag_stands_is_left_out() -> None:
    words = template_words(load_tagset("npov", "en"))
    assert {"pov", "peacock", "undue weight", "cleanup pr"} <= {*words}
    assert not {"pov section", "peacock inline"} & {*words}
    assert template_words(load_tagset("npov", "de")) == ["neutralität"]


def test_a_folder_that_names_no_tag_set(tmp_path: Path) -> None:
    for manifest in (None, '{"lang": "en"}'):
        if manifest:
            (tmp_path / "manifest.json").write_text(manifest)
        with pytest.raises(UsageError, match="give --keywords FILE"):
            of_tag_set(tmp_path)


FREQUENT = {f"often{number:02}": 900 + number for number in range(40)}
RARE = {f"rarely{number:02}": 1 + number % 3 for number in range(60)}
NAMES = {f"name{number:02}": 2 for number in range(30)}
FREQUENCIES = {**FREQUENT, **RARE, **NAMES}
KNOWN = {*FREQUENT, *RARE, "keyword", "absent"}


def lists(keywords: dict[str, int], seed: int = 0, number: int = 50) -> Lists:
    found = random_lists(keywords, FREQUENCIES, KNOWN, number=number, seed=seed)
    assert found is not None
    return found


def words_of(found: Lists, column: int) -> set[str]:
    return {found.words[place] for place in found.places[:, column].tolist()}


def test_each_place_has_words_of_its_frequency_and_kind() -> None:
    found = lists({"keyword": 920, "absent": 0, "unknown": 2})
    assert found.places.shape == (50, 3)
    assert words_of(found, 0) <= set(FREQUENT)
    assert all(abs(FREQUENCIES[word] - 920) <= 6 for word in words_of(found, 0))
    assert {FREQUENCIES[word] for word in words_of(found, 1)} == {1}
    assert words_of(found, 1) <= set(RARE)
    assert words_of(found, 2) <= set(NAMES)
    assert len(words_of(found, 2)) == 10


def test_no_keyword_is_drawn_in_any_case_or_with_its_mark() -> None:
    words = dict.fromkeys(["tax", "faith", "race", "gender"], 5)
    found = random_lists({"Tax": 5, "#faith": 5, "race": 5}, words, words, number=9, seed=0)
    assert found is not None
    assert found.words == ["gender"]


def test_no_word_stands_twice_in_a_list() -> None:
    found = lists({f"keyword{number}": 2 for number in range(12)})
    assert all(len(set(row)) == 12 for row in found.places.tolist())


def test_too_few_words_are_drawn_again() -> None:
    found = random_lists(
        {f"k{number}": 1 for number in range(5)}, {"one": 1, "two": 1}, (), number=3, seed=0
    )
    assert found is not None
    assert found.places.shape == (3, 5)
    assert random_lists({"k": 1}, {"k": 4}, (), number=3, seed=0) is None


def test_a_seed_draws_the_same_whatever_the_order_of_the_words() -> None:
    keywords = {"keyword": 920, "unknown": 2}
    first = lists(keywords)
    turned = random_lists(keywords, dict(reversed(FREQUENCIES.items())), KNOWN, number=50, seed=0)
    assert turned is not None
    assert first.words == turned.words
    assert first.places.tolist() == turned.places.tolist()
    assert lists(keywords, seed=1).places.tolist() != first.places.tolist()


TEXTS = [
    "the gay rights march was long",
    "a march for the rights of gay people",
    "rights rights rights",
    "東京は日本の首都である",
]


def test_words_phrases_and_tags_stand_whole() -> None:
    found = document_frequency(
        TEXTS, ["Rights", "gay rights", "#march", "right", "---", "首都", "日本の首都"]
    )
    assert found == {
        "Rights": 3,
        "gay rights": 1,
        "#march": 2,
        "right": 0,
        "---": 0,
        "首都": 1,
        "日本の首都": 1,
    }
