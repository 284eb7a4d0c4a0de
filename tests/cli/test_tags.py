"""`wikibias tags suggest`, `apply`, `show` and `check`, one after the other; and `stats`."""

import csv
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from exports import Page, Revision, dumped, result_of, wikibias
from paths import ROOT, cases
from split_tagset import made
from wikibias.tags.tagset import load_tagset, read_tagset, tagset_languages

SET = """# Kept by hand: a comment.
lang = "en"
ignore_case = true
verified = true

[[tag]]
name = "POV"  # the main one
family = "pov"
aliases = ["Old spelling"]

[[tag]]
name = "Weasel"
family = "weasel"

[[wrapper]]
name = "Multiple issues"
[wrapper.parameters]
POV = "POV"
"""


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    """Counts of a wiki with redirects, slips and look-alikes."""
    calls = "POV,POV,Bias note,Neutral view,weasel-inline,wesael words,Weasel wordss,POV-map tile"
    calls += ",poverty,stub,POV section,NPOV note,Old spelling,weasel words"
    text = " ".join(f"{{{{{name}}}}}" for name in calls.split(","))
    pages = [
        Page("Mill", [Revision(text), Revision("{{Bias note}}")]),
        Page("Bias note", [Revision("#REDIRECT [[Template:Neutral view]]")], 10),
        Page("Neutral view", [Revision("#redirect [[Template:POV]]")], 10),
        Page("NPOV note", [Revision("#redirect [[Template:POV]]"), Revision("a box")], 10),
    ]
    return counted(tmp_path, pages)


def counted(folder: Path, pages: list[Page]) -> Path:
    """Return the counts of a wiki, `c` in a folder."""
    dump = dumped(folder, pages)
    wikibias("tags", "count", "-q", "-o", folder / "c", dump).well()
    return folder / "c"


def table(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file, dialect="excel-tab")}


def edit(path: Path, decisions: dict[str, str]) -> None:
    """Set the column `keep`, as a user would."""
    rows = table(path)
    for name, keep in decisions.items():
        rows[name]["keep"] = keep
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(next(iter(rows.values()))), dialect="excel-tab")
        writer.writeheader()
        writer.writerows(rows.values())


DECIDED = "suggested-npov-en.tsv"


def suggested(counts: Path, tagset: str = "npov") -> dict[str, dict[str, str]]:
    command = ("tags", "suggest", "--lang", "en", "--seed", "POV, weasel words")
    ended = wikibias(*command, "--tagset", tagset, counts).well()
    assert not [line for line in ended.err.splitlines() if not line.startswith("Note: a new set")]
    return table(counts / f"suggested-{tagset}-en.tsv")


def test_each_suggestion_has_a_reason(counts: Path) -> None:
    found = suggested(counts)
    assert "Stub" not in found
    assert {name: (row["keep"], row["reason"]) for name, row in found.items()} == {
        "POV": ("yes", "in the set"),
        "POV section": ("yes", "in the set"),
        "Weasel words": ("yes", "in the set"),
        "Bias note": ("yes", "redirect to Neutral view"),
        "Neutral view": ("yes", "redirect to POV"),
        "NPOV note": ("yes", "redirect to POV until 2019"),
        "Wesael words": ("?", "spelled like Weasel words (91%)"),
        "Weasel wordss": ("?", "contains Weasel words"),
        "POV-map tile": ("no", "contains POV"),
        "Poverty": ("no", "contains POV"),
    }
    assert found["Bias note"]["tag"] == found["NPOV note"]["tag"] == "POV"
    assert found["Bias note"]["revisions"] == "2"
    assert found["POV-map tile"]["look_alike"] == "also says 'map'"
    assert "inventedenwiki, a.xml, until 2019" in found["POV"]["source"]


