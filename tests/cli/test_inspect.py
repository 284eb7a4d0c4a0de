"""`wikibias inspect`: what was typed, found or not, on the terminal and as a page."""

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from exports import Page, Revision, dumped, result_of, rows, wikibias
from paths import SAMPLES

SAMPLE = next(SAMPLES.glob("demoenwiki-*.7z"))


def test_a_revision(demo: Path) -> None:
    shown = wikibias("inspect", demo, 50).silent()
    assert "Varnholt Institute: revision 50 took out POV section" in shown.out
    assert "Verdict: dropped: spelling" in shown.out
    assert "spelling           DROPS IT" in shown.out
    assert "Its [-independance-] is guaranteed" in shown.out
    assert "Its {+independence+} is guaranteed" in shown.out
    assert "\x1b" not in shown.out


def test_a_sentence_and_where_it_went(demo: Path) -> None:
    shown = wikibias("inspect", demo, "demoenwiki-7-removed-1")
    assert shown.out.startswith("In the split train.\n")
    assert "demoenwiki-7-removed-1: train, confidence 0." in shown.out
    told = "(tagged, few_removed, deleted); raised by strong praise taken out +"
    assert told in " ".join(shown.out.split())
    assert shown.out.rstrip().count("(asked for)") == 1


@pytest.mark.parametrize(
    "what",
    [
        "rev:50",
        "https://en.demo.example/w/index.php?diff=50&oldid=49",
        "https://en.demo.example/w/index.php?title=Varnholt&diff=prev&oldid=50#top",
    ],
)
def test_an_address_or_a_name_is_its_revision(what: str, demo: Path) -> None:
    assert wikibias("inspect", demo, what).silent().out == wikibias("inspect", demo, "50").out


def test_a_sentence_by_its_text(demo: Path) -> None:
    row = next(row for row in rows(demo, "corpus") if len(row["text"]) > 60)
    # As a cell of a sheet, in quotes, or typed anew.
    for text in (row["text"], f"«\N{NO-BREAK SPACE}{row['text']} »", row["text"].upper()):
        shown = wikibias("inspect", demo, text).silent()
        assert shown.out == wikibias("inspect", demo, row["sentence_id"]).out
    dropped = next(row for row in rows(demo, "diffs") if row["after_rev_id"] == 50)
    shown = wikibias("inspect", demo, dropped["removed"][0]).silent()
    assert shown.out.startswith("Not in the corpus: the edit was dropped: spelling.\n")
    none = wikibias("inspect", demo, "An unknown sentence. " * 50)
    none.refused("no sentence of an edit that reads so")


@pytest.mark.parametrize(
    "words", [("--page", "Halvern Dairies"), ("halvern_Dairies",), ("Halvern", "Dairies")]
)
def test_a_page(words: tuple[str, ...], demo: Path) -> None:
    shown = wikibias("inspect", demo, *words).well()
    assert "Halvern Dairies (page 2 of demoenwiki)" in shown.out
    assert "taken out  Advert" in shown.out


def test_a_page_without_tags_names_its_intents(intents: Path, tmp_path: Path) -> None:
    shown = wikibias("inspect", intents, "--page", "Edda Rosk", "--html", tmp_path / "p.html")
    assert shown.out.count("2008-02-19") == 1
    assert "clarification, point-of-view  kept" in shown.out
    assert ", 6 kept." in shown.out
    assert "still stands" not in shown.out
    assert "tags or intents" in shown.out
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "tags or intents" in page
    assert "All edits" in page


def test_the_only_result_where_no_folder_is_given(demo: Path, cwd: Path) -> None:
    assert "no result in ./corpora" in wikibias("inspect", 7).errors[0]
    shutil.copytree(demo, cwd / "corpora" / "en")
    shown = wikibias("inspect", 7).well()
    assert "corpora/en" in shown.err
    assert shown.out == wikibias("inspect", "corpora/en", "7").out


