"""What a browser may send, what of it becomes a row, and the server."""

import http.client
import json
import os
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import pytest

from labelling_server import Reply, ask, serving
from put import put
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.answer_store import AnswerStore, answer_store
from wikibias.research.annotation.labelling import rounds, server
from wikibias.research.annotation.labelling.rounds import Round
from wikibias.research.annotation.labelling.server import (
    LARGEST_BODY,
    Guard,
    address_of,
    labelling_app,
    listening,
)
from wikibias.research.annotation.tasks import Guidelines, Task, load_guidelines, ordered, own_tasks
from wikibias.research.language_models.asking import is_loopback

BIAS, TYPES = load_guidelines("bias"), load_guidelines("bias-types")
TEXT = "The dreadful regime fell."
NONE: dict[str, Any] = {"answers": {"bias_types": []}}


def judged(said: dict[str, Any], guidelines: Guidelines = TYPES) -> dict[str, Any]:
    """Return the row that an answer becomes."""
    return rounds.judgement(guidelines, TEXT, rounds.read_reply({"place": 0, **said}))


def test_an_answer_becomes_a_row_in_the_order_of_the_guidelines() -> None:
    one = judged({"answers": {"bias": "biased"}, "comment": " why \n"}, BIAS)
    assert one == {"bias": "biased", "comment": "why"}
    fell = {"start": 13, "end": 19, "label": "framing"}
    dreadful = {"start": 4, "end": 12, "label": "framing"}
    types = ["demographic", "framing", "framing"]
    assert judged({"answers": {"bias_types": types}, "spans": [fell, fell, dreadful]}) == {
        "bias_types": ["framing", "demographic"],
        "spans": [dreadful, fell],
        "comment": "",
    }
    assert judged(NONE)["bias_types"] == []


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"answers": []},
        {"answers": {}},
        {"answers": {"bias_types": "framing"}},
        {"answers": {"bias_types": ["other"]}},
        {"answers": {"bias_types": [{}]}},
        {**NONE, "comment": "x" * (rounds.LONGEST_COMMENT + 1)},
        {**NONE, "comment": "\ud800"},
        {**NONE, "spans": [{}] * 501},
        *(
            {**NONE, "spans": [{"start": start, "end": end, "label": "framing"}]}
            for start, end in ((0, 99), (3, 3), (-1, 3), (True, 3))
        ),
        {**NONE, "spans": [{"start": 0, "end": 3, "label": "loaded"}]},
    ],
)
def test_what_is_no_answer_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        judged(said)


def test_a_question_must_be_answered() -> None:
    with pytest.raises(UsageError, match="Choose one of biased, neutral"):
        judged({"answers": {}}, BIAS)


def test_practice_says_whether_it_was_right_and_why() -> None:
    practice = TYPES.practice[0]
    told = rounds.feedback(TYPES, practice, {"bias_types": ["framing"]})
    assert told == {
        "right": False,
        "said": "Framing",
        "expected": "Framing, Epistemological",
        "why": practice.why,
    }
    assert rounds.feedback(TYPES, practice, {"bias_types": ["epistemological", "framing"]})["right"]
    assert rounds.feedback(TYPES, practice, {"bias_types": []})["said"] == "None of these"


TASKS = [Task(item=f"s{number}", text="x") for number in range(40)]


def items(tasks: list[Task], annotator: str) -> list[str]:
    return [task.item for task in ordered(own_tasks(tasks, annotator), annotator)]


def test_the_order_is_the_same_each_time_and_another_for_each() -> None:
    mila = items(TASKS, "mila")
    assert mila == items(list(reversed(TASKS)), "mila")
    assert sorted(mila) == sorted(task.item for task in TASKS)
    assert mila != items(TASKS, "ivan")
    # More items change the order of no others.
    known = {task.item for task in TASKS[:20]}
    assert [item for item in mila if item in known] == items(TASKS[:20], "mila")


@pytest.mark.parametrize("annotator", ["mila", "ivan", "ada"])
def test_a_repeat_stands_far_from_what_it_repeats(annotator: str) -> None:
    repeats = [
        Task(item=f"r{number}", text="x", kind="repeat", repeat_of=f"s{number}")
        for number in range(8)
    ]
    found = items([*TASKS, *repeats], annotator)
    gaps = [abs(found.index(f"r{number}") - found.index(f"s{number}")) for number in range(8)]
    assert min(gaps) >= 8  # of 48, a sixth


