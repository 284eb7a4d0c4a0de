"""Excel files. Alone knows xlsxwriter."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError
from wikibias.kits.plugins import how_to_install
from wikibias.kits.tables import harmless

# What Excel takes: rows of a sheet, characters of a cell, integers that it does not round.
_MOST_ROWS, _MOST_CHARACTERS, _MOST_INTEGER = 1_048_576, 32_767, 1 << 53
_CUT = " [cut]"
_FORBIDDEN = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WIDTHS = (100, 15)  # of the first column, which holds the text, and of others
# The same rows give the same bytes.
_CREATED = datetime(2000, 1, 1)  # noqa: DTZ001 (the library takes no zone)


def check() -> None:
    """Make sure that xlsxwriter is installed.

    Raises:
        UsageError: it is not; the message says what to type.
    """
    if find_spec("xlsxwriter") is None:
        raise UsageError(
            f"xlsx needs the library XlsxWriter; run: {how_to_install('excel')}; or choose "
            "--format csv, which needs none"
        )


def write_workbook(
    path: Path,
    header: Sequence[str],
    sheets: Iterable[tuple[str, Iterable[Sequence[object]]]],
    most_rows: int = _MOST_ROWS,
) -> None:
    """Write a file with a sheet for each name, or several where its rows do not fit in one.

    A text is text, whatever it begins with. What XML cannot hold is left out, a list is joined
    with commas.

    Raises:
        OSError: the file cannot be written.
    """
    from xlsxwriter import Workbook
    from xlsxwriter.exceptions import FileCreateError

    book = Workbook(path, {"constant_memory": True, "tmpdir": str(path.parent)})
    book.use_zip64()
    book.set_properties({"created": _CREATED})
    # With a mark that Excel does not show: else a text becomes a formula once somebody edits it.
    quoted = book.add_format({"quote_prefix": True})
    for name, rows in sheets:
        sheet, used, number = _sheet(book, name, header), 1, 1
        for row in rows:
            if used == most_rows:
                number += 1
                sheet, used = _sheet(book, f"{name} {number}", header), 1
            for column, value in enumerate(row):
                _write(sheet, used, column, value, quoted)
            used += 1
    try:
        book.close()
    except FileCreateError as error:
        raise OSError(*error.args[0].args) from error


def _sheet(book: Any, name: str, header: Sequence[str]) -> Any:
    sheet = book.add_worksheet(name)
    sheet.freeze_panes(1, 0)
    sheet.set_column(1, len(header), _WIDTHS[1])
    sheet.set_column(0, 0, _WIDTHS[0])
    for column, title in enumerate(header):
        sheet.write_string(0, column, title, book.add_format({"bold": True}))
    return sheet


def _write(sheet: Any, row: int, column: int, value: object, quoted: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float) and abs(value) <= _MOST_INTEGER:  # no NaN, no infinity
        sheet.write_number(row, column, value)
    else:
        text = _text(value)
        sheet.write_string(row, column, text, None if harmless(text) == text else quoted)


def _text(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    text = _FORBIDDEN.sub("", text)
    stored = text.encode("utf-16-le")  # of which Excel counts the units
    if len(stored) <= 2 * _MOST_CHARACTERS:
        return text
    return stored[: 2 * (_MOST_CHARACTERS - len(_CUT))].decode("utf-16-le", "ignore") + _CUT
