"""What holds of every page."""

import re
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"meta", "img", "br", "link", "input"}


class Structure(HTMLParser):
    """Collects tags with their attributes, headings, texts, and what is left open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[tuple[int, str]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append((int(tag[1]), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.text += data
        if self.open and self.headings and self.open[-1] == f"h{self.headings[-1][0]}":
            level, said = self.headings[-1]
            self.headings[-1] = (level, said + data)

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def plain(text: str) -> str:
    """Return what one reads on a page, the cells of tables apart."""
    text = re.sub(r"<(style|svg)\b.*?</\1>", " ", text, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


def check(text: str) -> Structure:
    """Check what holds of every page: closed tags, headings in order, nothing runs or is loaded."""
    found = Structure(text)
    assert not found.open
    levels = [level for level, _ in found.headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert not {"script", "iframe", "link", "object", "form", "img"} & {t for t, _ in found.tags}
    for _, attributes in found.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "src"]
    for link in found.of("a"):
        assert str(link["href"]).startswith(("#", "https://", "http://"))
    ids = [str(attributes["id"]) for _, attributes in found.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    anchors = {str(link["href"])[1:] for link in found.of("a") if str(link["href"])[0] == "#"}
    assert anchors <= set(ids)
    return found
