"""Files of tasks for language models: what is read, what is refused and where."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from paths import CASES
from wikibias.config.resources import config_dir, folder
from wikibias.errors import UsageError
from wikibias.research.annotation.prompts import (
    SETTINGS,
    load_prompt_task,
    prompt_tasks,
    prompting,
    read_pool,
)

BAD: list[dict[str, Any]] = tomllib.loads((CASES / "bad_prompts.toml").read_text("utf-8"))["case"]
HEAD = 'name = "tone"\nabout = "whether a sentence advertises"\nquestion = "tone"'


def own(place: Path, text: str) -> Path:
    """Write a task, with a template, into a folder for --config-dir; return its path."""
    path = place / "configs" / "prompts" / "tone.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace("{head}", HEAD).strip() + "\n", encoding="utf-8")
    path.with_suffix(".j2").write_text("{{ text }}?\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["why"])
def test_a_mistake_is_said_in_one_line_with_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    path = own(tmp_path, case["text"])
    for name in ("secret.j2", "secret.csv"):
        (tmp_path / name).write_text("text,label\n{{ text }},ad\n", encoding="utf-8")
    path.with_name("link.j2").symlink_to(tmp_path / "secret.j2")
    path.with_name("folder").symlink_to(tmp_path)
    with pytest.raises(UsageError) as caught:
        load_prompt_task(str(path))
    said = str(caught.value)
    assert said.startswith(f"{path}:{case['line']}: " if "line" in case else str(path.parent))
    assert case["said"] in said
    assert "\n" not in said


def test_a_task_of_a_user_is_found_by_its_name(tmp_path: Path) -> None:
    good = '{head}\ntemplate = "tone.j2"\nlabels = { ad = ["AD"], plain = ["PLAIN", "NO AD"] }'
    own(tmp_path, good)
    with config_dir(tmp_path):
        assert "tone" in prompt_tasks()
        task = load_prompt_task("tone")
    assert task.labels.words == {"ad": ("AD",), "plain": ("PLAIN", "NO AD")}
    assert task.labels.asked_for == ("AD", "PLAIN")
    assert (task.labels.value(" no  ad "), task.labels.value("Plain"), task.labels.value("x")) == (
        "plain",
        "plain",
        None,
    )
    assert task.template == "{{ text }}?\n"
    with pytest.raises(
        UsageError, match=r"unknown task 'tone'.*wikibias docs annotate-with-language-models"
    ):
        load_prompt_task("tone")
    with pytest.raises(UsageError, match="unknown task"):
        load_prompt_task("../prompts/bias")


def test_files_of_a_task_may_be_links_beside_it_and_shipped_ones(tmp_path: Path) -> None:
    shipped = folder("configs") / "prompts" / "pool-en.csv"
    good = f'{{head}}\ntemplate = "parts/tone.j2"\npool = "{shipped}"\n' + (
        'labels = { biased = ["AD"], neutral = ["PLAIN"] }'
    )
    kept = own(tmp_path / "kept", good)
    (kept.parent / "parts").mkdir()
    kept.with_suffix(".j2").rename(kept.parent / "parts" / "tone.j2")
    (tmp_path / "tone.toml").symlink_to(kept)
    (tmp_path / "parts").symlink_to(kept.parent / "parts")
    for path in (kept, tmp_path / "tone.toml"):
        task = load_prompt_task(str(path))
        assert (task.template, task.pool) == ("{{ text }}?\n", shipped)


@pytest.mark.parametrize("name", prompt_tasks())
def test_shipped_tasks_have_balanced_pools_that_fill_every_setting(name: str) -> None:
    task = load_prompt_task(name)
    assert task.pool is not None
    pool = read_pool(task.pool, task.labels)
    given = [example.label for example in pool]
    assert len({given.count(label) for label in task.labels.words}) == 1
    assert len({example.text for example in pool}) == len(pool)
    for setting in SETTINGS:
        for example in pool:
            made = prompting(task, setting)
            assert made.messages(example.text)[-1].content.count(example.text) == 1
    for word in (each for words in task.labels.words.values() for each in words):
        assert prompting(task, "0-shot").read(word) == task.labels.value(word)
