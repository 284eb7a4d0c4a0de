"""`wikibias pairs` by our own rules, as people type it."""

from __future__ import annotations

import json
from pathlib import Path

from exports import Page, Revision, body, export, packed, wikibias
from wikibias.kits.parquet import read_records
from wikibias.kits.schemas import SENTENCE_PAIRS_TABLE


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
