"""The stage `detect`, one part at a time."""

import bz2
import gzip
import io
import lzma
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from exports import Outcome, Page, Revision, export, history, result_of, rows, wikibias
from results import manifest_of
from wikibias.config.languages import load_language
from wikibias.kits.files import checksum
from wikibias.mediawiki import Namespaces
from wikibias.pipeline.detect import reader_of
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset

READERS = ("fast", "mwxml")
TABLE = "transitions"
PAGES = [history("Mill", 2), history("Hill", 1, topic=3)]
VOTE = Page("Vote", [Revision("* {{neutral}} {{x}}")])


def detect(folder: Path, content: bytes, *options: object) -> tuple[Outcome, dict[str, Any]]:
    """Detect in one part; return what was said, and the part's entry in the manifest."""
    (folder / "a.xml").write_bytes(content)
    command = ("detect", "--workers", 1, "-o", folder / "o", *options, folder / "a.xml")
    ended = wikibias(*command)
    (entry,) = manifest_of(folder / "o")["inputs"]
    return ended, entry


@pytest.mark.parametrize("reader", READERS)
def test_before_a_day_it_is_as_if_the_dump_were_of_that_day(reader: str, tmp_path: Path) -> None:
    """The day is after the first removal of Mill and before the revert of its second."""
    pages = [history("Mill", 3), history("Hill", 2, topic=3)]
    mill = pages[0].revisions
    pages[0] = Page("Mill", [*mill[:4], mill[2], *mill[4:]])
    whole, revision = export(pages), re.compile(rb"    <revision>.*?</revision>\n", re.DOTALL)
    cut = revision.sub(lambda m: m[0] if b"<timestamp>2019-03" in m[0] else b"", whole)
    options = ("--lang", "en", "--reader", reader, "--pairing", "removal-edit,tagged-span")
    ended, _ = detect(tmp_path, cut, *options)
    of_that_day = rows(tmp_path / "o", TABLE)
    assert (ended.code, len(of_that_day), whole.count(b"<timestamp>2019-03")) == (0, 6, 4)
    _, entry = detect(tmp_path, whole, *options, "--before", "2019-04-01", "--restart")
    assert rows(tmp_path / "o", TABLE) == of_that_day
    assert entry["newest"] == "2019-04-01T00:00:00+00:00"
    other = wikibias("detect", *options, "-o", tmp_path / "o", tmp_path / "a.xml")
    other.refused("detect.before: 2019-04-01 -> unset")


