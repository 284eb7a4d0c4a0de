"""How much memory an archive may ask for: what it says of itself decides, before it gets any."""

from __future__ import annotations

from wikibias.errors import DumpError

# Bytes. xz and 7z take at most 64 MB at their highest levels (7z, since 2023, 256), zstd 128.
LARGEST_WINDOW = 1 << 28


def check_window(form: str, size: int) -> None:
    """Refuse an archive whose window, which others call its dictionary, is too large.

    Raises:
        DumpError: it is.
    """
    if size > LARGEST_WINDOW:
        raise DumpError(
            f"is a {form} archive that takes more than {LARGEST_WINDOW >> 20} MB of memory to "
            "unpack; pack it again with a smaller dictionary (window)"
        )
