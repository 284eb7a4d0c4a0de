"""The fast reader against the reference reader: the same transitions, whatever the dump."""

import io
import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import Page, Revision, export, rows, wikibias
from matchers import TAGSETS
from wikibias.config.thresholds import Reverts
from wikibias.dumps.compression.streams import DAMAGE, open_part
from wikibias.dumps.iteration import Tally, iterate_pages
from wikibias.dumps.xml import fast_reader, mwxml_reader
from wikibias.dumps.xml.fast_reader import RevisionBuffer
from wikibias.errors import DumpError
from wikibias.mediawiki import Namespaces
from wikibias.records import LONGEST_TEXT, Site, Transition
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import TagScanner
from wikibias.transitions.detection import transitions
from wikibias.transitions.pending import Origin

# Bytes.
MOST_OF_A_DUMP = 400_000
POSITION = re.compile(r": line \d+, column \d+")


def read_by(
    name: str, stream: Any, lang: str = "en", namespaces: Collection[int] = range(16)
) -> tuple[list[Transition], Any]:
    """Return the transitions that one of the readers finds, and its counts or its error."""
    tagset, tally = TAGSETS[lang], Tally()
    found: list[Transition] = []

    def matcher(site: Site) -> Matcher:
        return Matcher(tagset, Namespaces.of(site.namespaces))

    try:
        if name == "fast":
            dump = fast_reader.read(
                stream, ("Blanked the page",), lambda s: TagScanner(tagset, matcher(s)), tally.skip
            )
        else:
            dump = mwxml_reader.read(stream, ("Blanked the page",), report=tally.skip)
    except DumpError as error:
        return found, POSITION.sub("", str(error))

    spaces = Namespaces.of(dump.site.namespaces)
    origin = Origin(dump.site, lang, "p", "v", spaces, with_editors=True)
    pages = iterate_pages(dump, tally, namespaces=namespaces, limit=None, on_progress=lambda: None)
    try:
        for transition in transitions(
            pages, origin, matcher(dump.site), per="tag", reverts=Reverts()
        ):
            found.append(transition)
    except DumpError as error:
        tally.error = str(error)
    tally.error = tally.error and POSITION.sub("", tally.error)
    return found, asdict(tally)


def check_same(content: bytes, lang: str = "en", **options: Collection[int]) -> list[Transition]:
    """Check that both readers agree on a dump, and return its transitions."""
    fast = read_by("fast", io.BufferedReader(io.BytesIO(content)), lang, **options)
    assert fast == read_by("mwxml", io.BytesIO(content), lang, **options)
    found: list[Transition] = fast[0]
    return found


TEXTS = st.one_of(
    st.sampled_from(
        [
            "",
            "A village.",
            "{{POV}} A village.",
            "{{npov|date=May}} A village <ref>x</ref> & 'more' \"said\".",
            "{{Multiple issues|POV=1|weasel=2}} text",
            "<nowiki>{{POV}}</nowiki> été",
            "{{PO<!-- x -->V}} text\n",
            "{{weasel}}{{POV}} A village.",
        ]
    ),
    st.text(alphabet="{}[]|POV<!->&\n é\u00a0𝄞\"'", max_size=30),
)
REVISIONS = st.builds(
    Revision,
    text=TEXTS,
    user=st.sampled_from(["Orla Fenwick", "192.0.2.7", "Été & <Cie>", "TestBot"]),
    comment=st.sampled_from(["", "copy-edit", "Blanked the page", 'a "quote" & <b>']),
    hidden=st.sampled_from([frozenset(), frozenset(), frozenset({"text"}), frozenset({"user"})]),
    lost=st.sampled_from([False, False, False, True]),
)
PAGES = st.lists(
    st.builds(
        Page,
        title=st.sampled_from(["Mill", "Été & <Cie>", "A_b"]),
        revisions=st.lists(REVISIONS, max_size=8),
        namespace=st.sampled_from([0, 0, 0, 1, 2]),
    ),
    max_size=4,
)


@given(PAGES, st.sampled_from(["0.3", "0.4", "0.10", "0.11"]), st.booleans(), st.booleans())
def test_generated_dumps(pages: list[Page], schema: str, sha1: bool, ns: bool) -> None:
    content = export(pages, schema=schema, sha1=sha1, ns=ns)
    check_same(content)
    check_same(content, namespaces=[0])


XML = export(
    [
        Page("Mill", [Revision(t) for t in ("{{POV}} a", "b", "{{POV}} c", "{{POV}} c d", "e")]),
        Page("Bridge", [Revision(t) for t in ("a", "{{weasel}} b", "c", "d")], namespace=1),
        Page("Ford", [Revision(t) for t in ("{{POV}} é", "", "{{POV}} é", "f & g")]),
    ]
)


