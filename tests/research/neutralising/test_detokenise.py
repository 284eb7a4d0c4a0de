"""Tokens and word pieces become text again."""

from __future__ import annotations

import pytest

from wikibias.research.neutralising.detokenise import detokenise


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("the mill ##s closed , at last .", "the mills closed, at last."),
        ('he said " it is well - known " ( 1961 ) .', 'he said "it is well-known" (1961).'),
        ("the town ' s hall", "the town's hall"),
        ("Text that is one already, with (marks).", "Text that is one already, with (marks)."),
        ("", ""),
    ],
)
def test_tokens_become_text(tokens: str, text: str) -> None:
    assert detokenise(tokens) == text
