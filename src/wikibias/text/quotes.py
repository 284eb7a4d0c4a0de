"""Bold and italics, by MediaWiki's rules."""

from __future__ import annotations

import re

_QUOTES = re.compile(r"'{2,}+")
# Bold round nothing.
_NOTHING = re.compile(r"(?<!')'{6}(?!')")


def without_quotes(line: str) -> str:
    """Return a line without the marks of bold and italics, by MediaWiki's rule for odd ones.

    Where both kinds are odd in number, one mark of three is an apostrophe and a mark of two: in
    `l'''Iliade''` the first follows a word of one letter, and that one is taken.
    """
    if "''" not in line:
        return line
    line = _NOTHING.sub("", line)
    runs = list(_QUOTES.finditer(line))
    lengths = [len(run.group()) for run in runs]
    bold = sum(n in (3, 4) or n >= 5 for n in lengths)
    italic = sum(n == 2 or n >= 5 for n in lengths)
    spared = _apostrophe(line, runs) if bold % 2 and italic % 2 else None
    pieces, end = [], 0
    for run, n in zip(runs, lengths, strict=True):
        kept = n - 5 if n > 5 else int(n == 4 or run is spared)
        pieces += [line[end : run.start()], "'" * kept]
        end = run.end()
    return "".join([*pieces, line[end:]])


def _apostrophe(line: str, runs: list[re.Match[str]]) -> re.Match[str] | None:
    threes = [run for run in runs if len(run.group()) == 3]

    def rank(run: re.Match[str]) -> int:
        before = line[max(0, run.start() - 2) : run.start()]
        if before.endswith(" ") or not before:
            return 2
        return 0 if len(before) == 1 or before[0] == " " else 1

    return min(threes, key=rank, default=None)