def test_a_day_is_an_option_and_a_key_of_a_run_file(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('[run]\nlang = "en"\nbefore = "20190401"\n')
    detect(tmp_path, export(PAGES), "--config", tmp_path / "run.toml")
    assert manifest_of(tmp_path / "o")["settings"]["detect"]["before"] == "2019-04-01"
    ended = wikibias("detect", "--lang", "en", "--before", "2019-02-30", tmp_path / "a.xml")
    ended.refused("--before '2019-02-30': write a day such as 2022-11-30")


@pytest.mark.parametrize(
    ("lang", "tagset", "call", "tag"),
    [
        ("id", "peacock", "{{peacock|date=Mei 2020}}", "Peacock"),
        ("id", "promotional", "{{Templat:Advert}}", "Iklan"),
        ("tr", "promotional", "{{Çoklu sorun|{{Reklam-madde|tarih=Mayıs 2020}}}}", "Reklam-madde"),
        ("zh", "weasel", "{{weasel}}", "Weasel"),
        ("pl", "weasel", "Zdaniem badaczy{{czyim}} to młyn.", "Czyim"),
        ("en", "promotional", "{{Promotional|date=May 2026}}", "Advert"),
        ("en", "ai-generated", "{{LLM|section|date=May 2026}}", "AI-generated"),
    ],
)
def test_a_tag_of_a_set_is_found_in_the_wiki_of_its_language(
    lang: str, tagset: str, call: str, tag: str, tmp_path: Path
) -> None:
    page = Page("Mill", [Revision(call), Revision("A mill.")])
    _, entry = detect(tmp_path, export([page], lang=lang), "--tagset", tagset)
    (row,) = [row for row in rows(tmp_path / "o", TABLE) if row["kind"] == "removed"]
    assert (row["lang"], row["tags"], entry["error"]) == (lang, [tag], None)


@pytest.mark.parametrize(("lang", "found"), [("en", {"POV": "neutral"}), ("fr", {})])
def test_an_icon_of_votes_is_no_tag_on_other_wikis(lang: str, found: dict[str, str]) -> None:
    tagset, xml = load_tagset("npov", "en"), export([VOTE], lang=lang)
    dump = reader_of(load_language("en"), tagset)(io.BytesIO(xml))
    assert [dict(r.tags or {}) for page in dump.pages for r in page.revisions] == [found]
    here = Matcher(tagset.on(lang), Namespaces.of(dump.site.namespaces))
    assert here.tags(VOTE.revisions[0].text) == found
    assert tagset.on(None) is tagset.on("en-GB") is tagset


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("schema", ["0.10", "0.11"])
def test_a_text_unlike_its_checksum_makes_no_row(schema: str, reader: str, tmp_path: Path) -> None:
    content = export(PAGES, schema=schema)
    at = content.index(b"without any doubt", content.index(b"{{POV") + 900)
    content = content[:at] + b"W" + content[at + 1 :]
    ended, entry = detect(tmp_path, content, "--lang", "en", "--reader", reader)
    assert (ended.code, entry["state"]) == (1, "failed")
    assert entry["error"] == (
        "is damaged: 1 text does not match its checksum, that of revision 3 of page 'Mill'; "
        "fetch it again"
    )
    (named,) = entry["unreadable"]
    assert (named["page"], named["page_id"], named["revision"]) == ("Mill", 1, 3)
    used = [(row["before_rev_id"], row["after_rev_id"]) for row in rows(tmp_path / "o", TABLE)]
    assert used == [(None, 1), (1, 2), (None, 5), (5, 6)]


@pytest.mark.parametrize("reader", READERS)
def test_all_texts_are_compared_with_verify(reader: str, tmp_path: Path) -> None:
    content = export([Page("Mill", [Revision("a mill"), Revision("a hill"), Revision("{{POV}}")])])
    content = content.replace(b">a mill<", b">a bill<")
    options = ("--lang", "en", "--reader", reader)
    assert detect(tmp_path, content, *options)[1]["error"] is None
    _, entry = detect(tmp_path, content, *options, "--restart", "--verify")
    assert "that of revision 1 of page 'Mill'" in entry["error"]
    assert len(rows(tmp_path / "o", TABLE)) == 1


@pytest.mark.parametrize("reader", READERS)
def test_a_span_of_a_damaged_text_is_left_out(reader: str, tmp_path: Path) -> None:
    content = export(PAGES).replace(b"without any doubt", b"without any doubd", 1)
    options = ("--lang", "en", "--pairing", "tagged-span", "--reader", reader)
    _, entry = detect(tmp_path, content, *options)
    assert "1 text does not match" in entry["error"]
    pairings = [row["pairing"] for row in rows(tmp_path / "o", TABLE)]
    assert pairings.count("tagged-span") == 2


UNCHECKED = (
    "holds no checksums, neither of its texts nor as an archive: damage inside of texts goes unseen"
)


@pytest.mark.parametrize("reader", READERS)
def test_a_warning_where_nothing_has_a_checksum(reader: str, tmp_path: Path) -> None:
    options = ("--lang", "en", "--reader", reader, "--restart")
    assert detect(tmp_path, export(PAGES, schema="0.4"), *options)[1]["warnings"] == [UNCHECKED]
    assert detect(tmp_path, export(PAGES), *options)[1]["warnings"] == []
    packed = bz2.compress(export(PAGES, schema="0.4"))
    assert detect(tmp_path, packed, *options)[1]["warnings"] == []


@pytest.mark.parametrize("pack", [bz2.compress, gzip.compress, lzma.compress, zstandard.compress])
def test_several_streams_are_told_of(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    one, *pages = streams(pack)
    for packed in ([one, *pages], [one, *pages[1:]], [one, pages[0], *pages]):
        _, entry = detect(tmp_path, b"".join(packed), "--lang", "en", "--restart")
        assert entry["warnings"][0].startswith("is packed in several streams, not checked")
    assert "1 part: is packed in several streams" in wikibias("status", tmp_path / "o").out
    assert not detect(tmp_path, pack(export(PAGES)), "--lang", "en", "--restart")[1]["warnings"]


def streams(pack: Callable[[bytes], bytes] = bz2.compress) -> list[bytes]:
    """Return the head of an export and its pages, each packed as a stream of its own."""
    return [pack(piece) for piece in re.split(rb"(?=<page>)", export(PAGES))]


LISTS = {
    "SHA256SUMS": "{sha256}  {name}\n",
    "SHA1SUMS": "{sha1} *./{name}\n",
    "enwiki-20260101-md5sums.txt": "{md5}  {name}\n",
    "{name}.sha1": "{sha1}\n",
    "dumpstatus.json": '{{"jobs": {{"history": {{"files": {{"{name}": {{"sha1": "{sha1}"}}}}}}}}}}',
}


@pytest.mark.parametrize("listed", LISTS)
def test_a_checksum_beside_the_file_is_compared(listed: str, tmp_path: Path) -> None:
    path = tmp_path / "enwiki-20260101-pages-meta-history.xml.bz2"
    one, *pages = streams()
    path.write_bytes(b"".join([one, *pages]))
    digests = {kind: checksum(path, kind) for kind in ("sha256", "sha1", "md5")}
    stated = LISTS[listed].format(name=path.name, **digests)
    (tmp_path / listed.format(name=path.name)).write_text(stated)
    command = ("detect", "--lang", "en", "-o", tmp_path / "o", "--restart", path)
    wikibias(*command).silent()
    path.write_bytes(b"".join([one, *pages[1:]]))
    wikibias(*command).refused("is not the file that", "is another; fetch it again", code=1)


@pytest.mark.parametrize("stated", ["", "no list\n", "{}", '{"jobs": {"a": {"files": []}}}', "{"])
@pytest.mark.parametrize("listed", ["SHA256SUMS", "dumpstatus.json"])
def test_a_list_that_does_not_tell_of_the_file(listed: str, stated: str, tmp_path: Path) -> None:
    (tmp_path / listed).write_text(stated)
    _, entry = detect(tmp_path, b"".join(streams()), "--lang", "en")
    assert entry["warnings"][0].startswith("is packed in several streams, not checked")


@pytest.mark.parametrize("reader", READERS)
def test_a_dump_of_additions_and_changes_is_told(reader: str, tmp_path: Path) -> None:
    whole = export(PAGES)
    _, entry = detect(tmp_path, whole, "--lang", "en", "--reader", reader)
    assert (entry["first_page"], entry["last_page"], entry["warnings"]) == (1, 2, [])
    assert entry["newest"].startswith("2019-")
    # The first revision of each page is in an earlier dump.
    first = re.compile(rb"(<id>[12]</id>\n)    <revision>.*?</revision>\n", re.DOTALL)
    cut = first.sub(rb"\1", whole)
    ended, entry = detect(tmp_path, cut, "--lang", "en", "--reader", reader, "--restart")
    (warning,) = entry["warnings"]
    assert warning.startswith("2 of 2 pages begin in the middle of their history")
    assert "full history" in ended.err


def test_removals_and_spans_are_compared_in_order_and_a_span_is_no_removal(tmp_path: Path) -> None:
    out = result_of(tmp_path, PAGES, "detect", "--pairing", "removal-edit,tagged-span")
    wikibias("diff", out).well()
    (entry,) = manifest_of(out)["inputs"]
    counts = [entry["counts"][name] for name in ("removed", "added", "pages", "revisions")]
    assert counts == [3, 3, 2, 6]
    found = [(row["pairing"], row["after_rev_id"]) for row in rows(out, TABLE)]
    compared = rows(out, "diffs")
    removed = [each for each in found if each[0] != "addition-edit"]
    assert [(row["pairing"], row["after_rev_id"]) for row in compared] == removed
    assert [pairing for pairing, _ in removed].count("tagged-span") == 3
    assert all(row["removed"] and row["added"] and row["unchanged"] for row in compared)
