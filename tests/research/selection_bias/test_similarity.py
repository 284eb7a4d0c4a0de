"""Cosines of word vectors, and the figures that were published for some."""

import csv
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from made_documents import Vectors, fit_quickly
from made_topics import as_array
from wikibias.errors import DiskError, UsageError, WikibiasError
from wikibias.research.selection_bias import similarity as own
from wikibias.research.selection_bias.documents import Documents, Lists
from wikibias.research.selection_bias.similarity import (
    FIGURES,
    Missing,
    Similarity,
    SimilarityTable,
    by_topic,
    cosines,
    lookup_forms,
    mean_of_known,
    read_vectors,
    unit,
)


def test_by_hand() -> None:
    found = cosines(unit([[3, 4], [-4, -3]]), unit([[1, 0], [0, 2]]))
    assert np.allclose(found, [[0.6, 0.8], [-0.8, -0.6]])


@given(arrays(np.float64, (3, 4), elements=st.floats(allow_nan=True, allow_infinity=True)))
@pytest.mark.hypothesis
def test_a_cosine_is_a_cosine_or_none(rows: np.ndarray) -> None:
    found = cosines(unit(rows), unit(rows))
    known = found[~np.isnan(found)]
    assert (np.abs(known) <= 1).all()
    assert np.allclose(np.diag(found)[~np.isnan(np.diag(found))], 1)


VECTORS = {
    "river": [3.0, 4.0],
    "Mill": [4.0, 3.0],
    "mill": [-4.0, 3.0],
    "gun_control": [0.0, 1.0],
    "white": [1.0, 0.0],
    "house": [0.0, 1.0],
    "pro-life": [1.0, 0.0],
    "zero": [0.0, 0.0],
    "none": [float("nan"), 1.0],
    "endless": [float("inf"), 1.0],
    "up": [1.0, 0.0],
    "down": [-1.0, 0.0],
}


def similarity(folder: Path, *words: str) -> Similarity:
    return read_vectors(as_array(folder / "v.npy", VECTORS), words)


