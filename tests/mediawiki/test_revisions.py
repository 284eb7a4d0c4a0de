"""Kinds of accounts, and summaries without names.

tests/cli/test_editor_names.py checks that no output contains a name.
"""

import hashlib
import random
import time
import unicodedata
from datetime import UTC, datetime
from typing import Any

import pytest

from hostile_texts import Kind, kinds, slow
from paths import cases
from wikibias import mediawiki
from wikibias.config.languages import Language, languages, load_language
from wikibias.records import EditorKind, ReadRevision


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
    assert slow(lambda text: mediawiki.without_names(text, namespaces, names), summaries) == {}


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

    kinds = [Kind("marks", "\u0301\u0323")]
    assert slow(compared, kinds, size=20_000) == {}


# What MediaWiki itself writes when an edit is undone or rolled back, without the names.
BY_MEDIAWIKI = {
    "ar": "الرجوع عن التعديل 7", "bg": "Премахната редакция 7", "ca": "Es desfà la revisió 7",
    "cs": "Zrušena verze 7", "da": "Fjerner version 7", "de": "Änderung 7 rückgängig gemacht.",
    "en": "Undo revision 7", "es": "Se ha deshecho la revisión 7", "fa": "خنثی‌سازی نسخهٔ 7",
    "fi": "Kumottu muokkaus 7", "fr": "Annulation des modifications 7", "he": "ביטול גרסה 7",
    "hu": "Visszavontam szerkesztését", "it": "Annullata la modifica 7", "ja": "版 7 を取り消し",
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
