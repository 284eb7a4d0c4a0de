"""`wikibias pairs` as people type it."""

import bz2
import json
from pathlib import Path
from typing import Any

import pytest

from exports import Page, Revision, body, dumped, wikibias
from made_edits import corpus
from paths import SAMPLES
from wikibias.kits.parquet import read_records
from wikibias.kits.schemas import SENTENCE_PAIRS_TABLE

PUBLISHED = (
    "src\ttgt\n"
    "the splendid bridge crosses the river near the mill.\t"
    "the bridge crosses the river near the mill.\n"
    "the bridge of 1901 crosses the river near the mill.\t"
    "the bridge of 1902 crosses the river near the mill.\n"
)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Return a file of pairs of somebody."""
    path = tmp_path / "published.tsv"
    path.write_text(PUBLISHED, "utf-8")
    return path


def test_a_file_of_pairs_and_what_is_dropped_of_it(published: Path, tmp_path: Path) -> None:
    columns = ("--source", "src", "--target", "tgt", "--lang", "en")
    done = wikibias("pairs", published, *columns, "--rules", "wnc", "--out", tmp_path / "out")
    assert "few letters changed" in done.well().out
    assert "_" not in done.out.partition("Result:")[0]
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["export.json", "funnel.json", "pairs.parquet", "pairs.tsv"]
    told = json.loads((tmp_path / "out/funnel.json").read_text("utf-8"))
    assert list(told)[:10] == [
        "matched", "reverts", "pover", "kept", "single_block", "passed", "biased", "single_word",
        "neutral", "after_length_ratio",
    ]  # fmt: skip
    assert (told["kept"], told["biased"], told["single_word"]) == (None, 1, 1)


def detected(
    tmp_path: Path, *revisions: Revision, lang: str = "en", options: str = "--signal summary"
) -> Path:
    """Return a result folder with the edits of a page."""
    dump = dumped(tmp_path, [Page("Elm", revisions)], lang=lang)
    wikibias("detect", "--lang", lang, *options.split(), "-o", tmp_path / lang, dump).well()
    return tmp_path / lang


def paired(source: Path, out: Path, *options: object) -> dict[str, Any]:
    """Make sentence pairs and return the counts beside them."""
    wikibias("pairs", source, *options, "--out", out).well()
    return dict(json.loads((out / "funnel.json").read_text("utf-8")))


def paired_twice(source: Path, rules: str, folder: Path) -> tuple[dict[str, Any], list[str]]:
    """Return counts and the first pair of two runs that must give the same bytes."""
    one, other = folder / "one", folder / "other"
    told = paired(source, one, "--rules", rules)
    paired(source, other, "--rules", rules)
    assert (one / "pairs.parquet").read_bytes() == (other / "pairs.parquet").read_bytes()
    return told, (one / "pairs.tsv").read_text("utf-8").splitlines()[1].split("\t")[3:5]


WNC = "--signal summary --summary-rule wnc"


def test_edits_found_by_their_summary_by_the_rules_of_wnc(tmp_path: Path) -> None:
    text = f"{body(1)}\nThe splendid bridge crosses the river near the mill. It is of stone.\n"
    folder = detected(
        tmp_path,
        Revision(text),
        Revision(text.replace("splendid ", ""), comment="rm POV"),
        Revision(text, comment="revert POV edit"),
        options=WNC,
    )
    told, first = paired_twice(folder, "wnc", tmp_path)
    counts = [told[key] for key in ("matched", "reverts", "kept", "single_block", "passed")]
    assert counts == [2, 1, 1, 1, 1]
    assert (told["biased"], told["single_word"], told["neutral"]) == (1, 1, 1)
    assert first == [
        "the splendid bridge crosses the river near the mill.",
        "the bridge crosses the river near the mill.",
    ]


@pytest.mark.parametrize("rules", ["wnc", "own"])
def test_texts_that_are_lost(rules: str, tmp_path: Path) -> None:
    before, after = Revision("Elm", lost=True), Revision("Mill", lost=True, comment="rm POV")
    folder = detected(tmp_path, before, after, options=WNC)
    done = wikibias("pairs", folder, "--rules", rules, "--out", tmp_path / "out")
    done.refused("wikibias fetch --revisions", alone=True)


def test_a_wiki_in_which_no_summary_matches(tmp_path: Path) -> None:
    folder = detected(tmp_path, Revision("Elm."), Revision("Elm is a town."), options=WNC)
    done = wikibias("pairs", folder, "--rules", "wnc", "--out", tmp_path / "out").well()
    assert len(done.err.splitlines()) == 1
    assert json.loads((tmp_path / "out/funnel.json").read_text("utf-8"))["kept"] == 0


def test_the_sample_of_a_real_article(shared: Path, tmp_path: Path) -> None:
    dump, out = shared / "dumps/enwiki-anarchism-600-revisions.xml.bz2", tmp_path / "en"
    wikibias("detect", "--lang", "en", *WNC.split(), "-o", out, dump).well()
    told = paired(out, tmp_path / "out", "--rules", "wnc")
    counts = [told[key] for key in ("kept", "single_block", "passed", "biased", "single_word")]
    assert counts == [20, 9, 6, 5, 1]


def test_our_own_rules_keep_accents(tmp_path: Path) -> None:
    source = "L'église, édifiée à grands frais, est la plus élégante de la côte méditerranéenne."
    target = "L'église, édifiée à grands frais, est située près de la côte méditerranéenne."
    text = f"{body(1)}\n{source}\n"
    before = Revision(f"{{{{Désaccord de neutralité}}}}\n{text}")
    after = Revision(text.replace(source, target))
    folder = detected(tmp_path, before, after, lang="fr", options="")
    assert paired_twice(folder, "own", tmp_path)[1] == [source, target]


def test_our_own_rules_take_edits_of_both_signals(tmp_path: Path) -> None:
    praise, report = "The grand old mill was the pride of us all.", "The old mill stood by a river."
    text = f"{body(1)}\n{praise}\n\n{report}\n"
    first = text.replace("grand old mill was the pride", "old mill was the pride")
    folder = detected(
        tmp_path,
        Revision(f"{{{{POV}}}}\n{text}", comment="new"),
        Revision(first, comment="tag out"),
        Revision(first.replace("stood", "is said to have stood"), comment="NPOV wording", user="T"),
        options="--signal tag --signal summary",
    )
    told = paired(folder, tmp_path / "pairs", "--rules", "own")
    assert (told["matched"], told["kept"], told["passed"]) == (1, 1, 2)
    pairs = list(read_records(tmp_path / "pairs" / "pairs.parquet", SENTENCE_PAIRS_TABLE))
    found = [(pair.provenance.signal, pair.source) for pair in pairs if pair.label == "biased"]
    assert found == [("tag", praise), ("summary", report)]


def test_a_change_in_polish_letters_counts(shared: Path, tmp_path: Path) -> None:
    rows = (shared / "pairs" / "pl_pairs.even.tsv").read_text("utf-8").splitlines(keepends=True)
    file = tmp_path / "pl.tsv"
    # Row 2980 changes letters of Polish alone, the two behind change no letter.
    file.write_text("".join([*rows[::149], rows[292], rows[1177]]), "utf-8")
    told = paired(file, tmp_path / "out", "--source", "2", "--target", "3")
    assert told["verdicts"] == {"biased": 23, "no_letters": 2}


def test_pairs_of_ours_are_not_filtered_again(published: Path, tmp_path: Path) -> None:
    ours = tmp_path / "pairs"
    wikibias("pairs", published, "--out", ours).well()
    wikibias("export", ours, "--format", "jsonl", "--out", tmp_path / "sent").well()
    exported = sorted((tmp_path / "sent").rglob("*.jsonl"))
    assert exported
    for path in (ours, ours / "pairs.parquet", ours / "pairs.tsv", exported[0]):
        again = wikibias("pairs", path, "--out", tmp_path / "again")
        again.refused("filtered already", alone=True)
    # A file of somebody may lie beside them.
    beside = published.rename(ours / published.name)
    wikibias("pairs", beside, "--out", tmp_path / "again").well()


def test_quiet_it_shows_no_tables_of_what_it_writes(published: Path, tmp_path: Path) -> None:
    assert "Funnel" in wikibias("pairs", published, "--out", tmp_path / "one").well().out
    assert "Funnel" not in wikibias("-q", "pairs", published, "--out", tmp_path / "two").well().out


def test_it_does_not_write_over_what_it_reads() -> None:
    for out in (corpus(), corpus() / "transitions"):
        wikibias("pairs", corpus(), "--overwrite", "--out", out).refused(alone=True)


def test_a_part_that_failed_is_named(tmp_path: Path) -> None:
    whole = bz2.decompress(next(SAMPLES.glob("demofrwiki-*.bz2")).read_bytes())
    cut = tmp_path / "cut.xml"
    cut.write_bytes(whole[: len(whole) // 2])
    assert wikibias("detect", "--lang", "fr", "-o", tmp_path / "fr", cut).code == 1
    done = wikibias("pairs", tmp_path / "fr", "--out", tmp_path / "out").well()
    assert "1 of 1 part failed" in done.err
    assert "cut.xml is cut off" in done.err


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
    text = f"{body(1)}\nThe grand old mill was the pride of us all.\n"
    after = Revision(text.replace("grand ", ""), comment="rm POV, NPOV")
    options = f"--signal summary --summary-rule {found_by}"
    out = detected(tmp_path, Revision(text), after, lang=lang, options=options)
    done = wikibias("pairs", out, "--rules", rules, "--out", tmp_path / "out").well()
    lines = [line for line in done.err.splitlines() if "--summary-rule" in line]
    assert len(lines) == len(said), done.err
    assert all(words in line for words, line in zip(said, lines, strict=True))
    assert json.loads((tmp_path / "out/export.json").read_text("utf-8"))["summary_rule"] == found_by