def figures(
    found: Similarity, topics: list[list[str]], keywords: list[str], missing: Missing
) -> dict[str, float]:
    table = SimilarityTable(found, [word for words in topics for word in words], keywords)
    number = max(map(len, topics))
    each = by_topic(topics, [number], Lists.of(keywords), table)[number, missing]
    return dict(zip(FIGURES, mean_of_known(each)[:, 0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ("zero", {"b1": "28/117", "mean_max": "523/780", "max": "38/39"}),
        ("skip", {"b1": "139/315", "mean_max": "847/1170", "mean_max_floor0": "185/234"}),
    ],
)
def test_to_the_fraction(
    missing: Missing, expected: dict[str, str], shared: Path, tmp_path: Path
) -> None:
    toy = json.loads((shared / "selection" / "toy_b1_b2.json").read_text("utf-8"))
    path = as_array(tmp_path / "v.npy", toy["vectors"])
    words = {*toy["keywords"], *(word for topic in toy["topics"] for word in topic)}
    found = read_vectors(path, words)
    got = figures(found, toy["topics"], toy["keywords"], missing)
    for figure, fraction in expected.items():
        assert Fraction(got[figure]).limit_denominator(2000) == Fraction(fraction)


def test_every_figure_of_a_real_run(shared: Path, tmp_path: Path) -> None:
    """Of shared topics, keyword lists and vectors of GloVe."""
    folder = shared / "selection"
    names = ("babe_topics", "babe_keywords", "hs_bias_eval_keywords", "expected")
    topics, ours, theirs, known = (
        json.loads((folder / f"{name}.json").read_text("utf-8")) for name in names
    )
    with gzip.open(folder / "glove_6b_50d_subset.csv.gz", "rt", encoding="utf-8") as file:
        rows = {word: [float(each) for each in row] for word, *row in csv.reader(file)}
    lists = {
        "babe_retrieval_keywords": ours["single_words"],
        "hs_bias_eval_english": theirs["lists"]["keywords_english"],
        "unrelated_words": ours["unrelated_words"],
    }
    asked = {word for each in topics["topics"].values() for topic in each for word in topic}
    found = read_vectors(as_array(tmp_path / "v.npy", rows), asked.union(*lists.values()))
    compared = 0
    for name, settings in known["real_run"]["values"].items():
        for setting, by_missing in settings.items():
            number, words = (part.partition("=")[2] for part in setting.split(","))
            cut = [topic[: int(words)] for topic in topics["topics"][number]]
            for missing, expected in by_missing.items():
                got = figures(found, cut, lists[name], missing)
                for figure in ("B1", "B2_mean_max_floor0", "B2_max"):
                    measured = got[figure.removeprefix("B2_").lower()]
                    assert measured == pytest.approx(expected[figure], abs=1e-5)
                compared += 1
    assert compared == 30


def test_as_it_is_then_lower_cased(tmp_path: Path) -> None:
    words = ["Mill", "MILL", "River"]
    found = similarity(tmp_path, *words).matrix(words, ["river"])
    assert np.allclose(found.ravel(), [0.96, 0.0, 1.0])


def test_a_phrase_has_its_own_vector_or_the_mean_of_its_words(tmp_path: Path) -> None:
    words = ["gun control", "White House", "white xyz", "xyz abc", "pro-life", "pro-house"]
    found = similarity(tmp_path, *words)
    first = found.matrix(words, ["white"]).ravel()
    assert np.allclose(first[[0, 1, 2, 4]], [0.0, 2**-0.5, 1.0, 1.0])
    assert np.isnan(first[[3, 5]]).all()
    assert found.knows(words).tolist() == [True, True, True, False, True, False]


def test_zeros_and_what_is_no_number_are_no_vector(tmp_path: Path) -> None:
    words = ["zero", "none", "endless", "absent", "up down"]
    found = similarity(tmp_path, *words)
    assert not found.knows(words).any()
    assert np.isnan(found.matrix(words, ["river"])).all()
    assert found.matrix([], ["river"]).shape == (0, 1)


def test_it_says_what_it_is(tmp_path: Path) -> None:
    path = as_array(tmp_path / "v.npy", VECTORS)
    found = read_vectors(path, ["river", "white house", "xyz"])
    assert found.about == {
        "name": "vectors",
        "title": "cosine of v.npy",
        "file": "v.npy",
        "sha256": sha256((tmp_path / "v.npy").read_bytes()).hexdigest(),
        "dimensions": 2,
        "words": 3,
        "with_vector": 2,
    }


MADE = {"islam": [1.0, 0.0], "tax": [0.0, 1.0], "faith": [3.0, 4.0]}


def test_words_and_keywords_in_any_order_and_as_often_as_asked() -> None:
    similarity = Vectors(MADE)
    table = SimilarityTable(similarity, ["tax", "islam"], ["faith", "tax"])
    assert np.allclose(table.of(["tax", "islam"], ["faith", "tax"]), [[0.8, 1], [0.6, 0]])
    assert np.allclose(table.of(["islam", "tax"], ["tax"]), [[0], [1]])
    assert table.of([], ["tax"]).shape == (0, 1)
    assert similarity.asked == 1


def test_the_same_word_is_one_without_a_vector_whatever_its_case() -> None:
    table = SimilarityTable(Vectors(MADE), ["nameless", "tax"], ["Nameless", "islam"])
    found = table.of(["nameless", "tax"], ["Nameless", "islam"])
    assert np.array_equal(found, [[1, np.nan], [np.nan, 0]], equal_nan=True)


def test_the_order_of_a_set_changes_nothing() -> None:
    words = [f"word{number}" for number in range(50)]
    vectors = {word: [1.0, float(place)] for place, word in enumerate(words)}
    first, second = (
        SimilarityTable(Vectors(vectors), given, given).of(words, words)
        for given in (set(words), words)
    )
    assert np.array_equal(first, second)


def test_as_it_is_then_lower_cased_and_the_words_of_a_phrase_may_be_joined() -> None:
    assert lookup_forms("Islam") == ["Islam", "islam"]
    assert lookup_forms("pro-life") == ["pro-life"]
    assert lookup_forms("gun  Control") == [
        *("gun  Control", "gun  control"),
        *("gun Control", "gun control"),
        *("gun_Control", "gun_control"),
        *("gun-Control", "gun-control"),
    ]


def test_gensim_reads_text_and_binary_forms(tmp_path: Path) -> None:
    pytest.importorskip("gensim", reason="needs the extra `vectors`")
    words = ["river", "Mill", "white"]
    rows = np.array([VECTORS[word] for word in words], np.float32)
    lines = [f"{word} {row[0]} {row[1]}" for word, row in zip(words, rows, strict=True)]
    packed = b"".join(
        f"{word} ".encode() + row.tobytes() + b"\n" for word, row in zip(words, rows, strict=True)
    )
    for name, content in {
        "glove.txt": "\n".join([*lines, ""]).encode(),
        "counted.txt": "\n".join(["3 2", *lines, ""]).encode(),
        "packed.txt.gz": gzip.compress("\n".join(["3 2", *lines, ""]).encode()),
        "binary.bin": b"3 2\n" + packed,
    }.items():
        (tmp_path / name).write_bytes(content)
        found = read_vectors(tmp_path / name, words)
        assert found.matrix(["mill", "Mill"], ["river"])[1] == pytest.approx(0.96), name
        assert found.knows(["river", "absent"]).tolist() == [True, False]


def test_words_that_are_not_beside_an_array_or_too_few(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.ones((2, 3)))
    with pytest.raises(UsageError, match=r"Put them, one a line, into v\.txt"):
        read_vectors(tmp_path / "v.npy", ())
    (tmp_path / "v.txt").write_text("river\n", "utf-8")
    with pytest.raises(WikibiasError, match=r"1 words, and v\.npy has 2 vectors"):
        read_vectors(tmp_path / "v.npy", ())


def test_without_gensim_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    (tmp_path / "v.txt").write_text("river 1 2\n", "utf-8")
    with pytest.raises(UsageError, match=r"gensim.* is not installed; run: "):
        read_vectors(tmp_path / "v.txt", ())


# Two worlds whose words never meet, each with words in the place of one another.
TEXTS = [
    f"the {beast} {does} in the {place} near its {kin}"
    for beast in ("heron", "otter", "badger")
    for does in ("sleeps", "feeds", "hides")
    for place in ("reed", "burrow", "meadow")
    for kin in ("brood", "cubs")
] + [
    f"a {office} {acts} upon {matter} before an {time}"
    for office in ("senate", "council", "cabinet")
    for acts in ("votes", "rules", "decides")
    for matter in ("taxes", "treaties", "statutes")
    for time in ("election", "inquiry")
]
_ELSEWHERE = {"PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
_DIGEST = """import json, sys
from hashlib import sha256
from wikibias.research.selection_bias import documents, similarity
similarity._SETTINGS["bucket"] = 10_000
texts, known, words = json.load(sys.stdin)
made = similarity.train_vectors(known, [documents.Documents("made", texts)], 0)
print(sha256(made.matrix(words, words).tobytes()).hexdigest())
"""


KNOWN = ("herons", "otter")


@pytest.fixture(scope="module", autouse=True)
def few_pieces() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        fit_quickly(patch)
        yield


def trained(
    texts: list[str] = TEXTS, *, seed: int = 0, words: tuple[str, ...] = ()
) -> own.TrainedVectors:
    return own.train_vectors(words, [Documents("made", texts)], seed)


@pytest.fixture(scope="module")
def made() -> own.TrainedVectors:
    """Return vectors of the two worlds."""
    return trained(words=KNOWN)


def test_words_in_the_place_of_one_another_are_alike(made: own.TrainedVectors) -> None:
    near, far = made.matrix(["heron", "senate"], ["otter", "council"]), 0.3
    assert near[0, 0] > near[0, 1] + far
    assert near[1, 1] > near[1, 0] + far


def test_two_processes_give_the_same_bytes(made: own.TrainedVectors) -> None:
    words = ["heron", "council", "treaty"]
    done = subprocess.run(
        [sys.executable, "-c", _DIGEST],
        input=json.dumps([TEXTS, KNOWN, words]),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **_ELSEWHERE},
    )
    assert done.stdout.strip() == sha256(made.matrix(words, words).tobytes()).hexdigest()


def test_the_seed_tells_apart(made: own.TrainedVectors) -> None:
    words = ["heron", "council"]
    assert not np.array_equal(trained(seed=1).matrix(words, words), made.matrix(words, words))


def test_a_word_that_the_text_has_not_is_known_by_its_pieces(made: own.TrainedVectors) -> None:
    assert made.knows(["herons", "Herons!", "herons of the reeds", "治水"]).tolist() == [
        *[True] * 3, False
    ]  # fmt: skip
    assert made.matrix(["herons"], ["heron"])[0, 0] > 0.8
    assert made.about["seen"] == 0.5
    assert made.seen(["herons", "otter"]).tolist() == [False, True]


def test_what_has_no_word_has_no_similarity(made: own.TrainedVectors) -> None:
    assert made.knows(["", "!?", "heron" * 1_000]).tolist() == [False] * 3
    assert np.isnan(made.matrix(["", "otter"], ["heron", "!?"])[[0, 0, 1], [0, 1, 1]]).all()


def test_a_phrase_has_the_mean_of_its_words(made: own.TrainedVectors) -> None:
    found = made.matrix(["heron otter", "otter heron"], ["heron", "otter", "senate"])
    assert found[0].tolist() == pytest.approx(found[1].tolist())
    assert found[0, :2].min() > found[0, 2]


def test_of_a_script_without_spaces_words_are_pairs_of_letters() -> None:
    texts = ["神社の建物は古い", "神社の祭りは古い", "議会の選挙は近い", "議会の投票は近い"] * 20
    made = trained(texts, words=("神社", "建物の"))
    assert made.knows(["神社", "神社の建物"]).all()
    assert made.about["seen"] == 0.5  # "物の" is nowhere


def test_a_word_behind_an_apostrophe_is_seen_as_itself_and_one_within_a_word_is_kept() -> None:
    texts = ["l'église est belle aujourd'hui", "la guerre d'algérie"] * 30
    made = trained(texts, words=("église", "algérie", "aujourd'hui", "L\u2019église"))
    assert made.about["seen"] == 1.0
    assert made.matrix(["aujourd'hui"], ["aujourd\u2019hui"])[0, 0] == pytest.approx(1.0)
    made = trained(["на площі п'ять дерев", "сім'я йде додому"] * 30, words=("п'ять", "сім\u2019я"))
    assert made.about["seen"] == 1.0


def test_about_tells_what_was_learnt_from() -> None:
    corpora = [Documents("old", TEXTS[:6]), Documents("new", TEXTS[6:10])]
    about = own.train_vectors((), corpora, 4).about
    assert about["name"] == "fasttext"
    assert about["corpora"] == ["old", "new"]
    assert (about["sentences"], about["words"], about["settings"]["seed"]) == (10, 90, 4)
    assert len(about["sha256"]) == 64
    assert "from only 90 words" in about["caution"]
    assert about["title"] == "fastText trained on 90 words of 2 corpora together"


def test_a_long_text_has_fewer_epochs_and_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [own.training_settings(words) for words in (1_000, 200_000, 5_000_000)]
    assert [each["epoch"] for each in found] == [20, 10, 5]
    assert found[2]["minCount"] == 5
    monkeypatch.setattr(own, "MOST_LEARNT", 45)
    assert trained().about["sentences"] == 5


def test_nothing_to_learn_from_ends_in_one_line() -> None:
    with pytest.raises(UsageError, match="there is no sentence to train"):
        trained(["", " "])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_ends_in_one_line() -> None:
    with pytest.raises(DiskError, match="cannot write /dev/full: No space left"):
        own._write(Path("/dev/full"), TEXTS)
