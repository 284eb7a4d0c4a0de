"""`wikibias spans`: taggers of biased words, and their scores."""

import json
from pathlib import Path

import pytest

from exports import wikibias
from made_pairs import PRAISE, pairs_file
from put import put
from wikibias.research.cli import spans
from wikibias.research.spans.taggers import Mark


def predictions(tmp_path: Path) -> Path:
    return put(tmp_path / "p.conll", "The B O\nfamous I B\nmill O O\n\nIt O O\nstood O I\n")


def test_scores_are_shown_and_written(tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    done = wikibias("spans", "score", predictions(tmp_path), "--out", out).well()
    assert "2 sentences, 1 gold span, 2 predicted" in done.out
    assert "right boundary" in done.out
    found = json.loads(out.read_text())
    assert found["exact"]["tp"] == 0
    assert found["right_boundary"] == {"tp": 1, "precision": 0.5, "recall": 1.0, "f1": 2 / 3}
    assert "p.conll:6: 1 sentence with a span of the prediction that begins with I" in done.err
    quiet = wikibias("-q", "spans", "score", predictions(tmp_path), "--clean-up", "-o", out).well()
    assert quiet.out == f"Written to {out}\n"
    assert "right boundary" in wikibias("-q", "spans", "score", predictions(tmp_path)).well().out
    assert json.loads(out.read_text())["exact"]["tp"] == 1


def test_a_tagger_is_trained_scored_and_used(tmp_path: Path) -> None:
    model = tmp_path / "tagger"
    pairs, held = pairs_file(tmp_path), pairs_file(tmp_path, 30, seed=5, name="test.tsv")
    done = wikibias(
        *("spans", "train", pairs, "--model", "frequent", "--exclude", held, "--out", model)
    ).well()
    assert "tried 4 settings" in done.out
    assert "left out" in done.err

    out = tmp_path / "s.json"
    done = wikibias("spans", "score", held, "--model", model, "--out", out).well()
    assert "most likely word in a gold span: 30 of 30 sentences" in done.out
    assert json.loads(out.read_text())["detection"]["hits"] == 30

    lines = "The glorious mill stood.\n\n<b>truly</b> [red]\u202efine\n"
    done = wikibias("spans", "predict", model, stdin=lines.encode()).well()
    first, blank, third = map(json.loads, done.out.splitlines())
    assert [each["text"] for each in first["spans"]] == ["glorious"]
    assert blank == {"text": "", "spans": [], "top": None}
    assert third["text"] == "<b>truly</b> [red]\u202efine"


def test_a_list_of_words_as_a_tagger(tmp_path: Path) -> None:
    listed = put(tmp_path / "praise.txt", "\n".join(PRAISE))
    arguments = ["spans", "train", pairs_file(tmp_path), "--model", "lexicon", "-o", tmp_path / "t"]
    wikibias(*arguments).refused("name at least one list of words with --lexicon")
    wikibias(*arguments, "--lexicon", listed).well()


def test_a_terminal_shows_marks_in_colour_and_escapes_what_would_draw(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = "A \x1b[2Jtruly [red]mill[/red]"
    truly: Mark = {"start": 6, "end": 11, "text": text[6:11], "probability": 0.9}
    spans.show_marked({"text": text, "spans": [truly], "top": None})
    shown = capsys.readouterr().out
    assert "\\x1b[2J" in shown
    assert "\x1b[1;31mtruly\x1b[0m" in shown
    assert "[red]mill[/red]" in shown
