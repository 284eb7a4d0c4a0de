"""The manifest of a result: it agrees with the inputs, the tables and the corpus."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from exports import Page, Revision, export, history, rows, sha256, tagged, wikibias
from results import manifest_of
from wikibias import __version__
from wikibias.config.thresholds import load_config
from wikibias.corpus.composition import Composition
from wikibias.pipeline.manifest import misfit
from wikibias.pipeline.settings import make_settings
from wikibias.tags.tagset import load_tagset

TRANSITION_COLUMNS = (
    "wiki lang part page_id page_title namespace kind tags aliases before_rev_id after_rev_id "
    "before_timestamp after_timestamp comment editor_kind reverted diff_url before_text after_text"
).split()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result with kept edits, rejects, an added tag that stays and a suppressed text."""
    folder = tmp_path_factory.mktemp("manifest")
    rejected = Page(
        "Stub",
        [
            Revision(tagged(1, 9)),
            Revision("short"),
            Revision(tagged(2, 9), hidden=frozenset({"text"})),
            Revision(tagged(2, 9)),
            Revision(tagged(2, 9).removeprefix("{{POV|date=May 2019}}\n")),
            Revision(tagged(3, 9)),
        ],
    )
    talk = history("Mill", 1, topic=8, namespace=1)
    (folder / "a.xml").write_bytes(export([history("Mill", 4), rejected, talk]))
    (folder / "b.xml").write_bytes(export([history("Hill", 3, topic=2)], first_id=500))
    (folder / "my.toml").write_text("[filter]\nmin_wikitext = 300\n")
    wikibias(
        *("extract", "--lang", "en", "-o", folder / "o", "--seed", 42, "--workers", 1),
        *("--config", folder / "my.toml", folder / "a.xml", folder / "b.xml"),
    ).well()
    return folder


@pytest.fixture(scope="module")
def manifest(made: Path) -> dict[str, Any]:
    return manifest_of(made / "o")


def test_the_inputs_with_size_and_checksum(made: Path, manifest: dict[str, Any]) -> None:
    assert [entry["part"] for entry in manifest["inputs"]] == ["a.xml", "b.xml"]
    for entry in manifest["inputs"]:
        path = made / entry["part"]
        assert entry["size"] == path.stat().st_size
        assert entry["sha256"] == sha256(path)
        assert (entry["state"], entry["error"]) == ("whole", None)
        assert entry["wiki"] == "inventedenwiki"
    assert manifest["complete"] is True


def test_versions_configuration_and_seed(made: Path, manifest: dict[str, Any]) -> None:
    assert manifest["wikibias"] == __version__
    expected = {"python", "mwxml", "mwparserfromhell", "spacy", "pyarrow", "scikit-learn"}
    assert expected <= manifest["versions"].keys()
    assert 0 < manifest["duration_seconds"] < 60
    settings = manifest["settings"]
    asked = make_settings("en", load_config(made / "my.toml"), seed=42)
    assert settings == asked.as_dict()
    assert settings["build"]["shares"] == {"train": 0.8, "dev": 0.1, "test": 0.1}
    assert settings["filter"]["limits"]["min_wikitext"] == 300
    version = load_tagset("npov", "en").version
    assert settings["detect"]["tagset_version"] == version
    assert {row["tagset_version"] for row in rows(made / "o", "transitions")} == {version}


def test_the_counts_agree_with_the_tables(made: Path, manifest: dict[str, Any]) -> None:
    out, counts = made / "o", manifest["counts"]
    kinds = [row["kind"] for row in rows(out, "transitions")]
    assert counts == {
        "pages": 3,
        "unreadable": 0,
        "revisions": 8 + 6 + 6,
        "unknown_texts": 1,
        "steps_back_in_time": 0,
        "removed": kinds.count("removed"),
        "added": kinds.count("added"),
    }
    assert (counts["removed"], counts["added"]) == (4 + 2 + 3, 4 + 3 + 3)
    edits, rejects = rows(out, "edits"), rows(out, "rejects")
    assert sum(manifest["verdicts"].values()) == counts["removed"] == len(edits + rejects)
    for verdict, count in manifest["verdicts"].items():
        assert count == [row["verdict"] for row in edits + rejects].count(verdict)
    assert {row["verdict"] for row in edits} == {"kept"}
    assert {row["verdict"] for row in rejects} == {"redirect_or_blank", "tag_only"}


def test_the_corpus_agrees_with_its_files(made: Path, manifest: dict[str, Any]) -> None:
    folder, corpus = made / "o", manifest["corpus"]
    sentences = rows(made / "o", "corpus")
    for role in ("removed", "added", "unchanged"):
        assert corpus[role] == [row["role"] for row in sentences].count(role)
    labels = [row["label"] for row in sentences]
    assert labels.count("biased") == labels.count("neutral") == corpus["removed"] == 14
    assert corpus["unchanged"] > 0
    for split, count in corpus["splits"].items():
        table = pq.read_table(folder / f"corpus/{split}.parquet").to_pylist()
        assert len(table) == count
        assert {row["split"] for row in table} <= {split}
    ids = [row["sentence_id"] for row in sentences]
    assert len(set(ids)) == len(ids)


