"""Text to sentences with sentencex; the only module that knows it."""

from __future__ import annotations

from collections.abc import Iterator

from wikibias.config.languages import Language
from wikibias.errors import UsageError
from wikibias.kits.plugins import how_to_install


class SentencexSplitter:
    """Splits paragraphs of one language by the rules of sentencex.

    Raises:
        UsageError: sentencex is not installed.
    """

    def __init__(self, language: Language) -> None:
        try:
            from sentencex import segment  # noqa: PLC0415 (an extra)
        except ImportError as error:
            raise UsageError(
                "the segmenter 'sentencex' needs the package sentencex; "
                f"run: {how_to_install('sentencex')}"
            ) from error
        self._segment, self._code = segment, language.code

    def __call__(self, paragraph: str) -> Iterator[str]:
        """Yield the sentences of a paragraph."""
        for sentence in self._segment(self._code, paragraph):
            if found := sentence.strip():
                yield found
