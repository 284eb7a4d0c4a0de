"""A page that a dump splits over several files is one page, from the command line to the corpus."""

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exports
from exports import export, files, history, packed, rows, sha256, split_page, wikibias
from results import manifest_of
from server import Server, serving
from wikibias.mediawiki import AT_A_TIME

PART = "enwiki-2026-01-01-p50"
# Twelve revisions: the tag is there in the odd ones (ids 50, 52, ...), and gone in the others.
XML = export([history("Mill", 6)], first_id=50)
THIRDS = [0] * 5 + [1] * 4 + [2] * 3
# One revision of each file in turn, so that their times overlap.
IN_TURN = [0, 1, 2] * 4


def write(folder: Path, named: dict[str, bytes]) -> list[Path]:
    """Write files into a folder, and return their paths in order of name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in named.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in named]


def run(command: str, out: Path, *arguments: object) -> exports.Outcome:
    """Run a command on an English dump."""
    return wikibias(command, "--lang", "en", "-o", out, *arguments)


def inputs(out: Path) -> list[dict[str, Any]]:
    """Return what the manifest says of the inputs."""
    return list(manifest_of(out)["inputs"])


def but_part(out: Path, kind: str) -> list[dict[str, Any]]:
    """Return the rows of a table without the name of the part."""
    return [{k: v for k, v in row.items() if k != "part"} for row in rows(out, kind)]


def steps(out: Path) -> list[tuple[int | None, int]]:
    """Return the revisions before and after each transition."""
    return [(row["before_rev_id"], row["after_rev_id"]) for row in rows(out, "transitions")]


@pytest.fixture
def thirds(tmp_path: Path) -> list[Path]:
    """The files of the page, in the folder `in`."""
    return write(tmp_path / "in", split_page(XML, THIRDS))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result of the page in one file."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "a.xml").write_bytes(XML)
    run("extract", folder / "o", folder / "a.xml").well()
    return folder / "o"


@pytest.mark.parametrize(("owners", "form"), [(THIRDS, "bz2"), (IN_TURN, "7z"), (IN_TURN, "xml")])
def test_it_is_that_of_one_file(owners: list[int], form: str, whole: Path, tmp_path: Path) -> None:
    write(tmp_path / "in", split_page(XML, owners, form))
    ended = run("extract", tmp_path / "o", tmp_path / "in").silent()
    assert ended.out.startswith("1 part, 1 page, 12 revisions: 6 tag removals, 6 additions.")
    for kind in ("transitions", "diffs", "edits", "rejects"):
        assert but_part(tmp_path / "o", kind) == but_part(whole, kind)
        (table,) = (tmp_path / "o" / kind).iterdir()
        assert table.name == f"{PART}.parquet"
    assert {row["part"] for row in rows(tmp_path / "o", "transitions")} == {PART}
    texts = {n: b for n, b in files(tmp_path / "o", "corpus").items() if n.endswith(".tsv")}
    assert texts.items() <= files(whole, "corpus").items()


def test_a_revision_in_two_files_counts_once(whole: Path, tmp_path: Path) -> None:
    first = split_page(XML, [0] * 8 + [1] * 4)
    second = split_page(XML, [0] * 4 + [1] * 8)
    named = dict([next(iter(first.items())), list(second.items())[1]])
    write(tmp_path / "in", named)
    run("extract", tmp_path / "o", tmp_path / "in").well()
    assert but_part(tmp_path / "o", "transitions") == but_part(whole, "transitions")
    assert inputs(tmp_path / "o")[0]["counts"]["revisions"] == 12


def test_other_pages_in_its_files_are_pages_of_their_own(tmp_path: Path) -> None:
    def village(*numbers: int) -> bytes:
        """Return pages with these numbers, one after the other."""
        named = [history(f"Village {number}", 2, topic=number) for number in numbers]
        return export(named, first_id=numbers[0])

    mill, end = export([history("Mill", 3)], first_id=60), b"</mediawiki>\n"
    named = split_page(mill, [0, 0, 0, 1, 1, 2], "xml").items()
    (first, head), (second, middle), (third, tail) = named
    start = mill.index(b"  <page>")
    head = village(50).removesuffix(end) + head[start:]
    tail = tail.removesuffix(end) + village(70, 71)[start:]
    write(tmp_path / "in", {first: head, second: middle, third: tail})
    run("detect", tmp_path / "o", tmp_path / "in").silent()
    found = but_part(tmp_path / "o", "transitions")
    titles = Counter(row["page_title"] for row in found)
    assert titles == {"Village 50": 4, "Mill": 6, "Village 70": 4, "Village 71": 4}
    assert list(titles) == ["Village 50", "Mill", "Village 70", "Village 71"]
    (tmp_path / "mill.xml").write_bytes(mill)
    run("detect", tmp_path / "p", tmp_path / "mill.xml").well()
    mine = [row for row in found if row["page_title"] == "Mill"]
    assert mine == but_part(tmp_path / "p", "transitions")


def test_a_page_of_another_namespace_is_passed_over_but_its_damage_said(tmp_path: Path) -> None:
    xml = export([history("Mill", 3, namespace=1)], first_id=50)
    paths = write(tmp_path / "in", split_page(xml, [0, 0, 1, 1, 1, 2]))
    run("detect", tmp_path / "o", tmp_path / "in").well()
    assert steps(tmp_path / "o") == []
    run("detect", tmp_path / "p", "--namespace", 1, tmp_path / "in").well()
    assert len(steps(tmp_path / "p")) == 6
    paths[1].write_bytes(paths[1].read_bytes()[:-40])
    run("detect", tmp_path / "q", *paths).refused(str(paths[1]), code=1)


@pytest.mark.usefixtures("thirds")
def test_a_dry_run(tmp_path: Path) -> None:
    (tmp_path / "in/enwiki-2026-01-01-p1p9.xml").write_bytes(export([history("Hill", 1)]))
    run("detect", tmp_path / "o", "--limit", 1, tmp_path / "in").well()
    first, second = inputs(tmp_path / "o")
    assert [entry["counts"]["pages"] for entry in (first, second)] == [1, 1]
    assert [file["sha256"] for file in second["files"]] == [None] * 3


@settings(max_examples=6)
@given(
    owners=st.lists(st.integers(0, 4), min_size=12, max_size=12),
    ids=st.permutations(range(50, 62)),
    data=st.data(),
)
def test_any_cutting_in_any_order_gives_the_same(
    owners: list[int], ids: list[int], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Also where ids do not grow with time, as those of imported revisions."""
    folder = tmp_path_factory.mktemp("cut")
    head, *blocks = XML.split(b"    <revision>\n      <id>")
    xml = head
    for number, block in zip(ids, blocks, strict=True):
        xml += f"    <revision>\n      <id>{number}</id>".encode() + block.partition(b"</id>")[2]
    (folder / "a.xml").write_bytes(xml)
    run("detect", folder / "whole", folder / "a.xml").well()
    paths = write(folder / "in", split_page(xml, owners, "xml"))
    given_paths = data.draw(st.permutations(paths))
    run("detect", folder / "o", *given_paths).silent()
    assert but_part(folder / "o", "transitions") == but_part(folder / "whole", "transitions")


