"""A result of a sample that has lost its texts, and the wiki on loopback that has them."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exports import Outcome, rows, wikibias
from sample_corpora import DUMPS, corpus
from wiki_server import Wiki, revisions_of, wiki_of
from wikibias.dumps.web.http import Web
from wikibias.kits import parquet
from wikibias.kits.schemas import TRANSITIONS_TABLE
from wikibias.mediawiki.revisions import base36_sha1

LANG = "fr"


@pytest.fixture
def result(tmp_path: Path) -> Path:
    """A result of the French sample whose transitions have lost their texts."""
    out = tmp_path / "r"
    shutil.copytree(corpus(LANG), out)
    for path in (out / "transitions").iterdir():
        without_texts(path)
    return out


@pytest.fixture(scope="module")
def wiki() -> Iterator[Wiki]:
    """The wiki that the sample is a dump of."""
    with wiki_of(revisions_of([DUMPS[LANG]])) as running:
        yield running


@pytest.fixture(autouse=True)
def as_new(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let nothing be really waited, and the wiki be as it was at first."""
    monkeypatch.setattr(Web, "pause", lambda self, seconds: None)
    known = dict(wiki.known)
    for listed in (wiki.asked, wiki.queries, wiki.headers, wiki.answers):
        listed.clear()
    yield
    wiki.known, wiki.hidden, wiki.untold, wiki.most_open = known, set(), set(), 0


def without_texts(path: Path) -> None:
    """Take the texts out of a table, as if it were of a stub dump."""
    meta = parquet.read_meta(path) or {}
    with parquet.writing(path, TRANSITIONS_TABLE, lambda: meta) as writer:
        for row in parquet.read_records(path, TRANSITIONS_TABLE):
            before = row.before_text or ""
            is_first = row.provenance.before_rev_id is None
            writer.write(
                replace(
                    row,
                    before_text="" if is_first else None,
                    after_text=None,
                    before_sha1=None if is_first else base36_sha1(before),
                    after_sha1=base36_sha1(row.after_text or ""),
                )
            )


def fill(result: Path, wiki: Wiki, *options: object) -> Outcome:
    """Run `wikibias fetch --revisions`."""
    return wikibias("fetch", "--revisions", result, "--api", wiki.api, *options)


def ids(result: Path) -> list[int]:
    """Return the revisions of all rows, each once."""
    found = rows(result, "transitions")
    both = [row[side] for row in found for side in ("before_rev_id", "after_rev_id")]
    return sorted({number for number in both if number is not None})