def test_a_new_set_is_told_what_the_other_sets_know(tmp_path: Path) -> None:
    calls = "POV,NPOV,Npov,Pov-section,NPOVaccuracy,POVs,Poverty,nPOV map"
    text = " ".join(f"{{{{{name}}}}}" for name in calls.split(","))
    counts = counted(tmp_path, [Page("Mill", [Revision(text)])])
    command = ("tags", "suggest", "--lang", "en", "--tagset", "mine", "--seed", "POV")
    wikibias(*command, counts).well()
    found = table(counts / "suggested-mine-en.tsv")
    assert {name: (row["keep"], row["tag"], row["reason"]) for name, row in found.items()} == {
        "POV": ("yes", "POV", "seed"),
        "NPOV": ("yes", "POV", "a name of POV in npov"),
        "Npov": ("yes", "POV", "a name of POV in npov"),
        "Pov-section": ("?", "POV section", "contains POV, known as POV section"),
        "NPOVaccuracy": ("?", "Totally disputed", "contains POV, known as Totally disputed"),
        "POVs": ("?", "POV", "contains POV"),
        "Poverty": ("no", "POV", "contains POV"),
        "NPOV map": ("no", "POV", "contains POV"),
    }
    assert (found["Pov-section"]["family"], found["Pov-section"]["scope"]) == ("pov", "section")


def test_without_other_sets_a_letter_more_is_left_to_the_user(tmp_path: Path) -> None:
    text = "{{Neutra}} {{NPOV}} {{POV}} {{Poverty}}"
    counts = counted(tmp_path, [Page("Ola", [Revision(text)])])
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "eu.toml").write_text('name = "Basque"\nspacy = "eu"\n', "utf-8")
    command = ("tags", "suggest", "--lang", "eu", "--config-dir", tmp_path, "--seed", "POV")
    wikibias(*command, counts).well()
    found = table(counts / "suggested-npov-eu.tsv")
    assert {name: row["keep"] for name, row in found.items()} == {
        "POV": "yes",
        "NPOV": "?",
        "Poverty": "no",
    }


def applied(path: Path, target: Path) -> str:
    return wikibias("tags", "apply", "-o", target, path).silent().out


def test_apply_adds_and_removes_names_and_keeps_decisions(counts: Path, tmp_path: Path) -> None:
    target = tmp_path / "en.toml"
    target.write_text(SET)
    before = read_tagset(target, "npov").version
    suggested(counts)
    edit(counts / DECIDED, {"Wesael words": "yes", "Neutral view": "no", "Poverty": "no"})
    assert "left as decided by hand before" in applied(counts / DECIDED, target)
    text = target.read_text()
    assert text.startswith("# Kept by hand: a comment.\n")
    assert "# the main one" in text
    made = read_tagset(target, "npov")
    assert made.version != before
    tags = {tag.name: set(tag.aliases) for tag in made.tags}
    assert {"Bias note", "Old spelling", "NPOV note"} <= tags["POV"]
    assert "Neutral view" not in tags["POV"]
    assert any("Wesael words" in aliases for aliases in tags.values())
    assert made.provenance.by_hand == ("Wesael words",)
    assert made.provenance.rejected == ("Neutral view",)
    assert "Bias note" in made.provenance.generated
    assert made.provenance.counts.startswith("inventedenwiki, a.xml")
    # The same suggestions, not edited this time: what was decided stays.
    (counts / DECIDED).unlink()
    suggested(counts)
    assert "left as decided by hand before" in applied(counts / DECIDED, target)
    again = read_tagset(target, "npov")
    assert (again.tags, again.version) == (made.tags, made.version)
    assert again.provenance == made.provenance


def test_apply_makes_a_new_set(counts: Path, tmp_path: Path) -> None:
    suggested(counts, "new")
    target = tmp_path / "new" / "en.toml"
    said = wikibias("tags", "apply", "-o", target, counts / "suggested-new-en.tsv").out
    assert f"{target}: created with " in said
    assert f"{tmp_path / 'new' / 'tagsets' / 'new' / 'en.toml'} and give --config-dir" in said
    made = read_tagset(target, "new")
    assert not made.verified
    assert [tag.name for tag in made.tags] == ["POV", "Weasel words"]


def test_a_new_file_begins_as_a_copy_of_the_shipped_one(counts: Path, cwd: Path) -> None:
    suggested(counts)
    shipped = load_tagset("npov", "en")
    own = cwd / "own"
    said = applied(counts / DECIDED, own / "en.toml")
    assert "en.toml: created, a copy of the shipped npov for en with 3 names added" in said
    assert f"move it to {own}/tagsets/npov/en.toml and give --config-dir {own}." in said
    made = read_tagset(own / "en.toml", "npov")
    added = {made.key(name) for name in ("Bias note", "Neutral view", "NPOV note")}
    assert made.by_key().keys() == shipped.by_key().keys() | added
    said = applied(counts / DECIDED, own / "tagsets" / "npov" / "en.toml")
    assert f"To use it, give --config-dir {own}." in said
    assert load_tagset("npov", "en").version == shipped.version
    said = wikibias("tags", "apply", "--config-dir", "new", counts / DECIDED).out
    assert said.startswith("new/tagsets/npov/en.toml: created, ")
    assert said.endswith("Runs with --config-dir new now use it.\n")


