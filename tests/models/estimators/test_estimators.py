"""The estimators: figures of the published corpus, their files, features, and added ones."""

import hashlib
import json
import os
import re
import subprocess
import tracemalloc
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skops.io
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer

from command_server import PLACE, asking, forks
from exports import wikibias
from outside import install
from paths import ROOT
from sample_sentences import examples
from wikibias.config.languages import load_language
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.evaluation import Predictions, score
from wikibias.kits.plugins import PACKAGE, package_folders
from wikibias.models.estimators import fasttext, pipelines, registry
from wikibias.models.estimators.label_models import OneByOne, load
from wikibias.models.estimators.pipelines import HashedNgrams, LogCountRatio
from wikibias.models.examples import Examples
from wikibias.models.reading import parse_labels, read_files

PUBLISHED = {
    # Section 7, Table 7, Bulgarian test set: what we reach, and how near.
    "lr": ({"precision": 0.503, "recall": 0.631, "f1": 0.560}, 0.003),
    "fasttext": ({"f1": 0.516}, 0.01),
    "char-lr": ({"mcc": 0.134, "roc_auc": 0.60}, 0.005),
}


@lru_cache
def bulgarian(shared: Path, name: str) -> tuple[list[str], np.ndarray]:
    path = shared / "wiki-bias" / f"BG-xx-{name}.txt"
    part = read_files({"train": path}, parse_labels("rem=biased,add=neutral"), print).train
    return part.texts, part.biased


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_papers_figures(name: str, shared: Path) -> None:
    model = registry.create(name, stopwords=load_language("bg").stopwords)
    model.fit(*bulgarian(shared, "train"))
    texts, truth = bulgarian(shared, "test")
    found = score(truth, Predictions.of(model.predict_proba(texts)))
    wanted, near = PUBLISHED[name]
    for metric, value in wanted.items():
        assert found[metric] == pytest.approx(value, abs=near), metric


def test_the_papers_sgd_over_ten_seeds(shared: Path) -> None:
    texts, truth = bulgarian(shared, "train")
    unseen, wanted = bulgarian(shared, "test")
    bag = pipelines.bag_of_words(
        load_language("bg").stopwords, ngrams=3, max_features=3000, idf=True
    )
    train, test = bag.fit_transform(texts), bag.transform(unseen)
    f1: list[float] = []
    for seed in range(10):
        classifier = pipelines.Sgd.build((), seed)[-1]
        decisions = classifier.fit(train, truth).predict(test)
        f1.append(score(wanted, Predictions(decisions.astype(float), decisions))["f1"] or 0)
    assert np.mean(f1) == pytest.approx(0.551, abs=0.01)


def test_an_nb_lr_saved_with_its_ngrams_as_text_still_predicts(tmp_path: Path) -> None:
    texts = ["a truly great mill", "an old mill", "a truly great road", "an old road"] * 5
    truth = np.array([True, False] * 10)
    known = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 6), sublinear_tf=True, min_df=2)
    words = TfidfVectorizer(ngram_range=(1, 3), sublinear_tf=True, min_df=2)
    older: Any = registry.create("nb-lr")
    older.pipeline = make_pipeline(
        make_union(known, words), LogCountRatio(), LogisticRegression(C=0.1, max_iter=1000)
    )
    registry.CLASSIFIERS.save(older.fit(texts, truth), tmp_path / "m", {})
    again = registry.load(tmp_path / "m").predict_proba(texts)
    assert np.array_equal(again, older.predict_proba(texts))
    assert np.allclose(again, pipelines.NbLr().fit(texts, truth).predict_proba(texts), atol=1e-4)


TRAIN = examples("train", 120, 1)
UNSEEN = examples("test", 60, 5).texts


# Of fewer features, which are soon saved and loaded.
SMALL: dict[str, Any] = {"sgd": {"max_features": 50}, "char-lr": {"longest": 3}}


@lru_cache
def trained(name: str) -> registry.Model:
    return registry.create(name, **SMALL.get(name, {})).fit(TRAIN.texts, TRAIN.biased)


