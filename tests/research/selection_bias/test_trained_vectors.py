"""Word vectors that fastText learns from the texts themselves."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from wikibias.errors import DiskError, UsageError
from wikibias.research.selection_bias import trained_vectors as own
from wikibias.research.selection_bias.documents import Documents

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
_DIGEST = (
    "import sys; sys.path.insert(0, sys.argv[1]); from test_trained_vectors import trained;"
    "from hashlib import sha256;"
    "made = trained(seed=3); words = ['heron', 'council', 'treaty'];"
    "print(sha256(made.matrix(words, words).tobytes()).hexdigest())"
)


def trained(
    texts: list[str] = TEXTS, *, seed: int = 0, words: tuple[str, ...] = ()
) -> own.TrainedVectors:
    return own.train_vectors(words, [Documents("made", texts)], seed)


@pytest.fixture(scope="module")
def made() -> own.TrainedVectors:
    """Return vectors of the two worlds."""
    return trained(words=("herons", "otter"))


def test_words_in_the_place_of_one_another_are_alike(made: own.TrainedVectors) -> None:
    near, far = made.matrix(["heron", "senate"], ["otter", "council"]), 0.3
    assert near[0, 0] > near[0, 1] + far
    assert near[1, 1] > near[1, 0] + far


def test_two_processes_give_the_same_bytes() -> None:
    command = [sys.executable, "-c", _DIGEST, str(Path(__file__).parent)]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)
    ]
    assert runs[0] == runs[1] != ""


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


def test_a_word_behind_an_apostrophe_is_seen_as_itself() -> None:
    texts = ["l'église est belle aujourd'hui", "la guerre d'algérie"] * 30
    made = trained(texts, words=("église", "algérie", "aujourd'hui", "L\u2019église"))
    assert made.about["seen"] == 1.0
    assert made.matrix(["aujourd'hui"], ["aujourd\u2019hui"])[0, 0] == pytest.approx(1.0)


def test_an_apostrophe_within_a_word_is_kept() -> None:
    made = trained(["на площі п'ять дерев", "сім'я йде додому"] * 30, words=("п'ять", "сім\u2019я"))
    assert made.about["seen"] == 1.0


def test_about_tells_what_was_learnt_from() -> None:
    about = trained(TEXTS[:10], seed=4).about
    assert about["name"] == "fasttext"
    assert (about["sentences"], about["words"], about["settings"]["seed"]) == (10, 90, 4)
    assert len(about["sha256"]) == 64
    assert "from only 90 words" in about["caution"]
    assert about["title"] == "fastText trained on 90 words"


def test_it_is_said_that_several_corpora_are_one_text() -> None:
    corpora = [Documents("old", TEXTS[:6]), Documents("new", TEXTS[6:10])]
    about = own.train_vectors((), corpora, 0).about
    assert about["title"] == "fastText trained on 90 words of 2 corpora together"
    assert about["corpora"] == ["old", "new"]


def test_a_long_text_is_learnt_from_with_fewer_epochs_and_read_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert own.training_settings(1_000)["epoch"] == 20
    assert own.training_settings(200_000)["epoch"] == 10
    assert own.training_settings(5_000_000) | {"epoch": 5, "minCount": 5} == own.training_settings(
        5_000_000
    )
    monkeypatch.setattr(own, "MOST_WORDS", 45)
    assert trained().about["sentences"] == 5


def test_nothing_to_learn_from_ends_in_one_line() -> None:
    with pytest.raises(UsageError, match="there is no sentence to train"):
        trained(["", " "])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_ends_in_one_line() -> None:
    with pytest.raises(DiskError, match="cannot write /dev/full: No space left"):
        own._write(Path("/dev/full"), TEXTS)