def test_practice_comes_first_as_it_stands_and_a_repeat_of_nothing_is_an_item() -> None:
    practice = [Task(item=name, text="x", kind="practice") for name in ("z", "a")]
    assert items([*TASKS[:3], *practice], "mila")[:2] == ["z", "a"]
    assert items([Task(item="r", text="x", kind="repeat", repeat_of="gone")], "mila") == ["r"]


ROUND = [Task(item=f"s{number}", text=f"Mill {number} is fine.") for number in range(4)]
BIASED = rounds.read_reply({"place": 0, "answers": {"bias": "biased"}})
PRACTICE = len(BIAS.practice)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerStore]:
    with answer_store(tmp_path / "a.db") as found:
        yield found


def test_practice_comes_first_with_what_guidelines_say_and_is_no_answer(store: AnswerStore) -> None:
    work = rounds.Round(ROUND, BIAS, store)
    state = work.state("mila")
    for number in range(1, PRACTICE + 1):
        assert state["practice"] == {"number": number, "of": PRACTICE}
        state = work.answer("mila", state["place"], BIASED)
        assert state["feedback"]["why"] == BIAS.practice[number - 1].why
    assert state["practice"] is None
    assert (state["done"], state["of"]) == (0, 4)
    assert store.rows() == []


def to_the_end(work: rounds.Round, name: str) -> None:
    state = work.state(name)
    while state["place"] is not None:
        state = work.answer(name, state["place"], BIASED)


def test_all_items_are_answered_once_by_each(store: AnswerStore) -> None:
    work = rounds.Round(ROUND, BIAS, store)
    to_the_end(work, "mila")
    to_the_end(work, "ivan")
    found = sorted((row["annotator"], row["item"]) for row in store.rows())
    assert found == [(name, task.item) for name in ("ivan", "mila") for task in ROUND]
    assert work.state("mila")["done"] == 4


def test_who_comes_back_goes_on_where_he_stopped(store: AnswerStore) -> None:
    work = rounds.Round(ROUND, BIAS, store)
    for place in range(PRACTICE + 1):
        state = work.answer("mila", place, BIASED)
    assert rounds.Round(ROUND, BIAS, store).state("mila") == {
        key: value for key, value in state.items() if key not in ("taken", "feedback")
    }


def test_undo_shows_the_answer_that_was_taken_back(store: AnswerStore) -> None:
    work = rounds.Round(ROUND, BIAS, store)
    to_the_end(work, "mila")
    state = work.undo("mila", None)
    assert state["draft"] == {"bias": "biased", "comment": ""}
    assert state["place"] == PRACTICE + 3
    neutral = rounds.read_reply({"place": 0, "answers": {"bias": "neutral"}})
    assert work.answer("mila", state["place"], neutral)["place"] is None
    assert [row["bias"] for row in store.rows()] == ["biased"] * 3 + ["neutral"]


def test_an_answer_from_another_window_is_not_taken_for_the_next_item(store: AnswerStore) -> None:
    work = rounds.Round(ROUND, BIAS, store)
    assert work.answer("mila", 0, BIASED)["taken"]
    again = work.answer("mila", 0, BIASED)
    assert not again["taken"]
    assert again["place"] == 1
    assert not work.undo("mila", 0)["taken"]
    assert work.state("mila")["place"] == 1


def test_only_those_who_are_named_may_answer(store: AnswerStore) -> None:
    work = rounds.Round(ROUND, BIAS, store, names=("mila", "ivan"))
    assert work.check_annotator(" mila ") == "mila"
    with pytest.raises(UsageError, match="the annotators are mila, ivan"):
        work.check_annotator("ada")
    tasks = [Task(item="s", text="x", annotators=("ivan", "ada"))]
    assert rounds.Round(tasks, BIAS, store).names == ("ivan", "ada")
    with pytest.raises(UsageError, match=r"no task is for 'mila'.* Known: ada, ivan"):
        rounds.Round(tasks, BIAS, store, names=("mila",))


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 61, "a\u202eb", "\ud800", "a|b"])
def test_a_name_can_be_read(store: AnswerStore, name: str) -> None:
    with pytest.raises(UsageError, match="1 to 60 characters"):
        rounds.Round(ROUND, BIAS, store).check_annotator(name)