def test_the_slope_of_sgd_leaves_its_decisions_alone() -> None:
    model = trained("sgd")
    plain = (
        pipelines.Sgd.build((), 0, max_features=50).fit(TRAIN.texts, TRAIN.biased).predict(UNSEEN)
    )
    assert np.array_equal(model.predict_proba(UNSEEN) > 0.5, plain)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["aaa", "bbb"], "nb-lr cannot learn from these 2 sentences: no word is in two of them"),
        ([f"水車村の{c}" for c in "橋堂塔門"], "try --model char-lr"),
    ],
)
def test_nothing_to_learn_from_is_said(texts: list[str], said: str) -> None:
    with pytest.raises(WikibiasError, match=said):
        registry.create("nb-lr").fit(texts, np.arange(len(texts)) % 2 == 0)


def describe(folder: Path, **facts: object) -> None:
    """Change what the description of a model says, as whoever forges one would."""
    described = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps({**described, **facts}))


def checksums_of(folder: Path) -> None:
    """Let the description of a model have the checksum of its file."""
    content = (folder / "model.skops").read_bytes()
    own = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    describe(folder, files={"model.skops": own})


def test_a_model_of_untrusted_types_is_refused(tmp_path: Path) -> None:
    registry.CLASSIFIERS.save(trained("lr"), tmp_path, {})
    evil = Pipeline([("run", FunctionTransformer(subprocess.getoutput))])
    skops.io.dump(evil, tmp_path / "model.skops")
    checksums_of(tmp_path)
    with pytest.raises(WikibiasError, match=r"types not to be trusted: .*getoutput"):
        registry.load(tmp_path)


def test_a_description_without_a_slope_of_sgd_is_refused(tmp_path: Path) -> None:
    registry.CLASSIFIERS.save(trained("sgd"), tmp_path, {})
    wrong: list[object] = [None, "x", [], {}, -1.0, 3]
    for slope in wrong:
        describe(tmp_path, slope=slope)
        with pytest.raises(WikibiasError, match="no slope of sgd"):
            registry.load(tmp_path)


# Those that need neither torch nor an encoder; the others have tests of their own.
PLAIN = [name for name in registry.OWN if name not in ("encoder", "gru")]


def test_saved_models_say_the_same_in_a_new_process(tmp_path: Path) -> None:
    said, folder = {}, tmp_path / "models"
    for name in PLAIN:
        model = trained(name)
        probabilities = model.predict_proba(UNSEEN)
        assert probabilities.shape == (60,)
        assert np.all((probabilities >= 0) & (probabilities <= 1))
        registry.CLASSIFIERS.save(model, folder / name, {})
        said[name] = probabilities.tolist()
    program = (
        "import sys, json; from pathlib import Path; "
        "from wikibias.models.estimators import registry; "
        "texts = json.load(sys.stdin); "
        "said = {p.name: registry.load(p).predict_proba(texts).tolist() "
        "for p in Path(sys.argv[1]).iterdir()}; print(json.dumps(said))"
    )
    done = subprocess.run(
        [asking(tmp_path), "-c", program, str(folder)],
        input=json.dumps(UNSEEN),
        env={**os.environ, PLACE: forks()},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == said


def test_a_model_of_another_kind_leaves_no_file_of_the_one_before(tmp_path: Path) -> None:
    """Nor does it take what is not of that: other files, or such as a description made up."""
    registry.CLASSIFIERS.save(trained("fasttext"), tmp_path, {})
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path.parent / "outside").touch()
    described = registry.MODEL.describe(tmp_path)
    assert list(described["files"]) == ["model.bin"]
    describe(tmp_path, files=["model.bin", "../outside", 3])
    registry.CLASSIFIERS.save(trained("lr"), tmp_path, {})
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["model.json", "model.skops", "notes.txt"]
    assert (tmp_path.parent / "outside").exists()


@pytest.mark.parametrize("name", PLAIN)
def test_a_seed_gives_one_model_to_which_an_unseen_word_is_no_trouble(name: str) -> None:
    model = trained(name)
    again = trained.__wrapped__(name).predict_proba(UNSEEN)
    assert np.array_equal(model.predict_proba(UNSEEN), again)
    assert model.predict_proba([]).shape == (0,)
    assert not np.isnan(model.predict_proba(["цял", ""])).any()