def test_no_change_writes_none(counts: Path, cwd: Path) -> None:
    """A copy of the shipped file would hide later versions of it."""
    known = [name for name, row in suggested(counts).items() if row["keep"] == "yes"]
    edit(counts / DECIDED, dict.fromkeys(known, "?"))
    for options in ((), ("-o", "x.toml"), ("--config-dir", "own")):
        ended = wikibias("tags", "apply", *options, counts / DECIDED)
        assert ended.out.startswith("Nothing to change in the shipped npov for en: ")
        assert not any((cwd / name).exists() for name in ("tagsets", "x.toml", "own"))
    edit(counts / DECIDED, {"Bias note": "yes"})
    said = wikibias("tags", "apply", counts / DECIDED).out
    assert said.endswith("Runs in this folder now use it.\n")
    before = (cwd / "tagsets" / "npov" / "en.toml").read_bytes()
    said = wikibias("tags", "apply", counts / DECIDED).out
    assert said.startswith("Nothing to change in tagsets/npov/en.toml: ")
    assert (cwd / "tagsets" / "npov" / "en.toml").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("yes\t", "perhaps\t"), "keep must be yes, no or ?, not 'perhaps'"),
        (("\tBias note\t", "\tBias|note\t"), "cannot be the title"),
        (("yes\tPOV\tPOV\t", "no\tPOV\tPOV\t"), "'POV' is the name of a tag"),
    ],
)
def test_a_broken_file_of_suggestions_changes_nothing(
    change: tuple[str, str], said: str, counts: Path, tmp_path: Path
) -> None:
    target = tmp_path / "en.toml"
    target.write_text(SET)
    suggested(counts)
    path = counts / DECIDED
    path.write_text(path.read_text().replace(*change, 1))
    wikibias("tags", "apply", "-o", target, path).refused(said)
    assert target.read_text() == SET


def test_decisions_are_not_lost_when_names_are_suggested_again(counts: Path) -> None:
    suggested(counts)
    suggested(counts)
    edit(counts / DECIDED, {"Wesael words": "yes"})
    decided = (counts / DECIDED).read_bytes()
    for seed in ("POV, weasel words", "Gibberish"):
        ended = wikibias("tags", "suggest", "--lang", "en", "--seed", seed, counts)
        ended.refused(f"{DECIDED}: overwriting it would lose your decisions; rename it")
        assert (counts / DECIDED).read_bytes() == decided


def test_a_seed_that_leads_to_nothing_is_named(counts: Path) -> None:
    """One that only redirects, letters or a slip lead to is none."""
    seeds = "Gibberish, Weasel word, pov, NPOV note, Neutral view, Weasle words"
    ended = wikibias("tags", "suggest", "--lang", "en", "--seed", seeds, counts).well()
    assert ended.err == f"Warning: no name in {counts} is like 'Gibberish'\n"


def test_suggesting_for_a_new_set_says_that_it_is_new(counts: Path) -> None:
    options = ("--lang", "en", "--tagset", "npvo", "--seed", "POV", counts)
    ended = wikibias("tags", "suggest", *options).well()
    assert "no tag set 'npvo' for 'en' yet; did you mean 'npov'?" in ended.err
    assert (counts / "suggested-npvo-en.tsv").is_file()


def test_names_go_into_the_set_that_they_were_suggested_for(counts: Path, cwd: Path) -> None:
    suggested(counts, "mine")
    decided = counts / "suggested-mine-en.tsv"
    assert wikibias("tags", "apply", decided).out.startswith("tagsets/mine/en.toml: created ")
    text = decided.read_text()
    decided.write_text(text.replace("mine/en", "npov/en", 1))
    wikibias("tags", "apply", decided).refused("names for one set are needed, not for 2")
    decided.write_text(text.replace("mine/en", "../x/en"))
    assert "cannot name a tag set" in wikibias("tags", "apply", decided).err