def test_the_edit_is_shown_where_it_is_asked_for(store: AnswerStore) -> None:
    tasks = [Task(item="s", text="A fine mill.", counterpart="A mill.", role="removed")]
    place = PRACTICE
    for with_edit in (False, True):
        work = rounds.Round(tasks, BIAS, store, with_edit=with_edit)
        for number in range(place):
            work.answer("mila", number, BIASED)
        assert bool(work.state("mila")["item"]["edit"]) is with_edit


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (Task(item="practice 1", text="x"), "called as a practice item"),
        (Task(item="\ud800", text="x"), "half of a character"),
        (Task(item="p", text="x", kind="practice"), "nothing to label"),
    ],
)
def test_what_cannot_be_labelled_is_refused(store: AnswerStore, task: Task, said: str) -> None:
    with pytest.raises(WikibiasError, match=said):
        rounds.Round([task], BIAS, store)


def test_the_answers_stay_with_their_questions_and_tasks(store: AnswerStore) -> None:
    others = [Task(item="other", text="A bridge.")]
    rounds.Round(ROUND, BIAS, store).answer("mila", 0, BIASED)
    assert rounds.Round(others, BIAS, store).given == {}  # practice is no answer
    to_the_end(rounds.Round(ROUND, BIAS, store), "mila")
    with pytest.raises(UsageError, match="other questions"):
        rounds.Round(ROUND, TYPES, store)
    with pytest.raises(UsageError, match=r"a\.db holds 4 answers, none of them to one of these"):
        rounds.Round(others, BIAS, store)
    both = rounds.Round([*others, ROUND[0]], BIAS, store)
    assert (both.given, both.foreign) == ({"mila": 1}, 3)


def test_one_person_decides_where_annotators_differ(store: AnswerStore) -> None:
    said = [
        ("a", "mila", "biased"),
        ("a", "ivan", "biased"),
        ("b", "mila", "biased"),
        ("b", "ivan", "neutral"),
    ]
    others = [
        {"item": item, "annotator": who, "bias": bias, "comment": f"{who} was sure"}
        for item, who, bias in said
    ]
    others.append({"item": "c", "annotator": "ivan", "bias": "neutral"})
    # To whom they were dealt is no matter.
    tasks = [Task(name, f"Sentence {name}.", annotators=("ivan", "mila")) for name in "abcd"]
    work = Round(tasks, BIAS, store, names=["gold"], others=others)
    assert (work.agreed, work.alone, [*work.apart]) == (2, 1, ["b"])
    state = work.state("gold")
    assert (state["done"], state["of"], state["item"]["text"]) == (2, 3, "Sentence b.")
    assert state["item"]["said"] == [
        {"who": "mila", "said": "Biased", "comment": "mila was sure"},
        {"who": "ivan", "said": "Neutral", "comment": "ivan was sure"},
    ]
    work.answer(
        "gold", state["place"], rounds.read_reply({"place": 0, "answers": {"bias": "neutral"}})
    )
    assert work.state("gold")["place"] is None
    gold = {row["item"]: row["bias"] for row in store.rows()}
    assert gold == {"a": "biased", "b": "neutral", "c": "neutral"}
    with pytest.raises(UsageError, match="an answer without bias"):
        Round(tasks, BIAS, store, names=["gold"], others=[{"item": "a", "tone": "warm"}])


def test_the_page_speaks_the_language_of_the_guidelines(store: AnswerStore) -> None:
    phrases = {
        phrase
        for path in Path(rounds.__file__).with_name("templates").iterdir()
        for phrase in re.findall(r'\bt\(\s*"([^"]+)"', path.read_text(encoding="utf-8"))
    }
    for path in Path("configs/guidelines").glob("bias-??.toml"):
        guidelines = load_guidelines(path.stem)
        assert phrases <= {*guidelines.page}, path
        assert [each.values for each in guidelines.questions] == [
            each.values for each in BIAS.questions
        ]
    work = Round([Task("a", "Une phrase.")], load_guidelines("bias-fr"), store)
    html = ask(labelling_app(work, LOCAL, print), "/label?as=mila").text
    assert '<html lang="fr">' in html
    assert "Enregistrer et continuer" in html
    assert ">Undo" not in html


