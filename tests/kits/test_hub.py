"""Cards with the classes of the hub, checked by its own check on a stand-in server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hub_server import hub as stand_in
from wikibias.errors import UsageError
from wikibias.kits import hub

library = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
_VALIDATE = "import sys, huggingface_hub as h; h.DatasetCard.load(sys.argv[1]).validate()"


def test_a_dataset_card_keeps_what_it_is_given() -> None:
    data = {"language": ["no"], "pretty_name": 'a: "b"\n---\n# {{ body }}', "license": ["gfdl"]}
    body = "# T {{ card_data }}\n\n| a |\n| --- |\n"
    shown = hub.dataset_card(data, body)
    card = library.DatasetCard(shown)
    assert card.data.to_dict() == data
    assert card.text.strip() == body.strip()
    assert hub.dataset_card(card.data.to_dict(), card.text.lstrip()) == shown


def test_a_model_card_has_its_scores() -> None:
    names = ("dataset_name", "dataset_split", "metric_type", "metric_value")
    rows = [("d", "dev", "f1", 0.5), ("d", "test", "f1", 0.25)]
    scores = [dict(zip(names, row, strict=True)) for row in rows]
    shown = hub.model_card({"model_name": "m", "tags": ["a"]}, scores, "text")
    found = library.ModelCard(shown).data.eval_results
    assert [(r.dataset_split, r.metric_type, r.metric_value) for r in found] == [
        ("dev", "f1", 0.5),
        ("test", "f1", 0.25),
    ]
    assert "model-index" not in hub.model_card({"model_name": "m"}, [], "text")


def test_the_check_of_the_library_asks_the_server(tmp_path: Path) -> None:
    """`validate` sends the card to the hub, which alone knows the rules; here a stand-in."""
    path = tmp_path / "README.md"
    path.write_text(hub.dataset_card({"language": ["fr"]}, "text"), encoding="utf-8")
    with stand_in() as server:
        environment = {**os.environ, "HF_ENDPOINT": server.url}
        environment.pop("HF_HUB_OFFLINE", None)
        subprocess.run([sys.executable, "-c", _VALIDATE, path], env=environment, check=True)
        (asked,) = server.cards
    assert asked["repoType"] == "dataset"
    assert asked["content"] == path.read_text(encoding="utf-8")


def test_without_the_library_one_line_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"run: pip install 'huggingface.hub>=1'"):
        hub.check()
