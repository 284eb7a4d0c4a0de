"""What is not a fault of wikibias, in one line: odd arguments, a machine at its end."""

from __future__ import annotations

from collections.abc import Sequence

from wikibias.errors import UsageError

_LONGEST = 300  # characters


def check_arguments(words: Sequence[str]) -> None:
    """Make sure that every word can be written and can name a file.

    Raises:
        UsageError: one is empty or not UTF-8, or holds a NUL character.
    """
    for before, word in zip(("wikibias", *words), words, strict=False):
        if not word or (word.startswith("--") and word.endswith("=")):
            raise UsageError(
                f"nothing stands after {word.strip('=') or before}, or in empty quotes"
            )
        if "\0" in word:
            raise UsageError(f"{_shown(word)}: no argument may hold a NUL character")
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise UsageError(
                f"{_shown(word)}: not UTF-8; rename the file or folder, or give another"
            ) from error


def _shown(word: str) -> str:
    """Return a word as it can be shown; of a long one the end, which names the file."""
    return ascii(word) if len(word) <= _LONGEST else f"...{word[-_LONGEST:]!a}"


def line_about(error: Exception) -> str | None:
    """Return what a user can do about an error of the machine; None where it is our fault."""
    if isinstance(error, MemoryError):
        return "there is not enough memory; give fewer --workers, or use a machine with more"
    if isinstance(error, RecursionError):
        return "an input is nested too deeply to be read"
    if isinstance(error, PermissionError):
        return f"{_place(error)}: permission denied; change it or use another"
    if isinstance(error, OSError) and error.strerror:
        return f"{_place(error)}: {error.strerror}"
    return None


def _place(error: OSError) -> str:
    name = error.filename
    return name if isinstance(name, str) else str(name) if name is not None else "a file"