def test_edits_are_not_asked_for_where_the_tasks_hold_none(store: AnswerStore) -> None:
    for guidelines, with_edit in ((load_guidelines("intents"), False), (BIAS, True)):
        with pytest.raises(UsageError, match="the tasks hold no edits"):
            rounds.Round(ROUND, guidelines, store, with_edit=with_edit)


# Of each field that is not to be seen a value that stands nowhere else.
SECRET: dict[str, Any] = {
    "item": "sentinel-item", "kind": "control", "repeat_of": "sentinel-repeat",
    "stratum": "sentinel-stratum", "probability": 0.123456, "corpus": "sentinel-corpus",
    "sentence_id": "sentinel-sentence", "role": "removed", "removed": 987654, "tag": "sentinel-tag",
    "confidence": 0.98765, "tier": "sentinel-tier", "wiki": "sentinelwiki", "page_id": 876543,
    "title": "sentinel-title",
    "before_rev_id": 765432, "after_rev_id": 654321, "diff_url": "sentinel-url",
    "annotators": ("sentinel-annotator",),
}  # fmt: skip
SEEN: dict[str, Any] = {
    "text": "The splendid mill burnt down.", "counterpart": "The mill burnt down.",
    "previous": "It was built in 1801.", "next": "Nobody was hurt.",
    "before": ("The splendid mill burnt down.", "A shame!"), "after": ("The mill burnt down.",),
    "section": "History", "language": "en",
}  # fmt: skip
TASK = Task(**SECRET, **SEEN)


def test_every_field_is_either_seen_or_secret() -> None:
    assert {field.name for field in fields(Task)} == SECRET.keys() | SEEN.keys()


@pytest.mark.parametrize("edit", [True, False])
def test_no_secret_leaves(edit: bool) -> None:
    told = json.dumps(rounds.task_view(TASK, edit=edit))
    assert "sentinel" not in told
    assert not any(str(value) in told for value in SECRET.values())


def test_a_sentence_alone_does_not_tell_what_became_of_it() -> None:
    found = rounds.task_view(TASK, edit=False)
    assert found["edit"] is None
    assert "A shame!" not in json.dumps(found)
    assert (found["previous"], found["next"]) == ("It was built in 1801.", "Nobody was hurt.")


@pytest.mark.parametrize("role", ["removed", "added"])
def test_an_edit_shows_what_was_before_and_after_with_the_words_that_changed(role: str) -> None:
    task = TASK
    if role == "added":
        task = replace(TASK, role=role, text=TASK.counterpart or "", counterpart=TASK.text)
    edit = rounds.task_view(task, edit=True)["edit"]
    assert edit["before"] == [("The ", False), ("splendid", True), (" mill burnt down.", False)]
    assert "".join(text for text, _ in edit["after"]) == "The mill burnt down."
    assert edit["others"] == {"before": ["A shame!"], "after": []}


def test_an_unchanged_sentence_stands_on_both_sides() -> None:
    edit = rounds.task_view(Task(item="s", text="Same.", role="unchanged"), edit=True)["edit"]
    assert edit["before"] == edit["after"] == [("Same.", False)]


def test_places_of_words_count_characters_as_python_does() -> None:
    found = rounds.task_view(Task(item="s", text="😀 mill, 磨坊"), edit=False)
    assert [found["text"][start:end] for start, end in found["words"]] == ["mill", "磨", "坊"]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        *((f"a{hidden}b", "a\ufffdb") for hidden in "\u202e\x00\ud800\u2066"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # a joiner of words stays
    ],
)
def test_what_reorders_or_hides_others_is_seen_and_moves_no_place(text: str, seen: str) -> None:
    assert rounds.task_view(Task(item="s", text=text), edit=False)["text"] == seen


def test_of_a_huge_text_the_beginning_is_shown_and_said_to_be() -> None:
    after = ("new " * 9000, *(f"Line {number}." for number in range(5000)))
    huge = Task(item="s", text="mill " * 9000, previous="old " * 9000, after=after)
    found = rounds.task_view(huge, edit=True)
    assert found["text"] == huge.text[: rounds.LONGEST]
    assert found["words"][-1] == [rounds.LONGEST - 5, rounds.LONGEST - 1]
    assert found["cut"] == {"shown": rounds.LONGEST, "of": 45_000}
    assert len(json.dumps(found)) < 20 * rounds.LONGEST
    assert found["previous"].endswith("old  […]")
    first, *others = found["edit"]["others"]["after"]
    assert first.endswith("new  […]")
    assert others == [*after[1:40]]


