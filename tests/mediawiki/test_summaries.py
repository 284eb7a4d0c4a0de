"""What edit summaries say of neutrality and reverts."""

from __future__ import annotations

import time
from typing import Any

import pytest

from casefiles import cases
from wikibias.config.languages import Language, languages, load_language
from wikibias.mediawiki.revisions import SummaryWords

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


def words_of(lang: str) -> SummaryWords:
    known = lang in languages()
    return SummaryWords(load_language(lang) if known else Language(lang, "None", "xx"))


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