def test_an_unknown_model_or_parameter_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'char-lr'"):
        registry.create("charlr")
    with pytest.raises(UsageError, match="did you mean 'alpha'"):
        registry.create("sgd", alhpa=1)


def test_damaged_and_missing_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match=r"no model\.json in it"):
        registry.load(tmp_path)
    # fastText does not notice, and may end the process.
    for name, file in (("fasttext", "model.bin"), ("lr", "model.skops")):
        registry.CLASSIFIERS.save(trained(name), tmp_path, {})
        content = bytearray((tmp_path / file).read_bytes())
        content[len(content) // 2] ^= 1
        (tmp_path / file).write_bytes(content)
        with pytest.raises(WikibiasError, match=rf"{file}: not the file that model\.json has"):
            registry.load(tmp_path)
    (tmp_path / "model.skops").write_bytes(content[:200])
    checksums_of(tmp_path)
    with pytest.raises(WikibiasError, match="not a model that can be read"):
        registry.load(tmp_path)
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(WikibiasError, match=r"model\.json: damaged"):
        registry.load(tmp_path)


NAMES = ["tone", "length"]
LONG = np.array([len(text) for text in TRAIN.texts]) > np.median([*map(len, TRAIN.texts)])
LABELS = np.stack([TRAIN.biased, LONG], axis=1)
JUDGED = np.ones(LABELS.shape, dtype=bool)


def several(
    name: str, labels: np.ndarray = LABELS, judged: np.ndarray = JUDGED, **parameters: Any
) -> OneByOne:
    """Return a model of several labels."""
    model = OneByOne(registry.create(name), lambda: registry.create(name, **parameters))
    return model.fit_labels(TRAIN.texts, labels, judged, NAMES)


def test_each_label_is_that_of_a_model_of_its_own(tmp_path: Path) -> None:
    judged = JUDGED.copy()
    judged[:40, 1] = False
    model = several("sgd", judged=judged, seed=3, max_features=50)
    found = model.predict_labels(UNSEEN)
    assert found.shape == (60, 2)
    alone = registry.create("sgd", seed=3, max_features=50).fit(TRAIN.texts[40:], LONG[40:])
    assert np.array_equal(found[:, 1], alone.predict_proba(UNSEEN))

    for _ in range(2):  # the second takes the place of the first
        registry.CLASSIFIERS.save(model, tmp_path, {"labels": NAMES})
    assert registry.labels_of(registry.MODEL.describe(tmp_path)) == NAMES
    again: Any = load(tmp_path)[0]
    assert np.array_equal(again.predict_labels(UNSEEN), found)


def test_a_label_without_both_classes_is_named() -> None:
    nothing = np.stack([TRAIN.biased, np.zeros(len(TRAIN), dtype=bool)], axis=1)
    with pytest.raises(WikibiasError, match="label length: none of 120 sentences"):
        several("lr", nothing)


@pytest.mark.parametrize("name", ["../../model.skops", "other.skops"])
def test_one_of_several_labels_is_none_of_one_nor_of_other_files(name: str, tmp_path: Path) -> None:
    registry.CLASSIFIERS.save(several("lr"), tmp_path, {"labels": NAMES})
    with pytest.raises(WikibiasError, match="a model of several labels, not of one"):
        registry.load(tmp_path)
    first, second = registry.MODEL.describe(tmp_path)["models"]
    describe(tmp_path, models=[{**first, "files": [name]}, second])
    with pytest.raises(WikibiasError, match="names no file"):
        load(tmp_path)


def test_a_feature_is_weighted_by_the_classes_that_it_occurs_in() -> None:
    rows = csr_matrix([[3, 1, 0], [1, 1, 0], [0, 1, 1], [0, 1, 2]], dtype=np.float32)
    truth = [True, True, False, False]
    weighted = LogCountRatio(alpha=1).fit(rows, truth).transform(rows)
    # In how many sentences, not how often; plus alpha.
    assert weighted.shape == rows.shape
    assert weighted[0, 0] == pytest.approx(3 * np.log((3 / 7) / (1 / 7)))
    assert weighted[0, 1] == pytest.approx(0)
    assert weighted[3, 2] == pytest.approx(2 * np.log((1 / 7) / (3 / 7)))

    again = LogCountRatio().fit_transform(rows.copy(), truth)
    assert weighted.dtype == again.dtype == np.float32
    assert (weighted != again).nnz == 0


WORDS = st.text(alphabet="abc_é1-'.я の😀", min_size=0, max_size=12)
SENTENCES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=12)


