"""Whether the libraries of the extra `neural` are installed; imports none of them."""

from __future__ import annotations

from importlib.util import find_spec

from wikibias.kits.plugins import how_to_install

_LIBRARIES = ("torch", "transformers", "safetensors")


def missing() -> str | None:
    """Return what to install and how, or None where everything needed is installed."""
    absent = [name for name in _LIBRARIES if find_spec(name) is None]
    if not absent:
        return None
    install = how_to_install("neural")
    smaller = " (for torch without a GPU: wikibias docs install)" if "torch" in absent else ""
    return f"this needs {' and '.join(absent)}; run: {install}{smaller}"