class TestDamage:
    @pytest.mark.parametrize(
        ("how", "owners"),
        [
            *((how, THIRDS) for how in ("in the middle", "at the end", "empty", "no dump", "lost")),
            *((how, IN_TURN) for how in ("in the middle", "at the end")),
        ],
    )
    def test_the_page_ends_there(
        self, how: str, owners: list[int], whole: Path, tmp_path: Path
    ) -> None:
        sound = split_page(XML, owners)
        second = list(sound)[1]
        content = split_page(XML, owners, "xml")[second.removesuffix(".bz2")]
        damaged = {
            "in the middle": packed(content[: len(content) * 2 // 3], "bz2"),
            "at the end": packed(content.removesuffix(b"</mediawiki>\n"), "bz2"),
            "empty": b"",
            "no dump": b"Not found",
            "lost": b"",
        }
        paths = write(tmp_path / "in", {**sound, second: damaged[how]})
        if how == "lost":
            paths[1].unlink()
        good = tmp_path / "good.xml"
        good.write_bytes(export([history("Hill", 2, topic=9)], first_id=900))
        line = run("extract", tmp_path / "o", *paths, good).refused(code=1)
        assert line.startswith(f"Error: {PART} is incomplete: {paths[1]} ")
        # What came before is kept, and nothing is made up: no pair that the whole page has not.
        found = [step for step in steps(tmp_path / "o") if step[1] < 900]
        its_first, its_last = map(int, re.findall(r"r(\d+)", second))
        if how == "in the middle":
            assert its_first <= found[-1][1] < its_last
            assert found == steps(whole)[: len(found)]
        elif how == "at the end":
            assert found == [step for step in steps(whole) if step[1] <= its_last]
        else:
            assert found == [step for step in steps(whole) if step[1] < its_first]
        assert len([step for step in steps(tmp_path / "o") if step[1] >= 900]) == 4
        shown = wikibias("status", tmp_path / "o")
        assert shown.code == 1
        assert f"failed   {PART} is incomplete: {paths[1]} " in shown.out
        # Mended, the same command does it again, and only it.
        paths[1].write_bytes(sound[second])
        run("extract", tmp_path / "o", *paths, good).well()
        assert but_part(tmp_path / "o", "transitions")[:12] == but_part(whole, "transitions")


class TestGoingOn:
    @pytest.fixture(scope="class")
    @staticmethod
    def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
        """A folder with the files of a page, and their result."""
        folder = tmp_path_factory.mktemp("template")
        write(folder / "in", split_page(XML, THIRDS))
        run("extract", folder / "o", folder / "in").well()
        return folder

    @pytest.fixture
    def done(self, template: Path, tmp_path: Path) -> Path:
        """The same, to be changed at will."""
        shutil.copytree(template, tmp_path / "d")
        return tmp_path / "d"

    @staticmethod
    def again(done: Path, *arguments: object) -> exports.Outcome:
        return run("extract", done / "o", *(arguments or [done / "in"]))

    def test_each_file_is_recorded(self, done: Path) -> None:
        (entry,) = inputs(done / "o")
        paths = sorted((done / "in").iterdir())
        assert (entry["part"], entry["path"], entry["sha256"]) == (PART, None, None)
        assert entry["size"] == sum(path.stat().st_size for path in paths)
        card = (done / "o/README.md").read_text()
        for file, path in zip(entry["files"], paths, strict=True):
            assert Path(file["path"]).name == path.name
            assert (file["size"], file["sha256"]) == (path.stat().st_size, sha256(path))
            assert file["mtime_ns"] is not None
            assert f"| {path.name} |" in card
            assert sha256(path)[:16] in card

    def test_nothing_is_left_to_do(self, done: Path) -> None:
        before = files(done / "o")
        paths = sorted((done / "in").iterdir())
        os.utime(paths[1], (1, 1))
        for arguments in ([done / "in"], list(reversed(paths)), [done / "in" / "*r*"]):
            self.again(done, *arguments).silent()
            assert files(done / "o") == before

    def test_moved_files_are_the_same(self, done: Path) -> None:
        before = files(done / "o")
        (done / "in").rename(done / "elsewhere")
        self.again(done, done / "elsewhere").well()
        assert files(done / "o") == before
        (entry,) = inputs(done / "o")
        assert {str(Path(f["path"]).parent) for f in entry["files"]} == {str(done / "elsewhere")}
        wikibias("filter", "--reverts", "keep", "--restart", done / "o").well()

    @pytest.mark.parametrize("how", ["other bytes", "another size", "one less", "one more"])
    def test_a_change_is_refused(self, how: str, done: Path) -> None:
        second = sorted((done / "in").iterdir())[1]
        content = second.read_bytes()
        changed = {
            "other bytes": {second.name: content[:-1] + bytes([content[-1] ^ 1])},
            "another size": {second.name: content + b"\0"},
            "one less": {},
            "one more": {second.name: content, f"{PART}r62r70.xml.bz2": content},
        }
        second.unlink()
        write(done / "in", changed[how])
        before = files(done / "o")
        self.again(done).refused(f"input {PART} has changed", "--restart")
        assert files(done / "o") == before

    def test_a_file_that_is_not_there_throws_nothing_away(self, done: Path) -> None:
        paths = sorted((done / "in").iterdir())
        paths[1].unlink()
        before = files(done / "o")
        # What was read of it is taken as unchanged.
        self.again(done, *paths).well()
        self.again(done, "--restart", *paths).refused(f"{paths[1]}: no such file")
        assert files(done / "o") == before

    def test_status_shows_how_to_go_on(self, thirds: list[Path], tmp_path: Path) -> None:
        out = tmp_path / "o"
        run("detect", out, *thirds[:2]).well()
        for _ in ("diff", "filter", "build"):
            words = wikibias("status", out).out.splitlines()[-1].split()
            wikibias(*words[2:]).well()
        assert "1 whole" in wikibias("status", out).out


class TestCensus:
    @staticmethod
    def count(folder: Path, *dumps: Path) -> dict[str, tuple[int, int]]:
        """Count the dumps; return name -> (pages, revisions)."""
        wikibias("tags", "count", "-q", "-o", folder, *dumps).silent()
        table = pq.read_table(folder / "counts.parquet").to_pylist()
        return {row["name"]: (row["pages"], row["revisions"]) for row in table}

    def test_a_split_page_is_one_page(self, thirds: list[Path], tmp_path: Path) -> None:
        assert self.count(tmp_path / "o", *reversed(thirds)) == {"POV": (1, 6)}
        table = tmp_path / "o/parts" / f"{PART}.sqlite"
        before = table.stat().st_mtime_ns
        assert self.count(tmp_path / "o", tmp_path / "in") == {"POV": (1, 6)}
        assert table.stat().st_mtime_ns == before
        # A file that is another one now is counted.
        xml = XML.replace(b"{{POV|", b"{{Advert|")
        thirds[1].write_bytes(split_page(xml, THIRDS)[thirds[1].name])
        assert self.count(tmp_path / "o", tmp_path / "in") == {"POV": (1, 4), "Advert": (1, 2)}
        thirds[2].write_bytes(b"")
        ended = wikibias("tags", "count", "-q", "-o", tmp_path / "o", tmp_path / "in")
        ended.refused(f"Error: {PART} is incomplete: {thirds[2]} is empty", code=1)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def test_urls_in_any_order(server: Server, whole: Path, tmp_path: Path) -> None:
    named = split_page(XML, THIRDS)
    server.files |= {f"/x/{name}": content for name, content in named.items()}
    urls = [f"{server.url}/x/{name}" for name in reversed(named)]
    run("extract", tmp_path / "o", *urls).silent()
    assert but_part(tmp_path / "o", "transitions") == but_part(whole, "transitions")
    assert server.most_open <= AT_A_TIME
    (entry,) = inputs(tmp_path / "o")
    assert [file["path"] for file in entry["files"]] == urls[::-1]
    for file, content in zip(entry["files"], named.values(), strict=True):
        (tmp_path / "copy").write_bytes(content)
        assert (file["size"], file["sha256"]) == (len(content), sha256(tmp_path / "copy"))
    server.asked.clear()
    run("extract", tmp_path / "o", *urls).well()
    assert server.asked == []


def test_fetched_and_extracted(server: Server, whole: Path, tmp_path: Path) -> None:
    """The folder that `fetch` fills is what `extract` reads, as fetch says at its end."""
    named = {**split_page(XML, THIRDS), "enwiki-2026-01-01-p1p9.xml.bz2": packed(export([]), "bz2")}
    server.add_content("enwiki", "2026-01-01", named)
    command = ("fetch", "--lang", "en", "--kind", "content", "--base-url", server.url)
    ended = wikibias(*command, "-o", tmp_path / "dumps").well()
    words = ended.out.splitlines()[-1].removeprefix("Next: ").split()[1:]
    wikibias(*words, "-o", tmp_path / "o").silent()
    assert [entry["part"] for entry in inputs(tmp_path / "o")] == [
        "enwiki-2026-01-01-p1p9.xml.bz2",
        PART,
    ]
    assert but_part(tmp_path / "o", "transitions") == but_part(whole, "transitions")
