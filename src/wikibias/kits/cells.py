"""Cells of TSV and CSV files that people open in a spreadsheet.

A spreadsheet takes a cell that begins with one of a few characters for a formula, which may call
programs or send the sheet away. An apostrophe in front makes it text.
"""

from wikibias.messages import printable

# The wide forms of = + - @ count in spreadsheets set up for Chinese or Japanese.
_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; `original` gives back what it was."""
    return f"'{cell}" if _is_risky(cell) else cell


def one_line(text: str) -> str:
    """Return a text as a harmless cell of one line, with what a terminal would obey escaped."""
    return harmless(printable(" ".join(text.split())))


def tsv_cell(text: str) -> str:
    """Return a text as `one_line` does, in quotation marks where it begins with one.

    A reader takes it for quoted, up to the next mark anywhere.
    """
    cell = one_line(text)
    return '"{}"'.format(cell.replace('"', '""')) if cell.startswith('"') else cell


def original(cell: str) -> str:
    """Return the cell that was made harmless; others as they are."""
    return cell[1:] if cell.startswith("'") and _is_risky(cell) else cell


def _is_risky(cell: str) -> bool:
    # With apostrophes of its own it gets one more, so that none of them is lost.
    return cell.lstrip("'").startswith(_BEGINS_FORMULA)