def test_a_huge_side_of_an_edit_is_said_to_be_cut() -> None:
    task = Task(item="s", text="A mill.", counterpart="A mill. " * 5000, role="removed")
    assert rounds.task_view(task, edit=False)["cut"] is None
    found = rounds.task_view(task, edit=True)
    assert found["cut"] == {"shown": rounds.LONGEST, "of": 40_000}
    assert "".join(text for text, _ in found["edit"]["after"]) == ("A mill. " * 2500)


HOSTILE = "<script>alert(1)</script> & \"quoted\" 'single' \u202e {{ 7 * 7 }} \ud800"
SHOWN = [Task(item="s1", text="The mill is fine."), Task(item="s2", text=HOSTILE, section=HOSTILE)]
CHOSEN = {"bias": "biased"}
LOCAL, OPEN = Guard("127.0.0.1"), Guard("0.0.0.0", "secret")


@dataclass
class Page:
    """An application with its store, and what it told the terminal."""

    store: AnswerStore
    names: tuple[str, ...] = ()
    guard: Guard = field(default_factory=lambda: Guard("127.0.0.1"))
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        work = Round(SHOWN, load_guidelines("bias"), self.store, names=self.names)
        self.app = labelling_app(work, self.guard, self.told.append)

    def get(self, address: str, **headers: str) -> Reply:
        return ask(self.app, address, headers=headers)

    def post(self, what: str, said: Any, *, name: str = "mila", **headers: str) -> Reply:
        return ask(self.app, f"/api/{what}?as={name}", json.dumps(said).encode(), headers)


@pytest.fixture
def page(store: AnswerStore) -> Page:
    return Page(store)


@pytest.mark.parametrize(
    "address", ["/", "/label?as=mila", "/label.css", "/label.js", "/marks.js", "/none"]
)
def test_every_answer_forbids_what_the_page_does_not_need(page: Page, address: str) -> None:
    headers = page.get(address).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"


def test_the_pages_run_only_the_script_of_their_own(page: Page) -> None:
    for address in ("/", "/label?as=mila"):
        text = page.get(address).text
        assert "<style" not in text
        assert "style=" not in text
        assert text.count("<script") == text.count('<script src="/label.js"')
        assert "http" not in text


def test_hostile_texts_and_names_are_data_on_the_way_to_the_page(page: Page) -> None:
    state = page.get("/api/state?as=mila").json
    while "script" not in state["item"]["text"]:
        state = page.post("answer", {"place": state["place"], "answers": CHOSEN}).json
    assert state["item"]["text"] == HOSTILE.replace("\u202e", "\ufffd").replace("\ud800", "\ufffd")
    assert "<script>alert" not in page.get("/label?as=mila").text
    text = page.get("/label?as=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%22").text
    assert "<img" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;&#34;" in text


def test_without_a_name_the_page_asks_for_one(page: Page) -> None:
    reply = page.get("/label?as=")
    assert (reply.status, reply.headers["location"]) == (303, "/")
    assert page.get("/api/state?as=").status == 422


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("%00", ""),
        ("a" * 61, "a" * 60),
        ("a%0Ab|", "ab"),
        ("x%3Cb%3E%E2%80%AE%22", "x&lt;b&gt;&#34;"),
        ("x" * 10_000, "x" * 60),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_in_a_line(page: Page, name: str, left: str) -> None:
    reply = page.get(f"/label?as={name}")
    assert reply.status == 422
    assert "The name of an annotator must have 1 to 60 characters" in reply.text
    assert f' value="{left}"' in reply.text
    assert page.get(f"/api/state?as={name}").status == 422


def test_annotators_who_are_named_are_listed_and_no_others_let_in(store: AnswerStore) -> None:
    page = Page(store, names=("mila", "ivan & co"))
    text = page.get("/").text
    assert '<a class="go" href="/label?as=ivan%20%26%20co" dir="auto">ivan &amp; co</a>' in text
    assert "<form" not in text
    refused = page.get("/label?as=ada")
    assert refused.status == 422
    assert "The annotators are mila, ivan &amp; co." in refused.text


