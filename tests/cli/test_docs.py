"""`wikibias docs`: every page can be read where no checkout is."""

from exports import wikibias
from paths import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))


def test_the_list_names_every_page_once() -> None:
    ended = wikibias("docs")
    assert ended.code == 0
    named = [line.split()[0] for line in ended.out.splitlines()[:-1]]
    assert sorted(named) == sorted(page.stem for page in PAGES)
    assert len(set(named)) == len(named)
    assert "Tutorial: from a dump to a question answered" in ended.out


def test_a_page_as_it_is() -> None:
    ended = wikibias("docs", "add-a-language")
    assert ended.code == 0
    assert ended.out == (ROOT / "docs/how-to/add-a-language.md").read_text("utf-8")


def test_an_unknown_page_names_the_nearest() -> None:
    ended = wikibias("docs", "tutoral")
    assert ended.code == 2
    assert "did you mean 'tutorial'?" in ended.errors[0]


def test_a_command_is_a_name_of_its_page() -> None:
    assert wikibias("docs", "pairs").out == wikibias("docs", "sentence-pairs").out
    assert wikibias("docs", "cross-evaluate").out == wikibias("docs", "classify").out