def test_a_folder_without_a_result_of_this_version(demo: Path, tmp_path: Path) -> None:
    wikibias("inspect", tmp_path, 7).refused("holds no result")
    wikibias("inspect", tmp_path / "none", 7).refused("there is no folder")
    folder = shutil.copytree(demo, tmp_path / "o")
    (table,) = (folder / "diffs").iterdir()
    table.write_bytes(table.read_bytes()[:200])
    wikibias("inspect", folder, 7).refused("is damaged", code=1)
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["settings"]["filter"]["limits"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    wikibias("inspect", folder, 7).refused("another version of wikibias")
    (folder / "manifest.json").write_text("{")
    wikibias("inspect", folder, 7).refused(alone=True)


@pytest.fixture(scope="module")
def both_signals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result of the English sample by tags and by summaries."""
    folder = tmp_path_factory.mktemp("both") / "en"
    signals = ("--signal", "tag", "--signal", "summary")
    wikibias("extract", "-q", "--lang", "en", *signals, "-o", folder, SAMPLE).well()
    return folder


def test_an_edit_found_by_its_summary(both_signals: Path, tmp_path: Path) -> None:
    shown = wikibias("inspect", both_signals, 31)
    assert "Brackwater lockout: revision 31 names neutrality in its summary" in shown.out
    assert "summary        neutral version" in shown.out
    assert "by summary" in wikibias("inspect", both_signals, "Lindmoor Castle").out
    page = tmp_path / "page.html"
    wikibias("inspect", both_signals, "Lindmoor Castle", "--html", page).well()
    assert "by summary" in page.read_text("utf-8")
    shown = wikibias("inspect", both_signals, "demoenwiki-summary-edit-24-25-removed-0").well()
    assert "Kestrel Line: revision 25 names neutrality in its summary" in shown.out


def test_a_pair_leads_to_its_edit(both_signals: Path, tmp_path: Path) -> None:
    out = tmp_path / "pairs"
    assert f"Next: wikibias report {out}\n" in wikibias("pairs", both_signals, "--out", out).out
    row = pq.read_table(out / "pairs.parquet").to_pylist()[0]
    shown = wikibias("inspect", both_signals, row["pair_id"]).well()
    assert f"revision {row['after_rev_id']} " in shown.out
    for words in (("inspect", out, row["pair_id"]), ("status", out)):
        wikibias(*words).refused("holds sentence pairs")


def test_edits_by_summary_alone(tmp_path: Path) -> None:
    folder = tmp_path / "en"
    made = wikibias("detect", "--lang", "en", "--signal", "summary", "-o", folder, SAMPLE)
    assert made.out.endswith(f"Next: wikibias pairs {folder} --rules own --out pairs/en\n")
    assert f"wikibias pairs {folder}" in wikibias("status", folder).out
    shown = " ".join(wikibias("inspect", folder, 25).out.split())
    assert f"run `wikibias diff {folder}`" in shown
    none = wikibias("inspect", folder, 999).errors[0]
    assert "no edit named neutrality in its summary at revision 999" in none


def test_summaries_change_no_statistics_of_tags(both_signals: Path, demo: Path) -> None:
    both, tags = (wikibias("tags", "stats", folder) for folder in (both_signals, demo))
    assert (both.code, both.out) == (0, tags.out)


OLD = "A quite lively town.\n\nThe mill stands by the weir.\n"
NEW = "A town.\n\nThe mill stands by the weir.<ref>Fenwick 1901</ref>\n"
LINKED = NEW.replace("A town", "A [[town]]")
EDITS = [Revision(OLD), Revision(NEW, comment="source"), Revision(LINKED, comment="POV")]
PAGE = Page("Mill", EDITS)


@pytest.fixture
def result(tmp_path: Path) -> Path:
    asked = ("--signal", "citation", "--signal", "clarification", "--signal", "summary")
    return result_of(tmp_path, [PAGE], "detect", *asked)


@pytest.fixture
def texts(tmp_path: Path) -> tuple[object, ...]:
    (tmp_path / "a").write_text(OLD, encoding="utf-8")
    (tmp_path / "b").write_text(NEW, encoding="utf-8")
    return ("--lang", "en", "--before", tmp_path / "a", "--after", tmp_path / "b")


def told(*words: object) -> dict[str, Any]:
    ended = wikibias("inspect", "--intents", *words, "--json").well()
    found: dict[str, Any] = json.loads(ended.out)
    return found


def holds(found: dict[str, Any]) -> dict[str, bool]:
    return {each["intent"]: each["holds"] for each in found["intents"]}


def test_an_edit_is_explained_by_its_lines(result: Path, texts: tuple[object, ...]) -> None:
    found = told(result, 2)
    assert (found["page"], found["revision"], found["summary"]) == ("Mill", 2, "source")
    assert holds(found) == {"citation": True, "clarification": True}
    # The texts themselves say the same.
    signals = ("--signal", "citation", "--signal", "clarification")
    of_texts = told(*texts, "--summary", "source", *signals)
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


def test_rules_that_have_changed_are_told(cwd: Path) -> None:
    dump = dumped(cwd, [PAGE])
    rules = cwd / "configs" / "intents" / "source.toml"
    rules.parent.mkdir(parents=True)
    form = (
        'name = "source"\nabout = "Adds a reference."\n'
        '[[robust]]\nname = "more"\nfact = "line_references_added"\nmin = {}\n'
        'of = "any line"\n'
    )
    rules.write_text(form.format(1), encoding="utf-8")
    wikibias("detect", "--lang", "en", "--signal", "source", "-o", "o", dump).well()
    assert told("o", 2)["rules_changed"] is False
    rules.write_text(form.format(2), encoding="utf-8")
    assert told("o", 2)["rules_changed"] is True
    assert "was made with other rules" in wikibias("inspect", "--intents", "o", 2).out


def test_two_files_are_asked_all_intents(texts: tuple[object, ...]) -> None:
    found = told(*texts)
    assert holds(found) == {"citation": True, "clarification": True, "point-of-view": False}
    said = told(*texts, "--summary", "rm POV", "--signal", "point-of-view")
    assert [rule["holds"] for rule in said["intents"][0]["rules"]][:2] == [True, False]
    printed = told(*texts, "--rule-set", "printed", "--signal", "citation")
    assert [rule["fact"] for rule in printed["intents"][0]["rules"]] == ["inserts_citation"]
    same = told("--lang", "en", "--before", texts[3], "--after", texts[3])
    assert (same["lines"], any(holds(same).values())) == ([], False)


def test_an_intent_without_rules_hides_no_other(texts: tuple[object, ...], tmp_path: Path) -> None:
    own = tmp_path / "configs" / "intents" / "plain.toml"
    own.parent.mkdir(parents=True)
    rule = '[[printed]]\nname = "said"\nfact = "summary"\nmatches = "plain"\n'
    own.write_text(f'name = "plain"\nabout = "a stiff sentence"\n{rule}', encoding="utf-8")
    config = ("--config-dir", tmp_path)
    assert "plain" not in holds(told(*config, *texts))
    assert "plain" in holds(told(*config, *texts, "--rule-set", "printed"))
    ended = wikibias("inspect", "--intents", *config, *texts, "--signal", "plain")
    ended.refused("has no [[robust]] rules")


def test_the_table_shows_what_did_not_hold_and_draws_nothing(texts: tuple[object, ...]) -> None:
    hostile = "rm \x1b[31m[bold]POV[/bold]"
    asked = ("--summary", hostile, "--signal", "point-of-view")
    ended = wikibias("inspect", "--intents", *texts, *asked).well()
    assert "point-of-view (robust rules): no" in ended.out
    assert "NO" in ended.out
    assert "\x1b[31m" not in ended.out
    assert "[bold]" in ended.out
    assert ended.out.startswith("2 changed lines; summary: rm \\x1b")


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
    wikibias("inspect", "--intents", *filled).refused(said, alone=True)


def test_the_old_name_works_unlisted(result: Path) -> None:
    assert wikibias("explain", result, 2).out == wikibias("inspect", "--intents", result, 2).out
    assert "explain" not in wikibias("--help").out
    refused = wikibias("inspect", result, 2, "--rule-set", "robust").errors[0]
    assert "go with --intents" in refused