@given(
    st.integers(0, len(XML) - 1),
    st.integers(0, 9),
    st.sampled_from([b"", b"<", b"&", b"\0", b"\xff", b"<!-- x -->", b"</page>", b"]]>", b"&#80;"]),
)
def test_damaged_dumps(at: int, length: int, junk: bytes) -> None:
    """The results are the same up to the damage; the fast reader may find more after it."""
    content = XML[:at] + junk + XML[at + length :]
    fast, told = read_by("fast", io.BufferedReader(io.BytesIO(content)))
    slow, reason = read_by("mwxml", io.BytesIO(content))
    if not (isinstance(reason, str) or reason["error"]):
        assert (fast, told) == (slow, reason)
    # A transition is not known to be reverted if the revert comes after the damage.
    assert [revisions_of(t) for t in fast[: len(slow)]] == [revisions_of(t) for t in slow]


def revisions_of(transition: Transition) -> tuple[object, ...]:
    made = transition.provenance
    texts = (transition.before_text, transition.after_text)
    return made.page_title, made.before_rev_id, made.after_rev_id, *texts


VALUES = ["", "0", "-1", "x", "9" * 30, "0999-03-01T12:00:00Z", "2019-02-30T12:00:00Z", "&x;", "é"]


@given(
    st.sampled_from(["title", "ns", "id", "parentid", "timestamp", "username", "comment", "sha1"]),
    st.integers(0, 12),
    st.sampled_from(VALUES),
    st.booleans(),
)
def test_impossible_values(name: str, number: int, value: str, all_pages: bool) -> None:
    """Both readers skip the same, and find the same in the rest."""
    element = re.compile(rf"<{name}>[^<]*</{name}>".encode())
    found = list(element.finditer(XML))
    at = found[number % len(found)].span()
    content = XML[: at[0]] + f"<{name}>{value}</{name}>".encode() + XML[at[1] :]
    check_same(content, namespaces=range(16) if all_pages else [0])


@pytest.mark.parametrize("end", [*range(0, len(XML), 197), len(XML) - 1])
def test_truncated_dumps(end: int) -> None:
    fast = read_by("fast", io.BufferedReader(io.BytesIO(XML[:end])))
    assert fast == read_by("mwxml", io.BytesIO(XML[:end]))


def replaced(old: str, new: str) -> bytes:
    """Return the dump with something else in it, without the checksums that do not match then."""
    bare = re.sub(rb' sha1="\w+"|<sha1>\w+</sha1>', b"", XML)
    return bare.replace(old.encode(), new.encode())


