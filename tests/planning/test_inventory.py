"""The parts of a dump, from a status file and from a server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from server import Server, serving
from status_files import status_file
from wikibias.dumps.web.catalogue import Wanted
from wikibias.dumps.web.dump_status import parse_status
from wikibias.dumps.web.http import Web
from wikibias.errors import UsageError
from wikibias.planning.inventory import of_server, of_status


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        running.files["/bgwiki/20260101/dumpstatus.json"] = status_file(stubs=9).encode()
        running.files["/bgwiki/20260201/dumpstatus.json"] = status_file(
            date="20260201", state="waiting"
        ).encode()
        names = ["p5r1r99", "p5r100r180", "p6p900"]
        running.add_content(
            "bgwiki", "2026-03-01", {f"bgwiki-2026-03-01-{n}.xml.bz2": b"x" * 10 for n in names}
        )
        yield running


def test_each_form_that_is_complete_counts() -> None:
    found = of_status(parse_status(status_file(sizes={"7z": [3, 5], "bz2": [9]}), "x"), "x")
    assert found.parts == {"7z": [3, 5], "bz2": [9]}
    assert of_status(parse_status(status_file(sizes={"bz2": [9]}), "x"), "x").parts == {"bz2": [9]}


def test_a_file_of_a_job_that_is_no_part_of_the_dump_does_not_count() -> None:
    status = parse_status(status_file(sizes={"7z": [3, 5]}), "x")
    job = dict(status.files["metahistory7zdump"]) | {"bgwiki-20260101-md5sums.txt": 7}
    listed = replace(status, files={"metahistory7zdump": job})
    assert of_status(listed, "x").parts == {"7z": [3, 5]}


def test_a_dump_that_is_not_complete_is_refused_with_how_far_it_is() -> None:
    status = parse_status(status_file(state="in-progress"), "x")
    with pytest.raises(UsageError, match=r"not complete \(7z: in-progress, bz2: in-progress\)"):
        of_status(status, "x")
    status = parse_status(status_file(sizes={}, stubs=5), "x")
    with pytest.raises(UsageError, match="7z: not listed"):
        of_status(status, "x")


def test_an_empty_wiki_is_refused() -> None:
    with pytest.raises(UsageError, match="is empty"):
        of_status(parse_status(status_file(sizes={"7z": [0]}), "x"), "x")


def test_a_form_without_sizes_does_not_count() -> None:
    found = of_status(parse_status(status_file(sizes={"7z": [0], "bz2": [9]}), "x"), "x")
    assert found.parts == {"bz2": [9]}


def test_the_newest_complete_dump_of_a_server(server: Server) -> None:
    found = of_server(Wanted("bg", base_url=server.url), Web())
    assert (found.wiki, found.date, found.stub_bytes) == ("bgwiki", "20260101", 9)
    assert found.source == f"{server.url}/bgwiki/20260101/dumpstatus.json"


def test_a_page_that_is_split_over_files_is_one_part(server: Server) -> None:
    found = of_server(Wanted("bg", "content", base_url=server.url), Web())
    assert {form: sorted(sizes) for form, sizes in found.parts.items()} == {"bz2": [10, 20]}


def test_a_dump_that_is_not_there_is_refused(server: Server) -> None:
    with pytest.raises(UsageError, match="no complete history dump"):
        of_server(Wanted("bg", date="20250101", base_url=server.url), Web())
