"""Status files: what they list, and what is none."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_files import status_file
from wikibias.dumps.web.dump_status import parse_status
from wikibias.errors import UsageError


def test_the_jobs_and_the_sizes_of_their_files() -> None:
    found = parse_status(status_file(sizes={"7z": [3, 5], "bz2": [20]}, stubs=7), "x")
    assert (found.wiki, found.date) == ("bgwiki", "20260101")
    assert list(found.done("metahistory7zdump").values()) == [3, 5]
    assert list(found.done("metahistorybz2dump").values()) == [20]
    assert found.stub_bytes() == 7


def test_a_job_that_still_runs_has_no_files_that_count() -> None:
    found = parse_status(status_file(state="in-progress", stubs=7), "x")
    assert found.states["metahistory7zdump"] == "in-progress"
    assert found.done("metahistory7zdump") == {}
    assert found.done("no such job") == {}


def test_a_file_that_is_being_written_may_have_no_size() -> None:
    table = json.loads(status_file(state="in-progress"))
    for facts in table["jobs"]["metahistory7zdump"]["files"].values():
        del facts["size"]
    assert parse_status(json.dumps(table), "x").wiki == "bgwiki"


def test_without_stubs_nothing_is_known_of_them() -> None:
    assert parse_status(status_file(), "x").stub_bytes() is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON, or cut off"),
        (status_file()[:200], "download dumpstatus.json again"),
        ("<!DOCTYPE html><html>Not found</html>", "a web page"),
        ("[]", "no jobs with their status"),
        ('{"jobs": []}', "no jobs with their status"),
        ('{"jobs": {"a": {"status": "done", "files": {"x": 5}}}}', "no status file"),
        ('{"jobs": {"a": {"status": "done", "files": {"x": {"size": -1}}}}}', "no number of bytes"),
        ('{"jobs": {"a": {"status": "done", "files": {"x": {"size": true}}}}}', "no status file"),
        ('{"jobs": {}}', "of an earlier date"),
        ('{"jobs": {"a": {"status": "waiting"}}}', "of an earlier date"),
        ("[" * 100_000, "s.json"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_none_is_told_in_a_line_that_names_it(text: str, said: str) -> None:
    with pytest.raises(UsageError) as told:
        parse_status(text, "s.json")
    assert said in str(told.value)
    assert str(told.value).startswith("s.json ")
    assert "\n" not in str(told.value)


def test_files_of_two_dumps_are_no_status_file() -> None:
    first, second = (json.loads(status_file(wiki)) for wiki in ("bgwiki", "dewiki"))
    first["jobs"]["other"] = second["jobs"]["metahistory7zdump"]
    with pytest.raises(UsageError, match="several dumps"):
        parse_status(json.dumps(first), "x")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["jobs", "files", "size", "status", "a"]), inner)
        ),
    )
)
def test_any_json_is_read_or_refused(table: object) -> None:
    with suppress(UsageError):
        assert parse_status(json.dumps(table), "x").wiki
