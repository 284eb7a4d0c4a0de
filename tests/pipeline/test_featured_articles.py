"""Featured articles through the commands: found, cut into sentences, and taken as negatives."""

import json
import shutil
from pathlib import Path

import pytest

from exports import Page, Revision, body, dumped, export, files, history, rows, wikibias, word
from paths import SAMPLES
from results import check_refused, extract, manifest_of, transitions

BOTH = ("--signal", "tag", "--signal", "featured")
STAR = "{{Featured article}}\n"


def article(topic: int, sentences: int = 20) -> str:
    """Return an article of some sections, whose sentences differ in length; half have a source."""
    found = []
    for number in range(sentences):
        names = " ".join(word(topic * 1000 + number * 7 + n) for n in range(number % 9))
        source = "<ref>A survey, page 4.</ref>" if number % 2 else ""
        heading = f"\n== Part {number // 5} ==\n" if number % 5 == 0 else ""
        place = word(topic * 1000 + number)
        found.append(f"{heading}The road to {place} passes a lake, {names} and a bridge.{source} ")
    return "".join(found) + "\n* A list of bridges stands here and goes on for some words.\n"


def featured(topic: int, mark: str = STAR) -> Page:
    """Return a page whose mark stands for twenty days and goes."""
    text = article(topic)
    texts = [text, mark + text, mark + text + "The lake is deep.", text + "The lake is flat."]
    return Page(f"Lake {topic}", [Revision(each) for each in texts])


TAGGED = [history(f"Village {topic}", 3, topic=topic) for topic in (1, 2, 3)]
STARRED = [featured(11), featured(12), featured(13, "[[Category:Featured_articles|Lake]]\n")]
NOT_FEATURED = [
    # Ten days; another wiki's; undone; a comment; a talk page.
    Page("Ford", [Revision(body(4)), Revision(STAR + body(4)), Revision(body(4) + "It is deep.")]),
    Page("Weir", [Revision("{{Link FA|de}}\n" + body(5)), Revision(body(5)), Revision(body(6))]),
    Page("Pier", [Revision(body(7)), Revision(STAR + body(7)), Revision(body(7)), Revision("No.")]),
    Page("Quay", [Revision(f"<!-- {STAR} -->" + body(8)), Revision("A"), Revision("B")]),
    Page("Lake 11", [Revision(STAR + body(9)), Revision(STAR), Revision("C")], namespace=1),
]
PAGES = [*TAGGED, *STARRED, *NOT_FEATURED]


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dumped(tmp_path_factory.mktemp("dump"), PAGES, "dump.xml")


@pytest.fixture(scope="module")
def done(dump: Path) -> Path:
    """The result of the dump, with featured articles."""
    out = dump.parent / "out"
    assert extract(out, *BOTH, dump).code == 0
    return out


def test_each_featured_article_is_a_row(done: Path) -> None:
    found = [row for row in rows(done, "transitions") if row["signal"] == "featured"]
    template, category = ["Featured article"], ["Category:Featured articles"]
    assert [(row["page_title"], row["days_tagged"], row["tags"]) for row in found] == [
        ("Lake 11", 20.0, template),
        ("Lake 12", 20.0, template),
        ("Lake 13", 20.0, category),
    ]
    assert {(row["pairing"], row["kind"], row["before_text"]) for row in found} == {
        ("featured-span", "added", "")
    }
    facts = manifest_of(done)
    assert facts["counts"]["featured_spans"] == 3


def test_next_month_another_state_takes_the_place(tmp_path: Path) -> None:
    lake = [Revision(article(11)), Revision(STAR + article(11))]
    now = [*lake, Revision(STAR + article(11) + "The lake is deep.")]
    out = tmp_path / "o"
    for month, revisions in (("02", lake), ("06", now)):
        part = dumped(tmp_path, [Page("Lake", revisions)], f"w-2019{month}01-x.xml")
        assert extract(out, "--signal", "featured", part).code == 0
    for table in ("transitions", "diffs", "edits"):
        (state,) = rows(out, table)
        assert (state["before_rev_id"], state["after_rev_id"]) == (2, 3)


def test_its_sentences_are_unchanged_ones_in_their_context(done: Path) -> None:
    edit = next(row for row in rows(done, "diffs") if row["signal"] == "featured")
    assert edit["removed"] == edit["added"] == []
    assert len(edit["unchanged"]) == 21
    assert edit["context_section"][:6] == ["Part 0"] * 5 + ["Part 1"]
    assert edit["context_has_reference"][:4] == [False, True, False, True]
    kept = [row for row in rows(done, "edits") if row["signal"] == "featured"]
    assert [row["verdict"] for row in kept] == ["kept"] * 3


