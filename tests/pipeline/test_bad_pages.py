"""One bad page is one bad page: three parts, of which the middle one is hostile."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clusters import forking_workers
from exports import Files, Outcome, Page, Revision, export, files, history, tagged, wikibias
from outside import install
from results import manifest_of

# A segmenter that a sentence kills, and one that a sentence makes fail.
SEGMENTER = """
import os, signal
from wikibias.text.rule_splitter import RuleSplitter

class Splitter(RuleSplitter):
    def __call__(self, paragraph):
        if "KILLS" in paragraph:
            os.kill(os.getpid(), signal.SIGKILL)
        if "CRASHES" in paragraph:
            os.abort()
        if "RAISES" in paragraph:
            raise KeyError("no such sentence")
        return super().__call__(paragraph)
"""
LANGUAGE = 'name = "English"\nspacy = "en"\nsegmenter = "outside"\n'
MANY = ("--workers", 2)
DASK = ("--engine", "dask", "--workers", 1)


def page(text: str) -> Page:
    """Return a page that holds a text in the revision that removes its tag."""
    mended = tagged(901, 90).partition("}}")[2]
    return Page("Hostile", [Revision(tagged(900, 90)), Revision(f"{mended}\n\n{text}\n")])


def write_parts(folder: Path, *bad: Page, good: int = 2) -> Path:
    """Write parts with good pages; bad ones stand between those of the middle part."""
    folder.mkdir()
    for number in range(good + 1):
        pages = [history(f"Village {number}", 2, topic=number)]
        if number == 1 or not good:
            pages += [*bad, history("Town", 2, topic=7)]
        (folder / f"{number}.xml").write_bytes(export(pages, first_id=1 + 1000 * number))
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A working folder in which this process and its workers find the segmenter."""
    folder = tmp_path_factory.mktemp("bad")
    with pytest.MonkeyPatch.context() as patch, forking_workers():
        entry = "[wikibias.segmenters]\noutside = outside:Splitter\n"
        patch.setenv("PYTHONPATH", str(install(folder, patch, SEGMENTER, entry)))
        patch.chdir(folder)
        (folder / "configs").mkdir()
        (folder / "configs/en.toml").write_text(LANGUAGE)
        yield folder


def extract(out: Path, dumps: Path, *options: object) -> tuple[Outcome, dict[str, Any]]:
    """Extract; return what was said, and the manifest."""
    ended = wikibias("extract", "--lang", "en", "-q", "-o", out, *options, dumps)
    return ended, manifest_of(out)


def named(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    """Return part and title of all that could not be worked out."""
    return [(e["part"], each["page"]) for e in manifest["inputs"] for each in e["unreadable"]]


def corpus(out: Path) -> Files:
    """Return the corpus of a result, without the card, which tells of the input."""
    return {n: content for n, content in files(out, "corpus").items() if "README" not in n}


@pytest.fixture(scope="module")
def without(place: Path) -> Files:
    """The corpus of the same parts, with a page of no tags in place of the hostile one."""
    harmless = Page("Harmless", [Revision("Nothing."), Revision("Nothing at all.")])
    dumps = write_parts(place / "good", harmless)
    ended, _ = extract(place / "sound", dumps)
    assert (ended.code, ended.err) == (0, "")
    return corpus(place / "sound")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("It RAISES an error.", ()),
        ("It KILLS its process.", MANY),
        ("It CRASHES its process.", DASK),
        ("=a" * 90_000, ()),
    ],
    ids=["raises-1", "killed-2", "crashes-dask", "nested-1"],
)
def test_a_bad_page_costs_itself_only(
    text: str, options: tuple[object, ...], without: Files, tmp_path: Path
) -> None:
    dumps, out = write_parts(tmp_path / "in", page(text)), tmp_path / "o"
    ended, manifest = extract(out, dumps, *options)
    assert ended.code == 1
    first, second = ended.err.splitlines()
    assert "1 page or revision could not be worked out" in first
    assert "1.xml: Hostile (page 1002, revision 1006): " in second
    assert named(manifest) == [("1.xml", "Hostile")]
    assert [entry["state"] for entry in manifest["inputs"]] == ["whole"] * 3
    assert manifest["counts"]["unreadable"] == manifest["verdicts"]["unreadable"] == 1
    assert corpus(out) == without
    assert list(out.glob(".*.trace")) == []


@pytest.mark.usefixtures("place")
def test_it_is_said_again_and_comes_out_the_same(tmp_path: Path) -> None:
    dumps, out = write_parts(tmp_path / "in", page("It RAISES an error.")), tmp_path / "o"
    first, manifest = extract(out, dumps)
    before = files(out)
    for options in ([], ["--restart"]):
        ended, again = extract(out, dumps, *options)
        assert (ended.code, ended.err) == (1, first.err)
        assert files(out) == before
        assert again["inputs"] == manifest["inputs"]
    shown = wikibias("status", out)
    assert shown.code == 1
    assert "1.xml: Hostile (page 1002, revision 1006): KeyError" in shown.out
    # A later stage of its own names it once.
    assert wikibias("diff", "--restart", "--scope", "page", out).code == 1
    assert named(manifest_of(out)) == [("1.xml", "Hostile")]


@pytest.mark.usefixtures("place")
def test_processes_that_share_one_part(tmp_path: Path) -> None:
    dumps = write_parts(tmp_path / "in", page("It CRASHES its process."), good=0)
    ended, manifest = extract(tmp_path / "o", dumps, "--workers", 2)
    assert (ended.code, named(manifest)) == (1, [("0.xml", "Hostile")])
    assert manifest["verdicts"] == {**manifest["verdicts"], "unreadable": 1, "kept": 4}
