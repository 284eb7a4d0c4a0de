#!/usr/bin/env python3
"""Counts what is wrong with the sentences of real texts: markup left over, gaps, glued words ...

Reads files of articles (`*.jsonl.gz`, a JSON object a line with `lang` and `wikitext`) and dumps,
given as `LANG=PATH`: of each page its last revision, or with `--every N` every Nth. Cleans and
splits them, and prints a table in Markdown: a line for each language, the sentences looked at, and
how many of 1,000 show each kind of fault. Only sentences of six words and more are looked at, as
in a corpus; in scripts without spaces, of twelve characters.

A *gap* is where a template vanished inside of a sentence, and a *list* sentence comes from a line
of a list. Both are found from outside, by marks put into the wikitext before it is cleaned, so that
any version of the cleaning can be measured by the same rule. Templates that show no running text
are none: those of `[silent_templates]` in the language files.

    .venv/bin/python scripts/text_residue.py articles.jsonl.gz en=anarchism.7z --every 500
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "kit"))

from wikibias.api.transitions import read_pages, read_site  # noqa: E402 (after the path)
from wikibias.config.languages import load_language  # noqa: E402
from wikibias.mediawiki.titles import Namespaces, title_key  # noqa: E402
from wikibias.pipeline.enrichment import cleaning_rules  # noqa: E402
from wikibias.tags.tagset import load_tagset, tagset_languages  # noqa: E402
from wikibias.tags.template_parser import Call, parse  # noqa: E402
from wikibias.text import cleaning  # noqa: E402
from wikis import segmenter  # noqa: E402 (lies in tests/)

WORDS, CHARACTERS = 6, 12
UNSPACED = frozenset(("ja", "zh"))
# Marks that are put round a call and before a list item; no wiki uses these characters.
ALWAYS_SILENT = ("defaultsort:*", "displaytitle:*", "#tag:ref", "#invoke:*")
OPEN, CLOSE, ITEM = "\ue001", "\ue002", "\ue003"
_MARKS = re.compile(f"[{OPEN}{CLOSE}{ITEM}]")
_VANISHED = re.compile(rf"{OPEN}\s*+{CLOSE}")
_LIST_LINE = re.compile(r"(?m)^([*#:;]++[ \t]*+)(?=[^\s{|*#:;])")
_WORD = re.compile(r"\w+")
_END = re.compile(r"[.!?…。．！？؟۔।։:;][\"'”’»«“‘)\]）」』】›\s]*+\Z")
# Words that ran together, as far as capitals tell; the wikitext itself does not hold them so.
_GLUED = re.compile(r"[^\W\d_]*[a-zß-öø-ÿа-яёіїєґ]{3}[.!?]?[A-ZÀ-ÖØ-ÞА-ЯЁІЇЄҐ][a-zß-öø-ÿа-яёіїєґ]+")
# What is wrong, by name. Each pattern is looked for once in a sentence.
FAULTS = {
    "link": re.compile(r"\[\[|\]\]"),
    "call": re.compile(r"\{\{|\}\}"),
    "bar": re.compile(r"\||\{\||\|\}"),
    "heading": re.compile(r"=="),
    "quotes": re.compile(r"''"),
    "tag": re.compile(r"</?[a-zA-Z][^<>]{0,300}>"),
    "entity": re.compile(r"&(?:[a-zA-Z]{2,10}|#\d{1,7}|#x[\da-fA-F]{1,6});"),
    "file": re.compile(r"(?i)\b(?:thumb|thumbnail|vignette|miniatur|mini)\b(?=\||\s*$)|\b\d+px\b"),
    "magic word": re.compile(r"__[^\W\d_]{3,40}__"),
    "brackets": re.compile(
        r"\([\s,;:]*+\)|（[\s,;:、，；：]*+）|\[\s*+\]|\([,;:]|[,;]\s*+\)|（[、，；]|[、，；]）|«\s*+»|“\s*+”"
    ),
    "stops": re.compile(
        r"(?<!\.)\.\.(?!\.)|,\s*+,|;\s*+;|,\s*+\.(?!\.)|\s[,.](?=\s|$)|、、|，，|。。"
    ),
}
UNSTOPPED, GLUED, GAP, LIST = "no stop", "glued", "gap", "list"
KINDS = (*FAULTS, GLUED, GAP, LIST, UNSTOPPED)


class Wiki(NamedTuple):
    """A language, what cleaning knows of the wiki, and the folder of the language files."""

    lang: str
    rules: cleaning.Rules
    facts: Path


class Found(NamedTuple):
    """One sentence: its text, its block (None where the version knows none), its gaps."""

    text: str
    block: str | None
    has_gap: bool | None


def main() -> int:
    """Read, count, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("texts", nargs="+", help="articles.jsonl.gz or LANG=DUMP")
    parser.add_argument("--every", type=int, default=0, metavar="N", help="every Nth revision")
    parser.add_argument("--block", help="only sentences of this block, such as paragraph")
    parser.add_argument("--show", metavar="KIND", choices=KINDS, help="print these sentences")
    parser.add_argument("--most-characters", type=int, default=300_000, metavar="N")
    parser.add_argument("--facts", type=Path, metavar="FOLDER", default=ROOT / "configs")
    arguments = parser.parse_args()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for wiki, wikitext in texts(arguments.texts, arguments.every, arguments.facts):
        lang = wiki.lang
        if len(wikitext) > arguments.most_characters:
            counts[lang]["skipped"] += 1
            continue
        counts[lang]["texts"] += 1
        for kind, sentence in faults(wikitext, wiki, arguments.block):
            counts[lang][kind] += 1
            if kind == arguments.show:
                print(f"{lang}: {sentence}", file=sys.stderr)
    print("\n".join(table(counts)))
    return 0


