"""Nothing outside of the result is touched, whatever lies in it; damage in it is made good."""

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from exports import Outcome, export, files, history, wikibias
from results import times

XML = export([history("Mill", 2), history("Hill", 2, topic=1)])
RESULT = (
    *(f"{table}/{part}.xml.parquet" for table in ("transitions", "diffs", "edits", "rejects")
      for part in "ab"),
    *(f"{place}/{split}.{form}" for split in ("train", "dev", "test")
      for place, form in (("corpus", "parquet"), ("text", "tsv"), ("text", "txt"))),
    "README.md",
    "manifest.json",
)  # fmt: skip
EMPTY = ("text/dev", "text/test")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two parts and their result in `o`."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "a.xml").write_bytes(XML)
    (folder / "b.xml").write_bytes(export([history("Dale", 2, topic=2)], first_id=5000))
    extract(folder).well()
    return folder


def extract(folder: Path, *more: object, out: Path | None = None) -> Outcome:
    command = ("extract", "--lang", "en", "-q", "-o", out or folder / "o")
    return wikibias(*command, *more, folder / "a.xml", folder / "b.xml")


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    """The same, to be changed at will."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


@pytest.mark.parametrize("name", ["../../victim", "../manifest", "..", "/tmp/x"])
def test_a_manifest_that_names_a_file_outside(name: str, copy: Path) -> None:
    victim = copy / "victim.parquet"
    shutil.copy(copy / "o/edits/a.xml.parquet", victim)
    path = copy / "o/manifest.json"
    content = json.loads(path.read_text())
    content["inputs"].append({**content["inputs"][0], "part": name, "error": "cut off"})
    path.write_text(json.dumps(content))
    extract(copy).refused("manifest.json", alone=True)
    for command in ("status", "diff", "filter", "build"):
        wikibias(command, copy / "o").refused("manifest.json", alone=True)
    assert victim.exists()


def test_a_home_folder_is_left_alone(made: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in (".cache.1.tmp", ".a.xml.parquet.host.7.tmp", "thesis.tex", "corpus/train.tsv"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(name)
    before = {path: path.read_text() for path in home.rglob("*") if path.is_file()}
    for more in ([], ["--restart"]):
        extract(made, *more, out=home).refused("an empty folder, or a new one", alone=True)
    found = wikibias("detect", "--lang", "en", "-o", home, made / "a.xml")
    found.refused("did not write (corpus)", alone=True)
    wikibias("tags", "count", "-o", home, made / "a.xml").refused(alone=True)
    assert {path: path.read_text() for path in home.rglob("*") if path.is_file()} == before


def test_counts_that_were_killed_at_once(made: Path, tmp_path: Path) -> None:
    (tmp_path / "c/parts").mkdir(parents=True)
    count = ("tags", "count", "-q", "-o", tmp_path / "c", made / "a.xml")
    wikibias(*count).refused(alone=True)  # a folder of this name alone may be anybody's
    (tmp_path / "c/.lock").touch()
    wikibias(*count).well()


def test_only_what_has_our_mark_is_removed(copy: Path) -> None:
    """On a restart."""
    theirs = copy / "o/edits/theirs.parquet"
    pd.DataFrame({"x": [1]}).to_parquet(theirs)
    (copy / "o" / "README.md").write_text("My notes.")
    ours = Path(shutil.copy(copy / "o/edits/a.xml.parquet", copy / "o/edits/gone.parquet"))
    extract(copy, "--restart").well()
    assert (theirs.exists(), ours.exists()) == (True, False)
    assert (copy / "o" / "README.md").read_text() == "My notes."


def test_the_manifest_of_another_program(made: Path, tmp_path: Path) -> None:
    (tmp_path / "o").mkdir()
    (tmp_path / "o/manifest.json").write_text('{"name": "app", "version": 3}')
    for more in ([], ["--restart"]):
        extract(made, *more, out=tmp_path / "o").refused(alone=True)
    assert "app" in (tmp_path / "o/manifest.json").read_text()


@pytest.mark.parametrize("name", ["transitions", "diffs", "edits", "rejects", "corpus"])
def test_a_folder_of_the_result(name: str, copy: Path, tmp_path: Path) -> None:
    shutil.rmtree(copy / "o" / name)
    (tmp_path / "elsewhere").mkdir()
    (copy / "o" / name).symlink_to(tmp_path / "elsewhere")
    for more in ([], ["--restart"]):
        extract(copy, *more).refused(f"{name} is a link", alone=True)
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("name", [".lock", ".workers"])
def test_a_lock(name: str, copy: Path, tmp_path: Path) -> None:
    (copy / "o" / name).unlink(missing_ok=True)
    (copy / "o" / name).symlink_to(tmp_path / "made")
    extract(copy).refused("it is a link", code=1, alone=True)
    assert not (tmp_path / "made").exists()


def test_the_files_of_the_result(copy: Path, tmp_path: Path) -> None:
    """What the links lead to stays; they are replaced."""
    expected = files(copy / "o")
    victim = tmp_path / "victim"
    victim.write_text("mine")
    for names in (RESULT[:-1], RESULT[-1:]):
        for name in names:
            (copy / "o" / name).unlink()
            (copy / "o" / name).symlink_to(victim)
        extract(copy, "--restart").well()
        assert victim.read_text() == "mine"
        assert not [name for name in names if (copy / "o" / name).is_symlink()]
        assert files(copy / "o") == expected


def test_the_result_folder_itself_may_be_one(made: Path, tmp_path: Path) -> None:
    """It is new although something hidden lies in it, which stays."""
    (tmp_path / "disk/.git").mkdir(parents=True)
    (tmp_path / "disk/.b.1.tmp").touch()
    (tmp_path / "o").symlink_to(tmp_path / "disk")
    extract(made, out=tmp_path / "o").well()
    assert (tmp_path / "o/.b.1.tmp").exists()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "zeroed": lambda content: bytes(len(content)),
    "lost its end": lambda content: content[:-1],
}


# Each file with one damage, and some with each.
DAMAGED = [
    (name, damage)
    for number, name in enumerate(name for name in RESULT if not name.startswith(EMPTY))
    for turn, damage in enumerate(DAMAGES)
    if (number + turn) % len(DAMAGES) == 0
    or name in ("transitions/a.xml.parquet", "corpus/train.parquet", "manifest.json")
]


@pytest.mark.parametrize(("name", "damage"), DAMAGED)
def test_the_same_command_makes_it_good(name: str, damage: str, copy: Path) -> None:
    expected = files(copy / "o")
    path = copy / "o" / name
    before, content = times(copy / "o"), path.read_bytes()
    assert content
    path.write_bytes(DAMAGES[damage](content))
    extract(copy).silent()
    assert files(copy / "o") == expected
    # Only what follows from the damaged file is done again.
    after = times(copy / "o")
    parts = [part for part in "ab" if f"/{part}." not in name]
    kept = [n for n in before if any(n.endswith(f"/{part}.xml.parquet") for part in parts)]
    assert [n for n in kept if before[n] != after[n]] == []


def test_a_flipped_byte_of_the_corpus(copy: Path) -> None:
    expected = files(copy / "o")
    for name in (name for name in RESULT if name.startswith("corpus")):
        content = bytearray((copy / "o" / name).read_bytes())
        if content:
            content[len(content) // 2] ^= 1
            (copy / "o" / name).write_bytes(content)
            extract(copy).well()
            assert files(copy / "o") == expected


def test_without_a_manifest_other_settings_are_refused(copy: Path) -> None:
    (copy / "o/manifest.json").write_bytes(b"")
    extract(copy, "--per", "any").refused("other settings", alone=True)
    (copy / "a.xml").write_bytes(XML.replace(b"Mill", b"Moor"))
    extract(copy).refused("a.xml has changed", alone=True)
    for command in ("status", "diff", "filter", "build"):
        wikibias(command, copy / "o").refused("is damaged", alone=True)


def test_a_closed_standard_input_is_an_empty_one(tmp_path: Path) -> None:
    command = shlex.join([sys.executable, "-m", "wikibias", "detect", "--lang", "en", "-o"])
    shell = ["sh", "-c", f"{command} {shlex.quote(str(tmp_path / 'o'))} - <&-"]
    ended = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "is empty" in ended.stderr
