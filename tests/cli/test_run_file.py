"""A run from a file is the run of the options typed."""

import shutil
from pathlib import Path

import pytest

from exports import dumped, files, history, wikibias
from results import manifest_of
from wikibias.cli import cli
from wikibias.cli.extract import OTHERS, extract, run_table

RUN = """
[run]
lang = "en"
dumps = ["in/*.xml"]
out = "made"
workers = 1
pairing = ["addition-edit", "removal-edit"]
filters = "default,-tags_left"
seed = 7
split = "sentence"
pairs = true
max_per_edit = 5
blocks = ["paragraph", "list"]
quiet = true

[text]
min_tokens = 7
"""
TYPED = (
    "--lang en --workers 1 --pairing addition-edit --pairing removal-edit "
    "--filters default,-tags_left --seed 7 --split sentence --pairs --max-per-edit 5 "
    "--block paragraph --block list --quiet"
).split()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with two parts of a dump, a file that describes a run, and one with thresholds."""
    (tmp_path / "in").mkdir()
    for number in range(2):
        page = history(f"Mill {number}", 6, topic=number)
        dumped(tmp_path / "in", [page], f"{number}.xml", first_id=1 + 100 * number)
    (tmp_path / "run.toml").write_text(RUN, encoding="utf-8")
    (tmp_path / "thresholds.toml").write_text("[text]\nmin_tokens = 7\n", encoding="utf-8")
    return tmp_path


def test_a_file_gives_the_result_of_the_options_to_the_byte(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its paths count from its own folder, wherever the command runs."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert wikibias("extract", "--config", place / "run.toml").silent().out == ""
    thresholds = ("--config", place / "thresholds.toml")
    wikibias("extract", *TYPED, *thresholds, "-o", tmp_path / "typed", place / "in/*.xml").well()
    made = files(place / "made")
    assert made == files(tmp_path / "typed")
    one, other = (manifest_of(tmp_path / name) for name in ("made", "typed"))
    differing = {name for name in {*one, *other} if one.get(name) != other.get(name)}
    assert differing - {"duration_seconds"} == {"commands"}
    assert "aligned/pairs.parquet" in made
    shutil.rmtree(place / "made")
    # Stages take what they know of it, and the folder from `out`.
    for stage in ("detect", "diff", "filter", "build"):
        wikibias(stage, "--config", place / "run.toml").silent()
    assert files(place / "made") == made
    assert not list((tmp_path / "elsewhere").iterdir())


def test_in_the_folder_of_the_file_paths_are_recorded_as_they_stand(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    wikibias("extract", "--config", "run.toml").well()
    found = manifest_of(place / "made")
    assert [entry["path"] for entry in found["inputs"]] == ["in/0.xml", "in/1.xml"]
    assert found["commands"]["build"] == ["wikibias", "extract", "--config", "run.toml"]


def test_the_command_line_wins(place: Path, tmp_path: Path) -> None:
    given = ("--seed", 3, "--block", "list", "-o", tmp_path / "o", "--split", "page")
    wikibias("extract", "--config", place / "run.toml", *given).well()
    assert not (place / "made").exists()
    build = manifest_of(tmp_path / "o")["settings"]["build"]
    assert (build["seed"], build["blocks"], build["split"]) == (3, ["list"], "page")
    assert (build["pairs"], build["min_tokens"]) == (True, 7)


@pytest.mark.parametrize(
    ("more", "said"),
    [("", "Missing argument 'DUMPS"), ('dumps = ["x"]\nengine = "cloud"', "'cloud' is not one of")],
)
def test_what_is_wrong_if_typed_is_wrong_in_a_file(more: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(f'[run]\nlang = "en"\n{more}', encoding="utf-8")
    wikibias("extract", "--config", tmp_path / "run.toml").refused(said)


def test_every_option_of_an_extraction_is_a_key() -> None:
    """But for those of one call."""
    of_a_call = {"restart", "shard", "config_file", "preset", "dry_run", "help_all"}
    of_a_call |= {"debug", "version"}
    options = {str(each.name) for each in (*extract.params, *cli.params)} - of_a_call
    assert options == set(run_table().__dataclass_fields__)
    assert {key for key, _, _ in OTHERS} <= options