ODD = {
    "cdata": re.sub(rb">(\{\{POV[^<]*)</text>", rb"><![CDATA[\1]]></text>", XML),
    "attributes of a page": XML.replace(b"<page>", b'<page a="">', 1),
    "attributes of revisions": XML.replace(b"<revision>", b'<revision a="">', 1),
    "empty revisions": XML.replace(b"<revision>", b"<revision/><revision>"),
    "a head behind a revision": XML.replace(b"</revision>", b"</revision><ns>0</ns>", 1),
    "cdata with an end in it": replaced(">b</text>", "><![CDATA[</revision>]]></text>"),
    "comments": replaced("</revision>", "</revision><!-- <revision> -->"),
    "character references": replaced("{{POV", "&#123;&#x7b;PO&#86;"),
    "apostrophes": replaced("{{POV}} c", "&apos;{{POV}}&#039; c"),
    "carriage returns": XML.replace(b"\n", b"\r\n"),
    "no white space": re.sub(rb">\s+<", b"><", XML),
    "attributes in another order": re.sub(
        rb'<text bytes="(\d+)" sha1="(\w+)" xml:space="preserve">',
        rb"<text xml:space='preserve' sha1='\2' bytes='\1'>",
        XML,
    ),
    "single tags closed otherwise": re.sub(rb"<(\w+)([^<>]*) />", rb"<\1\2></\1>", XML),
    "raw greater-than signs": XML.replace(b"&gt;", b">"),
    "a declaration": b'<?xml version="1.0" encoding="utf-8"?>\n' + XML,
    "latin-1": b'<?xml version="1.0" encoding="iso-8859-1"?>' + XML.decode().encode("latin-1"),
    "a page without revisions": replaced(
        "  <page>", "  <page><title>No</title><id>9</id></page><page>"
    ),
    "restrictions": replaced(
        "</id>\n    <revision>", "</id><restrictions>x</restrictions><revision>"
    ),
    "upload": replaced("</ns>", "</ns><upload></upload>"),
    "a slot": replaced(
        "</text>",
        "</text><content><role>x</role><origin>1</origin><model>json</model>"
        '<format>y</format><text bytes="1" sha1="x">{{POV}}</text></content>',
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_dumps(name: str) -> None:
    found = check_same(ODD[name])
    ends = ("upload", "a page without revisions", "empty revisions", "a head behind a revision")
    assert name in ends or len(found) > 5


def test_a_revision_longer_than_many_chunks() -> None:
    long = "{{POV}}" + ("a word " * 50 + "{{x}} ") * 3_000
    pages = [Page("Mill", [Revision("a"), Revision(long), Revision(long[8:]), Revision(long)])]
    found = check_same(export(pages, schema="0.4"))
    assert [t.provenance.kind for t in found] == ["added", "removed", "added"]
    assert found[1].provenance.reverted is False
    assert found[0].after_text == long


@pytest.mark.parametrize("more", [0, 1])
def test_a_text_up_to_the_longest_length_is_read(more: int) -> None:
    start = "{{POV}} é<b>&amp;\"'</b>𝄞 "
    long = start + "é&" * 100_000
    long += "𝄞" * (LONGEST_TEXT - len(long) + more)  # four bytes each
    pages = [Page("Mill", [Revision("a"), Revision(long), Revision("b"), Revision("{{POV}}")])]
    found = check_same(export(pages))
    kinds = [t.provenance.kind for t in found]
    assert kinds == (["added"] if more else ["added", "removed", "added"])


def test_a_text_that_is_too_long_is_counted(tmp_path: Path) -> None:
    texts = ["{{POV}} a", "x" * (LONGEST_TEXT + 1), "a"]
    (tmp_path / "d.xml").write_bytes(export([Page("Mill", [Revision(t) for t in texts])]))
    for name in ("fast", "mwxml"):
        out = wikibias("detect", "--lang", "en", "--reader", name, "-o", tmp_path / name, tmp_path)
        assert "Warning: d.xml: passed over the text of 1 revision of more than 5,000," in out.err
        (removed,) = [r for r in rows(tmp_path / name, "transitions") if r["kind"] == "removed"]
        assert (removed["before_text"], removed["after_text"]) == ("{{POV}} a", "a")


def test_every_shared_dump(shared: Path) -> None:
    """The beginning of each; except one, of which a smaller dump has 600 revisions."""
    for path in sorted(shared.rglob("*.xml*")):
        if "full-history" in path.name:
            continue
        lang = next((lang for lang in ("fr", "bg") if path.parent.name == lang), "en")
        with suppress(DumpError, *DAMAGE), open_part(str(path)) as (stream, _):
            content = stream.read(MOST_OF_A_DUMP)
            fast = read_by("fast", io.BufferedReader(io.BytesIO(content)), lang)
            assert fast == read_by("mwxml", io.BytesIO(content), lang), path.name


HEAD, END = b"<mediawiki>\n", b"</page></mediawiki>"
REVISION = b"<revision>%b</revision>"


class Slow(io.BytesIO):
    """A stream that returns a few bytes at a time, then raises an error, if there is one."""

    def __init__(self, content: bytes, size: int, error: Exception | None = None) -> None:
        super().__init__(content)
        self._size = size
        self._error = error

    def read1(self, size: int | None = -1, /) -> bytes:
        found = super().read(self._size if size is None or size < 0 else min(size, self._size))
        if not found and self._error is not None:
            raise self._error
        return found


@given(st.lists(st.integers(0, 400_000), max_size=6), st.sampled_from([999, 70_001, 600_000]))
def test_chunks_end_with_a_revision_and_together_are_the_part(
    lengths: list[int], size: int
) -> None:
    body = b"<page>" + b"".join(REVISION % (b"x" * length) for length in lengths)
    buffer = RevisionBuffer(Slow(HEAD + body + END, size))
    assert buffer.head() == HEAD
    found = b""
    while buffer.more():
        read = buffer.chunk[buffer.at : buffer.end]
        assert read.endswith(b"</revision>")
        found += read
        buffer.at = buffer.end
    assert found + buffer.rest(b"").read() == body + END


def test_damage_of_the_archive_is_raised_after_everything_before_it() -> None:
    content = HEAD + b"<page>" + REVISION % b"a"
    buffer = RevisionBuffer(Slow(content, 10, EOFError("damaged")))
    buffer.head()
    assert buffer.more()
    buffer.at = buffer.end
    assert not buffer.more()
    assert buffer.error is not None
    with pytest.raises(EOFError, match="damaged"):
        buffer.rest().read()
