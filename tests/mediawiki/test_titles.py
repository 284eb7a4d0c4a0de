"""Titles compare as on a wiki; kinds of accounts, and summaries without names.

tests/cli/test_editor_names.py checks that no output contains a name.
"""

import hashlib
import random
import re
import sys
import time
import unicodedata
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import Kind, kinds, slow
from paths import cases
from wikibias import mediawiki
from wikibias.config.languages import Language, languages, load_language, load_mediawiki
from wikibias.records import EditorKind, ReadRevision


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("POV check", "POV_check"),
        ("POV check", " POV \u00a0\t check_"),
        ("POV", "pOV"),
        ("POV", "\u200ePOV\u200f"),
        ("Église", "e\u0301glise"),
    ],
    ids=["underscore", "spaces", "first letter", "direction marks", "composed letters"],
)
def test_spellings_of_one_title(one: str, other: str) -> None:
    first, second = (mediawiki.title_key(title, ignore_case=False) for title in (one, other))
    assert first == second


@pytest.mark.parametrize("ignore_case", [True, False])
def test_the_case_of_other_letters_counts_unless_ignored(ignore_case: bool) -> None:
    one, other = (mediawiki.title_key(t, ignore_case=ignore_case) for t in ("POV", "Pov"))
    assert (one == other) == ignore_case


@given(st.text(max_size=20))
def test_cleaning_twice_changes_nothing(title: str) -> None:
    assert mediawiki.clean_title(mediawiki.clean_title(title)) == mediawiki.clean_title(title)


@given(st.text(st.sampled_from("ab\t\n\x1c\x85\xa0\u1680\u180e\u2003\u2028\u202f\u205f\u3000")))
def test_all_spaces_of_mediawiki_are_single(text: str) -> None:
    assert mediawiki.single_spaced(text) == re.sub(r"[\s\u180e]+", " ", text).strip()


# Marks of many classes, some that are made of two, letters with and without marks, and others.
MARKS = "\u0301\u0323\u0334\u0315\u05b0\u3099\u0344\u0f73\u0f71\u0345\u0338"
LETTERS = "aeéồ=≠か中\u1100\u1161\uac00\u0f40-\u200d \U0001d15e\u0958"


@given(st.lists(st.text(MARKS, max_size=60) | st.text(LETTERS + MARKS) | st.text()).map("".join))
def test_it_is_nfc(text: str) -> None:
    assert mediawiki.composed(text) == unicodedata.normalize("NFC", text)


def test_no_mark_is_a_letter_or_a_space() -> None:
    """The run of marks that is put in order must contain all of them."""
    for char in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.combining(char):
            assert re.fullmatch(r"[^\w\s]", char)


def test_no_text_takes_more_than_its_share_of_time() -> None:
    marks = [
        Kind("of two classes", "\u0301\u0323", before="a"),
        Kind("of many classes", MARKS),
        Kind("made of two", "\u0344\u0f73"),
        Kind("behind a letter with marks", MARKS, before="ồ"),
        Kind("one class behind the other", "\u0301", close="\u0323"),
    ]
    assert slow(mediawiki.composed, kinds()) == {}
    assert slow(mediawiki.composed, marks, 5_000) == {}


FRENCH = mediawiki.Namespaces.of(
    {mediawiki.TEMPLATE: "Modèle", 100: "Portail"}, {"user": ["Utilisatrice"]}
)


@pytest.mark.parametrize(
    ("number", "prefix"),
    [
        (mediawiki.TEMPLATE, "Modèle"),
        (mediawiki.TEMPLATE, "mod\u00e8le "),
        (mediawiki.TEMPLATE, "Template"),
        (mediawiki.FILE, "Image"),
        (mediawiki.USER, "utilisatrice"),
    ],
)
def test_a_namespace_has_local_canonical_and_configured_names(number: int, prefix: str) -> None:
    assert FRENCH.has(number, prefix)


