"""Makes up the wikitext of the synthetic dump that is like real ones: templates, links, tables.

A piece is a sentence, a heading, a template or a footer; a page has some dozens of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from synthetic_wikitext import Fragment
from synthetic_words import LANGUAGES, Words

# What a call in running text can be, and how often.
_INLINE = (
    (700, "{{{{ill|{0}|{3}|{1}|qid=Q{2}|lt={0}}}}}"),
    (160, "{{{{ill|{0}|{3}|{1}|12=simple|13=User:{0}|qq=|comment={4}}}}}"),
    (4, "{{{{仮リンク|{1}|{3}|{1}|label={0}}}}}"),
    (80, "{{{{lang|{3}|{1}}}}}"),
    (50, "{{{{nihongo|{0}|{1}||{4}}}}}"),
    (50, "{{{{efn|{4} {0} {{{{lang|{3}|{1}}}}}}}}}"),
    (40, "{{{{convert|{2}|km|mi|abbr=on}}}}"),
    (30, "{{{{Citation needed|date={5} 20{6}}}}}"),
    (4, "{{{{要出典|date=20{6}年{6}月}}}}"),
    (2, "{{{{Нет АИ|{6}|{6}|20{6}}}}}"),
    (2, "{{{{출처 필요|날짜=20{6}-{6}-{6}}}}}"),
    (1, "{{{{उद्धरण आवश्यक}}}}"),
    (1, "{{{{بحاجة لمصدر|تاريخ=20{6}}}}}"),
    (2, "{{{{⚠️|{4}}}}}"),
)
_REFERENCES = (
    (5, "<ref>{{{{cite web|url=http://www.{4}.example/{2}?a={6}&b=1|title={1} {0}|accessdate=20{6}"
        "-{6}-{6}}}}}</ref>"),
    (3, '<ref name="{4}{6}" />'),
    (2, "<ref>{{{{harvnb|{0}|20{6}|p={6}}}}}</ref>"),
    (2, "<ref>{{{{Cite journal|和書|author={1}|title={1}|journal={0}|ISSN={2}}}}}</ref>"),
    (1, "<ref>{0}, {4}</ref>"),
)  # fmt: skip
_CALLS = tuple(call for share, call in _INLINE for _ in range(share))
_NOTES = tuple(note for share, note in _REFERENCES for _ in range(share))
_LATIN_TOP = (
    "{{{{Source citation|date={5} 20{6}|qq=}}}}\n",
    "{{{{Short description|{4} {0}}}}}\n{{{{Use dmy dates|date={5} 20{6}}}}}\n",
    "<!--{4}-->[[ja:{1}]]\n",
)
_OTHER_TOP = (
    "{{{{⚠️🚨COPIED from {0} ❗⚠️}}}}\n",
    "{{{{出典の明記|date=20{6}年{6}月}}}}\n",
    "{{{{混同|{1}|{1}}}}}\n",
)
_TOP = _LATIN_TOP * 4 + _OTHER_TOP
_SORT_KEYS = (*["DEFAULTSORT:"] * 7, "defaultsort:", "デフォルトソート:")
_BOXES = (*["religious building", "person", "river", "settlement"] * 4, "神社", "書籍", "人物")
_FIELDS = ("name", "image", "location", "所在地", "founded", "祭神", "website", "area", "創建")
_LATIN_FOOT = ("Reflist", "Commons category|{0}", "{0}-stub", "Authority control", "Navbox {0}",
               "translated page|ja|{1}|version={2}", "Portal bar|{4}")  # fmt: skip
_OTHER_FOOT = ("脚注ヘルプ", "節スタブ", "神道 横", "ウィキ座標2段度分秒|{6}|{6}|N|{6}|{6}|E")
_NAVIGATION = _LATIN_FOOT * 5 + _OTHER_FOOT
_MONTHS = "January February March April May June July August September October".split()
# Neutrality tags of a Japanese tag set; Author.tag has those of the English one.
JAPANESE_TAG = "{{{{観点|date=20{6}年{6}月}}}}\n"


class Markup:
    """Makes up pieces of wikitext."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._rng: random.Random = words.rng

    def filled(self, form: str) -> str:
        """Fill a form: 0 name, 1 foreign one, 2 number, 3 language, 4 word, 5 month, 6 year."""
        words, rng = self._words, self._rng
        script = words.script()
        return form.format(
            words.name(),
            words.name(script),
            rng.randrange(10**6),
            LANGUAGES[script],
            words.word(),
            rng.choice(_MONTHS),
            rng.randrange(10, 25),
        )

    def sentence(self) -> Fragment:
        """Return a sentence with its links, calls and references."""
        words, rng = self._words, self._rng
        said = words.words(rng.randint(6, 20))
        said[0] = said[0].capitalize()
        for make, share in self._decorations():
            while rng.random() < share:
                said.insert(rng.randrange(1, len(said)), make())
        if rng.random() < 0.05:
            script = words.script()
            said.append("「" + "".join(words.words(rng.randint(2, 6), script)) + "」")
        end = f".{self.reference()}" if rng.random() < 0.085 else "."
        start = "\n\n" if rng.random() < 0.3 else " "
        return Fragment.of(start + " ".join(said) + end, is_paragraph=True)

    def _decorations(self) -> tuple[tuple[Callable[[], str], float], ...]:
        return ((self.link, 0.55), (self.call, 0.25), (self.emphasis, 0.05))

    def link(self) -> str:
        """Return a link to a page of this wiki or another."""
        kind = self._rng.random()
        if kind < 0.4:
            return f"[[{self._words.name()}]]"
        if kind < 0.85:
            name = self._words.name()
            return f"[[:en:{name}|{name}]]"
        return self.filled("[[{1}|{0}]]")

    def call(self) -> str:
        """Return a call of a template in running text."""
        return self.filled(self._rng.choice(_CALLS))

    def reference(self) -> str:
        """Return a reference."""
        return self.filled(self._rng.choice(_NOTES))

    def emphasis(self) -> str:
        """Return words in italics or bold, or a comment."""
        return self.filled(self._rng.choice(("''{0}''", "'''{4}'''", "<!-- {4} -->")))

    def heading(self) -> Fragment:
        """Return a heading."""
        mark = self._rng.choice(("==", "==", "==="))
        return Fragment.of(f"\n\n{mark} {self._words.name()} {mark}")

    def block(self) -> Fragment:
        """Return a list, a table, a picture or a gallery."""
        rng, words = self._rng, self._words
        kind = rng.random()
        if kind < 0.6:
            items = (f"\n* {self.link()} – {self.filled('{1} {4}')}" for _ in range(4))
            return Fragment.of("\n" + "".join(items))
        if kind < 0.8:
            return Fragment.of(
                self.filled("\n\n[[File:{1}.jpg|thumb|220px|{0}: {{{{lang|{3}|{1}}}}}]]")
            )
        rows = ("\n|-\n| " + " || ".join(words.words(4)) for _ in range(rng.randint(3, 8)))
        return Fragment.of('\n\n{| class="wikitable"\n! ' + " !! ".join(words.words(4))
                           + "".join(rows) + "\n|}")  # fmt: skip

    def beginning(self, title: str) -> list[Fragment]:
        """Return notes, an infobox with templates in it, and what the page is about."""
        rng, words = self._rng, self._words
        fields = "".join(
            f"\n| {name} = {self.call() if rng.random() < 0.2 else words.name()}"
            for name in rng.sample(_FIELDS, 5)
        )
        notes = [Fragment.of(self.filled(form)) for form in rng.sample(_TOP, rng.randint(0, 1))]
        place = (
            f"{{{{Coord|35.0{rng.randrange(999)}|N|135.{rng.randrange(999)}|E|display=inline}}}}"
        )
        box = f"{{{{Infobox {rng.choice(_BOXES)}{fields}\n| coordinates = {place}\n}}}}\n"
        script = words.script()
        lead = f"'''{title}''' ({words.name(script)}) {' '.join(words.words(8))}."
        return [*notes, Fragment.of(box), Fragment.of(lead)]

    def end(self, title: str) -> list[Fragment]:
        """Return the footer: templates, the sort key, categories and interwikis."""
        rng, words = self._rng, self._words
        key = title if rng.random() < 0.8 else words.name("hiragana")
        if rng.random() < 0.1:
            key = key.replace("が", "か\N{COMBINING KATAKANA-HIRAGANA VOICED SOUND MARK}")
        calls = [self.filled(form) for form in rng.sample(_NAVIGATION, rng.randint(1, 3))]
        calls.append(rng.choice(_SORT_KEYS) + key)
        found = [Fragment.of("\n\n== References ==\n<references />")]
        found += [Fragment.of(f"\n{{{{{call}}}}}") for call in calls]
        return found + [self.footer() for _ in range(rng.randint(4, 12))]

    def footer(self) -> Fragment:
        """Return a category or an interwiki link."""
        if self._rng.random() < 0.6:
            return Fragment.of(f"\n[[Category:{self._words.name()}]]")
        return Fragment.of(self.filled("\n[[{3}:{1}]]"))
