"""Files of guidelines: what is read, those that are shipped, and what is refused and where."""

from pathlib import Path
from typing import Any

import pytest

from paths import cases
from wikibias.config.resources import config_dir, known
from wikibias.errors import UsageError
from wikibias.research.annotation.tasks import Guidelines, load_guidelines

HEAD = 'name = "stance"\ntitle = "Which stance?"\nabout = "Choose."'
QUESTION = """[[questions]]
name = "stance"
text = "Which stance does it take?"
choices = [
  { value = "for", text = "For it", key = "1" },
  { value = "against", text = "Against it", key = "2" },
]
"""


def own(folder: Path, text: str) -> Path:
    """Write a file of guidelines; return its path."""
    path = folder / "stance.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        text.strip().replace("{head}", HEAD).replace("{question}", QUESTION) + "\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("case", cases("bad_guidelines"))
def test_a_mistake_is_said_in_one_line_with_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    path = own(tmp_path, case["text"])
    with pytest.raises(UsageError) as caught:
        load_guidelines(str(path))
    said = str(caught.value)
    assert said.startswith(f"{path}:{case.get('line', '')}")
    assert case["said"] in said
    assert "\n" not in said


def shipped() -> list[Guidelines]:
    return [load_guidelines(name) for name in ("bias", "bias-types", "intents")]


def test_the_shipped_ones_ask_what_the_papers_did() -> None:
    asked = {each.name: (each.view, each.questions[0]) for each in shipped()}
    assert {name: (view, q.values, q.several) for name, (view, q) in asked.items()} == {
        "bias": ("sentence", ("biased", "neutral"), False),
        "bias-types": ("sentence", ("framing", "epistemological", "demographic"), True),
        "intents": ("pair", ("citation", "point-of-view", "clarification"), True),
    }


@pytest.mark.parametrize("guidelines", shipped(), ids=lambda each: each.name)
def test_the_shipped_ones_have_rules_and_a_practice_of_every_answer(guidelines: Guidelines) -> None:
    assert guidelines.rules
    (question,) = guidelines.questions
    practised = {value for each in guidelines.practice for value in each.answers[question.name]}
    assert practised == set(question.values)


def test_words_are_marked_with_the_types_of_bias() -> None:
    assert load_guidelines("bias-types").spans == ("framing", "epistemological", "demographic")


def test_a_users_own_are_found_by_name_and_by_path(tmp_path: Path) -> None:
    path = own(tmp_path / "configs" / "guidelines", "{head}\n{question}")
    with config_dir(tmp_path):
        assert "stance" in known("guidelines")
        assert load_guidelines("stance") == load_guidelines(str(path))


@pytest.mark.parametrize("name", ["bais", "../bias", ""])
def test_unknown_ones_are_refused_with_those_that_are_known(name: str) -> None:
    with pytest.raises(UsageError, match="Known: bias, bias-types, intents"):
        load_guidelines(name)


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        load_guidelines(str(tmp_path / "none.toml"))
