"""Facts of MediaWiki in all languages."""

from __future__ import annotations

from wikibias.config.languages import load_mediawiki


def test_redirect_words_and_interlanguage_codes() -> None:
    facts = load_mediawiki()
    assert {"#redirect", "#redirection", "#виж"} <= set(facts.redirect_words)
    assert {"fr", "zh-min-nan", "simple"} <= set(facts.interlanguage)
