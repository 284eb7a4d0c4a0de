"""What is said where the libraries of the extra are missing."""

from __future__ import annotations

from importlib.util import find_spec

from wikibias.research.neural.calibration import missing


def test_what_is_missing_comes_with_what_to_type() -> None:
    libraries = ("torch", "transformers", "safetensors")
    absent = [name for name in libraries if find_spec(name) is None]
    said = missing()
    assert (said is None) is (not absent)
    if said is not None:
        assert "install" in said
        assert ("wikibias docs install" in said) == ("torch" in absent)
        assert all(name in said for name in absent)
