"""Which files are one part, in both families of dumps."""

import random
from pathlib import Path
from typing import Any

import pytest

from exports import export, wikibias
from paths import cases
from wikibias.dumps.parts import find_parts
from wikibias.errors import UsageError
from wikibias.kits.folders import is_file_name


def expected(case: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """Return name and files of each part."""
    if case.get("alone"):
        return [(path, (path,)) for path in case["given"]]
    return [(part["name"], tuple(part["files"])) for part in case["parts"]]


def found(*arguments: object) -> list[tuple[str, tuple[str, ...]]]:
    """Return name and files of each part that is found."""
    return [(part.name, part.files) for part in find_parts(map(str, arguments))]


@pytest.mark.parametrize("case", cases("parts"))
def test_files_given_by_name(case: dict[str, Any]) -> None:
    """In whatever order."""
    for seed in range(5):
        given = random.Random(seed).sample(case["given"], len(case["given"]))
        assert sorted(found(*given)) == sorted(expected(case))
    if not case.get("alone"):
        assert found(*case["given"]) == expected(case)


@pytest.mark.parametrize(
    "case", [case for case in cases("parts") if "/" not in "".join(case.values[0]["given"])]
)
def test_files_given_by_folder(case: dict[str, Any], tmp_path: Path) -> None:
    for name in [*case["given"], "SHA256SUMS", f"{case['given'][0]}.part"]:
        (tmp_path / name).touch()
    assert sorted(found(tmp_path)) == sorted(
        (name, tuple(str(tmp_path / path) for path in paths)) for name, paths in expected(case)
    )


@pytest.mark.parametrize("command", [("detect", "--lang", "en"), ("tags", "count")])
def test_oddly_named_files_give_a_warning(command: tuple[str, ...], tmp_path: Path) -> None:
    """But not what is no dump by any name."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.xml").write_bytes(export([]))
    unlike = "SHA256SUMS sha1sums.txt a.xml.md5 page.sql.gz index.txt.bz2 README.md .hidden x.json"
    for name in unlike.split():
        (folder / name).touch()
    (folder / "folder.7z").mkdir()
    assert wikibias(*command, "-o", tmp_path / "o", folder).err == ""
    for name in ("b.xml.7z.part", "dump.7z", "x.bz2"):
        (folder / name).touch()
    (line,) = wikibias(*command, "-o", tmp_path / "o", folder).err.splitlines()
    assert line.startswith("Warning: passed over 3 files")
    assert f"the first {folder / 'b.xml.7z.part'};" in line
    line, *_ = wikibias(*command, "-o", tmp_path / "p", folder, folder / "x.bz2").err.splitlines()
    assert line.startswith("Warning: passed over 2 files")


def test_a_folder_with_only_oddly_named_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dump.7z").touch()
    ended = wikibias("detect", "--lang", "en", "-o", tmp_path / "o", tmp_path)
    ended.refused("; if dump.7z is a dump, give its path")


def test_parts_of_the_same_name_get_different_output_names(tmp_path: Path) -> None:
    """Each output has a name of its own."""
    (name,) = {name for name, _ in found("enwiki-2026-01-01-p5r1r9.xml")}
    assert [part for part, _ in found("enwiki-2026-01-01-p5r1r9.xml", name)] == [name, f"{name}~2"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ftp://a/b.xml.7z", ": only http:// and https:// can be read; download the file first"),
        ("http://[::1/x.xml", " is no URL"),
    ],
)
def test_an_address_that_cannot_be_read_is_refused(address: str, said: str, tmp_path: Path) -> None:
    wikibias("extract", "--lang", "en", "-o", tmp_path / "o", address).refused(address + said)
    assert not (tmp_path / "o").exists()


def test_counting_dumps_of_several_wikis_gives_a_warning(tmp_path: Path) -> None:
    for lang in ("en", "fr"):
        (tmp_path / f"{lang}.xml").write_bytes(export([], lang=lang))
    ended = wikibias("tags", "count", "-o", tmp_path / "c", tmp_path).well()
    assert "dumps of 2 wikis (inventedenwiki, inventedfrwiki) are counted together" in ended.err


@pytest.mark.parametrize("name", ["x" * 250, "語" * 83])
def test_a_long_name_is_cut_so_that_a_file_can_have_it_with_an_ending(name: str) -> None:
    one, other = find_parts([f"in/{name}.1", f"in/{name}.2"])
    assert one.name != other.name
    assert all(is_file_name(part.name) for part in (one, other))
    assert find_parts([f"in/{name}.1"])[0].name == one.name


@pytest.mark.parametrize("url", ["https://example.org/a%00.xml", "https://example.org/a%2F.."])
def test_a_name_that_no_file_can_have(url: str) -> None:
    with pytest.raises(UsageError, match="no file can have this name"):
        find_parts([url])