def test_a_prefix_of_another_namespace_is_known_but_not_a_template() -> None:
    assert FRENCH.knows("portail")
    assert not FRENCH.has(mediawiki.TEMPLATE, "portail")
    assert not FRENCH.knows("Weasel")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (" POV ", "POV"),
        ("Modèle:POV", "POV"),
        ("template: POV", "POV"),
        (":Template:POV", "POV"),
        ("msg:POV", "POV"),
        ("POV#top", "POV"),
        ("caf&eacute;", "café"),
        (":POV", None),
        ("#if:x", None),
        ("  ", None),
    ],
)
def test_the_template_that_a_call_names(call: str, name: str | None) -> None:
    assert mediawiki.template_name(call, FRENCH) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#REDIRECT [[A]]", True),
        ("  #redirect:[[A#b]]\n{{R from merge}}", True),
        ("#REDIRECTION [[A]]", True),
        ("#виж [[А]]", True),
        ("#пренасочване [[А]]", True),
        ("#WEITERLEITUNG [[A]]", True),
        ("# REDIRECT [[A]]", False),
        ("Text #REDIRECT [[A]]", False),
        ("#REDIRECT A", False),
        ("#REDIRECT \n : \t[[A]]", True),
        ("#REDIRECT : : [[A]]", False),
    ],
)
def test_redirects_of_any_language(text: str, expected: bool) -> None:
    pattern = mediawiki.redirect_pattern(load_mediawiki().redirect_words)
    assert bool(pattern.match(text)) is expected


def test_spaces_around_a_redirect_take_their_share_of_time() -> None:
    redirect = mediawiki.redirect_pattern(load_mediawiki().redirect_words)
    spaces = [
        Kind("spaces before", " "),
        Kind("spaces behind", " ", before="#REDIRECT"),
        Kind("spaces behind a colon", " ", before="#REDIRECT:", after="x"),
    ]
    assert slow(redirect.match, spaces, 20_000) == {}


@pytest.mark.parametrize(
    ("base", "url"),
    [
        (
            "http://en.wikipedia.org/wiki/Main_Page",
            "https://en.wikipedia.org/w/index.php?diff=7&oldid=6",
        ),
        ("http://wiki.example/index.php/Main", "http://wiki.example/index.php?diff=7&oldid=6"),
        ("http://localhost/w/index.php/Main", "http://localhost/w/index.php?diff=7&oldid=6"),
        ("https://wiki.example/Main", "https://wiki.example/w/index.php?diff=7&oldid=6"),
        ("https://wiki.example:8080/Main", "https://wiki.example:8080/w/index.php?diff=7&oldid=6"),
        ("http://[2001:db8::1]/x", "http://[2001:db8::1]/w/index.php?diff=7&oldid=6"),
        (
            'http://a.example/"><b>/index.php',
            "http://a.example/%22%3E%3Cb%3E/index.php?diff=7&oldid=6",
        ),
        ("javascript:alert(1)", ""),
        ("data:text/html,<script>", ""),
        ("file:///etc/passwd", ""),
        ("https://en.wikipedia.org@evil.example/wiki/A", ""),
        ('https://evil.example"onclick="x/wiki/A', ""),
        ("https://evil.example\x1b/wiki", ""),
        ("https://[::1/wiki", ""),
        ("https:///wiki", ""),
        ("", ""),
    ],
)
def test_the_url_of_a_diff(base: str, url: str) -> None:
    assert mediawiki.diff_url(base, 6, 7) == url


def test_a_new_page_has_no_older_revision() -> None:
    assert mediawiki.diff_url("https://wiki.example/wiki/A", None, 7).endswith("?diff=7")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Orla Fenwick", "registered"),
        ("Nettlebed Bot", "bot"),
        ("TestBot 2", "bot"),
        ("Тест бот", "bot"),
        ("Ann Talbot", "registered"),
        ("192.0.2.7", "ip"),
        ("2001:db8::77", "ip"),
        ("~2025-99173-4", "temporary"),
        (None, "hidden"),
    ],
)
def test_the_kind_of_an_account(name: str | None, kind: EditorKind) -> None:
    assert mediawiki.editor_kind(name, has_id=True, hidden=False) == kind


