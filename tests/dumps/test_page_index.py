"""The index of a bz2 file: a second reading finds what the first would, from fewer blocks."""

import bz2
import random
import shutil
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import Page, Revision, export, files, history, wikibias
from matchers import FRAGMENTS, MATCHERS, PATTERNS, in_xml
from wikibias.dumps import page_index
from wikibias.dumps.compression.bzip2_blocks import PAGE, TemplateNames, is_there
from wikibias.dumps.page_index import index_file

pytestmark = pytest.mark.skipif(not is_there(), reason="needs a C compiler")


def names_in(pieces: list[bytes]) -> tuple[list[bytes | None], list[int]]:
    """Return the names that are found, None for what may be any, and where pages begin."""
    names = TemplateNames()
    found = [each for piece in pieces for each in names.feed(piece)]
    found += names.feed(b"", last=True)
    known = [None, *names.all()]
    places = [place for name, place in found if name == PAGE]
    return [known[name] for name, _ in found if name != PAGE], places


@given(
    st.sampled_from(sorted(MATCHERS)), st.lists(st.sampled_from(FRAGMENTS), max_size=8), st.data()
)
def test_each_tag_has_a_name_that_the_pattern_matches(
    lang: str, fragments: list[str], data: st.DataObject
) -> None:
    text = "".join(fragments)
    xml = in_xml(text)
    cut = data.draw(st.integers(0, len(xml)))
    found, _ = names_in([xml[:cut], xml[cut:]])
    if MATCHERS[lang].tags(text):
        pattern = PATTERNS[lang]
        assert any(name is None or pattern.match(b"{{%b|" % name) for name in found)


@pytest.mark.parametrize(
    ("xml", "names"),
    [
        (b"{{ POV }} {{POV|x}} {{:pov\n}}", [b"POV", b"pov"]),
        (b"{{{1}}} {{{{x}}|y}} {{}}", [b"1", b"x"]),
        (b"{&lt;!-- --&gt;{POV}}", [None]),
        (b"{{%b}}" % (b"a" * 600), [None]),
        (b"{{Multiple issues|{{POV}}\n", [b"Multiple issues", b"POV"]),
    ],
)
def test_names_are_what_follows_braces(xml: bytes, names: list[bytes | None]) -> None:
    assert names_in([xml])[0] == names


@given(st.lists(st.sampled_from([b"<page>", b"{{A}}", b"{{B|", b"<", b"x" * 2100, b"{x"])))
def test_a_name_is_given_once_for_each_page(pieces: list[bytes]) -> None:
    xml = b"".join(pieces)
    found, places = names_in(pieces)
    assert places == [at for at in range(len(xml)) if xml.startswith(b"<page>", at)]
    expected = [
        sorted({n for n in (b"A", b"B") if b"{{" + n in each}) for each in xml.split(b"<page>")
    ]
    assert sorted(filter(None, found)) == sorted(name for each in expected for name in each)


def noise(seed: int) -> str:
    """Return a text that bz2 makes little of."""
    return b64encode(random.Random(seed).randbytes(30_000)).decode()


PAGES = [
    history("Mill", 4),
    *(Page(f"Noise {n}", [Revision(noise(n)), Revision("{{stub}}" + noise(n))]) for n in range(4)),
    Page(
        "Bridge", [Revision("{{Peacock}} " + "A fine bridge. " * 20), Revision("A bridge. " * 20)]
    ),
]


@cache
def whole() -> bytes:
    """Return the dump of the pages, in blocks of 100 kB."""
    return bz2.compress(export(PAGES), 1)


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """Let a small file be worth an index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_index, "_WORTH_IT", 100_000)
        yield


def dump(tmp_path: Path, more: bytes = b"") -> Path:
    path = tmp_path / "enwiki-20260101-pages-meta-history.xml.bz2"
    path.write_bytes(whole() + more)
    return path


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the dump, its index, and what a first reading found."""
    folder = tmp_path_factory.mktemp("read")
    detect(dump(folder), "first")
    return folder


@pytest.fixture
def known(read: Path, tmp_path: Path) -> Path:
    """A copy of that dump, with its index and the result."""
    shutil.copytree(read, tmp_path, dirs_exist_ok=True)
    return next(tmp_path.glob("*.xml.bz2"))


def detect(path: Path, out: str, *more: str) -> tuple[dict[str, bytes], str]:
    folder = path.parent / out
    ended = wikibias("-v", "detect", "--lang", "en", "--workers", "1", "-o", folder, path, *more)
    assert ended.code == 0, ended.err
    return files(folder, "transitions"), ended.err


@pytest.mark.parametrize(
    ("pages", "more"), [(2, ()), (1, ("--tagset", "peacock")), (2, ("--pairing", "tagged-span"))]
)
def test_a_second_reading_finds_the_same_in_fewer_pages(
    pages: int, more: tuple[str, ...], known: Path
) -> None:
    index = index_file(known)
    assert pq.read_metadata(index).num_rows == len(PAGES)
    again, said = detect(known, "again", *more)
    assert f"{pages} of 6 pages are read" in said
    index.unlink()
    first, said = detect(known, "without", *more)
    assert "pages are read" not in said
    assert again == first


@pytest.mark.parametrize("more", [("--signal", "summary"), ("--verify",), ("--limit", "2")])
def test_who_needs_all_pages_reads_all(more: tuple[str, ...], known: Path) -> None:
    assert "pages are read" not in detect(known, "second", *more)[1]


def test_a_file_that_has_changed_is_read_anew(known: Path) -> None:
    dump(known.parent, more=bz2.compress(b"\n"))
    assert "pages are read" not in detect(known, "second")[1]
    assert "2 of 6 pages are read" in detect(known, "third")[1]


@pytest.mark.parametrize("damage", ["cut", "other", "empty"])
def test_a_broken_index_is_not_believed(damage: str, known: Path) -> None:
    index = index_file(known)
    content = index.read_bytes()
    index.write_bytes({"cut": content[:-300], "other": b"PAR1 PAR1", "empty": b""}[damage])
    second, said = detect(known, "second")
    assert second == files(known.parent / "first", "transitions")
    assert "pages are read" not in said
    assert index.read_bytes() == content


def test_where_no_index_can_be_written_nothing_else_is_missing(tmp_path: Path) -> None:
    path = dump(tmp_path)
    index_file(path).mkdir()
    assert "no index is kept" in detect(path, "first")[1]


@pytest.mark.parametrize("odd", ["&#123;{stub}}", "{<!-- -->{stub}}"])
def test_a_text_with_references_has_no_index(odd: str, tmp_path: Path) -> None:
    """A brace may be written as a reference, which is not looked for."""
    path = dump(tmp_path)
    xml = export(PAGES).replace(b"{{stub}}", odd.encode())
    path.write_bytes(bz2.compress(xml, 1))
    detect(path, "first")
    assert not index_file(path).exists()


def test_a_small_file_has_no_index(tmp_path: Path) -> None:
    path = dump(tmp_path)
    path.write_bytes(bz2.compress(export(PAGES[:1])))
    detect(path, "first")
    assert not index_file(path).exists()
