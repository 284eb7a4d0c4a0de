"""What vanished markup leaves behind: half-empty brackets, doubled stops, spaces, glued words."""

from __future__ import annotations

import re

from wikibias.text.marks import GAP, SEAM

# Every pattern takes time that grows with the length only, in a text with single spaces and single
# marks, and begins with one of a few characters, which Python looks for quickly.
_V = SEAM + GAP
_SEPARATORS = ";,،؛、，；"
# Separators and dashes alone. Empty brackets behind a word are text, as in main().
_EMPTY = re.compile(
    rf"[(（\[«“„「『《〈【](?:(?<=\()[ {_V}{_SEPARATORS}:/–—-]++\)|(?<=\[)[ {_V}]++\]"
    rf"|(?<=\()(?<!\w\()\)|(?<=\[)(?<!\w\[)\]|(?<=（)[ {_V}{_SEPARATORS}:：]*+）"
    rf"|(?<=[«“„「『《〈【]) ?[{_V}] ?[»”“」』》〉】])"
)
_BEGIN = re.compile(
    rf"[(（\[「『《〈【«“„](?:(?<=[(（])[ {_V}{_SEPARATORS}]++|(?<=[\[「『《〈【«“„])[{_V}] )"
)
_END = re.compile(rf"[ {_V}{_SEPARATORS}]{{1,40}}+(?=[)）])")
_SPACE_BEFORE_STOP = re.compile(rf" ({GAP}?)(?=[.,)](?:\s|$))")
# Where the two above and below find something: spaces are far more than these marks.
_ENDS = re.compile(rf"[)）](?<=[ {_V}{_SEPARATORS}].)")
_STANDS_APART = re.compile(rf"[.,)](?:(?<= .)|(?<= {GAP}.))(?:\s|$)")
_VANISHED_BEFORE_MARK = re.compile(rf"[{_V}](?<= .)[.,;:!?)\]،؛؟、。，；：！？）」』]")
_RUN = re.compile(rf"[{_V}][ {_V}]*+")
_SPACED_SEPARATOR = re.compile(rf"[{_SEPARATORS}:] ?([{_V}]) ?(?=[{_SEPARATORS}.。])")
_SPACED_STOP = re.compile(rf"([.。!?！？؟]) ?[{_V}] ?[.。](?![.\d])")
_SPACE_BEFORE_MARK = re.compile(rf" (?=[{_V}][.,;:!?)\]،؛؟、。，；：！？）」』])")
# Scripts that set no spaces between words, or none before what belongs to a word.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u3000-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
)
_LETTER = rf"[^\W{_UNSPACED}]"
# What stood between something and what vanished before it, at the begin of a paragraph.
_FIRST = re.compile(rf"([{_V}]) ?(?:[{_SEPARATORS}:]++ ?|[/–—-]++(?: |\Z)|[.。](?: |\Z))")
_SPACES = re.compile(r"  ++")
# Words, or sentences, with nothing between them but what vanished.
_GLUED = re.compile(rf"[{_V}](?:(?<={_LETTER}.)|(?<=[.,;:!?)\]»”].))(?={_LETTER})")


def without_litter(text: str) -> str:
    """Return a text with single spaces without what vanished markup leaves behind.

    Of the marks for what vanished only gaps are left, each in front of the word behind it or
    directly behind the word before it.
    """
    has_marks = SEAM in text or GAP in text
    if has_marks:
        text = _RUN.sub(_single, text)
        if first := _FIRST.match(text):
            text = first[1] + text[first.end() :]
    if "(" in text or "（" in text or "[" in text or has_marks:
        text = _BEGIN.sub(_begin, _EMPTY.sub("", text))
        if _ENDS.search(text):
            text = _END.sub(_only_gap, text)
    if has_marks:
        text = _SPACED_SEPARATOR.sub(r"\1", text)
        text = _SPACED_STOP.sub(r"\1", text)
        if _VANISHED_BEFORE_MARK.search(text):
            text = _SPACE_BEFORE_MARK.sub("", text)
        text = _GLUED.sub(r" \g<0>", text)
        text = text.replace(f" {SEAM} ", " ").replace(f" {GAP} ", f" {GAP}").replace(SEAM, "")
    if _STANDS_APART.search(text):
        text = _SPACE_BEFORE_STOP.sub(r"\1", text)
    if "  " in text:
        text = _SPACES.sub(" ", text)
    if not has_marks:
        return text.strip()
    begins, ends = text.startswith(GAP), text.endswith(GAP)
    text = text.strip(f" {GAP}")
    return GAP * begins + text + GAP * (ends and text != "")


def _single(run: re.Match[str]) -> str:
    return (GAP if GAP in run[0] else SEAM) + " " * run[0].endswith(" ")


def _only_gap(run: re.Match[str]) -> str:
    return GAP * (GAP in run[0])


def _begin(run: re.Match[str]) -> str:
    return run[0][0] + GAP * (GAP in run[0])