def test_without_the_option_the_corpus_is_the_same(dump: Path, done: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    assert extract(plain, dump).code == 0
    assert rows(plain, "corpus") == rows(done, "corpus")
    names = ("text/train.tsv", "text/dev.tsv", "text/test.tsv", "text/train.txt")
    assert [files(plain)[name] for name in names] == [files(done)[name] for name in names]


@pytest.fixture(scope="module")
def built(dump: Path) -> Path:
    """A result with negatives from featured articles."""
    out = dump.parent / "built"
    assert extract(out, *BOTH, "--negatives", "featured", dump).code == 0
    return out


def test_negatives_are_of_featured_articles_and_as_long(built: Path) -> None:
    found = rows(built, "corpus")
    biased = [row for row in found if row["label"] == "biased"]
    neutral = [row for row in found if row["label"] == "neutral"]
    assert len(neutral) == len(biased) > 5
    assert {(row["role"], row["signal"]) for row in biased} == {("removed", "tag")}
    assert {(row["role"], row["signal"]) for row in neutral} == {("featured", "featured")}
    assert {row["block"] for row in neutral} == {"paragraph"}
    own, theirs = (
        sum(len(row["norm"].split()) for row in side) / len(side) for side in (biased, neutral)
    )
    assert abs(own - theirs) < 0.15 * own
    assert len({row["page_title"] for row in neutral}) == 3
    assert all("-featured-" in row["sentence_id"] for row in neutral)


def test_card_manifest_and_report_name_them(built: Path) -> None:
    made = manifest_of(built)["corpus"]
    number = sum(row["role"] == "featured" for row in rows(built, "corpus"))
    assert (made["featured"], made["negatives"]) == (number, "featured")
    assert "featured" in made["left_out"]["list"]
    card = (built / "README.md").read_text()
    assert f"| featured | neutral | {number} |" in card
    assert "negatives featured" in card
    assert f"`featured-span` (biased 0, neutral {number})" in card
    wikibias("report", built).well()
    named = next(row["sentence_id"] for row in rows(built, "corpus") if row["role"] == "featured")
    story = wikibias("inspect", built, named).well()
    assert "was featured" in story.out
    assert "--negatives" in story.out
    shown = wikibias("status", built, "--json")
    assert json.loads(shown.out)["corpus"]["featured"] == number


@pytest.mark.parametrize(
    ("kind", "roles"),
    [
        ("edited", {"added"}),
        ("unchanged", {"unchanged"}),
        ("mixed", {"added", "unchanged", "featured"}),
    ],
)
def test_other_kinds(done: Path, tmp_path: Path, kind: str, roles: set[str]) -> None:
    again = shutil.copytree(done, tmp_path / "again")
    wikibias("build", "--restart", "--negatives", kind, again).well()
    found = rows(again, "corpus")
    assert {row["role"] for row in found if row["label"] == "neutral"} == roles
    if kind == "mixed":
        # Most added ones are near-duplicates of each other here.
        counts = [sum(row["role"] == role for row in found) for role in ("featured", "unchanged")]
        assert abs(counts[0] - counts[1]) <= 2


def test_a_folder_or_a_dump_without_them_says_what_to_type(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert extract(out, dump).code == 0
    before = files(out)
    ended = wikibias("build", "--restart", "--negatives", "featured", out)
    check_refused(ended, "wikibias detect --signal tag --signal featured")
    assert files(out) == before
    check_refused(extract(tmp_path / "other", "--negatives", "featured", dump), "--signal featured")
    (tmp_path / "dump.xml").write_bytes(export(TAGGED))
    none = (*BOTH, "--negatives", "featured", "--quiet", tmp_path / "dump.xml")
    check_refused(extract(tmp_path / "none", *none), "no article here was featured")


def test_marks_of_another_wiki_are_its_own(tmp_path: Path) -> None:
    """French: a template with a value, and a category under the local name of the namespace."""
    marks = ["{{En-tête label|AdQ}}\n", "[[Catégorie:Article de qualité]]\n", "{{Lien AdQ|en}}\n"]
    pages = [featured(20 + number, mark) for number, mark in enumerate(marks)]
    path = dumped(tmp_path, pages, lang="fr")
    found = transitions(tmp_path / "o", "--lang", "fr", "--signal", "featured", path)
    expected = [["En-tête label|AdQ"], ["Category:Article de qualité"]]
    assert [row["tags"] for row in found] == expected


@pytest.mark.parametrize(("lang", "reader"), [("en", "fast"), ("fr", "mwxml")])
def test_the_samples_give_what_their_gold_says(lang: str, reader: str, tmp_path: Path) -> None:
    """Three articles each; and none that carried a mark for days, in a comment or undone."""
    (dump,) = SAMPLES.glob(f"quality{lang}wiki-*")
    words = ("--lang", lang, "--signal", "featured", "--reader", reader)
    found = transitions(tmp_path / "o", *words, dump)
    gold = (SAMPLES / f"quality{lang}wiki.gold.jsonl").read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in gold]
    expected = {each["rev_id"]: each["title"] for each in events if each["event"] == "featured"}
    assert {row["before_rev_id"]: row["page_title"] for row in found} == expected
