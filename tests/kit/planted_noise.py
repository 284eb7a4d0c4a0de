"""Made histories of true tone edits with planted noise between them, and what a corpus makes of it.

On each page a text is slanted, tagged and mended, which takes the tag out. Around that stand
vandalism and its revert, edits of categories and captions, bot runs and moves, before the tag,
under it and behind it; some take the tag out or put one in themselves. A plan is one for
`scripts/replay_plan.php`, so MediaWiki can make the dump; `dump` writes it without.

    python tests/kit/planted_noise.py LANG PAGES > plan.jsonl
    python tests/kit/planted_noise.py LANG PAGES FOLDER   # measures the result in a folder
"""

import json
import random
import re
import sys
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from exports import Page, Revision, export, rows, word
from paths import CASES

KINDS = ("vandalism", "category", "caption", "bot", "move")
# Under the tag as often as before it and behind it.
_WHEN = ("before", "tagged", "tagged", "after")
_PEOPLE = ("Orla Fenwick", "Tam Brightwater", "Ines Hallow", "198.51.100.7")


@dataclass
class History:
    """The steps of a plan, and what is planted in them.

    Attributes:
        steps: as `scripts/replay_plan.php` reads them.
        times: the begin, and the time of each step.
        tone: of each true tone edit, by its time, the sentences that it mends.
        vandal: what vandals wrote.
    """

    steps: list[dict[str, Any]] = field(default_factory=list)
    times: list[datetime] = field(default_factory=lambda: [datetime(2005, 1, 1, 9, tzinfo=UTC)])
    tone: dict[datetime, tuple[str, ...]] = field(default_factory=dict)
    vandal: set[str] = field(default_factory=set)


def planted(lang: str, pages: int, seed: int = 0) -> History:
    """Return a history with one true tone edit and one edit of each kind of noise on a page."""
    with (CASES / "planted_noise.toml").open("rb") as file:
        texts = tomllib.load(file)[lang]
    made = History()
    for number in range(pages):
        _Story(texts, made, random.Random(f"{lang} {seed} {number}")).tell()
    return made


class _Story:
    """One page, whose wikitext is put together of its pieces at each step."""

    def __init__(self, texts: dict[str, Any], made: History, rng: random.Random) -> None:
        self.texts, self.made, self.rng = texts, made, rng
        self.title = self.name()
        self.tag, self.picture = "", self.fill(rng.choice(texts["caption"]))
        self.categories = [self.fill(texts["category"][0])]
        self.intro = self.fill(texts["intro"])
        self.body = [[self.sentence("plain") for _ in range(2)] for _ in range(5)]

    def name(self) -> str:
        return word(self.rng.randrange(1 << 36)).removesuffix("eth").title()

    def fill(self, form: str) -> str:
        named = {"a": self.title if "'''" in form else self.name(), "b": self.name()}
        return form.format(**named, c=self.name(), n=self.rng.randrange(1801, 2004))

    def sentence(self, kind: str) -> str:
        return self.fill(" ".join(self.rng.choice(each) for each in self.texts[kind]) + ".")

    def text(self) -> str:
        file = f"[[File:{self.title}.jpg|thumb|{self.picture}]]"
        body = "\n\n".join(" ".join(paragraph) for paragraph in self.body)
        ends = "\n".join(f"[[Category:{each}]]" for each in self.categories)
        return "\n".join(filter(None, (self.tag, file, f"{self.intro}\n\n{body}\n", ends)))

    def save(self, summary: int | str, user: str = "", hours: int = 26, **of: Any) -> datetime:
        steps, time = self.made.steps, self.made.times[-1] + timedelta(hours=hours)
        self.made.times.append(time)
        said = self.texts["summaries"][summary] if isinstance(summary, int) else summary
        step = {"op": "edit", "ts": f"{time:%Y%m%d%H%M%S}", "title": self.title, "summary": said}
        step |= {"user": user or self.rng.choice(_PEOPLE), "text": self.text(), "minor": False}
        steps.append({**step, "ref": f"r{len(steps)}", **of})
        return time

    def tell(self) -> None:
        """Tell the whole story of the page."""
        when = {kind: self.rng.choice(_WHEN) for kind in self.rng.sample(KINDS, len(KINDS))}
        self.save(0)
        self.do(when, "before")
        paragraph = self.rng.choice(self.body)
        places = self.rng.sample(range(2), self.rng.choice((1, 2)))
        slanted = {at: self.sentence("slanted") for at in places}
        for at, sentence in slanted.items():
            paragraph[at] = sentence
        self.save(0)
        self.tag = self.rng.choice((self.texts["tag"], self.texts["bare"]))
        self.save(5)
        self.do(when, "tagged")
        self.tag, is_rewritten = "", self.rng.random() < 0.75
        mended = {at: [self.sentence("plain")] * is_rewritten for at in slanted}
        paragraph[:] = [s for at, old in enumerate(paragraph) for s in mended.get(at, [old])]
        self.made.tone[self.save(3)] = tuple(slanted.values())
        self.do(when, "after")

    def do(self, when: dict[str, str], phase: str) -> None:
        for kind, its in when.items():
            if its == phase:
                getattr(self, kind)()

    def vandalism(self) -> None:
        """Junk, and its revert: under a tag that stays, that it takes out, or that it puts in."""
        tag, place, how = self.tag, self.rng.randrange(5), self.rng.randrange(4)
        body, said = self.body[place], [self.fill(each) for each in self.texts["vandal"]]
        self.made.vandal.update(said)
        self.body[place] = [". ".join(said) + "."]
        if how:
            self.tag = "" if tag else self.texts["false_tag"]
        self.save("", "203.0.113.9")
        self.tag, self.body[place] = tag, body
        if how == 3:
            # By hand, with other changes: no revision is restored to the letter.
            self.intro = self.intro.replace(". ", f" ({self.name()}). ", 1)
        self.save(4, hours=self.rng.randrange(1, 24))

    def category(self) -> None:
        self.categories.append(self.fill(self.rng.choice(self.texts["category"][1:])))
        self.save_around(1)

    def caption(self) -> None:
        self.picture = self.fill(self.rng.choice(self.texts["caption"]))
        self.save_around(0)

    def bot(self) -> None:
        """A run that dates the tag, and mends a phrase everywhere."""
        self.tag = self.tag and self.texts["tag"]
        old, new = self.texts["bot"]
        for paragraph in self.body:
            paragraph[:] = [re.sub(old, new, sentence) for sentence in paragraph]
        self.categories.append(self.fill(self.texts["category"][1]))
        self.save_around(2, "FenwickBot")

    def move(self) -> None:
        to = f"{self.title} {self.name()}"
        self.save(self.texts["moved"], _PEOPLE[0], op="move", to=to)
        self.title = to

    def save_around(self, summary: int, user: str = "") -> None:
        """Save; of three times once the tag goes with it, and somebody puts it back."""
        tag, is_out = self.tag, self.rng.random() < 0.3
        self.tag = "" if is_out else tag
        self.save(summary, user)
        if tag and is_out:
            self.tag = tag
            self.save(5)


