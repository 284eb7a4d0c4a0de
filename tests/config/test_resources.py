"""Where languages and tag sets are found, a user's own before those shipped; and thresholds."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from exports import Page, Revision, dumped, wikibias
from paths import ROOT
from wikibias.config import resources
from wikibias.config.languages import languages, load_language
from wikibias.config.resources import config_dir
from wikibias.config.thresholds import Config, load_config
from wikibias.errors import UsageError
from wikibias.tags.tagset import load_tagset, tagset_languages, tagset_names

LANGUAGE = """name = "{name}"
spacy = "xx"
[namespaces]
template = ["Mall"]
"""
TAGS = """lang = "xx"
verified = true
[[tag]]
name = "{name}"
family = "pov"
"""
SENTENCES = " ".join(f"The mill number {n} stands beside the old road to town." for n in range(9))
TEXTS = (
    "{{Mall:Kallutatud}} It is beyond doubt the finest mill of all. ",
    "It was put under protection by the state in 1964. ",
)
MILL = Page("Mill", [Revision(text + SENTENCES) for text in TEXTS])


def own(root: Path, name: str) -> Path:
    """Make a folder with a language xx and a tag set for it, and return it."""
    for path, content in (("configs/xx.toml", LANGUAGE), ("tagsets/npov/xx.toml", TAGS)):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content.format(name=name), encoding="utf-8")
    return root


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with a configuration folder that holds nothing yet."""
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: tmp_path / "user" / str(name))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def test_the_first_file_wins(here: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown language 'xx'"):
        load_language("xx")
    own(tmp_path / "user" / "wikibias", "Users")
    assert load_language("xx").name == "Users"
    own(here, "Here")
    assert load_language("xx").name == "Here"
    with config_dir(own(tmp_path / "given", "Given")):
        assert load_language("xx").name == "Given"
        assert load_tagset("npov", "xx").tags[0].name == "Given"
    assert load_tagset("npov", "xx").tags[0].name == "Here"
    assert {"xx", "en"} <= set(languages())
    assert {"xx", "en"} <= set(tagset_languages("npov"))
    assert "weasel" in tagset_names()


def test_a_file_of_ones_own_replaces_the_shipped_one(here: Path) -> None:
    before = load_tagset("npov", "fr").version
    (here / "tagsets" / "npov").mkdir(parents=True)
    (here / "tagsets" / "npov" / "fr.toml").write_text(TAGS.format(name="Moi"), encoding="utf-8")
    assert [tag.name for tag in load_tagset("npov", "fr").tags] == ["Moi"]
    assert load_tagset("npov", "fr").version != before
    assert "Moi" in wikibias("tags", "show", "--lang", "fr").out
    assert wikibias("tags", "check", "--lang", "fr").err == ""


def test_a_folder_without_either_is_refused(here: Path) -> None:
    wikibias("tags", "show", "--lang", "en", "--config-dir", here).refused(
        f"{here} holds neither a folder configs nor a folder tagsets"
    )
    ended = wikibias("tags", "show", "--lang", "en", "--config-dir", "nowhere")
    ended.refused("nowhere holds neither")
    assert ended.err.endswith("make the folder nowhere/tagsets\n")


def test_a_folder_that_cannot_be_read_is_passed_over(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name too long to be looked up fails for every user, root too."""
    unreadable = tmp_path / ("n" * 300)
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: unreadable / str(name))
    ended = wikibias("tags", "show", "--lang", "en")
    assert ended.code == 0
    (warning,) = ended.err.splitlines()
    assert f"{unreadable / 'wikibias'} cannot be read (" in warning
    assert "set XDG_CONFIG_HOME" in warning
    wikibias("tags", "show", "--lang", "en", "--config-dir", unreadable).refused(
        "give another --config-dir"
    )


def test_an_unknown_language_names_those_that_have_the_tag_set(here: Path) -> None:
    dumped(here, [MILL], lang="xx")
    ended = wikibias("extract", "--lang", "xx", "-q", "a.xml")
    assert "bg, cs, da" in ended.err
    assert "ca" not in ended.err.partition("Known: ")[2].split(", ")
    ended = wikibias("extract", "--lang", "xx", "-q", "--tagset", "reliability", "a.xml")
    assert "Known: en. To add one" in ended.err
    with pytest.raises(UsageError, match=", ca, "):
        load_language("xx")


def test_a_run_with_workers_and_resuming(here: Path, tmp_path: Path) -> None:
    """The language and the tags travel to the workers, which know nothing of --config-dir."""
    given = own(tmp_path / "given", "Kallutatud")
    dumped(here, [MILL], lang="xx")
    command = ("--config-dir", given, "-q", "--workers", "2", "-o", "o", "a.xml")
    assert wikibias("extract", "--lang", "xx", *command).errors == []
    edits = pd.read_parquet("o/edits")
    assert list(edits.iloc[0].tags) == ["Kallutatud"]
    assert list(edits.iloc[0].removed) == ["It is beyond doubt the finest mill of all."]
    again = ("build", "--seed", "7", "--restart", "-q", "--config-dir", given, "o")
    assert wikibias(*again).errors == []
    own(given, "Another")
    wikibias("extract", "--lang", "xx", *command).refused("detect.tagset_version")


def test_a_wheel_finds_its_own_files_and_the_users(wheel: Path, tmp_path: Path) -> None:
    pages = [path.relative_to(ROOT / "src") for path in ROOT.glob("src/wikibias/*/templates/*")]
    shipped = [Path("wikibias/configs/default.toml"), Path("wikibias/tagsets/npov/fr.toml")]
    assert [page for page in pages + shipped if not (wheel / page).is_file()] == []
    here = own(tmp_path / "here", "Kallutatud")
    dumped(here, [MILL], lang="xx")
    code = (
        "import wikibias; from wikibias.cli import main; print(wikibias.__file__);"
        "main(['extract', '--lang', 'xx', '-q', '--workers', '1', 'a.xml'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(wheel)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert str(wheel) in run.stdout
    assert "Error" not in run.stderr
    assert len(pd.read_parquet(here / "corpora" / "xx" / "edits")) == 1


@pytest.mark.parametrize("folder", ["guidelines", "prompts", "stress", "intents"])
def test_each_known_name_has_a_file(folder: str) -> None:
    assert resources.known(folder)
    for name in resources.known(folder):
        assert resources.named_file(folder, name, "", "").is_file()


def test_a_path_is_taken_as_it_is_and_no_name_leads_out_of_the_folder() -> None:
    assert resources.named_file("prompts", "mine/own.toml", "", "") == Path("mine/own.toml")
    for name in ("../bg", "none-of-this-name"):
        with pytest.raises(UsageError, match="unknown prompt '"):
            resources.named_file("prompts", name, "unknown prompt", "")


def test_shipped_thresholds_are_the_papers() -> None:
    config = load_config()
    assert config == Config()
    assert (config.text.min_tokens, config.text.max_tokens) == (6, 299)
    assert config.filter.max_edited_sentences == 400


def test_a_users_file_overrides_single_keys(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[filter]\nmin_wikitext = 100\n[reverts]\ndays = 1\n")
    config = load_config(path)
    assert config.filter.min_wikitext == 100
    assert config.reverts.days == 1.0
    assert config.filter.max_edited_sentences == 400