def test_a_new_set_without_names_is_refused(counts: Path, tmp_path: Path) -> None:
    decided = counts / "suggested-new-en.tsv"
    edit(decided, dict.fromkeys(suggested(counts, "new"), "?"))
    apply = ("tags", "apply", "-o", tmp_path / "x.toml", decided)
    wikibias(*apply).refused("no name has a yes in the column keep")
    decided.write_text("")
    wikibias(*apply).refused("suggested-new-en.tsv: no column 'keep'", code=1)


def test_show_lists_tags_of_a_family_and_wrappers() -> None:
    ended = wikibias("tags", "show", "--lang", "fr", "--family", "weasel").well()
    assert "Contenu évasif" in ended.out
    assert "Promotionnel" not in ended.out
    assert "Bandeau" in ended.out


def test_check_finds_no_error_in_the_shipped_sets() -> None:
    for folder in sorted((ROOT / "tagsets").iterdir()):
        wikibias("tags", "check", "--tagset", folder.name).silent()


def test_doubts_are_noted_of_own_or_chosen_files(cwd: Path) -> None:
    own = cwd / "tagsets" / "npov" / "da.toml"
    own.parent.mkdir(parents=True)
    own.write_text(SET.replace('"en"', '"da"').replace("verified = true", "verified = false"))
    (note, counted) = wikibias("tags", "check").out.splitlines()
    assert note.startswith("Note: tagsets/npov/da.toml:4: not verified")
    assert counted.endswith(" files, 0 errors.")
    unverified = next(c for c in tagset_languages() if not load_tagset("npov", c).verified)
    assert "not verified" in wikibias("tags", "check", "--lang", unverified).out


