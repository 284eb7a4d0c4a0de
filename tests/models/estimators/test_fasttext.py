"""fastText behind the protocol of models."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sample_sentences import examples
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import PACKAGE, package_folders
from wikibias.models.estimators import fasttext, registry

TRAIN = examples("train", 240, 1)


def test_a_label_inside_a_sentence_does_not_reach_fasttext() -> None:
    model = registry.create("fasttext").fit(
        ["__label__biased the river\nx"] * 20 + TRAIN.texts, np.r_[[False] * 20, TRAIN.biased]
    )
    assert 0 <= model.predict_proba(["the river"])[0] <= 1


@pytest.mark.parametrize(
    "parameters",
    [{"ngrams": -1}, {"dim": 10**12}, {"epoch": "x"}, {"rate": float("nan")}, {"loss": "evil"}],
)
def test_values_that_would_end_the_process_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"fasttext: {next(iter(parameters))} must be"):
        registry.create("fasttext", **parameters)


def test_a_damaged_model_is_not_given_to_fasttext(tmp_path: Path) -> None:
    """It does not notice, and may end the process."""
    registry.CLASSIFIERS.save(
        registry.create("fasttext", dim=2).fit(TRAIN.texts, TRAIN.biased), tmp_path, {}
    )
    content = bytearray((tmp_path / "model.bin").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "model.bin").write_bytes(content)
    with pytest.raises(WikibiasError, match=r"model\.bin: not the file that model\.json"):
        registry.load(tmp_path)


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


class TestPackageFolders:
    @pytest.mark.parametrize("name", ["made-up-model", "made_up_model", f"{PACKAGE}made-up-model"])
    def test_finds_a_package_as_pip_or_python_calls_it(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "made_up_model").mkdir()
        (tmp_path / "made_up_model" / "__init__.py").touch()
        monkeypatch.syspath_prepend(tmp_path)
        assert package_folders(name) == [tmp_path / "made_up_model"]

    def test_a_module_has_no_folder(self) -> None:
        assert package_folders("bisect") == []

    @pytest.mark.parametrize("name", ["no-such-package", "", "..", "no.such.package"])
    def test_what_is_not_installed_is_told_from_it(self, name: str) -> None:
        assert package_folders(name) is None
