"""`wikibias status`: what it says of whole, failed and missing parts, and that its advice works."""

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from exports import dumped, export, files, history, result_of, rows, wikibias
from paths import SAMPLES
from wikibias.cli.status import commands_of_corpus, month_lines, repeat_lines, unreadable_lines
from wikibias.kits.folders import locked


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A folder with three parts."""
    (tmp_path / "in").mkdir()
    for number in range(3):
        page = history(f"Village {number}", 2, topic=number)
        (tmp_path / f"in/part {number}.xml").write_bytes(export([page], first_id=1 + 100 * number))
    return tmp_path / "in"


def advice(shown: str) -> list[str]:
    """Return the arguments of the command to type next."""
    return shlex.split(shown.splitlines()[-1].removeprefix("Next: "))[1:]


def commands(shown: str) -> list[list[str]]:
    """Return the arguments of all commands that are shown, in a sentence or alone."""
    found = re.findall(r"wikibias ([^;,()`\n]+(?:,-[^;,()`\n]+)?)", shown)
    return [shlex.split(words) for words in found]


def test_whole(parts: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    wikibias("extract", "--lang", "en", "-o", out, parts).well()
    shown = wikibias("status", out).silent()
    assert "3 parts: 3 whole, 0 failed, 0 missing." in shown.out
    assert "3 pages, 12 revisions: 6 tag removals, 6 additions; 6 edits kept." in shown.out
    # Three pages of the same size leave one split empty.
    (hint,) = commands(shown.out)
    assert hint == ["classify", "--model", "nb-lr", "--cv", "page", "--folds", "3", str(out)]
    wikibias(*hint).well()
    wikibias("build", "-q", "--restart", "--split", "sentence", out).well()
    assert advice(wikibias("status", out).out) == ["classify", "--model", "nb-lr", str(out)]


def test_failed_and_what_to_do(parts: Path, tmp_path: Path) -> None:
    """The command that it shows is that of before, whatever its options were."""
    sound = (parts / "part 1.xml").read_bytes()
    (parts / "part 1.xml").write_bytes(sound[: len(sound) // 2])
    out = tmp_path / "o"
    options = ("--seed", 3, "--per", "any", "--reverts", "keep", "--namespace", 0, "--namespace", 1)
    assert wikibias("extract", "--lang", "en", *options, "-o", out, parts).code == 1
    shown = wikibias("status", out)
    assert shown.code == 1
    assert "3 parts: 2 whole, 1 failed, 0 missing." in shown.out
    assert "failed   part 1.xml is cut off" in shown.out
    (parts / "part 1.xml").write_bytes(sound)
    assert advice(shown.out)[-1] == str(parts)
    wikibias(*advice(shown.out)).well()
    other = tmp_path / "other"
    wikibias("extract", "--lang", "en", *options, "-o", other, parts).well()
    assert files(out, "corpus") == files(other, "corpus")
    wikibias("status", out).well()


def test_missing(parts: Path, tmp_path: Path) -> None:
    """Stage by stage, what it advises is what is missing."""
    out = tmp_path / "o"
    chosen = [parts / "part 0.xml", parts / "part 2.xml"]
    wikibias("detect", "--lang", "en", "-o", out, *chosen).well()
    shown = wikibias("status", out).well()
    assert "2 parts: 0 whole, 0 failed, 2 missing." in shown.out
    assert "missing  part 0.xml (done: detect)" in shown.out
    assert "Corpus: not built yet." in shown.out
    for stage in ("diff", "filter", "build"):
        assert advice(shown.out) == [stage, str(out)]
        wikibias(*advice(shown.out)).well()
        shown = wikibias("status", out)
    assert "2 whole" in shown.out


def test_it_is_what_was_typed(parts: Path, cwd: Path) -> None:
    Path("my.toml").write_text("[reverts]\ndays = 1.5\n[filter]\nmin_wikitext = 399\n")
    typed = ["extract", "-q", "--workers", "1", "--lang", "en", "--config", "my.toml", "-o", "o"]
    wikibias(*typed, "--restart", "in").well()
    for path in Path("o/diffs").iterdir():
        path.unlink()
    shown = wikibias("status", "o").out
    assert "3 parts: 0 whole, 0 failed, 3 missing." in shown
    assert advice(shown) == [*typed, "in"]
    wikibias(*advice(shown)).well()
    assert "3 whole" in wikibias("status", "o").out


def test_after_a_kill_it_reads_the_outputs_themselves(parts: Path, tmp_path: Path) -> None:
    """A run that is killed may not have written down what its last parts gave."""
    out = tmp_path / "o"
    wikibias("detect", "--lang", "en", "-o", out, parts).well()
    manifest = json.loads((out / "manifest.json").read_text())
    for entry in manifest["inputs"]:
        entry.update(state="missing", stages=[], counts={})
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert "missing  part 0.xml (done: detect)" in wikibias("status", out).out


def test_what_a_small_or_empty_corpus_advises_runs_as_it_stands(cwd: Path) -> None:
    dump = dumped(cwd, [history(f"Village {n}", 2, topic=n) for n in range(2)])
    small = wikibias("extract", "-o", "small", dump).well().out
    assert "(2) to split by page; add dump parts, or cross-validate (--cv page)." in small
    Path("long.toml").write_text("[filter]\nmin_wikitext = 40000\n")
    strict = wikibias("extract", "--config", "long.toml", "-o", "strict", dump).well().out
    assert "Next: the corpus is empty; try more dumps, fewer filters (" in strict
    sure = wikibias("extract", "--min-confidence", 1, "-o", "sure", dump).well().out
    assert "Next: the corpus is empty; try a lower --min-confidence (" in sure
    assert [words[0] for words in commands(small)] == ["report", "classify"]
    assert [words[0] for words in commands(strict + sure)] == ["filter", "build", "build"]
    for words in commands(small + strict + sure):
        wikibias(*words).well()
    for out in ("strict", "sure"):
        assert len(rows(cwd / out, "corpus")) > 0
    one = wikibias("extract", "-o", "one", "--limit", 1, dump).well().out
    assert "(1) to split by page; add dump parts.\n" in one
    none = wikibias("extract", "-o", "none", dumped(cwd, [], "none.xml")).well().out
    assert "Next: the corpus is empty; try more dumps, or other tags (--tagset)\n" in none
    assert "each" not in none


def test_table_3_says_how_many_duplicates_were_dropped(cwd: Path) -> None:
    once = wikibias("extract", "-o", "a", dumped(cwd, [history("Mill", 2)])).well().out
    page = history("Mill", 2)
    again = dumped(cwd, [page, replace(page, title="Hill")], "b.xml")
    twice = wikibias("extract", "-o", "b", again).well().out
    number = json.loads(Path("b/manifest.json").read_text())["corpus"]["duplicates"]
    assert number > 1
    assert f"; {number} sentences dropped as duplicates\n" in twice
    assert "duplicates" not in once


def test_for_programs(parts: Path, tmp_path: Path) -> None:
    """One object of documented keys, whatever the state; the command is a list of words."""
    sound = (parts / "part 1.xml").read_bytes()
    (parts / "part 1.xml").write_bytes(sound[: len(sound) // 2])
    out = tmp_path / "o"
    typed = ("detect", "--workers", "1", "--lang", "en", "-o", str(out), str(parts))
    assert wikibias(*typed).code == 1
    shown = wikibias("status", "--json", out)
    assert (shown.code, shown.err) == (1, "")
    found = json.loads(shown.out)
    page = (Path(__file__).parents[2] / "docs/output.md").read_text("utf-8")
    documented = page.partition("## What `status --json` prints")[2].partition("\n## ")[0]
    assert [key for key in found if f"| `{key}` |" not in documented] == []
    assert [key for key in found["inputs"][0] if f"`{key}`" not in documented] == []
    assert (found["complete"], found["busy"], found["corpus"]) == (False, False, None)
    assert found["parts"] == {"whole": 0, "failed": 1, "missing": 2}
    failed = found["inputs"][1]
    assert (failed["part"], failed["state"]) == ("part 1.xml", "failed")
    assert failed["stages"] == ["detect"]
    assert failed["error"].startswith("is cut off")
    assert found["next_command"] == ["wikibias", *typed]
    (parts / "part 1.xml").write_bytes(sound)
    wikibias("extract", "-q", "--split", "sentence", *typed[1:]).well()
    found = json.loads(wikibias("status", "--json", out).silent().out)
    assert (found["complete"], found["kept"]) == (True, 6)
    assert set(found["corpus"]["splits"]) == {"train", "dev", "test"}
    assert found["next"] == f"wikibias classify --model nb-lr {out}"
    with locked(out):
        found = json.loads(wikibias("status", "--json", out).out)
        assert "Next: a run is at work here" in wikibias("status", out).well().out
    assert (found["busy"], found["next_command"]) == (True, None)


def test_intents_are_advised_of_as_such(intents: Path, tmp_path: Path) -> None:
    learn = "classify --task labels --model nb-lr".split()
    assert advice(wikibias("status", intents).out)[:-1] == learn
    none = result_of(tmp_path, [], "extract", "-q", "--signal", "citation")
    shown = wikibias("status", none).silent().out
    assert "Next: the corpus is empty; try more dumps, or other intents (--signal)" in shown
    assert "classify" not in shown


def test_edits_of_intents_beside_tags_are_told_of(tmp_path: Path) -> None:
    sample, out = next(SAMPLES.glob("qualityenwiki-*.7z")), tmp_path / "o"
    both = ("--lang", "en", "--signal", "tag", "--signal", "citation", "-o", out)
    said = " ".join(wikibias("extract", *both, sample).out.split())
    assert " kept; for their sentences: wikibias build --labels intents" in said
    wikibias(*advice(wikibias("status", out).out)).well()
    assert rows(out, "labelled")


def test_without_featured_articles_the_advice_leaves_them_out(parts: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    asked = ("--signal", "tag", "--signal", "featured", "--negatives", "featured")
    done = wikibias("extract", "--lang", "en", *asked, "-o", out, parts)
    done.refused("no article here was featured")
    wikibias(*advice(wikibias("status", out).out)).well()
    before = files(out)
    # What cannot be built takes nothing away.
    for wrong in (("--negatives", "featured"), ("--labels", "intents")):
        assert wikibias("build", "--restart", *wrong, out).code == 2
        assert files(out) == before


def test_the_first_are_named_and_the_rest_counted() -> None:
    page = {"page": "Mill", "page_id": 3, "revision": 7, "cause": "no reason"}
    lines = unreadable_lines(1200, [("a.xml", page)] * 100, "manifest.json")
    assert len(lines) == 7
    assert lines[0].startswith("Error: 1,200 pages or revisions could not be worked out")
    assert lines[1] == "  a.xml: Mill (page 3, revision 7): no reason"
    assert lines[-1] == "  and 1,195 more: see manifest.json"
    assert unreadable_lines(0, [], "manifest.json") == []


def test_sentences_with_several_labels_have_a_classifier_of_their_own() -> None:
    out, none = Path("corpora/en"), {"train": 0, "test": 0}
    report = "wikibias report corpora/en"
    learn = "wikibias classify --task labels --model nb-lr corpora/en"
    assert commands_of_corpus(out, {"splits": none, "labelled": {"notes": []}}) == [learn, report]
    assert commands_of_corpus(out, {"splits": {"train": 3}}) == [report]
    assert commands_of_corpus(out, {"splits": none}) == commands_of_corpus(out, None) == []


def page(title: str, **more: str) -> dict[str, object]:
    """Return a page as the manifest names it."""
    return {"wiki": "frwiki", "page_id": 1, "page_title": title, **more}


def test_dumps_of_several_months_have_a_line_each() -> None:
    alone = {"inputs": [{"part": "frwiki-20261101-history1.xml.bz2"}, {"part": "a.xml"}]}
    assert list(month_lines(alone)) == []
    inputs = [{"part": f"frwiki-2026{month}01-h.xml"} for month in (10, 11)]
    manifest = {
        "inputs": [*inputs, {"part": "frwiki-2026-11-01-p7.xml"}],
        "repeated": {"removed": 1, "added": 1_200, "spans": 0},
        "gone_pages": [page(f"Page {number}") for number in range(7)],
        "renamed_pages": [page("Town", was="Village")],
    }
    assert list(month_lines(manifest)) == [
        "Dumps: 2026-10-01 (1 part), 2026-11-01 (2 parts).",
        *repeat_lines(manifest),
    ]
    many = [page(f"Page {number}") for number in range(100)]
    (line,) = repeat_lines({"repeated": {"removed": 2, "added": 0, "summary_edits": 1}})
    assert line.startswith("2 removals, 0 additions and 1 summary edit stand in an earlier dump")
    (line,) = repeat_lines({"repeated": {"removed": 0, "added": 0, "summary_edits": 4}})
    assert line.startswith("4 summary edits stand in an earlier dump as well and count once; ")
    line, _ = repeat_lines({"gone_pages": many, "renamed_pages": [page("Town", was="Village")]})
    assert line.startswith("At least 100 pages of an earlier dump")
    assert list(repeat_lines(manifest)) == [
        "1 removal and 1,200 additions stand in an earlier dump as well and count once; "
        "pages and revisions are those of all dumps together.",
        "7 pages of an earlier dump, or tagged revisions of them, are not in the newest one; their "
        "edits stay: Page 0, Page 1, Page 2, Page 3, Page 4, and 2 more (manifest.json).",
        "1 page with another title now: Town (was Village).",
    ]
