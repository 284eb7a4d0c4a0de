"""Lists of keywords: files, lexicons, the tag set of a corpus, the words of its classes."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import UsageError, WikibiasError
from wikibias.research.selection_bias.keywords import (
    LONGEST,
    MOST,
    Lists,
    document_frequency,
    of_tag_set,
    random_lists,
    read_keywords,
    template_words,
)
from wikibias.tags.tagset import load_tagset


def written(folder: Path, content: str | bytes, name: str = "words.txt") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_one_on_each_line_and_a_hash_is_part_of_it(tmp_path: Path) -> None:
    found = read_keywords(written(tmp_path, "\ufeff#vote\r\nland  reform\r\n\r\n  river \r#vote"))
    assert found.words == ["#vote", "land reform", "river"]
    assert found.name == "words"
    assert found.source == "words.txt; 1 line left out that came again"


def test_letter_case_is_kept(tmp_path: Path) -> None:
    assert read_keywords(written(tmp_path, "US\nus")).words == ["US", "us"]


def test_unseen_marks_around_a_word_are_none_of_it_and_within_it_are(tmp_path: Path) -> None:
    content = "\u200fنهر\u200f\n\u200bmill\n\u00ad\nمی\u200cخواهم"
    words = read_keywords(written(tmp_path, content)).words
    assert words == ["نهر", "mill", "می\u200cخواهم"]


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        ("", "a.txt", "no keyword in it"),
        ("\n \n", "a.txt", "no keyword in it"),
        (b"%PDF-1.7\n1 0 obj", "a.pdf", "a PDF"),
        (b"a\0b", "a.txt", "not a text file"),
        ("caf\u00e9".encode("latin-1"), "a.txt", "not UTF-8"),
        ("x" * (LONGEST + 1), "a.txt", "a.txt:1: no keyword, but a text"),
        ("good\nb\x1b[2Jad", "a.txt", "a.txt:2: no keyword"),
        ("\n".join(map(str, range(MOST + 1))), "a.txt", "more than the 10,000 keywords"),
    ],
)
def test_what_is_no_list(content: str | bytes, name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(WikibiasError) as raised:
        read_keywords(written(tmp_path, content, name))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@given(st.lists(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=9)))
def test_what_is_written_is_read(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = read_keywords(written(Path(folder), "\n".join([*words, "last"]))).words
    assert len(set(found)) == len(found)
    assert found


def test_a_name_of_no_file_may_be_a_slip(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean 'tag-set'"):
        read_keywords(Path("tagset"))
    with pytest.raises(UsageError, match=r"no such file$"):
        read_keywords(tmp_path / "words.txt")


def test_templates_are_words_and_where_a_tag_stands_is_left_out() -> None:
    words = template_words(load_tagset("npov", "en"))
    assert {"pov", "peacock", "undue weight", "cleanup pr"} <= {*words}
    assert not {"pov section", "peacock inline"} & {*words}
    assert template_words(load_tagset("npov", "de")) == ["neutralität"]


def test_a_folder_that_names_no_tag_set(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give --keywords FILE"):
        of_tag_set(tmp_path)
    (tmp_path / "manifest.json").write_text('{"lang": "en"}')
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


def test_no_text_has_any() -> None:
    assert document_frequency([], ["a"]) == {"a": 0}