def test_no_other_site_can_answer(page: Page, store: AnswerStore) -> None:
    said = {"place": 0, "answers": CHOSEN}
    assert page.post("answer", said, host="evil.example").status == 421
    assert page.post("answer", said, origin="http://evil.example").status == 403
    for what in ("answer", "undo"):  # not for links
        assert page.get(f"/api/{what}?as=mila").status == 405
    assert store.answered("mila") == set()


FRAMED = [{"start": 0, "end": 3, "label": "framing"}]
SENSELESS: list[dict[str, Any]] = [
    {},
    *({"place": place, "answers": CHOSEN} for place in (-1, 99, 10**30, None)),
    # Of another place than the annotator's, too.
    *({"place": at, "answers": {"bias": "other"}} for at in (0, 1)),
    {"place": 1, "answers": CHOSEN, "comment": ["x"]},
    {"place": 0, "answers": {**CHOSEN, "other": "x"}},
    *({"place": 0, "answers": CHOSEN, name: FRAMED} for name in ("spans", "other")),
]
BODIES = [b"", b"[]", b"{", b'"x"', b"\xff", b"[" * 100_000, b'{"place": "0"}', b'{"place": 0}']


def test_what_makes_no_sense_is_refused_and_never_kept(page: Page, store: AnswerStore) -> None:
    for body in (*BODIES, *(json.dumps(said).encode() for said in SENSELESS)):
        reply = ask(page.app, "/api/answer?as=mila", body)
        assert (reply.status, "\n" in reply.json["error"]) == (422, False), body
    assert [page.post("undo", said).status for said in SENSELESS[:4]] == [422] * 4
    assert list(store._connection.execute("SELECT * FROM answers")) == []


def test_a_body_without_end_is_not_read_to_its_end(page: Page) -> None:
    reply = ask(page.app, "/api/answer?as=mila", b"x" * (3 * LARGEST_BODY))
    assert (reply.status, reply.json) == (413, {"error": "That is too much text."})


def test_a_full_disk_is_said_on_the_page_and_the_terminal(page: Page, store: AnswerStore) -> None:
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    said = {"place": 0, "answers": CHOSEN, "comment": "é" * 5000}
    replies = [page.post("answer", said, name=f"m{number}") for number in range(9)]
    failed = [reply for reply in replies if reply.status == 507]
    assert failed
    assert failed[0].json["error"].startswith("Not saved: cannot write")
    assert len(page.told) == len(failed)


def test_a_token_is_needed_for_everything(store: AnswerStore) -> None:
    page = Page(store, guard=OPEN)
    for address in ("/", "/label?as=mila", "/api/state?as=mila", "/label.js"):
        assert page.get(address).status == 403
        assert page.get(address, cookie=f"{OPEN.cookie}=other").status == 403
    assert page.get("/?token=other").status == 403
    assert page.post("answer", {"place": 0, "answers": CHOSEN}).status == 403


def test_a_token_goes_from_the_address_into_a_cookie(store: AnswerStore) -> None:
    page = Page(store, guard=OPEN)
    reply = page.get("/?token=secret", host="lab.example:8740")
    assert (reply.status, reply.headers["location"]) == (303, "/")
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    held = reply.headers["set-cookie"].partition(";")[0]
    assert page.get("/", host="lab.example:8740", cookie=held).status == 200
    said = {"place": 0, "answers": CHOSEN}
    assert page.post("answer", said, host="lab.example:8740", cookie=held).json["taken"]


JSON = {"x-wikibias": "1", "content-type": "application/json"}


@pytest.mark.parametrize(
    ("hosts", "status"),
    [
        (["127.0.0.1:8740", "localhost:9000", "[::1]:1", "127.0.0.1"], None),  # through a tunnel
        (["evil.example", "127.0.0.1.evil.example:8740", "", "[", "a@b"], 421),
        # The local name must be all of it.
        (["[::1]evil.example", "[::1].evil", "[::1]:80evil", r"evil.example\@localhost"], 421),
        (["evil.example:80@localhost:1", "localhost/evil", "localhost#", "localhost:8:9"], 421),
    ],
)
def test_only_this_machine_is_served(hosts: list[str], status: int | None) -> None:
    for host in hosts:
        refusal = LOCAL.refusal("GET", {"host": host}, None)
        assert (refusal and refusal.status) == status, host


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({**JSON, "origin": "http://localhost:8740"}, None),
        (JSON, None),
        ({**JSON, "origin": "http://evil.example"}, 403),
        ({**JSON, "origin": "http://localhost:9999"}, 403),
        ({**JSON, "origin": "null"}, 403),
        ({"content-type": "application/json"}, 403),
        ({"x-wikibias": "1", "content-type": "text/plain"}, 415),
        ({"x-wikibias": "1"}, 415),
    ],
)
def test_only_the_page_itself_changes_anything(headers: dict[str, str], status: int | None) -> None:
    refusal = LOCAL.refusal("POST", {"host": "localhost:8740", **headers}, None)
    assert (refusal and refusal.status) == status