def texts(paths: Iterable[str], every: int, facts: Path) -> Iterator[tuple[Wiki, str]]:
    """Yield the wiki and the wikitext of each article, or revision, to be looked at."""
    for path in paths:
        lang, equals, dump = path.partition("=")
        if not equals:
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for article in map(json.loads, lines):
                    lang = article["lang"]
                    yield Wiki(lang, rules(lang), facts), article["wikitext"]
            continue
        wiki = Wiki(lang, rules(lang, tuple(read_site(dump).namespaces.items())), facts)
        for page in read_pages(dump):
            last = None
            for number, revision in enumerate(page.revisions):
                if every and number % every == 0 and revision.text:
                    yield wiki, revision.text
                last = revision.text or last
            if last and not every:
                yield wiki, last


def faults(wikitext: str, wiki: Wiki, block: str | None) -> Iterator[tuple[str, str]]:
    """Yield each kind that a sentence shows, with the sentence; "sentences" for each sentence."""
    lang = wiki.lang
    words = frozenset(_WORD.findall(wikitext))
    for found in sentences(wikitext, wiki):
        if not long_enough(found.text, lang) or block not in (None, found.block):
            continue
        yield "sentences", found.text
        if found.has_gap:
            yield "marked gap", found.text
        for kind, pattern in FAULTS.items():
            if pattern.search(found.text):
                yield kind, found.text
        if not _END.search(found.text):
            yield UNSTOPPED, found.text
        if any(not seen(one.group(), words, wikitext) for one in _GLUED.finditer(found.text)):
            yield GLUED, found.text
    for found in sentences(marked(wikitext, wiki), wiki):
        bare = _MARKS.sub("", found.text)
        if long_enough(bare, lang) and block in (None, found.block):
            if _VANISHED.search(found.text):
                yield GAP, _VANISHED.sub("_", found.text)
            if ITEM in found.text:
                yield LIST, bare


def seen(word: str, words: frozenset[str], wikitext: str) -> bool:
    """Return whether the wikitext holds what looks like words that ran together."""
    return word in words or word in wikitext


def long_enough(sentence: str, lang: str) -> bool:
    """Return whether a sentence is long enough to be looked at."""
    if lang in UNSPACED:
        return len(sentence) >= CHARACTERS
    return len(sentence.split()) >= WORDS