def test_every_sentence_leads_to_its_edit(made: Path) -> None:
    edits = {row["after_rev_id"]: row for row in rows(made / "o", "diffs")}
    for row in rows(made / "o", "corpus"):
        edit: dict[str, Any] = edits[row["after_rev_id"]]
        assert row["text"] in edit[str(row["role"])]
        for column in set(TRANSITION_COLUMNS) - {"before_text", "after_text"}:
            assert row[column] == edit[column]
        assert str(row["diff_url"]).endswith(
            f"?diff={row['after_rev_id']}&oldid={row['before_rev_id']}"
        )


def test_the_dataset_card(made: Path, manifest: dict[str, Any]) -> None:
    card = (made / "o/README.md").read_text()
    assert "\nlanguage:\n  - en\nlicense:\n  - other\n" in card
    for part in manifest["inputs"]:
        assert part["part"] in card
        assert part["sha256"][:16] in card
    for word in ("en.invented.example", "Seed 42", "Known limits", "| kept | 7 |"):
        assert word in card


def test_of_standard_input_too(made: Path, tmp_path: Path) -> None:
    content = (made / "a.xml").read_bytes()
    wikibias("detect", "--lang", "en", "-o", tmp_path / "o", "-", stdin=content).well()
    entry = manifest_of(tmp_path / "o")["inputs"][0]
    assert (entry["size"], entry["sha256"]) == (len(content), sha256(made / "a.xml"))


PART = {"part": "a.xml", "path": "dumps/a.xml", "error": None}
CORPUS = {"removed": 1, "added": 1, "unchanged": 0, "splits": {"train": 2}, "notes": []}
GOOD: dict[str, Any] = {
    "settings": {"detect": {}},
    "inputs": [PART, {"part": "b", "path": None, "files": [{"path": "b1"}, {"path": "b2"}]}],
    "commands": {"detect": ["wikibias", "detect"]},
    "corpus": CORPUS,
    "duration_seconds": 1.5,
}


def test_what_we_write_is_right() -> None:
    assert misfit(GOOD) == ""
    assert misfit({**GOOD, "corpus": None, "new in a later version": 1}) == ""
    full = asdict(Composition(tiers={"high": {"biased": 1, "neutral": 0}}))
    assert misfit({**GOOD, "corpus": full, "verdicts": {"kept": 3}}) == ""


@pytest.mark.parametrize(
    "name", ["../../victim", "/etc/passwd", "..", "", "a\0b", "x" * 300, "a/b", "\ud800", 7, None]
)
def test_a_part_that_leads_elsewhere(name: object) -> None:
    assert "the part" in misfit({**GOOD, "inputs": [{**PART, "part": name}]})


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        None,
        {"name": "something else", "version": 3},
        {**GOOD, "settings": []},
        {**GOOD, "settings": {"detect": 3}},
        {**GOOD, "inputs": {}},
        {**GOOD, "inputs": ["a.xml"]},
        {**GOOD, "inputs": [{**PART, "path": None}]},
        {**GOOD, "inputs": [{**PART, "path": "a\0"}]},
        {**GOOD, "inputs": [{**PART, "error": {}}]},
        {**GOOD, "inputs": [{**PART, "files": 3}]},
        {**GOOD, "inputs": [{**PART, "size": "1"}]},
        {**GOOD, "inputs": [{**PART, "counts": {"unreadable": None}}]},
        {**GOOD, "inputs": [{**PART, "files": [{"path": "a", "sha256": 1}]}]},
        {**GOOD, "verdicts": ["kept"]},
        {**GOOD, "corpus": 3},
        {**GOOD, "corpus": {**CORPUS, "pages": None}},
        {**GOOD, "corpus": {**CORPUS, "largest_share": "1"}},
        {**GOOD, "corpus": {**CORPUS, "left_out": {"list": 3}}},
        {**GOOD, "corpus": {**CORPUS, "pairings": {"removal-edit": {"biased": -1}}}},
        {**GOOD, "corpus": {**CORPUS, "relations": [1]}},
        {**GOOD, "corpus": {**CORPUS, "splits": None}},
        {**GOOD, "corpus": {**CORPUS, "removed": "many"}},
        {**GOOD, "corpus": {**CORPUS, "notes": [3]}},
        {**GOOD, "corpus": {**CORPUS, "labelled": {"by": "tags", "labels": ["x"]}}},
        {**GOOD, "commands": {"detect": "rm -rf"}},
        {**GOOD, "duration_seconds": "long"},
        {**GOOD, "duration_seconds": float("nan")},
    ],
)
def test_other_forms(wrong: object) -> None:
    assert misfit(wrong)
