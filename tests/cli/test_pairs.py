"""`wikibias pairs` as people type it."""

import json
from pathlib import Path

import pytest

from exports import Page, Revision, body, export, packed, wikibias
from made_edits import corpus
from paths import SAMPLES
from wikibias.kits.parquet import read_records
from wikibias.kits.schemas import SENTENCE_PAIRS_TABLE


def test_a_folder_without_a_result(tmp_path: Path) -> None:
    done = wikibias("pairs", tmp_path, "--out", tmp_path / "out")
    done.refused("holds no result")
    assert len(done.err.splitlines()) == 1


PUBLISHED = (
    "src\ttgt\n"
    "the splendid bridge crosses the river near the mill.\t"
    "the bridge crosses the river near the mill.\n"
    "the bridge of 1901 crosses the river near the mill.\t"
    "the bridge of 1902 crosses the river near the mill.\n"
)


def test_a_file_of_pairs_and_what_is_dropped_of_it(tmp_path: Path) -> None:
    (tmp_path / "published.tsv").write_text(PUBLISHED, "utf-8")
    done = wikibias(
        "pairs", tmp_path / "published.tsv", "--source", "src", "--target", "tgt",
        "--rules", "wnc", "--lang", "en", "--out", tmp_path / "out",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "few_letters" in done.out
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["export.json", "funnel.json", "pairs.parquet", "pairs.tsv"]
    told = json.loads((tmp_path / "out/funnel.json").read_text("utf-8"))
    assert list(told)[:10] == [
        "matched", "reverts", "pover", "kept", "single_block", "passed", "biased", "single_word",
        "neutral", "after_length_ratio",
    ]  # fmt: skip
    assert (told["kept"], told["biased"], told["single_word"]) == (None, 1, 1)


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("src\ttgt\na\tb\n", ["--source", "sorce", "--target", "tgt"], "sorce"),
        ("", [], "no pair"),
        ("src\ttgt\n", ["--source", "src", "--target", "tgt"], "no pair"),
        ("src\ttgt\nonly one cell\n", ["--source", "src", "--target", "tgt"], ":2:"),
        ("src\ttgt\na\tb\n", ["--lang", "xx"], "xx"),
    ],
)
def test_a_file_that_does_not_fit(
    content: str, options: list[str], said: str, tmp_path: Path
) -> None:
    (tmp_path / "bad.tsv").write_text(content, "utf-8")
    done = wikibias("pairs", tmp_path / "bad.tsv", *options, "--out", tmp_path / "out")
    assert done.code in (1, 2)
    assert len(done.err.splitlines()) == 1
    assert said in done.err
    assert not (tmp_path / "out").exists()


def detected(tmp_path: Path, *revisions: Revision) -> Path:
    """Return a result folder with the edits of a page that were found by their summary."""
    dump, out = tmp_path / "enwiki.xml", tmp_path / "en"
    dump.write_bytes(export([Page("Elm", revisions)]))
    done = wikibias(
        "detect", "--lang", "en", "--signal", "summary", "--summary-rule", "wnc", "-o", out, dump
    )
    assert done.code == 0, done.err
    return out


def test_edits_found_by_their_summary_by_the_rules_of_wnc(tmp_path: Path) -> None:
    text = f"{body(1)}\nThe splendid bridge crosses the river near the mill. It is of stone.\n"
    folder = detected(
        tmp_path,
        Revision(text),
        Revision(text.replace("splendid ", ""), comment="rm POV"),
        Revision(text, comment="revert POV edit"),
    )
    for out in ("one", "other"):
        done = wikibias("pairs", folder, "--rules", "wnc", "--out", tmp_path / out)
        assert done.code == 0, done.err
    told = json.loads((tmp_path / "one/funnel.json").read_text("utf-8"))
    assert [told[key] for key in ("matched", "reverts", "kept", "single_block", "passed")] == [
        2, 1, 1, 1, 1,
    ]  # fmt: skip
    assert (told["biased"], told["single_word"], told["neutral"]) == (1, 1, 1)
    lines = (tmp_path / "one/pairs.tsv").read_text("utf-8").splitlines()
    assert lines[1].split("\t")[3:] == [
        "the splendid bridge crosses the river near the mill.",
        "the bridge crosses the river near the mill.",
    ]
    found = [(tmp_path / out / "pairs.parquet").read_bytes() for out in ("one", "other")]
    assert found[0] == found[1]