def sentences(wikitext: str, wiki: Wiki) -> Iterator[Found]:
    """Yield the sentences of a wikitext; its paragraphs, where this version knows them."""
    paragraphs: Callable[..., list[tuple[str, str, tuple[int, ...]]]] | None
    paragraphs = getattr(cleaning, "visible_paragraphs", None)
    try:
        if paragraphs is None:
            text = cleaning.visible_text(wikitext, wiki.rules)
            yield from (Found(one, None, None) for one in segmenter(wiki.lang).sentences(text))
            return
        for text, block, gaps in paragraphs(wikitext, wiki.rules):
            end = 0
            for one in segmenter(wiki.lang).sentences(text):
                start = text.index(one, end)
                end = start + len(one)
                yield Found(one, block, any(start <= gap <= end for gap in gaps))
    except cleaning.UnreadableError as error:
        print(f"Warning: left out a text: {error}", file=sys.stderr)


@cache
def rules(lang: str, declared: tuple[tuple[int, str], ...] = ()) -> cleaning.Rules:
    """Return what cleaning knows of a wiki, whose language need not have a tag set."""
    language = load_language(lang)
    tagset = load_tagset("npov", lang) if lang in tagset_languages("npov") else None
    namespaces = Namespaces.of(dict(declared), language.namespaces)
    return cleaning_rules(language, namespaces, tagset, 2_500_000)


def marked(wikitext: str, wiki: Wiki) -> str:
    """Return a wikitext with marks round the calls inside of lines, and before list items."""
    parsed = parse(wikitext)
    pieces, end = [], 0
    outer_end = 0
    for call in sorted(parsed.calls, key=lambda call: (call.start, -call.end)):
        if call.start < outer_end or not call.closed:
            continue
        outer_end = call.end
        if is_silent(call, wiki) or stands_alone(parsed.text, call.start, call.end):
            continue
        pieces += [parsed.text[end : call.start], OPEN, parsed.text[call.start : call.end], CLOSE]
        end = call.end
    text = "".join([*pieces, parsed.text[end:]]).replace("\0", "")
    return _LIST_LINE.sub(rf"\1{ITEM}", text)


def stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a call shares its lines with no words."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    after = text[end : (text + "\n").index("\n", end)]
    return not _WORD.search(before + after)


def is_silent(call: Call, wiki: Wiki) -> bool:
    """Return whether a template shows no running text, as the language file says.

    Nor does one that shows a parameter, such as a doubtful phrase, and is given none.
    """
    name = title_key(call.name, ignore_case=True)
    names, begins, shown = silent_names(wiki.lang, wiki.facts)
    return name in names or name.startswith(begins) or (name in shown and len(call.cuts) < 3)


@cache
def silent_names(lang: str, facts: Path) -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    """Return the templates of a language that show no text, prefixes of such, and those that do."""
    table = tomllib.loads((facts / f"{lang}.toml").read_text("utf-8"))
    forms = table.get("text_templates", {})
    spaces = [name for name, form in forms.items() if form.strip() == "="]
    names = [*table.get("silent_templates", {}).get("names", ()), *spaces, *ALWAYS_SILENT]
    plain = frozenset(title_key(name, ignore_case=True) for name in names if not name.endswith("*"))
    begins = (
        title_key(name[:-1] + "x", ignore_case=True)[:-1] for name in names if name.endswith("*")
    )
    shown = (name for name, form in forms.items() if form.isalnum())
    return plain, tuple(begins), frozenset(title_key(name, ignore_case=True) for name in shown)


def table(counts: dict[str, Counter[str]]) -> Iterator[str]:
    """Yield the lines of the table: of 1,000 sentences, how many show each kind."""
    kinds = [*KINDS, *(["marked gap"] if any(one["marked gap"] for one in counts.values()) else [])]
    yield "| lang | texts | sentences | " + " | ".join(kinds) + " |"
    yield "| --- |" + " ---: |" * (len(kinds) + 2)
    total: Counter[str] = Counter()
    for lang in sorted(counts):
        total += counts[lang]
        yield row(lang, counts[lang], kinds)
    yield row("all", total, kinds)


def row(lang: str, count: Counter[str], kinds: Iterable[str]) -> str:
    """Return one line of the table."""
    sentences = count["sentences"]
    shares = (f"{1000 * count[kind] / max(sentences, 1):.1f}" for kind in kinds)
    return f"| {lang} | {count['texts']:,} | {sentences:,} | " + " | ".join(shares) + " |"


if __name__ == "__main__":
    sys.exit(main())
