"""The GRU behind the protocol of models: it learns, repeats itself, and is read again."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from exports import wikibias
from sample_sentences import examples
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators import registry
from wikibias.models.estimators.registry import Neural, Run
from wikibias.research.neural import calibration
from wikibias.research.neural.gru_network import Network
from wikibias.research.neural.words import Vocabulary

pytestmark = [
    pytest.mark.neural,
    pytest.mark.skipif(calibration.missing() is not None, reason="needs torch"),
]

TRAIN, TEST = examples("train", 240, 1), examples("test", 60, 2)
TINY: dict[str, Any] = {
    "dim": 16,
    "hidden": 8,
    "buckets": 200,
    "epochs": 10,
    "batch": 8,
    "rate": 0.02,
    "patience": 5,
}
GIVEN = [f"{name}={value}" for name, value in TINY.items()]
WITHOUT = "this needs torch; run: pip install it"


def test_surer_sentences_count_more() -> None:
    """Of most sentences the label is wrong, and nobody is sure."""
    train = examples("train", 480, 1)
    wrong = np.random.default_rng(0).random(480) < 0.55
    given = replace(train, biased=train.biased ^ wrong, weights=np.where(wrong, 0.05, 0.95))
    for part, least, most in ((given, 0.7, 1.0), (replace(given, weights=None), 0.0, 0.6)):
        model = registry.fit(registry.create("gru", **TINY), part)
        right = (registry.probabilities(model, TEST.texts) > 0.5) == TEST.biased
        assert least <= right.mean() <= most


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"dropout": 1.0}, "dropout must be a number from 0 to 0.9"),
        ({"hidden": 0}, "hidden must be a number from 1 to 4,096"),
        ({"buckets": 10**9}, "buckets must be a number"),
        ({"epochs": True}, "epochs must be a number"),
        ({"vectors": 3}, "vectors must be a text"),
        ({"size": 3}, "no parameter 'size'"),
    ],
)
def test_values_that_make_no_network_are_refused(parameters: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        registry.create("gru", **parameters)


def test_without_the_extra_the_command_says_what_to_type(
    tsv: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "missing", lambda: WITHOUT)
    done = wikibias("classify", "--model", "gru", "--train", tsv["train"], "--test", tsv["test"])
    assert (done.code, done.errors) == (2, [f"Error: {WITHOUT}"])


@pytest.fixture(scope="module")
def model() -> registry.Model:
    return registry.create("gru", **TINY).fit(TRAIN.texts, TRAIN.biased)


class TestTrained:
    def test_it_learns(self, model: registry.Model) -> None:
        found = model.predict_proba(TEST.texts)
        assert ((found > 0.5) == TEST.biased).mean() > 0.65
        assert ((found >= 0) & (found <= 1)).all()

    def test_one_seed_gives_the_same_bytes(self, model: registry.Model, tmp_path: Path) -> None:
        again = registry.create("gru", **TINY).fit(TRAIN.texts, TRAIN.biased)
        other = registry.create("gru", seed=1, **TINY).fit(TRAIN.texts, TRAIN.biased)
        for name, each in {"one": model, "again": again, "other": other}.items():
            registry.CLASSIFIERS.save(each, tmp_path / name, {})

        def content(name: str) -> dict[str, bytes]:
            return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

        assert sorted(content("one")) == ["model.json", "model.safetensors", "vocabulary.json"]
        assert content("one") == content("again")
        assert content("one")["model.safetensors"] != content("other")["model.safetensors"]

    def test_a_new_process_says_the_same(self, model: registry.Model, tmp_path: Path) -> None:
        registry.CLASSIFIERS.save(model, tmp_path / "m", {})
        sentences = [*TEST.texts, "Unheard-of syllables!", "水車がある。", "x " * 2000]
        (tmp_path / "s.json").write_text(json.dumps(sentences))
        program = (
            "import json, sys; from pathlib import Path\n"
            "from wikibias.models.estimators import registry\n"
            "model = registry.load(Path(sys.argv[1]))\n"
            "print(json.dumps(model.predict_proba(json.load(open(sys.argv[2]))).tolist()))"
        )
        args = [sys.executable, "-c", program, str(tmp_path / "m"), str(tmp_path / "s.json")]
        done = subprocess.run(args, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == model.predict_proba(sentences).tolist()

    def test_a_sentence_alone_is_judged_as_among_others(self, model: registry.Model) -> None:
        together = model.predict_proba([*TEST.texts, "", "the " * 50])
        alone = np.concatenate([model.predict_proba([text]) for text in TEST.texts])
        assert np.allclose(together[: len(alone)], alone, atol=1e-5)
        assert len(model.predict_proba([])) == 0

    def test_a_damaged_model_is_refused(self, model: registry.Model, tmp_path: Path) -> None:
        for name in ("model.safetensors", "vocabulary.json"):
            folder = tmp_path / name
            registry.CLASSIFIERS.save(model, folder, {})
            (folder / name).write_bytes((folder / name).read_bytes()[:-20])
            with pytest.raises(WikibiasError, match="not the file that"):
                registry.load(folder)

    def test_several_labels_are_learnt_from_what_is_judged(self) -> None:
        labels = np.stack([TRAIN.biased, ~TRAIN.biased], axis=1)
        judged = np.ones_like(labels)
        judged[: len(labels) // 2, 1] = False
        model = registry.create("gru", **TINY)
        assert isinstance(model, registry.LabelLearner)
        fitted = model.fit_labels(TRAIN.texts, labels, judged, ["one", "two"])
        found = fitted.predict_labels(TEST.texts)
        assert found.shape == (len(TEST.texts), 2)
        assert ((found > 0.5) == np.stack([TEST.biased, ~TEST.biased], axis=1)).mean() > 0.65


class TestVectors:
    def test_words_of_the_file_alone_are_known_too(self, tmp_path: Path) -> None:
        """A word that train lacks is judged by its vector, which lies beside one that train has."""
        grand, plain = ("grand", "splendid", "lovely"), ("north", "local", "small")
        path = tmp_path / "v.vec"
        rows = [(word, "1 0 0.5") for word in (*grand, "superb")]
        rows += [(word, "0 1 0.5") for word in (*plain, "nearby")]
        path.write_text(f"{len(rows)} 3\n" + "".join(f"{a} {b}\n" for a, b in rows))
        texts = [f"a {word} mill {n}" for n in range(40) for word in (*grand, *plain)]
        biased = np.array([word in grand for _ in range(40) for word in (*grand, *plain)])
        model = registry.create("gru", vectors=str(path), **{**TINY, "buckets": 0})
        assert isinstance(model, Neural)
        said: list[str] = []
        model.run = Run(say=said.append)
        model.fit(texts, biased)
        words = model.trained["words"]
        assert model.trained["words_with_vector"] == 6 < words
        assert f"6 of {words} words of train have a vector" in said
        superb, nearby = model.predict_proba(["a superb mill", "a nearby mill"])
        assert superb > 0.7 > 0.3 > nearby
        registry.CLASSIFIERS.save(model, tmp_path / "m", {})
        path.unlink()
        assert registry.load(tmp_path / "m").predict_proba(["a superb mill"])[0] == superb

    def test_a_wrong_file_is_one_line(self, tsv: dict[str, Path], tmp_path: Path) -> None:
        (tmp_path / "v").write_text("mill 1 2\nbarn 1\n")
        files = ["--train", tsv["train"], "--test", tsv["test"], "-o", tmp_path / "out"]
        done = wikibias("classify", "--model", "gru", f"--set=vectors={tmp_path / 'v'}", *files)
        assert done.code == 1
        assert done.errors[-1].endswith("v:2: 1 numbers, not 2; a line is a word and its vector")


def test_the_command_trains_shows_and_explains(tsv: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = [part for given in GIVEN for part in ("--set", given)]
    files = ["--train", tsv["train"], "--test", tsv["test"], "-o", out]
    wikibias("classify", "--model", "gru", *options, *files).well()
    done = wikibias("predict", out, "--explain", "--json", stdin=b"the truly old town\n\n")
    answer = json.loads(done.out.splitlines()[0])
    assert set(answer) == {"probability", "sentence", "words"}


def test_a_class_of_five_rows_is_learnt_without_holding_out() -> None:
    lines: list[str] = []
    rows = [*np.flatnonzero(TRAIN.biased)[:5], *np.flatnonzero(~TRAIN.biased)[:40]]
    model: Any = registry.create("gru", **TINY)
    model.run = Run(say=lines.append)
    model.fit([TRAIN.texts[i] for i in rows], TRAIN.biased[rows])
    assert lines[0].startswith("too few sentences to hold some out")
    assert model.trained["held_out"] == 0
    assert 0 <= model.predict_proba(["the mill"])[0] <= 1


WORDS = Vocabulary(["mill"], ["the", "old"], 50)


def network(**more: float) -> Network:
    torch.manual_seed(0)
    given = torch.tensor([[0.0] * 4, [1.0, 2.0, 3.0, 4.0]])
    found = Network(given=given, words=2, buckets=50, width=4, hidden=3, labels=2, **more)
    found.train(False)
    return found


def batch(*sentences: list[str]) -> dict[str, torch.Tensor]:
    found = WORDS.numbered(sentences)
    longest = max(map(len, found.places))
    return {
        "known": torch.tensor(found.known),
        "learnt": torch.tensor(found.learnt),
        "grams": torch.tensor(found.grams),
        "starts": torch.tensor(found.starts),
        "places": torch.tensor([each + [0] * (longest - len(each)) for each in found.places]),
        "lengths": torch.tensor([len(each) for each in found.places]),
    }


def test_padding_changes_nothing() -> None:
    short, long = ["the", "old", "mill"], ["the", "mill"] * 9
    together, alone = network()(**batch(short, long)), network()(**batch(short))
    assert torch.allclose(together.logits[0], alone.logits[0], atol=1e-6)
    assert torch.allclose(together.attention[0, :3], alone.attention[0], atol=1e-6)
    assert together.attention[0, 3:].sum() == 0
    assert torch.allclose(together.attention.sum(1), torch.ones(2))


def test_what_nobody_judged_counts_for_no_loss() -> None:
    sentences = batch(["the", "mill"], ["old"])
    judged = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    one, other = (
        network()(**sentences, labels=torch.tensor([[1.0, x], [0.0, x]]), judged=judged).loss
        for x in (0.0, 1.0)
    )
    assert one == other > 0
    none = network()(**sentences, labels=judged, judged=torch.zeros(2, 2)).loss
    assert none == 0


def test_given_vectors_stay_as_they_are() -> None:
    trained = network(dropout=0.1, word_dropout=0.1)
    trained.train()
    optimiser = torch.optim.AdamW(trained.parameters(), lr=0.1)
    labels = torch.ones(1, 2)
    trained(**batch(["the", "mill"]), labels=labels, judged=labels).loss.backward()
    optimiser.step()
    assert trained.given[1].tolist() == [1, 2, 3, 4]
    assert not torch.equal(trained.words.weight, network().words.weight)