def dump(made: History, lang: str) -> bytes:
    """Return an export of a history; a move is a revision without a change."""
    pages: dict[str, list[dict[str, Any]]] = {}
    for step, time in zip(made.steps, made.times[1:], strict=True):
        pages.setdefault(step["title"], []).append({**step, "time": time})
        if "to" in step:
            pages[step["to"]] = pages.pop(step["title"])
    told = {
        title: [Revision(each["text"], each["user"], each["summary"]) for each in steps]
        for title, steps in pages.items()
    }
    xml = export((Page(title, revisions) for title, revisions in told.items()), lang=lang)
    times = (f"{each['time']:%Y-%m-%dT%H:%M:%SZ}" for steps in pages.values() for each in steps)
    return re.sub(rb"(?<=<timestamp>)[^<]*", lambda _: next(times).encode(), xml)


def found_in(folder: Path, made: History) -> tuple[list[dict[str, Any]], float]:
    """Return the rows of a corpus that are noise, and the share of the tone edits that it has.

    A biased row is noise unless a true tone edit took out a slanted sentence of it; a neutral one
    if it has a slanted sentence, or what a vandal wrote.
    """
    corpus, noise, found = rows(folder, "corpus"), [], set()
    bad = [*(text for slanted in made.tone.values() for text in slanted), *sorted(made.vandal)]
    for row in corpus:
        time = row["after_timestamp"]
        if row["label"] == "biased" and any(s in row["text"] for s in made.tone.get(time, ())):
            found.add(time)
        elif row["label"] == "biased" or any(text in row["text"] for text in bad):
            noise.append(row)
    return noise, len(found) / len(made.tone)


def main(lang: str, pages: str, folder: str = "") -> None:
    """Print a plan, or the measures of a corpus that was made of it."""
    made = planted(lang, int(pages))
    if not folder:
        print(*(json.dumps(step, ensure_ascii=False) for step in made.steps), sep="\n")
        return
    noise, recall = found_in(Path(folder), made)
    print(f"{lang}: noise {len(noise)} of {len(rows(Path(folder), 'corpus'))}, {recall:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