def test_a_token_is_made_where_others_can_reach_the_page() -> None:
    assert Guard.of("127.0.0.1").token is None
    open_to_all = [Guard.of("0.0.0.0"), Guard.of("192.0.2.1")]
    assert len({guard.token for guard in open_to_all} - {None, ""}) == 2
    assert len({guard.cookie for guard in open_to_all}) == 2


def test_loopback_is_known() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "LocalHost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.0.2.1", "example.org")))


@pytest.mark.parametrize("guard", [LOCAL, OPEN])
def test_any_free_port_is_found_for_0_and_the_address_holds_the_token(guard: Guard) -> None:
    with listening("127.0.0.1", 0) as found:
        port = found.getsockname()[1]
        host, token = (socket.gethostname(), "?token=secret") if guard is OPEN else (LOCAL.host, "")
        assert address_of(found, guard) == f"http://{host}:{port}/{token}"


def test_a_port_that_is_taken_is_said_in_a_line() -> None:
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match="give another --port"), listening("127.0.0.1", port):
            pass


@pytest.fixture
def one_task(tmp_path: Path) -> Path:
    """A folder with a file of tasks."""
    put(tmp_path / "tasks.jsonl", '{"item": "s1", "text": "The mill is fine."}\n')
    return tmp_path


@contextmanager
def asked(port: str, address: str = "/") -> Iterator[http.client.HTTPResponse]:
    """Ask for an address, and keep the connection for a time."""
    with closing(http.client.HTTPConnection("127.0.0.1", int(port), timeout=10)) as connection:
        connection.request("GET", address)
        yield connection.getresponse()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_it_answers_other_machines_with_a_token_and_ends_with_one_line(one_task: Path) -> None:
    with serving(one_task, "tasks.jsonl", "--port", "0", "--host", "0.0.0.0") as serves:
        assert "/?token=" in serves.address
        with asked(serves.port) as reply:
            assert (reply.status, reply.getheader("server")) == (403, None)
            code, said = serves.end(signal.SIGTERM)  # with the connection still open
    assert code == 0
    assert said.splitlines() == [
        "Answers go to tasks.db at once. Ctrl-C ends.",
        "0 answers by 0 annotators in tasks.db.",
    ]
    assert sorted(path.name for path in one_task.iterdir()) == ["tasks.db", "tasks.jsonl"]


def test_who_leaves_in_the_middle_of_an_answer_leaves_no_trace(one_task: Path) -> None:
    head = (
        "POST /api/answer?as=a HTTP/1.1\r\nHost: localhost\r\nX-Wikibias: 1\r\n"
        "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n"
    )
    with serving(one_task, "tasks.jsonl", "--port", "0") as serves:
        with socket.create_connection(("127.0.0.1", int(serves.port)), 9) as leaving:
            leaving.sendall(head.encode() + b"{")
        with asked(serves.port) as reply:
            assert reply.status == 200
        code, said = serves.end(signal.SIGTERM)
    assert code == 0
    assert len(said.splitlines()) == 2


def test_those_who_say_nothing_lock_nobody_out_and_are_sent_away(
    one_task: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_LONGEST_HEAD", 2)
    with serving(one_task, "tasks.jsonl", "--port", "0", "--host", "0.0.0.0") as serves:
        where = ("127.0.0.1", int(serves.port))
        # Nothing, half a head, and no body of who is refused.
        head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"
        begun = (b"", head, head + b"\r\n")
        silent = [socket.create_connection(where, 9) for _ in range(230)]
        for number, each in enumerate(silent):
            each.sendall(begun[number % 3])
        with asked(serves.port, f"/?{serves.address.partition('?')[2]}") as reply:
            assert reply.status == 303
        for each in silent:
            with suppress(ConnectionError), each:
                while each.recv(4096):
                    pass
