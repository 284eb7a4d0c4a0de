"""Edits found by an intent, through the commands: beside tags, resumed, superseded, refused."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, body, dumped, export, files, mended, rows, tagged, wikibias
from make_stub_dump import stub_pieces
from results import manifest_of

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


def command(own: Path, *options: object) -> tuple[object, ...]:
    config = ("--config-dir", own, "--config", own / "far.toml")
    return ("detect", "--lang", "en", "--workers", 1, *config, *options)


def detect(own: Path, dump: Path, out: Path, *options: object) -> list[dict[str, Any]]:
    wikibias(*command(own, *options, "-o", out, dump)).well()
    return rows(out, "transitions")


def told(found: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    names = ("signal", "kind", "pairing", "before_rev_id", "after_rev_id", "reverted")
    return [tuple(row[name] for name in names) for row in found]


@pytest.mark.parametrize("reader", ["fast", "mwxml"])
def test_intents_beside_tags(own: Path, dump: Path, tmp_path: Path, reader: str) -> None:
    found = detect(own, dump, tmp_path / "o", *ASKED, "--reader", reader)
    # The first revision of a page is no edit of a text, nor is one that changes nothing, as the
    # fourth, or next to which a text was lost, as the last two.
    assert told(found) == [
        ("tag", "added", "addition-edit", 1, 2, False),
        ("tag", "removed", "removal-edit", 2, 3, False),
        ("copy-edit", "removed", "intent-edit", 2, 3, False),
        ("copy-edit", "removed", "intent-edit", 4, 5, True),
    ]
    own_rows = [row for row in found if row["signal"] == "copy-edit"]
    for row in own_rows:
        assert row["before_text"] is row["after_text"] is row["before_sha1"] is None
        assert [*row["tags"], *row["aliases"], *row["scope"]] == []
        assert row["only_tags"] is row["edited_text"] is None
    # The rows of tags are those without intents.
    of_tags = [row for row in found if row["signal"] == "tag"]
    assert of_tags == detect(own, dump, tmp_path / "tags", "--reader", reader)
    alone = detect(own, dump, tmp_path / "a", "--signal", "copy-edit", "--reader", reader)
    assert own_rows == alone


def test_how_many_of_each_intent_are_told_everywhere(own: Path, dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    ended = wikibias(*command(own, *ASKED, "-o", out, dump))
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
    detect(own, dump, out, *ASKED)
    made = files(out, "transitions")
    detect(own, dump, out, "--signal", "copy-edit", "--signal", "tag")
    assert files(out, "transitions") == made
    file = own / "configs" / "intents" / "copy-edit.toml"
    file.write_text(COPY_EDIT.replace("typo", "typos?"), encoding="utf-8")
    wikibias(*command(own, *ASKED, "-o", out, dump)).refused(
        "detect.intents_version: the rules of an intent have changed"
    )
    # What goes on in the folder needs no file of the intent.
    file.unlink()
    assert wikibias("status", out).code == 0
    assert wikibias("inspect", out, 3).code == 0
    assert wikibias("inspect", out, "Mill").code == 0


def test_next_months_dump_takes_the_place_of_both(own: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "w-20190101-x.xml", tmp_path / "w-20200101-x.xml"
    old.write_bytes(export([MILL]))
    new.write_bytes(export([MILL, Page("Pond", [Revision("a"), Revision("b", comment="typo")])]))
    out = tmp_path / "o"
    detect(own, old, out, *ASKED)
    detect(own, new, out, *ASKED)
    again = detect(own, new, tmp_path / "once", *ASKED)
    assert told(rows(out, "transitions")) == told(again)
    found = manifest_of(out)
    assert found["repeated"] == {"removed": 1, "added": 1, "spans": 0, "intent_edits": 2}
    assert found["intents"] == {"copy-edit": 3}
    assert found["inputs"][0]["intents"] == {"copy-edit": 0}


def test_a_stub_dump_has_none(own: Path, dump: Path, tmp_path: Path) -> None:
    stub = tmp_path / "stub.xml"
    stub.write_bytes(b"".join(stub_pieces(io.BytesIO(dump.read_bytes()))))
    alone = wikibias(*command(own, "--signal", "copy-edit", "-o", tmp_path / "a", stub))
    alone.refused("which has no texts, and intents and featured marks are found in texts", code=1)
    both = ("--signal", "copy-edit", "--signal", "summary")
    beside = wikibias(*command(own, *both, "-o", tmp_path / "b", stub)).well()
    assert "no tags, intents or featured marks can be found in it" in beside.err


def test_no_wiki_is_asked_and_pairs_pass_over_them(own: Path, dump: Path, tmp_path: Path) -> None:
    """They are not kept on purpose; what they held is in the lines."""
    detect(own, dump, tmp_path / "o", *ASKED, "--signal", "summary")
    ended = wikibias("fetch", "--revisions", tmp_path / "o", "--dry-run").well()
    assert "copy-edit" not in ended.err
    assert "0 revisions" in ended.out or "No text" in ended.out or "nothing" in ended.out.lower()

    wikibias("pairs", tmp_path / "o", "--out", tmp_path / "pairs").well()
    funnel = json.loads((tmp_path / "pairs" / "funnel.json").read_text(encoding="utf-8"))
    assert set(funnel["by_signal"]) == {"tag", "summary"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--signal", "copyedit"), "unknown signal 'copyedit'; did you mean 'copy-edit'?"),
        (("--signal", "sumary"), "unknown signal 'sumary'; did you mean 'summary'?"),
        (("--signal", "copy-edit", "--rule-set", "printed"), "has no [[printed]] rules"),
    ],
    ids=str,
)
def test_what_is_not_known_is_refused_in_one_line(
    own: Path, dump: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    wikibias(*command(own, *options, "-o", tmp_path / "o", dump)).refused(said)
    assert not (tmp_path / "o").exists()


def test_a_rule_without_a_pattern_of_the_language_is_warned_of(own: Path, dump: Path) -> None:
    path = own / "configs" / "intents" / "copy-edit.toml"
    mute = COPY_EDIT.replace("matches =", "by_language = { fr =").rstrip()
    path.write_text(f"{mute} }}\n", encoding="utf-8")
    words = command(own, "-q", "--signal", "copy-edit")
    done = wikibias(*words, "-o", own / "out", dump).well()
    said = "its rule 'the summary says so' has no pattern for 'en'"
    assert said in done.err
    path.write_text(COPY_EDIT, encoding="utf-8")
    assert said not in wikibias(*words, "-o", own / "again", dump).err


def test_the_card_tells_what_an_intent_of_a_user_is_about(own: Path, dump: Path) -> None:
    out = own / "out"
    words = ("extract", *command(own, "--signal", "copy-edit", "--signal", "citation")[1:])
    done = wikibias(*words, "-o", out, dump).well()
    assert "removal reverted" not in done.out
    card = (out / "labelled" / "README.md").read_text(encoding="utf-8")
    assert "Intents, by their rules robust, version " in card
    said = (
        "- copy-edit (no intent of that paper, with rules of its own): a sentence had slips in it"
    )
    assert said in card
    assert "- citation: a statement without a source" in card
    assert "sentences of 1 page," in card
