"""Files of intents: what is read, what is refused and where, and the hash of the rules."""

from pathlib import Path
from typing import Any

import pytest

from paths import cases
from wikibias.config.intents import (
    FactForm,
    check_signals,
    intents,
    load_intent,
    read_intent,
    signals,
    version_of,
)
from wikibias.config.resources import config_dir
from wikibias.errors import UsageError

FACTS = {
    "summary": FactForm("edit", "text"),
    "words_inserted": FactForm("segment", "number"),
}
HEAD = 'name = "copy-edit"\nabout = "a sentence had slips in it"'
GOOD = f"""{HEAD}
[[robust]]
name = "the summary says so"
fact = "summary"
matches = "copy ?edit|typo"
[[robust]]
name = "few words"
fact = "words_inserted"
of = "every segment"
max = 3
"""


def own(folder: Path, text: str, name: str = "copy-edit") -> Path:
    """Write a file of an intent into a folder for --config-dir; return its path."""
    path = folder / "configs" / "intents" / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.strip() + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("case", cases("bad_intents"))
def test_a_mistake_is_said_in_one_line_with_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    path = own(tmp_path, case["text"].replace("{head}", HEAD))
    with pytest.raises(UsageError) as caught:
        read_intent(path, "robust", FACTS)
    said = str(caught.value)
    where = f"{path}:{case['line']}: " if "line" in case else f"{path}: "
    assert said.startswith(where)
    assert case["said"] in said
    assert "\n" not in said


def test_an_intent_of_a_user_is_a_signal(tmp_path: Path) -> None:
    own(tmp_path, GOOD)
    assert "copy-edit" not in intents()
    with config_dir(tmp_path):
        assert "copy-edit" in signals()
        assert check_signals(["tag", "copy-edit", "summary"]) == ["copy-edit"]
        found = load_intent("copy-edit", "robust", FACTS)
    assert [rule.name for rule in found.rules("robust")] == ["the summary says so", "few words"]
    assert found.rules("printed") == ()


def test_an_unknown_signal_names_the_nearest(tmp_path: Path) -> None:
    own(tmp_path, GOOD)
    with config_dir(tmp_path), pytest.raises(UsageError, match="did you mean 'copy-edit'"):
        check_signals(["copyedit"])
    with pytest.raises(UsageError, match="did you mean 'point-of-view'"):
        check_signals(["pov"])
    with pytest.raises(UsageError, match="no intent"):
        load_intent("tag", "robust", FACTS)


def test_the_hash_is_of_the_rules_and_their_order(tmp_path: Path) -> None:
    one = read_intent(own(tmp_path, GOOD), "robust", FACTS)
    assert version_of([], "robust") == ""
    assert version_of([one], "robust") == version_of([one], "robust")
    other = read_intent(own(tmp_path, GOOD.replace("max = 3", "max = 4")), "robust", FACTS)
    assert version_of([one], "robust") != version_of([other], "robust")
    assert version_of([one], "robust") != version_of([one], "printed")
