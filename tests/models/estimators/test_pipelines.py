"""What the estimators reach on the published corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union

from wikibias.config.languages import load_language
from wikibias.kits.evaluation import Predictions, score
from wikibias.models.estimators import pipelines, registry
from wikibias.models.estimators.nb_ratio import LogCountRatio
from wikibias.models.reading import parse_labels, read_files

PUBLISHED = {
    # Section 7, Table 7, Bulgarian test set: what we reach, and how near.
    "lr": ({"precision": 0.503, "recall": 0.631, "f1": 0.560}, 0.003),
    "fasttext": ({"f1": 0.516}, 0.01),
}


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


def test_the_papers_sgd_over_twenty_seeds(shared: Path) -> None:
    texts, truth = bulgarian(shared, "train")
    unseen, wanted = bulgarian(shared, "test")
    bag = pipelines.bag_of_words(
        load_language("bg").stopwords, ngrams=3, max_features=3000, idf=True
    )
    train, test = bag.fit_transform(texts), bag.transform(unseen)
    f1: list[float] = []
    for seed in range(20):
        decisions = pipelines.sgd_classifier(seed, alpha=0.001).fit(train, truth).predict(test)
        f1.append(score(wanted, Predictions(decisions.astype(float), decisions))["f1"] or 0)
    assert np.mean(f1) == pytest.approx(0.551, abs=0.01)


def test_char_lr_on_the_published_corpus(shared: Path) -> None:
    model = registry.create("char-lr").fit(*bulgarian(shared, "train"))
    texts, truth = bulgarian(shared, "test")
    found = score(truth, Predictions.of(model.predict_proba(texts)))
    assert (found["mcc"] or 0) >= 0.12
    assert (found["roc_auc"] or 0) >= 0.59


def test_an_nb_lr_saved_with_its_ngrams_as_text_still_predicts(tmp_path: Path) -> None:
    texts = ["a truly great mill", "an old mill", "a truly great road", "an old road"] * 5
    truth = np.array([True, False] * 10)
    known = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 6), sublinear_tf=True, min_df=2)
    words = TfidfVectorizer(ngram_range=(1, 3), sublinear_tf=True, min_df=2)
    older: Any = registry.create("nb-lr")
    older.pipeline = make_pipeline(
        make_union(known, words), LogCountRatio(), LogisticRegression(C=0.1, max_iter=1000)
    )
    registry.save(older.fit(texts, truth), tmp_path / "m", {})
    again = registry.load(tmp_path / "m").predict_proba(texts)
    assert np.array_equal(again, older.predict_proba(texts))
    assert np.allclose(again, pipelines.NbLr().fit(texts, truth).predict_proba(texts), atol=1e-4)