def test_an_account_without_an_id_is_an_ip_and_a_hidden_one_stays_hidden() -> None:
    assert mediawiki.editor_kind("Orla Fenwick", has_id=False, hidden=False) == "ip"
    assert mediawiki.editor_kind("Orla Fenwick", has_id=True, hidden=True) == "hidden"


@pytest.mark.parametrize(
    ("summary", "shown"),
    [
        ("as [[User:Orla|Orla]] asked", "as [[user]] asked"),
        ("as [[:en:User talk:Orla]] asked", "as [[user]] asked"),
        ("d'après [[Utilisateur:Orla|]]", "d'après [[user]]"),
        ("cut off: [[User talk:Orl", "cut off: [[user]]"),
        ("rv 192.0.2.7, again", "rv (ip), again"),
        ("thanks, Orla Fenwick!", "thanks, (user)!"),
        ("at 12:30:45, version 1.2.3", "at 12:30:45, version 1.2.3"),
        ("[[WP:NPOV]]", "[[WP:NPOV]]"),
    ],
)
def test_a_summary_without_names(summary: str, shown: str) -> None:
    namespaces = mediawiki.Namespaces.of({mediawiki.USER: "Utilisateur"})
    assert mediawiki.without_names(summary, namespaces, ["Orla Fenwick"]) == shown


def test_no_summary_takes_more_than_its_share_of_time() -> None:
    summaries = [
        *kinds(),
        Kind("links to users", "[[User:A"),
        Kind("prefixes", "a:", before="[[User:"),
        Kind("a link that is cut", "a|", before="[[User:A|"),
        Kind("addresses", "1.1.1.1"),
        Kind("addresses of version 6", "f:"),
        Kind("zeros", "0:"),
        Kind("names", "Ann "),
    ]
    namespaces = mediawiki.Namespaces.of({mediawiki.USER: "User"})
    names = ["Ann", "a", "b", "(", ")", "user", *(f"Ann {n}" for n in range(50))]
    assert (
        slow(lambda text: mediawiki.without_names(text, namespaces, names), summaries, 1000) == {}
    )


SAVED = "The mill of the village was tr\u00e8s grande.\nIt burned down.\n"


def revision(
    text: str | None, saved: str, *, size: bool = True, year: int = 2019, checksum: str = ""
) -> ReadRevision:
    """Return a revision as a dump gives it, and what the wiki had saved."""
    return ReadRevision(
        id=1,
        timestamp=datetime(year, 3, 1, tzinfo=UTC),
        text=text,
        checksum=checksum or mediawiki.base36_sha1(saved),
        comment="",
        editor=None,
        editor_kind="hidden",
        size=len(saved.encode()) if size else None,
    )


@pytest.mark.parametrize("text", ["", "a", "\u00e9t\u00e9"])
def test_the_checksum_is_sha1_in_base_36(text: str) -> None:
    checksum = mediawiki.base36_sha1(text)
    assert len(checksum) == 31
    assert int(checksum, 36) == int(hashlib.sha1(text.encode()).hexdigest(), 16)


@pytest.mark.parametrize("size", [True, False])
def test_any_other_letter_shows(size: bool) -> None:
    assert mediawiki.is_intact(revision(SAVED, SAVED, size=size))
    chance = random.Random(1)
    for _ in range(100):
        at = chance.randrange(len(SAVED))
        changed = SAVED[:at] + chr(ord(SAVED[at]) ^ 1) + SAVED[at + 1 :]
        assert not mediawiki.is_intact(revision(changed, SAVED, size=size))


@pytest.mark.parametrize("size", [True, False])
def test_without_a_text_or_a_checksum_there_is_nothing_to_compare(size: bool) -> None:
    assert mediawiki.is_intact(revision(None, SAVED, size=size))
    assert mediawiki.is_intact(revision("a", SAVED, checksum="fake sha 1", size=size))


