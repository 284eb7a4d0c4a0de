"""Kinds of accounts, and summaries without names.

tests/cli/test_editor_names.py checks that no output contains a name.
"""

from __future__ import annotations

import pytest

from growth import slow
from hostile_texts import Kind, kinds
from wikibias.mediawiki.revisions import editor_kind, without_names
from wikibias.mediawiki.titles import USER, Namespaces
from wikibias.records import EditorKind


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
    assert editor_kind(name, has_id=True, hidden=False) == kind


def test_an_account_without_an_id_is_an_ip_and_a_hidden_one_stays_hidden() -> None:
    assert editor_kind("Orla Fenwick", has_id=False, hidden=False) == "ip"
    assert editor_kind("Orla Fenwick", has_id=True, hidden=True) == "hidden"


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
    namespaces = Namespaces.of({USER: "Utilisateur"})
    assert without_names(summary, namespaces, ["Orla Fenwick"]) == shown


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
    namespaces = Namespaces.of({USER: "User"})
    names = ["Ann", "a", "b", "(", ")", "user", *(f"Ann {n}" for n in range(50))]
    assert slow(lambda text: without_names(text, namespaces, names), summaries) == {}
