"""Damaged input: one clear line, the exit code, and everything but the damage in the result."""

import gzip
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import exports
from exports import Page, Revision, dumped, export, history, packed, rows, wikibias

# Five pages of forty-eight revisions each; the damage is done in the middle of the third.
PAGES = [history(f"Village {name}", 24, topic=n) for n, name in enumerate("ABCDE")]
XML = export(PAGES)
GOOD = export([history("Sound Hill", 2, topic=90)], first_id=9000)
Rows = list[tuple[Any, ...]]
JPEG = bytes.fromhex("ffd8ffe000104a46494600010101004800480000ffdb0043") + bytes(range(256)) * 8
HTML = (
    b"<!DOCTYPE html>\n<html lang='en'><head><title>404 Not Found</title></head>\n"
    b"<body><h1>Not Found</h1><hr><p>No such dump.<br></body></html>\n"
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """Return the transitions of PAGES, in short."""
    folder = tmp_path_factory.mktemp("sound")
    (folder / "a.xml").write_bytes(XML)
    wikibias("detect", "--lang", "en", "-o", folder / "o", folder / "a.xml").well()
    return short(folder / "o", "a.xml")


def short(out: Path, part: str) -> Rows:
    """Return page, kind, revisions and text of the transitions of a part."""
    columns = ("page_title", "kind", "before_rev_id", "after_rev_id", "after_text")
    return [
        tuple(row[column] for column in columns)
        for row in rows(out, "transitions")
        if row["part"] == part
    ]


def detect(
    folder: Path, content: bytes | None, name: str = "bad.xml", *, command: str = "detect"
) -> exports.Outcome:
    """Read a bad part and, beside it, a good one; None: the bad one is not there."""
    if content is not None:
        (folder / name).write_bytes(content)
    (folder / "good.xml").write_bytes(GOOD)
    return wikibias(command, "--lang", "en", "-o", folder / "o", folder / name, folder / "good.xml")


def check_failed(ended: exports.Outcome, folder: Path, name: str = "bad.xml") -> str:
    """Check what holds for every bad part; return the line about it."""
    assert ended.code == 1
    assert "Traceback" not in ended.err
    # The part, and what the damage has made of a text before it is noticed.
    line, *others = ended.errors
    assert all("could not be worked out" in other for other in others)
    assert str(folder / name) in line
    assert "Error: unexpected" not in line
    assert "1 of 2" in ended.err
    # The other part is done.
    assert len(short(folder / "o", "good.xml")) == 4
    assert exports.temporary_files(folder) == []
    return line


def page_named(line: str) -> str:
    """Return the page that a line names."""
    found = re.search(r"'(Village [A-E])'", line)
    assert found, line
    return found.group(1)


@pytest.mark.parametrize(
    ("content", "said", "name"),
    [
        (None, "No such file", "xml"),
        (b"", "is empty", "xml"),
        (b"Dear reader,\nthis is no dump, but a letter.\n", "is no MediaWiki export", "xml"),
        (JPEG, "is no MediaWiki export", "xml"),
        (HTML, "is no MediaWiki export", "html"),
        (b"<?xml version='1.0'?><rss><channel/></rss>", "root element is <rss>", "xml"),
        (b"\0" * 4096, "is no MediaWiki export", "xml"),
        (packed(HTML, "gz"), "is no MediaWiki export", "xml"),
        (packed(b"a letter", "7z"), "is no MediaWiki export", "xml"),
        (packed(b"", "bz2"), "is", "xml"),
        (b"PK\x03\x04" + JPEG, "is no MediaWiki export", "xml"),
        (b"<mediawiki", "is cut off", "xml"),
        (b"<mediawiki></mediawiki>", "is no", "xml"),
        (b"Dear reader,\n", "neither an archive nor XML, although it is named", "xml.bz2"),
        (JPEG, "neither an archive nor XML, although it is named .7z", "7z"),
        (HTML, "is a web page, although it is named .7z", "xml.7z"),
        (b"\xef\xbb\xbf <rss/>", "its root element is <rss>", "xml.gz"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_no_dump(
    content: bytes | None, said: str, name: str, tmp_path: Path
) -> None:
    name = f"bad.{name}"
    assert said in check_failed(detect(tmp_path, content, name), tmp_path, name)


@pytest.mark.skipif(os.name == "nt", reason="needs file modes")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_read_permission(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_bytes(XML)
    (tmp_path / "bad.xml").chmod(0)
    assert "Permission denied" in check_failed(detect(tmp_path, None), tmp_path)


@pytest.mark.parametrize(
    ("name", "said"), [("file/bad.xml", "Not a directory"), ("link", "No such file")]
)
def test_a_path_that_leads_nowhere(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "gone.xml")
    assert said in check_failed(detect(tmp_path, None, name), tmp_path, name)


@pytest.mark.parametrize("given", ["in1", "*.xml.bz2", "in?"])
def test_no_dumps_in_a_folder_or_pattern(given: str, tmp_path: Path) -> None:
    (tmp_path / "in1").mkdir()
    (tmp_path / "in1/notes.txt").write_text("no dump")
    ended = wikibias("extract", "--lang", "en", "-o", tmp_path / "o", tmp_path / given)
    ended.refused(str(tmp_path / given).removesuffix("?"))
    assert not (tmp_path / "o").exists()


def test_an_empty_wiki_gives_an_empty_corpus(tmp_path: Path) -> None:
    path = dumped(tmp_path, [])
    ended = wikibias("extract", "--lang", "en", "-o", tmp_path / "o", path).silent()
    assert "No tag of the tag set was removed" in ended.out
    for split in ("train", "dev", "test"):
        assert (tmp_path / "o/text" / f"{split}.tsv").read_bytes() == b""
        assert (tmp_path / "o/corpus" / f"{split}.parquet").is_file()
    assert rows(tmp_path / "o", "corpus") == []


def test_a_page_without_revisions(tmp_path: Path) -> None:
    out = exports.result_of(tmp_path, [Page("Nothing", []), history("Mill", 1)], "extract")
    assert len(rows(out, "edits")) == 1


@pytest.mark.parametrize("form", ["bz2", "bz2-multi", "gz", "xz", "lzma", "zst", "xml"])
def test_a_truncated_file_gives_the_pages_before_the_end(
    form: str, sound: Rows, tmp_path: Path
) -> None:
    content = packed(XML, form)
    line = check_failed(detect(tmp_path, content[: len(content) // 2]), tmp_path)
    assert "cut off" in line
    kept = short(tmp_path / "o", "bad.xml")
    assert kept == sound[: len(kept)]
    assert {row[0] for row in kept} >= {"Village A"}
    assert page_named(line) >= max(str(row[0]) for row in kept)


def test_a_truncated_7z_cannot_be_read(tmp_path: Path) -> None:
    """Its list of contents stands at its end, so nothing can be read."""
    content = packed(XML, "7z")
    assert "7z" in check_failed(detect(tmp_path, content[: len(content) // 2]), tmp_path)


@pytest.mark.parametrize("form", ["bz2", "bz2-multi", "gz", "xz", "lzma", "zst", "7z"])
def test_a_flipped_byte(form: str, sound: Rows, tmp_path: Path) -> None:
    content = bytearray(packed(XML, form))
    # A block of these archives may be larger than half of this one.
    at = 0.9 if form in ("7z", "zst") else 0.5
    content[int(at * len(content))] ^= 0xFF
    line = check_failed(detect(tmp_path, bytes(content)), tmp_path)
    kept = short(tmp_path / "o", "bad.xml")
    first = [row for row in sound if row[0] == "Village A"]
    assert kept[: len(first)] == first
    assert page_named(line) >= max(str(row[0]) for row in kept)


@pytest.mark.parametrize("at", [-1, -8])
def test_a_wrong_checksum_after_the_last_page(at: int, tmp_path: Path) -> None:
    """The end of the XML may come before the end of the archive, which tells of damage."""
    padding = -(len(XML) + len("<!---->")) % (1 << 20)
    xml = XML.replace(b"</siteinfo>", b"</siteinfo><!--%b-->" % (b" " * padding))
    assert len(xml) % (1 << 20) == 0
    content = bytearray(gzip.compress(xml))
    content[at] ^= 0xFF
    check_failed(detect(tmp_path, bytes(content)), tmp_path)


def test_zeros_after_the_archive_are_no_damage(tmp_path: Path) -> None:
    """Zeros pad some archives, and are no damage."""
    for form in ("gz", "bz2"):
        folder = tmp_path / form
        folder.mkdir()
        detect(folder, packed(XML, form) + b"\0" * 512).well()


class TestDamagedXml:
    def second_page(self, change: Callable[[bytes], bytes]) -> bytes:
        """Return PAGES with the second page changed."""
        pages = XML.split(b"  <page>\n")
        assert b"Village B" in pages[2]
        pages[2] = change(pages[2])
        return b"  <page>\n".join(pages)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b"</text>", b"</txet>"),
            *((b"people", odd) for odd in (b"&", b"&nbsp;", b"<b", b"\xff\xfe", b"\0")),
            *((end, b"") for end in (b"</revision>", b"  </page>\n")),
        ],
    )
    def test_damage_in_the_second_page(
        self, old: bytes, new: bytes, sound: Rows, tmp_path: Path
    ) -> None:
        bad = self.second_page(lambda page: page.replace(old, new, 1))
        line = check_failed(detect(tmp_path, bad), tmp_path)
        assert page_named(line) == "Village B"
        kept = short(tmp_path / "o", "bad.xml")
        assert kept == sound[: len(kept)]
        assert "Village A" in {row[0] for row in kept}

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (rb"<timestamp>2", b"<timestamp>x"),
            (rb"<timestamp>.*?</timestamp>", b""),
            (rb"<revision>\s*<id>\d+</id>", b"<revision>"),
            (rb"<revision>\s*<id>\d+", b"<revision><id>x"),
            (rb"<title>Village B</title>", b""),
            (rb"<ns>0</ns>\s*<id>\d+</id>", b"<ns>0</ns>"),
            (rb"<ns>0</ns>", b"<ns>zero</ns>"),
        ],
        ids="bad-time no-time no-id bad-id no-title no-page-id bad-ns".split(),
    )
    def test_an_impossible_value_in_the_second_page(
        self, old: bytes, new: bytes, sound: Rows, tmp_path: Path
    ) -> None:
        """The page is named and ends there; the others are read."""
        bad = self.second_page(lambda page: re.sub(old, new, page, count=1))
        ended = detect(tmp_path, bad)
        ended.refused("1 page or revision could not be worked out", code=1)
        assert "  bad.xml: " in ended.err
        kept = short(tmp_path / "o", "bad.xml")
        assert [row for row in kept if row[0] != "Village B"] == [
            row for row in sound if row[0] != "Village B"
        ]
        assert len(short(tmp_path / "o", "good.xml")) == 4

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (XML.rpartition(b"  </page>")[0], "'Village E'"),
            (XML.removesuffix(b"</mediawiki>\n"), "cut off"),
            *((XML + junk, "") for junk in (b"junk\n", GOOD, b"<page></page>\n</mediawiki>\n")),
        ],
        ids=["unclosed-page", "unclosed-root", "junk", "another dump", "another page"],
    )
    def test_damage_at_the_end(
        self, content: bytes, said: str, sound: Rows, tmp_path: Path
    ) -> None:
        """Whatever follows the first root is not read, and not passed over in silence."""
        assert said in check_failed(detect(tmp_path, content), tmp_path)
        assert short(tmp_path / "o", "bad.xml") == sound

    def test_damage_in_a_page_of_another_namespace(self, tmp_path: Path) -> None:
        talk = Page("Mill", [Revision("hello & good day")], namespace=1)
        xml = export([history("Village A", 1), talk, history("Village C", 1, topic=3)])
        line = check_failed(detect(tmp_path, xml.replace(b"&amp;", b"&")), tmp_path)
        assert "Mill'" in line
        assert {row[0] for row in short(tmp_path / "o", "bad.xml")} == {"Village A"}

    def test_many_damaged_parts(self, tmp_path: Path) -> None:
        bad = {
            "a-xml.xml": self.second_page(lambda page: page.replace(b"</text>", b"</txet>", 1)),
            "b-empty.xml": b"",
            "c-html.xml": HTML,
            "d-cut.xml.gz": packed(XML, "gz")[:5000],
        }
        for name, content in bad.items():
            (tmp_path / name).write_bytes(content)
        (tmp_path / "good.xml").write_bytes(GOOD)
        command = ("extract", "--lang", "en", "-o", tmp_path / "o")
        ended = wikibias(*command, *tmp_path.glob("*.*"), tmp_path / "missing.xml")
        assert ended.code == 1
        names = [Path(line.split()[1]).name for line in ended.errors]
        assert names == [*bad, "missing.xml"]
        assert "5 of 6" in ended.err
        corpus = {row["page_title"] for row in rows(tmp_path / "o", "corpus")}
        assert corpus >= {"Village A", "Sound Hill"}

    def test_damage_from_standard_input(self, tmp_path: Path) -> None:
        ended = wikibias("detect", "--lang", "en", "-o", tmp_path, "-", stdin=XML[: len(XML) // 2])
        assert page_named(ended.refused(code=1)) == "Village C"

    def test_single_stages_keep_pages_before_the_damage(self, tmp_path: Path) -> None:
        """The stages go on with a damaged part just as extract does."""
        bad = self.second_page(lambda page: page.replace(b"</text>", b"</txet>", 1))
        check_failed(detect(tmp_path, bad, command="extract"), tmp_path)
        # What came before the damage is in the corpus, and so is the good part.
        corpus = {row["page_title"] for row in rows(tmp_path / "o", "corpus")}
        assert {"Village A", "Sound Hill"} <= corpus
        whole = exports.files(tmp_path / "o", "corpus")
        inputs = (tmp_path / "bad.xml", tmp_path / "good.xml")
        assert wikibias("detect", "--lang", "en", "-o", tmp_path / "stages", *inputs).code == 1
        for stage in ("diff", "filter", "build"):
            assert wikibias(stage, tmp_path / "stages").code in (0, 1)
        assert exports.files(tmp_path / "stages", "corpus") == whole


class TestSharedFiles:
    """Odd and genuine files: the exit code that each deserves, and never a traceback."""

    DAMAGED = (
        "article-pyrus.xml_invalid.7z",
        "cut-off-header.xml",
        "junk-after-root.xml",
        "unclosed-page.xml.bz2",
        "undefined-entity.xml",
    )

    def test_every_odd_file(self, shared: Path, tmp_path: Path) -> None:
        odd = sorted((shared / "dumps/odd").iterdir())
        new = sorted((shared / "dumps").glob("MediawikiDumperOutputTest*.xml"))
        assert len(odd) == 14
        assert len(new) == 2
        failed = []
        for path in odd + new:
            out = tmp_path / path.name
            # All namespaces that they hold, so that every page is read.
            spaces = [part for number in range(16) for part in ("--namespace", number)]
            ended = wikibias("extract", "--lang", "en", "--quiet", *spaces, "-o", out, path)
            assert ended.code in (0, 1), path.name
            assert "Traceback" not in ended.err
            assert "unexpected" not in ended.err
            assert len(ended.errors) == ended.code, ended.err
            # Nothing in an archive without its end can be read, so no result is begun.
            assert (out / "README.md").is_file() == (path.name != self.DAMAGED[0])
            if ended.code:
                failed.append(path.name)
                assert str(path) in ended.errors[0]
        assert failed == list(self.DAMAGED)

    def test_revisions_before_the_damage_are_counted(self, shared: Path, tmp_path: Path) -> None:
        path = shared / "dumps/odd/unclosed-page.xml.bz2"
        ended = wikibias("extract", "--lang", "en", "-o", tmp_path / "o", path)
        ended.refused("'1.6 Band'", code=1)
        assert "67 revisions" in ended.out


def test_files_of_which_none_is_a_dump_change_no_folder(tmp_path: Path) -> None:
    for name, content in (("hello.txt", b"hello"), ("page.xml", b"<html></html>"), ("e.xml", b"")):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "good.xml").write_bytes(GOOD)
    out = tmp_path / "o"
    wikibias("extract", "--lang", "en", "-o", out, tmp_path / "hello.txt").refused(
        "hello.txt is no MediaWiki export", code=1, alone=True
    )
    assert "--lang" not in wikibias("extract", tmp_path / "hello.txt").refused("no MediaWiki")
    assert not out.exists()
    wikibias("extract", "--lang", "en", "-o", out, tmp_path / "good.xml").well()
    before = exports.files(out)
    bad = [tmp_path / "page.xml", tmp_path / "e.xml", tmp_path / "missing.xml"]
    wikibias("extract", "--lang", "en", "-o", out, *bad).refused("is empty", code=1, alone=True)
    assert exports.files(out) == before


def test_what_is_broken_is_said_before_what_came_of_it(tmp_path: Path) -> None:
    words = ("extract", "--lang", "en", "--signal", "citation", "-o", tmp_path / "o")
    said = wikibias(*words, "-", stdin=b"<mediawiki").err.splitlines()
    broken, empty = (
        next(number for number, line in enumerate(said) if what in line)
        for what in ("is cut off", "no sentence with labels")
    )
    assert broken < empty