def slowly(texts: list[str]) -> tuple[Any, Any]:
    """Return the rows of the two vectorizers, or None where one finds nothing."""
    found = []
    for how in ({"analyzer": "char_wb", "ngram_range": (2, 6)}, {"ngram_range": (1, 3)}):
        vectors = TfidfVectorizer(sublinear_tf=True, min_df=2, **how)
        try:
            found.append(vectors.fit_transform(texts))
        except ValueError:  # no word is in two sentences
            found.append(None)
    return found[0], found[1]


def row_values(*parts: Any) -> list[Any]:
    """Return the values of each row, sorted: without the order of the columns."""
    count = next(part.shape[0] for part in parts if part is not None)
    return [
        np.sort(np.concatenate([part[i].data for part in parts if part is not None]))
        for i in range(count)
    ]


@settings(max_examples=50)
@given(SENTENCES)
def test_the_values_are_those_of_the_slow_vectorizers(texts: list[str]) -> None:
    texts = [*texts, "the abbey", "an abbey"]
    expected = row_values(*slowly(texts))
    found = row_values(HashedNgrams().fit(texts).transform(texts))
    for one, other in zip(expected, found, strict=True):
        assert np.allclose(one, other, atol=1e-6)


def test_columns_are_of_the_same_sentences_as_those_of_the_slow_vectorizers() -> None:
    texts = [f"The village of {a}{b} has a {b}{a} church" for a in "abcde" for b in "vwxyz"] * 20
    expected, found = slowly(texts), HashedNgrams().fit(texts).transform(texts)
    columns = [
        sorted(
            (tuple(part[:, i].nonzero()[0]), round(float(part[:, i].sum()), 3))
            for i in range(part.shape[1])
        )
        for part in (expected[0].tocsc(), expected[1].tocsc(), found.tocsc())
    ]
    assert sorted(columns[0] + columns[1]) == columns[2]


def test_a_sentence_has_the_same_row_in_any_batch() -> None:
    texts = [f"the {n}th mill of the valley burnt in {1700 + n}" for n in range(700)]
    vectors = HashedNgrams().fit(texts)
    together = vectors.transform(texts)
    alone = vectors.transform(texts[400:401])
    assert (together[400] != alone).nnz == 0


def test_of_too_many_ngrams_those_of_the_fewest_sentences_are_left_out() -> None:
    texts = ["mill road", "mill lane", "mill road", "mill bridge", "mill bridge", "mill bridge"]
    every = HashedNgrams(ngrams=1).fit(texts)
    some = HashedNgrams(ngrams=1, most=len(every.idf_) - 1).fit(texts)
    assert len(some.idf_) < len(every.idf_)
    assert set(some.hashes_) < set(every.hashes_)
    assert some.idf_.max() < every.idf_.max()
    assert (some.transform(["road"]) != 0).nnz < (every.transform(["road"]) != 0).nnz


def test_a_vocabulary_takes_little_room() -> None:
    texts = [
        f"parish {n} lies {n * 7919 % 10007} miles north of {n * 31 % 997}" for n in range(4000)
    ]
    vectors = HashedNgrams()
    tracemalloc.start()
    try:
        vectors.fit(texts)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Measured: 12 MB; the slow vectorizers take five times as much.
    assert peak < 40e6
    assert vectors.hashes_.nbytes + vectors.idf_.nbytes == 12 * len(vectors.hashes_)


TOWNS = ("Elm", "Oak", "Ash", "Fir", "Yew", "Box")
PAIRS = [
    (f"The {word} mill of {town} burned down.", f"The mill of {town} burned down.")
    for word in ("splendid", "awful")
    for town in TOWNS
]
TEXTS = [text for pair in PAIRS for text in pair]
BIASED = np.tile([True, False], len(PAIRS))
EDITS = np.repeat(np.arange(len(PAIRS)), 2)


