"""`--balance-topics`, of `extract` and `build`, on the English sample."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from exports import files, rows, wikibias
from paths import SAMPLES

SAMPLE = SAMPLES / "demoenwiki-20260101-pages-meta-history.xml.7z"


@pytest.fixture
def folder(demo: Path, tmp_path: Path) -> Path:
    """The result of the sample, built without the option."""
    return Path(shutil.copytree(demo, tmp_path / "demo"))


def composition(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text())["corpus"]
    return found


def refusal(*arguments: object) -> str:
    """Return the one line with which a command is refused."""
    refused = wikibias(*arguments)
    assert refused.code == 2
    (line,) = refused.errors
    return line


def test_topics_are_balanced_in_each_split(folder: Path) -> None:
    built = wikibias("build", "--balance-topics", "--restart", folder)
    assert built.code == 0
    made = composition(folder)
    assert len(made["topics"]) > 2
    assert all(topic["biased"] == topic["neutral"] for topic in made["topics"])
    labels = Counter((row["split"], row["label"]) for row in rows(folder, "corpus"))
    assert all(labels[split, "biased"] == labels[split, "neutral"] for split, _ in labels)
    lost = made["left_out"]["topic"]["removed"]
    assert f"left out: {lost} biased sentence" in built.out
    card = (folder / "corpus/README.md").read_text()
    assert "topics balanced" in card
    assert "| topic, by its first words | biased |" in card
    assert f"| no sentence of the other class of its topic | {lost} |" in card
    assert wikibias("report", folder).code == 0
    assert wikibias("status", folder).code == 0


def test_without_the_option_nothing_changes(folder: Path) -> None:
    before = files(folder, "corpus")
    for options in (("--balance-topics",), ()):
        assert wikibias("build", "-q", "--restart", *options, folder).code == 0
    assert files(folder, "corpus") == before
    assert composition(folder)["topics"] == []
    assert "topic, by" not in (folder / "corpus/README.md").read_text()


def test_an_extraction_gives_the_same_as_a_later_build(folder: Path, tmp_path: Path) -> None:
    assert wikibias("build", "-q", "--balance-topics", "--restart", folder).code == 0
    out = tmp_path / "out"
    extract = ("extract", "-q", "--lang", "en", "--balance-topics", "-o", out, SAMPLE)
    assert wikibias(*extract, "--dry-run").code == 0
    assert not out.exists()
    assert wikibias(*extract, "--workers", 2).code == 0
    assert files(out, "corpus") == files(folder, "corpus")
    # A corpus that is gone, as after a kill, is built again to the byte.
    before = files(out, "corpus")
    for path in out.glob("corpus/*.parquet"):
        path.unlink()
    assert wikibias(*extract).code == 0
    assert files(out, "corpus") == before
    refused = wikibias("build", out)
    assert refused.code == 2
    assert "build.balance_topics: True -> False" in refused.errors[0]


def test_a_folder_of_an_earlier_version_goes_on(folder: Path) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["settings"]["build"]["balance_topics"]
    del manifest["corpus"]["topics"]
    path.write_text(json.dumps(manifest))
    before = files(folder, "corpus")
    assert wikibias("build", folder).code == 0
    assert files(folder, "corpus") == before


def test_a_manifest_of_mischief_is_refused(folder: Path) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["corpus"]["topics"] = [{"words": [1], "biased": {}, "neutral": {}, "left_out": 0}]
    path.write_text(json.dumps(manifest))
    assert "is not as wikibias writes it (corpus)" in refusal("status", folder)


@pytest.mark.parametrize("negatives", ["edited", "mixed"])
def test_it_goes_with_other_options(folder: Path, negatives: str) -> None:
    options = ("--negatives", negatives, "--max-per-edit", 6, "--split", "sentence", "--pairs")
    assert wikibias("build", "-q", "--balance-topics", "--restart", *options, folder).code == 0
    for topic in composition(folder)["topics"]:
        assert sum(topic["biased"].values()) == sum(topic["neutral"].values())


def test_what_cannot_be_balanced_is_refused_in_a_line(folder: Path, tmp_path: Path) -> None:
    before = files(folder, "corpus")
    build = ("build", "--balance-topics", "--restart", "--max-per-edit", 1)
    for more in ((), ("--dry-run",)):
        few = refusal(*build, *more, folder)
        assert "from 50 biased and 50 neutral sentences on" in few
        assert "build without --balance-topics" in few
    assert files(folder, "corpus") == before
    assert wikibias("status", folder).code == 0
    extract = ("extract", "--balance-topics", "-o", tmp_path / "out")
    of_intents = refusal(*extract, "--lang", "en", "--signal", "citation", SAMPLE)
    assert "for the corpus of biased and neutral" in of_intents
    assert not (tmp_path / "out").exists()


def test_after_a_refusal_the_status_tells_the_way_without(tmp_path: Path) -> None:
    few = SAMPLES / "qualityenwiki-20260101-pages-meta-history.xml.7z"
    extract = ("extract", "-q", "--lang", "en", "--balance-topics", "-o", tmp_path / "few")
    assert "there are 0 and 0" in refusal(*extract, few)
    following = wikibias("status", tmp_path / "few").out.splitlines()[-1]
    assert f"if topics cannot be balanced, wikibias build --restart {tmp_path / 'few'}" in following
    assert wikibias("build", "-q", "--restart", tmp_path / "few").code == 0


def test_a_language_without_stop_words_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs/xx.toml").write_text('name = "Test"\nspacy = "xx"\n')
    (tmp_path / "tagsets/npov").mkdir(parents=True)
    (tmp_path / "tagsets/npov/xx.toml").write_text(
        '[[tag]]\nname = "POV"\nfamily = "npov"\nscope = "article"\n'
    )
    monkeypatch.chdir(tmp_path)
    for more in ((), ("--dry-run",)):
        line = refusal("extract", "--balance-topics", "--lang", "xx", *more, "-o", "out", SAMPLE)
        assert "none are known of the language 'xx'; add `stopwords` to its file" in line
