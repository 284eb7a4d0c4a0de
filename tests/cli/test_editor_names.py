"""User names and IP addresses are in the result only with --with-editors."""

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exports import Page, Revision, dumped, mended, rows, tagged
from results import extract

NAMES = ("Quillon Vexley", "203.0.113.77", "2001:db8::77", "Nettlebed Bot", "~2025-99173-4")
SUMMARIES = {
    "en": [
        "reverted [[User:Quillon Vexley|Quillon Vexley]] ([[user_talk:Quillon Vexley]])",
        "Undid revision 7 by [[Special:Contributions/203.0.113.77|203.0.113.77]]",
        "as [[:en:User:Quillon Vexley|Quillon Vexley]] asked",
        "global revert, [[m:User:Quillon Vexley|Quillon Vexley]]",
        "what 203.0.113.77 wrote",
        "what User:203.0.113.77 and User:2001:db8::77 wrote",
        "rv 203.0.113.77.",
        "rv 203.0.113.77: praise",
        "rv (203.0.113.77), 2001:db8::77, again",
        "thanks to 2001:DB8:0:0:0:0:0:77.",
        # MediaWiki cuts summaries at 255 bytes, also inside a link.
        "reworded, as agreed at length with [[User talk:Quillon Vexl",
        # MediaWiki's summary of a rollback until about 2010.
        "Reverted edits by [[Special:Contributions/203.0.113.77|203.0.113.77]] "
        "([[User talk:203.0.113.77|talk]]) to last version by Quillon Vexley",
    ],
    "fr": [
        "d'après [[Utilisateur:Quillon Vexley|Quillon Vexley]]",
        "d'après [[Utilisatrice:Quillon Vexley|Quillon Vexley]]",
        "d'après [[Discussion utilisateur:Quillon Vexley|Quillon Vexley]]",
        "d'après [[Discussion utilisatrice:Quillon Vexley|Quillon Vexley]]",
        "révocation de [[Spécial:Contributions/Quillon Vexley|Quillon Vexley]]",
    ],
}


def summarised(folder: Path, comments: list[str], lang: str = "en") -> Path:
    """Write a dump in which the editors in NAMES remove a tag, with these summaries."""
    tag = "POV" if lang == "en" else "À neutraliser"
    revisions = []
    for number, comment in enumerate(comments):
        name, other = NAMES[number % len(NAMES)], NAMES[(number + 1) % len(NAMES)]
        revisions.append(Revision(tagged(number, 1, tag), name, "tagged"))
        revisions.append(Revision(mended(number, 1), other, comment))
    return dumped(folder, [Page("Village", revisions)], lang=lang)


def content(folder: Path) -> str:
    """Return everything in a result as text, including tables and their metadata."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            found.append(json.dumps(table.to_pylist(), default=str, ensure_ascii=False))
            found.append(repr(pq.read_metadata(path).metadata))
            found.append(path.read_bytes().decode("latin-1"))
        elif path.is_file():
            found.append(path.read_text())
    return "\n".join(found)


def test_no_output_contains_the_name_of_a_contributor(tmp_path: Path) -> None:
    # A time or a version is no IP address.
    comment = "see 12:30:45, version 1.2.3 and chapter 4.5.6.7890"
    path = summarised(tmp_path, [comment] * 10)
    ended = extract(tmp_path / "o", path).well()
    shown = content(tmp_path / "o") + ended.out + ended.err
    assert [name for name in NAMES if name in shown] == []
    edits = rows(tmp_path / "o", "edits")
    assert {row["editor_kind"] for row in edits} == {"registered", "ip", "bot", "temporary"}
    assert {row["comment"] for row in edits} == {comment}
    for path in (tmp_path / "o").rglob("*.parquet"):
        assert "editor" not in pq.read_schema(path).names


@pytest.mark.parametrize("lang", SUMMARIES)
def test_no_summary_contains_a_name(lang: str, tmp_path: Path) -> None:
    path = summarised(tmp_path, SUMMARIES[lang], lang)
    extract(tmp_path / "o", "--lang", lang, path).well()
    shown = [str(row["comment"]) for row in rows(tmp_path / "o", "edits")]
    assert len(shown) == len(SUMMARIES[lang])
    assert [c for c in shown if re.search(r"Quillon|Vexl|203\.0|(?i:2001:db8)", c)] == []


def test_with_editors_adds_a_column_with_names(tmp_path: Path) -> None:
    comment = "as [[User:Quillon Vexley|]] asked, rv 203.0.113.77"
    path = summarised(tmp_path, [comment] * 5)
    out = tmp_path / "o"
    extract(out, "--with-editors", path).well()
    for kind in ("transitions", "edits", "corpus"):
        assert {row["editor"] for row in rows(out, kind)} <= set(NAMES)
        assert {row["comment"] for row in rows(out, kind)} <= {comment, "tagged"}
    names = [row["editor"] for row in rows(out, "edits")]
    assert names == [*NAMES[1:], NAMES[0]]
    for path in (out / "rejects").glob("*.parquet"):
        assert "editor" in pq.read_schema(path).names
