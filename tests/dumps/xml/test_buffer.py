"""The reader's buffer: chunks with whole revisions, and nothing lost."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.dumps.xml.fast_reader import RevisionBuffer

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


def test_the_head_ends_before_the_first_page() -> None:
    assert RevisionBuffer(io.BytesIO(HEAD + b"<page>x")).head() == HEAD
    assert RevisionBuffer(io.BytesIO(HEAD)).head() is None


@given(st.lists(st.integers(0, 400_000), max_size=6), st.sampled_from([999, 70_001, 600_000]))
def test_every_chunk_ends_with_a_revision_and_all_together_are_the_part(
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


def test_the_rest_starts_with_the_bytes_that_reopen_the_page() -> None:
    buffer = RevisionBuffer(io.BytesIO(HEAD + b"<page>" + REVISION % b"a" + END))
    buffer.head()
    assert buffer.more()
    buffer.at = buffer.end
    assert buffer.rest(b"<page>").read() == b"<page>" + END


def test_damage_of_the_archive_is_raised_after_everything_before_it() -> None:
    content = HEAD + b"<page>" + REVISION % b"a"
    buffer = RevisionBuffer(Slow(content, 10, EOFError("damaged")))
    buffer.head()
    assert buffer.more()
    buffer.at = buffer.end
    assert not buffer.more()
    assert buffer.is_damaged
    with pytest.raises(EOFError, match="damaged"):
        buffer.rest().read()


@pytest.mark.parametrize(("text", "odd"), [(b"a &amp; b", False), (b"a &#80; b", True)])
def test_only_references_that_mediawiki_does_not_write_are_odd(text: bytes, odd: bool) -> None:
    buffer = RevisionBuffer(io.BytesIO(HEAD + b"<page>" + REVISION % text + END))
    buffer.head()
    buffer.more()
    assert buffer.is_odd(buffer.end) is odd
