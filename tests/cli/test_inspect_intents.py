"""Which rules hold for an edit, of a result folder and of two files."""

import json
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, export, wikibias

OLD = "A quite lively town.\n\nThe mill stands by the weir.\n"
NEW = "A town.\n\nThe mill stands by the weir.<ref>Fenwick 1901</ref>\n"
LINKED = NEW.replace("A town", "A [[town]]")
PAGE = Page(
    "Mill", [Revision(OLD), Revision(NEW, comment="source"), Revision(LINKED, comment="POV")]
)


@pytest.fixture
def result(tmp_path: Path) -> Path:
    dump = tmp_path / "dump.xml"
    dump.write_bytes(export([PAGE]))
    asked = ("--signal", "citation", "--signal", "clarification", "--signal", "summary")
    ended = wikibias("detect", "--lang", "en", *asked, "-o", tmp_path / "o", dump)
    assert ended.code == 0, ended.err
    return tmp_path / "o"


@pytest.fixture
def texts(tmp_path: Path) -> tuple[object, ...]:
    (tmp_path / "a").write_text(OLD, encoding="utf-8")
    (tmp_path / "b").write_text(NEW, encoding="utf-8")
    return ("--lang", "en", "--before", tmp_path / "a", "--after", tmp_path / "b")


def told(*words: object) -> dict[str, Any]:
    ended = wikibias("inspect", "--intents", *words, "--json")
    assert ended.code == 0, ended.err
    found: dict[str, Any] = json.loads(ended.out)
    return found


def holds(found: dict[str, Any]) -> dict[str, bool]:
    return {each["intent"]: each["holds"] for each in found["intents"]}


def test_an_edit_of_a_result_is_explained_by_its_lines(
    result: Path, texts: tuple[object, ...]
) -> None:
    found = told(result, 2)
    assert (found["page"], found["revision"], found["summary"]) == ("Mill", 2, "source")
    assert holds(found) == {"citation": True, "clarification": True}
    # The texts themselves say the same.
    of_texts = told(
        *texts, "--summary", "source", "--signal", "citation", "--signal", "clarification"
    )
    assert of_texts["intents"] == found["intents"]
    assert sorted(map(str, of_texts["lines"])) == sorted(map(str, found["lines"]))


def test_an_edit_without_an_intent_is_explained_by_its_texts(result: Path) -> None:
    found = told(result, 3)
    assert holds(found) == {"citation": False, "clarification": False}
    (failed,) = [rule for rule in found["intents"][0]["rules"] if not rule["holds"]]
    assert failed == {
        "name": "it has more references than before",
        "of": "any line",
        "fact": "line_references_added",
        "test": "at least 1",
        "value": 0,
        "holds": False,
    }


def test_rules_that_have_changed_since_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dump.xml").write_bytes(export([PAGE]))
    rules = tmp_path / "configs" / "intents" / "source.toml"
    rules.parent.mkdir(parents=True)
    form = (
        'name = "source"\nabout = "Adds a reference."\n'
        '[[robust]]\nname = "more"\nfact = "line_references_added"\nmin = {}\n'
        'of = "any line"\n'
    )
    rules.write_text(form.format(1), encoding="utf-8")
    words = ("--lang", "en", "--signal", "source", "-o", "o", "dump.xml")
    ended = wikibias("detect", *words)
    assert ended.code == 0, ended.err
    assert told("o", 2)["rules_changed"] is False
    rules.write_text(form.format(2), encoding="utf-8")
    assert told("o", 2)["rules_changed"] is True
    assert "was made with other rules" in wikibias("inspect", "--intents", "o", 2).out


def test_two_files_are_asked_all_intents(texts: tuple[object, ...]) -> None:
    found = told(*texts)
    assert holds(found) == {"citation": True, "clarification": True, "point-of-view": False}
    said = told(*texts, "--summary", "rm POV", "--signal", "point-of-view")
    assert [rule["holds"] for rule in said["intents"][0]["rules"]][:2] == [True, False]
    printed = told(*texts, "--rules", "printed", "--signal", "citation")
    assert [rule["fact"] for rule in printed["intents"][0]["rules"]] == ["inserts_citation"]


def test_an_intent_without_these_rules_hides_no_other(
    texts: tuple[object, ...], tmp_path: Path
) -> None:
    own = tmp_path / "configs" / "intents" / "plain.toml"
    own.parent.mkdir(parents=True)
    rule = '[[printed]]\nname = "said"\nfact = "summary"\nmatches = "plain"\n'
    own.write_text(f'name = "plain"\nabout = "a stiff sentence"\n{rule}', encoding="utf-8")
    config = ("--config-dir", tmp_path)
    assert "plain" not in holds(told(*config, *texts))
    assert "plain" in holds(told(*config, *texts, "--rules", "printed"))
    wikibias("inspect", "--intents", *config, *texts, "--signal", "plain").refused(
        "has no [[robust]] rules"
    )


def test_the_table_shows_what_did_not_hold_and_draws_nothing(texts: tuple[object, ...]) -> None:
    hostile = "rm \x1b[31m[bold]POV[/bold]"
    ended = wikibias(
        "inspect", "--intents", *texts, "--summary", hostile, "--signal", "point-of-view"
    )
    assert ended.code == 0
    assert "point-of-view (robust rules): no" in ended.out
    assert "NO" in ended.out
    assert "\x1b[31m" not in ended.out
    assert "[bold]" in ended.out
    assert ended.out.startswith("2 changed lines; summary: rm \\x1b")


def test_texts_that_are_the_same_have_no_intent(texts: tuple[object, ...]) -> None:
    found = told("--lang", "en", "--before", texts[3], "--after", texts[3])
    assert found["lines"] == []
    assert not any(holds(found).values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("{result}", "--signal", "point-of-view"), "asks for one revision of FOLDER"),
        (("{result}", 2, "--lang", "en"), "--intents takes FOLDER and a revision, or --lang"),
        (("--lang", "en", "--before", "{a}"), "--intents takes FOLDER and a revision, or --lang"),
        (("{result}", "--page", "Mill"), "--intents takes FOLDER and a revision"),
        (("{result}", "Mill"), "asks for one revision of FOLDER, a number; 'Mill' is none"),
        (("{result}", 99), "has no row of an edit that made revision 99"),
        (("{result}", 2, "--signal", "citatoin"), "did you mean 'citation'?"),
        (("{result}", 2, "--signal", "tag"), "'tag' is no intent and has no rules"),
    ],
    ids=str,
)
def test_what_cannot_be_explained_is_said_in_one_line(
    words: tuple[object, ...], said: str, result: Path, texts: tuple[object, ...]
) -> None:
    filled = [str(word).format(result=result, a=texts[3]) for word in words]
    ended = wikibias("inspect", "--intents", *filled)
    ended.refused(said)
    assert len(ended.err.strip().splitlines()) == 1


def test_the_old_name_works_unlisted(result: Path) -> None:
    assert wikibias("explain", result, 2).out == wikibias("inspect", "--intents", result, 2).out
    assert "explain" not in wikibias("--help").out
    refused = wikibias("inspect", result, 2, "--rules", "robust").errors[0]
    assert "go with --intents" in refused
