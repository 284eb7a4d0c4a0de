"""Marks that stand for markup in a text between parsing and tidying.

They are noncharacters of Unicode, which no text holds; `without_marks` makes sure of it.
"""

from __future__ import annotations

BREAK = "\n\n"
# Begin what they name: a list item made by wiki markup, which ends with its line, and a line
# indented by a colon, which is one too.
ITEM = "\ufdd0"
INDENTED = "\ufdd1"
# Before a heading: the mark, its level as a digit, and its text, in a paragraph of its own.
HEADING = "\ufdd2"
# Begin and end a part that is no running text.
LIST = "\ufdd3"
QUOTATION = "\ufdd4"
CAPTION = "\ufdd5"
END = "\ufdd6"
# A line break inside of a paragraph, by <br>.
LINE_BREAK = "\ufdd7"
# What vanished: something that belongs to no sentence, and a template that may have shown text.
SEAM = "\ufdd8"
GAP = "\ufdd9"
# Those that stand at the begin of a paragraph.
AT_BEGIN = (ITEM, INDENTED, HEADING, LIST, QUOTATION, CAPTION, END)
# An apostrophe that marks neither bold nor italics.
APOSTROPHE = "\ufdda"
ALL = (*AT_BEGIN, LINE_BREAK, SEAM, GAP, APOSTROPHE)


def without_marks(text: str) -> str:
    """Return a text without marks."""
    if not text.isascii():
        for mark in ALL:
            text = text.replace(mark, "")
    return text
