"""Adding parts to a folder reads only what is new, and gives what a fresh run gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports import export, files, history, rows, wikibias
from results import check_refused, extract, times, untouched
from wikibias.api.corpora import extract as extract_by_function
from wikibias.dumps.parts import Part
from wikibias.pipeline.plan import wiki_of, with_recorded


def names(out: Path) -> list[str]:
    """Return the parts that a manifest lists."""
    return [entry["part"] for entry in json.loads((out / "manifest.json").read_text())["inputs"]]


TABLES = ("transitions", "diffs", "edits", "rejects")


class TestAPart:
    def test_is_added_with_those_there_or_alone(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        new = parts[0].with_name("part3b.xml")
        new.write_bytes(export([history("New", 2, topic=9)], first_id=900_000))
        before = times(out)
        ended = extract(out, new)
        assert (ended.code, ended.err) == (0, f"Adds 1 part to the 4 of {out}.\n")
        assert untouched(before, times(out), "part3b.xml")
        whole, both = out.with_name("whole"), out.with_name("both")
        assert extract(whole, *parts, new).code == 0
        assert files(out, *TABLES) == files(whole, *TABLES)
        assert names(out) == names(whole)
        assert extract(both, *parts).code == 0
        assert extract(both, *parts, new).code == 0
        assert files(both) == files(out)

    def test_that_is_whole_may_be_gone_from_the_disk(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        for part in parts[1:]:
            part.unlink()
        assert extract(out, parts[0]).code == 0
        assert extract(out, parts[2]).code == 0
        assert files(out) == done

    def test_that_is_unfinished_and_gone_is_an_error(self, parts: list[Path], out: Path) -> None:
        assert extract(out, *parts).code == 0
        (out / "transitions/part2.xml.parquet").unlink()
        parts[1].unlink()
        ended = extract(out, parts[0])
        assert ended.code == 1
        assert "part2.xml" in ended.errors[0]

    def test_of_another_wiki_is_refused(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        new = parts[0].with_name("other.xml")
        new.write_bytes(export([history("Ville", 1)], lang="fr"))
        before = times(out), (out / "manifest.json").read_bytes()
        check_refused(
            extract(out, new),
            f"other.xml is a dump of inventedfrwiki, and {out} holds inventedenwiki",
            "choose another --out",
        )
        assert (times(out), (out / "manifest.json").read_bytes()) == before

    def test_with_other_settings_is_refused(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        new = parts[0].with_name("part9.xml")
        new.write_bytes(export([history("New", 1)], first_id=900_000))
        check_refused(extract(out, "--per", "any", new), "detect.per: tag -> any")
        assert files(out) == done

    def test_that_is_not_there_is_refused(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        check_refused(extract(out, parts[0].with_name("part9.xml")), "part9.xml: no such file")
        assert files(out) == done

    def test_in_shards(self, parts: list[Path], out: Path, done: dict[str, bytes]) -> None:
        new = parts[0].with_name("part9.xml")
        new.write_bytes(export([history("New", 2, topic=9)], first_id=900_000))
        for shard in ("1/2", "2/2"):
            assert extract(out, "--shard", shard, new).code == 0
        assert extract(out, new).code == 0
        whole = out.with_name("whole")
        assert extract(whole, *parts, new).code == 0
        assert files(out, *TABLES) == files(whole, *TABLES)
        assert names(out) == names(whole)

    def test_by_the_function(self, parts: list[Path], out: Path, done: dict[str, bytes]) -> None:
        new = parts[0].with_name("part9.xml")
        new.write_bytes(export([history("New", 2, topic=9)], first_id=900_000))
        extract_by_function(new, "en", out)
        assert len(names(out)) == 5

    def test_begins_anew_with_restart(
        self, parts: list[Path], out: Path, done: dict[str, bytes]
    ) -> None:
        assert extract(out, "--restart", parts[0]).code == 0
        assert names(out) == ["part1.xml"]
        assert {row["part"] for row in rows(out, "transitions")} == {"part1.xml"}


def test_without_a_manifest_all_parts_are_asked_for(
    parts: list[Path], out: Path, done: dict[str, bytes]
) -> None:
    (out / "manifest.json").unlink()
    check_refused(extract(out, parts[1]), "lost its manifest", "holds part1.xml as well")
    assert extract(out, *parts).code == 0
    assert files(out) == done


class TestStandardInput:
    def test_may_be_added_but_not_added_to(self, parts: list[Path], out: Path) -> None:
        command = ("extract", "--lang", "en", "--workers", 1, "-o", out)
        assert wikibias(*command, parts[1]).code == 0
        assert wikibias(*command, "-", stdin=parts[0].read_bytes()).code == 0
        assert names(out) == ["stdin", "part2.xml"]
        check_refused(wikibias(*command, parts[2]), "input stdin cannot be compared")

    def test_that_was_not_read_to_its_end_is_asked_for(self, parts: list[Path], out: Path) -> None:
        command = ("extract", "--lang", "en", "--workers", 1, "-o", out)
        assert wikibias(*command, "-", stdin=parts[0].read_bytes()).code == 0
        (out / "transitions/stdin.parquet").unlink()
        check_refused(wikibias(*command, parts[1]), "standard input", "--restart")


def test_what_a_folder_holds_with_what_is_given(
    parts: list[Path], out: Path, done: dict[str, bytes]
) -> None:
    new = [Part("part10.xml", ("part10.xml",)), Part("part3.xml", (str(parts[2]),))]
    union = [part.name for part in with_recorded(out, new)]
    assert union == ["part1.xml", "part2.xml", "part3.xml", "part4.xml", "part10.xml"]
    assert with_recorded(out / "nothing", new) == new


@pytest.mark.parametrize("content", [b"", b"<mediawiki>", b"\x00\x01"])
def test_a_file_that_is_no_dump_has_no_wiki(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(content)
    assert wiki_of(Part("a.xml", (str(tmp_path / "a.xml"),))) is None
    assert wiki_of(Part("b", ("https://example.org/b",))) is None
