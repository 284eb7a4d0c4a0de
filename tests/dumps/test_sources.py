"""The same pages give the same transitions, however they are packed and written down."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from exports import (
    FORMS,
    SCHEMAS,
    Page,
    Revision,
    export,
    history,
    mended,
    packed,
    rows,
    tagged,
    wikibias,
)
from results import manifest_of

PAGES = [history("Village", 2, topic=1), history("Été & <Cie>", 2, topic=2)]
XML = export(PAGES)
Rows = list[dict[str, Any]]
# A name that tells nothing: the format is told from the first bytes.
NAME = "dump"
MIDDLE = len(XML) // 2
UTF_16 = '<?xml version="1.0" encoding="UTF-16"?>\n' + XML.decode()
# The same pages by the names of files, some of which tell another format.
WRITTEN = {
    **{form: packed(XML, form) for form in FORMS},
    **{
        f"{form} twice": packed(XML[:MIDDLE], form) + packed(XML[MIDDLE:], form)
        for form in ("gz", "xz", "zst")
    },
    "a.xml.bz2": XML,
    "a.xml.gz": packed(XML, "7z"),
    "a.xml": packed(XML, "gz"),
    "a.xml.7z": packed(XML, "zst"),
    "byte order mark": b"\xef\xbb\xbf" + XML,
    "utf-16": UTF_16.encode("utf-16"),
    "without checksums": export(PAGES, schema="0.10", sha1=False),
}


def transitions(folder: Path, content: bytes, *options: object, name: str = NAME) -> Rows:
    """Return the transitions in a dump, but for what names the file."""
    path = folder / name
    path.write_bytes(content)
    out = folder / "o"
    ended = wikibias("detect", "--lang", "en", *options, "-o", out, path)
    # Dumps of old schemas, not packed, hold no checksums, and streams none of the whole.
    told = ("holds no checksums", "several streams")
    said = [line for line in ended.err.splitlines() if not any(map(line.count, told))]
    assert (ended.code, said) == (0, [])
    return found(out)


def found(out: Path) -> Rows:
    """Return the transitions of a result, but for what names the file."""
    return [{**row, "part": None} for row in rows(out, "transitions")]


def events(rows_found: Rows) -> list[tuple[object, ...]]:
    """Return what came or went, and between which revisions."""
    names = ("kind", "before_rev_id", "after_rev_id")
    return [tuple(row[name] for name in names) for row in rows_found]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """Return the transitions of PAGES."""
    return transitions(tmp_path_factory.mktemp("plain"), XML, name="plain.xml")


def test_the_transitions_are_those_of_the_pages(expected: Rows) -> None:
    pairs = [(None, 1), (1, 2), (2, 3), (3, 4), (None, 5), (5, 6), (6, 7), (7, 8)]
    kinds = ["added", "removed"] * 4
    assert events(expected) == [(kind, *pair) for kind, pair in zip(kinds, pairs, strict=True)]
    titles = [row["page_title"] for row in expected]
    assert titles == ["Village"] * 4 + ["Été & <Cie>"] * 4
    texts = [revision.text for page in PAGES for revision in page.revisions]
    assert [row["after_text"] for row in expected] == texts


@pytest.mark.parametrize("how", WRITTEN)
def test_from_a_file(how: str, expected: Rows, tmp_path: Path) -> None:
    """The first bytes decide the format, not the name."""
    assert transitions(tmp_path, WRITTEN[how], name=how) == expected


@pytest.mark.parametrize("form", FORMS)
def test_from_standard_input(form: str, expected: Rows, tmp_path: Path) -> None:
    """Except 7z, which is read from its end; the message must say what to do."""
    ended = wikibias("detect", "--lang", "en", "-o", tmp_path, "-", stdin=packed(XML, form))
    if form == "7z":
        ended.refused("7z", "file", code=1)
        return
    assert ("several streams" in ended.well().err) == (form == "bz2-multi")
    assert found(tmp_path) == expected


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="no open files by name here")
def test_from_named_pipes(tmp_path: Path) -> None:
    """As `<(...)` of a shell gives them; no other process could open them."""
    ends = [os.pipe(), os.pipe()]
    for (_, into), form in zip(ends, ("bz2", "7z"), strict=True):
        os.write(into, packed(export([history("Mill", 1)]), form))
        os.close(into)
    given = [out for out, _ in ends]
    names = [f"/dev/fd/{out}" for out in given]
    command = ("detect", "--lang", "en", "--workers", 2, "-o", tmp_path, *names)
    ended = wikibias(*command)
    for out in given:
        os.close(out)
    assert ended.code == 1
    (line,) = ended.errors
    assert line.startswith(f"Error: {names[1]} is a 7z from a pipe, which cannot be streamed")
    assert "1 of 2 parts failed. Fix the cause" in ended.err
    assert len(found(tmp_path)) == 2


def test_all_formats_together(expected: Rows, tmp_path: Path) -> None:
    """With several workers too, though a process that they start has no standard input."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name, form in (("a.xml", "xml"), ("b.xml.7z", "7z"), ("c.xml.gz", "gz")):
        (folder / name).write_bytes(packed(XML, form))
    command = ("detect", "-q", "--lang", "en", "--workers", 2, "-o", tmp_path / "o", folder, "-")
    wikibias(*command, stdin=packed(XML, "bz2")).silent()
    inputs = manifest_of(tmp_path / "o")["inputs"]
    assert {each["part"] for each in inputs} == {"a.xml", "b.xml.7z", "c.xml.gz", "stdin"}
    # What stands in all of them counts once.
    assert found(tmp_path / "o") == expected
    rows_read = [
        each["counts"]["removed"] + each["counts"]["added"] + sum(each["superseded"].values())
        for each in inputs
    ]
    assert rows_read == [len(expected)] * 4


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_schema(schema: str, expected: Rows, tmp_path: Path) -> None:
    got = transitions(tmp_path, export(PAGES, schema=schema))
    # Old exports tell neither the name of the database, so the wiki's is taken, nor the parents
    # of revisions.
    untold = {"wiki": None} | ({"parent_rev_id": None} if schema in ("0.3", "0.4") else {})
    assert [row | untold for row in got] == [row | untold for row in expected]


