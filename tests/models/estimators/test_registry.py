from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import skops.io
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from sample_sentences import made_up
from wikibias.config.languages import load_language
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators import pipelines, registry
from wikibias.models.evaluation.metrics import Predictions, score
from wikibias.models.examples import parse_labels, read_tsv
from wikibias.models.explanation import drivers

ROWS = made_up(240, 1)
TEXTS = [text for _, text in ROWS]
BIASED = np.array([label == "biased" for label, _ in ROWS])
UNSEEN = [text for _, text in made_up(60, 5)]


def trained(name: str, seed: int = 0) -> registry.Model:
    return registry.create(name, seed=seed).fit(TEXTS, BIASED)


def test_saved_models_say_the_same_in_a_new_process(tmp_path: Path) -> None:
    said = {}
    for name in registry.OWN:
        model = trained(name)
        probabilities = model.predict_proba(UNSEEN)
        assert probabilities.shape == (60,)
        assert np.all((probabilities >= 0) & (probabilities <= 1))
        registry.save(model, tmp_path / name, {})
        said[name] = probabilities.tolist()
    program = (
        "import sys, json; from pathlib import Path; "
        "from wikibias.models.estimators import registry; "
        "texts = json.load(sys.stdin); "
        "said = {p.name: registry.load(p).predict_proba(texts).tolist() "
        "for p in Path(sys.argv[1]).iterdir()}; print(json.dumps(said))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        input=json.dumps(UNSEEN),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == said


@pytest.mark.parametrize("name", registry.OWN)
def test_the_same_seed_gives_the_same_model_twice_in_a_process(name: str) -> None:
    assert np.array_equal(trained(name).predict_proba(UNSEEN), trained(name).predict_proba(UNSEEN))


@pytest.mark.parametrize("name", registry.OWN)
def test_no_sentence_and_an_unseen_word_are_no_trouble(name: str) -> None:
    model = trained(name)
    assert model.predict_proba([]).shape == (0,)
    assert not np.isnan(model.predict_proba(["цял", ""])).any()


def test_the_slope_of_sgd_leaves_its_decisions_alone() -> None:
    model = trained("sgd")
    plain = pipelines.Sgd.build((), 0).fit(TEXTS, BIASED).predict(UNSEEN)
    assert np.array_equal(model.predict_proba(UNSEEN) > 0.5, plain)


def test_nothing_to_learn_from_is_said() -> None:
    with pytest.raises(WikibiasError, match="nb-lr cannot learn from these 2 sentences"):
        registry.create("nb-lr").fit(["aaa", "bbb"], np.array([True, False]))


def test_sentences_without_spaces_are_sent_to_the_model_of_characters() -> None:
    with pytest.raises(WikibiasError, match="try --model char-lr"):
        registry.create("nb-lr").fit(
            [f"水車村の{c}" for c in "橋堂塔門"], np.array([True, False] * 2)
        )


def test_an_unknown_model_or_parameter_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'char-lr'"):
        registry.create("charlr")
    with pytest.raises(UsageError, match="did you mean 'alpha'"):
        registry.create("sgd", alhpa=1)


def test_a_model_of_untrusted_types_is_refused(tmp_path: Path) -> None:
    registry.save(trained("lr"), tmp_path, {})
    evil = Pipeline([("run", FunctionTransformer(subprocess.getoutput))])
    skops.io.dump(evil, tmp_path / "model.skops")
    with pytest.raises(WikibiasError, match=r"types not to be trusted: .*getoutput"):
        registry.load(tmp_path)


def test_damaged_and_missing_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match=r"no model\.json in it"):
        registry.load(tmp_path)
    registry.save(trained("lr"), tmp_path, {})
    half = (tmp_path / "model.skops").read_bytes()[:200]
    (tmp_path / "model.skops").write_bytes(half)
    with pytest.raises(WikibiasError, match="not a model that can be read"):
        registry.load(tmp_path)
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(WikibiasError, match=r"model\.json: damaged"):
        registry.load(tmp_path)


def test_the_words_that_give_it_away_are_named() -> None:
    words = drivers(trained("nb-lr"), "the town opened a truly north school")
    assert words[0][0] == "truly"
    assert words[0][1] > 0


def test_a_label_inside_a_sentence_does_not_reach_fasttext() -> None:
    model = registry.create("fasttext").fit(
        ["__label__biased the river\nx"] * 20 + TEXTS, np.r_[[False] * 20, BIASED]
    )
    assert 0 <= model.predict_proba(["the river"])[0] <= 1


def test_nothing_in_the_package_imports_pickle() -> None:
    for path in Path(registry.__file__).parents[2].rglob("*.py"):
        assert "pickle" not in path.read_text(encoding="utf-8").replace("pickle is", ""), path


PUBLISHED = {
    # Section 7, Table 7, Bulgarian test set: what we reach, and how near.
    "lr": ({"precision": 0.503, "recall": 0.631, "f1": 0.560}, 0.003),
    "fasttext": ({"f1": 0.516}, 0.01),
}


def bulgarian(shared: Path, name: str) -> tuple[list[str], np.ndarray]:
    path = shared / "wiki-bias" / f"BG-xx-{name}.txt"
    part = read_tsv(path, parse_labels("rem=biased,add=neutral"))
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


def test_the_papers_sgd_over_twenty_seeds(shared: Path) -> None:
    texts, truth = bulgarian(shared, "train")
    unseen, wanted = bulgarian(shared, "test")
    bag = pipelines.bag_of_words(
        load_language("bg").stopwords, ngrams=3, max_features=3000, idf=True
    )
    train, test = bag.fit_transform(texts), bag.transform(unseen)
    f1 = []
    for seed in range(20):
        said = pipelines.sgd_classifier(seed, alpha=0.001).fit(train, truth).predict(test)
        f1.append(score(wanted, Predictions(said.astype(float), said))["f1"])
    assert np.mean(f1) == pytest.approx(0.551, abs=0.01)


def test_char_lr_on_the_published_corpus(shared: Path) -> None:
    model = registry.create("char-lr").fit(*bulgarian(shared, "train"))
    texts, truth = bulgarian(shared, "test")
    found = score(truth, Predictions.of(model.predict_proba(texts)))
    assert found["mcc"] >= 0.12
    assert found["roc_auc"] >= 0.59