NEW = ["A splendid barn stood here then.", "A barn stood here then."]


@pytest.mark.parametrize("edits", [EDITS, None])
def test_it_tells_sides_apart_with_and_without_edits_and_is_loaded_again(
    edits: Any, tmp_path: Path
) -> None:
    model = registry.create("pair-lr")
    registry.fit(model, Examples("x", TEXTS, BIASED, np.arange(len(TEXTS)), edits=edits))
    first, second = model.predict_proba(NEW)
    assert first > second
    registry.CLASSIFIERS.save(model, tmp_path, {})
    assert registry.load(tmp_path).predict_proba(NEW).tolist() == [first, second]


def test_edits_with_one_side_say_nothing() -> None:
    more = [*TEXTS, "A splendid lone sentence stands here."]
    model: Any = registry.create("pair-lr", longest=2)
    model.fit_pairs(more, np.append(BIASED, False), np.append(EDITS, 99))
    first, second = model.predict_proba(NEW)
    assert first > second


GUIDE = ROOT / "docs" / "how-to" / "extend.md"
_FILE = re.compile(r"`(plugins/wikibias_length[\w./-]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)


def test_a_model_of_another_package_is_trained_searched_and_predicts_by_its_name(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the guide."""
    for name, content in _FILE.findall(GUIDE.read_text(encoding="utf-8")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    out, space = tmp_path / "m", tmp_path / "configs" / "grids" / "length.toml"
    space.parent.mkdir(parents=True)
    space.write_text("[space]\nsteepness = [0.1, -0.1]\n")
    grid = ("classify", "--model", "length", corpus, "--grid", "--config-dir", tmp_path)
    with monkeypatch.context() as patch:
        patch.syspath_prepend(tmp_path / "plugins")
        # Processes that other tests have started do not know the package.
        patch.setenv("LOKY_MAX_CPU_COUNT", "1")
        done = wikibias("classify", corpus, "--model", "majority,length", "-o", out)
        assert done.code == 0, done.err
        scores = json.loads((out / "scores.json").read_text())
        assert list(scores["models"]) == ["majority", "length"]
        described = json.loads((out / "length" / "model.json").read_text())
        assert described["parameters"] == {"steepness": 0.1}
        done = wikibias("predict", out / "length", stdin=b"one\n" + b"one two three " * 9)
        short, long = (float(line.split("\t")[0]) for line in done.out.splitlines())
        assert short < 0.5 < long
        assert "of 2 parameter combinations" in wikibias(*grid).err
        space.write_text("[space]\nsteepnes = [1]\n")
        done = wikibias(*grid, "--overwrite")
        assert done.code == 2
        assert "model 'length': got an unexpected keyword argument 'steepnes'" in done.err
    done = wikibias("predict", out / "length", stdin=b"one\n")
    assert done.code == 1
    assert "nothing installed adds a model 'length'" in done.err


BROKEN = """
class Odd:
    name = "odd"
    load = None

    def __init__(self, *, stopwords=(), seed=0):
        self.seed, self.parameters = seed, {}

    @classmethod
    def missing(cls):
        return None

    def save(self, folder):
        return {}

    def fit(self, texts, biased):
        raise ValueError("in fit")
"""
FORGETFUL = """
import numpy

class Odd:
    name = "odd"
    missing = classmethod(lambda cls: None)
    predict_proba = lambda self, texts: numpy.full(len(texts), self.share)

    def __init__(self, *, stopwords=(), seed=0):
        self.seed, self.parameters, self.share = seed, {}, 0.1

    def fit(self, texts, biased):
        self.share = 0.9
        return self

    def save(self, folder):
        return {}

    @classmethod
    def load(cls, folder, described):
        return cls(seed=described["seed"])
"""


@pytest.mark.parametrize(
    ("code", "name", "said"),
    [
        (BROKEN, "odd", "unexpected ValueError: in fit (in the model 'odd' of outside; tell its"),
        (BROKEN, "even", "outside:Odd cannot be used: its `name` is 'odd', not that of the"),
        ("1 / 0", "odd", "the model 'odd' of outside: outside:Odd cannot be used: ZeroDiv"),
        (BROKEN, "lr", "outside adds a model 'lr' (outside:Odd), which wikibias has already"),
        (FORGETFUL, "odd", "the model 'odd' is not the same once it is read back: mend its"),
        (FORGETFUL.replace("(seed=", "(sead="), "odd", "mend its save and load ("),
        ("Odd = print", "odd", "of outside: outside:Odd cannot be used: it has no 'name'; mend"),
    ],
    ids=["fit", "name", "import", "ours", "forgetful", "load", "no class"],
)
def test_a_broken_model_of_another_package_is_named(
    corpus: Path, code: str, name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry_points = f"[wikibias.estimators]\n{name} = outside:Odd\n"
    install(tmp_path, monkeypatch, code, entry_points)
    command = ("classify", corpus, "--model", name, "-o", tmp_path / "m")
    ended = wikibias(*command)
    (line,) = (line for line in ended.err.splitlines() if line.startswith("Error"))
    assert ended.code
    assert said in line
    assert "a bug in wikibias" not in line
    assert "Traceback" in wikibias("--debug", *command).err


def test_a_label_inside_a_sentence_does_not_reach_fasttext() -> None:
    model = registry.create("fasttext").fit(
        ["__label__biased the river\nx"] * 20 + TRAIN.texts, np.r_[[False] * 20, TRAIN.biased]
    )
    assert 0 <= model.predict_proba(["the river"])[0] <= 1


def test_values_that_would_end_the_process_are_refused() -> None:
    wrong: Any = {"ngrams": -1, "dim": 10**12, "epoch": "x", "rate": float("nan"), "loss": "evil"}
    for name, value in wrong.items():
        with pytest.raises(UsageError, match=f"fasttext: {name} must be"):
            registry.create("fasttext", **{name: value})


def test_a_sentence_is_one_line_without_labels() -> None:
    assert fasttext.one_line(" the __label__biased\nriver\r\n") == "the labelbiased river"


def failing() -> None:
    with fasttext.errors_named("cannot learn"):
        os.write(2, b"noise")
        raise ValueError("too few")


def test_an_error_says_what_failed_and_the_terminal_stays_clean(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(WikibiasError, match=r"^fastText cannot learn: too few$"):
        failing()
    os.write(2, b"seen")
    assert capfd.readouterr().err == "seen"


def test_words_are_learnt_with_a_seed_that_is_not_kept(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("the heron sleeps in the reed\n" * 50, encoding="utf-8")
    settings = {"dim": 4, "minCount": 1, "bucket": 100}
    defaults = fasttext.library().FastText.unsupervised_default
    before = dict(defaults)
    one, same, other = (
        fasttext.learnt_words(text, seed, settings).get_input_matrix().tobytes()
        for seed in (1, 1, 2)
    )
    assert one == same != other
    assert defaults == before


def test_a_text_to_learn_words_from_that_has_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(WikibiasError, match=r"^fastText cannot learn from this text: "):
        fasttext.learnt_words(tmp_path / "empty.txt", 0, {"bucket": 100})


def test_a_package_is_found_as_pip_or_python_calls_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made_up_model").mkdir()
    (tmp_path / "made_up_model" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("made-up-model", "made_up_model", f"{PACKAGE}made-up-model"):
        assert package_folders(name) == [tmp_path / "made_up_model"]
    assert package_folders("bisect") == []  # a module has no folder
    for name in ("no-such-package", "", "..", "no.such.package"):
        assert package_folders(name) is None


@pytest.mark.parametrize("gives", [[7.0, 0.5], [float("nan"), 0.5], [0.5]])
def test_what_is_no_probability_is_refused(gives: list[float]) -> None:
    class Odd:
        name = "odd"

        def predict_proba(self, _: Any) -> list[float]:
            return gives

    odd: Any = Odd()
    with pytest.raises(WikibiasError, match="the model 'odd' gives no probability"):
        registry.probabilities(odd, ["One.", "Two."])