@pytest.mark.parametrize("case", cases("broken_tagsets"))
def test_check_and_extract_name_file_line_and_key(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "xx.toml"
    path.write_text(case["text"], encoding="utf-8")
    ended = wikibias("tags", "check", path)
    said = ended.err + ended.out
    assert f"{path}:{case['line']}: " in said
    assert case["said"] in said
    assert ended.code == (0 if case.get("usable") else 1)
    wrong = ended.err.count("Error: ")
    assert ended.out.endswith(f"1 file, {wrong} error{'' if wrong == 1 else 's'}.\n")


def test_tag_sets_of_single_families_are_up_to_date() -> None:
    """After a change of tagsets/npov run scripts/split_tagset.py."""
    for path, text in made().items():
        assert path.read_text(encoding="utf-8") == text, path
    root = ROOT / "tagsets"
    there = {p for f in ("promotional", "weasel", "peacock") for p in (root / f).glob("*.toml")}
    assert there == set(made())


def test_the_ten_templates_of_wiki_reliability() -> None:
    names = "pov disputed third-party contradict hoax more_citations_needed unreferenced"
    names += " original_research unreliable_sources one_source"
    tagset = load_tagset("reliability", "en")
    assert set(tagset.families) == {name.replace("_", " ") for name in names.split()}
    assert {tagset.key(name) for name in names.split()} <= set(tagset.by_key())


def test_dumps_of_two_months_counted_together_are_warned_of(tmp_path: Path) -> None:
    names = (f"enwiki-{date}-pages-meta-history.xml" for date in ("20251201", "20260101"))
    months = [dumped(tmp_path, [], name) for name in names]
    ended = wikibias("tags", "count", "-q", "-o", tmp_path / "counts", *months).well()
    assert "2 dates (20251201, 20260101)" in ended.err


# What a stranger may call a page: markup, a formula, and an escape sequence of a terminal.
HOSTILE = "=HYPERLINK(<script>alert(1)</script>)"


def texts(*tagged: str) -> list[Revision]:
    return [Revision(f"{tags} text {number}") for number, tags in enumerate(tagged)]


@pytest.fixture(scope="module")
def tag_changes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result; a revision every ten days from 2019-03-01 on, over all pages."""
    folder = tmp_path_factory.mktemp("made")
    pages = [
        Page("Mill", texts("", "{{NPOV}}", "{{POV}}", "", "{{POV}}")),
        Page(HOSTILE, texts("{{Weasel}}", "{{Weasel}}", "")),
        Page("Lock", [Revision("a"), Revision("{{Peacock}} a"), Revision("a"), Revision("b")]),
    ]
    return result_of(folder, pages, "detect", "-q")


def row(out: str, name: str, table: int = 0) -> list[str]:
    """The cells of a row, of the first table that has it or a later one."""
    lines = [line.strip("│").split("│") for line in out.splitlines() if line.startswith("│")]
    found = [[cell.strip() for cell in line] for line in lines if line[0].strip() == name]
    return found[table][1:]


def test_additions_removals_and_what_stands_to_the_end_of_the_dump(tag_changes: Path) -> None:
    out = wikibias("tags", "stats", tag_changes).silent().out
    assert row(out, "2019") == ["4", "0", "3", "0", "1"]
    assert row(out, "POV") == ["2", "0", "1", "0", "1"]
    assert row(out, "all") == ["4", "0", "3", "0", "1"]
    assert row(out, "all", 1)[:2] == ["4", "20.0"]
    (first, link) = out.splitlines()[-6:-4]
    assert re.fullmatch(r"  1\. 70\.0 days  POV  Mill  2019-04-10 to 2019-06-19, and stands", first)
    assert link.strip() == "https://en.invented.example/w/index.php?diff=5&oldid=4"


def test_other_groups_and_tags_of_some_families(tag_changes: Path) -> None:
    for by, name in (("family", "weasel"), ("tag", "Weasel")):
        assert row(wikibias("tags", "stats", "--by", by, tag_changes).out, name)
    out = wikibias("tags", "stats", "--family", "pov", tag_changes).out
    assert row(out, "POV") == ["2", "0", "1", "0", "1"]
    assert "Weasel" not in out
    wikibias("tags", "stats", "--family", "resume", tag_changes).silent()


def test_what_reverts_undid_has_no_life(demo: Path) -> None:
    out = wikibias("tags", "stats", demo).out
    assert row(out, "all") == ["29", "4", "29", "3", "0"]
    assert row(out, "all", 1) == ["25", "84.0", "44.1-151.4", "72%", "8%"]


def test_the_file_holds_each_tag_once_and_strange_names_as_text(
    tag_changes: Path, tmp_path: Path
) -> None:
    target = tmp_path / "new" / "intervals.tsv"
    assert wikibias("tags", "stats", tag_changes, "-o", target).out.endswith(f"Wrote {target}.\n")
    first = target.read_bytes()
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, dialect="excel-tab"))
    assert [(r["tag"], r["family"], r["days"], r["stands"]) for r in rows] == [
        ("POV", "pov", "70", "True"),
        ("POV", "pov", "20", "False"),
        ("Weasel", "weasel", "20", "False"),
        ("Peacock", "peacock", "10", "False"),
    ]
    assert rows[2]["page_title"] == f"'{HOSTILE}"
    assert rows[0]["taken_out"] == ""
    ended = wikibias("tags", "stats", tag_changes, "-o", target)
    ended.refused(f"{target} is there already; name another file, or add --overwrite", alone=True)
    wikibias("tags", "stats", tag_changes, "-o", target, "--overwrite").well()
    assert target.read_bytes() == first


def test_a_result_without_manifest_has_no_families(tag_changes: Path, tmp_path: Path) -> None:
    (tmp_path / "transitions").symlink_to(tag_changes / "transitions")
    assert row(wikibias("tags", "stats", "--by", "family", tmp_path).out, "unknown")


def test_lives_of_anarchism(shared: Path, tmp_path: Path) -> None:
    """600 revisions of an article of the English Wikipedia, of September and October 2006."""
    dump = shared / "dumps/enwiki-anarchism-600-revisions.xml.bz2"
    wikibias("detect", "-q", "--lang", "en", "-o", tmp_path, dump).well()
    out = wikibias("tags", "stats", tmp_path).out
    changes = pq.read_table(tmp_path / "transitions", columns=["kind", "tags"]).to_pylist()
    put_in, taken_out = (
        sum(len(change["tags"]) for change in changes if change["kind"] == kind)
        for kind in ("added", "removed")
    )
    cells = row(out, "all")
    assert (int(cells[0]), int(cells[2])) == (put_in, taken_out) == (18, 18)
    assert row(out, "all", 1)[:2] == ["8", "0.077"]
    assert "30.4 days  POV  Anarchism  2006-09-03 to 2006-10-03" in out