@pytest.mark.parametrize("rules", ["wnc", "own"])
def test_texts_that_are_lost(rules: str, tmp_path: Path) -> None:
    before, after = Revision("Elm", lost=True), Revision("Mill", lost=True, comment="rm POV")
    folder = detected(tmp_path, before, after)
    done = wikibias("pairs", folder, "--rules", rules, "--out", tmp_path / "out")
    done.refused("wikibias fetch --revisions")
    assert len(done.err.splitlines()) == 1


def test_a_wiki_in_which_no_summary_matches(tmp_path: Path) -> None:
    folder = detected(tmp_path, Revision("Elm."), Revision("Elm is a town."))
    done = wikibias("pairs", folder, "--rules", "wnc", "--out", tmp_path / "out")
    assert done.code == 0
    assert len(done.err.splitlines()) == 1
    assert json.loads((tmp_path / "out/funnel.json").read_text("utf-8"))["kept"] == 0


def test_the_sample_of_a_real_article(shared: Path, tmp_path: Path) -> None:
    dump = shared / "dumps/enwiki-anarchism-600-revisions.xml.bz2"
    done = wikibias(
        "detect", "--lang", "en", "--workers", 1, "--signal", "summary", "--summary-rule", "wnc",
        "-o", tmp_path / "en", dump,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert wikibias("pairs", tmp_path / "en", "--rules", "wnc", "-o", tmp_path / "out").code == 0
    told = json.loads((tmp_path / "out/funnel.json").read_text("utf-8"))
    counts = [told[key] for key in ("kept", "single_block", "passed", "biased", "single_word")]
    assert counts == [20, 9, 6, 5, 1]


def test_our_own_rules_keep_accents(tmp_path: Path) -> None:
    source = "L'église, édifiée à grands frais, est la plus élégante de la côte méditerranéenne."
    target = "L'église, édifiée à grands frais, est située près de la côte méditerranéenne."
    text = f"{body(1)}\n{source}\n"
    revisions = [
        Revision(f"{{{{Désaccord de neutralité}}}}\n{text}"),
        Revision(text.replace(source, target)),
    ]
    dump = tmp_path / "frwiki.xml.bz2"
    dump.write_bytes(packed(export([Page("Église", revisions)], lang="fr"), "bz2"))
    assert wikibias("detect", "--lang", "fr", "-o", tmp_path / "fr", dump).code == 0
    for out in ("one", "other"):
        done = wikibias("pairs", tmp_path / "fr", "--rules", "own", "--out", tmp_path / out)
        assert done.code == 0, done.err
    lines = (tmp_path / "one" / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[1].split("\t")[3:] == [source, target]
    found = [(tmp_path / out / "pairs.parquet").read_bytes() for out in ("one", "other")]
    assert found[0] == found[1]


def test_our_own_rules_take_edits_of_both_signals(tmp_path: Path) -> None:
    praise, report = (
        "The grand old mill was the pride of us all.",
        "The old mill stood by the river.",
    )
    text = f"{body(1)}\n{praise}\n\n{report}\n"
    first = text.replace("grand old mill was the pride", "old mill was the pride")
    second = first.replace("stood by the river", "is said to have stood by the river")
    revisions = [
        Revision(f"{{{{POV}}}}\n{text}", comment="new"),
        Revision(first, comment="tag out"),
        Revision(second, comment="NPOV wording", user="Tam Brightwater"),
    ]
    dump = tmp_path / "enwiki.xml.bz2"
    dump.write_bytes(packed(export([Page("Mill", revisions)]), "bz2"))
    signals = ("--signal", "tag", "--signal", "summary")
    assert wikibias("detect", "--lang", "en", *signals, "-o", tmp_path / "en", dump).code == 0
    done = wikibias("pairs", tmp_path / "en", "--rules", "own", "--out", tmp_path / "pairs")
    assert done.code == 0, done.err
    pairs = list(read_records(tmp_path / "pairs" / "pairs.parquet", SENTENCE_PAIRS_TABLE))
    assert [(pair.provenance.signal, pair.source) for pair in pairs if pair.label == "biased"] == [
        ("tag", praise),
        ("summary", report),
    ]
    funnel = json.loads((tmp_path / "pairs" / "funnel.json").read_text(encoding="utf-8"))
    assert (funnel["matched"], funnel["kept"], funnel["passed"]) == (1, 1, 2)


def test_a_change_in_polish_letters_counts(shared: Path, tmp_path: Path) -> None:
    file = shared / "pairs" / "pl_pairs.even.tsv"
    done = wikibias("pairs", file, "--source", "2", "--target", "3", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    funnel = json.loads((tmp_path / "out" / "funnel.json").read_text(encoding="utf-8"))
    assert funnel["verdicts"] == {"biased": 3425, "no_letters": 2}


PUBLISHED_ROWS = (
    "source\ttarget\n"
    "The splendid bridge crosses the river near the mill.\t"
    "The bridge crosses the river near the mill.\n"
)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Return a file of pairs of somebody."""
    path = tmp_path / "published.tsv"
    path.write_text(PUBLISHED_ROWS, "utf-8")
    return path


def refused(*words: object) -> str:
    """Return the one line that a command is refused with."""
    done = wikibias("pairs", *words)
    assert done.code == 2, done.out
    (line,) = done.err.splitlines()
    return line


def test_pairs_of_ours_are_not_filtered_again(published: Path, tmp_path: Path) -> None:
    ours = tmp_path / "pairs"
    assert wikibias("pairs", published, "--out", ours).code == 0
    assert wikibias("export", ours, "--format", "jsonl", "--out", tmp_path / "sent").code == 0
    exported = sorted((tmp_path / "sent").rglob("*.jsonl"))
    assert exported
    for path in (ours, ours / "pairs.parquet", ours / "pairs.tsv", exported[0]):
        assert "filtered already" in refused(path, "--out", tmp_path / "again")
    # A file of somebody may lie beside them.
    beside = published.rename(ours / published.name)
    assert wikibias("pairs", beside, "--out", tmp_path / "again").code == 0


def test_a_dump_is_told_to_go_to_detect(tmp_path: Path) -> None:
    dump = next(SAMPLES.glob("demoenwiki-*.7z"))
    assert "`wikibias detect --signal summary`" in refused(dump, "--out", tmp_path / "out")


def test_reverts_are_a_matter_of_our_own_rules(published: Path, tmp_path: Path) -> None:
    for path, rules in ((published, "own"), (corpus(), "wnc")):
        said = refused(path, "--reverts", "keep", "--rules", rules, "--out", tmp_path / "out")
        assert "--reverts is for --rules own" in said


def test_it_does_not_write_over_what_it_reads() -> None:
    for out in (corpus(), corpus() / "transitions"):
        done = wikibias("pairs", corpus(), "--overwrite", "--out", out)
        assert done.code == 2
        assert len(done.err.splitlines()) == 1


def test_options_of_files_are_refused_for_a_folder(tmp_path: Path) -> None:
    wikibias("pairs", corpus(), "--source", "1", "--out", tmp_path / "out").refused("--source")


def test_a_part_that_failed_is_named(tmp_path: Path) -> None:
    whole = next(SAMPLES.glob("demofrwiki-*.bz2")).read_bytes()
    cut = tmp_path / "cut.xml.bz2"
    cut.write_bytes(whole[: len(whole) // 2])
    assert wikibias("detect", "--lang", "fr", "-o", tmp_path / "fr", cut).code == 1
    done = wikibias("pairs", tmp_path / "fr", "--out", tmp_path / "out")
    assert done.code == 0
    assert "1 of 1 part failed" in done.err
    assert "cut.xml.bz2 is cut off" in done.err


@pytest.mark.parametrize(
    ("found_by", "rules", "lang", "said"),
    [
        ("own", "own", "fr", ()),
        ("wnc", "wnc", "en", ()),
        ("own", "wnc", "en", ("belongs with --summary-rule wnc",)),
        ("wnc", "own", "fr", ("belongs with --summary-rule own", "knows English summaries alone")),
    ],
)
def test_rules_that_do_not_belong_together(
    found_by: str, rules: str, lang: str, said: tuple[str, ...], tmp_path: Path
) -> None:
    praise = "The grand old mill was the pride of us all."
    text = f"{body(1)}\n{praise}\n"
    revisions = [
        Revision(text),
        Revision(text.replace("grand ", ""), comment="rm POV, NPOV"),
    ]
    dump, out = tmp_path / f"{lang}wiki.xml.bz2", tmp_path / lang
    dump.write_bytes(packed(export([Page("Mill", revisions)], lang=lang), "bz2"))
    found = ("--signal", "summary", "--summary-rule", found_by)
    assert wikibias("detect", "--lang", lang, *found, "-o", out, dump).code == 0
    done = wikibias("pairs", out, "--rules", rules, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    lines = [line for line in done.err.splitlines() if "--summary-rule" in line]
    assert len(lines) == len(said), done.err
    assert all(words in line for words, line in zip(said, lines, strict=True))
    assert json.loads((tmp_path / "out/export.json").read_text("utf-8"))["summary_rule"] == found_by
