"""Histories of single pages from a wiki's API: the export file says what a dump of them says."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from exports import Outcome, Page, Revision, dumped, files, history, rows, start, wikibias
from history_wiki import HistoryWiki
from made_edits import DUMPS, corpus
from paths import cases
from server import running
from wiki_server import Misbehaviour, lagging, telling
from wikibias.dumps.compression.streams import open_part
from wikibias.dumps.web.http import USER_AGENT, Web
from wikibias.dumps.xml import fast_reader, mwxml_reader

ODD = (
    Revision("a <b> & 'q' \"r\" \x85\n  ", "10.1.2.3", '<!-- & --> "x"'),
    Revision("", "Tam & <Co>", comment=""),
    Revision("gone", hidden=frozenset({"text", "user", "comment"})),
    Revision("lost", "2001:db8::1", lost=True),
    Revision("x", slots={"aux": "{}"}),
)
CATEGORY = ("--category", "Category:Eau")


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HistoryWiki]:
    """A wiki with a page of 120 revisions, one whose revisions are odd, and one of a user."""
    monkeypatch.setattr(Web, "pause", lambda self, seconds: None)
    pages = [history("Moulin", 60), Page("Été", ODD), Page("Moi", ODD, 2)]
    with running(HistoryWiki(dumped(tmp_path, pages, lang="fr"))) as wiki:
        wiki.categories["Eau"] = [1, 3, 2]
        yield wiki


def fetch(wiki: HistoryWiki, out: Path, titles: str, *options: object) -> Outcome:
    """Fetch some pages by their titles, or what the options say."""
    command = ("fetch", "--lang", "fr", "--api", wiki.api, "-o", out)
    return wikibias(*command, *(options or ("--pages", "-")), stdin=titles.encode())


def truly(wiki: HistoryWiki, then: Callable[[], object] = int) -> Misbehaviour:
    """Answer with the truth, and do something then."""

    def answer(handler: Any, ids: list[int]) -> None:
        handler.tell(wiki.told(wiki.queries[-1], ids))
        then()

    return answer


def told(path: Path, read: Callable[..., Any]) -> list[object]:
    """Return all that a reader says of a file."""
    names = "id timestamp text checksum comment editor editor_kind size parent_id".split()
    with open_part(str(path)) as (stream, _):
        dump = read(stream)
        return [dump.site] + [
            (page.id, page.title, page.namespace, *(getattr(each, name) for name in names))
            for page in dump.pages
            for each in page.revisions
        ]


def test_the_corpus_is_the_one_from_the_dump(tmp_path: Path) -> None:
    with running(HistoryWiki(DUMPS["fr"])) as wiki:
        titles = "\n".join(str(page["title"]) for page in reversed(wiki.pages.values()))
        fetch(wiki, tmp_path / "p", titles.replace(" ", "_")).silent()
    assert len(wiki.queries) <= 92 / 50 + 15 + 1
    assert wiki.most_open == 1
    assert {query["maxlag"] for query in wiki.queries} == {"5"}
    assert {headers["User-Agent"] for headers in wiki.headers} == {USER_AGENT}
    # The name of a part stands in its tables.
    (path,) = (tmp_path / "p").glob("frwiki-*-pages-selected-*.xml.bz2*")
    wikibias("extract", "-q", "-o", tmp_path / "o", path.rename(tmp_path / DUMPS["fr"].name)).well()
    mine, dumps = (files(f, "diffs", "edits", "corpus") for f in (tmp_path / "o", corpus("fr")))
    assert [name for name in dumps if mine[name] != dumps[name]] == []
    assert rows(tmp_path / "o", "transitions") == rows(corpus("fr"), "transitions")


def test_readers_see_what_they_see_in_the_dump(wiki: HistoryWiki, tmp_path: Path) -> None:
    wiki.longest = 20_000
    wiki.answers.append(lagging(5))
    ended = fetch(wiki, tmp_path / "p", "Utilisateur:Moi\n\nété\nMoulin\nMoulin\nÉté").well()
    assert "3 pages, 130 revisions: " in ended.out
    (path,) = (tmp_path / "p").glob("*.xml.bz2")
    for read in (fast_reader.read, mwxml_reader.read):
        assert told(path, read) == told(tmp_path / "a.xml", read)


def test_what_cannot_be_had_is_named(wiki: HistoryWiki, tmp_path: Path) -> None:
    wiki.answers.extend([truly(wiki), truly(wiki, lambda: wiki.pages[1].update(title="B"))])
    assert "1 page, 120 revisions" in fetch(wiki, tmp_path, "Moulin").well().out
    wiki.answers.extend([truly(wiki), truly(wiki, lambda: wiki.pages.pop(1))])
    ended = fetch(wiki, tmp_path, f"B\nA|Été\nNon\n{'x' * 999}\nÉté").well()
    left = "'B' (deleted meanwhile), 'A|Été' (no title), 'Non' (no such page), 'xxx"
    assert ended.err.startswith(f"Warning: left out 4 titles: {left}")
    assert "1 page, 5 revisions: " in ended.out


def test_a_killed_run_goes_on(wiki: HistoryWiki, tmp_path: Path) -> None:
    wiki.members = 1
    wiki.answers.extend([*[truly(wiki)] * 6, lambda handler, ids: process.kill()])
    process = start("fetch", "--lang", "fr", "--api", wiki.api, "-o", tmp_path / "p", *CATEGORY)
    process.communicate(timeout=30)
    wiki.queries.clear()
    assert "2 pages, 125 revisions" in fetch(wiki, tmp_path / "p", "", *CATEGORY).silent().out
    # The wiki, three lists, the last twenty revisions of a page, and another page.
    assert len(wiki.queries) == 6
    assert "Nothing to do" in fetch(wiki, tmp_path / "p", "", *CATEGORY).silent().out
    dry = fetch(wiki, tmp_path / "new", "Été", "--pages", "-", "--dry-run").silent()
    assert f"Asks {wiki.api} for 1 page" in dry.out
    assert len(wiki.queries) == 6
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("case", cases("page_histories"))
def test_what_is_wrong_is_one_line(case: dict[str, Any], wiki: HistoryWiki, tmp_path: Path) -> None:
    if "at" in case:
        page = {"pageid": 1, "ns": 0, "title": "Moulin", "revisions": case["revisions"]}
        lie = telling({"query": {"pages": [page]}})
        wiki.answers.extend([*[truly(wiki)] * case["at"], lie])
    ended = fetch(wiki, tmp_path, case.get("titles", "Moulin"), *case.get("options", []))
    ended.refused(case["said"], code=case.get("code", 2), alone=True)
    # What the wiki told before is kept, and a lie is not.
    assert "120 revisions" in fetch(wiki, tmp_path, "Moulin").well().out
