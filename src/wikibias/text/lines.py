"""Lines of a text that a user gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO

from wikibias.errors import WikibiasError

_LONGEST = 10_000_000  # bytes; a line without end would take all memory


def decoded_lines(stream: BinaryIO, name: str, unit: str = "sentence") -> Iterator[tuple[int, str]]:
    """Yield line number and text of a byte stream of UTF-8 lines, without the line end.

    Args:
        stream: what is read, line by line.
        name: what a message calls it.
        unit: what stands on a line.

    Raises:
        WikibiasError: it is a PDF, or a line is not UTF-8, has a NUL byte or no end.
    """
    lines = iter(partial(stream.readline, _LONGEST + 1), b"")
    for number, raw in enumerate(lines, start=1):
        if b"\0" in raw:
            raise WikibiasError(f"{name}:{number}: a NUL byte; this is not a text file")
        if number == 1 and raw.startswith(b"%PDF-"):
            raise WikibiasError(f"{name}: a PDF; give its text, as a file of its own")
        if len(raw) > _LONGEST:
            raise WikibiasError(
                f"{name}:{number}: longer than {_LONGEST / 1e6:.0f} MB; give a {unit} a line"
            )
        try:
            yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise WikibiasError(f"{name}:{number}: not UTF-8 (byte {error.start + 1})") from error


def given_sentences(stream: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """Yield line number and sentence of each line; of JSON Lines, by the name, their key `text`.

    Raises:
        WikibiasError: see `decoded_lines`; or a line of JSON Lines has no such key.
    """
    numbered = decoded_lines(stream, name)
    if not name.lower().endswith((".jsonl", ".ndjson")):
        yield from numbered
        return
    for number, line in numbered:
        yield number, _text_of(line, f"{name}:{number}") if line.strip() else line


def json_object(line: str, place: str) -> dict[str, Any]:
    """Return the object on a line of JSON Lines.

    Args:
        line: the line.
        place: what a message calls it, such as "file.jsonl:3".

    Raises:
        WikibiasError: it is no JSON, no object, or holds half a character, which no file can.
    """
    found = _json(line, place)
    if not isinstance(found, dict):
        raise WikibiasError(f"{place}: no JSON object")
    if "\\ud" in line.lower():
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise WikibiasError(f"{place}: half a character (a lone surrogate); mend it") from error
    return found


def _json(line: str, place: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WikibiasError(f"{place}: no JSON ({error!s:.200})") from error


def _text_of(line: str, place: str) -> str:
    found = _json(line, place)
    text = found.get("text") if isinstance(found, dict) else None
    if not isinstance(text, str):
        raise WikibiasError(f'{place}: no "text" in it; give JSON Lines with it, or plain lines')
    return text
