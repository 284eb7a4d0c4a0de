"""Edits found by an intent, through the commands: beside tags, resumed, superseded, refused."""

import json
from pathlib import Path

import pytest

from exports import Page, Revision, body, dumped, files, mended, rows, tagged, wikibias
from months import stub_of
from results import detect, extract, manifest_of, told, transitions

# An intent of a user that asks of the summary alone.
COPY_EDIT = """name = "copy-edit"
about = "a sentence had slips in it"

[[robust]]
name = "the summary says so"
fact = "summary"
matches = "copy ?edit|typo"
"""
ASKED = ("--signal", "tag", "--signal", "copy-edit")
# The third revision takes a tag out; the sixth undoes the fifth.
MILL = Page(
    "Mill",
    [
        Revision(body(1), comment="typo"),
        Revision(tagged(1, 1)),
        Revision(mended(1, 1), comment="copyedit: plainer"),
        Revision(mended(1, 1), comment="typo"),
        Revision(mended(1, 1) + "\n\nA weir lies below the mill.", comment="copy edit"),
        Revision(mended(1, 1), comment="no"),
        Revision(mended(1, 1), lost=True, comment="typo"),
        Revision(body(4), comment="typo"),
    ],
)
TALK = Page("Mill", [Revision("a"), Revision("b", comment="typo")], namespace=1)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return dumped(tmp_path, [MILL, TALK], "dump.xml")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a folder for --config-dir with the intent of the user."""
    path = tmp_path / "own" / "configs" / "intents" / "copy-edit.toml"
    path.parent.mkdir(parents=True)
    path.write_text(COPY_EDIT, encoding="utf-8")
    # The revisions lie ten days apart, so the reverts reach farther than usual.
    (tmp_path / "own" / "far.toml").write_text("[reverts]\nradius = 15\ndays = 900\n", "utf-8")
    return tmp_path / "own"


def config(own: Path) -> tuple[object, ...]:
    return ("--config-dir", own, "--config", own / "far.toml")


@pytest.mark.parametrize("reader", ["fast", "mwxml"])
def test_intents_beside_tags(own: Path, dump: Path, tmp_path: Path, reader: str) -> None:
    found = transitions(tmp_path / "o", *config(own), *ASKED, "--reader", reader, dump)
    # The first revision of a page is no edit of a text, nor is one that changes nothing, as the
    # fourth, or next to which a text was lost, as the last two.
    assert told(found) == [
        ("tag", "added", "addition-edit", "Mill", 1, 2, False),
        ("tag", "removed", "removal-edit", "Mill", 2, 3, False),
        ("copy-edit", "removed", "intent-edit", "Mill", 2, 3, False),
        ("copy-edit", "removed", "intent-edit", "Mill", 4, 5, True),
    ]
    own_rows = [row for row in found if row["signal"] == "copy-edit"]
    for row in own_rows:
        assert row["before_text"] is row["after_text"] is row["before_sha1"] is None
        assert [*row["tags"], *row["aliases"], *row["scope"]] == []
        assert row["only_tags"] is row["edited_text"] is None
    # The rows of tags are those without intents.
    of_tags = [row for row in found if row["signal"] == "tag"]
    assert of_tags == transitions(tmp_path / "tags", *config(own), "--reader", reader, dump)
    alone = transitions(
        tmp_path / "a", *config(own), "--signal", "copy-edit", "--reader", reader, dump
    )
    assert own_rows == alone


def test_how_many_of_each_intent_are_told_everywhere(own: Path, dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    ended = detect(out, *config(own), *ASKED, dump)
    assert "2 copy-edit edits (1 reverted)." in ended.out
    found = manifest_of(out)
    assert found["counts"]["intent_edits"] == 2
    assert found["intents"] == {"copy-edit": 2}
    assert found["intents_reverted"] == {"copy-edit": 1}
    assert found["inputs"][0]["intents"] == {"copy-edit": 2}
    assert found["settings"]["detect"]["intents_version"]
    assert "2 copy-edit edits (1 reverted)" in wikibias("status", out).out
    told_json = json.loads(wikibias("status", "--json", out).out)
    assert told_json["counts"]["intent_edits"] == 2


def test_a_run_goes_on_and_other_rules_are_refused(own: Path, dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    transitions(out, *config(own), *ASKED, dump)
    made = files(out, "transitions")
    transitions(out, *config(own), "--signal", "copy-edit", "--signal", "tag", dump)
    assert files(out, "transitions") == made
    file = own / "configs" / "intents" / "copy-edit.toml"
    file.write_text(COPY_EDIT.replace("typo", "typos?"), encoding="utf-8")
    detect(out, *config(own), *ASKED, dump).refused(
        "detect.intents_version: the rules of an intent have changed"
    )
    # What goes on in the folder needs no file of the intent.
    file.unlink()
    assert wikibias("status", out).code == 0
    assert wikibias("inspect", out, 3).code == 0
    assert wikibias("inspect", out, "Mill").code == 0


def test_next_months_dump_takes_the_place_of_both(own: Path, tmp_path: Path) -> None:
    old = dumped(tmp_path, [MILL], "w-20190101-x.xml")
    pond = Page("Pond", [Revision("a"), Revision("b", comment="typo")])
    new = dumped(tmp_path, [MILL, pond], "w-20200101-x.xml")
    out = tmp_path / "o"
    transitions(out, *config(own), *ASKED, old)
    transitions(out, *config(own), *ASKED, new)
    again = transitions(tmp_path / "once", *config(own), *ASKED, new)
    assert told(rows(out, "transitions")) == told(again)
    found = manifest_of(out)
    assert found["repeated"] == {"removed": 1, "added": 1, "spans": 0, "intent_edits": 2}
    assert found["intents"] == {"copy-edit": 3}
    assert found["inputs"][0]["intents"] == {"copy-edit": 0}


def test_a_stub_dump_has_none(own: Path, dump: Path, tmp_path: Path) -> None:
    stub = tmp_path / "stub.xml"
    stub.write_bytes(stub_of(dump.read_bytes()))
    alone = detect(tmp_path / "a", *config(own), "--signal", "copy-edit", stub)
    alone.refused("intents and featured marks are told by texts: give the full history", code=1)
    both = ("--signal", "copy-edit", "--signal", "summary")
    beside = detect(tmp_path / "b", *config(own), *both, stub).well()
    assert "no tags, intents or featured marks can be found in it" in beside.err


def test_no_wiki_is_asked_and_pairs_pass_over_them(own: Path, dump: Path, tmp_path: Path) -> None:
    """They are not kept on purpose; what they held is in the lines."""
    transitions(tmp_path / "o", *config(own), *ASKED, "--signal", "summary", dump)
    ended = wikibias("fetch", "--revisions", tmp_path / "o", "--dry-run").well()
    assert "copy-edit" not in ended.err
    assert "0 revisions" in ended.out or "No text" in ended.out or "nothing" in ended.out.lower()

    wikibias("pairs", tmp_path / "o", "--out", tmp_path / "pairs").well()
    funnel = json.loads((tmp_path / "pairs" / "funnel.json").read_text(encoding="utf-8"))
    assert set(funnel["by_signal"]) == {"tag", "summary"}


def test_rules_that_an_intent_lacks_are_refused(own: Path, dump: Path, tmp_path: Path) -> None:
    asked = ("--signal", "copy-edit", "--rule-set", "printed")
    detect(tmp_path / "o", *config(own), *asked, dump).refused("has no [[printed]] rules")
    assert not (tmp_path / "o").exists()


def test_a_rule_without_a_pattern_of_the_language_is_warned_of(own: Path, dump: Path) -> None:
    path = own / "configs" / "intents" / "copy-edit.toml"
    mute = COPY_EDIT.replace("matches =", "by_language = { fr =").rstrip()
    path.write_text(f"{mute} }}\n", encoding="utf-8")
    words = (*config(own), "-q", "--signal", "copy-edit", dump)
    done = detect(own / "out", *words).well()
    said = "its rule 'the summary says so' has no pattern for 'en'"
    assert said in done.err
    path.write_text(COPY_EDIT, encoding="utf-8")
    assert said not in detect(own / "again", *words).err


def test_the_card_tells_what_an_intent_of_a_user_is_about(own: Path, dump: Path) -> None:
    out = own / "out"
    words = (*config(own), "--signal", "copy-edit", "--signal", "citation")
    done = extract(out, *words, dump).well()
    assert "removal reverted" not in done.out
    card = (out / "labelled" / "README.md").read_text(encoding="utf-8")
    assert "Intents, by their rules robust, version " in card
    said = (
        "- copy-edit (no intent of that paper, with rules of its own): a sentence had slips in it"
    )
    assert said in card
    assert "- citation: a statement without a source" in card
    assert "sentences of 1 page," in card
