"""The labelling page in a real browser, by keyboard alone: two annotators, and a server killed.

Chromium of the system is driven; without it, or without Playwright, these tests are skipped.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from labelling_server import serving
from put import put_rows
from wikibias.research.annotation.answer_store import read_answer_rows
from wikibias.research.annotation.labelling.rounds import LONGEST

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this system"),
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL"),
]
TASKS: list[dict[str, Any]] = [
    {"item": "en", "text": "The dreadful regime fell, and of course nobody wept."},
    {"item": "he", "text": "המוזיאון המפואר נוסד בשנת 1911.", "language": "he"},
    {"item": "x", "text": "😀 <img src=x onerror=alert(1)> & a mill."},
    {"item": "plain", "kind": "control", "text": "The mill has two floors."},
]
BIASED = ("en", "he")
# The second word of each sentence, and the second with the third.
MARKED = {
    "en": ("dreadful", "dreadful regime"),
    "he": ("המפואר", "המפואר נוסד"),
    "x": ("src=x", "src=x onerror=alert(1"),
    "plain": ("mill", "mill has"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return put_rows(tmp_path / "tasks.jsonl", *TASKS)


class Person:
    """Somebody at a keyboard, who never touches a mouse."""

    def __init__(self, browser: Any, address: str, name: str) -> None:
        self.page = browser.new_context(viewport={"width": 400, "height": 800}).new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: self.wrong.append(dialog.message))
        self.page.on("console", self._note)
        self.page.goto(address)
        self.page.wait_for_selector("#as:focus")
        self.press(*name, "Enter")
        self.page.wait_for_selector("[data-painted] #item:not([hidden])")

    def _note(self, message: Any) -> None:
        if message.type == "error" and "ERR_" not in message.text:
            self.wrong.append(message.text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def see(self, place: str, text: str) -> None:
        """Wait until a text stands at a place, and what is asked has been painted."""
        self.page.wait_for_function(
            "([place, text]) => document.body.dataset.painted"
            " && document.querySelector(place).textContent.includes(text)",
            arg=[place, text],
            polling=20,
        )

    def text(self) -> str:
        found: str = self.page.text_content("#text")
        return found

    def practise(self) -> None:
        for number in (1, 2, 3):
            self.see("#practice", f"Practice {number} of 3")
            self.press("1", "Enter")
            self.page.wait_for_selector("#feedback:not([hidden])")
            self.press("Enter")
        self.see("#count", "0 of 4")
        self.page.wait_for_selector("#practice", state="hidden")

    def item(self) -> str:
        return str(next(task["item"] for task in TASKS if task["text"] == self.text()))

    def answer(self, key: str, done: int) -> None:
        self.press(key, "Enter")
        self.see("#count", f"{done} of 4")


def test_two_annotators_and_a_kill_between_them(browser: Any, tmp_path: Path, tasks: Path) -> None:
    orders = []
    with serving(tmp_path, tasks.name, "--port", "0") as server:
        people = [Person(browser, server.address, name) for name in ("mila", "ivan")]
        for person in people:
            person.practise()
            orders.append([person.item()])
            person.answer("1" if person.item() in BIASED else "2", 1)
        port = server.port
        server.end(signal.SIGKILL)
    mila, ivan = people
    mila.press("1" if mila.item() in BIASED else "2", "c", *"unsaved?", "Escape", "Enter")
    mila.see("#status", "Not saved: the server does not answer")
    with serving(tmp_path, tasks.name, "--port", port) as server:
        # What was chosen before still stands on the page of the one, and the other opens his anew.
        orders[0].append(mila.item())
        mila.press("Enter")
        mila.see("#count", "2 of 4")
        ivan.page.reload()
        ivan.see("#count", "1 of 4")
        for person, order in zip(people, orders, strict=True):
            while len(order) < 4:
                order.append(person.item())
                # Of one sentence they think differently.
                biased = order[-1] in BIASED or (person is ivan and order[-1] == "plain")
                person.answer("1" if biased else "2", len(order))
            person.page.wait_for_selector("[data-painted] #end:not([hidden])")
        code, said = server.end(signal.SIGINT)
    assert code == 0
    assert said.splitlines()[-2] == "8 answers by 2 annotators in tasks.db."
    assert orders[0] != orders[1]
    rows = read_answer_rows(tmp_path / "tasks.db")
    called = {(row["annotator"], row["item"]) for row in rows if row["bias"] == "biased"}
    of_both = {(name, item) for name in ("mila", "ivan") for item in BIASED}
    assert (len(rows), called) == (8, of_both | {("ivan", "plain")})
    assert [row["comment"] for row in rows if row["comment"]] == ["unsaved?"]
    assert mila.wrong == ivan.wrong == []


def test_words_are_marked_changed_and_taken_back(browser: Any, tmp_path: Path, tasks: Path) -> None:
    with serving(tmp_path, tasks.name, "--port", "0", "--guidelines", "bias-types") as server:
        mila = Person(browser, server.address, "mila")
        mila.practise()
        for done in range(1, 5):
            # The arrow that goes on in a text from right to left is the left one.
            on = "ArrowLeft" if mila.item() == "he" else "ArrowRight"
            mila.press("m", on, "1", f"Shift+{on}", "2", "End", "3", "3", "Escape")
            mila.press("1", "2", "0", "2", "Enter")
            mila.see("#count", f"{done} of 4")
        mila.page.wait_for_selector("[data-painted] #end:not([hidden])")
        # On a Cyrillic keyboard the same key writes another letter.
        mila.page.evaluate(
            "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'г', code: 'KeyU'}))"
        )
        mila.see("#count", "3 of 4")
        assert mila.page.locator("#marks li").count() == 2
        mila.press("m", "Home", "Shift+End", "Delete", "Escape", "c", *"no", "Escape", "Enter")
        mila.page.wait_for_selector("[data-painted] #end:not([hidden])")
        server.end(signal.SIGINT)
    rows = read_answer_rows(tmp_path / "tasks.db")
    texts = {task["item"]: task["text"] for task in TASKS}
    for row in rows[:-1]:
        text = texts[row["item"]]
        marked = [(text[mark["start"] : mark["end"]], mark["label"]) for mark in row["spans"]]
        one, two = MARKED[row["item"]]
        # The label that was given to the last word was taken away again at once.
        assert marked == [(one, "framing"), (two, "epistemological")]
        assert row["bias_types"] == ["epistemological"]
    assert (rows[-1]["spans"], rows[-1]["comment"]) == ([], "no")
    assert mila.wrong == []


def test_a_mouse_does_as_well(browser: Any, tmp_path: Path, tasks: Path) -> None:
    words = ("--guidelines", "bias-types", "--annotator", "mila")
    with serving(tmp_path, tasks.name, "--port", "0", *words) as server:
        page = browser.new_context().new_page()
        page.goto(server.address)
        page.click("text=mila")
        page.wait_for_selector("#item:not([hidden])")
        page.click("#text .word >> nth=1")
        page.click("#marking >> text=framing")
        one, three = page.locator("#text .word").nth(3), page.locator("#text .word").nth(5)
        one.hover()
        page.mouse.down()
        three.hover()
        page.mouse.up()
        page.click("#marking >> text=epistemological")
        assert page.locator("#marks li").count() == 2
        page.click("#marks button >> nth=0")
        assert page.locator("#marks li").all_inner_texts() == [
            "epistemological: that his disastrous ✕"
        ]
        page.click("fieldset >> text=Framing:")
        page.click("fieldset >> text=Epistemological:")
        page.click("#save")
        page.wait_for_selector("#feedback:not([hidden])")
        assert page.inner_text("#verdict") == "Yes: Framing, Epistemological"
        page.click("#undo")
        page.wait_for_selector("[data-painted] #answers:not([hidden])")
        assert page.locator("#marks li").count() == 1


def test_two_sides_that_read_the_same_are_said_to(browser: Any, tmp_path: Path) -> None:
    row = {"item": "s", "text": "A mill.", "counterpart": "A mill.", "role": "removed"}
    put_rows(tmp_path / "tasks.jsonl", row)
    words = ("tasks.jsonl", "--port", "0", "--guidelines", "intents")
    with serving(tmp_path, *words) as server:
        page = browser.new_context().new_page()
        page.goto(f"{server.address}label?as=mila")
        for _ in range(3):
            page.wait_for_selector("[data-painted] #answers:not([hidden])")
            assert "read the same" not in page.inner_text("#edit")
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            page.wait_for_selector("#feedback:not([hidden])")
            page.keyboard.press("Enter")
        page.wait_for_function("document.querySelector('#edit').textContent.includes('A mill.')")
        assert "Both sides read the same." in page.inner_text("#edit")


# Holds back what the page does when it is painted.
HELD = """
window.held = [];
window.requestAnimationFrame = (work) => window.held.push(work);
window.early = () => new KeyboardEvent("keydown", {key: "1", code: "Digit1", cancelable: true});
"""


def test_keys_do_not_count_before_the_sentence_is_seen(browser: Any, tmp_path: Path) -> None:
    row = {"item": "s", "text": "A mill. " * 5_000, "previous": "Old. " * 1000}
    put_rows(tmp_path / "tasks.jsonl", row)
    with serving(tmp_path, "tasks.jsonl", "--port", "0") as server:
        page = browser.new_context().new_page()
        page.add_init_script(HELD)
        page.goto(f"{server.address}label?as=mila")
        for number in range(4):
            page.wait_for_selector("#answers:not([hidden])")
            page.evaluate("window.pressed = early()")
            for key in ("1", "Enter", "ArrowDown"):
                page.keyboard.press(key)
            assert page.locator(":checked:not(#letters)").count() == 0
            assert page.inner_text("#status") == ""
            page.evaluate("held.splice(0).forEach((work) => work(0))")
            page.wait_for_selector("[data-painted]")
            # Pressed before, and told by the browser only now.
            page.evaluate("document.dispatchEvent(pressed)")
            assert page.locator(":checked:not(#letters)").count() == 0
            if number == 3:
                break
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            page.wait_for_selector("#feedback:not([hidden])")
            page.keyboard.press("Enter")
        assert len(page.text_content("#text")) == LONGEST
        assert page.inner_text("#cut") == (
            "Too long to show: these are the first 20,000 of 40,000 characters."
        )
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        page.wait_for_selector("#end:not([hidden])")
    assert [row["bias"] for row in read_answer_rows(tmp_path / "tasks.db")] == ["neutral"]