BROWSER, OLD = SAVED.replace("\n", "\r\n"), SAVED.replace("\n", "\r\n", 1)
IN_PARTS, OLD_IN_PARTS = (unicodedata.normalize("NFD", text) for text in (SAVED, OLD))


@pytest.mark.parametrize(
    ("text", "saved", "facts", "intact"),
    [
        # What an export makes alike does not count.
        *((SAVED, saved, {}, True) for saved in (BROWSER, IN_PARTS, OLD, OLD_IN_PARTS)),
        # What is no character cannot be compared.
        ("a \ufffd b", "a \x01 b", {}, True),
        # Without a size both line ends are taken for those of old texts.
        (SAVED, OLD, {"size": False, "year": 2003}, True),
        (SAVED, OLD, {"size": False, "year": 2008}, False),
    ],
)
def test_what_was_saved_otherwise(
    text: str, saved: str, facts: dict[str, Any], intact: bool
) -> None:
    assert mediawiki.is_intact(revision(text, saved, **facts)) == intact


def test_many_marks_take_time_that_grows_with_their_number() -> None:
    """Also where the checksum is another, so that other forms of the text are tried."""

    def compared(text: str) -> bool:
        return mediawiki.is_intact(revision(text, "other", size=False))

    marks = [Kind("marks", "\u0301\u0323")]
    assert slow(compared, marks, size=10_000) == {}


# What MediaWiki itself writes when an edit is undone or rolled back, without the names.
BY_MEDIAWIKI = {
    "ar": "الرجوع عن التعديل 7", "bg": "Премахната редакция 7", "ca": "Es desfà la revisió 7",
    "cs": "Zrušena verze 7", "da": "Fjerner version 7", "de": "Änderung 7 rückgängig gemacht.",
    "en": "Undo revision 7", "es": "Se ha deshecho la revisión 7", "fa": "خنثی‌سازی نسخهٔ 7",
    "fi": "Kumottu muokkaus 7", "fr": "Annulation des modifications 7", "he": "ביטול גרסה 7",
    "hu": "Visszavontam szerkesztését", "id": "Membatalkan revisi 7",
    "it": "Annullata la modifica 7", "ja": "版 7 を取り消し",
    "nl": "Versie 7 ongedaan gemaakt", "no": "Fjerner sideversjon 7", "pl": "Anulowanie wersji 7",
    "pt": "Desfez a edição 7", "ro": "Anularea modificării 7", "ru": "Отмена правки 7",
    "sv": "Gör version 7 ogjord", "tr": "7 değişikliği geri alındı.",
    "uk": "Скасування редагування 7", "vi": "Đã lùi lại sửa đổi 7",
    "zh": "撤销版本7",
}  # fmt: skip


def words_of(lang: str) -> mediawiki.SummaryWords:
    known = lang in languages()
    return mediawiki.SummaryWords(load_language(lang) if known else Language(lang, "None", "xx"))


@pytest.mark.parametrize("case", cases("summaries"))
def test_summary(case: dict[str, Any]) -> None:
    words, summary = words_of(case["lang"]), case["summary"]
    assert list(words.policy_words(summary)) == case.get("policy", [])
    assert words.says_revert(summary) == case.get("reverts", False)


@pytest.mark.parametrize("lang", languages())
def test_every_language_knows_the_policy_and_what_mediawiki_writes(lang: str) -> None:
    words = words_of(lang)
    assert words.policy_words("NPOV") == ("npov",)
    assert words.says_revert(BY_MEDIAWIKI[lang])
    assert words.says_revert("revert")
    assert not words.says_revert("NPOV")


def test_a_long_summary_is_read_in_linear_time() -> None:
    words, started = words_of("en"), time.process_time()
    beside = "net neutrality " * 20_000
    for hostile in ("/*" * 30_000, "neutral" * 9_000, "pov " * 16_000, "a" * 65_000, beside):
        words.policy_words(hostile)
        words.says_revert(hostile)
    assert time.process_time() - started < 5