@pytest.mark.parametrize("schema", ["0.4", "0.10"])
def test_without_ns_the_title_gives_the_namespace(schema: str, tmp_path: Path) -> None:
    pages = [history("Mill", 1, topic=1, namespace=1), history("Mill: a story", 1, topic=2)]
    got = transitions(tmp_path, export(pages, schema=schema, ns=False))
    assert {(row["namespace"], row["page_title"]) for row in got} == {(0, "Mill: a story")}


@pytest.mark.parametrize("schema", ["0.10", "0.11"])
def test_a_suppressed_text_is_unknown(schema: str, tmp_path: Path) -> None:
    hidden = frozenset({"text", "user", "comment"})
    revisions = [
        Revision(tagged(1, 1)),
        Revision(tagged(2, 1), hidden=hidden),
        Revision(mended(2, 1)),
        Revision(mended(2, 1), hidden=hidden),
        Revision(tagged(3, 1)),
        Revision(mended(3, 1), hidden=frozenset({"user", "comment"})),
    ]
    got = transitions(tmp_path, export([Page("Mill", revisions)], schema=schema))
    seen = [("added", None, 1), ("removed", 1, 3), ("added", 3, 5), ("removed", 5, 6)]
    assert events(got) == seen
    assert [row["editor_kind"] for row in got] == ["registered"] * 3 + ["hidden"]
    assert got[-1]["comment"] == ""


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_lost_text_is_unknown_a_blank_one_is_blank(schema: str, tmp_path: Path) -> None:
    revisions = [
        Revision(tagged(1, 1)),
        Revision(mended(1, 1), lost=True),
        Revision(tagged(2, 1)),
        Revision("", comment="Blanked the page"),
    ]
    got = transitions(tmp_path, export([Page("Mill", revisions)], schema=schema))
    assert events(got) == [("added", None, 1), ("removed", 3, 4)]
    assert got[-1]["after_text"] == ""


def test_only_the_main_slot_counts(tmp_path: Path) -> None:
    slots = {"mediainfo": '{"note": "{{POV}}"}'}
    revisions = [
        Revision(mended(1, 1), slots=slots),
        Revision(tagged(1, 1)),
        Revision(mended(2, 1), slots=slots),
    ]
    got = transitions(tmp_path, export([Page("Mill", revisions)]))
    assert events(got) == [("added", 1, 2), ("removed", 2, 3)]
    assert got[-1]["after_text"] == mended(2, 1)


@pytest.mark.parametrize(
    "before", [b"", XML[: XML.rindex(b"<revision>")]], ids=["junk", "half a dump"]
)
def test_a_pipe_without_end(before: bytes, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.xml"
    os.mkfifo(pipe)
    command = ["sh", "-c", f"(cat; yes) > '{pipe}'"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as writer:
        assert writer.stdin is not None
        writer.stdin.write(before)
        writer.stdin.close()
        try:
            ended = wikibias("detect", "--lang", "en", "-o", tmp_path / "o", pipe)
        finally:
            writer.kill()
    assert (ended.code, len(ended.errors)) == (1, 1)
